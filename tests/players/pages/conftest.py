"""For every test here: the pages of two evenings."""

from pathlib import Path

import pytest

from companion.app.catalog import CATALOG
from companion.players.pages.archive import Archive
from companion.web.export.html_file import game_page
from tests.players.builder import at


@pytest.fixture
def archive(path: Path) -> Archive:
    return Archive(path, CATALOG, game_page, lambda: at(22, 8))
