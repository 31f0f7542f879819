"""A camera over the table: tilt, light, shadow, glare, blur and noise."""

from dataclasses import dataclass
from math import cos, radians, sin, tan
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

from tests.photos.boards import game_board
from tests.photos.layouts import Placed
from tests.photos.looks import Look, Pixels, face
from tests.photos.printed import GROUNDS
from tests.photos.tables import TABLES, Draw, smooth
from tests.photos.things import scattered

Matrix = NDArray[Any]
LENS = 0.74
"""The focal length of a phone's main camera, in widths of its picture."""
SIDE_STEPS = 6
MOST_PIXELS = 14e6


@dataclass(frozen=True, slots=True)
class Conditions:
    """How a photo is taken. Angles are in degrees; lengths in the picture are in its pixels."""

    size: tuple[int, int] = (1600, 1200)
    tilt: float = 8.0
    roll: float = 0.0
    fills: float = 0.85
    """The part of the picture that the tiles fill, 0 to 1."""
    table: str = "wood"
    """One of tables.py, unless `ground` names one of printed.py."""
    ground: str = ""
    light: float = 1.0
    warmth: float = 0.0
    """The colour of the light, -1 (sky) to 1 (a lamp)."""
    uneven: float = 0.15
    """How much darker the far side is, 0 to 1."""
    shadow: float = 0.0
    """How much of the light somebody's shadow takes, 0 to 1."""
    glare: float = 0.0
    hollow: float = 0.0
    """The part of each pip's radius that shines, 0 to 1."""
    blur: float = 0.5
    motion: float = 0.0
    noise: float = 0.012
    jpeg: int = 88
    things: tuple[str, ...] = ()
    """Other objects on the table (things.py)."""
    mirrored: float = 0.0
    """The brightness of a lamp or window mirrored in the tiles, 0 to 1."""
    gloss: float = 0.2
    """The share of that brightness which the ground mirrors, 0 to 1."""
    leans: float = 0.0
    """The share of the light that the photographer blocks, 0 to 1."""
    smear: float = 0.0
    """How much of the noise the camera smooths into blotches, 0 to 1."""
    sharpened: float = 0.0
    """How much the camera sharpens, 0 to 1."""
    halo: float = 0.0
    """How much it brightens and darkens both sides of edges, for local contrast, 0 to 1."""
    tint: float = 0.0
    """How far its white balance is off, -1 (green) to 1 (magenta)."""
    bent: float = 0.0
    """How much its lens bends straight lines: by what part of its distance from the middle the
    middle is enlarged more than the corners, or less if it is below zero."""


def take(
    placed: list[Placed], look: Look, how: Conditions, seed: int
) -> tuple[Image.Image, list[list[tuple[float, float]]]]:
    """The photo, and each tile's four corners in it."""
    random = np.random.default_rng(seed)
    to_picture = _aimed(placed, look, how)
    plane = _plane(placed, look, how, to_picture, random)
    unit, origin = plane.unit, plane.origin
    onto_plane = np.array([[unit, 0, -origin[0] * unit], [0, unit, -origin[1] * unit], [0, 0, 1]])
    back = onto_plane @ np.linalg.inv(to_picture)
    back /= back[2, 2]
    drawn = Image.fromarray((np.clip(plane.pixels, 0, 1) * 255).astype(np.uint8))
    seen = drawn.transform(
        how.size, Image.Transform.PERSPECTIVE, tuple(back.ravel()[:8]), Image.Resampling.BICUBIC
    )
    lit = _light(np.asarray(seen, np.float32) / np.float32(255), how, random)
    if how.leans:
        lit *= 1 - how.leans * _leaning(random, how.size)[..., None]
    if how.mirrored:
        mirror = Image.fromarray(plane.shine, "F").transform(
            how.size,
            Image.Transform.PERSPECTIVE,
            tuple(back.ravel()[:8]),
            Image.Resampling.BILINEAR,
        )
        lit += how.mirrored * np.asarray(mirror, np.float32)[..., None]
    corners = [
        [_project(to_picture, *corner) for corner in one.corners(look.length)] for one in placed
    ]
    if how.bent:
        lit = _bent(lit, how.bent)
        corners = [[_bent_place(*corner, how) for corner in one] for one in corners]
    return _sensed(lit, how, random), corners


