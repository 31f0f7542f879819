"""The look of a set's tiles: the colours of body and pips, and the places of the pips, the bar and
the spinner pin. One unit is the width of a tile, which is the side of a half."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

Colour = tuple[int, int, int]
Pixels = NDArray[np.float32]
"""Rows of pixels: red, green and blue of each (and how much it covers), from 0 to 1."""

CORNERS: Final = ((-1, -1), (1, 1), (-1, 1), (1, -1))
PIPS: Final = {
    0: (),
    1: ((0, 0),),
    2: CORNERS[:2],
    3: (*CORNERS[:2], (0, 0)),
    4: CORNERS,
    5: (*CORNERS, (0, 0)),
    6: (*CORNERS, (0, -1), (0, 1)),
}
"""The places of the pips of each number: across the tile and along it, in steps of the pitch."""
RAINBOW: Final[tuple[Colour, ...]] = (
    (40, 40, 40),
    (60, 130, 190),
    (30, 120, 60),
    (190, 40, 45),
    (100, 60, 40),
    (40, 50, 140),
    (150, 90, 20),
)
"""A colour for each number, as sets for children and double-twelve sets have them."""
FINER: Final = 4
"""A face is drawn this many times larger, and then made smaller again."""


@dataclass(frozen=True, slots=True)
class Look:
    """How the tiles of one set look."""

    body: Colour = (236, 230, 215)
    pips: tuple[Colour, ...] = ((25, 25, 28),) * 7
    """The colour of a half's pips, by their number."""
    bar: Colour = (40, 38, 38)
    length: float = 2.0
    bar_length: float = 0.78
    bar_width: float = 0.035
    pitch: float = 0.27
    """The distance from the middle of a half to its next row of pips."""
    radius: float = 0.085
    corner: float = 0.12
    height: float = 0.3
    pin: float = 0.0
    """The radius of the spinner pin; 0: there is none."""
    pin_colour: Colour = (176, 140, 66)
    bevel: float = 0.35
    """How much brighter the lit edge of the body is, and how much darker the other."""
    recess: float = 0.0
    """How deep pips and bar are cut into the body, 0 to 1: their walls are lit and in shadow."""
    wear: float = 0.0
    """The wear of the tiles, 0 to 1: ink is rubbed off, the body scratched and stained."""
    seed: int = 0
    """Decides where the wear is."""


def face(look: Look, tile: tuple[int, int], size: int, hollow: float = 0.0) -> Pixels:
    """The face of a tile that lies along x, its first number left; `size`: pixels a unit; `hollow`:
    the part of each pip's radius that shines."""
    unit = size * FINER
    wide, high = round(look.length * unit), unit
    body = Image.new("L", (wide, high))
    ImageDraw.Draw(body).rounded_rectangle((0, 0, wide - 1, high - 1), look.corner * unit, fill=255)
    drawn = Image.new("RGB", (wide, high), look.body)
    pen = ImageDraw.Draw(drawn)
    _bar(pen, look, wide, unit)
    for side, number in zip((-1, 1), tile, strict=True):
        middle = wide / 2 + side * look.length / 4 * unit
        for across, along in PIPS[number]:
            at = (middle + along * look.pitch * unit, high / 2 + across * look.pitch * unit)
            _pip(pen, at, look.radius * unit, look.pips[number], hollow)
    edges = _bevel(body, look, unit)
    if look.recess:
        edges = _cut(edges, drawn, look, unit)
    if look.wear:
        drawn = _worn(drawn, look, tile, unit)
    small = (round(look.length * size), size)
    colours = np.asarray(drawn.resize(small, Image.Resampling.BOX), np.float32) / 255
    shade = np.asarray(edges.resize(small, Image.Resampling.BOX), np.float32)
    covers = np.asarray(body.resize(small, Image.Resampling.BOX), np.float32) / 255
    return np.dstack([np.clip(colours * (1 + shade[..., None]), 0, 1), covers]).astype(np.float32)


