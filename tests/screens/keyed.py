"""Games of High Five in which some keys are pressed."""

from collections.abc import Callable

from tests.console.rig import Rig, started

OPEN = "OK 1 "
"""Red leads 6-6."""
SCORED = OPEN + "6 3 OK "
"""Blue lays 6-3 for 15."""
DREW = SCORED + "DRAW "


def keyed(keys: str, players: int = 2) -> Callable[[], Rig]:
    """A game with these keys pressed."""
    return lambda: started(players).press(keys)


def shown(rig: Rig) -> Rig:
    """The rig, its frame drawn again from what it shows now."""
    rig.frame = rig.console.show(rig.view).frame
    return rig
