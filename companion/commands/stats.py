"""What `companion stats` (players' figures) and `companion export --players` print: figures counted
over all games of a record."""

import csv
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import TextIO

from companion.app.catalog import Catalog
from companion.commands.opening import reading, said
from companion.commands.terminal import FOUND, WELL, complain, print_json, progress_shown, say
from companion.core.clock import instant, now
from companion.core.seats import shown
from companion.core.values import Json, dataclass
from companion.core.words import known_as, phrase
from companion.players.cache import beside
from companion.players.exports import columns, lines
from companion.players.figures import (
    Figure,
    PlayerFigures,
    Selection,
    figure_label,
    figure_over,
    figure_value,
    figures_of,
    many_games,
    players_of,
)
from companion.players.history import PlayedEvening, PlayersHistory, read_history
from companion.record.store.reader import Reader


@dataclass(frozen=True, slots=True)
class StatsWanted:
    """The players and the games whose figures are wanted; None: all."""

    player: str | None = None
    evening: str | None = None
    since: date | None = None
    game: str | None = None
    players: int | None = None


CSV = ("player", "game", "figure", "value", "over", "of", "games", "moments")


def print_figures(path: Path, games: Catalog, wanted: StatsWanted, form: str) -> int:
    """Prints the wanted figures; `form`: text, json or csv."""

    def report(history: PlayersHistory) -> int:
        selection = _selection(history, wanted, games)
        if isinstance(selection, str):
            complain(selection)
            return FOUND
        figures = _figures(history, wanted, selection)
        if not figures and wanted.player is not None:
            complain(
                f"{shown(wanted.player)} has played no such game: “companion players” lists all"
            )
            return FOUND
        if form == "json":
            print_json([_json(one) for one in figures])
        elif form == "csv":
            write_csv([*CSV], _rows(figures))
        else:
            say(_lines(figures, games))
        return WELL

    return with_history(path, games, report)


def _selection(history: PlayersHistory, wanted: StatsWanted, games: Catalog) -> Selection | str:
    """The selection of the wanted games, or a line that says what is wrong with the request."""
    if wanted.game is not None and wanted.game not in games:
        return f"there is no game {wanted.game}: {', '.join(games)}"
    since = None
    if wanted.since is not None:
        since = datetime.combine(wanted.since, datetime.min.time()).timestamp()
    numbers = None
    if wanted.evening is not None:
        evening = find_evening(history.evenings, wanted.evening)
        if evening is None:
            return f"there is no evening {wanted.evening}: “companion evenings” lists them"
        numbers = evening.numbers
    return Selection(wanted.game, wanted.players, since, numbers)


def find_evening(evenings: Sequence[PlayedEvening], name: str) -> PlayedEvening | None:
    """The evening of the game whose number is `name`, or the “last”; None: there is none."""
    if name == "last":
        return evenings[-1] if evenings else None
    return next((one for one in evenings if name in {str(game.number) for game in one.games}), None)


def _figures(
    history: PlayersHistory, wanted: StatsWanted, selection: Selection
) -> list[PlayerFigures]:
    tells = history.tells_uncalled(now())
    players = [*players_of(history.games, history.people)]
    if wanted.player:
        players = [known_as(wanted.player, players)]
    return [
        one
        for player in players
        for one in figures_of(
            player,
            history.games,
            history.people,
            selection,
            history.statistics,
            tells_uncalled=tells,
        )
    ]


# ---------------------------------------------------------------- as text


def _lines(figures: Sequence[PlayerFigures], games: Catalog) -> Iterator[str]:
    for place, one in enumerate(figures):
        if place:
            yield ""
        yield phrase(
            "{player}, {title}: {games}, {won} won",
            player=shown(one.player),
            title=games[one.game].rules.title,
            games=many_games(len(one.games)),
            won=len(one.won),
        )
        yield from (_line(figure) for figure in one.figures)
        for made, number in one.combinations.items():
            yield f"  {made.replace('-', ' '):42} {number:>6}"
        for against in one.against:
            yield phrase(
                "  paid by {other} {won}, to {other} {paid}, in {games}",
                other=shown(against.other),
                won=against.won,
                paid=against.paid,
                games=many_games(len(against.games)),
            )


