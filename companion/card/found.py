"""The board that the box has found by its keys (hat.py), kept in a file on the card's FAT
partition, beside what people write there."""

import os
import re
import subprocess
import tomllib
from pathlib import Path

from companion.card.files import Mistake, text_of, words_of
from companion.core.toml_file import nearest, plain
from companion.devices.board_file import known_boards

NAME = "board.txt"
TEXT = "# The box has found this board by its keys. Without this file it looks for one again.\n"
_BOX = re.compile(r"^[ \t]*\[[ \t]*box[ \t]*\].*$", re.MULTILINE)


def board_of(folder: Path) -> str:
    """The name of the board that was found; empty if none was. Raises Mistake."""
    words = words_of(text_of(folder, NAME))
    if words and words[0] not in known_boards():
        near = nearest(words[0], known_boards())
        raise Mistake(f"{NAME}: {plain(words[0])[:40]} is no board{near}; or delete the file")
    return words[0] if words else ""


def with_board(config: str, name: str) -> str:
    """The box's configuration with this board added, unless it names one itself."""
    return config if not name or names_board(config) else _with_line(config, f'board = "{name}"')


def with_language(config: str, language: str) -> str:
    """The box's configuration with this language added, unless it names one itself."""
    if not language or "language" in tomllib.loads(config).get("box", {}):
        return config
    return _with_line(config, f'language = "{language}"')


def _with_line(config: str, line: str) -> str:
    """The configuration with `line` in its section [box]."""
    found = _BOX.search(config)
    if not found:
        return f"{config}\n[box]\n{line}\n"
    return f"{config[: found.end()]}\n{line}{config[found.end() :]}"


def names_board(config: str) -> bool:
    """Whether the configuration itself names a board."""
    return "board" in tomllib.loads(config).get("box", {})


def keep_board(name: str, folder: Path) -> None:
    """Writes the board's name onto the card's FAT partition, which is otherwise mounted read-only.
    Raises OSError or CalledProcessError."""
    _mounted(folder, "rw")
    try:
        with (folder / NAME).open("w", encoding="utf-8") as file:
            file.write(f"{TEXT}{name}\n")
            file.flush()
            os.fsync(file.fileno())
    finally:
        _mounted(folder, "ro")


def _mounted(folder: Path, how: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{how}", str(folder)], check=True)
