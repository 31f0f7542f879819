"""Every kind of damage at every byte of a session, both ways: no press is lost, none counts twice,
and whatever could not be helped is reported."""

from collections.abc import Callable, Iterable

import pytest

from companion.core.keys import Key
from companion.devices.link.events import PressesLost
from tests.devices.link.keypad import State
from tests.devices.link.world import CALM_S, World, at
from tests.sampling import Draw

SESSION = "5 6 OK DRAW 1 2 BACK 3 OK PASS 6 6 OK BOGUS"
SLOW_S = (0.0, 0.4)
"""How long the loop takes to deal with a press, in seconds: the second is longer than the keypad
waits."""
PAUSE_S = 4.2
"""A pause in the session, so that a ping falls into it."""

Change = Callable[[World, str], Callable[[bytes, int], Iterable[bytes]]]


def play(world: World) -> World:
    """Greets, plays the session with a pause in it, and leaves time to recover."""
    first, rest = SESSION[:26], SESSION[26:]
    world.wait(2.0)
    world.keys(first).wait(PAUSE_S)
    world.keys(rest).wait(2.0)
    if world.keypad.queue or world.keypad.state is not State.OPEN:
        world.wait(CALM_S)
    return world


def lost(world: World, way: str) -> Callable[[bytes, int], Iterable[bytes]]:
    return lambda piece, here: (piece[:here] + piece[here + 1 :],)


def doubled(world: World, way: str) -> Callable[[bytes, int], Iterable[bytes]]:
    return lambda piece, here: (piece[: here + 1] + piece[here:],)


def flipped(world: World, way: str) -> Callable[[bytes, int], Iterable[bytes]]:
    return lambda piece, here: (
        piece[:here] + bytes((piece[here] ^ 1 << here % 8,)) + piece[here + 1 :],
    )


def cut_short(world: World, way: str) -> Callable[[bytes, int], Iterable[bytes]]:
    return lambda piece, here: (piece[:here],)


def came_twice(world: World, way: str) -> Callable[[bytes, int], Iterable[bytes]]:
    return lambda piece, here: (piece[: here + 1], piece)


def delayed(world: World, way: str) -> Callable[[bytes, int], Iterable[bytes]]:
    """The end of the piece, from byte `here` on, arrives after pieces that were sent later."""

    def change(piece: bytes, here: int) -> Iterable[bytes]:
        getattr(world, way).late.append((world.now + 0.6, piece[here:]))
        yield piece[:here]

    return change


def repeated_late(world: World, way: str) -> Callable[[bytes, int], Iterable[bytes]]:
    """The piece arrives; its end, from byte `here` on, arrives again much later."""

    def change(piece: bytes, here: int) -> Iterable[bytes]:
        getattr(world, way).late.append((world.now + 1.5, piece[here:]))
        yield piece

    return change


def unplugged(world: World, way: str) -> Callable[[bytes, int], Iterable[bytes]]:
    """The cable is pulled in the middle of a piece, and plugged in again a moment later."""

    def change(piece: bytes, here: int) -> Iterable[bytes]:
        yield piece[:here]
        world.unplug()
        world.plug()

    return change


KEEPING = (
    lost,
    doubled,
    flipped,
    cut_short,
    came_twice,
    delayed,
    repeated_late,
    unplugged,
)


def length(way: str) -> int:
    """The number of bytes that the undamaged session sends in that direction."""
    world, sent = World(), 0

    def count(piece: bytes) -> Iterable[bytes]:
        nonlocal sent
        sent += len(piece)
        yield piece

    getattr(world, way).damage = count
    play(world)
    assert [key.value for key in world.taken] == SESSION.split()
    return sent


LENGTHS = {way: length(way) for way in ("to_host", "to_keypad")}
SHARE = 8
"""A sample tries one of this many bytes."""


@pytest.mark.parametrize("way", LENGTHS)
@pytest.mark.parametrize("change", KEEPING)
def test_presses_arrive_once_and_in_order_over_a_damaged_line(
    way: str, change: Change, draw: Draw[int]
) -> None:
    for position in draw(range(LENGTHS[way]), LENGTHS[way] // SHARE):
        world = World(SLOW_S[position % 2])
        getattr(world, way).damage = at(position, change(world, way))
        play(world)
        assert world.taken == world.pressed, position
        assert not world.keypad.queue
        assert not world.reported(PressesLost)
        assert world.restarts == 0


@pytest.mark.parametrize("way", LENGTHS)
@pytest.mark.parametrize("port_stays", [True, False])
def test_a_reset_at_any_byte_loses_only_unsent_presses(
    way: str, port_stays: bool, draw: Draw[int]
) -> None:
    for position in draw(range(LENGTHS[way]), LENGTHS[way] // SHARE):
        world = World()
        died: list[Key] = []
        known: list[bool] = []

        def reset(
            piece: bytes,
            here: int,
            world: World = world,
            died: list[Key] = died,
            known: list[bool] = known,
        ) -> Iterable[bytes]:
            yield piece[:here]
            known.append(bool(world.registry.keypads))
            died += [one.key for one in world.keypad.queue if one.key]
            world.reset()
            if not port_stays:
                world.unplug()
                world.plug()

        getattr(world, way).damage = at(position, reset)
        play(world)
        assert not world.keypad.queue
        assert known[0] <= world.restarts <= 1, position
        missing = without(world.pressed, world.taken)
        assert missing is not None, "doubled or out of order"
        assert set(missing) <= {*died, *early(world)}


def early(world: World) -> list[Key]:
    """The presses of a keypad that had just started, if it reported that it dropped presses."""
    return world.pressed if any(getattr(one, "dropped", 0) for one in world.news) else []


def without(pressed: list[Key], taken: list[Key]) -> list[Key] | None:
    """The presses that were not taken, in order; None if one was taken twice, out of order, or
    without having been pressed."""
    left, missing = list(taken), []
    for key in pressed:
        if left and left[0] is key:
            left.pop(0)
        else:
            missing.append(key)
    return None if left else missing


@pytest.mark.parametrize("way", LENGTHS)
def test_a_host_killed_at_any_byte_accepts_no_press_twice(way: str, draw: Draw[int]) -> None:
    for position in draw(range(LENGTHS[way]), LENGTHS[way] // SHARE):
        world = World(SLOW_S[position % 2])
        then: list[tuple[int, int, int]] = []

        def kill(
            piece: bytes,
            here: int,
            world: World = world,
            then: list[tuple[int, int, int]] = then,
        ) -> Iterable[bytes]:
            yield piece[:here]
            then.append((len(world.pressed), len(world.taken), len(world.keypad.queue)))
            world.start_host()

        getattr(world, way).damage = at(position, kill)
        play(world)
        assert not world.keypad.queue
        ((pressed, taken, queued),) = then
        assert world.taken[taken:] == world.pressed[pressed:], "something old, or lost, or doubled"
        missing = without(world.pressed[:pressed], world.taken[:taken])
        assert missing is not None
        assert len(missing) <= queued
