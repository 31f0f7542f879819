"""Sitting down in a browser: the names on the seats of a new game, and the deal."""

from collections.abc import Iterable
from typing import Any

from tests.web.in_browser import WAIT_MS

SEATS = "#panel .place"
NAME = "#panel .name-of input"


def open_table(tab: Any, players: int | None = None, game: str = "") -> None:
    """Opens a new game from the home page, for that many `players` (None: as offered)."""
    tab.click(".welcome [data-panel=new]")
    tab.wait_for_selector(SEATS, timeout=WAIT_MS)
    if game:
        choose_game(tab, game)
    if players is not None:
        set_players(tab, players)


def choose_game(tab: Any, game: str) -> None:
    tab.click("#panel .games summary")
    tab.click(f'#panel [data-game="{game}"]')
    tab.wait_for_selector(
        f'#panel [data-game="{game}"][aria-pressed="true"]', state="attached", timeout=WAIT_MS
    )


def set_players(tab: Any, players: int) -> None:
    tab.click(f'#panel [data-players="{players}"]')
    tab.wait_for_selector(f'#panel .around[data-many="{players}"]', timeout=WAIT_MS)


def give_names(tab: Any, names: Iterable[str]) -> None:
    """Gives the free seats these names, in turn order."""
    for name in names:
        tab.fill(NAME, name)
        tab.press(NAME, "Enter")
        tab.wait_for_selector(f'{SEATS} .who >> text="{name}"', timeout=WAIT_MS)


def deal(tab: Any) -> None:
    tab.click("#panel .deal")
