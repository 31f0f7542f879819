"""Matches: a series of games, won by the side that wins most of them (RULES: All Fives 9).

The games won belong to the players, wherever they sit. A game's first row lists them by seat, in
the original turn order; they stay with the players if the turn order or the people change."""

from collections.abc import Callable, Mapping
from typing import Generic, NamedTuple, TypeVar

from companion.core.errors import EntryError
from companion.core.seats import BySeat, Seat, Seats
from companion.core.values import dataclass
from companion.games.game import AnyState

MATCH_WORD, WON_WORD = "match", "match-won"
"""Header words: the number of the game and the match's length, as in `match 2 of 3`; and the games
that each seat has won before, in turn order, as in `match-won 1 0`."""
PARTNERS = "partners"
"""The option for partners: seats 1 and 3 play against 2 and 4."""
MATCHES = ("1", "3", "5")
"""The possible numbers of games in a match."""
MAX_SIDES = 4

HeaderWords = tuple[tuple[str, str], ...]
Partners = tuple[Seat, ...]
"""Partners in seat order, or a single player."""
Side = TypeVar("Side")


@dataclass(frozen=True, slots=True)
class Match(Generic[Side]):
    """The state of a match of `of` games in which `played` games have had a winner so far. `won`:
    how many games each side has won."""

    of: int
    played: int
    won: Mapping[Side, int]

    @property
    def target(self) -> int:
        """How many games a side has to win to end the match early: more than half of `of`."""
        return self.of // 2 + 1

    @property
    def leaders(self) -> tuple[Side, ...]:
        most = max(self.won.values())
        return tuple(side for side, games in self.won.items() if games == most)

    @property
    def winner(self) -> Side | None:
        """The side that has won the match: by reaching the target, or by leading once all games are
        played. None while it goes on."""
        leaders = self.leaders
        over = self.won[leaders[0]] >= self.target or self.played >= self.of
        return leaders[0] if over and len(leaders) == 1 else None

    @property
    def level(self) -> tuple[Side, ...]:
        """The sides that share the lead once all games are played, and have to play on until one
        leads; () if no lead is shared, or if games are still to be played."""
        return self.leaders if self.played >= self.of and self.winner is None else ()


class MatchGame(NamedTuple):
    """Game `number` of a match of `of` games. `won`: the games that each player has won before this
    one."""

    number: int
    of: int
    won: BySeat[int]

    @classmethod
    def read(cls, match: str, won: str, seats: Seats, *, partners: bool = False) -> "MatchGame":
        """Reads the values of the header words `match` and `match-won`. The latter has a number for
        each seat or, with partners, for each side; if it is empty, no game was won. Raises
        EntryError."""
        number, _, of = match.partition(" of ")
        if not (is_number(number) and of in MATCHES):
            raise EntryError("a game of a match is written “match 2 of 3”")
        if not 1 <= int(number) <= MAX_SIDES * (int(of) // 2) + 1:
            raise EntryError("a match of {of} games has no game {number}", of=of, number=number)
        wins = won.split() if won else ["0"] * len(seats)
        if partners and len(wins) == len(seats) // 2:
            wins *= 2
        if len(wins) != len(seats) or not all(map(is_number, wins)):
            raise EntryError("the games won before are written “match-won 1 0”, one for each seat")
        return cls(int(number), int(of), BySeat(seats, tuple(map(int, wins))))

    @property
    def extra_games(self) -> int:
        """The number of games played beyond the agreed number, because sides were level; 0 if there
        are none."""
        return max(0, self.number - self.of)

    @property
    def words(self) -> HeaderWords:
        """The header words for this game of the match."""
        won = " ".join(map(str, self.won.values))
        return (MATCH_WORD, f"{self.number} of {self.of}"), (WON_WORD, won)

    def of_seats(self, seats: Seats) -> "MatchGame":
        """This game with only the players at `seats`."""
        return self._replace(won=self.won.reseated(seats))

    def before(self, state: AnyState) -> Match[Partners]:
        """The match before this game, whose newest state is `state`. A side of partners counts the
        games that both have won."""
        won = {side: min(self.won[seat] for seat in side) for side in state.scorers}
        return Match(self.of, self.number - 1, won)

    def after(self, state: AnyState) -> Match[Partners]:
        """The match after this game or, while it is being played, as it is now."""
        return self._next_game(state).before(state)

    def decided(self, state: AnyState) -> bool:
        """Whether the match is over after this game. A game without a winner never decides it."""
        return bool(state.winners) and self.after(state).winner is not None

    def next(self, state: AnyState) -> "MatchGame | None":
        """The next game of the match; None if the match is decided. A game without a winner is
        played again under the same number."""
        return None if self.decided(state) else self._next_game(state)

    def _next_game(self, state: AnyState) -> "MatchGame":
        seats, winners = self.won.seats, state.winners
        won = BySeat.make(seats, lambda seat: self.won[seat] + (seat in winners))
        return MatchGame(self.number + bool(winners), self.of, won)


def is_number(text: str) -> bool:
    """Whether the text is a whole number of at most two plain digits."""
    return text.isascii() and text.isdecimal() and len(text) <= 2


def with_seats_reordered(words: HeaderWords, old: Seats, new: Seats) -> HeaderWords:
    """The header words after the turn order has changed to `new`; each player keeps the games
    won."""
    return _with_wins_changed(words, old, lambda won: [won[seat] for seat in new])


def with_people_replaced(words: HeaderWords, old: Seats, new: Seats) -> HeaderWords:
    """The header words after the people `new` have replaced those at the seats `old`, in the same
    order. Players who stay keep their games won; a newcomer takes over those of the player
    replaced."""
    was = dict(zip(new, old, strict=True))

    def predecessor(player: Seat) -> Seat:
        if player not in old:
            player = was[player]
            while player in new:  # that player moved to another seat, and keeps their own games
                player = was[player]
        return player

    return _with_wins_changed(words, old, lambda won: [won[predecessor(seat)] for seat in new])


def _with_wins_changed(
    words: HeaderWords, seats: Seats, change: Callable[[BySeat[int]], list[int]]
) -> HeaderWords:
    """The header words with `change` applied to the games won, listed by `seats` in turn order."""

    def changed(word: str, rest: str) -> tuple[str, str]:
        each = rest.split()
        if word != WON_WORD or len(each) != len(seats) or not all(map(is_number, each)):
            return word, rest
        won = change(BySeat(seats, tuple(map(int, each))))
        return word, " ".join(map(str, won))

    return tuple(changed(*pair) for pair in words)
