"""Which screens play which game, and which screen the state of a game asks for.

A new game is one line here, if it has screens of its own. A game without a line is played by one
number a turn, if it gives `number_entry`; else it is told in text alone, and not offered here.
"""

from collections.abc import Callable, Mapping

from companion.console.screen import Screen
from companion.console.screens.between import Between
from companion.console.screens.big_six import BigSix
from companion.console.screens.game_over import GameOver, LastPayment
from companion.console.screens.hearing import Ruling, Settled, Verdict
from companion.console.screens.holding import Holding
from companion.console.screens.number import NumberTurn
from companion.console.screens.out import AskOut
from companion.console.screens.setup_game import ChooseGame
from companion.console.screens.turn import Turn
from companion.console.view import View
from companion.games.bogus.board import judged_claim, ruling_of
from companion.games.game import AnyGame, NumberGame
from companion.games.line.hand import Hand
from companion.games.round import Stage


def line_screen(view: View) -> Screen:
    """The screen that a line game's state asks for."""
    claim, ruling = judged_claim(view.state), ruling_of(view.state)
    if claim is not None and ruling is not None:
        return Settled(play_screen)
    if claim is not None:
        return Ruling() if claim.known else Verdict()
    return play_screen(view)


def play_screen(view: View) -> Screen:
    """The same besides a call of bogus play: what the game itself asks for."""
    hand = view.state.board.hand
    if view.state.finished:
        return LastPayment() if view.state.winner and view.state.effect.payments else GameOver()
    return _BY_STAGE[hand.round.stage](view, hand) if hand is not None else Between()


def _lead(_view: View, hand: Hand) -> Screen:
    return BigSix() if hand.round.lead is None else Turn()


def _out(view: View, hand: Hand) -> Screen:
    return _holding(view, hand) if hand.round.confirmed else AskOut()


def _holding(view: View, _hand: Hand) -> Screen:
    return Holding(view.line_rules.needed(view.state)[0])


_BY_STAGE: Mapping[Stage, Callable[[View, Hand], Screen]] = {
    Stage.LEAD: _lead,
    Stage.PLAY: lambda _view, _hand: Turn(),
    Stage.OUT: _out,
    Stage.BLOCKED: _holding,
    Stage.OVER: lambda _view, _hand: Between(),
}


def number_screen(view: View) -> Screen:
    """The screen of a game that is told by numbers."""
    return GameOver() if view.state.finished else NumberTurn()


PLAY: Mapping[str, Callable[[View], Screen]] = {
    "high-five": line_screen,
    "five-up": line_screen,
}


def playable(games: Mapping[str, AnyGame]) -> Mapping[str, AnyGame]:
    """Those of the games that can be played with the box's keys."""
    return {
        name: game for name, game in games.items() if name in PLAY or isinstance(game, NumberGame)
    }


def screen_for(view: View) -> Screen:
    """The screen that the state asks for; without a game that can be played here, the set-up."""
    journal = view.journal
    if journal is None or journal.withdrawn or journal.opened.game not in view.catalog:
        return ChooseGame()
    return PLAY.get(journal.opened.game, number_screen)(view)
