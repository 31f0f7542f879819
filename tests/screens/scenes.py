"""The scenes of the golden screens; keys alone lead to each."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from companion.console.elsewhere import entered_by
from companion.console.fault import mending
from companion.console.high_fives.halves import KeyedTiles
from companion.console.high_fives.turn import KeyedPoints
from companion.console.holding import KeyedHolding
from companion.console.in_play import InPlay, NextDeal
from companion.console.keyed import Keyed, Refusing
from companion.console.line.dispute import Calling
from companion.console.lists import ItemList, ListScreen
from companion.console.paged import Paged, WithPages
from companion.console.screen import Screen
from companion.console.screens.confirm_change import Changing
from companion.console.words import EveningGame
from companion.core.keys import Key, Press, PressId
from companion.core.seats import Seat
from companion.games.entries import Drew
from companion.games.line.laid import Laid
from companion.record.copies.stick import Offer
from companion.record.journal import Journal
from companion.record.rows import Kept, Step
from tests.catalog import GAMES
from tests.console.rig import Rig, keyed_once, started
from tests.console.typist import choose_line, until, until_unclear
from tests.race_play import RACE_GAMES
from tests.screens.all_fives_scenes import SCENES as ALL_FIVES
from tests.screens.check_scenes import SCENES as CHECK
from tests.screens.club_scenes import REACHED
from tests.screens.club_scenes import SCENES as CLUB
from tests.screens.high_five_tiles_scenes import HIGH_FIVE_TILES
from tests.screens.high_fives_scenes import HIGH_FIVES
from tests.screens.highrise_scenes import SCENES as HIGHRISE
from tests.screens.phones_scenes import SCENES as PHONES


def keyed(keys: str, players: int = 2) -> Callable[[], Rig]:
    """A game with these keys pressed."""
    return lambda: started(players).press(keys)


def _names() -> Rig:
    rig = Rig()
    rig.view = replace(rig.view, names=("Wilhelmina", "Bo", "Anne_Marie", "Maximilian"))
    return rig


def named(keys: str) -> Callable[[], Rig]:
    """A set-up at which names of earlier games can be chosen, with these keys pressed."""
    return lambda: _names().press(keys)


def with_message(text: str) -> Callable[[], Rig]:
    """A turn while the table shows this message."""

    def scene() -> Rig:
        rig = started().press("OK 1")
        rig.view = replace(rig.view, message=text)
        return _shown(rig)

    return scene


def fell_away() -> Rig:
    """A tile was being keyed when the phone of the same seat laid one."""
    rig, entry = started().press("OK 2 6"), Laid(Seat("Red"), (6, 3))
    before = rig.view
    rig.view = replace(before, journal=before.game.fold(Step((entry,))))
    kept = Kept(4, 1, Step((entry,)), source="phone-2/7/1", keyed_by=Seat("Red"))
    rig.console = rig.console.moved_on(before, rig.view, entered_by(kept, rig.view))
    return _shown(rig)


def once_more() -> Rig:
    """DRAW is pressed when the phone of the same seat has just drawn."""
    rig, entry = started().press("OK 2"), Drew(Seat("Red"))
    before = rig.view
    rig.view = replace(before, journal=before.game.fold(Step((entry,))))
    kept = Kept(4, 1, Step((entry,)), source="phone-2/7/1", keyed_by=Seat("Red"))
    why = entered_by(kept, rig.view)
    rig.console = rig.console.moved_on(before, rig.view, why)
    rig.console = rig.console.asking_again(Step((entry,)), why, None)
    return _shown(rig)


def after_loss(keys: str, then: str = "", players: int = 2) -> Callable[[], Rig]:
    """A game whose rows are lost after `keys`; then `then` is pressed."""

    def scene() -> Rig:
        rig = started(players).press(keys)
        rig.view = replace(rig.view, journal=rig.view.game.with_loss(None))
        return _shown(rig).press(then)

    return scene


def by_scores() -> Rig:
    """Only scores are keyed; so far the seat and its points."""
    rig = started().press("OK")
    rig.view = replace(rig.view, settings={**rig.view.settings, "entry": "scores"})
    return _shown(rig).press("1 1 5")


def over_after_loss() -> Rig:
    """The end of a game some of whose rows were lost."""
    rig = until("LastPayment", 4, 3).press("OK")
    rig.view = replace(rig.view, journal=rig.view.game.with_loss(None))
    return _shown(rig)


EVENING = (
    EveningGame("High Five", {"Anna": 155, "Ben": 120, "Granny_Smith": 90}, ("Anna",)),
    EveningGame("Five Up", {"Anna": 40, "Ben": 61}, ("Ben",)),
    EveningGame("High Five! (tiles)", {"Anna": 55, "Ben": 55}, ("Anna", "Ben")),
    EveningGame("High Five", {"Anna": 20, "Ben": 10}, ()),
    EveningGame("High Five", {"Anna": 150, "Ben": 145}, ("Anna",)),
)


def later(keys: str) -> Callable[[], Rig]:
    """The end of a game before which others were played on the same evening; then these keys."""

    def scene() -> Rig:
        rig = until("LastPayment", 4, 3).press("OK")
        journal = Journal.begin(replace(rig.view.game.opened, evening=1), GAMES)
        for entry in rig.view.game.entries:
            journal = journal.fold(Step((entry,)))
        rig.view = replace(rig.view, journal=journal, evening_games=lambda: EVENING)
        return _shown(rig).press(keys)

    return scene


def while_mending() -> Rig:
    """What is seen while a damaged record is put together again."""
    rig = started()
    rig.frame = mending()
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
        rig.console = rig.console.offering(Offer("record.db.offered-1a2b3c4d", games, last, 800))
        return _shown(rig)

    return scene


def _shown(rig: Rig) -> Rig:
    rig.frame = rig.console.show(rig.view).frame
    return rig


OPEN = "OK 1 "
"""Red leads 6-6."""
SCORED = OPEN + "6 3 OK "
"""Blue lays 6-3 for 15."""
DREW = SCORED + "DRAW "

GOES = SCORED + "DRAW DRAW 3 1 OK DRAW PASS OK DRAW "
"""Two goes of Red with draws, and one of Blue."""
PROVEN = OPEN + "PASS OK 6 5 OK 6 3 OK "
"""Blue passes, and then lays a tile that it must have held."""
EXCLUDED = OPEN + "PASS OK BOGUS OK 0 0 0 1 0 2 1 2 2 2 1 3 1 1 OK "
"""Blue passes, is called, and shows seven tiles without a six."""
FORGOTTEN = SCORED + "DRAW 3 4 OK 4 1 OK MENU 2 DRAW DRAW DRAW OK 3 PASS OK "
"""A pass of Blue after the lead was forgotten, and is put in four entries later."""
OUT = OPEN + "6 3 OK 3 4 OK 4 6 OK 6 1 OK 1 3 OK 6 2 OK "
"""Six more lays after Red's lead."""


