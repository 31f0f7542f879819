"""The look of a TV's picture, from the style sheets of the page (presentation/drawing/style.css,
web/static/tv.css), which are read as far as our drawings need them."""

import re
from functools import cache
from typing import Final, NamedTuple

from PIL import ImageColor

from companion.presentation.drawing.svg import style
from companion.web.files import STATIC

Colour = tuple[int, ...]
"""Red, green, blue, and for a colour that isn't opaque its opacity, each from 0 to 255."""
_RULE: Final = re.compile(r"([^{}]+)\{([^{}]*)\}")
_OPACITY: Final = {"fill": "fill-opacity", "stroke": "stroke-opacity"}


class Paint(NamedTuple):
    """How a shape is filled (`fill`) and outlined (`stroke`); None: it isn't. `width`, that of the
    outline, and `dash`, its dashes and gaps, are in the drawing's own units."""

    fill: Colour | None
    stroke: Colour | None
    width: float = 1.0
    dash: tuple[float, float] | None = None


@cache
def palette() -> dict[str, Colour]:
    """The TV's colours by their names in its style sheet: `paper`, `text`, `red`."""
    return {name: ImageColor.getrgb(value) for name, value in _properties(".tv").items()}


@cache
def paint(name: str, element: str, after: str = "") -> Paint:
    """How the style sheet paints an element. `name`: the element's class; `after`: the class of the
    element before it. If the style sheet gives no fill, text is filled with the ink, all else with
    black."""
    told: dict[str, str] = {}
    for selector, rule in _rules():
        by = selector.removeprefix(".drawing ")
        if by in (element, f".{name}", f".{after} + {element}"):
            told |= rule
    fill = told.get("fill", "currentColor" if element == "text" else "#000")
    dash = [float(one) for one in told.get("stroke-dasharray", "").split()]
    return Paint(
        _colour(fill, told.get(_OPACITY["fill"])),
        _colour(told.get("stroke", "none"), told.get(_OPACITY["stroke"])),
        float(told.get("stroke-width", 1)),
        (dash[0], dash[1]) if dash else None,
    )


def _colour(value: str, opacity: str | None) -> Colour | None:
    if value == "none":
        return None
    if value == "currentColor":
        value = "var(--ink)"
    if known := re.fullmatch(r"var\(--([\w-]+)\)", value):
        value = _drawn_in()[known[1]]
    colour = ImageColor.getrgb(value)
    return (*colour, round(255 * float(opacity))) if opacity else colour


@cache
def _rules() -> list[tuple[str, dict[str, str]]]:
    """The selectors and properties of the drawings' style sheet, without its @media rules."""
    sheet = re.sub(r"/\*.*?\*/|^@media.*?^}\n?", "", style(), flags=re.DOTALL | re.MULTILINE)
    return [
        (selector.strip(), _told(rule))
        for selectors, rule in _RULE.findall(sheet)
        for selector in selectors.split(",")
    ]


@cache
def _drawn_in() -> dict[str, str]:
    """The colours of drawings on a TV, by the names of their custom properties."""
    bright = next(rule for selector, rule in _rules() if selector == ".drawing")
    return {
        name.removeprefix("--"): value for name, value in bright.items() if name.startswith("--")
    } | _properties(".tv .drawing")


@cache
def _properties(selector: str) -> dict[str, str]:
    """The colours among the custom properties that the TV's style sheet sets for `selector`."""
    sheet = re.sub(r"/\*.*?\*/", "", (STATIC / "tv.css").read_text("utf-8"), flags=re.DOTALL)
    rule = next(rule for name, rule in _RULE.findall(sheet) if name.strip() == selector)
    return {
        name.removeprefix("--"): value
        for name, value in _told(rule).items()
        if name.startswith("--") and value.startswith("#")
    }


def _told(rule: str) -> dict[str, str]:
    pairs = (one.partition(":") for one in rule.split(";") if ":" in one)
    return {name.strip(): value.strip() for name, _, value in pairs}
