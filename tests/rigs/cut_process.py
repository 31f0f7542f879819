"""The table as a process whose writes are recorded: `companion run` on mock pins and a fake panel.

As a program (`python -m tests.rigs.cut_process RECORD PAGES`) it presses the keys that it reads,
one key per line, until there are none; then it is told to stop. Whenever the program takes rows to
be on the disk, it says so on its output. PAGES: how long the log gets before it goes into the file.
"""

import os
import signal
import sqlite3
import sys
import time
from pathlib import Path
from threading import Thread
from typing import Any

from companion.app import hardware, run
from companion.app.catalog import CATALOG
from companion.app.config import Config
from companion.console.screen_saver import NEVER, ScreenSaver
from companion.core.keys import Key
from companion.devices.board import DirectKeys
from companion.devices.display.panel import LumaPanel
from companion.devices.display.virtual import VIRTUAL_PINS, Fingers
from companion.record.rows import KeptRow
from companion.record.store import store as store_module
from companion.record.store.database import ChainLink, StoreError, connect
from companion.record.store.store import Store
from tests.fake_oled import FakeOled

KEPT, REFUSED, PERHAPS = "rows on the disk: ", "not saved: ", "perhaps not saved: "
DOWN_S, UP_S = 0.01, 0.04
"""Seconds that a finger stays on a key, and off it: somewhat longer than the debounce needs."""


class TellingStore(Store):
    """A store that says on stdout which rows it kept and which it reported as perhaps not saved, or
    as not saved."""

    def _open_for_writing(self) -> None:
        super()._open_for_writing()
        self._tell(f"{KEPT}{self._last_row_and_hash()[0]}")

    def keep(self, *words: Any) -> KeptRow:
        kept = super().keep(*words)
        self._tell(f"{KEPT}{kept.seq}")
        return kept

    def _append(self, game: int, text: str, at: float | None, source: str | None) -> ChainLink:
        try:
            return super()._append(game, text, at, source)
        except StoreError as error:
            for words, told in (("Perhaps not saved", PERHAPS), ("Not saved", REFUSED)):
                if str(error).startswith(words):
                    self._tell(f"{told}{at}")
            raise

    @staticmethod
    def _tell(words: str) -> None:
        os.write(sys.stdout.fileno(), f"{words}\n".encode())


def press(fingers: Fingers) -> None:
    """Presses all keys that it reads."""
    try:
        for word in sys.stdin:
            fingers.move(Key(word.strip()), True)
            time.sleep(DOWN_S)
            fingers.move(Key(word.strip()), False)
            time.sleep(UP_S)
    finally:
        os.kill(os.getpid(), signal.SIGTERM)


def main(record: str, pages: str) -> int:
    """Runs the table until all keys are pressed."""
    fingers = Fingers(VIRTUAL_PINS)
    hands = Thread(target=press, args=(fingers,), daemon=True)

    def serve(*_: object) -> list[str]:
        hands.start()
        return []

    def fakes(config: Config, where: str, caption: object) -> hardware.Hardware:
        panel = LumaPanel("ssd1306", FakeOled().open)
        keys = DirectKeys(VIRTUAL_PINS)
        return hardware.Hardware(
            keys, fingers.factory, panel, serve, lambda now: ScreenSaver(now, NEVER)
        )

    def short_log(address: str) -> sqlite3.Connection:
        db = connect(address)
        db.execute(f"PRAGMA wal_autocheckpoint = {int(pages)}")
        return db

    vars(hardware)["board_hardware"], vars(run)["Store"] = fakes, TellingStore
    vars(store_module)["connect"] = short_log
    asked = run.RunOptions(hardware="board", record=Path(record), port=0)
    return run.run(asked, CATALOG, Path(record))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
