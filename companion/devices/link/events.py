"""The events that the link reports to the loop, each with a sentence for the display."""

from companion.core.keys import Key, PressId
from companion.core.values import dataclass
from companion.core.words import capital, phrase


@dataclass(frozen=True, slots=True)
class KeyPressed:
    """A key of a keypad was pressed at `at` (monotonic seconds). `held`: whether it had been down
    for two seconds by then. Code that has processed the event calls KeypadRegistry.settle."""

    source: PressId
    key: Key
    held: bool
    at: float


@dataclass(frozen=True, slots=True)
class PressesLost:
    """`lost` presses are missing here in the sequence, because the keypad was unable to send them
    for too long. The event has a number and is settled, like a press."""

    source: PressId
    lost: int

    @property
    def keypad(self) -> str:
        return self.source.keypad

    def sentence(self, whose: str) -> str:
        """Returns the sentence for the display; `whose`: the keypad's name in that sentence."""
        if self.lost == 1:
            return phrase("A key press of {whose} was lost: check what is keyed.", whose=whose)
        return phrase(
            "{lost} key presses of {whose} were lost: check what is keyed.",
            lost=self.lost,
            whose=whose,
        )


@dataclass(frozen=True, slots=True)
class KeypadArrived:
    """A keypad was plugged in or has answered again. `again`: whether it was connected before;
    `restarted`: whether its program has restarted since then; `dropped`: how many of its presses
    were dropped because they were made before this run of the host."""

    keypad: str
    again: bool = False
    restarted: bool = False
    dropped: int = 0

    def sentence(self, whose: str) -> str:
        """Returns the sentence for the display; empty if there is nothing to report. `whose`: the
        keypad's name in that sentence."""
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
class KeypadLeft:
    """A keypad is gone: unplugged, or silent for too long."""

    keypad: str

    def sentence(self, whose: str) -> str:
        """Returns the sentence for the display; `whose`: the keypad's name in that sentence."""
        return capital(phrase("{whose} is disconnected: check its cable.", whose=whose))


@dataclass(frozen=True, slots=True)
class VersionMismatch:
    """A keypad uses another major version of the protocol. `newer`: whether it is newer than the
    host's."""

    keypad: str
    newer: bool

    def sentence(self, whose: str) -> str:
        """Returns the sentence for the display; `whose`: the keypad's name in that sentence."""
        if self.newer:
            return capital(phrase("{whose} is too new: update this box.", whose=whose))
        return capital(phrase("{whose} is too old: update its firmware.", whose=whose))


News = PressesLost | KeypadArrived | KeypadLeft | VersionMismatch
LinkEvent = KeyPressed | News
