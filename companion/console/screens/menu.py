"""The menu, with everything that has no key of its own. Each item always has the same digit; one
that can't be chosen now is left out. Items for which there is no digit are in the lists of the
hand, the box and the game."""

from dataclasses import field, replace
from typing import ClassVar

from companion.console.fonts import text_width
from companion.console.frame import WIDTH, Canvas
from companion.console.lists import ItemList, ListScreen, choose, choose_or_take, submenu
from companion.console.screen import (
    Basis,
    ChooseAction,
    Item,
    Items,
    Outcome,
    Screen,
    View,
    is_allowed,
    keep,
)
from companion.console.screens.box_settings import (
    BOX,
    CHECK_TITLE,
    SOUND,
    SPOKEN,
    VOICE_OF_BOX,
    ClaimKeypad,
    change_setting,
    open_check,
)
from companion.console.screens.changes import OfferUndo, take_back
from companion.console.screens.chips import chip_items
from companion.console.screens.club import open_club
from companion.console.screens.confirm import YesOrNo, draw_confirm
from companion.console.screens.history import History
from companion.console.screens.phones import ShowPhones
from companion.console.screens.set_up import ChooseGame, NameSeat, ShowTable
from companion.core.club import ClubStep
from companion.core.errors import EntryError, RuleError
from companion.core.seats import Seat, Seats, display_name
from companion.core.values import dataclass
from companion.core.words import find_lookalikes, listed, phrase
from companion.games.entries import GameEnded
from companion.games.game import B
from companion.presentation.payments import pieces_in_short
from companion.record.rows import PeopleReplaced, Redo

# ---------------------------------------------------------------- other people
# Correcting the person at a seat, if the table notices during the game that somebody else sits
# there: asks who it is, then for confirmation. All entries stay, and become those of the person who
# really sits there; other games are not touched.


def other_people_item(view: View[B]) -> Item[B] | None:
    """Returns the menu item for recording that other people sit at this table; None if the box is
    in no club."""
    if view.club is None or view.club.step is not ClubStep.JOINED:
        return None

    def opened(view: View[B], menu: Screen[B]) -> Outcome[B]:
        seats: Items[B] = tuple(
            (display_name(seat), _ask_who_instead(seat)) for seat in view.state.seats
        )
        return Outcome(choose(phrase("At whose seat?"), seats, menu))

    return phrase("Other people sit here"), opened


def _ask_who_instead(seat: Seat) -> ChooseAction[B]:
    def opened(view: View[B], seats: Screen[B]) -> Outcome[B]:
        game = view.game.opened.game
        asked: NameInstead[B] = NameInstead(
            game=game, named=(str(seat),), parent=seats, instead_of=str(seat)
        )
        return Outcome(asked.opened(view))

    return opened


@dataclass(frozen=True, slots=True)
class NameInstead(NameSeat[B]):
    """Asks who really sits at a seat. If the name belongs to another seat of this table, the two
    people change places."""

    instead_of: str = ""

    basis: ClassVar = Basis.GAME

    def title(self, _view: View[B]) -> str:
        return self.spell_title

    @property
    def spell_title(self) -> str:
        return phrase("Who instead of {seat}?", seat=display_name(self.instead_of))

    def take(self, _view: View[B], name: str, question: Screen[B]) -> Outcome[B]:
        return Outcome(ConfirmPeople(Seat(self.instead_of), name, question))


