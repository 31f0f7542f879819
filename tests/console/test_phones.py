"""MENU, Phones: how phones connect, and the requests to the page; the code on the display is read
from simulated photos."""

from dataclasses import replace
from random import Random

import pytest
import zxingcpp
from PIL import Image, ImageChops, ImageFilter

from companion.core.box_page import PageRequest, Phones
from companion.core.keys import Key
from companion.core.seats import Seat
from companion.games.line.line import TilePlayed
from companion.record.rows import Step
from companion.web.address import qr_text
from tests.console.rig import Rig, started
from tests.screens.phones_scenes import LATER_PORT, LONGEST, WORD, phones_at

CLOSED = Phones(open=False)


def with_phones(phones: Phones | None, rig: Rig | None = None) -> Rig:
    rig = rig or started().press("OK 1")
    rig.view = replace(rig.view, phones=phones)
    return rig


def inviting(rig: Rig) -> bool:
    return rig.console.show(rig.view).inviting


def test_ok_lets_phones_in_and_then_shows_how_to_connect() -> None:
    rig = with_phones(CLOSED).press("MENU 0")
    assert inviting(rig)
    assert rig.console.page_request is None
    assert rig.press("OK").console.page_request is PageRequest.OPEN
    with_phones(phones_at(LONGEST), rig)
    assert rig.name() == "ShowPhones"
    assert rig.press("OK").name() == "LineTurn"
    assert not inviting(rig)


def test_new_codes_need_a_second_ok() -> None:
    rig = with_phones(phones_at(LONGEST)).press("MENU 0 0")
    assert (rig.name(), inviting(rig)) == ("RenewCodes", False)
    assert rig.console.page_request is None
    assert rig.press("BACK").console.page_request is None
    assert rig.name() == "ShowPhones"
    assert rig.press("0 OK").console.page_request is PageRequest.NEW_CODES
    assert rig.name() == "ShowPhones"


def test_the_phone_screen_is_offered_only_with_a_page() -> None:
    rig = with_phones(None).press("MENU")
    assert rig.screen is not None
    assert Key.D0 not in rig.screen.keys(rig.view)
    assert rig.press("0").name() == "Menu"
    assert with_phones(None, Rig()).press("MENU").name() == "ChooseGame"


def test_menu_opens_the_phone_screen_before_the_first_game() -> None:
    rig = with_phones(phones_at(LONGEST), Rig()).press("MENU")
    assert rig.name() == "ShowPhones"
    assert rig.press("BACK").name() == "ChooseGame"
    assert rig.press("1").name() == "ChoosePlayers"


def test_a_joystick_reaches_the_phone_screen() -> None:
    rig = with_phones(phones_at(LONGEST)).press("MENU")
    assert rig.screen is not None
    assert Key.D0 in rig.screen.keys(rig.view)
    assert rig.press("UP PRESS").name() == "ShowPhones"


def test_new_rows_do_not_close_the_phone_screen() -> None:
    """Phones that are already in play on while others are let in."""
    rig = with_phones(phones_at(LONGEST)).press("MENU 0")
    before, entry = rig.view, TilePlayed(Seat("Blue"), (6, 4))
    rig.view = replace(before, journal=before.game.fold(Step((entry,))))
    rig.console = rig.console.after_row_elsewhere(before, rig.view, "Blue's phone: 6-4.")
    assert rig.name() == "ShowPhones"
    assert rig.console.message is None


# ---------------------------------------------------------------- what phones read


def photographed(rig: Rig, seed: int) -> Image.Image:
    """The display in a dark case, seen from the side and below, not sharp and with noise."""
    random = Random(seed)
    display = rig.console.show(rig.view).frame.to_image().convert("L")
    lit = display.point(lambda value: 215 if value else 12).resize((1280, 640), 0)
    case = Image.new("L", (1600, 900), 28)
    case.paste(lit, (160, 130))
    aslant = case.transform(
        case.size,
        Image.Transform.QUAD,
        (-60, -40, -120, 960, 1660, 860, 1720, 40),
        Image.Resampling.BICUBIC,
    )
    turned = aslant.rotate(random.uniform(-8, 8), Image.Resampling.BICUBIC, fillcolor=28)
    small = turned.resize((1000, 562)).filter(ImageFilter.GaussianBlur(1.8))
    noise = Image.effect_noise(small.size, 40)
    return ImageChops.add(small, noise, 1, -128)


@pytest.mark.sampled(1, of="seed")
@pytest.mark.parametrize("where", [LONGEST, "http://10.0.0.7", LATER_PORT])
@pytest.mark.parametrize("seed", range(3))
def test_the_displayed_qr_code_is_readable(where: str, seed: int) -> None:
    rig = with_phones(phones_at(where)).press("MENU 0")
    codes = zxingcpp.read_barcodes(photographed(rig, seed))
    # Some versions take the lines of text beside it for a bar code.
    found = [code.text for code in codes if "QR" in str(code.format)]
    assert found == [qr_text(where, WORD)]


def test_the_qr_code_has_a_quiet_zone() -> None:
    """On port 80 the code has 25 modules of two pixels each, with a lit border of three and a half
    modules on every side."""
    rows = with_phones(phones_at(LONGEST)).press("MENU 0").frame.rows()
    assert len(phones_at(LONGEST).code) == 25
    square = [row[:64] for row in rows]
    assert all(set(row) == {"#"} for row in square[:7] + square[-7:])
    assert all(set(row[:7] + row[-7:]) == {"#"} for row in square)
    assert square[7][7] == "."


def test_an_address_too_long_for_a_qr_code_is_shown_as_text() -> None:
    name = "http://" + "a-rather-long-name-for-a-box-on-a-table.local:8080"
    rig = with_phones(phones_at(name)).press("MENU 0")
    assert not rig.frame.lit(0, 63)
    assert rig.name() == "ShowPhones"
