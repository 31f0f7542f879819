"""What all drawings share: the SVG around what is drawn, its text alternative and its style."""

import re
from functools import cache
from html import escape
from pathlib import Path

from companion.presentation.drawing.faces import UNIT, coordinate, rectangle
from companion.presentation.drawing.paper import Bounds
from companion.presentation.language import ENGLISH, Language

LONGEST = 960
"""The longer side of a drawing that stands alone, in pixels, where nothing else says its size."""


@cache
def style() -> str:
    """The style sheet of all drawings, for a page that shows them."""
    return (Path(__file__).parent / "style.css").read_text("utf-8")


@cache
def plain_style() -> str:
    """The style sheet in light colours, for renderers that know neither custom properties nor
    media: what stands before each property's use is taken."""
    without_media = re.sub(r"^@media.*?^}\n?", "", style(), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"[\w-]+: var\([^)]*\);|--[\w-]+: [^;]*;", "", without_media)


@cache
def _short_style() -> str:
    """The style sheet with less white space and without comments, to be carried along."""
    bare = style().split("*/", 1)[1]
    return "".join(line.strip() for line in bare.splitlines())


def halo(bounds: Bounds) -> str:
    """The bright rim of what was laid last, about that part of the table."""
    left, top, right, bottom = (side * UNIT for side in bounds)
    middle = (left + right) / 2, (top + bottom) / 2
    return rectangle("halo", middle, right - left + 1, bottom - top + 1, 4)


def picture(
    drawn: str,
    seen: Bounds,
    title: str,
    text: str,
    *,
    stand_alone: bool,
    language: Language = ENGLISH,
) -> str:
    """SVG that shows what was drawn. `seen` is in quarters of a tile; `title` names it and `text`
    says the same as the picture, both in the `language`. One that stands alone is a file of its
    own; without it the page that holds it has the style sheet."""
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
