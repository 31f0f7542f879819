"""The commands of a box beside its record: `companion run`, `tv`, `link`, `keypads`, `check` and
`certificate`.

What a command needs is imported when it runs, so that no other command waits for it. Programs of
this machine show the table's page a secret, which is in a file beside the table's record. A service
passes it to those that it starts, in a file for systemd or in the environment.
"""

import argparse
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion.app.check import PARTS
from companion.commands.arguments import (
    add_command,
    add_json,
    add_record,
    default_record_path,
    named_record,
    port_number,
)
from companion.commands.terminal import PROBLEM, WELL, cant, print_error, print_json, print_lines

if TYPE_CHECKING:
    from companion.app.catalog import Catalog
    from companion.commands.arguments import Commands
    from companion.core.values import Json

PAGE: Final = "http://127.0.0.1:8055"
"""The address of the page of a table that somebody has started by hand."""
SERVICE_PAGE: Final = Path("/run/companion/page")
"""A file written by the service: PAGE=, its address, and TABLE_SECRET=."""
VARIABLE: Final = "TABLE_SECRET"
"""The environment variable with the table's secret."""
ANSWERS_S: Final = 10.0


# ---------------------------------------------------------------- the table


def add_run(commands: "Commands") -> None:
    command = add_command(commands, "run", "start the table", run)
    command.add_argument("--config", metavar="FILE", type=Path, help="a configuration in TOML")
    command.add_argument("--record", metavar="PATH", type=Path, help="the record to keep")
    hardware = command.add_mutually_exclusive_group()
    for name, meaning in (("board", "this Pi's keys and display"), ("virtual", "a page instead")):
        hardware.add_argument(
            f"--{name}", dest="hardware", action="store_const", const=name, help=meaning
        )
    command.add_argument("--lan", action="store_true", help="open the page to the network")
    command.add_argument("--port", metavar="N", type=port_number, help="where the page listens")
    command.add_argument("--no-browser", action="store_true", help="open none on a desktop")


def run(args: argparse.Namespace, games: "Catalog") -> int:
    """Runs the table until it is stopped."""
    from companion.app.run import RunOptions
    from companion.app.run import run as run_table

    asked = RunOptions(
        args.config, args.record, args.hardware, args.lan, args.port, not args.no_browser
    )
    return run_table(asked, games, default_record_path())


# ---------------------------------------------------------------- its page and its screen


def add_tv(commands: "Commands") -> None:
    command = add_command(
        commands, "tv", "draw the table on the screen that hangs on HDMI", show_tv
    )
    command.add_argument(
        "--page", metavar="URL", default=PAGE, help=f"where the table's page is (else {PAGE})"
    )
    command.add_argument(
        "--with-box", action="store_true", help="with the box's display, where it has none itself"
    )
    folder = "in a browser instead, which keeps its things there (cage and chromium)"
    command.add_argument("--browser", metavar="FOLDER", type=Path, help=folder)
    command.add_argument("--record", metavar="PATH", type=Path, help="the record of that table")


def show_tv(args: argparse.Namespace, _games: "Catalog") -> int:
    """Shows the table on the screen until it is stopped."""
    secret = secret_of_table(args, args.page)
    if args.browser:
        from companion.app.systemd import Systemd
        from companion.web.tv.browser import show_in_browser

        systemd = Systemd()

        def lives() -> None:
            systemd.ready()
            systemd.feed()

        return show_in_browser(args.page, secret, args.browser, lives)
    from companion.web.tv.program import show_table

    return show_table(args.page, secret, with_box=args.with_box)


LINK_HELP = """
The table has to run. A browser that was let in stays in. From another computer: ssh with -L
PORT:127.0.0.1:PORT to this one, then open the link there. Where the table is a service: sudo
companion link."""


def add_link(commands: "Commands") -> None:
    command = add_command(
        commands, "link", "print a link that lets one browser on this machine in", print_link
    )
    command.epilog = LINK_HELP
    command.add_argument("--page", metavar="URL", help=f"where the table's page is (else {PAGE})")
    command.add_argument("--record", metavar="PATH", type=Path, help="the record of that table")


