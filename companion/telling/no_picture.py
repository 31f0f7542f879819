"""What a game tells besides what every game does, where there is nothing: what others change."""

from typing import Any

from companion.games.game import AnyState
from companion.telling.paper import Paper

Json = dict[str, Any]


class NoPicture:
    """A game without open ends, chips, claims and a drawing."""

    def game_json(self, _state: AnyState) -> Json:
        """No keys of its own."""
        return {}

    def entry_json(self, _state: AnyState) -> Json:
        """No keys of its own."""
        return {}

    def reason(self, _state: AnyState) -> str:
        """Nothing to say."""
        return ""

    def ruling(self, _state: AnyState) -> str:
        """Nothing to say."""
        return ""

    def draw(self, _state: AnyState, _paper: Paper) -> str | None:
        """Nothing to see."""
        return None
