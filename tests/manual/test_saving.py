"""A record that was saved as the manual describes is read on another computer and restored."""

import re
import shutil
from pathlib import Path

import pytest

from companion.app import SERVICE_RECORD
from companion.commands.cli import main
from tests.manual.book import TEXT
from tests.rig import Rig


def _copied(folder: Path, to: Path) -> None:
    """Copies files as the manual describes, with its own pattern of file names."""
    pattern = re.search(rf"cp {SERVICE_RECORD.parent}/(\S+) ", TEXT)
    assert pattern
    for path in folder.glob(pattern[1]):
        shutil.copyfile(path, to / path.name)


def test_a_saved_record_is_read_elsewhere_and_restored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    box, stick = tmp_path / "box", tmp_path / "stick"
    box.mkdir()
    stick.mkdir()
    with Rig(box / SERVICE_RECORD.name) as rig:
        rig.press("1 2 1 OK OK 1 6 3 OK")
    _copied(box, stick)
    for command in (["games"], ["show"], ["export"], ["verify"]):
        assert main([*command, "--record", str(stick / SERVICE_RECORD.name)]) == 0
    assert "Blue 6-3" in capsys.readouterr().out

    with Rig(box / SERVICE_RECORD.name) as rig:
        rig.press("3 1 OK")
        assert len(rig.entries) == 4
    _copied(stick, box)
    with Rig(box / SERVICE_RECORD.name) as rig:
        assert rig.entries == ["hand", "Red 6-6", "Blue 6-3"]
