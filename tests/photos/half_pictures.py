"""Pictures of halves of dominoes to train the second opinion with (train_halves.py): drawn from
formulas, a whole batch at once. Shares nothing with the photos by which the reader is measured.

A picture is one plane, 0 to 1, in which pips are dark, as marks.js makes it of a photo. It shows a
half with some of what lies around it. One unit is the width of a tile; x goes along the bar and y
away from it, so that the bar is near the picture's upper edge."""

from dataclasses import dataclass
from io import BytesIO
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Array = NDArray[Any]
Draw = np.random.Generator
Shape = tuple[tuple[int, int], ...]

SIZE: Final = 28
"""Pixels along each side of a picture, as in halves.js."""
SHOWS: Final = 1.3
"""The side of the area that a picture shows, in widths of a tile."""
NO_HALF: Final = 7
"""The class of pictures that show no half with 0 to 6 pips, or not clearly enough."""
CLASSES: Final = 8

_ONE: Final[Shape] = ((-1, -1), (1, 1))
_OTHER_DIAGONAL: Final[Shape] = ((-1, 1), (1, -1))
_FOUR: Final[Shape] = (*_ONE, *_OTHER_DIAGONAL)
_MIDDLE: Final[Shape] = ((0, 0),)
_ALONG: Final[Shape] = ((-1, 0), (1, 0))
_ACROSS: Final[Shape] = ((0, -1), (0, 1))
_SHAPES: Final[dict[int, list[Shape]]] = {
    0: [()],
    1: [_MIDDLE],
    2: [_ONE, _OTHER_DIAGONAL],
    3: [(*_ONE, *_MIDDLE), (*_OTHER_DIAGONAL, *_MIDDLE)],
    4: [_FOUR],
    5: [(*_FOUR, *_MIDDLE)],
    6: [(*_FOUR, *_ALONG), (*_FOUR, *_ALONG), (*_FOUR, *_ACROSS)],
}
"""The places of the pips of each number, in every way that sets show them."""
_NO_SHAPES: Final[list[Shape]] = [
    (*_FOUR, *_ALONG, *_MIDDLE),
    (*_FOUR, *_ALONG, *_ACROSS),
    (*_FOUR, *_ALONG, *_ACROSS, *_MIDDLE),
    _FOUR[:3],
    (*_FOUR[:3], *_MIDDLE),
    ((-1, -1), (0, 0)),
    ((1, 1), (0, 0)),
    ((-1, -1),),
    ((1, -1),),
    (*_FOUR[:3], *_ALONG),
    (*_FOUR, (-1, 0)),
    (*_ALONG, *_MIDDLE),
    (*_ONE, *_ALONG),
]
"""Patterns that no half of a double-six set shows: of larger sets, or with a hidden pip."""
_PLACES: Final = [(u, v) for v in (-1, 0, 1) for u in (-1, 0, 1)]

SHIFTED, GROUND, SCALED, TURNED, QUARTER, REVERSED, NO_NUMBER, HIDDEN = range(1, 9)
"""Why a picture shows no half: a half whose bar lies at its side or at its end is none either, as
the place between two tiles looks like a bar."""
_WHY: Final = (
    *(SHIFTED, REVERSED, GROUND) * 2,
    *(SHIFTED, QUARTER, SCALED, TURNED, NO_NUMBER, HIDDEN),
)


def _bits(shape: Shape) -> list[float]:
    return [float(place in shape) for place in _PLACES]


# ---------------------------------------------------------------- what tiles lie on


def grounds(random: Draw, many: int = 60, size: int = 320) -> Array:
    """Returns colour pictures of grounds: printed boards, text, maps, wood, cloth."""
    return np.stack([_ground(random, size) for _ in range(many)])


def _colour(random: Draw, low: int = 10, high: int = 250) -> tuple[int, int, int]:
    red, green, blue = (int(one) for one in random.integers(low, high, 3))
    return red, green, blue


