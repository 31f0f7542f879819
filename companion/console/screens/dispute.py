"""A call of bogus play: whom, by whom, for which turn; then what the accused holds; then the
table rules."""

from dataclasses import dataclass
from typing import ClassVar

from companion.console.frame import Canvas
from companion.console.layout import draw_refusal
from companion.console.lists import Choose, ListScreen, ask, choose
from companion.console.screen import Outcome, Screen, keep, would_be
from companion.console.screens.undo import offer_undo
from companion.console.view import View
from companion.console.words import shown, what
from companion.errors import RuleError
from companion.games.entries import Called, Laid, Ruled
from companion.games.hand import Board, Claim, Turn
from companion.keys import Key
from companion.seats import Seat


@dataclass(frozen=True, slots=True)
class Note(Screen):
    """Something to read; any key goes on."""

    text: str
    then: Screen | None = None

    digits: ClassVar = range(10)

    def go_on(self, _view: View) -> Outcome:
        """Any key."""
        return Outcome(self.then)

    def digit(self, _view: View, _digit: int) -> Outcome:
        return Outcome(self.then)

    on: ClassVar = dict.fromkeys((Key.OK, Key.BACK, Key.DRAW, Key.PASS, Key.BOGUS, Key.MENU), go_on)

    def draw(self, _view: View, canvas: Canvas) -> None:
        """The text, and OK."""
        draw_refusal(canvas, self.text, "OK")


def accuse(view: View, parent: Screen | None = None) -> Outcome:
    """BOGUS: who is called? Only seats that drew or passed can be."""
    board: Board = view.state.board
    hand = board.callable
    if hand is None:
        return Outcome(Note("No hand is dealt yet: nobody can be bogus.", parent))
    accused = [seat for seat in view.state.seats if hand.latest_unforced(seat)]
    if not accused:
        return Outcome(Note("Nobody has drawn or passed in this hand: enter that first.", parent))
    lines = tuple((f"{shown(seat)} was bogus", _caller(seat, parent)) for seat in accused)
    return Outcome(choose("Bogus: who?", lines, parent))


def _caller(accused: Seat, parent: Screen | None) -> Choose:
    """By whom: at two there is only one who can."""

    def chosen(view: View) -> Outcome:
        callers = [seat for seat in view.state.seats if seat != accused]
        normal = view.state.seats.payee_of(accused)
        callers.sort(key=lambda seat: seat != normal)
        lines = tuple((f"{shown(by)} calls", _turn(accused, by, parent)) for by in callers)
        return ask(f"Who calls {shown(accused)}?", lines, parent, view)

    return chosen


def _turn(accused: Seat, by: Seat, parent: Screen | None) -> Choose:
    """For which draw or pass: the latest first."""

    def chosen(view: View) -> Outcome:
        hand = view.state.board.callable
        turns: list[Turn] = [
            turn
            for turn in reversed(hand.turns)
            if turn.seat == accused and not isinstance(turn.did, Laid)
        ]
        lines = tuple((_describe(turn), _call(accused, by, turn.number, parent)) for turn in turns)
        return ask("Which turn?", lines, parent, view)

    return chosen


def _describe(turn: Turn) -> str:
    faced = f" on {' '.join(map(str, turn.before))}" if turn.before else ""
    return f"turn {turn.number}: {what(turn.did)}{faced}"


def _call(accused: Seat, by: Seat, turn: int, parent: Screen | None) -> Choose:
    def chosen(view: View) -> Outcome:
        called = Called(accused, by, turn)
        after = would_be(view, called)
        return Outcome(Note(str(after), parent)) if isinstance(after, RuleError) else keep(called)

    return chosen


@dataclass(frozen=True, slots=True)
class Ruling(ListScreen):
    """The table rules: bogus or clear. `unseen`: without having seen the holding."""

    unseen: bool = False

    hint: ClassVar = "BACK: take back"

    def title(self, view: View) -> str:
        claim = claim_of(view)
        return f"{shown(claim.accused)}, turn {claim.turn}: bogus?"

    def lines(self, view: View) -> tuple[str, ...]:
        claim = claim_of(view)
        after = would_be(view, Ruled(claim.accused, bogus=True))
        pays = "" if isinstance(after, RuleError) else f": pays {after.effect.points}"
        clear = would_be(view, Ruled(claim.accused, bogus=False))
        costs = 0 if isinstance(clear, RuleError) else clear.effect.points
        price = f": {shown(claim.by)} pays {costs}" if costs else ": the hand goes on"
        return (f"Bogus{pays}", f"Clear{price}")

    def chosen(self, view: View, at: int) -> Outcome:
        ruled = Ruled(claim_of(view).accused, bogus=at == 0)
        after = would_be(view, ruled)
        if isinstance(after, RuleError):
            return Outcome(Note(str(after)))
        return keep(ruled, joined=True)

    def back(self, view: View) -> Outcome:
        return Outcome(None) if self.unseen else offer_undo(view, self)


def claim_of(view: View) -> Claim:
    """The open claim."""
    claim = open_claim(view)
    assert claim is not None, "ruled on only while a claim is open"
    return claim


def open_claim(view: View) -> Claim | None:
    """The claim that waits for its ruling."""
    hand = view.state.board.callable
    return hand.claim if hand else None
