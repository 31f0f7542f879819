"""Turns our SVG drawings into pixels: the line of play, High Fives' tableau, a building.

It supports only the elements of our drawings (presentation/drawing/svg.py): rectangles, circles,
paths, text, and groups that are moved or enlarged. Colours come from the page's style sheets
(presentation/drawing/style.css, web/static/tokens.css), of which only the parts that our drawings
need are read.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from math import atan2, cos, hypot, pi, sin
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element, fromstring

from PIL import Image, ImageColor, ImageDraw, ImageFont, features

from companion.core.words import without_marks
from companion.presentation.drawing.svg import Bounds, style
from companion.web.files import STATIC

# ---------------------------------------------------------------- style


Colour = tuple[int, ...]
"""Red, green, blue, and opacity if the colour isn't opaque, each from 0 to 255."""
_RULE: Final = re.compile(r"([^{}]+)\{([^{}]*)\}")
_OPACITY: Final = {"fill": "fill-opacity", "stroke": "stroke-opacity"}


class Paint(NamedTuple):
    """The colours with which a shape is filled (`fill`) and outlined (`stroke`); None if it isn't.
    The `width` of the outline and the lengths of its dashes and gaps (`dash`) are in the drawing's
    own units."""

    fill: Colour | None
    stroke: Colour | None
    width: float = 1.0
    dash: tuple[float, float] | None = None


@cache
def palette() -> dict[str, Colour]:
    """The TV's colours by their names in its style sheet: `paper`, `text`, `red`."""
    return {name: ImageColor.getrgb(value) for name, value in _properties(".tv").items()}


@cache
def paint(name: str, element: str, after: str = "", own: str = "") -> Paint:
    """How the style sheets paint an element. `name`: the element's class; `after`: the class of the
    element before it; `own`: the name of the seat's colour in which it is drawn. Without a fill in
    the style sheets, text has the ink's colour and everything else is black."""
    told: dict[str, str] = {}
    for selector, rule in _rules():
        by = selector.removeprefix(".drawing ").removeprefix(".chart ")
        if by in (element, f".{name}", f".{after} + {element}"):
            told |= rule
    fill = told.get("fill", "currentColor" if element == "text" else "#000")
    if element == "text" and own:
        fill = "var(--own)"
    dash = [float(one) for one in told.get("stroke-dasharray", "").split()]
    return Paint(
        _colour(fill, told.get(_OPACITY["fill"]), own),
        _colour(told.get("stroke", "none"), told.get(_OPACITY["stroke"]), own),
        float(told.get("stroke-width", 1)),
        (dash[0], dash[1]) if dash else None,
    )


def _colour(value: str, opacity: str | None, own: str) -> Colour | None:
    if value == "none":
        return None
    if value == "currentColor":
        value = "var(--ink)"
    if known := re.fullmatch(r"var\(--([\w-]+)\)", value):
        if known[1] == "own":
            return palette().get(own, palette()["other"])
        value = _drawing_colours()[known[1]]
    colour = ImageColor.getrgb(value)
    return (*colour, round(255 * float(opacity))) if opacity else colour


@cache
def seat_places(number: int) -> tuple[str, ...]:
    """The places of the seats around a drawn table of `number` seats, as rows of letters from the
    top down. Each seat's letter (“a” for the first, then clockwise) covers its place; “.” is
    nobody's place."""
    found = re.search(rf'\.around\[data-many="{number}"\] \{{([^}}]*)', _sheet("table.css"))
    assert found, "two to eight people sit down"
    return tuple(row.replace(" ", "") for row in re.findall(r'"([^"]*)"', found[1]))


