"""A game through real pins, pixels and SQLite, in a program that is killed again and again."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.record.store.reader import Reader
from tests.catalog import GAMES
from tests.rig import Rig
from tests.starting import python

GAME = (
    "1 2 1 OK",
    "OK",
    "1",
    "6 3 OK",
    "6 4 OK",
    "DRAW",
    "6 1 OK",
    "6 2 OK",
    "BACK OK",
    "6 2 OK",
)
"""The set-up, Big 6 and the plays of the rulebook's second case, with a draw and an undo."""


@contextmanager
def running(path: Path) -> Iterator["Program"]:
    """The rig as a process, which is killed at the end, whatever it is doing."""
    words = ("-W", "ignore::DeprecationWarning", "-m", "tests.rig", path)
    with python(*words, stdin=subprocess.PIPE, stderr=None) as process:
        yield Program(process)


class Program:
    """A rig's process, which takes keys and returns what the display shows."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.seen = self._picture()

    def send(self, keys: str) -> None:
        """Presses keys without waiting."""
        assert self._process.stdin
        self._process.stdin.write(f"{keys}\n")
        self._process.stdin.flush()

    def press(self, keys: str) -> str:
        """Presses keys; returns what the display shows afterwards."""
        self.send(keys)
        self.seen = self._picture()
        return self.seen

    def _picture(self) -> str:
        assert self._process.stdout
        return self._process.stdout.readline().strip()


def entries(path: Path) -> list[str]:
    """The game's entries as another program reads them from the record."""
    with Reader.open(path, GAMES) as reader:
        found = reader.last_game()
    return [str(entry) for entry in found[1].entries] if found else []


def test_a_game_goes_on_after_every_kill(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    seen = None
    for keys in GAME:
        with running(path) as program:
            assert seen in (None, program.seen), f"before {keys}"
            seen = program.press(keys)
    assert entries(path)[-2:] == ["Blue 6-1", "Red 6-2"]


@pytest.mark.whole
def test_a_kill_between_key_and_picture_loses_that_key_or_nothing(tmp_path: Path) -> None:
    path, states = tmp_path / "record.db", [list[str]()]
    with Rig(tmp_path / "calm.db") as calm:
        for keys in GAME:
            states.append(calm.press(keys).entries)
    for keys, before, after in zip(GAME, states, states[1:], strict=False):
        with running(path) as program:
            program.send(keys)
        found = entries(path)
        assert found in (before, after)
        with Rig(path) as rig:
            if found != after or rig.store.last_game() is None:
                rig.press(keys)
    assert entries(path) == states[-1]


def test_the_game_of_these_tests_has_the_same_result_without_kills(tmp_path: Path) -> None:
    with Rig(tmp_path / "record.db") as rig:
        for keys in GAME:
            rig.press(keys)
        assert rig.seen == rig.frame.pixels
        assert rig.entries == [
            "hand",
            "Red 6-6",
            "Blue 6-3",
            "Red 6-4",
            "Blue draw",
            "Blue 6-1",
            "Red 6-2",
        ]
