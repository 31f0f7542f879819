"""Simulates photos of dominoes, each with a file of the tiles on it: `python -m tests.photos.make
FOLDER [--set tune|aside] [--many N] [--only KIND]`."""

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.photos.camera import Conditions, take
from tests.photos.layouts import Placed, Tile, handful, legal_line, line, rack, turned
from tests.photos.looks import RAINBOW, Look
from tests.photos.tables import TABLES

SETS: Final = {"tune": 0, "aside": 7_000_000}
"""The number of the first photo of each set. The reader is tuned on the set “tune” alone."""

INK: Final = ((25, 25, 28),) * 7
BONE: Final = ((238, 234, 222), (250, 250, 248), (228, 214, 180), (246, 240, 226))


@dataclass(frozen=True, slots=True)
class Scene:
    """The objects in a photo, and how it is taken."""

    kind: str
    placed: list[Placed]
    look: Look
    how: Conditions
    seed: int
    more: Mapping[str, str] = field(default_factory=dict)
    """Further facts for the file of its tiles."""


def _look(random: Random, colour: str, pin: bool) -> Look:
    shape: dict[str, Any] = {
        "bar_length": random.uniform(0.66, 0.9),
        "bar_width": random.uniform(0.025, 0.05),
        "pitch": random.uniform(0.25, 0.29),
        "radius": random.uniform(0.075, 0.105),
        "corner": random.uniform(0.06, 0.16),
        "length": random.uniform(1.95, 2.05),
        "bevel": random.uniform(0.1, 0.45),
        "pin": random.uniform(0.07, 0.12) if pin else 0.0,
    }
    if colour == "black":
        dark = random.choice([(30, 30, 32), (44, 36, 34), (22, 24, 40)])
        light = ((238, 236, 230),) * 7
        return Look(body=dark, pips=light, bar=(206, 204, 198), **shape)
    pips = RAINBOW if colour == "coloured" else INK
    return Look(body=random.choice(BONE), pips=pips, bar=(46, 44, 42), **shape)


def _conditions(random: Random) -> Conditions:
    """Returns the conditions of a clear photo: by day or by lamplight, from nearly above."""
    return Conditions(
        tilt=random.uniform(0, 14),
        roll=random.gauss(0, 4),
        fills=random.uniform(0.72, 0.94),
        table=random.choice(list(TABLES)),
        light=random.uniform(0.75, 1.05),
        warmth=random.choice([0.0, random.uniform(-0.4, 0.3), random.uniform(0.5, 1)]),
        uneven=random.uniform(0, 0.3),
        blur=random.uniform(0.3, 0.9),
        noise=random.uniform(0.004, 0.02),
        jpeg=random.randint(70, 94),
    )


def _tilted(low: float, high: float) -> Callable[[Random, Conditions], Conditions]:
    return lambda random, how: replace(how, tilt=random.uniform(low, high))


HARDER: Final[dict[str, Callable[[Random, Conditions], Conditions]]] = {
    "clear": lambda _, how: how,
    "pin": lambda _, how: how,
    "tilt-25": _tilted(22, 28),
    "tilt-35": _tilted(33, 37),
    "shadow": lambda random, how: replace(how, shadow=random.uniform(0.45, 0.7)),
    "glare": lambda random, how: replace(how, glare=random.uniform(0.3, 0.8)),
    "hollow": lambda random, how: replace(how, hollow=random.uniform(0.4, 0.65)),
    "blur": lambda random, how: replace(
        how, blur=random.uniform(1.2, 2.2), motion=random.uniform(0, 3)
    ),
    "noise": lambda random, how: replace(how, noise=random.uniform(0.03, 0.06), light=0.55),
}
"""The kinds of photo, and what turns a clear one into each."""


def scene(kind: str, seed: int) -> Scene:
    """Returns a scene of that kind; its number, `seed`, determines everything else."""
    random = Random(f"{kind} {seed}")
    colour = random.choice(["white", "white", "black", "coloured"])
    look = _look(random, colour, kind == "pin" or (kind != "clear" and random.random() < 0.25))
    how = HARDER[kind](random, _conditions(random))
    what = random.choice(["line", "line", "line", "hand", "rack"])
    if what == "line":
        tiles = legal_line(random, random.randint(6, 20))
        placed = line(random, tiles, random.uniform(7, 13), random.choice([0.0, 0.03, 0.15]))
        placed = turned(placed, random.gauss(0, 0.06))
    elif what == "hand":
        placed = handful(random, random.randint(2, 8))
        how = replace(how, fills=how.fills * 0.8)
    else:
        placed = rack(random, random.randint(3, 7))
        how = replace(how, fills=how.fills * 0.8)
    return Scene(kind, placed, look, how, seed)


def clear_photo(tiles: Sequence[Tile], seed: int = 1, **how: Any) -> Scene:
    """These tiles as a line, photographed well; `how` changes the conditions."""
    random = Random(seed)
    placed = turned(line(random, tiles, 9, 0.03), 0.03)
    return Scene("clear", placed, Look(), Conditions(**how), seed)


def save(one: Scene, folder: Path, name: str) -> None:
    """Writes the photo as NAME.jpg and the tiles on it as NAME.json."""
    photo, corners = take(one.placed, one.look, one.how, one.seed)
    photo.save(folder / f"{name}.jpg", quality=one.how.jpeg)
    tiles = [
        {"tile": tile.name, "corners": [[round(x, 1), round(y, 1)] for x, y in places]}
        for tile, places in zip(one.placed, corners, strict=True)
    ]
    truth = {
        "photo": f"{name}.jpg",
        "kind": one.kind,
        "synthetic": True,
        **one.more,
        "tiles": tiles,
    }
    (folder / f"{name}.json").write_text(json.dumps(truth) + "\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--set", choices=SETS, default="tune")
    parser.add_argument("--many", type=int, default=10, help="photos of each kind")
    parser.add_argument("--only", choices=HARDER, action="append")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    for kind in asked.only or HARDER:
        for number in range(asked.many):
            save(scene(kind, SETS[asked.set] + number), asked.folder, f"{kind}-{number:03}")


if __name__ == "__main__":
    main()
