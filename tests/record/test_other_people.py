"""The wrong people were entered for a table, and one row corrects that, even after several
hands."""

from pathlib import Path
from typing import Any

import pytest

from companion.core.errors import EntryError, RuleError
from companion.core.seats import Seat, Seats
from companion.record.journal import Journal
from companion.record.names import with_seats_renamed
from companion.record.people.people import People, without_hidden, without_names
from companion.record.rows import Amend, PeopleReplaced, Redo, Reseat, Row, Step, Undo
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from tests.catalog import GAMES
from tests.players.evening_kept import rows_of

BEGUN = Seats.of("Anna", "Ben", "Cleo", "Dan")
SAT = Seats.of("Anna", "Eve", "Cleo", "Dan")
CROSSED = Seats.of("Dan", "Anna", "Ben", "Cleo")


def game_of(seed: int) -> tuple[Journal[Any], tuple[Row, ...]]:
    """An unfinished game of High Five with four players, and its rows."""
    whole = rows_of(seed, BEGUN.order)
    rows = whole[: len(whole) // 2]
    journal: Journal[Any] = Journal.begin(rows[0], GAMES)  # type: ignore[arg-type]
    for row in rows[1:]:
        journal = journal.fold(row)
    return journal, tuple(rows)


def renamed(journal: Journal[Any], seats: Seats) -> list[str]:
    names = {str(a): b for a, b in zip(journal.opened.seats, seats, strict=True)}
    return [str(with_seats_renamed(entry, names)) for entry in journal.entries]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("seats", [SAT, CROSSED], ids=["another", "crossed"])
def test_replacing_people_keeps_each_entry_with_its_seat(seed: int, seats: Seats) -> None:
    before, _ = game_of(seed)
    seen = before.amended(PeopleReplaced(seats))
    after = seen.journal
    assert (seen.broken, seen.dropped, seen.gone) == (None, 0, ())
    assert [str(entry) for entry in after.entries] == renamed(before, seats)
    assert after.opened.seats == after.begun.seats == seats
    assert after.state.scores.values == before.state.scores.values
    assert after.colours.values == before.colours.values
    chips = before.game.chips(before.state)
    now = after.game.chips(after.state)
    assert chips is not None
    assert now is not None
    assert [one.points for one in now.stocks.values] == [one.points for one in chips.stocks.values]
    back = after.fold(Undo())
    assert (back.entries, back.state) == (before.entries, before.state)
    assert back.colours == before.colours
    assert back.fold(Redo()).entries == after.entries


def test_play_goes_on_under_the_new_names_and_earlier_entries_can_be_changed() -> None:
    before, _ = game_of(1)
    after = before.fold(PeopleReplaced(SAT))
    at = next(at for at, entry in enumerate(after.entries) if entry.named_seat == "Eve")
    again = after.fold(Amend(at, (after.entries[at],)))
    assert again.entries == after.entries
    turned = after.fold(Reseat(Seats.of("Eve", "Cleo", "Dan", "Anna")))
    assert turned.begun.seats == SAT
    assert turned.colours[Seat("Eve")] == before.colours[Seat("Ben")]


@pytest.mark.parametrize(
    ("seats", "error", "message"),
    [
        (BEGUN, RuleError, "already sit there"),
        (Seats.of("Anna", "Eve"), RuleError, "name one person for each seat"),
        (Seats.of("Anna", "Draw", "Cleo", "Dan"), EntryError, "a word of the tally"),
    ],
)
def test_invalid_people_are_refused(seats: Seats, error: type[Exception], message: str) -> None:
    before, _ = game_of(1)
    with pytest.raises(error, match=message):
        before.fold(PeopleReplaced(seats))


def keep(path: Path, rows: tuple[Row, ...]) -> None:
    store = Store.open(path, GAMES)
    number = store.next_game_number()
    for row in rows:
        store.keep(number, row)
    store.close()


def with_eve(seed: int) -> tuple[Row, ...]:
    """The rows with Eve under a wrong name in the first half of the game, and under her own in the
    second."""
    _, rows = game_of(seed)
    half = len(rows) // 2
    names = {"Ben": "Eve"}
    later = [
        Step(tuple(with_seats_renamed(entry, names) for entry in row.entries))
        if isinstance(row, Step)
        else row
        for row in rows[half:]
    ]
    return (*rows[:half], PeopleReplaced(SAT), *later)


def test_a_stored_game_with_replaced_people_reads_back(tmp_path: Path) -> None:
    rows = with_eve(2)
    keep(tmp_path / "record.db", rows)
    with Reader.open(tmp_path / "record.db", GAMES) as reader:
        fold = reader.fold(1)
        assert fold.journal is not None
        assert fold.doubts == []
        assert fold.journal.opened.seats == SAT
        assert not any("Ben" in str(entry) for entry in fold.journal.entries)
        assert [kept.row for kept in reader.rows(1)] == [*rows]
        between = reader.rows_after(b"", 5)
        assert [kept.row for kept in between] == [*rows[-5:]]


def test_games_do_not_name_hidden_players(tmp_path: Path) -> None:
    keep(tmp_path / "record.db", with_eve(2))
    with Reader.open(tmp_path / "record.db", GAMES) as reader:
        fold = reader.fold(1)
        hidden = without_hidden(reader, fold, People(hidden=frozenset({"Ben", "Eve"})))
        nobody = without_names(reader, fold)
    for one, names in ((hidden, {"Ben", "Eve"}), (nobody, {*BEGUN, "Eve"})):
        assert one.journal is not None
        assert one.doubts == []
        said = " ".join(map(str, (*one.journal.entries, *one.journal.opened.seats)))
        assert not any(name in said for name in names)
        assert fold.journal is not None
        assert one.journal.state.scores.values == fold.journal.state.scores.values
