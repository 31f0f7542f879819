"""The box's buzzer: its sounds, its pins, and its thread, which never delays the loop."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.console.sounds import Level, Sound
from companion.devices.board import Buzzer
from companion.devices.gpio import buzzer
from companion.devices.gpio.buzzer import FIGURES, BoxBuzzer, Tone, tones
from companion.devices.gpio.gpio_chip import find_chip
from companion.devices.gpio.pins import KernelFactory
from tests.fake_gpio import FakeGpio
from tests.waiting import WAIT_S, wait_until

LEVELS = (Level.QUIET, Level.ON)


@pytest.mark.parametrize("sound", list(Sound))
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kind", ["active", "passive"])
def test_loudness_does_not_change_the_length_of_a_sound(
    kind: str, sound: Sound, level: Level
) -> None:
    played = list(tones(kind, sound, level))
    assert sum(tone.seconds for tone in played) == pytest.approx(
        sum(seconds for _, seconds in FIGURES[sound])
    )
    assert sum(tone.seconds for tone in played) < 1


def test_sounds_differ_in_their_rhythm() -> None:
    rhythms = {
        sound: tuple((tone.value, tone.seconds) for tone in tones("active", sound, Level.ON))
        for sound in Sound
    }
    assert len(set(rhythms.values())) == len(Sound)
    assert len(rhythms[Sound.REFUSED]) == 1, "a short tick"
    assert rhythms[Sound.REFUSED][0][1] <= 0.03


def test_quiet_sounds_have_a_small_duty_cycle_or_are_shorter() -> None:
    loud, quiet = (list(tones("passive", Sound.PAYMENT, level)) for level in LEVELS[::-1])
    assert [tone.hertz for tone in loud] == [tone.hertz for tone in quiet]
    assert all(one.value > other.value for one, other in zip(loud, quiet, strict=True) if one.hertz)
    on = {
        level: sum(tone.seconds for tone in tones("active", Sound.BOGUS, level) if tone.value)
        for level in LEVELS
    }
    assert on[Level.QUIET] < on[Level.ON] / 2


class Player:
    """A buzzer that plays without taking time; `played` has the sounds."""

    def __init__(self, factory: Any, kind: str, pin: int = 21) -> None:
        self.said: list[str] = []
        self.played: list[Sound] = []
        self.over = threading.Semaphore(0)
        self.box = BoxBuzzer(Buzzer(pin, kind), factory, self.said.append)

    def start(self, monkeypatch: pytest.MonkeyPatch) -> "Player":
        play = self.box._play

        def noted(device: Any, sound: Sound, level: Level) -> None:
            play(device, sound, level)
            self.played.append(sound)
            self.over.release()

        monkeypatch.setattr(self.box, "_play", noted)
        monkeypatch.setattr(self.box, "_wait", lambda _seconds: False)
        self.box.start()
        return self

    def hear(self, sound: Sound, level: Level = Level.ON) -> None:
        self.box.play(sound, level)
        assert self.over.acquire(timeout=WAIT_S)


@pytest.fixture
def mock() -> Iterator[MockFactory]:
    factory = MockFactory(pin_class=MockPWMPin)
    yield factory
    factory.close()


def test_an_active_buzzer_is_switched_on_and_off(
    mock: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = Player(mock, "active").start(monkeypatch)
    player.hear(Sound.PAYMENT)
    states = [state.state for state in mock.pin(21).states]
    assert states[-4:] == [True, False, True, False]
    player.box.close()
    assert player.said == []


def test_a_passive_buzzer_gets_its_tones_from_the_pin_factorys_pwm(
    mock: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = Player(mock, "passive").start(monkeypatch)
    pin, hertz = mock.pin(21), list[float]()
    setter = type(pin)._set_frequency

    def noted(self: Any, value: float | None) -> None:
        if value:
            hertz.append(value)
        setter(self, value)

    monkeypatch.setattr(type(pin), "frequency", property(type(pin)._get_frequency, noted))
    player.hear(Sound.PAYMENT)
    assert hertz[-2:] == [880, 1320]
    assert 0.5 in [state.state for state in pin.states]
    player.box.close()


@pytest.mark.parametrize("kind", ["active", "passive"])
def test_buzzers_work_on_the_kernels_pins(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    gpio = FakeGpio(lambda: 0.0)
    factory = KernelFactory(find_chip(gpio))
    monkeypatch.setattr(buzzer, "FIGURES", {Sound.REFUSED: ((4000, 1000.0),)})
    box = BoxBuzzer(Buzzer(21, kind), factory, print)
    box.start()
    box.play(Sound.REFUSED, Level.ON)
    wanted = 1 if kind == "active" else 20
    wait_until(lambda: sum(what == "level" and line == 21 for what, line, _ in gpio.log) >= wanted)
    box.close()
    assert gpio.lines[21].level == 0, "silent at the end"
    assert not gpio.is_taken(21)
    factory.close()


def test_a_sound_plays_in_its_own_thread_and_play_never_waits(
    mock: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = BoxBuzzer(Buzzer(21, "active"), mock, print)
    playing, may_end = threading.Event(), threading.Event()
    by: list[str] = []

    def hangs(_pin: object, _sound: Sound, _level: Level) -> None:
        by.append(threading.current_thread().name)
        playing.set()
        assert may_end.wait(WAIT_S)

    monkeypatch.setattr(box, "_play", hangs)
    box.start()
    box.play(Sound.BOGUS, Level.ON)
    assert playing.wait(WAIT_S)
    for _ in range(100):  # they come back although nothing was played to its end
        box.play(Sound.REFUSED, Level.ON)
    assert by == ["buzzer"]
    may_end.set()
    box.close()


def test_level_off_is_silent_and_newer_sounds_replace_waiting_ones(
    mock: MockFactory,
) -> None:
    player = Player(mock, "active")
    player.box.play(Sound.BOGUS, Level.OFF)
    assert player.box._wanted is None
    player.box.play(Sound.REFUSED, Level.ON)
    player.box.play(Sound.PAYMENT, Level.QUIET)
    assert player.box._wanted == (Sound.PAYMENT, Level.QUIET)
    player.box.close()


def test_an_unavailable_pin_is_reported_once_and_the_table_goes_on() -> None:
    gpio = FakeGpio(lambda: 0.0)
    other = find_chip(gpio).lines([21], 8)
    factory = KernelFactory(find_chip(gpio))
    said: list[str] = []
    box = BoxBuzzer(Buzzer(21, "active"), factory, said.append)
    box.start()
    box._thread.join(WAIT_S)
    (line,) = said
    assert line.startswith("The buzzer can't be had (another program has GPIO 21")
    box.play(Sound.REFUSED, Level.ON)
    box.close()
    other.close()
    factory.close()


def test_a_buzzer_failing_during_a_sound_is_reported_and_stopped(
    mock: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = Player(mock, "active")

    def broken(*_: object) -> None:
        raise OSError("gone")

    monkeypatch.setattr(player.box, "_play", broken)
    player.box.start()
    player.box.play(Sound.REFUSED, Level.ON)
    player.box._thread.join(WAIT_S)
    assert player.said == ["The buzzer does not work (gone): there is no sound."]
    player.box.close()


def test_closing_stops_the_buzzer_during_a_sound(
    mock: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(buzzer, "FIGURES", {Sound.BOGUS: ((400, 1000.0),)})
    player = Player(mock, "active")
    player.box.start()
    player.box.play(Sound.BOGUS, Level.ON)
    wait_until(lambda: bool(mock.pin(21).state))
    player.box.close()
    assert not player.box._thread.is_alive()


def test_tones_compare_by_value() -> None:
    assert Tone(0, 1, 0.1) == Tone(0, 1, 0.1)
