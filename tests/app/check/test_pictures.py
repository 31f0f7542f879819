"""`companion check --only pictures` names what `companion show --png` lacks, and the remedy."""

import sys
from pathlib import Path

import pytest

from companion.app.check.bench import Finding, Grade, worst
from companion.web.export import pictures
from tests.app.check.person import Desk


def found(folder: Path) -> Finding:
    desk = Desk(folder)
    (one,) = desk.find_on(desk.machine, "pictures")
    assert worst([one]) is not Grade.FAULT
    return one


@pytest.mark.pictures
def test_a_png_is_drawn(tmp_path: Path) -> None:
    assert found(tmp_path) == Finding(Grade.OK, "a PNG was drawn")


@pytest.mark.parametrize(
    ("prefix", "remedy"),
    [("/a/venv", "“pip install resvg-py” in /a/venv"), ("/usr", "which Debian doesn't have")],
)
def test_a_missing_picture_library_is_reported_with_its_package(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, prefix: str, remedy: str
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    monkeypatch.setattr(sys, "prefix", prefix)
    monkeypatch.setattr(sys, "base_prefix", "/usr")
    one = found(tmp_path)
    assert one.result is Grade.NOT_TRIED
    assert remedy in one.remedy and "--svg" in one.remedy


@pytest.mark.pictures
def test_a_missing_font_is_reported_with_its_package(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(pictures, "ONE_LETTER", pictures.BLANK)
    assert "apt install fonts-dejavu-core" in found(tmp_path).remedy
