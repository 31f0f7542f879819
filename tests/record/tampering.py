"""A record of several games without copies beside it, and ways to damage its file or to change its
rows from outside."""

import shutil
import sqlite3
from pathlib import Path

from companion.core.seats import Seats
from companion.record.copies.text_copy import copies_folder
from companion.record.rows import GameOpened
from tests.record.damage import drop_copies
from tests.record.play import SCRIPT, opened_store

GAMES = 12
ROWS = GAMES * (1 + len(SCRIPT))


def evening(folder: Path, closed: bool = True, copies: bool = False) -> Path:
    """A record of several games, with `copies` beside it or without, as if these were lost. If not
    `closed`, its newest rows are only in the log."""
    path = folder / "record.db"
    with opened_store(path) as store:
        for number in range(1, GAMES + 1):
            for row in (GameOpened("race", Seats.of("Red", "Blue"), {"goal": 200}), *SCRIPT):
                store.keep(number, row, None if row in SCRIPT else f"north/1/{number}")
        if not closed:
            copy = folder / "cut" / path.name
            copy.parent.mkdir()
            for end in ("", "-wal", "-shm"):
                Path(f"{copy}{end}").write_bytes(Path(f"{path}{end}").read_bytes())
            if copies:
                assert store.text is not None
                store.text.flush()
                shutil.copytree(copies_folder(path), copies_folder(copy))
            return copy
    if not copies:
        drop_copies(path)
    return path


def write(path: Path, at: int, new: bytes) -> None:
    data = bytearray(path.read_bytes())
    data[at : at + len(new)] = new
    path.write_bytes(data)


def cut(path: Path, size: int) -> None:
    path.write_bytes(path.read_bytes()[:size])


def change_row(path: Path, seq: int, what: str = "row = replace(row, 'v', 'w')") -> None:
    db = sqlite3.connect(path)
    db.execute("DROP TRIGGER IF EXISTS never_changed")
    db.execute(f"UPDATE record SET {what} WHERE seq = {seq}")
    db.commit()
    db.close()


def remove_row(path: Path, seq: int) -> None:
    db = sqlite3.connect(path)
    db.execute("DROP TRIGGER never_removed")
    db.execute(f"DELETE FROM record WHERE seq = {seq}")
    db.commit()
    db.close()