def _line(figure: Figure) -> str:
    where = "; ".join(
        phrase("game {game}, entry {entry}", game=one.game, entry=one.entry)
        for one in figure.moments
    )
    over = figure_over(figure)
    behind = f"{over}: {where}" if where else over
    return f"  {figure_label(figure):42} {figure_value(figure):>6}  {behind}"


# ---------------------------------------------------------------- for programs


def _json(one: PlayerFigures) -> Json:
    return {
        "player": one.player,
        "game": one.game,
        "games": list(one.games),
        "won": list(one.won),
        "lays": one.lays,
        "figures": [
            {
                "figure": figure.name,
                "value": figure.value,
                "over": figure.over,
                "of": figure.of,
                "games": list(figure.games),
                "moments": [[moment.game, moment.entry] for moment in figure.moments],
            }
            for figure in one.figures
        ],
        "combinations": one.combinations,
        "against": [
            {"player": other.other, "won": other.won, "paid": other.paid,
             "games": list(other.games)}
            for other in one.against
        ],
    }  # fmt: skip


def _rows(figures: Sequence[PlayerFigures]) -> Iterator[Json]:
    for one in figures:
        for figure in one.figures:
            yield {
                "player": one.player,
                "game": one.game,
                "figure": figure.name,
                "value": figure.value,
                "over": figure.over,
                "of": str(figure.of),
                "games": list(figure.games),
                "moments": [f"{moment.game}:{moment.entry}" for moment in figure.moments],
            }


# ---------------------------------------------------------------- all that is counted


def with_history(path: Path, games: Catalog, report: Callable[[PlayersHistory], int]) -> int:
    """The exit status that `report` gives for the history of the record's players; 1 if games are
    doubtful."""
    return with_read_history(path, games, lambda history, _: report(history))


def with_read_history(
    path: Path, games: Catalog, report: Callable[[PlayersHistory, Reader], int]
) -> int:
    """As `with_history`, but `report` gets the record's reader as well."""

    def read(reader: Reader) -> int:
        with progress_shown() as progress:
            history = read_history(reader, beside(path), games.statistics, progress)
        if status := report(history, reader):
            return status
        wrong = history.lost + sum(game.doubtful for game in history.games)
        many = "1 game" if wrong == 1 else f"{wrong} games"
        return said(reader, f"something is wrong with {many}" if wrong else "")

    return reading(path, games, read)


def export_players(path: Path, games: Catalog, form: str) -> int:
    """Prints everything that was counted, a line for each game and player; `form`: csv or jsonl."""

    def report(history: PlayersHistory) -> int:
        found = lines(history, now(), instant)
        if form == "csv":
            write_csv(columns(), found)
        else:
            for line in found:
                print(json.dumps(line, ensure_ascii=True))
        return 0

    return with_history(path, games, report)


def write_csv(header: list[str], rows: Iterator[Json], file: TextIO | None = None) -> None:
    """Writes a table as CSV, with the columns' names in the first line; to stdout if no `file` is
    given."""
    writer = csv.writer(file or sys.stdout, lineterminator="\n")
    writer.writerow(header)
    for row in rows:
        writer.writerow([_cell(row[name]) for name in header])


def _cell(value: object) -> object:
    """A value as a cell of the table. Text that a spreadsheet would take for a formula gets an
    apostrophe."""
    if isinstance(value, dict):
        value = " ".join(f"{name}:{number}" for name, number in value.items())
    if isinstance(value, list):
        value = " ".join(map(str, value))
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str) and value.startswith(("=", "+", "-", "@")):
        return f"'{value}"
    return value
