"""Screens for calls of bogus play, in their order: the draw or pass that is called, and the caller;
the record's verdict and its reason; the ruling, by the record or the table.

Bogus plays that the record already proves are offered first, and the display announces them if the
table wants that (the setting `tell-bogus`, line/turn.py). Noticing them is part of the game, so
they are not shown unless a house rule allows it.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar

from companion.console.fonts import text_width
from companion.console.frame import WIDTH
from companion.console.line.holding import KeyHolding, keep_in_call
from companion.console.line.turn import proofs
from companion.console.lists import ListScreen, Note, PagedText, choose, note
from companion.console.screen import Actions, Item, Outcome, Screen, View, keep, try_entry, who_pays
from companion.console.screens.changes import offer_undo
from companion.core.errors import RuleError
from companion.core.keys import Key, Press
from companion.core.seats import Seat, display_name
from companion.core.values import dataclass
from companion.core.words import listed, ordinal, phrase
from companion.games.bogus.calls import (
    JudgedClaim,
    Ruling,
    RulingResult,
    VerdictKind,
    WatchedHand,
    board_of,
    judged_claim,
    may_call,
    ruling_of,
    turns_to_call,
    why_not_call,
)
from companion.games.bogus.verdict import judge
from companion.games.entries import BogusCalled, CallRuled, Penalty
from companion.games.game import Effect, Payment
from companion.games.line.hand import Hand, LineBoard, Turn
from companion.presentation.language import Language
from companion.presentation.line.sayings import (
    accusation,
    claim_evidence,
    claim_in_words,
    evidence_in_words,
    turn_in_words,
)
from companion.presentation.payments import exchange_in_short

# ---------------------------------------------------------------- the call

SETTLE_FIRST = phrase("There is already a call: settle it first.")

TURN_WIDTH = WIDTH - 14
"""Columns for a line of a numbered list."""


def called_hand(view: View[LineBoard]) -> WatchedHand | None:
    """Returns the hand in which a bogus play can be called now; None before the first deal."""
    board = board_of(view.state)
    return board.open_to_calls if board is not None else None


def _watched_hand(view: View[LineBoard]) -> WatchedHand:
    """Returns the hand in which a bogus play can be called now, which must have been dealt."""
    watched = called_hand(view)
    assert watched is not None, "a hand was dealt"
    return watched


def begin_call(
    view: View[LineBoard], parent: Screen[LineBoard] | None = None, by: Seat | None = None
) -> Outcome[LineBoard]:
    """BOGUS begins a call. `by`: the seat on whose keypad it was pressed, which becomes the caller.
    `parent`: the screen on which it was pressed. If no seat can be called, a seat's keypad only
    shows a line over that screen, so that a player who is keying there loses no digit."""
    watched = called_hand(view)
    if is_called(view):
        return Outcome(parent, refused=SETTLE_FIRST)
    by = by if by in view.state.seats else None
    why_not = _why_no_call(view, by)
    if why_not or watched is None:
        return note(why_not, parent, by)
    if watched.hand.round.scores_only:
        return _accuse_without_turns(view, watched, parent, by)
    goes = turns_to_call(view.state, by)
    offered = tuple(turn.number for turn in proofs(view) if turn in goes)
    goes_list = ChooseTurn(by=by, parent=parent)
    return Outcome(ShowProof(offered, by, goes_list, parent) if offered else goes_list)


def is_called(view: View[LineBoard]) -> bool:
    """Returns whether a call is open, which has to be settled first."""
    watched = called_hand(view)
    return watched is not None and watched.claim is not None


def _why_no_call(view: View[LineBoard], by: Seat | None) -> str:
    """Returns why the seat `by` (None for any seat) can't call a bogus play now; empty if it
    can."""
    watched = called_hand(view)
    if watched is None:
        return phrase("No hand is dealt yet: nobody can be called.")
    if watched.hand.round.scores_only:
        return _why_no_call_without_turns(view, watched, by)
    return _why_no_call_with_turns(view, watched, by)


def _accuse_without_turns(
    view: View[LineBoard], watched: WatchedHand, parent: Screen[LineBoard] | None, by: Seat | None
) -> Outcome[LineBoard]:
    """Asks which seat is called. In a game in which only scores are keyed there is no draw or pass
    to choose; any that were entered earlier are offered as a list."""
    seats = watched.hand.round.seats

    def line(accused: Seat) -> Item[LineBoard] | None:
        may = who_may_call(view, accused, by)
        if not may:
            return None
        return display_name(accused), lambda view, _list: _store_call(
            view, BogusCalled(accused), may, parent
        )

    lines = tuple(line(seat) for seat in seats)
    goes = turns_to_call(view.state, by)
    earlier: Item[LineBoard] = (
        phrase("A turn that was entered"),
        lambda _view, _list: Outcome(ChooseTurn(by=by, parent=parent)),
    )
    items = (*lines, earlier if goes else None)
    return Outcome(choose(phrase("Who is called bogus?"), items, parent, only=by))


def _why_no_call_without_turns(view: View[LineBoard], watched: WatchedHand, by: Seat | None) -> str:
    """Returns why no call is possible while only scores are keyed; empty if one is."""
    seats = watched.hand.round.seats
    calls = [BogusCalled(seat, may[0]) for seat in seats if (may := who_may_call(view, seat, by))]
    if calls:
        after = try_entry(view, calls[0])
        return after.why if isinstance(after, RuleError) else ""
    refused = why_not_call(view.state, seats.order[0], seats.order[-1])
    if watched.bogus is not None and refused is not None:
        return refused.why
    return phrase("Everybody has been called already: only once each.")


def who_may_call(view: View[LineBoard], accused: Seat, by: Seat | None) -> tuple[Seat, ...]:
    """Returns the seats that may call the accused. If `by` is given, no other seat is returned."""
    return tuple(seat for seat in may_call(view.state, accused) if by in (None, seat))


def _why_no_call_with_turns(view: View[LineBoard], watched: WatchedHand, by: Seat | None) -> str:
    """Returns why no call is possible while draws and passes are entered; empty if one is."""
    goes = turns_to_call(view.state, by)
    if goes:
        caller = who_may_call(view, goes[0].seat, by)[0]
        after = try_entry(view, BogusCalled(goes[0].seat, caller, goes[0].number))
        return after.why if isinstance(after, RuleError) else ""
    others = [turn.seat for turn in watched.hand.draws_and_passes if turn.seat != by]
    if others and (watched.bogus is not None or (by and _are_one_side(view, by, others))):
        refused = why_not_call(view.state, others[-1], by or view.state.seats.left_of(others[-1]))
        assert refused is not None, "nobody can be called"
        return refused.why
    if others:
        return phrase("All who drew or passed have been called: only once each.")
    nobody = phrase("Nobody else has") if by else phrase("Nobody has")
    return phrase("{nobody} drawn or passed in this hand: enter that first.", nobody=nobody)


def _are_one_side(view: View[LineBoard], by: Seat, others: Sequence[Seat]) -> bool:
    """Returns whether the seat `by` and all `others` belong to the same side."""
    return set(others) <= set(view.state.side_of(by))


class CallScreen(Screen[LineBoard]):
    """A screen on which the seat `by` chooses what to call bogus. `parent`: the screen on which
    BOGUS was pressed."""

    __slots__ = ()
    by: Seat | None
    parent: Screen[LineBoard] | None

    @property
    def before_call(self) -> Screen[LineBoard]:
        return self.parent.before_call if self.parent else self

    def only_seat(self, _view: View[LineBoard]) -> Seat | None:
        return self.by

    def wait_message(self, turn: Seat, seat: Seat) -> str:
        return phrase(
            "{first} called first: {seat} waits.",
            first=display_name(str(turn)),
            seat=display_name(str(seat)),
        )


@dataclass(frozen=True, slots=True)
class ChooseTurn(CallScreen, ListScreen[LineBoard]):
    """Lists the hand's draws and passes that can be called, latest first. OK calls the one under
    the bar, a digit the one with that number."""

    by: Seat | None = None

    hint: ClassVar = phrase("Digit or OK: call it")

    def title(self, _view: View[LineBoard]) -> str:
        return (
            phrase("{seat} calls bogus:", seat=display_name(self.by))
            if self.by
            else phrase("Bogus: which turn?")
        )

    def lines(self, view: View[LineBoard]) -> tuple[str, ...]:
        watched = _watched_hand(view)
        return tuple(
            turn_line(watched.hand, turn, view.language)
            for turn in turns_to_call(view.state, self.by)
        )

    def chosen(self, view: View[LineBoard], at: int) -> Outcome[LineBoard]:
        turn = turns_to_call(view.state, self.by)[at]
        return call(view, turn, self.by, replace(self, at=at))


def turn_line(hand: Hand, turn: Turn, language: Language) -> str:
    """Returns the line for a turn: “Blue's 4th go: draw on 3 6”. It is shortened if it is too
    wide."""
    text = accusation(hand, turn)
    if text_width(language.translate(text)) <= TURN_WIDTH:
        return text
    name = language.translate(display_name(turn.seat))
    for letters in range(len(name), 0, -1):
        which, doing = ordinal(hand.table_turn_number(turn)), turn_in_words(hand, turn)
        cut = name[:letters].rstrip()
        text = phrase("{seat} {which}: {doing}", seat=cut, which=which, doing=doing)
        if text_width(language.translate(text)) <= TURN_WIDTH:
            break
    return text


def call(
    view: View[LineBoard], turn: Turn, by: Seat | None, parent: Screen[LineBoard] | None
) -> Outcome[LineBoard]:
    """Calls `turn` bogus. If several seats may be the caller, asks which one is: a digit chooses a
    seat, OK the usual caller."""
    may = who_may_call(view, turn.seat, by)
    return _store_call(view, BogusCalled(turn.seat, turn=turn.number), may, parent)


def _store_call(
    view: View[LineBoard],
    called: BogusCalled,
    may: Sequence[Seat],
    parent: Screen[LineBoard] | None,
) -> Outcome[LineBoard]:
    """Stores the call. If several seats (`may`) can be the caller, asks first which one is."""

    def calls(view: View[LineBoard], caller: Seat) -> Outcome[LineBoard]:
        by_one = replace(called, by=caller)
        after = try_entry(view, by_one)
        if isinstance(after, RuleError):
            return Outcome(Note(after.why, parent))
        return keep(by_one)

    if len(may) == 1:
        return calls(view, may[0])

    def line(caller: Seat) -> Item[LineBoard]:
        return phrase("{seat} calls", seat=display_name(caller)), lambda view, _list: calls(
            view, caller
        )

    lines = tuple(line(seat) if seat in may else None for seat in view.state.seats)
    at = [seat for seat in view.state.seats if seat in may].index(may[0])
    return Outcome(
        replace(
            choose(phrase("Who calls {seat}?", seat=display_name(called.accused)), lines, parent),
            at=at,
        )
    )


@dataclass(frozen=True, slots=True)
class ShowProof(CallScreen, PagedText[LineBoard]):
    """Shows a bogus play that the record proves, and the proof. `turns`: the numbers of the turns
    that are proven bogus. DRAW shows more of the proof, and then the next one. PASS lists all draws
    and passes that can be called (`others`)."""

    turns: tuple[int, ...]
    by: Seat | None
    others: ChooseTurn
    parent: Screen[LineBoard] | None
    at: int = 0

    def _shown_turn(self, view: View[LineBoard]) -> Turn:
        return _watched_hand(view).hand.turn(self.turns[self.at])

    def sentences(self, view: View[LineBoard]) -> tuple[str, ...]:
        watched, turn = _watched_hand(view), self._shown_turn(view)
        verdict = judge(watched, turn)
        return (
            phrase("{charge}.", charge=accusation(watched.hand, turn)),
            evidence_in_words(watched.hand, turn, verdict),
        )

    def handle_ok(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        return call(view, self._shown_turn(view), self.by, self)

    def next_page(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """DRAW turns to the next page, or the next proof."""
        if self.page + 1 < self.pages(view):
            return PagedText.next_page(self, view)
        return Outcome(replace(self, page=0, at=(self.at + 1) % len(self.turns)))

    def list_all(self, _view: View[LineBoard]) -> Outcome[LineBoard]:
        """PASS opens the list of all draws and passes that can be called."""
        return Outcome(replace(self.others, parent=self))

    def back(self, _view: View[LineBoard]) -> Outcome[LineBoard]:
        return Outcome(self.parent)

    def key_bindings(self) -> Actions[LineBoard]:
        return {
            Key.OK: self.handle_ok,
            Key.DRAW: self.next_page,
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
        return phrase(
            "{seat}: bogus play{more}", seat=display_name(self._shown_turn(view).seat), more=more
        )


# ---------------------------------------------------------------- the ruling


def open_claim(view: View[LineBoard]) -> JudgedClaim:
    """Returns the claim that is open or that the last entry closed."""
    claim = judged_claim(view.state)
    assert claim is not None, "shown only while a claim is heard"
    return claim


def _turn_name(claim: JudgedClaim) -> str:
    if claim.turn is None:
        return phrase("{seat} called", seat=claim.claim.accused)
    return phrase(
        "{seat}'s turn {number}",
        seat=claim.turn.seat,
        number=claim.hand.table_turn_number(claim.turn),
    )


def _accusation_sentence(claim: JudgedClaim) -> str:
    if claim.turn is None:
        return phrase("{caller} calls a draw or pass.", caller=claim.claim.by)
    return phrase(
        "{caller} calls the {deed}.",
        caller=claim.claim.by,
        deed=turn_in_words(claim.hand, claim.turn),
    )


def may_rule(view: View[LineBoard], bogus: bool) -> bool:
    """Returns whether the table may make this ruling. Overruling the record requires the option
    `table-overrules`. The holding need not be known yet."""
    claim = open_claim(view).claim
    against = claim.verdict.kind is (VerdictKind.EXCLUDED if bogus else VerdictKind.PROVEN)
    return not against or view.state.options.get("table-overrules") == "on"


class ClaimScreen(PagedText[LineBoard]):
    """A screen about an open claim: the record's verdict and its reason."""

    __slots__ = ()
    shows_table: ClassVar = True

    def title(self, view: View[LineBoard]) -> str:
        claim = open_claim(view)
        return phrase("{verdict}: {go}", verdict=claim.claim.verdict.kind, go=_turn_name(claim))

    def sentences(self, view: View[LineBoard]) -> tuple[str, ...]:
        claim = open_claim(view)
        return (_accusation_sentence(claim), claim_evidence(claim, view.state))


