"""What Highrise brings to the console."""

from collections.abc import Mapping

from companion.console.highrise.basement import Basement
from companion.console.highrise.between_hands import BetweenHighriseHands, who_starts, whose_turn
from companion.console.highrise.confirm_out import LaidLastTile
from companion.console.highrise.holding import HeldAtEnd
from companion.console.highrise.menu import menu_items
from companion.console.highrise.turn import HighriseTurn
from companion.console.in_play import acts_now, asked_now
from companion.console.screen import Item, Play, Screen, View
from companion.console.screens.game_over import GameOver, LastPayment
from companion.core.seats import shown
from companion.core.words import phrase
from companion.games.entry import Entry, Payment
from companion.games.highrise.board import HighriseBoard, HighriseState
from companion.games.highrise.entries import BasementFilled
from companion.games.settlement import HandsEnd
from companion.presentation.forgotten import seems_out
from companion.presentation.highrise.keys import HIGHRISE_KEYS
from companion.presentation.highrise.short import entry_in_short, play_sum, reason_in_short
from companion.presentation.keys import COLLECT, LAY, SHOW
from companion.record.versions import WhatChanged


class HighrisePlay(Play[HighriseBoard]):
    """The screens, words and menu items of Highrise."""

    keys = HIGHRISE_KEYS

    def screen(self, view: View[HighriseBoard]) -> Screen[HighriseBoard]:
        state, asked = view.state, asked_now(view)
        if state.finished:
            won = any(payment.why is HandsEnd.OUT for payment in state.effect.payments)
            return LastPayment() if won else GameOver()
        if asked.asks == COLLECT:
            return Basement()
        if asked.asks == LAY:
            return HighriseTurn() if asked.seat else whose_turn()
        if seems_out(state.board.round):  # a page offers both; the box asks one thing at a time
            return LaidLastTile()
        if asked.asks == SHOW:
            return HeldAtEnd(asked.seats[0])  # on a page any seat may show; a box has one keypad
        return who_starts() if acts_now(view, "deal-lead") else BetweenHighriseHands()

    def menu(self, view: View[HighriseBoard]) -> Mapping[int, Item[HighriseBoard]]:
        return menu_items(view)

    def spoken(self, view: View[HighriseBoard], what: WhatChanged) -> str:
        """The name of a change. The basement is called “the basement”, as the names of so many
        tiles would fill the display."""
        filled = isinstance(what.first, BasementFilled)
        return phrase("the basement") if filled else Play.spoken(self, view, what)

    def in_words(self, entry: Entry, state: HighriseState) -> str:
        return entry_in_short(entry, state)

    def why_points(self, entry: Entry, state: HighriseState, payment: Payment) -> str:
        return reason_in_short(entry, state, payment)

    def best(self, view: View[HighriseBoard]) -> str:
        """The line about the play that scored most; empty if there was none."""
        plays = ((state.board.scored, state.effect.seat) for state in view.game.states)
        scored = [(play, seat) for play, seat in plays if play is not None]
        if not scored:
            return ""
        play, seat = max(scored, key=lambda found: found[0].points)
        return phrase("Best: {seat} {play}", seat=shown(seat or ""), play=play_sum(play))
