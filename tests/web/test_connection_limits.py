"""Who is let in, how many, and who must go; and how much is written in the log."""

import asyncio
import logging
from typing import Any

import pytest

from companion.web import connection_limits
from companion.web.connection_limits import (
    MOST_OF_ADDRESS,
    MOST_STRANGERS,
    ConnectionLimits,
    _address_of,
)
from companion.web.faults import BURST, FaultLog


class Guest:
    """A connection, with only what the limits use."""

    def __init__(self) -> None:
        self.was_cut = False

    def cut(self) -> None:
        self.was_cut = True


def came(limits: ConnectionLimits, address: str, count: int = 1) -> list[Any]:
    """Lets `count` guests come from an address; gives those who were let in."""
    guests: list[Any] = [Guest() for _ in range(count)]
    return [guest for guest in guests if limits.comes(guest, address)]


def in_a_loop(test: Any) -> None:
    async def run() -> None:
        test(ConnectionLimits())

    asyncio.run(run())


def test_an_address_has_so_many_and_gets_them_back() -> None:
    def test(limits: ConnectionLimits) -> None:
        guests = came(limits, "192.0.2.7", 40)
        assert len(guests) == MOST_OF_ADDRESS
        limits.welcome(guests[0])
        assert not came(limits, "192.0.2.7"), "who may stay counts, too"
        assert came(limits, "192.0.2.8")
        limits.goes(guests[0], "192.0.2.7")
        assert came(limits, "192.0.2.7")
        for guest in guests[1:]:
            limits.goes(guest, "192.0.2.7")
        assert limits._by_address.keys() == {"192.0.2.7", "192.0.2.8"}

    in_a_loop(test)


def test_this_machine_has_more() -> None:
    in_a_loop(lambda limits: came(limits, "127.0.0.1", 40)[39])


def test_the_oldest_stranger_goes_when_it_is_full_and_nobody_who_may_stay() -> None:
    def test(limits: ConnectionLimits) -> None:
        guests = [came(limits, f"192.0.2.{number}")[0] for number in range(MOST_STRANGERS)]
        limits.welcome(guests[0])
        limits.asks(guests[1])
        came(limits, "192.0.2.100")
        assert not any(guest.was_cut for guest in guests)
        came(limits, "192.0.2.101")
        assert [guest.was_cut for guest in guests[:3]] == [False, True, False]

    in_a_loop(test)


def test_time_is_up_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "ASK_WITHIN_S", 1.0)
    monkeypatch.setattr(connection_limits, "DONE_WITHIN_S", 4.0)

    def test(limits: ConnectionLimits) -> None:
        now = asyncio.get_running_loop().time()
        (guest,) = came(limits, "192.0.2.7")
        assert limits._strangers[guest].when() == pytest.approx(now + 1.0, abs=0.5)
        limits.asks(guest)
        assert limits._strangers[guest].when() == pytest.approx(now + 3.0, abs=0.5)
        limits.welcome(guest)
        limits.asks(guest)
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
def test_whose_connection_it_is(peer: object, address: str) -> None:
    class Transport(asyncio.BaseTransport):
        def get_extra_info(self, name: str, default: object = None) -> object:
            return peer

    assert _address_of(Transport()) == address


# ---------------------------------------------------------------- what is written down


class Told:
    """A log and what it wrote; `now` is its clock."""

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


def test_faults_are_written_with_their_place_five_at_once_and_one_a_minute() -> None:
    told = Told()
    for _ in range(100):
        told.fault(ValueError("ours"))
    assert len(told.lines) == BURST
    assert all("ValueError: ours" in line and line.count("\n") < 12 for line in told.lines)
    told.now = 60.0
    told.fault(ValueError("ours"))
    assert told.lines[BURST].endswith("(95 more were left out)\n")


def test_who_goes_is_no_fault() -> None:
    told = Told()
    told.fault(ConnectionResetError("gone"))
    told.fault(BrokenPipeError("gone"))
    assert told.lines == []
    told.logger.warning("low on %s", "sockets")
    assert told.lines == ["low on sockets\n"]


def test_a_log_is_put_in_and_taken_out() -> None:
    log = FaultLog(lambda: 0.0)
    log.install()
    assert logging.getLogger("aiohttp").handlers == [log]
    log.remove()
    assert logging.getLogger("aiohttp").handlers == []
