"""A call of bogus play: which draw or pass, and who calls. What the record proves without being
asked is offered first."""

from dataclasses import replace
from typing import ClassVar

from companion.console.frame import WIDTH, Canvas
from companion.console.glyphs import text_width
from companion.console.layout import draw_refusal
from companion.console.lists import Choose, Items, ListScreen, choose
from companion.console.pages import draw_page, pages, rows_above
from companion.console.screen import Outcome, Screen, keep, would_be
from companion.console.screens.proof import proofs
from companion.console.view import View
from companion.console.words import shown
from companion.errors import RuleError
from companion.games.bogus.board import board_of, callers
from companion.games.bogus.evidence_text import charge, deed, explain, go_of, ordinal
from companion.games.bogus.verdict import judge
from companion.games.bogus.watched_hand import WatchedHand
from companion.games.line.hand import Hand, Turn
from companion.games.penalties import Called
from companion.keys import Key
from companion.seats import Seat
from companion.values import dataclass

GO_ROOM = WIDTH - 14
"""Columns for a line of a numbered list."""


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
        draw_refusal(canvas, self.text.replace("_", " "), "OK: go on")


def note(text: str, parent: Screen | None, by: Seat | None) -> Outcome:
    """To be read by who sits at the box, or as a line by the seat whose keypad it was."""
    return Outcome(parent, refused=text) if by else Outcome(Note(text, parent))


def called_hand(view: View) -> WatchedHand | None:
    """The hand in which somebody can be called now; None before the first deal."""
    board = board_of(view.state)
    return board.open_to_calls if board is not None else None


def _watched(view: View) -> WatchedHand:
    """The same, once somebody has drawn or passed in it."""
    watched = called_hand(view)
    assert watched is not None, "a hand was dealt"
    return watched


def accuse(view: View, parent: Screen | None = None, by: Seat | None = None) -> Outcome:
    """BOGUS, perhaps on the keypad of a seat, which then is the one that calls. Where nobody can be
    called, a keypad is told so in a line: whoever is keying must not lose a digit to it."""
    watched = called_hand(view)
    if watched is not None and watched.claim is not None:
        return Outcome(parent, refused="A call is heard already: it is settled first.")
    by = by if by in view.state.seats else None
    goes = callable_goes(watched, by) if watched is not None else ()
    why_not = _why_not(view, watched, goes, by)
    if why_not or watched is None:
        return note(why_not, parent, by)
    offered = tuple(turn.number for turn in proofs(view) if turn in goes)
    goes_list = WhichGo(by=by, parent=parent)
    return Outcome(Proven(offered, by, goes_list, parent) if offered else goes_list)


def callable_goes(watched: WatchedHand, by: Seat | None) -> tuple[Turn, ...]:
    """The draws and passes that can be called, the latest first; `by` that seat only."""
    return tuple(
        turn for turn in watched.hand.draws_and_passes[::-1] if who_may_call(watched, turn, by)
    )


def who_may_call(watched: WatchedHand, turn: Turn, by: Seat | None) -> tuple[Seat, ...]:
    """Who may call it: all who have not called that seat yet, or `by` alone."""
    return tuple(seat for seat in callers(watched, turn) if by in (None, seat))


def _why_not(
    view: View, watched: WatchedHand | None, goes: tuple[Turn, ...], by: Seat | None
) -> str:
    """Why nobody can be called now; empty if somebody can."""
    if watched is None:
        return "No hand is dealt yet: nobody can be bogus."
    if goes:
        caller = who_may_call(watched, goes[0], by)[0]
        after = would_be(view, Called(goes[0].seat, caller, goes[0].number))
        return str(after) if isinstance(after, RuleError) else ""
    if any(turn.seat != by for turn in watched.hand.draws_and_passes[::-1]):
        return "Everybody who drew or passed was called already: once is all."
    nobody = "Nobody else has" if by else "Nobody has"
    return f"{nobody} drawn or passed in this hand: enter that first."


