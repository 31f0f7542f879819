"""The scenes of the golden screens; keys alone lead to each."""

from collections.abc import Callable
from dataclasses import replace

from companion.console.console import salvage_frame
from companion.core.keys import Key, Press, PressId
from companion.core.seats import Seat
from companion.games.entries import TilesDrawn
from companion.games.line.line import TilePlayed
from companion.record.copies.restore import Offer
from companion.record.rows import KeptRow, Step
from companion.table.loop import describe_row
from tests.console.rig import Rig, keyed_once, started
from tests.console.typist import until_unclear
from tests.sample_games import RACE_GAMES
from tests.screens.all_fives_scenes import SCENES as ALL_FIVES
from tests.screens.bogus_scenes import SCENES as BOGUS
from tests.screens.check_scenes import SCENES as CHECK
from tests.screens.club_scenes import REACHED
from tests.screens.club_scenes import SCENES as CLUB
from tests.screens.end_scenes import SCENES as ENDS
from tests.screens.high_five_tiles_scenes import HIGH_FIVE_TILES
from tests.screens.high_fives_scenes import HIGH_FIVES
from tests.screens.highrise_scenes import SCENES as HIGHRISE
from tests.screens.keyed import DREW, OPEN, SCORED, keyed, shown
from tests.screens.phones_scenes import SCENES as PHONES


def _names() -> Rig:
    rig = Rig()
    rig.view = replace(rig.view, names=("Wilhelmina", "Bo", "Anne_Marie", "Maximilian"))
    return rig


def alike() -> Rig:
    """The set-up with two players whose names look the same."""
    rig = Rig()
    rig.view = replace(rig.view, names=("Anna", "anna"))
    return shown(rig.press("1 2 2 2 2 OK"))


def named(keys: str) -> Callable[[], Rig]:
    """A set-up at which names of earlier games can be chosen, with these keys pressed."""
    return lambda: _names().press(keys)


def with_message(text: str) -> Callable[[], Rig]:
    """A turn while the table shows this message."""

    def scene() -> Rig:
        rig = started().press("OK 1")
        rig.view = replace(rig.view, message=text)
        return shown(rig)

    return scene


def fell_away() -> Rig:
    """A tile was being keyed when the phone of the same seat played one."""
    rig, entry = started().press("OK 2 6"), TilePlayed(Seat("Red"), (6, 3))
    before = rig.view
    rig.view = replace(before, journal=before.game.fold(Step((entry,))))
    kept = KeptRow(4, 1, Step((entry,)), source="phone-2/7/1", keyed_by=Seat("Red"))
    rig.console = rig.console.after_row_elsewhere(before, rig.view, describe_row(kept, rig.view))
    return shown(rig)


def once_more() -> Rig:
    """DRAW is pressed when the phone of the same seat has just drawn."""
    rig, entry = started().press("OK 2"), TilesDrawn(Seat("Red"))
    before = rig.view
    rig.view = replace(before, journal=before.game.fold(Step((entry,))))
    kept = KeptRow(4, 1, Step((entry,)), source="phone-2/7/1", keyed_by=Seat("Red"))
    why = describe_row(kept, rig.view)
    rig.console = rig.console.after_row_elsewhere(before, rig.view, why)
    rig.console = rig.console.asking_again(Step((entry,)), why, None)
    return shown(rig)


def after_loss(keys: str, then: str = "", players: int = 2) -> Callable[[], Rig]:
    """A game whose rows are lost after `keys`; then `then` is pressed."""

    def scene() -> Rig:
        rig = started(players).press(keys)
        rig.view = replace(rig.view, journal=rig.view.game.with_loss(None))
        return shown(rig).press(then)

    return scene


def by_scores() -> Rig:
    """Only scores are keyed; so far the seat and its points."""
    rig = started().press("OK")
    rig.view = replace(rig.view, settings={**rig.view.settings, "entry": "scores"})
    return shown(rig).press("1 1 5")


def while_mending() -> Rig:
    """The scene while a damaged record is being repaired."""
    rig = started()
    rig.frame = salvage_frame()
    return rig


def asked_to_switch_off() -> Rig:
    """MENU is held on a box that can be switched off by it."""
    rig = started()
    rig.view = replace(rig.view, switches_off=True)
    return rig.press(SCORED + "MENU!")


def offered(games: int, last: float | None) -> Callable[[], Rig]:
    """A box without any game has a stick with a record of so many `games` put in."""

    def scene() -> Rig:
        rig = Rig()
        rig.console = rig.console.asking_about_offer(
            Offer("record.db.offered-1a2b3c4d", games, last, 800)
        )
        return shown(rig)

    return scene


