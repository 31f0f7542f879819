"""Checks whether pictures can be saved as PNG, which needs a library that a table does not."""

from collections.abc import Iterator

from companion.app.check.bench import Bench
from companion.app.check.finding import Finding, not_tried, ok
from companion.core.errors import SetupError
from companion.web.export.pictures import BLANK, png_of


def check_pictures(_bench: Bench) -> Iterator[Finding]:
    """Checks that a PNG can be drawn, by drawing a blank one."""
    try:
        png_of(BLANK)
    except SetupError as error:
        yield not_tried("“companion show --png” can't draw here", str(error))
        return
    yield ok("a PNG was drawn")
