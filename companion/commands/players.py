"""`companion players`: lists and changes who played and who is who; `companion forget`: makes a
record without a name."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from companion.app.catalog import Catalog
from companion.commands.opening import alone, changing
from companion.commands.stats import with_history
from companion.commands.terminal import FOUND, WELL, cant, complain, print_json, say
from companion.core.clock import day, instant, now
from companion.core.errors import SetupError
from companion.core.seats import NO_PEOPLE, shown
from companion.core.values import Json
from companion.core.words import known_as, phrase
from companion.players import cache
from companion.players.figures import SeatInGame, Selection, many_games, played_by, players_of
from companion.players.history import PlayersHistory
from companion.players.rating import FEWEST_GAMES, ratings_of
from companion.presentation.dates import DATE_UNKNOWN
from companion.record.copies.text_copy import beside as copies_beside
from companion.record.names import entered_renaming, rename_fault
from companion.record.people.forget import forget, number_names
from companion.record.people.people import KINDS, changes_of, read_people
from companion.record.rows import Hidden, Renamed, Undo
from companion.record.store.codec import decode_row
from companion.record.store.database import DB_ERRORS, StoreError, reason
from companion.record.store.reader import Reader
from companion.record.store.record_file import replace_record
from companion.record.store.store import Store


def list_players(path: Path, games: Catalog, *, as_json: bool, rated: bool) -> int:
    """Prints a line for each player, in the order in which they first played; with their ratings if
    `rated`."""

    def report(history: PlayersHistory) -> int:
        found = list(_players(history))
        if rated:
            _rate(found, history)
        if as_json:
            print_json(found)
        else:
            wide = max((len(one["player"]) for one in found), default=0)
            for one in found:
                say([_line(one, wide), *_rating_lines(one, games)])
        return WELL

    return with_history(path, games, report)


def _players(history: PlayersHistory) -> Iterator[Json]:
    played_in: dict[str, list[SeatInGame]] = {}
    for player in players_of(history.games, history.people):
        played_in[player] = list(played_by(player, history.games, history.people, Selection()))
    for player, played in played_in.items():
        last = next((one.game.begun for one in reversed(played) if one.game.begun), None)
        yield {
            "player": player,
            "games": len({one.game.number for one in played}),
            "won": len({one.game.number for one in played if one.seat in one.game.winners}),
            "last": instant(last),
            "day": day(last),
            "kinds": list(dict.fromkeys(one.game.game for one in played)),
        }


def _line(one: Json, wide: int) -> str:
    return phrase(
        "{player}  {games}, {won} won; last {day}",
        player=f"{shown(one['player']):<{wide}}",
        games=f"{many_games(one['games']):>9}",
        won=one["won"],
        day=one["day"] or DATE_UNKNOWN,
    )


def _rate(found: list[Json], history: PlayersHistory) -> None:
    """Adds their ratings, by kind of game, to the players who have any."""
    ratings = ratings_of(history.games, history.people)
    for one in found:
        one["ratings"] = {
            kind: {
                "rating": rated.rating.mean,
                "spread": rated.rating.spread,
                "games": rated.games,
            }
            for kind, players in ratings.items()
            if (rated := players.get(one["player"])) and rated.games >= FEWEST_GAMES
        }


def _rating_lines(one: Json, games: Catalog) -> Iterator[str]:
    for kind, rated in one.get("ratings", {}).items():
        yield phrase(
            "    {title}: rating {rating:.1f} ± {spread:.1f} after {games}",
            title=games[kind].rules.title,
            rating=rated["rating"],
            spread=rated["spread"],
            games=many_games(rated["games"]),
        )


# ---------------------------------------------------------------- who is who


BOX = 0


def change_people(path: Path, games: Catalog, row: Renamed | Hidden | Undo) -> int:
    """Keeps a renaming, a hiding, or its undo. The table must not run meanwhile, or it would not
    know of it."""
    if isinstance(row, Renamed) and (fault := rename_fault(row)):
        complain(fault.why)
        return FOUND
    return changing(path, games, lambda store: _kept(store, row))


def _kept(store: Store, row: Renamed | Hidden | Undo) -> int:
    names = _names(store)
    done = changes_of(decode_row(link.row) for link in store.box_links(*KINDS))
    if isinstance(row, Undo):
        if not done:
            complain(phrase("nothing was changed that could be taken back"))
            return FOUND
        last = done[-1]
        what = (
            f"{shown(last.name)} → {shown(last.to)}"
            if isinstance(last, Renamed)
            else shown(last.name)
        )
        store.keep(BOX, row)
        say([phrase("taken back: {what}", what=what)])
        return WELL
    people = read_people(store)
    known = [*names, *map(people.name_of, names)]
    match row:
        case Renamed():
            row = entered_renaming(row, known)
        case Hidden():
            row = replace(row, name=known_as(row.name, known))
    if row.name not in known:
        complain(_nobody(row.name))
        return FOUND
    if isinstance(row, Hidden):
        row = replace(row, name=people.name_of(row.name))
    store.keep(BOX, row)
    match row:
        case Renamed(name, to):
            said = phrase("what {name} played counts as {to}'s; no game is changed",
                          name=shown(name), to=shown(to))  # fmt: skip
        case Hidden(name, True):
            said = phrase("{name} is hidden, not deleted: the games still have the name; "
                          "companion forget takes it out", name=shown(name))  # fmt: skip
        case Hidden(name):
            said = phrase("{name} is to be seen again", name=shown(name))
    say([said])
    return WELL


def _nobody(name: str) -> str:
    return phrase("nobody played as {name}: “companion players” lists all", name=shown(name))


def _names(reader: Reader) -> list[str]:
    """The names of all seats, in the order in which they came."""
    return list(dict.fromkeys(str(seat) for one in reader.games() for seat in one.opened.seats))


# ---------------------------------------------------------------- forgetting


def forget_name(path: Path, games: Catalog, name: str) -> int:
    """Replaces the record by a new one in which nobody has this name."""
    from companion.app.club import membership_of

    try:
        before = cache.Stamp.of(path)
        with Reader.open(path, games.rules) as reader:
            given = _given(reader, name)
            if given is None:
                complain(_nobody(name))
                return FOUND
            old = reader.all_rows()
            rows = list(forget(old, given, games.rules, now()))
        with alone(path):
            if cache.Stamp.of(path) != before:
                return cant(f"{path} was written meanwhile: once more, please")
            mine = membership_of(path)
            kept = replace_record(path, rows)
            if mine is not None and rows[-1].seq > old[-1].seq:
                mine.moved().save(path)
            cache.beside(path).unlink(missing_ok=True)
            _set_copies_aside(path, kept)
    except (StoreError, SetupError) as error:
        return cant(str(error))
    except (*DB_ERRORS, OSError) as error:
        return cant(f"{path} can't be written anew: {reason(error)}")
    player = " and ".join(map(shown, dict.fromkeys(given.values())))
    forgotten = phrase(
        "{path}: {name} is {player} now, and every row is chained anew",
        path=path,
        name=shown(name),
        player=player,
    )
    still_there = phrase(
        "{kept} still has the name, and so has every copy made before: they are yours to delete",
        kept=kept,
    )
    say([forgotten, still_there])
    return WELL


def _given(reader: Reader, name: str) -> dict[str, str] | None:
    """The new name for this name, and for each name that counts as it; None: nobody played by
    it."""
    names = _names(reader)
    people = read_people(reader)
    name = known_as(name, (*names, *map(people.name_of, names)))
    called = [one for one in names if name in (people.name_of(one), one)]
    if not called or name in NO_PEOPLE:
        return None
    return number_names(dict.fromkeys((*called, name)), names)


def _set_copies_aside(path: Path, kept: Path) -> None:
    """Leaves the copies beside `path` to the old record, now at `kept`: the new record gets its
    own."""
    copies = copies_beside(path)
    if copies.is_dir():
        copies.rename(kept.with_name(f"{kept.name}.copies"))
