"""Putting another person at a seat, if the table notices during the game that somebody else sits
there than was said: asks who it is, then whether that is right. All entries stay, as those of the
person who sits there; other games are not touched."""

from dataclasses import dataclass
from typing import ClassVar

from companion.console.frame import Canvas
from companion.console.lists import choose
from companion.console.screen import Actions, Choose, Item, Items, Outcome, Screen, View
from companion.console.screens.confirm_entry import draw_confirm
from companion.console.screens.setup_names import NameSeat
from companion.core.club import ClubStep
from companion.core.errors import EntryError, RuleError
from companion.core.keys import Key
from companion.core.names import find_lookalikes
from companion.core.seats import Seat, Seats, shown
from companion.core.words import listed, phrase
from companion.games.game import B
from companion.record.rows import OtherPeople


def others_sit_here(view: View[B]) -> Item[B] | None:
    """The menu's item to say that other people sit at this table; None if the box is in no club."""
    if view.club is None or view.club.step is not ClubStep.JOINED:
        return None

    def opened(view: View[B], menu: Screen[B]) -> Outcome[B]:
        seats: Items[B] = tuple((shown(seat), _instead_of(seat)) for seat in view.state.seats)
        return Outcome(choose(phrase("At whose seat?"), seats, menu))

    return phrase("Other people sit here"), opened


def _instead_of(seat: Seat) -> Choose[B]:
    def opened(view: View[B], seats: Screen[B]) -> Outcome[B]:
        game = view.game.opened.game
        asked: NameInstead[B] = NameInstead(
            game=game, named=(str(seat),), parent=seats, instead_of=str(seat)
        )
        return Outcome(asked.opened(view))

    return opened


@dataclass(frozen=True, slots=True)
class NameInstead(NameSeat[B]):
    """Asks who sits there instead. If it is somebody else of this table, the two have changed
    places."""

    instead_of: str = ""

    def title(self, _view: View[B]) -> str:
        return self.spell_title

    @property
    def spell_title(self) -> str:
        return phrase("Who instead of {seat}?", seat=shown(self.instead_of))

    def stands_on(self, view: View[B]) -> object:
        """The game: the question stays, whatever is entered meanwhile."""
        return view.game_number

    def take(self, _view: View[B], name: str, asked: Screen[B]) -> Outcome[B]:
        """Asks whether these people sit here."""
        return Outcome(ConfirmPeople(Seat(self.instead_of), name, asked))


@dataclass(frozen=True, slots=True)
class ConfirmPeople(Screen[B]):
    """OK: these people sit here, and all entries stay; BACK: where the name was given."""

    seat: Seat
    name: str
    parent: Screen[B]

    answers: ClassVar = phrase("OK: yes   BACK: no")

    def stands_on(self, view: View[B]) -> object:
        """The game: once another one is played, the question is dropped."""
        return view.game_number

    def _seats(self, view: View[B]) -> Seats:
        """The people in turn order, with `name` in the place of `seat`; if `name` sits here
        already, the two change places."""
        changed = {str(self.seat): self.name, self.name: str(self.seat)}
        return Seats.of(*(changed.get(one, one) for one in view.game.opened.seats))

    def yes(self, view: View[B]) -> Outcome[B]:
        """OK: keeps that these people sit here, or says why they can't."""
        row = OtherPeople(self._seats(view))
        try:
            view.game.amended(row)
        except (EntryError, RuleError) as error:
            return Outcome(self, refused=error.why)
        return Outcome(None, row)

    def back(self, _view: View[B]) -> Outcome[B]:
        """BACK: back to where the name was given."""
        return Outcome(self.parent)

    def on(self) -> Actions[B]:
        return {Key.OK: self.yes, Key.BACK: self.back}

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """The people who would sit here, in turn order."""
        names = listed(map(shown, self._seats(view)))
        text = phrase("{names}. All entries stay.", names=names)
        if pair := find_lookalikes(self._seats(view)):
            one, other = map(shown, pair)
            text = phrase("{one} and {other} are two people?", one=one, other=other)
        draw_confirm(canvas, phrase("These people sit here?"), text, self.answers)
