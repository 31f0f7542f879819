"""Standings: computed from results alone, with the tie-break that decided each place.

Players are ordered by match points, which each table gives by place (equal results share them).
Ties are broken by the difference of game points, then by the sum of the opponents' match points,
then by the match points taken from each other, if all who are level have met. Players who are still
level share the place. Players who have had neither a table nor a bye come last, without a place.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, groupby, zip_longest

from companion.core.values import Json, dataclass
from companion.events.event import ClubEvent, EventError, EventRound, EventTable, sides

HEAD_TO_HEAD, SHARED = "head-to-head", "shared"
"""The last tie-break: the match points that level players took from each other. And the word for
players who share a place because no tie-break separates them."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's row in the standings. `place`: None without a table or a bye so far, as for
    players who never came or left before the first round. `points`: match points; `won`: the number
    of tables at which no opponent had more; `own`: game points; `against`: the opponents' game
    points, counted as their mean at each table; `opponents`: the opponents' match points;
    `parted_by`: the deciding tie-break (one of TIE_BREAKS, HEAD_TO_HEAD or SHARED) if others are
    level on match points, else None."""

    place: int | None
    player: str
    points: Fraction
    won: int
    own: Fraction
    against: Fraction
    opponents: Fraction
    parted_by: str | None

    @property
    def as_json(self) -> Json:
        """The row's JSON, as printed by `companion standings --json`."""
        return {
            "place": self.place,
            "player": self.player,
            "points": json_number(self.points),
            "won": self.won,
            "for": json_number(self.own),
            "against": json_number(self.against),
            "opponents": json_number(self.opponents),
            "parted_by": self.parted_by,
        }


def json_number(value: Fraction) -> int | float:
    """The value as a JSON number: an int if it is whole, else a float."""
    return value.numerator if value.denominator == 1 else float(value)


def two_decimals(value: Fraction) -> str:
    """The value with at most two decimals, for people."""
    return f"{float(value):.2f}".rstrip("0").rstrip(".")


def match_points(
    scores: Sequence[Fraction], by_place: Sequence[Fraction], lost: Sequence[bool] = ()
) -> list[Fraction]:
    """The match points for each of `scores`, by its place among them; equal scores share the points
    of their places equally. `lost`: for each score, whether its player has lost the game by a
    penalty, which gives the last place; the others are placed before it."""
    ranks = [(not out, score) for score, out in zip_longest(scores, lost)]
    found = []
    for rank in ranks:
        if not rank[0]:
            found.append(by_place[-1])
            continue
        above = sum(other > rank for other in ranks)
        level = ranks.count(rank)
        found.append(sum(by_place[above : above + level], Fraction(0)) / level)
    return found


class RunningTotals:
    """The running totals of each player over the rounds of one event, or of a league's events."""

    def __init__(self, players: Iterable[str]) -> None:
        self.players = list(players)
        self.points = dict.fromkeys(self.players, Fraction(0))
        self.won = dict.fromkeys(self.players, 0)
        self.own = dict.fromkeys(self.players, Fraction(0))
        self.against = dict.fromkeys(self.players, Fraction(0))
        self.seated = set[str]()
        """Players who have had a table or a bye."""
        self.met = {player: list[str]() for player in self.players}
        """For each player, the opponents, each as often as they met."""
        self.gains = {player: list[tuple[frozenset[str], Fraction]]() for player in self.players}
        """For each player, the opponents at each table and the match points taken there."""

    def add(self, event: ClubEvent) -> None:
        """Adds the event's results, penalties and byes (worth as much as a win at a table of two),
        and the points for rounds that latecomers missed."""
        for player, missed in rounds_missed(event).items():
            self.points[player] += missed * event.late_points
        for one in event.penalties:
            self.points[one.player] -= event.penalty_rules.points.get(one.kind, 0)
        for each in event.rounds:
            self.seated.update(each.bye, *(table.seats for table in each.tables))
            for player in each.bye:
                self.points[player] += event.points[2][0]
            for table in each.tables:
                self.add_table(event, table)

    def add_table(self, event: ClubEvent, table: EventTable) -> None:
        """Counts the result of a table, if it has one."""
        result = table.result
        if result is None:
            return
        together = sides(event, table)
        scores = [sum((result[at] for at in side), Fraction(0)) / len(side) for side in together]
        lost = [any(table.seats[at] in table.lost for at in side) for side in together]
        gained = match_points(scores, event.points[len(together)], lost)
        best = max(
            (score for score, out in zip(scores, lost, strict=True) if not out), default=None
        )
        for place, side in enumerate(together):
            others = scores[:place] + scores[place + 1 :]
            against = sum(others, Fraction(0)) / len(others)
            opponents = [seat for at, seat in enumerate(table.seats) if at not in side]
            for seat in (table.seats[at] for at in side):
                self.points[seat] += gained[place]
                self.won[seat] += scores[place] == best and not lost[place]
                self.own[seat] += scores[place]
                self.against[seat] += against
                self.met[seat] += opponents
                self.gains[seat].append((frozenset(opponents), gained[place]))

    def opponents(self, player: str) -> Fraction:
        """The sum of the opponents' match points; an opponent met twice counts twice."""
        return sum((self.points[other] for other in self.met[player]), Fraction(0))

    def points_among(self, level: Sequence[str]) -> Mapping[str, Fraction] | None:
        """The match points that each player of `level` took at tables with others of `level`; None
        unless all of them have met."""
        met = {player: set(self.met[player]) for player in level}
        if any(other not in met[player] for player, other in combinations(level, 2)):
            return None
        group = frozenset(level)
        return {
            player: sum(
                (gained for others, gained in self.gains[player] if others & group), Fraction(0)
            )
            for player in level
        }


