"""The table on a fake GPIO chip and a fake panel, as on a board, without the page.

`python -m tests.fake_board RECORD [asleep] [LANGUAGE]` prints the time when a picture is on the
panel. With `asleep` the display goes dark at once (an empty argument if only a language is given).
The program imports as little as possible besides the table, as its start is measured.
"""

import gc

if __name__ == "__main__":
    gc.disable()  # until the first picture, as companion/__main__.py does

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from companion.app import hardware, run
from companion.app.catalog import CATALOG
from companion.app.config import Config
from companion.console.screen_saver import PanelFrame, RestTimes, ScreenSaver
from companion.devices.board import load_board
from companion.devices.display.framebuffer import Caption
from companion.devices.display.panel import LumaPanel
from companion.devices.gpio.pins import open_pins
from tests.fake_gpio import FakeGpio
from tests.fake_oled import FakeOled

FIRST = "first picture"


def main(record: str, asleep: str = "", language: str = "") -> int:
    """Runs the table on fakes; prints when the panel has a picture, and how many processor seconds
    that took."""

    class Watched(LumaPanel):
        """A panel that reports when it has shown a picture."""

        def show(self, picture: PanelFrame) -> None:
            super().show(picture)
            # At once: another thread may be about to print, too.
            os.write(sys.stdout.fileno(), f"{FIRST} {time.process_time()}\n".encode())

    fake_oled = FakeOled()
    panel = Watched("ssd1306", fake_oled.open)
    keys = load_board("keys-16").keys

    rest = RestTimes(dim_s=0.5, sleep_s=1.0) if asleep else RestTimes()
    factory = open_pins("kernel", FakeGpio(time.monotonic))

    def fakes(
        config: Config, where: str, caption: Callable[[], Caption] = Caption
    ) -> hardware.Hardware:
        return hardware.Hardware(keys, factory, panel, saver=lambda now: ScreenSaver(now, rest))

    hardware.board_hardware = fakes
    config = None
    if language:
        config = Path(record).with_name(f"{language}.toml")
        config.write_text(f'[box]\nlanguage = "{language}"\n')
    asked = run.RunOptions(config=config, hardware="board", record=Path(record), port=0)
    return run.run(asked, CATALOG, Path(record))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
