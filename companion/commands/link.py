"""`companion link`: a link that lets one browser of this machine in to the running table.

Programs of this machine show its page a secret, which is in a file beside the table's record. A
service gives it to those that it starts, in a file for systemd or in the environment.
"""

import argparse
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, Request, build_opener

from companion.app.config import load_config
from companion.commands.arguments import named_record
from companion.commands.terminal import FOUND, WELL, complain
from companion.core.regular_file import read_text
from companion.web.access import is_loopback, read_secret

SERVICE_PAGE: Final = Path("/run/companion/page")
"""Written by the service: PAGE=, its address, and TABLE_SECRET=."""
VARIABLE: Final = "TABLE_SECRET"
ANSWERS_S: Final = 10.0


def secret_of_table(args: argparse.Namespace, page: str) -> str:
    """The secret of the table whose page is at the address `page`: in the environment, which then
    no longer has it for programs that this one starts, or beside the record. Empty if it can't be
    read, or the page is on another machine. Raises ConfigError."""
    given = os.environ.pop(VARIABLE, "")
    with suppress(ValueError):
        if not is_loopback(urlsplit(page).hostname or ""):
            return ""
    if given:
        return given
    with suppress(OSError, ValueError):
        return read_secret(named_record(args, load_config()).with_suffix(".secret"))
    return ""


def print_link(args: argparse.Namespace, usual_page: str) -> int:
    """Prints a link for one browser; gives the exit status. `usual_page`: where the page of a table
    is that somebody has started by hand. Raises ConfigError."""
    page, secret = args.page, ""
    if page is None and args.record is None:
        try:
            told = read_text(SERVICE_PAGE)
        except FileNotFoundError:
            pass
        except OSError:
            complain("the table is a service here: sudo companion link")
            return FOUND
        else:
            said = dict(line.partition("=")[::2] for line in told.splitlines())
            page, secret = said.get("PAGE"), said.get(VARIABLE, "")
    page = (page or usual_page).rstrip("/")
    shown = {"Authorization": f"Bearer {secret or secret_of_table(args, page)}"}
    try:
        # Never through a proxy, which would be shown the secret.
        ask = build_opener(ProxyHandler({})).open
        with ask(Request(f"{page}/open", b"", shown), timeout=ANSWERS_S) as answer:
            print(f"{page}{json.load(answer)['path']}")
    except HTTPError:
        complain(f"the table at {page} is of another record: name it by --record")
        return FOUND
    except (OSError, ValueError) as error:
        complain(f"the table at {page} doesn't answer: start it first ({error})")
        return FOUND
    return WELL
