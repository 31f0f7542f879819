"""Other objects on a table: a keyboard at the edge, hands, cards, phones, chips, a score pad. Each
is drawn as a picture with transparent surroundings, in units of a tile's width."""

from collections.abc import Callable
from math import cos, sin
from typing import Final

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from tests.photos.looks import Colour
from tests.photos.printed import BRIGHT, lettering, words
from tests.photos.tables import Draw

Picture = Image.Image
CLEAR: Final = (0, 0, 0, 0)


def _empty(wide: float, high: float, unit: float) -> tuple[Picture, ImageDraw.ImageDraw]:
    made = Image.new("RGBA", (round(wide * unit), round(high * unit)), CLEAR)
    return made, ImageDraw.Draw(made)


def keyboard(random: Draw, unit: float) -> Picture:
    key, rows, columns = 0.85, 5, 14
    made, pen = _empty(columns * key + 0.5, rows * key + 0.5, unit)
    dark = random.random() < 0.6
    body, cap, ink = (
        ((26, 26, 28), (44, 44, 48), (224, 224, 224))
        if dark
        else ((196, 198, 202), (240, 240, 240), (50, 50, 54))
    )
    pen.rounded_rectangle((0, 0, made.width - 1, made.height - 1), 0.2 * unit, body)
    letters = "1234567890-=QWERTYUIOPASDFGHJKLZXCVBNM,./[]"
    for row in range(rows):
        x = 0.25 + (0.25 * row if row < 4 else 0)
        while x < columns * key:
            wide = 4.2 * key if row == 4 and 3 < x < 4.5 else key
            place = (
                x * unit,
                (0.27 + row * key) * unit,
                (x + wide - 0.1) * unit,
                (0.17 + (row + 1) * key) * unit,
            )
            if place[2] > made.width - 0.2 * unit:
                break
            pen.rounded_rectangle(place, 0.1 * unit, cap)
            if wide == key:
                text = letters[int(random.integers(len(letters)))]
                pen.text(
                    (place[0] + 0.15 * unit, place[1] + 0.12 * unit),
                    text,
                    ink,
                    lettering(round(0.3 * unit)),
                )
            x += wide
    return made


SKINS: Final = ((236, 190, 160), (210, 160, 124), (160, 108, 76), (96, 64, 46), (246, 208, 184))


def hand(random: Draw, unit: float) -> Picture:
    """A hand with its sleeve, fingers towards the left."""
    made, _ = _empty(13, 6, unit)
    skin = SKINS[int(random.integers(len(SKINS)))]
    sleeve = BRIGHT[int(random.integers(len(BRIGHT)))] if random.random() < 0.5 else (50, 54, 70)
    covers = Image.new("L", made.size, 0)
    pen = ImageDraw.Draw(covers)

    def limb(x: float, y: float, angle: float, long: float, thick: float) -> None:
        steps = max(2, int(long * 12))
        for step in range(steps + 1):
            along = long * step / steps
            px, py = (x - cos(angle) * along) * unit, (y - sin(angle) * along) * unit
            far = thick * (1 - 0.25 * step / steps) / 2 * unit
            pen.ellipse((px - far, py - far, px + far, py + far), 255)

    limb(9.0, 3.0, 0, 2.6, 2.9)
    bend = random.uniform(-0.1, 0.25)
    for number, (y, long) in enumerate(((1.9, 2.6), (2.6, 3.0), (3.3, 2.8), (4.0, 2.1))):
        limb(6.6, y, 0.09 * (1.5 - number) + bend * random.uniform(0.3, 1), long, 0.82)
    limb(7.8, 4.1, -0.75, 2.4, 0.95)
    limb(13, 3.0, 0, 3.5, 2.3)
    deep = np.asarray(covers.filter(ImageFilter.GaussianBlur(0.35 * unit)), np.float32) / 255
    rough = random.normal(0, 0.015, deep.shape)
    lit = np.clip(0.5 + 0.62 * deep + rough, 0, 1.15)[..., None] * np.array(skin, np.float32)
    drawn = Image.fromarray(np.clip(lit, 0, 255).astype(np.uint8))
    made.paste(drawn, (0, 0), covers)
    cuff = Image.new("L", made.size, 0)
    ImageDraw.Draw(cuff).rectangle((10.6 * unit, 0.9 * unit, 13 * unit, 5.1 * unit), 255)
    stripes = (0.8 + 0.2 * np.sin(np.arange(made.width) / unit * 9))[None, :, None] * np.ones(
        (made.height, 1, 1)
    )
    cloth = Image.fromarray((stripes * np.array(sleeve)).astype(np.uint8))
    made.paste(cloth, (0, 0), cuff)
    return made


