"""The commands, each with its exit status, its stdout and its one line on stderr."""

import io
import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from threading import Thread

import pytest

from companion.arguments import SERVICE_RECORD, VERSION, default_record_path
from companion.cli import main
from companion.games.catalog import GAMES
from companion.games.game import parse_entry
from companion.record.reader import Reader
from companion.record.rows import Opened, Step, Undo
from companion.record.store import Store
from companion.seats import Seats
from tests.race import CATALOG, Scored

ROOT = Path(__file__).parents[1]
SEATS = Seats.of("Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")
EIGHT = f"tally 1\ngame race\nseats {' '.join(SEATS)}\noption goal 50\n"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def ran(*words: object) -> tuple[int, str, str]:
        status = main([str(word) for word in words], CATALOG)
        out, err = capsys.readouterr()
        assert err == "" or (err.endswith("\n") and err.count("\n") == 1)
        return status, out, err

    return ran


@pytest.fixture
def run_games(capsys: pytest.CaptureFixture[str]) -> Run:
    """The same with the games that there really are."""

    def ran(*words: object) -> tuple[int, str, str]:
        status = main([str(word) for word in words])
        return status, *capsys.readouterr()

    return ran


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Three games: one won, one amended and unfinished, one taken back."""
    path = tmp_path / "record.db"
    store = Store.open(path, CATALOG, lambda: 1_795_204_000.0)
    for game in (1, 2, 3):
        after = 1 if game == 2 else None
        store.keep(game, Opened("race", SEATS, {"goal": 50 * game}, after))
        if game < 3:
            for turn in range(17 if game == 1 else 3):
                seat = SEATS.order[turn % 8]
                store.keep(game, Step((Scored(seat, 20 if turn % 8 == 0 else turn % 8),)))
    store.keep(3, Undo())
    store.close()
    return path


def answers(socket_path: Path, told: list[dict[str, object]]) -> Thread:
    """A running table's answer, to one who asks."""
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(socket_path))
    listening.listen()

    def answer() -> None:
        with listening, listening.accept()[0] as asking:
            asking.sendall(json.dumps(told).encode())

    thread = Thread(target=answer)
    thread.start()
    return thread


HEARD: dict[str, object] = {
    "keypad": "e6614103e7452d2f",
    "port": "/dev/ttyACM0",
    "here": True,
    "seat": 2,
    "firmware": "1.0.3",
    "protocol": "1.0",
    "fits": True,
    "round_trip_ms": 1.25,
    "round_trip_max_ms": 2.0,
    "presses": 120,
    "lost": 0,
    "resent": 2,
    "repeated": 1,
    "errors": 1,
    "errors_there": 3,
    "free": 180000,
}
FOREIGN = {**HEARD, "fits": False, "protocol": "2.0", "seat": None, "round_trip_ms": None}
SILENT = {"keypad": None, "port": "/dev/ttyACM1", "here": False, "fits": False}


@pytest.mark.parametrize(
    ("told", "status", "line"),
    [
        ([], 0, "No keypad is plugged in."),
        (
            [HEARD],
            0,
            "e6614103e7452d2f  seat 2  /dev/ttyACM0  firmware 1.0.3, protocol 1.0  1.2 ms  "
            "120 presses, 2 resent, 0 lost, 1+3 errors",
        ),
        (
            [FOREIGN],
            1,
            "e6614103e7452d2f  no seat  /dev/ttyACM0  firmware 1.0.3, protocol 2.0 "
            "does not fit this box  no answer yet  120 presses, 2 resent, 0 lost, 1+3 errors",
        ),
        ([SILENT], 1, "/dev/ttyACM1: nothing answers: put the firmware on this Pico"),
    ],
)
def test_keypads_as_the_running_table_knows_them(
    run: Run, tmp_path: Path, told: list[dict[str, object]], status: int, line: str
) -> None:
    for as_json in (False, True):
        path = tmp_path / ("json" if as_json else "text")
        thread = answers(Path(f"{path}.keypads"), told)
        found, out, err = run("keypads", "--record", path, *(["--json"] if as_json else []))
        thread.join()
        assert (found, err) == (status, "")
        assert json.loads(out) == told if as_json else out == f"{line}\n"


@pytest.fixture
def line_record(tmp_path: Path) -> Path:
    """One game of High Five: a deal and four lays."""
    path = tmp_path / "line.db"
    seats = Seats.of("Red", "Blue")
    store = Store.open(path, GAMES)
    store.keep(1, Opened("high-five", seats, {}))
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


