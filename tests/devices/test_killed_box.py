"""A real process with a record, a table and a keypad on a pseudo terminal, killed again and again
while somebody plays on the keypad: every entry that was seen is in the record, once."""

import json
import subprocess
import sys
import time
from pathlib import Path
from queue import Empty, SimpleQueue
from random import Random
from threading import Event, Thread

from companion.core.keys import Key
from companion.record.rows import Setting
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from tests.catalog import GAMES
from tests.devices.link.keypad import ModelKeypad, State
from tests.devices.pty_keypad import PtyKeypad
from tests.waiting import WAIT_S, wait_until

ROOT = Path(__file__).parents[2]
START = "1 2 1 OK OK 1 OK 2"
"""Begins High Five for two by their colours. The keypad is Red's, and keys for both; Blue leads the
double six."""
LAYS = ("6 5", "5 5", "5 4", "4 4", "4 3", "3 3", "3 2", "2 2")
PLAYED = [
    "hand",
    "Blue 6-6",
    *(
        f"{'Blue' if turn % 2 else 'Red'} {max(lay)}-{min(lay)}"
        for turn, lay in enumerate(one.split() for one in LAYS)
    ),
]


class Seat:
    """A keypad that somebody presses, and the host at the other end of its cable."""

    def __init__(self, record: Path) -> None:
        self.record = record
        store = Store.open(record, GAMES)
        store.keep(0, Setting("keypads", "anyone"))
        store.close()
        self.pad = PtyKeypad(ModelKeypad(time.monotonic()))
        self._presses: SimpleQueue[Key] = SimpleQueue()
        self._done = Event()
        self._fingers = Thread(target=self._run)
        self._fingers.start()
        self.start()

    def _run(self) -> None:
        while not self._done.wait(0.0005):
            while not self._presses.empty():
                self.pad.model.press(self._presses.get())
            self.pad.turn(time.monotonic())

    def start(self) -> None:
        """Starts the host, which greets the keypad again."""
        session = self.pad.model.session
        self._host = subprocess.Popen(
            [sys.executable, "-m", "tests.devices.killed_box", self.record, self.pad.device],
            stdout=subprocess.PIPE,
            cwd=ROOT,
            text=True,
        )
        self._seen: SimpleQueue[list[str]] = SimpleQueue()
        self._eyes = Thread(target=self._look, args=(self._host, self._seen))
        self._eyes.start()
        model = self.pad.model
        wait_until(lambda: model.session != session and model.state is State.OPEN)

    @staticmethod
    def _look(host: subprocess.Popen[str], seen: SimpleQueue[list[str]]) -> None:
        assert host.stdout
        for line in host.stdout:
            seen.put(json.loads(line))

    def press(self, keys: str) -> None:
        for word in keys.split():
            self._presses.put(Key(word))

    def sees(self, entries: list[str]) -> None:
        """Waits until the display shows these entries."""
        while self._seen.get(timeout=WAIT_S) != entries:
            pass

    def _stop_host(self) -> None:
        """Kills the host; closes its output once all of it has been read."""
        self._host.kill()
        self._host.wait()
        self._eyes.join()
        assert self._host.stdout
        self._host.stdout.close()

    def kill(self) -> list[str]:
        """Kills the host. Returns the entries that were last shown, or [] if nothing was shown
        since the last look."""
        self._stop_host()
        last: list[str] = []
        try:
            while True:
                last = self._seen.get_nowait()
        except Empty:
            return last

    def kept(self) -> list[str]:
        with Reader.open(self.record, GAMES) as reader:
            found = reader.last_game()
        return [str(one) for one in found[1].entries] if found else []

    def end(self) -> None:
        self._stop_host()
        self._done.set()
        self._fingers.join()
        self.pad.unplug()


def test_entries_count_once_if_the_box_is_killed(tmp_path: Path) -> None:
    seat, chance = Seat(tmp_path / "record.db"), Random(5)
    try:
        seat.press(START)
        seat.sees(PLAYED[:2])
        laid = 2
        for turn, lay in enumerate(LAYS):
            seat.press(f"{lay} OK")
            if turn % 2:
                seat.sees(PLAYED[: laid + 1])
            time.sleep(chance.uniform(0.0, 0.012))  # somewhere between the key and the display
            seen, kept = seat.kill(), seat.kept()
            assert seen in ([], kept, kept[:-1])
            assert kept in (PLAYED[:laid], PLAYED[: laid + 1])
            seat.start()
            seat.sees(kept)
            if len(kept) == laid:
                seat.press(f"{lay} OK")
                seat.sees(PLAYED[: laid + 1])
            laid += 1
            assert seat.kept() == PLAYED[:laid]
    finally:
        seat.end()
