"""`companion players`, `stats`, `evenings` and `export --players`."""

import csv
import io
import json
from pathlib import Path

import pytest

from companion.app.catalog import CATALOG
from companion.commands.cli import main
from companion.core.seats import Seats
from companion.players.exports import game_columns
from companion.record.rows import TELL_BOGUS, GameOpened, PlayerHidden, PlayerRenamed, Setting
from tests.players.builder import at
from tests.players.conftest import Run
from tests.players.evening_kept import Clock, keep_game, kept, rows_of

DOCS = Path(__file__).parents[2] / "docs/players.md"


def test_players_are_listed(run: Run) -> None:
    status, out, err = run("players")
    assert (status, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()] == ["Ada", "Bo", "Cy"]
    assert "3 games" in out.splitlines()[0]
    _, out, _ = run("players", "--json")
    ada, bo, cy = json.loads(out)
    assert (ada["games"], bo["games"], cy["games"]) == (3, 3, 1)
    assert ada["won"] + bo["won"] + cy["won"] == 3
    assert cy["last"].startswith("2026-11-01")


def test_a_name_with_a_space_can_be_typed_with_a_space_or_an_underscore(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, clock = tmp_path / "record.db", Clock(at(20))
    with kept(path, clock) as store:
        keep_game(store, clock, rows_of(1, ("Ada", "Uncle_Joe")))

    def run(*words: str) -> str:
        assert main([*words, "--record", str(path)]) == 0
        return capsys.readouterr().out

    everywhere = (
        *(("games",), ("players",), ("stats",), ("evenings",), ("stats", "Uncle Joe")),
        *(("stats", "Uncle_Joe"), ("players", "--rename", "Uncle Joe", "Uncle Tom")),
        *(("players", "--undo"), ("players", "--hide", "Uncle Joe")),
        ("players", "--unhide", "Uncle_Joe"),
    )
    for words in everywhere:
        out = run(*words)
        assert "Uncle Joe" in out and "Uncle_" not in out, words
    assert "Turn order: Ada, Uncle Joe" in run("show", "1")
    assert "Uncle_Joe" in run("export", "1"), "the tally's own text keeps it"


def test_ratings_are_printed_only_on_request(run: Run, path: Path) -> None:
    clock = Clock(at(20, 20))
    with kept(path, clock) as store:
        for seed in range(5, 8):
            keep_game(store, clock, rows_of(seed, ("Ada", "Bo")))
    assert "rating" not in run("players")[1]
    assert "ratings" not in run("players", "--json")[1]
    _, out, _ = run("players", "--ratings")
    told = [line for line in out.splitlines() if "rating" in line]
    assert len(told) == 2
    assert told[0].startswith("    High Five: rating ")
    assert told[0].endswith("after 5 games")
    _, out, _ = run("players", "--ratings", "--json")
    ada, bo, cy = json.loads(out)
    assert ada["ratings"]["high-five"]["games"] == bo["ratings"]["high-five"]["games"] == 5
    assert cy["ratings"] == {}


def test_stats_of_a_player_are_printed(run: Run) -> None:
    status, out, err = run("stats", "Ada")
    assert (status, err) == (0, "")
    assert out.startswith("Ada, High Five: 2 games, ")
    assert "\nAda, Five Up: 1 game, " in out
    assert "points per play" in out
    assert "biggest count" in out
    assert "game 1, entry" in out or "game 2, entry" in out
    assert "paid by Bo" in out
    assert "uncalled" not in out
    assert "not called" not in out


def test_stats_of_one_evening_are_printed(run: Run) -> None:
    _, last, _ = run("stats", "Ada", "--evening", "--json")
    assert [one["games"] for one in json.loads(last)] == [[3]]
    for number in (1, 2):
        _, first, _ = run("stats", "Ada", "--evening", number, "--json")
        assert [one["games"] for one in json.loads(first)] == [[1, 2]]
    _, since, _ = run("stats", "Ada", "--since", "2026-11-05", "--json")
    assert [one["games"] for one in json.loads(since)] == [[3]]
    _, three, _ = run("stats", "Ada", "--players", "3", "--json")
    assert [one["games"] for one in json.loads(three)] == [[2]]
    _, five_up, _ = run("stats", "--game", "five-up", "--json")
    assert {one["player"] for one in json.loads(five_up)} == {"Ada", "Bo"}


def test_stats_printed_as_a_table_equal_those_in_json(run: Run) -> None:
    _, out, _ = run("stats", "--csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    _, told, _ = run("stats", "--json")
    figures = {
        (one["player"], one["game"], figure["figure"]): figure["value"]
        for one in json.loads(told)
        for figure in one["figures"]
    }
    found = {
        (row["player"], row["game"], row["figure"]): float(row["value"]) if row["value"] else None
        for row in rows
    }
    assert found == figures


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("stats", "Nobody"), "Nobody has played no such game"),
        (("stats", "--evening", "77"), "there is no evening 77"),
        (("stats", "--game", "chess"), "there is no game chess"),
    ],
)
def test_unknown_players_and_games_are_reported_in_one_line(
    run: Run, words: tuple[str, ...], said: str
) -> None:
    status, out, err = run(*words)
    assert (status, out) == (1, "")
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "words", [("--since", "yesterday"), ("--players", "1"), ("--csv", "--json")]
)
def test_wrong_arguments_of_stats_are_refused(run: Run, words: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as stopped:
        run("stats", *words)
    assert stopped.value.code == 2


def test_evenings_are_listed(run: Run, path: Path) -> None:
    clock = Clock(at(20, 20))
    with kept(path, clock) as store:
        keep_game(store, clock, rows_of(5, ("Ada", "Cy"))[:4])
        clock.now = 0
        store.keep(5, GameOpened("five-up", Seats.of("Red", "Blue"), {}))
    status, out, _ = run("evenings")
    lines = out.splitlines()
    assert status == 0
    assert lines[0].split()[0] == "1"
    assert "2026-11-01" in lines[0]
    assert "2 games" in lines[0]
    assert lines[3].split(maxsplit=1)[0] == "5"
    assert "date unknown" in lines[3]
    assert "nobody is named" in lines[3]
    assert lines[5] == "Left unfinished:"
    assert lines[6].startswith("game 4 ")
    assert lines[6].endswith("High Five: Ada, Cy")
    assert lines[7] == "game 5  date unknown  Five Up: Red, Blue"
    _, out, _ = run("evenings", "--json")
    assert [(one["games"], one["unfinished"]) for one in json.loads(out)] == [
        ([1, 2], []),
        ([3], []),
        ([4], [4]),
        ([5], [5]),
    ]


def test_hidden_people_are_in_no_output(run: Run, path: Path) -> None:
    with kept(path, Clock(at(20, 20))) as store:
        store.keep(0, PlayerHidden("Bo"))
        store.keep(0, PlayerRenamed("Cy", "Zoë"))
    for words in (("players",), ("evenings",), ("stats",), ("stats", "--json"), ("stats", "--csv"),
                  ("players", "--json"), ("evenings", "--json"),
                  ("export", "--players", "csv"), ("export", "--players", "jsonl")):  # fmt: skip
        status, out, err = run(*words)
        assert (status, err) == (0, "")
        assert "Bo" not in out
        assert "Cy" not in out
        assert "Ada" in out
        assert "Zo" in out


def test_everything_is_exported_as_csv_and_as_json_lines(run: Run) -> None:
    _, out, _ = run("export", "--players", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    _, out, _ = run("export", "--players", "jsonl")
    lines = [json.loads(line) for line in out.splitlines()]
    played = [f"{row['number']} {row['player']}" for row in rows]
    assert played == ["1 Ada", "1 Bo", "2 Ada", "2 Bo", "2 Cy", "3 Bo", "3 Ada"]
    assert len(lines) == len(rows)
    for line, row in zip(lines, rows, strict=True):
        assert list(line) == list(row) == game_columns()
        assert str(line["points"]) == row["points"]
        assert line["uncalled"] is None
    assert sum(line["won"] for line in lines) == 3
    assert lines[0]["paid_by"].keys() == {"Bo"}
    assert [line["evening"] for line in lines] == [1] * 5 + [3] * 2


def test_uncalled_bogus_plays_are_exported_if_the_house_rules_say_so(run: Run, path: Path) -> None:
    with kept(path, Clock(at(20, 20))) as store:
        store.keep(0, Setting(TELL_BOGUS, "who"))
    _, out, _ = run("export", "--players", "jsonl")
    told = [json.loads(line)["uncalled"] for line in out.splitlines()]
    assert None not in told


NAMES = ("<b>x</b>", "=1+1", 'Zoë,"q"', "🎲🎲", "اسم", "_")


def test_names_with_markup_or_any_unicode_are_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, clock = tmp_path / "record.db", Clock(at(20))
    with kept(path, clock) as store:
        for one, other in zip(NAMES[::2], NAMES[1::2], strict=True):
            keep_game(store, clock, rows_of(1, (one, other)))
    for words in (["players"], ["evenings"], ["stats"], ["export", "--players", "csv"]):
        assert main([*words, "--record", str(path)]) == 0
        out = capsys.readouterr().out
        assert "Zoë" in out
    table = list(csv.DictReader(io.StringIO(out)))
    assert [row["player"].removeprefix("'") for row in table] == list(NAMES)
    assert table[1]["player"] == "'=1+1"
    assert main(["export", "--players", "jsonl", "--record", str(path)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["player"] for line in lines] == list(NAMES)


def test_the_documented_columns_are_those_of_the_table() -> None:
    _, text = DOCS.read_text("utf-8").split("## Everything as a table")
    assert [line.split("`")[1] for line in text.splitlines() if line[:3] == "| `"] == game_columns()


def test_the_documented_figures_are_those_that_are_printed() -> None:
    text, _ = DOCS.read_text("utf-8").split("## Everything as a table")
    documented = [line.split("`")[1] for line in text.splitlines() if line[:3] == "| `"]
    told = [figure.name for one in CATALOG.statistics.values() for figure in one.figures]
    assert documented == list(dict.fromkeys(told))
