"""`companion players`, `forget`, `stats`, `evenings` and `export --players`: the players, their
statistics, and the evenings with their winners."""

import csv
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import TextIO

from companion.app.catalog import Catalog
from companion.commands.opening import (
    NO_GAME,
    change_record,
    locked_record,
    read_record,
    report_faults,
)
from companion.commands.terminal import (
    PROBLEM,
    SUCCESS,
    fail,
    print_error,
    print_json,
    print_lines,
    show_progress,
)
from companion.core.clock import day, iso_time, now
from companion.core.errors import SetupError
from companion.core.seats import COLOUR_NAMES, display_name
from companion.core.values import Json, dataclass
from companion.core.words import isolated, known_spelling, listed, phrase
from companion.players import cache
from companion.players.exports import EVENING_COLUMNS, calendar, evening_rows
from companion.players.history import PlayedEvening, PlayersHistory, read_history
from companion.players.player_figures import (
    Figure,
    PlayerFigures,
    SeatInGame,
    Selection,
    figure_label,
    figure_over,
    figure_value,
    figures_of,
    games_words,
    played_by,
    players_of,
)
from companion.players.rating import MIN_GAMES, ratings_of
from companion.players.statistics import CountedGame, GameResult
from companion.presentation.dates import DATE_UNKNOWN
from companion.record.copies.text_copy import copies_folder as copies_beside
from companion.record.names import rename_fault, renaming_as_kept
from companion.record.people.forget import forget, number_names
from companion.record.people.people import PEOPLE_KINDS, People, changes_of, read_people
from companion.record.rows import PlayerHidden, PlayerRenamed, Undo, decode_row
from companion.record.store.database import DB_ERRORS, StoreError, reason
from companion.record.store.reader import Reader
from companion.record.store.record_file import replace_record
from companion.record.store.store import Store

# ---------------------------------------------------------------- the history of players


def with_history(path: Path, games: Catalog, report: Callable[[PlayersHistory], int]) -> int:
    """Calls `report` with the history of the record's players, and returns the exit status of
    `report`; returns 1 if games are doubtful."""
    return with_read_history(path, games, lambda history, _: report(history))


def with_read_history(
    path: Path, games: Catalog, report: Callable[[PlayersHistory, Reader], int]
) -> int:
    """Calls `report` with the history of the record's players and with the record's reader, and
    returns the exit status of `report`; returns 1 if games are doubtful."""

    def read(reader: Reader) -> int:
        with show_progress() as progress:
            history = read_history(reader, cache.figures_path(path), games.statistics, progress)
        if status := report(history, reader):
            return status
        wrong = history.lost + sum(game.doubtful for game in history.games)
        many = "1 game" if wrong == 1 else f"{wrong} games"
        return report_faults(reader, f"something is wrong with {many}" if wrong else "")

    return read_record(path, games, read)


def find_evening(evenings: Sequence[PlayedEvening], name: str) -> PlayedEvening | None:
    """Returns the evening that includes the game with the number `name`, or the last evening for
    “last”; None if there is none."""
    if name == "last":
        return evenings[-1] if evenings else None
    return next((one for one in evenings if name in {str(game.number) for game in one.games}), None)


def write_csv(header: list[str], rows: Iterator[Json], file: TextIO | None = None) -> None:
    """Writes a table as CSV, with the names of the columns in the first line. Writes to stdout if
    no `file` is given."""
    writer = csv.writer(file or sys.stdout, lineterminator="\n")
    writer.writerow(header)
    for row in rows:
        writer.writerow([_csv_cell(row[name]) for name in header])


def _csv_cell(value: object) -> object:
    """Returns a value as a cell of the table. Text that a spreadsheet would treat as a formula gets
    an apostrophe."""
    if isinstance(value, dict):
        value = " ".join(f"{name}:{number}" for name, number in value.items())
    if isinstance(value, list):
        value = " ".join(map(str, value))
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str) and value.startswith(("=", "+", "-", "@")):
        return f"'{value}"
    return value


# ---------------------------------------------------------------- figures


@dataclass(frozen=True, slots=True)
class StatsWanted:
    """The players and games whose statistics are requested; None means all."""

    player: str | None = None
    evening: str | None = None
    since: date | None = None
    game: str | None = None
    players: int | None = None


FIGURE_COLUMNS = ("player", "game", "figure", "value", "over", "of", "games", "moments")


