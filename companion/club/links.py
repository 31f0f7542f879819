"""Rows as JSON, as they go between a box and its club, and the checks on what arrives.

A row is `[seq, game, row, at, source, before, hash]`. A private row has null for all but its number
and the two hashes.
"""

import json
import math
from typing import Any, Final, NamedTuple, TypeGuard

from companion.core.budgets import BATCH, HUB_MESSAGE
from companion.core.errors import EntryError
from companion.core.json_text import ROWS, is_whole
from companion.record.store.chain import START, ChainLink

ROWS_AT_ONCE: Final = BATCH.most
LONGEST_MESSAGE: Final = HUB_MESSAGE.most
BATCH_TEXT: Final = 400_000
"""The most characters of rows in a batch, unless it is a single row: JSON within JSON may double
them."""
LONGEST_TEXT: Final = 200_000
"""The most characters of a row or its source; longer rows are sent as private ones."""


class PushedRow(NamedTuple):
    """A row as a box pushes it; `game`, `row`, `at` and `source` are None if it is private."""

    seq: int
    game: int | None
    row: str | None
    at: float | None
    source: str | None
    before: bytes
    hash: bytes

    @classmethod
    def of(cls, link: ChainLink, *, whole: bool) -> "PushedRow":
        """The row as it is pushed: with its content if `whole`, unless it is too long, else only
        its number and both hashes."""
        if whole and len(link.row) + len(link.source or "") <= LONGEST_TEXT:
            return cls(*link.columns)
        return cls(link.seq, None, None, None, None, link.before, link.hash)

    @property
    def link(self) -> ChainLink | None:
        """The row as it is in the record; None if it is private."""
        if self.row is None or self.game is None:
            return None
        return ChainLink(
            self.seq, self.game, self.row, self.at, self.source, self.before, self.hash
        )

    @property
    def json(self) -> list[object]:
        """The row as it goes over the wire."""
        return [*self[:5], self.before.hex(), self.hash.hex()]

    @property
    def kind(self) -> str | None:
        """The kind of a row about the box itself, such as “forgotten”. None: the row belongs to a
        game, is private, or can't be read."""
        if self.row is None or self.game != 0:
            return None
        try:
            found = json.loads(self.row)
        except (ValueError, RecursionError):
            return None
        kind = found.get("kind") if isinstance(found, dict) else None
        return kind if isinstance(kind, str) else None


def read_pushed(found: object) -> PushedRow:
    """The row from its JSON. Raises EntryError if the JSON is not a row, or if the row doesn't
    match its hash."""
    match found:
        case [seq, game, row, at, source, str(before), str(own)] if is_whole(seq, ROWS) and seq:
            pass
        case _:
            raise EntryError("that is not a row")
    hashes = read_hash(before), read_hash(own)
    if row is None and game is None and at is None and source is None:
        return PushedRow(seq, None, None, None, None, *hashes)
    if not is_whole(game, ROWS) or not _is_text(row):
        raise EntryError("row {seq} is not a row of a record", seq=seq)
    if not (at is None or (type(at) is float and math.isfinite(at))):
        raise EntryError("row {seq} has no time that there is", seq=seq)
    if not (source is None or _is_text(source)):
        raise EntryError("row {seq} is not a row of a record", seq=seq)
    pushed = PushedRow(seq, game, row, at, source, *hashes)
    if pushed.link is None or not pushed.link.intact:
        raise EntryError("row {seq} was changed after it was written", seq=seq)
    return pushed


def read_hash(found: object, size: int = len(START)) -> bytes:
    """The bytes from hexadecimal digits in small letters. Raises EntryError unless there are `size`
    bytes."""
    if isinstance(found, str) and len(found) == 2 * size:
        try:
            decoded = bytes.fromhex(found)
        except ValueError:
            decoded = b""
        if decoded.hex() == found:
            return decoded
    raise EntryError("that is no key, hash or signature of {size} bytes", size=size)


def read_place(found: object) -> tuple[int, bytes]:
    """A row's number and hash from `[seq, hash]`. Raises EntryError."""
    match found:
        case [seq, own] if is_whole(seq, ROWS):
            return seq, read_hash(own)
    raise EntryError("that is not the number and hash of a row")


def read_object(text: str) -> dict[str, Any]:
    """The JSON object in a text. Raises EntryError if it is not one, or has NaN or Infinity in
    it."""
    try:
        found = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as wrong:
        raise EntryError("that is not JSON") from wrong
    if not isinstance(found, dict):
        raise EntryError("that is not a JSON object")
    return found


def _no_number(_text: str) -> float:
    raise ValueError("not a number")


def _is_text(found: object) -> TypeGuard[str]:
    """Whether `found` is text of the right length that both databases can keep: PostgreSQL takes no
    zero byte, and half a surrogate pair has no encoding."""
    if not isinstance(found, str) or not 0 < len(found) <= LONGEST_TEXT or "\0" in found:
        return False
    try:
        found.encode()
    except UnicodeEncodeError:
        return False
    return True
