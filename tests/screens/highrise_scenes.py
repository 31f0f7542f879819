"""The scenes of Highrise; keys alone lead to each."""

from collections.abc import Callable
from dataclasses import replace

from companion.games.entries import HandDealt
from companion.record.rows import Step
from tests.console.builder import BASEMENT, build_until, set_up
from tests.console.rig import Rig

LAID = BASEMENT + "4 3 OK "
"""Red lays 4-3 for 7."""
LIFTED = LAID + "6 3 2 OK "
"""Blue lays 6-3 on level 2, for 18."""
WITHOUT = "1 DRAW "
"""Red starts, and the basement isn't entered."""


def built(keys: str, players: int = 2) -> Callable[[], Rig]:
    """A game of Highrise with these keys pressed."""
    return lambda: set_up(players).press(keys)


def until(screen: str, seed: int, players: int, then: str = "") -> Callable[[], Rig]:
    """A random game keyed until a screen of that class is shown; then `then` is pressed."""
    return lambda: build_until(screen, seed, players).press(then)


def nobody_named() -> Rig:
    """A hand dealt on a phone or page, without a choice of who starts it."""
    rig = set_up(3)
    journal = rig.view.game.fold(Step((HandDealt(),)))
    settings = {**rig.view.settings, "basement": "not-told"}
    rig.view = replace(rig.view, journal=journal, settings=settings)
    rig.frame = rig.console.show(rig.view).frame
    return rig


SCENES: dict[str, Callable[[], Rig]] = {
    "highrise_value": lambda: set_up(2, "MENU 1"),
    "highrise_starts": built("", 3),
    "highrise_basement_first": built("1"),
    "highrise_basement": built("1 4 1 3 5 6 2 7"),
    "highrise_basement_short": built("1 4 1 3 5 6 2 7 OK"),
    "highrise_turn": built(BASEMENT),
    "highrise_preview": built(BASEMENT + "4 3"),
    "highrise_scored": built(LAID),
    "highrise_level": built(LAID + "6 3"),
    "highrise_level_asked": built(LAID + "6 3 OK"),
    "highrise_spacer": built(LAID + "6 3 2"),
    "highrise_lifted": built(LIFTED),
    "highrise_wild": built(LIFTED + "7 3"),
    "highrise_wild_level": built(LIFTED + "7 3 6"),
    "highrise_wild_says": built(LIFTED + "7 3 1"),
    "highrise_wilds": built(LIFTED + "7 7"),
    "highrise_not_fit": built(LIFTED + "4 4"),
    "highrise_refused": built(LIFTED + "4 4 OK"),
    "highrise_refused_menu": built(LIFTED + "4 4 OK MENU"),
    "highrise_go_on": built(LIFTED + "4 4 OK MENU 3"),
    "highrise_drew": built(LIFTED + "DRAW"),
    "highrise_pass": built(LIFTED + "PASS"),
    "highrise_passed": built(LIFTED + "DRAW PASS"),
    "highrise_told": built(WITHOUT + "6 3 2"),
    "highrise_told_wild": built(WITHOUT + "7 3"),
    "highrise_told_spacer": built(WITHOUT + "7 3 4 1 2 DRAW"),
    "highrise_undo": built(LIFTED + "BACK"),
    "highrise_menu": built(LIFTED + "MENU"),
    "highrise_hand": built(LIFTED + "MENU 5"),
    "highrise_setting": built(LIFTED + "MENU 7"),
    "highrise_history": built(LIFTED + "DRAW 7 6 MENU 2"),
    "highrise_why": built(LIFTED + "MENU 2 2"),
    "highrise_amend": built(LIFTED + "MENU 2 OK 1 6 3"),
    "highrise_blocked_sure": built(LIFTED + "MENU 4"),
    "highrise_whose": nobody_named,
    "highrise_out": until("HighriseAskOut", 10, 3),
    "highrise_holding": until("KeyHighriseHolding", 10, 3),
    "highrise_holding_keyed": until("KeyHighriseHolding", 10, 3, "7 6 0 5 1"),
    "highrise_holding_pips": until("KeyHighriseHolding", 10, 3, "DRAW 1 2"),
    "highrise_holding_out": until("KeyHighriseHolding", 20, 4, "7 6 0 5"),
    "highrise_blocked": until("KeyHighriseHolding", 1, 3, "7 7"),
    "highrise_between": until("BetweenHighriseHands", 1, 3),
    "highrise_between_4": until("BetweenHighriseHands", 5, 4),
    "highrise_between_below": until("BetweenHighriseHands", 10, 3),
    "highrise_between_out": until("BetweenHighriseHands", 15, 2),
    "highrise_last": until("LastPayment", 14, 4),
    "highrise_over": until("GameOver", 1, 3),
    "highrise_over_4": until("GameOver", 17, 4),
}
