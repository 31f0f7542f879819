"""The games as the pages need them."""

from collections.abc import Mapping
from typing import Any, Protocol

from companion.console.screen import PlayableGame
from companion.presentation.game import PresentedGame


class PageGame(PresentedGame, PlayableGame[Any], Protocol):
    """A game as pages describe it, and as the box asks before it begins."""


PageGames = Mapping[str, PageGame]
"""The games by their names, in the order in which they are offered."""
