"""Charts as SVG, without a script. Each stands beside a table that says the same, or says it."""

from collections.abc import Callable, Iterator, Sequence

from companion.core.html import Html, element
from companion.core.values import dataclass
from companion.presentation.drawing.svg import coordinate

WIDE, HIGH = 440.0, 210.0
"""The size of a course, in the drawing's own units; LETTER is the size of its letters."""
LEFT, TOP, RIGHT, BOTTOM = 44.0, 14.0, 16.0, 30.0
LETTER = 14
STEPS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200)
"""Distances between lines of the grid. The first one with which there are at most five is taken."""


def bar(part: float, whole: float, most: float) -> Html:
    """A bar that shows how much `part` is of `whole`, and `whole` of `most`; it fills its place in
    width. The page has to say the same beside it in words."""
    scale = 100 / most if most else 0
    full = element("rect", class_="whole", width=coordinate(whole * scale), height=10)
    done = element("rect", class_="part", width=coordinate(part * scale), height=10)
    return element(
        "svg", full, done, class_="bar", view_box="0 0 100 10", preserveAspectRatio="none",
        aria_hidden="true",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Point:
    """A value, its label on the axis, and the address to which it leads. `title` says it in
    words."""

    value: float
    label: str
    title: str
    href: str


def course(points: Sequence[Point], title: str) -> Html:
    """A chart of how a value went from one point to the next."""
    low = min(0.0, *(point.value for point in points))
    high = max(low + 1.0, *(point.value for point in points))

    def x(place: int) -> float:
        if len(points) == 1:
            return (LEFT + WIDE - RIGHT) / 2
        return LEFT + (WIDE - LEFT - RIGHT) * place / (len(points) - 1)

    def y(value: float) -> float:
        return HIGH - BOTTOM - (HIGH - TOP - BOTTOM) * (value - low) / (high - low)

    line = "L".join(
        f"{coordinate(x(at))} {coordinate(y(one.value))}" for at, one in enumerate(points)
    )
    dots = (
        element(
            "a",
            element("title", one.title),
            element("circle", cx=coordinate(x(at)), cy=coordinate(y(one.value)), r=5),
            href=one.href,
            aria_label=one.title,
        )
        for at, one in enumerate(points)
    )
    return element(
        "svg",
        element("title", title),
        *_grid(low, high, y),
        element("path", class_="course", d=f"M{line}"),
        *dots,
        *_labels(points, x),
        class_="chart",
        view_box=f"0 0 {WIDE:.0f} {HIGH:.0f}",
        role="group",
        aria_label=title,
    )


def _grid(low: float, high: float, y: Callable[[float], float]) -> Iterator[Html]:
    """Lines at round numbers."""
    step = next((step for step in STEPS if (high - low) / step <= 5), STEPS[-1])
    number = -(-low // step)
    while number * step <= high:
        at = y(number * step)
        yield element("path", class_="grid", d=f"M{LEFT} {coordinate(at)}H{WIDE - RIGHT}")
        yield _axis(f"{number * step:g}", LEFT - 8, at + 5, "end")
        number += 1


def _labels(points: Sequence[Point], x: Callable[[int], float]) -> Iterator[Html]:
    """The labels of the first and the last point."""
    ends = {0: "start", len(points) - 1: "end"} if len(points) > 1 else {0: "middle"}
    for at, anchor in ends.items():
        yield _axis(points[at].label, x(at), HIGH - 8, anchor)


def _axis(words: str, x: float, y: float, anchor: str) -> Html:
    at = {"x": coordinate(x), "y": coordinate(y)}
    return element("text", words, class_="axis", **at, text_anchor=anchor, font_size=LETTER)
