"""The scenes of bogus play: the call, what the record says, the holding, the ruling."""

from collections.abc import Callable
from dataclasses import replace

from companion.core.keys import Key, Press
from companion.core.seats import Seat
from tests.console.rig import Rig, started
from tests.screens.keyed import DREW, OPEN, SCORED, keyed

GOES = SCORED + "DRAW DRAW 3 1 OK DRAW PASS OK DRAW "
"""Two turns of Red with draws, and one of Blue."""
PROVEN = OPEN + "PASS OK 6 5 OK 6 3 OK "
"""Blue passes, and then lays a tile that it must have held."""
EXCLUDED = OPEN + "PASS OK BOGUS OK 0 0 0 1 0 2 1 2 2 2 1 3 1 1 OK "
"""Blue passes, is called, and shows seven tiles without a six."""


def with_setting(name: str, value: str, keys: str) -> Callable[[], Rig]:
    """A game with one box setting changed and these keys pressed."""

    def scene() -> Rig:
        rig = started()
        rig.view = replace(rig.view, settings={name: value})
        return rig.press(keys)

    return scene


def called_by_keypad() -> Rig:
    """BOGUS on the keypad of a seat."""
    rig = started(3).press(SCORED + "DRAW PASS OK")
    rig.send(Press(Key.BOGUS, Seat("Red")))
    return rig


def overruled() -> Rig:
    """A call that the record settles, with the house rule that lets the table overrule it."""
    rig = Rig().press("1 2 1 MENU")
    options = [option.name for option in rig.games["high-five"].rules.options]
    return rig.press(f"{options.index('table-overrules') + 1} 2 BACK OK {EXCLUDED}")


SCENES: dict[str, Callable[[], Rig]] = {
    "bogus_which_go": keyed(GOES + "BOGUS"),
    "bogus_by_keypad": called_by_keypad,
    "bogus_who_calls": keyed(DREW + "PASS OK BOGUS OK", 3),
    "bogus_nobody": keyed(SCORED + "BOGUS"),
    "bogus_possible": keyed(DREW + "PASS OK BOGUS OK"),
    "bogus_unseen": keyed(DREW + "PASS OK BOGUS OK PASS"),
    "bogus_holding": keyed(DREW + "PASS OK BOGUS OK 5 5 4"),
    "bogus_pips": keyed(DREW + "PASS OK BOGUS OK PASS 1 5 4"),
    "bogus_ruling": keyed(DREW + "PASS OK BOGUS OK 5 5 4 4 OK"),
    "bogus_all_agreed": keyed(DREW + "PASS OK BOGUS OK PASS 2"),
    "bogus_mark": with_setting("tell-bogus", "mark", PROVEN),
    "bogus_mark_paid": with_setting("tell-bogus", "mark", PROVEN + "3 4 OK 4 0 OK"),
    "bogus_aloud": with_setting("tell-bogus", "aloud", PROVEN),
    "bogus_proven": with_setting("tell-bogus", "mark", PROVEN + "BOGUS"),
    "bogus_proven_call": keyed(PROVEN + "BOGUS OK"),
    "bogus_by_record": keyed(PROVEN + "BOGUS OK 2 0 OK"),
    "bogus_overrule": overruled,
    "bogus_excluded": keyed(EXCLUDED),
    "bogus_history": keyed(EXCLUDED + "MENU 2"),
    "bogus_returned": keyed(OPEN + "DRAW BACK 6 2 DRAW BOGUS OK"),
    "bogus_undo": keyed(EXCLUDED + "BACK"),
    "bogus_clear": keyed(DREW + "PASS OK BOGUS OK PASS 2 OK"),
    "bogus_paid": keyed(DREW + "PASS OK BOGUS OK 5 5 4 4 OK 1 OK"),
}
