"""`companion players`: everybody who played."""

from collections.abc import Iterator
from pathlib import Path

from companion.app.catalog import Catalog
from companion.commands.history import with_history
from companion.commands.printing import WELL, print_json, say
from companion.core.clock import day, instant
from companion.core.values import Json
from companion.players.figure_words import DATE_UNKNOWN, many_games
from companion.players.figures import SeatInGame, Selection, played_by, players_of
from companion.players.history import PlayersHistory
from companion.players.rating import FEWEST_GAMES, ratings_of
from companion.presentation.phrases import phrase


def list_players(path: Path, games: Catalog, *, as_json: bool, rated: bool) -> int:
    """A line for each player, in the order in which they came; with their ratings, if wanted."""

    def tell(history: PlayersHistory) -> int:
        found = list(_players(history))
        if rated:
            _rate(found, history)
        if as_json:
            print_json(found)
        else:
            wide = max((len(one["player"]) for one in found), default=0)
            for one in found:
                say([_line(one, wide), *_rating_lines(one, games)])
        return WELL

    return with_history(path, games, tell)


def _players(history: PlayersHistory) -> Iterator[Json]:
    played_in: dict[str, list[SeatInGame]] = {}
    for player in players_of(history.games, history.people):
        played_in[player] = list(played_by(player, history.games, history.people, Selection()))
    for player, played in played_in.items():
        last = next((one.game.begun for one in reversed(played) if one.game.begun), None)
        yield {
            "player": player,
            "games": len({one.game.number for one in played}),
            "won": len({one.game.number for one in played if one.seat in one.game.winners}),
            "last": instant(last),
            "day": day(last),
            "kinds": list(dict.fromkeys(one.game.game for one in played)),
        }


def _line(one: Json, wide: int) -> str:
    return phrase(
        "{player}  {games}, {won} won; last {day}",
        player=f"{one['player']:<{wide}}",
        games=f"{many_games(one['games']):>9}",
        won=one["won"],
        day=one["day"] or DATE_UNKNOWN,
    )


def _rate(found: list[Json], history: PlayersHistory) -> None:
    """Puts the ratings beside the players who have any, by kind of game."""
    ratings = ratings_of(history.games, history.people)
    for one in found:
        one["ratings"] = {
            kind: {
                "rating": rated.rating.mean,
                "spread": rated.rating.spread,
                "games": rated.games,
            }
            for kind, players in ratings.items()
            if (rated := players.get(one["player"])) and rated.games >= FEWEST_GAMES
        }


def _rating_lines(one: Json, games: Catalog) -> Iterator[str]:
    for kind, rated in one.get("ratings", {}).items():
        yield phrase(
            "    {title}: rating {rating:.1f} ± {spread:.1f} after {games}",
            title=games[kind].rules.title,
            rating=rated["rating"],
            spread=rated["spread"],
            games=many_games(rated["games"]),
        )
