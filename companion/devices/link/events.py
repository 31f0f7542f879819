"""The events that the link has for the loop, each with a sentence for the display."""

from companion.core.keys import Key, PressId
from companion.core.values import dataclass
from companion.core.words import capital, phrase


@dataclass(frozen=True, slots=True)
class KeyWent:
    """A key of a keypad went down at `at` (monotonic seconds); with `held`, it had then been down
    for two seconds. Code that has dealt with it calls KeypadRegistry.settle."""

    source: PressId
    key: Key
    held: bool
    at: float


@dataclass(frozen=True, slots=True)
class PressesLost:
    """At this place `lost` presses were lost, because the keypad could not send them for too long.
    The event has a number like a press, and is settled like one."""

    source: PressId
    lost: int

    @property
    def keypad(self) -> str:
        return self.source.keypad

    def sentence(self, whose: str) -> str:
        """The sentence for people; `whose`: what they call the keypad."""
        if self.lost == 1:
            return phrase("A key press of {whose} was lost: check what is keyed.", whose=whose)
        return phrase(
            "{lost} key presses of {whose} were lost: check what is keyed.",
            lost=self.lost,
            whose=whose,
        )


@dataclass(frozen=True, slots=True)
class Arrived:
    """A keypad has come. `again`: it was here before; `restarted`: its program has restarted since
    then. `dropped`: how many of its presses were thrown away, as they are older than this run of
    the host."""

    keypad: str
    again: bool = False
    restarted: bool = False
    dropped: int = 0

    def sentence(self, whose: str) -> str:
        """The sentence for people; empty if there is nothing that they have to know."""
        if self.dropped:
            if self.dropped == 1:
                return phrase("A press of {whose} came too early to count.", whose=whose)
            return phrase(
                "{dropped} presses of {whose} came too early to count.",
                dropped=self.dropped,
                whose=whose,
            )
        if self.restarted:
            return capital(phrase("{whose} has restarted: check what is keyed.", whose=whose))
        return capital(phrase("{whose} is back.", whose=whose)) if self.again else ""


@dataclass(frozen=True, slots=True)
class Left:
    """A keypad is gone: unplugged, or silent for too long."""

    keypad: str

    def sentence(self, whose: str) -> str:
        """The sentence for people."""
        return capital(phrase("{whose} is disconnected: check its cable.", whose=whose))


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A keypad speaks another major version of the protocol; `newer`: newer than this side's."""

    keypad: str
    newer: bool

    def sentence(self, whose: str) -> str:
        """The sentence for people."""
        if self.newer:
            return capital(phrase("{whose} is too new: update this box.", whose=whose))
        return capital(phrase("{whose} is too old: update its firmware.", whose=whose))


News = PressesLost | Arrived | Left | Mismatch
LinkEvent = KeyWent | News
