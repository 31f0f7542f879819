"""Every message and every request of a table and of a hub has a budget."""

import ast
import asyncio
from collections.abc import Iterable
from pathlib import Path

from aiohttp import web

import companion
from companion.app.catalog import CATALOG
from companion.club.hub.folder import HubFolder
from companion.club.hub.pages import add_pages
from companion.club.hub.server import Hub
from companion.core import budgets
from companion.core.box_page import CheckActions
from companion.core.budgets import (
    BOX_MESSAGES,
    HUB_PAGE_MESSAGES,
    HUB_REQUESTS,
    MAX_AT_LIMIT,
    MAX_SENDERS,
    TABLE_MESSAGES,
    TABLE_REQUESTS,
    Limit,
    LimitScope,
    PageSpending,
    Requests,
    Spending,
    rates_of,
)
from companion.web.access import AccessCodes, AccessRules, Codes
from companion.web.card import CardPaths
from companion.web.certificates import AuthorityPage
from companion.web.key_pacing import KeyPace
from companion.web.past import PageMaker
from companion.web.phones import Pairing
from companion.web.server import Server

HOME = Path(companion.__file__).parent
CODES = Codes(AccessCodes("a", "b", "c"))
OF_TABLE = (
    "web/server.py",
    "web/viewer.py",
    "web/keying.py",
    "web/club.py",
    "web/phones.py",
)
OF_HUB = ("club/hub/live.py", "club/hub/organiser.py")
OF_BOX = ("club/hub/connections.py",)


def test_every_request_has_a_budget(tmp_path: Path) -> None:
    async def apps() -> tuple[web.Application, web.Application]:
        rules = AccessRules(CODES)
        table = Server(
            rules,
            lambda *_: None,
            KeyPace(0, 0),
            lambda _: False,
            lambda _: None,
            games=CATALOG,
            pairing=lambda away: Pairing(rules, 80, lambda: None, away, lambda _: None),
            maker=PageMaker([]),
            card=CardPaths(tmp_path / "incoming", tmp_path / "socket"),
            check=CheckActions(dict, list),
            authority=lambda reads: AuthorityPage(tmp_path / "authority.crt", 443, reads),
        )
        folder = HubFolder.open(tmp_path / "club", make=True)
        hub = Hub(folder, folder.open_database(), CODES, CATALOG)
        return table.app(), hub.app(lambda app, its: add_pages(app, its, CATALOG, []))

    table, hub = asyncio.run(apps())
    assert routes(table) == {*TABLE_REQUESTS}
    assert routes(hub) == {*HUB_REQUESTS}


def routes(app: web.Application) -> set[tuple[str, str]]:
    found = ((one.method, one.resource) for one in app.router.routes())
    return {(method, one.canonical) for method, one in found if one and method != "HEAD"}


def test_requests_that_send_data_have_a_size_and_a_rate_limit() -> None:
    for requests in (TABLE_REQUESTS, HUB_REQUESTS):
        for (method, _), budget in requests.items():
            assert {one.name for one in rates_of(budget, LimitScope.ADDRESS)} >= {"requests"}
            if method == "POST":
                assert any(one.name.startswith("bytes") for one in budget)
                assert budgets.CHANGE_REQUESTS in budget


def test_every_page_message_has_a_budget() -> None:
    assert keys_of(OF_TABLE, "message", "said", "hello") == {*TABLE_MESSAGES}
    assert keys_of(OF_HUB, "message", "said", "hello") | {"device", "follows", "wants"} == {
        *HUB_PAGE_MESSAGES
    }
    for messages in (TABLE_MESSAGES, HUB_PAGE_MESSAGES):
        for budget in messages.values():
            assert budgets.MESSAGE in budget
            assert budgets.MESSAGES in budget or budgets.NEW_CONNECTIONS in budget


def test_every_message_of_a_box_or_club_has_a_budget() -> None:
    told = keys_of(OF_BOX, "asked", "first") | asked_by_clubs()
    inside = {
        "hub",
        "nonce",
        "seal",
        "after",
        "lost",
        "of",
        "state",
        "parts",
        "countersign",
    }  # parts of a message
    assert told - inside == {*BOX_MESSAGES} - inside
    assert all(budgets.HUB_MESSAGE in budget for budget in BOX_MESSAGES.values())


