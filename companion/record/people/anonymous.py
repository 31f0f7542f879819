"""A game as others may see it: without the names of hidden people, or of all who played it.

Its rows are read again, with the colours of the chips instead of names. So everything in it can
still be shown: what was taken back, who keyed what, and where rows of it are lost.
"""

from collections.abc import Iterable

from companion.core.seats import Seat
from companion.games.game import AnyGame
from companion.record.fold import Fold
from companion.record.names import name_fault
from companion.record.people.forget import Names, number_names
from companion.record.people.people import People
from companion.record.rows import Opened
from companion.record.store.reader import Reader


def by_colours(reader: Reader, fold: Fold) -> Fold:
    """The game without any name. Raises StoreError."""
    return _read_again(reader, fold, None)


def without_hidden(reader: Reader, fold: Fold, people: People) -> Fold:
    """The game without the names of hidden people; unchanged if nobody in it is hidden. Raises
    StoreError."""
    return _read_again(reader, fold, people)


def called_instead(
    opened: Opened, people: People | None, game: AnyGame | None, others: Iterable[str] = ()
) -> Names:
    """What hidden people (`people` None: all who sat there) are called in that game, by their
    names: the colour of their chips, or a number if that can't be. Names that stay the same are
    left out. `others`: the names that later rows give to the seats, if people had been mixed up."""
    seats = opened.seats
    if named := [*dict.fromkeys((*map(str, seats), *others))][len(seats) :]:
        everybody = [*map(str, seats), *named]
        return number_names(
            [one for one in everybody if people is None or people.hides(one)], everybody
        )
    hidden = [seat for seat in seats if people is None or people.hides(seat)]
    names = {str(seat): Seat(opened.colours[seat]) for seat in hidden}
    now = [names.get(seat, seat) for seat in seats]
    if len({*now}) == len(now) and not any(name_fault(name, game) for name in names.values()):
        return {name: colour for name, colour in names.items() if name != colour}
    return number_names(hidden, seats)


def _read_again(reader: Reader, fold: Fold, people: People | None) -> Fold:
    if fold.listed is None:
        return fold
    opened = fold.listed.opened
    game = reader.catalog.get(opened.game)
    names = called_instead(opened, people, game, fold.people)
    return reader.fold(fold.number, names) if names else fold