@dataclass(frozen=True, slots=True)
class WhichGo(ListScreen):
    """The draws and passes of the hand, the latest first: that one by OK, the others by digit."""

    by: Seat | None = None
    parent: Screen | None = None

    hint: ClassVar = "Digit or OK: call it"

    def whose(self, _view: View) -> Seat | None:
        return self.by

    def title(self, _view: View) -> str:
        return f"{shown(self.by)} calls bogus:" if self.by else "Bogus: which go?"

    def lines(self, view: View) -> tuple[str, ...]:
        watched = _watched(view)
        return tuple(go_line(watched.hand, turn) for turn in callable_goes(watched, self.by))

    def chosen(self, view: View, at: int) -> Outcome:
        turn = callable_goes(_watched(view), self.by)[at]
        return call(view, turn, self.by, replace(self, at=at))

    def back(self, _view: View) -> Outcome:
        return Outcome(self.parent)


def go_line(hand: Hand, turn: Turn) -> str:
    """“Blue's 4th go: draw on 3 6”, shorter where it must be."""
    text = charge(hand, turn).replace("_", " ")
    if text_width(text) <= GO_ROOM:
        return text
    name = shown(turn.seat)
    for letters in range(len(name), 0, -1):
        go = f"{name[:letters].rstrip()} {ordinal(go_of(hand, turn))}"
        text = f"{go}: {deed(hand, turn)}"
        if text_width(text) <= GO_ROOM:
            break
    return text


def call(view: View, turn: Turn, by: Seat | None, parent: Screen | None) -> Outcome:
    """Who calls is asked where several may, by the digit of the seat; OK: who is paid by that seat.
    Then the call is kept."""

    def calls(caller: Seat) -> Choose:
        called = Called(turn.seat, caller, turn.number)

        def kept(view: View) -> Outcome:
            after = would_be(view, called)
            refused = isinstance(after, RuleError)
            return Outcome(Note(str(after), parent)) if refused else keep(called)

        return kept

    may = who_may_call(_watched(view), turn, by)
    lines: Items = tuple(
        (f"{shown(seat)} calls", calls(seat)) if seat in may else None for seat in view.state.seats
    )
    if len(may) == 1:
        return calls(may[0])(view)
    at = [seat for seat in view.state.seats if seat in may].index(may[0])
    return Outcome(replace(choose(f"Who calls {shown(turn.seat)}?", lines, parent), at=at))


@dataclass(frozen=True, slots=True)
class Proven(Screen):
    """What the record proves without being asked, with its sentence. DRAW shows more of it, and
    then the next one; PASS lists all goes."""

    turns: tuple[int, ...]
    by: Seat | None
    others: WhichGo
    parent: Screen | None
    at: int = 0
    page: int = 0

    foot: ClassVar = ("OK: call  PASS: others",)

    def whose(self, _view: View) -> Seat | None:
        return self.by

    def _turn(self, view: View) -> Turn:
        return _watched(view).hand.turn(self.turns[self.at])

    def _sentences(self, view: View) -> tuple[str, ...]:
        watched, turn = _watched(view), self._turn(view)
        verdict = judge(watched, turn)
        return (f"{charge(watched.hand, turn)}.", explain(watched.hand, turn, verdict))

    def accept(self, view: View) -> Outcome:
        """OK: that one is called."""
        return call(view, self._turn(view), self.by, self)

    def more(self, view: View) -> Outcome:
        """DRAW: the next page, or the next proof."""
        if self.page + 1 < pages(self._sentences(view), rows_above(self.foot)):
            return Outcome(replace(self, page=self.page + 1))
        return Outcome(replace(self, page=0, at=(self.at + 1) % len(self.turns)))

    def list_all(self, _view: View) -> Outcome:
        """PASS: another go than this."""
        return Outcome(replace(self.others, parent=self))

    def back(self, _view: View) -> Outcome:
        """BACK: nobody is called."""
        return Outcome(self.parent)

    on: ClassVar = {Key.OK: accept, Key.DRAW: more, Key.PASS: list_all, Key.BACK: back}

    def draw(self, view: View, canvas: Canvas) -> None:
        """The go, and why it is proven."""
        more = f" ({self.at + 1} of {len(self.turns)})" if len(self.turns) > 1 else ""
        title = f"{shown(self._turn(view).seat)} was bogus{more}"
        draw_page(canvas, title, self._sentences(view), self.page, self.foot)