def asked_by_clubs() -> set[str]:
    from companion.club.hub.connections import CLUB_QUESTIONS

    return {*CLUB_QUESTIONS}


def keys_of(modules: Iterable[str], *names: str) -> set[str]:
    """The keys that these modules read from a message."""
    found: set[str] = set()
    for module in modules:
        tree = ast.parse((HOME / module).read_text("utf-8"))
        for node in ast.walk(tree):
            found |= {*_keys_in(node, names)}
    return found - PARTS


PARTS = frozenset(
    {
        *("surface", "run", "number", "game", "tip", "deed", "at", "text", "again", "agreed"),
        *("agrees", "later_turns", "row", "id", "begun"),
    }
)
"""Keys of objects inside a message, for which the modules use the same variable names."""


def _keys_in(node: ast.AST, names: tuple[str, ...]) -> Iterable[str]:
    match node:
        case ast.Compare(ast.Constant(str(key)), [ast.In()], [ast.Name(name)]) if name in names:
            yield key
        case ast.Subscript(ast.Name(name), ast.Constant(str(key))) if name in names:
            yield key
        case ast.Call(ast.Attribute(ast.Name(name), "get"), [ast.Constant(str(key)), *_]):
            if name in names:
                yield key
        case ast.Match(ast.Name(name), cases) if name in names:
            for one in cases:
                for inner in ast.walk(one.pattern):
                    if isinstance(inner, ast.MatchMapping):
                        keys = [each for each in inner.keys if isinstance(each, ast.Constant)]
                        yield from (str(each.value) for each in keys)


def test_limits_have_different_names() -> None:
    limits = [one for one in vars(budgets).values() if isinstance(one, Limit)]
    assert len({one.name for one in limits}) == len(limits) > 30
    assert all(one.most > 0 and (one.per_s is None or one.per_s > 0) for one in limits)
    used = {one.name for table in _tables() for budget in table for one in budget}
    assert {one.name for one in limits} == used, "each belongs to a message or a request"


def _tables() -> list[list[budgets.Budget]]:
    messages = (TABLE_MESSAGES, HUB_PAGE_MESSAGES, BOX_MESSAGES)
    requests: tuple[Requests, ...] = (TABLE_REQUESTS, HUB_REQUESTS)
    return [[*one.values()] for one in messages] + [[*one.values()] for one in requests]


# ---------------------------------------------------------------- spending


LIMIT = Limit("some", LimitScope.ADDRESS, 3, 0.5, "{who} is too fast")


def test_a_limit_is_counted_for_each_sender() -> None:
    now = [0.0]
    spending = Spending(lambda: now[0], lambda: 1000.0 + now[0])
    assert [spending.spend(LIMIT, "a") for _ in range(5)] == [True] * 3 + [False] * 2
    assert spending.spend(LIMIT, "b")
    now[0] = 2.0
    assert [spending.spend(LIMIT, "a") for _ in range(2)] == [True, False]
    (found,) = spending.at_limit(str, 600.0)
    assert (found["who"], found["times"], found["at"]) == ("a", 3, 1002.0)
    assert str(found["said"]) == "a is too fast"
    now[0] = 700.0
    assert spending.at_limit(str, 600.0) == []


def test_senders_over_the_limit_wait_and_lose_nothing() -> None:
    spending = Spending(lambda: 0.0)
    assert [spending.wait_s(LIMIT, "a") for _ in range(5)] == [0.0, 0.0, 0.0, 2.0, 4.0]


def test_the_number_of_remembered_clients_is_bounded() -> None:
    spending = Spending(lambda: 0.0, lambda: 0.0)
    for number in range(MAX_SENDERS + 10):
        for _ in range(4):
            spending.spend(LIMIT, str(number))
    assert len(spending._spent) == MAX_SENDERS
    assert len(spending._at_limit) == MAX_AT_LIMIT


def test_each_kind_of_page_message_has_a_budget_of_its_own() -> None:
    now = [0.0]
    page = PageSpending(TABLE_MESSAGES, lambda: now[0])
    wishes = [page.spend({"n": 1, "newCodes": True}) for _ in range(budgets.PAGE_SETTINGS.most + 1)]
    assert wishes == [True] * budgets.PAGE_SETTINGS.most + [False]
    assert page.spend({"n": 1, "role": {}})
    assert not all(page.spend({"n": 1}) for _ in range(budgets.MESSAGES.most))
