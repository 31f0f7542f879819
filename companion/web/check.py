"""The page of a check, `/check`: what is plugged into the box, part by part, also as a picture to
send. A separate process does the check (app/box_check.py). Only pages that may play may ask."""

import asyncio
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from aiohttp import web

from companion.core.box_check import CheckError, CheckHere
from companion.core.values import Json
from companion.presentation.language import Language
from companion.web.access import AccessRules
from companion.web.files import STATIC, page_text
from companion.web.words import words_in


class CheckPage:
    """The page's routes. All methods belong to the server's event loop."""

    def __init__(
        self, rules: AccessRules, here: CheckHere, reads: Callable[[web.Request], Language]
    ) -> None:
        """`reads`: gives the language in which a request's page is read."""
        self._rules, self._here, self._reads = rules, here, reads
        self._one = asyncio.Lock()
        self._found: Json = {}
        self._picture = "", b""
        """The name of the newest picture, which nobody guesses, and the picture."""

    def add_to(self, app: web.Application) -> None:
        """Gives the page and its requests their routes."""
        app.router.add_get("/check", self._send)
        app.router.add_post("/check", self._check)
        app.router.add_post("/check/picture", self._draw)
        app.router.add_get("/check/{name:[0-9a-f]{16}}.png", self._send_picture)
        app.router.add_post("/check/keypads", self._renew)

    async def _send(self, request: web.Request) -> web.Response:
        text = page_text(STATIC / "check" / "check.html", words_in(self._reads(request)))
        return web.Response(text=text, content_type="text/html")

    def _refuse_strangers(self, request: web.Request) -> None:
        if not self._rules.lets_act(request.headers, request.host):
            raise web.HTTPForbidden

    async def _check(self, request: web.Request) -> web.Response:
        """Runs a check, one at a time: further requests wait for their turn."""
        self._refuse_strangers(request)
        async with self._one:
            try:
                self._found = await asyncio.to_thread(self._here.check)
            except CheckError:
                self._found = {"parts": {}}
        return web.json_response(self._reads(request).translated(self._found))

    async def _draw(self, request: web.Request) -> web.Response:
        """Draws the last check as a picture, and answers with the picture's address."""
        self._refuse_strangers(request)
        language = self._reads(request)
        parts: Mapping[str, Any] = language.translated(self._found).get("parts", {})
        if not parts:
            raise web.HTTPNotFound
        from companion.web.check_picture import draw_check

        drawn = await asyncio.to_thread(draw_check, parts, words_in(language))
        self._picture = secrets.token_hex(8), drawn
        return web.json_response({"at": f"/check/{self._picture[0]}.png"})

    async def _send_picture(self, request: web.Request) -> web.Response:
        """Sends the picture to anybody who knows its name: a page shows it, so that people can hold
        it down and send it on."""
        name, drawn = self._picture
        if not name or request.match_info["name"] != name:
            raise web.HTTPNotFound
        return web.Response(body=drawn, content_type="image/png")

    async def _renew(self, request: web.Request) -> web.Response:
        self._refuse_strangers(request)
        self._here.renew_keypads()
        return web.json_response({"begun": True})
