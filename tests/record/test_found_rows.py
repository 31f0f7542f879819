"""Rows found at many places form one chain, and a million of them take no more memory than a
few."""

import tracemalloc
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

import pytest

from companion.core.seats import Seats
from companion.record.copies.restore import make_from_copies, make_offer, restore
from companion.record.copies.text_copy import Folder, format_line
from companion.record.repair.salvage import FoundRows
from companion.record.rows import GameOpened, encode_row
from companion.record.store.database import START, ChainLink
from companion.record.store.record_file import make_record
from tests.record.test_copies import LINKS, ROWS, chain

FEW, MANY = 600, 6000
MORE = 400_000
"""Additional bytes of memory that ten times as many rows may use in Python; all rows have 4 MB."""


@pytest.fixture
def rows() -> Iterator[FoundRows]:
    with FoundRows() as found:
        yield found


def told(own: Iterable[ChainLink], *copied: Iterable[ChainLink]) -> list[ChainLink]:
    """The story of a record's own rows, completed from copies."""
    with FoundRows() as found:
        found.add("own", own)
        found.build_story("own")
        had = found.length
        for number, links in enumerate(copied):
            found.add(f"copy {number}", links)
        assert found.fill() == found.length - had
        return [*found.links()]


def test_gaps_are_filled_only_with_rows_that_follow() -> None:
    own = [link for link in LINKS if link.seq not in (1, 4, 5, 8, 9)]
    other = ChainLink.make(LINKS[6].hash, (8, 2, ROWS[0], None, None))
    assert told(own, LINKS) == LINKS
    assert told(own, chain((1, 1, 1)), [other, *LINKS])[:7] == LINKS[:7]
    went_on = [*own, other]  # the record has gone on otherwise
    assert told(went_on, LINKS) == [*LINKS[:7], other]
    assert told([], LINKS) == LINKS
    assert told([], LINKS[3:]) == [], "nothing says that it is of this record"
    assert told(LINKS[6:], LINKS[:6]) == LINKS, "what its rows follow on"


@pytest.mark.parametrize("seed", range(20))
def test_lost_rows_are_restored_from_any_place(seed: int) -> None:
    chance = Random(seed)
    whole = chain(tuple(chance.randrange(4) for _ in range(40)))
    own = [link for link in whole if chance.random() < 0.6] or whole[:1]
    copied = [link for link in whole if link not in own or chance.random() < 0.3]
    chance.shuffle(copied)
    half = len(copied) // 2
    assert told(own, copied[:half], copied[half:]) == whole


def test_of_two_rows_with_one_number_the_one_that_fits_the_chain_counts(rows: FoundRows) -> None:
    never = ChainLink.make(LINKS[1].hash, (3, 1, ROWS[0], None, None))
    for before in ([never, *LINKS], [*LINKS[:3], never, *LINKS[3:]], [*LINKS, never, *LINKS]):
        with FoundRows() as found:
            found.add("own", before)
            found.build_story("own")
            assert [*found.links()] == LINKS
    rows.add("own", [*LINKS[:3], never])
    rows.build_story("own")
    assert [*rows.links()] == [*LINKS[:2], never], "else the later one"


def test_rows_that_do_not_fit_are_counted_once(rows: FoundRows) -> None:
    rows.add("own", LINKS[:5])
    rows.build_story("own")
    other, last = list[ChainLink](), LINKS[3]
    for seq in range(5, 9):
        last = ChainLink.make(last.hash, (seq, 1, ROWS[1], None, None))
        other.append(last)
    nobody = ChainLink.make(bytes(31) + b"x", (3, 1, ROWS[0], None, None))
    for place in ("one", "two"):
        rows.add(place, [*LINKS[:5], *other[::-1], nobody])
    rows.fill()
    assert rows.length == 5
    assert rows.count_apart("own") == 4
    assert rows.last_row_of_games() == {0: 4, 1: 5}


# ---------------------------------------------------------------- how much is held


def long_story(many: int) -> Iterator[ChainLink]:
    """Games of thirty rows, one after the other."""
    opened = encode_row(GameOpened("high-five", Seats.of("Red", "Blue"), {}))
    before = START
    for seq in range(1, many + 1):
        row = opened if seq % 30 == 1 else ROWS[0] + " " * 100
        link = ChainLink.make(before, (seq, (seq + 29) // 30, row, seq + 0.5, f"a/1/{seq}"))
        before = link.hash
        yield link


def stick(place: Path, many: int) -> Folder:
    """A stick with such a story; one file has all rows but the first, as if they were of one
    game."""
    links = long_story(many)
    folder = Folder.of(place, first := next(links))
    folder.append([first])
    with folder.file_of(1).open("ab") as file:
        file.writelines(map(format_line, links))
    return folder


def held(do: str, place: Path, many: int) -> int:
    """The most memory, in bytes, that `do` uses in Python for a stick with this many rows."""
    folder, record = stick(place / "stick", many), place / "record.db"
    if do == "restore":
        make_record(record, list(long_story(many))[: many // 2])
    tracemalloc.start()
    try:
        match do:
            case "offer":
                offer = make_offer(record, place / "stick")
                assert offer is not None
                assert (offer.row, offer.games) == (many, many // 30)
            case "make":
                assert make_from_copies(record, [folder]).came_back == many
            case "restore":
                assert restore(record, [folder]).came_back == many - many // 2
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("do", ["offer", "make", "restore"])
def test_ten_times_as_many_rows_take_no_more_memory(tmp_path: Path, do: str) -> None:
    held(do, tmp_path / "first", FEW)  # what is looked up once
    few, many = held(do, tmp_path / "few", FEW), held(do, tmp_path / "many", MANY)
    assert many < few + MORE


def test_an_endless_line_is_skipped(tmp_path: Path) -> None:
    folder = stick(tmp_path, 60)
    with folder.file_of(2).open("wb") as file:
        file.truncate(40_000_000)  # zeros, no line feed
    tracemalloc.start()
    try:
        assert sum(1 for _ in folder.rows()) == 60
        assert tracemalloc.get_traced_memory()[1] < 30_000_000
    finally:
        tracemalloc.stop()
