"""Every entry that a surface offers is accepted, and every entry that the rules accept can be keyed
on it: for every game, its house rules, pages, the box's display and seats' keypads. A program plays
random offered entries (walking.py); the seeds are fixed. A number pad has the keys of the box or of
a seat's keypad (test_every_key_of_the_box_is_on_a_number_pad)."""

from random import Random

import pytest

from companion.core.keys import SIXTEEN, Key
from companion.core.seats import Seat
from companion.devices.pads.pad_keys import PAD_CODES
from companion.record.settings import ENTRY_SCORES, ENTRY_WAY
from tests.catalog import GAMES
from tests.walking import Walk, tables_of

STEPS = 30
"""How many entries a walk makes."""
LOOK_AT_BOX = 6
"""The box is looked at after so many entries: its screens are searched, which takes longer."""

TABLES = [(name, number) for name in GAMES for number in range(len(tables_of(name)))]


def walk(name: str, number: int, seed: int) -> Walk:
    players, given = tables_of(name)[number]
    random = Random(f"{name} {number} {seed}")
    settings = {ENTRY_WAY: ENTRY_SCORES} if random.random() < 0.2 else {}
    return Walk(name, players, given, random, settings)


@pytest.mark.sampled(12)
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("name", "number"), TABLES)
def test_a_page_offers_exactly_the_accepted_entries(name: str, number: int, seed: int) -> None:
    walked = walk(name, number, seed)
    for _ in range(STEPS):
        assert not list(walked.faults_of_page()), walked.place()
        if not walked.step():
            break


@pytest.mark.sampled(8)
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("name", "number"), TABLES)
def test_box_and_keypads_reach_every_accepted_entry(name: str, number: int, seed: int) -> None:
    walked = walk(name, number, seed)
    for step in range(STEPS):
        if step % LOOK_AT_BOX == seed:
            assert not list(walked.faults_of_box()), walked.place()
            seat = walked.random.choice(walked.state.seats.order)
            assert not list(walked.faults_of_box(Seat(seat))), f"{seat}'s keypad: {walked.place()}"
        if not walked.step():
            break


def test_every_key_of_the_box_is_on_a_number_pad() -> None:
    assert set(SIXTEEN) <= set(PAD_CODES.values()) | {Key.D0}


def test_every_value_of_every_option_is_tried() -> None:
    for name, game in GAMES.items():
        tables = tables_of(name)
        for option in game.options:
            wanted = {str(one) for players in game.players for one in option.choices(players)}
            walked = {given[option.name] for _, given in tables if option.name in given}
            assert wanted <= walked, f"{name}: {option.name}"
