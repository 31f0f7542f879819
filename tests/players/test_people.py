"""Renaming, merging two spellings, hiding and forgetting: rows of the record, and a record without
a forgotten name."""

from pathlib import Path

import pytest

from companion.core.errors import EntryError
from companion.core.seats import Seat, Seats
from companion.games.game import parse_entry
from companion.record.copies.text_copy import copies_folder as copies_beside
from companion.record.people.forget import number_names, row_with_other_names
from companion.record.people.people import People, people_of
from companion.record.repair.verify import verify
from companion.record.rows import (
    Amend,
    EntryParser,
    Gap,
    NamesForgotten,
    PlayerHidden,
    PlayerRenamed,
    Redo,
    Reseat,
    Row,
    RowsLost,
    Setting,
    Step,
    Undo,
    decode_row,
)
from companion.record.settings import seat_setting
from companion.record.store.database import NewerError
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from companion.record.tally import format_tally
from tests.catalog import GAMES
from tests.players.builder import at
from tests.players.conftest import Run
from tests.players.evening_kept import Clock, history, keep_game, kept, rows_of
from tests.starting import python
from tests.waiting import WAIT_S


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ((PlayerRenamed("A", "B"),), People({"A": "B"})),
        ((PlayerRenamed("A", "B"), Undo()), People()),
        ((PlayerRenamed("A", "B"), Undo(), Redo()), People({"A": "B"})),
        (
            (PlayerRenamed("A", "B"), Undo(), PlayerHidden("C"), Redo()),
            People(hidden=frozenset({"C"})),
        ),
        ((PlayerRenamed("A", "B"), PlayerRenamed("B", "A")), People({"B": "A"})),
        ((PlayerHidden("A"), PlayerHidden("A", hidden=False)), People()),
        ((Undo(), Redo(), PlayerHidden("A")), People(hidden=frozenset({"A"}))),
    ],
)
def test_rows_that_rename_or_hide_people_are_applied(
    rows: tuple[Row, ...], expected: People
) -> None:
    assert people_of(rows) == expected


def test_a_player_is_renamed_on_the_command_line(run: Run, path: Path) -> None:
    before = [journal_texts(path, number) for number in (1, 2, 3)]
    status, out, err = run("players", "--rename", "Cy", "Zoë")
    assert (status, err) == (0, "")
    assert "no game is changed" in out
    assert "Zoë" in run("players")[1]
    assert "Cy" not in run("players")[1]
    assert [journal_texts(path, number) for number in (1, 2, 3)] == before
    assert run("players", "--undo")[1] == "taken back: Cy → Zoë\n"
    assert "Cy" in run("players")[1]
    status, _, err = run("players", "--undo")
    assert (status, err) == (1, "nothing was changed that could be taken back\n")


def test_hiding_a_player_reports_that_nothing_is_deleted(run: Run) -> None:
    assert "hidden, not deleted" in run("players", "--hide", "Bo")[1]
    assert "Bo" not in run("stats")[1]
    assert run("players", "--unhide", "Bo")[0] == 0
    assert "Bo" in run("stats")[1]


@pytest.mark.parametrize("name", ["Bo", "Bob"])
def test_a_renamed_player_is_hidden_by_either_name(run: Run, name: str) -> None:
    run("players", "--rename", "Bo", "Bob")
    assert "Bob" in run("players")[1]
    assert run("players", "--hide", name)[0] == 0
    assert "Bo" not in run("players")[1]
    assert run("players", "--unhide", name)[0] == 0
    assert "Bob" in run("players")[1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--rename", "Nobody", "Ada"), "nobody played as Nobody"),
        (("--rename", "Ada", "Red"), "a colour is not a player"),
        (("--rename", "Ada", "An#na"), "has a # in it"),
        (("--hide", "Nobody"), "nobody played as Nobody"),
    ],
)
def test_an_impossible_change_of_names_is_refused(
    run: Run, words: tuple[str, ...], said: str
) -> None:
    status, out, err = run("players", *words)
    assert (status, out) == (1, "")
    assert said in err


