"""The words for the parts of a box and their condition, on the display and the page, and the words
of the page of the check."""

from collections.abc import Mapping
from typing import Final

from companion.core.words import phrase

PARTS: Final[Mapping[str, str]] = {
    "pads": phrase("Number pads"),
    "keypads": phrase("Seat keypads"),
    "tv": phrase("TV"),
    "voice": phrase("Sound card"),
    "stick": phrase("USB stick"),
    "network": phrase("Network"),
    "disk": phrase("Card or disk"),
    "clock": phrase("Clock"),
}
"""The parts' names for people, by their names in `companion check`."""
RESULTS: Final[Mapping[str, str]] = {
    "ok": phrase("well"),
    "not tried": phrase("not tried"),
    "warning": phrase("look at it"),
    "fault": phrase("does not work"),
}
"""The words for a part's condition, by the result of `companion check`."""

CHECK: Final[Mapping[str, str]] = {
    "check.title": "Check this box",
    "check.what": "What is plugged into the box, part by part, and what to do."
    " It says a sentence by its sound card.",
    "check.again": "Check again",
    "check.wait": "One moment: the box looks through its parts …",
    "check.failed": "The box could not be checked.",
    "check.gone": "The box doesn't answer.",
    "check.picture": "As a picture to send",
    "check.hold": "Hold your finger on the picture to save it, or to send it.",
    "check.renew": "Bring the keypads up to date",
    "check.renewing": "It takes half a minute a keypad. The table says of each when it is done.",
    **{f"check.part-{part}": str(words) for part, words in PARTS.items()},
    **{f"check.is-{result.replace(' ', '-')}": str(words) for result, words in RESULTS.items()},
}
