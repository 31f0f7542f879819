"""The thread that publishes the table's events to an MQTT broker, under a topic for each kind of
event (`EVENTS` in presentation/stream_events.py), together with Home Assistant's discovery
messages.

`table` and `turn` are retained: a client that connects later gets them at once. `status` shows
whether the box is online, and is its last will. Each box has an id of its own, chosen once at
random and stored beside the record, so two boxes with default settings never share a topic or a
name in Home Assistant.

Each moment's messages are confirmed before the next ones are made, so a slow broker gets the newest
state of the table, and messages don't pile up. There are no subscriptions: anything that a broker
sends unasked ends the connection."""

import json
import re
import secrets
import socket
import ssl
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from select import select
from typing import Any, Final

from paho.mqtt import client as mqtt

from companion.core.budgets import RateLimit
from companion.core.regular_file import read_private, write_private
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

# ---------------------------------------------------------------- topics


RETAINED: Final = frozenset({"table", "turn"})
ONLINE: Final = "online"
OFFLINE: Final = "offline"
LONGEST_STATE: Final = 255
"""The most characters of a state that Home Assistant accepts."""


@dataclass(frozen=True, slots=True)
class TopicMessage:
    """A message to publish: text or a JSON object under a topic."""

    topic: str
    payload: str | Json
    retained: bool = False


def status_topic(topic: str) -> str:
    """The topic that shows whether the box is online; the broker publishes its last will there."""
    return f"{topic}/status"


def event_message(topic: str, event: Json) -> TopicMessage:
    """The message that publishes an event."""
    name = event["event"]
    return TopicMessage(f"{topic}/{name}", event, retained=name in RETAINED)


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity of the table in Home Assistant: its `name` there, the event it is made from, and
    the template of its state; `attributes`: whether it also shows the whole event."""

    name: str
    event: str
    template: str
    icon: str
    attributes: bool = False
    component: str = "sensor"


ENTITIES: Final = {
    "turn": Entity("Turn", "turn", "{{ value_json.seat or '' }}", "account-arrow-right", True),
    "colour": Entity("Colour to move", "turn", "{{ value_json.colour or '' }}", "palette"),
    "game": Entity("Game", "table", "{{ value_json.game or '' }}", "cards-outline", True),
    "scores": Entity(
        "Scores",
        "table",
        "{% for one in value_json.seats %}{{ one.seat }} {{ one.score }}"
        "{{ '' if loop.last else ', ' }}{% endfor %}",
        "scoreboard-outline",
    ),
    "last": Entity("Last entry", "table", "{{ value_json.last or '' }}", "text-box-outline"),
    "winner": Entity("Winner", "table", "{{ value_json.winners | join(', ') }}", "trophy-outline"),
    "claim": Entity(
        "Bogus play called",
        "table",
        "{{ 'ON' if value_json.claim else 'OFF' }}",
        "alert-circle-outline",
        component="binary_sensor",
    ),
}
"""The entities, by the part of their discovery topic that names them."""


def discovery(prefix: str, topic: str) -> Iterator[TopicMessage]:
    """The discovery messages under Home Assistant's `prefix` that describe the table under
    `topic`."""
    ours = _device_id(topic)
    device = {
        "identifiers": [ours],
        "name": re.sub("^table-?", "Table ", topic).strip(),
        "manufacturer": "Table companion",
        "model": "Scorekeeper",
        "sw_version": VERSION,
    }
    for key, entity in ENTITIES.items():
        state_topic = f"{topic}/{entity.event}"
        more = {"json_attributes_topic": state_topic} if entity.attributes else {}
        template = entity.template
        if entity.component == "sensor":
            template = f"{{% set said %}}{template}{{% endset %}}{{{{ said[:{LONGEST_STATE}] }}}}"
        yield TopicMessage(
            _discovery_topic(prefix, topic, key),
            {
                "name": entity.name,
                "unique_id": f"{ours}_{key}",
                "state_topic": state_topic,
                "value_template": template,
                "icon": f"mdi:{entity.icon}",
                "availability_topic": status_topic(topic),
                "device": device,
                **more,
            },
            retained=True,
        )


def removal_messages(topic: str, prefix: str, kept: str) -> Iterator[TopicMessage]:
    """The empty messages that make a broker drop the retained messages under `topic`, unless it is
    the topic `kept`, and those for Home Assistant under `prefix` (empty if none)."""
    if topic != kept:
        for name in (*sorted(RETAINED), "status"):
            yield TopicMessage(f"{topic}/{name}", "", retained=True)
    if prefix:
        for key in ENTITIES:
            yield TopicMessage(_discovery_topic(prefix, topic, key), "", retained=True)


def _discovery_topic(prefix: str, topic: str, key: str) -> str:
    return f"{prefix}/{ENTITIES[key].component}/{_device_id(topic)}/{key}/config"


def _device_id(topic: str) -> str:
    """The name of the table under `topic` in Home Assistant's discovery."""
    return re.sub(r"\W", "_", f"table_companion_{topic}")