@cache
def _rules() -> list[tuple[str, dict[str, str]]]:
    """The selectors and properties of the style sheets of drawings and charts, without their @media
    rules."""
    charts = re.findall(r"^\.chart \.[\w-]+ \{.*?\}$", _sheet("win.css"), re.MULTILINE)
    sheet = re.sub(r"/\*.*?\*/|^@media.*?^}\n?", "", style(), flags=re.DOTALL | re.MULTILINE)
    sheet += "\n".join(one for one in charts if ".drawing" not in one)
    return [
        (selector.strip(), _declarations(rule))
        for selectors, rule in _RULE.findall(sheet)
        for selector in selectors.split(",")
    ]


@cache
def _drawing_colours() -> dict[str, str]:
    """The colours of drawings on a TV, by the names of the custom properties."""
    bright = next(rule for selector, rule in _rules() if selector == ".drawing")
    found = {
        name.removeprefix("--"): value for name, value in bright.items() if name.startswith("--")
    }
    return _properties(".tv") | found | _properties(".tv .drawing")


@cache
def _properties(selector: str) -> dict[str, str]:
    """The colours among the custom properties that tokens.css sets for `selector`."""
    sheet = _sheet("tokens.css")
    rule = next(rule for name, rule in _RULE.findall(sheet) if name.strip() == selector)
    return {
        name.removeprefix("--"): value
        for name, value in _declarations(rule).items()
        if name.startswith("--") and value.startswith("#")
    }


def _sheet(name: str) -> str:
    """The text of a style sheet without its comments."""
    return re.sub(r"/\*.*?\*/", "", (STATIC / name).read_text("utf-8"), flags=re.DOTALL)


def _declarations(rule: str) -> dict[str, str]:
    pairs = (one.partition(":") for one in rule.split(";") if ":" in one)
    return {name.strip(): value.strip() for name, _, value in pairs}


# ---------------------------------------------------------------- outlines
# The outlines of SVG's paths as points: lines, curves and half circles, as our drawings have them
# (presentation/drawing, presentation/high_five_tiles).


Coordinates = tuple[float, float]
STEPS: Final = 8
"""The number of straight lines that approximate a curve or a quarter of a circle."""
_TOKENS: Final = re.compile(r"([A-Za-z])|(-?(?:\d+\.?\d*|\.\d+))")
_NUMBERS: Final = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "A": 7, "Z": 0}
"""The number of arguments of each path command."""


def outlines(path: str) -> list[list[Coordinates]]:
    """The strokes of a path, each from its first to its last point; a stroke of one point is a dot.
    Raises ValueError for a command that our drawings don't use."""
    strokes: list[list[Coordinates]] = []
    at: Coordinates = (0.0, 0.0)
    for command, numbers in _commands(path):
        if command.upper() == "Z":
            strokes[-1].append(strokes[-1][0])
            at = strokes[-1][0]
            continue
        ends = _end_points(command, numbers, at)
        if command.upper() == "M":
            strokes.append([ends[-1]])
        else:
            strokes[-1].extend(_curve_points(command.upper(), at, ends, numbers))
        at = ends[-1]
    return strokes


def circle(x: float, y: float, radius: float) -> list[Coordinates]:
    """A circle around (x, y), as a closed stroke."""
    return [*_arc(x, y, radius, 0.0, 2 * pi)]


def rectangle(x: float, y: float, width: float, height: float, corner: float) -> list[Coordinates]:
    """A rectangle with its upper left corner at (x, y), as a closed stroke. `corner`: the radius of
    its corners."""
    right, bottom, round_by = x + width, y + height, min(corner, width / 2, height / 2)
    corners = (
        (right - round_by, y + round_by, -pi / 2),
        (right - round_by, bottom - round_by, 0.0),
        (x + round_by, bottom - round_by, pi / 2),
        (x + round_by, y + round_by, pi),
    )
    points = [one for x, y, from_ in corners for one in _arc(x, y, round_by, from_, from_ + pi / 2)]
    return [*points, points[0]]