def test_names_are_not_changed_while_a_table_is_running(run: Run, path: Path) -> None:
    with kept(path, Clock(at(1, 20))):
        for words in (("players", "--hide", "Bo"), ("forget", "Bo")):
            status, _, err = run(*words)
            assert status == 2
            assert err.count("\n") == 1


def journal_texts(path: Path, number: int) -> str:
    with Reader.open(path, GAMES) as reader:
        journal = reader.game(number)
        assert journal is not None
        return format_tally(journal)


# ---------------------------------------------------------------- forgetting

SEATS = Seats.of("Wilhelmina", "Bo")
NAMES = {"Wilhelmina": "Player_1"}


def entry(text: str) -> Step:
    return Step((parse_entry(text, GAMES["high-five"], SEATS),))


def of_others(text: str) -> Step:
    return Step((parse_entry(text, GAMES["high-five"], Seats.of("Player_1", "Bo")),))


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (entry("hand lead Wilhelmina"), of_others("hand lead Player_1")),
        (entry("Wilhelmina 5-6"), of_others("Player_1 5-6")),
        (entry("bogus Bo by Wilhelmina turn 3"), of_others("bogus Bo by Player_1 turn 3")),
        (entry("chips Wilhelmina 10 for WILHELMINA's glass"),
         of_others("chips Player_1 10 for Player_1's glass")),
        (entry("end wilhelminas train"), of_others("end Player_1s train")),
        (Amend(3, entry("Wilhelmina pass").entries), Amend(3, of_others("Player_1 pass").entries)),
        (Reseat(Seats.of("Bo", "Wilhelmina")), Reseat(Seats.of("Bo", "Player_1"))),
        (Setting("removed-name.Wilhelmina", 7), Setting("removed-name.Player_1", 7)),
        (Setting(seat_setting("12"), "Wilhelmina"), Setting(seat_setting("12"), "Player_1")),
        (Setting("game-name.3", "wilhelmina's 80th"), Setting("game-name.3", "Player_1's 80th")),
        (Setting("star.3.2.1.Wilhelmina 5-6", "on"), Setting("star.3.2.1.Player_1 5-6", "on")),
        (Setting("star.4.2.1.wilhelmina!", "on"), Setting("star.4.2.1.Player_1!", "on")),
        (Setting("sound", "on"), Setting("sound", "on")),
        (PlayerRenamed("Mina", "Wilhelmina"), PlayerRenamed("Mina", "Player_1")),
        (PlayerHidden("Wilhelmina"), PlayerHidden("Player_1")),
        (
            RowsLost((Gap(3, None), Gap(9, 8, (2,))), "x"),
            RowsLost((Gap(4, None), Gap(10, 9, (2,))), "x"),
        ),
        (Undo(), Undo()),
    ],
)  # fmt: skip
def test_renaming_does_not_change_rows_without_the_name(row: Row, expected: Row) -> None:
    table = EntryParser(GAMES["high-five"], SEATS)
    assert row_with_other_names(row, NAMES, {3: table}) == expected


def test_a_short_name_is_only_replaced_as_a_whole_word() -> None:
    row = Step((parse_entry("end Al alone and al.", GAMES["high-five"], Seats.of("Al", "Bo")),))
    new = row_with_other_names(row, {"Al": "Player_1"})
    assert isinstance(new, Step)
    assert str(new.entries[0]) == "end Player_1 alone and Player_1."


def test_substitute_names_are_numbered() -> None:
    assert number_names(["Cy"], ["Ada", "Bo", "Cy"]) == {"Cy": "Player_3"}
    assert number_names(["Bo"], ["Ada", "Bo", "Player_2"]) == {"Bo": "Player_3"}


