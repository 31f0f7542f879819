"""A box's connection to its club's hub, over which it also joins and leaves the club.

The box sends nothing until the other side has proved to be the club. Every request raises ClubError
if the club can't be reached or refuses.
"""

import asyncio
import secrets
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from aiohttp import (
    ClientError,
    ClientSession,
    ClientTimeout,
    ClientWebSocketResponse,
    TCPConnector,
    ThreadedResolver,
    TraceConfig,
    WSMessage,
    WSMsgType,
)

from companion.club.box.keys import KeyPair
from companion.club.box.membership import Membership
from companion.club.box.protocol import (
    BOX,
    LONGEST_MESSAGE,
    NONCE_BYTES,
    PROTOCOL,
    JoiningSide,
    Session,
    check_protocol,
    joining_digits,
    read_hash,
    read_key,
    read_nonce,
    read_object,
    session_id,
)
from companion.core.errors import EntryError
from companion.core.typed_address import check_typed, is_unreachable_for_phones
from companion.games.game import AnyGame
from companion.record.store.reader import Reader

# ---------------------------------------------------------------- connection

PORT: Final = 8070
"""The port on which a hub listens by default."""
PATIENCE_S: Final = 10.0
"""Seconds to wait for an answer."""
MOST_UNSOLICITED: Final = 64
"""The most unasked messages that wait until they are handled; a hub sends a handful."""


class ClubError(RuntimeError):
    """Raised if the club can't be reached or refuses a request. The message is one line. `code`:
    one of those in docs/hub.md, or “away” if a retry may succeed."""

    def __init__(self, line: str, code: str = "away") -> None:
        super().__init__(line)
        self.code = code

    @property
    def is_temporary(self) -> bool:
        """Whether a retry may succeed without anybody doing anything at the box."""
        return self.code in ("away", "waiting", "busy")


def socket_address(address: str) -> str:
    """Returns the address of the hub's WebSocket for an address that somebody typed, such as
    192.168.1.20, 192.168.1.20:8070 or https://club.example."""
    scheme, found, rest = address.strip().partition("://")
    if not found:
        scheme, rest = "http", address.strip()
        if rest.count(":") > 1 and not rest.startswith("["):
            rest = f"[{rest}]"  # a bare IPv6 address needs brackets
        if ":" not in rest.rpartition("]")[2]:
            rest = f"{rest}:{PORT}"
    secure = scheme in ("https", "wss")
    return f"{'wss' if secure else 'ws'}://{rest.rstrip('/')}/club"


