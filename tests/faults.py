"""Checks that the tests notice faults (mutation testing): puts random faults into the program, one
at a time, and runs the tests that reach each, until the first failure.

    python -m tests.faults [--seed 42] [--number 40]    what `make test` tries
    python -m tests.faults --whole                      what `make test-all` tries

First all tests run once with a probe at the start of each function that will get a fault: it notes
the tests that call it, also in the programs that they start. Then the files of these tests run,
those of the fault's own folder first. Prints a line for each fault: where it is, whether one of
these files noticed it, and how many they are. A fault that nothing notices needs a test, unless it
doesn't change what the program does. The working tree has to be clean; each file is put back as it
was.
"""

import argparse
import ast
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.changed import ROOT, git

FOLDERS = ("games", "record", "table", "web", "club", "console")
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
    """A fault: a piece of one line, and the text that replaces it."""

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
    """That number of faults, equally many in each folder, no two in one file."""
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


# ---------------------------------------------------------------- which tests reach a fault

NOTER = """
import os, sys
def reached(number, seen=set()):
    test = number, os.environ.get("PYTEST_CURRENT_TEST", "").partition("::")[0]
    if test not in seen:
        seen.add(test)
        file = os.open({notes!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(file, "{{}} {{}}\\n".format(*test).encode())
        os.close(file)
sys.faults_reached = reached
"""
"""Notes each pair of a fault and a test file once a process. A program that a test starts has the
test's name in its environment."""
PROBE = (
    "import pathlib as _pathlib, sys as _sys; (getattr(_sys, 'faults_reached', None) or "
    "(exec(_pathlib.Path({noter!r}).read_text(), {{}}), _sys.faults_reached)[1])({number})"
)
"""The line that notes that a fault is reached; it needs nothing of ours, wherever it runs."""


def probed(source: str, line: int, probe: str) -> str | None:
    """The source with the probe at the start of the function around a line; None if no function is
    around it."""
    around = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body[0].lineno <= line <= (node.end_lineno or 0)
    ]
    if not around:
        return None
    body = max(around, key=lambda node: node.lineno).body
    first = body[1] if ast.get_docstring(ast.Module(body, [])) and body[1:] else body[0]
    above = [one.lineno for one in getattr(first, "decorator_list", [])]
    lines = source.splitlines(keepends=True)
    lines.insert(min([first.lineno, *above]) - 1, f"{' ' * first.col_offset}{probe}\n")
    return "".join(lines)


def reaching(faults: list[Fault], *more: str) -> list[list[str]]:
    """The test files that reach each fault, those of its own folder first."""
    with TemporaryDirectory() as folder, ExitStack() as back:
        noter, notes = Path(folder, "noter.py"), Path(folder, "notes")
        noter.write_text(NOTER.format(notes=str(notes)), "utf-8")
        notes.touch()
        Path(folder).chmod(0o755)
        notes.chmod(0o666)  # some tests start a program as another user
        for number, fault in enumerate(faults):
            path = ROOT / fault.path
            source = path.read_text("utf-8")
            probe = PROBE.format(noter=str(noter), number=number)
            if text := probed(source, fault.line, probe):
                back.callback(path.write_text, source, "utf-8")
                path.write_text(text, "utf-8")
        run(["tests"], *more)
        pairs = {tuple(line.split(" ", 1)) for line in notes.read_text("utf-8").splitlines()}
    found = list[list[str]]()
    for number, fault in enumerate(faults):
        files = sorted(file for at, file in pairs if file and at == str(number))
        own = [file for file in files if file.startswith(f"tests/{fault.path.split('/')[1]}/")]
        found.append([*own, *(file for file in files if file not in own)])
    return found


# ---------------------------------------------------------------- whether they notice it


def run(tests: list[str], *more: str) -> int:
    """Runs these tests, those of a file in their order, as some need that; returns pytest's exit
    status."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "logical", "--dist", "loadfile"]
    command += ["--no-loadscope-reorder", "-p", "no:cacheprovider", "-m", "not serial"]
    done = subprocess.run([*command, *more, *tests], cwd=ROOT, capture_output=True, check=False)
    return done.returncode


def is_caught(fault: Fault, tests: list[str], *more: str) -> bool:
    """Whether one of these test files fails with the fault."""
    path = ROOT / fault.path
    source = path.read_text("utf-8")
    path.write_text(fault.within(source), "utf-8")
    try:
        return bool(tests) and run(tests, "-x", *more) in (TESTS_FAILED, 2)
    finally:
        path.write_text(source, "utf-8")


def main() -> None:
    """Prints each fault, and whether a test noticed it."""
    asked = argparse.ArgumentParser(prog="python -m tests.faults")
    asked.add_argument("--seed", type=int, default=42)
    asked.add_argument("--number", type=int, default=40)
    asked.add_argument("--whole", action="store_true", help="try what `make test-all` tries")
    asked.add_argument("--list", action="store_true", help="only print the faults")
    given = asked.parse_args()
    if not given.list and git("status", "--porcelain", "companion"):
        sys.exit("The working tree has to be clean.")
    faults, more = draw(given.seed, given.number), () if given.whole else ("--sample",)
    reached = [[]] * len(faults) if given.list else reaching(faults, *more)
    for fault, tests in zip(faults, reached, strict=True):
        line = (ROOT / fault.path).read_text("utf-8").splitlines()[fault.line - 1].encode()
        was = line[fault.start : fault.end].decode().strip()
        told = f"{fault.path}:{fault.line}: “{was}” → “{fault.text.strip()}”"
        if not given.list:
            noticed = "noticed" if is_caught(fault, tests, *more) else "NOT noticed"
            told += f": {noticed}, {len(tests)} files reach it"
        print(told, flush=True)


if __name__ == "__main__":
    main()
