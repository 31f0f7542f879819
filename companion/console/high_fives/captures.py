"""What a tile captures: the tile that it takes, and a pair that lies there besides."""

from dataclasses import replace
from typing import ClassVar

from companion.console.frame import WIDTH, Canvas
from companion.console.high_fives.halves import KeyedTiles, format_tile
from companion.console.layout import draw_question
from companion.console.lists import Choices, draw_title
from companion.console.screen import Actions, Choose, Item, Outcome, Screen, View, keep
from companion.core.keys import Key
from companion.core.seats import Seat
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.high_fives.entries import Pair, PutDown
from companion.games.high_fives.rules import TableauBoard, must_take
from companion.games.high_fives.tableau import pairs_in, takes_for, worth_of
from companion.games.tiles import Tile
from companion.presentation.high_fives.short import many

MOST_LISTED = 9
"""Pairs in a list, each with a digit; where there are more, one of its tiles is keyed first."""


def take(
    view: View[TableauBoard], put: PutDown, parent: Screen[TableauBoard], *, nothing: bool
) -> Outcome[TableauBoard]:
    """Keeps a tile with the one that it takes, if it can take only one; else asks which. Then the
    same with a pair that lies there."""
    takes = () if nothing else takes_for(view.state.board.table, put.tile)
    if len(takes) > 1:
        items = tuple(_taking(put, tile, parent) for tile in takes)
        alone: Item[TableauBoard] | None = ("nothing", _then_pair(put, parent))
        if must_take(view.state, put.tile):
            alone = None
        return Outcome(
            ChooseCapture(
                1 if alone else 0,
                phrase("{tile} takes", tile=put.tile),
                (alone, *items),
                parent,
                put.seat,
            )
        )
    return take_pair(view, replace(put, takes=takes[0] if takes else None), parent)


def _taking(put: PutDown, tile: Tile, parent: Screen[TableauBoard]) -> Item[TableauBoard]:
    said = f"{tile}: {many(worth_of((put.tile, tile)), 'point')}"
    return said, _then_pair(replace(put, takes=tile), parent)


def _then_pair(put: PutDown, parent: Screen[TableauBoard]) -> Choose[TableauBoard]:
    return lambda view, _list: take_pair(view, put, parent)


def take_pair(
    view: View[TableauBoard], put: PutDown, parent: Screen[TableauBoard]
) -> Outcome[TableauBoard]:
    """Keeps the tile, if no pair lies there besides; else asks whether one is taken, and which."""
    pairs = pairs_in(view.state.board.table, put.takes)
    if not pairs:
        return keep(put)
    if len(pairs) == 1:
        return Outcome(AskPair(put, pairs[0], parent))
    if len(pairs) > MOST_LISTED:
        return Outcome(KeyPair(put=put, parent=parent))
    return Outcome(_choose_pair(put, pairs, parent))


def _choose_pair(
    put: PutDown, pairs: tuple[Pair, ...], parent: Screen[TableauBoard]
) -> "ChooseCapture":
    items = tuple(
        (f"{pair[0]} {pair[1]}: {many(worth_of(pair), 'point')}", _keeping(replace(put, pair=pair)))
        for pair in pairs
    )
    return ChooseCapture(1, "A pair, too?", (("no pair", _keeping(put)), *items), parent, put.seat)


def _keeping(put: PutDown) -> Choose[TableauBoard]:
    return lambda _view, _list: keep(put)