@dataclass(frozen=True, slots=True)
class ConfirmPeople(YesOrNo[B]):
    """OK records that these people sit here, and keeps all entries; BACK returns to the screen on
    which the name was given."""

    seat: Seat
    name: str
    below: Screen[B]

    answers: ClassVar = phrase("OK: yes   BACK: no")
    basis: ClassVar = Basis.GAME

    def _changed_seats(self, view: View[B]) -> Seats:
        """Returns the people in turn order, with `name` in the place of `seat`. If `name` sits here
        already, the two change places."""
        changed = {str(self.seat): self.name, self.name: str(self.seat)}
        return Seats.of(*(changed.get(one, one) for one in view.game.opened.seats))

    def handle_ok(self, view: View[B]) -> Outcome[B]:
        """OK records that these people sit here, or shows why that isn't possible."""
        row = PeopleReplaced(self._changed_seats(view))
        try:
            view.game.amended(row)
        except (EntryError, RuleError) as error:
            return Outcome(self, refused=error.why)
        return Outcome(None, row)

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """Draws the people who would sit here, in turn order."""
        names = listed(map(display_name, self._changed_seats(view)))
        text = phrase("{names}. All entries stay.", names=names)
        if pair := find_lookalikes(self._changed_seats(view)):
            one, other = map(display_name, pair)
            text = phrase("{one} and {other} are two people?", one=one, other=other)
        draw_confirm(canvas, phrase("These people sit here?"), text, self.answers)


# ---------------------------------------------------------------- chips
# Points and chips: each seat's stock, the payments behind its points, and correcting its chips.


@dataclass(frozen=True, slots=True)
class SeatList(ListScreen[B]):
    """All seats with their points, and the chips in their stocks."""

    hint: ClassVar = phrase("A digit: why, count, correct")

    def title(self, _view: View[B]) -> str:
        return phrase("Points, then own chips")

    def lines(self, view: View[B]) -> tuple[str, ...]:
        return tuple(_seat_line(view, seat) for seat in view.state.seats)

    def chosen(self, view: View[B], at: int) -> Outcome[B]:
        seat = view.state.seats.order[at]
        here = replace(self, at=at)
        why: Item[B] = (
            phrase("Why {score}?", score=view.state.scores[seat]),
            lambda view, _list: Outcome(History.of(view, seat, here)),
        )
        own = (
            phrase("{seat}: {pieces}", seat=display_name(seat), pieces=_own_pieces(view, seat))
            if view.chips
            else display_name(seat)
        )
        return choose_or_take(own, (why, *chip_items(view, seat, here)), here, view)


ROOM = WIDTH - 14
"""Columns for a line of a numbered list."""


def _seat_line(view: View[B], seat: Seat) -> str:
    """Returns a seat's points, and the chips in its own stock: “Red 0 · 135: 9×10+9×5”. A seat with
    a player's name has its chips' colour as well: “Anna 0 red 135”. The pieces are left out if they
    don't fit."""
    text = listed((display_name(seat), str(view.state.scores[seat])), " ")
    if view.chips is None:
        return text
    text = listed((text, view.colour(seat) or "·", str(view.chips.left(seat))), " ")
    whole = phrase("{text}: {pieces}", text=text, pieces=_own_pieces(view, seat))
    return whole if text_width(view.language.translate(whole)) <= ROOM else text


def _own_pieces(view: View[B], seat: Seat) -> str:
    """Returns the chips in the seat's own stock: “9×10+9×5”, or “none”."""
    assert view.chips is not None, "only games with chips count them"
    home = view.chips.stocks[seat].home
    return pieces_in_short(tuple((value, number) for value, number in home if number)) or phrase(
        "none"
    )


# ---------------------------------------------------------------- menu


@dataclass(frozen=True, slots=True)
class Menu(ItemList[B]):
    """The menu. BACK leads to the screen on which it was opened."""

    opened_on: Screen[B] | None = None
    choices: Items[B] = field(default=(), compare=False)
    """The items. They are computed when the menu opens, and again when another device adds a
    row."""

    hint: ClassVar = phrase("Digit or OK. BACK: close")
    leads_to_questions: ClassVar = True

    @property
    def before_menu(self) -> Screen[B]:
        return self.opened_on or self

    def updated(self, view: View[B]) -> Screen[B]:
        return replace(self, choices=_menu_items(view))

    def title(self, view: View[B]) -> str:
        return view.game.game.title

    def items(self) -> Items[B]:
        return self.choices

    def back(self, _view: View[B]) -> Outcome[B]:
        return Outcome(self.opened_on)


