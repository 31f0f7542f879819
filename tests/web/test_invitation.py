"""Four digits and a QR code let other phones in, but guessing doesn't."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from companion.core.budgets import ALL_GUESSES, GUESSES
from companion.web.access import Access, AccessCodes, AccessRules, Codes
from companion.web.phones import SITTING_S, VALID_S, Invitation
from tests.web.live import LiveTable, keep
from tests.web.site import TOKEN, WATCH

GUARD = AccessRules(Codes(AccessCodes("to play", "to watch")), open_to_all=True)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def wrong(digits: str) -> str:
    return f"{(int(digits) + 1) % 10_000:04}"


def test_digits_give_the_access_code_that_the_page_needs() -> None:
    invitation = Invitation(GUARD, Clock())
    digits = invitation.show("a phone")
    assert invitation.code_for_digits(digits, "a", Access.PLAY) == "to play"
    assert invitation.code_for_digits(digits, "a", Access.WATCH) == "to watch"
    assert not any(
        invitation.code_for_digits(word, "a", Access.PLAY) for word in (None, 5, "", "\ud800")
    )


def test_digits_are_valid_while_shown_for_at_most_two_minutes() -> None:
    clock = Clock()
    invitation = Invitation(GUARD, clock)
    assert invitation.code_for_digits("", "a", Access.PLAY) is None
    digits = invitation.show("a phone")
    clock.now = VALID_S - 1
    assert invitation.show("the box") == digits
    assert invitation.left_s == 1
    clock.now = VALID_S
    assert invitation.code_for_digits(digits, "a", Access.PLAY) is None
    others = invitation.show("a phone")
    invitation.hide("a phone")
    assert invitation.code_for_digits(others, "a", Access.PLAY) == "to play"
    invitation.hide("the box")
    assert invitation.code_for_digits(others, "a", Access.PLAY) is None
    invitation.hide("who never showed it")


def test_while_people_sit_down_digits_last_longer_but_allow_no_more_tries() -> None:
    clock = Clock()
    invitation = Invitation(GUARD, clock)
    before = invitation.show("a phone")
    invitation.set_sitting(True)
    clock.now = SITTING_S - 1
    assert invitation.show("a phone") == before
    assert invitation.code_for_digits(before, "a", Access.PLAY) == "to play"
    invitation.set_sitting(False)
    assert invitation.left_s == 1
    clock.now = SITTING_S
    assert invitation.code_for_digits(before, "a", Access.PLAY) is None
    digits = invitation.show("a phone")
    assert invitation.left_s == VALID_S
    invitation.set_sitting(True)
    assert invitation.left_s == SITTING_S
    for number in range(ALL_GUESSES.most):
        assert invitation.code_for_digits(wrong(digits), f"c{number}", Access.PLAY) is None
    assert invitation.code_for_digits(digits, "b", Access.PLAY) is None
    assert invitation.left_s == VALID_S, "nobody waits longer for new ones than before"


def test_an_address_has_five_tries_and_all_addresses_together_twenty() -> None:
    invitation = Invitation(GUARD, Clock())
    digits = invitation.show("a phone")
    for _ in range(GUESSES.most):
        assert invitation.code_for_digits(wrong(digits), "a", Access.PLAY) is None
    assert invitation.code_for_digits(digits, "a", Access.PLAY) is None
    assert invitation.code_for_digits(digits, "b", Access.PLAY) == "to play"
    for number in range(ALL_GUESSES.most - GUESSES.most):
        assert invitation.code_for_digits(wrong(digits), f"c{number}", Access.PLAY) is None
    assert invitation.code_for_digits(digits, "b", Access.PLAY) is None


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    keep(tmp_path / "record.db", "hand")
    table = LiveTable(tmp_path / "record.db", lan=True)
    yield table
    table.close()


async def enter(table: LiveTable, session: aiohttp.ClientSession, word: str) -> Any:
    """Connects as a page with that access code that asks to see nothing."""
    ws = await session.ws_connect("/live", headers={"Origin": table.url})
    await ws.send_json({"n": 0, "hello": word, "wants": []})
    assert (await ws.receive_json())["n"] == 0
    return ws


async def told(ws: Any, name: str) -> Any:
    """The value of `name` in the next message that has it."""
    while name not in (heard := await ws.receive_json()):
        pass
    return heard[name]


async def typed(table: LiveTable, session: aiohttp.ClientSession, **said: object) -> Any:
    """The access code that a page gets for the digits it types; None: it is refused."""
    ws = await session.ws_connect("/live", headers={"Origin": table.url})
    await ws.send_json({"n": 0, **said})
    heard = await ws.receive()
    return heard.json()["word"] if heard.type is aiohttp.WSMsgType.TEXT else None


def test_a_playing_phone_shows_digits_that_let_others_in(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        ws = await enter(table, session, TOKEN)
        await ws.send_json({"n": 1, "invite": True})
        digits = (await told(ws, "invite"))["digits"]
        assert await typed(table, session, digits=digits) == TOKEN
        assert await typed(table, session, digits=digits, **{"for": "watch"}) == WATCH
        assert await typed(table, session, digits=wrong(digits)) is None
        await ws.send_json({"n": 2, "invite": False})
        await told(ws, "n")
        assert await typed(table, session, digits=digits) is None

    table.visit(visit)


def test_digits_end_when_the_phone_that_shows_them_leaves(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        ws = await enter(table, session, TOKEN)
        await ws.send_json({"n": 1, "invite": True})
        digits = (await told(ws, "invite"))["digits"]
        await ws.close()
        assert await typed(table, session, digits=digits) is None

    table.visit(visit)


def test_a_watching_page_cannot_invite_anybody(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        ws = await enter(table, session, WATCH)
        await ws.send_json({"n": 1, "invite": True, "keep": True, "newCodes": True})
        assert await ws.receive_json() == {"n": 1}
        assert await typed(table, session, digits="0000") is None
        await (await enter(table, session, TOKEN)).close()

    table.visit(visit)
