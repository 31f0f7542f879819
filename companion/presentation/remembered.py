"""The entries that people have marked to be remembered (stars), as listed at a game's end."""

from collections.abc import Mapping
from functools import lru_cache
from itertools import takewhile

from companion.core.values import Json
from companion.games.options import Value
from companion.presentation.sayings import say
from companion.record.journal import Journal
from companion.record.settings import Star, names_for_stars, stars_of


def stars_by_place(
    journal: Journal[object], game: int | None, since_hand: int = 0, until: int | None = None
) -> Mapping[int, Star]:
    """By its place, the star that each entry has or could be given: at least for the entries from
    hand `since_hand` on, up to the place `until`, not included. Empty for a game that is in no
    record (`game` None)."""
    if game is None:
        return {}
    if until is not None and until < journal.length:
        return _all_stars(journal, game)
    steps = [*takewhile(lambda step: step[2].effect.hand >= since_hand, journal.newest_first())]
    return dict(names_for_stars(game, reversed(steps)))


@lru_cache(1)
def _all_stars(journal: Journal[object], game: int) -> Mapping[int, Star]:
    """The stars of all entries, kept for the next call: a page that shows one earlier moment mostly
    asks for all of them."""
    return dict(names_for_stars(game, [*journal.newest_first()][::-1]))


def earlier_remembered(settings: Mapping[str, Value], since: int, game: int) -> list[Json]:
    """The entries that were marked in the games from `since`, the evening's first, up to `game`,
    not included: as the tally writes them."""
    found = [star for star in stars_of(settings) if since <= star.game < game]
    found.sort(key=lambda star: (star.game, star.hand))
    return [
        {
            "game": star.game,
            "hand": star.hand,
            "said": say("entry.plain", text=star.entry),
            "why": None,
            "payments": [],
        }
        for star in found
    ]
