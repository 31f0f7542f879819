"""The lights and sounds of seat keypads, on real pseudo terminals."""

from dataclasses import replace

import pytest

from companion.console.frame import Light
from companion.console.sounds import Level
from companion.core.keys import Key, PressId
from companion.core.seats import BySeat, Seat, Seats, chip_colours
from companion.devices.keypads.keypad_ports import displays_by_keypad
from companion.devices.link.messages import KeypadSound, LightState
from tests.devices.link.keypad import State
from tests.devices.pty_keypad import NAME, PtyRegistry, shown


def test_a_seats_lights_have_the_colour_of_its_chips() -> None:
    seats = Seats.of("Blue", "Anna", "Bo", "Cleo", "Dan")
    lights = BySeat.all(seats, Light.OFF)
    worn = displays_by_keypad(shown(lights), {seat: seat for seat in seats})
    assert {seat: dress[0].colour.hex() for seat, dress in worn.items()} == {
        "Blue": "0000ff", "Anna": "ff0000", "Bo": "00ff00", "Cleo": "ff9000", "Dan": "ffffff",
    }  # fmt: skip
    moved = replace(shown(lights), colours=chip_colours(seats, "Red Blue Yellow Green White"))
    worn = displays_by_keypad(moved, {"e661": Seat("Bo")})
    assert worn["e661"][0].colour.hex() == "ff9000", "as the game says"


def test_lights_show_the_state_of_each_seat() -> None:
    seats = Seats.of("Red", "Blue")
    lights = BySeat(seats, (Light.PAYS, Light.TURN))
    with PtyRegistry() as registry:
        pad = registry.plug().model
        registry.keypads.show(shown(lights), {NAME: Seat("Blue"), "ffff": Seat("Red")})
        registry.until(lambda: pad.shows is LightState.TURN)
        assert pad.seat == 2
        registry.keypads.sleep(True)
        registry.until(lambda: pad.shows is LightState.ASLEEP)
        registry.keypads.sleep(False)
        registry.until(lambda: pad.shows is LightState.TURN)
        registry.keypads.show(shown(None), {NAME: Seat("Blue")})
        registry.until(lambda: pad.shows is LightState.OFF and not pad.seat)
        registry.keypads.show(shown(None, claiming=True), {})
        registry.until(lambda: pad.shows is LightState.CLAIM)


def test_a_lost_light_message_is_sent_again_with_the_next_ping() -> None:
    with PtyRegistry() as registry:
        pad = registry.plug().model
        lights = BySeat(Seats.of("A", "B"), (Light.TURN, Light.OFF))
        registry.keypads.show(shown(lights), {NAME: Seat("A")})
        registry.until(lambda: pad.shows is LightState.TURN)
        pad.shows = LightState.OFF
        registry.until(lambda: pad.shows is LightState.TURN)


def test_a_refused_press_makes_the_light_flash() -> None:
    with PtyRegistry() as registry:
        pad = registry.plug().model
        registry.until(lambda: pad.state is State.OPEN)
        pad.press(Key.OK)
        registry.until(lambda: registry.pressed)
        registry.keypads.settle(PressId(NAME, int.from_bytes(pad.boot), 1), True)
        registry.until(lambda: pad.refusals == 1)
        assert not pad.queue


@pytest.mark.parametrize(
    ("level", "heard"),
    [
        (Level.OFF, []),
        (Level.QUIET, [KeypadSound.REFUSED]),
        (Level.ON, [KeypadSound.TURN, KeypadSound.REFUSED]),
    ],
)
def test_keypads_use_the_boxs_loudness(level: Level, heard: list[KeypadSound]) -> None:
    with PtyRegistry() as registry:
        pad = registry.plug().model
        registry.until(lambda: pad.state is State.OPEN)
        lights = BySeat(Seats.of("Red", "Blue"), (Light.TURN, Light.OFF))
        registry.keypads.show(shown(lights), {NAME: Seat("Red")}, level)
        registry.until(lambda: pad.shows is LightState.TURN)
        pad.press(Key.OK)
        registry.until(lambda: registry.pressed)
        registry.keypads.settle(PressId(NAME, int.from_bytes(pad.boot), 1), True)
        registry.until(lambda: pad.refusals == 1 and len(pad.beeps) == len(heard))
        again = shown(lights), {NAME: Seat("Red")}, level
        registry.keypads.show(*again)  # its turn goes on: no sound
        registry.until(lambda: pad.shows is LightState.TURN)
        assert [beep.sound for beep in pad.beeps] == heard
