"""The screens on which a call of bogus play is heard: what the record says of it and why, then the
ruling, by the record or by the table."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from companion.console.line.holding import KeyHolding, keep_in_call
from companion.console.paged import Paged
from companion.console.screen import Actions, Outcome, Screen, View, would_be
from companion.console.screens.note import Note
from companion.console.screens.undo import offer_undo
from companion.console.words import who_pays
from companion.core.errors import RuleError
from companion.core.keys import Key, Press
from companion.core.seats import shown
from companion.core.words import listed, ordinal, phrase
from companion.games.bogus.board import JudgedClaim, judged_claim, ruling_of
from companion.games.bogus.verdict import Ruling, RulingResult, VerdictKind
from companion.games.entry import Effect, Payment
from companion.games.line.hand import LineBoard
from companion.games.penalties import Penalty, Ruled
from companion.presentation.line.sayings import charge_of, deed, evidence_of
from companion.presentation.payments import which_chips


def heard_now(view: View[LineBoard]) -> JudgedClaim:
    """The claim that is open or was closed just now."""
    claim = judged_claim(view.state)
    assert claim is not None, "shown only while a claim is heard"
    return claim


def _go(claim: JudgedClaim) -> str:
    if claim.turn is None:
        return phrase("{seat} called", seat=claim.claim.accused)
    return phrase(
        "{seat}'s {which} go", seat=claim.turn.seat, which=ordinal(claim.hand.go_of(claim.turn))
    )


def _called(claim: JudgedClaim) -> str:
    if claim.turn is None:
        return phrase("{caller} calls a draw or pass.", caller=claim.claim.by)
    return phrase(
        "{caller} calls the {deed}.", caller=claim.claim.by, deed=deed(claim.hand, claim.turn)
    )


def may_rule(view: View[LineBoard], bogus: bool) -> bool:
    """Whether the table may rule this way. Against what the record has proven it may only with the
    option `table-overrules`. The holding need not be known yet."""
    claim = heard_now(view).claim
    against = claim.verdict.kind is (VerdictKind.EXCLUDED if bogus else VerdictKind.PROVEN)
    return not against or view.state.options.get("table-overrules") == "on"


@dataclass(frozen=True, slots=True)
class ShowVerdict(Paged[LineBoard]):
    """What the record says of an open claim, before the accused has shown anything. OK asks for the
    tiles that the accused holds, or, if the bogus play is proven, for their pips."""

    digits: ClassVar = range(10)
    plays: ClassVar = True

    def keys(self, view: View[LineBoard]) -> tuple[Key, ...]:
        """OK, PASS if the table may rule, DRAW if there is more to read, and the rest."""
        rules = (Key.PASS,) if self._rules(view) else ()
        return (Key.OK, *rules, *self.more_keys(view), Key.BACK, Key.MENU)

    def _proven(self, view: View[LineBoard]) -> bool:
        return heard_now(view).claim.verdict.kind is VerdictKind.PROVEN

    def _rules(self, view: View[LineBoard]) -> bool:
        return not self._proven(view) or may_rule(view, bogus=False)

    def sentences(self, view: View[LineBoard]) -> tuple[str, ...]:
        claim = heard_now(view)
        return (_called(claim), evidence_of(claim, view.state))

    def foot(self, view: View[LineBoard]) -> tuple[str, ...]:
        what = phrase("key pips") if self._proven(view) else phrase("tiles")
        if self._rules(view):
            return (phrase("OK: {what}  PASS: rule", what=what),)
        return (phrase("OK: {what}", what=what),)

    def _holding(self, view: View[LineBoard]) -> KeyHolding:
        seat = heard_now(view).claim.accused
        return KeyHolding(seat, claim=True, tiles=not self._proven(view))

    def accept(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """OK: asks what the accused holds."""
        return Outcome(self._holding(view))

    def pressed(self, view: View[LineBoard], press: Press) -> Outcome[LineBoard]:
        """Refuses digits from another seat's keypad, as they would be mixed with the tiles that the
        accused keys; unless the setting `keypads` lets anyone press."""
        accused = heard_now(view).claim.accused
        strange = press.seat not in (None, accused) and view.settings.get("keypads") != "anyone"
        if strange and press.key.digit is not None:
            says = phrase(
                "{accused} shows the tiles: {seat} waits.",
                accused=shown(accused),
                seat=shown(press.seat or ""),
            )
            return Outcome(self, refused=says)
        return self.press(view, press.key)

    def digit(self, view: View[LineBoard], digit: int) -> Outcome[LineBoard]:
        """A digit begins the holding; no OK is needed before."""
        return self._holding(view).digit(view, digit)

    def rule(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """PASS: the table rules without seeing the holding."""
        return Outcome(AskRuling(unseen=True) if self._rules(view) else self)

    def back(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """BACK offers to take the call back."""
        return offer_undo(view, self)

    def on(self) -> Actions[LineBoard]:
        return {Key.OK: self.accept, Key.PASS: self.rule, Key.DRAW: self.more, Key.BACK: self.back}

    def title(self, view: View[LineBoard]) -> str:
        claim = heard_now(view)
        return phrase("{verdict}: {go}", verdict=claim.claim.verdict.kind, go=_go(claim))


@dataclass(frozen=True, slots=True)
class AskRuling(Paged[LineBoard]):
    """The table rules: 1 bogus, 2 clear. `unseen`: without having seen the holding."""

    unseen: bool = False

    digits: ClassVar = range(1, 3)
    plays: ClassVar = True

    def keys(self, view: View[LineBoard]) -> tuple[Key, ...]:
        """The two rulings, DRAW if there is more to read, and the rest."""
        return (Key.D1, Key.D2, *self.more_keys(view), Key.BACK, Key.MENU)

    def digit(self, view: View[LineBoard], digit: int) -> Outcome[LineBoard]:
        """Keeps the ruling, 1 bogus or 2 clear. A bogus play can't be paid without a holding, so
        the pips are asked for if none is known."""
        claim = heard_now(view).claim
        ruled = Ruled(claim.accused, bogus=digit == 1)
        after = would_be(view, ruled)
        if not isinstance(after, RuleError):
            return keep_in_call(view, after, ruled)
        if ruled.bogus and may_rule(view, bogus=True):
            return Outcome(KeyHolding(claim.accused, claim=True, tiles=False))
        return Outcome(Note(after.why, self))

    def back(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """BACK leads to the verdict if the holding is `unseen`; else it offers to take back the
        last entry."""
        return Outcome(None) if self.unseen else offer_undo(view, self)

    def on(self) -> Actions[LineBoard]:
        return {Key.DRAW: self.more, Key.BACK: self.back}

    def sentences(self, view: View[LineBoard]) -> tuple[str, ...]:
        claim = heard_now(view)
        return (_called(claim), evidence_of(claim, view.state))

    def foot(self, view: View[LineBoard]) -> tuple[str, ...]:
        claim = heard_now(view).claim
        bogus = would_be(view, Ruled(claim.accused, bogus=True))
        clear = would_be(view, Ruled(claim.accused, bogus=False))
        pays = phrase(": key pips") if isinstance(bogus, RuleError) else _price(bogus.effect)
        costs = 0 if isinstance(clear, RuleError) else clear.effect.points
        price = (
            phrase("{seat} pays {costs}", seat=shown(claim.by), costs=costs)
            if costs
            else _goes_on(view)
        )
        return (phrase("1 Bogus{pays}", pays=pays), phrase("2 Clear: {price}", price=price))

    def title(self, view: View[LineBoard]) -> str:
        claim = heard_now(view)
        return phrase("{verdict}: {go}", verdict=claim.claim.verdict.kind, go=_go(claim))


@dataclass(frozen=True, slots=True)
class Settled(Paged[LineBoard]):
    """The record has closed the call: the verdict, the reason, and the chips to move. OK or the
    first digit of the next lay goes on with the hand. PASS overrules the record, if a house rule
    lets the table do so."""

    after: Callable[[View[LineBoard]], Screen[LineBoard]]
    """Gives the screen that follows: the one that the game itself asks for now."""

    digits: ClassVar = range(10)
    plays: ClassVar = True

    def keys(self, view: View[LineBoard]) -> tuple[Key, ...]:
        """OK, PASS if the table may overrule, DRAW if there is more to read, and the rest."""
        overrule = (Key.PASS,) if self._may_overrule(view) else ()
        return (Key.OK, *overrule, *self.more_keys(view), Key.BACK, Key.BOGUS, Key.MENU)

    def _overruling(self, view: View[LineBoard]) -> Ruled:
        ruling = _ruling(view)
        return Ruled(ruling.seat, bogus=ruling.result is RulingResult.CLEAR)

    def _may_overrule(self, view: View[LineBoard]) -> bool:
        return view.state.options.get("table-overrules") == "on"

    def accept(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """OK goes on with the game."""
        return Outcome(self.after(view))

    def digit(self, view: View[LineBoard], digit: int) -> Outcome[LineBoard]:
        """A digit begins the next lay; no OK is needed before."""
        return self.after(view).press(view, Key(str(digit)))

    def overrule(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """PASS: the table rules against the record."""
        if not self._may_overrule(view):
            return Outcome(self)
        after = would_be(view, self._overruling(view))
        if isinstance(after, RuleError):
            return Outcome(Note(after.why, self))
        return keep_in_call(view, after, self._overruling(view))

    def back(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """BACK offers to take the call back, with all that belongs to it."""
        return offer_undo(view, self)

    def on(self) -> Actions[LineBoard]:
        return {
            Key.OK: self.accept,
            Key.PASS: self.overrule,
            Key.DRAW: self.more,
            Key.BACK: self.back,
        }

    def sentences(self, view: View[LineBoard]) -> tuple[str, ...]:
        claim, effect = heard_now(view), view.state.effect
        pays = tuple(_pays(view, payment) for payment in effect.payments)
        goes_on = (
            ""
            if _ruling(view).result is RulingResult.BOGUS
            else phrase("So {goes_on}.", goes_on=_goes_on(view))
        )
        return (
            *pays,
            goes_on,
            phrase("{charge}.", charge=charge_of(claim)),
            evidence_of(claim, view.state),
        )

    def foot(self, view: View[LineBoard]) -> tuple[str, ...]:
        return (
            phrase("OK  PASS: overrule")
            if self._may_overrule(view)
            else phrase("By the record   OK"),
        )

    def title(self, view: View[LineBoard]) -> str:
        ruling = _ruling(view)
        return phrase(
            "{seat} is {result}: {verdict}",
            seat=ruling.seat,
            result=ruling.result,
            verdict=ruling.verdict,
        )


def _ruling(view: View[LineBoard]) -> Ruling:
    ruling = ruling_of(view.state)
    assert ruling is not None, "shown only when the record has closed a claim"
    return ruling


def _pays(view: View[LineBoard], payment: Payment) -> str:
    """“RED pays BLUE 50: 5×10”"""
    chips = listed(filter(None, [which_chips(payment), view.colour(payment.payer)]), " ")
    pays = listed([who_pays(payment, view.language), abs(payment.points)], " ")
    return phrase("{pays}: {chips}", pays=pays, chips=chips) if chips else pays


def _price(effect: Effect) -> str:
    """What a bogus ruling would cost the accused: “: pays 50” to others, or “: loses 50”."""
    bogus = (paid.points for paid in effect.payments if paid.why is Penalty.BOGUS)
    paid = next(bogus, effect.points)
    return phrase(": loses {paid}", paid=-paid) if paid < 0 else phrase(": pays {paid}", paid=paid)


def _goes_on(view: View[LineBoard]) -> str:
    """What becomes of the hand if nobody was bogus."""
    hand = view.state.board.hand
    playing = hand is not None and hand.round.playing
    return phrase("the hand goes on") if playing else phrase("everything stays as it was")