def print_link(args: argparse.Namespace, _games: "Catalog") -> int:
    """Prints a link for one browser. Raises ConfigError."""
    from urllib.error import HTTPError
    from urllib.request import ProxyHandler, Request, build_opener

    from companion.core.regular_file import read_text

    page, secret = args.page, ""
    if page is None and args.record is None:
        try:
            text = read_text(SERVICE_PAGE)
        except FileNotFoundError:
            pass
        except OSError:
            print_error("the table is a service here: sudo companion link")
            return PROBLEM
        else:
            values = dict(line.partition("=")[::2] for line in text.splitlines())
            page, secret = values.get("PAGE"), values.get(VARIABLE, "")
    page = (page or PAGE).rstrip("/")
    headers = {"Authorization": f"Bearer {secret or secret_of_table(args, page)}"}
    try:
        # Never through a proxy, which would be shown the secret.
        ask = build_opener(ProxyHandler({})).open
        with ask(Request(f"{page}/open", b"", headers), timeout=ANSWERS_S) as answer:
            print(f"{page}{json.load(answer)['path']}")
    except HTTPError:
        print_error(f"the table at {page} is of another record: name it by --record")
        return PROBLEM
    except (OSError, ValueError) as error:
        print_error(f"the table at {page} doesn't answer: start it first ({error})")
        return PROBLEM
    return WELL


def secret_of_table(args: argparse.Namespace, page: str) -> str:
    """The secret of the table whose page is at the address `page`: in the environment, which then
    no longer has it for programs that this one starts, or beside the record. Empty if it can't be
    read, or the page is on another machine. Raises ConfigError."""
    from urllib.parse import urlsplit

    from companion.app.config import load_config
    from companion.web.access import is_loopback, read_secret

    given = os.environ.pop(VARIABLE, "")
    with suppress(ValueError):
        if not is_loopback(urlsplit(page).hostname or ""):
            return ""
    if given:
        return given
    with suppress(OSError, ValueError):
        return read_secret(named_record(args, load_config()).with_suffix(".secret"))
    return ""


# ---------------------------------------------------------------- keypads


def add_keypads(commands: "Commands") -> None:
    command = add_command(
        commands, "keypads", "list the seats' keypads, and how well they are heard", keypads
    )
    add_json(command)
    command.add_argument(
        "--record", metavar="PATH", type=Path, help="the record of the table that has them"
    )
    command.add_argument(
        "--update", action="store_true", help="give them the firmware that this box has for them"
    )


def keypads(args: argparse.Namespace, _games: "Catalog") -> int:
    """Lists the keypads, or brings them up to date. Raises ConfigError."""
    from companion.app.config import load_config

    config = load_config()
    record, usb = named_record(args, config), config.keypads.usb
    if args.update:
        return renew_keypads(record, usb)
    return list_keypads(record, usb, as_json=args.json)


def list_keypads(record: Path, usb: str, *, as_json: bool) -> int:
    """Prints a line for each keypad: as the running table knows it or, if no table runs, as the
    keypad itself answers. `usb`: the keypads' USB ids."""
    from companion.devices.keypads.keypad_status import ask_status, status_socket_path
    from companion.devices.keypads.seat_keypads import scan_keypads
    from companion.devices.keypads.usb_ports import UsbPorts

    try:
        found = ask_status(status_socket_path(record))
    except (OSError, ValueError) as error:
        return cant(f"the running table can't be asked: {error}")
    if found is None:
        found = scan_keypads(print_error, UsbPorts(usb)) + _pads_here()
    if as_json:
        print_json(found)
    else:
        print_lines(map(_keypad_line, found) if found else ["No keypad is plugged in."])
    return WELL if all(one["fits"] for one in found) else PROBLEM


def renew_keypads(record: Path, usb: str) -> int:
    """Brings all keypads up to date and prints a line for each; if a table is running, it holds
    their ports and does the work. A board that doesn't answer gets the firmware as well, unless it
    has another program."""
    from companion.app.notice_socket import RENEW_KEYPADS, send_notice
    from companion.devices.keypads.renewal import RenewalError, firmware_here, install
    from companion.devices.keypads.seat_keypads import scan_keypads
    from companion.devices.keypads.usb_ports import UsbPorts

    firmware = firmware_here()
    if firmware is None:
        return cant("this installation has no firmware for keypads: the Debian package has it")
    if send_notice(record, RENEW_KEYPADS):
        print_lines(["The running table does it: it says of each keypad when it is done."])
        return WELL
    refused = False
    for status in scan_keypads(print_error, UsbPorts(usb)):
        name = status["keypad"] or status["port"]
        if status["keypad"] and _version(status["firmware"]) >= firmware.version:
            print_lines([f"{name} has firmware {status['firmware']}"])
            continue
        print_lines([f"{name} gets firmware {firmware.version_text} …"])
        try:
            install(status["port"], firmware)
        except RenewalError as error:
            refused = True
            print_error(f"{name}: {error}")
    return PROBLEM if refused else WELL


