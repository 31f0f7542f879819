"""What the screens know of earlier games: who won this evening, and who ever played."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice

from companion.console.words import EveningGame
from companion.core.seats import NO_PEOPLE
from companion.core.values import dataclass
from companion.games.game import AnyState
from companion.games.options import Value
from companion.record.journal import Journal
from companion.record.names import removed_name
from companion.record.people.people import People
from companion.record.store.faults import StoreError
from companion.record.store.reader import Reader

RECENT_GAMES = 40
"""In how many of the newest games names are looked for."""


class Evening(Mapping[str, int]):
    """Games won by each seat in the game `last` and the games before it on the same evening.

    They are counted when somebody looks, so that an evening's games need not be read at the start.
    A game that the evening `before` has counted is read again only if a row was added to it since.
    """

    def __init__(
        self,
        record: Reader | None = None,
        last: int | None = None,
        before: "Evening | None" = None,
    ) -> None:
        self._record, self._last = record, last
        self._games: tuple[EveningGame, ...] | None = None
        self._counted_games: dict[int, _CountedGame] = (
            {} if before is None else before._counted_games
        )

    def games(
        self, known: People, played: Journal[object] | None = None
    ) -> tuple[EveningGame, ...]:
        """The games of the evening, the oldest first, `played` (the one being played) last. People
        have their present names; those who are hidden are left out."""
        now = () if played is None else (_of_evening(played, played.state),)
        return tuple(_named(game, known) for game in (*self._read(), *now))

    def _read(self) -> tuple[EveningGame, ...]:
        if self._games is None:
            kept = self._counted_games
            found = _games(self._record, self._last, kept) if self._record else []
            self._games = tuple(reversed(found))
        return self._games

    def _counted(self) -> Mapping[str, int]:
        return Counter(seat for game in self._read() for seat in game.winners)

    def __getitem__(self, seat: str) -> int:
        return self._counted()[seat]

    def __iter__(self) -> Iterator[str]:
        return iter(self._counted())

    def __len__(self) -> int:
        return len(self._counted())


@dataclass(frozen=True, slots=True)
class _CountedGame:
    """A game as it was when its newest row had the hash `tip`. `game` is None if it was taken back;
    `before` is the number of the game before it on the same evening."""

    tip: bytes
    game: EveningGame | None
    before: int | None


def _games(record: Reader, last: int | None, kept: dict[int, _CountedGame]) -> list[EveningGame]:
    """The games of the evening, the newest first; games that have to be read are added to
    `kept`."""
    found = list[EveningGame]()
    seen = set[int]()
    # Earlier games that can't be read now must not stop the one that is played.
    with suppress(StoreError):
        while last is not None and last not in seen and _count(record, last, kept):
            seen.add(last)
            one = kept[last]
            if one.game is not None:
                found.append(one.game)
            last = one.before
    return found


def _count(record: Reader, number: int, kept: dict[int, _CountedGame]) -> bool:
    """Puts the game of that number into `kept`, as it stands now; returns whether there is such a
    game."""
    tip = record.tip(number)
    if number not in kept or kept[number].tip != tip:
        journal = record.game(number)
        if journal is None:
            return False
        game = None if journal.withdrawn else _of_evening(journal, journal.whole.state)
        kept[number] = _CountedGame(tip, game, journal.opened.evening)
    return True


def _of_evening(journal: Journal[object], state: AnyState) -> EveningGame:
    scores = {str(seat): score for seat, score in state.scores.items()}
    return EveningGame(journal.game.title, scores, tuple(map(str, state.winners)))


def _named(game: EveningGame, known: People) -> EveningGame:
    seen = {seat: known.name_of(seat) for seat in game.scores if not known.hides(seat)}
    scores = {name: game.scores[seat] for seat, name in seen.items()}
    winners = tuple(seen[seat] for seat in game.winners if seat in seen)
    return EveningGame(game.title, scores, winners)


def first_game(record: Reader, number: int, before: int | None) -> int:
    """The first game of the evening of game `number`, which came after `before` (None: it is the
    first itself); the earliest that can be found if the record can't be read."""
    try:
        while before is not None and before < number:
            number, listed = before, next(record.listed(before), None)
            before = listed.opened.evening if listed else None
    except StoreError:
        return number
    return number


def names_used(record: Reader, settings: Mapping[str, Value], known: People) -> tuple[str, ...]:
    """Names of people from the newest games, as they are called now, the most recent first; without
    names that were removed since, and without hidden people."""
    removed = {removed_name(setting): value for setting, value in settings.items()}
    return people(
        player
        for listed in islice(record.games(newest_first=True), RECENT_GAMES)
        for name in listed.opened.seats
        if (player := known.player(name))
        if all(listed.number > int(removed.get(one, 0)) for one in (name, player))
    )


def people(names: Iterable[str]) -> tuple[str, ...]:
    """Each name once, without the colours that stand for nobody."""
    return tuple(dict.fromkeys(name for name in names if name not in NO_PEOPLE))
