"""USB ids as the configuration has them: which boards are keypads at the seats."""

import re

UsbId = tuple[int, int]
"""The maker's number and the product's."""
PICO = "2e8a:0005"
"""A Raspberry Pi Pico or Pico 2 with MicroPython, as it is written in the configuration."""
_USB_ID = re.compile("[0-9a-fA-F]{4}:[0-9a-fA-F]{4}")


def parse_usb_ids(text: str) -> frozenset[UsbId]:
    """The ids in a text like “2e8a:0005 2341:025e”. Raises ValueError if there is none, or a word
    is not an id."""
    found = set()
    for word in text.split():
        if not _USB_ID.fullmatch(word):
            raise ValueError(f"{word!r} is no USB id: four digits, a colon, four digits (lsusb)")
        found.add((int(word[:4], 16), int(word[5:], 16)))
    if not found:
        raise ValueError("no USB id is there: write at least one, like 2e8a:0005 (lsusb)")
    return frozenset(found)
