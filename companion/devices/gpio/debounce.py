"""Turns the edges of bouncing contacts into key presses; pure, with the time as an argument.

A key counts as down once its contact has been closed for `contact_s`, and as up once it has been
open for `release_s`. A bounce before that restarts the wait and is counted as chatter. A key that
is down for longer than anybody would hold it is stuck, and so is one that was down before the watch
began and stays down. A stuck key produces nothing more until it is released.

Nothing here waits or reads a clock: `feed` takes an edge with its time, `advance` returns the
presses up to now, and `wake_at` is the time at which `advance` may have more presses."""

from collections.abc import Mapping

from companion.core.keys import REPEATING, Key, Press
from companion.core.values import dataclass


@dataclass(frozen=True, slots=True)
class Edge:
    """A movement of a key: its contact closed (`down`) or opened, at the monotonic time `at` in
    seconds. `found`: whether the key was already down when the watch began, so that this isn't a
    press."""

    key: Key
    down: bool
    at: float
    found: bool = False


@dataclass(frozen=True, slots=True)
class Timing:
    """Times in seconds. A contact is stable when it has been closed for `contact_s`, or open for
    `release_s`. A key that is down counts as held after `hold_s`, repeats after `repeat_after_s`
    and then every `repeat_s`, and is stuck after `stuck_s`."""

    contact_s: float = 0.003
    release_s: float = 0.025
    hold_s: float = 2.0
    repeat_after_s: float = 0.5
    repeat_s: float = 0.12
    stuck_s: float = 20.0


@dataclass(slots=True)
class _Contact:
    """The state of one key: the raw contact (`closed` since `since`), and the debounced key
    (`down`)."""

    closed: bool = False
    since: float = 0.0
    down: bool = False
    hold_at: float | None = None
    repeat_at: float | None = None
    stuck_at: float | None = None
    stuck: bool = False
    chatter: int = 0

    def due(self, timing: Timing) -> float | None:
        """Returns the time of the next change of state if no edge comes first; None if there is
        none."""
        if self.closed != self.down:
            return self.since + (timing.contact_s if self.closed else timing.release_s)
        if not self.closed:
            return None
        dues = (self.hold_at, self.repeat_at, self.stuck_at)
        return min((due for due in dues if due is not None), default=None)

    def found_down(self, at: float, timing: Timing) -> None:
        """Notes that the key was already down when the watch began: this is not a press, and the
        key counts as stuck if it stays down."""
        self.closed = self.down = True
        self.since, self.stuck_at = at, at + timing.hold_s

    def confirm(self, key: Key, now: float, timing: Timing) -> Press | None:
        """Performs the change of state that is due; returns the resulting press, or None."""
        due = self.due(timing)
        if self.closed != self.down:
            return self._apply_stable_contact(key, timing)
        if due == self.stuck_at:
            self.stuck = True
            self.hold_at = self.repeat_at = self.stuck_at = None
            return None
        if due == self.hold_at:
            self.hold_at = None
            return Press(key, held=True)
        self.repeat_at = now + timing.repeat_s  # not from `due`: missed repeats are not made up
        return Press(key, repeated=True)

    def _apply_stable_contact(self, key: Key, timing: Timing) -> Press | None:
        """Sets the key's state to that of the stable contact; returns a press if the key went
        down."""
        self.down = self.closed
        if not self.down:
            self.hold_at = self.repeat_at = self.stuck_at = None
            self.stuck = False
            return None
        self.hold_at = self.since + timing.hold_s
        self.stuck_at = self.since + timing.stuck_s
        self.repeat_at = self.since + timing.repeat_after_s if key in REPEATING else None
        return Press(key)


class Debounce:
    """The debounced contacts of all keys."""

    def __init__(self, timing: Timing | None = None) -> None:
        self._timing = timing or Timing()
        self._contacts: dict[Key, _Contact] = {}
        self.stuck: tuple[Key, ...] = ()
        """The keys that are stuck now."""
        self.wake_at: float | None = None
        """When to call `advance` next; None if not before another edge."""

    def feed(self, edge: Edge) -> list[Press]:
        """Takes an edge; returns the presses that were due before it."""
        presses = self.advance(edge.at)
        contact = self._contacts.setdefault(edge.key, _Contact())
        if contact.closed == edge.down:
            return presses
        if edge.found:
            contact.found_down(edge.at, self._timing)
        else:
            contact.chatter += contact.closed != contact.down
            contact.closed, contact.since = edge.down, edge.at
        self.wake_at = self._next_due_at()
        return presses

    def advance(self, now: float) -> list[Press]:
        """Returns the presses that were due by `now`, in order of time."""
        if self.wake_at is None or now < self.wake_at:
            return []
        found: list[tuple[float, Press]] = []
        for key, contact in self._contacts.items():
            was_stuck = contact.stuck
            while (due := contact.due(self._timing)) is not None and due <= now:
                if press := contact.confirm(key, now, self._timing):
                    found.append((due, press))
            if contact.stuck is not was_stuck:
                self.stuck = tuple(
                    one for one in Key if one in self._contacts and self._contacts[one].stuck
                )
        self.wake_at = self._next_due_at()
        return [press for _, press in sorted(found, key=lambda pair: pair[0])]

    def _next_due_at(self) -> float | None:
        """Returns the time of any key's next change of state if no edge comes first; None if there
        is none."""
        dues = [contact.due(self._timing) for contact in self._contacts.values()]
        return min([due for due in dues if due is not None], default=None)

    @property
    def chatter(self) -> Mapping[Key, int]:
        """The number of bounces of each key. It is the first sign that a key is worn."""
        return {key: contact.chatter for key, contact in self._contacts.items() if contact.chatter}
