"""What a game tells besides what every game does, where there is nothing: what others change."""

from typing import Any

from companion.core.values import Json
from companion.games.game import AnyState, Entry, Notice
from companion.presentation.drawing.paper import Paper
from companion.presentation.sayings import said_as, say


class NoPicture:
    """A game without open ends, chips, claims and a drawing."""

    where = "where.boneyard"

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

    def next_lead(self, lead: str) -> str:
        """A seat."""
        return f"next: {lead} leads"

    def draw(self, _state: AnyState, _paper: Paper, *, stand_alone: bool = True) -> str | None:  # noqa: ARG002
        """Nothing to see."""
        return None

    def said(self, entry: Entry, _state: AnyState) -> Json:
        """As the tally writes it."""
        return say("entry.plain", text=str(entry))

    def hides(self, _entry: Entry, _state: AnyState) -> bool:
        """Nothing."""
        return False

    def why(self, _entry: Entry, state: AnyState) -> Json | None:
        """The reason that `replay` gives."""
        words = self.reason(state)
        return said_as(words, "reason.plain", text=words) if words else None

    def spoils(self, _notice: Notice, _hand: int, _now: AnyState) -> bool:
        """Nothing."""
        return False

    def asked(self, _game: Any, state: AnyState) -> Json:
        """Whose turn, as far as that is known."""
        return say("asks.turn", seat=state.to_move) if state.to_move else say("asks.tell")

    def moment_json(self, _state: AnyState) -> Json:
        """Nothing is known to lie on the table."""
        return {}
