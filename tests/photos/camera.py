"""A camera over the table: tilt, light, shadow, glare, blur and noise."""

from dataclasses import dataclass
from math import cos, radians, sin, tan
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from tests.photos.layouts import Placed
from tests.photos.looks import Look, Pixels, face
from tests.photos.tables import TABLES, Draw, smooth

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
    corners = [
        [_project(to_picture, *corner) for corner in one.corners(look.length)] for one in placed
    ]
    return _sensed(lit, how, random), corners


def _project(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    u, v, w = matrix @ np.array([x, y, 1.0])
    return float(u / w), float(v / w)


def _aimed(placed: list[Placed], look: Look, how: Conditions) -> Matrix:
    """The projection from the table to the picture, at a distance at which the tiles fill it as
    they should."""
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
    """The table from straight above: its pixels, how many of them are a unit, and the place on the
    table where it begins."""

    pixels: Pixels
    unit: int
    origin: tuple[float, float]

    def turned(self, drawn: Pixels, one: Placed) -> tuple[Image.Image, int, int]:
        """A drawing of the size of a tile, turned as the tile `one` lies, and its left and upper
        edge here."""
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
    pixels = np.array(TABLES[how.table](random, size), np.float32)
    plane = Plane(pixels, unit, (float(low[0]), float(low[1])))
    _cast(plane, placed, look, random.uniform(-0.25, 0.25, 2))
    for one in sorted(placed, key=lambda tile: tile.y):
        _lay(plane, one, look, how)
    return plane


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
    """Draws a tile: its face, and of its side what the tilt shows."""
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
    """Somebody's arm or head: a soft-edged shape over part of the picture."""
    rough = smooth(random, size, (2.6, 2.6))
    level = float(np.quantile(rough, 0.55))
    edge = float(random.uniform(0.01, 0.06))
    dark: Pixels = np.clip((rough - level) / edge + 0.5, 0, 1).astype(np.float32)
    return dark


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
    return Image.fromarray((np.clip(noisy, 0, 1) * 255).astype(np.uint8))
