"""Grounds that are printed, woven or grown: boards, maps, text, newspapers, checked cloths, planks.
They are drawn upright, in units of a tile's width, and then rotated at random."""

from collections.abc import Callable, Sequence
from functools import cache
from math import cos, hypot, pi, sin
from typing import Any, Final

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from tests.photos.looks import Colour, Pixels
from tests.photos.tables import TABLES, Draw, smooth

Place = tuple[float, float]
TEXT: Final = (
    "the club of the old harbour meets on thursdays at eight and whoever wants to play may come "
    "bring your own set if you have one there is tea and the room is warm start bonus bank lose a "
    "turn go back three double word letter score north street river mill station market bridge"
)
WORDS: Final = TEXT.split()


class Sheet:
    """A print to draw on: coordinates are in units, from its middle."""

    def __init__(self, size: tuple[int, int], unit: float, ground: Colour) -> None:
        side = int(hypot(*size)) + 4
        self.unit, self.side, self.size = unit, side, size
        self.picture = Image.new("RGB", (side, side), ground)
        self.pen = ImageDraw.Draw(self.picture)
        self.reach = side / unit / 2

    def at(self, x: float, y: float) -> Place:
        """Returns the position in pixels of a point in units."""
        return self.side / 2 + x * self.unit, self.side / 2 + y * self.unit

    def box(
        self,
        place: tuple[float, float, float, float],
        fill: Colour | None,
        rim: Colour | None = None,
        thick: float = 0.03,
    ) -> None:
        ends = (*self.at(*place[:2]), *self.at(*place[2:]))
        self.pen.rectangle(ends, fill, rim, max(1, round(thick * self.unit)))

    def shape(self, places: Sequence[Place], fill: Colour) -> None:
        self.pen.polygon([self.at(*one) for one in places], fill)

    def path(self, places: Sequence[Place], fill: Colour, thick: float = 0.03) -> None:
        ends = [self.at(*one) for one in places]
        self.pen.line(ends, fill, max(1, round(thick * self.unit)), joint="curve")

    def disc(
        self,
        x: float,
        y: float,
        radius: float,
        fill: Colour | None,
        rim: Colour | None = None,
        *,
        thick: float = 0.03,
    ) -> None:
        px, py = self.at(x, y)
        far = radius * self.unit
        ends = (px - far, py - far, px + far, py + far)
        self.pen.ellipse(ends, fill, rim, max(1, round(thick * self.unit)))

    def text(self, x: float, y: float, text: str, high: float, fill: Colour) -> None:
        """Writes text whose upper left corner is at (x, y); `high`: the height of the letters."""
        pixels = high * self.unit
        if pixels < 3:
            self.path([(x, y + high / 2), (x + 0.5 * high * len(text), y + high / 2)], fill, 0.01)
        else:
            self.pen.text(self.at(x, y), text, fill, lettering(round(pixels)))

    def turned(self, angle: float) -> Pixels:
        """Returns the middle of the sheet, in the requested size, after rotating the sheet by an
        angle in degrees."""
        lies = self.picture.rotate(angle, Image.Resampling.BICUBIC)
        wide, high = self.size
        left, top = (self.side - wide) // 2, (self.side - high) // 2
        cut = lies.crop((left, top, left + wide, top + high))
        return np.asarray(cut, np.float32) / np.float32(255)


@cache
def lettering(pixels: int) -> Any:
    """Returns a font of that size or, if Pillow is older than 10.1, the only size that it has."""
    try:
        return ImageFont.load_default(pixels)
    except TypeError:
        return ImageFont.load_default()


def words(random: Draw, many: int) -> str:
    return " ".join(WORDS[int(at)] for at in random.integers(0, len(WORDS), many))


def _of(random: Draw, colours: Sequence[Colour]) -> Colour:
    return colours[int(random.integers(len(colours)))]


def _grained(random: Draw, drawn: Pixels, much: float = 0.04) -> Pixels:
    """Returns the drawing with the grain of paper or cloth, and slightly uneven."""
    high, wide = drawn.shape[:2]
    grain = random.normal(0, much, (high, wide, 1)).astype(np.float32)
    cloudy = smooth(random, (wide, high), (5, 5))[..., None] * 0.12
    return np.clip(drawn * (0.95 + cloudy + grain), 0, 1).astype(np.float32)


