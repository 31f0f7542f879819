"""What a TV is told of games, moment by moment, as the server would send it."""

import json
from random import Random

from companion.app.catalog import CATALOG
from companion.core.values import Json
from companion.record.tally import play_tally, read_tally
from companion.table.snapshot import Snapshot
from companion.web.broadcast import Broadcast
from companion.web.files import STATIC
from tests.catalog import GAMES
from tests.games.others.players import PLAYERS, seats_of

NAMES = [
    "Maximilian",
    "Alexandra",
    "Granny_Ann",
    "Christoph",
    "Leopoldine",
    "Ferdinand",
    "Katharina",
    "Wilhelmine",
]
LINE = "hand\nMaximilian 6-6\nAlexandra 6-3"
CALLED = "hand\nBlue 6-6\nRed 6-3\nBlue draw\nBlue pass\nRed 6-1\nbogus Blue by Red"
RULED = f"{CALLED}\nBlue holds 6-5 5-4 5-2 4-4 4-2 2-2 1-1"


def told_game(name: str, number: int) -> list[Json]:
    """What pages are told of a game that so many play under long names, entry by entry."""
    lines = LINE.splitlines()
    if name in PLAYERS:
        text = "\n".join(PLAYERS[name](Random(3), number))
        for seat, own in zip(seats_of(number), NAMES, strict=False):
            text = text.replace(seat, own)
        lines = text.splitlines()
    return told(name, " ".join(NAMES[:number]), lines)


def told(name: str, seats: str, lines: list[str], *options: str) -> list[Json]:
    header = ["tally 1", f"game {name}", f"seats {seats}", *map("option {}".format, options)]
    text = "\n".join([*header, "", *lines])
    broadcast, found = Broadcast(STATIC, CATALOG), []
    for row, one in enumerate(play_tally(read_tally(text, GAMES), GAMES), start=1):
        broadcast.go_on(Snapshot(1, row, None, 1, b"", one.journal, {}))
        found.append(json.loads(broadcast.message("wide", proof=True) or ""))
    return found
