"""A further game, brought from outside: each turn a seat puts some points into the pot until it is
full. The seat that has put in most wins; several may share the win. It shows that a new game
changes no file that games share, and needs no part that only dominoes have."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Self

from companion.console.frame import Canvas, fitted
from companion.console.lists import Note
from companion.console.screen import Calls, Item, Outcome, Play, PlayableGames, Screen, View, keep
from companion.console.screens.game_over import GameOver
from companion.core.errors import EntryError, RuleError
from companion.core.seats import BySeat, Seat, Seats, shown
from companion.games.entry import Effect, Entry, Payment, no_more, seat_named, whole_number
from companion.games.game import FinalScores, State
from companion.games.options import Option, Options
from tests.number_play import NumberTurn
from tests.race_play import Played


class Pot(NamedTuple):
    """The points in the pot."""

    points: int = 0


@dataclass(frozen=True, slots=True)
class Put(Entry):
    """`SEAT puts N`"""

    words: ClassVar = ("puts",)
    in_turn: ClassVar = True
    seat: Seat
    points: int

    @classmethod
    def parse(cls, line: list[str], seats: Seats) -> Self:
        no_more(line, 3)
        return cls(seat_named(line[0], seats), whole_number("".join(line[2:]), "puts"))

    def __str__(self) -> str:
        return f"{self.seat} puts {self.points}"


class FillThePot:
    """The rules: forty points fill the pot."""

    name, title, players = "pot", "Fill the pot", range(2, 9)
    clockwise = True
    entries: tuple[type[Entry], ...] = (Put,)
    options: tuple[Option, ...] = ()

    def start(self, seats: Seats, options: Options) -> State[Pot]:
        return State(seats, options, Pot(), BySeat.all(seats, 0), to_move=seats.order[0])

    def number_entry(self, state: State[Pot], number: int) -> Entry:
        if state.to_move is None or not 0 <= number <= 9:
            raise EntryError(f"{number} is not 0 to 9")
        return Put(state.to_move, number)

    def apply(self, state: State[Pot], entry: Entry) -> State[Pot]:
        if not isinstance(entry, Put) or entry.seat != state.to_move:
            raise RuleError(f"it is {state.to_move or 'nobody'}'s turn")
        pot = Pot(state.board.points + entry.points)
        scores = state.scores.put(entry.seat, state.scores[entry.seat] + entry.points)
        most = max(scores.values)
        full = pot.points >= 40
        return state._replace(
            board=pot,
            scores=scores,
            winners=tuple(seat for seat in state.seats if full and scores[seat] == most),
            to_move=None if full else state.seats.left_of(entry.seat),
            effect=Effect(1, (state.effect.turn or 0) + 1, entry.seat, points=entry.points),
        )

    def to_win(self, state: State[Pot], seat: Seat) -> None:
        del state, seat

    def chips(self, _state: State[Pot]) -> None:
        return None

    def doubt(self, _scores: FinalScores, _options: Options, _time_left: bool, /) -> str | None:
        return None

    def next_lead(self, state: State[Pot]) -> None:
        del state

    def led_up_to(self, state: State[Pot], entry: Entry) -> State[Pot]:
        return state._replace(to_move=entry.said_by)

    def after_loss(self, state: State[Pot], seat: Seat | None) -> State[Pot]:
        return state._replace(to_move=(state.to_move and seat) or state.to_move)


GAME = FillThePot()


class PotCalls(Calls[Pot]):
    """Answers a call with the points in the pot."""

    def call(self, view: View[Pot], under: Screen[Pot], by: Seat | None) -> Outcome[Pot] | str:
        if by is not None:
            return "Look into the pot yourself."
        return Outcome(Note(f"{view.state.board.points} lie in the pot.", under))


class PotPlay(Play[Pot]):
    """The game's screens: the generic ones, with its own words, menu item, call and score strip."""

    calls = PotCalls()

    def screen(self, view: View[Pot]) -> Screen[Pot]:
        return GameOver() if view.state.finished else NumberTurn(GAME.number_entry)

    def menu(self, view: View[Pot]) -> Mapping[int, Item[Pot]]:
        left = 40 - view.state.board.points
        mover = view.state.to_move
        if mover is None or left > 9:
            return {}
        return {4: (f"Fill it up: {left}", lambda _view, _menu: keep(Put(mover, left)))}

    def in_words(self, entry: Entry, state: State[Pot]) -> str:
        seat = shown(entry.said_by or "")
        return f"{seat} fills the pot" if state.finished else f"{seat} puts {state.effect.points}"

    def why_points(self, entry: Entry, state: State[Pot], payment: Payment) -> str:
        return f"{payment.points} of {state.board.points}"

    def best(self, view: View[Pot]) -> str:
        return f"{view.state.board.points} in the pot"

    def draw_scores(self, view: View[Pot], canvas: Canvas) -> int:
        """Draws two seats a line, so that each name can be read."""
        for number, (seat, points) in enumerate(view.state.scores.items()):
            x, y = number % 2 * 66, 32 + number // 2 * 8
            start = canvas.right(x + 60, y, str(points))
            canvas.text(x, y, fitted(shown(seat), start - x - 3))
        return 4


POT_GAMES: PlayableGames = {"pot": Played(GAME, PotPlay())}
