"""The whole of `companion check`: its table, its JSON, its exit status, and which checks run."""

import ast
import json
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.app.check import PARTS, report
from companion.app.check.bench import Grade, SilentTerminal, fault, not_tried, ok, warning, worst
from companion.app.check.report import CHECKS, as_json, as_table, bench_of, exit_status, run_checks
from companion.app.config import Config
from companion.core.box_page import PARTS_CHECKED_WHILE_RUNNING
from companion.devices.board import load_board
from tests.app.check.person import Desk
from tests.sample_games import RACE_RULES
from tests.starting import python
from tests.test_layers import nodes
from tests.waiting import WAIT_S

ROOT = Path(__file__).parents[3]
ON_PC = ("--config", "c.toml", "--record", "r.db")


def test_every_part_has_a_check() -> None:
    assert tuple(CHECKS) == PARTS


def test_a_box_without_problems_exits_with_0(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "png_of", str)  # not every box has the library
    desk = Desk(tmp_path)
    found = run_checks(desk.bench, PARTS)
    assert {part: worst(findings) for part, findings in found.items()} == dict.fromkeys(
        PARTS, Grade.OK
    )
    assert exit_status(found) == 0
    assert [line.split()[0] for line in as_table(found) if line[0] != " "] == list(PARTS)


def test_only_a_fault_changes_the_exit_status() -> None:
    assert exit_status({"disk": [ok("a"), warning("b", "c")], "keys": [not_tried("d")]}) == 0
    assert exit_status({"disk": [ok("a"), fault("b", "c"), ok("d")]}) == 1


@pytest.mark.parametrize(
    ("settings", "model", "says"),
    [
        ("", "", "this is no Raspberry Pi: no keys, no display to try"),
        ("", "Pine64", "this is no Raspberry Pi, but Pine64: no keys, no display to try"),
        ('[box]\nhardware = "virtual"', "Raspberry Pi 5", "the configuration says"),
        ('[box]\nboard = "keys-17"', "Raspberry Pi 5", "{}: [box] board: 'keys-17' is not known"),
        ("[keys]\nhold = 3", "", "{}: [keys] hold is not known; did you mean hold_ms?"),
    ],
)
def test_a_missing_board_does_not_stop_other_checks(
    tmp_path: Path, settings: str, model: str, says: str
) -> None:
    desk = Desk(tmp_path)
    desk.write("proc/device-tree/model", model)
    file = tmp_path / "c.toml"
    file.write_text(settings)
    record = tmp_path / "record.db"
    bench = bench_of(file, lambda _: record, RACE_RULES, SilentTerminal(), desk.machine)
    found = run_checks(bench, PARTS)
    assert found["board"][0].found.startswith(says.format(file))
    for part in ("bus", "display", "keys"):
        assert worst(found[part]) is Grade.NOT_TRIED
    for part in ("disk", "clock", "record"):
        assert worst(found[part]) is Grade.OK
    assert exit_status(found) == int("{}" in says)


