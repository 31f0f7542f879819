"""Calling a bogus play: which draw or pass, and who calls. What the record already proves is
offered first, and the display says so if the table wants that.

Noticing is the opponents' part of the game, so nothing is said unless the house rules otherwise.
The setting `tell-bogus` chooses: nothing at all; a line until somebody calls it; or also who played
it, once, when the record first proves it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from companion.console.frame import WIDTH, fitted, text_width
from companion.console.lists import ListScreen, choose
from companion.console.paged import Paged
from companion.console.screen import Actions, Item, Outcome, Screen, View, keep, would_be
from companion.console.screens.note import Note, note
from companion.core.errors import RuleError
from companion.core.keys import Key
from companion.core.seats import Seat, shown
from companion.core.values import dataclass
from companion.core.words import ordinal, phrase
from companion.games.bogus.board import board_of, may_call, proven, turns_to_call, why_not_call
from companion.games.bogus.claim import BogusNotice
from companion.games.bogus.verdict import WatchedHand, judge
from companion.games.line.hand import Hand, LineBoard, Turn
from companion.games.penalties import Called
from companion.presentation.language import Language
from companion.presentation.line.sayings import charge, deed, explain

# ---------------------------------------------------------------- proofs
# The bogus plays that are proven and that nobody has called: whether the table tells of them.


MARK = phrase("BOGUS: one is proven")
"""The line that says that a bogus play is proven, and which key shows it."""


def proofs(view: View[LineBoard]) -> tuple[Turn, ...]:
    """The proven bogus plays that can be called and may be shown, the latest first."""
    return (
        () if _announcement(view) == "off" or view.state.ended is not None else proven(view.state)
    )


def mark(view: View[LineBoard]) -> str:
    """The line that stays while a proven bogus play can be called and may be shown; else empty."""
    return MARK if proofs(view) else ""


def aloud(view: View[LineBoard]) -> str:
    """The line that names the seat whose bogus play the last entry has proven; empty if there is
    none, or if the table doesn't want the line."""
    if _announcement(view) != "aloud":
        return ""
    for notice in view.state.effect.notices:
        if notice.kind is BogusNotice.PROVEN:
            besides = text_width(view.language.put(_entered_right("")))
            return _entered_right(fitted(shown(str(notice["seat"])), WIDTH - besides))
    return ""


def _announcement(view: View[LineBoard]) -> str:
    return str(view.settings.get("tell-bogus", "off"))


def _entered_right(seat: str) -> str:
    return phrase("If entered right: {seat} bogus", seat=seat)


# ---------------------------------------------------------------- the call

SETTLE_FIRST = phrase("There is a call already: settle it first.")

GO_ROOM = WIDTH - 14
"""Columns for a line of a numbered list."""


def called_hand(view: View[LineBoard]) -> WatchedHand | None:
    """The hand in which somebody can be called now; None before the first deal."""
    board = board_of(view.state)
    return board.open_to_calls if board is not None else None


def _watched(view: View[LineBoard]) -> WatchedHand:
    """The hand in which somebody can be called now, once a hand was dealt."""
    watched = called_hand(view)
    assert watched is not None, "a hand was dealt"
    return watched


def accuse(
    view: View[LineBoard], parent: Screen[LineBoard] | None = None, by: Seat | None = None
) -> Outcome[LineBoard]:
    """BOGUS begins a call. `by`: the seat on whose keypad it was pressed, which then calls.
    `parent`: the screen on which it was pressed. If nobody can be called, a seat's keypad gets only
    a line that says so, over that screen: so a player who is keying there loses no digit."""
    watched = called_hand(view)
    if is_called(view):
        return Outcome(parent, refused=SETTLE_FIRST)
    by = by if by in view.state.seats else None
    why_not = _why_nobody_is_called(view, by)
    if why_not or watched is None:
        return note(why_not, parent, by)
    if watched.hand.round.scores_only:
        return _accuse_without_turns(view, watched, parent, by)
    goes = turns_to_call(view.state, by)
    offered = tuple(turn.number for turn in proofs(view) if turn in goes)
    goes_list = WhichGo(by=by, parent=parent)
    return Outcome(Proven(offered, by, goes_list, parent) if offered else goes_list)


def is_called(view: View[LineBoard]) -> bool:
    """Whether a call is open, which has to be settled first."""
    watched = called_hand(view)
    return watched is not None and watched.claim is not None


def _why_nobody_is_called(view: View[LineBoard], by: Seat | None) -> str:
    """Why the seat `by` (None: anybody) can call nobody now; empty if it can."""
    watched = called_hand(view)
    if watched is None:
        return phrase("No hand is dealt yet: nobody can be bogus.")
    if watched.hand.round.scores_only:
        return _why_not_without_turns(view, watched, by)
    return _why_not(view, watched, by)


