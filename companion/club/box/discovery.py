"""Finds clubs on the local network over mDNS, where their hubs announce themselves.

The zeroconf library is loaded only here. Without it no clubs are found and no hub is announced, but
people can still type an address.
"""

import asyncio
import ipaddress
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Final

from companion.club.box.protocol import read_name
from companion.core.club import FoundClub
from companion.core.errors import EntryError
from companion.core.typed_address import with_port

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, Zeroconf
    from zeroconf.asyncio import AsyncZeroconf

SERVICE_TYPE: Final = "_table-companion._tcp.local."
CHECK_ADDRESS_S: Final = 10.0
"""Seconds between two checks of this machine's address."""
ANSWER_WITHIN_MS: Final = 3000
"""Milliseconds to wait for a hub's answer with its address."""


async def watch_for_clubs(on_change: Callable[[tuple[FoundClub, ...]], None]) -> None:
    """Calls `on_change` with the list of known clubs whenever one appears or disappears, until
    cancelled. Raises ImportError if the library is missing, OSError without a network."""
    from zeroconf import ServiceStateChange
    from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo

    known: dict[str, FoundClub] = {}
    requests: set[asyncio.Task[None]] = set()

    async def request_address(kind: str, name: str) -> None:
        info = AsyncServiceInfo(kind, name)
        if await info.async_request(zeroconf.zeroconf, ANSWER_WITHIN_MS) and (
            club := _parse_announcement(info)
        ):
            known[name] = club
            on_change(_sort_clubs(known))

    def on_service_change(
        zeroconf: "Zeroconf",  # noqa: ARG001  # the library names its arguments
        service_type: str,
        name: str,
        state_change: ServiceStateChange,
    ) -> None:
        if state_change is not ServiceStateChange.Removed:
            task = asyncio.ensure_future(request_address(service_type, name))
            requests.add(task)
            task.add_done_callback(requests.discard)
        elif known.pop(name, None):
            on_change(_sort_clubs(known))

    zeroconf = _open_zeroconf()
    browser = AsyncServiceBrowser(zeroconf.zeroconf, SERVICE_TYPE, handlers=[on_service_change])
    try:
        await asyncio.Event().wait()
    finally:
        for task in requests:
            task.cancel()
        await browser.async_cancel()
        await zeroconf.async_close()


def _open_zeroconf() -> "AsyncZeroconf":
    """Opens zeroconf on all network interfaces, or only on the default one where listing them isn't
    allowed."""
    from zeroconf import InterfaceChoice, IPVersion
    from zeroconf.asyncio import AsyncZeroconf

    for version in (IPVersion.All, IPVersion.V4Only):
        with suppress(OSError):
            return AsyncZeroconf(ip_version=version)
    return AsyncZeroconf(InterfaceChoice.Default, ip_version=IPVersion.V4Only)


def _sort_clubs(known: dict[str, FoundClub]) -> tuple[FoundClub, ...]:
    return tuple(sorted(known.values(), key=lambda club: (club.name, club.address)))


def _parse_announcement(info: "ServiceInfo") -> FoundClub | None:
    """Returns the club that a hub's announcement describes; None if it can't be parsed."""
    raw_name = info.properties.get(b"name")
    addresses = [one for one in info.parsed_addresses() if not one.startswith("fe80:")]
    if not raw_name or not addresses or not info.port:
        return None
    try:
        name = read_name(raw_name.decode())
    except (UnicodeDecodeError, EntryError):
        return None
    return FoundClub(name, with_port(addresses[0], info.port))


async def keep_announcing(name: str, identity: str, port: int, address: Callable[[], str]) -> None:
    """Announces a hub at the address that `address` returns, and again whenever it changes. Runs
    until it is cancelled. Raises ImportError if the library is missing."""
    while True:
        now = address()
        with suppress(
            OSError, ValueError
        ):  # not connected to a network, or without an address there
            async with announced(name, identity, now, port):
                while address() == now:
                    await asyncio.sleep(CHECK_ADDRESS_S)
        await asyncio.sleep(CHECK_ADDRESS_S)


@asynccontextmanager
async def announced(name: str, identity: str, address: str, port: int) -> AsyncIterator[None]:
    """A context manager that announces a club's hub on the local network. `name` and `identity` are
    the club's. Two hubs of a club have the same identity; the name of the machine tells them apart.
    Raises ImportError if the library is missing, OSError without a network, and ValueError if
    `address` is a name."""
    from zeroconf import ServiceInfo

    host = socket.gethostname().partition(".")[0]
    info = ServiceInfo(
        SERVICE_TYPE,
        f"{identity} {host} {port}.{SERVICE_TYPE}",
        port=port,
        addresses=[ipaddress.ip_address(address).packed],
        properties={"name": name, "club": identity},
        server=f"{host}-{identity}.local.",
    )
    zeroconf = _open_zeroconf()
    try:
        await zeroconf.async_register_service(info, allow_name_change=True)
        yield
        await zeroconf.async_unregister_service(info)
    finally:
        await zeroconf.async_close()
