"""`companion tv`: shows the table on a screen at the HDMI port."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.arguments import add_command
from companion.commands.link import DEFAULT_PAGE, secret_of_table

if TYPE_CHECKING:
    from companion.app.catalog import Catalog
    from companion.commands.arguments import Commands


def add_tv(commands: "Commands") -> None:
    command = add_command(
        commands, "tv", "draw the table on the screen that hangs on HDMI", show_tv
    )
    command.add_argument(
        "--page",
        metavar="URL",
        default=DEFAULT_PAGE,
        help=f"where the table's page is (else {DEFAULT_PAGE})",
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

        def on_alive() -> None:
            systemd.ready()
            systemd.feed()

        return show_in_browser(args.page, secret, args.browser, on_alive)
    from companion.web.tv.program import show_table

    return show_table(args.page, secret, with_box=args.with_box)
