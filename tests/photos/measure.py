"""Measures the reader on photos whose truth is known: `python -m tests.photos.measure FOLDER...
[--json]`. Made and real photos are reported apart. A tile is read where it is told as sure and lies
there; it is a silent mistake where it is told as sure and doesn't."""

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
READER: Final = ROOT / "companion" / "web" / "static" / "photo" / "read.mjs"
AT_ONCE: Final = 40
"""How many photos one browser reads before it is started anew."""


@dataclass
class Figures:
    """Counts of what was told of photos of one kind."""

    photos: int = 0
    tiles: int = 0
    read: int = 0
    asked: int = 0
    """Tiles that lie there and that the reader would ask about."""
    silent: int = 0
    also_asked: int = 0
    """Tiles that the reader would ask about and that don't lie there."""
    ms: int = 0

    def line(self, kind: str) -> str:
        """One row of the table: the figures of this kind."""
        read, silent = self.read / max(1, self.tiles), self.silent / max(1, self.tiles)
        missed = self.tiles - self.read - self.asked
        return (
            f"{kind:14} {self.photos:6} {self.tiles:6} {read:8.1%} {self.asked:6} {missed:6}"
            f" {self.silent:6} {silent:8.2%} {self.also_asked:6} {self.ms // max(1, self.photos):6}"
        )


HEAD: Final = "kind           photos  tiles     read  asked unseen silent           +asked  ms/ph"


def told(photos: Iterable[Path]) -> Iterator[dict[str, Any]]:
    """What the reader tells of each photo."""
    waiting = [*photos]
    for at in range(0, len(waiting), AT_ONCE):
        some = [str(photo) for photo in waiting[at : at + AT_ONCE]]
        ran = subprocess.run(
            ["node", READER, *some, "--json"], capture_output=True, text=True, check=True
        )
        yield from map(json.loads, ran.stdout.splitlines())


def measured(truths: Iterable[Path]) -> dict[str, Figures]:
    """The figures by kind, those of made and of real photos apart."""
    known = {}
    for path in truths:
        truth = json.loads(path.read_text("utf-8"))
        known[str(path.parent / truth["photo"])] = truth
    found: dict[str, Figures] = {}
    for one in told(map(Path, known)):
        truth = known[one["photo"]]
        kind = ("made " if truth.get("synthetic") else "real ") + truth.get("kind", "")
        count(found.setdefault(kind, Figures()), truth, one)
    return found


def count(figures: Figures, truth: dict[str, Any], one: dict[str, Any]) -> None:
    """Adds to `figures` what was told of a photo, `one`. A tile is found by its name alone, as each
    is there once."""
    left = Counter(tile["tile"] for tile in truth["tiles"])
    figures.photos += 1
    figures.tiles += left.total()
    figures.ms += one["ms"]
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    truths = [path for folder in asked.folders for path in sorted(folder.glob("*.json"))]
    figures = measured(truths)
    if asked.json:
        json.dump({kind: asdict(one) for kind, one in figures.items()}, sys.stdout)
        return
    print(HEAD)
    for kind, one in sorted(figures.items()):
        print(one.line(kind))


if __name__ == "__main__":
    main()
