"""Finds an event's results in the games of the club's tables, so that one tap enters them.

A game belongs to a table of the round if its box was given that table's seats, or if its players
have the names of those who sit there. A game that began before the round was drawn doesn't belong
to it, nor does one that has already given a result. The time of a game at a box whose clock was
never set is not known, so only its place in the event, or the names, speak for it. If a match has
several games, those that the box played with the same given seats are counted one after the other.
"""

from collections.abc import Iterable, Sequence

from companion.club.hub.club_table import ClubTable, PlayedGame
from companion.club.hub.event_desk import KeptEvent
from companion.core.clock import CLOCK_SET
from companion.core.seats import shown
from companion.core.values import Json, dataclass
from companion.core.words import composed
from companion.events.entries import EventEntry, result_of
from companion.record.match import Match


@dataclass(frozen=True, slots=True)
class TableOfRound:
    """A table of the newest round and the box at which it plays (None: not found). `result`: the
    entry for its game or match, once that is over. `stands`: the entry as it would be now, while
    the game or match is being played. `moment`: the game, as docs/telling.md describes it.
    `others`: the people who play there are not those whom the draw put there."""

    table: int
    box: str | None
    result: EventEntry | None
    moment: Json | None
    stands: EventEntry | None = None
    others: bool = False


def tables_of_round(kept: KeptEvent, tables: Iterable[ClubTable]) -> list[TableOfRound]:
    """The tables of the newest round that have no result yet."""
    newest = kept.course.round
    if newest is None:
        return []
    names = {one["id"]: str(one["name"]) for one in kept.course.text["players"]}
    counted = _Counted(kept)
    playing = [one for one in map(counted.of, tables) if one.games]
    by_name = {_who(one.games[-1].moment): one for one in playing}
    by_place = {one.table.place: one for one in playing if one.table.place}
    found = []
    for table in newest["tables"]:
        if result_of(table) is None:
            place = f"{kept.number}.{len(kept.course.text['rounds'])}.{table['table']}"
            who = frozenset(_person(names[one]) for one in table["seats"])
            found.append(_of_round(kept, table, by_place.get(place, by_name.get(who)), names))
    return found


@dataclass(frozen=True, slots=True)
class _Playing:
    """A table of the club with those of its games that may belong to the round, in order."""

    table: ClubTable
    games: tuple[PlayedGame, ...]


class _Counted:
    """Which games may still count for the newest round of an event."""

    def __init__(self, kept: KeptEvent) -> None:
        self._drawn_at = _drawn_at(kept)
        self._round = f"{kept.number}.{len(kept.course.text['rounds'])}."
        self._used = {
            (entry.said.get("box"), entry.said.get("game"))
            for entry, counts in zip(kept.course.entries, kept.course.counts, strict=True)
            if counts and entry.kind == "result"
        }

    def of(self, table: ClubTable) -> _Playing:
        """The `table` with those of its games that may still count."""
        games = list(table.besides)
        if table.moment is not None and table.game is not None:
            games.append(PlayedGame(table.game, table.opened_at, table.moment))
        games.sort(key=lambda one: one.number)
        return _Playing(table, tuple(one for one in games if self._counts(table, one)))

    def _counts(self, table: ClubTable, game: PlayedGame) -> bool:
        if (table.box, game.number) in self._used:
            return False
        if game.opened_at is None or game.opened_at < CLOCK_SET:
            return not table.place or table.place.startswith(self._round)
        return game.opened_at >= self._drawn_at


def _of_round(
    kept: KeptEvent, table: Json, playing: _Playing | None, names: dict[str, str]
) -> TableOfRound:
    number = table["table"]
    if playing is None:
        return TableOfRound(number, None, None, None)
    box, newest = playing.table.box, playing.games[-1]
    who = [_person(names[one]) for one in table["seats"]]
    if _who(newest.moment) != frozenset(who):
        return TableOfRound(number, box, None, newest.moment, others=True)
    games = [one for one in playing.games if _who(one.moment) == frozenset(who)]
    last, points, over = _stand(games, kept.games)
    said: Json = {
        "round": len(kept.course.text["rounds"]),
        "table": number,
        "points": [points[one] for one in who],
        "box": box,
        "game": last.number,
    }
    entry = EventEntry("result", said)
    return TableOfRound(number, box, entry if over else None, last.moment, None if over else entry)


def _stand(games: Sequence[PlayedGame], of: int) -> tuple[PlayedGame, dict[str, int], bool]:
    """How a match of `of` games stands: the last game that counts for it, the points by name in
    small letters (games won, if `of` is above 1), and whether the match is over. Games after it is
    decided don't count; a game that nobody has won is played again."""
    decided = [one for one in games if is_over(one.moment) and one.moment["winners"]]
    if of == 1:
        last = decided[0] if decided else games[-1]
        return last, points_by_name(last.moment), is_over(last.moment)
    won = dict.fromkeys(_who(games[-1].moment), 0)
    for number, one in enumerate(decided, start=1):
        for seat in one.moment["seats"]:
            if seat["seat"] in one.moment["winners"]:
                won[_person(seat["shown"])] += 1
        if Match(of, number, {side: won[side[0]] for side in _sides(one.moment)}).winner:
            return one, won, True
    return games[-1], won, False


def _sides(moment: Json) -> list[tuple[str, ...]]:
    """The names of each side in small letters; of each player where nobody has a partner."""
    shown = {seat["seat"]: _person(seat["shown"]) for seat in moment["seats"]}
    sides = moment.get("sides") or [[seat] for seat in shown]
    return [tuple(shown[seat] for seat in side) for side in sides]


def is_over(moment: Json) -> bool:
    """Whether a table has its result: its game is over, or its match is decided."""
    match = moment.get("match")
    return bool(moment["finished"] and (match is None or match["decided"]))


def points_by_name(moment: Json) -> dict[str, int]:
    """The points of each seat, by its name in small letters; in a match, the games that it won."""
    match = moment.get("match")
    return {
        _person(seat["shown"]): match["won"][seat["seat"]] if match else seat["score"]
        for seat in moment["seats"]
    }


def _person(name: str) -> str:
    """The name as names at tables and in the event are compared."""
    return composed(shown(name)).casefold()


def _who(moment: Json) -> frozenset[str]:
    return frozenset(_person(seat["shown"]) for seat in moment["seats"])


def _drawn_at(kept: KeptEvent) -> float:
    """When the newest round was drawn, by the hub's clock."""
    drawn = [
        at
        for (at, _), entry, counts in zip(
            kept.entered, kept.course.entries, kept.course.counts, strict=True
        )
        if counts and entry.kind == "drawn"
    ]
    return drawn[-1] if drawn else 0.0
