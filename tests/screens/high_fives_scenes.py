"""The scenes of High Fives, by keys alone or from a recorded game."""

from collections.abc import Callable
from dataclasses import replace

from companion.core.keys import Key, Press
from companion.core.seats import Seat
from tests.console.fives_typist import set_up, until_fives, until_many_pairs
from tests.console.rig import Rig

LED = "1 "
"""Red leads."""
OPEN = LED + "0 1 1 2 7 7 8 9 DRAW 0 DRAW 5 OK "
"""The tableau of the rulebook's example: 0-1, 1-2, 7-7, 8-9, 10-15."""
TOOK = OPEN + "8 DRAW 0 OK 1 0 "
"""Red lays 8-10, takes 10-15, and no pair."""
QUIET = OPEN + "0 9 OK 0 0 "
"""Red plays 0-9 and takes nothing: three pairs are left in the tableau."""
NAMES = (
    "Maximilian",
    "Wilhelmina",
    "Bo",
    "Anne_Marie",
    "Konstantin",
    "Cleopatra",
    "Ben",
    "Theodora",
)


def fives(keys: str, players: int = 2, way: str = "tile") -> Callable[[], Rig]:
    """A game of High Fives with these keys pressed."""
    return lambda: set_up(players, way).press(keys)


def _names() -> Rig:
    rig = Rig()
    rig.view = replace(rig.view, names=NAMES)
    return rig.press("3 8 2" + " 2" * 8 + " OK 1 ")


def _lost(keys: str, then: str = "", players: int = 4) -> Callable[[], Rig]:
    """A game whose rows are lost after `keys`; then `then` is pressed."""

    def scene() -> Rig:
        rig = set_up(players).press(keys)
        rig.view = replace(rig.view, journal=rig.view.game.with_loss(None))
        return rig.press("BACK BACK " + then)

    return scene


def _not_its_turn() -> Rig:
    rig = set_up(4).press(OPEN)
    rig.send(Press(Key.D7, Seat("Green")))
    return rig


def _by_points_to_the_end(keys: str) -> Callable[[], Rig]:
    """All hands keyed by points: Red scores 3 at each of its first twelve turns. `keys` follow."""

    def scene() -> Rig:
        rig = set_up(4, "points").press("1")
        while rig.name() != "CountRemains":
            if rig.name() == "NextHand":
                rig.press("OK")
            mine = rig.state.to_move == "Red" and rig.state.scores[Seat("Red")] < 36
            rig.press("3 OK" if mine else "OK")
        return rig.press(keys)

    return scene


def _shared() -> Rig:
    """A game of eight, keyed by points, in which four have 20 each."""
    rig = set_up(8, "points").press("1")
    while rig.name() != "CountRemains":
        if rig.name() == "NextHand":
            rig.press("OK")
        seat = rig.state.to_move
        wins = seat in ("Red", "Green", "Black", "Orange") and rig.state.scores[seat] < 20
        rig.press("5 OK" if wins else "OK")
    return rig.press("2 0 OK")


HIGH_FIVES: dict[str, Callable[[], Rig]] = {
    "fives_entry_way": lambda: Rig().press("3 4 1 OK"),
    "fives_leads": fives("", 2),
    "fives_leads_8": fives("", 8),
    "fives_face_up": fives(LED + "0 1 1 2 7 7 8 DRAW"),
    "fives_face_up_seen": fives(LED + "0 1 1 2 1 0"),
    "fives_face_up_whole": fives(LED + "0 1 1 2 7 7 8 9 DRAW 0 DRAW 5"),
    "fives_face_up_last": lambda: until_fives("KeyTableau", 7, 20).press("1 1 2"),
    "fives_turn": fives(OPEN),
    "fives_half": fives(OPEN + "7 DRAW"),
    "fives_over_ten": fives(OPEN + "7 DRAW 8"),
    "fives_takes": fives(OPEN + "7 DRAW 0"),
    "fives_takes_one": fives(OPEN + "3 8"),
    "fives_takes_points": fives(OPEN + "4 DRAW 5"),
    "fives_nothing": fives(OPEN + "3 9"),
    "fives_which": fives(OPEN + "8 DRAW 0 OK"),
    "fives_pair": fives(OPEN + "3 8 OK"),
    "fives_pairs": fives(QUIET + "3 4 OK"),
    "fives_many_pairs": lambda: until_many_pairs(7),
    "fives_many_pairs_keyed": lambda: until_many_pairs(7).press("1"),
    "fives_took": fives(TOOK),
    "fives_took_key": fives(TOOK + "3"),
    "fives_took_8": fives(TOOK + "DRAW 1 DRAW 5", 8),
    "fives_names": lambda: _names().press(TOOK),
    "fives_refused": fives(OPEN + "7 7 OK"),
    "fives_points_instead": fives(OPEN + "7 7 OK OK!"),
    "fives_points": fives(LED + "5 OK 3", 2, "points"),
    "fives_points_8": fives("3 8 OK 7 OK OK", 8, "points"),
    "fives_next_hand": lambda: until_fives("NextHand", 4),
    "fives_last_hand": lambda: until_fives("NextHand", 8, 100),
    "fives_left": _by_points_to_the_end(""),
    "fives_left_missing": _by_points_to_the_end("6 0"),
    "fives_over_missing": _by_points_to_the_end("6 0 OK"),
    "fives_over": lambda: until_fives("GameOver", 4),
    "fives_over_8": lambda: until_fives("GameOver", 8),
    "fives_over_shared": _shared,
    "fives_menu": fives(TOOK + "MENU"),
    "fives_menu_hand": _lost(TOOK, "MENU 5"),
    "fives_lies": fives(TOOK + "MENU 5 1"),
    "fives_lost": _lost(TOOK),
    "fives_lost_8": _lost(TOOK, "", 8),
    "fives_history": fives(TOOK + "3 3 OK OK MENU 2"),
    "fives_history_seat": fives(TOOK + "3 3 OK OK MENU 2 1"),
    "fives_undo": fives(TOOK + "BACK"),
    "fives_amend": fives(TOOK + "MENU 2 OK 1 8 DRAW 0"),
    "fives_not_its_turn": _not_its_turn,
}