def _bar(pen: ImageDraw.ImageDraw, look: Look, wide: int, unit: int) -> None:
    thick, long = look.bar_width * unit / 2, look.bar_length * unit / 2
    pen.rectangle((wide / 2 - thick, unit / 2 - long, wide / 2 + thick, unit / 2 + long), look.bar)
    if look.pin:
        _pip(pen, (wide / 2, unit / 2), look.pin * unit, _darker(look.pin_colour, 0.55), 0)
        _pip(pen, (wide / 2, unit / 2), look.pin * unit * 0.85, look.pin_colour, 0.35)


def _pip(
    pen: ImageDraw.ImageDraw, at: tuple[float, float], radius: float, colour: Colour, shine: float
) -> None:
    x, y = at
    pen.ellipse((x - radius, y - radius, x + radius, y + radius), colour)
    if shine:
        inner = radius * shine
        lit: Colour = (245, 244, 240)
        x, y = x - radius * 0.1, y - radius * 0.1
        pen.ellipse((x - inner, y - inner, x + inner, y + inner), lit)


def _darker(colour: Colour, factor: float) -> Colour:
    red, green, blue = (round(part * factor) for part in colour)
    return red, green, blue


def _bevel(body: Image.Image, look: Look, unit: int) -> Image.Image:
    """For each pixel, how much brighter or darker the light from above and left makes the rounded
    edge."""
    soft = body.filter(ImageFilter.GaussianBlur(look.corner * unit * 0.35))
    down, right = np.gradient(np.asarray(soft, np.float32) / 255)
    slope = (down + 0.6 * right) * look.corner * unit
    return Image.fromarray(np.clip(slope * look.bevel * 2, -0.6, 0.4).astype(np.float32), "F")


def _cut(edges: Image.Image, drawn: Image.Image, look: Look, unit: int) -> Image.Image:
    """Returns the brightness of the edges, with the walls of pips and bar added where they are cut
    into the face."""
    unlike = np.abs(np.asarray(drawn, np.float32) - np.array(look.body, np.float32)).max(axis=2)
    holes = Image.fromarray(np.where(unlike > 30, 255, 0).astype(np.uint8))
    soft = np.asarray(holes.filter(ImageFilter.GaussianBlur(0.02 * unit)), np.float32) / 255
    down, right = np.gradient(soft)
    slope = -(down + 0.6 * right) * 0.1 * unit * look.recess
    return Image.fromarray(np.asarray(edges, np.float32) + np.clip(slope, -0.6, 0.5), "F")


def _worn(drawn: Image.Image, look: Look, tile: tuple[int, int], unit: int) -> Image.Image:
    """Returns the face after years of use: ink rubbed off in patches, fine scratches, a stain, grey
    edges."""
    random = np.random.default_rng((look.seed, *tile))
    wide, high = drawn.size
    coarse = Image.fromarray(random.random((9, 17), np.float32), "F")
    rubbed = np.asarray(coarse.resize(drawn.size, Image.Resampling.BICUBIC), np.float32)
    keeps = np.clip(1.25 - look.wear * (0.25 + 1.0 * rubbed), 0.25, 1)[..., None]
    body = np.array(look.body, np.float32)
    worn = body + (np.asarray(drawn, np.float32) - body) * keeps
    dirt = Image.new("L", drawn.size, 0)
    pen = ImageDraw.Draw(dirt)
    for _ in range(int(12 * look.wear)):
        x, y = random.uniform(0, wide), random.uniform(0, high)
        dx, dy = random.normal(0, 0.35 * unit, 2)
        pen.line((x, y, x + dx, y + dy), int(random.uniform(30, 110)), max(1, unit // 90))
    for _ in range(int(2 + 3 * look.wear)):
        x, y, far = (
            random.uniform(0, wide),
            random.uniform(0, high),
            random.uniform(0.03, 0.2) * unit,
        )
        pen.ellipse((x - far, y - far, x + far, y + far), int(random.uniform(10, 40)))
    shade = np.asarray(dirt.filter(ImageFilter.GaussianBlur(unit / 150)), np.float32)[..., None]
    stained = worn + (np.array((112, 96, 70), np.float32) - worn) * shade / 255
    return Image.fromarray(np.clip(stained, 0, 255).astype(np.uint8))
