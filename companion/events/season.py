"""Seasons of a club or a league: tables over several events, and over fixtures between teams.

The text of a season is JSON (docs/events.md). A division counts either events, where the points of
each player's best evenings are added up, or fixtures at home and away with a result on each board.
At a federation's hub the events may be those of its clubs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from functools import partial
from typing import Final

from companion.core.values import dataclass
from companion.core.words import look_alike
from companion.events.event import ClubEvent
from companion.events.reading import (
    amount_of,
    check_once,
    keys_of,
    list_of,
    number_of,
    object_of,
    parse_json,
    refuse_value,
    text_of,
)
from companion.events.standings import Standing, match_points
from companion.events.teams import TeamBoard, matches_of

VERSION: Final = 1
MATCHES_VERSION: Final = 2
"""The first version in which divisions may have `matches`."""
NEWEST: Final = 3
"""The newest version of a season's text, the first in which an event may be another club's."""
MOST_EVENTS: Final = 60
"""The most events of a division."""
MOST_NUMBER: Final = 999_999


@dataclass(frozen=True, slots=True)
class EventRef:
    """An event as a season's text names it: by its number at its club's hub. `club`: the name or
    identity of a club of the federation; empty: the hub's own."""

    number: int
    club: str = ""


@dataclass(frozen=True, slots=True)
class SeasonEvent:
    """An event that a season counts, with its standings. `club`: the name of its club; empty: the
    season has no events of other clubs. `people`: by player id, a key that identifies the person at
    all events. A player who isn't in it is known by the id alone."""

    event: ClubEvent
    standings: Sequence[Standing]
    club: str = ""
    people: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Fixture:
    """A match of `home` against `away`. `boards`: games won by each of them on each board; empty:
    not played yet. `date`: any text. `club`: as in SeasonEvent, for a match of an event."""

    home: str
    away: str
    boards: tuple[tuple[Fraction, Fraction], ...]
    date: str
    club: str = ""

    @property
    def result(self) -> tuple[Fraction, Fraction]:
        """The boards won by home and by away; a board with equal games counts half for each."""
        half = Fraction(1, 2)
        home = sum(
            (Fraction(one > other) if one != other else half for one, other in self.boards),
            Fraction(0),
        )
        return home, len(self.boards) - home


@dataclass(frozen=True, slots=True)
class Division:
    """A division: either `events`, or `fixtures` and `matches` (events of teams, whose matches
    count as fixtures). `win` and `draw`: the points for a fixture."""

    name: str
    events: tuple[EventRef, ...]
    fixtures: tuple[Fixture, ...]
    win: Fraction = Fraction(2)
    draw: Fraction = Fraction(1)
    matches: tuple[EventRef, ...] = ()


@dataclass(frozen=True, slots=True)
class Season:
    """A season. `best`: how many of a player's evenings count (None: all); `points`: the points for
    an evening, by place (empty: the evening's match points count)."""

    name: str
    divisions: tuple[Division, ...]
    best: int | None = None
    points: tuple[Fraction, ...] = ()

    @property
    def events(self) -> list[EventRef]:
        """All its events, each once."""
        each = (one for all_ in self.divisions for one in (*all_.events, *all_.matches))
        return [*dict.fromkeys(each)]


# ---------------------------------------------------------------- tables


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A player's row. `player`: the key in SeasonEvent; `clubs`: those whose events the player took
    part in; `evenings`: the points of each event of the division, None where the player did not
    play; `counted`: the indexes of the evenings that count; `total`: their sum."""

    place: int
    player: str
    clubs: tuple[str, ...]
    evenings: tuple[Fraction | None, ...]
    counted: frozenset[int]
    total: Fraction


@dataclass(frozen=True, slots=True)
class TeamRow:
    """A team's row over its fixtures. `boards` and `against`: boards won and lost."""

    place: int
    team: str
    played: int
    won: int
    drawn: int
    lost: int
    boards: Fraction
    against: Fraction
    points: Fraction


