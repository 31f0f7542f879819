"""A real HTTP server gets the table's events, with signatures that the library of Standard Webhooks
accepts; requests that fail are repeated, and delay nobody."""

import json
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from companion.core.values import Json
from companion.web.listeners import hooks as hooks_module
from companion.web.listeners.addresses import Address, parse_events, parse_secret
from companion.web.listeners.connections import TrustedAuthorities
from companion.web.listeners.hooks import HookSetup, HookThread
from companion.web.listeners.subscription import EventSource
from tests.presentation.test_stream_events import names
from tests.waiting import WAIT_S, wait_until
from tests.web.listeners.bad_servers import (
    Bad,
    dripping,
    heads_without_end,
    rubbish,
    serving,
    silent,
)
from tests.web.listeners.certificates import certificate
from tests.web.listeners.tables import hearings, stands

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BEN = "hand\nAnna 6-6\nBen 6-3"


class Hook:
    """A server for hooks. It answers with these `statuses` in turn, and repeats the last one."""

    def __init__(self, *statuses: int, tls: tuple[Path, Path] | None = None) -> None:
        self.came: list[tuple[dict[str, str], bytes]] = []
        self.paths: list[str] = []
        answers = [*statuses] or [204]
        hook = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:  # the library's name
                body = self.rfile.read(int(self.headers["Content-Length"]))
                hook.came.append((dict(self.headers.items()), body))
                hook.paths.append(self.path)
                self.send_response(answers.pop(0) if len(answers) > 1 else answers[0])
                self.send_header("Location", "http://127.0.0.1:1/elsewhere")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                """Logs nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*tls)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.port: int = self._server.server_address[1]
        self._thread = Thread(target=self._server.serve_forever, args=(0.05,))
        self._thread.start()

    @property
    def events(self) -> list[Json]:
        return [json.loads(body) for _, body in self.came]

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@contextmanager
def hook(*statuses: int, **more: Any) -> Iterator[Hook]:
    """Runs a server for hooks."""
    found = Hook(*statuses, **more)
    try:
        yield found
    finally:
        found.close()


@contextmanager
def telling(
    port: int,
    table: EventSource,
    lines: list[str] | None = None,
    *,
    events: str = "",
    ca: str = "",
    secure: bool = False,
    patience_s: float = WAIT_S,
) -> Iterator[HookThread]:
    """Sends the events of `table` to the hook at that port; `lines` gets the faults."""
    address = Address("127.0.0.1", port, secure, "/hook?table=1")
    setup = HookSetup(address, parse_secret(SECRET), parse_events(events))
    said = [] if lines is None else lines
    thread = HookThread(setup, table, said.append, TrustedAuthorities(ca).context, patience_s)
    thread.start()
    try:
        yield thread
    finally:
        thread.stop()
        thread.join(WAIT_S)


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the box retry soon after a failure."""
    monkeypatch.setattr(hooks_module, "FIRST_PAUSE_S", 0.02)
    monkeypatch.setattr(hooks_module, "LONGEST_PAUSE_S", 0.1)


def test_a_play_arrives_as_signed_events_in_order() -> None:
    table = hearings()
    with hook() as server, telling(server.port, table):
        wait_until(lambda: names(server.events) == ["turn", "table"])
        table.update(stands(BEN, 8))
        wait_until(lambda: names(server.events)[2:] == ["entry", "score", "turn", "table"])
        assert server.events[2]["said"] == "Ben lays 6-3"
        assert set(server.paths) == {"/hook?table=1"}
        for headers, body in server.came:
            Webhook(SECRET).verify(body, headers)
            other = {**headers, "webhook-id": "msg_other"}
            with pytest.raises(WebhookVerificationError):
                Webhook(SECRET).verify(body, other)
        assert len({headers["webhook-id"] for headers, _ in server.came}) == len(server.came)


