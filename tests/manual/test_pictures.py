"""The manual shows all screens in their present form."""

import pytest
from PIL import Image

from tests.manual.book import LANGUAGES, pictures
from tests.manual.draw import PICTURES, drawn, drawn_in, path_of, pictures_in
from tests.screens.classes import every_screen
from tests.screens.scenes import SCENES
from tests.screens.test_made_up import made

NOT_SHOWN = {
    "setup_one_person": "as a question with two answers; its words are told",
    "setup_table_2": "as setup_table_3",
    "big_six_3_at_5": "as big_six",
    "turn_dismissed": "as turn_after_lead; keyed in the three ways to key a lay",
    "turn_way": "keyed in the three ways to key a lay",
    "turn_asks": "keyed in a turn",
    "refused_right_as": "as refused_menu; keyed in the three ways to key a lay",
    "bogus_mark_paid": "as bogus_mark",
    "bogus_pips": "keyed in the dispute",
    "bogus_clear": "keyed where the table rules",
    "bogus_paid": "as between",
    "bogus_returned": "as bogus_excluded",
    "bogus_undo": "as undo",
    "return_tile": "keyed where a tile is drawn by mistake",
    "ask_out_paid": "as ask_out",
    "holding": "as holding_would_pay",
    "holding_keyed": "as holding_would_pay",
    "between_tiles": "as between",
    "take_one_game": "as take_games",
    "evening_table_games": "the second page of evening_table",
    "game_over_4": "as game_over",
    "which_ends": "as which_ends_asked",
    "game_over_after_loss": "as game_over, in the words of turn_after_loss",
    "mending": "seen for a moment; its words are told",
    "fell_away": "nothing but the box and its keypads can make entries yet",
    "message": "whatever the table has to tell, in the words of this test",
    "fives_leads": "as fives_leads_8",
    "fives_nothing": "keyed in a turn of High Fives",
    "fives_took_key": "as fives_half",
    "fives_menu_hand": "as menu_hand, in the words of its own table",
    "fives_lost": "as fives_points, in the words of turn_after_loss",
    "fives_lost_8": "as fives_points_8, in the words of turn_after_loss",
    "fives_undo": "as undo",
    "fives_amend": "as amend",
    "fives_not_its_turn": "as not_its_turn",
    "tiles_card_begin": "as tiles_card; keyed where a game begins",
    "tiles_turn": "as tiles_keyed",
    "tiles_high_five": "as tiles_preview; keyed in a turn",
    "tiles_history_seat": "as history_seat",
    "tiles_doubtful": "as tiles_scored; its words are told",
    "return_or_again": "as return, where something was taken back",
    "tiles_undo": "as undo",
    "tiles_who_is_out": "as fives_which, in the words of its own table",
    "highrise_spacer": "keyed in a turn of Highrise",
    "highrise_passed": "keyed in a turn of Highrise",
    "highrise_undo": "as undo",
    "highrise_amend": "as amend",
    "highrise_holding": "as highrise_holding_keyed",
    "highrise_between_4": "as highrise_between",
    "check_begun": "seen for a moment",
    "check_lower": "as check_found",
    "check_remedy": "the words of this box's check",
    "check_not_made": "its words are told",
    "menu_phones": "as menu, in the words of its table",
    "phones_8080": "as phones, on another port",
    "phones_ipv6": "as phones, in a network without IPv4",
    "phones_ipv6_8080": "as phones, in a network without IPv4",
    "phones_loading": "seen for a moment",
    "phones_not_opened": "as phones_closed; its words are told",
    "club_looking": "as club_found",
    "club_address_wrong": "as club_address; its words are told",
    "club_asking": "seen for a moment",
    "club_reached": "as club_away",
    "club_ended": "as club_away; its words are told",
    "club_not_reached": "as club_away; its words are told",
    "club_sign": "as club_sign_away",
    "club_sign_between": "as club_sign_away",
    **dict.fromkeys(("club_seats_long", "club_seats_not"), "as club_seats"),
    "number": "no game of the catalog is told by numbers yet",
    "number_over": "no game of the catalog is told by numbers yet",
    "number_over_8": "no game of the catalog is told by numbers yet",
}
"""Scenes that need no picture in the manual, and why."""


@pytest.mark.parametrize("name", sorted(set(pictures())))
def test_a_picture_is_the_stored_screen(name: str) -> None:
    """Renew the pictures with: python -m tests.manual.draw"""
    with Image.open(path_of(name)) as picture:
        assert picture.convert("RGB").tobytes() == drawn(name).tobytes()


@pytest.mark.parametrize("language", LANGUAGES)
def test_translated_pictures_match_the_screens(language: str) -> None:
    for name in pictures_in(language):
        with Image.open(path_of(name, language)) as picture:
            assert picture.convert("RGB").tobytes() == drawn_in(language, name).tobytes(), name


def test_every_picture_is_used() -> None:
    assert {path.stem for path in PICTURES.glob("*.png")} == set(pictures())
    used = {path_of(name, each) for each in LANGUAGES for name in pictures_in(each)}
    assert {*PICTURES.glob("*/*.png")} == used


def test_every_scene_is_shown_or_needs_no_picture() -> None:
    assert set(SCENES) - set(pictures()) == set(NOT_SHOWN)
    assert all(NOT_SHOWN.values())


def test_every_screen_is_shown() -> None:
    kinds = every_screen()
    shown = {made(name).name() for name in pictures()}
    assert kinds - shown == set()