def _bent(lit: Pixels, bent: float) -> Pixels:
    """Returns the picture as seen through a lens that bends straight lines."""
    high, wide = lit.shape[:2]
    x, y = np.arange(wide) - wide / 2, np.arange(high)[:, None] - high / 2
    larger = (1 + bent * (x**2 + y**2) / (wide**2 + high**2) * 4) / (1 + max(0, bent))
    left = np.clip(x * larger + wide / 2, 0, wide - 1.001)
    top = np.clip(y * larger + high / 2, 0, high - 1.001)
    column, row = left.astype(int), top.astype(int)
    across, down = (left - column)[..., None], (top - row)[..., None]
    upper = lit[row, column] * (1 - across) + lit[row, column + 1] * across
    lower = lit[row + 1, column] * (1 - across) + lit[row + 1, column + 1] * across
    made: Pixels = (upper * (1 - down) + lower * down).astype(np.float32)
    return made


def _bent_place(x: float, y: float, how: Conditions) -> tuple[float, float]:
    """Returns where such a lens shows the point (x, y)."""
    wide, high = how.size
    from_x, from_y = x - wide / 2, y - high / 2
    at_x, at_y = from_x, from_y
    for _ in range(8):
        far = (at_x**2 + at_y**2) / (wide**2 + high**2) * 4
        larger = (1 + how.bent * far) / (1 + max(0, how.bent))
        at_x, at_y = from_x / larger, from_y / larger
    return at_x + wide / 2, at_y + high / 2


def _project(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    u, v, w = matrix @ np.array([x, y, 1.0])
    return float(u / w), float(v / w)


def _aimed(placed: list[Placed], look: Look, how: Conditions) -> Matrix:
    """Returns the projection from the table to the picture, with the camera at the distance at
    which the tiles fill the picture as required."""
    points = np.array([corner for one in placed for corner in one.corners(look.length)])
    middle = (points.max(axis=0) + points.min(axis=0)) / 2
    wide, high = how.size
    lens = LENS * max(wide, high)
    tilt, roll = radians(how.tilt), radians(how.roll)
    turn = np.array([[cos(roll), -sin(roll), 0], [sin(roll), cos(roll), 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, cos(tilt), -sin(tilt)], [0, sin(tilt), cos(tilt)]])
    rotation = turn @ lean
    shift = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1.0]])
    far = 8.0
    matrix = np.eye(3)
    for _ in range(12):
        # A point farther up the table (y is small) is farther away.
        flat = np.column_stack([rotation[:, 0], rotation[:, 1], np.array([0, 0, far])])
        flat[2, 1] = -rotation[2, 1]
        lens_matrix = np.array([[lens, 0, wide / 2], [0, lens, high / 2], [0, 0, 1.0]])
        matrix = lens_matrix @ flat @ shift
        seen = np.array([_project(matrix, *point) for point in points])
        reach = np.abs(seen - np.array([wide / 2, high / 2])).max(axis=0) / np.array(
            [wide / 2, high / 2]
        )
        far *= float(reach.max()) / how.fills
    return matrix


