"""The outlines of SVG's paths as points: lines, curves and half circles, as our drawings have them
(presentation/drawing, presentation/high_five_tiles)."""

import re
from collections.abc import Iterator
from itertools import pairwise
from math import atan2, cos, hypot, pi, sin
from typing import Final

Dot = tuple[float, float]
STEPS: Final = 8
"""How many straight lines stand for a curve, or for a quarter of a circle."""
_TOKENS: Final = re.compile(r"([A-Za-z])|(-?(?:\d+\.?\d*|\.\d+))")
_NUMBERS: Final = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "A": 7, "Z": 0}
"""How many numbers each command takes."""


def outlines(path: str) -> list[list[Dot]]:
    """The strokes of a path, each from its first to its last point; a stroke of one point is a dot.
    Raises ValueError for a command that our drawings don't use."""
    strokes: list[list[Dot]] = []
    at: Dot = (0.0, 0.0)
    for command, numbers in _commands(path):
        if command.upper() == "Z":
            strokes[-1].append(strokes[-1][0])
            at = strokes[-1][0]
            continue
        ends = _ends(command, numbers, at)
        if command.upper() == "M":
            strokes.append([ends[-1]])
        else:
            strokes[-1].extend(_between(command.upper(), at, ends, numbers))
        at = ends[-1]
    return strokes


def circle(x: float, y: float, radius: float) -> list[Dot]:
    """A circle around (x, y), as a closed stroke."""
    return [*_arc(x, y, radius, 0.0, 2 * pi)]


def rectangle(x: float, y: float, width: float, height: float, corner: float) -> list[Dot]:
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


def dashes(points: list[Dot], on: float, off: float) -> Iterator[list[Dot]]:
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


def _ends(command: str, numbers: list[float], at: Dot) -> list[Dot]:
    """The points that the command names, of which the last is its end; `at`: where it begins."""
    x, y = at if command.islower() else (0.0, 0.0)
    match command.upper():
        case "H":
            return [(x + numbers[0], at[1])]
        case "V":
            return [(at[0], y + numbers[0])]
        case "A":
            return [(x + numbers[5], y + numbers[6])]
    return [(x + one, y + two) for one, two in zip(numbers[::2], numbers[1::2], strict=True)]


def _between(command: str, at: Dot, ends: list[Dot], numbers: list[float]) -> Iterator[Dot]:
    if command == "C":
        (a, b), (c, d), (e, f) = ends
        for step in range(1, STEPS + 1):
            t = step / STEPS
            u = 1 - t
            parts = (u**3, 3 * u * u * t, 3 * u * t * t, t**3)
            xs, ys = (at[0], a, c, e), (at[1], b, d, f)
            yield sum(map(float.__mul__, parts, xs)), sum(map(float.__mul__, parts, ys))
    elif command == "A":
        # Half a circle from here to there: its middle is half way.
        [(x, y)] = ends
        middle, turn = ((at[0] + x) / 2, (at[1] + y) / 2), pi if numbers[4] else -pi
        from_ = atan2(at[1] - middle[1], at[0] - middle[0])
        yield from _arc(*middle, hypot(x - at[0], y - at[1]) / 2, from_, from_ + turn)
    else:
        yield ends[-1]


def _arc(x: float, y: float, radius: float, from_: float, to: float) -> Iterator[Dot]:
    steps = max(1, round(abs(to - from_) / (pi / 2) * STEPS))
    for step in range(steps + 1):
        angle = from_ + (to - from_) * step / steps
        yield x + radius * cos(angle), y + radius * sin(angle)