def by_typist(stop: str, seed: int, players: int, way: str = "tile") -> Callable[[], Rig]:
    """A recorded game keyed until a screen of that class is shown."""
    return lambda: _shown(until(stop, seed, players, way))


def until_wins() -> Rig:
    """A lay that wins is keyed, except for its OK."""
    rig = until("LastPayment", 1, 3)
    rig.press("BACK OK")
    last = rig.view.game.would_redo
    assert last is not None
    return rig.press(" ".join(str(last.entry).split()[1].split("-")))


def who_leads() -> Rig:
    """A rematch in which the first lead rotates."""
    rig = Rig().press("1 3 1 MENU 5 2 BACK OK OK 1 MENU")
    choose_line(rig, "This game", "End")
    return rig.press("2 OK 1")


def blocked() -> Rig:
    """A blocked hand: no seat has shown its tiles yet."""
    return until("Blocked", 3, 2)


def _race(keys: str) -> Callable[[], Rig]:
    return lambda: Rig(RACE_GAMES).press("1 " + keys)


def _five_up(keys: str) -> Callable[[], Rig]:
    return lambda: Rig().press("2 3 1 OK OK 2 " + keys)


def with_setting(name: str, value: str, keys: str) -> Callable[[], Rig]:
    """A game with one setting of the box changed, with these keys pressed."""

    def scene() -> Rig:
        rig = started()
        rig.view = replace(rig.view, settings={name: value})
        return rig.press(keys)

    return scene


def called_by_keypad() -> Rig:
    """BOGUS on the keypad of a seat."""
    rig = started(3).press(SCORED + "DRAW PASS OK")
    rig.send(Press(Key.BOGUS, Seat("Red")))
    return rig


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