def card(random: Draw, unit: float) -> Picture:
    """A playing card, face up or down."""
    wide, high = 2.6, 3.7
    made, pen = _empty(wide, high, unit)
    edge = (0, 0, made.width - 1, made.height - 1)
    pen.rounded_rectangle(edge, 0.18 * unit, (250, 249, 244), (150, 150, 146))
    if random.random() < 0.25:
        inner = (0.18 * unit, 0.18 * unit, made.width - 0.18 * unit, made.height - 0.18 * unit)
        pen.rectangle(inner, BRIGHT[int(random.integers(2))])
        for at in range(12):
            y = (0.2 + at * 0.29) * unit
            pen.line((0.2 * unit, y, made.width - 0.2 * unit, y + 0.25 * unit), (240, 240, 240), 1)
        return made
    ink: Colour = (190, 24, 34) if random.random() < 0.5 else (22, 22, 26)
    many = int(random.integers(1, 11))
    rows = {1: 1, 2: 2, 3: 3}.get(many, (many + 1) // 2)
    for at in range(many):
        column = 0.5 if many <= 3 else (0.32 if at % 2 else 0.68)
        row = (at if many <= 3 else at // 2) + 0.5
        _suit(pen, column * wide * unit, (0.14 + 0.72 * row / rows) * high * unit, 0.2 * unit, ink)
    for x, y in ((0.12, 0.1), (wide - 0.42, high - 0.5)):
        pen.text(
            (x * unit, y * unit), str(many) if many > 1 else "A", ink, lettering(round(0.4 * unit))
        )
    return made


def _suit(pen: ImageDraw.ImageDraw, x: float, y: float, far: float, ink: Colour) -> None:
    """A heart or, turned around, a spade: two discs and a triangle."""
    way = 1 if ink[0] > 100 else -1
    for side in (-1, 1):
        cx, cy, r = x + side * far * 0.45, y - way * far * 0.25, far * 0.55
        pen.ellipse((cx - r, cy - r, cx + r, cy + r), ink)
    pen.polygon(
        [(x - far, y - way * far * 0.1), (x + far, y - way * far * 0.1), (x, y + way * far)], ink
    )


def phone(random: Draw, unit: float) -> Picture:
    """A phone with its screen on, full of icons or a list, or dark."""
    made, pen = _empty(3.1, 6.4, unit)
    pen.rounded_rectangle(
        (0, 0, made.width - 1, made.height - 1),
        0.45 * unit,
        (18, 18, 20),
        (90, 90, 94),
        max(1, round(0.05 * unit)),
    )
    screen = (0.14 * unit, 0.2 * unit, made.width - 0.14 * unit, made.height - 0.2 * unit)
    kind = random.random()
    light = (40, 60, 110) if kind < 0.4 else (244, 244, 246)
    if kind > 0.8:
        return made
    pen.rounded_rectangle(screen, 0.35 * unit, light)
    if kind < 0.4:
        for row in range(6):
            for column in range(4):
                x, y = (0.3 + column * 0.66) * unit, (0.6 + row * 0.85) * unit
                fill = BRIGHT[int(random.integers(len(BRIGHT)))]
                pen.rounded_rectangle((x, y, x + 0.5 * unit, y + 0.5 * unit), 0.12 * unit, fill)
    else:
        for row in range(11):
            text = words(random, 3)[:16]
            pen.text(
                (0.35 * unit, (0.5 + row * 0.5) * unit),
                text,
                (30, 30, 34),
                lettering(max(4, round(0.28 * unit))),
            )
    return made


def chips(random: Draw, unit: float) -> Picture:
    """Some chips in one or more colours, flat or in low stacks."""
    made, pen = _empty(5, 5, unit)
    for _ in range(int(random.integers(2, 8))):
        x, y = (float(one) for one in random.uniform(0.8, 4.2, 2) * unit)
        far, fill = 0.72 * unit, BRIGHT[int(random.integers(len(BRIGHT)))]
        for up in range(int(random.integers(1, 4)), 0, -1):
            cy = y + 0.08 * up * unit
            pen.ellipse((x - far, cy - far, x + far, cy + far), fill, (60, 60, 60))
        for at in range(6):
            pen.pieslice(
                (x - far, y - far, x + far, y + far), at * 60, at * 60 + 18, (244, 244, 240)
            )
        near = far * 0.72
        pen.ellipse(
            (x - near, y - near, x + near, y + near),
            fill,
            (244, 244, 240),
            max(1, round(0.04 * unit)),
        )
        pen.text(
            (x - 0.3 * unit, y - 0.22 * unit),
            random.choice(["5", "10", "25"]),
            (244, 244, 240),
            lettering(max(4, round(0.4 * unit))),
        )
    return made


def pad(random: Draw, unit: float) -> Picture:
    """A lined pad with points written on it, and a pencil across."""
    made, pen = _empty(6, 8, unit)
    pen.rectangle((0.5 * unit, 0, 5.5 * unit, made.height), (250, 248, 236), (170, 170, 160))
    for row in range(15):
        y = (0.9 + row * 0.5) * unit
        pen.line((0.5 * unit, y, 5.5 * unit, y), (150, 180, 214), 1)
    pen.line((3 * unit, 0, 3 * unit, made.height), (30, 40, 120), max(1, round(0.04 * unit)))
    for row in range(int(random.integers(3, 13))):
        for x in (1.0, 3.5):
            text = str(int(random.integers(0, 40)) * 5)
            pen.text(
                (x * unit, (0.95 + row * 0.5) * unit),
                text,
                (30, 36, 110),
                lettering(max(4, round(0.42 * unit))),
            )
    angle = random.uniform(-0.5, 0.5)
    x0, y0 = 0.1, 4 - 2.5 * sin(angle) * 2
    x1, y1 = x0 + 5.8 * cos(angle), y0 + 5.8 * sin(angle)
    pen.line((x0 * unit, y0 * unit, x1 * unit, y1 * unit), (222, 176, 40), round(0.28 * unit))
    pen.line(
        (x0 * unit, y0 * unit, (x0 + 0.35) * unit, y0 * unit + 0.35 * (y1 - y0) / 5.8 * unit),
        (40, 36, 34),
        round(0.2 * unit),
    )
    return made


THINGS: Final[dict[str, Callable[[Draw, float], Picture]]] = {
    "keyboard": keyboard,
    "hand": hand,
    "card": card,
    "phone": phone,
    "chips": chips,
    "pad": pad,
}


def scattered(
    ground: Picture, taken: Picture, kinds: list[str], random: Draw, unit: float
) -> Picture:
    """Returns the ground with these things on it, and their shadows, each where `taken` (a mask of
    the tiles) is free. Things without room are left out."""
    made, full = ground.copy(), taken.copy()
    for kind in kinds:
        thing = THINGS[kind](random, unit).rotate(
            float(random.uniform(0, 360)), Image.Resampling.BICUBIC, expand=True
        )
        covers = thing.getchannel("A")
        for _ in range(40):
            x = int(random.uniform(-0.6 * thing.width, made.width - 0.4 * thing.width))
            y = int(random.uniform(-0.6 * thing.height, made.height - 0.4 * thing.height))
            place = (x, y, x + thing.width, y + thing.height)
            if not ImageChops.multiply(full.crop(place), covers).getbbox():
                shade = Image.new("L", made.size, 0)
                shade.paste(
                    covers.point(lambda value: value * 0.55),
                    (x + round(0.12 * unit), y + round(0.15 * unit)),
                )
                soft = shade.filter(ImageFilter.GaussianBlur(0.12 * unit))
                made.paste((0, 0, 0), (0, 0), soft)
                made.paste(thing, (x, y), thing)
                full.paste(255, (x, y), covers)
                break
    return made
