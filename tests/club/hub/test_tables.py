"""The hub shows the same as the box's own record: every table, each moment, each loss."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from companion.app.catalog import CATALOG
from companion.club.hub import tables as tables_module
from companion.club.hub.chains import Chain, find_forks
from companion.club.hub.database import Database
from companion.club.hub.folder import HubFolder
from companion.club.hub.games import read_box_facts
from companion.club.hub.server import Hub, health
from companion.club.hub.tables import FAILED, NEEDS_NEWER, Tables
from companion.core.seats import Seats
from companion.games.game import parse_entry
from companion.presentation.moment import Moment, describe
from companion.record.rows import GameOpened, PlayerHidden, Row, Setting, Step, Undo
from companion.record.settings import ON_TABLE
from companion.record.store.database import ChainLink
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from companion.web.access import load_codes
from tests.club.hub.pushing import AT, Pusher, club, grown, settings
from tests.waiting import until

ANNA = Seats.of("Anna", "Ben")


def step(text: str, game: str = "five-up") -> Step:
    return Step((parse_entry(text, CATALOG.rules[game], ANNA),))


Rows = list[tuple[int, Row | str]]


def evening() -> Rows:
    """Two games; the second goes on."""
    opened, hand = GameOpened("five-up", ANNA, {}), step("hand lead Anna")
    first: Rows = [(1, opened), (1, hand), (1, step("Anna 5-5"))]
    second: Rows = [(2, opened), (2, hand), (2, step("Anna 5-5")), (2, step("Ben 5-6"))]
    return [*settings(1), *first, *second]


def record(path: Path, rows: Rows) -> list[ChainLink]:
    store = Store.open(path, CATALOG.rules, lambda: AT)
    for game, row in rows:
        assert not isinstance(row, str)
        store.keep(game, row)
    links = [link for link in store.walk() if isinstance(link, ChainLink)]
    store.close()
    return links


def as_the_record_says(path: Path, game: int) -> dict[str, object]:
    with Reader.open(path, CATALOG.rules) as reader:
        fold = reader.fold(game)
        return describe(Moment(CATALOG, fold.journal, fold.row, game))


def test_each_moment_equals_the_record_s_own_in_any_order_of_rows(
    database: Database, tmp_path: Path
) -> None:
    store = club(database)
    box, other = Pusher.joined(store, "Kitchen"), Pusher.joined(store, "Attic")
    links = record(tmp_path / "record.db", evening())
    tables = Tables(database, store.club, CATALOG, store.clock)
    assert {*tables.refresh()} == {box.box, other.box}
    for link in links:
        box.push([link])
        assert tables.refresh() == (box.box,)
    assert tables.refresh() == ()
    attic, kitchen = tables.current()
    assert (attic.name, attic.row, attic.moment) == ("Attic", 0, None)
    expected = as_the_record_says(tmp_path / "record.db", 2)
    assert kitchen.moment == expected
    assert (kitchen.row, kitchen.game, kitchen.fault) == (len(links), 2, None)
    assert tables.moment(box.box, 1) == as_the_record_says(tmp_path / "record.db", 1)
    assert [one.number for one in tables.games(box.box)] == [2, 1]
    assert [one.number for one in tables.games(box.box, before=2)] == [1]
    # A hub that starts anew sees the same.
    again = Tables(database, store.club, CATALOG, store.clock)
    again.refresh()
    assert again.current() == tables.current()
    assert health(database, store.club, AT) == {
        "clubs": 0, "boxes": 2, "joining": 0, "forks": 0, "rows": len(links),
    }  # fmt: skip


def test_tables_are_sorted_by_number(database: Database) -> None:
    store = club(database)
    for name in ("Table 10", "Table 2", "Table 1"):
        Pusher.joined(store, name)
    tables = Tables(database, store.club, CATALOG, store.clock)
    tables.refresh()
    assert [one.name for one in tables.current()] == ["Table 1", "Table 2", "Table 10"]


def test_a_new_table_counts_as_sealed_from_its_first_row(database: Database) -> None:
    store = club(database)
    box = Pusher.joined(store)
    tables, links, found = Tables(database, store.club, CATALOG, store.clock), grown([], []), []
    for row in (None, *evening()[:2]):
        if row is not None:
            links = grown(links, [row])
            box.push(links[-1:])
        tables.refresh()
        table = tables.current()[0].json(AT)
        found.append((table["row"], table["sealed"], table["unsealed"]))
    assert found == [(0, False, 0), (1, True, 0), (2, True, 0)]


def test_the_game_that_was_put_on_the_table_is_shown(database: Database) -> None:
    """The hub chooses the game as the box does: the one put there by hand, else the newest. Rows of
    another game change nothing."""
    store = club(database)
    box = Pusher.joined(store)
    tables = Tables(database, store.club, CATALOG, store.clock)
    said: Rows = [*evening()]
    links = grown([], said)
    box.push(links)
    steps: list[tuple[int, tuple[int, Row]]] = [
        (2, (1, Undo())),  # the older game is corrected
        (1, (0, Setting(ON_TABLE, 1))),
        (1, (1, step("Anna 5-5"))),
        (2, (0, Setting(ON_TABLE, 2))),
        (3, (3, GameOpened("five-up", ANNA, {}))),
        (3, (2, Undo())),
    ]
    for shown, row in steps:
        links = grown(links, [row])
        box.push(links[-1:])
        tables.refresh()
        assert tables.current()[0].game == shown
        again = Tables(database, store.club, CATALOG, store.clock)
        again.refresh()
        assert again.current() == tables.current()


def test_the_previous_game_is_shown_if_the_newest_was_taken_back(database: Database) -> None:
    store = club(database)
    box = Pusher.joined(store)
    links = grown([], [*evening()[:-2], (2, Undo())])
    tables = Tables(database, store.club, CATALOG, store.clock)
    box.push(links)
    tables.refresh()
    assert tables.current()[0].game == 2
    taken_back = grown(links, [(2, Undo())])
    box.push(taken_back[-1:])
    tables.refresh()
    assert tables.current()[0].game == 1


def test_rows_of_a_newer_version_are_kept_and_wait_for_a_newer_hub(database: Database) -> None:
    store = club(database)
    box = Pusher.joined(store)
    tables = Tables(database, store.club, CATALOG, store.clock)
    links = grown([], [*evening(), (2, '{"v": 99, "kind": "step", "entries": []}')])
    box.push(links)
    tables.refresh()
    (table,) = tables.current()
    assert (table.fault, table.moment, table.row) == (NEEDS_NEWER, None, len(links))
    box.push(grown(links, [(3, GameOpened("five-up", ANNA, {}))])[-1:])
    tables.refresh()
    assert (tables.current()[0].fault, tables.current()[0].game) == (None, 3)


def test_a_person_hidden_at_the_box_is_hidden_at_the_hub(database: Database) -> None:
    store = club(database)
    box = Pusher.joined(store)
    tables = Tables(database, store.club, CATALOG, store.clock)
    links = grown([], [*evening()[1:], (0, PlayerHidden("Anna"))])
    box.push(links)
    tables.refresh()
    (table,) = tables.current()
    assert table.moment is not None
    assert "Anna" not in str(table.moment)
    assert [one["seat"] for one in table.moment["seats"]] == ["Red", "Ben"]
    assert [[*one.opened.seats] for one in tables.games(box.box)] == [["Red", "Ben"]] * 2


def test_a_game_begun_before_the_clock_was_set_is_dated_by_its_first_row_with_a_time(
    database: Database,
) -> None:
    store = club(database)
    box = Pusher.joined(store)
    links = grown(grown([], evening()[:-1], None), evening()[-1:])
    box.push(links)
    tables = Tables(database, store.club, CATALOG, store.clock)
    tables.refresh()
    assert [(one.number, one.at) for one in tables.games(box.box)] == [(2, AT), (1, None)]


@pytest.mark.parametrize("at", [None, 0.0, 12.5])
def test_a_clock_set_to_1970_is_accepted(database: Database, at: float | None) -> None:
    store = club(database)
    box = Pusher.joined(store)
    box.push(grown([], evening(), at))
    tables = Tables(database, store.club, CATALOG, store.clock)
    tables.refresh()
    (table,) = tables.current()
    assert (table.heard_at, table.grown_at) == (AT, AT)
    assert table.moment is not None
    assert table.json(AT + 14)["entered_s"] == 14
    assert tables.moment(box.box, 1, 1) is not None
    assert tables.moment(box.box, 7) is None


def test_a_fork_is_shown(database: Database) -> None:
    store = club(database)
    box = Pusher.joined(store)
    links = grown([], evening())
    box.push(links)
    box.push(grown(links[:-1], [(2, step("Ben 5-4"))])[-1:])
    tables = Tables(database, store.club, CATALOG, store.clock)
    tables.refresh()
    assert tables.current()[0].forked
    with database.reading() as db:
        forks = find_forks(db, store.club)
    assert [[one.chain for one in live] for live in forks.values()] == [[1, 2]]
    assert health(database, store.club, AT)["forks"] == 1
    store.choose_chain(store.club, box.box, 1)
    tables.refresh()
    assert not tables.current()[0].forked
    moment = tables.current()[0].moment
    assert moment is not None
    assert moment["latest"][0]["entry"] == "Ben 5-6"


def all_fives(game: int) -> Rows:
    """A game whose count is held back while it is on the table."""
    seats = Seats.of("Red", "Blue")
    called = {"called": "lost", "could-play": "30-or-20%", "could-play-ends": "never"}
    found: Rows = [(game, GameOpened("all-fives", seats, {**called, "wrong-count": "100"}))]
    for text in ("hand lead Red", "Red 6-6", "Blue draw", "Blue 6-3"):
        found.append((game, Step((parse_entry(text, CATALOG.rules["all-fives"], seats),))))
    return found


WITHDRAWN: Rows = [(10**8 - 1, GameOpened("five-up", ANNA, {})), (10**8 - 1, Undo())]
HALF_A_PAIR = '{"v":3,"kind":"renamed","name":"Anna","to":"A\\ud800"}'
A_PAIR = '{"v":3,"kind":"renamed","name":"Anna","to":"A\\ud83c\\udf1f"}'


@pytest.mark.parametrize(
    "rows",
    [
        [*evening(), (0, Setting(ON_TABLE, 10**30))],
        [*evening(), (0, Setting(ON_TABLE, -5))],
        [*all_fives(1), *WITHDRAWN],
        [*all_fives(1), (0, Setting(ON_TABLE, 10**8 - 1))],
        [*evening(), (0, HALF_A_PAIR)],
        [*evening(), (2, HALF_A_PAIR)],
        [(1, '{"v":3,"kind":"opened","game":"five-up","seats":["\\udfff","B"],"options":{}}')],
    ],
)
def test_whatever_one_box_pushes_the_tables_of_all_others_are_read(
    database: Database, rows: Rows
) -> None:
    store = club(database)
    hostile, other = Pusher.joined(store, "Attic"), Pusher.joined(store, "Kitchen")
    hostile.push(grown([], rows))
    other.push(grown([], evening()))
    tables = Tables(database, store.club, CATALOG, store.clock)
    tables.refresh()
    _, shown = tables.current()
    assert (shown.game, shown.fault) == (2, None)
    json.dumps([one.json(AT) for one in tables.current()], ensure_ascii=False).encode()


def test_a_name_with_a_whole_pair_of_surrogates_is_read(database: Database) -> None:
    store = club(database)
    Pusher.joined(store).push(grown([], [*evening(), (0, A_PAIR)]))
    tables = Tables(database, store.club, CATALOG, store.clock)
    tables.refresh()
    (shown,) = tables.current()
    assert "A🌟" in json.dumps(shown.json(AT), ensure_ascii=False)


def test_a_table_on_which_the_program_fails_is_at_fault_alone_until_it_grows(
    database: Database, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    store = club(database)
    wrong, other = Pusher.joined(store, "Attic"), Pusher.joined(store, "Kitchen")
    links = grown([], [*evening(), (0, PlayerHidden("Anna"))])
    wrong.push(links)
    other.push(grown([], evening()))
    tables = Tables(database, store.club, CATALOG, store.clock)
    read_anew, failed = Tables._read_anew, list[str]()

    def fails_once(
        self: Tables, db: Connection, chain: Chain, box_chains: Mapping[int, Chain]
    ) -> object:
        if chain.box == wrong.box and not failed:
            failed.append(chain.box)
            raise ZeroDivisionError
        return read_anew(self, db, chain, box_chains)

    monkeypatch.setattr(Tables, "_read_anew", fails_once)
    tables.refresh()
    assert [one.fault for one in tables.current()] == [FAILED, None]
    assert wrong.box in caplog.text
    assert tables.people_at(wrong.box).hidden == {"Anna"}
    wrong.push(grown(links, [(2, step("Anna 6-6"))])[len(links) :])
    tables.refresh()
    assert [one.fault for one in tables.current()] == [None, None]


def test_rows_about_people_on_which_the_program_fails_are_their_table_s_fault_alone(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = club(database)
    wrong, other = Pusher.joined(store, "Attic"), Pusher.joined(store, "Kitchen")
    wrong.push(grown([], [*evening(), (0, PlayerHidden("Anna"))]))
    other.push(grown([], evening()))

    def fails(db: Connection, chain: Chain, *more: Any) -> object:
        if chain.box == wrong.box:
            raise ZeroDivisionError
        return read_box_facts(db, chain, *more)

    monkeypatch.setattr(tables_module, "read_box_facts", fails)
    tables = Tables(database, store.club, CATALOG, store.clock)
    tables.refresh()
    assert [one.fault for one in tables.current()] == [FAILED, None]


def test_a_hub_goes_on_reading_after_a_fault(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, reads = HubFolder.open(tmp_path / "club", name="Fives", make=True), list[bool]()
    hub = Hub(folder, database, load_codes(folder.path / "hub.codes", print), CATALOG)

    def fails_once() -> tuple[str, ...]:
        reads.append(True)
        if len(reads) == 1:
            raise ZeroDivisionError
        return ()

    monkeypatch.setattr(hub.tables, "refresh", fails_once)

    async def go() -> None:
        reading = asyncio.create_task(hub._keep_reading())
        await until(lambda: len(reads) > 2)
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
        hub.committer.close()

    asyncio.run(go())
