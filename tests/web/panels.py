"""A phone that requests panels, at a table during a hand."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.web.live import LiveTable, Phone, keep

PLAYED = "hand\nRed 6-6\nBlue 6-3\nRed 6-4\nBlue 4-1\nRed draw\naudit Red 140 10x9+5x10"

DOCS = Path(__file__).parents[2] / "docs"
SCHEMA = json.loads((DOCS / "panels.schema.json").read_text("utf-8"))
VALID = Draft202012Validator(SCHEMA)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    """A table with a hand in progress and counted chips: PLAYED."""
    keep(tmp_path / "record.db", PLAYED)
    table = LiveTable(tmp_path / "record.db")
    yield table
    table.close()


async def looks(phone: Phone, name: str, **more: object) -> Any:
    """Requests the panel with this name; returns the answer, which must match its schema."""
    phone.panel = {}
    await phone.say(panel={"name": name, **more})
    await phone.until(lambda: phone.panel.get("name") == name and "reading" not in phone.panel)
    VALID.validate(phone.panel)
    return phone.panel
