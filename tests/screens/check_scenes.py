"""Scenes of a box whose check reports to the loop, from a process of its own."""

from collections.abc import Callable
from dataclasses import replace

from companion.core.box_page import BoxCheck, PartFinding, Phones
from tests.console.rig import Rig, started

FOUND = BoxCheck(
    parts=(
        PartFinding("pads", "ok", "no number pad is plugged in, and none is needed"),
        PartFinding(
            "keypads", "warning", "the keypad 7452d2f is old", "companion keypads --update", True
        ),
        PartFinding("tv", "ok", "HDMI-A-1, 1920×1080 pixels: the table is drawn on it"),
        PartFinding("voice", "not tried", "no sound card is there, and none is needed"),
        PartFinding("stick", "ok", "every game is copied to the USB stick sda"),
        PartFinding("network", "fault", "there is no network: no phone can connect", "a cable"),
        PartFinding("disk", "ok", "12.3 GB free"),
        PartFinding("clock", "ok", "2026-11-25 21:04, set from the network"),
    )
)
NOT_MADE = BoxCheck(why="The box can't be checked: nothing was found")


def _with(check: BoxCheck | None, keys: str = "") -> Callable[[], Rig]:
    def scene() -> Rig:
        rig = started().press("OK 1")
        rig.view = replace(rig.view, box_check=check, phones=Phones(open=True))
        return rig.press(f"MENU 8 UP OK {keys}")

    return scene


SCENES: dict[str, Callable[[], Rig]] = {
    "check_begun": _with(None),
    "check_found": _with(FOUND),
    "check_lower": _with(FOUND, "DOWN DOWN DOWN DOWN DOWN"),
    "check_keypads": _with(FOUND, "2"),
    "check_remedy": _with(FOUND, "6"),
    "check_not_made": _with(NOT_MADE),
}