ID_BYTES: Final = 4
LONGEST: Final = 1000
FIRST_TOPIC, FIRST_DISCOVERY = "table", "homeassistant"
"""The default topics in versions without an id for each box."""


@dataclass(frozen=True, slots=True)
class Topics:
    """A box's topic, and the topic for Home Assistant's discovery (empty if none)."""

    topic: str
    discovery: str


class BoxTopic:
    """The id and the topics of a box. `file`: where they are kept; `topic`: the one in the
    configuration (empty: the box uses its own). Raises OSError if the id is needed and can't be
    saved."""

    def __init__(self, file: Path, topic: str, discovery: str) -> None:
        self._file = file
        try:
            found = _read_box_topic(file)
            if found is None:
                self.id = secrets.token_hex(ID_BYTES)
                # A configured topic has no id, so there is nothing to move.
                self._before = Topics(topic or FIRST_TOPIC, discovery if topic else FIRST_DISCOVERY)
                self._save()
            else:
                self.id, self._before = found
        except OSError:
            if not topic:
                raise
            self._before = Topics(topic, discovery)
        self.now = Topics(topic or f"table-{self.id}", discovery)

    def old_messages(self) -> Iterator[TopicMessage]:
        """The messages that remove from the broker everything that the box left there under another
        topic."""
        if self._before != self.now:
            yield from removal_messages(
                self._before.topic, self._before.discovery, kept=self.now.topic
            )

    def confirm(self) -> None:
        """Stores that the broker has accepted `old_messages`, so that they aren't sent again.
        Raises OSError."""
        if self._before != self.now:
            self._before = self.now
            self._save()

    def _save(self) -> None:
        kept = {"id": self.id, "topic": self._before.topic, "discovery": self._before.discovery}
        write_private(self._file, json.dumps(kept) + "\n")


def _read_box_topic(file: Path) -> tuple[str, Topics] | None:
    """The id and the topics that were used last; None if the file is missing or damaged. Raises
    OSError."""
    try:
        found = json.loads(read_private(file, LONGEST))
        own, topic, discovery = (found[key] for key in ("id", "topic", "discovery"))
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError):
        return None
    if not all(isinstance(one, str) for one in (own, topic, discovery)):
        return None
    if len(own) != 2 * ID_BYTES or set(own) - set("0123456789abcdef"):
        return None
    return own, Topics(topic, discovery)


# ---------------------------------------------------------------- thread


PATIENCE_S: Final = 10.0
"""Seconds to wait for an answer."""
KEEP_ALIVE_S: Final = 60
"""MQTT's keep-alive in seconds: after one and a half times as long, a broker counts a silent box as
gone."""
LONGEST_ANSWER: Final = 128
"""The most bytes that are read at once; a broker's answers are a few bytes long."""
PACKETS_AT_ONCE, PACKETS_PER_S = 300, 20
READS_OF_A_PACKET: Final = 3
GOODBYE_S: Final = 0.5


@dataclass(frozen=True, slots=True)
class BrokerSetup:
    """A broker, the user and password with which the box logs in, and the topic under which it
    publishes. `discovery`: the topic that Home Assistant reads; empty if none. `box`: the box's
    topics, present and former; None if nothing was published under another topic."""

    address: Address
    user: str = ""
    password: str = ""
    topic: str = "table"
    discovery: str = "homeassistant"
    box: BoxTopic | None = None