def dashes(points: list[Coordinates], on: float, off: float) -> Iterator[list[Coordinates]]:
    """The dashes of a stroke, each as a line of two points. `on` and `off`: the lengths of a dash
    and of a gap."""
    gone, drawn = 0.0, True
    for (x, y), (to_x, to_y) in pairwise(points):
        length, at = hypot(to_x - x, to_y - y), 0.0
        while at < length:
            end = min(length, at + (on if drawn else off) - gone)
            if drawn:
                near, far = at / length, end / length
                yield [
                    (x + (to_x - x) * near, y + (to_y - y) * near),
                    (x + (to_x - x) * far, y + (to_y - y) * far),
                ]
            gone += end - at
            if gone >= (on if drawn else off) - 1e-9:
                gone, drawn = 0.0, not drawn
            at = end


def _commands(path: str) -> Iterator[tuple[str, list[float]]]:
    found = [(letter, number) for letter, number in _TOKENS.findall(path)]
    command, numbers = "", list[float]()
    for letter, number in found:
        if letter:
            command, numbers = letter, []
            if letter.upper() not in _NUMBERS:
                raise ValueError(f"a drawing has no path with {letter}")
        else:
            numbers.append(float(number))
        if command and len(numbers) == _NUMBERS[command.upper()]:
            yield command, numbers
            command, numbers = {"M": "L", "m": "l"}.get(command, command), []


def _end_points(command: str, numbers: list[float], at: Coordinates) -> list[Coordinates]:
    """The points of a path command, the last of which is its end; `at`: where it begins."""
    x, y = at if command.islower() else (0.0, 0.0)
    match command.upper():
        case "H":
            return [(x + numbers[0], at[1])]
        case "V":
            return [(at[0], y + numbers[0])]
        case "A":
            return [(x + numbers[5], y + numbers[6])]
    return [(x + one, y + two) for one, two in zip(numbers[::2], numbers[1::2], strict=True)]


def _curve_points(
    command: str, at: Coordinates, ends: list[Coordinates], numbers: list[float]
) -> Iterator[Coordinates]:
    if command == "C":
        (a, b), (c, d), (e, f) = ends
        for step in range(1, STEPS + 1):
            t = step / STEPS
            u = 1 - t
            parts = (u**3, 3 * u * u * t, 3 * u * t * t, t**3)
            xs, ys = (at[0], a, c, e), (at[1], b, d, f)
            yield sum(map(float.__mul__, parts, xs)), sum(map(float.__mul__, parts, ys))
    elif command == "A":
        # A semicircle between the two points: its centre is halfway.
        [(x, y)] = ends
        middle, turn = ((at[0] + x) / 2, (at[1] + y) / 2), pi if numbers[4] else -pi
        from_ = atan2(at[1] - middle[1], at[0] - middle[0])
        yield from _arc(*middle, hypot(x - at[0], y - at[1]) / 2, from_, from_ + turn)
    else:
        yield ends[-1]


def _arc(x: float, y: float, radius: float, from_: float, to: float) -> Iterator[Coordinates]:
    steps = max(1, round(abs(to - from_) / (pi / 2) * STEPS))
    for step in range(steps + 1):
        angle = from_ + (to - from_) * step / steps
        yield x + radius * cos(angle), y + radius * sin(angle)


# ---------------------------------------------------------------- drawing

SUPERSAMPLING: Final = 2
"""The factor by which a drawing is enlarged before it is scaled down, so that its edges become
smooth."""
FONT: Final = "DejaVuSans-Bold.ttf"
"""The font's file, from Debian's fonts-dejavu-core."""
_MOVED: Final = re.compile(r"translate\((\S+) (\S+)\)")
_ENLARGED: Final = re.compile(r"scale\((\S+)\)")


@lru_cache(maxsize=64)
def font(size: int) -> ImageFont.FreeTypeFont:
    """The font with letters of `size` pixels. Raises OSError if it isn't installed."""
    return ImageFont.truetype(FONT, max(1, size))


