"""Entries that people have marked by a star, shown as they were then."""

from collections.abc import Collection, Iterator

from companion.core.values import dataclass
from companion.presentation.game import PresentedGames
from companion.presentation.moment import Moment, describe
from companion.presentation.remembered import stars_by_place
from companion.record.fold import Fold
from companion.record.people.anonymous import without_hidden
from companion.record.people.people import People
from companion.record.settings import Star, stars_of
from companion.record.store.reader import Reader


@dataclass(frozen=True, slots=True)
class Marked:
    """An entry that was marked: where it stands, what it said, and what it came to."""

    game: int
    hand: int
    entry: int
    said: str
    more: tuple[str, ...]


def marked_in(
    reader: Reader, games: PresentedGames, numbers: Collection[int], people: People
) -> list[Marked]:
    """What was marked in these games and still stands, in its order. Raises StoreError."""
    settings = reader.settings()
    wanted: dict[int, set[Star]] = {}
    for star in stars_of(settings):
        if star.game in numbers:
            wanted.setdefault(star.game, set()).add(star)
    folds = (reader.fold(number) for number in sorted(wanted))
    return [
        one
        for fold in folds
        for one in _of_game(fold, games, without_hidden(reader, fold, people), wanted[fold.number])
    ]


def _of_game(
    kept: Fold, games: PresentedGames, shown: Fold, stars: Collection[Star]
) -> Iterator[Marked]:
    """The stars name the entries of the game as it was kept; it is told as it is shown."""
    if kept.journal is None or shown.journal is None:
        return
    number = kept.number
    places = stars_by_place(kept.journal, number)
    for place in sorted(place for place, star in places.items() if star in stars):
        told = describe(Moment(games, shown.journal, None, number), place + 1, 1)["latest"][0]
        why = [told["why"]["words"]] if told["why"] else []
        paid = [payment["said"]["words"] for payment in told["payments"]]
        yield Marked(number, told["hand"], place + 1, told["said"]["words"], (*why, *paid))