class _OutsideResolver(ThreadedResolver):
    """Resolves names, but never to an address of this machine itself or a link-local one."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[Any]:
        """Returns the addresses of a host. Raises OSError if it has none that may be connected
        to."""
        found = await super().resolve(host, port, family)
        allowed = [one for one in found if not is_unreachable_for_phones(str(one["host"]))]
        if not allowed:
            raise OSError(f"{host} is this machine itself")
        return list(allowed)


async def _refuse_redirect(*_: object) -> None:
    raise ClientError("a hub leads nowhere else")


def _new_client_session(address: str, patience_s: float, *, limited: bool) -> ClientSession:
    """Returns a session for connecting to the hub at `address`. A `limited` session follows no
    redirect and never connects to this machine itself or to a link-local address; raises
    ConnectionRefusedError if `address` is one of these."""
    timeout = ClientTimeout(total=None, connect=patience_s)
    if not limited:
        return ClientSession(timeout=timeout)
    if is_unreachable_for_phones(urlsplit(socket_address(address)).hostname or ""):
        raise ConnectionRefusedError("that is the box itself")
    redirects = TraceConfig()
    redirects.on_request_redirect.append(_refuse_redirect)
    connector = TCPConnector(resolver=_OutsideResolver())
    return ClientSession(timeout=timeout, connector=connector, trace_configs=[redirects])


@asynccontextmanager
async def _connect(
    address: str, patience_s: float, *, limited: bool
) -> AsyncIterator[ClientWebSocketResponse]:
    """Opens a WebSocket to the hub at `address`, and turns all connection errors into ClubError.
    `limited`: see _new_client_session."""
    try:
        async with (
            _new_client_session(address, patience_s, limited=limited) as client,
            client.ws_connect(
                socket_address(address), max_msg_size=LONGEST_MESSAGE, heartbeat=20.0
            ) as connection,
        ):
            yield connection
    except (ClientError, OSError, TimeoutError, ValueError) as error:
        if isinstance(error, EntryError):
            raise ClubError(f"what answers at {address} is no hub of ours: {error}") from error
        raise ClubError(f"the club can't be reached at {address}") from error


class HubConnection:
    """An authenticated connection between a box and its club. Only one request may be open at a
    time."""

    def __init__(
        self, socket: ClientWebSocketResponse, session: Session, patience_s: float
    ) -> None:
        self._socket, self._session, self._patience_s = socket, session, patience_s
        self.unsolicited: list[dict[str, Any]] = []
        """Messages that the hub sent unasked, the oldest first."""
        self._pending_receive: asyncio.Future[WSMessage] | None = None

    @classmethod
    @asynccontextmanager
    async def open(
        cls, membership: Membership, patience_s: float = PATIENCE_S
    ) -> "AsyncIterator[HubConnection]":
        """Connects to the hub and makes sure that it belongs to the club that the box joined.
        Raises ClubError."""
        async with _connect(
            membership.address, patience_s, limited=membership.is_limited
        ) as connection:
            greeting = read_object(await _receive(connection, patience_s))
            check_protocol(greeting.get("hub"))
            if read_key(greeting.get("club")) != membership.club:
                raise ClubError(
                    f"another club answers at {membership.address}: join it, or name the right one",
                    "club",
                )
            keys, nonce = membership.keys, secrets.token_bytes(NONCE_BYTES)
            its_nonce = read_nonce(greeting.get("nonce"))
            hello = {"hub": PROTOCOL, "box": keys.public.hex(), "nonce": nonce.hex()}
            await connection.send_json(hello)
            together = session_id(keys.public, nonce, membership.club, its_nonce)
            opened = cls(connection, Session(keys, membership.club, BOX, together), patience_s)
            await opened.request({"name": membership.name}, "hello")
            yield opened

    @property
    def club_key(self) -> bytes:
        """The public key of the club."""
        return self._session.other

    async def request(self, message: dict[str, Any], *answers: str) -> dict[str, Any]:
        """Sends the hub a request and returns its answer: the next message that has one of the keys
        `answers`. Other messages that arrive meanwhile go into `unsolicited`."""
        await self._socket.send_str(self._session.sign_message(message))
        while True:
            found = self._verify_message(self._text_of(await self._receive_next(self._patience_s)))
            if "wait" in found:
                raise ClubError(f"the club can't keep it now: {found['wait']}")
            if any(one in found for one in answers):
                return found
            if len(self.unsolicited) == MOST_UNSOLICITED:
                raise ClubError("the club sends more messages than the box takes at once")
            self.unsolicited.append(found)

    async def receive_until(self, end: "asyncio.Task[Any]") -> dict[str, Any] | None:
        """Returns the next message that the hub sends unasked, or None if `end` is done first. No
        part of a message is lost in that case."""
        if self._pending_receive is None:
            self._pending_receive = asyncio.ensure_future(self._socket.receive())
        await asyncio.wait({self._pending_receive, end}, return_when=asyncio.FIRST_COMPLETED)
        if end.done():
            return None
        return self._verify_message(self._text_of(await self._receive_next(None)))

    def _verify_message(self, text: str) -> dict[str, Any]:
        """Returns the message in a text once it has verified the club's signature. Raises ClubError
        if the signature is missing or wrong, or if the message is a refusal."""
        try:
            found = self._session.verify_message(text)
        except EntryError as error:
            raise ClubError(f"what answers is not the club: {error}") from error
        if "refused" in found:
            raise ClubError(str(found.get("why")), str(found["refused"]))
        return found

    async def _receive_next(self, within_s: float | None) -> WSMessage:
        """Returns the next message of the connection. Continues the pending read that
        `receive_until` may have left."""
        coming = self._pending_receive or asyncio.ensure_future(self._socket.receive())
        self._pending_receive = None
        return await asyncio.wait_for(coming, within_s)

    @staticmethod
    def _text_of(message: WSMessage) -> str:
        if message.type is not WSMsgType.TEXT:
            raise ClubError("the connection to the club is over")
        return str(message.data)


async def join(
    address: str,
    keys: KeyPair,
    name: str,
    patience_s: float = PATIENCE_S,
    *,
    kind: str = BOX,
    limited: bool = False,
) -> tuple[JoiningSide, str]:
    """Asks a club's hub at `address` to accept this side as a BOX or as a CLUB; returns the club's
    key and name, and the six digits that both displays show. Saves nothing yet. `limited`: connects
    only within the network, because the address was typed on a phone. Raises ClubError."""
    async with _connect(address, patience_s, limited=limited) as connection:
        greeting = read_object(await _receive(connection, patience_s))
        check_protocol(greeting.get("hub"))
        mine = JoiningSide(keys.public, secrets.token_bytes(NONCE_BYTES), name, kind)
        await connection.send_json({"join": mine.commitment.hex()})
        committed = read_hash(read_object(await _receive(connection, patience_s)).get("commit"))
        await connection.send_json({"hub": PROTOCOL, **mine.json})
        found = read_object(await _receive(connection, patience_s))
        if "refused" in found:
            raise ClubError(str(found.get("why")), str(found["refused"]))
        club = JoiningSide.read(found, committed)
        return club, joining_digits(mine, club)


async def _receive(connection: ClientWebSocketResponse, within_s: float | None) -> str:
    message = await asyncio.wait_for(connection.receive(), within_s)
    if message.type is not WSMsgType.TEXT:
        raise ConnectionError("the connection is over")
    return str(message.data)


# ---------------------------------------------------------------- joining and leaving


async def ask_to_join(
    record: Path,
    games: Mapping[str, AnyGame],
    address: str,
    name: str | None = None,
    *,
    older: bool = False,
    by_phone: bool = False,
) -> tuple[Membership, str]:
    """Asks to join the club at `address`, saves the membership beside the record, and returns it
    with the six digits to compare. `name`: what the box calls itself from now on (None: as before,
    or the machine's name). `older`: whether the club gets earlier games too. `by_phone`: whether
    the address was typed on a phone. Raises ClubError, SetupError, StoreError, and EntryError if
    that address may not be given from a phone."""
    if by_phone:
        check_typed(address)
    before = Membership.load(record)
    keys = before.keys if before and not before.aside else KeyPair.generate()
    called = name or (before.name if before else socket.gethostname())
    club, digits = await join(address, keys, called, limited=by_phone)
    with Reader.open(record, games) as reader:
        last = 0 if older else reader.last_row()
    again = before is not None and before.club == club.key and before.keys == keys
    stretches = before.after_leaving(last).joined if before and again else ()
    joined = (*stretches, (last, None))
    membership = Membership(keys, club.key, club.name, address, called, joined, is_limited=by_phone)
    membership.save(record)
    return membership, digits


async def leave(
    record: Path, games: Mapping[str, AnyGame], membership: Membership
) -> ClubError | None:
    """Leaves the club even if the hub can't be reached; in that case returns the error, otherwise
    None. Raises SetupError, StoreError."""
    with Reader.open(record, games) as reader:
        last = reader.last_row()
    why_not = None
    try:
        async with HubConnection.open(membership) as hub:
            await hub.request({"leave": True}, "left")
    except ClubError as error:
        why_not = error
    membership.after_leaving(last).save(record)
    return why_not
