"""“Check this box”: a separate process checks the box, and reports its findings to the table."""

import json
import sys
from functools import partial
from pathlib import Path
from queue import SimpleQueue

from companion.app.check.bench import ok, warning
from companion.app.check.report import as_json
from companion.app.config import PLACE
from companion.app.run import BoxChecker, check_command, run_check
from companion.core.box_page import BoxCheck, PartFinding
from companion.core.words import Sentence, phrase
from tests.waiting import WAIT_S

TOLD = {
    "status": 0,
    "parts": {
        "tv": {"findings": [{"result": "ok", "found": "a", "remedy": "", "renews_keypads": False}]},
        "disk": {
            "findings": [{"result": "warning", "found": "b", "remedy": "c", "renews_keypads": True}]
        },
    },
}


def checked(program: str, times: int = 1) -> list[BoxCheck]:
    heard: SimpleQueue[BoxCheck] = SimpleQueue()
    checker = BoxChecker(partial(run_check, (sys.executable, "-c", program)), heard.put)
    for _ in range(times):
        checker.ask()
    return [heard.get(timeout=WAIT_S), heard.get(timeout=WAIT_S)]


def test_findings_reach_the_table() -> None:
    begun, done = checked(f"print({json.dumps(TOLD)!r})", times=3)
    assert begun == BoxCheck(under_way=True), "one check at a time"
    assert done.parts == (
        PartFinding("tv", "ok", "a"),
        PartFinding("disk", "warning", "b", "c", True),
    )


def test_findings_can_be_translated() -> None:
    found = {"tv": [warning(phrase("{pad} is gone", pad="x"), "sudo x")], "disk": [ok("{y}")]}
    _, done = checked(f"print({as_json(found)!r})")
    tv, disk = done.parts
    assert (tv.found, tv.remedy, disk.found) == ("x is gone", "sudo x", "{y}")
    assert isinstance(tv.found, Sentence) and tv.found.template == "{pad} is gone"
    assert not isinstance(tv.remedy, Sentence) and not isinstance(disk.found, Sentence)


def test_a_failed_check_reports_why() -> None:
    _, done = checked("import sys; sys.exit('no such thing')")
    assert done == BoxCheck(why="The box can't be checked: no such thing")
    _, done = checked("print('{}')")
    assert done.why == "The box can't be checked: nothing was found"
    _, done = checked("pass")
    assert done.why == "The box can't be checked: nothing was found"
    heard: SimpleQueue[BoxCheck] = SimpleQueue()
    BoxChecker(partial(run_check, ("/nowhere/companion",)), heard.put).ask()
    assert heard.get(timeout=WAIT_S).under_way
    assert "No such file" in heard.get(timeout=WAIT_S).why


def test_the_real_check_returns_findings(tmp_path: Path) -> None:
    """The check runs on this machine, which is no box. No part of it needs a terminal or the
    table's hardware."""
    heard: SimpleQueue[BoxCheck] = SimpleQueue()
    command = check_command(tmp_path / "record.db", str(PLACE))
    assert "--config" not in command and "record" not in command[command.index("--only") + 1]
    BoxChecker(partial(run_check, command), heard.put).ask()
    heard.get(timeout=WAIT_S)
    done = heard.get(timeout=WAIT_S)
    assert not done.why
    assert {part.part for part in done.parts} >= {"keypads", "tv", "stick", "network", "disk"}
    assert all(isinstance(part.found, Sentence) for part in done.parts)


def test_the_check_gets_the_tables_configuration_file(tmp_path: Path) -> None:
    command = check_command(tmp_path / "record.db", str(tmp_path / "c.toml"))
    assert command[-2:] == ("--config", str(tmp_path / "c.toml"))
