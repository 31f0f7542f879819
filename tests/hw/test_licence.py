"""Each file that says how to build the box names its licence."""

from pathlib import Path

import pytest

HW = Path(__file__).parents[2] / "hw"
SPDX = "SPDX-License-Identifier: "
WORDLESS = {".png", ".pyc"}
FILES = [
    path
    for path in sorted(HW.rglob("*"))
    if path.is_file() and path.suffix not in WORDLESS and path.name != "LICENSE"
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(HW)))
def test_the_first_line_of_a_file_names_its_licence(path: Path) -> None:
    with path.open(encoding="utf-8") as file:
        first = file.readline()
    # The program reads the boards, too, so they come with its own licence as well.
    own = "CERN-OHL-P-2.0 OR MIT" if path.parent.name == "boards" else "CERN-OHL-P-2.0"
    assert first.partition(SPDX)[2].strip().removesuffix(" -->") == own


def test_the_licence_file_exists() -> None:
    text = (HW / "LICENSE").read_text(encoding="utf-8")
    assert text.startswith("CERN Open Hardware Licence Version 2 - Permissive\n")
