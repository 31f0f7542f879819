"""Somebody else sits at a seat than was said, noticed while the game is played: who, and then a
question. All entries stay, as those of who sits there; other games are not touched."""

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
from companion.core.seats import Seat, Seats, shown
from companion.core.words import phrase
from companion.games.game import B
from companion.presentation.refusals import worded
from companion.record.rows import OtherPeople


def others_sit_here(view: View[B]) -> Item[B] | None:
    """The menu's item, at a box of a club: wrong people sit at this table."""
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
    """Who sits there instead? Somebody else of the table: then these two have changed places."""

    instead_of: str = ""

    def title(self, _view: View[B]) -> str:
        return self.spell_title

    @property
    def spell_title(self) -> str:
        return phrase("Who instead of {seat}?", seat=shown(self.instead_of))

    def stands_on(self, view: View[B]) -> object:
        """The game: who sits there is asked whatever is keyed meanwhile."""
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
        """The game: in another one this is not asked."""
        return view.game_number

    def _seats(self, view: View[B]) -> Seats:
        """Who sits here with that name in the seat's place, in turn order."""
        changed = {str(self.seat): self.name, self.name: str(self.seat)}
        return Seats.of(*(changed.get(one, one) for one in view.game.opened.seats))

    def yes(self, view: View[B]) -> Outcome[B]:
        """OK: they sit here."""
        row = OtherPeople(self._seats(view))
        try:
            view.game.amended(row)
        except (EntryError, RuleError) as error:
            return Outcome(self, refused=worded(error))
        return Outcome(None, row)

    def back(self, _view: View[B]) -> Outcome[B]:
        """BACK: another name."""
        return Outcome(self.parent)

    def on(self) -> Actions[B]:
        return {Key.OK: self.yes, Key.BACK: self.back}

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """Who sits here then, in turn order."""
        names = ", ".join(shown(one) for one in self._seats(view))
        text = phrase("{names}. All entries stay.", names=names)
        draw_confirm(canvas, phrase("These people sit here?"), text, self.answers)
