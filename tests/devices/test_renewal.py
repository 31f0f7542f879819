"""A newer firmware for a seat keypad, on a Pico whose flash is a folder: whenever the power goes,
the firmware that the keypad starts is whole."""

import builtins
import runpy
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any

import pytest

from companion.core.keys import Key
from companion.devices.keypads import renewal
from companion.devices.keypads.renewal import (
    END,
    FIRMWARE,
    RAW_PROMPT,
    Firmware,
    Prompt,
    RenewalError,
    firmware_here,
    write_and_mark,
)
from tests.devices.link.keypad import State
from tests.devices.pty_keypad import PtyRegistry

OLD = {"main.py": b"run()", "seat_keypad/board.py": b"old", "keypad.json": b"{}"}
"""The files of a keypad from the time when firmware was only copied by hand."""
NEW = Firmware((1, 1, 0), b'BASE = "1.1.0"', {"board.py": b"new" * 500, "link.py": b"\r\n\x00\xff"})
NEWER = Firmware((1, 2, 0), b'BASE = "1.2.0"', {"board.py": b"newer"})


class PowerCut(Exception):
    """The power is cut."""


class Pico:
    """MicroPython's raw prompt, simulated with CPython; after `lasts` lines the power is cut.
    `frozen`: the version of the firmware in its MicroPython."""

    def __init__(self, flash: Path, frozen: str = "", lasts: int = 10_000) -> None:
        self.flash, self.lines, self._lasts = flash, 0, lasts
        self._said, self._files = b"", list[IO[Any]]()
        flash.mkdir(exist_ok=True)
        at = flash.joinpath
        shim = SimpleNamespace(
            chdir=lambda _: None,
            listdir=lambda name="": [path.name for path in at(name).iterdir()],
            mkdir=lambda name: at(name).mkdir(),
            remove=lambda name: at(name).rmdir() if at(name).is_dir() else at(name).unlink(),
            rename=lambda old, new: at(old).replace(at(new)),
        )
        modules: dict[str, Any] = {"os": shim, "sys": SimpleNamespace(path=[""])}
        if frozen:
            modules["main"] = SimpleNamespace(BASE=frozen)

        def load(name: str, *more: Any) -> Any:
            if name in modules:
                return modules[name]
            if name == "main":
                raise ImportError
            return __import__(name, *more)

        def say(*words: object) -> None:
            self._said += " ".join(map(str, words)).encode() + b"\r\n"

        ours = {"open": self._open, "__import__": load}
        self._globals = {"__builtins__": {**vars(builtins), **ours, "print": say}}
        self.prompt = Prompt(self._hear, self._read)

    def _open(self, name: str, mode: str = "r") -> IO[Any]:
        self._files.append((self.flash / name).open(mode))
        return self._files[-1]

    def _hear(self, data: bytes) -> None:
        if not data.endswith(END):
            self._said = b"old hello\r\n>>> " + RAW_PROMPT
            return
        self.lines += 1
        if self.lines > self._lasts:
            for file in self._files:
                file.close()
            raise PowerCut
        self._said, fault = b"", b""
        try:
            exec(data.removesuffix(END), self._globals)
        except OSError as error:
            fault = f"Traceback\r\nOSError: {error.errno}\r\n".encode()
        self._said = b"OK" + self._said + END + fault + END + b">"

    def _read(self) -> bytes:
        said, self._said = self._said, b""
        return said


@pytest.fixture
def flash(tmp_path: Path) -> Path:
    return tmp_path / "flash"


def fill(flash: Path, files: dict[str, bytes]) -> None:
    shutil.rmtree(flash, ignore_errors=True)
    for name, content in files.items():
        (flash / name).parent.mkdir(parents=True, exist_ok=True)
        (flash / name).write_bytes(content)


