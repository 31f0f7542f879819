"""Strangers and members who send too much: they reach their limits, the organiser sees it, and all
others are still served."""

import asyncio
import contextlib
import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession

from companion.club.box.hub_connection import ClubError, HubConnection, join
from companion.club.box.keys import KeyPair, identity_mark
from companion.club.box.membership import Membership
from companion.club.box.protocol import (
    CLUB,
    NONCE_BYTES,
    PROTOCOL,
    JoiningSide,
    PushedRow,
    read_pushed,
)
from companion.club.hub.connections import CLUB_QUESTIONS as ASKED_BY_CLUBS
from companion.club.hub.database import Database
from companion.club.hub.members import JoinRequests, Members
from companion.club.hub.store import Acknowledged, RefusedBatch
from companion.commands.cli import main
from companion.core.budgets import (
    ALL_TABLES,
    BOX_CONNECTIONS,
    CHAINS,
    FORKS,
    JOIN_REQUESTS,
    TABLES,
    WAITING,
    WAITING_OF_ADDRESS,
    Spending,
)
from companion.core.errors import EntryError
from companion.core.values import Json
from companion.record.store.database import START, ChainLink
from companion.web.viewer import MALFORMED
from tests.club.hub.club_site import ClubSite
from tests.club.hub.live_page import Page, look
from tests.club.hub.live_page import site as site  # noqa: PLC0414  # a fixture
from tests.club.hub.pushing import Pusher, club, grown, settings

BAD: tuple[object, ...] = (
    -1,
    2**31,
    2**53,
    2**62,
    2**63,
    2**64,
    2**70,
    10**400,
    True,
    1.0,
    None,
    "1",
    [],
)
HASH, NONCE = "0" * 64, bytes(NONCE_BYTES)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    found = Database.from_address(tmp_path / "hub.db")
    found.migrate()
    yield found
    found.close()


def club_member(site: ClubSite, name: str) -> Membership:
    """A member of the hub, as of a federation, that is a club."""
    keys = KeyPair.generate()
    hub, digits = asyncio.run(join(site.hub.address, keys, name, kind=CLUB))
    assert main(["hub", "accept", digits, "--club", "--data", str(site.hub.data)]) == 0
    return Membership(keys, hub.key, hub.name, site.hub.address, name, ((0, None),))


def member(site: ClubSite, name: str) -> Membership:
    site.join(name)
    found = Membership.load(site.record(name))
    assert found is not None
    return found


# ---------------------------------------------------------------- numbers


def with_each_number_bad(message: Json) -> Iterator[Json]:
    """The message with each of its whole numbers replaced by each invalid number."""
    text = json.dumps(message)
    for at in range(text.count("1")):
        before, after = "1".join(text.split("1")[: at + 1]), "1".join(text.split("1")[at + 1 :])
        for bad in BAD:
            yield json.loads(f"{before}{json.dumps(bad)}{after}")


CLUB_QUESTIONS: tuple[Json, ...] = (
    {"rows-of": ["a", 1], "after": 1},
    {"chain": ["a", 1, 1, 1, "live"], "after": [1, HASH], "rows": []},
    {"where": [[1, HASH]]},
    {"give": [1, HASH]},
    {"open": [[1, None, None, None, None, HASH, HASH]]},
    {"opens": "a", "rows": [[1, 1, "{}", None, None, HASH, HASH]]},
    {"rows": [[1, 1, "{}", None, None, HASH, HASH]], "after": [1, HASH], "seal": "0" * 128},
)


def test_a_hub_handles_numbers_of_any_size(site: ClubSite) -> None:
    box_chains, of_club = member(site, "Numbers"), club_member(site, "Club of numbers")

    async def ask(message: Json) -> str:
        mine = of_club if {*message} & {*ASKED_BY_CLUBS} else box_chains
        try:
            async with HubConnection.open(mine) as line:
                await line.request(message, "have", "want", "rows", "at", "opened", "chains")
        except ClubError as error:
            return error.code
        return "answered"

    async def all_of_them() -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for message in CLUB_QUESTIONS:
            for bad in with_each_number_bad(message):
                found.setdefault(next(iter(message)), set()).add(await ask(bad))
        return found

    for kind, codes in asyncio.run(all_of_them()).items():
        assert codes <= {"malformed", "answered"}, kind


@pytest.mark.parametrize("number", [10**8, 2**62 - 2])
def test_numbers_whose_sums_would_overflow_are_refused(number: int) -> None:
    """The hub adds up the newest rows of all chains for its metrics, in 64 bits."""
    for content in ((number, 1, "{}", None, None), (1, number, "{}", None, None)):
        row = PushedRow.from_link(ChainLink.make(START, content), whole=True)
        with pytest.raises(EntryError):
            read_pushed(row.json)