@dataclass(frozen=True, slots=True)
class AskPair(Screen[TableauBoard]):
    """The only pair that lies there, over the turn: OK takes it as well, 0 does not."""

    put: PutDown
    pair: Pair
    parent: Screen[TableauBoard]

    digits: ClassVar = range(1)

    @property
    def explains(self) -> bool:
        """What its keys do stands in the lowest line."""
        return True

    def whose(self, _view: View[TableauBoard]) -> Seat:
        """Who lays the tile."""
        return self.put.seat

    def accept(self, _view: View[TableauBoard]) -> Outcome[TableauBoard]:
        """OK: it is taken."""
        return keep(replace(self.put, pair=self.pair))

    def digit(self, _view: View[TableauBoard], _digit: int) -> Outcome[TableauBoard]:
        """0: it is not."""
        return keep(self.put)

    def back(self, _view: View[TableauBoard]) -> Outcome[TableauBoard]:
        """BACK: to the tile."""
        return Outcome(self.parent)

    def on(self) -> Actions[TableauBoard]:
        return {Key.OK: self.accept, Key.BACK: self.back}

    def draw(self, view: View[TableauBoard], canvas: Canvas) -> None:
        """The turn stays in sight."""
        self.parent.draw(view, canvas)
        points = many(worth_of(self.pair), "point")
        asked = phrase(
            "Pair {tile} {other}, too? {points}",
            tile=self.pair[0],
            other=self.pair[1],
            points=points,
        )
        draw_question(canvas, asked, "OK: yes   0: no   BACK")


@dataclass(frozen=True, slots=True)
class ChooseCapture(Choices[TableauBoard]):
    """What is taken, the most valuable first; 0: nothing."""

    digits: ClassVar = range(10)

    def numbers(self, _view: View[TableauBoard]) -> tuple[int, ...]:
        """From 0; from 1 where something has to be taken."""
        return tuple(number for number, item in enumerate(self.items()) if item and number < 10)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyPair(KeyedTiles):
    """Many pairs lie there: one of its tiles is keyed, and then the other, if it has several
    partners. OK alone: no pair."""

    put: PutDown
    parent: Screen[TableauBoard]

    @property
    def explains(self) -> bool:
        """What its keys do stands in the lowest line."""
        return True

    def whose(self, _view: View[TableauBoard]) -> Seat:
        """Who lays the tile."""
        return self.put.seat

    def _pairs(self, view: View[TableauBoard]) -> tuple[Pair, ...]:
        """Those with the tile that is keyed; without one, all."""
        pairs = pairs_in(view.state.board.table, self.put.takes)
        keyed = self.tiles[0] if self.tiles else None
        return tuple(pair for pair in pairs if keyed is None or keyed in pair)

    def accept(self, view: View[TableauBoard]) -> Outcome[TableauBoard]:
        """OK: this pair; of several, it is asked which."""
        if not self.keyed:
            return keep(self.put)
        if not self.tiles:
            return self.refuse("Key both halves of one of its tiles, then OK.")
        pairs = self._pairs(view)
        if not pairs:
            return self.refuse(phrase("{tile} is in no pair that lies there.", tile=self.tiles[0]))
        if len(pairs) == 1:
            return keep(replace(self.put, pair=pairs[0]))
        return Outcome(_choose_pair(self.put, pairs, self))

    def leave(self, _view: View[TableauBoard]) -> Outcome[TableauBoard]:
        """BACK without digits: to the tile."""
        return Outcome(self.parent)

    def on(self) -> Actions[TableauBoard]:
        return {Key.OK: self.accept, Key.BACK: self.back, Key.DRAW: self.ten_more}

    def draw(self, view: View[TableauBoard], canvas: Canvas) -> None:
        """How many there are, the tile, and what it makes."""
        pairs = self._pairs(view)
        draw_title(canvas, "A pair, too?")
        canvas.text(0, 32, format_tile(self.keyed), "caps")
        if not self.tiles:
            canvas.text(0, 12, phrase("{number} pairs lie there:", number=len(pairs)))
            canvas.text(0, 20, "key one of its tiles.")
        elif len(pairs) == 1:
            canvas.text(0, 12, f"{pairs[0][0]} {pairs[0][1]}")
            canvas.text(0, 20, many(worth_of(pairs[0]), "point"))
        else:
            canvas.text(0, 12, phrase("It is in {pairs}.", pairs=many(len(pairs), "pair")))
        hint = "OK" if self.tiles else "OK alone: no pair"
        canvas.text(2, 56, phrase("{hint}   BACK", hint=hint))
        canvas.invert(0, 7, WIDTH)
        if self.why_not:
            draw_question(canvas, self.why_not, "OK: go on")
