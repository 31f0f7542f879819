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

HEAVIEST = tuple(
    sorted(
        ((tile.high, tile.low) for tile in TILE_SET.tiles if not tile.is_double),
        key=lambda tile: (sum(tile), tile[0]),
        reverse=True,
    )
)
"""The tiles other than doubles as pairs of halves, the heaviest first."""


@dataclass(frozen=True, slots=True)
class BigSix(Refusing[LineBoard]):
    """Asks who holds 6-6. A digit names the seat; PASS means nobody, and asks for 5-5, and so on
    down to 0-0. After 0-0 (`double` -1 and less) the deal is repeated; if the house rules have the
    heaviest tile led, that one is asked for, from 6-5 down. PASS on a seat's own keypad means only
    that this seat doesn't hold the tile; `without`: the seats that have said so."""

    double: int = TILE_SET.highest
    without: frozenset[Seat] = frozenset()

    digits: ClassVar = range(1, 10)
    plays: ClassVar = True

    def tile(self, view: View[LineBoard]) -> tuple[int, int] | None:
        """The tile that is asked for, as two halves; None: the deal is repeated."""
        if self.double >= 0:
            return self.double, self.double
        place = -1 - self.double
        heaviest = not hand_of(view.state).big_6 and place < len(HEAVIEST)
        return HEAVIEST[place] if heaviest else None

    def keys(self, view: View[LineBoard]) -> tuple[Key, ...]:
        """A digit for each seat and PASS (nobody) while a tile is asked for; OK for a redeal or
        after a refusal; and the other keys of the screen."""
        seats = tuple(Key(str(1 + number)) for number in range(len(view.state.seats)))
        tile = self.tile(view)
        asked = (*seats, Key.PASS) if tile else ()
        ok = (Key.OK,) if not tile or self.why_not is not None else ()
        return (*asked, *ok, Key.BACK, Key.BOGUS, Key.MENU)

    def digit(self, view: View[LineBoard], digit: int) -> Outcome[LineBoard]:
        """The seat with this digit holds the tile and leads it."""
        seats = view.state.seats.order
        return self._lays(view, seats[digit - 1]) if digit <= len(seats) else Outcome(self)

    def pressed(self, view: View[LineBoard], press: Press) -> Outcome[LineBoard]:
        """On a seat's own keypad OK means that this seat holds the tile, PASS that it doesn't."""
        if self.why_not is not None:
            return self.press(view, press.key)
        mine = press.key is Key.OK and press.seat in view.state.seats
        if mine and press.seat is not None:
            return self._lays(view, press.seat)
        if press.key is Key.PASS and press.seat in view.state.seats and self.tile(view):
            return self._has_not(view, press.seat)
        return self.press(view, press.key)

    def _has_not(self, view: View[LineBoard], seat: Seat | None) -> Outcome[LineBoard]:
        """Notes that the seat doesn't hold the tile. Once all have said so, asks for the next one;
        a seat that says so again reads whose answer is missing."""
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
            return BigSix(self.double).refuse(after.why)
        return keep(laid)

    def nobody(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """PASS: nobody holds this tile. Asks for the next one."""
        return Outcome(BigSix(self.double - 1) if self.tile(view) else self)

    def redeal(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """OK, once no tile is left to ask for: everybody draws anew."""
        return Outcome(self) if self.tile(view) else keep(Redealt())

    def back(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """BACK asks for the tile before; at 6-6 it offers to take back the last entry."""
        if self.double < TILE_SET.highest:
            return Outcome(BigSix(self.double + 1))
        return offer_undo(view, self)

    def on(self) -> Actions[LineBoard]:
        return {Key.OK: self.redeal, Key.PASS: self.nobody, Key.BACK: self.back}

    def draw(self, view: View[LineBoard], canvas: Canvas) -> None:
        """Draws the tile large, the seats with their digits, and the seats that don't hold it."""
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
