"""Questions about all worlds, against a look at each of them."""

from itertools import permutations
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.placing import END, Answer, Item, Places, Question, Window, ask


def brute_force(places: Places, question: Question) -> Answer:
    """Every way to put the tiles into the places, one by one."""
    slots = [(seat, time) for seat, times in places.got.items() for time in times]
    any_world, without, may_hold = False, False, set[Item]()
    for placed in permutations(places.tiles, len(slots)):
        world = dict(zip(placed, slots, strict=True))
        if not _agrees(places, world):
            continue
        any_world = True
        held = {
            tile
            for tile, (seat, time) in world.items()
            if seat == question.seat and time < question.at and tile in question.match
            and places.windows[seat].get(tile, (0, END))[1] > question.at
        }  # fmt: skip
        without = without or not held
        may_hold |= held
    return Answer(any_world, without, frozenset(may_hold))


def _agrees(places: Places, world: dict[Item, tuple[str, int]]) -> bool:
    for seat, windows in places.windows.items():
        for tile, (start, end) in windows.items():
            where, time = world.get(tile, (None, 0))
            if where != seat or not start <= time < end:
                return False
    return all(tile not in world or world[tile][1] >= since for tile, since in places.back.items())


def random_case(random: Random) -> tuple[Places, Question]:
    """A little hand: up to seven tiles, two seats, times 1 to 9."""
    tiles: list[Item] = list(range(random.randint(3, 7)))
    random.shuffle(tiles)
    got: dict[str, tuple[int, ...]] = {}
    windows: dict[str, dict[Item, Window]] = {}
    unknown = list(tiles)
    for seat in "AB":
        draws = sorted(random.sample(range(1, 10), random.randint(0, 2)))
        got[seat] = (0,) * random.randint(0, 2) + tuple(draws)
        known = [unknown.pop() for _ in range(random.randint(0, 2)) if unknown]
        windows[seat] = {
            tile: (random.choice([0, 0, 0, 3]), random.choice([*range(1, 10), END]))
            for tile in known
        }
    back = {unknown.pop(): random.randint(1, 6)} if unknown and random.random() < 0.4 else {}
    match = frozenset(random.sample(tiles, random.randint(0, len(tiles))))
    places = Places(got, windows, back, frozenset(tiles))
    return places, Question(random.choice("AB"), random.randint(1, 9), match)


@settings(max_examples=1500, deadline=None)
@given(st.randoms(use_true_random=False))
def test_the_quick_answer_is_that_of_all_worlds(random: Random) -> None:
    places, question = random_case(random)
    expected = brute_force(places, question)
    found = ask(places, question)
    assert found.any_world == expected.any_world
    if expected.any_world:
        assert found == expected