def print_figures(path: Path, games: Catalog, wanted: StatsWanted, form: str) -> int:
    """Prints the wanted statistics; `form` is text, json or csv."""

    def report(history: PlayersHistory) -> int:
        selection = _select_games(history, wanted, games)
        if isinstance(selection, str):
            print_error(selection)
            return PROBLEM
        figures = _wanted_figures(history, wanted, selection)
        if not figures and wanted.player is not None:
            print_error(
                f"{display_name(wanted.player)} has played no such game: "
                "“companion players” lists all"
            )
            return PROBLEM
        if form == "json":
            print_json([_figures_json(one) for one in figures])
        elif form == "csv":
            write_csv([*FIGURE_COLUMNS], _figure_rows(figures))
        else:
            print_lines(_figure_lines(figures, games))
        return SUCCESS

    return with_history(path, games, report)


def _select_games(history: PlayersHistory, wanted: StatsWanted, games: Catalog) -> Selection | str:
    """Returns the selection of the wanted games or, if the request has an error, the error in one
    line."""
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


def _wanted_figures(
    history: PlayersHistory, wanted: StatsWanted, selection: Selection
) -> list[PlayerFigures]:
    tells = history.games_showing_uncalled(now())
    players = [*players_of(history.games, history.people)]
    if wanted.player:
        players = [known_spelling(wanted.player, players)]
    return [
        one
        for player in players
        for one in figures_of(
            player,
            history.games,
            history.people,
            selection,
            history.statistics,
            uncalled_shown_in=tells,
        )
    ]


def _figure_lines(figures: Sequence[PlayerFigures], games: Catalog) -> Iterator[str]:
    for place, one in enumerate(figures):
        if place:
            yield ""
        yield phrase(
            "{player}, {title}: {games}, {won} won",
            player=display_name(one.player),
            title=games[one.game].rules.title,
            games=games_words(len(one.games)),
            won=len(one.won),
        )
        yield from (_figure_line(figure) for figure in one.figures)
        for made, number in one.combinations.items():
            yield f"  {made.replace('-', ' '):42} {number:>6}"
        for against in one.against:
            yield phrase(
                "  paid by {other} {won}, to {other} {paid}, in {games}",
                other=display_name(against.other),
                won=against.won,
                paid=against.paid,
                games=games_words(len(against.games)),
            )


def _figure_line(figure: Figure) -> str:
    where = "; ".join(
        phrase("game {game}, entry {entry}", game=one.game, entry=one.entry)
        for one in figure.moments
    )
    over = figure_over(figure)
    behind = f"{over}: {where}" if where else over
    return f"  {figure_label(figure):42} {figure_value(figure):>6}  {behind}"