def test_the_configured_record_is_checked(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text('[record]\npath = "/somewhere/r.db"')

    def record_of(config: Config) -> Path:
        return Path(config.record.path)

    bench = bench_of(file, record_of, RACE_RULES, SilentTerminal(), Desk(tmp_path).machine)
    assert bench.record == Path("/somewhere/r.db")


def test_json_has_the_same_findings(tmp_path: Path) -> None:
    desk = Desk(tmp_path, asks=False)
    desk.fake_oled.unplug()
    told = json.loads(as_json(run_checks(desk.bench, ("bus", "clock"))))
    assert told["status"] == 1
    assert told["parts"]["clock"]["result"] == "ok"
    (found,) = told["parts"]["bus"]["findings"]
    assert found["result"] == "fault"
    assert found["remedy"].startswith("look at the display's four wires")


def test_findings_for_the_table_are_translatable_sentences() -> None:
    """Every finding can be translated, except for names and commands in it."""
    bare = [
        f"{path.name}:{given.lineno}"
        for name in {CHECKS[part].__module__ for part in PARTS_CHECKED_WHILE_RUNNING}
        | {"companion.app.check.disk"}
        for path in [ROOT.joinpath(*name.split(".")).with_suffix(".py")]
        for call in nodes(path)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
        if call.func.id in ("ok", "not_tried", "warning", "fault", "Finding")
        for given in (*call.args, *(word.value for word in call.keywords))
        if isinstance(given, ast.JoinedStr | ast.Constant | ast.BinOp)
        if not (isinstance(given, ast.Constant) and given.value in (True, False))
    ]
    assert bare == []


# ---------------------------------------------------------------- as a program


def companion_check(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The command on this machine, without a terminal."""
    (folder / "c.toml").write_text("")
    return subprocess.run(
        [sys.executable, "-m", "companion", "check", *ON_PC, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_pc_is_checked_without_a_board(tmp_path: Path) -> None:
    done = companion_check(tmp_path, "--only", "board,record")
    assert (done.returncode, done.stderr) == (0, "")
    first, second = done.stdout.strip().splitlines()
    assert first.startswith("board     not tried  this is no Raspberry Pi")
    assert second == "record    ok         r.db is not there yet: the table makes it"
    told = json.loads(companion_check(tmp_path, "--json", "--only", "record").stdout)
    assert told["parts"]["record"]["result"] == "ok"


def test_a_wrong_configuration_is_reported_and_the_disk_is_still_checked(tmp_path: Path) -> None:
    (tmp_path / "wrong.toml").write_text("[keys]\nhold = 3")
    done = companion_check(tmp_path, "--config", "wrong.toml", "--only", "board,clock")
    assert done.returncode == 1
    assert "board     fault      wrong.toml: [keys] hold is not known; did you" in done.stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ["--only", "disc"],
            "there is no part 'disc': board, bus, display, keys, pads, keypads, tv, voice",
        ),
        (["everything"], "unrecognized arguments: everything"),
    ],
)
def test_wrong_arguments_are_refused(tmp_path: Path, words: list[str], says: str) -> None:
    done = companion_check(tmp_path, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


ON_FAKES = """
import sys, time
from dataclasses import replace
from pathlib import Path
from companion.app.check.report import run_checks, as_table
from companion.app.check.bench import StandardTerminal
from tests.app.check.person import Desk

desk = Desk(Path(sys.argv[1]), "adafruit-bonnet")
machine = replace(desk.machine, clock=time.monotonic)
bench = replace(desk.bench, terminal=StandardTerminal(True), machine=machine)
print("\\n".join(as_table(run_checks(bench, sys.argv[2:]))))
"""


def test_questions_are_asked_and_answered_on_a_terminal(tmp_path: Path) -> None:
    """On a real terminal the display is asked about, and Enter skips each key."""
    ours, theirs = pty.openpty()
    keys = load_board("adafruit-bonnet").keys.keys
    answers = [("see the next:", "1\n"), ("(l, r):", "l\n")]
    answers += [(f"Press {key.value}\r\n", "\n") for key in keys]
    told, words = "", (tmp_path, "display", "keys")
    with python(*words, code=ON_FAKES, stdin=theirs, stdout=theirs, stderr=None) as process:
        os.close(theirs)
        for prompt, answer in answers:
            told = read_until(ours, prompt, told)
            os.write(ours, answer.encode())
        read_until(ours, "display   ok         the test pattern is right (ssd1306, offset 0)", told)
        assert process.wait(WAIT_S) == 0
    os.close(ours)


def read_until(terminal: int, words: str, told: str) -> str:
    """Reads from the terminal until its output, beginning with `told`, contains these words;
    returns what follows them."""
    until = time.monotonic() + WAIT_S
    while words not in told:
        left = max(until - time.monotonic(), 0)
        assert select.select([terminal], [], [], left)[0], f"{words!r} did not arrive: {told!r}"
        told += os.read(terminal, 1000).decode(errors="replace")
    return told.partition(words)[2]