def starts(flash: Path, base: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The folder from which the firmware's own main.py, of version `base`, would start."""
    monkeypatch.setitem(__import__("sys").modules, "machine", SimpleNamespace())
    chosen = runpy.run_path(str(FIRMWARE / "main.py"), run_name="main")
    chosen["firmware_folder"].__globals__["BASE"] = base
    monkeypatch.chdir(flash)
    return str(chosen["firmware_folder"]())


def test_the_box_finds_the_firmware_in_its_source_tree() -> None:
    here = firmware_here()
    assert here is not None and {"board.py", "link.py"} < here.package.keys()
    assert f'BASE = "{here.version_text}"'.encode() in here.main
    assert firmware_here(Path("/nowhere")) is None


def test_new_firmware_is_written_beside_the_old_and_tried_once(
    flash: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(flash, OLD)
    pico = Pico(flash)
    pico.prompt.enter(1)
    write_and_mark(pico.prompt, NEW)
    assert {(flash / "a/seat_keypad" / name).read_bytes() for name in NEW.package} == {
        *NEW.package.values()
    }
    assert (flash / "main.py").read_bytes() == NEW.main
    assert (flash / "seat_keypad/board.py").read_bytes() == b"old"
    assert (flash / "keypad.json").read_bytes() == b"{}"
    assert starts(flash, "1.1.0", monkeypatch) == "a"
    assert starts(flash, "1.1.0", monkeypatch) == ".frozen", "it has not heard the box"


def test_updates_alternate_between_two_folders(
    flash: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_and_mark(Pico(flash).prompt, NEW)
    assert starts(flash, "1.1.0", monkeypatch) == "a"
    (flash / "tried").rename(flash / "current")
    assert starts(flash, "1.1.0", monkeypatch) == "a"
    write_and_mark(Pico(flash).prompt, NEWER)
    assert starts(flash, "1.1.0", monkeypatch) == "b"
    assert starts(flash, "1.1.0", monkeypatch) == "a", "the other has not heard the box"
    assert (flash / "main.py").read_bytes() == NEW.main, "nothing that starts is written twice"


def test_firmware_with_its_own_main_is_not_overwritten(
    flash: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody who later copies another MicroPython onto the Pico gets the firmware in that one."""
    write_and_mark(Pico(flash, frozen="1.1.0").prompt, NEWER)
    assert not (flash / "main.py").exists()
    assert starts(flash, "1.1.0", monkeypatch) == "a"
    (flash / "tried").rename(flash / "current")
    assert starts(flash, "1.1.0", monkeypatch) == "a"
    assert starts(flash, "1.2.0", monkeypatch) == ".frozen"


BESIDE = {"a/seat_keypad/board.py": b"first", "current": b"a 1.1.0\n"}
BEFORE = [
    (OLD, ""),
    ({**OLD, **BESIDE, "main.py": NEW.main}, ""),
    ({"keypad.json": b"{}", **BESIDE, "main.py": NEW.main}, ""),
    ({"keypad.json": b"{}", **BESIDE}, "1.1.0"),
]
"""The files on a keypad, and the version of the firmware in its MicroPython: one as in OLD, and
three whose firmware the box has renewed once."""


@pytest.mark.parametrize(("before", "frozen"), BEFORE)
def test_a_power_cut_at_any_step_leaves_old_or_new_firmware(
    flash: Path, monkeypatch: pytest.MonkeyPatch, before: dict[str, bytes], frozen: str
) -> None:
    fill(flash, before)
    whole = Pico(flash, frozen)
    write_and_mark(whole.prompt, NEW)
    assert whole.lines > 10
    for lasts in range(whole.lines):
        fill(flash, before)
        with pytest.raises(PowerCut):
            write_and_mark(Pico(flash, frozen, lasts).prompt, NEW)
        assert (flash / "keypad.json").read_bytes() == b"{}"
        if "main.py" in before:
            assert (flash / "main.py").read_bytes() in {before["main.py"], NEW.main}
        folder = starts(flash, "1.1.0", monkeypatch)
        assert folder == ("a" if "current" in before else ".frozen")
        write_and_mark(Pico(flash, frozen).prompt, NEW)
        folder = starts(flash, "1.1.0", monkeypatch)
        package = flash / folder / "seat_keypad"
        assert {path.name: path.read_bytes() for path in package.iterdir()} == NEW.package


def test_a_pico_with_another_program_is_left_alone(flash: Path) -> None:
    fill(flash, {"main.py": b"# a clock"})
    with pytest.raises(RenewalError, match="another program"):
        write_and_mark(Pico(flash).prompt, NEW)
    assert [path.name for path in flash.iterdir()] == ["main.py"]


def test_a_failed_write_to_flash_is_reported(flash: Path) -> None:
    fill(flash, {**OLD, "a/seat_keypad/board.py/x": b"in the way"})
    with pytest.raises(RenewalError, match="OSError"):
        write_and_mark(Pico(flash).prompt, NEW)
    assert not (flash / "trial").exists()


def test_a_keypad_without_a_prompt_is_reported(flash: Path) -> None:
    with pytest.raises(RenewalError, match="prompt"):
        Prompt(lambda _: None, lambda: b"").enter(0.01)


def test_the_box_releases_the_ports_of_keypads_while_it_updates_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One of two keypads can't be written: the box reports that, and uses both again afterwards."""
    given: list[str] = []

    def install(device: str, firmware: Firmware) -> None:
        given.append(device)
        if len(given) == 1:
            raise RenewalError("it is stuck")

    monkeypatch.setattr(renewal, "install", install)
    monkeypatch.setattr(renewal, "firmware_here", lambda: NEW)
    told: list[tuple[str, str]] = []
    with PtyRegistry() as registry:
        pads = [registry.plug().model for _ in range(2)]
        registry.until(lambda: all(pad.state is State.OPEN for pad in pads))
        registry.keypads.renew(lambda serial, why: told.append((serial, why)))
        registry.until(lambda: len(told) == 2)
        assert sorted(given) == sorted(one.device for one in registry.plugged)
        names = [one["keypad"] for one in registry.keypads.status()]
        assert dict(told).keys() == {*names}
        assert sorted(why for _, why in told) == ["", "it is stuck"]
        heard = len(registry.pressed)
        registry.wait(4.0)
        for pad in pads:
            pad.press(Key.D5)
        registry.until(lambda: len(registry.pressed) == heard + 2)
        monkeypatch.setattr(renewal, "firmware_here", lambda: None)
        registry.keypads.renew(lambda serial, why: told.append((serial, why)))
        registry.wait(0.1)
    assert len(told) == 2, "a box without any firmware leaves them alone"
