"""The messages that a box and its club exchange over one connection, each signed for that
connection alone (docs/hub.md).

Pure: texts in, texts out. A row in a message is `[seq, game, row, at, source, before, hash]`; in a
private row everything but its number and the two hashes is null.
"""

import hashlib
import json
import math
from dataclasses import field
from typing import Any, Final, NamedTuple, TypeGuard

from companion.club.box.keys import (
    KEY_BYTES,
    SIGNATURE_BYTES,
    KeyPair,
    commitment,
    is_signed,
    six_digits,
)
from companion.core.budgets import BATCH, HUB_MESSAGE
from companion.core.club import LONGEST_NAME
from companion.core.errors import EntryError
from companion.core.json_text import ROWS, is_whole
from companion.core.values import dataclass
from companion.core.words import is_visible_text
from companion.record.store.database import START, ChainLink

ROWS_AT_ONCE: Final = BATCH.most
LONGEST_MESSAGE: Final = HUB_MESSAGE.most
BATCH_TEXT: Final = 400_000
"""The most characters in a batch of several rows; JSON within JSON may double their length.
"""
LONGEST_TEXT: Final = 200_000
"""The most characters in a row or its source; longer rows are sent as private ones."""


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
    def from_link(cls, link: ChainLink, *, whole: bool) -> "PushedRow":
        """Returns the row in the form in which it is pushed: with its content if `whole` is set and
        the row isn't too long, otherwise with only its number and both hashes."""
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
        """The kind of a row about the box itself, such as “forgotten”. None if the row belongs to a
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
    """Parses a pushed row from its JSON. Raises EntryError if the JSON is not a row, or if the row
    doesn't match its hash."""
    match found:
        case [seq, game, row, at, source, str(before), str(own)] if is_whole(seq, ROWS) and seq:
            pass
        case _:
            raise EntryError("that is not a row")
    hashes = read_hash(before), read_hash(own)
    if row is None and game is None and at is None and source is None:
        return PushedRow(seq, None, None, None, None, *hashes)
    if not is_whole(game, ROWS) or not _is_storable_text(row):
        raise EntryError("row {seq} is not a row of a record", seq=seq)
    if not (at is None or (type(at) is float and math.isfinite(at))):
        raise EntryError("row {seq} has no time that there is", seq=seq)
    if not (source is None or _is_storable_text(source)):
        raise EntryError("row {seq} is not a row of a record", seq=seq)
    pushed = PushedRow(seq, game, row, at, source, *hashes)
    if pushed.link is None or not pushed.link.intact:
        raise EntryError("row {seq} was changed after it was written", seq=seq)
    return pushed


def read_hash(found: object, size: int = len(START)) -> bytes:
    """Returns the bytes that lower-case hexadecimal digits stand for. Raises EntryError unless
    there are exactly `size` bytes."""
    if isinstance(found, str) and len(found) == 2 * size:
        try:
            decoded = bytes.fromhex(found)
        except ValueError:
            decoded = b""
        if decoded.hex() == found:
            return decoded
    raise EntryError("that is no key, hash or signature of {size} bytes", size=size)


def read_place(found: object) -> tuple[int, bytes]:
    """Returns the number and hash of a row from the list `[seq, hash]`. Raises EntryError."""
    match found:
        case [seq, own] if is_whole(seq, ROWS):
            return seq, read_hash(own)
    raise EntryError("that is not the number and hash of a row")


def read_object(text: str) -> dict[str, Any]:
    """Parses a JSON object. Raises EntryError if the text is not one, or contains NaN or
    Infinity."""
    try:
        found = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as wrong:
        raise EntryError("that is not JSON") from wrong
    if not isinstance(found, dict):
        raise EntryError("that is not a JSON object")
    return found


def _refuse_constant(_text: str) -> float:
    raise ValueError("not a number")


def _is_storable_text(found: object) -> TypeGuard[str]:
    """Whether `found` is text of the right length that both databases can keep: PostgreSQL takes no
    zero byte, and half a surrogate pair has no encoding."""
    if not isinstance(found, str) or not 0 < len(found) <= LONGEST_TEXT or "\0" in found:
        return False
    try:
        found.encode()
    except UnicodeEncodeError:
        return False
    return True


