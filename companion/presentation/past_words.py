"""The words shown if a page about earlier evenings can't be shown, or not yet."""

from typing import Final

PAST: Final = {
    "past.closed": (
        "Earlier evenings are for players: come in at the table first, with the code or the digits"
        " that the box shows (MENU, Phones). A page that only watches shows this evening."
    ),
    "past.making": "This is being prepared. It appears here by itself.",
    "past.busy": "Many pages are being prepared. It appears here by itself.",
    "past.nothing": "The record has nothing of that kind.",
    "past.fault": "This can't be shown. The box goes on.",
}
