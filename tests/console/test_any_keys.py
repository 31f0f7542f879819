"""Random keys in the games whose screens are based on the possible entries: no exception, a way out
of every screen, and no entry lost."""

from pathlib import Path
from random import Random

import pytest

from companion.console.console import Console
from companion.core.keys import FIVE_WAY, SIXTEEN, Key, Press
from companion.record.rows import GameOpened, Step
from tests import rig as whole
from tests.catalog import GAMES
from tests.console import builder, fives_typist, tiles_typist
from tests.console.rig import Rig
from tests.console.test_mashing import LIKELY, check_way_out, some_press

NAMES = ("high-fives", "highrise", "high-five-tiles")
IN_PLAY = (*(key for key in SIXTEEN if key not in (Key.MENU, Key.BACK)), *[Key.OK] * 5)
"""The keys with which hands are played: no menus, no undos."""


def begun(name: str, seed: int) -> Rig:
    """Returns a game that has just begun, or a recorded one halfway through, with one of several
    ways of keying."""
    if name == "highrise":
        return builder.set_up(2 + seed % 3).press(builder.BASEMENT if seed % 2 else "1 DRAW")
    if name == "high-five-tiles":
        return tiles_typist.dealt(2 + seed % 3)
    if seed in (2, 6):
        return fives_typist.until_fives("PlayTile", 4 if seed == 2 else 7, 60)
    return fives_typist.set_up(2 + seed % 7, "points" if seed % 4 == 3 else "tile")


def press_and_watch(rig: Rig, press: Press) -> None:
    """Presses a key, and checks that the game is unchanged if no row was stored, or has the stored
    entries."""
    journal, rows = rig.view.journal, len(rig.rows)
    before = 0 if journal is None else journal.length
    rig.send(press)
    assert not rig.refused
    if len(rig.rows) == rows:
        assert rig.view.journal is journal
    elif isinstance(step := rig.rows[-1], Step):
        assert rig.view.game.length == before + len(step.entries)


def check_rows(rig: Rig) -> None:
    """Checks that the rows that were kept lead to the state that is shown."""
    again = Rig()
    for row in rig.rows:
        again.view = again._with(row)
    assert again.view.game.entries == rig.view.game.entries
    assert again.state == rig.state


@pytest.mark.sampled(1, of="seed")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(8))
def test_random_keys_break_nothing_and_back_leads_out(name: str, seed: int) -> None:
    random, rig = Random(seed), begun(name, seed)
    keys = LIKELY if seed % 2 else (*LIKELY, *FIVE_WAY, *FIVE_WAY)
    for number in range(2000):
        press_and_watch(rig, some_press(random, keys))
        if number % 10 == 0:
            check_way_out(rig)
        if number % 400 == 399:
            rig.console = Console.start()
    check_rows(rig)


@pytest.mark.sampled(1, of="seed")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(6))
def test_random_keys_during_play_add_entries(name: str, seed: int) -> None:
    random, rig, longest = Random(seed), begun(name, seed), 0
    for number in range(1500):
        game, length = rig.view.game_number, rig.view.game.length
        press_and_watch(rig, Press(random.choice(IN_PLAY), held=random.random() < 0.05))
        if rig.view.game_number == game:
            assert rig.view.game.length >= length
        if number % 10 == 0:
            check_way_out(rig)
        longest = max(longest, rig.view.game.length)
    assert longest > (100 if name == "high-five-tiles" else 1)


def test_random_keys_lead_from_finished_games_to_rematches() -> None:
    random = Random(0)
    rig, _ = tiles_typist.type_game(0, 2)
    for _ in range(1200):
        press_and_watch(rig, Press(random.choice(IN_PLAY), held=random.random() < 0.05))
    assert sum(isinstance(row, GameOpened) for row in rig.rows) > 1


@pytest.mark.sampled(1, of="seed")
@pytest.mark.parametrize(
    "name, then",
    [
        ("high-fives", "OK 1 1"),
        ("high-fives", "OK 2 1"),
        ("highrise", f"OK {builder.BASEMENT}"),
        ("highrise", "OK 1 DRAW"),
        ("high-five-tiles", "OK PASS OK 1 6 3 OK"),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_random_keys_and_power_cuts_lose_no_entry(
    tmp_path: Path, name: str, then: str, seed: int
) -> None:
    """After each start all stored rows are there, and the scores follow from them."""
    random, path, line = Random(seed), tmp_path / "record.db", [*GAMES].index(name) + 1
    keys = [key.value for key in LIKELY if key not in (Key.MENU, Key.BOGUS)]
    with whole.Rig(path) as rig:
        rig.press(f"{line} {2 + seed} 1 {then}")
        before, scores = rig.entries, rig.table.box.view().state.scores
    assert before
    for _ in range(4):
        with whole.Rig(path) as rig:
            assert rig.entries == before
            assert rig.table.box.view().state.scores == scores
            rig.press(" ".join(random.choice(keys) for _ in range(200)))
            before, scores = rig.entries, rig.table.box.view().state.scores