class _Scale(NamedTuple):
    """Converts a group's units to pixels: multiplies them by `by`, then adds `x` and `y` pixels."""

    by: float
    x: float
    y: float

    def inside(self, transform: str) -> "_Scale":
        moved, larger = _MOVED.search(transform), _ENLARGED.search(transform)
        x, y = (float(moved[1]), float(moved[2])) if moved else (0.0, 0.0)
        by = float(larger[1]) if larger else 1.0
        return _Scale(self.by * by, self.x + x * self.by, self.y + y * self.by)

    def pixels(self, points: list[Coordinates]) -> list[Coordinates]:
        return [(self.x + x * self.by, self.y + y * self.by) for x, y in points]


def pixels_of(svg: str, width: int, height: int) -> Image.Image:
    """An image of `width` and `height` pixels with the drawing in the middle, as large as possible.
    Raises ValueError if a shape isn't one of ours."""
    root = fromstring(svg)
    left, top, wide, high = map(float, root.attrib["viewBox"].split())
    large = Image.new("RGB", (width * SUPERSAMPLING, height * SUPERSAMPLING), palette()["paper"])
    by = min(width * SUPERSAMPLING / wide, height * SUPERSAMPLING / high)
    x, y = (large.width - wide * by) / 2, (large.height - high * by) / 2
    _Canvas(large).group(root, _Scale(by, x - left * by, y - top * by))
    return large.reduce(SUPERSAMPLING)


class _Canvas:
    """The image that a drawing is drawn on."""

    def __init__(self, image: Image.Image) -> None:
        self._draw = ImageDraw.Draw(image, "RGBA")

    def group(self, group: Element, place: _Scale) -> None:
        """Draws all shapes of a group, in their order, at the place and scale `place`."""
        after = ""
        for one in group:
            tag, name = one.tag.rpartition("}")[2], one.get("class", "").partition(" ")[0]
            here = place.inside(one.get("transform", ""))
            if tag == "g":
                self.group(one, here)
            elif tag not in ("title", "desc", "style"):
                self._shape(one, tag, paint(name, tag, after, one.get("data-colour", "")), here)
            after = name

    def _shape(self, one: Element, tag: str, how: Paint, place: _Scale) -> None:
        def number_of(name: str) -> float:
            return float(one.get(name, "0"))

        match tag:
            case "text":
                self._text(one, how, place)
            case "rect":
                size = number_of("width"), number_of("height")
                edge = rectangle(number_of("x"), number_of("y"), *size, number_of("rx"))
                self._outline([edge], how, place)
            case "circle":
                self._outline(
                    [circle(number_of("cx"), number_of("cy"), number_of("r"))], how, place
                )
            case "path":
                self._outline(outlines(one.attrib["d"]), how, place)
            case _:
                raise ValueError(f"a drawing has no {tag}")

    def _outline(self, strokes: list[list[Coordinates]], how: Paint, place: _Scale) -> None:
        width = how.width * place.by
        for stroke in strokes:
            points = place.pixels(stroke)
            # A pip is drawn as a stroke without length, of which only the round end is seen.
            if len({*points}) == 1:
                if how.stroke:
                    x, y = points[0]
                    edge = x - width / 2, y - width / 2, x + width / 2, y + width / 2
                    self._draw.ellipse(edge, how.stroke)
                continue
            if how.fill and len(points) > 2:
                self._draw.polygon(points, how.fill)
            if how.stroke is None:
                continue
            on, off = how.dash or (0.0, 0.0)
            parts = [*dashes(points, on * place.by, off * place.by)] if how.dash else [points]
            for part in parts:
                self._draw.line(part, how.stroke, max(1, round(width)), "curve")

    def _text(self, one: Element, how: Paint, place: _Scale) -> None:
        size = round(float(one.get("font-size", "15")) * place.by)
        [(x, y)] = place.pixels([(float(one.get("x", "0")), float(one.get("y", "0")))])
        anchor = "ls" if "start" in one.get("class", "").split() else "ms"
        self._draw.text((x, y), one.text or "", how.fill, font(size), anchor)


