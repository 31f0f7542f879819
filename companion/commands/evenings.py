"""`companion evenings`: who won how often, evening by evening, and what was left unfinished."""

from collections.abc import Iterator
from pathlib import Path

from companion.app.catalog import Catalog
from companion.commands.history import with_history
from companion.commands.printing import WELL, print_json, say
from companion.core.clock import day, instant
from companion.core.values import Json
from companion.players.counted import CountedGame, GameResult
from companion.players.evenings import PlayedEvening
from companion.players.figure_words import DATE_UNKNOWN, many_games
from companion.players.history import PlayersHistory
from companion.presentation.phrases import phrase
from companion.record.people.people import People


def list_evenings(path: Path, games: Catalog, *, as_json: bool) -> int:
    """A line for each evening, the newest last; then the games that were left unfinished."""

    def tell(history: PlayersHistory) -> int:
        if as_json:
            print_json([_json(one, history.people) for one in history.evenings])
        else:
            say(_lines(history, games))
        return WELL

    return with_history(path, games, tell)


def _json(evening: PlayedEvening, people: People) -> Json:
    return {
        "evening": evening.number,
        "at": instant(evening.at),
        "games": [game.number for game in evening.games],
        "kinds": list(evening.kinds),
        "wins": evening.wins(people),
        "unfinished": [game.number for game in evening.games if game.result is GameResult.OPEN],
    }


def _lines(history: PlayersHistory, games: Catalog) -> Iterator[str]:
    for evening in history.evenings:
        wins = evening.wins(history.people)
        won = ", ".join(f"{player} {number}" for player, number in wins.items())
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
    names = (people.name_of(seat) for seat in game.seats if not people.hides(seat))
    return phrase(
        "game {number}  {day}  {title}: {seats}",
        number=game.number,
        day=day(game.played) or DATE_UNKNOWN,
        title=games[game.game].rules.title,
        seats=", ".join(names),
    )
