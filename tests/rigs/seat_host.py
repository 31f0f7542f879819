"""The box as a seat keypad sees it: table, record and links as `companion run` puts them together,
without threads: `turn` does all work that is due."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from companion.core.keys import Key, Press, PressId
from companion.devices.keypads.seat_keypads import SeatKeypads
from companion.devices.link.events import News
from companion.devices.link.keypad_registry import Keypad
from companion.record.rows import Setting
from companion.record.settings import seat_setting
from companion.record.store.database import StoreError
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from companion.table.session import BOX
from hw.seat import load_seat_keypad
from tests.catalog import GAMES
from tests.rig import Rig

LETTERS = {**{str(digit): Key(str(digit)) for digit in range(10)}, "K": Key.OK, "B": Key.BACK,
           "D": Key.DRAW, "P": Key.PASS, "!": Key.BOGUS, "M": Key.MENU}  # fmt: skip
"""The box's keys by their letters on the link."""
WIRED = load_seat_keypad()
LAYOUT = "".join(
    letter
    for row in WIRED.keys.layout
    for one in row
    for letter, key in LETTERS.items()
    if key is one
)
"""The letters row by row."""

START = "1 2 1 OK OK 1"
"""Keys after which two play High Five, keyed tile by tile; Red has led 6-6, and Blue is to lay."""


def give_to_blue(record: Path, serial: str) -> None:
    """Makes a new record which says that the keypad `serial` is Blue's."""
    store = Store.open(record, GAMES)
    store.keep(BOX, Setting(seat_setting(serial), "Blue"))
    store.close()


class Host:
    """A box with that `record`; the keypad is plugged in at `port`, and `clock` gives the time. A
    second Host over the same record is the same box, started anew."""

    def __init__(self, record: Path, port: str, clock: Callable[[], float]) -> None:
        self.ports = [port]
        self.heard: list[Press | News] = []
        self._record, self._clock = record, clock
        self.rig = Rig(record, settle=self._settle)
        self.keypads = SeatKeypads(
            self._put, self._committed, self._report, find=lambda: self.ports, clock=clock
        )

    def turn(self, patience_s: float = 0.0) -> None:
        """Does all work that is due, or becomes due within `patience_s` seconds."""
        self.keypads.step(patience_s)
        self.rig.now = max(self.rig.now, self._clock())
        self.rig.table.run_once(0)
        self.keypads.show(self.rig.shown[-1], self.rig.table.box.keypads)

    @property
    def typed(self) -> list[Key]:
        """The keys that the table got, in order."""
        return [one.key for one in self.heard if isinstance(one, Press)]

    @property
    def keypad(self) -> Keypad | None:
        """The keypad that is plugged in, once it has said hello; else None."""
        here = [one for one in self.keypads.ports.registry.keypads.values() if one.announced]
        return here[0] if here else None

    @property
    def boot(self) -> int:
        """The number of the plugged-in keypad's present start."""
        assert self.keypad is not None
        return int.from_bytes(self.keypad.hello.boot)

    @property
    def taken(self) -> int:
        """The number of the keypad's last press that was acknowledged."""
        assert self.keypad is not None
        return self.keypads.ports.registry.numbers(self.keypad.serial, self.boot).taken

    def committed(self) -> int:
        """The number of the keypad's last press that is in the record."""
        assert self.keypad is not None
        return self._committed(self.keypad.serial, self.boot)

    def close(self) -> None:
        """Ends the box as if it were killed: the keypad is not informed."""
        self.keypads.close()
        self.rig.close()

    def _put(self, event: Press | News) -> None:
        self.heard.append(event)
        self.rig.table.events.put(event)

    def _settle(self, source: PressId, refused: bool) -> None:
        self.keypads.settle(source, refused)

    def _committed(self, keypad: str, boot: int) -> int:
        with suppress(StoreError), Reader.open(self._record, GAMES) as reader:
            return reader.last_press(keypad, boot)
        return 0

    def _report(self, line: str) -> None:
        raise AssertionError(line)