def _ground(random: Draw, size: int) -> Array:
    kind = int(random.integers(0, 6))
    if kind == 0:
        picture: Array = np.ones((size, size, 3)) * np.array(_colour(random)) / 255
    elif kind == 1:
        picture = _wood(random, size)
    else:
        picture = _print(random, size, kind)
    grain = random.normal(0, random.choice([0.004, 0.02, 0.05]), (size, size, 1))
    clipped: Array = np.clip(picture + grain, 0, 1).astype(np.float32)
    return clipped


def _wood(random: Draw, size: int) -> Array:
    across = np.linspace(0, random.uniform(4, 20), size)[None, :]
    bend = np.cumsum(random.normal(0, 0.05, size))[:, None]
    rings = 0.5 + 0.5 * np.sin(across * 6 + bend)
    fibre = np.repeat(random.random((1, size)), size, 0) * 0.4
    low, high = np.array(_colour(random, 20, 120)) / 255, np.array(_colour(random, 100, 240)) / 255
    wood: Array = low + (high - low) * (0.6 * rings + fibre)[..., None]
    return wood


def _print(random: Draw, size: int, kind: int) -> Array:
    sheet = Image.new("RGB", (size, size), _colour(random, 90, 255))
    pen, cell = ImageDraw.Draw(sheet), int(random.integers(16, 90))
    if kind in (2, 3):
        palette = [_colour(random) for _ in range(5)]
        for x in range(0, size, cell):
            for y in range(0, size, cell):
                fill = palette[int(random.integers(5))] if random.random() < 0.7 else None
                rim = _colour(random, 0, 120) if random.random() < 0.6 else None
                pen.rectangle((x, y, x + cell, y + cell), fill, rim, int(random.integers(1, 4)))
    if kind in (3, 4):
        font = ImageFont.load_default(float(random.uniform(9, 40)))
        for y in range(0, size, cell):
            words = "".join(chr(int(one)) for one in random.integers(33, 122, 40))
            pen.text((random.uniform(-40, 90), y), words, _colour(random, 0, 160), font)
    for _ in range(int(random.integers(10, 90))):
        _thing(random, pen, size)
    if kind == 5:
        dot, step, colour = random.uniform(0.1, 0.4) * cell, max(8, cell // 2), _colour(random)
        for x in range(0, size, step):
            for y in range(0, size, step):
                pen.ellipse((x, y, x + dot, y + dot), colour)
    turned = sheet.rotate(float(random.uniform(0, 90)), Image.Resampling.BICUBIC)
    edge = size // 6
    inner = turned.crop((edge, edge, size - edge, size - edge))
    return np.asarray(inner.resize((size, size), Image.Resampling.BICUBIC), np.float32) / 255


def _thing(random: Draw, pen: ImageDraw.ImageDraw, size: int) -> None:
    """Draws a dot, a field or a stroke, as boards have them."""
    (x, y), (long, wide) = random.uniform(0, size, 2), random.uniform(2, 26, 2)
    colour, shape = _colour(random, 0, 255), int(random.integers(0, 4))
    if shape == 0:
        pen.ellipse((x - wide, y - wide, x + wide, y + wide), colour, _colour(random, 0, 90), 2)
    elif shape == 1:
        pen.rectangle((x - wide, y - 1, x + wide, y + long / 4), colour)
    elif shape == 2:
        to = random.uniform(0, size, 2)
        pen.line((x, y, to[0], to[1]), colour, int(random.integers(1, 7)))
    else:
        pen.ellipse((x - wide / 4, y - wide / 4, x + wide / 4, y + wide / 4), colour)


# ---------------------------------------------------------------- tiles


@dataclass
class _Set:
    """The look of the tiles in each picture: each attribute is a column with one number for each
    picture."""

    body: Array
    ink: Array
    length: Array
    corner: Array
    pitch_x: Array
    pitch_y: Array
    radius: Array
    bar: Array
    bar_long: Array
    bar_wide: Array
    pin: Array
    bevel: Array
    drilled: Array
    hollow: Array
    rim: Array
    light: Array
    soft: Array


def _from(random: Draw, low: float, high: float, many: int) -> Array:
    return random.uniform(low, high, (many, 1)).astype(np.float32)


def _randomly_zeroed(random: Draw, chance: float, values: Array) -> Array:
    """Returns these values, some of them randomly replaced with zero."""
    return values * (random.random(values.shape) < chance)


def _sets(random: Draw, many: int) -> tuple[_Set, Array]:
    """Returns the look of the tiles in each picture, and which pictures have light pips."""
    inverse = random.random((many, 1)) < 0.25
    body = np.where(inverse, _from(random, 0.03, 0.3, many), _from(random, 0.5, 0.98, many))
    dark, worn = body * _from(random, 0.05, 0.3, many), body * _from(random, 0.3, 0.72, many)
    ink = np.where(random.random((many, 1)) < 0.78, dark, worn)
    ink = np.where(inverse, np.minimum(1, body + _from(random, 0.35, 0.8, many)), ink)
    pitch = _from(random, 0.225, 0.3, many)
    made = _Set(
        body=body,
        ink=ink,
        length=_from(random, 1.88, 2.14, many),
        corner=_from(random, 0.02, 0.2, many),
        pitch_x=pitch * _from(random, 0.94, 1.06, many),
        pitch_y=pitch,
        radius=np.minimum(_from(random, 0.06, 0.125, many), pitch * 0.44),
        bar=ink + (body - ink) * _randomly_zeroed(random, 0.4, _from(random, 0.0, 0.6, many)),
        bar_long=_from(random, 0.5, 1.04, many),
        bar_wide=_randomly_zeroed(random, 0.93, _from(random, 0.014, 0.065, many)),
        pin=_randomly_zeroed(random, 0.3, _from(random, 0.05, 0.13, many)),
        bevel=_from(random, 0, 0.5, many),
        drilled=_randomly_zeroed(random, 0.5, _from(random, 0.1, 0.7, many)),
        hollow=_randomly_zeroed(random, 0.25, _from(random, 0.15, 0.65, many)),
        rim=_randomly_zeroed(random, 0.25, _from(random, -0.35, 0.35, many)),
        light=_from(random, 0, 2 * np.pi, many),
        soft=_from(random, 0.014, 0.05, many),
    )
    return made, inverse


def _covers(distance: Array, soft: Array | float) -> Array:
    """Returns the fraction of a pixel that is inside a shape, from the pixel's distance to its
    edge."""
    inside: Array = np.clip(0.5 - distance / (2 * soft), 0, 1)
    return inside


def _box(x: Array, y: Array, wide: Array, high: Array, corner: Array) -> Array:
    """Returns the distance from a box with rounded corners; negative inside."""
    across, down = np.abs(x) - wide / 2 + corner, np.abs(y) - high / 2 + corner
    outside = np.hypot(np.maximum(across, 0), np.maximum(down, 0))
    distance: Array = outside + np.minimum(np.maximum(across, down), 0) - corner
    return distance


def _lay(  # noqa: PLR0917
    canvas: Array, x: Array, y: Array, look: _Set, bits: Array, lies: Array, side: Array
) -> Array:
    """The canvas with a tile on it. `x` and `y` are the tile's own coordinates, its bar at y = 0;
    `bits` are its 18 places; `lies` is 0 where there is none; `side` is how far its side shows."""
    one = np.ones_like(look.body)
    sun_x, sun_y = np.cos(look.light), np.sin(look.light)
    dark = _box(x + sun_x * 0.1, y + sun_y * 0.1, one, look.length, look.corner)
    canvas = canvas * (1 - 0.45 * _covers(dark, 0.12) * lies)
    for step in (1.0, 0.5):
        below = _box(x - side[0] * step, y - side[1] * step, one, look.length, look.corner)
        canvas = canvas + (look.body * 0.62 - canvas) * _covers(below, look.soft) * lies
    distance = _box(x, y, one, look.length, look.corner)
    slope = (sun_x * x + sun_y * y / 2) * np.clip(1 + distance / 0.07, 0, 1)
    face = look.body * np.clip(1 + 1.4 * look.bevel * slope, 0.4, 1.3)
    stroke = _box(x, y, look.bar_long, look.bar_wide, one * 0)
    face = face + (look.bar - face) * _covers(stroke, look.soft * 0.7) * (look.bar_wide > 0)
    far, has_pin = np.hypot(x, y), look.pin > 0
    face = face * (1 - 0.5 * _covers(np.abs(far - look.pin) - 0.012, look.soft) * has_pin)
    brass = look.body * 0.62 + 1.2 * y * look.body
    face = face + (brass - face) * _covers(far - look.pin * 0.9, look.soft) * has_pin
    face = _pips(face, x, y, look, bits)
    laid: Array = canvas + (face - canvas) * _covers(distance, look.soft) * lies
    return laid


def _pips(face: Array, x: Array, y: Array, look: _Set, bits: Array) -> Array:
    """The face with its pips: flat, drilled, with a lit rim, or hollowed by glare."""
    side = np.where(y < 0, -1.0, 1.0)
    middle = side * look.length / 4
    u = np.clip(np.round(x / look.pitch_x), -1, 1)
    v = np.clip(np.round((y - middle) / look.pitch_y), -1, 1)
    place = (v * 3 + u + 4 + np.where(side > 0, 9, 0)).astype(np.int64)
    here = np.take_along_axis(bits, place, 1)
    dx, dy = x - u * look.pitch_x, y - middle - v * look.pitch_y
    far = np.hypot(dx, dy)
    lit = (np.cos(look.light) * dx + np.sin(look.light) * dy) / look.radius
    ink = look.ink * (1 - look.drilled * np.clip(lit, -1, 1))
    ink = ink + 0.25 * look.drilled * look.body * np.clip(-lit - 0.4, 0, 1)
    face = face + (ink - face) * _covers(far - look.radius, look.soft) * here
    inner = np.hypot(dx + 0.1 * look.radius, dy) - look.radius * look.hollow
    shine = _covers(inner, look.soft) * here * (look.hollow > 0)
    face = face + (look.body * 1.02 - face) * shine
    ring = _covers(np.abs(far - look.radius * 1.12) - 0.014, look.soft)
    rimmed: Array = face * (1 + look.rim * ring * lit * here)
    return rimmed


# ---------------------------------------------------------------- pictures


def pictures(random: Draw, many: int, ground: Array) -> tuple[Array, Array]:
    """Returns this many pictures, and the class of each."""
    label = np.minimum(random.integers(0, CLASSES + 2, many), NO_HALF)
    why = np.where(label == NO_HALF, random.choice(_WHY, many), 0)
    look, inverse = _sets(random, many)
    x, y = _seen_from(random, why)
    canvas = _under(random, many, ground, inverse)
    side = random.normal(0, 0.09, (2, many, 1)) * (random.random((many, 1)) < 0.6)
    canvas = _neighbours(random, canvas, (x, y), look, side)
    lies = (why != GROUND)[:, None]
    canvas = _lay(canvas, x, y + look.length / 4, look, _numbers(random, label, why), lies, side)
    canvas = _covered(random, canvas, why, ground)
    return _photographed(random, canvas, inverse), label


def _pixels() -> tuple[Array, Array]:
    """The coordinates of a picture's pixels from its middle."""
    step = (np.arange(SIZE) + 0.5) / SIZE * SHOWS - SHOWS / 2
    x, y = np.meshgrid(step, step)
    return x.reshape(1, -1), y.reshape(1, -1)


def _seen_from(random: Draw, why: Array) -> tuple[Array, Array]:
    """Returns the place of each pixel relative to the middle of the half, as the reader would
    sample it: nearly centred, except for some of the pictures without a half."""
    many = len(why)
    px, py = _pixels()
    loose = random.choice([0.5, 1.0, 1.6], (many, 1))
    turn = random.normal(0, 0.035, (many, 1)) * loose
    size = np.exp(random.normal(0, 0.03, (many, 1)) * loose)
    skew = random.normal(0, 0.03, (many, 1)) * loose
    dx, dy = random.normal(0, 0.028, (2, many, 1)) * loose
    far, way = _from(random, 0.24, 0.8, many), _from(random, 0, 2 * np.pi, many)
    straight = np.round(way / (np.pi / 2)) * np.pi / 2
    way = np.where(random.random((many, 1)) < 0.6, straight, way)
    shifted = (why == SHIFTED)[:, None]
    dx, dy = np.where(shifted, far * np.cos(way), dx), np.where(shifted, far * np.sin(way), dy)
    smaller, larger = _from(random, 0.5, 0.72, many), _from(random, 1.35, 2, many)
    scaled = np.where(random.random((many, 1)) < 0.5, smaller, larger)
    size = np.where((why == SCALED)[:, None], scaled, size)
    turn = np.where((why == TURNED)[:, None], _from(random, 0.35, 1.2, many), turn)
    quarter = random.choice([-np.pi / 2, np.pi / 2], (many, 1))
    turn = turn + np.where((why == QUARTER)[:, None], quarter, 0)
    turn = turn + np.where((why == REVERSED)[:, None], np.pi, 0)
    bend = random.normal(0, 0.05, (2, many, 1))
    w = 1 + bend[0] * px + bend[1] * py
    px, py = px / w, py / w
    x = size * (np.cos(turn) * px - np.sin(turn) * py + skew * py) + dx
    y = size * (np.sin(turn) * px + np.cos(turn) * py) + dy
    return x.astype(np.float32), y.astype(np.float32)


def _numbers(random: Draw, label: Array, why: Array) -> Array:
    """Returns the 18 pip positions of each tile, with 1 for a full pip: nine of the other half,
    then nine of its own. As in a worn set, pips differ in strength."""
    many = len(label)
    bits = np.zeros((many, 18), np.float32)
    for at in range(many):
        other, own = _SHAPES[int(random.integers(0, 7))], _SHAPES.get(int(label[at]))
        if own is None:
            own = _NO_SHAPES if why[at] == NO_NUMBER else _SHAPES[int(random.integers(0, 7))]
        bits[at, :9] = _bits(other[int(random.integers(len(other)))])
        bits[at, 9:] = _bits(own[int(random.integers(len(own)))])
    least = np.where(random.random((many, 1)) < 0.3, 0.45, 0.1)
    return (bits * (1 - random.random((many, 18)) * least)).astype(np.float32)


def _neighbours(
    random: Draw, canvas: Array, seen: tuple[Array, Array], look: _Set, side: Array
) -> Array:
    """Adds the tiles around it: at its end and on either side, parallel or crosswise."""
    many = len(canvas)
    for place in (-1, 0, 1):
        across = random.random((many, 1)) < 0.5
        gap = _randomly_zeroed(random, 0.6, _from(random, 0, 0.12, many)) + 0.004
        slip = _randomly_zeroed(random, 0.6, _from(random, -1, 1, many))
        reach = 0.5 + gap + np.where(across == (place == 0), 0.5, look.length / 2)
        x = seen[0] - place * reach - (slip * 0.5 if place == 0 else 0)
        y = seen[1] - (reach if place == 0 else slip - look.length / 4)
        turn = random.normal(0, 0.03, (many, 1)) + np.where(across, np.pi / 2, 0)
        own_x, own_y = np.cos(turn) * x + np.sin(turn) * y, np.cos(turn) * y - np.sin(turn) * x
        bits = _numbers(random, random.integers(0, 7, many), np.zeros(many))
        lies = random.random((many, 1)) < 0.5
        canvas = _lay(canvas, own_x, own_y, look, bits, lies, side)
    return canvas


def _under(random: Draw, many: int, ground: Array, inverse: Array) -> Array:
    """Returns random parts of the grounds as one plane: the darkest of the three colours or, for
    light pips, the lightest."""
    size = ground.shape[1]
    which, turn = random.integers(0, len(ground), (many, 1)), _from(random, 0, 2 * np.pi, many)
    zoom = np.exp(_from(random, np.log(0.5), np.log(4), many)) * SIZE / SHOWS
    px, py = _pixels()
    x, y = random.uniform(60, size - 60, (2, many, 1))
    x = x + zoom * (np.cos(turn) * px - np.sin(turn) * py)
    y = y + zoom * (np.sin(turn) * px + np.cos(turn) * py)
    across, down = (np.clip(one, 0, size - 1).astype(np.int64) for one in (x, y))
    seen = ground[which, down, across]
    plane: Array = np.where(inverse, seen.max(-1), seen.min(-1))
    return (plane * _from(random, 0.5, 1.1, many)).astype(np.float32)


def _covered(random: Draw, canvas: Array, why: Array, ground: Array) -> Array:
    """Returns the canvas with objects that may cover a half: a finger or a chip; crumbs and
    scratches, which hide no pip."""
    many = len(canvas)
    px, py = _pixels()
    way, near = _from(random, 0, 2 * np.pi, many), _from(random, -0.15, 0.2, many)
    hidden = (np.cos(way) * px + np.sin(way) * py > near) & (why == HIDDEN)[:, None]
    over = _under(random, many, ground, np.zeros((many, 1), bool))
    canvas = np.where(hidden, over, canvas)
    for _ in range(3):
        at, turn = random.uniform(-0.55, 0.55, (2, many, 1)), _from(random, 0, np.pi, many)
        dx, dy = px - at[0], py - at[1]
        along = np.cos(turn) * dx + np.sin(turn) * dy
        away = np.cos(turn) * dy - np.sin(turn) * dx
        thin, long = _from(random, 0.016, 0.04, many), _from(random, 0.1, 0.8, many)
        long = np.where(random.random((many, 1)) < 0.6, thin, long)
        crumb = _randomly_zeroed(
            random, 0.25, _covers(_box(along, away, long, thin, thin * 0), 0.02)
        )
        canvas = canvas * (1 + crumb * _from(random, -0.5, 0.3, many))
    return canvas


def _photographed(random: Draw, canvas: Array, inverse: Array) -> Array:
    """Returns the pictures as a phone takes them: lit unevenly, with shadows, glare, blur, noise
    and JPEG artefacts; those with light pips are inverted."""
    many = len(canvas)
    px, py = (one / SHOWS * 2 for one in _pixels())
    way = _from(random, 0, 2 * np.pi, many)
    across = np.cos(way) * px + np.sin(way) * py
    light = _from(random, 0.45, 1.08, many) * (1 + _from(random, 0, 0.2, many) * across)
    edge = (across - _from(random, -0.9, 0.9, many)) / _from(random, 0.02, 0.6, many)
    shade = np.clip(edge + 0.5, 0, 1) * _randomly_zeroed(
        random, 0.25, _from(random, 0.2, 0.7, many)
    )
    x, y = random.uniform(-1.2, 1.2, (2, many, 1))
    spot = np.exp(-((px - x) ** 2 + (py - y) ** 2) / _from(random, 0.1, 2, many))
    glare = spot * _randomly_zeroed(random, 0.25, _from(random, 0.1, 0.7, many))
    square = (canvas * light * (1 - shade) + glare).reshape(many, SIZE, SIZE)
    blur = _randomly_zeroed(random, 0.6, random.uniform(0, 0.28, (many, 1, 1)))
    for axis in (1, 2, 1, 2):
        aside = np.roll(square, 1, axis) + np.roll(square, -1, axis)
        square = square * (1 - blur) + blur / 2 * aside
    noise = _randomly_zeroed(random, 0.7, random.uniform(0, 0.06, (many, 1, 1)))
    square = np.clip(square + random.normal(0, 1, square.shape) * noise, 0, 1)
    square = _packed(random, square)
    return np.where(inverse[..., None], 1 - square, square).astype(np.float32)


def _packed(random: Draw, square: Array) -> Array:
    """Returns these pictures, the first half of them after JPEG compression."""
    many = len(square) // 2
    sheet = Image.fromarray((square[:many].reshape(-1, SIZE) * 255).astype(np.uint8))
    packed = BytesIO()
    sheet.save(packed, "JPEG", quality=int(random.integers(35, 92)))
    back = np.asarray(Image.open(packed), np.float32) / 255
    return np.concatenate([back.reshape(many, SIZE, SIZE), square[many:]])


def normalised(made: Array) -> Array:
    """Returns the pictures as the network gets them: brightness relative to that of the half's
    body, which is the most frequent brightness in the half."""
    inner = np.sort(made[:, 4:-4, 4:-4].reshape(len(made), -1), axis=1)
    body = inner[:, int(inner.shape[1] * 0.6)][:, None, None]
    clipped: Array = np.clip((made - body) / (0.5 * body + 0.08), -2, 2)
    return clipped.astype(np.float32)
