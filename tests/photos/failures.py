"""Shows the photos of which the reader reads least, with what it returns for each:
`python -m tests.photos.failures MEASURED.json FOLDER [--many N]`, where `measure.py --json` wrote
the first."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from PIL import Image, ImageDraw

WIDE: Final = 440
"""Pixels across a picture."""
QUALITY: Final = 60
"""Of a picture's JPEG: ten take less than 300 kB."""
HEAD: Final = """# Photos of which least was read

By `python -m tests.photos.failures`, with what the page shows of each. Frames are green for a tile
that was read, yellow for one that the page prompts for, red for one that is wrong, and white for
one that wasn't seen.

| Photo | What the page shows |
|---|---|"""
READ: Final = (40, 200, 90)
ASKED: Final = (250, 200, 30)
WRONG: Final = (240, 40, 40)
UNSEEN: Final = (255, 255, 255)

Photo = tuple[dict[str, Any], dict[str, Any]]


def read_share(photo: Photo) -> float:
    """The share of a photo's tiles that were read correctly without a prompt, minus 1 if any tile
    was read wrongly without a prompt."""
    truth, told = photo
    lies = {one["tile"] for one in truth["tiles"]}
    sure = {one["tile"] for one in told["tiles"] if not one["asks"]}
    return len(sure & lies) / max(1, len(lies)) - bool(sure - lies)


def lines_of(photo: Photo) -> list[str]:
    """Returns what the page shows for a photo: tiles read, prompts with their reasons, tiles not
    seen."""
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
    return [f"{name}: {'; '.join(tiles)}." for name, tiles in rows if tiles]


def draw(photo: Photo) -> Image.Image:
    """Returns the photo with a frame around each tile."""
    truth, told = photo
    whole = Image.open(told["photo"]).convert("RGB")
    scale = WIDE / whole.width
    shown = whole.resize((WIDE, round(whole.height * scale)))
    pen = ImageDraw.Draw(shown)

    def frame(corners: Sequence[Sequence[float]], colour: tuple[int, int, int]) -> None:
        places = [(x * scale, y * scale) for x, y in [*corners, corners[0]]]
        pen.line(places, colour, 2)

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
    rows = [HEAD]
    for photo in sorted(photos, key=read_share)[: asked.many]:
        truth, name = photo[0], Path(photo[1]["photo"]).name
        draw(photo).save(asked.folder / name, quality=QUALITY)
        text = "<br>".join([_title(truth), *lines_of(photo)])
        rows.append(f"| ![{_title(truth)}]({name}) | {text} |")
    (asked.folder / "README.md").write_text("\n".join(rows) + "\n", "utf-8")


def _title(truth: dict[str, Any]) -> str:
    """Returns the ground, light and set of a photo, or its kind."""
    named = [truth[one] for one in ("ground", "light", "set") if one in truth]
    return ", ".join(named) or str(truth.get("kind", ""))


if __name__ == "__main__":
    main()