def _accuse_without_turns(
    view: View[LineBoard], watched: WatchedHand, parent: Screen[LineBoard] | None, by: Seat | None
) -> Outcome[LineBoard]:
    """Asks which seat is called: only scores are keyed now, so no draw or pass can be chosen.
    Draws and passes that were entered earlier are offered as a list."""
    seats = watched.hand.round.seats

    def line(accused: Seat) -> Item[LineBoard] | None:
        may = who_may_call(view, accused, by)
        if not may:
            return None
        return shown(accused), lambda view, _list: _call(view, Called(accused), may, parent)

    lines = tuple(line(seat) for seat in seats)
    goes = turns_to_call(view.state, by)
    earlier: Item[LineBoard] = (
        phrase("A go that was entered"),
        lambda _view, _list: Outcome(WhichGo(by=by, parent=parent)),
    )
    items = (*lines, earlier if goes else None)
    return Outcome(choose(phrase("Who is called bogus?"), items, parent, only=by))


def _why_not_without_turns(view: View[LineBoard], watched: WatchedHand, by: Seat | None) -> str:
    """Why nobody can be called while only scores are keyed; empty if somebody can."""
    seats = watched.hand.round.seats
    calls = [Called(seat, may[0]) for seat in seats if (may := who_may_call(view, seat, by))]
    if calls:
        after = would_be(view, calls[0])
        return after.why if isinstance(after, RuleError) else ""
    refused = why_not_call(view.state, seats.order[0], seats.order[-1])
    if watched.bogus is not None and refused is not None:
        return refused.why
    return phrase("Everybody who could be called was called: only once each.")


def who_may_call(view: View[LineBoard], accused: Seat, by: Seat | None) -> tuple[Seat, ...]:
    """The seats that may call the accused; of these only `by`, if given."""
    return tuple(seat for seat in may_call(view.state, accused) if by in (None, seat))


def _why_not(view: View[LineBoard], watched: WatchedHand, by: Seat | None) -> str:
    """Why nobody can be called while draws and passes are entered; empty if somebody can."""
    goes = turns_to_call(view.state, by)
    if goes:
        caller = who_may_call(view, goes[0].seat, by)[0]
        after = would_be(view, Called(goes[0].seat, caller, goes[0].number))
        return after.why if isinstance(after, RuleError) else ""
    others = [turn.seat for turn in watched.hand.draws_and_passes if turn.seat != by]
    if others and (watched.bogus is not None or (by and _are_one_side(view, by, others))):
        refused = why_not_call(view.state, others[-1], by or view.state.seats.left_of(others[-1]))
        assert refused is not None, "nobody can be called"
        return refused.why
    if others:
        return phrase("Everybody who drew or passed was called already: only once each.")
    nobody = phrase("Nobody else has") if by else phrase("Nobody has")
    return phrase("{nobody} drawn or passed in this hand: enter that first.", nobody=nobody)


def _are_one_side(view: View[LineBoard], by: Seat, others: Sequence[Seat]) -> bool:
    """Whether the seat `by` is of one side with all `others`."""
    return set(others) <= set(view.state.side_of(by))


class Calling(Screen[LineBoard]):
    """A screen on which `by` chooses what to call bogus; `parent` is where BOGUS was pressed."""

    __slots__ = ()
    by: Seat | None
    parent: Screen[LineBoard] | None

    @property
    def before_call(self) -> Screen[LineBoard]:
        return self.parent.before_call if self.parent else self

    def whose(self, _view: View[LineBoard]) -> Seat | None:
        return self.by

    def waits(self, turn: Seat, seat: Seat) -> str:
        return phrase(
            "{first} called first: {seat} waits.", first=shown(str(turn)), seat=shown(str(seat))
        )


@dataclass(frozen=True, slots=True)
class WhichGo(Calling, ListScreen[LineBoard]):
    """Lists the draws and passes of the hand that can be called, the latest first. OK calls the one
    under the bar, a digit calls any."""

    by: Seat | None = None
    parent: Screen[LineBoard] | None = None

    hint: ClassVar = phrase("Digit or OK: call it")

    def title(self, _view: View[LineBoard]) -> str:
        return (
            phrase("{seat} calls bogus:", seat=shown(self.by))
            if self.by
            else phrase("Bogus: which go?")
        )

    def lines(self, view: View[LineBoard]) -> tuple[str, ...]:
        watched = _watched(view)
        return tuple(
            go_line(watched.hand, turn, view.language)
            for turn in turns_to_call(view.state, self.by)
        )

    def chosen(self, view: View[LineBoard], at: int) -> Outcome[LineBoard]:
        turn = turns_to_call(view.state, self.by)[at]
        return call(view, turn, self.by, replace(self, at=at))

    def back(self, _view: View[LineBoard]) -> Outcome[LineBoard]:
        return Outcome(self.parent)


