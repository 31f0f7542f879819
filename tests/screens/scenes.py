"""The scenes of the golden screens: how to come to each by keys alone."""

from collections.abc import Callable
from dataclasses import replace

from tests.console.rig import Rig, started

LEAD = "OK 1 DRAW"  # deal; Red holds 6-6; and so on


def keyed(keys: str, players: int = 2) -> Callable[[], Rig]:
    """A game with these keys pressed."""
    return lambda: started(players).press(keys)


def _names() -> Rig:
    rig = Rig()
    rig.view = replace(rig.view, names=("Wilhelmina", "Bo", "Anne_Marie", "Maximilian"))
    return rig


def named(keys: str) -> Callable[[], Rig]:
    """From the set-up on, with names used before."""
    return lambda: _names().press(keys)


def with_message(text: str) -> Callable[[], Rig]:
    """A turn with a message of the table."""

    def scene() -> Rig:
        rig = started().press("OK 1")
        rig.view = replace(rig.view, message=text)
        return rig.press("") if False else _shown(rig)

    return scene


def _shown(rig: Rig) -> Rig:
    rig.frame = rig.console.show(rig.view, 0.0).frame
    return rig


OPEN = "OK 1 "
"""Red leads 6-6."""
SCORED = OPEN + "6 3 OK "
"""Blue lays 6-3 for 15."""
DREW = SCORED + "DRAW "

SCENES: dict[str, Callable[[], Rig]] = {
    "setup_game": lambda: _shown(Rig()),
    "setup_players": named("1"),
    "setup_seats": named("1 4"),
    "setup_names": named("1 4 2 2"),
    "setup_spell": named("1 4 2 1 2 2 6 6 DRAW 6 6 3 3"),
    "setup_table_2": named("1 2 1"),
    "setup_table_3": named("1 3 1"),
    "setup_table_4": named("1 4 2 2 2 2 2"),
    "setup_options": named("1 2 1 MENU"),
    "setup_value": named("1 2 1 MENU 3"),
    "deal_first": keyed(""),
    "big_six": keyed("OK"),
    "big_six_3_at_5": keyed("OK PASS", 3),
    "big_six_redeal": keyed("OK PASS PASS PASS PASS PASS PASS PASS"),
    "turn_after_lead": keyed(OPEN),
    "turn_half": keyed(OPEN + "6"),
    "turn_preview": keyed(OPEN + "6 3"),
    "turn_paid": keyed(SCORED),
    "turn_next": keyed(SCORED + "3"),
    "turn_not_fit": keyed(SCORED + "1 2"),
    "turn_refused": keyed(SCORED + "1 2 OK"),
    "turn_drew": keyed(DREW),
    "turn_pass": keyed(DREW + "PASS"),
    "turn_ends": keyed(SCORED + "OK 3 3 4"),
    "turn_count": keyed(SCORED + "OK OK 1"),
    "turn_lies": keyed(SCORED + "1 2 OK!"),
    "refused_menu": keyed(SCORED + "1 2 OK MENU"),
    "wheel": keyed(SCORED + "UP UP UP UP"),
    "undo": keyed(SCORED + "BACK"),
    "menu": keyed(SCORED + "MENU"),
    "menu_lower": keyed(SCORED + "MENU UP UP UP"),
    "history": keyed(SCORED + "MENU 2"),
    "history_seat": keyed(SCORED + "MENU 2 2"),
    "history_entry": keyed(SCORED + "MENU 2 OK"),
    "amend": keyed(SCORED + "MENU 2 OK 1 6 4"),
    "confirm": keyed(SCORED + "MENU 2 OK 1 6 4 OK"),
    "confirm_broken": keyed(SCORED + "3 4 OK MENU 2 DOWN OK 2"),
    "chips": keyed(SCORED + "MENU 3", 4),
    "counting": keyed(SCORED + "MENU 3 1 2 1 2"),
    "correcting": keyed(SCORED + "MENU 3 1 3 1 5 DRAW"),
    "difference": keyed(SCORED + "MENU 3 1 2 1 2 0 OK"),
    "bogus_who": keyed(DREW + "PASS OK BOGUS", 3),
    "bogus_by": keyed(DREW + "PASS OK BOGUS 1", 3),
    "bogus_turn": keyed(DREW + "PASS OK BOGUS 1 1", 3),
    "bogus_nobody": keyed(SCORED + "BOGUS"),
    "bogus_holding": keyed(DREW + "PASS OK BOGUS 1 1 5 5 4"),
    "bogus_ruling": keyed(DREW + "PASS OK BOGUS 1 1 5 5 4 4 OK"),
    "locked": keyed(SCORED + "BACK!"),
    "message": with_message("Not saved: the disk is full. Free some space, then press again."),
    "box": keyed(SCORED + "MENU UP UP UP UP OK"),
}
