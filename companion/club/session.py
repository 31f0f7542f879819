"""The messages of a box and its club over one connection, each signed for that connection alone.

docs/hub.md has the messages. Pure: texts in, texts out.
"""

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any, Final

from companion.club.keys import (
    KEY_BYTES,
    SIGNATURE_BYTES,
    KeyPair,
    commitment,
    is_signed,
    six_digits,
)
from companion.club.links import read_hash, read_object
from companion.core.errors import EntryError
from companion.core.words import can_be_seen

PROTOCOL: Final = 1
NONCE_BYTES: Final = 32
BOX, HUB = "box", "hub"
"""The two sides of a connection."""
CLUB: Final = "club"
"""What a club's hub joins its federation as; everybody else joins as a BOX."""
LONGEST_NAME: Final = 60


def session_id(box: bytes, box_nonce: bytes, club: bytes, club_nonce: bytes) -> bytes:
    """The hash that every signature of a connection covers, so that it is worth nothing in
    another."""
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
    _said: int = field(default=0, init=False)
    _heard: int = field(default=0, init=False)

    def say(self, message: dict[str, Any]) -> str:
        """The signed text of the next message to send."""
        self._said += 1
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        signature = self.keys.sign(self.side, *self._bound(self._said, text))
        return json.dumps({"say": text, "sign": signature.hex()}, ensure_ascii=False)

    def hear(self, text: str) -> dict[str, Any]:
        """The message in a text that has arrived. Raises EntryError unless the other side has
        signed it as its next one."""
        found = read_object(text)
        said, signature = found.get("say"), read_hash(found.get("sign"), SIGNATURE_BYTES)
        if not isinstance(said, str):
            raise EntryError("that is not a signed message")
        self._heard += 1
        other = BOX if self.side == HUB else HUB
        if not is_signed(self.other, signature, other, *self._bound(self._heard, said)):
            raise EntryError("the signature is wrong")
        return read_object(said)

    def _bound(self, number: int, text: str) -> tuple[bytes, ...]:
        return self.session, str(number).encode(), text.encode(errors="surrogatepass")


def read_key(found: object) -> bytes:
    """A public key from its hexadecimal digits. Raises EntryError."""
    return read_hash(found, KEY_BYTES)


def read_nonce(found: object) -> bytes:
    """A nonce from its hexadecimal digits. Raises EntryError."""
    return read_hash(found, NONCE_BYTES)


def read_name(found: object) -> str:
    """The name of a box or a club, at most LONGEST_NAME letters of it. Raises EntryError if it is
    not one."""
    if isinstance(found, str) and found.strip() and can_be_seen(found):
        return found.strip()[:LONGEST_NAME]
    raise EntryError("that is no name: write it with letters")


def check_protocol(found: object) -> None:
    """Raises EntryError if the other side speaks another version of the protocol."""
    if found != PROTOCOL:
        raise EntryError("the other side is of another version: update the older one")


@dataclass(frozen=True, slots=True)
class JoiningSide:
    """The key, nonce and name that a side of a joining shows once the other has committed. `kind`:
    what it asks to join as, BOX or CLUB; None: it doesn't say, as no program of 0.3 did."""

    key: bytes
    nonce: bytes
    name: str
    kind: str | None = None

    @property
    def commitment(self) -> bytes:
        """The hash by which the side committed to its key and nonce before it showed them."""
        return commitment(self.key, self.nonce)

    @property
    def json(self) -> dict[str, Any]:
        """The side as it goes over the wire."""
        told = {"key": self.key.hex(), "nonce": self.nonce.hex(), "name": self.name}
        return told if self.kind is None else {**told, "as": self.kind}

    @classmethod
    def read(cls, found: dict[str, Any], committed: bytes) -> "JoiningSide":
        """The side that was sent. Raises EntryError if it is not the one that `committed` stands
        for."""
        if (kind := found.get("as")) not in (None, BOX, CLUB):
            raise EntryError("one joins as a box or as a club")
        shown = cls(
            read_key(found.get("key")), read_nonce(found.get("nonce")),
            read_name(found.get("name")), kind,
        )  # fmt: skip
        if shown.commitment != committed:
            raise EntryError("the other side shows another key than it committed to")
        return shown


def digits_of(box: JoiningSide, club: JoiningSide) -> str:
    """The six digits of a joining."""
    return six_digits(box.key, box.nonce, club.key, club.nonce)
