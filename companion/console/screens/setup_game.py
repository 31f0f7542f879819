"""Set-up, first steps: which game, how many players, seats by colours or by names."""

from dataclasses import replace
from typing import ClassVar

from companion.console.lists import ListScreen
from companion.console.screen import Outcome, Screen, View
from companion.console.screens.box import choose_language, other_languages
from companion.console.screens.phones import ShowPhones
from companion.console.screens.setup_names import NameSeat, Spell
from companion.console.screens.setup_table import ShowTable, default_options
from companion.core.keys import Key
from companion.core.languages import LANGUAGE
from companion.core.seats import COLOURS, MORE_COLOURS, Seats
from companion.core.values import dataclass
from companion.core.words import listed, phrase
from companion.games.game import B
from companion.record.rows import Opened, Redo


@dataclass(frozen=True, slots=True)
class ChooseGame(ListScreen[B]):
    """Asks which game to play: the first screen of a box without a game. `begun`: questions after
    this one were answered already."""

    parent: Screen[B] | None = None
    begun: bool = False
    warned: bool = False
    """Whether BACK was pressed here, and has said where it leads."""

    digits: ClassVar = range(10)

    def title(self, _view: View[B]) -> str:
        return phrase("Which game?")

    def lines(self, view: View[B]) -> tuple[str, ...]:
        """The games, the way back, and last the other languages, for people who can't read this
        one."""
        games = (game.rules.title for game in view.games.values())
        return (*games, *self._away(view), other_languages(view))

    def numbers(self, view: View[B]) -> tuple[int, ...]:
        """The languages have the digit 0."""
        return (*range(1, self.count(view)), 0)

    def hint_now(self, view: View[B]) -> str:
        """The lowest line: what the keys do; on a new box the other languages, for people who can't
        read this one."""
        if view.journal is None and LANGUAGE not in view.settings:
            return f"0 {other_languages(view)}"
        return ListScreen.hint_now(self, view)

    def _away(self, view: View[B]) -> tuple[str, ...]:
        """The line that leads out of the set-up: to the game, once a later question was answered,
        or to one that was taken back; () if there is neither."""
        if view.journal is None:
            return ()
        if view.journal.withdrawn:
            return (phrase("Bring the game back"),)
        return (phrase("Back to the game"),) if self.begun else ()

    def keys(self, view: View[B]) -> tuple[Key, ...]:
        """The list's keys, and MENU if phones may come in."""
        keys = ListScreen.keys(self, view)
        return (*keys, Key.MENU) if view.phones else keys

    def press(self, view: View[B], key: Key) -> Outcome[B]:
        """MENU shows how phones come in, as there is no menu before the first game."""
        if key is Key.MENU and view.phones:
            return Outcome(ShowPhones())
        return ListScreen.press(self, view, key)

    def chosen(self, view: View[B], at: int) -> Outcome[B]:
        names = list(view.games)
        if at < len(names):
            here = replace(self, at=at, begun=True, warned=False)
            return Outcome(ChoosePlayers(game=names[at], parent=here))
        if at == self.count(view) - 1:
            return choose_language(view, replace(self, at=at))
        taken_back = view.journal is not None and view.journal.withdrawn
        return Outcome(None, Redo()) if taken_back else Outcome(self.parent)

    def back(self, view: View[B]) -> Outcome[B]:
        """Leads out of the set-up. If later questions were answered already, the first BACK only
        says where the next one leads: somebody who goes back through the questions does not want to
        land in the game before. To a game that was taken back, BACK only names the line that brings
        it back."""
        if not self.begun or self.warned or not self._away(view):
            return Outcome(self.parent)
        if view.game.withdrawn:
            way = phrase("{line}: bring the game back.", line=self.count(view) - 1)
            return Outcome(self, refused=way)
        return Outcome(replace(self, warned=True), refused=phrase("BACK again: back to the game."))


@dataclass(frozen=True, slots=True)
class ChoosePlayers(ListScreen[B]):
    """Asks how many play. The digit is the number itself."""

    game: str = ""
    parent: Screen[B] | None = None

    numbered: ClassVar = False

    def title(self, _view: View[B]) -> str:
        return phrase("How many players?")

    def lines(self, view: View[B]) -> tuple[str, ...]:
        return tuple(
            phrase("{number} players", number=number)
            for number in view.games[self.game].rules.players
        )

    def digit(self, view: View[B], digit: int) -> Outcome[B]:
        """Chooses this number of players."""
        players = view.games[self.game].rules.players
        return self.chosen(view, players.index(digit)) if digit in players else Outcome(self)

    def chosen(self, view: View[B], at: int) -> Outcome[B]:
        number = view.games[self.game].rules.players[at]
        here = ChoosePlayers(at=at, game=self.game, parent=self.parent)
        return Outcome(ChooseSeats(game=self.game, number=number, parent=here))

    def back(self, _view: View[B]) -> Outcome[B]:
        return Outcome(self.parent)


@dataclass(frozen=True, slots=True)
class ChooseSeats(ListScreen[B]):
    """Asks whether seats go by the colours of the chips, or by names."""

    game: str = ""
    number: int = 2
    parent: Screen[B] | None = None

    def title(self, _view: View[B]) -> str:
        return phrase("Who plays?")

    def lines(self, _view: View[B]) -> tuple[str, ...]:
        colours = _colours(self.number)
        some = listed(colours[:4], " ")
        shown = listed((some, "…"), "") if len(colours) > 4 else some
        return (shown, phrase("By names"))

    def chosen(self, view: View[B], at: int) -> Outcome[B]:
        here = ChooseSeats(at=at, game=self.game, number=self.number, parent=self.parent)
        if at == 0:
            seats = Seats.of(*_colours(self.number))
            options = default_options(view, self.game, self.number)
            return Outcome(ShowTable(self.game, seats, options, parent=here))
        named = NameSeat(game=self.game, number=self.number, parent=here)
        return Outcome(named.opened(view))

    def back(self, _view: View[B]) -> Outcome[B]:
        return Outcome(self.parent)


def _colours(number: int) -> tuple[str, ...]:
    more = tuple(f"Seat{seat}" for seat in range(9, number + 1))
    return (*COLOURS, *MORE_COLOURS, *more)[:number]


def set_up_again(opened: Opened) -> Screen[B]:
    """The set-up's table for a game that was set up and then taken back. BACK leads from it through
    the questions, each answered as before."""
    names = opened.seats.order
    first: Screen[B] = ChooseGame(begun=True)
    players = ChoosePlayers(game=opened.game, parent=first)
    colours = names == _colours(len(names))
    asked: Screen[B] = ChooseSeats(
        at=int(not colours), game=opened.game, number=len(names), parent=players
    )
    for number in range(0 if colours else len(names)):
        seat = NameSeat(game=opened.game, number=len(names), named=names[:number], parent=asked)
        asked = Spell(seat, names[number].upper())
    return ShowTable(opened.game, opened.seats, opened.options, parent=asked)
