"""MENU, This box, Club: joining by the display, and a sign that takes no room from the game."""

from dataclasses import replace

import pytest

from companion.core.box_page import Phones
from companion.core.club import Club, ClubRequest, ClubRequestKind, ClubStep
from tests.console.rig import Rig, started
from tests.screens.club_scenes import (
    ASKING,
    AWAY,
    COMPARING,
    ENDED,
    FOUND,
    MENU,
    REACHED,
    with_club,
)

LOOK, LEAVE = ClubRequest(ClubRequestKind.LOOK), ClubRequest(ClubRequestKind.LEAVE)


def join_at(address: str) -> ClubRequest:
    return ClubRequest(ClubRequestKind.JOIN, address)


def test_a_digit_joins_the_club_in_the_list() -> None:
    rig = with_club(FOUND, MENU)
    assert (rig.name(), rig.console.club_request) == ("ChooseClub", LOOK)
    rig.press("2")
    assert rig.console.club_request == join_at("192.168.1.20:8070")
    assert with_club(COMPARING, "", rig).name() == "ShowClub"
    assert rig.press("OK").name() == "LineTurn"
    assert rig.console.club_request is None


def test_a_hubs_address_is_typed_with_the_sixteen_keys() -> None:
    rig = with_club(Club(), f"{MENU} 1 1 9 2 DRAW 1 6 8 DRAW 1 DRAW 2 OK")
    assert rig.console.club_request is not None
    assert rig.console.club_request.address == "192.168.1.2"
    rig = with_club(Club(), f"{MENU} 1 1 0 DRAW 0 DRAW 0 DRAW 7 PASS 8 0 8 0 OK")
    assert rig.console.club_request == join_at("10.0.0.7:8080")
    for wrong in ("1 OK", "1 DRAW 2 DRAW 3 OK", "9 9 9 DRAW 1 DRAW 1 DRAW 1 OK", "PASS 1 OK"):
        rig = with_club(Club(), f"{MENU} 1 {wrong}")
        assert rig.console.club_request is None
        assert (rig.name(), rig.screen and rig.screen.shows_refusal) == ("TypeAddress", True)
        assert rig.press("OK BACK").name() == "TypeAddress"


def test_back_cancels_joining_if_the_digits_differ() -> None:
    rig = with_club(COMPARING, f"{MENU} BACK")
    assert rig.console.club_request == LEAVE
    assert with_club(ASKING, f"{MENU} BACK").console.club_request == LEAVE


def test_leaving_a_club_needs_a_second_ok() -> None:
    rig = with_club(REACHED, f"{MENU} 0")
    assert (rig.name(), rig.console.club_request) == ("LeaveClub", None)
    assert rig.press("BACK").name() == "ShowClub"
    assert rig.press("0 OK").console.club_request == LEAVE
    assert with_club(ENDED, f"{MENU} OK").console.club_request == LOOK


def test_menu_twice_opens_the_club_before_the_first_game() -> None:
    rig = Rig()
    rig.view = replace(rig.view, phones=Phones(open=False), club=Club())
    assert rig.press("MENU MENU").name() == "ChooseClub"
    assert rig.press("BACK").name() == "ChooseGame"


def test_a_box_that_cannot_join_clubs_has_no_club_item() -> None:
    rig = started().press("OK 1 MENU 8 9")
    assert (rig.name(), rig.console.club_request) == ("Choices", None)


@pytest.mark.parametrize(
    ("club", "sign", "short"),
    [
        (Club(), "not connected yet", ""),
        (COMPARING, "waits for the organiser", "Club ?"),
        (REACHED, "connected", "Club"),
        (AWAY, "last contact 14 minutes ago", "Club 14'"),
        (replace(AWAY, minutes=1), "last contact 1 minute ago", "Club 1'"),
        (replace(AWAY, minutes=130), "last contact 130 minutes ago", "Club 2h"),
        (Club(ClubStep.JOINED), "not connected yet", "Club ?"),
        (ENDED, "The organiser has sent this box away.", "Club ?"),
    ],
)
def test_a_small_sign_shows_the_clubs_state(club: Club, sign: str, short: str) -> None:
    assert (club.sign, club.short_sign) == (sign, short)


@pytest.mark.parametrize("keys", ["6", "6 4", "6 4 OK", "6 4 OK 4 4 OK", "DRAW"])
def test_the_clubs_sign_covers_nothing(keys: str) -> None:
    without = started().press(f"OK 1 {keys}").frame
    signed = with_club(AWAY, keys).frame
    assert not any(byte & ~new for byte, new in zip(without.pixels, signed.pixels, strict=True))
    assert "Club 14'" in signed.words
