"""python -m tests.tape record [NAME …]: records tapes anew, all of them or some; see README.md.
python -m tests.tape digest [NAME …]: notes anew what comes of the same presses, and says at how
many lines which part is another.
python -m tests.tape reach: notes anew what the tapes reach.
python -m tests.tape show NAME LINE [LAST]: what comes of these lines."""

import argparse
import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

from tests.catalogues import renew_catalogues
from tests.tape.casts import CASTS
from tests.tape.compare import compare, digest, show
from tests.tape.reach import REACH, ReachedNames, everything, format_reach, load
from tests.tape.record import Cast, record
from tests.tape.tape import PLAYED

T = TypeVar("T")


def main() -> None:
    """Runs one of the four commands."""
    parser = argparse.ArgumentParser(prog="python -m tests.tape", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    names = [cast.name for cast in CASTS]
    recording = commands.add_parser("record", help="record tapes anew")
    recording.add_argument("names", nargs="*", metavar="NAME", help="these alone")
    digesting = commands.add_parser("digest", help="note anew what comes of the same presses")
    digesting.add_argument("names", nargs="*", metavar="NAME", help="of these tapes alone")
    commands.add_parser("reach", help="note anew what the tapes reach")
    showing = commands.add_parser("show", help="what comes of a line")
    showing.add_argument("name", choices=names, metavar="NAME")
    showing.add_argument("line", type=int)
    showing.add_argument("last", type=int, nargs="?")
    asked = parser.parse_args()
    renew_catalogues()
    if asked.command == "show":
        show(PLAYED / f"{asked.name}.tape", asked.line, asked.last or asked.line)
    elif asked.command == "digest":
        _each(_digested, asked.names or names)
    elif asked.command == "reach":
        _note_reach(_each(_reached, names))
    else:
        chosen = [cast for cast in CASTS if not asked.names or cast.name in asked.names]
        reached = _each(_recorded, chosen)
        if not asked.names:
            _note_reach(reached)


def _recorded(cast: Cast) -> tuple[str, ReachedNames]:
    tape, reached = record(cast)
    PLAYED.mkdir(exist_ok=True)
    (PLAYED / f"{cast.name}.tape").write_text(str(tape), "utf-8")
    return cast.name, reached


def _digested(name: str) -> tuple[str, ReachedNames]:
    path = PLAYED / f"{name}.tape"
    tape, parts, reached = digest(path)
    path.write_text(str(tape), "utf-8")
    print(f"{name}: {dict(parts) or 'nothing differs'}")
    return name, reached


def _reached(name: str) -> tuple[str, ReachedNames]:
    return name, compare(PLAYED / f"{name}.tape")


def _each(
    work: Callable[[T], tuple[str, ReachedNames]], of: Iterable[T]
) -> Mapping[str, ReachedNames]:
    """Does `work` for each item, in as many processes as there are processors; returns the names
    that each tape reached, by the tape's name."""
    found = {}
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for name, reached in pool.map(work, of):
            print(name, flush=True)
            found[name] = reached
    return found


def _note_reach(tapes: Mapping[str, ReachedNames]) -> None:
    REACH.write_text(format_reach(tapes), "utf-8")
    for missing in sorted(everything() - load().keys()):
        print(f"not reached: {missing}")


if __name__ == "__main__":
    main()
