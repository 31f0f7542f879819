"""The lesson for people who have never played: its sums agree with the rules and with its
pictures."""

import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from companion.core.seats import COLOURS, Seats
from companion.games.chips import Chips
from companion.games.high_five import CHIP_SETS, DEALT
from companion.games.settlement import rounded
from tests.manual.book import CHAPTERS
from tests.manual.card import ON_A_PAGE, pages_of, print_beside_docs
from tests.manual.test_card import needs_chromium
from tests.playing import counted_in, table
from tests.presentation.scenes import R2
from tests.presentation.seating import who_pays

PAGE = CHAPTERS["high-five"].split("## The rules on a page\n")[1].split("\n## ")[0]
LAYS = R2.strip().split("\n")


def counted(tiles: int) -> str:
    """The sum, as in “12 + 3 = 15”, that the rules give after so many tiles of the lesson."""
    ends = counted_in(table().say("\n".join(LAYS[: tiles + 1])).state)
    return f"{' + '.join(map(str, ends.parts))} = {ends.count}"


def test_each_picture_shows_its_own_sum() -> None:
    told = {int(n): alt for n, alt in re.findall(r'lesson_(\d)\.svg" [^>]*alt="([^"]+)"', PAGE)}
    assert list(told) == [2, 3, 5, 6]
    for tiles, alt in told.items():
        assert alt.endswith(f": {counted(tiles)}"), alt


def test_sums_in_the_text_agree_with_the_rules() -> None:
    text = " ".join(PAGE.split())
    for tiles in (2, 3, 5, 6):
        assert counted(tiles) in text, tiles
    paid = [
        tiles
        for tiles in range(1, 7)
        if table().say("\n".join(LAYS[: tiles + 1])).state.effect.points
    ]
    assert paid == [2, 5], "what the page calls a five"


def test_rounding_and_deals_are_those_of_the_rules() -> None:
    assert [rounded(pips) for pips in (13, 12)] == [15, 10]
    assert "13 count 15, 12 count 10" in PAGE
    assert DEALT == {2: 7, 3: 6, 4: 5}
    assert "Two players draw 7 each, three 6, four 5" in " ".join(PAGE.split())


def test_the_payers_in_the_text_agree_with_the_seats() -> None:
    assert (
        who_pays(Seats.of(*COLOURS[:3]))
        == "Of three: Red pays Blue, Blue pays Green, Green pays Red."
    )
    seats = Seats.of(*COLOURS[:3])
    chips = Chips.full(seats, CHIP_SETS[0])
    assert all(chips.payer_of(seat) == seats.right_of(seat) for seat in seats)
    four = Seats.of(*COLOURS)
    chips = Chips.full(four, CHIP_SETS[0])
    assert all(chips.payer_of(seat) == four.moved(seat, 2) for seat in four)


@pytest.mark.browser
@needs_chromium
def test_the_lesson_is_one_printed_page(tmp_path: Path) -> None:
    html = MarkdownIt("commonmark").render(PAGE)
    head = f'<meta charset="utf-8"><style>{ON_A_PAGE}</style>'
    text = f"<!doctype html>{head}<h1>High Five</h1>{html}".replace('src="../', 'src="')
    print_beside_docs(text, tmp_path / "page.pdf")
    assert pages_of(tmp_path / "page.pdf") == 1