@pytest.mark.parametrize(
    "message",
    [
        {"choose": ["a" * 16, 2**70]},
        {"choose": ["a" * 16, True]},
        {"choose": ["a" * 16, 0]},
        {"n": 2**70},
    ],
    ids=str,
)
def test_the_organisers_page_handles_numbers_of_any_size(site: ClubSite, message: Json) -> None:
    async def organising(page: Page) -> None:
        await page.say(**message)
        await page.until(lambda _: False)

    assert look(site, "/live/organiser", site.word("keep"), organising).closed == MALFORMED


def test_an_event_handles_numbers_of_any_size(site: ClubSite) -> None:
    async def asked() -> list[int]:
        words = {"Authorization": f"Bearer {site.word('keep')}"}
        found = []
        async with ClientSession(site.url, headers=words) as client:
            began = {"name": "Fives", "format": "swiss"}
            async with client.post("/api/events", json=began) as answer:
                number = (await answer.json())["number"]
            for after in (2**70, 10**400, -1, True, 1.0):
                for path, more in (("", {"draw": True}), ("/people", {"text": "", "kind": "came"})):
                    body = {"after": after, **more}
                    async with client.post(f"/api/events/{number}{path}", json=body) as answer:
                        found.append(answer.status)
        return found

    assert {*asyncio.run(asked())} == {422}


# ---------------------------------------------------------------- who asks to join


def joinings(database: Database, spending: Spending) -> JoinRequests:
    store, seconds = club(database), count(1_790_000_000)
    return JoinRequests(Members(database, store.club, lambda: next(seconds) / 1000), spending)


def test_strangers_requests_to_join_do_not_block_a_box(database: Database) -> None:
    spending = Spending()
    asks = joinings(database, spending)
    asks.store(b"k" * 32, "Kitchen", "000001", "192.0.2.7")
    for number in range(3 * WAITING_OF_ADDRESS.most):
        key = number.to_bytes(32, "big")
        asks.store(key, "Kitchen", f"{number:06}", "198.51.100.1")
    waiting = asks.members.open_requests()
    assert len(waiting) == WAITING_OF_ADDRESS.most + 1
    assert waiting[0].digits == "000001" and waiting[-1].digits == "000089"
    for number in range(WAITING.most):
        key = (1000 + number).to_bytes(32, "big")
        asks.store(key, "x", f"{number:06}", f"203.0.113.{number % 5}")
    waiting = asks.members.open_requests()
    assert len(waiting) == WAITING.most
    assert waiting[0].name == "Kitchen" and waiting[0].digits == "000001", "it still waits"
    assert {one["who"] for one in spending.at_limit(str, 600.0)} >= {"198.51.100.1"}


def test_a_box_that_asks_again_takes_no_second_slot(database: Database) -> None:
    asks = joinings(database, Spending())
    for number in range(100):
        asks.store(b"k" * 32, "Kitchen", f"{number:06}", "192.0.2.7")
    assert [one.digits for one in asks.members.open_requests()] == ["000099"]


def test_each_address_has_a_limit_for_joining(database: Database) -> None:
    asks = joinings(database, Spending(lambda: 0.0))
    assert sum(asks.may_request_joining("192.0.2.7") for _ in range(100)) == JOIN_REQUESTS.most
    assert asks.may_request_joining("192.0.2.8")
    assert all(asks.may_request_joining("127.0.0.1") for _ in range(100)), "a proxy's, perhaps"


def test_a_box_joins_while_a_hundred_others_apply(site: ClubSite) -> None:
    async def hundred() -> None:
        for _ in range(WAITING_OF_ADDRESS.most + 20):
            await join(site.hub.address, KeyPair.generate(), "Kitchen")

    asyncio.run(hundred())
    site.join("Real")


async def ask_through_proxy(session: ClientSession, site: ClubSite, whom: str, name: str) -> bool:
    """Requests to join through a proxy on the hub's machine; False: refused."""
    url, mine = f"{site.url}/club", JoiningSide(KeyPair.generate().public, NONCE, name)
    async with session.ws_connect(url, headers={"X-Forwarded-For": whom}) as line:
        await line.receive_json()
        await line.send_json({"join": mine.commitment.hex()})
        if "refused" in await line.receive_json():
            return False
        await line.send_json({"hub": PROTOCOL, **mine.json})
        return "refused" not in await line.receive_json()


def test_strangers_behind_a_proxy_are_limited_by_their_own_addresses(site: ClubSite) -> None:
    async def go() -> list[bool]:
        async with ClientSession() as session:
            found = [await ask_through_proxy(session, site, "192.0.2.7", "Real")]
            for number in range(WAITING_OF_ADDRESS.most + 20):
                whom = f"203.0.113.{number}, 198.51.100.1"
                found.append(await ask_through_proxy(session, site, whom, "Stranger"))
            return [*found, await ask_through_proxy(session, site, "192.0.2.7", "Real, too")]

    found = asyncio.run(go())
    assert found[0] and found[-1]
    assert JOIN_REQUESTS.most <= sum(found) - 2 < JOIN_REQUESTS.most + 10


