"""`companion show`: text, a drawing, JSON."""

import json
from pathlib import Path

import pytest

from companion.commands.cli import main
from companion.core.seats import Seats
from companion.games.game import parse_entry
from companion.record.rows import GameOpened, Step
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from tests.catalog import GAMES
from tests.commands.running import SEATS, Run


@pytest.fixture
def line_record(tmp_path: Path) -> Path:
    """One game of High Five: a deal and four plays."""
    path = tmp_path / "line.db"
    seats = Seats.of("Red", "Blue")
    store = Store.open(path, GAMES)
    store.keep(1, GameOpened("high-five", seats, {}))
    for line in ("hand lead Red", "Red 5-5", "Blue 0-5", "Red 5-6", "Blue 4-0"):
        store.keep(1, Step((parse_entry(line, GAMES["high-five"], seats),)))
    store.close()
    return path


def test_show_draws_the_table(
    line_record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    svg = tmp_path / "table.svg"
    for at, title in (((), "4 tiles, count 10"), (("--at", "2"), "1 tile, count 10")):
        assert main(["show", "1", "--svg", str(svg), *at, "--record", str(line_record)]) == 0
        assert f"<title>The line of play: {title}</title>" in svg.read_text("utf-8")
    assert main(["show", "1", "--svg", str(svg), "--at", "1", "--record", str(line_record)]) == 0
    assert "nothing is laid yet" in svg.read_text("utf-8")
    assert capsys.readouterr() == ("", "")


def test_show_prints_a_moment_as_json(
    line_record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["show", "1", "--json", "--record", str(line_record)]
    assert main([*words, "--at", "2"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["telling"], told["number"], told["entry"], told["entries"]) == (1, 1, 2, 5)
    with Reader.open(line_record, GAMES) as reader:
        assert told["row"] == reader.last_row()
    assert told["table"]["count"] == 10
    assert main([*words, "--at", "6"]) == 1
    assert capsys.readouterr() == ("", "game 1 has 5 entries: there is no 6\n")


def held_record(path: Path, *lines: str) -> Path:
    """A game of All Fives under Tennessee rules, where counts have to be called."""
    seats = Seats.of("Red", "Blue")
    store = Store.open(path, GAMES)
    store.keep(1, GameOpened("all-fives", seats, {"set": "T", "target": 200}))
    for line in ("hand lead Red", *lines):
        store.keep(1, Step((parse_entry(line, GAMES["all-fives"], seats),)))
    store.close()
    return path


def test_show_hides_a_count_that_is_still_to_be_called(run_games: Run, tmp_path: Path) -> None:
    words = ["show", "1", "--json", "--record"]
    _, out, _ = run_games(*words, held_record(tmp_path / "held.db", "Red 5-5"))
    told = json.loads(out)
    lay = told["entries"][-1]
    assert (told["scores"], lay["ends"]) == ({"Red": 0, "Blue": 0}, [5, 5])
    assert (lay["count"], lay["points"], lay["payments"]) == (None, 0, [])
    _, out, _ = run_games(*words, held_record(tmp_path / "called.db", "Red 5-5", "Red called"))
    told = json.loads(out)
    assert (told["scores"], told["entries"][1]["count"]) == ({"Red": 10, "Blue": 0}, 10)


def test_show_names_a_set_of_house_rules_and_its_changes_in_one_line(
    run_games: Run, tmp_path: Path
) -> None:
    _, out, _ = run_games("show", "1", "--record", held_record(tmp_path / "held.db"))
    rules = [line for line in out.splitlines() if line.startswith("House rule")]
    assert rules == [
        "House rule: set T with 1 change, A club's rules, all at once",
        "House rule: target 200, Points that win",
    ]


def test_show_reports_why_nothing_can_be_drawn(
    run: Run, record: Path, line_record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    svg = tmp_path / "table.svg"
    assert run("show", "1", "--svg", svg, "--record", record) == (1, "", "Race can't be drawn\n")
    assert main(["show", "1", "--svg", str(svg), "--at", "6", "--record", str(line_record)]) == 1
    assert capsys.readouterr().err == "game 1 has 5 entries: there is no 6\n"
    nowhere = tmp_path / "no" / "table.svg"
    assert main(["show", "1", "--svg", str(nowhere), "--record", str(line_record)]) == 1
    assert capsys.readouterr().err == f"companion: {nowhere}: No such file or directory\n"
    for words in (("--at", "2"), ("--at", "0", "--svg", str(svg)), ("--at", "x")):
        with pytest.raises(SystemExit) as end:
            main(["show", "1", *words, "--record", str(line_record)])
        assert end.value.code == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert not svg.exists()


def test_show_prints_the_game_entry_by_entry(run: Run, record: Path) -> None:
    status, out, err = run("show", "1", "--record", record)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("Game 1: Race, 2026-11-2")
    assert lines[1] == f"Turn order: {', '.join(SEATS)}"
    assert lines[2] == "House rule: goal 50, points to win"
    assert lines[4] == "Hand 1"
    assert lines[5].startswith("   1  Ada scores 20  20 points; Ada 20, Bo 0,")
    assert lines[-2] == "Ada has won"
    assert lines[-1].startswith("Check word: ")
    status, out, err = run("show", "last", "--json", "--record", record)
    assert (status, json.loads(out)["number"]) == (0, 2)
    assert run("show", "--json", "--record", record) == (0, out, ""), "no number: the last game"
    assert run("export", "--record", record) == run("export", "last", "--record", record)
    assert "This game was taken back." in run("show", "3", "--record", record)[1]