class LimitedClient(mqtt.Client):
    """A client that accepts only a few small answers, so that a broker can't fill the box's memory
    or keep its processor busy."""

    _reads: RateLimit | None = None

    def _sock_recv(self, bufsize: int) -> bytes:
        """Reads bytes for the library, which reads all of them through this. Raises
        UnexpectedDataError."""
        now = time.monotonic()
        if self._reads is None:
            self._reads = RateLimit(
                READS_OF_A_PACKET * PACKETS_AT_ONCE, READS_OF_A_PACKET * PACKETS_PER_S, now
            )
        self._reads.spend()
        if bufsize > LONGEST_ANSWER or self._reads.left(now) < 0:
            raise UnexpectedDataError("the broker sends what nobody has asked for")
        return super()._sock_recv(bufsize)


class UnexpectedDataError(Exception):
    """A broker sends more than any broker sends to a client without subscriptions."""


class BrokerThread:
    """Publishes events to a broker, from `start` to `stop`. `tell` gets lines about faults; `trust`
    gives the certificates that a secure connection trusts."""

    def __init__(
        self,
        setup: BrokerSetup,
        source: EventSource,
        tell: Callable[[str], None],
        trust: Callable[[], ssl.SSLContext],
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._setup, self._trust, self._patience_s = setup, trust, patience_s
        self._faults = FaultReporter(f"The MQTT broker at {setup.address}", tell)
        self._awake, self._wake = socket.socketpair()
        self._awake.setblocking(False)
        self._wake.setblocking(False)
        self._subscription = source.subscribe(self.wake)
        self._over = False
        self._thread = NamedThread("mqtt", self._run)

    def start(self) -> None:
        self._thread.start()

    def wake(self) -> None:
        """Notifies the thread that something is new. Returns at once."""
        with suppress(OSError):  # the thread is awake already, or has ended
            self._wake.send(b"!")

    def stop(self, wait_s: float = GOODBYE_S) -> None:
        """Ends the thread, which publishes that the box is gone if that works within `wait_s`."""
        self._over = True
        self.wake()
        if self._thread.is_alive():
            self._thread.join(wait_s)
        if not self._thread.is_alive():
            self._awake.close()
            self._wake.close()

    def _run(self) -> None:
        pause = FIRST_PAUSE_S
        while not self._over:
            line: _Connection | None = None
            try:
                line = _Connection(self._setup, self._trust, self._awake, self._patience_s)
                line.open()
                self._announce_box(line)
                self._faults.clear()
                pause = FIRST_PAUSE_S
                self._publish_until_stopped(line)
            except (OSError, ValueError, ListenerError) as error:
                self._faults.report(error)
            finally:
                if line is not None:
                    line.close()
            ends = time.monotonic() + pause
            while not self._over and (left := ends - time.monotonic()) > 0:
                select([self._awake], [], [], left)
                self._drain()
            pause = min(pause * 2, LONGEST_PAUSE_S)

    def _announce_box(self, line: "_Connection") -> None:
        setup, box = self._setup, self._setup.box
        if box is not None:
            # Old messages are removed first, or Home Assistant would show the device twice.
            line.publish(box.old_messages())
            with suppress(OSError):  # removed at the next start instead
                box.confirm()
        known = discovery(setup.discovery, setup.topic) if setup.discovery else ()
        line.publish([*known, TopicMessage(status_topic(setup.topic), ONLINE, retained=True)])

    def _publish_until_stopped(self, line: "_Connection") -> None:
        topic, anew = self._setup.topic, True
        while not self._over:
            self._drain()
            events = self._subscription.events(anew=anew)
            line.publish(event_message(topic, event) for event in events)
            self._subscription.confirm()
            anew = False
            line.wait(RECHECK_S, lambda: self._is_awake)
            if not self._over:
                line.wait(PHONES_FIRST_S)
        line.publish([TopicMessage(status_topic(topic), OFFLINE, retained=True)])

    @property
    def _is_awake(self) -> bool:
        return bool(select([self._awake], [], [], 0)[0])

    def _drain(self) -> None:
        with suppress(BlockingIOError):
            while self._awake.recv(64):
                pass


class _Connection:
    """One connection to a broker; `awake` is readable when something is new. Methods that wait for
    the broker raise OSError or ListenerError."""

    def __init__(
        self,
        setup: BrokerSetup,
        trust: Callable[[], ssl.SSLContext],
        awake: socket.socket,
        patience_s: float,
    ) -> None:
        self._setup, self._awake, self._patience_s = setup, awake, patience_s
        self._client = _new_client()
        self._answer: object = None
        self._client.on_connect = self._on_connect
        self._client.will_set(status_topic(setup.topic), OFFLINE, qos=1, retain=True)
        if setup.user:
            self._client.username_pw_set(setup.user, setup.password or None)
        if setup.address.secure:
            self._client.tls_set_context(trust())

    def open(self) -> None:
        """Connects, and waits until the broker accepts the box."""
        address = self._setup.address
        self._client.connect(address.host, address.port, KEEP_ALIVE_S)
        self._wait_until(lambda: self._answer is not None)
        if self._answer != 0:
            refused = str(self._answer).lower().removeprefix("connection refused: ").strip(".")
            raise ListenerError(f"it lets nobody in ({refused}): look at user and password")

    def publish(self, messages: Iterable[TopicMessage]) -> None:
        """Publishes the messages, and waits until the broker has confirmed them all."""
        found = [
            self._client.publish(
                one.topic, _encode_payload(one.payload), qos=1, retain=one.retained
            )
            for one in messages
        ]
        self._wait_until(lambda: all(one.is_published() for one in found))

    def wait(self, within_s: float, done: Callable[[], bool] | None = None) -> None:
        """Keeps the connection alive until `done` returns True, at most for `within_s`. Without
        `done`, news doesn't end the wait: it would wake this thread repeatedly and take processor
        time from the threads that serve the phones."""
        ends = time.monotonic() + within_s
        while not (done and done()) and (left := ends - time.monotonic()) > 0:
            self._exchange(min(left, KEEP_ALIVE_S / 3), wakes=done is not None)

    def close(self) -> None:
        """Ends the connection at once, even in the middle of a transfer."""
        with suppress(OSError, ValueError):
            self._client.disconnect()
            if line := self._client.socket():
                line.close()

    def _wait_until(self, done: Callable[[], bool]) -> None:
        ends = time.monotonic() + self._patience_s
        while not done():
            if (left := ends - time.monotonic()) <= 0:
                raise TimeoutError
            self._exchange(left, wakes=False)

    def _exchange(self, within_s: float, *, wakes: bool) -> None:
        """Sends and receives what is possible; returns within `within_s`, and with `wakes` as soon
        as something is new."""
        client = self._client
        line = client.socket()
        if line is None:
            raise ConnectionError
        writes = [line] if client.want_write() else []
        pending = isinstance(line, ssl.SSLSocket) and line.pending()
        reads = [line, self._awake] if wakes else [line]
        can_read, can_write, _ = select(reads, writes, [], 0 if pending else within_s)
        status = 0
        try:
            if line in can_read or pending:
                status = status or client.loop_read()
            if can_write:
                status = status or client.loop_write()
            status = status or client.loop_misc()
        except UnexpectedDataError as error:
            raise ListenerError(str(error)) from error
        if status and self._answer in (None, 0):
            raise ConnectionError

    def _on_connect(self, _client: Any, _user: Any, _flags: Any, code: Any, *_more: Any) -> None:
        """Stores the broker's answer: 0 if it accepts the connection, otherwise its reason. `code`
        is an int in version 1 of the library, an object in version 2."""
        failed = getattr(code, "is_failure", code != 0)
        words = mqtt.connack_string(code) if isinstance(code, int) else str(code)
        self._answer = words if failed else 0


def _new_client() -> LimitedClient:
    """A client for version 1 or 2 of the library."""
    name = f"companion-{secrets.token_hex(4)}"
    if version := getattr(mqtt, "CallbackAPIVersion", None):
        return LimitedClient(version.VERSION2, client_id=name)
    return LimitedClient(client_id=name)


def _encode_payload(payload: str | Json) -> str:
    return payload if isinstance(payload, str) else json.dumps(payload, ensure_ascii=False)
