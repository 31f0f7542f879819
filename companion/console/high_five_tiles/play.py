"""What High Five! with tiles brings to the console."""

from collections.abc import Mapping
from dataclasses import replace

from companion.console.high_five_tiles.card import AskCard, kept_card
from companion.console.high_five_tiles.menu import menu_items
from companion.console.high_five_tiles.turn import RowTurn, turn_of
from companion.console.in_play import WhichSeat, asked_now
from companion.console.screen import Item, Play, Screen, TableWith, View
from companion.console.screens.game_over import GameOver, LastPayment
from companion.core.seats import shown
from companion.core.words import phrase
from companion.games.entry import Entry, Payment
from companion.games.game import State
from companion.games.high_five_tiles.board import HighFiveTilesBoard
from companion.games.high_five_tiles.entries import RowCompleted
from companion.games.options import Value
from companion.presentation.high_five_tiles.keys import HIGH_FIVE_TILES_KEYS
from companion.presentation.high_five_tiles.short import entry_in_short, reason_in_short
from companion.record.rows import Opened
from companion.record.versions import ChangeKind, WhatChanged


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
        return menu_items(view)

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
