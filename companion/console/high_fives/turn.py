"""A turn, told by its tile or by its points."""

from dataclasses import replace
from typing import ClassVar

from companion.console.frame import Canvas
from companion.console.high_fives.captures import take
from companion.console.high_fives.drawing import Beside, Words, draw_words
from companion.console.high_fives.entry_way import by_points, mover
from companion.console.high_fives.halves import KeyedTiles, format_tile
from companion.console.keyed import Digits, Keyed
from companion.console.layout import draw_question
from companion.console.screen import Actions, Outcome, View, keep, would_be
from companion.console.screens.undo import offer_undo
from companion.console.words import LOST
from companion.core.errors import RuleError
from companion.core.keys import Key
from companion.core.seats import Seat, shown
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.high_fives.entries import WORTH, PointsTold, PutDown
from companion.games.high_fives.rules import (
    HighFivesState,
    TableauBoard,
    held,
    must_take,
    sizes_of,
)
from companion.games.high_fives.tableau import pairs_in, takes_for, worth_of
from companion.games.tiles import Tile
from companion.presentation.high_fives.short import captured, what_lies
from companion.presentation.refusals import worded

KEY_IT = "Key both halves, then OK. DRAW is ten more: DRAW 5 is 15."
NO_PASS = "Nobody passes here: each turn lays a tile."


@dataclass(frozen=True, slots=True)
class LayTile(KeyedTiles):
    """Whose turn it is; the tile that is keyed, and what it takes. `nothing`: 0 was pressed, it
    takes nothing. `read`: what the last turn took is not told any more, OK has taken it off.
    `lead`: the table says that this seat leads, where the deal did not."""

    nothing: bool = False
    read: bool = False
    lead: Seat | None = None

    plays: ClassVar = True

    def whose(self, view: View[TableauBoard]) -> Seat:
        """Whose turn it is."""
        return self.lead or mover(view)

    def with_digits(self, keyed: Digits) -> "LayTile":
        return replace(self, keyed=keyed, why_not=None, nothing=False)

    def beyond(self, view: View[TableauBoard], digit: int) -> Outcome[TableauBoard]:
        """0 behind a tile: it takes nothing; once more: it does."""
        if digit == 0 and takes_for(view.state.board.table, self.tiles[0]):
            return Outcome(replace(self, nothing=not self.nothing))
        return Outcome(self, refused=phrase("OK first: {tile} is keyed.", tile=self.tiles[0]))

    def accept(self, view: View[TableauBoard]) -> Outcome[TableauBoard]:
        """OK: the tile is laid. It takes the one that it can; of several, it is asked which."""
        if not self.tiles:
            told = not self.keyed and not self.read and any(last_turn(view.state))
            return Outcome(replace(self, read=True)) if told else self.refuse(KEY_IT)
        refused = self._refused(view)
        if refused is not None:
            return self.refuse(refused)
        return take(view, PutDown(self.whose(view), self.tiles[0]), self, nothing=self.nothing)

    def _refused(self, view: View[TableauBoard]) -> str | None:
        """Why the tile can't be laid."""
        must = () if self.nothing else must_take(view.state, self.tiles[0])
        after = would_be(view, PutDown(self.whose(view), self.tiles[0], next(iter(must), None)))
        return worded(after) if isinstance(after, RuleError) else None

    def held(self, view: View[TableauBoard], key: Key) -> Outcome[TableauBoard]:
        """OK held on a tile that is refused: the turn is told by its points."""
        refused = key is Key.OK and self.tiles and self._refused(view)
        return Outcome(TellPoints(lead=self.lead)) if refused else Outcome(self)

    def no_pass(self, _view: View[TableauBoard]) -> Outcome[TableauBoard]:
        """PASS: nobody does."""
        return Outcome(self, refused=NO_PASS)

    def leave(self, view: View[TableauBoard]) -> Outcome[TableauBoard]:
        """BACK without digits offers to take back the last entry; or asks again who leads. The
        entry way may have been changed meanwhile."""
        gone = self.lead or by_points(view)
        return Outcome(None) if gone else offer_undo(view, replace(self, why_not=None))

    def on(self) -> Actions[TableauBoard]:
        return {
            Key.OK: self.accept,
            Key.BACK: self.back,
            Key.DRAW: self.ten_more,
            Key.PASS: self.no_pass,
        }

    def keys(self, _view: View[TableauBoard]) -> tuple[Key, ...]:
        """The digits, and what else a turn takes."""
        digits = (Key(str(digit)) for digit in self.digits)
        return (*digits, Key.OK, Key.DRAW, Key.BACK, Key.MENU)

    def draw(self, view: View[TableauBoard], canvas: Canvas) -> None:
        """Whose turn, the tile, what it takes; until it is keyed, what the turn before took."""
        beside = Beside() if self.read else last_turn(view.state)
        if self.tiles:
            beside = self._takes(view, self.tiles[0])
        elif self.keyed:
            beside = beside._replace(second="")
        draw_turn(view, self.whose(view), canvas, format_tile(self.keyed), beside)
        if self.why_not:
            hint = "OK: change  Hold OK: points" if self.tiles else "OK: go on"
            draw_question(canvas, self.why_not, hint)

    def _takes(self, view: View[TableauBoard], tile: Tile) -> Beside:
        """What OK will do, in two short lines, and the points."""
        if self._refused(view) is not None:
            return Beside("is refused", "OK says why")
        table = view.state.board.table
        takes = () if self.nothing else takes_for(table, tile)
        if len(takes) > 1:
            return Beside(phrase("takes 1 of {number}", number=len(takes)), "OK: which?")
        taken = takes[0] if takes else None
        then = "then a pair?" if pairs_in(table, taken) else ""
        if taken is None:
            return Beside("takes nothing", then)
        points = worth_of((tile, taken))
        if not points:
            may = "" if must_take(view.state, tile) else "0: nothing"
            return Beside(phrase("takes {taken}", taken=taken), then or may)
        return Beside(phrase("takes {taken}", taken=taken), then, f"+{points}")


