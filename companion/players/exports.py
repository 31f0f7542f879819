"""The history of players for other programs: a table with a row for each game and player
(docs/players.md), a calendar of evenings (iCalendar, RFC 5545), and a link that imports a game into
the app BG Stats."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Final
from urllib.parse import quote

from companion.core.clock import iso_time
from companion.core.seats import display_name
from companion.core.values import Json
from companion.core.version import VERSION
from companion.core.words import isolated
from companion.players.history import PlayedEvening, PlayersHistory
from companion.players.player_figures import games_words
from companion.players.statistics import Count, CountedGame, GameResult, Maximum
from companion.record.people.people import People

# ---------------------------------------------------------------- tables


OF_GAME = (
    "number", "evening", "at", "game", "players", "standing", "entries", "doubtful",
    "player", "place", "score", "won",
)  # fmt: skip


def game_columns() -> list[str]:
    """The names of all columns, in their order."""
    tops = [name for best in Maximum for name in (f"{best}", f"{best}_entry")]
    return [*OF_GAME, *Count, *tops, "paid_by", "combinations"]


def game_rows(
    history: PlayersHistory, now: float | None, instant: Callable[[float | None], str | None]
) -> Iterator[Json]:
    """Yields a table row for each game and player, as values by column name; `instant` formats wall
    time. Colours and hidden people are left out. Counts of bogus plays that were not called are
    None while they may not be shown."""
    evening = {game.number: one.number for one in history.evenings for game in one.games}
    tells = history.games_showing_uncalled(now)
    for game in history.games:
        if not game.is_counted:
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
            yield found | _count_columns(game, seat, history.people, game.number in tells)


EVENING_COLUMNS = ("evening", "at", "until", "games", "kinds", "player", "games_won")


def evening_rows(
    evenings: Iterable[PlayedEvening],
    people: People,
    instant: Callable[[float | None], str | None],
) -> Iterator[Json]:
    """Yields a table row for each evening and player, as values by column name; `instant` formats
    wall time. Hidden people are left out."""
    for evening in evenings:
        about = {
            "evening": evening.number,
            "at": instant(evening.began_at),
            "until": instant(evening.ended_at),
            "games": len(evening.games),
            "kinds": list(evening.kinds),
        }
        for player, won in evening.wins(people).items():
            yield about | {"player": player, "games_won": won}


def _count_columns(game: CountedGame, seat: str, people: People, tells: bool) -> Json:
    counts = game.by_seat[seat]
    found: Json = {str(name): counts[name] for name in Count}
    if not tells:
        found[Count.UNCALLED] = None
    for best in Maximum:
        top = counts.tops.get(best)
        found[best] = top.value if top else None
        found[f"{best}_entry"] = top.entry if top else None
    paid: dict[str, int] = {}
    for other, points in counts.paid_by.items():
        name = people.player(other)
        if name is not None:
            paid[name] = paid.get(name, 0) + points
    return {**found, "paid_by": paid, "combinations": dict(counts.combinations)}


# ---------------------------------------------------------------- calendar


LONGEST_LINE: Final = 75
"""The most bytes in a line; a longer line is continued on the next, which begins with a space."""
SHORTEST_S: Final = 60.0
"""The least duration of an evening in seconds, used if there is only one entry."""


def calendar(evenings: Iterable[PlayedEvening], titles: Mapping[str, str], people: People) -> str:
    """A calendar that contains each evening whose time is known."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:-//Table companion//{VERSION}//EN",
        *(line for one in evenings for line in _calendar_event(one, titles, people)),
        "END:VCALENDAR",
    ]
    return "".join(f"{part}\r\n" for line in lines for part in _folded_lines(line))


def _calendar_event(
    evening: PlayedEvening, titles: Mapping[str, str], people: People
) -> Iterator[str]:
    if (begun := evening.began_at) is None:
        return
    ended = max(evening.ended_at or begun, begun + SHORTEST_S)
    if iso_time(begun) is None or iso_time(ended) is None:
        return
    won = ", ".join(
        f"{isolated(display_name(name))} {many}" for name, many in evening.wins(people).items()
    )
    games = ", ".join(titles[kind] for kind in evening.kinds)
    yield "BEGIN:VEVENT"
    yield f"UID:{int(begun)}-{evening.number}@table-companion"
    yield f"DTSTAMP:{_utc_time(begun)}"
    yield f"DTSTART:{_utc_time(begun)}"
    yield f"DTEND:{_utc_time(ended)}"
    yield f"SUMMARY:{_escaped_text(f'{games}: {won}' if won else games)}"
    yield f"DESCRIPTION:{_escaped_text(games_words(len(evening.games)))}."
    yield "END:VEVENT"


def _utc_time(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y%m%dT%H%M%SZ")


def _escaped_text(words: str) -> str:
    """The text as a value of the calendar file: backslashes, semicolons, commas and line breaks are
    escaped."""
    for sign in ("\\", ";", ","):
        words = words.replace(sign, f"\\{sign}")
    return words.replace("\n", "\\n")


def _folded_lines(line: str) -> Iterator[str]:
    """Yields the line in parts of at most LONGEST_LINE bytes, without splitting a character."""
    part = ""
    for letter in line:
        if len((part + letter).encode()) > LONGEST_LINE:
            yield part
            part = " "
        part += letter
    yield part


# ---------------------------------------------------------------- BG Stats


CREATE_PLAY: Final = "https://app.bgstatsapp.com/createPlay.html"
SOURCE: Final = "Table companion"
"""The source name in a link to BG Stats, under which our ids of games and players are unique."""


def bg_stats_link(game: CountedGame, title: str, people: People) -> str | None:
    """The link that imports the game into BG Stats, with the players who are not hidden; None if
    the game was left unfinished or its time is unknown or no date."""
    if game.result is not GameResult.WON or game.played is None or iso_time(game.played) is None:
        return None
    players = [
        {
            "sourcePlayerId": people.name_of(seat),
            "name": people.name_of(seat).replace("_", " "),
            "startPlayer": place == 0,
            "score": game.scores[seat],
            "winner": seat in game.winners,
        }
        for place, seat in enumerate(game.seats)
        if not people.is_hidden(seat)
    ]
    play: Json = {
        "sourceName": SOURCE,
        "sourcePlayId": f"{game.number}-{int(game.begun or game.played)}",
        "playDate": datetime.fromtimestamp(game.played, UTC).strftime("%Y-%m-%d %H:%M:%S"),
        "game": {
            "sourceGameId": game.game,
            "name": title,
            "highestWins": True,
            "noPoints": False,
        },
        "players": players,
    }
    if game.begun is not None and game.played > game.begun:
        play["durationMin"] = round((game.played - game.begun) / 60)
    return f"{CREATE_PLAY}?data={quote(json.dumps(play, ensure_ascii=False))}"