def _version(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(".")))


def _pads_here() -> "list[Json]":
    """The number pads that are plugged in and may be opened."""
    from companion.devices.pads.input_devices import EvdevDevices, look_for_pads

    try:
        return look_for_pads(EvdevDevices())
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


# ---------------------------------------------------------------- self-test


CHECK_HELP = """
Keys and display need somebody who presses and looks, and a table that does not run
(sudo systemctl stop companion). Exit status 0: nothing is wrong, though there may be warnings;
1: something is wrong; 2: asked wrongly. With --json: {"status", "parts": {PART: {"result",
"findings": [{"result", "found", "remedy", "figures", "renews_keypads"}]}}}, a result being ok,
warning, fault or not tried; nothing is asked then."""


def add_check(commands: "Commands") -> None:
    command = add_command(
        commands, "check", "try the box, part by part, and tell what to do", check
    )
    command.epilog = CHECK_HELP
    parts = f"only these: {', '.join(PARTS)}"
    command.add_argument("--only", metavar="PART[,PART]", type=_parts, help=parts)
    command.add_argument("--no-questions", action="store_true", help="ask nobody anything")
    add_json(command)
    command.add_argument("--config", metavar="FILE", type=Path, help="a configuration in TOML")
    add_record(command)


def check(args: argparse.Namespace, games: "Catalog") -> int:
    """Tests the box part by part."""
    from companion.app.check.report import Wanted, check_box

    wanted = Wanted(args.config, args.only or PARTS, not args.no_questions, args.json)
    return check_box(wanted, lambda config: named_record(args, config), games.rules)


def _parts(words: str) -> tuple[str, ...]:
    found = tuple(words.split(","))
    if unknown := [word for word in found if word not in PARTS]:
        raise argparse.ArgumentTypeError(f"there is no part {unknown[0]!r}: {', '.join(PARTS)}")
    return found


# ---------------------------------------------------------------- certificate


CERTIFICATE_HELP = """
It is for this machine's names and its address in the network. Once a month the command may run
again, from a timer say: it makes another one 60 days before the end, or when names or address have
changed. The authority stays, for ten years; phones install it once, at /trust on the page
(docs/configuration.md)."""


def add_certificate(commands: "Commands") -> None:
    command = add_command(
        commands, "certificate", "make a certificate for the page's HTTPS", certificate
    )
    command.epilog = CERTIFICATE_HELP
    command.add_argument("folder", metavar="FOLDER", type=Path, help="where its files are kept")
    command.add_argument(
        "--name", metavar="NAME", action="append", default=[], help="another name or IP address"
    )


def certificate(args: argparse.Namespace, _games: "Catalog") -> int:
    """Makes a certificate signed by the box's own authority, or keeps a valid one; prints where it
    is."""
    from datetime import UTC, datetime

    from companion.core.errors import SetupError
    from companion.web.address import network_address
    from companion.web.certificates import CERTIFICATE, CERTIFICATE_KEY, make_certificate
    from companion.web.own_names import own_names

    names = [*own_names(), network_address(), "localhost", "127.0.0.1", "::1", *args.name]
    at = datetime.now(UTC).replace(microsecond=0)
    try:
        made = make_certificate(args.folder, names, at)
    except ModuleNotFoundError as error:
        return cant(
            f"companion certificate needs {error.name}: pip install 'table-companion[club]', "
            "or sudo apt install python3-cryptography"
        )
    except SetupError as error:
        return cant(f"companion certificate: {error}")
    place = args.folder.absolute()
    kept = "A new certificate" if made.certificate else "The certificate stays, and"
    lines = [f"{kept} holds until {made.ends:%Y-%m-%d}."]
    if made.authority:
        lines += [
            "Write into the configuration, below [web]:",
            f'certificate = "{place / CERTIFICATE}"',
            f'key = "{place / CERTIFICATE_KEY}"',
            "Phones install the authority once, at /trust on the page.",
        ]
    print_lines([*lines, f"The authority's SHA-256 is {made.fingerprint}"])
    return WELL
