"""Plays games from text for tests: enter lines, then check the state and the effect of the last
line."""

from collections.abc import Iterable
from dataclasses import dataclass

import pytest

from companion.core.errors import RuleError
from companion.core.seats import Seats
from companion.games.game import AnyState, Entry, parse_entry, settle_options
from companion.games.line.hand import EndsCounted
from companion.presentation.news import change_name
from companion.record.journal import ChangeSummary, Journal
from tests.catalog import GAMES


def counted_in(state: AnyState) -> EndsCounted:
    """The counted ends after the lay that was entered last."""
    reason = state.effect.reason
    assert isinstance(reason, EndsCounted)
    return reason


@dataclass
class TextGame:
    """A game that is entered line by line."""

    state: AnyState
    name: str

    def say(self, text: str) -> "TextGame":
        """Applies each non-empty line, all as one complete text (`whole`). Raises the errors of the
        rules."""
        for line in filter(None, map(str.strip, text.splitlines())):
            game = GAMES[self.name]
            self.state = game.apply(self.state, parse_entry(line, game, self.state.seats)).whole
        return self

    def replay(self, entries: Iterable[Entry]) -> "TextGame":
        """Applies entries."""
        apply = GAMES[self.name].apply
        for entry in entries:
            self.state = apply(self.state, entry)
        return self

    @property
    def scores(self) -> dict[str, int]:
        return {str(seat): score for seat, score in self.state.scores.items()}

    @property
    def paid(self) -> list[tuple[str | None, str, int, str]]:
        """(from, to, points, why) of the last line."""
        return [(p.payer, p.to, p.points, p.why) for p in self.state.effect.payments]

    @property
    def next_lead(self) -> str | None:
        return GAMES[self.name].next_lead(self.state)

    @property
    def notices(self) -> list[str]:
        return [notice.kind for notice in self.state.effect.notices]


def table(seats: str = "Red Blue", name: str = "high-five", **options: str) -> TextGame:
    """A new game; in the names of options _ stands for -."""
    game, who = GAMES[name], Seats.of(*seats.split())
    given = {option.replace("_", "-"): value for option, value in options.items()}
    return TextGame(game.start(who, settle_options(game, len(who), given)), name)


def refused(said: TextGame, text: str) -> str:
    """The words with which the last line of `text` is refused."""
    before = said.state
    with pytest.raises(RuleError) as refusal:
        said.say(text)
    assert said.state == before or "\n" in text.strip()
    return str(refusal.value)


# ---------------------------------------------------------------- what undo and redo would change


def undoes(journal: Journal[object]) -> str | None:
    """The name of the entry that Undo would take back; None: there is none."""
    return name(journal.next_undo)


def redoes(journal: Journal[object]) -> str | None:
    """The name of the entry that Redo would restore; None: there is none."""
    return name(journal.next_redo)


def name(what: ChangeSummary | None) -> str | None:
    """The change in words; None if there is none."""
    return change_name(what) if what else None
