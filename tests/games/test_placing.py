"""Questions about all worlds, against a look at each of them."""

from itertools import permutations
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.placing import END, Answer, Part, Places, Question, Window, ask
from companion.seats import Seat

AB = (Seat("A"), Seat("B"))


def bits(mask: int) -> list[int]:
    return [1 << at for at in range(8) if mask & 1 << at]


def brute_force(places: Places, question: Question) -> Answer:
    """Every way to put the tiles into the places, one by one."""
    slots = [(seat, time) for seat, part in places.parts.items() for time in part.got]
    mine = places.parts[question.seat].windows
    any_world, without, may_hold = False, False, 0
    for placed in permutations(bits(places.tiles), len(slots)):
        world = dict(zip(placed, slots, strict=True))
        if not _agrees(places, world):
            continue
        any_world = True
        held = sum(
            tile
            for tile, (seat, time) in world.items()
            if seat == question.seat
            and time < question.at
            and tile & question.match
            and mine.get(tile, (0, END, END))[2] > question.at
        )
        without = without or not held
        may_hold |= held
    return Answer(any_world, without, may_hold)


def _agrees(places: Places, world: dict[int, tuple[Seat, int]]) -> bool:
    for seat, part in places.parts.items():
        for tile, (start, end, _) in part.windows.items():
            where, time = world.get(tile, (None, 0))
            if where != seat or not start <= time < end:
                return False
    return all(tile not in world or world[tile][1] >= since for tile, since in places.back.items())


def random_window(random: Random) -> Window:
    """Laid at its end, or shown then and laid later, or never."""
    end = random.choice([*range(1, 10), END])
    left = random.choice([end, min(end + 2, END), END])
    return random.choice([0, 0, 0, 3]), end, left


def random_case(random: Random) -> tuple[Places, Question]:
    """A little hand: up to seven tiles, two seats, times 1 to 9."""
    tiles = [1 << at for at in range(random.randint(3, 7))]
    unknown = random.sample(tiles, len(tiles))
    parts = {}
    for seat in AB:
        draws = sorted(random.sample(range(1, 10), random.randint(0, 2)))
        known = [unknown.pop() for _ in range(random.randint(0, 2)) if unknown]
        windows = {tile: random_window(random) for tile in known}
        parts[seat] = Part((0,) * random.randint(0, 2) + tuple(draws), windows)
    back = {unknown.pop(): random.randint(1, 6)} if unknown and random.random() < 0.4 else {}
    match = sum(random.sample(tiles, random.randint(0, len(tiles))))
    question = Question(random.choice(AB), random.randint(1, 9), match)
    return Places(parts, back, sum(tiles)), question


@settings(max_examples=1500)
@given(st.randoms(use_true_random=False))
def test_the_quick_answer_is_that_of_all_worlds(random: Random) -> None:
    places, question = random_case(random)
    expected = brute_force(places, question)
    found = ask(places, question)
    assert found.any_world == expected.any_world
    if expected.any_world:
        assert found == expected
