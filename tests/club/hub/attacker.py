"""A second program that speaks the hub's protocol, written from docs/hub.md alone: nothing here is
the product's own code. It sends what no honest box or club sends, and records all answers.
"""

import hashlib
import json
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.waiting import WAIT_S

NOTHING = bytes(32)

WireRow = tuple[int, int, str, float, None, bytes, bytes]


@dataclass
class Key:
    """A key pair."""

    private: Ed25519PrivateKey = field(default_factory=Ed25519PrivateKey.generate)

    @classmethod
    def of(cls, private: str) -> "Key":
        return cls(Ed25519PrivateKey.from_private_bytes(bytes.fromhex(private)))

    @property
    def public(self) -> bytes:
        return self.private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    @property
    def name(self) -> str:
        return hashlib.sha256(self.public).hexdigest()[:16]

    def sign(self, purpose: str, *parts: bytes) -> str:
        return self.private.sign(signed(purpose, parts)).hex()

    def seal(self, purpose: str, club: str, box: str, row: WireRow) -> str:
        """A seal of that row as the newest of the box's chain; `purpose`: “chain” is a box's seal,
        “have” a club's."""
        return self.sign(purpose, club.encode(), box.encode(), str(row[0]).encode(), row[6])


def signed(purpose: str, parts: Sequence[bytes]) -> bytes:
    found = f"table-companion {purpose}\n".encode()
    return found + b"".join(len(part).to_bytes(8, "big") + part for part in parts)


def rows(
    texts: Sequence[tuple[int, str]], after: tuple[int, bytes] = (0, NOTHING)
) -> list[WireRow]:
    """A chain of rows with these games and texts, after the row with the given number and hash."""
    made, (seq, before) = list[WireRow](), after
    for game, text in texts:
        seq += 1
        content = [seq, game, text, 1_790_000_000.0, None]
        own = hashlib.sha256(before + json.dumps(content).encode()).digest()
        made.append((seq, game, text, 1_790_000_000.0, None, before, own))
        before = own
    return made


def wire(made: Sequence[WireRow]) -> list[list[object]]:
    return [[*row[:5], row[5].hex(), row[6].hex()] for row in made]


def part(
    box: str,
    made: Sequence[WireRow],
    *,
    chain: int = 1,
    seal: str | None = None,
    countersign: str | None = None,
    after: tuple[int, bytes] | None = None,
    lost: WireRow | None = None,
) -> dict[str, Any]:
    """The message with which a club passes on these rows of a box."""
    first = made[0]
    place = (first[0] - 1, first[5]) if after is None else after
    message: dict[str, Any] = {
        "chain": [box, chain, None, 1, "live"],
        "after": [place[0], place[1].hex()],
        "rows": wire(made),
        "seal": seal,
        "countersign": countersign,
    }
    return message if lost is None else {**message, "lost": wire([lost])[0]}


@dataclass
class Answers:
    """All answers of hubs. `sent`: how many messages they got."""

    sent: int = 0
    heard: list[dict[str, Any]] = field(default_factory=list)

    def signed_by(self, hub: bytes, club: str, box: str, made: Sequence[WireRow]) -> int:
        """How many of these rows the hub has countersigned."""
        found = 0
        for one in self.heard:
            if isinstance(seal := one.get("seal"), str):
                for row in made:
                    parts = club.encode(), box.encode(), str(row[0]).encode(), row[6]
                    key = Ed25519PublicKey.from_public_bytes(hub)
                    try:
                        key.verify(bytes.fromhex(seal), signed("have", parts))
                        found += 1
                    except InvalidSignature:
                        pass
        return found


class Line:
    """A connection to a hub under a key. `said`: the texts that went over it."""

    def __init__(
        self, ws: Any, key: Key, hub: bytes, combine_people: bytes, answers: Answers
    ) -> None:
        self._ws, self._key, self.hub, self._together = ws, key, hub, combine_people
        self._number = 0
        self._answers = answers
        self.said: list[str] = []

    async def request(self, message: dict[str, Any]) -> dict[str, Any]:
        """The hub's answer; {} if it hangs up."""
        self._number += 1
        text = json.dumps(message)
        signature = self._key.sign("box", self._together, str(self._number).encode(), text.encode())
        return await self.ask_text(json.dumps({"say": text, "sign": signature}))

    async def ask_text(self, text: str) -> dict[str, Any]:
        """The hub's answer to a text, which is sent unchanged."""
        self.said.append(text)
        self._answers.sent += 1
        await self._ws.send_str(text)
        while True:
            message = await self._ws.receive(WAIT_S)
            if message.type is not aiohttp.WSMsgType.TEXT:
                return {}
            found: dict[str, Any] = json.loads(message.data)
            told: dict[str, Any] = json.loads(found["say"]) if "say" in found else found
            if not told.keys() & {"line", "hubs", "called", "seats", "clock"}:
                self._answers.heard.append(told)
                return told


@asynccontextmanager
async def connected(url: str, key: Key, answers: Answers) -> AsyncIterator[Line]:
    """A connection to the hub at `url` under that key."""
    async with aiohttp.ClientSession() as session, session.ws_connect(f"{url}/club") as ws:
        hello = json.loads((await ws.receive(WAIT_S)).data)
        hub, theirs, mine = bytes.fromhex(hello["club"]), bytes.fromhex(hello["nonce"]), _nonce()
        await ws.send_json({"hub": 1, "box": key.public.hex(), "nonce": mine.hex()})
        combine_people = hashlib.sha256(
            b"table-companion session\n" + key.public + hub + mine + theirs
        ).digest()
        yield Line(ws, key, hub, combine_people, answers)


async def ask_to_join(url: str, key: Key, name: str, kind: str | None) -> str:
    """Requests to join as a “box” or as a “club” (None: without naming a kind); returns the six
    digits."""
    async with aiohttp.ClientSession() as session, session.ws_connect(f"{url}/club") as ws:
        await ws.receive(WAIT_S)
        mine = _nonce()
        committed = hashlib.sha256(b"table-companion join\n" + key.public + mine).hexdigest()
        await ws.send_json({"join": committed})
        await ws.receive(WAIT_S)
        side = {"hub": 1, "key": key.public.hex(), "nonce": mine.hex(), "name": name}
        await ws.send_json(side if kind is None else {**side, "as": kind})
        theirs = json.loads((await ws.receive(WAIT_S)).data)
        hub, nonce = bytes.fromhex(theirs["key"]), bytes.fromhex(theirs["nonce"])
    digested = b"table-companion digits\n" + key.public + hub + mine + nonce
    return f"{int.from_bytes(hashlib.sha256(digested).digest()[:8], 'big') % 1_000_000:06}"


def _nonce() -> bytes:
    return secrets.token_bytes(32)