@dataclass(frozen=True, slots=True)
class Plane:
    """The table seen from straight above: its pixels, the number of pixels per unit, and the
    coordinates on the table of its upper left corner."""

    pixels: Pixels
    unit: int
    origin: tuple[float, float]
    shine: Pixels
    """How much of a lamp or a window each place mirrors."""

    def turned(self, drawn: Pixels, one: Placed) -> tuple[Image.Image, int, int]:
        """Returns a drawing of a tile, rotated to the angle of `one`, and the position of its upper
        left corner in this plane's pixels."""
        picture = Image.fromarray((drawn * 255).astype(np.uint8))
        turned = picture.rotate(-np.degrees(one.angle), Image.Resampling.BICUBIC, expand=True)
        x = (one.x - self.origin[0]) * self.unit - turned.width / 2
        y = (one.y - self.origin[1]) * self.unit - turned.height / 2
        return turned, round(x), round(y)

    def paste(self, drawn: Image.Image, x: int, y: int) -> None:
        """Draws a picture over what is there."""
        high, wide = self.pixels.shape[:2]
        left, above = max(0, -x), max(0, -y)
        right, below = min(drawn.width, wide - x), min(drawn.height, high - y)
        if right <= left or below <= above:
            return
        pixels = np.asarray(drawn, np.float32)[above:below, left:right] / 255
        place = self.pixels[y + above : y + below, x + left : x + right]
        place += (pixels[..., :3] - place) * pixels[..., 3:]


def _plane(
    placed: list[Placed], look: Look, how: Conditions, to_picture: Matrix, random: Draw
) -> Plane:
    """The part of the table that the camera sees, with the tiles."""
    back = np.linalg.inv(to_picture)
    wide, high = how.size
    edges = np.array([_project(back, x, y) for x in (0, wide) for y in (0, high)])
    low, top = edges.min(axis=0) - 0.2, edges.max(axis=0) + 0.2
    sizes = [
        np.ptp(np.array([_project(to_picture, *corner) for corner in one.corners()]), axis=0).max()
        for one in placed
    ]
    unit = int(min(max(max(sizes) / 2 * 1.15, 24), 170))
    while (top - low).prod() * unit * unit > MOST_PIXELS:
        unit = int(unit * 0.9)
    size = (int((top[0] - low[0]) * unit) + 1, int((top[1] - low[1]) * unit) + 1)
    if how.ground:
        draw = game_board if how.ground == "game-board" else GROUNDS[how.ground]
        pixels = draw(random, size, unit)
    else:
        pixels = np.array(TABLES[how.table](random, size), np.float32)
    plane = Plane(pixels, unit, (float(low[0]), float(low[1])), np.zeros(size[::-1], np.float32))
    if how.things:
        _scatter(plane, placed, how, random)
    _cast(plane, placed, look, random.uniform(-0.25, 0.25, 2))
    for one in sorted(placed, key=lambda tile: tile.y):
        _lay(plane, one, look, how)
    if how.mirrored:
        _mirror(plane, placed, look, how, random)
    return plane


def _scatter(plane: Plane, placed: list[Placed], how: Conditions, random: Draw) -> None:
    """Places the other objects where no tile is near."""
    taken = Image.new("L", (plane.pixels.shape[1], plane.pixels.shape[0]), 0)
    pen = ImageDraw.Draw(taken)
    for one in placed:
        x, y = (one.x - plane.origin[0]) * plane.unit, (one.y - plane.origin[1]) * plane.unit
        far = 1.3 * plane.unit
        pen.ellipse((x - far, y - far, x + far, y + far), 255)
    ground = Image.fromarray((np.clip(plane.pixels, 0, 1) * 255).astype(np.uint8))
    lies = scattered(ground, taken, list(how.things), random, plane.unit)
    plane.pixels[...] = np.asarray(lies, np.float32) / 255


