"""Simulated visits to a page's server: aiohttp requests in place of a phone's browser."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import aiohttp

from companion.web.access import LocalAccess
from tests.waiting import WAIT_S

LOCAL = LocalAccess("5ec4e7" * 10 + "0000")
"""How test tables let in their own machine."""
COOKIE = {"Cookie": f"{LOCAL.cookie_name}={LOCAL.cookie}"}
"""The header of a browser on the table's own machine that was let in."""

Visit = Callable[[aiohttp.ClientSession], Awaitable[None]]


LONGEST_S = 6 * WAIT_S
"""How long a visit may take: it waits for several things, each up to WAIT_S."""


def visit_at(url: str, visit: Visit) -> None:
    """Runs a visitor on the table's own machine to its end; raises TimeoutError after LONGEST_S
    seconds. Connections that it leaves open end with it: otherwise they would complain when they
    are collected, in some later test."""
    opened: list[aiohttp.ClientWebSocketResponse] = []

    class Noted(aiohttp.ClientWebSocketResponse):
        def __init__(self, *parts: Any, **more: Any) -> None:
            super().__init__(*parts, **more)
            opened.append(self)

    async def run() -> None:
        async with aiohttp.ClientSession(url, headers=COOKIE, ws_response_class=Noted) as session:
            try:
                await asyncio.wait_for(visit(session), LONGEST_S)
            finally:
                for one in opened:
                    one._response.close()

    # In a thread of its own: a browser that is open has its loop in this one.
    with ThreadPoolExecutor(1) as alone:
        alone.submit(asyncio.run, run()).result()
