"""Printed game boards as families have them: numbered squares, crosses of round fields, rosettes,
tracks of pegs on wood, places for tiles, painted landscapes. Every drawing is as fine as print is,
so that it has many marks of the size of pips and bars."""

from collections.abc import Callable, Sequence
from math import cos, pi, sin
from typing import Final

import numpy as np
from PIL import Image

from tests.photos.looks import Colour, Pixels
from tests.photos.printed import BRIGHT, DARK, PAPER, PLANKS, Sheet, words
from tests.photos.tables import Draw, smooth

Place = tuple[float, float]
INKS: Final[tuple[Colour, ...]] = ((24, 24, 26), (70, 40, 26), (24, 50, 80), (250, 248, 240))


def _of(random: Draw, colours: Sequence[Colour]) -> Colour:
    return colours[int(random.integers(len(colours)))]


def _round(x: float, y: float, far: float, corners: int, inner: float = 1.0) -> list[Place]:
    """Returns the corners of a polygon, or of a star if every other corner is nearer to the
    middle."""
    steps = [(2 * pi * at / corners, far if at % 2 == 0 else far * inner) for at in range(corners)]
    return [(x + cos(angle) * long, y + sin(angle) * long) for angle, long in steps]


def _ornament(random: Draw, sheet: Sheet, x: float, y: float, far: float) -> None:
    """Draws a rosette: rings, beads, petals, a star."""
    ink, fill = _of(random, INKS), _of(random, BRIGHT)
    sheet.disc(x, y, far, fill if random.random() < 0.5 else None, ink, thick=0.05)
    petals = int(random.choice([6, 8, 12, 16]))
    for at in range(petals):
        angle = 2 * pi * at / petals
        px, py = x + cos(angle) * far * 0.72, y + sin(angle) * far * 0.72
        sheet.disc(px, py, far * 0.13, _of(random, BRIGHT) if at % 2 else ink, ink)
        sheet.path([(x, y), (px, py)], ink, 0.03)
    sheet.shape(_round(x, y, far * 0.5, petals, 0.45), _of(random, BRIGHT))
    sheet.disc(x, y, far * 0.12, ink)


def _border(random: Draw, sheet: Sheet, far: float) -> None:
    """A rim of beads, dashes or zigzags between two lines."""
    ink, other = _of(random, INKS), _of(random, BRIGHT)
    sheet.box((-far, -far, far, far), None, ink, 0.06)
    sheet.box((-far + 0.5, -far + 0.5, far - 0.5, far - 0.5), None, ink, 0.04)
    kind, step = int(random.integers(3)), float(random.uniform(0.25, 0.6))
    for at in range(int(2 * (far - 0.5) / step)):
        along = -far + 0.5 + at * step
        for flipped in (False, True):
            for edge in (-far + 0.25, far - 0.25):
                x, y = (edge, along) if flipped else (along, edge)
                if kind == 0:
                    sheet.disc(x, y, 0.1, ink if at % 2 else other)
                elif kind == 1:
                    dx, dy = (0.15, 0.0) if flipped else (0.0, 0.15)
                    sheet.path([(x - dx, y - dy), (x + dx, y + dy)], ink, 0.06)
                else:
                    sheet.shape(_round(x, y, 0.16, 4), other)


def _numbered(random: Draw, sheet: Sheet) -> None:
    """Draws a ten-by-ten grid of numbered, coloured squares, with ladders and snakes across
    them."""
    cell, far, ink = float(random.uniform(1.3, 2.4)), 0.0, _of(random, INKS[:3])
    far = 5 * cell
    for at in range(100):
        row, column = divmod(at, 10)
        x, y = column * cell - far, row * cell - far
        fill = _of(random, BRIGHT if random.random() < 0.6 else PAPER)
        sheet.box((x, y, x + cell, y + cell), fill, ink, 0.05)
        sheet.text(x + 0.1, y + 0.08, str(100 - at), 0.4, ink)
        if random.random() < 0.2:
            _ornament(random, sheet, x + cell * 0.6, y + cell * 0.6, cell * 0.28)
    for _ in range(7):
        (x, y), (dx, dy) = random.uniform(-far, far, 2), random.uniform(-4, 4, 2)
        for side in (-0.3, 0.3):
            sheet.path([(x + side, y), (x + dx + side, y + dy)], (120, 72, 30), 0.1)
        for step in np.linspace(0.05, 0.95, 9):
            px, py = x + dx * step, y + dy * step
            sheet.path([(px - 0.3, py), (px + 0.3, py)], (120, 72, 30), 0.08)
    _border(random, sheet, far + 0.8)


