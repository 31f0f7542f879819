"""Measures the reader on photos whose truth is known: `python -m tests.photos.measure FOLDER...
[--json FILE] [--fast]`. Made and real photos are reported apart; those of club.py by ground, light
and set."""

import argparse
import json
import struct
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from PIL import Image

ROOT: Final = Path(__file__).parents[2]
READER: Final = ROOT / "companion" / "web" / "static" / "photo" / "read.mjs"
IN_NODE: Final = Path(__file__).with_name("read_pixels.mjs")
WORKING: Final = 1600
"""Pixels of the longer side of what is read, as in reading.js."""
BESIDE: Final = Path(__file__).with_name("beside_record.mjs")
AT_ONCE: Final = 40
"""How many photos one browser reads before it is started anew."""
ENOUGH: Final = 3
"""A line of fewer tiles is held beside no record."""

Truth = dict[str, Any]
Told = dict[str, Any]


@dataclass
class Figures:
    """Counts for some photos. A tile counts as read if it is reported as certain and really is
    there, and as a silent mistake if it is reported as certain and isn't there."""

    photos: int = 0
    tiles: int = 0
    read: int = 0
    asked: int = 0
    """Tiles that lie there and that the reader would ask about."""
    silent: int = 0
    also_asked: int = 0
    """Tiles that the reader would ask about and that don't lie there."""
    ms: int = 0
    slowest_ms: int = 0
    records: int = 0
    """Photos that were held beside the right record, and beside wrong ones."""
    called_wrong: int = 0
    """Right records that were called wrong."""
    wrong: int = 0
    """Records with a wrong tile that were tried."""
    found: int = 0
    """Of those, how many the photo says to be wrong."""
    pointed: int = 0
    """Of how many more it asks about the tile, and says that the record's isn't seen."""

    def cells(self) -> tuple[str, ...]:
        """Returns the figures in the columns of HEAD."""
        tiles, wrong = max(1, self.tiles), max(1, self.wrong)
        unseen = self.tiles - self.read - self.asked
        return (
            f"{self.photos}", f"{self.tiles}", f"{self.read / tiles:.1%}",
            f"{self.asked / tiles:.1%}", f"{unseen / tiles:.1%}", f"{self.silent}",
            f"{self.silent / tiles:.2%}", f"{self.also_asked}",
            f"{self.found / wrong:.1%}", f"{(self.found + self.pointed) / wrong:.1%}",
            f"{self.called_wrong}", f"{self.ms // max(1, self.photos)}", f"{self.slowest_ms}",
        )  # fmt: skip


HEAD: Final = (
    "photos", "tiles", "read", "asked", "unseen", "silent", "%", "+asked",
    "found", "+pointed", "called", "ms", "most",
)  # fmt: skip


def told(photos: Iterable[Path]) -> Iterator[Told]:
    """Yields the reader's result for each photo."""
    waiting = [*photos]
    for at in range(0, len(waiting), AT_ONCE):
        some = [str(photo) for photo in waiting[at : at + AT_ONCE]]
        ran = subprocess.run(
            ["node", READER, *some, "--json"], capture_output=True, text=True, check=True
        )
        yield from map(json.loads, ran.stdout.splitlines())


