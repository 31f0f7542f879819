"""The tests don't depend on the machine's speed (conftest.py), and make installs what they need."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

MAKEFILE = (Path(__file__).parent.parent / "Makefile").read_text()


def test_no_property_has_a_deadline() -> None:
    assert settings().deadline is None
    assert HealthCheck.too_slow in settings().suppress_health_check


def test_every_test_is_run_once(pytestconfig: pytest.Config) -> None:
    """`make test` runs those that are not serial, and then those that are."""
    assert re.findall(r"pytest .*?-m (\"not serial\"|serial) ", MAKEFILE.replace("\\\n", "")) == [
        '"not serial"',
        "serial",
    ]
    assert any(line.startswith("serial:") for line in pytestconfig.getini("markers"))


# ---------------------------------------------------------------- what make sets up


def would_do(target: str, venv: Path, **environment: str) -> str:
    """The commands that make would run for `target`, if the environment `venv` is older than its
    description."""
    kept = {name: text for name, text in os.environ.items() if name not in ("CI", "MAKEFLAGS")}
    return subprocess.run(
        ["make", "--dry-run", "--no-print-directory", f"VENV={venv}", target],
        cwd=Path(__file__).parent.parent, env=kept | environment,
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip


def set_up(venv: Path, *ready: str) -> Path:
    venv.mkdir()
    for name in ready:
        (venv / name).touch()
        os.utime(venv / name, (0, 0))
    return venv


@pytest.mark.parametrize("target", ["lint", "hw-board", "test", "rigs"])
def test_an_installation_with_a_browser_keeps_it(tmp_path: Path, target: str) -> None:
    venv = set_up(tmp_path / "venv", ".ready-ci", ".ready-hw", ".ready-rigs")
    told = would_do(target, venv)
    assert "--editable '.[dev,browser,hw]'" in told
    assert "--editable '.[dev]'" not in told


def test_an_installation_for_playing_has_what_the_page_needs(tmp_path: Path) -> None:
    assert "--editable '.'" in would_do("run", set_up(tmp_path / "venv"))
    assert "--editable '.[dev]'" in would_do("test", set_up(tmp_path / "played", ".ready-run"))
    assert "'.[dev,browser,hw]'" in would_do("test", set_up(tmp_path / "ci"), CI="true")


def test_make_run_removes_nothing_that_tests_need(tmp_path: Path) -> None:
    assert "'.[dev]'" in would_do("run", set_up(tmp_path / "venv", ".ready", ".ready-run"))
    assert "'.[dev,browser,hw]'" in would_do("run", set_up(tmp_path / "ci", ".ready-ci", ".ready"))


def test_make_runs_a_sample_unless_all_tests_are_requested(tmp_path: Path) -> None:
    venv = set_up(tmp_path / "venv", ".ready-ci")
    for target in ("test", "rigs"):
        assert "--sample" in would_do(target, venv)
    assert "--sample" not in would_do("test-all", venv)
