"""Entries from phones, over real sockets and a real record: which ones count."""

import asyncio
from pathlib import Path
from typing import Any

import aiohttp

from tests.web.live import BEGUN, KEEPER, LiveTable, Phone, seat


def test_an_entry_from_a_phone_counts_and_all_see_it(table: LiveTable) -> None:
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


def test_after_a_lost_connection_a_phone_learns_what_became_of_its_entry(table: LiveTable) -> None:
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


def test_a_proposal_that_arrives_after_an_inquiry_about_it_is_void(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        proposal = anna.proposal("Red 6-4")
        identity = {name: proposal[name] for name in ("surface", "run", "number")}
        assert (await anna.asks(became=identity))["counted"] is False
        late = await anna.asks(propose=proposal)
        assert late["said"]["key"] == "answer.not-counted"

    table.visit(visit)
    assert table.entries() == BEGUN.split("\n")


def test_after_a_restart_a_phone_learns_that_its_entry_counted(table: LiveTable) -> None:
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


def test_a_refusal_is_shown_in_the_words_of_the_rules(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        answer = await anna.keys("Red 5-5")
        assert answer["counted"] is False
        assert answer["said"]["words"].startswith("5-5 doesn't fit")
        assert (await anna.keys("nonsense"))["counted"] is False

    table.visit(visit)
    assert table.entries() == BEGUN.split("\n")


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
