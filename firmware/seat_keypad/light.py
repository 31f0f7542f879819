"""The light, an RGB LED: its colours and rhythms.

A pattern is (colour, other colour, milliseconds of the first, milliseconds of both). If the
milliseconds are 0, the first colour is shown steadily. SEAT and DIM are placeholders for the seat's
colour, bright or dimmed while the seat waits.
"""

from micropython import const

from seat_keypad import messages
from seat_keypad.ticks import elapsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from seat_keypad.pins import Colour, Moment, Pattern, Pwm

_EVERY_MS = const(20)
"""The interval at which the light is updated, too short for the eye to notice."""
_STEP = const(257)
"""The factor from a colour component (0 to 255) to a PWM duty (0 to 65535)."""

_BLACK, _WHITE, _GREY, _RED, _DARK_RED, _YELLOW = (
    (0, 0, 0), (255, 255, 255), (24, 24, 24), (255, 0, 0), (48, 0, 0), (255, 120, 0),
)  # fmt: skip
_SEAT: "Colour" = ()
_DIM: "Colour" = (1,)

_SHOWN: "dict[int, Pattern]" = {
    messages.OFF: (_BLACK, _BLACK, 0, 0),
    messages.SEATED: (_DIM, _BLACK, 0, 0),
    messages.TURN: (_SEAT, _BLACK, 0, 0),
    messages.PAYS: (_SEAT, _BLACK, 250, 500),
    messages.ASLEEP: (_BLACK, _BLACK, 0, 0),
    messages.CLAIM: (_GREY, _BLACK, 1000, 2000),
    messages.MISMATCH: (_DARK_RED, _BLACK, 0, 0),
}
_ALONE: "Pattern" = (_GREY, _BLACK, 60, 4000)

# Patterns that are shown briefly instead, each with its duration in milliseconds.
_REFUSED: "Moment" = (_RED, _BLACK, 0, 0), 500
_DROPPED: "Moment" = (_RED, _WHITE, 250, 500), 3000
_CONFIG: "Moment" = (_YELLOW, _BLACK, 250, 500), 3000
_IN_VAIN: "Moment" = (_RED, _BLACK, 0, 0), 100
_TOUCHED: "Moment" = (_DIM, _BLACK, 0, 0), 500


class Light:
    """The LED. `red`, `green` and `blue` are objects with `duty_u16`, such as a `machine.PWM`.
    `falling`: whether a colour is lit while its pin is low, as with a common anode."""

    def __init__(self, red: "Pwm", green: "Pwm", blue: "Pwm", falling: bool, now: int) -> None:
        self.show = messages.OFF
        """What the host wants the light to show."""
        self.alone = True
        """Whether there is no host."""
        self._pins = red, green, blue
        self._rest = 65535 if falling else 0
        self._seat: Colour = _WHITE
        self._dim: Colour = _GREY
        self._moment: Moment = _TOUCHED
        self._began = now
        self._in_moment = False
        self._looked_at = now
        self._lit: Colour = _WHITE
        self._set(_BLACK)

    def set_seat_colour(self, red: int, green: int, blue: int) -> None:
        """Sets the seat's colour; each component is 0 to 255. Allocates memory only if the colour
        changes, because the host repeats it often."""
        seat = self._seat
        if seat[0] != red or seat[1] != green or seat[2] != blue:
            self._seat = red, green, blue
            self._dim = red >> 4, green >> 4, blue >> 4

    # ------------------------------------------------------------ brief patterns

    def show_refused(self, now: int) -> None:
        """Shows briefly that the last press was refused."""
        self._show_briefly(_REFUSED, now)

    def show_dropped(self, now: int) -> None:
        """Shows briefly that presses were dropped; meanwhile nothing else is shown."""
        self._show_briefly(_DROPPED, now)

    def show_bad_settings(self, now: int) -> None:
        """Shows briefly that the settings are invalid."""
        self._show_briefly(_CONFIG, now)

    def note_press(self, in_vain: bool, now: int) -> None:
        """Shows briefly that a key was pressed, if the light is asleep or no host will receive the
        press (`in_vain`)."""
        if in_vain:
            self._show_briefly(_IN_VAIN, now)
        elif self.show == messages.ASLEEP:
            self._show_briefly(_TOUCHED, now)

    def _show_briefly(self, moment: "Moment", now: int) -> None:
        if self._in_moment and self._moment is _DROPPED:
            return
        self._moment, self._began, self._in_moment = moment, now, True

    # ------------------------------------------------------------ output

    def step(self, now: int) -> None:
        """Sets the LED to the current colour of its pattern."""
        if elapsed(now, self._looked_at) < _EVERY_MS:
            return
        self._looked_at = now
        pattern, lasts_ms = self._moment
        since = elapsed(now, self._began)
        if self._in_moment and since >= lasts_ms:
            self._in_moment = False
        if not self._in_moment:
            pattern = _ALONE if self.alone else _SHOWN[self.show]
            since = now
        colour, other, first_ms, both_ms = pattern
        if both_ms and since % both_ms >= first_ms:
            colour = other
        if colour is _SEAT:
            colour = self._seat
        elif colour is _DIM:
            colour = self._dim
        self._set(colour)

    def _set(self, colour: "Colour") -> None:
        if colour == self._lit:
            return
        self._lit = colour
        rest = self._rest
        for at in range(3):
            self._pins[at].duty_u16(abs(rest - colour[at] * _STEP))
