"""What all drawings share: the SVG element around them, the text alternative and the style."""

import re
from functools import cache
from html import escape
from pathlib import Path

from companion.presentation.drawing.faces import UNIT, coordinate, rectangle
from companion.presentation.drawing.paper import Bounds
from companion.presentation.language import ENGLISH, Language

LONGEST = 960
"""The longer side of a drawing that stands alone, in pixels, unless its viewer sets another
size."""


@cache
def style() -> str:
    """The style sheet of all drawings, for a page that shows them."""
    return (Path(__file__).parent / "style.css").read_text("utf-8")


@cache
def plain_style() -> str:
    """The style sheet in light colours, for renderers that know neither custom properties nor media
    rules: they get the fixed value that stands before each use of a custom property."""
    without_media = re.sub(r"^@media.*?^}\n?", "", style(), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"[\w-]+: var\([^)]*\);|--[\w-]+: [^;]*;", "", without_media)


@cache
def _short_style() -> str:
    """The style sheet with less white space and without its opening comment, for drawings that
    carry it."""
    bare = style().split("*/", 1)[1]
    return "".join(line.strip() for line in bare.splitlines())


def halo(bounds: Bounds) -> str:
    """The bright rim round a part of the table, in quarters of a tile, as for the tile laid
    last."""
    left, top, right, bottom = (side * UNIT for side in bounds)
    middle = (left + right) / 2, (top + bottom) / 2
    return rectangle("halo", middle, right - left + 1, bottom - top + 1, 4)


def svg_drawing(
    drawn: str,
    seen: Bounds,
    title: str,
    text: str,
    *,
    stand_alone: bool,
    language: Language = ENGLISH,
) -> str:
    """The SVG element with what was `drawn`. `seen`: the part of the table that it shows, in
    quarters of a tile; `title` names the drawing and `text` says what it shows; both are put into
    the `language`. With `stand_alone` it is a file of its own, with the style sheet in it; else the
    page has that."""
    left, top, width, height = (value * UNIT for value in (*seen[:2], seen.width, seen.height))
    box = " ".join(map(coordinate, (left, top, width, height)))
    table = rectangle("table", (left + width / 2, top + height / 2), width - 2, height - 2, 12)
    words = f"<title>{escape(language.put(title))}</title><desc>{escape(language.put(text))}</desc>"
    if not stand_alone:
        return f'<svg class="drawing" role="img" viewBox="{box}">{words}{table}{drawn}</svg>'
    scale = LONGEST / max(width, height)
    size = f'width="{round(width * scale)}" height="{round(height * scale)}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="drawing" role="img" {size}'
        f' viewBox="{box}">{words}<style>{_short_style()}</style>{table}{drawn}</svg>\n'
    )
