"""`companion export --html`: from the record to the file, and the message if that fails."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from companion.commands.cli import main
from tests.web.live import keep

GAME = "hand\nRed 6-6\nBlue draw\nBlue 6-3\nRed 3-3\nBlue 6-4"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "record.db"
    keep(path, GAME)
    return path


def game_in(path: Path) -> Any:
    """The data of the game in such a file."""
    found = re.search(r'id="game">(.*?)</script>', path.read_text("utf-8"), re.DOTALL)
    assert found
    return json.loads(found[1])


def test_the_last_game_is_written_without_output(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.html"
    assert main(["export", "--html", str(file), "--record", str(record)]) == 0
    assert capsys.readouterr() == ("", "")
    game = game_in(file)
    assert [moment["said"] for moment in game["moments"]][-1] == "Blue lays 6-4"
    assert re.fullmatch(r"Game 1, (\d{4}-\d\d-\d\d|date unknown)", game["about"])
    assert "proven" not in file.read_text("utf-8").split('id="game"')[1].split("</script>")[0]


def test_a_file_with_colours_has_no_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record, file = tmp_path / "names.db", tmp_path / "game.html"
    keep(record, "hand\nAnna 6-6\nBen draw\nBen 6-3", "Anna Ben")
    assert main(["export", "--html", str(file), "--colours", "--record", str(record)]) == 0
    assert capsys.readouterr() == ("", "")
    assert [moment["said"] for moment in game_in(file)["moments"]][-1] == "Blue lays 6-3"
    text = file.read_text("utf-8")
    assert "Anna" not in text and "Ben" not in text
    assert main(["export", "--colours", "--record", str(record)]) == 0
    assert capsys.readouterr().out.endswith("\nhand\nRed 6-6\nBlue draw\nBlue 6-3\n")
    with pytest.raises(SystemExit):
        main(["export", "--colours", "--players", "csv", "--record", str(record)])
    assert "--players has no line for a colour" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["7", "--html", "{there}/game.html"], "there is no game 7 in {there}/record.db"),
        (["--html", "{there}/no/game.html"], "{there}/no/game.html: No such file or directory"),
        (["--html", "{there}"], "{there}: Is a directory"),
    ],
)
def test_errors_are_reported_in_one_line(
    record: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    message: str,
) -> None:
    asked = [word.format(there=tmp_path) for word in words]
    assert main(["export", *asked, "--record", str(record)]) == 1
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message.format(there=tmp_path) in err


TOLD = [
    ["games"],
    ["games", "--json"],
    ["show"],
    ["show", "--json"],
    ["show", "--at", "3", "--json"],
    ["show", "--svg", "{file}"],
    ["export"],
    ["export", "--html", "{file}"],
    ["export", "--players", "csv"],
    ["export", "--players", "jsonl"],
    ["evenings"],
    ["players"],
    ["stats"],
]


@pytest.mark.parametrize("words", TOLD, ids=lambda words: " ".join(words).replace("{file}", ""))
def test_a_hidden_person_is_not_named_anywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    record, file = tmp_path / "names.db", tmp_path / "file"
    file.touch()
    keep(record, "hand\nAnna 6-6\nBen draw\nBen 6-3\nchips Ben 5 ben found it", "Anna Ben")
    asked = [word.format(file=file) for word in words]

    def told() -> str:
        assert main([*asked, "--record", str(record)]) == 0
        return capsys.readouterr().out + file.read_text("utf-8")

    assert "Anna" in told() or "--svg" in words
    before = told()
    assert main(["players", "--rename", "Ben", "Benjamin", "--record", str(record)]) == 0
    assert main(["players", "--hide", "Benjamin", "--record", str(record)]) == 0
    capsys.readouterr()
    after = told()
    assert "ben" not in after.lower()
    if "Ben" in before and words[0] in ("games", "show", "export") and "--players" not in words:
        assert "Blue" in after
    assert main(["players", "--undo", "--record", str(record)]) == 0
    capsys.readouterr()
    assert ("Ben" in told()) == ("Ben" in before), "it is all there when it is to be seen again"


def test_a_tally_with_colours_can_be_replayed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record, tally = tmp_path / "names.db", tmp_path / "game.tally"
    keep(record, "hand\nAnna 6-6\nBen draw\nBen 6-3", "Anna Ben")
    assert main(["players", "--hide", "Anna", "--record", str(record)]) == 0
    capsys.readouterr()
    assert main(["export", "--record", str(record)]) == 0
    tally.write_text(capsys.readouterr().out)
    assert main(["replay", str(tally)]) == 0
    assert "Red 6-6" in capsys.readouterr().out
