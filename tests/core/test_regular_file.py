"""A FIFO in place of a file never makes a reader wait for ever."""

import ast
import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest

import companion
from companion.app.catalog import CATALOG
from companion.app.updates.file import open_update
from companion.card.files import Mistake, read_card_text
from companion.club.hub.folder import HubFolder
from companion.commands.cli import main
from companion.core.errors import SetupError
from companion.core.regular_file import (
    make_private,
    open_named,
    read_bytes,
    read_private,
    read_text,
)
from companion.core.toml_file import ConfigError, read_toml
from companion.record.copies.text_copy import Folder, read_tail
from companion.record.store.database import StoreError, is_opening, writer_of
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from tests.waiting import WAIT_S

RULES = CATALOG.rules
SYSTEM: frozenset[str] = frozenset(
    {
        # what the kernel, the firmware or another program of the system shows
        *("app/hardware.py", "app/page.py", "app/systemd.py", "app/check/peripherals.py"),
        *("app/check/bench.py", "commands/cli.py"),
        *("card/wireless.py", "app/updates/systems.py"),
        *("app/updates/install.py", "web/tv/browser.py"),
        "web/tv/program.py",
        *("card/__main__.py", "card/partitions.py", "card/wireless.py", "card/settings.py"),
        *("card/settings.py", "devices/gpio/gpio_chip.py"),
        *("devices/display/framebuffer.py", "devices/keypads/renewal.py"),
        # what comes with the program
        *("console/fonts.py", "web/export/pictures.py", "web/export/event_paper.py"),
        "web/export/html_file.py",
        *("club/hub/pages.py", "presentation/drawing/svg.py", "presentation/language.py"),
        *("web/broadcast.py", "web/viewer.py", "web/files.py", "web/past.py"),
        *("devices/board.py", "commands/publish.py", "web/tv/drawing.py"),
        # folders, and files that are made anew under a name that nobody has
        *("commands/copies.py", "club/hub/folder.py", "club/hub/opened_tables.py"),
        "record/copies/text_copy.py",
        *("record/store/record_file.py", "core/regular_file.py", "core/regular_file.py"),
        *("web/card.py", "app/updates/file.py"),
    }
)
"""The modules that may open files directly; all others use regular_file.py."""
OPENERS = {"read_text", "read_bytes", "open"}


def opens_by_itself(node: ast.AST) -> bool:
    """Whether the call opens a path directly: `path.open("rb")`, `path.read_text()`, `open(…)` or
    `os.open(…)`, not a method of the same name of another object."""
    if not isinstance(node, ast.Call):
        return False
    match node.func:
        case ast.Name("open"):
            return True
        case ast.Attribute(ast.Name("os"), "open"):
            return True
        case ast.Attribute(_, "read_text" | "read_bytes"):
            return True
        case ast.Attribute(_, "open"):
            first = node.args[0] if node.args else None
            return isinstance(first, ast.Constant) and str(first.value) in {"rb", "r", "ab", "w"}
    return False


def test_files_are_opened_only_through_regular_file() -> None:
    home = Path(companion.__file__).parent
    found = {
        str(path.relative_to(home))
        for path in home.rglob("*.py")
        if any(opens_by_itself(node) for node in ast.walk(ast.parse(path.read_text("utf-8"))))
    }
    assert found <= SYSTEM, "use companion.core.regular_file"


def within_time(work: Callable[[], object]) -> list[object]:
    """The result or the error of `work`; fails if it hangs."""
    found: list[object] = []

    def run() -> None:
        try:
            found.append(work())
        except (OSError, ConfigError, Mistake, SetupError, StoreError) as error:
            found.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    thread.join(WAIT_S)
    assert found, "it waits for ever"
    return found


@pytest.mark.parametrize(
    "read",
    [
        *(read_text, read_bytes, read_toml),
        *(lambda path: read_private(path, 100), lambda path: open_update(path, [])),
        *(lambda path: read_card_text(path.parent, path.name), read_tail),
        *(lambda path: Reader.open(path, RULES), lambda path: Store.open(path, RULES)),
        *(make_private, lambda path: open_named(str(path))),
    ],
)
def test_a_fifo_is_refused(tmp_path: Path, read: Callable[[Path], object]) -> None:
    path = tmp_path / "x"
    os.mkfifo(path)
    (found,) = within_time(lambda: read(path))
    assert isinstance(found, Exception)
    assert "is not a" in str(found), "and no other reason"


def test_a_fifo_beside_a_record_blocks_no_reader(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    with closing(Store.open(path, RULES)):
        pass
    Path(f"{path}.lock").unlink()
    os.mkfifo(f"{path}.lock")
    assert within_time(lambda: is_opening(path)) == [False]
    assert within_time(lambda: writer_of(path)) == [None]
    (found,) = within_time(lambda: Store.open(path, RULES))
    assert isinstance(found, Exception)


def test_a_fifo_for_a_log_blocks_no_writer(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    with closing(Store.open(path, RULES)):
        pass
    Path(f"{path}-wal").unlink(missing_ok=True)
    os.mkfifo(f"{path}-wal")
    within_time(lambda: Store.open(path, RULES).close())
    within_time(lambda: Reader.open(path, RULES).close())


@pytest.mark.parametrize("name", ["game-00001.rows", "box.rows"])
def test_a_fifo_among_the_copies_blocks_no_reader(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "record-0123abcd"
    folder.mkdir()
    os.mkfifo(folder / name)
    for work in (Folder(folder).newest, lambda: [*Folder(folder).rows()]):
        (found,) = within_time(work)
        assert isinstance(found, OSError)


@pytest.mark.parametrize(
    "words",
    [
        *(["replay", "{fifo}"], ["pair", "{fifo}"], ["standings", "{fifo}"]),
        *(["show", "--record", "{fifo}"], ["verify", "--record", "{fifo}"]),
        *(["restore", "{place}", "--record", "{place}/record.db"],),
        *(["hub", "verify", "--data", "{hub}"],),
    ],
    ids=" ".join,
)
def test_a_command_refuses_a_fifo_with_one_line(
    tmp_path: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    fifo, hub, place = tmp_path / "fifo", tmp_path / "hub", tmp_path / "place"
    os.mkfifo(fifo)
    HubFolder.open(hub, make=True)
    (hub / "club.key").unlink()
    os.mkfifo(hub / "club.key")
    (place / "record-0123abcd").mkdir(parents=True)
    os.mkfifo(place / "record-0123abcd" / "game-00001.rows")
    asked = [one.format(fifo=fifo, hub=hub, place=place) for one in words]
    (status,) = within_time(lambda: main(asked))
    said = capsys.readouterr()
    assert status != 0
    assert len((said.out + said.err).strip().split("\n")) <= 2
    assert "Traceback" not in said.err


def test_shell_pipes_are_read() -> None:
    here, there = os.pipe()
    os.write(there, b"game high-five\n")
    os.close(there)
    try:
        with open_named(f"/dev/fd/{here}") as file:
            assert file.read() == b"game high-five\n"
    finally:
        os.close(here)
