"""The commands that read a record: `games`, `export`, `verify`, and the behaviour of all of them
without a record."""

import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.commands.cli import main
from companion.core.seats import Seats
from companion.games.game import parse_entry
from companion.record.fold import Fold
from companion.record.repair.verify import Survey
from companion.record.rows import GameOpened, Step
from companion.record.store.chain import LinkOrBreak
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from tests.catalog import GAMES
from tests.commands.running import READING, Run


def test_games_are_listed_with_their_results(run: Run, record: Path) -> None:
    status, out, err = run("games", "--record", record)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert [line.split("; ")[1] for line in lines] == ["Ada won", "not finished", "taken back"]
    assert lines[1].startswith("   2  2026-11-2") and "Race: Ada 20, Bo 1, Cy 2, " in lines[1]
    status, out, err = run("games", "--json", "--record", record)
    first, second, third = json.loads(out)
    assert (first["winner"], first["finished"], first["entries"]) == ("Ada", True, 17)
    assert (second["after"], second["at"]) == (1, "2026-11-20T19:46:40+00:00")
    assert third["withdrawn"] is True


def test_a_game_begun_before_the_clock_was_set_gets_its_evenings_date(
    run_games: Run, tmp_path: Path
) -> None:
    path, now, seats = tmp_path / "record.db", [0.0], Seats.of("Ada", "Bo")
    hand = Step((parse_entry("hand", GAMES["high-five"], seats),))
    with closing(Store.open(path, GAMES, lambda: now[0])) as store:
        for number in (1, 2):
            store.keep(number, GameOpened("high-five", seats, {}, evening=number - 1 or None))
            if number == 2:  # the clock is set while the second game is played
                now[0] = 1_795_000_000.0
            store.keep(number, hand)
    status, out, err = run_games("games", "--record", path)
    assert (status, err) == (0, "")
    assert [line.split()[1] for line in out.splitlines()] == ["2026-11-18", "2026-11-18"]
    second = json.loads(run_games("games", "--json", "--record", path)[1])[1]
    assert second["at"] == "2026-11-18T11:06:40+00:00"
    assert ", 2026-11-18\n" in run_games("show", "2", "--record", path)[1]


def test_games_are_counted_once_and_a_changed_row_is_still_found(
    run: Run, record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = run("games", "--record", record), run("games", "--json", "--record", record)
    assert record.with_suffix(".figures").exists()
    with monkeypatch.context() as patched:
        patched.setattr(Survey, "games", None)
        patched.setattr(Fold, "add", None)
        assert run("games", "--record", record) == texts[0]
        assert run("games", "--json", "--record", record) == texts[1]
    db = sqlite3.connect(record)
    db.execute("DROP TRIGGER never_changed")
    db.execute("UPDATE record SET row = replace(row, '20', '10') WHERE seq = 2")
    db.commit()
    db.close()
    status, out, _ = run("games", "--record", record)
    assert status == 1
    assert "doubtful: row 2 (game 1) was changed after it was written" in out


def test_verify_replays_only_changed_games_and_finds_each_changed_row(
    run: Run, record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("verify", "--record", record)[0] == 0
    kept = record.read_bytes()
    folded: list[int] = []
    take = Fold.add

    def taken(self: Fold, item: LinkOrBreak) -> None:
        folded.append(self.number)
        take(self, item)

    monkeypatch.setattr(Fold, "add", taken)
    assert run("verify", "--record", record)[0] == 0
    assert folded == [], "no game is played again"
    assert run("verify", "--all", "--record", record)[0] == 0
    assert set(folded) == {1, 2, 3}
    with Reader.open(record, GAMES) as reader:
        rows = reader.last_row()
    times = record.stat()
    for row in range(1, rows + 1):
        record.write_bytes(kept)
        db = sqlite3.connect(record)
        db.execute("DROP TRIGGER never_changed")
        db.execute("UPDATE record SET row = row || ' ' WHERE seq = ?", (row,))
        db.commit()
        db.close()
        os.utime(record, ns=(times.st_atime_ns, times.st_mtime_ns))  # as a worn card does it
        status, out, _ = run("verify", "--record", record)
        assert status == 1
        assert f"row {row} (game" in out


def test_partners_have_one_score_and_show_numbers_the_games_of_a_match(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = Path(__file__).parents[1] / "kept" / "format-3" / "all-fives" / "record.db"
    record = str(shutil.copyfile(kept, tmp_path / "record.db"))
    assert main(["games", "--record", record]) == 0
    out = capsys.readouterr().out
    assert "All Fives: Ann and Åsa 100, Bob B and 李 40; Ann and Åsa won" in out
    assert main(["show", "5", "--record", record]) == 0
    out = capsys.readouterr().out
    assert "Match: game 2 of 3; won before it: Ann and Åsa 1, Bob B and 李 0" in out
    assert "Ann 100" not in out


@pytest.mark.parametrize("command", ["show", "export"])
@pytest.mark.parametrize("game", ["4", "0", "-1", "first", "²", "9" * 30])
def test_an_unknown_game_is_refused(run: Run, record: Path, command: str, game: str) -> None:
    message = f"there is no game {game} in {record}: “companion games” lists them\n"
    assert run(command, "--record", record, "--", game) == (1, "", message)


def test_replaying_an_exported_game_gives_the_same_game(
    run: Run, record: Path, tmp_path: Path
) -> None:
    for game in (1, 2):
        status, out, err = run("export", game, "--record", record)
        assert (status, err) == (0, "")
        tally = tmp_path / f"{game}.tally"
        tally.write_text(out)
        again = json.loads(run("replay", "--json", tally)[1])
        shown = json.loads(run("show", "--json", game, "--record", record)[1])
        for entry in (*again["entries"], *shown["entries"]):
            del entry["line"]
        assert {name: shown[name] for name in again} == again


def test_verify_reports_an_unchanged_record(run: Run, record: Path) -> None:
    assert run("verify", "--record", record) == (
        0,
        f"{record}: every row is as it was written\n"
        "3 games are as they were when they were last played by the rules:"
        " --all plays them again\n",
        "",
    )
    whole = f"{record}: every row is as it was written\n"
    assert run("verify", "--all", "--record", record) == (0, whole, "")
    db = sqlite3.connect(record)
    db.execute("DROP TRIGGER never_changed")
    db.execute("UPDATE record SET row = replace(row, '20', '10') WHERE seq = 2")
    db.commit()
    db.close()
    finding = "row 2 (game 1) was changed after it was written"
    status, out, err = run("verify", "--record", record)
    assert (status, out.splitlines()[0], err) == (1, finding, "")
    status, out, err = run("verify", "--json", "--record", record)
    assert (status, json.loads(out)["findings"][0], err) == (1, finding, "")


@pytest.mark.parametrize("command", READING)
def test_an_unreadable_record_is_reported(run: Run, tmp_path: Path, command: list[str]) -> None:
    path = tmp_path / "record.db"
    missing = f"{path} can't be read: no such file or directory\n"
    assert run(*command, "--record", path) == (2, "", missing)
    path.write_bytes(b"a shopping list, but a long one" * 300)
    status, out, err = run(*command, "--record", path)
    assert (status, out) == (2, "")
    assert err.startswith(f"{path} can't be read: the file is damaged")
