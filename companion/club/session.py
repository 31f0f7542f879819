"""What a box and its club say to each other over one connection: every message signed for it.

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

PROTOCOL: Final = 1
NONCE_BYTES: Final = 32
BOX, HUB = "box", "hub"
"""The two sides."""
LONGEST_NAME: Final = 60


def session_id(box: bytes, box_nonce: bytes, club: bytes, club_nonce: bytes) -> bytes:
    """What every signature of a connection is bound to."""
    return hashlib.sha256(
        b"table-companion session\n" + box + club + box_nonce + club_nonce
    ).digest()


@dataclass
class Session:
    """One side of a connection: signs what it says, and takes only what the other has signed, in
    the order in which it was said. `side`: BOX or HUB; `other`: the other side's public key."""

    keys: KeyPair
    other: bytes
    side: str
    session: bytes
    _said: int = field(default=0, init=False)
    _heard: int = field(default=0, init=False)

    def say(self, message: dict[str, Any]) -> str:
        """The message as it goes over the wire."""
        self._said += 1
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        signature = self.keys.sign(self.side, *self._bound(self._said, text))
        return json.dumps({"say": text, "sign": signature.hex()}, ensure_ascii=False)

    def hear(self, text: str) -> dict[str, Any]:
        """The message that came. Raises EntryError where the other side did not say it now."""
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
    """A public key; raises EntryError."""
    return read_hash(found, KEY_BYTES)


def read_nonce(found: object) -> bytes:
    """A nonce; raises EntryError."""
    return read_hash(found, NONCE_BYTES)


def read_name(found: object) -> str:
    """What a box or a club calls itself; raises EntryError."""
    if isinstance(found, str) and found.strip() and found.isprintable():
        return found.strip()[:LONGEST_NAME]
    raise EntryError("that is no name: write it with letters")


def check_protocol(found: object) -> None:
    """Raises EntryError where the other side is of another version."""
    if found != PROTOCOL:
        raise EntryError("the other side is of another version: update the older one")


@dataclass(frozen=True, slots=True)
class JoiningSide:
    """What a side of a joining shows of itself, once the other has committed."""

    key: bytes
    nonce: bytes
    name: str

    @property
    def commitment(self) -> bytes:
        """What the side has committed to, before it showed this."""
        return commitment(self.key, self.nonce)

    @property
    def json(self) -> dict[str, Any]:
        """The side as it goes over the wire."""
        return {"key": self.key.hex(), "nonce": self.nonce.hex(), "name": self.name}

    @classmethod
    def read(cls, found: dict[str, Any], committed: bytes) -> "JoiningSide":
        """A side from the wire; raises EntryError where it is not what was committed to."""
        shown = cls(
            read_key(found.get("key")), read_nonce(found.get("nonce")), read_name(found.get("name"))
        )
        if shown.commitment != committed:
            raise EntryError("the other side shows another key than it committed to")
        return shown


def digits_of(box: JoiningSide, club: JoiningSide) -> str:
    """The six digits of a joining."""
    return six_digits(box.key, box.nonce, club.key, club.nonce)
