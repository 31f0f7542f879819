"""The buzzer, if there is one: short sounds, one at a time."""

from micropython import const

from seat_keypad.ticks import elapsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from seat_keypad.pins import Pwm

_HALF = const(32768)
"""The duty at which a passive buzzer is loudest."""

_SOUNDS = (
    ((1760, 60),),
    ((440, 120), (330, 200)),
    ((330, 150), (0, 100), (330, 150), (0, 100), (330, 150)),
)
"""The notes of each sound, as (hertz, milliseconds), in the order of the link's sound numbers:
turn, refused, lost."""


class Buzzer:
    """Plays sounds. `pwm` has `freq` and `duty_u16`, as a `machine.PWM`; None if there is no
    buzzer."""

    def __init__(self, pwm: "Pwm | None") -> None:
        self._pwm = pwm
        self._notes: tuple[tuple[int, int], ...] = ()
        self._at = self._began = 0

    def sound(self, number: int, now: int) -> None:
        """Starts a sound, replacing one that is playing."""
        if self._pwm:
            self._notes, self._at, self._began = _SOUNDS[number], 0, now
            self._play()

    def step(self, now: int) -> None:
        """Plays the next note when it is due."""
        if not self._notes or elapsed(now, self._began) < self._notes[self._at][1]:
            return
        self._at, self._began = self._at + 1, now
        if self._at == len(self._notes):
            self._notes, self._at = (), 0
        self._play()

    def _play(self) -> None:
        hertz = self._notes[self._at][0] if self._notes else 0
        if self._pwm and hertz:
            self._pwm.freq(hertz)
        if self._pwm:
            self._pwm.duty_u16(_HALF if hertz else 0)
