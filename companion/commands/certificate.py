"""`companion certificate`: a certificate for the page's HTTPS."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.arguments import add_command
from companion.commands.terminal import SUCCESS, fail, print_lines

if TYPE_CHECKING:
    from companion.app.catalog import Catalog
    from companion.commands.arguments import Commands


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
    """Makes a certificate signed by the box's own authority, unless there is a valid one; prints
    where it is. Returns the exit status."""
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
        return fail(
            f"companion certificate needs {error.name}: pip install 'table-companion[club]', "
            "or sudo apt install python3-cryptography"
        )
    except SetupError as error:
        return fail(f"companion certificate: {error}")
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
    return SUCCESS
