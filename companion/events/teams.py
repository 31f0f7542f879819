"""Matches between teams, board by board (docs/events.md).

The boards of a match are the tables of a round at which people of the same two teams sit. If a
player has a bye while the team has a match, the other team has nobody for that board: it is won
without play. A match of teams is drawn and scored like a table of two at which the teams sit and
the boards are their points.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from companion.core.values import Json, dataclass
from companion.events.event import (
    ClubEvent,
    Entrant,
    EventError,
    EventRound,
    EventTable,
    Wish,
    sides,
)
from companion.events.standings import RunningTotals, json_number

HomeAndAway = tuple[Fraction, Fraction]
"""Two numbers: the home team's and the away team's."""

NONE, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)
MATCH_POINTS = Fraction(2), Fraction(0)
"""The match points of the team that wins and of the one that loses; a draw shares them."""


@dataclass(frozen=True, slots=True)
class TeamBoard:
    """A board of a match. `table`: its number, None if the board is won without play; `won`: 1 for
    the team that has won it, ½ each if the points are equal (None: no result yet); `points`: game
    points, 0 each without play or result."""

    table: int | None
    won: HomeAndAway | None
    points: HomeAndAway = (NONE, NONE)


@dataclass(frozen=True, slots=True)
class TeamMatch:
    """A match of two teams. `home` is the team at seat 1 of its first table."""

    home: str
    away: str
    boards: tuple[TeamBoard, ...]

    @property
    def boards_won(self) -> HomeAndAway:
        """The boards won so far by home and by away."""
        won = [board.won for board in self.boards if board.won is not None]
        return sum((one for one, _ in won), NONE), sum((other for _, other in won), NONE)

    @property
    def result(self) -> HomeAndAway | None:
        """The boards won by home and by away; None until every board has its result."""
        return None if any(board.won is None for board in self.boards) else self.boards_won

    @property
    def loser(self) -> str | None:
        """The team that is out after this match of a knock-out: the one with fewer boards or, if
        these are equal, fewer game points. None if the match isn't over or the teams are level."""
        home, away = self.deciding_points or self.result or (NONE, NONE)
        return None if home == away else self.home if home < away else self.away

    @property
    def deciding_points(self) -> HomeAndAway | None:
        """The game points of home and of away if the match is over with as many boards for each;
        else None."""
        if self.result is None or self.result[0] != self.result[1]:
            return None
        home, away = (sum((board.points[at] for board in self.boards), NONE) for at in (0, 1))
        return home, away

    @property
    def as_json(self) -> Json:
        """The match as a hub's pages get it: the boards won so far, and whether it is over."""
        return {
            "home": self.home,
            "away": self.away,
            "won": [json_number(one) for one in self.boards_won],
            "over": self.result is not None,
        }


