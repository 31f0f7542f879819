"""The page of `make hw` shows everything that was made, and everything on it is in that folder."""

import re
from pathlib import Path

from hw.board.build import KEPT
from hw.bom import FILE
from hw.case_make import prints
from hw.page import write_page
from hw.wiring import harnesses


def made(folder: Path, names: list[str]) -> str:
    """Makes these files in a folder; returns the text of its page."""
    for name in names:
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("made")
    return write_page(folder).read_text(encoding="utf-8")


def test_every_generated_file_is_linked_and_present(tmp_path: Path) -> None:
    names = [
        *(f"case/{one.name}.stl" for one in prints()),
        *(f"wiring/{one.name}.svg" for one in harnesses()),
        *(f"board/{name}" for name in KEPT),
    ]
    page = made(tmp_path, names)
    linked = re.findall(r'(?:href|src)="([^"]+)"', page)
    there = [link for link in linked if not link.startswith("../../hw/")]
    assert all((tmp_path / link).is_file() for link in there)
    assert len(linked) == len(set(linked)) == len(there) + 1  # the guide stays where it is
    assert {*names} - {"board/top.svg", "board/bottom.svg"} <= {*there}
    assert {"bom.csv", "pictures/board-open.png"} <= {*there}
    assert 'img src="board/schematic.svg"' in page
    assert (tmp_path / "bom.csv").read_bytes() == FILE.read_bytes()


def test_without_a_circuit_board_the_page_does_not_mention_it(tmp_path: Path) -> None:
    assert "circuit board</h2>" not in made(tmp_path, ["case/seat-lid.stl"])