def evening_points(
    standings: Iterable[Standing], by_place: Sequence[Fraction]
) -> dict[str, Fraction]:
    """The points of an evening for each player with a place in its standings, by id. Players who
    share a place share the points of the places that they take up."""
    placed = [row for row in standings if row.place is not None]
    if not by_place:
        return {row.player: row.points for row in placed}
    ranks = [Fraction(-(row.place or 0)) for row in placed]
    points = [*by_place, *[Fraction(0)] * len(placed)]
    return dict(zip((row.player for row in placed), match_points(ranks, points), strict=True))


def season_table(season: Season, events: Sequence[SeasonEvent]) -> list[SeasonRow]:
    """The table of a division over these events. Players who are level on the points that count are
    ordered by the points of all their evenings; if these are equal too, they share the place."""
    each = [
        {
            one.people.get(player, player): points
            for player, points in evening_points(one.standings, season.points).items()
        }
        for one in events
    ]
    found = []
    for player in dict.fromkeys(one for evening in each for one in evening):
        evenings = tuple(evening.get(player) for evening in each)
        played = [(-points, at) for at, points in enumerate(evenings) if points is not None]
        counted = sorted(played)[: season.best]
        total = -sum((points for points, _ in counted), Fraction(0))
        everything = -sum((points for points, _ in played), Fraction(0))
        ats = frozenset(at for _, at in counted)
        clubs = dict.fromkeys(events[at].club for _, at in sorted(played, key=lambda one: one[1]))
        found.append(((total, everything), player, tuple(filter(None, clubs)), evenings, ats))
    found.sort(key=lambda row: row[0], reverse=True)  # stable: else in the order of the events
    keys = [key for key, *_ in found]
    return [
        SeasonRow(keys.index(key) + 1, player, clubs, evenings, counted, key[0])
        for key, player, clubs, evenings, counted in found
    ]


def fixtures_of(division: Division, events: Mapping[EventRef, SeasonEvent]) -> list[Fixture]:
    """The fixtures of a division: its own, and the matches between teams of its events. A match
    whose boards don't all have results isn't played yet. Names that look alike are one team, as
    each club's hub has its own spelling."""
    found = [*division.fixtures]
    for ref in division.matches:
        one = events.get(ref)
        if one is None or not one.event.teams:
            continue
        for at, _ in enumerate(one.event.rounds, start=1):
            for match in matches_of(one.event, at):
                scores = [_board_score(board) for board in match.boards if board.won]
                boards = tuple(scores) if match.result is not None else ()
                found.append(Fixture(match.home, match.away, boards, one.event.name, one.club))
    teams = [*dict.fromkeys(team for one in found for team in (one.home, one.away))]
    called = {name: next(one for one in teams if look_alike(one, name)) for name in teams}
    return [
        one if look_alike(one.home, one.away)
        else replace(one, home=called[one.home], away=called[one.away])
        for one in found
    ]  # fmt: skip


def _board_score(board: TeamBoard) -> tuple[Fraction, Fraction]:
    """The game points at a board; `won` instead if they don't show who has won it, as after a
    penalty or a win without play."""
    assert board.won is not None
    (one, other), (home, away) = board.points, board.won
    return board.points if (one > other, one < other) == (home > away, home < away) else board.won


