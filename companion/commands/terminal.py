"""Text as it goes to a terminal: control characters are shown, never sent.

A game's text comes from files and from other people's keyboards. What would move the cursor, clear
the screen or turn the direction of writing is printed as its code, `\\x1b`.
"""

import json
import re

CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def printed(line: str) -> str:
    """One line, each control character as `\\x1b` or `\\u202e`."""
    return CONTROLS.sub(_code, line)


def _code(found: re.Match[str]) -> str:
    number = ord(found[0])
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


def printed_json(value: object) -> str:
    """The same for JSON, in its own way of writing them."""
    text = json.dumps(value, ensure_ascii=False, indent=1)
    return "\n".join(
        CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", line) for line in text.split("\n")
    )
