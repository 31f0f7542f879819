"""The call for the highest double, which its holder leads."""

from typing import ClassVar

from companion.console.frame import Canvas
from companion.console.keyed import Refusing
from companion.console.layout import TableLayout, draw_table
from companion.console.screen import Actions, Outcome, View, keep, would_be
from companion.console.screens.undo import offer_undo
from companion.console.words import numbered, scores_of
from companion.core.errors import RuleError
from companion.core.keys import Key, Press
from companion.core.seats import Seat, shown
from companion.core.values import dataclass
from companion.core.words import AND, listed, phrase
from companion.games.entries import Redealt
from companion.games.line.hand import LineBoard, hand_of
from companion.games.line.laid import Laid
from companion.games.line.line import TILE_SET
from companion.presentation.refusals import worded

HEAVIEST = tuple(
    sorted(
        ((tile.high, tile.low) for tile in TILE_SET.tiles if not tile.is_double),
        key=lambda tile: (sum(tile), tile[0]),
        reverse=True,
    )
)
"""The tiles that are no doubles, the heaviest first."""


@dataclass(frozen=True, slots=True)
class BigSix(Refusing[LineBoard]):
    """Asks who holds 6-6: a digit names the seat; PASS means nobody and goes on to 5-5, and so
    down. After 0-0 (`double` -1) the deal is repeated or, where the house then leads the heaviest
    tile, that one is asked for, from 6-5 down. PASS on a seat's own keypad speaks for that seat
    alone; `without` are the seats that have said so."""

    double: int = TILE_SET.highest
    without: frozenset[Seat] = frozenset()

    digits: ClassVar = range(1, 10)
    plays: ClassVar = True

    def tile(self, view: View[LineBoard]) -> tuple[int, int] | None:
        """The tile that is asked for; None: the deal is repeated."""
        if self.double >= 0:
            return self.double, self.double
        place = -1 - self.double
        heaviest = not hand_of(view.state).big_6 and place < len(HEAVIEST)
        return HEAVIEST[place] if heaviest else None

    def keys(self, view: View[LineBoard]) -> tuple[Key, ...]:
        """One digit a seat, nobody, redeal, and the rest."""
        seats = tuple(Key(str(1 + number)) for number in range(len(view.state.seats)))
        tile = self.tile(view)
        asked = (*seats, Key.PASS) if tile else ()
        ok = (Key.OK,) if not tile or self.why_not is not None else ()
        return (*asked, *ok, Key.BACK, Key.BOGUS, Key.MENU)

    def digit(self, view: View[LineBoard], digit: int) -> Outcome[LineBoard]:
        """That seat holds the double and leads it."""
        seats = view.state.seats.order
        return self._lays(view, seats[digit - 1]) if digit <= len(seats) else Outcome(self)

    def pressed(self, view: View[LineBoard], press: Press) -> Outcome[LineBoard]:
        """OK on a seat's own keypad: I do; PASS: I don't."""
        if self.why_not is not None:
            return self.press(view, press.key)
        mine = press.key is Key.OK and press.seat in view.state.seats
        if mine and press.seat is not None:
            return self._lays(view, press.seat)
        if press.key is Key.PASS and press.seat in view.state.seats and self.tile(view):
            return self._has_not(view, press.seat)
        return self.press(view, press.key)

    def _has_not(self, view: View[LineBoard], seat: Seat | None) -> Outcome[LineBoard]:
        """Notes that the seat doesn't hold the double; once all have said so, asks for the next."""
        without = self.without | ({seat} if seat else set())
        missing = [shown(one) for one in view.state.seats if one not in without]
        if not missing:
            return self.nobody(view)
        if seat in self.without:
            others = listed(missing, last=AND)
            return Outcome(
                self,
                refused=phrase(
                    "{seat} has passed: {others} must, too.", seat=shown(seat or ""), others=others
                ),
            )
        return Outcome(BigSix(self.double, without=without))

    def _lays(self, view: View[LineBoard], seat: Seat) -> Outcome[LineBoard]:
        tile = self.tile(view)
        if tile is None:
            return Outcome(self)
        laid = Laid(seat, tile)
        after = would_be(view, laid)
        if isinstance(after, RuleError):
            return BigSix(self.double).refuse(worded(after))
        return keep(laid)

    def nobody(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """PASS: nobody holds this one."""
        return Outcome(BigSix(self.double - 1) if self.tile(view) else self)

    def redeal(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """OK, once nobody holds any double: everybody draws anew."""
        return Outcome(self) if self.tile(view) else keep(Redealt())

    def back(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """BACK: the double before, or the last entry."""
        if self.double < TILE_SET.highest:
            return Outcome(BigSix(self.double + 1))
        return offer_undo(view, self)

    def on(self) -> Actions[LineBoard]:
        return {Key.OK: self.redeal, Key.PASS: self.nobody, Key.BACK: self.back}

    def draw(self, view: View[LineBoard], canvas: Canvas) -> None:
        """The double large, the seats by digit, and who has said that they don't hold it."""
        state = view.state
        need = phrase("Nobody holds a double.")
        if self.double >= 0:
            need = phrase("Who holds the big {double}?", double=self.double)
        names = listed((shown(seat) for seat in state.seats if seat in self.without), " ")
        said = phrase("Not {names}", names=names) if names else phrase("PASS: nobody")
        seats = [numbered(n, seat) for n, seat in enumerate(state.seats, 1)]
        tile = self.tile(view)
        asked = tile is not None
        table = TableLayout(
            seat=f"{tile[0]}-{tile[1]}?" if tile else phrase("Redeal"),
            need=need,
            ends=phrase("It leads the hand.") if asked else phrase("Shuffle and draw anew."),
            tiles=(listed(seats[:2], "   "), listed(seats[2:], "   ")) if asked else (),
            say=said if asked else phrase("OK: done"),
            scores=scores_of(state),
        )
        draw_table(canvas, table)
        self.draw_why_not(canvas)