def matches_of(event: ClubEvent, number: int) -> list[TeamMatch]:
    """The matches of round `number`, by their first tables. Raises EventError if people of more or
    fewer than two teams play at a table, or a team plays against more than one other."""
    team = event.team_of
    each = event.rounds[number - 1]
    found, opponent = dict[tuple[str, str], list[TeamBoard]](), dict[str, str]()
    for table in sorted(each.tables, key=lambda table: table.number):
        home, away = _teams_of_table(event, team, number, table)
        for one, other in ((home, away), (away, home)):
            if opponent.setdefault(one, other) != other:
                raise EventError(
                    "round {round}: {team} plays against {other} and {another}: a team has one "
                    "match in a round",
                    round=number, team=one, other=opponent[one], another=other,
                )  # fmt: skip
        board = _board(event, table)
        if (away, home) in found:
            turned = None if board.won is None else board.won[::-1]
            found[away, home].append(TeamBoard(table.number, turned, board.points[::-1]))
        else:
            found.setdefault((home, away), []).append(board)
    byes = Counter(team[one] for one in each.bye if one in team)
    for (home, away), boards in found.items():
        for name, won in ((home, (ONE, NONE)), (away, (NONE, ONE))):
            boards.extend([TeamBoard(None, won)] * -(-byes[name] // _side(event)))
    return [TeamMatch(*teams, tuple(boards)) for teams, boards in found.items()]


def _teams_of_table(
    event: ClubEvent, team: dict[str, str], number: int, table: EventTable
) -> tuple[str, str]:
    names = {one.id: one.name for one in event.players}
    for seat in table.seats:
        if seat not in team:
            raise EventError(
                "round {round}, table {table}: {name} is in no team",
                round=number, table=table.number, name=names[seat],
            )  # fmt: skip
    by_side = [{team[table.seats[at]] for at in side} for side in sides(event, table)]
    if len(by_side) != 2 or len(by_side[0]) > 1 or len(by_side[1]) > 1 or by_side[0] == by_side[1]:
        raise EventError(
            "round {round}, table {table}: two teams play at a table, one on each side",
            round=number, table=table.number,
        )  # fmt: skip
    return min(by_side[0]), min(by_side[1])


def _board(event: ClubEvent, table: EventTable) -> TeamBoard:
    if table.result is None:
        return TeamBoard(table.number, None)
    result, both = table.result, sides(event, table)
    home, away = (sum((result[at] for at in side), NONE) / len(side) for side in both)
    lost = [any(table.seats[at] in table.lost for at in side) for side in both]
    if any(lost):
        won = Fraction(not lost[0]), Fraction(not lost[1])
    else:
        won = (HALF, HALF) if home == away else (Fraction(home > away), Fraction(away > home))
    return TeamBoard(table.number, won, (home, away))


def team_names_at(event: ClubEvent, table: EventTable) -> str:
    """The two teams at a table, for people, in the order of the seats; empty if there are no
    teams."""
    team = event.team_of
    return " – ".join(dict.fromkeys(team[seat] for seat in table.seats if seat in team))


# ---------------------------------------------------------------- players at boards


def boards_of(event: ClubEvent) -> int:
    """The number of boards of a match."""
    if event.boards is not None:
        return event.boards
    return max(1, min(len(one.people) for one in event.teams) // _side(event))


def units_of(event: ClubEvent) -> dict[str, list[tuple[str, ...]]]:
    """For each team, the players or pairs of partners at its boards in the next round: those who
    are present, in the order of the team, at most one for each board."""
    here, side = {*event.present}, _side(event)
    found = {}
    for team in event.teams:
        people = [one for one in team.people if one in here]
        pairs = [tuple(people[at : at + side]) for at in range(0, len(people) - side + 1, side)]
        found[team.name] = pairs[: boards_of(event)]
    return found


def _side(event: ClubEvent) -> int:
    """The number of players of a team at a board."""
    return 2 if event.has_partners else 1


def with_teams_as_players(event: ClubEvent) -> ClubEvent:
    """The event with its teams as the players and their matches as tables of two, with the boards
    as points. If the boards of a knock-out match are equal, `TeamMatch.loser` has lost it."""
    team = event.team_of
    rounds = []
    for number, each in enumerate(event.rounds, start=1):
        matches = matches_of(event, number)
        playing = {one for match in matches for one in (match.home, match.away)}
        bye = dict.fromkeys(team[one] for one in each.bye if one in team)
        tables = tuple(
            EventTable(
                match.boards[0].table or 0,
                (match.home, match.away),
                match.result,
                lost=frozenset([match.loser] if match.loser and event.is_knockout else ()),
            )
            for match in matches
        )
        rounds.append(EventRound(tables, tuple(one for one in bye if one not in playing)))
    apart = (
        tuple(dict.fromkeys(team[one] for one in wish.apart if one in team))
        for wish in event.wishes
    )
    return replace(
        event,
        seats=2,
        points={**event.points, 2: MATCH_POINTS},
        players=tuple(Entrant(one.name, one.name) for one in event.teams),
        out=frozenset(name for name, units in units_of(event).items() if not units),
        wishes=tuple(Wish(apart=teams) for teams in apart if len(teams) > 1),
        rounds=tuple(rounds),
        penalties=(),
        seating={},
        teams=(),
        boards=None,
    )


# ---------------------------------------------------------------- standings


@dataclass(frozen=True, slots=True)
class TeamStanding:
    """A team's row in the standings. `place`: None before its first match or bye; `points`: match
    points, 2 for a match won or a bye and 1 for a draw; `played`, `won`, `drawn` and `lost`:
    matches; `boards` and `boards_against`: boards won and lost; `own` and `against`: game points
    at its boards."""

    place: int | None
    team: str
    points: Fraction
    played: int
    won: int
    drawn: int
    lost: int
    boards: Fraction
    boards_against: Fraction
    own: Fraction
    against: Fraction

    @property
    def as_json(self) -> Json:
        """The row's JSON, as printed by `companion standings --json`."""
        return {
            "place": self.place,
            "team": self.team,
            "points": json_number(self.points),
            "played": self.played,
            "won": self.won,
            "drawn": self.drawn,
            "lost": self.lost,
            "boards": json_number(self.boards),
            "boards_against": json_number(self.boards_against),
            "for": json_number(self.own),
            "against": json_number(self.against),
        }


HOME, AWAY = 1, -1


def places_played(event: ClubEvent) -> dict[str, list[int]]:
    """For each team, whether it was HOME or AWAY in each of its matches so far, in order."""
    found: dict[str, list[int]] = {one.name: [] for one in event.teams}
    for number in range(1, len(event.rounds) + 1):
        for match in matches_of(event, number):
            found[match.home].append(HOME)
            found[match.away].append(AWAY)
    return found


def home_first(drawn: Sequence[str], played: dict[str, list[int]]) -> tuple[str, str]:
    """The two teams of a match, the home team first: the one that, on balance, has played away more
    often (`places_played`). If that is level, it is the one that was away most recently while the
    other was at home; if there was no such round, the order is as drawn."""
    one, other = drawn

    def claim(team: str) -> list[int]:
        return [sum(played[team]), *reversed(played[team])]

    return (one, other) if claim(one) <= claim(other) else (other, one)


def team_standings(events: Sequence[ClubEvent]) -> list[TeamStanding]:
    """The standings of all teams over these events, best first: by match points, then by the
    difference of boards, by boards won, and by the difference of game points. Teams who are still
    level share the place. A match counts once every board has its result."""
    tally = RunningTotals(dict.fromkeys(team.name for event in events for team in event.teams))
    outcomes = {name: list[bool | None]() for name in tally.players}  # won; None: a draw
    games = {name: [NONE, NONE] for name in tally.players}
    for event in events:
        if not event.teams:
            continue
        tally.add(with_teams_as_players(event))
        for number in range(1, len(event.rounds) + 1):
            for match in matches_of(event, number):
                if match.result is None:
                    continue
                home, away = match.result
                loser = match.loser if home != away or event.is_knockout else None
                for at, name in enumerate((match.home, match.away)):
                    outcomes[name].append(None if loser is None else loser != name)
                    for board in match.boards:
                        games[name][0] += board.points[at]
                        games[name][1] += board.points[1 - at]

    def key(name: str) -> tuple[Fraction, ...]:
        boards, lost = tally.own[name], tally.against[name]
        return tally.points[name], boards - lost, boards, games[name][0] - games[name][1]

    there = sorted((one for one in tally.players if one in tally.seated), key=key, reverse=True)
    keys = [key(name) for name in there]
    placed: list[tuple[int | None, str]] = [(keys.index(key(name)) + 1, name) for name in there]
    placed += [(None, name) for name in tally.players if name not in tally.seated]
    return [
        TeamStanding(
            at,
            name,
            tally.points[name],
            len(outcomes[name]),
            outcomes[name].count(True),
            outcomes[name].count(None),
            outcomes[name].count(False),
            tally.own[name],
            tally.against[name],
            *games[name],
        )
        for at, name in placed
    ]
