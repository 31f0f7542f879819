"""Measures how far a reader has to go through the source to follow one action of the program.

    python -m tests.traces

Prints, for an OK at the box that keeps a tile, a tap on a phone that does, and a moment as JSON:
the number of files of companion/ in which code runs, of calls from one file to another, and of all
calls. Code in a comprehension counts as that of the function around it.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

import companion
from companion.app.catalog import CATALOG
from companion.presentation.moment import Moment, describe
from tests.proposing import Phone
from tests.rig import Rig

HOME = str(Path(companion.__file__).parent)


def trace(act: Callable[[], object]) -> tuple[int, int, int]:
    """The files of companion/ in which code runs while `act` does, the calls from one of them into
    another, and all calls."""
    files, moves, calls = set[str](), 0, 0

    def note(frame: FrameType, event: str, _: object) -> None:
        nonlocal moves, calls
        path = frame.f_code.co_filename
        if event != "call" or not path.startswith(HOME) or frame.f_code.co_name[0] == "<":
            return
        calls += 1
        files.add(path)
        caller = frame.f_back
        while caller and not caller.f_code.co_filename.startswith(HOME):
            caller = caller.f_back
        moves += bool(caller and caller.f_code.co_filename != path)

    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(None)
    return len(files), moves, calls


def traces() -> dict[str, tuple[int, int, int]]:
    """The results of `trace` for each of the three actions."""
    with TemporaryDirectory() as folder, Rig(Path(folder) / "record.db") as rig:
        for keys in ("1 2 1 OK", "OK", "1", "6 3 OK", "6 4"):
            rig.press(keys)
        rig.touch("OK", True)
        kept = trace(lambda: rig.wait(0.1))
        rig.touch("OK", False)
        rig.wait(1)
        phone = Phone("phone")
        tapped = trace(lambda: phone.says(rig, "Blue 5-4"))
        snapshot = rig.snapshots[-1]
        assert rig.entries[-2:] == ["Red 6-4", "Blue 5-4"], rig.entries
        moment = Moment(CATALOG, snapshot.journal, row=snapshot.row, number=snapshot.game)
        told = trace(lambda: describe(moment))
    return {"an OK that keeps a tile": kept, "a tap on a phone": tapped, "a moment": told}


if __name__ == "__main__":
    for name, (files, moves, calls) in traces().items():
        print(f"{name}: {files} files, {moves} calls into another file, {calls} calls")
