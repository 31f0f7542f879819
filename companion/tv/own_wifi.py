"""The Wi-Fi that a flashed card opens where no known one answers, as a TV shows it: a code to join
it, until somebody has; then the code of the table, with the Wi-Fi's name and password."""

import json
from contextlib import suppress
from pathlib import Path

from companion.core.words import phrase
from companion.tv.picture import WayIn
from companion.web.qr import rows_of_text

SHOWN = Path("/run/companion-card/own-wifi")
"""What it is, as JSON: name, password, the code's text, and how many are in it
(companion/card/wifi_socket.py)."""


def through_own_wifi(table: WayIn, path: Path = SHOWN) -> WayIn:
    """How phones come in: by the box's own Wi-Fi first, where that is open; else as the table
    says."""
    with suppress(OSError, ValueError, TypeError):
        name, password, text, guests = json.loads(path.read_text(encoding="utf-8"))
        where = f"{name}  {password}"
        if guests and table.rows:
            return WayIn(f"{table.place}  ({where})", table.rows, table.says)
        said = str(phrase("Join this Wi-Fi, then scan again:"))
        return WayIn(where, rows_of_text(str(text)), said)
    return table