def open_menu(view: View[B], opened_on: Screen[B] | None) -> Screen[B]:
    """Returns the menu of the game, in which its own items have the digits 4, 5 and 7."""
    return Menu(opened_on=opened_on, choices=_menu_items(view))


def _menu_items(view: View[B]) -> Items[B]:
    own = view.play.menu(view)
    return (
        _undo_item(view),
        (phrase("History: look, change"), lambda _view, menu: Outcome(History(parent=menu))),
        (phrase("Points and chips: why?"), lambda _view, menu: Outcome(SeatList(parent=menu))),
        own.get(4),
        own.get(5),
        _redo_item(view),
        own.get(7),
        submenu(phrase("This box"), _box_items(view)),
        submenu(phrase("This game: seats, end, new"), _game_items(view), phrase("This game")),
        (phrase("Phones"), lambda _view, _menu: Outcome(ShowPhones())) if view.phones else None,
    )


def _undo_item(view: View[B]) -> Item[B] | None:
    what = view.game.next_undo
    if what is None:
        return None
    said = phrase("Undo {spoken}", spoken=view.play.name_change(view, what))

    def undo(view: View[B], _menu: Screen[B]) -> Outcome[B]:
        below = view.screen
        return Outcome(OfferUndo(below)) if _is_hand_over(view, below) else take_back(view)

    return said, undo


def _redo_item(view: View[B]) -> Item[B] | None:
    what = view.next_redo
    if what is None:
        return None
    said = phrase("Redo {spoken}", spoken=view.play.name_change(view, what))

    def redo(view: View[B], _menu: Screen[B]) -> Outcome[B]:
        below = view.screen
        asks = _is_hand_over(view, below) and _does_redo_change_hand(view)
        return Outcome(OfferUndo(below, redoes=True)) if asks else Outcome(None, Redo())

    return said, redo


def _is_hand_over(view: View[B], shown: Screen[B]) -> bool:
    """Returns whether a hand or the game is over. `shown`: the screen for the current state."""
    return shown.hand_is_over and view.state.effect.hand > 0


def _does_redo_change_hand(view: View[B]) -> bool:
    """Returns whether Redo would reopen a hand that is over, or change something before its end.
    False if it only enters a holding again, deals the next hand or goes to the next game."""
    if view.game.next_redo is None:
        return False
    now, again = view.game, view.game.fold(Redo())
    if again.entries[: now.length] != now.entries:
        return True
    same_hand = again.state.effect.hand == now.state.effect.hand
    return same_hand and not replace(view, journal=again).screen.hand_is_over


def _box_items(view: View[B]) -> Items[B]:
    """Returns the items of the box: its settings; the keypads at the seats, if there are any; the
    lock; the sound and the voice; the club; the language. A box with a page also has its check,
    which has no digit and is reached only with the bar."""
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
        (CHECK_TITLE, lambda _view, menu: open_check(menu)) if view.phones else None,
    )


def _game_items(view: View[B]) -> Items[B]:
    sure: Items[B] = (
        (phrase("No, play on"), lambda _view, _menu: Outcome(None)),
        (phrase("End it, scores are kept"), lambda _view, _menu: keep(GameEnded())),
    )
    end: Item[B] = (
        phrase("End this game"),
        lambda _view, menu: Outcome(choose(phrase("End this game?"), sure, menu)),
    )
    return (
        _order_item(view),
        end if view.has_entry(GameEnded) and is_allowed(view, GameEnded()) else None,
        (phrase("New game"), lambda _view, menu: Outcome(ChooseGame(parent=menu))),
        other_people_item(view),
    )


def _order_item(view: View[B]) -> Item[B] | None:
    """Returns the item for swapping the order of the seats; None once a seat has points, or the
    game is over."""
    opened = view.game.opened
    if any(view.state.scores.values) or view.state.finished:
        return None
    table: ShowTable[B] = ShowTable(opened.game, opened.seats, opened.options, again=True)
    return phrase("Order of the seats"), lambda _view, menu: Outcome(replace(table, parent=menu))