FORGOTTEN = SCORED + "DRAW 3 4 OK 4 1 OK MENU 2 DRAW DRAW DRAW OK 3 PASS OK "
"""A pass of Blue after the lead was forgotten, and is put in four entries later."""
OUT = OPEN + "6 3 OK 3 4 OK 4 6 OK 6 1 OK 1 3 OK 6 2 OK "
"""Six more lays after Red's lead."""


def _race(keys: str) -> Callable[[], Rig]:
    return lambda: Rig(RACE_GAMES).press("1 " + keys)


def _five_up(keys: str) -> Callable[[], Rig]:
    return lambda: Rig().press("2 3 1 OK OK 2 " + keys)


def _threes(keys: str) -> Callable[[], Rig]:
    return lambda: Rig().press("7 2 1 " + keys)


def _domino(keys: str) -> Callable[[], Rig]:
    return lambda: Rig().press("8 4 1 OK OK " + keys)


HELD_BACK = "MENU 1 2 BACK OK 1 6 6 OK PASS OK PASS OK BOGUS 2"
"""By the rules of the Leek league both knock, and Blue is called for a tile held back."""


def not_its_turn() -> Rig:
    """DRAW on the keypad of a seat that waits."""
    rig = started().press(SCORED)
    rig.send(Press(Key.DRAW, Seat("Blue")))
    return rig


def plugged_in(rig: Rig) -> Rig:
    """Two keypads that nobody has claimed yet."""
    rig.view = replace(rig.view, keypads={"e661": None, "e662": None})
    return rig


def claiming() -> Rig:
    """A set-up with keypads on the table that asks the second seat for its own."""
    rig = plugged_in(Rig()).press("1 3 1 OK")
    rig.send(Press(Key.OK, source=PressId("e661", 1, 1)))
    return rig


def whose_keypad() -> Rig:
    """OK is pressed on a keypad that was plugged in during a game."""
    rig = plugged_in(started(3).press(SCORED))
    rig.send(Press(Key.OK, source=PressId("e662", 1, 1)))
    return rig


def others_sit_here(keys: str) -> Callable[[], Rig]:
    """A game of four with names at a box of a club, one of whom was somebody else; `keys` follow
    the menu's item for that."""

    def scene() -> Rig:
        rig = Rig()
        rig.view = replace(rig.view, club=REACHED)
        rig.view = replace(rig.view, names=("Anna", "Ben", "Cleo", "Dan", "Eve", "Finn"))
        rig.press("1 4 2 2 2 2 2 OK OK 1 6 3 OK MENU 9 4")
        return rig.press(keys)

    return scene


