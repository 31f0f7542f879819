"""The box's buzzer: short figures for what happens, from a thread of its own.

An active buzzer sounds by itself while it has power, so it has a rhythm only; to be quiet, it
sounds for a shorter time. A passive one is switched on and off at the tone's frequency, by the pin
factory's PWM; to be quiet, it has power for a small part of each period. The loop leaves a sound in
a mailbox for one and never waits.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from threading import Condition
from types import MappingProxyType
from typing import Any

from companion.console.sounds import Level, Sound
from companion.core.threads import NamedThread
from companion.devices.board import Buzzer

Notes = tuple[tuple[int, float], ...]
"""The notes of a figure, each with its hertz and seconds; 0 hertz is a pause."""

FIGURES: Mapping[Sound, Notes] = MappingProxyType(
    {
        Sound.REFUSED: ((440, 0.03),),
        Sound.PAYMENT: ((880, 0.07), (0, 0.03), (1320, 0.12)),
        Sound.BOGUS: ((392, 0.12), (0, 0.06), (392, 0.12), (0, 0.06), (262, 0.3)),
    }
)
DUTY = {Level.ON: 0.5, Level.QUIET: 0.06}
"""The part of a period for which a passive buzzer has power: loudest at a half."""
SHORTER = {Level.ON: 1.0, Level.QUIET: 0.3}
"""The part of a note for which an active buzzer sounds; the rest of the note is a pause."""
PATIENCE_S = 0.5


@dataclass(frozen=True, slots=True)
class Tone:
    """A tone that lasts `seconds`. `value`: what the pin is set to, from 0 to 1; `hertz`: how often
    a second the pin is switched (0: not at all)."""

    hertz: int
    value: float
    seconds: float


def tones(kind: str, sound: Sound, level: Level) -> Iterator[Tone]:
    """The tones of a sound for a buzzer of that kind, one after the other."""
    for hertz, seconds in FIGURES[sound]:
        if not hertz:
            yield Tone(0, 0, seconds)
        elif kind == "passive":
            yield Tone(hertz, DUTY[level], seconds)
        else:
            sounding = seconds * SHORTER[level]
            yield Tone(0, 1, sounding)
            if sounding < seconds:
                yield Tone(0, 0, seconds - sounding)


class BoxBuzzer:
    """Plays sounds on a buzzer; `factory` has the pins (see pins.py). `report` gets one line about
    the first thing that goes wrong, and from then on the box is silent: a buzzer is never worth an
    evening."""

    def __init__(self, buzzer: Buzzer, factory: Any, report: Callable[[str], None]) -> None:
        self._buzzer, self._factory, self._report = buzzer, factory, report
        self._news = Condition()
        self._wanted: tuple[Sound, Level] | None = None
        self._stopping = False
        self._thread = NamedThread("buzzer", self._run)

    def start(self) -> None:
        """Takes the pin, and waits for sounds."""
        self._thread.start()

    def play(self, sound: Sound, level: Level) -> None:
        """Plays the sound as soon as the present one is over, instead of one that still waits;
        nothing at Level.OFF."""
        if level is Level.OFF:
            return
        with self._news:
            self._wanted = sound, level
            self._news.notify()

    def close(self) -> None:
        """Stops the sound and releases the pin."""
        with self._news:
            self._stopping = True
            self._news.notify()
        if self._thread.is_alive():
            self._thread.join(PATIENCE_S)

    # ------------------------------------------------------------ the thread

    def _run(self) -> None:
        try:
            pin = self._factory.pin(self._buzzer.pin)
            pin.output_with_state(0)
        except Exception as error:  # ours, gpiozero's, and those of the libraries beneath it
            self._report(f"The buzzer can't be had ({error}): there is no sound.")
            return
        try:
            while (wanted := self._next()) is not None:
                self._play(pin, *wanted)
        except Exception as error:
            self._report(f"The buzzer does not work ({error}): there is no sound.")
        finally:
            pin.close()

    def _next(self) -> tuple[Sound, Level] | None:
        """Waits for the next sound; None: the buzzer is being closed."""
        with self._news:
            self._news.wait_for(lambda: self._wanted or self._stopping)
            wanted, self._wanted = self._wanted, None
            return None if self._stopping else wanted

    def _play(self, pin: Any, sound: Sound, level: Level) -> None:
        for tone in tones(self._buzzer.kind, sound, level):
            pin.frequency = tone.hertz or None
            pin.state = tone.value
            if self._wait(tone.seconds):
                break
        pin.frequency = None
        pin.state = 0

    def _wait(self, seconds: float) -> bool:
        """Waits for these seconds; returns True at once if the buzzer is being closed."""
        with self._news:
            return self._news.wait_for(lambda: self._stopping, seconds)
