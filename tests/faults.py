"""Tries whether the tests notice faults: puts one after another into the program, drawn by a seed,
and runs what a change there can affect, until the first failure.

    python -m tests.faults [--seed 42] [--number 40]    what `make test` tries, then the whole run

Prints a line for each fault: where it is, and whether the share of `make test` caught it, only the
whole run, or none. A fault that only the whole run catches wants a test. The working tree has to be
clean; each file is put back as it was.
"""

import argparse
import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from tests.changed import ROOT, chosen, git

FOLDERS = ("games", "record", "table", "web", "hub", "console")
OPERATORS: dict[type[ast.AST], str] = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
    ast.Add: "-", ast.Sub: "+", ast.And: "or", ast.Or: "and",
}  # fmt: skip
"""What takes the place of each operator."""
TESTS_FAILED = 1
"""What pytest returns then; anything greater means that it could not run, which is noticed, too."""


@dataclass(frozen=True)
class Fault:
    """A piece of one line that becomes another text."""

    path: str
    line: int
    start: int
    end: int
    text: str
    """What takes its place."""

    def within(self, source: str) -> str:
        """The source with the fault in it."""
        lines = source.splitlines(keepends=True)
        raw = lines[self.line - 1].encode()
        raw = raw[: self.start] + self.text.encode() + raw[self.end :]
        lines[self.line - 1] = raw.decode()
        return "".join(lines)


def faults_in(path: str) -> Iterator[Fault]:
    """The faults that a file can have: operators, limits and branches."""
    source = (ROOT / path).read_text("utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            yield from _between(path, source, node.left, node.comparators[0], node.ops[0])
        elif isinstance(node, ast.BinOp):
            yield from _between(path, source, node.left, node.right, node.op)
        elif isinstance(node, ast.BoolOp):
            yield from _between(path, source, node.values[0], node.values[1], node.op)
        elif isinstance(node, ast.Constant) and type(node.value) is int:
            yield Fault(
                path, node.lineno, node.col_offset, node.end_col_offset or 0, str(node.value + 1)
            )
        elif isinstance(node, ast.If | ast.IfExp | ast.While):
            test = node.test
            if test.lineno == test.end_lineno:
                was = ast.get_source_segment(source, test)
                end = test.end_col_offset or 0
                yield Fault(path, test.lineno, test.col_offset, end, f"(not ({was}))")


def _between(
    path: str, source: str, left: ast.expr, right: ast.expr, operator: ast.AST
) -> Iterator[Fault]:
    """The other operator between two operands on one line."""
    other = OPERATORS.get(type(operator))
    start, end = left.end_col_offset or 0, right.col_offset
    if other is None or left.end_lineno != right.lineno:
        return
    line = source.splitlines()[right.lineno - 1].encode()
    if not set("()#\"'") & set(line[start:end].decode()):
        yield Fault(path, right.lineno, start, end, f" {other} ")


def draw(seed: int, number: int) -> list[Fault]:
    """So many faults, as many in each folder, no two in one file."""
    random, found = Random(seed), list[Fault]()
    paths = {
        folder: sorted(
            str(path.relative_to(ROOT)) for path in (ROOT / "companion" / folder).rglob("*.py")
        )
        for folder in FOLDERS
    }
    for at in range(number):
        folder = paths[FOLDERS[at % len(FOLDERS)]]
        some: list[Fault] = []
        while not some:
            some = [*faults_in(folder.pop(random.randrange(len(folder))))]
        found.append(random.choice(some))
    return found


def is_caught(tests: list[str], *more: str) -> bool:
    """Whether one of these test files fails."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "logical", "--dist", "loadfile"]
    command += ["-p", "no:cacheprovider", "-m", "not serial", *more, *tests]
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode in (
        TESTS_FAILED, 2,
    )  # fmt: skip


def near_first(fault: Fault, tests: list[str]) -> list[list[str]]:
    """The tests of the fault's own folder, then the others: the first failure comes sooner."""
    own = f"tests/{fault.path.split('/')[1]}/"
    near = [one for one in tests if one.startswith(own)]
    return [some for some in (near, [one for one in tests if one not in near]) if some]


def tried(fault: Fault) -> str:
    """What notices the fault."""
    path, tests = ROOT / fault.path, chosen([fault.path]) or ["tests"]
    source = path.read_text("utf-8")
    path.write_text(fault.within(source), "utf-8")
    try:
        for what, more in (("make test", ("--sample",)), ("the whole run alone", ())):
            if any(is_caught(some, *more) for some in near_first(fault, tests)):
                return what
        return "nothing"
    finally:
        path.write_text(source, "utf-8")


def main() -> None:
    """Prints each fault with what noticed it."""
    asked = argparse.ArgumentParser(prog="python -m tests.faults")
    asked.add_argument("--seed", type=int, default=42)
    asked.add_argument("--number", type=int, default=40)
    asked.add_argument("--list", action="store_true", help="only print the faults")
    given = asked.parse_args()
    if not given.list and git("status", "--porcelain", "companion"):
        sys.exit("The working tree has to be clean.")
    for fault in draw(given.seed, given.number):
        line = (ROOT / fault.path).read_text("utf-8").splitlines()[fault.line - 1].encode()
        was = line[fault.start : fault.end].decode().strip()
        noticed = "" if given.list else f": {tried(fault)}"
        where = f"{fault.path}:{fault.line}"
        print(f"{where}: “{was}” → “{fault.text.strip()}”{noticed}", flush=True)


if __name__ == "__main__":
    main()
