"""What the other modules take as pins: for the type checker only, not for the Pico."""

from typing import Any, Protocol, TypeAlias

class Pin(Protocol):
    """A digital pin, as machine.Pin: called to read it or, with a value, to set it."""

    def __call__(self, value: int = ..., /) -> int | None: ...

class Pwm(Protocol):
    """A pin that is switched on and off fast, as machine.PWM."""

    def duty_u16(self, value: int, /) -> object: ...
    def freq(self, hertz: int, /) -> object: ...

Colour: TypeAlias = tuple[int, ...]
Pattern: TypeAlias = tuple[Colour, Colour, int, int]
Moment: TypeAlias = tuple[Pattern, int]
Settings: TypeAlias = dict[str, Any]
