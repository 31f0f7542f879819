"""Commands as processes whose output is closed, full or gone."""

import argparse
import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.commands.cli import make_parser
from companion.commands.terminal import FAILURE
from tests.commands.running import Run

ROOT = Path(__file__).parents[2]


def test_the_program_ends_quietly_when_its_reader_closes_the_pipe(tmp_path: Path) -> None:
    tally = tmp_path / "a.tally"
    names = " ".join(f"scorer{n}" for n in range(2))
    tally.write_text(f"tally 1\ngame five-up\nseats {names}\n" + "hand\nredeal\n" * 1)
    out, into = os.pipe()
    os.close(out)
    ran = subprocess.run(
        [sys.executable, "-m", "companion", "replay", str(tally)],
        cwd=ROOT,
        stdout=into,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(into)
    assert (ran.returncode, ran.stderr) == (141, b"")


@pytest.mark.parametrize(
    ("closed", "status", "written"),
    [("1", 0, b""), ("2", 0, b"Red 10, Blue 0"), ("1 2", 0, b"")],
)
def test_the_program_reports_a_closed_output(
    tmp_path: Path, closed: str, status: int, written: bytes
) -> None:
    tally = tmp_path / "a.tally"
    tally.write_text("tally 1\ngame high-five\nseats Red Blue\nhand\nRed 5-5\n")
    shut = " ".join(f"{number}>&-" for number in closed.split())
    ran = subprocess.run(
        ["sh", "-c", f'exec "$0" -m companion replay "$1" {shut}', sys.executable, str(tally)],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (status, b"")
    assert written in ran.stdout


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (FileNotFoundError(2, "No such file or directory", "/x/r.db"), "/x/r.db: No such file"),
        (OSError(28, "No space left on device", "/x"), "/x: No space left on device"),
        (TimeoutError("timed out"), "timed out"),
    ],
)
def test_other_system_errors_are_not_reported_as_output_errors(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: OSError, says: str
) -> None:
    def refused(*_: object, **__: object) -> int:
        raise error

    monkeypatch.setattr("companion.commands.games.list_games", refused)
    status, out, told = run("games", "--record", "r.db")
    assert (status, out) == (1, "")
    assert told.startswith(f"companion: {says}")


def test_an_output_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    tally = tmp_path / "game.tally"
    tally.write_text("tally 1\ngame high-five\nseats Red Blue\nhand\n")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "companion", "replay", str(tally)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "can't be written" in done.stderr


def test_commands_read_only_arguments_that_a_parser_sets() -> None:
    set_by_parsers = set(_destinations(make_parser()))
    for path in (ROOT / "companion" / "commands").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                known = node.value.id != "args" or node.attr in set_by_parsers
                assert known, f"{path.name}, line {node.lineno}: args.{node.attr}"


def _destinations(parser: argparse.ArgumentParser) -> Iterator[str]:
    yield from parser._defaults
    for action in parser._actions:
        yield action.dest
        if isinstance(action, argparse._SubParsersAction):
            for one in action.choices.values():
                yield from _destinations(one)


@pytest.mark.parametrize("words", [["--previous"], ["--told", "any.update"]])
def test_an_update_without_roots_rights_is_refused(
    words: list[str], monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    status, _, said = run("update", *words)
    assert status == FAILURE and "sudo companion update" in said
