"""`companion replay`: the result of a tally, and the line of each error."""

import io
import json
from pathlib import Path

import pytest

from companion.commands.terminal import escape_controls
from companion.core.words import isolated
from tests.commands.running import EIGHT, SEATS, Run


def test_replay_prints_the_game(run: Run, tmp_path: Path) -> None:
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
def test_an_unreadable_tally_is_reported(
    run: Run, tmp_path: Path, content: bytes | None, message: str
) -> None:
    tally = tmp_path / "a.tally"
    if content is not None:
        tally.write_bytes(content)
    assert run("replay", tally) == (2, "", message.format(tally))
    status, out, err = run("replay", tally, "--json")
    assert (status, err) == (2, message.format(tally))
    assert json.loads(out)["entries"] == []


def test_replay_reads_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (EIGHT + "Bo scores 1\n").encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    status, _, err = run("replay", "-")
    assert (status, err) == (2, "standard input:5: it is Ada's turn, not Bo's\n")


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


def test_names_from_right_to_left_are_isolated_on_a_terminal(
    run_games: Run, tmp_path: Path
) -> None:
    tally = tmp_path / "a.tally"
    names = ("שרה", "דוד", "רות")
    first, *_ = isolated_names = [*map(isolated, names)]
    begun = f"tally 1\ngame high-five\nseats {' '.join(names)}\nhand\n"
    tally.write_text(f"{begun}{names[0]} 6-6\n", "utf-8")
    status, out, _ = run_games("replay", tally)
    assert status == 0
    assert ", ".join(f"{name} 0" for name in isolated_names) in out
    tally.write_text(f"{begun}nobody 6-6\n", "utf-8")
    assert f"neither a seat ({', '.join(isolated_names)})" in run_games("replay", tally)[2]
    # Marks that don't enclose one part are no more than other control characters.
    for text in (first[:-1], first[::-1], f"\u2068{first}", "\u2068\u202ea\u2069", "\u2068\u2069"):
        shown = escape_controls(text).replace(first, "")
        assert shown.isprintable() and "\\u206" in shown


def test_control_characters_are_escaped_and_never_printed(run_games: Run, tmp_path: Path) -> None:
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
