"""The start loads no module that the box doesn't need before its first frame."""

import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion import __main__ as program
from companion.app.run import _RunningTable

ROOT = Path(__file__).parents[2]
LATER = {
    "gpiozero": "the kernel's pins need nothing of it",
    "companion.devices.keypads.keypad_ports": "no seat's keypad is plugged in",
    "companion.devices.link.session": "no seat's keypad is plugged in",
    "companion.devices.link.messages": "no seat's keypad is plugged in",
    "serial": "no seat's keypad is plugged in",
    "statistics": "nobody asks for figures",
    "aiohttp": "nobody looks at a board's page, and the virtual box's comes after the picture",
    "asyncio": "the same",
    "companion.web.server": "the same",
    "companion.web.access": "it listens after the first picture",
    "segno": "there is no screen on HDMI",
    "difflib": "nothing is misspelt in the configuration",
    "importlib.metadata": "nobody asks for versions",
    "importlib.resources": "our files lie beside our modules",
    "companion.commands.replay": "nothing is replayed",
    "companion.commands": "nothing is listed",
    "companion.web.export": "nobody sends a game to somebody",
    "resvg_py": "nobody saves a picture",
    "companion.players": "nobody asks for figures",
    "companion.console.line.play": "no game is played yet: its screens come with it",
    "companion.console.high_fives": "the same",
    "companion.console.highrise": "the same",
    "companion.console.high_five_tiles": "the same",
}
ASK = "import sys; print(*sorted(set(sys.modules)))"


def loaded(code: str) -> set[str]:
    """The modules that are loaded in a new process after this code. The start files of
    site-packages are left out, as a virtual environment may have some for its own purposes."""
    paths = os.pathsep.join((str(ROOT), *(path for path in sys.path if "packages" in path)))
    ran = subprocess.run(
        [sys.executable, "-S", "-c", f"{code}; {ASK}"],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(ran.stdout.split())


def test_the_table_on_a_board_loads_only_what_it_needs() -> None:
    found = loaded(
        "import tests.fake_board, companion.devices.display.panel; import luma.oled.device"
    )
    assert "companion.table.loop" in found
    assert {name: why for name, why in LATER.items() if name in found} == {}


def test_listing_unfinished_games_loads_no_statistics() -> None:
    found = loaded("import companion.app.past")
    assert {name: why for name, why in LATER.items() if name in found} == {}


@pytest.fixture
def garbage() -> Iterator[None]:
    """Garbage is looked for as before, after the test."""
    yield
    gc.unfreeze()
    gc.enable()


@pytest.mark.usefixtures("garbage")
@pytest.mark.parametrize(("command", "looks"), [("run", False), ("games", True)])
def test_only_the_table_starts_with_the_garbage_collector_off(
    monkeypatch: pytest.MonkeyPatch, command: str, looks: bool
) -> None:
    found: list[bool] = []
    monkeypatch.setattr(sys, "argv", ["companion", command])
    monkeypatch.setattr("companion.commands.cli.main", lambda: found.append(gc.isenabled()))
    monkeypatch.setattr(os, "_exit", lambda _: None)
    program.main()
    assert found == [looks]


@pytest.mark.usefixtures("garbage")
def test_the_garbage_collector_is_on_after_the_first_picture() -> None:
    done: list[object] = []
    nothing: Any = SimpleNamespace(
        show=lambda: done.append(gc.isenabled()),
        run=lambda: done.append(gc.isenabled()),
        type_letter=None,
        events=SimpleNamespace(put=None),
        switched_off=False,
        serve=lambda *_: [],
        ready=lambda: None,
        stopping=lambda: None,
        start=lambda: None,
    )
    gc.disable()
    running = _RunningTable(
        nothing, nothing, nothing, nothing, lambda: None, True, Path("record.db")
    )
    assert running.run() == 0
    assert done == [False, True]
    assert gc.get_freeze_count() > 0
