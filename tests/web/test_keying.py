"""Keying on phones, over real sockets and a real record: what counts, what doesn't, and who may
key."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from companion.record.rows import Setting
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from companion.table import state
from companion.table.session import BOX
from tests.catalog import GAMES
from tests.web.live import WATCH, LiveTable, Phone, keep

BEGUN = "hand\nRed 6-6\nBlue 6-3"
KEEPER = {"name": "scorekeeper"}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    keep(tmp_path / "record.db", BEGUN)
    table = LiveTable(tmp_path / "record.db")
    yield table
    table.close()


def seat(name: str, **more: object) -> dict[str, object]:
    return {"name": "seat", "seat": name, **more}


def test_what_a_phone_keys_counts_and_all_see_it(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", seat("Red"))
        other = await Phone.come(table, session, "other", None)
        answer = await anna.keys("Red 6-4")
        assert answer["counted"]
        assert answer["said"]["words"] == "Saved"
        await other.until(lambda: other.stands["moment"]["entries"] == 4)
        assert other.stands["moment"]["latest"][0]["said"]["words"] == "Red lays 6-4"

    table.visit(visit)
    assert table.entries() == [*BEGUN.split("\n"), "Red 6-4"]


def test_a_double_tap_counts_once(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        proposal = anna.proposal("Red draw")
        first = await anna.asks(propose=proposal)
        again = await anna.asks(propose=proposal)
        tapped_again = await anna.asks(propose={**proposal, "number": 2})
        assert first == again
        assert not tapped_again["counted"]
        assert tapped_again["said"]["words"] == "Red draws: look again"

    table.visit(visit)
    assert table.entries() == [*BEGUN.split("\n"), "Red draw"]


def test_two_phones_at_the_same_instant_make_one_entry(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        phones = [await Phone.come(table, session, name, KEEPER) for name in ("one", "two")]
        answers = await asyncio.gather(*(phone.keys("Red draw") for phone in phones))
        assert sorted(answer["counted"] for answer in answers) == [False, True]

    table.visit(visit)
    assert table.entries() == [*BEGUN.split("\n"), "Red draw"]


def test_after_a_lost_connection_it_learns_what_became_of_it(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        proposal = anna.proposal("Red 6-4")
        await anna.say(propose=proposal)
        await anna.leave()
        again = await Phone.come(table, session, "anna", KEEPER)
        identity = {name: proposal[name] for name in ("surface", "run", "number")}
        became = await again.asks(became=identity)
        assert became["counted"] == (len(table.entries()) == 4)
        late = await again.asks(propose=proposal)
        assert late == became

    table.visit(visit)


def test_what_never_came_is_dead_once_it_was_asked_for(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        proposal = anna.proposal("Red 6-4")
        identity = {name: proposal[name] for name in ("surface", "run", "number")}
        assert (await anna.asks(became=identity))["counted"] is False
        late = await anna.asks(propose=proposal)
        assert late["said"]["key"] == "answer.not-counted"

    table.visit(visit)
    assert table.entries() == BEGUN.split("\n")


def test_after_a_restart_it_learns_that_it_counted(table: LiveTable) -> None:
    proposals: list[Any] = []

    async def before(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        proposals.append(anna.proposal("Red 6-4"))
        await anna.asks(propose=proposals[0])

    async def after(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(again, session, "anna", KEEPER)
        identity = {name: proposals[0][name] for name in ("surface", "run", "number")}
        assert (await anna.asks(became=identity))["counted"]
        assert (await anna.asks(propose=proposals[0]))["counted"]

    table.visit(before)
    again = LiveTable(copy_of(table))
    again.visit(after)
    assert again.entries() == [*BEGUN.split("\n"), "Red 6-4"]
    again.close()


def copy_of(table: LiveTable) -> Path:
    """A copy of the record as a start after a power cut would find it."""
    place = table.path.with_name("after")
    place.mkdir()
    for path in table.path.parent.glob("record.db*"):
        if path.is_file() and not path.name.endswith(".lock"):
            (place / path.name).write_bytes(path.read_bytes())
    return place / table.path.name


def test_what_the_rules_refuse_is_said_in_their_words(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        answer = await anna.keys("Red 5-5")
        assert answer["counted"] is False
        assert answer["said"]["words"].startswith("5-5 doesn't fit")
        assert (await anna.keys("nonsense"))["counted"] is False

    table.visit(visit)
    assert table.entries() == BEGUN.split("\n")


# ---------------------------------------------------------------- previews


def test_a_lay_is_previewed_with_its_count_and_payment(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        (told,) = (await anna.preview("Red 3-2"))["told"]
        assert told["why"]["words"] == "3-2: 12+2 = 14"
        assert told["payments"] == []
        refused = (await anna.preview("Red 6-3"))["refused"]
        assert refused["words"].startswith("3-6 is on the table already")

    table.visit(visit)
    assert table.entries() == BEGUN.split("\n")


def test_where_a_tile_fits_at_several_ends_the_ends_are_told(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        assert (await anna.keys("Red 6-4"))["counted"]
        await anna.until(lambda: anna.stands["moment"]["entries"] == 4)
        told = await anna.preview("Blue 4-3", begun=True)
        assert (told["entry"], told["told"]) == (None, [])
        (ends,) = told["offers"]
        assert {option["arm"] for option in ends["options"]} == {"left", "right"}
        assert (await anna.keys(ends["options"][0]["entry"]))["counted"]

    table.visit(visit)


def test_a_tile_that_goes_back_is_named(table: LiveTable) -> None:
    """The rules want the tile shown, so the page asks which one it is, of those that may go
    back."""

    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        assert (await anna.keys("Red draw"))["counted"]
        await anna.until(lambda: anna.stands["moment"]["entries"] == 4)
        told = await anna.preview("Red return")
        assert (told["entry"], told["told"]) == (None, [])
        (tiles,) = told["offers"]
        entries = [option["entry"] for option in tiles["options"]]
        assert "Red return 2-2" in entries
        assert "Red return 6-6" not in entries, "it lies"
        assert (await anna.keys("Red return 2-2"))["counted"]

    table.visit(visit)


def test_a_preview_gives_no_verdict_away(table: LiveTable) -> None:
    """A page that only previews a call learns nothing of its verdict."""

    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        assert (await anna.keys("Red draw"))["counted"]
        await anna.until(lambda: anna.stands["moment"]["entries"] == 4)
        looked = await anna.preview("bogus Red by Blue")
        (told,) = looked["told"]
        assert told["said"]["words"] == "Blue calls Red bogus"
        assert (told["why"], told["payments"], told["notices"]) == (None, [], [])
        assert "verdict" not in str(looked)

    table.visit(visit)


def test_a_change_is_previewed_with_totals_and_what_no_longer_holds(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        looked = await anna.preview("Red 5-5", deed="change", at=1)
        assert looked["scores"]["Blue"] == [15, 0]
        assert looked["lost"]["words"].startswith("“Blue lays 6-3” is no longer possible: ")
        moved = [one["words"] for one in looked["chips"]]
        assert moved == ["Blue gives Red back 15", "Blue pays Red 10"]

    table.visit(visit)
    assert table.entries() == BEGUN.split("\n")


# ---------------------------------------------------------------- changes


def test_undo_redo_change_and_rewind_are_proposals_too(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", seat("Red"))

        async def does(text: str, entries: int, **more: object) -> None:
            seen = anna.stands["moment"]["row"]
            assert (await anna.keys(text, **more))["counted"]
            await anna.until(lambda: anna.stands["moment"]["row"] != seen)
            assert anna.stands["moment"]["entries"] == entries

        await does("", 2, deed="undo")
        await does("", 3, deed="redo")
        await does("Blue 6-4", 3, deed="change", at=2)
        assert table.entries()[-1] == "Blue 6-4"
        await does("", 2, deed="change", at=2)
        await does("", 1, deed="rewind", at=1)

    table.visit(visit)
    assert table.entries() == ["hand"]


# ---------------------------------------------------------------- who may key


def test_a_watcher_keys_nothing(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        watcher = await Phone.come(table, session, "watcher", None)
        answer = await watcher.keys("Red 6-4")
        assert answer["said"]["key"] == "answer.only-watching"

    table.visit(visit)
    assert table.entries() == BEGUN.split("\n")


def test_who_came_with_the_word_to_watch_never_keys(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        guest = await Phone.come(table, session, "guest", KEEPER, word=WATCH)
        assert guest.role["name"] == "watcher"
        assert guest.role["said"]["words"] == "This page only watches"
        assert (await guest.keys("Red 6-4"))["said"]["key"] == "answer.only-watching"
        await guest.say(key="DRAW", down=True)
        await guest.say(key="DRAW", down=False)
        assert (await guest.preview("Red draw"))["told"]

    table.visit(visit)
    assert table.entries() == BEGUN.split("\n")
    assert table.moves == []


def test_a_wrong_word_leaves_nothing_behind(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        ws = await session.ws_connect("/live", headers={"Origin": table.url})
        await ws.send_json({"n": 0, "hello": "wrong", "wants": ["wide"]})
        assert (await ws.receive()).type is aiohttp.WSMsgType.CLOSE
        assert ws.close_code == 4401
        server = table.page._server
        assert server is not None
        assert server._roles.pages == []

    table.visit(visit)


def test_a_seat_keys_for_who_has_no_phone_and_not_for_who_has(
    table: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state, "WITHIN_S", 60.0)  # however long the two phones take

    async def visit(session: aiohttp.ClientSession) -> None:
        blue = await Phone.come(table, session, "blue", seat("Blue"))
        assert (await blue.keys("Red draw"))["counted"]
        red = await Phone.come(table, session, "red", seat("Red"))
        await blue.until(lambda: blue.role["taken"] == ["Blue", "Red"])
        await blue.until(lambda: blue.stands["moment"]["entries"] == 4)
        answer = await blue.keys("Red draw")
        assert answer["said"]["words"] == "Red keys that: this phone is Blue's"
        asked = await red.keys("Red draw")
        assert (asked["counted"], asked["again"]) == (False, True)
        assert asked["said"]["words"] == "Again? Blue for Red: draws"
        assert (await red.keys("Red draw", again=True))["counted"]
        await red.leave()
        await blue.until(lambda: blue.role["taken"] == ["Blue"])
        await blue.until(lambda: blue.stands["moment"]["entries"] == 5)
        assert (await blue.keys("Red draw", again=True))["counted"]

    table.visit(visit)


def test_a_call_is_made_in_ones_own_name(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        blue = await Phone.come(table, session, "blue", seat("Blue"))
        red = await Phone.come(table, session, "red", seat("Red"))
        assert (await red.keys("Red draw"))["counted"]
        await red.until(lambda: red.stands["moment"]["entries"] == 4)
        await blue.until(lambda: blue.stands["moment"]["entries"] == 4)
        assert not (await red.keys("bogus Red by Blue"))["counted"]
        assert (await blue.keys("bogus Red by Blue"))["counted"]

    table.visit(visit)


def test_a_seat_waits_for_its_turn_and_calls_at_any_time(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        blue = await Phone.come(table, session, "blue", seat("Blue"))
        red = await Phone.come(table, session, "red", seat("Red"))
        waits = await blue.keys("Blue 6-4")
        assert waits["said"]["words"] == "Red is to move, not Blue"
        assert (await red.keys("Red draw"))["counted"]
        await blue.until(lambda: blue.stands["moment"]["entries"] == 4)
        assert (await blue.keys("bogus Red by Blue"))["counted"]

    table.visit(visit)


def test_where_the_house_lets_anybody_key_a_seat_keys_for_all_and_calls_for_itself(
    tmp_path: Path,
) -> None:
    keep(tmp_path / "record.db", BEGUN)
    with Store.open(tmp_path / "record.db", GAMES) as store:
        store.keep(BOX, Setting("keypads", "anyone"))
    table = LiveTable(tmp_path / "record.db")

    async def visit(session: aiohttp.ClientSession) -> None:
        blue = await Phone.come(table, session, "blue", seat("Blue"))
        red = await Phone.come(table, session, "red", seat("Red"))
        await blue.until(lambda: blue.role["taken"] == ["Blue", "Red"])
        assert (await blue.keys("Red draw"))["counted"]
        await blue.until(lambda: blue.stands["moment"]["entries"] == 4)
        assert blue.stands["moment"]["news"]["said"]["words"] == "Blue for Red: draws"
        await red.until(lambda: red.stands["moment"]["entries"] == 4)
        in_blues_name = await red.keys("bogus Red by Blue")
        assert in_blues_name["said"]["words"] == "Blue keys that: this phone is Red's"
        assert (await blue.keys("bogus Red by Blue"))["counted"]

    table.visit(visit)
    table.close()


def test_what_was_keyed_for_granny_is_in_the_record_with_whose_phone_it_was(
    table: LiveTable,
) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", seat("Blue"))
        assert (await anna.keys("Red draw"))["counted"]

    table.visit(visit)
    with Reader.open(table.path, GAMES) as record:
        kept = list(record.rows(1))[-1]
    assert (kept.surface, kept.keyed_by) == ("phone-anna", "Blue")


def test_a_seat_is_taken_over_only_by_who_says_so(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        first = await Phone.come(table, session, "first", seat("Red"))
        second = await Phone.come(table, session, "second", None)
        await second.say(role=seat("Red"))
        await second.until(lambda: second.role.get("said") is not None)
        assert second.role["said"]["words"] == "Red has a phone already"
        assert (await first.keys("Red draw"))["counted"]
        await second.say(role=seat("Red", over=True))
        await first.until(lambda: first.role["name"] == "watcher")
        assert first.role["said"]["words"] == "Another phone is Red's now"
        assert not (await first.keys("Red draw"))["counted"]

    table.visit(visit)


# ---------------------------------------------------------------- what no page of ours sends

BAD: list[dict[str, object]] = [
    {"propose": 5},
    {"propose": {}},
    {"propose": {"surface": "phone-x", "run": 1, "number": 0, "game": 1, "tip": "", "text": ""}},
    {"propose": {"surface": "E6614", "run": 1, "number": 1, "game": 1, "tip": "", "text": ""}},
    {"propose": {"surface": "phone-x", "run": 1, "number": 1, "game": 1, "tip": "zz", "text": ""}},
    {"propose": {"surface": "phone-x", "run": 1, "number": 1, "game": 1, "tip": "", "text": 5}},
    {"propose": {"surface": "phone-x", "run": 1, "number": 1, "game": -1, "tip": "", "text": ""}},
    {
        "propose": {
            "surface": "phone-x",
            "run": 2**60,
            "number": 1,
            "game": 1,
            "tip": "",
            "text": "",
        }
    },
    {"preview": []},
    {"preview": {"id": "1", "text": ""}},
    {"preview": {"id": 1, "text": "", "deed": []}},
    {"preview": {"id": 1, "text": "", "at": True}},
    {"became": {"surface": "phone-x"}},
    {"moved": {"surface": "box", "row": 1}},
    {"moved": {"surface": "phone-X y", "row": 1}},
    {"moved": {"surface": "phone-x", "row": "1"}},
    {"role": {"name": "king"}},
    {"role": {"name": "seat", "seat": 5}},
    {"role": {"name": "seat"}},
]


@pytest.mark.parametrize("message", BAD, ids=str)
def test_what_no_page_of_ours_sends_ends_the_connection(
    table: LiveTable, message: dict[str, object]
) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        ws = await session.ws_connect("/live", headers={"Origin": table.url})
        await ws.send_json({"n": 0, "hello": "abcdefgh23456723"})
        assert await ws.receive_json() == {"n": 0}
        await ws.send_json({"n": 1, **message})
        while (heard := await ws.receive()).type is aiohttp.WSMsgType.TEXT:
            assert "role" in heard.json()
        assert ws.close_code == 4400

    table.visit(visit)
    assert table.entries() == BEGUN.split("\n")


@pytest.mark.parametrize("at", [-1, 0, 99, 2**52])
@pytest.mark.parametrize("deed", ["change", "insert", "rewind"])
def test_a_place_that_can_not_be_is_refused(table: LiveTable, deed: str, at: int) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        looked = await anna.preview("nonsense", deed=deed, at=at)
        assert looked["refused"] or deed == "rewind"
        if at:
            assert not (await anna.keys("Red 6-4", deed=deed, at=at))["counted"]

    if at >= 0:
        table.visit(visit)
        assert table.entries() == BEGUN.split("\n")


def test_too_many_proposals_at_once_end_the_connection(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        ws = await session.ws_connect("/live", headers={"Origin": table.url})
        await ws.send_json({"n": 0, "hello": "abcdefgh23456723"})
        await ws.send_json({"n": 1, "role": KEEPER})
        with suppress(ConnectionError):  # it may be closed while there is more to say
            for number in range(1, 400):
                identity = {"surface": "phone-x", "run": 1, "number": number}
                await ws.send_json({"n": number + 1, "became": identity})
        while (await ws.receive()).type is aiohttp.WSMsgType.TEXT:
            pass
        assert ws.close_code in (4429, 1006)  # older servers don't wait till that is heard
        anna = await Phone.come(table, session, "anna", KEEPER)
        assert (await anna.keys("Red draw"))["counted"]

    table.visit(visit)
