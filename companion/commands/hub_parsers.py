"""The arguments of `companion hub`."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.arguments import Do, Parser, add_command, add_json, default_record_path
from companion.core.clock import MOST_MONTHS

if TYPE_CHECKING:
    from companion.app.catalog import Catalog
    from companion.commands.arguments import Commands


def add_hub(commands: "Commands") -> None:
    """Adds the command `companion hub`."""
    parser = commands.add_parser(
        "hub",
        help="many tables, one club: run its hub, join it, push to it",
        description="Many tables, one club (docs/hub.md).",
    )
    parser.set_defaults(group=parser)
    parts = parser.add_subparsers(title="commands", metavar="COMMAND")
    for add in (
        _add_run, _add_join, _add_accept, _add_call, _add_push, _add_fetch, _add_leave,
        _add_rulings, _add_verify, _add_copies, _add_federation, _add_people,
    ):  # fmt: skip
        add(parts)


def _do(extra: str, do: "Callable[[argparse.Namespace, Catalog], int]") -> Do:
    def done(args: argparse.Namespace, games: "Catalog") -> int:
        from companion.commands.hub import with_libraries

        return with_libraries(extra, lambda: do(args, games))

    return done


def _add_run(parts: "Commands") -> None:
    def do(args: argparse.Namespace, games: "Catalog") -> int:
        from companion.commands.hub import run

        return run(
            games,
            args.data,
            database=args.database,
            port=args.port,
            name=args.name,
            backup_to=args.backup,
            announces=not args.quiet,
            address=args.address,
            certificate=args.certificate,
            key=args.key,
            encrypted_port=args.encrypted_port,
            keep_names_months=args.keep_names,
        )

    command = add_command(parts, "run", "run a club's hub", _do("hub", do))
    _add_data(command)
    command.add_argument("--database", metavar="URL", help="PostgreSQL in place of SQLite in DIR")
    command.add_argument("--port", metavar="N", type=_port, help="where it listens (8070)")
    command.add_argument("--name", metavar="NAME", help="what the club is called")
    explained = "copy the hub there every minute, a stick say"
    command.add_argument("--backup", metavar="FOLDER", type=_path, help=explained)
    explained = "where boxes reach it, as https://club.example, if not at this machine's address"
    command.add_argument("--address", metavar="ADDRESS", help=explained)
    explained = "speak HTTPS, too, with this certificate and its key, in PEM"
    command.add_argument("--certificate", metavar="FILE", type=_path, help=explained)
    command.add_argument("--key", metavar="FILE", type=_path, help="if the key has its own file")
    explained = "where it listens for HTTPS (8470)"
    command.add_argument("--encrypted-port", metavar="N", type=_port, help=explained)
    explained = "show the names in games for so many months (0: for ever); kept for later"
    command.add_argument("--keep-names", metavar="MONTHS", type=_months, help=explained)
    explained = "don't say in the network that it is there"
    command.add_argument("--quiet", action="store_true", help=explained)


def _port(word: str) -> int:
    if not (word.isdecimal() and word.isascii() and int(word) < 65536):
        raise argparse.ArgumentTypeError(f"{word} is not a port: 1 to 65535, or 0 for any")
    return int(word)


def _months(word: str) -> int:
    if not (word.isdecimal() and word.isascii() and int(word) <= MOST_MONTHS):
        raise argparse.ArgumentTypeError(f"{word} is no number of months, 0 to {MOST_MONTHS}")
    return int(word)


def _add_join(parts: "Commands") -> None:
    def do(args: argparse.Namespace, games: "Catalog") -> int:
        from companion.commands.club import join

        return join(games, args.address, _record(args), args.name, older=args.older)

    command = add_command(parts, "join", "ask to join a club; prints six digits", _do("club", do))
    command.add_argument("address", metavar="ADDRESS", help="of the hub, as 192.168.1.20:8070")
    _add_record(command)
    command.add_argument("--name", metavar="NAME", help="what this box is called")
    command.add_argument("--older", action="store_true", help="older games go to the club, too")


def _add_accept(parts: "Commands") -> None:
    def do(args: argparse.Namespace, _games: "Catalog") -> int:
        from companion.commands.hub import accept

        return accept(args.data, args.digits, args.instead_of, as_club=args.club)

    told = "take a box into the club, or a club into the federation"
    command = add_command(parts, "accept", told, _do("hub", do))
    command.add_argument("digits", metavar="DIGITS", help="the six that the box shows")
    told = "it is a club: it may push the tables of its own boxes"
    command.add_argument("--club", action="store_true", help=told)
    told = "it takes the place of that box, which lost its games: they go back to it"
    command.add_argument("--as", dest="instead_of", metavar="BOX", default="", help=told)
    _add_data(command)


def _add_call(parts: "Commands") -> None:
    def do(args: argparse.Namespace, _games: "Catalog") -> int:
        from companion.commands.hub import call

        return call(args.data, args.box, args.name, args.number)

    told = "give a box a name, and its table the number by which it gets the seats of events"
    command = add_command(parts, "call", told, _do("hub", do))
    _add_box(command)
    command.add_argument("name", metavar="NAME", help="what the box is called from now on")
    explained = "of its table, 1 to 999; without it the table has none"
    command.add_argument("--number", metavar="NUMBER", type=int, help=explained)
    _add_data(command)


def _add_push(parts: "Commands") -> None:
    def do(args: argparse.Namespace, games: "Catalog") -> int:
        from companion.commands.club import push

        return push(games, _record(args), once=args.once)

    command = add_command(
        parts, "push", "push what the hub doesn't have, as a running table does", _do("club", do)
    )
    _add_record(command)
    command.add_argument("--once", action="store_true", help="end when the hub has all")


def _add_fetch(parts: "Commands") -> None:
    def do(args: argparse.Namespace, games: "Catalog") -> int:
        from companion.commands.club import fetch

        return fetch(games, _record(args))

    told = "bring rows back that the club has and the record lost"
    _add_record(add_command(parts, "fetch", told, _do("club", do)))


def _add_leave(parts: "Commands") -> None:
    def do(args: argparse.Namespace, games: "Catalog") -> int:
        from companion.commands.club import leave

        return leave(games, _record(args))

    _add_record(add_command(parts, "leave", "leave the club", _do("club", do)))


def _add_rulings(parts: "Commands") -> None:
    def do_choose(args: argparse.Namespace, _games: "Catalog") -> int:
        from companion.commands.hub import choose

        return choose(args.data, args.box, args.chain)

    def do_retire(args: argparse.Namespace, _games: "Catalog") -> int:
        from companion.commands.hub import retire

        return retire(args.data, args.box)

    def do_throw_out(args: argparse.Namespace, _games: "Catalog") -> int:
        from companion.commands.hub import throw_out

        return throw_out(args.data, args.box)

    command = add_command(
        parts, "choose", "say which chain of a box goes on", _do("hub", do_choose)
    )
    _add_box(command)
    command.add_argument("chain", metavar="CHAIN", type=int, help="its number, as verify says it")
    _add_data(command)
    for word, told, do in (
        ("retire", "end a membership, as if the box had left; its results stay", do_retire),
        ("throw-out", "throw a member out, with what it pushed for other boxes", do_throw_out),
    ):
        command = add_command(parts, word, told, _do("hub", do))
        _add_box(command)
        _add_data(command)


def _add_federation(parts: "Commands") -> None:
    def do_federate(args: argparse.Namespace, _games: "Catalog") -> int:
        from companion.commands.hub import federate, leave
        from companion.commands.terminal import cant

        if args.leave:
            return leave(args.data)
        if args.address is None:
            return cant("companion hub federate: name the address of the federation's hub")
        return federate(args.data, args.address)

    def do_restore(args: argparse.Namespace, _games: "Catalog") -> int:
        from companion.commands.hub import restore

        return restore(args.data)

    told = "push this club's tables on to a federation's hub; prints six digits"
    command = add_command(parts, "federate", told, _do("hub", do_federate))
    command.add_argument("address", metavar="ADDRESS", nargs="?", help="of the federation's hub")
    command.add_argument("--leave", action="store_true", help="leave the federation")
    _add_data(command)
    told = "take back from the federation what this hub has lost"
    _add_data(add_command(parts, "restore", told, _do("hub", do_restore)))


def _add_people(parts: "Commands") -> None:
    def do_rename(args: argparse.Namespace, _games: "Catalog") -> int:
        from companion.commands.hub import rename

        return rename(args.data, args.name, args.to)

    def do_hide(args: argparse.Namespace, _games: "Catalog") -> int:
        from companion.commands.hub import hide

        return hide(args.data, args.name)

    def do_take_back(args: argparse.Namespace, _games: "Catalog") -> int:
        from companion.commands.hub import take_back

        return take_back(args.data)

    def do_forget(args: argparse.Namespace, _games: "Catalog") -> int:
        from companion.commands.hub import forget

        return forget(args.data, args.name)

    def do_same(args: argparse.Namespace, _games: "Catalog") -> int:
        from companion.commands.hub import same_person

        same = not args.take_back
        return same_person(args.data, args.name, args.club, args.other, same=same)

    told = "say that a person of this club is one of another club of the federation, too"
    command = add_command(parts, "same-person", told, _do("hub", do_same))
    command.add_argument("name", metavar="NAME", type=_name)
    command.add_argument("club", metavar="CLUB", help="the other club's name or identity")
    command.add_argument("other", metavar="OTHER", type=_name, help="the name there")
    command.add_argument("--take-back", action="store_true", help="say that they are two people")
    _add_data(command)
    told = "say that a name counts as another one at all tables"
    command = add_command(parts, "rename", told, _do("hub", do_rename))
    command.add_argument("name", metavar="NAME", type=_name)
    command.add_argument("to", metavar="TO", type=_name)
    _add_data(command)
    for word, told, do in (
        ("hide", "show a name nowhere any more", do_hide),
        ("forget", "take a name out of what is the hub's own", do_forget),
    ):
        command = add_command(parts, word, told, _do("hub", do))
        command.add_argument("name", metavar="NAME", type=_name)
        _add_data(command)
    told = "take back what was said of people last"
    _add_data(add_command(parts, "take-back", told, _do("hub", do_take_back)))


def _name(word: str) -> str:
    return "_".join(word.split())


def _add_verify(parts: "Commands") -> None:
    def do(args: argparse.Namespace, _games: "Catalog") -> int:
        from companion.commands.hub import verify

        return verify(args.data, args.database, as_json=args.json)

    command = add_command(parts, "verify", "check all that a hub keeps", _do("hub", do))
    of = command.add_mutually_exclusive_group(required=True)
    of.add_argument("--data", metavar="DIR", type=_path, help="the hub's folder")
    of.add_argument("--database", metavar="URL", help="its PostgreSQL")
    add_json(command)


def _add_copies(parts: "Commands") -> None:
    def do_export(args: argparse.Namespace, _games: "Catalog") -> int:
        from companion.commands.hub import export

        return export(args.data)

    def do_backup(args: argparse.Namespace, _games: "Catalog") -> int:
        from companion.commands.hub import backup

        return backup(args.data, args.to)

    _add_data(add_command(parts, "export", "print every row as JSON", _do("hub", do_export)))
    command = add_command(parts, "backup", "copy a hub to another folder", _do("hub", do_backup))
    _add_data(command)
    command.add_argument("to", metavar="FOLDER", type=_path, help="where to")


def _add_box(command: Parser) -> None:
    command.add_argument("box", metavar="BOX", help="its name, or its identity")


def _add_data(command: Parser) -> None:
    command.add_argument(
        "--data", metavar="DIR", type=_path, required=True, help="the hub's folder"
    )


def _add_record(command: Parser) -> None:
    command.add_argument("--record", metavar="FILE", type=_path, help="the box's record")


def _record(args: argparse.Namespace) -> Path:
    return args.record or default_record_path()


def _path(word: str) -> Path:
    return Path(word).expanduser()
