# SPDX-License-Identifier: CERN-OHL-P-2.0
"""The pictures in the guide. Each contains the digest of its source, so that outdated pictures are
found without drawing them again: the output of drawing programs differs between their versions, but
their input doesn't."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image, ImageChops
from PIL.PngImagePlugin import PngInfo

from hw.drawing import draw_wiring, wireviz_text
from hw.header import draw_header, spots
from hw.openscad import picture
from hw.parts import CASE, parts_scad
from hw.screen import screen_scad
from hw.wiring import Harness, harnesses

FOLDER = Path(__file__).parent / "pictures"
_KEY = "Source"
_WIDTH = 1500
_MARGIN = 20
_VIEWS = (
    ("box", "closed", 25.0),
    ("box", "open", 25.0),
    ("box", "back", 210.0),
    ("board", "closed", 25.0),
    ("board", "open", 25.0),
    ("seat", "closed", 25.0),
    ("seat", "open", 25.0),
)


@dataclass(frozen=True, slots=True)
class GuidePicture:
    """A picture in the guide. `source`: the input from which it is drawn; `draw`: the function that
    draws it into a file."""

    name: str
    source: str
    draw: Callable[[Path], None]

    @property
    def path(self) -> Path:
        """The path at which the picture is stored."""
        return FOLDER / f"{self.name}.png"

    @property
    def digest(self) -> str:
        """The digest that the picture must contain."""
        return hashlib.sha256(self.source.encode()).hexdigest()

    @property
    def is_fresh(self) -> bool:
        """Returns whether the file exists and was drawn from the current source."""
        if not self.path.exists():
            return False
        with Image.open(self.path) as image:
            return image.info.get(_KEY) == self.digest

    def renew(self) -> None:
        """Draws and stores the picture, small enough for a page."""
        with TemporaryDirectory() as scratch:
            drawn = Path(scratch, "drawn.png")
            self.draw(drawn)
            with Image.open(drawn) as image:
                small = _crop(image.convert("RGB"))
                small.thumbnail((_WIDTH, 10 * _WIDTH))
                told = PngInfo()
                told.add_text(_KEY, self.digest)
                FOLDER.mkdir(exist_ok=True)
                small.quantize(256).save(self.path, pnginfo=told, optimize=True)


def _crop(image: Image.Image) -> Image.Image:
    """Returns the image without its empty margin, which has the colour of the first corner."""
    empty = Image.new("RGB", image.size, image.getpixel((0, 0)))
    left, top, right, low = ImageChops.difference(image, empty).getbbox() or (0, 0, *image.size)
    wide, high = image.size
    return image.crop(
        (
            max(left - _MARGIN, 0),
            max(top - _MARGIN, 0),
            min(right + _MARGIN, wide),
            min(low + _MARGIN, high),
        )
    )


def pictures() -> Iterator[GuidePicture]:
    """Yields all pictures that the guide can show."""
    for harness in harnesses():
        yield _wiring_picture(harness)
    for case, view, turned in _VIEWS:
        yield _case_picture(case, view, turned)


def _wiring_picture(harness: Harness) -> GuidePicture:
    """Returns a picture of the wires and, below them, of the pins as one sees them when plugging in
    the wires."""
    text = wireviz_text(harness)

    def draw(into: Path) -> None:
        draw_wiring(text, into.parent, into.stem)
        with Image.open(into) as image:
            wires, header = image.convert("RGB"), draw_header(harness)
        size = max(wires.width, header.width), wires.height + header.height
        both = Image.new("RGB", size, "white")
        both.paste(wires, ((both.width - wires.width) // 2, 0))
        both.paste(header, ((both.width - header.width) // 2, wires.height))
        both.save(into)

    told = "\n".join(map(repr, spots(harness)))
    return GuidePicture(f"wiring-{harness.name}", f"{text}\n{told}", draw)


def _case_picture(case: str, view: str, turned: float) -> GuidePicture:
    scad = CASE / f"{case}.scad"
    show = "open" if view == "open" else "closed"
    files = (scad, *(CASE / f"{name}.scad" for name in ("shell", "computer")))
    texts = [file.read_text(encoding="utf-8") for file in files]

    def draw(into: Path) -> None:
        picture(scad, {"show": show}, into, turned)

    source = "\n".join((*texts, parts_scad(), screen_scad(), show, str(turned)))
    return GuidePicture(f"{case}-{view}", source, draw)
