"""Drawings of an evening: the race of each game, and the table as it was at each entry that people
have marked with a star.
"""

from collections.abc import Collection, Iterator
from dataclasses import replace

from companion.core.html import Html
from companion.core.values import dataclass
from companion.presentation.drawing.race import draw_race
from companion.presentation.drawing.svg import Paper
from companion.presentation.game import PresentedGames
from companion.presentation.language import ENGLISH, Language
from companion.presentation.moment import Moment, describe, stars_by_place
from companion.record.fold import Fold
from companion.record.journal import Journal
from companion.record.people.people import People, without_hidden
from companion.record.settings import Star, stars_of
from companion.record.store.reader import Reader

RACE_HEIGHT = 190.0
PAPER = Paper(16, 9)
"""The shape of the drawing of the table at a marked entry."""
MOST_KNOWN = 60
"""The most games whose pictures stay in memory."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A marked entry: where it stands, what it `said`, `more` about what it came to, and a
    `drawing` of the table after it (None if nothing can be drawn)."""

    game: int
    hand: int
    entry: int
    said: str
    more: tuple[str, ...]
    drawing: Html | None


@dataclass(frozen=True, slots=True)
class GameDrawings:
    """The race of a game, and the marked entries that still stand in it."""

    race: Html
    marked: tuple[Marked, ...] = ()


MadeOf = tuple[bytes, People, frozenset[Star], str]
"""What the pictures of a game are made of: the hash of its last row, the people with their names,
its stars, and the name of the language."""


class Gallery:
    """The pictures of a record's games. To replay a game takes long, so the pictures of the games
    that were looked at last stay in memory until something changes."""

    def __init__(self, games: PresentedGames) -> None:
        self._games = games
        self._known: dict[int, tuple[MadeOf, GameDrawings | None]] = {}

    def of(
        self,
        reader: Reader,
        numbers: Collection[int],
        people: People,
        language: Language = ENGLISH,
    ) -> dict[int, GameDrawings]:
        """The pictures of these games, by their numbers, in that language; games that can't be
        shown are left out. Raises StoreError."""
        stars: dict[int, set[Star]] = {}
        for star in stars_of(reader.settings()):
            stars.setdefault(star.game, set()).add(star)
        found = dict[int, GameDrawings]()
        for number in sorted(numbers):
            marked = frozenset(stars.get(number, ()))
            made_of = reader.tip(number), people, marked, language.name
            known = self._known.pop(number, None)
            if known is None or known[0] != made_of:
                known = made_of, _draw(reader, self._games, number, made_of, language)
            self._known[number] = known
            if known[1] is not None:
                found[number] = known[1]
        while len(self._known) > max(MOST_KNOWN, len(numbers)):
            del self._known[next(iter(self._known))]
        return found


def _draw(
    reader: Reader,
    games: PresentedGames,
    number: int,
    made_of: MadeOf,
    language: Language,
) -> GameDrawings | None:
    _, people, stars, _ = made_of
    kept = reader.fold(number)
    journal = without_hidden(reader, kept, people).journal
    if kept.journal is None or journal is None or not journal.length:
        return None
    race = Html(draw_race(journal, language, height=RACE_HEIGHT))
    marked = _marked(kept, games, journal, stars, replace(PAPER, language=language))
    return GameDrawings(race, tuple(marked) if stars else ())


def _marked(
    kept: Fold,
    games: PresentedGames,
    shown: Journal[object],
    stars: Collection[Star],
    paper: Paper,
) -> Iterator[Marked]:
    """The marked entries. The stars name entries of the game as it is `kept`; the words are those
    of the game as it is `shown`."""
    assert kept.journal is not None, "a game that is drawn is there"
    number = kept.number
    moment = Moment(games, shown, None, number)
    nothing = moment.presentation.draw(shown.start, paper, stand_alone=False)
    places = stars_by_place(kept.journal, number)
    for place in sorted(place for place, star in places.items() if star in stars):
        told = describe(moment, place + 1, 1)["latest"][0]
        why = [told["why"]["words"]] if told["why"] else []
        paid = [payment["said"]["words"] for payment in told["payments"]]
        drawn = moment.presentation.draw(shown.states[place], paper, stand_alone=False)
        drawing = None if drawn is None or drawn == nothing else Html(drawn)
        said = told["said"]["words"]
        yield Marked(number, told["hand"], place + 1, said, (*why, *paid), drawing)