def test_show_tells_a_moment_as_json(line_record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["show", "1", "--json", "--record", str(line_record)]
    assert main([*words, "--at", "2"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["telling"], told["number"], told["entry"], told["entries"]) == (1, 1, 2, 5)
    with Reader.open(line_record, GAMES) as reader:
        assert told["row"] == reader.last_row()
    assert told["table"]["count"] == 10
    assert main([*words, "--at", "6"]) == 1
    assert capsys.readouterr() == ("", "game 1 has 5 entries: there is no 6\n")


def test_show_says_what_can_t_be_drawn(
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


def test_replay(run: Run, tmp_path: Path) -> None:
    tally = tmp_path / "a.tally"
    tally.write_text(EIGHT + "Ada scores 20\nBo scores 3\n")
    status, out, err = run("replay", tally)
    assert (status, err) == (0, "")
    assert out.splitlines()[:2] == [
        "   5  1/1   Ada scores 20  20 points",
        "   6  1/2   Bo scores 3    3 points",
    ]
    assert out.splitlines()[-1] == "Cy's turn"
    status, out, err = run("replay", tally, "--json")
    found = json.loads(out)
    assert (status, err) == (0, "")
    assert found["scores"] == {**{str(seat): 0 for seat in SEATS}, "Ada": 20, "Bo": 3}
    assert (found["stock"], found["options"]) == (None, {"goal": 50})


def test_replay_stops_at_a_refused_line(run: Run, tmp_path: Path) -> None:
    tally = tmp_path / "a.tally"
    tally.write_text(EIGHT + "Ada scores 20\nAda scores 3\nBo scores 1\n")
    status, out, err = run("replay", tally)
    assert (status, err) == (2, f"{tally}:6: it is Bo's turn, not Ada's\n")
    assert "Ada scores 20" in out and "Bo scores" not in out
    status, out, err = run("replay", tally, "--json")
    assert (status, err) == (2, f"{tally}:6: it is Bo's turn, not Ada's\n")
    assert [entry["line"] for entry in json.loads(out)["entries"]] == [5]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"tally 1\ngame rac\nseats A B\n", "{}:2: there is no game rac: did you mean race?\n"),
        (
            b"tally 1\ngame race\nseats \xff B\n",
            "{}:3: this is not UTF-8 text: save the file as UTF-8\n",
        ),
        (None, "{}: no such file or directory\n"),
    ],
)
def test_replay_of_what_cant_be_read(
    run: Run, tmp_path: Path, content: bytes | None, message: str
) -> None:
    tally = tmp_path / "a.tally"
    if content is not None:
        tally.write_bytes(content)
    assert run("replay", tally) == (2, "", message.format(tally))
    status, out, err = run("replay", tally, "--json")
    assert (status, err) == (2, message.format(tally))
    assert json.loads(out)["entries"] == []


def test_replay_of_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (EIGHT + "Bo scores 1\n").encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    status, _, err = run("replay", "-")
    assert (status, err) == (2, "standard input:5: it is Ada's turn, not Bo's\n")


def test_games(run: Run, record: Path) -> None:
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


def test_show(run: Run, record: Path) -> None:
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


@pytest.mark.parametrize("command", ["show", "export"])
@pytest.mark.parametrize("game", ["4", "0", "-1", "first", "²", "9" * 30])
def test_a_game_that_is_not_there(run: Run, record: Path, command: str, game: str) -> None:
    message = f"there is no game {game} in {record}: “companion games” lists them\n"
    assert run(command, "--record", record, "--", game) == (1, "", message)


