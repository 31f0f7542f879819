"""Set-up, first steps: which game, how many players, seats by colours or by names."""

from dataclasses import dataclass
from typing import ClassVar

from companion.console.lists import ListScreen
from companion.console.screen import Outcome, Screen
from companion.console.screens.setup_names import NameSeat
from companion.console.screens.setup_table import ShowTable, default_options
from companion.console.view import View
from companion.record.rows import Redo
from companion.seats import COLOURS, Seats

MORE_COLOURS = ("Black", "White", "Orange", "Pink")


@dataclass(frozen=True, slots=True)
class ChooseGame(ListScreen):
    """Which game? The first screen of a box without a game."""

    parent: Screen | None = None

    def title(self, _view: View) -> str:
        return "Which game?"

    def lines(self, view: View) -> tuple[str, ...]:
        taken_back = view.journal is not None and view.journal.withdrawn
        again = ("Bring the game back",) if taken_back else ()
        return (*(game.title for game in view.catalog.values()), *again)

    def chosen(self, view: View, at: int) -> Outcome:
        names = list(view.catalog)
        return (
            Outcome(None, Redo())
            if at >= len(names)
            else Outcome(ChoosePlayers(game=names[at], parent=self))
        )

    def back(self, _view: View) -> Outcome:
        return Outcome(self.parent)


@dataclass(frozen=True, slots=True)
class ChoosePlayers(ListScreen):
    """How many play? The digit is the number itself."""

    game: str = ""
    parent: Screen | None = None

    numbered: ClassVar = False

    def title(self, _view: View) -> str:
        return "How many players?"

    def lines(self, view: View) -> tuple[str, ...]:
        return tuple(f"{number} players" for number in view.catalog[self.game].players)

    def digit(self, view: View, digit: int) -> Outcome:
        """The number of players."""
        players = view.catalog[self.game].players
        return self.chosen(view, players.index(digit)) if digit in players else Outcome(self)

    def chosen(self, view: View, at: int) -> Outcome:
        number = view.catalog[self.game].players[at]
        here = ChoosePlayers(at=at, game=self.game, parent=self.parent)
        return Outcome(ChooseSeats(game=self.game, number=number, parent=here))

    def back(self, _view: View) -> Outcome:
        return Outcome(self.parent)


@dataclass(frozen=True, slots=True)
class ChooseSeats(ListScreen):
    """By the colours of the chips, or by names?"""

    game: str = ""
    number: int = 2
    parent: Screen | None = None

    def title(self, _view: View) -> str:
        return "Who plays?"

    def lines(self, _view: View) -> tuple[str, ...]:
        colours = _colours(self.number)
        return (" ".join(colours[:4]) + ("…" if len(colours) > 4 else ""), "By names")

    def chosen(self, view: View, at: int) -> Outcome:
        here = ChooseSeats(at=at, game=self.game, number=self.number, parent=self.parent)
        if at == 0:
            seats = Seats.of(*_colours(self.number))
            options = default_options(view, self.game, self.number)
            return Outcome(ShowTable(self.game, seats, options, parent=here))
        named = NameSeat(game=self.game, number=self.number, parent=here)
        return Outcome(named.opened(view))

    def back(self, _view: View) -> Outcome:
        return Outcome(self.parent)


def _colours(number: int) -> tuple[str, ...]:
    more = tuple(f"Seat{seat}" for seat in range(9, number + 1))
    return (*COLOURS, *MORE_COLOURS, *more)[:number]
