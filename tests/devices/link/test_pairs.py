"""From every pair of states, after every gap, both sides are open again within seconds, by
themselves, and every press has arrived."""

from itertools import product

import pytest

from companion.core.keys import Key
from companion.devices.link.messages import Ack
from companion.devices.link.session import BEAT_S, SILENCE_S
from companion.devices.link.session import LinkState as Host
from tests.devices.link.keypad import SERIAL, ModelKeypad, State
from tests.devices.link.pairs import GAPS, Accident, Pair, Step, Walk
from tests.devices.link.talks import BOOT, host, keypad, play
from tests.devices.link.world import World
from tests.firmware.keypad import FirmwareKeypad
from tests.sampling import drawn

SOONEST = "to the keypad"
QUARTER_S = 0.25
LONGEST_GAP_S = 25.0
PRESSED_AT_S = (None, 0.0, 1.0, 4.5, 8.0, 9.75, 10.5, 12.0)
"""Seconds after the gap's beginning; None: no key is pressed."""
HEALED_WITHIN_S = BEAT_S + QUARTER_S


@pytest.fixture(scope="module")
def walk() -> Walk:
    """The walk through all pairs of states with every gap; in a sample, only with the gap that
    reaches all pairs soonest."""
    others = [gap for gap in GAPS if gap != SOONEST]
    return Walk.from_start([SOONEST, *drawn("tests/devices/link/test_pairs.py::walk", others, 0)])


def test_the_vectors_reach_every_pair_of_states(walk: Walk) -> None:
    assert {pair.states for pair in walk.found.values()} == set(product(State, Host))


def test_both_sides_recover_from_every_pair_of_states(walk: Walk) -> None:
    """A keypad that was refused waits until it has not heard the other version for a while."""
    slowest = dict.fromkeys(State, 0.0)
    for pair, seconds in walk.seconds_to_well():
        assert seconds is not None, (pair.states, pair.key)
        state, _ = pair.states
        slowest[state] = max(slowest[state], seconds)
    refused = slowest.pop(State.REFUSED)
    assert max(slowest.values()) <= BEAT_S
    assert refused <= SILENCE_S + BEAT_S


@pytest.mark.parametrize("pressed_at_s", PRESSED_AT_S)
@pytest.mark.parametrize("gap", GAPS.values(), ids=[*GAPS])
def test_the_link_recovers_after_silence_of_any_length(
    gap: Step, pressed_at_s: float | None
) -> None:
    pair = Pair().after(Step(seconds=1.5))
    assert pair.is_well
    for quarter in range(int(LONGEST_GAP_S / QUARTER_S)):
        pressed = pressed_at_s == quarter * QUARTER_S
        accident = Accident.PRESS if pressed else Accident.NONE
        pair = pair.after(Step(accident, gap.to_host, gap.to_keypad, QUARTER_S))
        healed, waited_s = pair, 0.0
        while not healed.is_well:
            healed = healed.after(Step(seconds=QUARTER_S))
            waited_s += QUARTER_S
            assert waited_s <= HEALED_WITHIN_S, (quarter, pair.states)
        pressed_by_now = pressed_at_s is not None and pressed_at_s <= quarter * QUARTER_S
        assert healed.taken == pressed_by_now


def test_both_sides_follow_the_conversations_of_the_vectors() -> None:
    assert play("at-keypad", keypad(lambda now: ModelKeypad(now, BOOT))) > 20
    assert play("at-keypad", keypad(lambda now: FirmwareKeypad(now, SERIAL, BOOT))) > 20
    assert play("at-host", host) > 10


class StubbornKeypad(ModelKeypad):
    """A keypad that doesn't open its link when it gets an acknowledgement."""

    def _acknowledged(self, ack: Ack) -> None:
        if self.state is State.SHUT:
            self._ask()
        else:
            super()._acknowledged(ack)


@pytest.mark.parametrize("gap_s", [gap / 2 for gap in range(16, 30)])
def test_the_host_recovers_a_keypad_that_repeats_hello(gap_s: float) -> None:
    world = World()
    world.keypad = StubbornKeypad(world.now)
    world.wait(1.0)
    carry = world.to_keypad.damage
    world.to_keypad.damage = lambda _: ()
    world.wait(gap_s / 2)
    world.press(Key.D5)
    world.wait(gap_s / 2)
    world.to_keypad.damage = carry
    world.wait(2 * BEAT_S + 1)
    assert world.taken == [Key.D5]
    assert (world.keypad.state, world.is_open) == (State.OPEN, True)
    world.all_accounted()
