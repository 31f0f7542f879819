"""Reads JSON that comes from outside, and its whole numbers: JSON allows numbers of any size, but
databases and file formats don't."""

import json
from typing import Any, Final, TypeGuard


def read_json(text: str | bytes) -> Any:
    """The value of a JSON text. Raises ValueError if it is not JSON, is nested too deeply, or has
    half a surrogate pair in a string, which can't be encoded and so couldn't be sent on."""
    try:
        found = json.loads(text)
        json.dumps(found, ensure_ascii=False).encode()
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return found


EXACT: Final = 2**53
"""Browsers count exactly up to here: the numbers that pages send are below it."""
ROWS: Final = range(10**8)
"""The valid numbers of rows and games in a record, of which many years of play use a millionth.
Programs go through all numbers up to the last row, even those of rows that are lost, and hubs add
up the last rows of all boxes."""
CHAINS: Final = range(1, 2**31)
"""The valid numbers of a box's chains."""
PAGE: Final = range(2**53)
"""The valid numbers from a page: browsers count exactly up to here."""
PROPOSALS: Final = range(1, 10**6)
"""The valid numbers of one page's proposals; no page sends this many."""
SEATS: Final = range(64)
"""The valid numbers of seats at a table."""
ENTRIES: Final = range(10**6)
"""The valid numbers of entries, rounds and tables of an event."""


def is_whole(found: object, allowed: range) -> TypeGuard[int]:
    """Whether the value is a whole number in the range; True and 1.0 are not."""
    return type(found) is int and found in allowed


def read_whole(found: object, allowed: range) -> int:
    """The value as a whole number. Raises ValueError if it isn't one, or is out of range."""
    if type(found) is not int or found not in allowed:
        raise ValueError("not a number that there is")
    return found
