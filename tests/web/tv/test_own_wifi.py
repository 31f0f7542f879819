"""The Wi-Fi that a flashed card opens, as its TV shows it."""

import json
from pathlib import Path

import pytest
import zxingcpp

from companion.web.address import qr_rows, qr_text
from companion.web.tv.picture import PhoneInvitation, draw_table
from companion.web.tv.program import own_wifi_invitation
from tests.web.tv.letters import needs_letters

pytestmark = needs_letters
PLACE, WORD = "http://192.168.44.1", "abcdefgh23456723"
TABLE = PhoneInvitation(PLACE, qr_rows(PLACE, WORD), "Scan this to play:")
CODE = "WIFI:T:WPA;S:Table 3F2A;P:abcd-efgh;;"


def shown(folder: Path, guests: int) -> PhoneInvitation:
    path = folder / "own-wifi"
    path.write_text(json.dumps(["Table 3F2A", "abcd-efgh", CODE, guests]))
    return own_wifi_invitation(TABLE, path)


@pytest.mark.parametrize("size", [(640, 480), (1920, 1080), (1080, 1920)])
def test_the_wifi_s_code_is_shown_until_a_phone_has_joined(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    way_in = shown(tmp_path, 0)
    assert way_in.place == "Table 3F2A  abcd-efgh"
    (code,) = zxingcpp.read_barcodes(draw_table({"moment": None}, size, way_in).convert("L"))
    assert code.text == CODE


def test_the_table_s_code_is_shown_once_a_phone_has_joined_the_wifi(tmp_path: Path) -> None:
    way_in = shown(tmp_path, 2)
    assert way_in.place == f"{PLACE}  (Table 3F2A  abcd-efgh)"
    picture = draw_table({"moment": None}, (1280, 720), way_in)
    (code,) = zxingcpp.read_barcodes(picture.convert("L"))
    assert code.text == qr_text(PLACE, WORD)


def test_without_the_box_s_own_wifi_the_table_s_invitation_is_shown(tmp_path: Path) -> None:
    assert own_wifi_invitation(TABLE, tmp_path / "own-wifi") == TABLE
    (tmp_path / "own-wifi").write_text("torn")
    assert own_wifi_invitation(TABLE, tmp_path / "own-wifi") == TABLE