def overruled() -> Rig:
    """A call that the record settles, in a house that lets the table overrule it."""
    rig = Rig().press("1 2 1 MENU")
    options = [option.name for option in rig.games["high-five"].rules.options]
    return rig.press(f"{options.index('table-overrules') + 1} 2 BACK OK {EXCLUDED}")


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
    "setup_game": lambda: _shown(Rig()),
    "setup_players": named("1"),
    "setup_seats": named("1 4"),
    "setup_names": named("1 4 2 2"),
    "setup_name": named("1 4 2 2 DRAW MENU"),
    "setup_spell": named("1 4 2 1 2 2 6 6 DRAW 6 6 3 3"),
    "setup_table_2": named("1 2 1"),
    "setup_table_five_up": named("2 2 1"),
    "setup_table_3": named("1 3 1"),
    "setup_table_4": named("1 4 2 2 2 2 2"),
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
    "game_over_after_loss": over_after_loss,
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
    "bogus_which_go": keyed(GOES + "BOGUS"),
    "bogus_by_keypad": called_by_keypad,
    "bogus_who_calls": keyed(DREW + "PASS OK BOGUS OK", 3),
    "bogus_nobody": keyed(SCORED + "BOGUS"),
    "bogus_possible": keyed(DREW + "PASS OK BOGUS OK"),
    "bogus_unseen": keyed(DREW + "PASS OK BOGUS OK PASS"),
    "bogus_holding": keyed(DREW + "PASS OK BOGUS OK 5 5 4"),
    "bogus_pips": keyed(DREW + "PASS OK BOGUS OK PASS 1 5 4"),
    "bogus_ruling": keyed(DREW + "PASS OK BOGUS OK 5 5 4 4 OK"),
    "bogus_all_agreed": keyed(DREW + "PASS OK BOGUS OK PASS 2"),
    "bogus_mark": with_setting("tell-bogus", "mark", PROVEN),
    "bogus_mark_paid": with_setting("tell-bogus", "mark", PROVEN + "3 4 OK 4 0 OK"),
    "bogus_aloud": with_setting("tell-bogus", "aloud", PROVEN),
    "bogus_proven": with_setting("tell-bogus", "mark", PROVEN + "BOGUS"),
    "bogus_proven_call": keyed(PROVEN + "BOGUS OK"),
    "bogus_by_record": keyed(PROVEN + "BOGUS OK 2 0 OK"),
    "bogus_overrule": overruled,
    "bogus_excluded": keyed(EXCLUDED),
    "bogus_history": keyed(EXCLUDED + "MENU 2"),
    "bogus_returned": keyed(OPEN + "DRAW BACK 6 2 DRAW BOGUS OK"),
    "bogus_undo": keyed(EXCLUDED + "BACK"),
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
    "ask_out": by_typist("AskOut", 1, 2),
    "ask_out_paid": by_typist("AskOut", 8, 2),
    "holding": by_typist("KeyHolding", 1, 2),
    "holding_keyed": lambda: until("KeyHolding", 1, 2).press("1 2 5 5 0"),
    "holding_would_pay": lambda: until("KeyHolding", 1, 2).press("1 2 5 5"),
    "holding_pips": lambda: until("KeyHolding", 1, 2).press("DRAW 1 2"),
    "between": lambda: until("KeyHolding", 1, 2).press("DRAW 1 2 OK"),
    "between_tiles": by_typist("BetweenHands", 3, 4),
    "leads": lambda: until("KeyHolding", 1, 2).press("DRAW 1 2 OK OK"),
    "last_payment": by_typist("LastPayment", 4, 2),
    "game_over": lambda: until("LastPayment", 4, 3).press("OK"),
    "game_over_4": lambda: until("LastPayment", 2, 4).press("OK"),
    "what_next": lambda: until("LastPayment", 2, 4).press("OK OK"),
    "what_next_later": later("OK"),
    "evening_table": later("OK 3"),
    "evening_table_games": later("OK 3 DRAW"),
    "ended": keyed(SCORED + "MENU 9 2 2"),
    "which_ends": lambda: until_unclear(2),
    "which_ends_asked": lambda: until_unclear(3).press("OK"),
    "five_up_paid": _five_up("6 3 OK"),
    "number": _race("8 1 OK 1 2 OK 7 OK 1"),
    "number_over_8": _race("8 1 OK " + "2 0 OK " * 33),
    "number_over": _race("2 1 OK " + "2 0 OK " * 9),
    "who_leads": who_leads,
    "bogus_clear": keyed(DREW + "PASS OK BOGUS OK PASS 2 OK"),
    "bogus_paid": keyed(DREW + "PASS OK BOGUS OK 5 5 4 4 OK 1 OK"),
    "turn_wins": until_wins,
    "blocked": blocked,
    "order": keyed("OK MENU 9 1 DRAW", 3),
    "sure_out": keyed(SCORED + "3 4 OK MENU 5 1"),
    "sure_blocked": keyed(SCORED + "MENU 4"),
    "sure_misdraw": keyed("OK MENU 5 3 1"),
    "sure_holding": lambda: until("KeyHolding", 1, 2).press("5 5 OK"),
    "box": keyed(SCORED + "MENU 8"),
    **HIGH_FIVES,
    **HIGH_FIVE_TILES,
    **HIGHRISE,
    **ALL_FIVES,
    **PHONES,
    **CLUB,
    **CHECK,
}
SCENES = {name: keyed_once(scene) for name, scene in _SCENES.items()}


BASES = {
    base.__name__
    for base in (
        Screen,
        Refusing,
        Keyed,
        InPlay,
        NextDeal,
        KeyedHolding,
        KeyedPoints,
        KeyedTiles,
        Paged,
        WithPages,
        ListScreen,
        ItemList,
        Changing,
        Calling,
    )
}
"""Base classes of screens, which are never shown by themselves."""


def every_screen(besides: tuple[str, ...] = ()) -> set[str]:
    """The names of all of the program's classes of screens, except those in the packages
    `besides`."""

    def below(kind: type[Screen[Any]]) -> set[type[Screen[Any]]]:
        return {kind}.union(*(below(sub) for sub in kind.__subclasses__()))

    return {
        kind.__name__
        for kind in below(Screen)
        if kind.__module__.startswith("companion.")
        and not kind.__module__.startswith(besides)
        and kind.__name__ not in BASES
    }
