"""What people have marked by a star, told as it was then."""

from collections.abc import Collection, Iterator, Mapping

from companion.errors import RuleError
from companion.export.colours import without_hidden
from companion.games.game import AnyGame
from companion.record.journal import Journal
from companion.record.people import People
from companion.record.reader import Reader
from companion.record.stars import Star, stars_of
from companion.telling.moment import Moment, tell
from companion.telling.remembered import stars_by_place
from companion.values import dataclass


@dataclass(frozen=True, slots=True)
class Marked:
    """An entry that was marked: where it stands, what it said, and what it came to."""

    game: int
    hand: int
    entry: int
    said: str
    more: tuple[str, ...]


def marked_in(
    reader: Reader, games: Mapping[str, AnyGame], numbers: Collection[int], people: People
) -> list[Marked]:
    """What was marked in these games and still stands, in its order. Raises StoreError."""
    settings = reader.settings()
    wanted: dict[int, set[Star]] = {}
    for star in stars_of(settings):
        if star.game in numbers:
            wanted.setdefault(star.game, set()).add(star)
    return [
        one
        for number in sorted(wanted)
        if (fold := reader.fold(number)).journal is not None
        for one in _of_game(fold.journal, number, wanted[number], games, people)
    ]


def _of_game(
    journal: Journal[object],
    number: int,
    stars: Collection[Star],
    games: Mapping[str, AnyGame],
    people: People,
) -> Iterator[Marked]:
    try:
        shown = without_hidden(journal, games, people)
    except RuleError:
        return
    places = stars_by_place(journal, number, 0)
    for place in sorted(place for place, star in places.items() if star in stars):
        told = tell(Moment(shown, None, number), place + 1)["latest"][0]
        why = [told["why"]["words"]] if told["why"] else []
        paid = [payment["said"]["words"] for payment in told["payments"]]
        yield Marked(number, told["hand"], place + 1, told["said"]["words"], (*why, *paid))
