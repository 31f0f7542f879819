"""From bouncing contacts to presses: pure, with time coming in as an argument.

A contact that closes is believed after it stayed closed for `contact_s`, and one that opens after
it stayed open for `release_s`. A bounce before that starts the wait anew and is counted as chatter.
Nothing here waits or looks at a clock: `feed` takes an edge with its time, `advance` says
what has become true by now, and `wake_at` when something may become true next.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.keys import Key, Press


@dataclass(frozen=True, slots=True)
class Edge:
    """A key's contact closed (`down`) or opened at this monotonic time in seconds."""

    key: Key
    down: bool
    at: float


@dataclass(frozen=True, slots=True)
class Timing:
    """How long a contact must be stable to be believed, and how long makes a key held; seconds."""

    contact_s: float = 0.003
    release_s: float = 0.025
    hold_s: float = 2.0


@dataclass(slots=True)
class _Contact:
    """One key: what its contact does (`closed` since `since`) and what is believed (`down`)."""

    closed: bool = False
    since: float = 0.0
    down: bool = False
    hold_at: float | None = None
    chatter: int = 0

    def due(self, timing: Timing) -> float | None:
        """When the next thing becomes true if no edge comes before."""
        if self.closed != self.down:
            return self.since + (timing.contact_s if self.closed else timing.release_s)
        return self.hold_at if self.closed else None


class Debounce:
    """The contacts of all keys."""

    def __init__(self, timing: Timing | None = None) -> None:
        self._timing = timing or Timing()
        self._contacts: dict[Key, _Contact] = {}

    def feed(self, edge: Edge) -> list[Press]:
        """Takes an edge; gives the presses that had come true before it."""
        presses = self.advance(edge.at)
        contact = self._contacts.setdefault(edge.key, _Contact())
        if contact.closed != edge.down:
            contact.chatter += contact.closed != contact.down
            contact.closed, contact.since = edge.down, edge.at
        return presses

    def advance(self, now: float) -> list[Press]:
        """The presses that have come true by `now`, in the order in which they did."""
        found: list[tuple[float, Press]] = []
        for key, contact in self._contacts.items():
            while (due := contact.due(self._timing)) is not None and due <= now:
                if contact.closed == contact.down:
                    contact.hold_at = None
                    found.append((due, Press(key, held=True)))
                elif contact.closed:
                    contact.down, contact.hold_at = True, contact.since + self._timing.hold_s
                    found.append((due, Press(key)))
                else:
                    contact.down, contact.hold_at = False, None
        return [press for _, press in sorted(found, key=lambda pair: pair[0])]

    @property
    def wake_at(self) -> float | None:
        """When `advance` may have something next; None: not before another edge."""
        dues = (contact.due(self._timing) for contact in self._contacts.values())
        return min((due for due in dues if due is not None), default=None)

    @property
    def chatter(self) -> Mapping[Key, int]:
        """How often each key bounced: a worn key shows here first."""
        return {key: contact.chatter for key, contact in self._contacts.items() if contact.chatter}