def test_what_is_exported_is_replayed_to_the_same_game(
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


def test_verify(run: Run, record: Path) -> None:
    assert run("verify", "--record", record) == (
        0,
        f"{record}: every row is as it was written\n",
        "",
    )
    import sqlite3

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


READING = (["games"], ["show", "1"], ["export", "1"], ["verify"])


@pytest.mark.parametrize("command", READING)
def test_a_record_that_cant_be_read(run: Run, tmp_path: Path, command: list[str]) -> None:
    path = tmp_path / "record.db"
    missing = f"{path} can't be read: no such file or directory\n"
    assert run(*command, "--record", path) == (2, "", missing)
    path.write_bytes(b"a shopping list, but a long one" * 300)
    status, out, err = run(*command, "--record", path)
    assert (status, out) == (2, "")
    assert err.startswith(f"{path} can't be read: the file is damaged")


@pytest.mark.parametrize(
    "words", [[], ["sing"], ["show", "1", "2"], ["replay", "a", "--jsn"], ["verify", "x"]]
)
def test_asked_wrongly(run: Run, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        run(*words)
    assert raised.value.code == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and "--help)" in err


@pytest.mark.parametrize(
    "command", [[], ["replay"], ["games"], ["show"], ["export"], ["verify"], ["check"]]
)
def test_help(run: Run, capsys: pytest.CaptureFixture[str], command: list[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        run(*command, "--help")
    assert raised.value.code == 0
    assert "usage: companion" in capsys.readouterr().out


def test_version(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        run("--version")
    assert (raised.value.code, capsys.readouterr().out) == (0, f"companion {VERSION}\n")


def test_where_the_record_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("COMPANION_RECORD", "STATE_DIRECTORY", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_record_path() == tmp_path / ".local/share/companion/record.db"
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert default_record_path() == Path("/data/companion/record.db")
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/companion")
    assert default_record_path() == SERVICE_RECORD
    monkeypatch.setenv("COMPANION_RECORD", "/elsewhere/r.db")
    assert default_record_path() == Path("/elsewhere/r.db")


def test_the_service_record_is_read_where_there_is_no_other(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, record: Path
) -> None:
    monkeypatch.setattr("companion.arguments.SERVICE_RECORD", record)
    monkeypatch.setenv("COMPANION_RECORD", str(tmp_path / "none.db"))
    assert run("verify")[0] == 0


@pytest.mark.parametrize("command", READING)
def test_the_record_that_the_configuration_names_is_read(
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    record: Path,
    command: list[str],
) -> None:
    monkeypatch.setattr("companion.config.PLACE", tmp_path / "table.toml")
    monkeypatch.setenv("COMPANION_RECORD", str(tmp_path / "none.db"))
    (tmp_path / "table.toml").write_text(f'[record]\npath = "{record}"\n')
    assert run(*command)[0] == 0
    missing = tmp_path / "other.db"
    status, _, err = run(*command, "--record", missing)
    assert (status, err) == (2, f"{missing} can't be read: no such file or directory\n")
    (tmp_path / "table.toml").write_text('[record]\npth = "r.db"\n')
    assert run(*command) == (
        2,
        "",
        f"companion: {tmp_path}/table.toml: [record] pth is not known; did you mean path?\n",
    )


def test_the_service_record_of_others_is_told_not_passed_over(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, record: Path
) -> None:
    """Nobody may look into its folder but its group."""
    exists = Path.exists

    def refused(path: Path, *_: str) -> bool:
        if path == record:
            raise PermissionError(13, "Permission denied", str(path))
        return exists(path)

    monkeypatch.setattr("companion.arguments.SERVICE_RECORD", record)
    monkeypatch.setattr(Path, "exists", refused)
    monkeypatch.setattr(Path, "open", refused)
    monkeypatch.setenv("COMPANION_RECORD", str(tmp_path / "none.db"))
    monkeypatch.setattr("getpass.getuser", lambda: "guest")
    for group, remedy in (
        ("companion", ": to join its group: sudo usermod -aG companion guest"),
        ("root", ""),
    ):
        monkeypatch.setattr(Path, "group", lambda _, group=group: group)
        assert run("verify") == (2, "", f"{record} can't be read: permission denied{remedy}\n")


def test_as_a_program_whose_reader_goes_away(tmp_path: Path) -> None:
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
def test_as_a_program_whose_output_is_closed(
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


def test_a_far_too_long_line_is_not_read_to_its_end(run_games: Run, tmp_path: Path) -> None:
    tally = tmp_path / "a.tally"
    tally.write_text("tally 1\ngame high-five\nseats Red Blue\nhand\n" + "Red é" * 10**6, "utf-8")
    status, out, err = run_games("replay", tally)
    assert (status, err) == (
        2,
        f"{tally}:5: a line has 4,096 characters at most: this one is longer\n",
    )
    assert out.startswith("   4  1/    hand")
    assert run_games("replay", "/dev/zero")[:2] == (2, "")


def test_control_characters_are_shown_never_sent(run_games: Run, tmp_path: Path) -> None:
    tally = tmp_path / "a.tally"
    begun = "tally 1\ngame high-five\nseats Red Blue\nhand\n"
    tally.write_text(begun + "chips Blue 5 clear\x1b[2J \x9b1m \u202eolleh\nRed 5-\x07\n", "utf-8")
    status, out, err = run_games("replay", tally)
    assert status == 2
    assert "chips Blue 5 clear\\x1b[2J \\x9b1m \\u202eolleh" in out
    assert err == f"{tally}:6: 5-\\x07 is not a tile: write both halves, as in 5-6\n"
    status, out, _ = run_games("replay", "--json", tally)
    assert json.loads(out)["entries"][1]["entry"] == "chips Blue 5 clear\x1b[2J \x9b1m \u202eolleh"
    assert not [letter for letter in out if letter != "\n" and not letter.isprintable()]
    assert run_games("replay", tmp_path / "no\x1bfile")[2].startswith(
        f"{tmp_path}/no\\x1bfile: no such"
    )


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (FileNotFoundError(2, "No such file or directory", "/x/r.db"), "/x/r.db: No such file"),
        (OSError(28, "No space left on device", "/x"), "/x: No space left on device"),
        (TimeoutError("timed out"), "timed out"),
    ],
)
def test_what_else_the_system_refuses_is_not_taken_for_the_output(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: OSError, says: str
) -> None:
    def refused(*_: object, **__: object) -> int:
        raise error

    monkeypatch.setattr("companion.commands.listing.list_games", refused)
    status, out, told = run("games", "--record", "r.db")
    assert (status, out) == (1, "")
    assert told.startswith(f"companion: {says}")


def test_an_output_that_cannot_be_written_is_told(tmp_path: Path) -> None:
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


# ------------------------------------------------------------ what is damaged


@pytest.mark.parametrize("game", ["1", "2"])
def test_whatever_bit_of_an_entry_is_flipped_it_is_said(run: Run, record: Path, game: str) -> None:
    """Reading commands check what they print: no other score without a word."""
    chance, data = Random(7), record.read_bytes()
    words = (["games"], ["show", game], ["export", game])
    sound = [run(*each, "--record", record)[1] for each in words]
    entries = [match.start() for match in re.finditer(rb'"entries"', data)]
    for at in chance.sample(entries, 8):
        flipped = bytearray(data)
        flipped[at + chance.randrange(30)] ^= 1 << chance.randrange(8)
        record.write_bytes(flipped)
        outputs = [run(*each, "--record", record) for each in words]
        for (status, out, err), before in zip(outputs, sound, strict=True):
            if status == 0:
                assert (out, err) == (before, "")
            else:
                assert "doubtful: row " in out.lower()
                assert "something is wrong with " in err
        assert outputs[0][0] == 1
        _, listed, _ = run("games", "--json", "--record", record)
        assert any(one["wrong"] for one in json.loads(listed))


def test_rows_that_lie_in_the_log_alone_are_shown_and_told(run: Run, record: Path) -> None:
    with closing(Store.open(record, CATALOG)) as store:
        store.keep(2, Step((Scored(SEATS.order[3], 3),)))
        store.keep(2, Step((Scored(SEATS.order[4], 4),)))
        log = bytearray(Path(f"{record}-wal").read_bytes())
        file = record.read_bytes()
    log[32 + 12] ^= 1  # a bit of the first frame's header
    cut = record.with_name("cut.db")
    cut.write_bytes(file)
    Path(f"{cut}-wal").write_bytes(log)
    status, out, err = run("show", "2", "--record", cut)
    assert "Di scores 3" in out and "Ed scores 4" in out
    assert (status, err) == (
        1,
        f"{cut}: rows 25 to 26 are in the log alone: the next start takes that in "
        "(see companion verify)\n",
    )
    assert Path(f"{cut}-wal").read_bytes() == log


def test_a_time_that_no_calendar_has(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    with closing(Store.open(path, CATALOG, lambda: 1e300)) as store:
        store.keep(1, Opened("race", SEATS, {}))
    status, out, err = run("games", "--record", path)
    assert (status, out.split()[:3], err) == (0, ["1", "no", "date"], "")
    assert run("show", "1", "--record", path)[0] == 0
    assert json.loads(run("games", "--json", "--record", path)[1])[0]["at"] is None


def test_what_is_no_file_is_said_in_a_line(run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.db")
    for path in (tmp_path / "pipe.db", Path("/dev/zero"), tmp_path):
        for words in READING:
            status, out, err = run(*words, "--record", path)
            assert (status, out) == (2, "")
            assert err == f"{path} can't be a record: it is not a file; name another\n"
