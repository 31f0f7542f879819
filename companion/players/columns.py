"""A table of all that was counted, with a line for each game and player (docs/players.md)."""

from collections.abc import Callable, Iterable, Iterator

from companion.core.values import Json
from companion.players.counted import Best, Count, CountedGame
from companion.players.evenings import PlayedEvening
from companion.players.history import PlayersHistory
from companion.record.people.people import People

OF_GAME = (
    "number", "evening", "at", "game", "players", "standing", "entries", "doubtful",
    "player", "place", "score", "won",
)  # fmt: skip


def columns() -> list[str]:
    """The names of all columns, in their order."""
    tops = [name for best in Best for name in (f"{best}", f"{best}_entry")]
    return [*OF_GAME, *Count, *tops, "paid_by", "combinations"]


def lines(
    history: PlayersHistory, now: float | None, instant: Callable[[float | None], str | None]
) -> Iterator[Json]:
    """A line for each game and player, by column; `instant` writes wall time. Colours and hidden
    people are left out. Bogus plays that nobody called are None while people may not hear of
    them."""
    evening = {game.number: one.number for one in history.evenings for game in one.games}
    tells = history.tells_uncalled(now)
    for game in history.games:
        if not game.counts:
            continue
        for place, seat in enumerate(game.seats):
            player = history.people.player(seat)
            if player is None:
                continue
            found: Json = {
                "number": game.number,
                "evening": evening[game.number],
                "at": instant(game.begun),
                "game": game.game,
                "players": len(game.seats),
                "standing": game.result,
                "entries": game.entries,
                "doubtful": game.doubtful,
                "player": player,
                "place": place + 1,
                "score": game.scores[seat],
                "won": seat in game.winners,
            }
            yield found | _counted(game, seat, history.people, game.number in tells)


EVENING_COLUMNS = ("evening", "at", "until", "games", "kinds", "player", "games_won")


def evening_lines(
    evenings: Iterable[PlayedEvening],
    people: People,
    instant: Callable[[float | None], str | None],
) -> Iterator[Json]:
    """A line for each evening and player, by column; `instant` writes wall time. Hidden people are
    left out."""
    for evening in evenings:
        about = {
            "evening": evening.number,
            "at": instant(evening.at),
            "until": instant(evening.until),
            "games": len(evening.games),
            "kinds": list(evening.kinds),
        }
        for player, won in evening.wins(people).items():
            yield about | {"player": player, "games_won": won}


def _counted(game: CountedGame, seat: str, people: People, tells: bool) -> Json:
    counts = game.of[seat]
    found: Json = {str(name): counts[name] for name in Count}
    if not tells:
        found[Count.UNCALLED] = None
    for best in Best:
        top = counts.tops.get(best)
        found[best] = top.value if top else None
        found[f"{best}_entry"] = top.entry if top else None
    paid: dict[str, int] = {}
    for other, points in counts.paid_by.items():
        name = people.player(other)
        if name is not None:
            paid[name] = paid.get(name, 0) + points
    return {**found, "paid_by": paid, "combinations": dict(counts.combinations)}
