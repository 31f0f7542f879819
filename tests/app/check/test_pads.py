"""`companion check --only pads`, and a screen on HDMI, on fakes."""

from dataclasses import replace
from pathlib import Path

import pytest

from companion.app.check.bench import Bench, Grade
from companion.app.check.report import bench_of, run_checks
from companion.devices.display.framebuffer import Geometry
from companion.devices.pads.input_devices import InputDevices
from companion.devices.pads.pad_keys import PAD_CODES
from tests.app.check.person import Desk
from tests.fake_pads import FakePad
from tests.sample_games import RACE_RULES

PORT = "usb-0000:01:00.0-1.3/input0"
NAME = "“HCT USB Entry Keypad” (pad-0000-01-00.0-1.3)"
ALL = (79, 80, 81, 75, 76, 77, 71, 72, 73, 82, 78, 74, 55, 98, 83, 96)


class Typing(Desk):
    """A person who presses the keys with these codes on the pad when prompted."""

    codes: tuple[int, ...] = ALL

    def wait_for_enter(self, patience_s: float) -> bool:
        if self.codes and any("Press each key of" in line for line in self.lines):
            code, *rest = self.codes
            self.codes = tuple(rest)
            (pad,) = self.pads._pads.values()
            pad.move(code, 1, self.now)
            pad.move(code, 0, self.now + 0.04)
            self.now += 0.1
            return False
        return super().wait_for_enter(patience_s)


def plugged(desk: Desk) -> FakePad:
    pad = FakePad("HCT USB Entry Keypad", PORT, {69, *PAD_CODES})
    desk.pads.plug(pad)
    desk.write("dev/input/event1", "")
    return pad


def test_every_key_of_a_pad_is_tried_and_reported(tmp_path: Path) -> None:
    desk = Typing(tmp_path)
    pad = plugged(desk)
    (found,) = desk.find("pads")
    assert (found.result, found.found) == (Grade.OK, f"{NAME}: all sixteen keys")
    assert not pad.open
    assert [line.strip() for line in desk.lines if line.startswith("  ")][-1] == "OK"


def test_missing_keys_are_named(tmp_path: Path) -> None:
    desk = Typing(tmp_path)
    plugged(desk)
    desk.codes = tuple(code for code in ALL if code not in (78, 83))
    (found,) = desk.find("pads")
    assert found.result is Grade.WARNING
    assert found.found == f"{NAME}: BACK DRAW did not arrive"


def test_pads_are_not_tried_without_a_terminal(tmp_path: Path) -> None:
    desk = Desk(tmp_path, asks=False)
    (found,) = desk.find("pads")
    assert (found.result, found.found) == (
        Grade.OK,
        "no number pad is plugged in, and none is needed",
    )
    plugged(desk)
    (found,) = desk.find("pads")
    assert found.found == f"{NAME} is there; its keys were not tried"


def test_without_evdev_the_check_reports_what_to_install(tmp_path: Path) -> None:
    def missing() -> InputDevices:
        raise ImportError("evdev")

    desk = Desk(tmp_path)
    (found,) = desk.find_on(replace(desk.machine, pads=missing), "pads")
    assert found.remedy == "sudo apt install python3-evdev"


SCREEN = '[display]\ndriver = "framebuffer"'


@pytest.mark.parametrize(("answer", "result"), [("", Grade.OK), ("n", Grade.FAULT)])
def test_the_pattern_is_shown_on_hdmi(tmp_path: Path, answer: str, result: Grade) -> None:
    desk = Desk(tmp_path, settings=SCREEN)
    desk.write("dev/fb0", "")
    seen: list[str] = []

    def ask(question: str) -> str:
        seen.append("\n".join(desk.screen.rows()))
        return answer

    desk.ask = ask  # type: ignore[method-assign]
    assert [found.result for found in desk.find("display")] == [result]
    assert [found.result for found in desk.find("bus")] == [Grade.OK]
    assert seen[0].count("#") > 1000
    assert not any(desk.screen.memory), "it is dark afterwards"


def without_a_wired_display(desk: Desk) -> Bench:
    """A Pi without a display's bus."""
    config = desk.folder / "c.toml"
    config.write_text('[box]\nhardware = "pads"')
    return bench_of(config, lambda _: desk.folder / "record.db", RACE_RULES, desk, desk.machine)


def test_without_a_wired_display_hdmi_is_checked(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    bench = without_a_wired_display(desk)
    desk.ask = lambda question: ""  # type: ignore[method-assign]
    (found,) = run_checks(bench, ["display"])["display"]
    assert (found.result, found.found) == (Grade.OK, "the test pattern is right (framebuffer)")


def test_a_missing_screen_is_reported_and_the_check_continues(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.screen.absent = True
    (found,) = run_checks(without_a_wired_display(desk), ["display"])["display"]
    assert found.result is Grade.WARNING
    assert found.found == (
        "no picture on HDMI: there is no /dev/fb0: plug a screen into HDMI, best before the power"
    )
    assert found.remedy == "the page has it: systemctl status companion says where, while it runs"


def test_an_unusable_screen_is_reported(tmp_path: Path) -> None:
    desk = Desk(tmp_path, settings=SCREEN)
    (found,) = desk.find("bus")
    assert found.found == "there is no /dev/fb0"
    desk.screen.geometry = Geometry(1920, 1080, 8, 1920)
    (found,) = desk.find("display")
    assert found.found.startswith("the screen takes no picture: the screen has 8 bits a pixel")
