"""Reads JSON that comes from outside, and its whole numbers: JSON has numbers of any size, while
databases and fields of files have not."""

import json
from typing import Any, Final, TypeGuard


def read_json(text: str | bytes) -> Any:
    """The value of a JSON text. Raises ValueError if it is not JSON, is nested too deeply, or has
    half a surrogate pair in a string, which has no encoding and so couldn't be sent on."""
    try:
        found = json.loads(text)
        json.dumps(found, ensure_ascii=False).encode()
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return found


ROWS: Final = range(2**62)
"""Numbers of rows and games in a record, as boxes and hubs send them; SQLite and PostgreSQL keep
them."""
CHAINS: Final = range(1, 2**31)
"""Numbers of a box's chains."""
PAGE: Final = range(2**53)
"""Numbers from a page: browsers count exactly up to here."""
PROPOSALS: Final = range(1, 10**6)
"""Numbers of the proposals of one page: more than anybody ever sends."""
SEATS: Final = range(64)
"""Numbers of seats at a table."""
ENTRIES: Final = range(10**6)
"""How many entries an event has, and its rounds and tables."""


def is_whole(found: object, allowed: range) -> TypeGuard[int]:
    """Whether this is a whole number in the range; True and 1.0 are not."""
    return type(found) is int and found in allowed


def read_whole(found: object, allowed: range) -> int:
    """The whole number. Raises ValueError if it is not one, or is not in the range."""
    if type(found) is not int or found not in allowed:
        raise ValueError("not a number that there is")
    return found
