"""A ruling needs a second person: whose phone is asked, and what the record keeps of it."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import aiohttp
import pytest

from companion.core.values import Json
from companion.record.rows import KeptRow
from companion.record.store.reader import Reader
from companion.web import roles
from tests.catalog import GAMES
from tests.web.live import KEEPER, LiveTable, Phone, keep

CALLED = "hand\nRed 6-6\nBlue draw\nbogus Blue by Red"
CLEAR, BOGUS = "rule Blue clear", "rule Blue bogus"


def seat(name: str, device: str = "") -> Json:
    return {"name": "seat", "seat": name, "device": device}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    keep(tmp_path / "record.db", CALLED, seats="Red Blue Dora")
    table = LiveTable(tmp_path / "record.db")
    yield table
    table.close()


def newest(table: LiveTable) -> KeptRow:
    with closing(Reader.open(table.path, GAMES)) as record:
        return list(record.rows(1))[-1]


async def agree(phone: Phone) -> Json:
    await phone.until(lambda: phone.asked is not None)
    assert phone.asked is not None
    return await phone.keys("", agrees=phone.asked["number"])


async def asks(phone: Phone, text: str, **more: object) -> str:
    """Proposes a ruling that needs somebody's consent; returns the text that names them."""
    told = await phone.keys(text, **more)
    assert (told["counted"], told.get("asked")) == (False, True), told
    return str(told["said"]["words"])


