"""The code by which phones come in, for the box's own screen: `/way-in`, which only this
machine may ask.

    {"address": "http://192.168.1.7/", "code": "<svg …>"}

Both are empty if no phone can come in.
"""

import ipaddress
from contextlib import suppress

from aiohttp import web

from companion.web.access import AccessRules
from companion.web.address import network_address, place
from companion.web.qr import svg_of


class WayInOnScreen:
    """The route /way-in. `port`: the one on which the page listens."""

    def __init__(self, access_rules: AccessRules, port: int) -> None:
        self._access_rules, self._port = access_rules, port

    def add_to(self, app: web.Application) -> None:
        """Adds the route to `app`."""
        app.router.add_get("/way-in", self._send)

    async def _send(self, request: web.Request) -> web.Response:
        if not self._access_rules.tells_token(request.remote, request.host):
            raise web.HTTPNotFound
        if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
            raise web.HTTPForbidden
        if self._access_rules.open_to_all:
            with suppress(ValueError):  # a name: there is no network
                address = network_address()
                if not ipaddress.ip_address(address).is_loopback:
                    where = place(address, self._port)
                    code = svg_of(where, self._access_rules.codes.words.play)
                    return web.json_response({"address": f"{where}/", "code": code})
        return web.json_response({"address": "", "code": ""})