def told_in_node(photos: Iterable[Path]) -> Iterator[Told]:
    """Yields the reader's result for each photo, from Node without a browser. Large photos are
    scaled down by Pillow, so they may be read slightly differently than on a page. `ms` is
    processor time."""
    with subprocess.Popen(["node", IN_NODE], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as node:
        assert node.stdin
        assert node.stdout
        for photo in photos:
            with Image.open(photo) as opened:
                whole = max(opened.size)
                opened.thumbnail((WORKING, WORKING), Image.Resampling.BICUBIC)
                pixels = opened.convert("RGBA")
            node.stdin.write(struct.pack("<II", *pixels.size) + pixels.tobytes())
            node.stdin.flush()
            one = json.loads(node.stdout.readline())
            for tile in one["tiles"]:
                larger = whole / max(pixels.size)
                tile["corners"] = [[x * larger, y * larger] for x, y in tile["corners"]]
            yield {"photo": str(photo), **one}
        node.stdin.close()


def read(
    truths: Iterable[Path], tell: Callable[[Iterable[Path]], Iterator[Told]] = told
) -> list[tuple[Truth, Told]]:
    """Returns the truth of each photo with the reader's result."""
    known = {}
    for path in truths:
        truth = json.loads(path.read_text("utf-8"))
        known[str(path.parent / truth["photo"])] = truth
    return [(known[one["photo"]], one) for one in tell(map(Path, known))]


def beside_records(pairs: Sequence[tuple[Truth, Told]]) -> list[dict[str, int] | None]:
    """Returns for each photo the counts of beside_record.mjs; None for a photo with too few tiles
    for a line."""
    held = [at for at, (truth, _) in enumerate(pairs) if len(truth["tiles"]) >= ENOUGH]
    lines = [
        json.dumps(
            {"tiles": pairs[at][1]["tiles"], "line": [one["tile"] for one in pairs[at][0]["tiles"]]}
        )
        for at in held
    ]
    given = "".join(line + "\n" for line in lines)
    ran = subprocess.run(["node", BESIDE], input=given, capture_output=True, text=True, check=True)
    counts: list[dict[str, int] | None] = [None] * len(pairs)
    for at, line in zip(held, ran.stdout.splitlines(), strict=True):
        counts[at] = json.loads(line)
    return counts


def count(figures: Figures, truth: Truth, one: Told, beside: dict[str, int] | None = None) -> None:
    """Adds to `figures` the reader's result for a photo, `one`, and its counts beside records.
    Tiles are compared by name alone, as each occurs once."""
    left = Counter(tile["tile"] for tile in truth["tiles"])
    figures.photos += 1
    figures.tiles += left.total()
    figures.ms += one["ms"]
    figures.slowest_ms = max(figures.slowest_ms, one["ms"])
    for tile in sorted(one["tiles"], key=lambda tile: bool(tile["asks"])):
        lies = left[tile["tile"]] > 0
        left[tile["tile"]] -= lies
        if lies and tile["asks"]:
            figures.asked += 1
        elif lies:
            figures.read += 1
        elif tile["asks"]:
            figures.also_asked += 1
        else:
            figures.silent += 1
    if beside:
        figures.records += 1
        figures.called_wrong += beside["calledWrong"]
        figures.wrong += beside["wrong"]
        figures.found += beside["found"]
        figures.pointed += beside["pointed"]


Name = Callable[[Truth], str]


def by(
    name: Name, all_read: Iterable[tuple[Truth, Told, dict[str, int] | None]]
) -> dict[str, Figures]:
    """Returns the figures of the photos, grouped by the result of `name` for each."""
    found: dict[str, Figures] = {}
    for truth, one, beside in all_read:
        count(found.setdefault(name(truth), Figures()), truth, one, beside)
    return found


def kind(truth: Truth) -> str:
    return f"{'made' if truth.get('synthetic') else 'real'} {truth.get('kind', '')}"


BY: Final[dict[str, Name]] = {
    "ground": lambda truth: str(truth["ground"]),
    "light": lambda truth: str(truth["light"]),
    "set": lambda truth: str(truth["set"]),
    "all": lambda truth: "all",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument(
        "--json", type=Path, help="a file that keeps the truth and what was told of each photo"
    )
    parser.add_argument("--fast", action="store_true", help="read in Node instead of a browser")
    asked = parser.parse_args()
    truths = (path for folder in asked.folders for path in sorted(folder.glob("*.json")))
    pairs = read(truths, told_in_node if asked.fast else told)
    all_read = [(*pair, beside) for pair, beside in zip(pairs, beside_records(pairs), strict=True)]
    if asked.json:
        asked.json.write_text(json.dumps(all_read), "utf-8")
    club = [one for one in all_read if "ground" in one[0]]
    others = [one for one in all_read if "ground" not in one[0]]
    print(f"{'':16}" + "".join(f"{head:>9}" for head in HEAD))
    for figures in [by(kind, others), *(by(name, club) for name in BY.values())]:
        for name, one in sorted(figures.items()):
            print(f"{name:16}" + "".join(f"{cell:>9}" for cell in one.cells()))
        print()
    _crossed(club)


def _crossed(club: Sequence[tuple[Truth, Told, dict[str, int] | None]]) -> None:
    """Prints, by ground and light, the share of tiles read and the number of silent mistakes."""
    lights = sorted({one[0]["light"] for one in club})
    print(f"{'read (silent)':16}" + "".join(f"{light:>12}" for light in lights))
    for ground in sorted({one[0]["ground"] for one in club}):
        cells = by(BY["light"], (one for one in club if one[0]["ground"] == ground))
        row = [cells.get(light, Figures()) for light in lights]
        print(
            f"{ground:16}"
            + "".join(f"{f'{one.read / max(1, one.tiles):.0%} ({one.silent})':>12}" for one in row)
        )


if __name__ == "__main__":
    main()
