"""Changes who sits where in a game that is being played: another turn order (Reseat), or other
people at its seats (OtherPeople). The game begins again with the new seats, and its entries are
entered again.
"""

from dataclasses import replace

from companion.core.errors import RuleError
from companion.core.seats import BySeat, Seats
from companion.core.words import listed
from companion.games.game import B, Game
from companion.record import match
from companion.record.later import Later, made_again
from companion.record.names import check_names, said_of
from companion.record.rows import COLOURS_WORD, Opened, OtherPeople, Reseat, colour_words
from companion.record.versions import Version


def reseated(now: Version[B], game: Game[B], row: Reseat) -> Later[B]:
    """What becomes of the game that stands at `now` if it has the turn order of `row`. Raises
    RuleError if `row` has other seats."""
    opened = now.opened
    if sorted(row.seats) != sorted(opened.seats):
        raise RuleError(
            "the seats stay {seats}: only their order can change", seats=listed(opened.seats)
        )
    words = match.reseated(opened.words, opened.seats, row.seats)
    again = _from_the_beginning(game, replace(opened, seats=row.seats, words=words), now.begun)
    return made_again(again, game, now.since(0))


def with_people(now: Version[B], game: Game[B], row: OtherPeople) -> Later[B]:
    """What becomes of the game that stands at `now` if `row` names other people for its seats. Each
    entry becomes the entry of the person who now has that seat; nothing else changes. Raises
    RuleError or EntryError."""
    opened = now.opened
    check_names(row.seats.order, game)
    if len(row.seats) != len(opened.seats):
        raise RuleError("as many people as there are seats have to be named")
    if row.seats == opened.seats:
        raise RuleError("these people sit there already")
    names = {str(old): new for old, new in zip(opened.seats, row.seats, strict=True)}
    begun = _begun_by(now.begun, Seats.of(*(names[one] for one in now.begun.seats)))
    words = match.with_people(opened.words, opened.seats, row.seats)
    again = _from_the_beginning(game, replace(opened, seats=row.seats, words=words), begun)
    later = [replace(node, entry=said_of(node.entry, names)) for node in now.since(0)]
    return made_again(again, game, later)


def _begun_by(begun: Opened, seats: Seats) -> Opened:
    """The game's first row `begun` with the names of `seats`. Each seat keeps the colour of its
    chips."""
    said = colour_words(BySeat(seats, begun.colours.values)) if all(begun.colours.values) else ()
    words = match.with_people(begun.words, begun.seats, seats)
    words = tuple(one for one in words if one[0] != COLOURS_WORD)
    return replace(begun, seats=seats, words=(*words, *said))


def _from_the_beginning(game: Game[B], opened: Opened, begun: Opened) -> Version[B]:
    """The game before its first entry. `opened` is its first row with the seats in today's turn
    order, `begun` with the turn order in which the game began."""
    start = game.start(opened.seats, opened.options)._replace(rules=opened.rules)
    return Version(opened, begun, start, None)
