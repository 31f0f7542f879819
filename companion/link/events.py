"""The events that the link has for the loop, each with a sentence for the display."""

from companion.core.keys import Key, PressId
from companion.core.values import dataclass
from companion.core.words import capital, phrase


@dataclass(frozen=True, slots=True)
class KeyWent:
    """A key of a keypad went down at `at` (monotonic seconds), or was then down for two seconds.
    Whoever deals with it says so: KeypadRegistry.settle."""

    source: PressId
    key: Key
    held: bool
    at: float


@dataclass(frozen=True, slots=True)
class PressesLost:
    """Here `lost` presses were lost, because the keypad could not send them for too long. It has a
    number like a press, and is settled like one."""

    source: PressId
    lost: int

    @property
    def keypad(self) -> str:
        """The keypad's serial number."""
        return self.source.keypad

    def sentence(self, whose: str) -> str:
        """What people have to know; `whose` is the keypad as they call it."""
        if self.lost == 1:
            return phrase("A press of {whose} got lost: look what is keyed.", whose=whose)
        return phrase(
            "{lost} presses of {whose} got lost: look what is keyed.", lost=self.lost, whose=whose
        )


@dataclass(frozen=True, slots=True)
class Arrived:
    """A keypad is there. `again`: it was there before, and `restarted` means with another start of
    its program; `dropped` of its presses were thrown away, being older than that."""

    keypad: str
    again: bool = False
    restarted: bool = False
    dropped: int = 0

    def sentence(self, whose: str) -> str:
        """What people have to know; empty: nothing."""
        if self.dropped:
            if self.dropped == 1:
                return phrase("A press of {whose} came too early to count.", whose=whose)
            return phrase(
                "{dropped} presses of {whose} came too early to count.",
                dropped=self.dropped,
                whose=whose,
            )
        if self.restarted:
            return capital(phrase("{whose} has restarted: look what is keyed.", whose=whose))
        return capital(phrase("{whose} is back.", whose=whose)) if self.again else ""


@dataclass(frozen=True, slots=True)
class Left:
    """A keypad is gone: unplugged, or silent for too long."""

    keypad: str

    def sentence(self, whose: str) -> str:
        """What people have to know."""
        return capital(phrase("{whose} is gone: look at its cable.", whose=whose))


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A keypad speaks another version of the link; `newer` than this side."""

    keypad: str
    newer: bool

    def sentence(self, whose: str) -> str:
        """What people have to know."""
        if self.newer:
            return capital(phrase("{whose} is too new: renew this box.", whose=whose))
        return capital(phrase("{whose} is too old: renew its firmware.", whose=whose))


News = PressesLost | Arrived | Left | Mismatch
LinkEvent = KeyWent | News
