"""One moment as a picture: it is complete, text stays text, and names can be left out."""

import io
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image

from companion.app.catalog import CATALOG
from companion.commands.cli import main
from companion.core.errors import SetupError
from companion.presentation.moment import Moment, describe
from companion.record.journal import Journal
from companion.record.people.people import without_names
from companion.record.store.reader import Reader
from companion.web.export import pictures
from companion.web.export.pictures import draw_card, png_of
from tests.catalog import GAMES
from tests.presentation.test_moment import played
from tests.web.export.test_moments import TALLIES, tally
from tests.web.live import keep

WIDTH = 1080


def words_in(svg: str) -> str:
    return " ".join(text for text in ElementTree.fromstring(svg).itertext())


def card(journal: Journal[Any], at: int | None = None) -> str:
    return draw_card(Moment(CATALOG, journal, 7, 4), "2026-11-20", at)


def test_a_picture_shows_the_whole_dispute() -> None:
    journal = tally("dispute_of_three")
    told, words = (
        describe(Moment(CATALOG, journal, 7, 4), 8),
        words_in(card(journal, 8)).replace("  ", " "),
    )
    for said in ("charge", "verdict"):
        assert told["claim"][said]["words"] in words
    assert told["ruling"]["said"]["words"] in words
    assert "Blue pays Green 50" in words
    for word in told["claim"]["evidence"]["words"].split():
        assert word in words
    assert "2026-11-20" in words and "8 of 10" in words


@pytest.mark.pictures
def test_the_png_shows_the_drawing_in_its_colours() -> None:
    with Image.open(io.BytesIO(png_of(card(tally("dispute_of_three"), 8)))) as picture:
        assert (picture.format, picture.width) == ("PNG", WIDTH)
        colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 20) or []}
    table, face, halo, end = (
        (0xE3, 0xEA, 0xDF),
        (0xFF, 0xFD, 0xF4),
        (0xD9, 0x48, 0x0F),
        (23, 87, 138),
    )
    assert {table, face, halo, end} <= colours


@pytest.mark.parametrize("path", sorted(TALLIES.glob("*.tally")), ids=lambda path: path.stem)
def test_every_game_has_a_picture_of_its_end(path: Path) -> None:
    try:
        journal = tally(path.stem)
    except ValueError:
        return  # tallies that can't be read are tested where they are read
    if journal.length:
        assert ElementTree.fromstring(card(journal)).get("width") == str(WIDTH)


def test_names_are_text_and_cut_where_they_are_too_long() -> None:
    names = "<b>&amp;Anna Ben\u05d0" + "x" * 60
    svg = card(played("hand", seats=f"{names} {'山' * 40}"))
    assert "<b>&amp;Anna" in words_in(svg)
    assert "x…" in words_in(svg)
    assert "山…" in words_in(svg)


def test_a_picture_with_colours_has_no_names(tmp_path: Path) -> None:
    keep(tmp_path / "record.db", "hand\nAnna 6-6\nBen draw\nBen 6-3\nend Ben left", "Anna Ben")
    with Reader.open(tmp_path / "record.db", GAMES) as reader:
        shown = without_names(reader, reader.fold(1)).journal
    assert shown is not None
    for at in range(1, shown.length + 1):
        svg = card(shown, at)
        assert "Anna" not in svg and "Ben" not in svg


def test_a_missing_library_is_reported_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(SetupError, match="needs the library resvg-py"):
        png_of(card(played("hand")))


@pytest.mark.pictures
def test_a_missing_font_is_reported_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "ONE_LETTER", pictures.BLANK)
    with pytest.raises(SetupError, match="apt install fonts-dejavu-core"):
        png_of(card(played("hand")))


@pytest.mark.pictures
def test_the_command_writes_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record, file = tmp_path / "record.db", tmp_path / "moment.png"
    keep(record, "hand\nAnna 6-6\nBen 6-3", "Anna Ben")
    for more in ([], ["--at", "2"], ["--at", "2", "--colours"]):
        assert main(["show", "--png", str(file), *more, "--record", str(record)]) == 0
        with Image.open(file) as picture:
            assert picture.width == WIDTH
    assert capsys.readouterr() == ("", "")
    for status, words in (
        (1, ["--png", str(file), "--at", "9"]),
        (1, ["--png", str(tmp_path / "no" / "moment.png")]),
    ):
        assert main(["show", *words, "--record", str(record)]) == status
        assert capsys.readouterr().err.count("\n") == 1
