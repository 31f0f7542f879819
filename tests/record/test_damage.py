"""The effects of a bad card (a sample; tests/rigs/rig_damage.py has all): every start succeeds,
every readable row is kept, and every loss is reported."""

from pathlib import Path
from random import Random

import pytest

from tests.record.damage import Trials, bits, blocks, random_damage, unplugged, write_evening


@pytest.fixture
def closed(tmp_path: Path) -> Trials:
    path = tmp_path / "closed" / "record.db"
    write_evening(path, 4, entries=8)
    return Trials(path, tmp_path)


@pytest.fixture
def cut_off(tmp_path: Path) -> Trials:
    return Trials(unplugged(tmp_path, 3, 12), tmp_path)


def test_a_sound_record_has_no_findings(closed: Trials, cut_off: Trials) -> None:
    for trials in (closed, cut_off):
        assert trials.wrong(trials.files, readers=True) == []


@pytest.mark.sampled(6)
@pytest.mark.parametrize("seed", range(24))
def test_random_damage_causes_no_wrong_results(closed: Trials, cut_off: Trials, seed: int) -> None:
    chance = Random(seed)
    for trials in (closed, cut_off):
        assert trials.wrong(random_damage(chance)(trials.files), readers=True) == []


def test_damaged_sectors_and_bits_cause_no_wrong_results(closed: Trials, cut_off: Trials) -> None:
    chance = Random(5)
    for trials in (closed, cut_off):
        for name, files in chance.sample([*blocks(trials.files, 512, chance)], 10):
            assert trials.wrong(files) == [], name
    places = chance.sample(range(8 * len(cut_off.files.log)), 20)
    for name, files in bits(cut_off.files, places):
        assert cut_off.wrong(files) == [], name