def _mirror(plane: Plane, placed: list[Placed], look: Look, how: Conditions, random: Draw) -> None:
    """Sets how strongly each place reflects a lamp or window near one of the tiles. No tile is
    quite flat, so each reflects it at a slightly different place; pips and bars reflect little."""
    near = placed[int(random.integers(len(placed)))]
    spot = np.array([near.x, near.y]) + random.normal(0, 0.6, 2)
    is_window, large = random.random() < 0.5, float(random.uniform(0.7, 1.8))
    angle = float(random.uniform(-0.5, 0.5))

    def bright(across: slice, down: slice, off: NDArray[np.float64]) -> Pixels:
        x = (
            np.arange(across.start, across.stop) / plane.unit + plane.origin[0] - spot[0] - off[0]
        )[None, :]
        y = (np.arange(down.start, down.stop) / plane.unit + plane.origin[1] - spot[1] - off[1])[
            :, None
        ]
        x, y = (x * cos(angle) - y * sin(angle)) / large, (x * sin(angle) + y * cos(angle)) / large
        if is_window:
            pane = np.clip((1.6 - np.abs(x)) * 6, 0, 1) * np.clip((2.2 - np.abs(y)) * 6, 0, 1)
            bars = np.clip(np.abs(x) * 12 - 0.6, 0, 1) * np.clip(np.abs(y + 0.4) * 12 - 0.6, 0, 1)
            mirrored: Pixels = (0.75 * pane * bars).astype(np.float32)
            return mirrored
        far = x**2 + y**2
        lamp: Pixels = (1.1 * np.exp(-far * 3.5) + 0.35 * np.exp(-far * 0.5)).astype(np.float32)
        return lamp

    high, wide = plane.shine.shape
    plane.shine[...] += how.gloss * bright(slice(0, wide), slice(0, high), np.zeros(2))
    body = sum(look.body) / 3 / 255
    for one in placed:
        whole, left, above = plane.turned(
            np.ones((plane.unit, round(look.length * plane.unit), 4), np.float32), one
        )
        across = slice(max(0, left), min(wide, left + whole.width))
        down = slice(max(0, above), min(high, above + whole.height))
        if across.start >= across.stop or down.start >= down.stop:
            continue
        inside = (
            slice(down.start - above, down.stop - above),
            slice(across.start - left, across.stop - left),
        )
        covers = np.asarray(whole.getchannel("A"), np.float32)[inside] / 255
        ink = np.clip(np.abs(plane.pixels[down, across].mean(axis=2) - body) * 2.5, 0, 1)
        glossy = bright(across, down, random.normal(0, 0.35, 2)) * (1 - 0.8 * look.recess * ink)
        place = plane.shine[down, across]
        place += (glossy - place) * covers


def _cast(plane: Plane, placed: list[Placed], look: Look, sun: NDArray[np.float64]) -> None:
    """Draws the shadows of the tiles on the table."""
    unit = plane.unit
    dark = Image.new("L", (plane.pixels.shape[1], plane.pixels.shape[0]), 0)
    for one in placed:
        whole = np.ones((unit, round(look.length * unit), 4), np.float32)
        body, x, y = plane.turned(whole, one)
        at = (x + round(sun[0] * unit), y + round(sun[1] * unit))
        dark.paste(150, at, body.getchannel(3))
    soft = np.asarray(dark.filter(ImageFilter.GaussianBlur(unit * 0.07)), np.float32) / 255
    plane.pixels[...] *= 1 - soft[..., None]


def _lay(plane: Plane, one: Placed, look: Look, how: Conditions) -> None:
    """Draws a tile: its face, and the part of its side that the tilt makes visible."""
    top = face(look, one.tile, plane.unit, how.hollow)
    side = top.copy()
    side[..., :3] = np.array(look.body, np.float32) / 255 * 0.62
    down = look.height * tan(radians(how.tilt)) * plane.unit
    turned, x, y = plane.turned(side, one)
    for step in range(SIDE_STEPS, 0, -1):
        plane.paste(turned, x, y + round(down * step / SIDE_STEPS))
    plane.paste(*plane.turned(top, one))


