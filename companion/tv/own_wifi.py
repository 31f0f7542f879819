"""How a TV shows the Wi-Fi that a flashed card opens if no known one answers: a code to join it,
until somebody has; then the code of the table, with the Wi-Fi's name and password."""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from companion.core.regular_file import read_text
from companion.presentation.page_words import PAGE_WORDS
from companion.tv.way_in import WayIn
from companion.web.qr import rows_of_text

SHOWN = Path("/run/companion-card/own-wifi")
"""The file that describes this Wi-Fi as JSON: name, password, the code's text, and how many phones
are in it (companion/card/wifi_socket.py)."""


def through_own_wifi(
    table: WayIn, path: Path = SHOWN, words: Mapping[str, str] = PAGE_WORDS
) -> WayIn:
    """How phones come in, put in these `words`. While the box's own Wi-Fi is open: a code to join
    it, then, once a phone has joined, the table's code with its name and password. Else as `table`
    says."""
    with suppress(OSError, ValueError, TypeError):
        name, password, text, guests = json.loads(read_text(path))
        where = f"{name}  {password}"
        if guests and table.rows:
            return WayIn(f"{table.place}  ({where})", table.rows, table.says)
        return WayIn(where, rows_of_text(str(text)), words["tv.own-wifi"])
    return table