@dataclass(frozen=True, slots=True)
class TellPoints(Keyed[TableauBoard]):
    """Whose turn it is, and the points that it captured: OK alone is none. `lead` as in
    LayTile."""

    lead: Seat | None = None

    plays: ClassVar = True
    most: ClassVar = len(str(WORTH))

    def whose(self, view: View[TableauBoard]) -> Seat:
        """Whose turn it is."""
        return self.lead or mover(view)

    def accept(self, view: View[TableauBoard]) -> Outcome[TableauBoard]:
        """OK keeps the points."""
        told = PointsTold(self.whose(view), self.number)
        after = would_be(view, told)
        return self.refuse(worded(after)) if isinstance(after, RuleError) else keep(told)

    def leave(self, view: View[TableauBoard]) -> Outcome[TableauBoard]:
        """BACK without digits: to the turn by tiles, where it came from there; else it offers to
        take back the last entry."""
        stays = by_points(view) and not self.lead
        return offer_undo(view, replace(self, why_not=None)) if stays else Outcome(None)

    def no_pass(self, _view: View[TableauBoard]) -> Outcome[TableauBoard]:
        """PASS and DRAW: whoever takes nothing says so by OK."""
        return Outcome(self, refused="Nothing captured? OK alone is 0 points.")

    def on(self) -> Actions[TableauBoard]:
        return {
            Key.OK: self.accept,
            Key.BACK: self.back,
            Key.DRAW: self.no_pass,
            Key.PASS: self.no_pass,
        }

    def keys(self, _view: View[TableauBoard]) -> tuple[Key, ...]:
        """The digits, OK, BACK and the menu."""
        return (*(Key(str(digit)) for digit in self.digits), Key.OK, Key.BACK, Key.MENU)

    def draw(self, view: View[TableauBoard], canvas: Canvas) -> None:
        """Whose turn, and the number; until it is keyed, what the turn before took."""
        beside = last_turn(view.state)
        beside = beside if any(beside) else Beside("points won?", "OK alone: 0")
        draw_turn(view, self.whose(view), canvas, f"{self.text}_", beside)
        if self.why_not:
            draw_question(canvas, self.why_not, "OK: go on")


def draw_turn(
    view: View[TableauBoard],
    seat: Seat,
    canvas: Canvas,
    keyed: str,
    beside: Beside,
) -> None:
    """The layout of both."""
    state = view.state
    words = Words(
        head=shown(seat),
        corner=(hand_of_hands(state), turns_to_come(view, seat)),
        keyed=keyed,
        beside=beside,
        below=LOST if view.game.losses else what_lies(state),
    )
    draw_words(canvas, state, words)


def turns_to_come(view: View[TableauBoard], seat: Seat) -> str:
    """“5 to lay”: the tiles that the seat lays in this hand still. Where entries are lost nobody
    knows, and that is said."""
    left = held(view.state).get(seat)
    return (
        phrase("{left} to lay", left=left)
        if left is not None
        else "doubtful"
        if view.game.losses
        else ""
    )


def hand_of_hands(state: HighFivesState) -> str:
    """“hand 3 of 8”"""
    return phrase("hand {hand} of {hands}", hand=state.board.hand, hands=sizes_of(state).hands)


def last_turn(state: HighFivesState) -> Beside:
    """What the last entry captured, and for which tiles, if it was a turn: “Red” “7-8: 3”, “+3”."""
    taken, seat = state.board.taken, state.effect.seat
    if taken is None or seat is None:
        return Beside()
    if not taken.points:
        return Beside(shown(seat), "no points") if state.board.table.known else Beside()
    return Beside(shown(seat), captured(state), f"+{taken.points}")
