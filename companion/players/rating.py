"""Ratings after games of any number of players: Plackett–Luce, by Weng and Lin.

R. C. Weng and C.-J. Lin, “A Bayesian Approximation Method for Online Ranking”, Journal of Machine
Learning Research 12 (2011), algorithm 4, for teams of one. A player's strength is estimated as a
normal distribution: its mean is the rating, and its spread shows how certain the rating is.

Ratings are only computed on request, and never shown without their spread.
"""

from collections.abc import Iterable, Sequence
from math import exp, sqrt

from companion.core.values import dataclass
from companion.players.statistics import CountedGame, GameResult
from companion.record.people.people import People

MEAN = 25.0
SPREAD = MEAN / 3
BETA = SPREAD / 2
"""The amount of luck in one game: the spread of a player's performance."""
DRIFT = MEAN / 300
"""The change in strength expected between two games, which keeps ratings moving."""
MIN_SPREAD_FACTOR = 0.0001
"""The smallest part of the squared spread that remains after a game."""


@dataclass(frozen=True, slots=True)
class Rating:
    """The estimated strength of a player: a mean, and its uncertainty as a standard deviation."""

    mean: float = MEAN
    spread: float = SPREAD


def rate(ratings: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """The ratings after a game of at least two players. `places`: the place of each player, 1 for
    the first; players with equal numbers share a place. Raises ValueError if there are not as many
    places as ratings."""
    if len(ratings) != len(places) or len(ratings) < 2:
        raise ValueError("a game has two players or more, each with a place")
    ratings = [Rating(one.mean, sqrt(one.spread**2 + DRIFT**2)) for one in ratings]
    c = sqrt(sum(one.spread**2 + BETA**2 for one in ratings))
    strength = [exp(one.mean / c) for one in ratings]
    # Any player placed no better than q could have had q's place; the chance of each was that
    # player's share of strength in this sum.
    sums = [
        sum(strength[i] for i, place in enumerate(places) if place >= places[q])
        for q in range(len(ratings))
    ]
    shared = [sum(1 for place in places if place == own) for own in places]
    found = []
    for i, one in enumerate(ratings):
        better = delta = 0.0
        for q, place in enumerate(places):
            if place > places[i]:
                continue
            chance = strength[i] / sums[q]
            better += ((1 if q == i else 0) - chance) / shared[q]
            delta += chance * (1 - chance) / shared[q]
        variance, gamma = one.spread**2, one.spread / c
        mean = one.mean + variance / c * better
        kept = 1 - gamma * variance / c**2 * delta
        found.append(Rating(mean, one.spread * sqrt(max(kept, MIN_SPREAD_FACTOR))))
    return found


MIN_GAMES = 5
"""The number of games below which a rating is meaningless."""


@dataclass(frozen=True, slots=True)
class RatedPlayer:
    """A player's rating in one kind of game, and the number of `games` that it is based on."""

    rating: Rating
    games: int


def ratings_of(games: Iterable[CountedGame], people: People) -> dict[str, dict[str, RatedPlayer]]:
    """The ratings in each kind of game, by player, after all games with a winner, in order. The
    winners share the first place, the others are placed by their points. A seat without a name
    counts as a new player each time; a game in which somebody had two seats is left out."""
    found: dict[str, dict[str, RatedPlayer]] = {}
    for game in games:
        players = [people.player(seat) for seat in game.seats]
        named = [player for player in players if player is not None]
        if game.result is not GameResult.WON or len(set(named)) < len(named):
            continue
        known = found.setdefault(game.game, {})
        before = [known.get(player or "", RatedPlayer(Rating(), 0)) for player in players]
        after = rate([one.rating for one in before], _places_of(game))
        for player, one, rating in zip(players, before, after, strict=True):
            if player is not None:
                known[player] = RatedPlayer(rating, one.games + 1)
    return found


def _places_of(game: CountedGame) -> list[int]:
    def place(seat: str) -> int:
        if seat in game.winners:
            return 1
        others = (one for one in game.seats if one not in game.winners)
        better = sum(game.scores[one] > game.scores[seat] for one in others)
        return 1 + len(game.winners) + better

    return [place(seat) for seat in game.seats]