# ---------------------------------------------------------------- members


def test_a_box_has_a_limit_of_forks_without_affecting_other_boxes(database: Database) -> None:
    store = club(database)
    bad, good = Pusher.joined(store, "Bad"), Pusher.joined(store, "Good")
    first = grown([], settings(1))
    assert isinstance(bad.push(first), Acknowledged)
    answers = [bad.push(grown(first, settings(1, str(number)))[1:]) for number in range(150)]
    assert sum(isinstance(one, Acknowledged) for one in answers) == FORKS.most
    refused = [one for one in answers if isinstance(one, RefusedBatch)]
    assert {one.code for one in refused} == {"busy"}
    assert isinstance(good.push(first), Acknowledged)
    # Once the organiser has chosen, it goes on; but not for ever.
    for number in range(CHAINS.most):
        store.choose_chain(store.club, bad.box, 1)
        answer = bad.push(grown(first, settings(2, f"again {number}"))[1:])
    assert isinstance(answer, RefusedBatch)


def test_a_club_that_adds_too_many_tables_has_to_wait(site: ClubSite) -> None:
    mine, boxes = club_member(site, "Attack Club"), TABLES.most + 300

    async def bring() -> tuple[int, str]:
        async with HubConnection.open(mine) as line:
            for number in range(boxes):
                hello = {"box": KeyPair.generate().public.hex(), "name": "Kitchen"}
                try:
                    await line.request({**hello, "of": "Attack Club", "state": "member"}, "chains")
                except ClubError as error:
                    return number, error.code
        return boxes, ""

    many, code = asyncio.run(bring())
    assert TABLES.most <= many < TABLES.most + 10 < ALL_TABLES.most
    assert code in ("away", "malformed")

    async def organising(page: Page) -> None:
        found = await page.until(lambda one: bool(one.get("organiser", {}).get("limits")))
        (at_limit,) = [one for one in found["organiser"]["limits"] if one["limit"] == "tables"]
        name = f"Attack Club ({identity_mark(mine.keys.identity)})"
        assert at_limit["said"] == f"{name} opens too many tables"
        assert at_limit["box"] == mine.keys.identity

    assert look(site, "/live/organiser", site.word("keep"), organising).hello

    async def asked() -> list[tuple[int, Any]]:
        found = []
        async with ClientSession(site.url) as client:
            for kind in ("keep", "play", "watch"):
                words = {"Authorization": f"Bearer {site.word(kind)}", "Accept-Language": "de"}
                async with client.get("/api/limits", headers=words) as answer:
                    found.append((answer.status, await answer.json()))
            async with client.get("/api/limits") as answer:
                found.append((answer.status, None))
        return found

    (status, told), *others = asyncio.run(asked())
    assert status == 200 and [one for one, _ in others] == [403, 403, 401]
    assert "öffnet zu viele Tische" in str(told["limits"])


def test_a_box_has_a_limit_of_connections_and_the_newest_stay(site: ClubSite) -> None:
    mine = member(site, "Many lines")

    async def go() -> list[bool]:
        opened = [HubConnection.open(mine) for _ in range(BOX_CONNECTIONS.most + 2)]
        lines = [await one.__aenter__() for one in opened]
        works = []
        for line in lines:
            try:
                await line.request({"name": "Many lines"}, "hello")
                works.append(True)
            except (ClubError, OSError):
                works.append(False)
        for one in opened:
            with contextlib.suppress(ClubError, OSError):
                await one.__aexit__(None, None, None)
        return works

    assert asyncio.run(go()) == [False] * 2 + [True] * BOX_CONNECTIONS.most


def test_two_boxes_with_the_same_name_have_different_marks(site: ClubSite) -> None:
    one = member(site, "Twin")
    site.record("Twin").with_suffix(".club").rename(site.record("Twin").with_suffix(".other"))
    other = member(site, "Twin")
    marks = {identity_mark(one.keys.identity), identity_mark(other.keys.identity)}

    async def organising(page: Page) -> None:
        found = await page.until(lambda one: "organiser" in one)
        remarks = str(found["organiser"]["members"])
        assert all(mark in remarks for mark in marks)
        await page.say(throwOut=other.keys.identity)
        answer = await page.until(lambda one: "answer" in one)
        said = f"Twin ({identity_mark(other.keys.identity)}) was thrown out"
        assert answer["answer"]["said"] == said

    assert look(site, "/live/organiser", site.word("keep"), organising).hello