def _figures_json(one: PlayerFigures) -> Json:
    return {
        "player": one.player,
        "game": one.game,
        "games": list(one.games),
        "won": list(one.won),
        "lays": one.plays,
        "figures": [
            {
                "figure": figure.name,
                "value": figure.value,
                "over": figure.over,
                "of": figure.denominator,
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


def _figure_rows(figures: Sequence[PlayerFigures]) -> Iterator[Json]:
    for one in figures:
        for figure in one.figures:
            yield {
                "player": one.player,
                "game": one.game,
                "figure": figure.name,
                "value": figure.value,
                "over": figure.over,
                "of": str(figure.denominator),
                "games": list(figure.games),
                "moments": [f"{moment.game}:{moment.entry}" for moment in figure.moments],
            }


# ---------------------------------------------------------------- players


def list_players(path: Path, games: Catalog, *, as_json: bool, rated: bool) -> int:
    """Prints a line for each player, with ratings if `rated`. The order is that in which the
    players first played."""

    def report(history: PlayersHistory) -> int:
        found = list(_player_rows(history))
        if rated:
            _add_ratings(found, history)
        if as_json:
            print_json(found)
        else:
            wide = max((len(one["player"]) for one in found), default=0)
            for one in found:
                print_lines([_player_line(one, wide), *_rating_lines(one, games)])
        return SUCCESS

    return with_history(path, games, report)


def _player_rows(history: PlayersHistory) -> Iterator[Json]:
    played_in: dict[str, list[SeatInGame]] = {}
    for player in players_of(history.games, history.people):
        played_in[player] = list(played_by(player, history.games, history.people, Selection()))
    for player, played in played_in.items():
        last = next((one.game.begun for one in reversed(played) if one.game.begun), None)
        yield {
            "player": player,
            "games": len({one.game.number for one in played}),
            "won": len({one.game.number for one in played if one.seat in one.game.winners}),
            "last": iso_time(last),
            "day": day(last),
            "kinds": list(dict.fromkeys(one.game.game for one in played)),
        }


def _player_line(one: Json, wide: int) -> str:
    return phrase(
        "{player}  {games}, {won} won; last {day}",
        player=f"{display_name(one['player']):<{wide}}",
        games=f"{games_words(one['games']):>9}",
        won=one["won"],
        day=one["day"] or DATE_UNKNOWN,
    )


def _add_ratings(found: list[Json], history: PlayersHistory) -> None:
    """Adds the ratings, by kind of game, to the rated players in `found`."""
    ratings = ratings_of(history.games, history.people)
    for one in found:
        one["ratings"] = {
            kind: {
                "rating": rated.rating.mean,
                "spread": rated.rating.spread,
                "games": rated.games,
            }
            for kind, players in ratings.items()
            if (rated := players.get(one["player"])) and rated.games >= MIN_GAMES
        }


def _rating_lines(one: Json, games: Catalog) -> Iterator[str]:
    for kind, rated in one.get("ratings", {}).items():
        yield phrase(
            "    {title}: rating {rating:.1f} ± {spread:.1f} after {games}",
            title=games[kind].rules.title,
            rating=rated["rating"],
            spread=rated["spread"],
            games=games_words(rated["games"]),
        )


# ---------------------------------------------------------------- who is who


def change_people(path: Path, games: Catalog, row: PlayerRenamed | PlayerHidden | Undo) -> int:
    """Stores a renaming or hiding, or undoes one. No table may be running, because it would not
    read the new row."""
    if isinstance(row, PlayerRenamed) and (fault := rename_fault(row)):
        print_error(fault.why)
        return PROBLEM
    return change_record(path, games, lambda store: _store_people_change(store, row))


def _store_people_change(store: Store, row: PlayerRenamed | PlayerHidden | Undo) -> int:
    names = _seat_names(store)
    done = changes_of(decode_row(link.row) for link in store.box_links(*PEOPLE_KINDS))
    if isinstance(row, Undo):
        if not done:
            print_error(phrase("nothing was changed that could be taken back"))
            return PROBLEM
        last = done[-1]
        what = (
            f"{display_name(last.name)} → {display_name(last.to)}"
            if isinstance(last, PlayerRenamed)
            else display_name(last.name)
        )
        store.keep(NO_GAME, row)
        print_lines([phrase("taken back: {what}", what=what)])
        return SUCCESS
    people = read_people(store)
    known = [*names, *map(people.name_of, names)]
    match row:
        case PlayerRenamed():
            row = renaming_as_kept(row, known)
        case PlayerHidden():
            row = replace(row, name=known_spelling(row.name, known))
    if row.name not in known:
        print_error(_unknown_player_line(row.name))
        return PROBLEM
    if isinstance(row, PlayerHidden):
        row = replace(row, name=people.name_of(row.name))
    store.keep(NO_GAME, row)
    match row:
        case PlayerRenamed(name, to):
            said = phrase("what {name} played counts as {to}'s; no game is changed",
                          name=display_name(name), to=display_name(to))  # fmt: skip
        case PlayerHidden(name, True):
            said = phrase("{name} is hidden, not deleted: the games still have the name; "
                          "companion forget takes it out", name=display_name(name))  # fmt: skip
        case PlayerHidden(name):
            said = phrase("{name} is to be seen again", name=display_name(name))
    print_lines([said])
    return SUCCESS


def _unknown_player_line(name: str) -> str:
    return phrase("nobody played as {name}: “companion players” lists all", name=display_name(name))


def _seat_names(reader: Reader) -> list[str]:
    """Returns the names of all seats, in order of first appearance."""
    return list(dict.fromkeys(str(seat) for one in reader.games() for seat in one.opened.seats))


# ---------------------------------------------------------------- forgetting


def forget_name(path: Path, games: Catalog, name: str) -> int:
    """Replaces the record with a new one that doesn't contain this name; returns the exit
    status."""
    from companion.app.club import membership_of

    try:
        before = cache.FileStamp.of(path)
        with Reader.open(path, games.rules) as reader:
            given = _replacements_for(reader, name)
            if given is None:
                print_error(_unknown_player_line(name))
                return PROBLEM
            old = reader.all_rows()
            rows = list(forget(old, given, games.rules, now()))
        with locked_record(path):
            if cache.FileStamp.of(path) != before:
                return fail(f"{path} was written meanwhile: once more, please")
            mine = membership_of(path)
            kept = replace_record(path, rows)
            if mine is not None and rows[-1].seq > old[-1].seq:
                mine.with_row_inserted().save(path)
            cache.figures_path(path).unlink(missing_ok=True)
            _move_copies(path, kept)
    except (StoreError, SetupError) as error:
        return fail(str(error))
    except (*DB_ERRORS, OSError) as error:
        return fail(f"{path} can't be written anew: {reason(error)}")
    player = " and ".join(map(display_name, dict.fromkeys(given.values())))
    forgotten = phrase(
        "{path}: {name} is {player} now, and every row is chained anew",
        path=path,
        name=display_name(name),
        player=player,
    )
    still_there = phrase(
        "{kept} still has the name, and so has every copy made before: they are yours to delete",
        kept=kept,
    )
    print_lines([forgotten, still_there])
    return SUCCESS


def _replacements_for(reader: Reader, name: str) -> dict[str, str] | None:
    """Returns the replacements for this name and for each name that counts as the same player, by
    name; None if there is no such player."""
    names = _seat_names(reader)
    people = read_people(reader)
    name = known_spelling(name, (*names, *map(people.name_of, names)))
    called = [one for one in names if name in (people.name_of(one), one)]
    if not called or name in COLOUR_NAMES:
        return None
    return number_names(dict.fromkeys((*called, name)), names)


def _move_copies(path: Path, kept: Path) -> None:
    """Moves the copies beside `path` so that they are beside the old record, which is now at
    `kept`. The new record gets copies of its own."""
    copies = copies_beside(path)
    if copies.is_dir():
        copies.rename(kept.with_name(f"{kept.name}.copies"))


# ---------------------------------------------------------------- evenings


def list_evenings(path: Path, games: Catalog, form: str) -> int:
    """Prints a line for each evening, the newest last; then the games that were left unfinished. If
    `form` is json, csv (a line for each player) or ics, prints only the evenings."""
    titles = {name: game.rules.title for name, game in games.items()}

    def report(history: PlayersHistory) -> int:
        if form == "json":
            print_json([_evening_json(one, history.people) for one in history.evenings])
        elif form == "csv":
            found = evening_rows(history.evenings, history.people, iso_time)
            write_csv([*EVENING_COLUMNS], found)
        elif form == "ics":
            sys.stdout.write(calendar(history.evenings, titles, history.people))
        else:
            print_lines(_evening_lines(history, games))
        return SUCCESS

    return with_history(path, games, report)


def _evening_json(evening: PlayedEvening, people: People) -> Json:
    return {
        "evening": evening.number,
        "at": iso_time(evening.began_at),
        "games": [game.number for game in evening.games],
        "kinds": list(evening.kinds),
        "wins": evening.wins(people),
        "unfinished": [game.number for game in evening.games if game.result is GameResult.OPEN],
    }


def _evening_lines(history: PlayersHistory, games: Catalog) -> Iterator[str]:
    for evening in history.evenings:
        wins = evening.wins(history.people)
        won = ", ".join(
            f"{isolated(display_name(player))} {number}" for player, number in wins.items()
        )
        yield phrase(
            "{number}  {day}  {games}: {won}",
            number=f"{evening.number:4}",
            day=f"{day(evening.began_at) or DATE_UNKNOWN:12}",
            games=games_words(len(evening.games)),
            won=won or phrase("nobody is named"),
        )
    unfinished = [game for game in history.games if game.result is GameResult.OPEN]
    if unfinished:
        yield ""
        yield phrase("Left unfinished:")
        yield from (_unfinished_line(game, history.people, games) for game in unfinished)


def _unfinished_line(game: CountedGame, people: People, games: Catalog) -> str:
    names = (
        display_name(people.name_of(seat)) for seat in game.seats if not people.is_hidden(seat)
    )
    return phrase(
        "game {number}  {day}  {title}: {seats}",
        number=game.number,
        day=day(game.played) or DATE_UNKNOWN,
        title=games[game.game].rules.title,
        seats=listed(names),
    )
