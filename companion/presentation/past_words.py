"""What is said where a page of what was played can't be shown, or not yet."""

from typing import Final

PAST: Final = {
    "past.closed": (
        "Old evenings are for those who play: come in at the table first, by the code or the digits"
        " that the box (MENU, Phones) shows. Who only watches sees the evening that goes on."
    ),
    "past.making": "This is being made ready. It appears here by itself.",
    "past.busy": "Much is asked for at a time. It appears here by itself.",
    "past.nothing": "There is nothing of that kind in the record.",
    "past.fault": "This can't be shown. The box goes on.",
}
