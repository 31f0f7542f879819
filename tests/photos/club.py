"""The photos that the reader is measured on: lines of play on each kind of ground, in each light,
with each kind of set. A photo's ground, light and number decide everything else about it.

`python -m tests.photos.club FOLDER [--set tune|aside] [--many N] [--ground G] [--light L]`"""

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.photos.camera import Conditions
from tests.photos.layouts import legal_line, line, turned
from tests.photos.looks import RAINBOW, Colour, Look
from tests.photos.make import SETS as NUMBERS
from tests.photos.make import Scene, save
from tests.photos.things import THINGS

GROUNDS: Final = (
    "plain", "wood", "checks", "board", "map", "text", "newspaper", "things", "game-board",
)  # fmt: skip
"""The grounds below the tiles (printed.py, boards.py); “things” is a plain or wooden table with
many objects on it."""
SETS: Final = ("ivory", "black", "coloured", "brass", "engraved", "worn", "small")

IVORY: Final[tuple[Colour, ...]] = (
    (238, 234, 222), (250, 250, 248), (228, 214, 180), (246, 240, 226), (234, 226, 204),
)  # fmt: skip
BLACK: Final[tuple[Colour, ...]] = ((30, 30, 32), (44, 36, 34), (22, 24, 40), (56, 26, 28))
INK: Final[tuple[Colour, ...]] = ((25, 25, 28), (40, 34, 36), (20, 24, 44))
BRASS: Final[tuple[Colour, ...]] = ((176, 140, 66), (200, 170, 96), (150, 112, 60), (168, 168, 164))


def look_of(random: Random, kind: str) -> Look:
    """Returns the look of a set of that kind."""
    ink = random.choice(INK)
    shape: dict[str, Any] = {
        "pips": (ink,) * 7,
        "bar": tuple(min(255, part + random.randint(0, 60)) for part in ink),
        "bar_length": random.uniform(0.6, 0.94),
        "bar_width": random.uniform(0.02, 0.055),
        "pitch": random.uniform(0.24, 0.3),
        "radius": random.uniform(0.07, 0.11),
        "corner": random.uniform(0.05, 0.2),
        "length": random.uniform(1.92, 2.1),
        "height": random.uniform(0.2, 0.45),
        "bevel": random.uniform(0.1, 0.5),
        "recess": random.choice([0.0, random.uniform(0.2, 0.6)]),
        "seed": random.randrange(1 << 30),
    }
    look = Look(body=random.choice(IVORY), **shape)
    match kind:
        case "black":
            pips: Colour = random.choice([(238, 236, 230), (224, 214, 180), (250, 250, 250)])
            look = replace(look, body=random.choice(BLACK), pips=(pips,) * 7, bar=pips)
        case "coloured":
            colours = [RAINBOW[0], *random.sample(RAINBOW[1:], 6)]
            look = replace(look, pips=tuple(colours), bar=random.choice(colours))
        case "brass":
            look = replace(look, pin=random.uniform(0.07, 0.14), pin_colour=random.choice(BRASS))
        case "engraved":
            look = replace(
                look, recess=random.uniform(0.7, 1.0), bar_width=random.uniform(0.03, 0.07)
            )
        case "worn":
            look = replace(look, wear=random.uniform(0.4, 0.9), body=random.choice(IVORY[2:]))
    return look


def _clear(random: Random) -> Conditions:
    """Returns the conditions of a careful photo: by day or lamplight, from nearly above."""
    return Conditions(
        tilt=random.uniform(0, 16),
        roll=random.gauss(0, 5),
        fills=random.uniform(0.66, 0.94),
        light=random.uniform(0.75, 1.05),
        warmth=random.choice([0.0, random.uniform(-0.4, 0.3), random.uniform(0.4, 1)]),
        uneven=random.uniform(0, 0.3),
        blur=random.uniform(0.4, 0.9),
        noise=random.uniform(0.004, 0.018),
        smear=random.uniform(0, 0.5),
        sharpened=random.uniform(0, 0.6),
        gloss=random.choice([0.05, 0.2, 0.5]),
        jpeg=random.randint(76, 94),
    )


Change = Callable[[Random, Conditions], Conditions]


