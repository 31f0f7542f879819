"""`companion check --only display`: on any panel, the picture shows which driver is right."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from companion.app.check.bench import Grade
from companion.app.check.display import BOARDS, draw_pattern
from companion.console.frame import Frame
from companion.devices.board import load_board
from tests.app.check.draw import PICTURE, pictures
from tests.app.check.person import Desk
from tests.fake_oled import Chip

I2C = "keys-16"


def advice(desk: Desk) -> str:
    """The settings that the one finding advises."""
    (found,) = desk.find("display")
    told = found.remedy.removeprefix("in c.toml, under [display], set ")
    set_only = told.removesuffix(", unless the menu turns it already")
    assert found.result is (Grade.FAULT if set_only == told else Grade.WARNING)
    return set_only


def mended(desk: Desk, lines: str) -> Desk:
    """A desk with the same panel, just switched on, and with these settings."""
    words = lines.split(" and ")
    names = {word.split(" =")[0] for word in words}
    old = [line for line in desk.settings.splitlines()[1:] if line.split(" =")[0] not in names]
    text = "\n".join(["[display]", *old, *words])
    return Desk(desk.folder, desk.board, desk.chip, desk.offset, text, upside_down=desk.upside_down)


@pytest.mark.parametrize(("board", "chip"), [(I2C, "ssd1306"), ("waveshare-1.3-hat", "sh1106")])
def test_a_correctly_configured_panel_needs_one_answer(
    tmp_path: Path, board: str, chip: Chip
) -> None:
    desk = Desk(tmp_path, board, chip)
    (found,) = desk.find("display")
    assert found.result is Grade.OK
    assert sum(line.startswith("Picture") for line in desk.lines) == 1
    assert desk.fake_oled.contrast == 0, "the pattern stays on and burns in"


SH1106 = '[display]\ndriver = "sh1106"'
CASES: list[tuple[tuple[str, Chip, int | None, str], bool | None, str]] = [
    ((I2C, "sh1106", None, ""), False, 'driver = "sh1106"'),
    ((I2C, "sh1106", 4, SH1106), False, "offset = 4"),
    ((I2C, "sh1106", 4, ""), False, 'driver = "sh1106" and offset = 4'),
    ((I2C, "ssd1306", None, SH1106), False, 'driver = "ssd1306"'),
    ((I2C, "ssd1306", None, "[display]\noffset = 2"), False, "offset = -1"),
    ((I2C, "ssd1306", None, ""), True, "rotate = 2"),
    ((I2C, "ssd1306", None, "[display]\nrotate = 2"), False, "rotate = 0"),
    ((I2C, "sh1106", None, ""), True, 'driver = "sh1106" and rotate = 2'),
    (("waveshare-1.3-hat", "ssd1306", None, ""), None, 'driver = "ssd1306"'),
    # A picture of an SH1106 that begins at 0 is an SSD1306's.
    ((I2C, "sh1106", 0, SH1106), False, 'driver = "ssd1306"'),
]


@pytest.mark.parametrize(("box", "upside_down", "says"), CASES)
def test_following_the_advice_corrects_the_picture(
    tmp_path: Path, box: tuple[str, Chip, int | None, str], upside_down: bool | None, says: str
) -> None:
    desk = Desk(tmp_path, *box, upside_down=upside_down)
    assert advice(desk) == says
    (found,) = mended(desk, says).find("display")
    assert found.result is Grade.OK


HATS = ("waveshare-1.3-hat", "adafruit-bonnet")


@pytest.mark.parametrize("board", HATS)
@pytest.mark.parametrize("rotate", [0, 2])
def test_a_joystick_on_the_wrong_side_suggests_a_board_file_line(
    tmp_path: Path, board: str, rotate: int
) -> None:
    """For every orientation of the box (`rotate`) and of the display's glass: once the advice is
    followed, picture and joystick have the same orientation."""
    chip: Chip = "sh1106" if board == HATS[0] else "ssd1306"
    settings = f"[display]\nrotate = {rotate}"
    usual = load_board(board)
    right = Desk(tmp_path, board, chip, settings=settings)
    assert [found.result for found in right.find("display")] == [Grade.OK]
    wrong = replace(right, upside_down=not right.upside_down)
    fault, picture = wrong.find("display")
    assert (fault.result, picture.result) == (Grade.FAULT, Grade.OK)
    assert fault.found == "the joystick is on the other side of the picture"
    line = f"rotate = {2 - usual.display.rotate}"
    assert f"{board}.toml to a place of your own, set {line} there" in fault.remedy
    mended = tmp_path / "mine.toml"
    text = (BOARDS / f"{board}.toml").read_text()
    text = re.sub("^rotate = .*", "", text, flags=re.MULTILINE)
    mended.write_text(text.replace("[display]", f"[display]\n{line}"))
    again = replace(wrong, board=str(mended))
    assert [found.result for found in again.find("display")] == [Grade.OK]


def test_the_advice_names_a_custom_board_file(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text((BOARDS / "adafruit-bonnet.toml").read_text())
    desk = Desk(tmp_path, str(mine), upside_down=True)
    assert desk.find("display")[0].remedy == f"in {mine}, under [display], set rotate = 2"


def test_a_wrong_driver_visibly_damages_the_pattern(tmp_path: Path) -> None:
    """The fault that the person has to look for is really visible."""
    desk = Desk(tmp_path, I2C, "sh1106")
    seen: list[Frame] = []
    ask = desk.ask

    def looking(question: str) -> str:
        seen.append(Frame(desk.fake_oled.seen))
        return ask(question)

    desk.ask = looking  # type: ignore[method-assign]
    desk.find("display")
    wrong, right = seen[0], seen[1]
    assert all(right.lit(x, y) for x in (0, 127) for y in range(64))
    assert not all(wrong.lit(0, y) for y in range(4, 60)) or not all(
        wrong.lit(127, y) for y in range(4, 60)
    )


def test_it_is_a_fault_if_no_picture_is_correct(tmp_path: Path) -> None:
    desk = Desk(tmp_path, I2C, "sh1106", 3)
    (found,) = desk.find("display")
    assert found.result is Grade.FAULT
    assert found.found == "none of the pictures was right"


def test_an_invalid_answer_repeats_the_question(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    answers = iter(["7", "yes", "1", ""])
    desk.ask = lambda question: next(answers)  # type: ignore[method-assign]
    (found,) = desk.find("display")
    assert found.result is Grade.OK
    assert "7 is no picture: 1 to 4, 0 or Enter." in desk.lines


def test_pressing_only_enter_ends_the_questions(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.ask = lambda question: ""  # type: ignore[method-assign]
    (found,) = desk.find("display")
    assert found.result is Grade.NOT_TRIED


def test_without_questions_only_the_bus_is_checked(tmp_path: Path) -> None:
    desk = Desk(tmp_path, asks=False)
    (found,) = desk.find("display")
    assert found.result is Grade.NOT_TRIED
    assert desk.fake_oled.log
    desk.fake_oled.unplug()
    (found,) = desk.find("display")
    assert found.result is Grade.FAULT


def test_a_display_unknown_to_luma_is_reported_with_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Debian's luma.oled doesn't support the SH1107, for example."""
    monkeypatch.delattr("luma.oled.device.sh1107", raising=False)
    (found,) = Desk(tmp_path, settings='[display]\ndriver = "sh1107"').find("display")
    assert found.result is Grade.FAULT
    assert re.fullmatch(r"luma\.oled [\d.]+ can't drive an sh1107, 3\.11 can", found.found)
    assert found.remedy == (
        "the Debian package has no newer one: take a display with an ssd1306, ssd1309 or sh1106, "
        "or start the companion from its source by make run"
    )


def test_the_test_pattern_has_no_symmetry() -> None:
    rows = draw_pattern(1, "ssd1306 +0").rows()
    across = [row[::-1] for row in rows]
    assert rows not in (rows[::-1], across, across[::-1])


def test_every_picture_number_looks_different() -> None:
    assert len({draw_pattern(number, "x") for number in range(10)}) == 10


def test_the_guides_pictures_match_the_display() -> None:
    """Look at the pictures, and renew them, with: python -m tests.app.check.draw"""
    with Image.open(PICTURE) as picture:
        assert picture.convert("RGB").tobytes() == pictures().tobytes()