_SCENES: dict[str, Callable[[], Rig]] = {
    "setup_game": lambda: shown(Rig()),
    "setup_players": named("1"),
    "setup_seats": named("1 4"),
    "setup_names": named("1 4 2 2"),
    "setup_name": named("1 4 2 2 DRAW MENU"),
    "setup_spell": named("1 4 2 1 2 2 6 6 DRAW 6 6 3 3"),
    "setup_table_2": named("1 2 1"),
    "setup_table_five_up": named("2 2 1"),
    "setup_table_3": named("1 3 1"),
    "setup_table_4": named("1 4 2 2 2 2 2"),
    "setup_one_person": alike,
    "setup_options": named("1 2 1 MENU"),
    "setup_value": named("1 2 1 MENU 3"),
    "setup_claim": claiming,
    "deal_first": keyed(""),
    "big_six": keyed("OK"),
    "big_six_3_at_5": keyed("OK PASS", 3),
    "big_six_redeal": keyed("OK PASS PASS PASS PASS PASS PASS PASS"),
    "turn_after_lead": keyed(OPEN),
    "turn_named": named("1 4 2 2 2 2 2 OK OK 1 6 3 OK"),
    "turn_dismissed": keyed(SCORED + "OK"),
    "turn_way": keyed(SCORED + "MENU 7 2"),
    "turn_asks": keyed(SCORED + "OK OK"),
    "turn_right_as": keyed(OPEN + "MENU 7 2 6 3 OK"),
    "refused_right_as": keyed(OPEN + "MENU 7 2 6 3 OK MENU"),
    "turn_half": keyed(OPEN + "6"),
    "turn_preview": keyed(OPEN + "6 3"),
    "turn_paid": keyed(SCORED),
    "turn_next": keyed(SCORED + "3"),
    "turn_not_fit": keyed(SCORED + "1 2"),
    "turn_refused": keyed(SCORED + "1 2 OK"),
    "turn_drew": keyed(DREW),
    "turn_pass": keyed(DREW + "PASS"),
    "turn_ends": keyed(SCORED + "MENU 7 2 3 3 4"),
    "turn_count": keyed(SCORED + "MENU 7 3 1"),
    "turn_lies": keyed(SCORED + "1 2 OK!"),
    "refused_menu": keyed(SCORED + "1 2 OK MENU"),
    "key_picker": keyed(SCORED + "UP UP UP UP"),
    "undo": keyed(SCORED + "BACK"),
    "menu": keyed(SCORED + "MENU"),
    "menu_lower": keyed(SCORED + "MENU UP UP"),
    "ask_voice": keyed(SCORED + "MENU 8 8 6 MENU MENU"),
    "menu_hand": keyed(SCORED + "MENU 5"),
    "menu_game": keyed(SCORED + "MENU 9"),
    "people_seat": others_sit_here(""),
    "people_name": others_sit_here("2"),
    "people_sure": others_sit_here("2 5"),
    "score_turn": by_scores,
    "entry_way": keyed(SCORED + "MENU 7"),
    "history": keyed(SCORED + "MENU 2"),
    "history_after_loss": after_loss(SCORED, "6 4 OK 3 4 OK MENU 2"),
    "turn_after_loss": after_loss(SCORED, "6 4 OK 3 4 OK"),
    "mending": while_mending,
    "history_seat": keyed(SCORED + "MENU 2 2"),
    "history_entry": keyed(SCORED + "MENU 2 OK"),
    "amend": keyed(SCORED + "MENU 2 OK 1 6 4"),
    "confirm": keyed(SCORED + "MENU 2 OK 1 6 4 OK"),
    "confirm_broken": keyed(SCORED + "3 4 OK MENU 2 DOWN OK 2"),
    "later_turns": keyed(FORGOTTEN),
    "later_turns_move": keyed(FORGOTTEN + "1"),
    "later_turns_mean": keyed(FORGOTTEN + "1 DRAW"),
    "chips_to_move": keyed(FORGOTTEN + "1 OK"),
    "chips": keyed(SCORED + "MENU 3", 4),
    "chips_named": named("1 3 2 2 2 2 OK OK 1 6 3 OK MENU 3"),
    "counting": keyed(SCORED + "MENU 3 1 2 7 OK 1"),
    "correcting": keyed(SCORED + "MENU 3 1 3 1 5 DRAW"),
    "sure_chips": keyed(SCORED + "MENU 3 1 3 1 5 DRAW OK"),
    "difference": keyed(SCORED + "MENU 3 1 2 7 OK 1 0 OK"),
    "return": keyed(DREW + "BACK"),
    "return_or_again": keyed(DREW + "PASS OK BACK OK BACK"),
    "return_tile": keyed(DREW + "BACK 2 2"),
    "returned": keyed(DREW + "BACK 2 2 DRAW"),
    "not_its_turn": not_its_turn,
    "whose_keypad": whose_keypad,
    "locked": keyed(SCORED + "BACK!"),
    "switch_off": asked_to_switch_off,
    "message": with_message("Not saved: the disk is full"),
    "fell_away": fell_away,
    "once_more": once_more,
    "take_games": offered(14, 1_795_176_000.0),
    "take_one_game": offered(1, None),
    "which_ends": lambda: until_unclear(2),
    "which_ends_asked": lambda: until_unclear(3).press("OK"),
    "five_up_paid": _five_up("6 3 OK"),
    "threes_lead": _threes("OK"),
    "threes_scored": _threes("OK 1 6 6 OK 6 3 OK"),
    "threes_held_back": _threes(HELD_BACK),
    "threes_held_back_scored": _threes(HELD_BACK + " PASS 1 OK"),
    "domino_lead": _domino("1"),
    "domino_together": _domino("MENU 7 4 OK 2 OK OK DRAW 2 2"),
    "domino_renuncio": _domino("1 PASS OK 6 5 OK BOGUS 1 3"),
    "number": _race("8 1 OK 1 2 OK 7 OK 1"),
    "number_over_8": _race("8 1 OK " + "2 0 OK " * 33),
    "number_over": _race("2 1 OK " + "2 0 OK " * 9),
    "order": keyed("OK MENU 9 1 DRAW", 3),
    "sure_out": keyed(SCORED + "3 4 OK MENU 5 1"),
    "sure_blocked": keyed(SCORED + "MENU 4"),
    "sure_misdraw": keyed("OK MENU 5 3 1"),
    "box": keyed(SCORED + "MENU 8"),
    **BOGUS,
    **ENDS,
    **HIGH_FIVES,
    **HIGH_FIVE_TILES,
    **HIGHRISE,
    **ALL_FIVES,
    **PHONES,
    **CLUB,
    **CHECK,
}
SCENES = {name: keyed_once(scene) for name, scene in _SCENES.items()}
