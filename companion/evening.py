"""What the screens want to know of earlier games: who won this evening, and who ever played."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from companion.games.options import Value
from companion.record.faults import StoreError
from companion.record.names import removed_name
from companion.record.people import People
from companion.record.reader import Reader
from companion.seats import NO_PEOPLE

RECENT_GAMES = 40
"""How far back names are looked for."""


class Evening(Mapping[str, int]):
    """Games won by each seat in the game `last` and those before it on the same evening.

    Counted when somebody looks, once: an evening's games need not be read at the start.
    """

    def __init__(self, record: Reader, last: int | None) -> None:
        self._record, self._last = record, last
        self._won: Mapping[str, int] | None = None

    def _counted(self) -> Mapping[str, int]:
        if self._won is None:
            self._won = _count(self._record, self._last)
        return self._won

    def __getitem__(self, seat: str) -> int:
        return self._counted()[seat]

    def __iter__(self) -> Iterator[str]:
        return iter(self._counted())

    def __len__(self) -> int:
        return len(self._counted())


def _count(record: Reader, last: int | None) -> Mapping[str, int]:
    won: Counter[str] = Counter()
    seen = set[int]()
    try:
        while last is not None and last not in seen and (journal := record.game(last)):
            seen.add(last)
            if not journal.withdrawn:
                won.update(journal.state.winners)
            last = journal.opened.evening
    except StoreError:
        # Earlier games that can't be read now must not stop the one that is played.
        return won
    return won


def first_game(record: Reader, number: int, before: int | None) -> int:
    """The first game of the evening of game `number`, which came after `before` (None: it is the
    first itself), as far as that can be read."""
    try:
        while before is not None and before < number:
            number, listed = before, next(record.listed(before), None)
            before = listed.opened.evening if listed else None
    except StoreError:
        return number
    return number


def names_used(record: Reader, settings: Mapping[str, Value], known: People) -> tuple[str, ...]:
    """Names of people from the newest games, as they are called now, the most recent first, but
    those that were removed since, or are to be seen nowhere."""
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
