"""The whole table, driven from outside: a test pulls pins, with a fake clock, and checks what a
viewer of the panel would see.

    rig = Rig(tmp_path / "record.db")
    rig.press("1 2 1 OK")
    rig.screen             # 64 lines of text art

As a program (`python -m tests.rig RECORD`) it presses the keys that it reads, a key a line, and
answers each with the picture that is shown then, for tests that kill it.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from companion.app.catalog import CATALOG
from companion.console.frame import BoxPicture, Frame
from companion.console.screen import PlayableGames
from companion.console.screen_saver import NEVER, DisplayLook, RestTimes, ScreenSaver
from companion.console.sounds import Level, ShownPicture, Sound
from companion.core.box_page import PageRequest
from companion.core.club import Club, ClubRequest
from companion.core.keys import Key, Press, PressId
from companion.devices.display.panel import LumaPanel
from companion.devices.display.virtual import VIRTUAL_PINS, Fingers
from companion.devices.gpio.keypad import DirectKeypad
from companion.record.store.store import Store
from companion.table.events import Command, Watchdog
from companion.table.loop import Outputs, Table
from companion.table.snapshot import Snapshot
from tests.fake_oled import Chip, FakeOled

STROKE_S = 0.05
"""Seconds that a finger stays on a key, and off it."""


class Rig:
    """Pins, loop, record and panel over the record `path`. `wall`: what the record's wall clock
    says; `rest`: when the display dims and sleeps; `pulse` watches the loop; `wired`: the box has
    keys of its own. Callbacks: `settle` with the presses of seat keypads that were handled, `play`
    with each sound, `ask_page` and `ask_club` with requests to page and club, `hear` with the texts
    for a voice."""

    def __init__(
        self,
        path: Path,
        wall: float = 1_800_000_000.0,
        rest: RestTimes = NEVER,
        chip: Chip = "ssd1306",
        *,
        pulse: Watchdog | None = None,
        switches_off: bool = False,
        settle: Callable[[PressId, bool], None] = lambda _, __: None,
        games: PlayableGames = CATALOG,
        wired: bool = True,
        play: Callable[[Sound, Level], None] = lambda _, __: None,
        ask_page: Callable[[PageRequest], None] = lambda _: None,
        ask_club: Callable[[ClubRequest], None] = lambda _: None,
        hear: Callable[[ShownPicture], None] = lambda _: None,
    ) -> None:
        self.now = 1000.0
        self.path = path
        self.shown: list[BoxPicture] = []
        self.looks: list[DisplayLook] = []
        self.snapshots: list[Snapshot] = []
        self.told_club: list[Club] = []
        """The states of the club that pages were told."""
        self.fake_oled = FakeOled(chip)
        self._panel = LumaPanel(chip, self.fake_oled.open)
        self._panel.open()
        self.store = Store.open(
            path, {name: game.rules for name, game in games.items()}, lambda: wall
        )
        self.table = Table(
            self.store,
            games,
            Outputs(
                self.shown.append,
                self.looks.append,
                play,
                settle,
                self.snapshots.append,
                ask_page,
                ask_club,
                self.told_club.append,
                hear,
            ),
            lambda: self.now,
            saver=ScreenSaver(self.now, rest),
            pulse=pulse,
            switches_off=switches_off,
            wired=wired,
        )
        self._fingers = Fingers(VIRTUAL_PINS)
        self._keypad = DirectKeypad(
            VIRTUAL_PINS, self.table.events.put, lambda: self.now, self._fingers.factory
        )
        self.table.show()

    # ------------------------------------------------------------ hands

    def press(self, keys: str) -> "Rig":
        """Presses keys one after the other, by what is printed on them: "5 6 OK"."""
        for word in keys.split():
            self.hold(word, STROKE_S)
        return self

    def hold(self, word: str, seconds: float = 2.5) -> "Rig":
        """Holds one key down for that many seconds."""
        self.touch(word, True)
        self.wait(seconds)
        self.touch(word, False)
        self.wait(STROKE_S)
        return self

    def touch(self, word: str, down: bool) -> None:
        """Closes (`down`) or opens a key's contact now, without the rest of a press."""
        self._fingers.move(Key(word), down)

    def wait(self, seconds: float) -> None:
        """Advances the clock; the loop runs whenever it is due, and at the end."""
        until = self.now + seconds
        while True:
            self.table.run_once(0)
            patience = 0.0 if self.table.events.is_behind else self.table.wake_after_s()
            if patience is None or self.now + patience > until:
                break
            self.now += patience
        self.now = until
        self.table.run_once(0)

    def send(self, press: Press) -> None:
        """Sends the loop a press that another keypad has already recognised."""
        self.table.events.put(press)
        self.table.run_once(0)

    def stop(self) -> bool:
        """Stops the loop; returns whether it still runs."""
        self.table.events.put(Command.STOP)
        return self.table.run_once(0)

    # ------------------------------------------------------------ eyes

    @property
    def frame(self) -> Frame:
        """The newest picture."""
        return self.shown[-1].frame

    @property
    def screen(self) -> list[str]:
        """The newest picture as text art."""
        return self.frame.rows()

    @property
    def seen(self) -> bytes:
        """The newest picture as the panel shows it after it has gone over the wire."""
        self.draw()
        return self.fake_oled.seen

    def draw(self) -> None:
        """Draws the newest picture on the panel, as the display's thread would do."""
        self._panel.show(self.looks[-1].of(self.frame))

    @property
    def entries(self) -> list[str]:
        """The entries of the game on the table, read from the record on the disk."""
        found = self.store.last_game()
        return [str(entry) for entry in found[1].entries] if found else []

    # ------------------------------------------------------------ ends

    def close(self) -> None:
        """Switches the box off."""
        self._keypad.close()
        self._fingers.close()
        self._panel.close()
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()


def main(path: str) -> None:
    """Presses the keys that it reads, and answers each with the picture in hexadecimal."""
    with Rig(Path(path)) as rig:
        print(rig.seen.hex(), flush=True)
        for line in sys.stdin:
            rig.press(line)
            print(rig.seen.hex(), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
