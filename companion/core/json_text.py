"""Reads JSON that comes from outside."""

import json
from typing import Any


def read_json(text: str | bytes) -> Any:
    """The value of a JSON text. Raises ValueError if it is not JSON, is nested too deeply, or has
    half a surrogate pair in a string: that has no encoding, so it could be sent to nobody."""
    try:
        found = json.loads(text)
        json.dumps(found, ensure_ascii=False).encode()
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return found
