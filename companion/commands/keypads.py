"""`companion keypads`: lists the keypads that are plugged in, and gives them a newer firmware."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.commands.terminal import FOUND, WELL, cant, complain, print_json, say
from companion.core.values import Json


def list_keypads(record: Path, usb: str, *, as_json: bool) -> int:
    """Prints a line for each keypad: as the running table knows it, or if none runs, as it answers
    now. `usb`: the keypads' USB ids."""
    from companion.devices.keypads.keypad_status import ask_status, socket_of
    from companion.devices.keypads.seat_keypads import look_round
    from companion.devices.keypads.usb_ports import UsbPorts

    try:
        found = ask_status(socket_of(record))
    except (OSError, ValueError) as error:
        return cant(f"the running table can't be asked: {error}")
    if found is None:
        found = look_round(complain, UsbPorts(usb)) + _pads_here()
    if as_json:
        print_json(found)
    else:
        say(map(_keypad, found) if found else ["No keypad is plugged in."])
    return WELL if all(one["fits"] for one in found) else FOUND


def renew_keypads(record: Path, usb: str) -> int:
    """Brings all keypads up to date and prints a line for each; a running table has their ports,
    and does it itself. A board that doesn't answer gets the firmware, too, unless it has another
    program."""
    from companion.app.notice_socket import RENEW_KEYPADS, send_notice
    from companion.devices.keypads.renewal import RenewalError, firmware_here, install
    from companion.devices.keypads.seat_keypads import look_round
    from companion.devices.keypads.usb_ports import UsbPorts

    firmware = firmware_here()
    if firmware is None:
        return cant("this installation has no firmware for keypads: the Debian package has it")
    if send_notice(record, RENEW_KEYPADS):
        say(["The running table does it: it says of each keypad when it is done."])
        return WELL
    refused = False
    for status in look_round(complain, UsbPorts(usb)):
        named = status["keypad"] or status["port"]
        if status["keypad"] and _version(status["firmware"]) >= firmware.version:
            say([f"{named} has firmware {status['firmware']}"])
            continue
        say([f"{named} gets firmware {firmware.called} …"])
        try:
            install(status["port"], firmware)
        except RenewalError as error:
            refused = True
            complain(f"{named}: {error}")
    return FOUND if refused else WELL


def _version(told: str) -> tuple[int, ...]:
    return tuple(map(int, told.split(".")))


def _pads_here() -> list[Json]:
    """The number pads that are plugged in and may be opened."""
    from companion.devices.pads.input_devices import EvdevDevices, look_for_pads

    try:
        return look_for_pads(EvdevDevices())
    except ImportError:
        return []


def _keypad(status: Mapping[str, Any]) -> str:
    if status.get("kind"):
        seat = f"seat {status['seat']}" if status["seat"] else "the box's keys"
        where = status["port"] or "gone"
        return f"{status['keypad']}  {seat}  {where}  {status['name']}  {status['presses']} presses"
    if status["keypad"] is None:
        return f"{status['port']}: nothing answers: put the firmware on this Pico"
    seat = f"seat {status['seat']}" if status["seat"] else "no seat"
    trip = status["round_trip_ms"]
    where = status["port"] or "gone"
    answers = "no answer yet" if trip is None else f"{trip:.1f} ms"
    versions = f"firmware {status['firmware']}, protocol {status['protocol']}"
    fits = "" if status["fits"] else " does not fit this box"
    counts = ", ".join(f"{status[what]} {what}" for what in ("presses", "resent", "lost"))
    errors = f"{status['errors']}+{status['errors_there']} errors"
    return f"{status['keypad']}  {seat}  {where}  {versions}{fits}  {answers}  {counts}, {errors}"
