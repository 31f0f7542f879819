"""The thread that sends the table's events to a hook: a POST for each event, signed by the rules of
Standard Webhooks (docs/stream.md).

An event is tried a few times, with the same id. Meanwhile, events don't pile up: once the hook
answers again, it gets the changes since the last moment that reached it.
"""

import base64
import hashlib
import hmac
import json
import re
import secrets
import socket
import ssl
import time
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException
from threading import Event
from typing import Final

from companion.core.threads import NamedThread
from companion.core.values import Json, dataclass
from companion.core.version import VERSION
from companion.web.listeners.addresses import Address
from companion.web.listeners.connections import (
    FIRST_PAUSE_S,
    LONGEST_PAUSE_S,
    FaultReporter,
    ListenerError,
)
from companion.web.listeners.subscription import PHONES_FIRST_S, RECHECK_S, EventSource

PATIENCE_S: Final = 5.0
"""Seconds that a hook may take in all, from connecting to the first line of its answer."""
TRIES: Final = 3
LONGEST_ANSWER: Final = 512
"""Bytes within which the first line of an answer has to end; no more is read."""
STATUS: Final = re.compile(rb"HTTP/1\.[01] (\d{3})\b")
RETRY_STATUSES: Final = frozenset({408, 429})
"""Statuses that may change on a retry, besides all from 500 on, which are faults of the server."""


@dataclass(frozen=True, slots=True)
class HookSetup:
    """A hook, the secret by which it recognises the box (empty if nothing is signed), and the kinds
    of events that it wants."""

    address: Address
    secret: bytes
    events: frozenset[str]


class RefusedError(ListenerError):
    """A hook refuses an event, so that a retry is pointless."""


class HookThread:
    """Sends events to a hook, from `start` to `stop`. `tell` gets lines about faults; `trust` gives
    the certificates that a secure connection trusts."""

    def __init__(
        self,
        setup: HookSetup,
        source: EventSource,
        tell: Callable[[str], None],
        trust: Callable[[], ssl.SSLContext],
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._setup, self._trust, self._patience_s = setup, trust, patience_s
        self._faults = FaultReporter(f"The hook at {setup.address}", tell)
        self._news, self._over = Event(), Event()
        self._subscription = source.subscribe(self._news.set)
        self._thread = NamedThread("hook", self._run)

    def start(self) -> None:
        """Starts the thread, which first sends the state of the table."""
        self._news.set()
        self._thread.start()

    def stop(self) -> None:
        """Ends the thread, without waiting for a request in progress."""
        self._over.set()
        self._news.set()

    def join(self, wait_s: float) -> None:
        """Waits at most `wait_s` for a request in progress to end."""
        self._thread.join(wait_s)

    def _run(self) -> None:
        pause = FIRST_PAUSE_S
        while not self._over.is_set():
            self._news.wait(RECHECK_S)
            self._over.wait(PHONES_FIRST_S)
            self._news.clear()
            try:
                self._send_new_events()
            except (OSError, HTTPException, ValueError, ListenerError) as error:
                if isinstance(error, RefusedError):
                    self._subscription.confirm()
                self._faults.report(error)
                self._news.set()
                self._over.wait(pause)
                pause = min(pause * 2, LONGEST_PAUSE_S)
            else:
                pause = FIRST_PAUSE_S

    def _send_new_events(self) -> None:
        """Sends the hook all new events, one by one. If the hook refuses an event, those after it
        are skipped."""
        for event in self._subscription.events():
            if self._over.is_set():
                return
            if event["event"] in self._setup.events:
                self._send_event(event)
                self._faults.clear()
        self._subscription.confirm()

    def _send_event(self, event: Json) -> None:
        """Posts an event, with a few attempts. Raises the error of the last one."""
        body = json.dumps(event, ensure_ascii=False).encode()
        identity = f"msg_{secrets.token_hex(12)}"
        for left in range(TRIES - 1, -1, -1):
            try:
                self._post(identity, body)
            except RefusedError:
                raise
            except (OSError, HTTPException, ListenerError):
                if not left or self._over.wait(FIRST_PAUSE_S * 2 ** (TRIES - 1 - left)):
                    raise
            else:
                return

    def _post(self, identity: str, body: bytes) -> None:
        address, ends = self._setup.address, time.monotonic() + self._patience_s
        line = HTTPConnection(address.host, address.port, timeout=self._patience_s)
        try:
            line.connect()
            if address.secure:
                line.sock.settimeout(_time_left(ends))
                line.sock = self._trust().wrap_socket(line.sock, server_hostname=address.host)
            line.sock.settimeout(_time_left(ends))
            line.request("POST", address.path, body, self._headers(identity, body))
            status = _status(line.sock, ends)
        finally:
            line.close()
        if status in RETRY_STATUSES or status >= 500:
            raise ListenerError(f"it answers {status}")
        if status >= 300:
            raise RefusedError(f"it answers {status}")

    def _headers(self, identity: str, body: bytes) -> dict[str, str]:
        at = str(int(time.time()))
        found = {
            "Content-Type": "application/json",
            "User-Agent": f"table-companion/{VERSION}",
            "Connection": "close",
            "webhook-id": identity,
            "webhook-timestamp": at,
        }
        if self._setup.secret:
            found["webhook-signature"] = signature(self._setup.secret, identity, at, body)
        return found


def signature(secret: bytes, identity: str, at: str, body: bytes) -> str:
    """The signature of a message that was sent `at`, in seconds since 1970: HMAC-SHA-256 in base64,
    in the form of Standard Webhooks."""
    signed = b".".join((identity.encode(), at.encode(), body))
    made = hmac.new(secret, signed, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(made).decode()}"


def _status(line: socket.socket, ends: float) -> int:
    """The HTTP status of the answer, the only part that is read. Raises ListenerError if the answer
    has none, TimeoutError if it doesn't come in time."""
    found = b""
    while b"\n" not in found and len(found) < LONGEST_ANSWER:
        line.settimeout(_time_left(ends))
        if not (more := line.recv(LONGEST_ANSWER - len(found))):
            break
        found += more
    if (status := STATUS.match(found)) is None:
        raise ListenerError("what it answers is not HTTP")
    return int(status[1])


def _time_left(ends: float) -> float:
    if (left := ends - time.monotonic()) <= 0:
        raise TimeoutError
    return left
