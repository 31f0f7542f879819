"""Draws docs/test-pattern.png: the test pattern with the right driver, and with wrong ones.

python -m tests.app.check.draw
"""

from pathlib import Path

from PIL import Image, ImageDraw

from companion.app.check.bench import Bench, Machine
from companion.app.check.display import DriverChoice, show_picture
from companion.console.frame import Frame
from companion.devices.display.drivers import Display
from tests.catalog import GAMES
from tests.fake_oled import Chip, FakeOled
from tests.screens.draw import CASE, DARK, GAP, LIT, ZOOM

PICTURE = Path(__file__).parents[3] / "docs" / "test-pattern.png"

SEEN: tuple[tuple[Chip, DriverChoice], ...] = (
    ("ssd1306", DriverChoice("ssd1306", 0)),
    ("sh1106", DriverChoice("ssd1306", 0)),
    ("ssd1306", DriverChoice("sh1106", 2)),
)
"""(the panel's chip, how it is driven) for each picture."""


def seen(chip: Chip, way: DriverChoice) -> Frame:
    """The picture that a person sees on a panel with that chip, driven in that way, just after it
    was switched on."""
    fake_oled = FakeOled(chip)
    machine = Machine(bus_of=lambda display, factory: fake_oled.open)
    with show_picture(Bench(Path("none"), GAMES, machine=machine), Display(), way, 1):
        return Frame(fake_oled.seen)


def pictures() -> Image.Image:
    """All pictures side by side, as one image."""
    width, height = 128 * ZOOM + 2 * GAP, 64 * ZOOM + 2 * GAP
    out = Image.new("RGB", (width * len(SEEN) + GAP, height + GAP), CASE)
    pen = ImageDraw.Draw(out)
    for at, (chip, way) in enumerate(SEEN):
        x, y = GAP + at * width, GAP
        pen.rectangle((x, y, x + width - GAP - 1, y + height - GAP - 1), fill=DARK)
        lit = seen(chip, way).to_image().resize((128 * ZOOM, 64 * ZOOM), 0)
        out.paste(LIT, (x + GAP // 2, y + GAP // 2), lit)
    return out


if __name__ == "__main__":
    pictures().save(PICTURE, optimize=True)
