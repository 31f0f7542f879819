"""`companion certificate`: makes a certificate for the page's HTTPS, signed by an authority of the
box's own."""

import argparse
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.arguments import add_command
from companion.commands.terminal import WELL, cant, say
from companion.core.errors import SetupError

if TYPE_CHECKING:
    from companion.app.catalog import Catalog
    from companion.commands.arguments import Commands

HELP = """
It is for this machine's names and its address in the network. Once a month the command may run
again, from a timer say: it makes another one 60 days before the end, or when names or address have
changed. The authority stays, for ten years; phones install it once, at /trust on the page
(docs/configuration.md)."""


def add_certificate(commands: "Commands") -> None:
    """Adds the command `companion certificate FOLDER`."""

    def do(args: argparse.Namespace, _games: "Catalog") -> int:
        return certificate(args.folder, args.name)

    command = add_command(commands, "certificate", "make a certificate for the page's HTTPS", do)
    command.epilog = HELP
    command.add_argument("folder", metavar="FOLDER", type=Path, help="where its files are kept")
    command.add_argument(
        "--name", metavar="NAME", action="append", default=[], help="another name or IP address"
    )


def certificate(folder: Path, names: Sequence[str]) -> int:
    """Makes the certificate or leaves the one there, and says where it is; gives the exit
    status."""
    from companion.web.address import network_address
    from companion.web.certificates import CERTIFICATE, CERTIFICATE_KEY, make_certificate
    from companion.web.own_names import own_names

    here = (*own_names(), network_address(), "localhost", "127.0.0.1", "::1")
    try:
        made = make_certificate(folder, [*here, *names], datetime.now(UTC).replace(microsecond=0))
    except ModuleNotFoundError as error:
        return cant(
            f"companion certificate needs {error.name}: pip install 'table-companion[club]', "
            "or sudo apt install python3-cryptography"
        )
    except SetupError as error:
        return cant(f"companion certificate: {error}")
    place = folder.absolute()
    kept = "A new certificate" if made.certificate else "The certificate stays, and"
    lines = [f"{kept} holds until {made.ends:%Y-%m-%d}."]
    if made.authority:
        lines += [
            "Write into the configuration, below [web]:",
            f'certificate = "{place / CERTIFICATE}"',
            f'key = "{place / CERTIFICATE_KEY}"',
            "Phones install the authority once, at /trust on the page.",
        ]
    say([*lines, f"The authority's SHA-256 is {made.fingerprint}"])
    return WELL
