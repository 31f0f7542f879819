"""Runs in the guest: takes an update on a card whose every write is logged, and keeps rows of the
record meanwhile.

`python3 updated.py FOLDER`: the folder has `update` and `key` (the public key, in hexadecimal). The
card is /dev/mapper/card, made by dm-log-writes; marks in its log say what was done.
"""

import subprocess
import sys
import time
from pathlib import Path
from threading import Event, Thread

sys.path.insert(0, "/usr/share/table-companion")

from companion.app.catalog import CATALOG
from companion.app.updates.install import UpdatedBox, install_update
from companion.app.updates.systems import TrialSteps, end_trial, find_systems
from companion.record.rows import Setting
from companion.record.store.store import Store

HERE = Path(sys.argv[1])
FAT, DATA = HERE / "fat", HERE / "data"
RECORD = DATA / "companion" / "record.db"
FOLDER = DATA / "update"
LINE = "root=PARTUUID=434f4d50-0{} ro"
EVERY_S = 0.1


def mark(word: str) -> None:
    """Puts a word into the log, after all writes so far."""
    subprocess.run(["dmsetup", "message", "card", "0", "mark", word], check=True)


def play(stop: Event) -> None:
    """Keeps a row now and then, and marks it once it counts as kept."""
    store = Store.open(RECORD, CATALOG.rules)
    number = 0
    while not stop.is_set():
        number += 1
        store.keep(0, Setting("brightness", 1 + number % 3))
        mark(f"row-{number}")
        time.sleep(EVERY_S)
    store.close()


def main() -> None:
    """Takes an update, tries it and keeps it, while rows are kept."""
    steps = TrialSteps(lambda: mark("asked"), lambda: mark("reboot"))

    def box(running: str, version: str) -> UpdatedBox:
        systems = find_systems(LINE.format(running), FAT, HERE / "disks")
        keys = (bytes.fromhex((HERE / "key").read_text()),)
        boards = ("raspberrypi,3-model-b",)
        return UpdatedBox(systems, keys, boards, version, RECORD, CATALOG.rules, FOLDER, steps)

    RECORD.parent.mkdir(exist_ok=True)
    mark("start")
    stop = Event()
    playing = Thread(target=play, args=(stop,))
    playing.start()
    try:
        install_update(HERE / "update", box("2", "0.2.0"), print)
        time.sleep(1)
        tried = box("3", "0.3.0")
        print(end_trial(FOLDER, tried.systems, steps, lambda: True))
        mark("kept")
        time.sleep(1)
    finally:
        stop.set()
        playing.join()


main()
