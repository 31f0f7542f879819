"""The limits of connections, with the rules for cutting them, and the limits of the fault log."""

import asyncio
import logging
from contextlib import suppress
from typing import Any

import pytest
from aiohttp import web

from companion.core.budgets import NEW_CONNECTIONS, NEW_CONNECTIONS_OF_ADDRESS
from companion.web import connection_limits
from companion.web.connection_limits import (
    FAULT_BURST,
    ConnectionLimits,
    FaultLog,
    Visit,
    _address_of,
    end_serving,
)
from tests.waiting import WAIT_S


class Guest:
    """A connection with only the parts that the limits use."""

    def __init__(self) -> None:
        self.was_cut, self.address = False, ""

    def cut(self) -> None:
        self.was_cut = True


def came(limits: ConnectionLimits, address: str, count: int = 1) -> list[Any]:
    """Connects `count` guests from an address; returns those who were let in."""
    guests: list[Any] = [Guest() for _ in range(count)]
    return [guest for guest in guests if limits.admit(guest, address)]


def in_a_loop(test: Any) -> None:
    async def run() -> None:
        test(ConnectionLimits())

    asyncio.run(run())


def test_each_address_has_a_limit_of_strangers_but_not_of_admitted_visits() -> None:
    def test(limits: ConnectionLimits) -> None:
        guests = came(limits, "192.0.2.7", NEW_CONNECTIONS_OF_ADDRESS.most)
        for guest in guests:
            limits.note_request(guest, guest.address)
        assert not came(limits, "192.0.2.7"), "all others wait for their answers"
        assert came(limits, "192.0.2.8")
        limits.keep_open(guests[0])
        assert came(limits, "192.0.2.7"), "who may stay counts no more"
        for guest in guests:
            limits.keep_open(guest)
        assert limits._by_address == {"192.0.2.7": 1, "192.0.2.8": 1}

    in_a_loop(test)


def test_sixty_phones_behind_one_router_are_accepted() -> None:
    def test(limits: ConnectionLimits) -> None:
        for _ in range(60):
            (page,) = came(limits, "192.0.2.7")
            limits.note_request(page, page.address)
            limits.keep_open(page)
            for file in came(limits, "192.0.2.7", 6):
                limits.note_request(file, file.address)
                limits.keep_open(file)
        assert not limits._by_address

    in_a_loop(test)


def test_silent_connections_do_not_keep_out_a_request_from_their_address() -> None:
    def test(limits: ConnectionLimits) -> None:
        silent = came(limits, "192.0.2.7", NEW_CONNECTIONS_OF_ADDRESS.most)
        phone = came(limits, "192.0.2.7")[0]
        limits.note_request(phone, phone.address)
        assert [guest.was_cut for guest in silent[:2]] == [True, False]
        came(limits, "192.0.2.7", NEW_CONNECTIONS_OF_ADDRESS.most)
        assert not phone.was_cut
        assert all(guest.was_cut for guest in silent)

    in_a_loop(test)


def test_this_machine_has_a_higher_limit() -> None:
    in_a_loop(lambda limits: came(limits, "127.0.0.1", NEW_CONNECTIONS_OF_ADDRESS.most + 9)[-1])


def test_when_full_the_oldest_stranger_of_the_busiest_address_is_cut() -> None:
    def test(limits: ConnectionLimits) -> None:
        box = came(limits, "192.0.2.1")[0]
        stays, *guests = came(limits, "192.0.2.7", 100)
        limits.keep_open(stays)
        limits.note_request(guests[0], guests[0].address)
        rest = [
            came(limits, f"198.51.100.{number}")[0] for number in range(NEW_CONNECTIONS.most - 100)
        ]
        assert not any(guest.was_cut for guest in guests)
        came(limits, "192.0.2.2")
        cut = [guest.was_cut for guest in (stays, *guests)]
        assert cut.index(True) == 2 and cut.count(True) == 1
        assert not box.was_cut and not any(guest.was_cut for guest in rest)

    in_a_loop(test)


def test_when_all_have_sent_requests_one_of_the_busiest_address_is_cut() -> None:
    def test(limits: ConnectionLimits) -> None:
        guests = [
            came(limits, f"192.0.2.{number % 3}")[0] for number in range(NEW_CONNECTIONS.most)
        ]
        for guest in guests:
            limits.note_request(guest, guest.address)
        came(limits, "198.51.100.1")
        assert sum(guest.was_cut for guest in guests) == 1

    in_a_loop(test)


