"""Checks what is plugged into the box: a TV, keypads at the seats, a USB stick, a network. All of
it is looked at from outside, so that it can be tried while the table runs."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from companion.check.bench import Bench
from companion.check.board import running
from companion.check.finding import Finding, Grade, not_tried, ok, warning
from companion.core.values import Json
from companion.devices.keypads.keypad_status import ask_status, socket_of
from companion.devices.keypads.renewal import firmware_here

TV_SERVICES: Final = ("companion-tv.service", "companion-kiosk.service")
SLICE: Final = "sys/fs/cgroup/system.slice"
"""The folder in which systemd has a folder for each service that runs."""
STICKS: Final = "run/companion-stick"
"""The folder that has a folder for each stick to which games are copied."""


def check_tv(bench: Bench) -> Iterator[Finding]:
    """Checks whether a screen hangs on HDMI, and whether something draws on it."""
    root = bench.machine.root
    plugged = [
        status.parent.name.partition("-")[2]
        for status in sorted(root.glob("sys/class/drm/card*-*/status"))
        if status.read_text().strip() == "connected"
    ]
    size = bench.machine.text("sys/class/graphics/fb0/virtual_size").replace(",", "×")
    if not plugged and not size:
        yield ok("no screen hangs on HDMI, and none is needed")
        return
    seen = ", ".join(plugged) or "a screen, as far as the kernel knows"
    named = f"{seen}, {size} pixels" if size else seen
    if any((root / SLICE / service).exists() for service in TV_SERVICES):
        yield ok(f"{named}: the table is drawn on it")
    elif bench.on_hdmi:
        yield ok(f"{named}: the box's own picture is on it")
    else:
        start = "sudo systemctl start companion-tv draws the table on it"
        yield warning(f"{named}: nothing draws the table on it", start)


def statuses(bench: Bench) -> list[Json] | None:
    """What the running table knows of keypads and number pads; None: none runs, or it doesn't
    answer."""
    try:
        return ask_status(socket_of(bench.record))
    except (OSError, ValueError):
        return None


def check_keypads(bench: Bench) -> Iterator[Finding]:
    """Checks each keypad at a seat, as the running table hears it, or as it answers now."""
    told = statuses(bench)
    if told is None and running(bench):
        yield not_tried("the table doesn't say which keypads it hears: companion keypads asks it")
        return
    if told is None:
        told = bench.machine.keypads(bench.config.keypads.usb)
    keypads = [one for one in told if not one.get("kind")]
    if not keypads:
        yield ok("no keypad is plugged in, and none is needed")
    for one in keypads:
        yield _keypad(one)


def _keypad(one: Mapping[str, Any]) -> Finding:
    if one["keypad"] is None:
        return Finding(
            Grade.WARNING,
            f"{one['port']}: a Pico that answers nothing",
            "sudo companion keypads --update puts the keypad's firmware on it",
            renews_keypads=True,
        )
    seat = f"of seat {one['seat']}" if one["seat"] else "without a seat"
    named = f"the keypad {one['keypad']} {seat}"
    here, firmware = firmware_here(), tuple(map(int, one["firmware"].split(".")))
    newer = here is not None and firmware < here.version
    renew = "sudo companion keypads --update gives it the one that the box has"
    if not one["here"]:
        return warning(f"{named} is gone", "is its cable in?")
    if not one["fits"]:
        said = f"{named} speaks another version: firmware {one['firmware']}"
        remedy = renew if newer else "bring the box up to date"
        return Finding(Grade.FAULT, said, remedy, renews_keypads=newer)
    if newer:
        said = f"{named} is heard, but its firmware {one['firmware']} is old"
        return Finding(Grade.WARNING, said, renew, renews_keypads=True)
    trip = one["round_trip_ms"]
    return ok(f"{named} answers" + ("" if trip is None else f" within {trip:.0f} ms"))


def check_stick(bench: Bench) -> Iterator[Finding]:
    """Checks whether the games are copied to each USB stick that is plugged in."""
    root = bench.machine.root
    sticks = [
        disk.parent.name
        for disk in sorted(root.glob("sys/block/sd*/removable"))
        if disk.read_text().strip() == "1"
    ]
    copied = [path.name for path in sorted(root.glob(f"{STICKS}/*"))]
    if not sticks and not copied:
        yield ok("no USB stick is plugged in, and none is needed")
    for stick in sticks:
        if any(name.startswith(stick) for name in copied):
            yield ok(f"every game is copied to the USB stick {stick}")
        else:
            yield warning(
                f"nothing is copied to the USB stick {stick}",
                "an empty file table-companion.txt on it asks for copies; plugged in again, the "
                "table says what is wrong with it",
            )


def check_network(bench: Bench) -> Iterator[Finding]:
    """Checks whether there is a network by which phones come in."""
    root = bench.machine.root
    linked = [
        state.parent.name
        for state in sorted(root.glob("sys/class/net/*/operstate"))
        if state.parent.name != "lo" and state.read_text().strip() == "up"
    ]
    address = bench.machine.address()
    if linked and address:
        yield ok(f"{', '.join(linked)}: this box is {address}")
    elif linked:
        yield warning(
            f"{', '.join(linked)} is connected, but gives the box no address",
            "is that network's router well? The page works on no other device until then",
        )
    else:
        yield warning(
            "there is no network: no phone can come in",
            "a cable, or a Wi-Fi: wifi.txt on a flashed card, else sudo nmtui",
        )