def _light(seen: Pixels, how: Conditions, random: np.random.Generator) -> Pixels:
    high, wide = seen.shape[:2]
    slope = np.linspace(1 - how.uneven, 1, high, dtype=np.float32)[:, None, None]
    warm = np.array([1 + 0.12 * how.warmth, 1, 1 - 0.25 * how.warmth], np.float32)
    lit = seen * slope * warm * how.light
    if how.tint:
        lit = lit * np.array([1 + 0.06 * how.tint, 1 - 0.08 * how.tint, 1 + 0.06 * how.tint])
    if how.shadow:
        lit *= 1 - how.shadow * _shadow(random, (wide, high))[..., None]
    if how.glare:
        across, down = random.uniform(0.25, 0.75, 2)
        x, y = np.linspace(0, 1, wide) - across, np.linspace(0, 1, high) - down
        spot = np.exp(-(x[None, :] ** 2 + (y[:, None] * 1.4) ** 2) / 0.02)
        gloss = 0.35 + 0.65 * (seen.mean(axis=2) > 0.55)
        lit = lit + (how.glare * spot * gloss)[..., None]
    return lit.astype(np.float32)


def _shadow(random: np.random.Generator, size: tuple[int, int]) -> Pixels:
    """Returns the shadow of somebody's arm or head: a shape with soft edges over part of the
    picture."""
    rough = smooth(random, size, (2.6, 2.6))
    level = float(np.quantile(rough, 0.55))
    edge = float(random.uniform(0.01, 0.06))
    dark: Pixels = np.clip((rough - level) / edge + 0.5, 0, 1).astype(np.float32)
    return dark


def _leaning(random: np.random.Generator, size: tuple[int, int]) -> Pixels:
    """Returns the shadow that a lamp casts of a phone, the arms that hold it, and a head above
    it."""
    wide, high = size
    made = Image.new("L", size, 0)
    pen = ImageDraw.Draw(made)
    x, y = random.uniform(0.25, 0.75) * wide, random.uniform(0.3, 0.8) * high
    far = random.uniform(0.1, 0.2) * wide
    pen.rounded_rectangle((x - far, y - far * 0.55, x + far, y + far * 0.55), far * 0.1, 255)
    for way in (-1, 1):
        hand, elbow = (
            (x + way * far * 0.9, y),
            (x + way * far * random.uniform(1.2, 2.2), high * 1.1),
        )
        pen.line((*hand, *elbow), 255, round(far * 0.5))
    head = y + far * random.uniform(1.8, 2.6)
    pen.ellipse((x - far * 0.8, head, x + far * 0.8, head + far * 2.2), 255)
    pen.rectangle((x - far * 2, head + far * 1.6, x + far * 2, high * 2), 255)
    soft = made.filter(ImageFilter.GaussianBlur(float(random.uniform(0.006, 0.03)) * wide))
    return np.asarray(soft, np.float32) / np.float32(255)


def _sensed(lit: Pixels, how: Conditions, random: np.random.Generator) -> Image.Image:
    if how.motion:
        steps, angle = round(how.motion) + 1, float(random.uniform(0, np.pi))
        shifts = np.linspace(-how.motion / 2, how.motion / 2, steps)
        rolled = [
            np.roll(lit, (round(float(np.sin(angle) * s)), round(float(np.cos(angle) * s))), (0, 1))
            for s in shifts
        ]
        lit = np.mean(rolled, axis=0).astype(np.float32)
    clean = Image.fromarray((np.clip(lit, 0, 1) * 255).astype(np.uint8))
    if how.blur:
        clean = clean.filter(ImageFilter.GaussianBlur(how.blur))
    pixels = np.asarray(clean, np.float32) / 255
    grain = random.normal(0, how.noise, pixels.shape).astype(np.float32)
    noisy = pixels + grain * (0.5 + 0.8 * np.sqrt(pixels))
    made = Image.fromarray((np.clip(noisy, 0, 1) * 255).astype(np.uint8))
    if how.smear:
        made = Image.blend(made, made.filter(ImageFilter.MedianFilter(5)), how.smear)
    if how.sharpened:
        made = made.filter(ImageFilter.UnsharpMask(2, round(150 * how.sharpened), 2))
    if how.halo:
        made = made.filter(ImageFilter.UnsharpMask(14, round(70 * how.halo), 0))
    return made
