"""Reads the messages of pages, one JSON object each, and has the codes with which a connection is
closed for anything else."""

from typing import Any

from aiohttp import WSMsgType

from companion.core.budgets import PageSpending
from companion.core.json_text import PAGE, is_whole, read_json
from companion.core.keys import Key
from companion.core.values import Json
from companion.web.key_pacing import Fingertips, TooFastError

MALFORMED, NOT_ALLOWED, TOO_MANY = 4400, 4401, 4429
"""Our own codes for closing a connection."""


def read_message(message: Any) -> Json:
    """The JSON object in a message, with its number `n`. Raises ValueError if it is not one."""
    if message.type is not WSMsgType.TEXT:
        raise ValueError("not a text")
    said = read_json(message.data)
    if not isinstance(said, dict) or not is_whole(said.get("n"), PAGE):
        raise ValueError("not a message of the page")
    return dict(said)


def letter_of(said: Json) -> str | None:
    """The letter that a message types for a name; None: it types none. Raises ValueError if it is
    not one letter."""
    letter = said.get("letter")
    if letter is not None and (not isinstance(letter, str) or len(letter) != 1):
        raise ValueError("not a letter")
    return letter


def move_key(fingertips: Fingertips, said: Json) -> None:
    """Moves a key if the message says so. Raises ValueError if it can't be understood, TooFastError
    if too many movements wait."""
    if "key" in said:
        key, down = Key(said["key"]), said.get("down")
        if not isinstance(down, bool):
            raise ValueError("down or up?")
        fingertips.put(key, down)


def spend(spending: PageSpending, said: Json) -> None:
    """Counts a message against the page's budgets. Raises ValueError if it has none, and
    TooFastError."""
    if not spending.spend(said):
        raise TooFastError("too many messages")