def _phone(random: Random, how: Conditions) -> Conditions:
    """Returns the conditions of a phone with a wide lens that processes pictures strongly; pips
    shine a little."""
    return replace(
        how,
        bent=random.choice([random.uniform(-0.06, 0.06), random.uniform(0.06, 0.14)]),
        tint=random.uniform(-1, 1),
        halo=random.uniform(0.3, 1),
        sharpened=random.uniform(0.5, 1),
        smear=random.uniform(0.3, 0.9),
        hollow=random.choice([0.0, random.uniform(0.2, 0.4)]),
        mirrored=random.choice([0.0, random.uniform(0.1, 0.3)]),
        fills=how.fills * 0.92,
    )


def _shadow(random: Random, how: Conditions) -> Conditions:
    if random.random() < 0.6:
        return replace(how, leans=random.uniform(0.35, 0.65))
    return replace(how, shadow=random.uniform(0.4, 0.65))


def _blur(random: Random, how: Conditions) -> Conditions:
    return replace(how, blur=random.uniform(1.2, 2.1), motion=random.uniform(0, 3.5))


LIGHTS: Final[dict[str, Change]] = {
    "clear": lambda _, how: how,
    "glare": lambda random, how: replace(
        how, mirrored=random.uniform(0.5, 1.0), light=random.uniform(0.6, 0.85)
    ),
    "shadow": _shadow,
    "dim": lambda random, how: replace(
        how,
        light=random.uniform(0.3, 0.55),
        warmth=random.uniform(0.3, 1),
        noise=random.uniform(0.025, 0.055),
        smear=random.uniform(0.3, 0.8),
        blur=random.uniform(0.7, 1.2),
    ),
    "blur": _blur,
    "jpeg": lambda random, how: replace(
        how,
        size=random.choice([(1280, 960), (1600, 1200), (1024, 768)]),
        jpeg=random.randint(28, 50),
    ),
    "tilt": lambda random, how: replace(how, tilt=random.uniform(24, 38)),
    "phone": _phone,
}
"""The lights, and what turns a clear photo into one in each."""


def scene(ground: str, light: str, number: int, set_: str | None = None) -> Scene:
    """Returns a line of play on that ground in that light. The kind of set follows from the number
    unless it is given."""
    random = Random(f"{ground} {light} {number}")
    at = GROUNDS.index(ground) + 3 * [*LIGHTS].index(light) + number
    kind = set_ or SETS[at % len(SETS)]
    look, how = look_of(random, kind), LIGHTS[light](random, _clear(random))
    if ground == "things":
        things = [*random.sample(list(THINGS), random.randint(2, 5)), "chips", "card"]
        how = replace(
            how,
            ground=random.choice(["plain", "wood"]),
            things=tuple(things),
            fills=how.fills * 0.85,
        )
    elif random.random() < 0.25:
        how = replace(how, ground=ground, things=(random.choice(list(THINGS)),))
    else:
        how = replace(how, ground=ground)
    if kind == "small":
        tiles, wide = legal_line(random, random.randint(14, 24)), random.uniform(13, 18)
        how = replace(how, fills=random.uniform(0.6, 0.9), noise=how.noise * 0.8)
    else:
        tiles, wide = legal_line(random, random.randint(5, 18)), random.uniform(6, 12)
    placed = line(random, tiles, wide, random.choice([0.0, 0.04, 0.12, 0.25]))
    more = {"ground": ground, "light": light, "set": kind}
    placed = turned(placed, random.gauss(0, 0.08))
    seed = random.randrange(1 << 30)
    return Scene(f"{ground}-{light}", placed, look, how, seed, more)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--set", choices=NUMBERS, default="tune")
    parser.add_argument("--many", type=int, default=1, help="photos of each ground in each light")
    parser.add_argument("--ground", choices=GROUNDS, action="append")
    parser.add_argument("--light", choices=LIGHTS, action="append")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    for ground in asked.ground or GROUNDS:
        for light in asked.light or LIGHTS:
            for number in range(asked.many):
                made = scene(ground, light, NUMBERS[asked.set] + number)
                save(made, asked.folder, f"{made.kind}-{number:03}")


if __name__ == "__main__":
    main()
