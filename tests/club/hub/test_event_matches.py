"""Matches of several games at an event: the games that a box plays from its given seats are counted
one after the other, until somebody has won most of them."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.app.catalog import CATALOG
from companion.commands.cli import main
from companion.core.seats import Seats
from companion.core.values import Json
from companion.games.game import parse_entry
from companion.record.journal import Journal
from companion.record.requests import rematch
from companion.record.rows import EVENT_WORD, GameOpened, Row, Setting, Step, Undo
from tests.club.hub.boxes import joined, record_of
from tests.club.hub.test_event_api import Visitor
from tests.starting import HubProcess, running_hub
from tests.waiting import wait_until

TWO = ("Anna", "Ben")
WON = ("hand lead {winner}", *["{winner} points 35"] * 4, "{winner} points 10")


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    with running_hub(tmp_path_factory.mktemp("club") / "hub") as started:
        yield started


class Box:
    """A box of the club that plays a pairing of the event, game after game."""

    def __init__(self, hub: HubProcess, record: Path, out: pytest.CaptureFixture[str]) -> None:
        self._record, self.games = record_of(record, [(0, Setting("flip-1", "on"))]), 0
        self.name = record.stem
        joined(hub, self._record, out)

    def begins(self, game: str, place: str, **options: int | str) -> None:
        """Begins a game on the event's seats, as a single OK does. `place`: the table's place in
        the event; empty: the game belongs to no event."""
        rules = CATALOG.rules[game]
        settled = {one.name: one.default(2) for one in rules.options} | options
        words = ((EVENT_WORD, place),) if place else ()
        self._open(GameOpened(game, Seats.of(*TWO), settled, words=words))

    def again(self) -> None:
        """Begins the next game, a rematch."""
        self._open(rematch(self._journal, self.games, None))

    def _open(self, opened: GameOpened) -> None:
        self.games += 1
        self._journal: Journal[Any] = Journal.begin(opened, CATALOG.rules)
        self._keep(opened)

    def is_won_by(self, winner: str) -> None:
        """Lets `winner` score enough in one hand."""
        opened = self._journal.opened
        for text in WON:
            entry = parse_entry(text.format(winner=winner), self._journal.game, opened.seats)
            step = Step((entry,))
            self._journal = self._journal.fold(step)
            self._keep(step)
        assert self._journal.state.winners == (winner,)

    def is_corrected(self, game: int, winner: str) -> None:
        """Takes back the last entry of an older game, which `winner` wins instead."""
        rules, seats = CATALOG.rules["high-five"], Seats.of(*TWO)
        hand = [f"{winner} points {points}" for points in (35, 35, 35, 35, 10)]
        rows: list[Row] = [Undo(), *(Step((parse_entry(text, rules, seats),)) for text in hand)]
        record_of(self._record, [(game, one) for one in rows])

    def _keep(self, row: Row) -> None:
        record_of(self._record, [(self.games, row)])

    def push(self) -> None:
        """Pushes the whole record to the hub."""
        assert main(["hub", "push", "--record", str(self._record), "--once"]) == 0


def drawn(hub: HubProcess, name: str, **more: object) -> tuple[Visitor, str, Json]:
    """Draws the first round of an event of two; returns the organiser, the event's path and the
    stored event."""
    organiser = Visitor(hub, "keep")
    settings = {"name": name, "format": "swiss", "seed": "x", **more}
    status, kept = organiser.ask("/api/events", settings)
    assert status == 201, kept
    path = f"/api/events/{kept['number']}"
    came = [{"came": {"id": one.lower(), "name": one}} for one in TWO]
    assert organiser.ask(path, {"after": 1, "entries": came})[0] == 200
    status, kept = organiser.ask(path, {"after": 3, "draw": True})
    assert status == 200
    return organiser, path, kept


def begun(
    hub: HubProcess, record: Path, out: pytest.CaptureFixture[str], name: str, **more: object
) -> tuple[Visitor, str, Json, Box]:
    """Draws a first round as `drawn` does, and lets a box begin its pairing; returns the box,
    too."""
    organiser, path, kept = drawn(hub, name, **more)
    box = Box(hub, record, out)
    box.begins("high-five", f"{kept['number']}.1.1")
    return organiser, path, kept, box


def playing(organiser: Visitor, path: str) -> Json:
    """The one table of the round, as it is now."""
    (table,) = organiser.ask(path)[1]["playing"]
    found: Json = table
    return found


def until(look: Callable[[], Json], seen: Callable[[Json], bool]) -> Json:
    """Calls `look` until `seen` is true of its result; returns that."""
    found: Json = {}

    def came() -> bool:
        nonlocal found
        found = look()
        return seen(found)

    wait_until(came)
    return found


def table_of(organiser: Visitor, path: str, games: int) -> Json:
    """The table of the round, once the hub has the box's game number `games`."""

    def has_it(table: Json) -> bool:
        told = table["result"] or table["stands"]
        return bool(told and told["game"] == games)

    return until(lambda: playing(organiser, path), has_it)


def shown_game(hub: HubProcess, box: Box) -> int:
    """The number of the game that the hub shows at that box's table."""
    tables = Visitor(hub, "watch").ask("/api/tables")[1]["tables"]
    (found,) = [one["game"] for one in tables if one["name"] == box.name]
    return int(found)


def by_name(kept: Json, points: list[int]) -> dict[str, int]:
    return dict(zip(kept["event"]["rounds"][0]["tables"][0]["seats"], points, strict=True))