def test_only_the_selected_kinds_of_events_arrive() -> None:
    table = hearings()
    with (
        hook() as whole,
        hook() as part,
        telling(whole.port, table),
        telling(part.port, table, events="score turn"),
    ):
        wait_until(lambda: len(whole.events) == 2 and names(part.events) == ["turn"])
        table.update(stands(BEN, 8))
        wait_until(lambda: len(part.events) == 3 and len(whole.events) == 6)
        table.update(stands(f"{BEN}\nAnna 6-2", 9))
        wait_until(lambda: len(part.events) >= 5)
    came = ["turn", "score", "turn", "score", "turn"]
    assert names(part.events) == came, "nothing else came before or between"


def test_a_failed_event_is_retried_with_the_same_id_and_then_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = list[str]()
    with hook(500, 503, 204) as server, telling(server.port, hearings(), lines, events="table"):
        wait_until(lambda: len(server.came) == 3)
        assert len({headers["webhook-id"] for headers, _ in server.came}) == 1
    assert lines == []
    monkeypatch.setattr(hooks_module, "LONGEST_PAUSE_S", 60.0)
    monkeypatch.setattr(hooks_module, "FIRST_PAUSE_S", 0.5)
    with hook(500) as server, telling(server.port, hearings(), lines, events="table"):
        wait_until(lambda: lines)
        assert len(server.came) == hooks_module.TRIES
    where = f"The hook at 127.0.0.1:{server.port}"
    assert lines == [f"{where} hears nothing: it answers 500. It is tried again."]


def test_a_hook_that_was_away_gets_the_changes() -> None:
    table, lines = hearings(), list[str]()
    with hook(204, 204, *[500] * 6, 204) as server, telling(server.port, table, lines):
        wait_until(lambda: len(server.came) == 2)
        table.update(stands(BEN, 8))
        wait_until(lambda: lines)
        table.update(stands(f"{BEN}\nAnna 3-3", 9))
        wait_until(lambda: server.events[-1].get("row") == 9 and len(lines) == 2)
        wait_until(lambda: server.events[-1]["event"] == "table")
    said = [one["said"] for one in server.events if one["event"] == "entry"]
    assert said[-2:] == ["Ben lays 6-3", "Anna lays 3-3"]
    assert lines[1].endswith("hears the table again.")


def test_a_refusal_is_not_retried_and_a_redirect_not_followed() -> None:
    table, lines = hearings(), list[str]()
    with hook(302) as server, telling(server.port, table, lines):
        wait_until(lambda: lines)
        table.update(stands(BEN, 8))
        wait_until(lambda: len(server.came) == 2)
        first, second = (headers["webhook-id"] for headers, _ in server.came)
        assert first != second, "it was asked again"
    assert len(lines) == 1
    assert "it answers 302" in lines[0]


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (silent, "it doesn't answer"),
        (dripping, ""),
        (rubbish, "what it answers is not HTTP"),
    ],
)
def test_a_faulty_hook_is_reported_in_a_line(bad: Bad, says: str) -> None:
    lines = list[str]()
    with serving(bad) as server, telling(server.port, hearings(), lines, patience_s=0.3):
        wait_until(lambda: lines)
    assert says in lines[0]
    assert "\n" not in lines[0]


def test_only_the_first_line_of_an_answer_is_read() -> None:
    lines, table = list[str](), hearings()
    with serving(heads_without_end) as server, telling(server.port, table, lines):
        wait_until(lambda: len(server.threads) == 2)
        table.update(stands(BEN, 8))
        wait_until(lambda: len(server.threads) == 6)
    assert lines == []


def test_an_unreachable_hook_and_an_unknown_host_are_reported() -> None:
    lines = list[str]()
    with telling(1, hearings(), lines):
        wait_until(lambda: lines)
    assert "nothing listens there" in lines[0]


@pytest.mark.parametrize("ended", [True, False])
def test_hooks_work_over_a_secure_connection(tmp_path: Path, ended: bool) -> None:
    tls, lines = certificate(tmp_path, ended=ended), list[str]()
    with (
        hook(tls=tls) as server,
        telling(server.port, hearings(), lines, secure=True, ca=str(tls[0])),
    ):
        wait_until(lambda: lines if ended else server.came)
    if ended:
        assert "its certificate has ended: renew it there" in lines[0]
        assert not server.came
    else:
        assert lines == []
