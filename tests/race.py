"""A whole game in a few lines, to prove that nothing outside companion/games knows the dominoes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from companion.core.errors import EntryError, RuleError
from companion.core.seats import BySeat, Seat, Seats
from companion.games.entry import Effect, Entry, no_more, seat_named, whole_number
from companion.games.game import AnyGame, FinalScores, State
from companion.games.options import Option, Options


@dataclass(frozen=True, slots=True)
class Scored(Entry):
    """`SEAT scores N`: 0 to 20 points."""

    words: ClassVar = ("scores",)
    in_turn: ClassVar = True
    seat: Seat
    points: int

    @classmethod
    def parse(cls, line: list[str], seats: Seats) -> Self:
        no_more(line, 3)
        return cls(seat_named(line[0], seats), whole_number("".join(line[2:]), "scores"))

    def __str__(self) -> str:
        return f"{self.seat} scores {self.points}"


class Race:
    """The rules: each seat scores in turn; the first to reach the goal wins."""

    name, title, players = "race", "Race", range(2, 9)
    clockwise = True
    entries: tuple[type[Entry], ...] = (Scored,)
    options: tuple[Option, ...] = (
        Option.number("goal", "points to win", lambda _: 100, lambda _: range(50, 201, 50)),
    )

    def start(self, seats: Seats, options: Options) -> State[None]:
        return State(seats, options, None, BySeat.all(seats, 0), to_move=seats.order[0])

    def number_entry(self, state: State[None], number: int) -> Entry:
        if state.to_move is None or not 0 <= number <= 20:
            raise EntryError(f"{number} can't be scored: key 0 to 20")
        return Scored(state.to_move, number)

    def apply(self, state: State[None], entry: Entry) -> State[None]:
        if not isinstance(entry, Scored) or not 0 <= entry.points <= 20:
            raise RuleError(f"“{entry}” is not allowed: a turn scores 0 to 20")
        if entry.seat != state.to_move:
            raise RuleError(f"it is {state.to_move or 'nobody'}'s turn, not {entry.seat}'s")
        total = state.scores[entry.seat] + entry.points
        won = (entry.seat,) if self.to_win(state, entry.seat) <= entry.points else ()
        return state._replace(
            scores=state.scores.put(entry.seat, total),
            winners=won,
            to_move=None if won else state.seats.left_of(entry.seat),
            effect=Effect(1, (state.effect.turn or 0) + 1, entry.seat, points=entry.points),
        )

    def to_win(self, state: State[None], seat: Seat) -> int:
        return int(state.options["goal"]) - state.scores[seat]

    def chips(self, _state: State[None]) -> None:
        return None

    def doubt(self, _scores: FinalScores, _options: Options, _time_left: bool, /) -> str | None:
        return None

    def next_lead(self, state: State[None]) -> str | None:
        return None

    def after_loss(self, state: State[None], seat: Seat | None) -> State[None]:
        return state._replace(to_move=(state.to_move and seat) or state.to_move)

    def led_up_to(self, state: State[None], _entry: Entry) -> State[None]:
        return state


RACE = Race()
RACE_RULES: Mapping[str, AnyGame] = {"race": RACE}
