"""A keypad, a cable and the host's link in simulated time; bytes on the cable can be damaged.

world = World()
world.keys("5 6 OK")
world.taken          # the keys that the host's loop got, in order
"""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from companion.core.keys import Key, PressId
from companion.devices.link.events import KeypadArrived, KeyPressed, LinkEvent, PressesLost
from companion.devices.link.keypad_registry import KeypadRegistry
from companion.devices.link.session import Link, LinkState
from tests.devices.link.keypad import ModelKeypad

TICK_S = 0.1
STROKE_S = 0.1
CALM_S = 12.0
"""Longer than any time-out of the link."""

Damage = Callable[[bytes], Iterable[bytes]]
"""A function that takes a piece sent over the cable, and returns the pieces that arrive now."""


def unharmed(piece: bytes) -> Iterable[bytes]:
    yield piece


@dataclass
class Way:
    """One direction of the cable."""

    damage: Damage = unharmed
    late: deque[tuple[float, bytes]] = field(default_factory=deque)
    """Pieces on their way, each with the time at which it arrives."""

    def carry(self, piece: bytes, now: float) -> list[bytes]:
        """The pieces that arrive now, delayed ones last."""
        if not piece and not self.late:
            return []
        come = list(self.damage(piece)) if piece else []
        while self.late and self.late[0][0] <= now:
            come.append(self.late.popleft()[1])
        return [one for one in come if one]


