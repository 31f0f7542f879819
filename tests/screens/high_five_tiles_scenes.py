"""The scenes of High Five! with tiles."""

from collections.abc import Callable
from dataclasses import replace

from tests.console.rig import Rig
from tests.console.tiles_typist import NAME, dealt, not_counted, set_up, type_game, until_out


def _tiles(keys: str, players: int = 2) -> Callable[[], Rig]:
    return lambda: dealt(players, keys)


def _card(keys: str) -> Callable[[], Rig]:
    return lambda: set_up().press(keys)


def tiles_named() -> Rig:
    """A game of four with names, some of them long, after one row of each seat."""
    rig = Rig()
    rig.view = replace(rig.view, names=("Wilhelmina", "Bo", "Anne_Marie", "Maximilian"))
    line = list(rig.games).index(NAME) + 1
    return rig.press(f"{line} 4 2 2 2 2 2 OK PASS OK 1 " + "9 4 OK 6 3 OK " * 2)


def tiles_after_loss() -> Rig:
    """Entries are lost, so the number of tiles left is unknown."""
    rig = dealt(3, FULL)
    rig.view = replace(rig.view, journal=rig.view.game.with_loss(None))
    return rig.press("PASS OK")


def tiles_over(seed: int, players: int) -> Callable[[], Rig]:
    """A whole random game, after the players have read the message about its last payment."""

    def scene() -> Rig:
        rig, _ = type_game(seed, players)
        return rig.press("OK") if rig.name() == "LastPayment" else rig

    return scene


FULL = "6 3 OK "
"""Red's first row: a full house with three new tiles."""
HIGH_FIVE_TILES: dict[str, Callable[[], Rig]] = {
    "tiles_card": _card(""),
    "tiles_card_keyed": _card("OK OK 1 2"),
    "tiles_card_begin": _card("PASS"),
    "tiles_who_begins": lambda: set_up().press("PASS OK"),
    "tiles_turn": _tiles(""),
    "tiles_keyed": _tiles("6"),
    "tiles_preview": _tiles("6 3"),
    "tiles_scored": _tiles(FULL),
    "tiles_high_five": _tiles(FULL + "BOGUS 4"),
    "tiles_one_tile": _tiles(FULL + "PASS"),
    "tiles_refused": _tiles(FULL + "2 2"),
    "tiles_named": tiles_named,
    "tiles_history": _tiles(FULL + "PASS OK 2 4 OK MENU 2"),
    "tiles_history_seat": _tiles(FULL + "PASS OK 2 4 OK MENU 2 1"),
    "tiles_out_first": lambda: until_out().press("1 2"),
    "tiles_doubtful": lambda: until_out().press("1 4 OK"),
    "tiles_undo": _tiles(FULL + "4 4 OK BACK OK BACK"),
    "tiles_who_is_out": lambda: not_counted().press("MENU 4"),
    "tiles_not_counted": not_counted,
    "tiles_menu": lambda: not_counted().press("MENU"),
    "tiles_after_loss": tiles_after_loss,
    "tiles_over": tiles_over(2, 3),
}
