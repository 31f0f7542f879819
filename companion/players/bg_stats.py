"""A game for BG Stats, an app in which people keep what they have played: it takes games by a link
(bgstatsapp.com, “Push plays to BG Stats from other apps or websites”). Pure.
"""

import json
from datetime import UTC, datetime
from typing import Final
from urllib.parse import quote

from companion.core.values import Json
from companion.players.counted import CountedGame, GameResult
from companion.record.people.people import People

CREATE_PLAY: Final = "https://app.bgstatsapp.com/createPlay.html"
SOURCE: Final = "Table companion"
"""The source of a play, as BG Stats knows it; its ids of games and players are ours."""


def bg_stats_link(game: CountedGame, title: str, people: People) -> str | None:
    """The link by which BG Stats takes the game, with the players who are not hidden; None if the
    game was left unfinished, or if nobody knows when it was played."""
    if game.result is not GameResult.WON or game.played is None:
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
        if not people.hides(seat)
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
