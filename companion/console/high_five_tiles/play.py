"""What High Five! with tiles brings to the console."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from companion.console.frame import Canvas
from companion.console.high_five_tiles.turn import (
    LADDER,
    RowTurn,
    draw_bar,
    draw_cell,
    draw_ladder,
    label,
    place_of,
    turn_of,
)
from companion.console.in_play import WhichSeat, acts_now, asked_now
from companion.console.lists import opens
from companion.console.screen import Actions, Item, Keyed, Outcome, Play, Screen, TableWith, View
from companion.console.screens.confirm import ask_first
from companion.console.screens.game_over import GameOver, LastPayment
from companion.console.screens.setup_table import begin
from companion.core.keys import Key
from companion.core.seats import Seat, shown
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.entry import Entry, Payment
from companion.games.game import State
from companion.games.high_five_tiles.entries import RowCompleted
from companion.games.high_five_tiles.rules import (
    OUT_FIRST,
    POINTS,
    HighFiveTiles,
    HighFiveTilesBoard,
)
from companion.games.options import Option, Value
from companion.presentation.high_five_tiles import (
    HIGH_FIVE_TILES_KEYS,
    entry_in_short,
    reason_in_short,
)
from companion.presentation.keys import Act
from companion.record.rows import Opened, Setting
from companion.record.settings import option_setting
from companion.record.versions import ChangeKind, WhatChanged

# ---------------------------------------------------------------- menu
# The menu items of High Five! with tiles: what no key of a turn says. None of them is needed if
# every turn said how many tiles were new.


def _is_out(act: Act) -> Item[HighFiveTilesBoard]:
    seat = shown(act.seat or "")
    text = phrase(
        "{seat} is the first to lay the last tile: {points} points.",
        seat=seat,
        points=OUT_FIRST,
    )
    return ask_first(phrase("{seat} is out", seat=seat), phrase("Out first?"), text, act.entry)


def _plays(seat: Seat) -> Item[HighFiveTilesBoard]:
    """The item that says that `seat` plays, since the seat before it has no tile left: the box
    doesn't know that if the tiles weren't counted."""
    text = phrase("{seat} plays", seat=shown(seat))
    return text, lambda view, _menu: Outcome(turn_of(view, seat))


# ---------------------------------------------------------------- card
# The points on the family's own card: asked before a game, kept for the next.


BEGIN = len(LADDER)
"""The place of the bar below the last number: OK there begins the game."""
CARD = tuple(POINTS[combination] for combination in LADDER)


def _setting(option: Option) -> str:
    """The name of the box's setting that keeps this option for the next game."""
    return option_setting(HighFiveTiles.name, option.name)


def kept_card(settings: Mapping[str, Value]) -> dict[str, Value]:
    """The points that were keyed at this box before, by option. Options that were never keyed, and
    settings that aren't a number of points, are left out."""
    points_kept = {option.name: settings.get(_setting(option)) for option in CARD}
    known = CARD[0].choices(0)
    return {
        name: value for name, value in points_kept.items() if value is not None and value in known
    }


@dataclass(frozen=True, slots=True)
class AskCard(Keyed[HighFiveTilesBoard]):
    """Asks for eleven numbers, as on the card on the table. OK keeps the number under the bar, as
    it was or as keyed. DRAW and PASS move the bar. Below the last number OK begins the game."""

    opened: Opened
    table: TableWith[HighFiveTilesBoard]
    at: int = 0

    most: ClassVar = 2

    def _points(self, number: int) -> Value:
        return self.opened.options[CARD[number].name]

    def accept(self, view: View[HighFiveTilesBoard]) -> Outcome[HighFiveTilesBoard]:
        """OK keeps this number, if it is from 0 to 50, and goes on to the next. Below the last
        number, OK begins the game."""
        if self.at == BEGIN:
            return begin(view, self.opened)
        option = CARD[self.at]
        value = self.number if self.keyed else self._points(self.at)
        if value not in option.choices(len(self.opened.seats)):
            return self.refuse(
                phrase("Not {value} points: each combination has 0 to 50.", value=value)
            )
        options = {**self.opened.options, option.name: value}
        on = replace(self, opened=replace(self.opened, options=options), at=self.at + 1, keyed=())
        kept = kept_card(view.settings).get(option.name, option.default(0))
        return Outcome(on, None if value == kept else Setting(_setting(option), value))

    def digit(self, view: View[HighFiveTilesBoard], digit: int) -> Outcome[HighFiveTilesBoard]:
        """Takes a digit of the number; refused below the last one, where there is none to key."""
        if self.at == BEGIN:
            return Outcome(
                self, refused=phrase("OK begins the game. PASS goes back to the numbers.")
            )
        if len(self.keyed) == self.most:
            return Outcome(self, refused=phrase("OK first: {number} is keyed.", number=self.number))
        return Keyed.digit(self, view, digit)

    def leave(self, _view: View[HighFiveTilesBoard]) -> Outcome[HighFiveTilesBoard]:
        """BACK without digits leads to the number before, from the first one to the set-up's
        table."""
        if self.at:
            return self._move(-1)
        return Outcome(self.table(self.opened.options))

    def _move(self, step: int) -> Outcome[HighFiveTilesBoard]:
        return Outcome(replace(self, at=(self.at + step) % (BEGIN + 1), keyed=(), why_not=None))

    def _down(self, _view: View[HighFiveTilesBoard]) -> Outcome[HighFiveTilesBoard]:
        return self._move(1)

    def _up(self, _view: View[HighFiveTilesBoard]) -> Outcome[HighFiveTilesBoard]:
        return self._move(-1)

    def on(self) -> Actions[HighFiveTilesBoard]:
        return {
            Key.OK: self.accept,
            Key.BACK: self.back,
            Key.DRAW: self._down,
            Key.PASS: self._up,
        }

    def repeats(self, _view: View[HighFiveTilesBoard]) -> frozenset[Key]:
        """The keys that move the bar."""
        return frozenset((Key.DRAW, Key.PASS))

    def draw(self, _view: View[HighFiveTilesBoard], canvas: Canvas) -> None:
        """The card in two columns, as the turns show it."""
        draw_bar(canvas, phrase("POINTS ON YOUR CARD"))
        draw_ladder(canvas, lambda number: label(LADDER[number]), None)
        for number in range(BEGIN):
            x, page, width = place_of(number)
            here = number == self.at
            text = self.text if here and self.keyed else str(self._points(number))
            canvas.right(x + width - 1, 8 * page, text)
            if here:
                canvas.invert(x, page, width)
        draw_cell(canvas, phrase("OK: begin"), lit=self.at == BEGIN)
        hint = (
            phrase("OK: begin  PASS ↑") if self.at == BEGIN else phrase("OK: keep  DRAW ↓ PASS ↑")
        )
        canvas.text(1, 56, hint, room=126)
        self.draw_why_not(canvas)