def _askew(random: Draw) -> float:
    """Returns a random angle for a print: usually nearly parallel to the table, sometimes any."""
    return float(random.normal(0, 4) if random.random() < 0.7 else random.uniform(-50, 50))


# ---------------------------------------------------------------- boards

PAPER: Final = ((236, 228, 206), (214, 226, 206), (246, 243, 234), (206, 220, 232), (238, 216, 190))
DARK: Final = ((30, 30, 32), (70, 40, 26), (24, 50, 80), (110, 26, 30), (20, 70, 46))
BRIGHT: Final = (
    (204, 52, 48), (40, 110, 180), (240, 196, 60), (56, 146, 84),
    (232, 130, 50), (130, 74, 150), (240, 150, 170), (110, 190, 214),
)  # fmt: skip


def _letter_board(random: Draw, sheet: Sheet) -> None:
    """Draws squares, some of them coloured and with words, as on boards for word games."""
    cell, many = random.uniform(0.9, 1.7), 15
    far = cell * many / 2
    rim, usual = _of(random, DARK), _of(random, PAPER)
    sheet.box((-far - 0.8, -far - 0.8, far + 0.8, far + 0.8), _of(random, DARK))
    for row in range(many):
        for column in range(many):
            x, y = column * cell - far, row * cell - far
            fill = _of(random, BRIGHT) if random.random() < 0.28 else usual
            sheet.box((x, y, x + cell, y + cell), fill, rim, 0.04)
            if fill != usual:
                for line in range(2):
                    text = words(random, 1).upper()[:7]
                    sheet.text(x + 0.08, y + (0.2 + 0.35 * line) * cell, text, 0.2, rim)
            elif random.random() < 0.1:
                sheet.disc(x + cell / 2, y + cell / 2, cell * 0.12, rim)


def _chess(random: Draw, sheet: Sheet) -> None:
    cell, many = random.uniform(1.2, 2.6), random.choice([8, 10])
    far = cell * many / 2
    pairs = (((92, 54, 32), (214, 176, 124)), ((28, 28, 30), (232, 230, 224)),
             ((44, 100, 66), (236, 234, 210)), ((150, 40, 40), (30, 30, 32)))  # fmt: skip
    dark, light = pairs[int(random.integers(len(pairs)))]
    sheet.box((-far - 0.6, -far - 0.6, far + 0.6, far + 0.6), light, dark, 0.1)
    for row in range(many):
        for column in range(many):
            x, y = column * cell - far, row * cell - far
            sheet.box((x, y, x + cell, y + cell), dark if (row + column) % 2 else light)


def _track(random: Draw, sheet: Sheet) -> None:
    """Draws a track of fields around the edge, with words and coloured bars, and a picture in the
    middle."""
    cell, many = random.uniform(1.4, 2.4), 11
    far = cell * many / 2
    ground, rim = _of(random, PAPER), _of(random, DARK)
    sheet.box((-far, -far, far, far), ground, rim, 0.06)
    for side in range(4):
        for at in range(many):
            near, along = -far, at * cell - far
            place = (along, near, along + cell, near + 1.6 * cell)
            turned = {0: place, 1: (place[1], place[0], place[3], place[2])}.get(side)
            if turned is None:
                x0, y0, x1, y1 = place if side == 2 else (place[1], place[0], place[3], place[2])
                turned = (-x1, -y1, -x0, -y0)
            sheet.box(turned, ground, rim, 0.04)
            x0, y0, x1, y1 = turned
            sheet.box((x0, y0, x0 + (x1 - x0) * 0.9, y0 + 0.3), _of(random, BRIGHT), rim, 0.03)
            sheet.text(x0 + 0.1, y0 + 0.45, words(random, 1)[:8], 0.24, rim)
            sheet.text(x0 + 0.1, y0 + 0.75, words(random, 1)[:8], 0.2, rim)
    inner = far - 1.7 * cell
    for _ in range(9):
        x, y = random.uniform(-inner, inner, 2)
        sheet.disc(x, y, random.uniform(0.3, 1.6), _of(random, BRIGHT), rim, thick=0.04)
    for at in range(5):
        y = (at - 2) * inner / 3
        sheet.path([(-inner, y), (inner, y + random.uniform(-2, 2))], rim, 0.05)
    sheet.text(-inner * 0.8, -0.7, words(random, 2).upper(), 1.2, _of(random, BRIGHT))


