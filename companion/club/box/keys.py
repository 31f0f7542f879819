"""Keys of boxes and clubs, and their signatures.

Every signature also covers its purpose, so that it can't be reused for anything else.
"""

import hashlib
import re
import secrets
from typing import Final, Self, TypeGuard

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from companion.core.values import dataclass

ID_DIGITS: Final = 16
"""Hexadecimal digits of an identity: see identity_of."""
MARK_DIGITS: Final = 4
KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64


def identity_of(key: bytes) -> str:
    """Returns the short identity of a public key, which the hub's tables and addresses use. The
    whole key is stored beside it."""
    return hashlib.sha256(key).hexdigest()[:ID_DIGITS]


def is_identity(found: object) -> TypeGuard[str]:
    """Whether the value has the form of an identity."""
    return isinstance(found, str) and re.fullmatch(f"[0-9a-f]{{{ID_DIGITS}}}", found) is not None


def identity_mark(identity: str) -> str:
    """The few characters of its identity that distinguish a box from others with the same name."""
    return identity[:MARK_DIGITS]


def is_signed(key: bytes, signature: bytes, purpose: str, *parts: bytes) -> bool:
    """Whether the owner of the public key `key` signed these parts for this purpose."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, _bytes_to_sign(purpose, parts))
    except (InvalidSignature, ValueError):
        return False
    return True


def _bytes_to_sign(purpose: str, parts: tuple[bytes, ...]) -> bytes:
    """The bytes to sign: the purpose, then each part after its length, so that no part runs into
    the next."""
    lengths = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
    return f"table-companion {purpose}\n".encode() + lengths


@dataclass(frozen=True, slots=True)
class KeyPair:
    """A private key, of a box or of a club, and the public key that goes with it."""

    private: bytes
    public: bytes

    @classmethod
    def generate(cls) -> Self:
        """A new random key pair."""
        return cls.from_private(secrets.token_bytes(KEY_BYTES))

    @classmethod
    def from_private(cls, private: bytes) -> Self:
        """The key pair with this 32-byte private key. Raises ValueError."""
        return cls(private, _public_bytes(Ed25519PrivateKey.from_private_bytes(private)))

    @property
    def identity(self) -> str:
        """The short identity of the public key."""
        return identity_of(self.public)

    def sign(self, purpose: str, *parts: bytes) -> bytes:
        """The signature of these parts for this purpose, 64 bytes."""
        return Ed25519PrivateKey.from_private_bytes(self.private).sign(
            _bytes_to_sign(purpose, parts)
        )


def _public_bytes(key: Ed25519PrivateKey) -> bytes:
    public = key.public_key()
    if hasattr(public, "public_bytes_raw"):
        return public.public_bytes_raw()
    # cryptography before version 40; this takes a megabyte more of memory.
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return public.public_bytes(Encoding.Raw, PublicFormat.Raw)


# ---------------------------------------------------------------- seals

BOX_SEAL, CLUB_SEAL = "chain", "have"
"""The purposes of seals. BOX_SEAL: “this is my chain up to here”. CLUB_SEAL: “we have it up to
here”."""


@dataclass(frozen=True, slots=True)
class Head:
    """The number and hash of a row. Each hash covers the one before it, so the newest row of a
    chain vouches for all its rows."""

    seq: int
    hash: bytes

    def make_seal(self, keys: KeyPair, purpose: str, club: str, box: str) -> bytes:
        """Returns a seal of this head in the chain of a box: a signature that remains valid after
        the connection has ended. `purpose`: BOX_SEAL or CLUB_SEAL."""
        return keys.sign(purpose, *self._seal_parts(club, box))

    def has_valid_seal(self, key: bytes, seal: bytes, purpose: str, club: str, box: str) -> bool:
        """Whether the owner of the public key `key` sealed this head of this box's chain."""
        return is_signed(key, seal, purpose, *self._seal_parts(club, box))

    def _seal_parts(self, club: str, box: str) -> tuple[bytes, ...]:
        return club.encode(), box.encode(), str(self.seq).encode(), self.hash


# ---------------------------------------------------------------- joining


def commitment(key: bytes, nonce: bytes) -> bytes:
    """The hash by which a side commits to its key and nonce before it has seen the other side's."""
    return hashlib.sha256(b"table-companion join\n" + key + nonce).digest()


def six_digits(box: bytes, box_nonce: bytes, club: bytes, club_nonce: bytes) -> str:
    """The six digits that both displays show. If they differ, somebody is intercepting the
    connection."""
    digested = b"table-companion digits\n" + box + club + box_nonce + club_nonce
    number = int.from_bytes(hashlib.sha256(digested).digest()[:8], "big")
    return f"{number % 1_000_000:06}"
