"""Between hands: what the last one paid, who shuffles, draws and leads. OK deals."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from companion.console.frame import Canvas
from companion.console.holding import tile_lines
from companion.console.layout import TableLayout, draw_refusal, draw_table
from companion.console.line.proofs import aloud, mark
from companion.console.screen import Actions, Outcome, Screen, View, keep, would_be
from companion.console.screens.undo import offer_undo
from companion.console.words import numbered, scores_of, settled, who_pays
from companion.core.errors import RuleError
from companion.core.keys import Key
from companion.core.seats import Seat, shown
from companion.core.words import listed, phrase
from companion.games.entries import Dealt
from companion.games.entry import Payment
from companion.games.game import State
from companion.games.line.game import LineGame
from companion.games.line.hand import BIG_6, LineBoard, hand_of
from companion.games.line.line import TILE_SET
from companion.games.settlement import HandsEnd
from companion.presentation.line.sayings import pips_of
from companion.presentation.short import which_chips


@dataclass(frozen=True, slots=True)
class BetweenHands(Screen[LineBoard]):
    """The hand is settled, or none is dealt yet. If the rules don't say who leads, a digit does."""

    rules: LineGame[Any]
    why_not: str | None = None

    digits: ClassVar = range(1, 10)
    plays: ClassVar = True
    hand_is_over: ClassVar = True

    def keys(self, view: View[LineBoard]) -> tuple[Key, ...]:
        """OK, a digit for each seat if the lead is asked for, and the rest."""
        seats = tuple(Key(str(1 + number)) for number in range(len(view.state.seats)))
        return (*(seats if asks_lead(view) else ()), Key.OK, Key.BACK, Key.BOGUS, Key.MENU)

    def deal(self, view: View[LineBoard], lead: Seat | None = None) -> Outcome[LineBoard]:
        """Deals the next hand, or says why not. `lead`: the seat that leads; None: by the rules."""
        after = would_be(view, Dealt(lead))
        if isinstance(after, RuleError):
            return Outcome(replace(self, why_not=after.why))
        return keep(Dealt(lead))

    def accept(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """OK deals the next hand."""
        return self.deal(view)

    def digit(self, view: View[LineBoard], digit: int) -> Outcome[LineBoard]:
        """Deals the next hand, led by the seat with this digit, if the lead is asked for."""
        seats = view.state.seats.order
        asked = asks_lead(view) and digit <= len(seats)
        return self.deal(view, seats[digit - 1]) if asked else Outcome(self)

    def back(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """BACK offers to take back the last entry."""
        return offer_undo(view, replace(self, why_not=None))

    def too_early(self, _view: View[LineBoard]) -> Outcome[LineBoard]:
        """DRAW and PASS are refused, as there is nothing to draw from yet."""
        return Outcome(
            replace(self, why_not=phrase("The next hand is not dealt yet: OK deals it."))
        )

    def on(self) -> Actions[LineBoard]:
        return {
            Key.OK: self.accept,
            Key.BACK: self.back,
            Key.DRAW: self.too_early,
            Key.PASS: self.too_early,
        }

    def draw(self, view: View[LineBoard], canvas: Canvas) -> None:
        """The payment, and what to do next."""
        draw_table(canvas, between_table(view, self.rules))
        if self.why_not:
            draw_refusal(canvas, self.why_not, phrase("OK: deal  MENU: more"))


def asks_lead(view: View[LineBoard]) -> bool:
    """Whether the table has to say who leads: before the first hand of a rematch in which the lead
    rotates."""
    state = view.state
    rotates = state.options.get("rotate-lead") == "on" and view.game.opened.after is not None
    return rotates and state.board.hand is None


def between_table(view: View[LineBoard], rules: LineGame[Any]) -> TableLayout:
    """The layout of the screen between hands."""
    state = view.state
    paid = state.effect.payments[-1] if state.effect.payments else None
    seat, need, ends = _next_hand(view, rules, paid)
    tiles, pips = _shown(state, paid)
    seats = [numbered(number, seat) for number, seat in enumerate(state.seats, 1)]
    asked = (listed(seats[:2], "   "), listed(seats[2:], "   ")) if asks_lead(view) else ()
    return TableLayout(
        seat=seat,
        number=str(abs(paid.points)) if paid else "",
        label=(phrase("pays") if paid.payer else phrase("points")) if paid else "",
        need=need,
        ends=ends,
        way=phrase("tiles") if tiles else phrase("pips") if pips else "" if asked else "OK",
        tiles=tile_lines(tiles, TILE_SET.halves) if tiles else asked,
        keyed=pips if pips else "" if paid else phrase("DEAL"),
        chips=which_chips(paid) if paid else "",
        say=_settled(view, paid),
        scores=scores_of(state),
        pays=paid is not None,
        mark="" if asked else mark(view),
        second=aloud(view),
    )


def _next_hand(
    view: View[LineBoard], rules: LineGame[Any], paid: Payment | None
) -> tuple[str, str, str]:
    """The three lines at the top left: the headline, who shuffles, and who won and leads."""
    state = view.state
    hand, lead = state.board.hand, shown(str(state.board.next_lead))
    shuffles = rules.shuffler(state)
    if asks_lead(view):
        return phrase("Who leads?"), phrase("Key that seat's digit,"), phrase("or OK to call Big 6")
    if hand is None:
        return (
            phrase("Shuffle"),
            phrase("draw {deal} each; the", deal=state.options.get("deal")),
            phrase("highest double leads"),
        )
    won = shown(hand.round.winner) if hand.round.winner else ""
    payer = paid.payer if paid else shuffles
    headline = shown(payer or str(shuffles or won or phrase("Shuffle")))
    if state.board.next_lead == BIG_6:
        return (
            headline,
            phrase("Shuffle. OK: deal"),
            phrase("{seat} wins; Big 6", seat=won) if won else phrase("highest double leads"),
        )
    leads = (
        phrase("{seat} wins and leads", seat=won)
        if won == lead
        else phrase("{seat} leads", seat=lead)
    )
    return headline, _shuffles(headline, shuffles), leads


def _shuffles(headline: str, seat: Seat | None) -> str:
    """The line that says who shuffles, if the rules say who, and which key deals."""
    if seat is None:
        return phrase("OK: deal")
    if headline == shown(seat):
        return phrase("shuffles. OK: deal")
    return phrase("{seat} shuffles. OK: deal", seat=shown(seat))


def _shown(state: State[LineBoard], paid: Payment | None) -> tuple[tuple[int, ...], str]:
    """What the payer showed for a payment at the hand's end: the halves of its tiles, or its pips.
    Both are empty without such a payment."""
    if paid is None or paid.payer is None or not isinstance(paid.why, HandsEnd):
        return (), ""
    holding = hand_of(state).round.shown[paid.payer]
    assert holding is not None, "what was paid for was shown"
    if holding.tiles is None:
        return (), str(holding.pips)
    return tuple(half for tile in holding.tiles for half in (tile.low, tile.high)), ""


def _settled(view: View[LineBoard], paid: Payment | None) -> str:
    state = view.state
    if paid is None:
        hand = state.board.hand
        return phrase("Nobody is paid") if hand is not None else ""
    if isinstance(paid.why, HandsEnd):
        return settled(pips_of(state, paid), paid, view.colour(paid.payer), view.language)
    taken_back = -sum(payment.points for payment in state.effect.payments if payment.points < 0)
    if not taken_back:
        return who_pays(paid, view.language)
    return phrase(
        "{pays}, {taken_back} went back", pays=who_pays(paid, view.language), taken_back=taken_back
    )