def test_the_hub_counts_games_won_if_the_game_itself_has_no_matches(
    hub: HubProcess, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    organiser, path, kept = drawn(hub, "Best of three", games=3)
    box = Box(hub, tmp_path / "one.db", capsys)
    place = f"{kept['number']}.1.1"
    box.begins("high-five", place)
    for number, (winner, anna, ben, over) in enumerate(
        [("Anna", 1, 0, False), ("Ben", 1, 1, False), ("Anna", 2, 1, True)], start=1
    ):
        box.is_won_by(winner)
        box.push()
        table = table_of(organiser, path, number)
        said = table["result"] if over else table["stands"]
        assert bool(table["result"]) is over
        assert by_name(kept, said["points"]) == {"anna": anna, "ben": ben}
        box.again()
    box.is_won_by("Ben")  # for fun, before anybody has entered the match
    box.push()
    wait_until(lambda: shown_game(hub, box) == box.games)
    (table,) = organiser.ask(path)[1]["playing"]
    assert by_name(kept, table["result"]["points"]) == {"anna": 2, "ben": 1}
    after = organiser.ask(path)[1]["after"]
    said = {"after": after, "entries": [{"result": table["result"]}]}
    status, kept = organiser.ask(path, said)
    assert (status, kept["standings"][0]["player"]) == (200, "anna")


def test_a_match_ends_once_it_is_decided(
    hub: HubProcess, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    organiser, path, kept, box = begun(hub, tmp_path / "two.db", capsys, "Two of three", games=3)
    box.is_won_by("Ben")
    box.again()
    box.is_won_by("Ben")
    box.push()
    table = table_of(organiser, path, 2)
    assert by_name(kept, table["result"]["points"]) == {"anna": 0, "ben": 2}


@pytest.mark.parametrize("games", [3, 5])
def test_an_older_game_of_a_match_is_corrected_after_the_next_began(
    hub: HubProcess, tmp_path: Path, capsys: pytest.CaptureFixture[str], games: int
) -> None:
    organiser, path, kept, box = begun(
        hub, tmp_path / f"older-{games}.db", capsys, f"Corrected of {games}", games=games
    )
    for _ in range(games // 2):
        box.is_won_by("Anna")
        box.again()
    box.push()
    table = table_of(organiser, path, box.games)
    assert by_name(kept, table["stands"]["points"]) == {"anna": games // 2, "ben": 0}
    box.is_corrected(1, "Ben")
    box.push()
    moved = {"anna": games // 2 - 1, "ben": 1}
    table = until(
        lambda: playing(organiser, path),
        lambda one: by_name(kept, one["stands"]["points"]) == moved,
    )
    assert table["scores"] == {"Anna": 0, "Ben": 0}
    assert shown_game(hub, box) == box.games  # the tables' page shows what is on the table
    box.is_won_by("Anna")
    box.push()
    table = until(
        lambda: playing(organiser, path),
        lambda one: by_name(kept, one["stands"]["points"])["anna"] == games // 2,
    )
    assert table["result"] is None


def test_a_match_that_was_over_goes_on_when_one_of_its_games_is_corrected(
    hub: HubProcess, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    organiser, path, kept, box = begun(
        hub, tmp_path / "early.db", capsys, "Over too early", games=3
    )
    box.is_won_by("Anna")
    box.again()
    box.is_won_by("Anna")
    box.push()
    assert by_name(kept, table_of(organiser, path, 2)["result"]["points"]) == {"anna": 2, "ben": 0}
    box.is_corrected(1, "Ben")
    box.push()
    table = until(lambda: playing(organiser, path), lambda one: one["result"] is None)
    assert by_name(kept, table["stands"]["points"]) == {"anna": 1, "ben": 1}
    box.again()
    box.is_won_by("Ben")
    box.push()
    table = until(lambda: playing(organiser, path), lambda one: one["result"] is not None)
    assert by_name(kept, table["result"]["points"]) == {"anna": 1, "ben": 2}


def test_a_game_for_fun_does_not_hide_the_result_of_the_round(
    hub: HubProcess, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    organiser, path, kept, box = begun(hub, tmp_path / "three.db", capsys, "One game")
    box.is_won_by("Ben")
    box.push()
    table_of(organiser, path, 1)
    box.again()
    box.push()
    wait_until(lambda: shown_game(hub, box) == box.games)
    table = table_of(organiser, path, 1)
    assert by_name(kept, table["result"]["points"]) == {"anna": 0, "ben": 150}


def test_a_match_defined_by_the_game_keeps_the_game_s_own_count(
    hub: HubProcess, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    organiser, path, kept = drawn(hub, "Clubs", game="all-fives", options={"match": 3})
    box = Box(hub, tmp_path / "four.db", capsys)
    box.begins("all-fives", f"{kept['number']}.1.1", match=3)
    for number, winner in enumerate(("Anna", "Ben", "Ben"), start=1):
        box.is_won_by(winner)
        box.push()
        table = table_of(organiser, path, number)
        assert bool(table["result"]) is (number == 3)
        box.again()
    assert by_name(kept, table["result"]["points"]) == {"anna": 1, "ben": 2}


def test_a_match_has_one_three_or_five_games(hub: HubProcess) -> None:
    organiser = Visitor(hub, "keep")
    for wrong in (2, 0, 7, "3", True):
        status, found = organiser.ask("/api/events", {"format": "swiss", "games": wrong})
        assert (status, "1, 3 or 5" in found["error"]) == (422, True)
