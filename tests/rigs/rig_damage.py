"""The effects of a bad card on a record, tried everywhere in its files: 1,500 random damages, every
sector, every page, and every bit of a log. Every start succeeds, every readable row is kept, no
loss is silent.

`make test` tries a few cases (tests/record/test_damage.py). The processors share the trials. A
sample of this rig has every fifth case.
"""

import os
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from tests.bench_wire import MEMORY
from tests.record.bounded import READING, by_pages, few_bytes, told_within, write_people
from tests.record.damage import (
    PAGE,
    SECTOR,
    RecordFiles,
    Trials,
    bits,
    blocks,
    random_damage,
    small_pages,
    unplugged,
    write_evening,
)
from tests.sampling import Draw

LOTS = 5
"""The cases are dealt into so many lots, every fifth case to the same one; a sample tries one
lot."""
Cases = Callable[[RecordFiles], Iterator[tuple[str, RecordFiles]]]


def _random(many: int, files: RecordFiles) -> Iterator[tuple[str, RecordFiles]]:
    for seed in range(many):
        yield f"seed {seed}", random_damage(Random(seed))(files)


def _blocks(size: int, files: RecordFiles) -> Iterator[tuple[str, RecordFiles]]:
    return blocks(files, size, Random(size))


def _tried(
    source: Path, cases: Cases, share: slice, quick: bool, lots: Collection[int]
) -> tuple[int, list[str]]:
    """The number of cases tried in this `share` of the `lots`, and their failures."""
    wrong, number = list[str](), 0
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as place:
        trials = Trials(source, Path(place))
        every = (one for at, one in enumerate(cases(trials.files)) if at % LOTS in lots)
        for name, files in islice(every, share.start, None, share.step):
            number += 1
            found = trials.wrong_rows(files) if quick else trials.wrong(files, readers=True)
            wrong += [f"{name}: {line}" for line in found]
    return number, wrong


def all_tried(
    source: Path, cases: Cases, tell: list[str], lots: Collection[int], *, quick: bool = False
) -> list[str]:
    """The failures in all cases of these `lots`. Adds the number of cases to `tell`."""
    shares = os.cpu_count() or 1
    with ProcessPoolExecutor(shares) as processors:
        parts = [
            processors.submit(_tried, source, cases, slice(share, None, shares), quick, lots)
            for share in range(shares)
        ]
        results = [part.result() for part in parts]
    tell.append(f"{source.parent.name}: {sum(number for number, _ in results)} starts")
    return [line for _, wrong in results for line in wrong]


@pytest.fixture
def closed(tmp_path: Path) -> Path:
    """A record of a dozen games, all of it in the file."""
    path = tmp_path / "closed" / "record.db"
    write_evening(path, 12, entries=12)
    return path


@pytest.fixture
def cut_off(tmp_path: Path) -> Path:
    """A record whose last game is only in the log."""
    return unplugged(tmp_path, 4, 30)


@pytest.fixture
def lots(draw: Draw[int]) -> Collection[int]:
    """The lots that this run tries."""
    return draw(range(LOTS), 1)


def test_random_damage_causes_no_failure(
    closed: Path, cut_off: Path, tell: list[str], lots: Collection[int]
) -> None:
    for source in (closed, cut_off):
        assert all_tried(source, partial(_random, 750), tell, lots) == []


@pytest.mark.parametrize("size", [SECTOR, PAGE])
def test_damage_to_any_block_causes_no_failure(
    closed: Path, cut_off: Path, tell: list[str], size: int, lots: Collection[int]
) -> None:
    for source in (closed, cut_off):
        assert all_tried(source, partial(_blocks, size), tell, lots) == []


def test_a_flipped_bit_of_a_log_causes_no_failure(
    tmp_path: Path, tell: list[str], lots: Collection[int]
) -> None:
    """With small pages, so that most bits are not in the empty middle of a page."""
    with small_pages():
        source = unplugged(tmp_path, 1, 2)
    assert all_tried(source, bits, tell, lots, quick=True) == []


def test_every_page_is_read_with_little_memory(
    tmp_path: Path, tell: list[str], lots: Collection[int]
) -> None:
    """All commands that read are tried, before any start."""
    source = tmp_path / "record.db"
    write_people(source)
    files = RecordFiles.of(source)
    every = (*by_pages(files), *few_bytes(files))
    cases = [one for at, one in enumerate(every) if at % LOTS in lots]
    shares = os.cpu_count() or 1
    with ProcessPoolExecutor(shares) as processors:
        parts = [
            processors.submit(told_within, cases[share::shares], tmp_path / str(share))
            for share in range(shares)
        ]
        wrong = [line for part in parts for line in part.result()]
    tell.append(f"read with little memory: {len(cases)} records, {len(READING)} commands each")
    assert wrong == []
