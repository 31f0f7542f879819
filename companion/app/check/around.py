"""Checks what is plugged into the box: a TV, keypads at the seats, a USB stick, a network. All of
it is looked at from outside, so that it can be tried while the table runs."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from companion.app.check.bench import Bench
from companion.app.check.board import running
from companion.app.check.finding import Finding, Grade, not_tried, ok, warning
from companion.core.values import Json
from companion.core.words import phrase
from companion.devices.keypads.keypad_status import ask_status, socket_of
from companion.devices.keypads.renewal import firmware_here

TV_SERVICES: Final = ("companion-tv.service", "companion-kiosk.service")
START_TV: Final = "sudo systemctl start companion-tv"
SLICE: Final = "sys/fs/cgroup/system.slice"
"""The folder in which systemd has a folder for each service that runs."""
STICKS: Final = "run/companion-stick"
"""The folder that has a folder for each stick to which games are copied."""
RENEW: Final = "sudo companion keypads --update"


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
        yield ok(phrase("no screen hangs on HDMI, and none is needed"))
        return
    screen = ", ".join(plugged) or phrase("a screen, as far as the kernel knows")
    if size:
        screen = phrase("{screen}, {size} pixels", screen=screen, size=size)
    if any((root / SLICE / service).exists() for service in TV_SERVICES):
        yield ok(phrase("{screen}: the table is drawn on it", screen=screen))
    elif bench.on_hdmi:
        yield ok(phrase("{screen}: the box's own picture is on it", screen=screen))
    else:
        yield warning(
            phrase("{screen}: nothing draws the table on it", screen=screen),
            phrase("{command} draws the table on it", command=START_TV),
        )


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
        yield not_tried(
            phrase(
                "the table doesn't say which keypads it hears: {command} asks it",
                command="companion keypads",
            )
        )
        return
    if told is None:
        told = bench.machine.keypads(bench.config.keypads.usb)
    keypads = [one for one in told if not one.get("kind")]
    if not keypads:
        yield ok(phrase("no keypad is plugged in, and none is needed"))
    for one in keypads:
        yield _keypad(one)


def _keypad(one: Mapping[str, Any]) -> Finding:
    if one["keypad"] is None:
        return Finding(
            Grade.WARNING,
            phrase("{port}: a Pico that answers nothing", port=one["port"]),
            phrase("{command} puts the keypad's firmware on it", command=RENEW),
            renews_keypads=True,
        )
    name = phrase("the keypad {name} without a seat", name=one["keypad"])
    if one["seat"]:
        name = phrase("the keypad {name} of seat {seat}", name=one["keypad"], seat=one["seat"])
    here, firmware = firmware_here(), tuple(map(int, one["firmware"].split(".")))
    newer = here is not None and firmware < here.version
    renew = phrase("{command} gives it the one that the box has", command=RENEW)
    if not one["here"]:
        return warning(phrase("{keypad} is gone", keypad=name), phrase("is its cable in?"))
    version = one["firmware"]
    if not one["fits"]:
        said = phrase(
            "{keypad} speaks another version: firmware {version}", keypad=name, version=version
        )
        remedy = renew if newer else phrase("bring the box up to date")
        return Finding(Grade.FAULT, said, remedy, renews_keypads=newer)
    if newer:
        said = phrase(
            "{keypad} is heard, but its firmware {version} is old", keypad=name, version=version
        )
        return Finding(Grade.WARNING, said, renew, renews_keypads=True)
    trip = one["round_trip_ms"]
    if trip is None:
        return ok(phrase("{keypad} answers", keypad=name))
    return ok(phrase("{keypad} answers within {time} ms", keypad=name, time=round(trip)))


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
        yield ok(phrase("no USB stick is plugged in, and none is needed"))
    for stick in sticks:
        if any(name.startswith(stick) for name in copied):
            yield ok(phrase("every game is copied to the USB stick {stick}", stick=stick))
        else:
            yield warning(
                phrase("nothing is copied to the USB stick {stick}", stick=stick),
                phrase(
                    "an empty file {file} on it asks for copies; plug it in again, and the table "
                    "says what is wrong with it",
                    file="table-companion.txt",
                ),
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
    network = ", ".join(linked)
    if linked and address:
        yield ok(phrase("{network}: this box is {address}", network=network, address=address))
    elif linked:
        yield warning(
            phrase("{network} is connected, but gives the box no address", network=network),
            phrase("is that network's router well? The page works on no other device until then"),
        )
    else:
        yield warning(
            phrase("there is no network: no phone can come in"),
            phrase(
                "a cable, or a Wi-Fi: {file} on a flashed card, else {command}",
                file="wifi.txt",
                command="sudo nmtui",
            ),
        )
