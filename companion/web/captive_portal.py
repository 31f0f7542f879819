"""The sign-in sheet that phones open in the Wi-Fi of a flashed card (a captive portal).

In that Wi-Fi every name resolves to the box (card/wireless.py), so it gets the requests with which
phones check for internet access. They are redirected to `/wifi`, which a phone then shows as a
sheet. A phone on which somebody taps “Stay in this Wi-Fi” (`/wifi/stay`) gets from then on the
answers that it expects from the internet; otherwise it would leave the Wi-Fi, or not use it, and
its browser would not find the table. A sheet loses everything that pages store, so the table itself
is opened in the phone's browser, through `/go`, which knows the play code: anybody in this Wi-Fi
has read its password at the table. In a Wi-Fi without a password `/go` leads to the page that
prompts for the digits.

Sources: Android's NetworkMonitor; Apple's “Use captive Wi-Fi networks on your iPhone or iPad”;
Microsoft's “NCSI overview”; Firefox's captivedetect.canonicalURL; NetworkManager.conf(5).
"""

import ipaddress
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from aiohttp import web

from companion.core.clock import BREAK_S, Clock
from companion.core.typed_address import OWN_WIFI, OWN_WIFI_FILE
from companion.presentation.language import Language
from companion.web.access import Codes
from companion.web.address import read_own_wifi
from companion.web.connection_limits import address_of_request
from companion.web.files import STATIC, page_text, words_in

APPLE: Final = "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"
FIREFOX: Final = (
    '<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>'
)
EXPECTED_ANSWERS: Final = {
    "/generate_204": "",
    "/gen_204": "",
    "/hotspot-detect.html": APPLE,
    "/library/test/success.html": APPLE,
    "/connecttest.txt": "Microsoft Connect Test",
    "/ncsi.txt": "Microsoft NCSI",
    "/canonical.html": FIREFOX,
    "/success.txt": "success\n",
    "/check_network_status.txt": "NetworkManager is online\n",
}
"""The text that each system expects as proof of internet access, by the path of its request; an
empty text is sent with status 204."""
MOST_STAYING: Final = 250
"""The most phones that are remembered as staying: as many as the Wi-Fi has addresses."""


class CaptivePortal:
    """Serves the sign-in sheet, and answers requests for host names that aren't the table's. All
    methods belong to the server's event loop. `folder`: the folder with the file that describes the
    Wi-Fi while it is open."""

    def __init__(
        self,
        codes: Codes,
        folder: Path,
        request_language: Callable[[web.Request], Language],
        *,
        clock: Clock = time.monotonic,
    ) -> None:
        """`request_language`: returns the language of the page for a request."""
        self._codes, self._wifi_file, self._request_language = (
            codes,
            folder / OWN_WIFI_FILE,
            request_language,
        )
        self._clock = clock
        self._staying: dict[str, float] = {}
        """The time until which each phone stays, in seconds of the clock, by the phone's
        address."""

    def add_to(self, app: web.Application) -> None:
        """Adds the routes of the sheet."""
        app.router.add_get("/wifi", self._send_sheet)
        app.router.add_get("/wifi/stay", self._note_stay)
        app.router.add_get("/go", self._open_table)

    def answer(self, request: web.Request) -> web.Response | None:
        """The answer to a request for a name that isn't the table's; None if it didn't come through
        the box's own Wi-Fi."""
        if self._password(request) is None or request.method not in ("GET", "HEAD"):
            return None
        hoped_for = EXPECTED_ANSWERS.get(request.path)
        if hoped_for is None or not self._has_stayed(request):
            return _redirect(f"http://{_local_address(request)}/wifi")
        if not hoped_for:
            return web.Response(status=204)
        kind = "text/html" if hoped_for.startswith("<") else "text/plain"
        return web.Response(text=hoped_for, content_type=kind)

    def _password(self, request: web.Request) -> str | None:
        """The password of the Wi-Fi through which the request has come; None if that isn't the
        box's own."""
        if _local_address(request) != OWN_WIFI:
            return None
        network = ipaddress.ip_network(f"{OWN_WIFI}/24", strict=False)
        with suppress(ValueError):
            if ipaddress.ip_address(address_of_request(request)) in network:
                wifi = read_own_wifi(self._wifi_file)
                return wifi.password if wifi else None
        return None

    def _has_stayed(self, request: web.Request) -> bool:
        return self._staying.get(address_of_request(request), 0.0) > self._clock()

    async def _send_sheet(self, request: web.Request) -> web.Response:
        self._refuse_others(request)
        name = "stay.html" if self._has_stayed(request) else "sheet.html"
        words, values = words_in(self._request_language(request)), {"value.address": OWN_WIFI}
        text = page_text(STATIC / "wifi" / name, words, values=values)
        return web.Response(text=text, content_type="text/html")

    async def _note_stay(self, request: web.Request) -> web.Response:
        self._refuse_others(request)
        now = self._clock()
        self._staying = {who: until for who, until in self._staying.items() if until > now}
        if len(self._staying) < MOST_STAYING:
            self._staying[address_of_request(request)] = now + BREAK_S
        return _redirect("/wifi")

    async def _open_table(self, request: web.Request) -> web.Response:
        """Redirects a phone to the table with the play code behind a `#`, which browsers don't send
        to servers."""
        if not self._password(request):
            return _redirect("/")
        return _redirect(f"/#{self._codes.current.play}")

    def _refuse_others(self, request: web.Request) -> None:
        if self._password(request) is None:
            raise web.HTTPNotFound


def _local_address(request: web.Request) -> str:
    """The address of this machine at which a request arrived."""
    transport = request.transport
    where = transport.get_extra_info("sockname") if transport else None
    return str(where[0]).removeprefix("::ffff:") if where else ""


def _redirect(to: str) -> web.Response:
    return web.Response(status=302, headers={"Location": to})
