"""Screens about the seats that the club assigns to this table for a round of its tournament, and
about correcting the people of the current game if two tables were mixed up."""

from typing import ClassVar

from companion.console.frame import Canvas
from companion.console.screen import Basis, Outcome, Screen, View
from companion.console.screens.confirm import YesOrNo, draw_confirm
from companion.console.screens.set_up import begin, default_options
from companion.core.club import GivenSeats
from companion.core.errors import EntryError, RuleError
from companion.core.seats import Seats, display_name
from companion.core.values import changed, dataclass
from companion.core.words import listed, phrase
from companion.games.game import AnyGame, B
from companion.games.house_rules import Value
from companion.record.journal import Journal
from companion.record.names import check_names
from companion.record.rows import EVENT_WORD, GameOpened, PeopleReplaced


def is_played(given: GivenSeats, journal: Journal[B]) -> bool:
    """Returns whether the game of `journal` was begun for the round and table of the given
    seats."""
    return dict(journal.begun.words).get(EVENT_WORD) == given.place


def seats_instead(given: GivenSeats, journal: Journal[B]) -> Seats | None:
    """Returns the people who sit at the game of `journal`, in its turn order, if the club names
    other people than the game has. None if they are the same, or if the club's seats are for
    another game or another number of players."""
    begun = journal.begun.seats
    if not is_played(given, journal) or {*begun} == {*given.seats}:
        return None
    if len(begun) != len(given.seats):
        return None
    names = dict(zip(begun, given.seats, strict=True))
    return Seats.of(*(names[seat] for seat in journal.opened.seats))


def ask_given(given: GivenSeats, journal: Journal[B] | None, below: Screen[B] | None) -> Screen[B]:
    """Returns the screen that asks about the given seats: whether these people sit at the current
    game, if they differ from its people; otherwise whether to begin the next game."""
    if journal is not None and seats_instead(given, journal) is not None:
        return ConfirmGivenPeople(given, below)
    return ConfirmGivenSeats(given, below)


def _seating_sentence(names: str, rules: AnyGame) -> str:
    if rules.clockwise:
        return phrase("{names}. Sit like this, clockwise.", names=names)
    return phrase("{names}. Sit like this, counter-clockwise.", names=names)


@dataclass(frozen=True, slots=True)
class ConfirmGivenSeats(YesOrNo[B]):
    """OK begins the game with these seats, in this order; BACK declines. The club's page can send
    the seats again."""

    given: GivenSeats
    below: Screen[B] | None = None

    basis: ClassVar = Basis.GAME

    def with_new_seats(self, given: GivenSeats) -> "ConfirmGivenSeats[B]":
        return changed(self, given=given)

    def handle_ok(self, view: View[B]) -> Outcome[B]:
        """OK begins the game, or shows why that isn't possible."""
        if (why := self._why_not(view)) is not None:
            return Outcome(self, refused=why)
        given = self.given
        words = ((EVENT_WORD, given.place),)
        opened = GameOpened(
            given.game, Seats.of(*given.seats), self._event_options(view), words=words,
            evening=view.evening,
        )  # fmt: skip
        return begin(view, opened)

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """Draws the round, the table, and the people in turn order."""
        given = self.given
        title = phrase("Round {round}, table {table}", round=given.round, table=given.table)
        why = self._why_not(view)
        text = why or _seating_sentence(
            listed(map(display_name, given.seats)), view.games[given.game].rules
        )
        answers = phrase("BACK: not now") if why else phrase("OK: begin   BACK: not now")
        draw_confirm(canvas, title, text, answers)

    def _event_options(self, view: View[B]) -> dict[str, Value]:
        """Returns the options of the game: those set by the event, and the box's own for all
        others. Raises EntryError if the event sets an invalid value."""
        given, seats = self.given, len(self.given.seats)
        usual, told = default_options(view, given.game, seats), dict(given.options)
        for option in view.games[given.game].rules.options:
            if option.name in told:
                usual[option.name] = option.read(str(told[option.name]), seats)
        return usual

    def _why_not(self, view: View[B]) -> str | None:
        """Returns why these people can't play the game here; None if they can."""
        given = self.given
        if given.game not in view.games:
            return phrase("This box doesn't know the game {game}.", game=given.game)
        rules = view.games[given.game].rules
        try:
            check_names(given.seats, rules)
            rules.start(Seats.of(*given.seats), self._event_options(view))
        except (EntryError, RuleError) as error:
            return error.why
        return None


@dataclass(frozen=True, slots=True)
class ConfirmGivenPeople(YesOrNo[B]):
    """OK records that these people sit at the current game, and keeps all its entries; BACK changes
    nothing."""

    given: GivenSeats
    below: Screen[B] | None = None

    basis: ClassVar = Basis.GAME

    def with_new_seats(self, given: GivenSeats) -> "ConfirmGivenPeople[B]":
        return changed(self, given=given)

    def handle_ok(self, view: View[B]) -> Outcome[B]:
        """OK records that these people sit there, or shows why that isn't possible. The screen
        below is not restored, since it may name somebody who has left."""
        seats = None if view.journal is None else seats_instead(self.given, view.journal)
        if seats is None:
            return Outcome(self.below)
        try:
            view.game.amended(PeopleReplaced(seats))
        except (EntryError, RuleError) as error:
            return Outcome(self, refused=error.why)
        return Outcome(None, PeopleReplaced(seats))

    def draw(self, _view: View[B], canvas: Canvas) -> None:
        """Draws the table, and the people who sit there instead."""
        title = phrase("Table {table}: other people", table=self.given.table)
        names = listed(map(display_name, self.given.seats))
        text = phrase("{names}. All entries stay.", names=names)
        draw_confirm(canvas, title, text, phrase("OK: yes   BACK: not now"))
