"""`companion keypads`: lists the seat keypads, or updates their firmware."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.commands.arguments import add_command, add_json_option, named_record
from companion.commands.terminal import PROBLEM, SUCCESS, fail, print_error, print_json, print_lines

if TYPE_CHECKING:
    from companion.app.catalog import Catalog
    from companion.commands.arguments import Commands
    from companion.core.values import Json


def add_keypads(commands: "Commands") -> None:
    command = add_command(
        commands, "keypads", "list the seats' keypads, and how well they are heard", keypads
    )
    add_json_option(command)
    command.add_argument(
        "--record", metavar="PATH", type=Path, help="the record of the table that has them"
    )
    command.add_argument(
        "--update", action="store_true", help="give them the firmware that this box has for them"
    )


def keypads(args: argparse.Namespace, _games: "Catalog") -> int:
    """Lists the keypads, or updates their firmware; returns the exit status. Raises ConfigError."""
    from companion.app.config import load_config

    config = load_config()
    record, usb = named_record(args, config), config.keypads.usb
    if args.update:
        return renew_keypads(record, usb)
    return list_keypads(record, usb, as_json=args.json)


def list_keypads(record: Path, usb: str, *, as_json: bool) -> int:
    """Prints a line for each keypad, with data from the running table or, if no table is running,
    from the keypad itself. `usb`: the keypads' USB ids."""
    from companion.devices.keypads.keypad_status import ask_status, status_socket_path
    from companion.devices.keypads.seat_keypads import scan_keypads
    from companion.devices.keypads.usb_ports import UsbPorts

    try:
        found = ask_status(status_socket_path(record))
    except (OSError, ValueError) as error:
        return fail(f"the running table can't be asked: {error}")
    if found is None:
        found = scan_keypads(print_error, UsbPorts(usb)) + _connected_pads()
    if as_json:
        print_json(found)
    else:
        print_lines(map(_keypad_line, found) if found else ["No keypad is plugged in."])
    return SUCCESS if all(one["fits"] for one in found) else PROBLEM


def renew_keypads(record: Path, usb: str) -> int:
    """Updates the firmware of all keypads, and prints a line for each. If a table is running, it
    does this itself, because it holds the keypads' ports. A board that doesn't answer gets the
    firmware as well, unless it has another program."""
    from companion.app.notice_socket import RENEW_KEYPADS, send_notice
    from companion.devices.keypads.renewal import RenewalError, firmware_here, install
    from companion.devices.keypads.seat_keypads import scan_keypads
    from companion.devices.keypads.usb_ports import UsbPorts

    firmware = firmware_here()
    if firmware is None:
        return fail("this installation has no firmware for keypads: the Debian package has it")
    if send_notice(record, RENEW_KEYPADS):
        print_lines(["The running table does it: it says of each keypad when it is done."])
        return SUCCESS
    refused = False
    for status in scan_keypads(print_error, UsbPorts(usb)):
        name = status["keypad"] or status["port"]
        if status["keypad"] and _parse_version(status["firmware"]) >= firmware.version:
            print_lines([f"{name} has firmware {status['firmware']}"])
            continue
        print_lines([f"{name} gets firmware {firmware.version_text} …"])
        try:
            install(status["port"], firmware)
        except RenewalError as error:
            refused = True
            print_error(f"{name}: {error}")
    return PROBLEM if refused else SUCCESS


def _parse_version(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(".")))


def _connected_pads() -> "list[Json]":
    """Returns the data of the number pads that are plugged in and may be opened."""
    from companion.devices.pads.input_devices import EvdevDevices, list_pads

    try:
        return list_pads(EvdevDevices())
    except ImportError:
        return []


def _keypad_line(status: Mapping[str, Any]) -> str:
    where = status["port"] or "gone"
    if status.get("kind"):
        seat = f"seat {status['seat']}" if status["seat"] else "the box's keys"
        return f"{status['keypad']}  {seat}  {where}  {status['name']}  {status['presses']} presses"
    if status["keypad"] is None:
        return f"{status['port']}: nothing answers: put the firmware on this Pico"
    seat = f"seat {status['seat']}" if status["seat"] else "no seat"
    trip = status["round_trip_ms"]
    answers = "no answer yet" if trip is None else f"{trip:.1f} ms"
    versions = f"firmware {status['firmware']}, protocol {status['protocol']}"
    fits = "" if status["fits"] else " does not fit this box"
    counts = ", ".join(f"{status[what]} {what}" for what in ("presses", "resent", "lost"))
    errors = f"{status['errors']}+{status['errors_there']} errors"
    return f"{status['keypad']}  {seat}  {where}  {versions}{fits}  {answers}  {counts}, {errors}"
