"""Every term of docs/glossary.md is defined in the file that it names, and used in others."""

import re
from pathlib import Path

import pytest

from tests.test_documents import defined_in

ROOT = Path(__file__).parents[1]
ROW = re.compile(r"^\| \*\*([^|]+)\*\*[^|]*\| ([^|]+) \| `(\w+)` in `([\w/.]+)` \|$", re.MULTILINE)
TEXT = (ROOT / "docs" / "glossary.md").read_text("utf-8")
TERMS = ROW.findall(TEXT)


def test_every_row_of_the_glossary_is_read() -> None:
    rows = [line for line in TEXT.splitlines() if line.startswith("| **")]
    assert len(TERMS) == len(rows) > 40
    names = [name for _, _, name, _ in TERMS]
    assert len({*names}) == len(names)


@pytest.mark.parametrize(("name", "file"), [(name, file) for _, _, name, file in TERMS])
def test_a_term_is_defined_where_the_glossary_says_and_used_elsewhere(name: str, file: str) -> None:
    folder = ROOT if file.startswith("tests/") else ROOT / "companion"
    assert name in defined_in(folder / file)
    used = re.compile(rf"\b{name}\b")
    beside = (path for path in folder.rglob("*.py") if path != folder / file)
    assert any(used.search(path.read_text("utf-8")) for path in beside)
