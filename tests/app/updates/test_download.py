"""An update's address that was typed on a phone leads nowhere on the box itself."""

from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from companion.app.updates import download
from companion.app.updates.download import fetch
from companion.app.updates.file import UpdateError


class Leads(BaseHTTPRequestHandler):
    """A server that records its requests and redirects them to `to`."""

    def __init__(self, asked: list[str], to: str, *more: object) -> None:
        self.asked, self.to = asked, to
        super().__init__(*more)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(302 if self.to else 200)
        if self.to:
            self.send_header("Location", self.to)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.1"])
def test_an_address_typed_on_a_phone_cannot_reach_the_box_itself(tmp_path: Path, host: str) -> None:
    asked: list[str] = []
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Leads, asked, "")) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        with pytest.raises(UpdateError):
            fetch(f"http://{host}:{server.server_port}/x.update", tmp_path, by_phone=True)
        assert asked == []
        fetch(f"http://{host}:{server.server_port}/x.update", tmp_path)
        server.shutdown()
    assert asked == ["/x.update"]


def test_redirects_into_the_home_network_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download, "check_peer", lambda _: None)  # as if it were elsewhere
    asked: list[str] = []
    for to in ("http://192.168.1.1/reboot?now", "http://localhost:1/x", "file:///etc/hostname"):
        with ThreadingHTTPServer(("127.0.0.1", 0), partial(Leads, asked, to)) as server:
            Thread(target=server.serve_forever, daemon=True).start()
            with pytest.raises(UpdateError):
                fetch(f"http://127.0.0.1:{server.server_port}/x.update", tmp_path, by_phone=True)
            server.shutdown()
    assert asked == ["/x.update"] * 3
