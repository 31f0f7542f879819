"""A surface belongs to the page that speaks for it: no other page can use up its numbers, and a
page that only watches can't end another page's entry."""

import aiohttp
import pytest

from companion.core.budgets import PAGES_OF_TABLE
from companion.core.values import changed
from tests.web.live import BEGUN, KEEPER, LiveTable, Phone
from tests.web.site import WATCH


async def rejected(phone: Phone) -> int | None:
    """The close code of a page that is sent away."""
    while (await phone._ws.receive()).type is aiohttp.WSMsgType.TEXT:
        pass
    code: int | None = phone._ws.close_code
    return code


@pytest.mark.parametrize("word", [WATCH, None])
def test_a_watcher_cannot_end_another_page_s_entry(table: LiveTable, word: str | None) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        more = {} if word is None else {"word": word}
        guest = await Phone.come(table, session, "guest", None, **more)
        anna = await Phone.come(table, session, "anna", KEEPER)
        proposal = anna.proposal("Red 6-4")
        for number in (1, 999_999):
            named = {name: proposal[name] for name in ("surface", "run")}
            answer = await guest.asks(became={**named, "number": number})
            assert answer["counted"] is None
            assert answer["said"]["key"] == "answer.only-watching"
        assert (await anna.asks(propose=proposal))["counted"]
        assert (await guest.asks(became={**named, "number": 1}))["counted"]

    table.visit(visit)
    assert table.entries() == [*BEGUN.split("\n"), "Red 6-4"]


def test_watchers_with_many_surfaces_push_no_other_surface_out(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        run = anna.stands["keys"]["run"]
        proposal = anna.proposal("Red 6-4")
        for phone in range(6):
            guest = await Phone.come(table, session, "guest", None, word=WATCH)
            for number in range(50):
                named = {"surface": f"phone-{phone}-{number}", "run": run, "number": 1}
                assert (await guest.asks(became=named))["counted"] is None
        assert (await anna.asks(propose=proposal))["counted"]
        assert anna.stands["keys"]["run"] == run

    table.visit(visit)


@pytest.mark.parametrize("what", ["propose", "became", "moved"])
def test_a_surface_of_another_page_is_refused(table: LiveTable, what: str) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        before = anna.stands["keys"]["tip"]
        assert (await anna.keys("Red 6-4"))["counted"]
        await anna.until(lambda: anna.stands["keys"]["tip"] != before)
        other = await Phone.come(table, session, "anna", KEEPER)
        other.proposed = 5000
        message = other.proposal("Red draw")
        if what == "became":
            named = {name: message[name] for name in ("surface", "run", "number")}
            assert (await other.asks(became=named))["counted"] is None
        else:
            row = {"surface": message["surface"], "row": 1}
            await other.say(**{what: row if what == "moved" else message})
            assert await rejected(other) == 4400
        assert (await anna.keys("Blue draw"))["counted"]

    table.visit(visit)
    assert table.entries()[-2:] == ["Red 6-4", "Blue draw"]


def test_the_same_phone_keeps_its_surface_after_a_lost_connection(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        role = {**KEEPER, "device": "k3x"}
        anna = await Phone.come(table, session, "anna", role)
        proposal = anna.proposal("Red 6-4")
        assert (await anna.asks(propose=proposal))["counted"]
        again = await Phone.come(table, session, "anna", role)  # the old one hangs
        named = {name: proposal[name] for name in ("surface", "run", "number")}
        assert (await again.asks(became=named))["counted"]
        again.proposed = 1
        assert (await again.keys("Blue draw"))["counted"]

    table.visit(visit)


def test_a_page_has_a_limit_of_surfaces(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        for number in range(1, 5):
            named = {"surface": f"phone-{number}", "run": anna.stands["keys"]["run"], "number": 1}
            assert (await anna.asks(became=named))["counted"] is False
        assert (await anna.asks(became={**named, "surface": "phone-5"}))["counted"] is None

    table.visit(visit)


@pytest.mark.parametrize("number", [0, -1, 2**53 - 1, 2**53, 10**6, 10**400, True, 1.0])
def test_an_invalid_proposal_number_is_refused(table: LiveTable, number: object) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "anna", KEEPER)
        await anna.say(propose={**anna.proposal("Red 6-4"), "number": number})
        assert await rejected(anna) == 4400

    table.visit(visit)


def test_a_playing_page_replaces_a_watching_one(
    table: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.web.server.PAGES_OF_TABLE", changed(PAGES_OF_TABLE, most=1))

    async def visit(session: aiohttp.ClientSession) -> None:
        guest = await Phone.come(table, session, "guest", None, word=WATCH)
        anna = await Phone.come(table, session, "anna", KEEPER)
        assert await rejected(guest) in (4429, 1006)  # as in test_keying_bad_input.py
        late = await session.ws_connect("/live", headers={"Origin": table.url})
        await late.send_json({"n": 0, "hello": WATCH})
        assert await rejected(Phone("late", late)) == 4429
        assert (await anna.keys("Red 6-4"))["counted"]

    table.visit(visit)