def _holes(random: Draw, sheet: Sheet) -> None:
    """Draws rows of round fields joined by lines, as on boards for pegs or marbles."""
    step = random.uniform(0.7, 1.3)
    ground, rim = _of(random, PAPER), _of(random, DARK)
    far = 9.0
    sheet.box((-far, -far, far, far), ground, rim, 0.1)
    many = int(far / step)
    for row in range(-many, many + 1):
        for column in range(-many, many + 1):
            x, y = (column + (row % 2) / 2) * step, row * step * 0.87
            if max(abs(x), abs(y)) > far - 0.5 or (abs(row) + abs(column)) % 7 == 3:
                continue
            sheet.path([(x, y), (x + step, y)], rim, 0.03)
            fill = _of(random, BRIGHT) if random.random() < 0.3 else rim
            sheet.disc(x, y, 0.16 * step, fill, rim, thick=0.02)


def _points(random: Draw, sheet: Sheet) -> None:
    """Draws long triangles, as on a backgammon board."""
    wide = random.uniform(0.8, 1.5)
    far, tall = wide * 6.5, random.uniform(5, 7)
    ground, one, other = _of(random, DARK), _of(random, PAPER), _of(random, BRIGHT)
    sheet.box((-far - 0.7, -tall - 1.4, far + 0.7, tall + 1.4), _of(random, DARK))
    sheet.box((-far, -tall - 0.7, far, tall + 0.7), ground)
    for at in range(13):
        x = at * wide - far
        for way in (-1, 1):
            edge = way * (tall + 0.7)
            fill = one if (at + (way > 0)) % 2 else other
            sheet.shape([(x, edge), (x + wide, edge), (x + wide / 2, way * 0.8)], fill)


def _outlines(random: Draw, sheet: Sheet) -> None:
    """Draws a mat with printed outlines for tiles, and a track to count points on."""
    ground, rim = _of(random, [*DARK, *PAPER]), _of(random, [*BRIGHT, (240, 238, 230)])
    sheet.box((-14, -9, 14, 9), ground, rim, 0.12)
    for row in range(-3, 4):
        for column in range(-5, 5):
            x, y = column * 2.35 + 0.15, row * 2.3
            sheet.box((x, y - 0.55, x + 2.1, y + 0.55), None, rim, 0.035)
            sheet.path([(x + 1.05, y - 0.4), (x + 1.05, y + 0.4)], rim, 0.03)
    for at in range(50):
        sheet.disc(at * 0.5 - 12.5, 8.3, 0.12, rim if at % 5 else _of(random, BRIGHT))
        sheet.disc(at * 0.5 - 12.5, -8.3, 0.12, rim if at % 5 else _of(random, BRIGHT))


BOARDS: Final = (_letter_board, _chess, _track, _holes, _points, _outlines)


def _board(random: Draw, size: tuple[int, int], unit: float) -> Pixels:
    """Returns a printed board on a table."""
    kinds = len(BOARDS)
    sheet = Sheet(size, unit, _of(random, ((120, 84, 54), (70, 48, 34), (150, 150, 148))))
    BOARDS[int(random.integers(kinds))](random, sheet)
    return _grained(random, sheet.turned(_askew(random)), 0.02)


# ---------------------------------------------------------------- maps, text, newspapers


def _map(random: Draw, size: tuple[int, int], unit: float) -> Pixels:
    sheet = Sheet(size, unit, (226, 220, 196))
    side = sheet.side
    land = smooth(random, (side, side), (7, 7))
    colours = np.array(
        [(160, 198, 222), (226, 226, 200), (204, 216, 170), (222, 200, 160)], np.uint8
    )
    bands = np.digitize(land, np.quantile(land, (0.22, 0.55, 0.8)))
    picture = colours[bands]
    lines = np.abs((land * 22) % 1 - 0.5) < 0.035
    picture[lines] = (168, 130, 96)
    sheet.picture.paste(Image.fromarray(picture))
    far = sheet.reach
    for colour, thick, many in (
        ((92, 92, 96), 0.1, 14),
        ((214, 60, 50), 0.09, 9),
        ((60, 120, 190), 0.06, 8),
    ):
        for _ in range(many):
            x, y = random.uniform(-far, far, 2)
            heading, places = random.uniform(0, 2 * pi), []
            for _ in range(24):
                places.append((float(x), float(y)))
                heading += random.normal(0, 0.35)
                x, y = x + 0.9 * cos(heading), y + 0.9 * sin(heading)
            sheet.path(places, colour, thick)
    for _ in range(int(far * far * 0.5)):
        x, y = (float(one) for one in random.uniform(-far, far, 2))
        sheet.disc(
            x,
            y,
            random.uniform(0.05, 0.12),
            (30, 30, 30) if random.random() < 0.5 else (255, 255, 255),
            (30, 30, 30),
        )
        sheet.text(
            x + 0.15, y - 0.15, words(random, 1).title(), random.uniform(0.2, 0.4), (40, 36, 40)
        )
    for at in range(-int(far), int(far) + 1, 4):
        sheet.path([(at, -far), (at, far)], (120, 150, 190), 0.02)
        sheet.path([(-far, at), (far, at)], (120, 150, 190), 0.02)
    return _grained(random, sheet.turned(_askew(random)), 0.02)


