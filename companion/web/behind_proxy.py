"""Pages behind a reverse proxy: the path that all their addresses begin with, and the address at
which a visitor has reached them.

A proxy may give a table or a hub a path of its own, such as https://club.example/table. The path
comes from the header X-Forwarded-Prefix, or from the configuration; in the second case requests are
accepted with and without it. While an answer is made, a context (`below` in core/html.py) puts the
path in front of all addresses; scripts read it from the page's `data-root` (static/elements.js).
"""

from collections.abc import Callable, Container
from typing import Any
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.http import RawRequestMessage
from yarl import URL

from companion.web.access import is_loopback
from companion.web.address import url_for_others
from companion.web.own_names import PREFIX


def _proxy_header(request: web.BaseRequest, header: str) -> str:
    """The value of this header from a proxy on this machine; other peers aren't trusted to set
    it."""
    if not is_loopback(request.remote or ""):
        return ""
    return request.headers.get(header, "").rpartition(",")[2].strip()


def prefix_of(request: web.BaseRequest, configured: str = "") -> str:
    """The path that all addresses of this request's visitor begin with; empty if none."""
    said = _proxy_header(request, "X-Forwarded-Prefix").rstrip("/")
    return said if PREFIX.fullmatch(said) else configured


def requested_url(request: web.BaseRequest, configured: str = "") -> str:
    """The address at which a visitor has reached the first page, without the slash at its end."""
    said = _proxy_header(request, "X-Forwarded-Proto")
    scheme = said if said in ("http", "https") else request.scheme
    return f"{scheme}://{request.host}{prefix_of(request, configured)}"


def address_for_others(requested: str, port: int, names: Container[str]) -> str:
    """The address at which other devices reach a page that somebody has opened at the address
    `requested`. This is `requested` itself if its host is one of the configuration's `names`, as
    when it goes through a proxy; otherwise see url_for_others."""
    parts = urlsplit(requested)
    return requested if parts.hostname in names else url_for_others(parts.netloc, port)


def without_prefix(
    make: Callable[..., web.BaseRequest], prefix: str
) -> Callable[..., web.BaseRequest]:
    """Wraps the request factory `make` so that the prefix is removed from the path of requests."""

    def make_request(message: RawRequestMessage, *more: Any) -> web.BaseRequest:
        path = message.path
        if path.startswith(prefix) and path[len(prefix) : len(prefix) + 1] in ("", "/", "?"):
            path = path[len(prefix) :]
            path = path if path.startswith("/") else f"/{path}"
            message = message._replace(path=path, url=URL(path, encoded=True))
        return make(message, *more)

    return make_request if prefix else make