def keep_everything_about_her(path: Path) -> None:
    clock = Clock(at(20, 20))
    with kept(path, clock) as store:
        rows = rows_of(11, ("Wilhelmina", "Bo"))
        number = keep_game(store, clock, [*rows[:5], entry("end Wilhelmina's train")])
        store.keep(number, Undo(), "phone7/1/2", keyed_by=Seat("Wilhelmina"))
        store.keep(number, Redo(), "phone7/1/3", Seat("Bo"), agreed_by=(Seat("Wilhelmina"),))
        store.keep(number, Undo(), "phone7/1/4", Seat("Bo"))
        store.keep(number, Reseat(Seats.of("Bo", "Wilhelmina")))
        store.keep(0, PlayerRenamed("Mina", "Wilhelmina"))
        store.keep(0, Setting("removed-name.Wilhelmina", 1))
        store.keep(0, Setting(f"star.{number}.1.1.{rows[1].entries[1]}", "on"))  # type: ignore[union-attr]
        keep_game(store, clock, rows_of(12, ("Ada", "Mina")))


def test_a_forgotten_name_is_nowhere_in_the_file(run: Run, path: Path) -> None:
    keep_everything_about_her(path)
    before = history(path)
    run("stats")
    copies_beside(path).mkdir()
    (copies_beside(path) / "box.rows").write_text("Wilhelmina")
    status, out, err = run("forget", "Wilhelmina")
    assert (status, err) == (0, "")
    assert "Player 4" in out
    files = [one for one in path.parent.rglob("*") if one.is_file()]
    with_her = [one for one in files if b"ilhelmina" in one.read_bytes().replace(b"W", b"w")]
    assert with_her, "as it was it is kept"
    assert b"Wilhelmina" not in path.read_bytes()
    assert b"Mina" not in path.read_bytes()
    assert not copies_beside(path).exists()
    assert all(str(one) in out or one.parent.name.endswith(".copies") for one in with_her)
    with Reader.open(path, GAMES) as reader:
        assert verify(reader) == []
        first = next(iter(reader.box_links()))
        row = decode_row(first.row)
        assert isinstance(row, NamesForgotten)
        assert set(row.players) == {"Player_4", "Player_5"}
    after = history(path)
    assert [game.scores for game in after.games[:3]] == [game.scores for game in before.games[:3]]
    assert [[*game.scores.values()] for game in after.games] == [
        [*game.scores.values()] for game in before.games
    ]
    assert [game.begun for game in after.games] == [game.begun for game in before.games]
    assert after.people.player("Player_5") == "Player_4"
    assert run("forget", "Wilhelmina")[0] == 1
    assert run("forget", "Bo")[0] == 0
    assert b" Bo " not in path.read_bytes()
    Store.open(path, GAMES).close()


def test_forgetting_does_not_need_the_club_library(path: Path) -> None:
    """Runs in a program of its own: a box that never joined a club may lack the library."""
    code = (
        "import sys; sys.modules['cryptography'] = None; "
        "from companion.commands.cli import main; sys.exit(main())"
    )
    with python("forget", "Bo", "--record", path, code=code) as ran:
        _, err = ran.communicate(timeout=WAIT_S)
    assert (ran.returncode, err) == (0, "")
    assert b" Bo " not in path.read_bytes()


def test_forgetting_a_name_does_not_change_which_games_the_club_gets(run: Run, path: Path) -> None:
    """The box joined just after its second game was opened, so only the third is the club's."""
    pytest.importorskip("cryptography")
    from companion.club.box.keys import KeyPair
    from companion.club.box.membership import Membership

    with Reader.open(path, GAMES) as reader:
        second = next(reader.rows(2)).seq
    keys = KeyPair.generate()
    mine = Membership(keys, keys.public, "Fives", "127.0.0.1:1", "Kitchen", ((second, None),))
    mine.save(path)
    for name in ("Ada", "Bo"):  # the first time each row gets the next number
        assert run("forget", name)[0] == 0
        found = Membership.load(path)
        assert found
        with Reader.open(path, GAMES) as reader:
            shared = [found.is_shared(next(reader.rows(game)).seq) for game in (1, 2, 3)]
        assert shared == [False, False, True]


def test_an_older_program_reports_a_newer_record() -> None:
    with pytest.raises(NewerError, match="a newer companion wrote it; update this one"):
        decode_row('{"v": 4, "kind": "renamed", "name": "A", "to": "B"}')
    with pytest.raises(EntryError, match="not a row"):
        decode_row('{"v": 2, "kind": "hidden", "name": "A", "hidden": 1}')
