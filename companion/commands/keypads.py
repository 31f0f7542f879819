"""`companion keypads`: what is plugged in."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.commands.printing import FOUND, WELL, cant, complain, print_json, say
from companion.core.values import Json


def list_keypads(record: Path, usb: str, *, as_json: bool) -> int:
    """One line a keypad: as the running table knows them, or else as they answer now. `usb`: their
    USB ids."""
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


def _pads_here() -> list[Json]:
    """The number pads that are plugged in, as far as they may be looked at."""
    from companion.devices.pads.evdev_devices import EvdevDevices
    from companion.devices.pads.input_devices import look_for_pads

    try:
        return look_for_pads(EvdevDevices())
    except ImportError:
        return []


def _keypad(told: Mapping[str, Any]) -> str:
    if told.get("kind"):
        seat = f"seat {told['seat']}" if told["seat"] else "the box's keys"
        where = told["port"] or "gone"
        return f"{told['keypad']}  {seat}  {where}  {told['name']}  {told['presses']} presses"
    if told["keypad"] is None:
        return f"{told['port']}: nothing answers: put the firmware on this Pico"
    seat = f"seat {told['seat']}" if told["seat"] else "no seat"
    trip = told["round_trip_ms"]
    where = told["port"] or "gone"
    answers = "no answer yet" if trip is None else f"{trip:.1f} ms"
    versions = f"firmware {told['firmware']}, protocol {told['protocol']}"
    fits = "" if told["fits"] else " does not fit this box"
    counts = ", ".join(f"{told[what]} {what}" for what in ("presses", "resent", "lost"))
    errors = f"{told['errors']}+{told['errors_there']} errors"
    return f"{told['keypad']}  {seat}  {where}  {versions}{fits}  {answers}  {counts}, {errors}"
