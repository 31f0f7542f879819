"""Shows the photos of which the reader reads least, with what it returns for each:
`python -m tests.photos.failures MEASURED.json FOLDER [--many N]`, where `measure.py --json` wrote
the first. Frames are green for a tile that was read, yellow for one that is prompted for, red for
one that is wrong; a tile that lies there and wasn't seen has a white one."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from PIL import Image, ImageDraw

WIDE: Final = 800
"""Pixels across a picture."""
READ: Final = (40, 200, 90)
ASKED: Final = (250, 200, 30)
WRONG: Final = (240, 40, 40)
UNSEEN: Final = (255, 255, 255)

Photo = tuple[dict[str, Any], dict[str, Any]]


def read_share(photo: Photo) -> float:
    """The share of a photo's tiles that were read without a prompt, less one if one was wrong."""
    truth, told = photo
    lies = {one["tile"] for one in truth["tiles"]}
    sure = {one["tile"] for one in told["tiles"] if not one["asks"]}
    return len(sure & lies) / max(1, len(lies)) - bool(sure - lies)


def lines_of(photo: Photo) -> list[str]:
    """What the page shows of a photo: tiles read, prompts with their reasons, tiles not seen."""
    truth, told = photo
    lies, seen = {one["tile"] for one in truth["tiles"]}, {one["tile"] for one in told["tiles"]}
    sure = [one["tile"] for one in told["tiles"] if not one["asks"]]
    asked = [
        f"{one['tile']}{'' if one['tile'] in lies else ' (no tile)'}: {', '.join(one['doubts'])}"
        for one in told["tiles"]
        if one["asks"]
    ]
    rows = [
        ("Refused", [told["refused"]] if told["refused"] else []),
        ("Read", [tile for tile in sure if tile in lies]),
        ("Wrong without a prompt", [tile for tile in sure if tile not in lies]),
        ("“This may be …”", asked),
        ("“Not seen in the photo”", sorted(lies - seen)),
    ]
    return [f"- {name}: {'; '.join(tiles)}" for name, tiles in rows if tiles]


def draw(photo: Photo) -> Image.Image:
    """The photo with its frames."""
    truth, told = photo
    whole = Image.open(told["photo"]).convert("RGB")
    scale = WIDE / whole.width
    shown = whole.resize((WIDE, round(whole.height * scale)))
    pen = ImageDraw.Draw(shown)

    def frame(corners: Sequence[Sequence[float]], colour: tuple[int, int, int]) -> None:
        places = [(x * scale, y * scale) for x, y in [*corners, corners[0]]]
        pen.line(places, colour, 3)

    lies, seen = {one["tile"] for one in truth["tiles"]}, {one["tile"] for one in told["tiles"]}
    for one in truth["tiles"]:
        if one["tile"] not in seen and "corners" in one:
            frame(one["corners"], UNSEEN)
    for one in told["tiles"]:
        right = READ if one["tile"] in lies else WRONG
        frame(one["corners"], ASKED if one["asks"] else right)
    return shown


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("measured", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--many", type=int, default=10)
    asked = parser.parse_args()
    photos = [(truth, told) for truth, told, _ in json.loads(asked.measured.read_text("utf-8"))]
    asked.folder.mkdir(parents=True, exist_ok=True)
    shown = ["# What the reader read least of", ""]
    for photo in sorted(photos, key=read_share)[: asked.many]:
        name = Path(photo[1]["photo"]).name
        draw(photo).save(asked.folder / name, quality=80)
        shown += [f"![{name}]({name})", "", *lines_of(photo), ""]
    (asked.folder / "README.md").write_text("\n".join(shown), "utf-8")


if __name__ == "__main__":
    main()
