"""Turns our SVG drawings into pixels: the line of play, High Fives' tableau, a building.

It knows only what our drawings are made of (presentation/drawing/svg.py): rectangles, circles,
paths, text, and groups that are moved or enlarged.
"""

import re
from functools import lru_cache
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element, fromstring

from PIL import Image, ImageDraw, ImageFont

from companion.tv.outlines import Dot, circle, dashes, outlines, rectangle
from companion.tv.style import Paint, paint, palette

FINER: Final = 2
"""How many times larger than needed a drawing is drawn first, so that its edges get smooth."""
FONT: Final = "DejaVuSans-Bold.ttf"
"""The font's file, from Debian's fonts-dejavu-core."""
_MOVED: Final = re.compile(r"translate\((\S+) (\S+)\)")
_ENLARGED: Final = re.compile(r"scale\((\S+)\)")


@lru_cache(maxsize=64)
def font(size: int) -> ImageFont.FreeTypeFont:
    """The font with letters of `size` pixels. Raises OSError if it isn't installed."""
    return ImageFont.truetype(FONT, max(1, size))


class _Scale(NamedTuple):
    """How a group's units become pixels: multiplied by `by`, then moved by `x` and `y` pixels."""

    by: float
    x: float
    y: float

    def inside(self, transform: str) -> "_Scale":
        moved, larger = _MOVED.search(transform), _ENLARGED.search(transform)
        x, y = (float(moved[1]), float(moved[2])) if moved else (0.0, 0.0)
        by = float(larger[1]) if larger else 1.0
        return _Scale(self.by * by, self.x + x * self.by, self.y + y * self.by)

    def pixels(self, points: list[Dot]) -> list[Dot]:
        return [(self.x + x * self.by, self.y + y * self.by) for x, y in points]


def pixels_of(svg: str, width: int, height: int) -> Image.Image:
    """The drawing as an image of `width` and `height` pixels, in its middle and as large as it
    fits. Raises ValueError if a shape isn't one of ours."""
    root = fromstring(svg)
    left, top, wide, high = map(float, root.attrib["viewBox"].split())
    large = Image.new("RGB", (width * FINER, height * FINER), palette()["paper"])
    by = min(width * FINER / wide, height * FINER / high)
    x, y = (large.width - wide * by) / 2, (large.height - high * by) / 2
    _Sheet(large).group(root, _Scale(by, x - left * by, y - top * by))
    return large.reduce(FINER)


class _Sheet:
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
                self._shape(one, tag, paint(name, tag, after), here)
            after = name

    def _shape(self, one: Element, tag: str, how: Paint, place: _Scale) -> None:
        def number(name: str) -> float:
            return float(one.get(name, "0"))

        match tag:
            case "text":
                self._text(one, how, place)
            case "rect":
                size = number("width"), number("height")
                edge = rectangle(number("x"), number("y"), *size, number("rx"))
                self._outline([edge], how, place)
            case "circle":
                self._outline([circle(number("cx"), number("cy"), number("r"))], how, place)
            case "path":
                self._outline(outlines(one.attrib["d"]), how, place)
            case _:
                raise ValueError(f"a drawing has no {tag}")

    def _outline(self, strokes: list[list[Dot]], how: Paint, place: _Scale) -> None:
        width = how.width * place.by
        for stroke in strokes:
            points = place.pixels(stroke)
            # A round end on its own is a pip.
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