def test_the_accused_is_cleared_once_the_caller_agrees(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        red = await Phone.come(table, session, "red", seat("Red"))
        dora = await Phone.come(table, session, "dora", seat("Dora"))
        blue = await Phone.come(table, session, "blue", seat("Blue"))
        assert await asks(blue, CLEAR) == "Red is asked to agree on another phone"
        refused = await dora.keys("", agrees=1)
        assert (refused["counted"], dora.asked) == (False, None), "Dora wasn't asked"
        await red.until(lambda: red.asked is not None)
        assert red.asked is not None
        assert red.asked["said"]["words"] == "Blue asks: is Blue clear?"
        assert (await agree(red))["counted"]
        await dora.until(lambda: dora.stands["moment"]["entries"] == 5)
        by = dora.stands["moment"]["latest"][0]["by"]
        assert by["words"] == "Blue's phone, and Red agrees"

    table.visit(visit)
    kept = newest(table)
    assert (table.entries()[-1], kept.keyed_by, kept.agreed_by) == (CLEAR, "Blue", ("Red",))


def test_a_ruling_against_oneself_needs_no_consent(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        await Phone.come(table, session, "blue", seat("Blue"))
        red = await Phone.come(table, session, "red", seat("Red"))
        assert (await red.keys(CLEAR))["counted"]

    table.visit(visit)
    assert (newest(table).keyed_by, newest(table).agreed_by) == ("Red", None)


def test_each_seat_that_is_asked_is_named(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        blue = await Phone.come(table, session, "blue", seat("Blue"))
        await Phone.come(table, session, "dora", seat("Dora"))
        red = await Phone.come(table, session, "red", seat("Red"))
        assert (await blue.keys("Blue pips 12"))["counted"]
        await red.until(lambda: red.stands["moment"]["entries"] == 5)
        said = "Blue and Dora are asked to agree: one of them is enough"
        assert await asks(red, BOGUS) == said

    table.visit(visit)


@pytest.mark.parametrize("who", ["Blue", "Dora"])
def test_a_ruling_needs_the_consent_of_the_accused_or_an_uninvolved_seat(
    table: LiveTable, who: str
) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        red = await Phone.come(table, session, "red", seat("Red"))
        other = await Phone.come(table, session, "other", seat(who))
        assert (await other.keys("Blue pips 12"))["counted"]
        await red.until(lambda: red.stands["moment"]["entries"] == 5)
        assert await asks(red, BOGUS) == f"{who} is asked to agree on another phone"
        assert (await agree(other))["counted"]

    table.visit(visit)
    assert newest(table).agreed_by == (who,)


def test_a_ruling_is_only_undone_with_the_other_s_consent(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        blue = await Phone.come(table, session, "blue", seat("Blue"))
        red = await Phone.come(table, session, "red", seat("Red"))
        assert (await red.keys(CLEAR))["counted"]
        await red.until(lambda: red.stands["moment"]["entries"] == 5)
        for deed, at in [("undo", 0), ("change", 4), ("rewind", 4), ("rewind", 3)]:
            blue.asked = None
            await asks(red, "", deed=deed, at=at)
            await blue.until(lambda: blue.asked is not None)
            assert blue.asked is not None
            assert blue.asked["said"]["words"] == "Red asks: take back the ruling on Blue?"
        assert (await agree(blue))["counted"]

    table.visit(visit)
    assert len(table.entries()) == 3


def test_a_refusal_ends_the_question_and_is_reported(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        red = await Phone.come(table, session, "red", seat("Red"))
        blue = await Phone.come(table, session, "blue", seat("Blue"))
        await asks(blue, CLEAR)
        await red.until(lambda: red.asked is not None)
        assert red.asked is not None
        number = red.asked["number"]
        await red.say(decline=number)
        await blue.until(lambda: blue.asked is not None)
        assert blue.asked is not None
        assert blue.asked["said"]["words"] == "Red doesn't agree"
        assert not (await red.keys("", agrees=number))["counted"]

    table.visit(visit)
    assert len(table.entries()) == 4


def test_a_question_ends_once_the_game_moves_on(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        red = await Phone.come(table, session, "red", seat("Red"))
        blue = await Phone.come(table, session, "blue", seat("Blue"))
        await asks(blue, CLEAR)
        await red.until(lambda: red.asked is not None)
        assert red.asked is not None
        number = red.asked["number"]
        await blue.keys("Blue pips 12")
        await red.until(lambda: red.asked is None)
        assert not (await red.keys("", agrees=number))["counted"]

    table.visit(visit)
    assert len(table.entries()) == 5


def test_another_seat_on_the_same_phone_does_not_count_as_a_second_person(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        blue = await Phone.come(table, session, "blue", seat("Blue", "mine"))
        red = await Phone.come(table, session, "red", seat("Red", "mine"))
        told = await blue.keys(CLEAR)
        assert (told["counted"], told["agree"], red.asked) == (False, True, None)
        assert told["said"]["words"] == "All agreed? Then OK"
        dora = await Phone.come(table, session, "dora", seat("Dora"))
        assert "Dora" not in await asks(dora, CLEAR), "the caller's phone is asked first"
        await red.until(lambda: red.asked is not None)

    table.visit(visit)
    assert len(table.entries()) == 4


@pytest.mark.parametrize("who", [seat("Blue"), KEEPER], ids=["alone", "the scorekeeper's"])
def test_one_phone_asks_whether_all_agree_and_the_history_says_so(
    table: LiveTable, who: Json
) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        phone = await Phone.come(table, session, "one", who)
        told = await phone.keys(CLEAR)
        assert (told["counted"], told["agree"]) == (False, True)
        assert (await phone.keys(CLEAR, agreed=True))["counted"]
        await phone.until(lambda: phone.stands["moment"]["entries"] == 5)
        assert phone.stands["moment"]["latest"][0]["by"]["words"] == "By one phone"

    table.visit(visit)
    assert newest(table).agreed_by == ()


def test_claiming_that_all_agreed_is_not_enough_if_a_phone_can_be_asked(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        await Phone.come(table, session, "red", seat("Red"))
        blue = await Phone.come(table, session, "blue", seat("Blue"))
        await asks(blue, CLEAR, agreed=True)

    table.visit(visit)
    assert len(table.entries()) == 4


@pytest.mark.parametrize("who", [KEEPER, seat("Red")], ids=["scorekeeper", "the caller"])
def test_the_phone_of_the_accused_cannot_rule_alone_in_another_role(
    table: LiveTable, who: Json
) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        dora = await Phone.come(table, session, "dora", seat("Dora"))
        mine = await Phone.come(table, session, "mine", seat("Blue", "mine"))
        mine.role = {}
        await mine.say(role={**who, "device": "mine"})
        await mine.until(lambda: bool(mine.role))
        assert await asks(mine, CLEAR, agreed=True) == "Dora is asked to agree on another phone"
        await dora.until(lambda: dora.asked is not None)
        assert dora.asked is not None
        by = who.get("seat", "The scorekeeper")
        assert dora.asked["said"]["words"] == f"{by} asks: is Blue clear?"
        assert (await agree(dora))["counted"]

    table.visit(visit)
    assert newest(table).agreed_by == ("Dora",)


def test_agreement_sent_with_an_ordinary_entry_is_not_recorded(table: LiveTable) -> None:
    async def visit(session: aiohttp.ClientSession) -> None:
        blue = await Phone.come(table, session, "blue", seat("Blue"))
        assert (await blue.keys("Blue pips 12", agreed=True))["counted"]

    table.visit(visit)
    assert newest(table).agreed_by is None


def test_a_question_expires(table: LiveTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roles, "QUESTION_S", 0.3)

    async def visit(session: aiohttp.ClientSession) -> None:
        red = await Phone.come(table, session, "red", seat("Red"))
        blue = await Phone.come(table, session, "blue", seat("Blue"))
        await asks(blue, CLEAR)
        await red.until(lambda: red.asked is not None)
        await red.until(lambda: red.asked is None)
        assert not (await red.keys("", agrees=1))["counted"]
        await blue.until(lambda: blue.asked is not None)
        assert blue.asked is not None
        assert blue.asked["said"]["words"].startswith("Nobody has answered")

    table.visit(visit)
    assert len(table.entries()) == 4