def _text(random: Draw, size: tuple[int, int], unit: float) -> Pixels:
    """Returns a place mat or a poster: few colours, large words, a list, a rim."""
    ground = _of(random, [*PAPER, *DARK, (250, 250, 250)])
    ink = (24, 24, 26) if sum(ground) > 380 else (240, 238, 228)
    sheet = Sheet(size, unit, ground)
    y, far = -sheet.reach, sheet.reach
    while y < far:
        high = float(random.choice([0.25, 0.35, 0.5, 0.9, 1.6], p=[0.3, 0.3, 0.2, 0.12, 0.08]))
        x = -far + random.uniform(0, 1)
        colour = ink if random.random() < 0.7 else _of(random, BRIGHT)
        for _ in range(int(random.integers(1, 5))):
            sheet.text(x, y, words(random, int(4 * far / high)), high, colour)
            y += high * 1.35
        if random.random() < 0.25:
            sheet.box((-far, y, far, y + 0.08), _of(random, BRIGHT))
        if random.random() < 0.3:
            at = random.uniform(-far, far)
            sheet.disc(at, y + 0.6, 0.6, _of(random, BRIGHT), ink, thick=0.05)
            y += 1.3
        y += 0.3
    return _grained(random, sheet.turned(_askew(random)), 0.02)


def _newspaper(random: Draw, size: tuple[int, int], unit: float) -> Pixels:
    """Returns columns of small print, with headlines and grey pictures."""
    sheet = Sheet(size, unit, (218, 214, 204))
    far, ink = sheet.reach, (52, 50, 50)
    wide, high = random.uniform(3, 4.5), random.uniform(0.17, 0.24)
    x = -far
    while x < far:
        y = -far + random.uniform(-3, 0)
        while y < far:
            kind = random.random()
            if kind < 0.14:
                large = random.uniform(0.5, 1.1)
                for _ in range(int(random.integers(1, 3))):
                    many = int(wide / large * 1.7)
                    sheet.text(x, y, words(random, 4)[:many].capitalize(), large, (28, 28, 30))
                    y += large * 1.15
            elif kind < 0.26:
                tall = random.uniform(1.5, 3.5)
                pixels = (round((wide - 0.3) * unit), round(tall * unit))
                grey = smooth(random, pixels, (6, 6)) * 0.75 + 0.1
                shown = Image.fromarray((grey * 255).astype(np.uint8)).convert("RGB")
                px, py = sheet.at(x, y)
                sheet.picture.paste(shown, (int(px), int(py)))
                y += tall + 0.2
            else:
                for _ in range(int(random.integers(5, 16))):
                    many = int((wide - 0.25) / high * 1.9)
                    sheet.text(x, y, words(random, 12)[:many], high, ink)
                    y += high * 1.22
                y += 0.15
        if random.random() < 0.5:
            sheet.path([(x + wide - 0.1, -far), (x + wide - 0.1, far)], ink, 0.02)
        x += wide
    return _grained(random, sheet.turned(_askew(random)), 0.03)


# ---------------------------------------------------------------- cloths and planks

CLOTHS: Final = (
    ((178, 36, 42), (236, 230, 222)), ((48, 84, 150), (232, 232, 230)),
    ((60, 118, 80), (238, 236, 224)), ((36, 36, 40), (226, 222, 214)),
    ((206, 150, 60), (244, 238, 220)), ((100, 98, 94), (196, 190, 178)),
)  # fmt: skip