def go_line(hand: Hand, turn: Turn, language: Language) -> str:
    """“Blue's 4th go: draw on 3 6”, shortened if it is too wide for its line."""
    text = charge(hand, turn)
    if text_width(language.put(text)) <= GO_ROOM:
        return text
    name = language.put(shown(turn.seat))
    for letters in range(len(name), 0, -1):
        which, doing = ordinal(hand.go_of(turn)), deed(hand, turn)
        cut = name[:letters].rstrip()
        text = phrase("{seat} {which}: {doing}", seat=cut, which=which, doing=doing)
        if text_width(language.put(text)) <= GO_ROOM:
            break
    return text


def call(
    view: View[LineBoard], turn: Turn, by: Seat | None, parent: Screen[LineBoard] | None
) -> Outcome[LineBoard]:
    """Calls `turn`. If several seats may call, first asks which one does: it keys its digit, or OK
    if it is the usual caller."""
    may = who_may_call(view, turn.seat, by)
    return _call(view, Called(turn.seat, turn=turn.number), may, parent)


def _call(
    view: View[LineBoard],
    called: Called,
    may: Sequence[Seat],
    parent: Screen[LineBoard] | None,
) -> Outcome[LineBoard]:
    """Keeps the call; first asks which seat calls, if several `may`."""

    def calls(view: View[LineBoard], caller: Seat) -> Outcome[LineBoard]:
        by_one = replace(called, by=caller)
        after = would_be(view, by_one)
        if isinstance(after, RuleError):
            return Outcome(Note(after.why, parent))
        return keep(by_one)

    if len(may) == 1:
        return calls(view, may[0])

    def line(caller: Seat) -> Item[LineBoard]:
        return phrase("{seat} calls", seat=shown(caller)), lambda view, _list: calls(view, caller)

    lines = tuple(line(seat) if seat in may else None for seat in view.state.seats)
    at = [seat for seat in view.state.seats if seat in may].index(may[0])
    return Outcome(
        replace(
            choose(phrase("Who calls {seat}?", seat=shown(called.accused)), lines, parent), at=at
        )
    )


@dataclass(frozen=True, slots=True)
class Proven(Calling, Paged[LineBoard]):
    """Shows a bogus play that the record proves, with the proof. `turns`: the numbers of the turns
    that are proven bogus. DRAW shows more of the proof, and then the next one. PASS lists all draws
    and passes that can be called (`others`)."""

    turns: tuple[int, ...]
    by: Seat | None
    others: WhichGo
    parent: Screen[LineBoard] | None
    at: int = 0

    def _turn(self, view: View[LineBoard]) -> Turn:
        return _watched(view).hand.turn(self.turns[self.at])

    def sentences(self, view: View[LineBoard]) -> tuple[str, ...]:
        watched, turn = _watched(view), self._turn(view)
        verdict = judge(watched, turn)
        return (
            phrase("{charge}.", charge=charge(watched.hand, turn)),
            explain(watched.hand, turn, verdict),
        )

    def accept(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """OK calls the bogus play that is shown."""
        return call(view, self._turn(view), self.by, self)

    def more(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """DRAW: the next page, or the next proof."""
        if self.page + 1 < self.pages(view):
            return Paged.more(self, view)
        return Outcome(replace(self, page=0, at=(self.at + 1) % len(self.turns)))

    def list_all(self, _view: View[LineBoard]) -> Outcome[LineBoard]:
        """PASS: the list of all draws and passes that can be called."""
        return Outcome(replace(self.others, parent=self))

    def back(self, _view: View[LineBoard]) -> Outcome[LineBoard]:
        """BACK: nobody is called."""
        return Outcome(self.parent)

    def on(self) -> Actions[LineBoard]:
        return {
            Key.OK: self.accept,
            Key.DRAW: self.more,
            Key.PASS: self.list_all,
            Key.BACK: self.back,
        }

    def foot(self, _view: View[LineBoard]) -> tuple[str, ...]:
        return (phrase("OK: call  PASS: others"),)

    def title(self, view: View[LineBoard]) -> str:
        more = (
            phrase(" ({place} of {number})", place=self.at + 1, number=len(self.turns))
            if len(self.turns) > 1
            else ""
        )
        return phrase("{seat} was bogus{more}", seat=shown(self._turn(view).seat), more=more)
