"""`companion evenings`: who won how often, and which games were left unfinished; `companion
publish`: an evening as a folder for a club's page."""

import sys
from collections.abc import Iterator
from pathlib import Path

from companion.app.catalog import Catalog
from companion.commands.stats import with_history, write_csv
from companion.commands.terminal import WELL, print_json, say
from companion.core.clock import day, instant
from companion.core.seats import shown
from companion.core.values import Json
from companion.core.words import isolated, listed, phrase
from companion.players.exports import EVENING_COLUMNS, calendar, evening_lines
from companion.players.figures import many_games
from companion.players.history import PlayedEvening, PlayersHistory
from companion.players.statistics import CountedGame, GameResult
from companion.presentation.dates import DATE_UNKNOWN
from companion.record.people.people import People


def list_evenings(path: Path, games: Catalog, form: str) -> int:
    """Prints a line for each evening, the newest last; then the games that were left unfinished. If
    `form` is json, csv (a line for each player) or ics, prints the evenings alone."""
    titles = {name: game.rules.title for name, game in games.items()}

    def report(history: PlayersHistory) -> int:
        if form == "json":
            print_json([_evening_json(one, history.people) for one in history.evenings])
        elif form == "csv":
            found = evening_lines(history.evenings, history.people, instant)
            write_csv([*EVENING_COLUMNS], found)
        elif form == "ics":
            sys.stdout.write(calendar(history.evenings, titles, history.people))
        else:
            say(_evening_lines(history, games))
        return WELL

    return with_history(path, games, report)


def _evening_json(evening: PlayedEvening, people: People) -> Json:
    return {
        "evening": evening.number,
        "at": instant(evening.at),
        "games": [game.number for game in evening.games],
        "kinds": list(evening.kinds),
        "wins": evening.wins(people),
        "unfinished": [game.number for game in evening.games if game.result is GameResult.OPEN],
    }


def _evening_lines(history: PlayersHistory, games: Catalog) -> Iterator[str]:
    for evening in history.evenings:
        wins = evening.wins(history.people)
        won = ", ".join(f"{isolated(shown(player))} {number}" for player, number in wins.items())
        yield phrase(
            "{number}  {day}  {games}: {won}",
            number=f"{evening.number:4}",
            day=f"{day(evening.at) or DATE_UNKNOWN:12}",
            games=many_games(len(evening.games)),
            won=won or phrase("nobody is named"),
        )
    unfinished = [game for game in history.games if game.result is GameResult.OPEN]
    if unfinished:
        yield ""
        yield phrase("Left unfinished:")
        yield from (_unfinished(game, history.people, games) for game in unfinished)


def _unfinished(game: CountedGame, people: People, games: Catalog) -> str:
    names = (shown(people.name_of(seat)) for seat in game.seats if not people.hides(seat))
    return phrase(
        "game {number}  {day}  {title}: {seats}",
        number=game.number,
        day=day(game.played) or DATE_UNKNOWN,
        title=games[game.game].rules.title,
        seats=listed(names),
    )