@dataclass(frozen=True, slots=True)
class ShowVerdict(ClaimScreen):
    """The record's verdict on an open claim, before the accused has shown its tiles. OK asks for
    the tiles that the accused holds or, if the bogus play is proven, for their pips."""

    digits: ClassVar = range(10)

    def keys(self, view: View[LineBoard]) -> tuple[Key, ...]:
        """Returns OK, PASS if the table may rule, DRAW if there is more to read, and the other
        keys."""
        rules = (Key.PASS,) if self._may_table_rule(view) else ()
        return (Key.OK, *rules, *self.more_keys(view), Key.BACK, Key.MENU)

    def _is_proven(self, view: View[LineBoard]) -> bool:
        return open_claim(view).claim.verdict.kind is VerdictKind.PROVEN

    def _may_table_rule(self, view: View[LineBoard]) -> bool:
        return not self._is_proven(view) or may_rule(view, bogus=False)

    def foot(self, view: View[LineBoard]) -> tuple[str, ...]:
        what = phrase("key pips") if self._is_proven(view) else phrase("tiles")
        if self._may_table_rule(view):
            return (phrase("OK: {what}  PASS: rule", what=what),)
        return (phrase("OK: {what}", what=what),)

    def _holding_screen(self, view: View[LineBoard]) -> KeyHolding:
        seat = open_claim(view).claim.accused
        return KeyHolding(seat, claim=True, tiles=not self._is_proven(view))

    def handle_ok(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        return Outcome(self._holding_screen(view))

    def handle_press(self, view: View[LineBoard], press: Press) -> Outcome[LineBoard]:
        """Refuses digits from other seats' keypads, which would get mixed up with the accused's
        tiles. If the setting `keypads` lets anyone press, accepts them."""
        accused = open_claim(view).claim.accused
        strange = press.seat not in (None, accused) and view.settings.get("keypads") != "anyone"
        if strange and press.key.digit is not None:
            says = phrase(
                "{accused} shows the tiles: {seat} waits.",
                accused=display_name(accused),
                seat=display_name(press.seat or ""),
            )
            return Outcome(self, refused=says)
        return self.press(view, press.key)

    def digit(self, view: View[LineBoard], digit: int) -> Outcome[LineBoard]:
        return self._holding_screen(view).digit(view, digit)

    def rule(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """PASS opens the table's ruling, made without seeing the holding."""
        return Outcome(AskRuling(unseen=True) if self._may_table_rule(view) else self)

    def back(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        return offer_undo(view, self)

    def key_bindings(self) -> Actions[LineBoard]:
        return {**PagedText.key_bindings(self), Key.PASS: self.rule}


@dataclass(frozen=True, slots=True)
class AskRuling(ClaimScreen):
    """Asks for the table's ruling: 1 for bogus, 2 for clear. `unseen`: whether the table hasn't
    seen the holding."""

    unseen: bool = False

    digits: ClassVar = range(1, 3)

    def keys(self, view: View[LineBoard]) -> tuple[Key, ...]:
        return (Key.D1, Key.D2, *self.more_keys(view), Key.BACK, Key.MENU)

    def digit(self, view: View[LineBoard], digit: int) -> Outcome[LineBoard]:
        """Stores the ruling: 1 for bogus, 2 for clear. The payment for bogus needs a holding, so if
        none is known, asks for its pips first."""
        claim = open_claim(view).claim
        ruled = CallRuled(claim.accused, bogus=digit == 1)
        after = try_entry(view, ruled)
        if not isinstance(after, RuleError):
            return keep_in_call(view, after, ruled)
        if ruled.bogus and may_rule(view, bogus=True):
            return Outcome(KeyHolding(claim.accused, claim=True, tiles=False))
        return Outcome(Note(after.why, self))

    def back(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """BACK returns to the verdict if the holding is `unseen`; otherwise it offers to take back
        the last entry."""
        return Outcome(None) if self.unseen else offer_undo(view, self)

    def key_bindings(self) -> Actions[LineBoard]:
        return {Key.DRAW: self.next_page, Key.BACK: self.back}

    def foot(self, view: View[LineBoard]) -> tuple[str, ...]:
        claim = open_claim(view).claim
        bogus = try_entry(view, CallRuled(claim.accused, bogus=True))
        clear = try_entry(view, CallRuled(claim.accused, bogus=False))
        pays = (
            phrase(": key pips") if isinstance(bogus, RuleError) else _price_in_words(bogus.effect)
        )
        costs = 0 if isinstance(clear, RuleError) else clear.effect.points
        price = (
            phrase("{seat} pays {costs}", seat=display_name(claim.by), costs=costs)
            if costs
            else _what_follows(view)
        )
        return (phrase("1 Bogus{pays}", pays=pays), phrase("2 Clear: {price}", price=price))


@dataclass(frozen=True, slots=True)
class ShowRuling(PagedText[LineBoard]):
    """The record has closed the call: the verdict, the reason, and the chips to move. OK or the
    first digit of the next play continues the hand. PASS overrules the record, if a house rule lets
    the table do so."""

    after: Callable[[View[LineBoard]], Screen[LineBoard]]
    """Returns the next screen: the one for the current state of the game."""

    digits: ClassVar = range(10)
    shows_table: ClassVar = True

    def keys(self, view: View[LineBoard]) -> tuple[Key, ...]:
        """Returns OK, PASS if the table may overrule, DRAW if there is more to read, and the other
        keys."""
        overrule = (Key.PASS,) if self._may_overrule(view) else ()
        return (Key.OK, *overrule, *self.more_keys(view), Key.BACK, Key.BOGUS, Key.MENU)

    def _overruling_entry(self, view: View[LineBoard]) -> CallRuled:
        ruling = _last_ruling(view)
        return CallRuled(ruling.seat, bogus=ruling.result is RulingResult.CLEAR)

    def _may_overrule(self, view: View[LineBoard]) -> bool:
        return view.state.options.get("table-overrules") == "on"

    def handle_ok(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        return Outcome(self.after(view))

    def digit(self, view: View[LineBoard], digit: int) -> Outcome[LineBoard]:
        return self.after(view).press(view, Key(str(digit)))

    def overrule(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """PASS overrules the record."""
        if not self._may_overrule(view):
            return Outcome(self)
        after = try_entry(view, self._overruling_entry(view))
        if isinstance(after, RuleError):
            return Outcome(Note(after.why, self))
        return keep_in_call(view, after, self._overruling_entry(view))

    def back(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        return offer_undo(view, self)

    def key_bindings(self) -> Actions[LineBoard]:
        return {**PagedText.key_bindings(self), Key.PASS: self.overrule}

    def sentences(self, view: View[LineBoard]) -> tuple[str, ...]:
        claim, effect = open_claim(view), view.state.effect
        pays = tuple(_payment_line(view, payment) for payment in effect.payments)
        goes_on = (
            ""
            if _last_ruling(view).result is RulingResult.BOGUS
            else phrase("So {goes_on}.", goes_on=_what_follows(view))
        )
        return (
            *pays,
            goes_on,
            phrase("{charge}.", charge=claim_in_words(claim)),
            claim_evidence(claim, view.state),
        )

    def foot(self, view: View[LineBoard]) -> tuple[str, ...]:
        return (
            phrase("OK  PASS: overrule")
            if self._may_overrule(view)
            else phrase("By the record   OK"),
        )

    def title(self, view: View[LineBoard]) -> str:
        ruling = _last_ruling(view)
        return phrase(
            "{seat} is {result}: {verdict}",
            seat=ruling.seat,
            result=ruling.result,
            verdict=ruling.verdict,
        )


def _last_ruling(view: View[LineBoard]) -> Ruling:
    ruling = ruling_of(view.state)
    assert ruling is not None, "shown only when the record has closed a claim"
    return ruling


def _payment_line(view: View[LineBoard], payment: Payment) -> str:
    """Returns who pays whom, and in which chips: “RED pays BLUE 50: 5×10”."""
    chips = listed(filter(None, [exchange_in_short(payment), view.colour(payment.payer)]), " ")
    pays = listed([who_pays(payment, view.language), abs(payment.points)], " ")
    return phrase("{pays}: {chips}", pays=pays, chips=chips) if chips else pays


def _price_in_words(effect: Effect) -> str:
    """Returns what a bogus ruling would cost the accused, as the end of a sentence: “: pays 50” if
    other seats get the points, otherwise “: loses 50”."""
    bogus = (paid.points for paid in effect.payments if paid.why is Penalty.BOGUS)
    paid = next(bogus, effect.points)
    return phrase(": loses {paid}", paid=-paid) if paid < 0 else phrase(": pays {paid}", paid=paid)


def _what_follows(view: View[LineBoard]) -> str:
    """Returns a sentence about how the hand continues if the call was wrong."""
    hand = view.state.board.hand
    playing = hand is not None and hand.round.playing
    return phrase("the hand goes on") if playing else phrase("everything stays as it was")