# ---------------------------------------------------------------- play


class HighFiveTilesPlay(Play[HighFiveTilesBoard]):
    """The screens, words and menu items of High Five! with tiles."""

    keys = HIGH_FIVE_TILES_KEYS

    def screen(self, view: View[HighFiveTilesBoard]) -> Screen[HighFiveTilesBoard]:
        state = view.state
        if state.finished:
            return LastPayment() if state.winners and state.effect.payments else GameOver()
        if asked_now(view).seat is not None:
            return RowTurn()
        how = phrase("Highest tile; spades first"), phrase("Key that seat's digit.")
        return WhichSeat(phrase("Who begins?"), how, turn_of)

    def kept_options(self, settings: Mapping[str, Value]) -> Mapping[str, Value]:
        return kept_card(settings)

    def before_begin(
        self, _view: View[HighFiveTilesBoard], opened: Opened, table: TableWith[HighFiveTilesBoard]
    ) -> Screen[HighFiveTilesBoard]:
        return AskCard(opened=opened, table=table)

    def menu(self, view: View[HighFiveTilesBoard]) -> Mapping[int, Item[HighFiveTilesBoard]]:
        asked = asked_now(view)
        out = {act.seat: act for act in acts_now(view, "out-first")}
        others = {seat for seat in asked.seats if seat != asked.seat}
        first = tuple(_is_out(out[seat]) if seat in out else None for seat in view.state.seats)
        plays = tuple(_plays(seat) if seat in others else None for seat in view.state.seats)
        all_laid: Item[HighFiveTilesBoard] | None = None
        if finish := acts_now(view, "finish"):
            text = phrase(
                "Nobody has a tile left, and none is left to draw. The highest total wins."
            )
            question = phrase("All tiles laid?")
            all_laid = ask_first(phrase("All tiles are laid"), question, text, finish[0].entry)
        label = phrase("First out: +{points}", points=OUT_FIRST)
        items: dict[int, Item[HighFiveTilesBoard] | None] = {
            4: opens(label, first, phrase("Who is out first?")),
            5: all_laid,
        }
        if asked.seat is not None:
            nothing = phrase("{seat} has no tile left", seat=shown(asked.seat))
            items[7] = opens(nothing, plays, phrase("Who plays then?"))
        return {digit: item for digit, item in items.items() if item}

    def in_words(self, entry: Entry, _state: State[HighFiveTilesBoard]) -> str:
        return entry_in_short(entry)

    def spoken(self, view: View[HighFiveTilesBoard], what: WhatChanged) -> str:
        """The name of a change, as the history says it; a row by its combination alone: “Red full
        house”."""
        entry = what.entry if what.kind is ChangeKind.ENTERED and not what.more else None
        if isinstance(entry, RowCompleted):
            return entry_in_short(replace(entry, laid=None))
        if entry is None or entry.said_by is None:
            return Play.spoken(self, view, what)
        return entry_in_short(entry)

    def why_points(self, _entry: Entry, state: State[HighFiveTilesBoard], payment: Payment) -> str:
        return reason_in_short(state, payment)

    def best(self, view: View[HighFiveTilesBoard]) -> str:
        """The line about the row that brought most; empty if none scored."""
        best = max(view.state.board.rows, key=lambda row: row.points, default=None)
        if best is None or not best.points:
            return ""
        return phrase(
            "Best row {points}: {words}, {seat}",
            points=best.points,
            words=best.combination.words,
            seat=shown(best.seat),
        )