class World:
    """Begins with everything plugged in and the host running. `slow_s`: how many seconds the loop
    takes to deal with a press."""

    def __init__(self, slow_s: float = 0.0) -> None:
        self.now = 1000.0
        self.slow_s = slow_s
        self.last_kept_press: dict[tuple[str, int], int] = {}
        self.boots = self.sessions = 0
        self.to_host, self.to_keypad = Way(), Way()
        self.pressed: list[Key] = []
        self.taken: list[Key] = []
        self.made: dict[PressId, tuple[Key, float]] = {}
        """Every press that got a number: its key, and when it was pressed."""
        self.got: list[PressId] = []
        self.excused: set[PressId] = set()
        """Presses that were lost in a keypad's reset or dropped at a host's start."""
        self.overflowed = 0
        self.host_since = self.now
        self.news: list[LinkEvent] = []
        self._loop: deque[tuple[float, LinkEvent]] = deque()
        self.keypad = self._new_keypad()
        self.link: Link | None = None
        self.start_host()

    # ------------------------------------------------------------ hands

    def keys(self, keys: str) -> "World":
        """Presses keys, at a person's pace."""
        for word in keys.split():
            self.press(Key(word))
            self.wait(STROKE_S)
        return self

    def press(self, key: Key) -> None:
        """Presses one key now."""
        self.pressed.append(key)
        number = self.keypad.press(key)
        if number is None:
            self.overflowed += 1
        else:
            self.made[self._id(number)] = key, self.now

    def wait(self, seconds: float = CALM_S) -> None:
        """Advances the time."""
        until = self.now + seconds
        while True:
            self._run()
            if self.now >= until:
                break
            self.now = min(self.now + TICK_S, until)

    # ------------------------------------------------------------ accidents

    def start_host(self) -> None:
        """The host starts, or is killed and starts again: it forgets what its loop had not dealt
        with."""
        self.sessions += 1
        session = (0x5EED0000 + self.sessions).to_bytes(4)
        self.registry = KeypadRegistry(
            session, lambda keypad, boot: self.last_kept_press.get((keypad, boot), 0)
        )
        self._loop.clear()
        self.host_since = self.now
        self.link = Link(self.registry, self.now)

    def unplug(self) -> None:
        """Pulls the cable: what was on it is lost; the keypad keeps its power."""
        if self.link:
            self._heard(self.link.abandon())
        self.link = None
        self.to_host.late.clear()
        self.to_keypad.late.clear()
        self.keypad.to_send()

    def plug(self) -> None:
        """Plugs the cable in again, perhaps at another port."""
        if self.link is None:
            self.link = Link(self.registry, self.now)

    def reset(self) -> None:
        """The keypad restarts; what is on the cable still arrives."""
        self.excuse()
        self.excused |= {
            self._id(self.keypad.first + at) for at, one in enumerate(self.keypad.queue) if one.key
        }
        self.keypad = self._new_keypad()

    def _new_keypad(self) -> ModelKeypad:
        self.boots += 1
        return ModelKeypad(self.now, (0x0011223344550000 + 0x1357 * self.boots).to_bytes(8))

    # ------------------------------------------------------------ inside

    def _run(self) -> None:
        """Performs everything that is due at this moment."""
        self.keypad.advance(self.now)
        if self.link:
            self._heard(self.link.advance(self.now))
        for _ in range(20):
            out = self.keypad.to_send()
            back = self.link.to_send() if self.link else b""
            come = self.to_host.carry(out, self.now) if self.link else []
            gone = self.to_keypad.carry(back, self.now) if self.link else []
            for piece in come:
                if self.link:
                    self._heard(self.link.receive(piece, self.now))
            for piece in gone:
                if self.link:
                    self.keypad.receive(piece)
            if not self._settled() and not (out or back):
                break

    def _heard(self, events: list[LinkEvent]) -> None:
        self._loop.extend((self.now + self.slow_s, event) for event in events)

    def _settled(self) -> bool:
        """Lets the loop process the events that have waited long enough; returns whether there were
        any."""
        done = False
        while self._loop and self._loop[0][0] <= self.now:
            event = self._loop.popleft()[1]
            done = True
            if not isinstance(event, KeyPressed):
                self.news.append(event)
            if isinstance(event, KeyPressed):
                self.take(event)
            if isinstance(event, KeyPressed | PressesLost):
                self.registry.settle(event.source)
        return done

    def take(self, event: KeyPressed) -> None:
        """Makes the loop take a press. Fails unless the press was made since this host started and
        is the next one."""
        key, at = self.made[event.source]
        assert key is event.key
        assert at >= self.host_since, "it leaked into a fresh screen"
        assert event.source not in self.got, "twice"
        assert not self.got or self._order(self.got[-1]) < self._order(event.source)
        self.got.append(event.source)
        self.taken.append(event.key)
        self.noted(event.source)

    def _order(self, source: PressId) -> tuple[float, int]:
        return self.made[source][1], source.sequence

    def _id(self, number: int) -> PressId:
        keypad = self.keypad
        return PressId(keypad.serial.hex(), int.from_bytes(keypad.boot), number)

    def excuse(self) -> None:
        """Notes the presses that this start of the keypad has dropped."""
        self.excused |= {self._id(number) for number in self.keypad.thrown_away}

    def all_accounted(self) -> None:
        """Fails if a press was neither taken nor lost in a way that was reported."""
        self.excuse()
        assert not self.keypad.queue
        missing = self.made.keys() - set(self.got)
        assert missing <= self.excused

    def noted(self, source: PressId) -> None:
        """Notes that the press made a row of the record."""
        assert source.sequence > self.last_kept_press.get((source.keypad, source.boot), 0), "twice"
        self.last_kept_press[source.keypad, source.boot] = source.sequence

    @property
    def is_open(self) -> bool:
        """Returns whether both sides consider the link open."""
        return bool(self.link and self.link.state is LinkState.OPEN)

    def reported(self, kind: type[LinkEvent]) -> list[LinkEvent]:
        """Returns the events of this kind that the link reported."""
        return [one for one in self.news if isinstance(one, kind)]

    @property
    def restarts(self) -> int:
        """The number of the keypad's restarts that the link reported."""
        return sum(isinstance(one, KeypadArrived) and one.restarted for one in self.news)


def at(position: int, change: Callable[[bytes, int], Iterable[bytes]]) -> Damage:
    """Damages one piece of the stream: the piece that contains the byte number `position`. `change`
    gets that piece and the byte's index in it, and returns the damaged piece."""
    seen = 0

    def damage(piece: bytes) -> Iterable[bytes]:
        nonlocal seen
        before, seen = seen, seen + len(piece)
        inside = before <= position < seen
        yield from change(piece, position - before) if inside else (piece,)

    return damage
