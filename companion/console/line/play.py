"""What a game with a line of play brings to the console."""

from collections.abc import Callable, Mapping
from typing import Any

from companion.console.line.between_hands import BetweenHands
from companion.console.line.big_six import BigSix
from companion.console.line.confirm_out import AskOut
from companion.console.line.dispute import accuse
from companion.console.line.holding import KeyHolding
from companion.console.line.keying import entry_way
from companion.console.line.left_open import AskLeftOpen
from companion.console.line.menu import menu_items
from companion.console.line.ruling_screens import AskRuling, Settled, ShowVerdict
from companion.console.line.score_turn import ScoreTurn
from companion.console.line.tile_back import OfferReturn, drew_last
from companion.console.line.turn import LineTurn
from companion.console.screen import Calls, Item, Outcome, Play, Screen, TableWith, View
from companion.console.screens.game_over import GameOver, LastPayment
from companion.core.seats import Seat, shown
from companion.core.words import phrase
from companion.games.bogus.board import judged_claim, ruling_of
from companion.games.bogus.claim import RulingResult
from companion.games.entry import Entry, Payment
from companion.games.game import State
from companion.games.line.game import LineGame
from companion.games.line.hand import Hand, LineBoard
from companion.games.line.play import counted
from companion.games.options import still_open
from companion.games.penalties import Called, Penalty
from companion.games.round import Stage
from companion.presentation.line.short import entry_in_short, reason_in_short
from companion.record.rows import Opened
from companion.record.settings import ENTRY_SCORES


class LineCalls(Calls[LineBoard]):
    """Calls of bogus play in a game with a line of play."""

    def call(
        self, view: View[LineBoard], under: Screen[LineBoard], by: Seat | None
    ) -> Outcome[LineBoard] | str:
        return accuse(view, under, by)

    def result(self, state: State[LineBoard]) -> str:
        ruling = ruling_of(state)
        return ruling.result if ruling else ""

    def was_bogus(self, state: State[LineBoard]) -> bool:
        paid = any(payment.why is Penalty.BOGUS for payment in state.effect.payments)
        return paid or self.result(state) == RulingResult.BOGUS


class LinePlay(Play[LineBoard]):
    """The screens, words and menu items of one line game, with its `rules`."""

    def __init__(self, rules: LineGame[Any]) -> None:
        self._rules = rules
        self.calls = LineCalls() if Called in rules.entries else None
        self._by_stage: Mapping[Stage, Callable[[View[LineBoard], Hand], Screen[LineBoard]]] = {
            Stage.LEAD: self._lead,
            Stage.PLAY: self._turn,
            Stage.OUT: self._out,
            Stage.BLOCKED: self._holding,
            Stage.OVER: lambda _view, _hand: BetweenHands(rules),
        }

    def screen(self, view: View[LineBoard]) -> Screen[LineBoard]:
        state = view.state
        claim, ruling = judged_claim(state), ruling_of(state)
        if claim is not None and ruling is not None:
            return Settled(self._besides_a_call)
        if claim is not None:
            return AskRuling() if claim.known else ShowVerdict()
        return self._besides_a_call(view)

    def _besides_a_call(self, view: View[LineBoard]) -> Screen[LineBoard]:
        """The screen that the game itself asks for, calls of bogus play apart."""
        state = view.state
        hand = state.board.hand
        if state.finished:
            won = state.winners and state.effect.payments
            return LastPayment() if won else GameOver()
        return self._by_stage[hand.round.stage](view, hand) if hand else BetweenHands(self._rules)

    def _lead(self, view: View[LineBoard], hand: Hand) -> Screen[LineBoard]:
        asks_who = hand.round.lead is None and entry_way(view) != ENTRY_SCORES
        return BigSix() if asks_who else self._turn(view, hand)

    def _turn(self, view: View[LineBoard], hand: Hand) -> Screen[LineBoard]:
        by_points = hand.round.scores_only or entry_way(view) == ENTRY_SCORES
        return ScoreTurn() if by_points else LineTurn()

    def _out(self, view: View[LineBoard], hand: Hand) -> Screen[LineBoard]:
        return self._holding(view, hand) if hand.round.confirmed else AskOut()

    def _holding(self, view: View[LineBoard], _hand: Hand) -> Screen[LineBoard]:
        return KeyHolding(self._rules.needed(view.state)[0])

    def before_begin(
        self, _view: View[LineBoard], opened: Opened, table: TableWith[LineBoard]
    ) -> Screen[LineBoard] | None:
        left = next(still_open(self._rules.options, len(opened.seats), opened.options), None)
        return AskLeftOpen(opened=opened, option=left, table=table) if left else None

    def menu(self, view: View[LineBoard]) -> Mapping[int, Item[LineBoard]]:
        return menu_items(view)

    def before_undo(
        self, view: View[LineBoard], under: Screen[LineBoard]
    ) -> Screen[LineBoard] | None:
        return OfferReturn(under) if drew_last(view) else None

    def in_words(self, entry: Entry, state: State[LineBoard]) -> str:
        return entry_in_short(entry, state)

    def why_points(self, entry: Entry, state: State[LineBoard], payment: Payment) -> str:
        return reason_in_short(entry, state, payment)

    def best(self, view: View[LineBoard]) -> str:
        """The line about the biggest count that scored; empty if none did."""
        counts = (each for each in view.game.states if (ends := counted(each)) and ends.count)
        scored = (each.effect for each in counts if each.effect.points)
        best = max(scored, key=lambda effect: effect.points, default=None)
        return (
            phrase(
                "Biggest count {points}: {seat}", points=best.points, seat=shown(best.seat or "")
            )
            if best
            else ""
        )