PROTOCOL: Final = 1
NONCE_BYTES: Final = 32
BOX, HUB = "box", "hub"
"""The two sides of a connection."""
CLUB: Final = "club"
"""The kind of member that a club's hub is in its federation; all others are boxes."""


def session_id(box: bytes, box_nonce: bytes, club: bytes, club_nonce: bytes) -> bytes:
    """The hash that every signature of a connection covers, so that signatures are invalid in any
    other connection."""
    return hashlib.sha256(
        b"table-companion session\n" + box + club + box_nonce + club_nonce
    ).digest()


@dataclass
class Session:
    """One side of a connection: signs its messages, and takes only messages that the other side has
    signed, in the order in which they were sent. `side`: BOX or HUB. `other`: the other side's
    public key. `session`: see session_id."""

    keys: KeyPair
    other: bytes
    side: str
    session: bytes
    _sent: int = field(default=0, init=False)
    _received: int = field(default=0, init=False)

    def sign_message(self, message: dict[str, Any]) -> str:
        """The signed text of the next message to send."""
        self._sent += 1
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        signature = self.keys.sign(self.side, *self._signed_parts(self._sent, text))
        return json.dumps({"say": text, "sign": signature.hex()}, ensure_ascii=False)

    def verify_message(self, text: str) -> dict[str, Any]:
        """Returns the message in a text that has arrived. Raises EntryError unless the other side
        signed it as its next message."""
        found = read_object(text)
        said, signature = found.get("say"), read_hash(found.get("sign"), SIGNATURE_BYTES)
        if not isinstance(said, str):
            raise EntryError("that is not a signed message")
        self._received += 1
        other = BOX if self.side == HUB else HUB
        if not is_signed(self.other, signature, other, *self._signed_parts(self._received, said)):
            raise EntryError("the signature is wrong")
        return read_object(said)

    def _signed_parts(self, number: int, text: str) -> tuple[bytes, ...]:
        return self.session, str(number).encode(), text.encode(errors="surrogatepass")


def read_key(found: object) -> bytes:
    """A public key from its hexadecimal digits. Raises EntryError."""
    return read_hash(found, KEY_BYTES)


def read_nonce(found: object) -> bytes:
    """A nonce from its hexadecimal digits. Raises EntryError."""
    return read_hash(found, NONCE_BYTES)


def read_name(found: object) -> str:
    """Returns the name of a box or a club, cut to LONGEST_NAME characters. Raises EntryError if
    `found` is not a name."""
    if isinstance(found, str) and found.strip() and is_visible_text(found):
        return found.strip()[:LONGEST_NAME]
    raise EntryError("that is no name: write it with letters")


def check_protocol(found: object) -> None:
    """Raises EntryError if the other side uses another version of the protocol."""
    if found != PROTOCOL:
        raise EntryError("the other side is of another version: update the older one")


@dataclass(frozen=True, slots=True)
class JoiningSide:
    """The key, nonce and name that one side of a request to join reveals once the other side has
    committed to its own. `kind`: the kind of member it wants to be, BOX or CLUB; None if not given,
    as in programs up to 0.3."""

    key: bytes
    nonce: bytes
    name: str
    kind: str | None = None

    @property
    def commitment(self) -> bytes:
        """The hash by which the side committed to its key and nonce before revealing them."""
        return commitment(self.key, self.nonce)

    @property
    def json(self) -> dict[str, Any]:
        """The side as it goes over the wire."""
        told = {"key": self.key.hex(), "nonce": self.nonce.hex(), "name": self.name}
        return told if self.kind is None else {**told, "as": self.kind}

    @classmethod
    def read(cls, found: dict[str, Any], committed: bytes) -> "JoiningSide":
        """Parses the side that was sent. Raises EntryError if it doesn't match the hash
        `committed`."""
        if (kind := found.get("as")) not in (None, BOX, CLUB):
            raise EntryError("one joins as a box or as a club")
        shown = cls(
            read_key(found.get("key")), read_nonce(found.get("nonce")),
            read_name(found.get("name")), kind,
        )  # fmt: skip
        if shown.commitment != committed:
            raise EntryError("the other side shows another key than it committed to")
        return shown


def joining_digits(box: JoiningSide, club: JoiningSide) -> str:
    """The six digits that both sides display for a request to join."""
    return six_digits(box.key, box.nonce, club.key, club.nonce)