# ---------------------------------------------------------------- fitting text
# Text is as large as requested, smaller if it is long, and at last shortened with “…”. Lines are
# never broken inside a word.


SMALLEST: Final = 0.62
"""The smallest factor by which letters are reduced before words are shortened."""
LEADING: Final = 1.22
"""The distance from one line of words to the next, as a multiple of the size of its letters."""
ORDERS_LETTERS: Final = features.check("raqm")
"""Whether Pillow can lay out text from right to left; otherwise it draws the characters in their
given order, even those without a width."""


class Area(Bounds):
    """A rectangle in pixels."""

    __slots__ = ()

    def inner(self, by: float, down: float | None = None) -> "Area":
        """The area without `by` pixels at the left and at the right, and without `down` pixels
        above and below (None: `by` there as well)."""
        down = by if down is None else down
        return Area(self.left + by, self.top + down, self.right - by, self.bottom - down)

    def rows(self, many: int, gap: float) -> list["Area"]:
        """The area in `many` equal parts, one below the other, with `gap` pixels between."""
        high = (self.height - gap * (many - 1)) / many
        tops = [self.top + at * (high + gap) for at in range(many)]
        return [Area(self.left, top, self.right, top + high) for top in tops]

    def columns(self, many: int, gap: float) -> list["Area"]:
        """The area in `many` equal parts, side by side, with `gap` pixels between."""
        wide = (self.width - gap * (many - 1)) / many
        lefts = [self.left + at * (wide + gap) for at in range(many)]
        return [Area(left, self.top, left + wide, self.bottom) for left in lefts]


def fit_line(text: str, width: float, size: float) -> tuple[str, int]:
    """The text for a line of that width, and the size of its letters, at most `size`. A text that
    doesn't fit even with the smallest letters is shortened."""
    text = _drawable(text)
    for smaller in range(round(size), max(1, round(size * SMALLEST)) - 1, -1):
        if font(smaller).getlength(text) <= width:
            return text, smaller
    smallest = max(1, round(size * SMALLEST))
    kept = text
    while kept and font(smallest).getlength(f"{kept.rstrip()}…") > width:
        kept = kept[:-1]
    return f"{kept.rstrip()}…", smallest


def lines_of(text: str, width: float, size: int) -> list[str]:
    """The words of the text, in as many lines as they need; a word wider than `width` stays
    whole."""
    lines = [""]
    for word in _drawable(text).split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and font(size).getlength(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def fit_lines(text: str, box: Area, size: float) -> tuple[list[str], int]:
    """The words in lines that fit into the box, and the size of their letters: as large as
    possible, at most `size`. A text that doesn't fit even with the smallest letters is
    shortened."""
    smallest = max(1, round(size * SMALLEST))
    for smaller in range(round(size), smallest - 1, -1):
        lines = lines_of(text, box.width, smaller)
        fits = all(font(smaller).getlength(line) <= box.width for line in lines)
        if fits and len(lines) * smaller * LEADING <= box.height:
            return lines, smaller
    lines = lines_of(text, box.width, smallest)
    room = max(1, int(box.height / (smallest * LEADING)))
    if len(lines) > room:
        lines = [*lines[: room - 1], " ".join(lines[room - 1 :])]
    return [fit_line(line, box.width, smallest / SMALLEST)[0] for line in lines], smallest


def _drawable(text: str) -> str:
    return text if ORDERS_LETTERS else without_marks(text)


def write(draw: ImageDraw.ImageDraw, box: Area, text: str, size: float, colour: Colour) -> float:
    """Writes lines of words downwards from the box's upper left corner; returns the y where they
    end."""
    lines, letters = fit_lines(text, box, size)
    top = box.top
    for line in lines:
        draw.text((box.left, top + letters * LEADING / 2), line, colour, font(letters), "lm")
        top += letters * LEADING
    return top
