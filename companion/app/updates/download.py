"""Downloads an update from its address. The configuration and the command line may name any
address; an address typed on a phone must not lead to this machine itself."""

import http.client
import ipaddress
import os
import socket
import urllib.request
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from companion.app.updates.file import UpdateError
from companion.core.regular_file import room_in
from companion.core.typed_address import check_peer

LARGEST = 2 << 30
"""The most bytes of an update that are loaded from an address."""


def fetch(address: str, into: Path, *, by_phone: bool = False) -> Path:
    """Downloads an update from an address; returns the path of its file, which the next download
    replaces. `by_phone`: whether the address was typed on a phone, so that it may not lead to this
    machine. Raises UpdateError or OSError."""
    if not address.startswith(("http://", "https://")):
        raise UpdateError("{address} is not an address: write one as https://…", address=address)
    into.mkdir(parents=True, exist_ok=True)
    path = into / "loaded.update"
    path.unlink(missing_ok=True)
    room = room_in(into)
    try:
        with opener(by_phone=by_phone).open(address, timeout=60) as answer, path.open("wb") as file:
            size = 0
            while data := answer.read(1 << 20):
                size += len(data)
                if size > LARGEST:
                    raise UpdateError("The file at that address is too large for an update")
                if size > room:
                    raise UpdateError("The card has no room for the update beside the record")
                file.write(data)
            os.fsync(file.fileno())
    except (OSError, ValueError, HTTPException) as error:
        path.unlink(missing_ok=True)
        if isinstance(error, UpdateError):
            raise
        raise UpdateError("{address} can't be loaded: {why}", address=address, why=error) from error
    return path


def opener(*, by_phone: bool) -> urllib.request.OpenerDirector:
    """Returns the opener for URLs. If an address comes from a phone, the opener supports only HTTP
    and HTTPS without proxies, and checks each connection before anything is sent over it."""
    if not by_phone:
        return urllib.request.build_opener()
    found = urllib.request.OpenerDirector()
    for handler in (
        _Http(),
        _Https(),
        _Redirects(),
        urllib.request.HTTPErrorProcessor(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.UnknownHandler(),
    ):
        found.add_handler(handler)
    return found


def _connect(*place: Any, **more: Any) -> socket.socket:
    connection = socket.create_connection(*place, **more)
    try:
        check_peer(connection)
    except OSError:
        connection.close()
        raise
    return connection


class _HttpConnection(http.client.HTTPConnection):
    def __init__(self, *words: Any, **more: Any) -> None:
        super().__init__(*words, **more)
        self._create_connection = _connect


class _HttpsConnection(http.client.HTTPSConnection):
    def __init__(self, *words: Any, **more: Any) -> None:
        super().__init__(*words, **more)
        self._create_connection = _connect


class _Http(urllib.request.HTTPHandler):
    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_HttpConnection, req)


class _Https(urllib.request.HTTPSHandler):
    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_HttpsConnection, req)


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects to public hosts, which the hosts of releases use, but never into the home
    network."""

    def redirect_request(  # noqa: PLR0917  # the library's
        self, req: Any, fp: Any, code: Any, msg: Any, headers: Any, newurl: str
    ) -> Any:
        host = urlsplit(newurl).hostname or ""
        if host != urlsplit(req.full_url).hostname:
            for *_, place in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM):
                if not ipaddress.ip_address(str(place[0]).partition("%")[0]).is_global:
                    raise ConnectionRefusedError("that address leads into the network at home")
        return super().redirect_request(req, fp, code, msg, headers, newurl)
