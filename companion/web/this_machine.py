"""The routes that only this machine itself may use: its browsers, by their cookie, and its
programs, by its secret (LocalAccess). Everybody else is told that there is no such page.

    GET /open/TICKET   a link that lets one browser in: it gets its cookie, and goes on to the table
                       (or to the TV's page: /open/TICKET/tv)
    POST /open         a new link for another browser: {"path": "/open/TICKET"}
    GET /token         the word to play: {"token": …}
    GET /way-in        the code by which phones come in, for the box's own screen:
                       {"address": "http://192.168.1.7/", "code": "<svg …>"}; both are empty if no
                       phone can come in
"""

import ipaddress
from collections.abc import Callable
from contextlib import suppress

from aiohttp import web

from companion.web.access import OPEN_PATH, AccessRules, comes_from_here
from companion.web.address import network_address, place
from companion.web.qr import svg_of


class ThisMachine:
    """The routes. `port`: the one on which the page listens; `end_evening` replaces the evening's
    word if the evening is over."""

    def __init__(
        self, access_rules: AccessRules, port: int, end_evening: Callable[[], None]
    ) -> None:
        self._access_rules, self._port, self._end_evening = access_rules, port, end_evening

    def add_to(self, app: web.Application) -> None:
        """Adds the routes to `app`."""
        link = OPEN_PATH + "/{ticket:[a-z2-7]{16}}{page:(?:/tv)?}"
        app.router.add_get(link, self._open, allow_head=False)  # looking ahead uses up no ticket
        app.router.add_post(OPEN_PATH, self._make_link)
        app.router.add_get("/token", self._send_token)
        app.router.add_get("/way-in", self._send_way_in)

    async def _open(self, request: web.Request) -> web.Response:
        """Lets a browser in by a ticket. One whose ticket no longer holds goes on to the page, too:
        a browser that is in already stays in, and any other is asked for a code there."""
        if not comes_from_here(request.remote, request.headers):
            raise web.HTTPNotFound
        response = web.Response(status=303, headers={"Location": request.match_info["page"] or "/"})
        if self._access_rules.local.take(request.match_info["ticket"]):
            self._access_rules.local.welcome(response)
        return response

    async def _make_link(self, request: web.Request) -> web.Response:
        self._refuse_others(request)
        return web.json_response({"path": self._access_rules.local.link("")})

    async def _send_token(self, request: web.Request) -> web.Response:
        self._refuse_others(request)
        self._end_evening()
        response = web.json_response({"token": self._access_rules.codes.words.play})
        self._access_rules.local.welcome(response)
        return response

    async def _send_way_in(self, request: web.Request) -> web.Response:
        self._refuse_others(request)
        if self._access_rules.open_to_all:
            with suppress(ValueError):  # a name: there is no network
                address = network_address()
                if not ipaddress.ip_address(address).is_loopback:
                    where = place(address, self._port)
                    code = svg_of(where, self._access_rules.codes.words.play)
                    return web.json_response({"address": f"{where}/", "code": code})
        return web.json_response({"address": "", "code": ""})

    def _refuse_others(self, request: web.Request) -> None:
        if not self._access_rules.local.includes(request):
            raise web.HTTPNotFound
        if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
            raise web.HTTPForbidden