def _checks(random: Draw, size: tuple[int, int], unit: float) -> Pixels:
    """Returns a woven cloth: gingham, checks with stripes, or only stripes."""
    side = int(hypot(*size)) + 4
    dark, light = (
        np.array(one, np.float32) / 255 for one in CLOTHS[int(random.integers(len(CLOTHS)))]
    )
    cell = random.uniform(0.35, 2.2) * unit
    at = np.arange(side) / cell
    bands = (at % 2 < 1).astype(np.float32)
    if random.random() < 0.4:
        bands = np.maximum(bands * 0.7, ((at % 2 > 1.35) & (at % 2 < 1.5)).astype(np.float32))
    across, down = bands[None, :], bands[:, None]
    mixed = across * 0.5 + down * 0.5 if random.random() < 0.8 else across * np.ones_like(down)
    thread = max(2.0, 0.045 * unit)
    weave = 0.5 + 0.5 * np.sin(np.arange(side) * pi / thread)
    woven = 1 - 0.1 * (weave[None, :] * (1 - weave[:, None])).astype(np.float32)
    cloth = (light + (dark - light) * mixed[..., None]) * woven[..., None]
    sheet = Sheet(size, unit, (0, 0, 0))
    sheet.picture = Image.fromarray((np.clip(cloth, 0, 1) * 255).astype(np.uint8))
    lies = _grained(random, sheet.turned(_askew(random)), 0.02)
    wide, high = size
    folds = smooth(random, size, (3, 4)) - smooth(random, size, (9, 7)) * 0.3
    return np.clip(lies * (0.85 + 0.25 * folds.reshape(high, wide, 1)), 0, 1).astype(np.float32)


PLANKS: Final = (
    ((88, 54, 32), (142, 96, 60)), ((150, 106, 66), (200, 158, 110)), ((58, 38, 28), (92, 62, 44)),
    ((176, 142, 102), (218, 192, 156)), ((120, 66, 40), (176, 110, 70)),
    ((130, 120, 108), (176, 166, 152)),
)  # fmt: skip


def _planks(random: Draw, size: tuple[int, int], unit: float) -> Pixels:
    """Returns planks with grain and seams, sometimes knots."""
    side = int(hypot(*size)) + 4
    dark, light = (
        np.array(one, np.float32) / 255 for one in PLANKS[int(random.integers(len(PLANKS)))]
    )
    reach = max(2.0, side / unit)
    wave = smooth(random, (side, side), (reach / 5, reach / 1.5))
    down = np.arange(side, dtype=np.float32)[:, None] / unit
    rings = 0.5 + 0.5 * np.sin(down * random.uniform(4, 9) + wave * random.uniform(6, 22))
    fibre = smooth(random, (side, side), (reach / 0.9, reach / 0.035))
    streak = smooth(random, (side, side), (reach / 4, reach / 0.2))
    amount = 0.35 * rings**1.5 + 0.3 * fibre + 0.35 * streak
    drawn = dark + (light - dark) * amount[..., None]
    if random.random() < 0.6:
        wide, y = random.uniform(3, 7), random.uniform(0, 3)
        while y * unit < side:
            at = int(y * unit)
            shade = float(random.uniform(0.88, 1.08))
            drawn[at : at + int(wide * unit)] *= shade
            drawn[at : at + max(2, int(0.05 * unit))] *= 0.45
            y += wide
    sheet = Sheet(size, unit, (0, 0, 0))
    sheet.picture = Image.fromarray((np.clip(drawn, 0, 1) * 255).astype(np.uint8))
    return _grained(random, sheet.turned(_askew(random)), 0.015)


def _plain(random: Draw, size: tuple[int, int], unit: float) -> Pixels:
    """Draws one colour, felt, or stone."""
    kind = ("plain", "cloth", "stone")[int(random.integers(3))]
    return _grained(random, np.array(TABLES[kind](random, size)), 0.02)


GROUNDS: Final[dict[str, Callable[[Draw, tuple[int, int], float], Pixels]]] = {
    "plain": _plain,
    "wood": _planks,
    "checks": _checks,
    "board": _board,
    "map": _map,
    "text": _text,
    "newspaper": _newspaper,
}
"""The kinds of ground by name; each function draws one of a size in pixels, so many of which are
the width of a tile."""