def _cross(random: Draw, sheet: Sheet) -> None:
    """Draws a cross of round fields between four coloured courts with stars."""
    step, ground, ink = float(random.uniform(1.0, 1.6)), _of(random, PAPER), _of(random, INKS[:3])
    far = 7.5 * step
    sheet.box((-far, -far, far, far), ground, ink, 0.08)
    for at, (sx, sy) in enumerate(((-1, -1), (1, -1), (1, 1), (-1, 1))):
        fill, x, y = BRIGHT[at], sx * 4.5 * step, sy * 4.5 * step
        reach = 2.8 * step
        sheet.box((x - reach, y - reach, x + reach, y + reach), fill, ink, 0.06)
        for dx in (-1, 1):
            for dy in (-1, 1):
                sheet.disc(x + dx * step, y + dy * step, 0.6 * step, ground, ink, thick=0.06)
                sheet.disc(x + dx * step, y + dy * step, 0.25 * step, fill, ink)
    for row in range(-7, 8):
        for column in (-1, 0, 1):
            for x, y in ((column, row), (row, column)):
                lies = BRIGHT[(row + 8) // 4 % 4] if column == 0 else (250, 250, 248)
                sheet.disc(x * step, y * step, 0.4 * step, lies, ink, thick=0.05)
                if random.random() < 0.15:
                    sheet.shape(_round(x * step, y * step, 0.3 * step, 10, 0.4), ink)
    _ornament(random, sheet, 0, 0, 1.2 * step)


def _rosettes(random: Draw, sheet: Sheet) -> None:
    """Draws rings of beads around the middle, rosettes in rows, and a thin rim."""
    ground = _of(random, [*PAPER, *DARK])
    sheet.box((-12, -12, 12, 12), ground)
    for ring in range(1, 14):
        radius = ring * float(random.uniform(0.75, 0.95))
        ink, many = _of(random, [*INKS, *BRIGHT]), int(8 * ring)
        sheet.disc(0, 0, radius + 0.3, None, ink, thick=0.03)
        for at in range(many):
            angle = 2 * pi * at / many
            x, y = cos(angle) * radius, sin(angle) * radius
            if ring % 3 == 0:
                out = (cos(angle) * (radius + 0.25), sin(angle) * (radius + 0.25))
                sheet.path([(x, y), out], ink, 0.06)
            else:
                sheet.disc(x, y, float(random.uniform(0.07, 0.12)), ink)
    for x in range(-10, 11, 5):
        for y in range(-10, 11, 5):
            _ornament(random, sheet, x, y, float(random.uniform(0.6, 1.6)))
    _border(random, sheet, 12)


def _inlaid(random: Draw, sheet: Sheet) -> None:
    """Draws printed wood with inlaid lines, a name, numbers, and tracks of holes in pairs and
    threes."""
    side = sheet.side
    dark, light = (np.array(one, np.float32) for one in PLANKS[int(random.integers(len(PLANKS)))])
    streaks = smooth(random, (side, side), (3, side / sheet.unit / 0.06))
    wide = smooth(random, (side, side), (4, side / sheet.unit / 0.5))
    amount = (0.5 * streaks + 0.5 * np.abs(np.sin(wide * 14)))[..., None]
    sheet.picture.paste(Image.fromarray((dark + (light - dark) * amount).astype(np.uint8)))
    hole, lines = (30, 20, 14), _of(random, [(240, 220, 170), (40, 24, 16), (250, 248, 240)])
    for row in range(-7, 8, 2):
        y = row * 1.1
        for at in range(60):
            x = -11 + at * 0.36 + at // 5 * 0.2
            for track in range(2 + row % 3):
                sheet.disc(x, y + track * 0.33, 0.09, hole, lines, thick=0.015)
            if at % 5 == 0:
                sheet.text(x, y - 0.35, str(at), 0.26, lines)
                sheet.path([(x - 0.2, y - 0.2), (x - 0.2, y + 1)], lines, 0.04)
    for _ in range(5):
        x, y = random.uniform(-8, 8, 2)
        sheet.text(float(x), float(y), words(random, 2).title(), 1.0, lines)
    _border(random, sheet, 12)


def _places(random: Draw, sheet: Sheet) -> None:
    """Draws places for tiles in rays and rows, outlined as wide as tiles, with marks in them."""
    ground, ink = _of(random, [*PAPER, *DARK, *BRIGHT]), _of(random, [INKS[0], INKS[3]])
    sheet.box((-13, -13, 13, 13), ground)
    rays = int(random.choice([6, 8]))
    for ray in range(rays):
        angle = 2 * pi * ray / rays
        along, across = (cos(angle), sin(angle)), (-sin(angle), cos(angle))
        fill = BRIGHT[ray % len(BRIGHT)]
        for at in range(5):
            far = 2.4 + at * 2.2
            ends = [(far, -0.53), (far + 2.1, -0.53), (far + 2.1, 0.53), (far, 0.53), (far, -0.53)]
            places = [(a * along[0] + b * across[0], a * along[1] + b * across[1]) for a, b in ends]
            if random.random() < 0.6:
                sheet.shape(places, fill)
            sheet.path(places, ink, 0.05)
            middle = [(a * along[0] + b * across[0], a * along[1] + b * across[1])
                      for a, b in ((far + 1.05, -0.4), (far + 1.05, 0.4))]  # fmt: skip
            sheet.path(middle, ink, 0.04)
            a = far + 0.55
            sheet.text(a * along[0] - 0.1, a * along[1] - 0.2, str(at + 1), 0.4, ink)
    _ornament(random, sheet, 0, 0, 2)
    _border(random, sheet, 13)


def _landscape(random: Draw, sheet: Sheet) -> None:
    """Draws a painted picture with leaves and stones, a winding path of fields, and words on
    ribbons."""
    side = sheet.side
    shape = (side, side)
    cells = side / sheet.unit
    layers = [smooth(random, shape, (cells / size, cells / size)) for size in (6, 1.2, 0.3)]
    mixed = layers[0] * 0.55 + layers[1] * 0.3 + layers[2] * 0.15
    palette = np.array([BRIGHT[int(at)] for at in random.permutation(len(BRIGHT))[:5]], np.float32)
    bands = np.clip(mixed * 7 - 1.2, 0, 3.999)
    low = bands.astype(int)
    part = (bands - low)[..., None]
    painted = palette[low] * (1 - part) + palette[low + 1] * part
    sheet.picture.paste(Image.fromarray(painted.astype(np.uint8)))
    far = sheet.reach
    for _ in range(int(far * far * 1.5)):
        x, y = (float(one) for one in random.uniform(-far, far, 2))
        tint = _of(random, [*BRIGHT, *DARK])
        if random.random() < 0.5:
            sheet.shape(_round(x, y, float(random.uniform(0.1, 0.5)), 8, 0.5), tint)
        else:
            sheet.disc(x, y, float(random.uniform(0.05, 0.3)), tint, _of(random, INKS))
    ink, angle, x, y = _of(random, INKS), 0.0, -far * 0.8, -far * 0.5
    for at in range(90):
        angle += float(random.normal(0.06, 0.25))
        x, y = x + cos(angle) * 1.05, y + sin(angle) * 1.05
        sheet.disc(x, y, 0.5, _of(random, [*BRIGHT, *PAPER]), ink, thick=0.06)
        sheet.text(x - 0.2, y - 0.22, str(at), 0.36, (24, 24, 26))


PIPS: Final = {
    0: (), 1: (4,), 2: (0, 8), 3: (0, 4, 8), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8),
    6: (0, 2, 3, 5, 6, 8),
}  # fmt: skip
"""The places of printed pips in three rows of three."""


