"""The chains of a forked box between which the organiser has to choose, each with its newest games
and entries, by which the right one can be known."""

from collections.abc import Mapping
from typing import Final

from sqlalchemy import Connection, select

from companion.core.clock import day
from companion.core.values import Json
from companion.core.words import listed
from companion.hub.chains import LIVE, Chain, chain_of, chains_of
from companion.hub.database import Database
from companion.hub.games import list_games, read_game, read_of_box
from companion.hub.schema import boxes, chains
from companion.presentation.game import PresentedGames, rules_of
from companion.presentation.moment import Moment, describe
from companion.presentation.sayings import name_in_words
from companion.record.people.anonymous import called_instead
from companion.record.store.faults import StoreError

GAMES: Final = 3
"""How many games of a chain are shown; ENTRIES: how many entries of the newest game."""
ENTRIES: Final = 4


def forks_of(database: Database, club: str) -> dict[str, list[Chain]]:
    """For each forked box of the club the chains between which the organiser has to choose
    (HubStore.choose). Raises AwayError."""
    with database.reading() as db:
        asked = select(chains).where(chains.c.club == club, chains.c.state == LIVE)
        found: dict[str, list[Chain]] = {}
        for one in db.execute(asked.order_by(chains.c.chain)):
            found.setdefault(one.box, []).append(chain_of(one))
    return {box: live for box, live in found.items() if len(live) > 1}


def forks_json(database: Database, club: str, games: PresentedGames) -> list[Json]:
    """Each forked box with its chains (`courses`). Raises AwayError."""
    found = []
    for box, live in forks_of(database, club).items():
        with database.reading() as db:
            of_box = chains_of(db, live[0].club, box)
            mine = boxes.c.club == live[0].club, boxes.c.box == box
            name = db.execute(select(boxes.c.name).where(*mine)).scalar()
            courses = [_course(db, chain, of_box, games) for chain in live]
        found.append({"box": box, "name": name, "courses": courses})
    return found


def _course(
    db: Connection, chain: Chain, of_box: Mapping[int, Chain], games: PresentedGames
) -> Json:
    said, rules = read_of_box(db, chain, of_box), rules_of(games)
    games_of = list_games(db, chain, of_box, None, GAMES)
    told = []
    for one in games_of:
        opened = one.opened
        instead = called_instead(opened, said.people, rules.get(opened.game))
        told.append(
            {
                "number": one.number,
                "title": rules[opened.game].title if opened.game in rules else opened.game,
                "seats": listed(name_in_words(instead.get(seat, seat)) for seat in opened.seats),
                "day": day(one.at),
            }
        )
    newest: list[str] = []
    if games_of:
        try:
            number = games_of[0].number
            fold = read_game(db, chain, of_box, number, rules=rules, said=said)
        except StoreError:
            pass  # of a newer version
        else:
            moment = describe(Moment(games, fold.journal, fold.row, number))
            newest = [entry["said"]["words"] for entry in moment["latest"][:ENTRIES]]
    return {
        "chain": chain.chain,
        "rows": chain.head.seq,
        "first": chain.first,
        "own": chain.parent is not None,
        "grown_at": chain.grown_at,
        "games": told,
        "newest": newest,
    }