@pytest.mark.parametrize("refused", [False, True])
def test_a_connection_made_while_serving_ends_is_cut(
    refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ConnectionLimits, "admit", lambda *_: not refused)

    async def run() -> None:
        limits, loop = ConnectionLimits(), asyncio.get_running_loop()
        app = web.Application()

        async def end(_app: web.Application) -> None:
            limits.end()

        app.on_shutdown.append(end)
        runner = web.AppRunner(app)
        await runner.setup()
        server = runner.server
        assert server is not None
        made: list[Visit] = []

        def make() -> Visit:
            made.append(Visit(limits, server, loop=loop))
            return made[-1]

        listening = await loop.create_server(make, "127.0.0.1", 0)
        port = listening.sockets[0].getsockname()[1]

        async def connect() -> asyncio.StreamReader:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            while not made:
                await asyncio.sleep(0)
            clients.append(writer)
            return reader

        clients: list[asyncio.StreamWriter] = []
        if refused:
            reader = await connect()
            await reader.readuntil(b"</html>")
            await end_serving(runner)
        else:
            cleanup = web.AppRunner.cleanup

            async def connect_late(self: web.AppRunner) -> None:
                nonlocal reader
                await cleanup(self)
                reader = await connect()

            reader = asyncio.StreamReader()
            monkeypatch.setattr(web.AppRunner, "cleanup", connect_late)
            await end_serving(runner)
        with suppress(ConnectionResetError):
            assert await asyncio.wait_for(reader.read(), WAIT_S) == b""
        listening.close()
        for writer in clients:
            writer.close()

    asyncio.run(run())


def test_behind_a_proxy_the_visitor_s_address_counts() -> None:
    visitor, other = "198.51.100.1 (127.0.0.1)", "198.51.100.2 (127.0.0.1)"
    noted: list[tuple[str, str]] = []

    async def run() -> None:
        limits = ConnectionLimits(lambda limit, who: noted.append((limit.name, who)))
        guests = came(limits, "127.0.0.1", NEW_CONNECTIONS_OF_ADDRESS.most + 1)
        *early, late = guests
        assert all(limits.note_request(guest, visitor) for guest in early)
        assert not limits.note_request(late, visitor), "one too many"
        assert noted == [(NEW_CONNECTIONS_OF_ADDRESS.name, visitor)]
        (phone,) = came(limits, "127.0.0.1")
        assert limits.note_request(phone, other)
        for guest in early:
            limits.keep_open(guest)
        (again,) = came(limits, "127.0.0.1")
        assert limits.note_request(again, visitor), "who may stay counts no more"
        for guest in (late, phone, again):
            limits.keep_open(guest)
        assert not limits._by_address

    asyncio.run(run())


def test_a_stranger_has_two_time_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "REQUEST_WITHIN_S", 1000.0)
    monkeypatch.setattr(connection_limits, "ANSWER_DONE_WITHIN_S", 4000.0)

    def test(limits: ConnectionLimits) -> None:
        now = asyncio.get_running_loop().time()
        (guest,) = came(limits, "192.0.2.7")
        assert limits._strangers[guest].when() == pytest.approx(now + 1000.0, abs=WAIT_S)
        limits.note_request(guest, guest.address)
        assert limits._strangers[guest].when() == pytest.approx(now + 3000.0, abs=WAIT_S)
        limits.keep_open(guest)
        limits.note_request(guest, guest.address)
        assert not limits._strangers

    in_a_loop(test)


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        (("192.0.2.7", 1), "192.0.2.7"),
        (("::ffff:192.0.2.7", 1, 0, 0), "192.0.2.7"),
        (("2001:db8:1:2:3:4:5:6", 1, 0, 0), "2001:db8:1:2::/64"),
        (("fe80::1%eth0", 1, 0, 2), "fe80::/64"),
        (("::1", 1, 0, 0), "::1"),
        (None, ""),
    ],
)
def test_a_connection_counts_against_the_right_address(peer: object, address: str) -> None:
    class Transport(asyncio.BaseTransport):
        def get_extra_info(self, name: str, default: object = None) -> object:
            return peer

    assert _address_of(Transport()) == address


# ---------------------------------------------------------------- what is written down


class FaultLogRig:
    """A log and what was written to it; `now` is its clock."""

    def __init__(self) -> None:
        self.now = 0.0
        self.lines: list[str] = []
        self._log = FaultLog(lambda: self.now, self.lines.append)
        self.logger = logging.Logger("test")
        self.logger.addHandler(self._log)

    def fault(self, error: BaseException) -> None:
        try:
            raise error
        except type(error):
            self.logger.exception("it happened")


def test_faults_are_logged_with_a_traceback_five_at_once_then_one_a_minute() -> None:
    told = FaultLogRig()
    for _ in range(100):
        told.fault(ValueError("ours"))
    assert len(told.lines) == FAULT_BURST
    assert all("ValueError: ours" in line and line.count("\n") < 12 for line in told.lines)
    told.now = 60.0
    told.fault(ValueError("ours"))
    assert told.lines[FAULT_BURST].endswith("(95 more were left out)\n")


def test_a_client_that_leaves_is_not_a_fault() -> None:
    told = FaultLogRig()
    told.fault(ConnectionResetError("gone"))
    told.fault(BrokenPipeError("gone"))
    assert told.lines == []
    told.logger.warning("low on %s", "sockets")
    assert told.lines == ["low on sockets\n"]


def test_a_log_is_installed_and_removed() -> None:
    log = FaultLog(lambda: 0.0)
    log.install()
    assert logging.getLogger("aiohttp").handlers == [log]
    log.remove()
    assert logging.getLogger("aiohttp").handlers == []
