"""The start of the firmware: a fault is written down, but not again and again."""

import builtins
import runpy
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any, TextIO

import pytest

MAIN = Path(__file__).parents[2] / "firmware" / "main.py"
POWER, WATCHDOG = 1, 3


class Reset(BaseException):
    """Raised where the Pico restarts."""


class Device:
    """A Pico, with a folder as its flash, whose firmware always fails."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, flash: Path) -> None:
        self.flash, self.writes, self._cause = flash, 0, POWER
        machine: Any = ModuleType("machine")
        machine.PWRON_RESET, machine.reset_cause = POWER, lambda: self._cause
        machine.reset = self._reset
        board: Any = ModuleType("seat_keypad.board")
        board.run = self._run
        monkeypatch.setitem(sys.modules, "machine", machine)
        monkeypatch.setitem(sys.modules, "seat_keypad.board", board)
        monkeypatch.setattr(sys, "print_exception", self._print_exception, raising=False)
        monkeypatch.setattr("time.sleep", lambda _: None)
        monkeypatch.setattr(builtins, "open", self._open)

    def boot(self, cause: int, fault: Exception) -> None:
        """Starts for that reason, and fails with that fault."""
        self._cause, self._fault = cause, fault
        with pytest.raises(Reset):
            runpy.run_path(str(MAIN), run_name="__main__")

    @property
    def kept(self) -> str:
        return (self.flash / "fault.txt").read_text()

    def _run(self) -> None:
        raise self._fault

    def _reset(self) -> None:
        raise Reset

    def _open(self, path: str, mode: str = "r") -> Any:
        self.writes += mode != "r"
        return (self.flash / path).open(mode)

    @staticmethod
    def _print_exception(fault: Exception, file: TextIO | None = None) -> None:
        traceback.print_exception(fault, file=file)


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Device:
    return Device(monkeypatch, tmp_path)


def test_a_recurring_fault_is_written_once_per_boot_reason(
    device: Device,
) -> None:
    device.boot(POWER, ValueError("the first"))
    for at in range(50):
        device.boot(WATCHDOG, ValueError(f"again {at}"))
    assert device.writes == 2
    assert device.kept.startswith("After the power came:\nTraceback")
    assert "the first" in device.kept
    assert device.kept.count("After a restart:") == device.kept.count("again 0") == 1


def test_a_power_on_starts_a_new_fault_file(device: Device) -> None:
    device.boot(POWER, ValueError("old"))
    device.boot(WATCHDOG, ValueError("old"))
    device.boot(POWER, ValueError("new"))
    assert "old" not in device.kept
    assert "new" in device.kept


def test_the_first_fault_after_a_restart_is_written(device: Device) -> None:
    device.boot(WATCHDOG, ValueError("late"))
    assert device.kept.startswith("After a restart:")


def test_a_full_flash_does_not_prevent_a_restart(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: str, mode: str = "r") -> Any:
        raise OSError(28, "ENOSPC")

    monkeypatch.setattr(builtins, "open", full)
    device.boot(POWER, ValueError("x"))
