"""The repository has exactly what is generated from the boards' files."""

import re
from pathlib import Path

import pytest

from companion.devices.board import known_boards
from hw.guide import GUIDE, PAGES, generated, with_tables_renewed
from hw.pictures import FOLDER, GuidePicture, pictures
from hw.ways import WAYS

RENEW = "renew it with: make guide"


@pytest.mark.parametrize(
    ("path", "text"), list(generated()), ids=lambda one: getattr(one, "name", "")
)
def test_a_generated_file_is_up_to_date(path: Path, text: str) -> None:
    assert path.read_text(encoding="utf-8") == text, RENEW


@pytest.mark.parametrize("picture", list(pictures()), ids=lambda one: one.name)
def test_pictures_are_drawn_from_the_current_sources(picture: GuidePicture) -> None:
    assert picture.is_fresh, RENEW


def test_every_stored_picture_has_a_source() -> None:
    assert set(FOLDER.iterdir()) == {one.path for one in pictures()}


def test_changing_a_pictures_source_is_detected() -> None:
    one = next(iter(pictures()))
    changed = type(one)(one.name, one.source + " ", one.draw)
    assert one.is_fresh
    assert not changed.is_fresh


def test_an_unknown_mark_in_the_guide_is_an_error() -> None:
    with pytest.raises(KeyError):
        with_tables_renewed("<!-- tables: hat -->\n<!-- end -->")


def test_text_around_generated_tables_is_kept() -> None:
    assert with_tables_renewed("Before.\n<!-- cost: all -->\nold\n<!-- end -->\nAfter.").startswith(
        "Before.\n<!--"
    )
    assert "old" not in with_tables_renewed("<!-- cost: all -->\nold\n<!-- end -->")


def test_every_board_in_the_guide_exists() -> None:
    named = [
        name
        for page in PAGES
        for name in re.findall(r'`board = "([^"]+)"`', page.read_text(encoding="utf-8"))
    ]
    assert set(named) == set(known_boards())


each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


@each_page
def test_every_anchor_linked_within_a_page_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    known = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= known


@each_page
def test_every_link_target_and_picture_of_a_page_exists(page: Path) -> None:
    targets = re.findall(r"\]\(([^):#]+)[^)]*\)", page.read_text(encoding="utf-8"))
    assert targets
    for target in targets:
        assert (page.parent / target).exists(), target


def test_the_first_page_links_all_others_and_begins_with_a_picture() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    assert all(f"({page.name})" in text for page in PAGES[1:])
    picture = re.findall(r"!\[[^]]*\]\(([^)]+)\)", text.partition("\n## ")[0])[0]
    assert (GUIDE.parent / picture).stat().st_size <= 150_000


@each_page
def test_every_way_to_build_has_a_complete_page(page: Path) -> None:
    if page.name in {way.page for way in WAYS.values()}:
        titles = re.findall(r"^## (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
        assert {"Choose", "Order", "Print", "Configuration", "First light"} <= {*titles}