TIE_BREAKS: Mapping[str, Callable[[RunningTotals, str], Fraction]] = {
    "difference": lambda tally, player: tally.own[player] - tally.against[player],
    "opponents": RunningTotals.opponents,
}
"""The tie-breaks, in order, between players who are level on match points; HEAD_TO_HEAD comes after
them. EVENT_WORDS (presentation/club_words.py) has their words for people."""


def rounds_missed(event: ClubEvent) -> dict[str, int]:
    """For each latecomer who has played, the number of rounds before the first one played."""
    found = dict[str, int]()
    for one in event.players:
        if one.late:
            sat = (one.id in _players_in(each) for each in event.rounds)
            first = next((at for at, seated in enumerate(sat) if seated), 0)
            found[one.id] = first
    return found


def _players_in(each: EventRound) -> set[str]:
    return {*each.bye, *(seat for table in each.tables for seat in table.seats)}


def standings(event: ClubEvent) -> list[Standing]:
    """The standings of all players, best first; players who share a place are in the text's
    order."""
    return league_standings([event])


def league_standings(events: Sequence[ClubEvent]) -> list[Standing]:
    """Standings over several events of the same people: match points, game points and meetings are
    added up. Raises EventError if an id has two names."""
    names = dict[str, str]()
    for event in events:
        for one in event.players:
            if names.setdefault(one.id, one.name) != one.name:
                raise EventError(
                    "{id} is {name} in one event and {other} in another: give one of them "
"another id",
                    id=one.id, name=names[one.id], other=one.name,
                )  # fmt: skip
    tally = RunningTotals(names)
    for event in events:
        tally.add(event)
    return _rank(tally, _fixed_pairs(events))


def _fixed_pairs(events: Sequence[ClubEvent]) -> dict[str, str]:
    """Maps the second partner of each pair to the first; empty unless the pairs are the same in all
    events."""
    if any(event.pairs != events[0].pairs for event in events):
        return {}
    return {second: first for first, second in events[0].pairs}


def _rank(tally: RunningTotals, fixed: Mapping[str, str]) -> list[Standing]:
    partner = {second: first for second, first in fixed.items() if {second, first} <= tally.seated}
    keys = {
        player: (tally.points[player], *(of(tally, player) for of in TIE_BREAKS.values()))
        for player in tally.players
    }
    apart = [one for one in tally.players if one in tally.seated and one not in partner]
    ordered = sorted(
        apart, key=keys.__getitem__, reverse=True
    )  # a stable sort keeps the order of the text
    between, parted = dict[str, Fraction](), dict[str, str]()
    final = list[list[str]]()
    for _, level in groupby(ordered, key=lambda player: keys[player]):
        final += _split_by_head_to_head(tally, list(level), between)
    for _, same in groupby(ordered, key=lambda player: keys[player][0]):
        parted |= _find_tie_breaks(list(same), keys, between)
    seconds = defaultdict[str, list[str]](list)
    for second, first in partner.items():
        seconds[first].append(second)
    found, place = list[Standing](), 1
    for sharing in final:
        for player in (each for one in sharing for each in (one, *seconds[one])):
            first = partner.get(player, player)
            found.append(_standing(tally, place, player, parted.get(first)))
        place += len(sharing)
    away = (player for player in tally.players if player not in tally.seated)
    return [*found, *(_standing(tally, None, player, None) for player in away)]


def _standing(tally: RunningTotals, place: int | None, player: str, parted: str | None) -> Standing:
    return Standing(
        place,
        player,
        tally.points[player],
        tally.won[player],
        tally.own[player],
        tally.against[player],
        tally.opponents(player) if place is not None else Fraction(0),
        parted,
    )


def _split_by_head_to_head(
    tally: RunningTotals, level: list[str], between: dict[str, Fraction]
) -> list[list[str]]:
    """The players of `level`, equal on everything else, in groups that share a place, best first.
    Adds the match points they took from each other to `between`."""
    if len(level) == 1:
        return [level]
    taken = tally.points_among(level)
    if taken is None:
        return [level]
    between.update(taken)
    level.sort(key=taken.__getitem__, reverse=True)
    return [list(group) for _, group in groupby(level, key=taken.__getitem__)]


def _find_tie_breaks(
    same: list[str],
    keys: Mapping[str, tuple[Fraction, ...]],
    between: Mapping[str, Fraction],
) -> dict[str, str]:
    """For each of the players `same`, all level on match points, the first tie-break that separates
    that player from the others, or SHARED if none does. Empty for a single player."""
    if len(same) == 1:
        return {}
    found = dict[str, str]()
    for compared, name in enumerate((*TIE_BREAKS, HEAD_TO_HEAD), 2):
        met = defaultdict[object, list[str]](list)
        for one in same:
            met[(*keys[one], between.get(one))[:compared]].append(one)
        for group in met.values():
            if len(group) == 1:
                found.setdefault(group[0], name)
    return {one: found.get(one, SHARED) for one in same}


def place_text(place: int | None) -> str:
    """A place in the standings for people; a dash for none."""
    return "–" if place is None else str(place)


def rounds_played(event: ClubEvent) -> int:
    """The number of rounds in which every table has its result."""
    return sum(all(table.result is not None for table in each.tables) for each in event.rounds)
