"""`companion link`: prints a link that gives a browser on this machine access. Also reads the
secret with which programs on this machine access the table's page.

The secret is in a file beside the table's record. A service passes it to the programs that it
starts, either in a file for systemd or in the environment."""

import argparse
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.commands.arguments import add_command, named_record
from companion.commands.terminal import PROBLEM, SUCCESS, print_error

if TYPE_CHECKING:
    from companion.app.catalog import Catalog
    from companion.commands.arguments import Commands


DEFAULT_PAGE: Final = "http://127.0.0.1:8055"
"""The address of the page of a table that was started by hand."""
SERVICE_PAGE: Final = Path("/run/companion/page")
"""A file written by the service with PAGE=, the page's address, and TABLE_SECRET=."""
SECRET_VARIABLE: Final = "TABLE_SECRET"
"""The environment variable with the table's secret."""
ANSWER_TIMEOUT_S: Final = 10.0


LINK_HELP = """
The table must be running. A browser that was let in stays in. From another computer: ssh with -L
PORT:127.0.0.1:PORT to this one, then open the link there. If it runs as a service, use
sudo companion link."""


def add_link(commands: "Commands") -> None:
    command = add_command(
        commands, "link", "print a link that lets one browser on this machine in", print_link
    )
    command.epilog = LINK_HELP
    command.add_argument(
        "--page", metavar="URL", help=f"where the table's page is (else {DEFAULT_PAGE})"
    )
    command.add_argument("--record", metavar="PATH", type=Path, help="the record of that table")


def print_link(args: argparse.Namespace, _games: "Catalog") -> int:
    """Prints a link that gives one browser access. Raises ConfigError."""
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
            page, secret = values.get("PAGE"), values.get(SECRET_VARIABLE, "")
    page = (page or DEFAULT_PAGE).rstrip("/")
    headers = {"Authorization": f"Bearer {secret or secret_of_table(args, page)}"}
    try:
        # Never through a proxy, which would be shown the secret.
        ask = build_opener(ProxyHandler({})).open
        with ask(Request(f"{page}/open", b"", headers), timeout=ANSWER_TIMEOUT_S) as answer:
            print(f"{page}{json.load(answer)['path']}")
    except HTTPError:
        print_error(f"the table at {page} is of another record: name it by --record")
        return PROBLEM
    except (OSError, ValueError) as error:
        print_error(f"the table at {page} doesn't answer: start it first ({error})")
        return PROBLEM
    return SUCCESS


def secret_of_table(args: argparse.Namespace, page: str) -> str:
    """Returns the secret of the table whose page is at the address `page`; empty if it can't be
    read or the page is on another machine. Takes it from the environment if it is there, removing
    it so that programs started by this one don't get it, and otherwise from the file beside the
    record. Raises ConfigError."""
    from urllib.parse import urlsplit

    from companion.app.config import load_config
    from companion.web.access import is_loopback, read_secret

    given = os.environ.pop(SECRET_VARIABLE, "")
    with suppress(ValueError):
        if not is_loopback(urlsplit(page).hostname or ""):
            return ""
    if given:
        return given
    with suppress(OSError, ValueError):
        return read_secret(named_record(args, load_config()).with_suffix(".secret"))
    return ""