def team_table(division: Division, fixtures: Sequence[Fixture]) -> list[TeamRow]:
    """The table of the division's teams over these fixtures, by points, then by the difference of
    boards, then by boards won; teams who are still level share the place."""
    totals = dict[str, list[Fraction]]()
    for fixture in fixtures:
        for team in (fixture.home, fixture.away):
            totals.setdefault(team, [Fraction(0)] * 6)
        if not fixture.boards:
            continue
        home, away = fixture.result
        for team, own, other in ((fixture.home, home, away), (fixture.away, away, home)):
            points = division.win if own > other else division.draw if own == other else 0
            new = (own > other, own == other, own < other, own, other, points)
            totals[team] = [one + more for one, more in zip(totals[team], new, strict=True)]

    def key(team: str) -> tuple[Fraction, ...]:
        *_, boards, against, points = totals[team]
        return points, boards - against, boards

    order = sorted(totals, key=key, reverse=True)
    keys = [key(team) for team in order]
    rows = []
    for team in order:
        won, drawn, lost, boards, against, points = totals[team]
        place, many = keys.index(key(team)) + 1, (int(won), int(drawn), int(lost))
        rows.append(TeamRow(place, team, sum(many), *many, boards, against, points))
    return rows


# ---------------------------------------------------------------- text


def read_season(text: str) -> Season:
    """The season in this text. Raises EventError, which names the fault and its place."""
    data = keys_of(
        "the season", object_of("the season", parse_json(text)),
        ("season", "name", "best", "points", "divisions"), ("season", "name", "divisions"),
    )  # fmt: skip
    version = number_of("season", data["season"], VERSION, NEWEST)
    read = partial(_read_division, version)
    divisions = tuple(list_of("divisions", data["divisions"], read))
    check_once("divisions", [one.name for one in divisions])
    best, points = data.get("best"), data.get("points", [])
    return Season(
        _read_name("name", data["name"]),
        divisions,
        None if best is None else number_of("best", best, 1, MOST_EVENTS),
        tuple(list_of("points", points, amount_of)),
    )


def _read_name(where: str, value: object) -> str:
    name = text_of(where, value)
    if not name:
        refuse_value(where, "must not be empty")
    return name


def _read_division(version: int, where: str, value: object) -> Division:
    more = ["matches"] if version >= MATCHES_VERSION else []
    data = keys_of(where, value, ("name", "events", "fixtures", "win", "draw", *more), ("name",))
    name = _read_name(f"{where} name", data["name"])
    if ("events" in data) == bool({"fixtures", "matches"} & data.keys()):
        refuse_value(where, 'must have either "events" or "fixtures"')

    def read_events(key: str) -> tuple[EventRef, ...]:
        read = partial(_read_event_ref, version)
        found = list_of(f"{where} {key}", data.get(key, []), read)
        if len(found) > MOST_EVENTS or len({*found}) < len(found):
            refuse_value(
                f"{where} {key}", "must be different numbers, at most {most}", most=MOST_EVENTS
            )
        return tuple(found)

    fixtures = list_of(f"{where} fixtures", data.get("fixtures", []), _read_fixture)
    return Division(
        name,
        read_events("events"),
        tuple(fixtures),
        amount_of(f"{where} win", data.get("win", 2)),
        amount_of(f"{where} draw", data.get("draw", 1)),
        read_events("matches"),
    )


def _read_event_ref(version: int, where: str, value: object) -> EventRef:
    if version < NEWEST or not isinstance(value, dict):
        return EventRef(number_of(where, value, 1, MOST_NUMBER))
    data = keys_of(where, value, ("club", "event"), ("club", "event"))
    number = number_of(f"{where} event", data["event"], 1, MOST_NUMBER)
    return EventRef(number, _read_name(f"{where} club", data["club"]))


def _read_fixture(where: str, value: object) -> Fixture:
    data = keys_of(where, value, ("home", "away", "date", "boards"), ("home", "away"))
    home, away = (_read_name(f"{where} {key}", data[key]) for key in ("home", "away"))
    if home == away:
        refuse_value(where, "must have two teams")
    boards = list_of(f"{where} boards", data.get("boards", []), _read_board)
    return Fixture(home, away, tuple(boards), text_of(f"{where} date", data.get("date", "")))


def _read_board(where: str, value: object) -> tuple[Fraction, Fraction]:
    both = list_of(where, value, amount_of)
    if len(both) != 2:
        refuse_value(where, "must be the games won by home and by away")
    return both[0], both[1]
