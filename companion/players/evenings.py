"""Evenings: the games between two breaks of six hours.

The clock tells them apart if it was set and went forward. Else the order of the games does, and
what the box knew when a game was opened: whether it had been left alone since the one before. A
game that was left unfinished and played on later belongs to the evening on which it was played
last.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from companion.core.clock import BREAK_S
from companion.core.values import dataclass
from companion.players.counted import CountedGame
from companion.record.people.people import People


@dataclass(frozen=True, slots=True)
class PlayedEvening:
    """The games of one evening, in the order in which they were played; at least one."""

    games: tuple[CountedGame, ...]

    @property
    def number(self) -> int:
        """The number by which it is named: that of its first game."""
        return self.games[0].number

    @property
    def numbers(self) -> frozenset[int]:
        """The numbers of its games."""
        return frozenset(game.number for game in self.games)

    @property
    def at(self) -> float | None:
        """When the evening began; None: the clock was not set."""
        return next((game.begun for game in self.games if game.begun is not None), None)

    @property
    def until(self) -> float | None:
        """When its last entry was made; None: the clock was not set."""
        return max((game.played for game in self.games if game.played is not None), default=None)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of games played, each once."""
        return tuple(dict.fromkeys(game.game for game in self.games))

    def wins(self, people: People) -> dict[str, int]:
        """Games won by each player of the evening, the most first; shared wins count for each."""
        won: Counter[str] = Counter()
        for game in self.games:
            won.update({name: 0 for seat in game.seats if (name := people.player(seat))})
            won.update(name for seat in game.winners if (name := people.player(seat)))
        return dict(won.most_common())

    def is_over(self, now: float | None) -> bool:
        """Whether the break after it has been long enough; False if the clock doesn't say."""
        last = self.games[-1].played
        return now is not None and last is not None and now - last >= BREAK_S


def evenings(games: Iterable[CountedGame]) -> list[PlayedEvening]:
    """The games as evenings, the oldest first; games that were taken back are left out."""
    found: list[list[CountedGame]] = []
    for game in in_order([game for game in games if game.counts]):
        if found and _same_evening(found[-1][-1], game):
            found[-1].append(game)
        else:
            found.append([game])
    return [PlayedEvening(tuple(one)) for one in found]


def in_order(games: Sequence[CountedGame]) -> list[CountedGame]:
    """The games in the order in which they were played: by their numbers, but a game that was left
    over a break stands where it was played on."""
    order = sorted((game for game in games if not game.resumed), key=lambda game: game.number)
    for game in sorted((game for game in games if game.resumed), key=lambda one: one.begun or 0):
        before = [place for place, other in enumerate(order) if _is_before(other, game)]
        order.insert(before[-1] + 1 if before else 0, game)
    return order


def _is_before(other: CountedGame, resumed: CountedGame) -> bool:
    if other.number < resumed.number:
        return True
    return None not in (other.begun, resumed.begun) and (other.begun or 0) <= (resumed.begun or 0)


def _same_evening(before: CountedGame, game: CountedGame) -> bool:
    if before.played is not None and game.begun is not None and game.begun >= before.played:
        return game.begun - before.played < BREAK_S
    return game.follows
