"""The menu: what has no key of its own. Each item always has the same digit; one that can't be
chosen now is left out. Items beyond ten are in the lists of the hand, the box and the game."""

from dataclasses import dataclass, field, replace
from typing import ClassVar

from companion.console.lists import ItemList, choose, opens
from companion.console.screen import Item, Items, Outcome, Screen, View, allowed, keep, screen_for
from companion.console.screens.box import BOX, SOUND, SPOKEN, VOICE_OF_BOX, change_setting
from companion.console.screens.check_box import TITLE, open_check
from companion.console.screens.chips import SeatList
from companion.console.screens.claims import ClaimKeypad
from companion.console.screens.club import open_club
from companion.console.screens.history import History
from companion.console.screens.other_people import others_sit_here
from companion.console.screens.phones import ShowPhones
from companion.console.screens.setup_game import ChooseGame
from companion.console.screens.setup_table import ShowTable
from companion.console.screens.undo import OfferUndo, undone
from companion.core.words import phrase
from companion.games.entries import Ended
from companion.games.game import B
from companion.record.rows import Redo


@dataclass(frozen=True, slots=True)
class Menu(ItemList[B]):
    """Everything that has no key of its own. BACK leads to where the menu was opened."""

    opened_on: Screen[B] | None = None
    choices: Items[B] = field(default=(), compare=False)
    """The items, made when the menu is opened, and anew when a row comes from elsewhere."""

    hint: ClassVar = phrase("Digit or OK. BACK: close")
    leads_to_questions: ClassVar = True

    @property
    def before_menu(self) -> Screen[B]:
        return self.opened_on or self

    def renewed(self, view: View[B]) -> Screen[B]:
        return replace(self, choices=_items(view))

    def title(self, view: View[B]) -> str:
        return view.game.game.title

    def items(self) -> Items[B]:
        return self.choices

    def back(self, _view: View[B]) -> Outcome[B]:
        return Outcome(self.opened_on)


def open_menu(view: View[B], opened_on: Screen[B] | None) -> Screen[B]:
    """The menu of the game: its own items have the digits 4, 5 and 7."""
    return Menu(opened_on=opened_on, choices=_items(view))


def _items(view: View[B]) -> Items[B]:
    own = view.play.menu(view)
    return (
        _undo(view),
        (phrase("History: look, change"), lambda _view, menu: Outcome(History(parent=menu))),
        (phrase("Points and chips: why?"), lambda _view, menu: Outcome(SeatList(parent=menu))),
        own.get(4),
        own.get(5),
        _redo(view),
        own.get(7),
        opens(phrase("This box"), _of_the_box(view)),
        opens(phrase("This game: seats, end, new"), _of_the_game(view), phrase("This game")),
        (phrase("Phones"), lambda _view, _menu: Outcome(ShowPhones())) if view.phones else None,
    )


def _undo(view: View[B]) -> Item[B] | None:
    what = view.game.would_undo
    if what is None:
        return None
    said = phrase("Undo {spoken}", spoken=view.play.spoken(view, what))

    def undo(view: View[B], _menu: Screen[B]) -> Outcome[B]:
        under = screen_for(view)
        return Outcome(OfferUndo(under)) if _is_over(view, under) else undone(view)

    return said, undo


def _redo(view: View[B]) -> Item[B] | None:
    what = view.would_redo
    if what is None:
        return None
    said = phrase("Redo {spoken}", spoken=view.play.spoken(view, what))

    def redo(view: View[B], _menu: Screen[B]) -> Outcome[B]:
        under = screen_for(view)
        asks = _is_over(view, under) and _redo_alters_it(view)
        return Outcome(OfferUndo(under, redoes=True)) if asks else Outcome(None, Redo())

    return said, redo


def _is_over(view: View[B], shown: Screen[B]) -> bool:
    """Whether a hand or the game is over where `shown` is what the state asks for."""
    return shown.hand_is_over and view.state.effect.hand > 0


def _redo_alters_it(view: View[B]) -> bool:
    """Whether Redo would open the hand that is over, or change something before its end: not if it
    keys again what is held, deals the next hand or goes to the next game."""
    if view.game.would_redo is None:
        return False
    now, again = view.game, view.game.fold(Redo())
    if again.entries[: now.length] != now.entries:
        return True
    same_hand = again.state.effect.hand == now.state.effect.hand
    return same_hand and not screen_for(replace(view, journal=again)).hand_is_over


def _of_the_box(view: View[B]) -> Items[B]:
    """The items of the box: its settings; the keypads at the seats, if there are any; the lock; the
    sound and the voice; the club; the language. A box with a page has its check as well, which no
    digit chooses: only the bar leads there."""
    claim: Item[B] = (
        phrase("Whose keypad is whose?"),
        lambda view, _menu: Outcome(ClaimKeypad(view.state.seats.order)),
    )
    own: Items[B] = tuple((setting.label, change_setting(setting)) for setting in BOX)
    return (
        *own,
        claim if view.keypads else None,
        (phrase("Lock the keys"), lambda _view, _menu: Outcome(None, lock=True)),
        (SOUND.label, change_setting(SOUND, VOICE_OF_BOX)),
        (phrase("Club"), lambda view, _menu: open_club(view)) if view.club else None,
        (SPOKEN.label, change_setting(SPOKEN)),
        (TITLE, lambda _view, menu: open_check(menu)) if view.phones else None,
    )


def _of_the_game(view: View[B]) -> Items[B]:
    sure: Items[B] = (
        (phrase("No, play on"), lambda _view, _menu: Outcome(None)),
        (phrase("End it, scores are kept"), lambda _view, _menu: keep(Ended())),
    )
    end: Item[B] = (
        phrase("End this game"),
        lambda _view, menu: Outcome(choose(phrase("End this game?"), sure, menu)),
    )
    return (
        _order(view),
        end if view.knows(Ended) and allowed(view, Ended()) else None,
        (phrase("New game"), lambda _view, menu: Outcome(ChooseGame(parent=menu))),
        others_sit_here(view),
    )


def _order(view: View[B]) -> Item[B] | None:
    """The item to swap the order of the seats; None once somebody has points, or the game is
    over."""
    opened = view.game.opened
    if any(view.state.scores.values) or view.state.finished:
        return None
    table: ShowTable[B] = ShowTable(opened.game, opened.seats, opened.options, again=True)
    return phrase("Order of the seats"), lambda _view, menu: Outcome(replace(table, parent=menu))