def _squares_for_tiles(random: Draw, sheet: Sheet) -> None:
    """Draws squares as large as half a tile, some with dots in a rhombus, and around them a track
    of fields that show halves of tiles."""
    cell, many = 1.06, 15
    far = many * cell / 2
    lines, ground = _of(random, [*INKS, (170, 190, 210)]), _of(random, [*PAPER, *DARK, *BRIGHT])
    rim = _of(random, [*DARK, *BRIGHT])
    sheet.box((-far - 2.6, -far - 2.6, far + 2.6, far + 2.6), rim, lines, 0.08)
    sheet.box((-far, -far, far, far), ground, lines, 0.06)
    for row in range(many):
        for column in range(many):
            x, y = (column + 0.5) * cell - far, (row + 0.5) * cell - far
            half = cell / 2
            sheet.box((x - half, y - half, x + half, y + half), None, lines, 0.03)
            if (min(row, 14 - row) * 3 + min(column, 14 - column) * 5) % 7 == 0:
                fill = BRIGHT[(row * column) % len(BRIGHT)]
                sheet.shape(_round(x, y, half * 0.9, 4), fill)
                sheet.text(x - 0.12, y - 0.24, str(1 + (row + column) % 5), 0.46, (250, 250, 248))
    field, ink = float(random.uniform(0.85, 1.1)), _of(random, [INKS[0], INKS[1]])
    face = _of(random, [(244, 240, 228), *PAPER, *BRIGHT])
    for side in range(4):
        for at in range(int(2 * far / field)):
            along, away = -far + (at + 0.5) * field, far + 1.3
            x, y = ((along, away), (away, along), (along, -away), (-away, along))[side]
            half = field / 2
            sheet.box((x - half, y - half, x + half, y + half), face, ink, 0.04)
            for place in PIPS[int(random.integers(7))]:
                step = 0.27 * field
                sheet.disc(x + (place % 3 - 1) * step, y + (place // 3 - 1) * step, 0.08, ink)


BOARDS: Final[dict[str, Callable[[Draw, Sheet], None]]] = {
    "numbered": _numbered,
    "cross": _cross,
    "rosettes": _rosettes,
    "inlaid": _inlaid,
    "places": _places,
    "landscape": _landscape,
    "squares": _squares_for_tiles,
}


def game_board(random: Draw, size: tuple[int, int], unit: float) -> Pixels:
    """Returns one of BOARDS on a table, printed with a fine screen and varnished."""
    sheet = Sheet(size, unit, _of(random, ((120, 84, 54), (70, 48, 34), (150, 150, 148))))
    [*BOARDS.values()][int(random.integers(len(BOARDS)))](random, sheet)
    angle = random.normal(0, 4) if random.random() < 0.6 else random.uniform(-90, 90)
    drawn = sheet.turned(float(angle))
    high, wide = drawn.shape[:2]
    screen = random.normal(0, 0.015, (high, wide, 3)).astype(np.float32)
    return np.clip(drawn * (0.97 + screen), 0, 1).astype(np.float32)
