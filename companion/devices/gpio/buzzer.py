"""The box's buzzer, which plays short sounds in its own thread.

An active buzzer sounds by itself while it has power, so its sounds have only a rhythm; for a
quieter sound, the notes are shorter. A passive one is switched on and off at the tone's frequency
by the pin factory's PWM; for a quieter sound, it is on for a smaller part of each period. The loop
puts each sound into a mailbox, which has room for one, and never waits."""

from collections.abc import Callable, Iterator, Mapping
from threading import Condition
from types import MappingProxyType
from typing import Any

from companion.console.sounds import Level, Sound
from companion.core.threads import NamedThread
from companion.core.values import dataclass
from companion.devices.board import Buzzer

Notes = tuple[tuple[int, float], ...]
"""The notes of a sound, each with its frequency in hertz and its length in seconds; 0 hertz is a
pause."""

FIGURES: Mapping[Sound, Notes] = MappingProxyType(
    {
        Sound.REFUSED: ((440, 0.03),),
        Sound.PAYMENT: ((880, 0.07), (0, 0.03), (1320, 0.12)),
        Sound.BOGUS: ((392, 0.12), (0, 0.06), (392, 0.12), (0, 0.06), (262, 0.3)),
    }
)
DUTY = {Level.ON: 0.5, Level.QUIET: 0.06}
"""The fraction of a period for which a passive buzzer is on; a half is loudest."""
SHORTER = {Level.ON: 1.0, Level.QUIET: 0.3}
"""The fraction of a note for which an active buzzer sounds; the rest is a pause."""
PATIENCE_S = 0.5


@dataclass(frozen=True, slots=True)
class Tone:
    """A tone that lasts `seconds`. `value`: the level or duty of the pin, from 0 to 1; `hertz`: how
    often per second the pin is switched (0 for not at all)."""

    hertz: int
    value: float
    seconds: float


def tones(kind: str, sound: Sound, level: Level) -> Iterator[Tone]:
    """Yields the tones of a sound, in order, for that kind of buzzer."""
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
    """Plays sounds on a buzzer; `factory` provides the pins (see pins.py).

    The first error is reported to `report` in one line, and then the box stays silent: a faulty
    buzzer must not spoil the evening."""

    def __init__(self, buzzer: Buzzer, factory: Any, report: Callable[[str], None]) -> None:
        self._buzzer, self._factory, self._report = buzzer, factory, report
        self._news = Condition()
        self._wanted: tuple[Sound, Level] | None = None
        self._stopping = False
        self._thread = NamedThread("buzzer", self._run)

    def start(self) -> None:
        """Opens the pin, and starts the thread that waits for sounds."""
        self._thread.start()

    def play(self, sound: Sound, level: Level) -> None:
        """Plays the sound once the current one is over, replacing any sound that is still waiting;
        does nothing at Level.OFF."""
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
            while (wanted := self._wait_for_sound()) is not None:
                self._play(pin, *wanted)
        except Exception as error:
            self._report(f"The buzzer does not work ({error}): there is no sound.")
        finally:
            pin.close()

    def _wait_for_sound(self) -> tuple[Sound, Level] | None:
        """Waits for the next sound and returns it; None once the buzzer is being closed."""
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
        """Waits for these seconds; returns True early if the buzzer is being closed."""
        with self._news:
            return self._news.wait_for(lambda: self._stopping, seconds)
