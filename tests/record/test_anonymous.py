"""A game without names: everything else in it is unchanged, even if rows of it are lost."""

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from companion.core.seats import COLOURS, MORE_COLOURS, Seat, Seats
from companion.record.fold import Fold
from companion.record.people.people import People, replacement_names, without_hidden, without_names
from companion.record.rows import GameOpened, Row, Undo
from companion.record.settings import possible_stars, seat_setting
from companion.record.store.reader import Reader
from companion.record.tally import format_tally
from tests.catalog import GAMES
from tests.players.builder import at
from tests.players.evening_kept import Clock, keep_game, kept, rows_of
from tests.record.damage import drop_copies
from tests.web.live import keep

HIDES_BO = People(hidden=frozenset({"Bo"}))


def shown(path: Path, people: People | None = None) -> tuple[Fold, Fold]:
    """The first game twice: as recorded, and with colours for names, or without hidden people."""
    with Reader.open(path, GAMES) as reader:
        fold = reader.fold(1)
        if people is None:
            return fold, without_names(reader, fold)
        return fold, without_hidden(reader, fold, people)


def texts(fold: Fold) -> list[str]:
    assert fold.journal is not None
    return [str(entry) for entry in fold.journal.entries]


def test_replacing_names_with_colours_changes_nothing_else(tmp_path: Path) -> None:
    text = "hand\nAnna 6-6\nBen draw\nBen 6-3\nchips Anna -5 Anna gave Ben one back"
    keep(tmp_path / "record.db", text, "Anna Ben")
    fold, again = shown(tmp_path / "record.db")
    assert texts(again) == [
        "hand",
        "Red 6-6",
        "Blue draw",
        "Blue 6-3",
        "chips Red -5 Red gave Blue one back",
    ]
    assert fold.journal and again.journal and again.listed and fold.listed
    assert again.journal.state.scores.values == fold.journal.state.scores.values
    assert again.journal.colours.values == fold.journal.colours.values
    assert (again.hashes, again.entered_at) == (fold.hashes, fold.entered_at)


def test_a_name_that_is_also_a_game_word_is_replaced_only_as_a_name(tmp_path: Path) -> None:
    keep(tmp_path / "record.db", "hand\nup 6-6\nBen 6-3\nup 6-4\nBen 6-1 @up", "up Ben")
    assert texts(shown(tmp_path / "record.db")[1])[-1] == "Blue 6-1 @up"


def test_colours_chosen_for_the_game_are_used(tmp_path: Path) -> None:
    opened = GameOpened("high-five", Seats.of("Ann", "Red"), {}, words=(("colours", "Green Blue"),))
    assert replacement_names(opened, None, GAMES["high-five"]) == {"Ann": "Green", "Red": "Blue"}
    clock = Clock(at(20))
    with kept(tmp_path / "record.db", clock) as store:
        keep_game(store, clock, [opened, *rows_of(1, ("Ann", "Red"))[1:3]])
    fold, again = shown(tmp_path / "record.db", People(hidden=frozenset({"Ann"})))
    assert fold.journal and again.journal
    assert again.journal.opened.seats.order == ("Green", "Red")
    assert again.journal.colours.values == ("Green", "Blue")


@pytest.mark.parametrize(
    ("seats", "words", "expected"),
    [
        (("Red", "Ann"), (("colours", "Blue Red"),), {"Ann": "Player_2"}),
        (("Player_2", "Ann"), (("colours", "Red hand"),), {"Ann": "Player_3"}),
        ((*"ABCD", "Ann"), (), {"Ann": "Player_5"}),
    ],
)
def test_a_number_replaces_a_name_if_the_colour_cannot_be_used(
    seats: tuple[str, ...], words: tuple[tuple[str, str], ...], expected: dict[str, str]
) -> None:
    opened = GameOpened("high-fives", Seats.of(*seats), {}, words=words)
    hidden = People(hidden=frozenset({"Ann"}))
    assert replacement_names(opened, hidden, GAMES["high-fives"]) == expected


def test_players_keep_their_colours_when_others_are_hidden() -> None:
    for seed in range(200):
        random = Random(seed)
        names = random.sample(["Ann", "Bo", "Cy", "Di", *COLOURS, *MORE_COLOURS], 4)
        hidden = People(hidden=frozenset(random.sample(names, 2)) - {*COLOURS, *MORE_COLOURS})
        opened = GameOpened("high-five", Seats.of(*names), {})
        instead = replacement_names(opened, hidden, GAMES["high-five"])
        again = GameOpened("high-five", Seats.of(*(instead.get(name, name) for name in names)), {})
        assert not hidden.hidden & {*again.seats}
        assert again.colours.values == opened.colours.values


@pytest.mark.parametrize(
    ("text", "seats", "people"),
    [("hand\nAnna 6-6", "Anna Ben", HIDES_BO), ("hand\nRed 6-6", "Red Blue", None)],
)
def test_games_without_hidden_names_are_not_read_again(
    tmp_path: Path, text: str, seats: str, people: People | None
) -> None:
    keep(tmp_path / "record.db", text, seats)
    fold, again = shown(tmp_path / "record.db", people)
    assert again is fold


def test_undone_entries_and_authors_are_anonymised_too(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    rows: list[Row] = rows_of(1, ("Ada", "Bo"))[:2]
    with kept(path, Clock(at(20))) as store:
        store.keep(1, rows[0])
        store.keep(1, rows[1], "phone7/1/2", keyed_by=Seat("Bo"), agreed_by=(Seat("Bo"),))
    _, again = shown(path, HIDES_BO)
    assert again.journal
    assert {author.keyed_by for author in again.journal.authors if author} == {"Blue"}
    assert {author.agreed_by for author in again.journal.authors if author} == {("Blue",)}
    with kept(path, Clock(at(21))) as store:
        store.keep(1, Undo())
        store.keep(1, Undo())
    _, again = shown(path, HIDES_BO)
    assert again.journal and again.journal.withdrawn


def lossy(path: Path) -> None:
    """Writes a game with a missing row."""
    with kept(path, Clock(at(20))) as store:
        for row in rows_of(1, ("Ada", "Bo"))[:6]:
            store.keep(1, row)
    drop_copies(path)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DROP TRIGGER never_removed")
        db.execute("DELETE FROM record WHERE seq = 4")


@pytest.mark.parametrize("people", [None, HIDES_BO])
def test_games_with_lost_rows_are_shown_as_far_as_possible(
    tmp_path: Path, people: People | None
) -> None:
    path = tmp_path / "record.db"
    lossy(path)
    fold, again = shown(path, people)
    assert fold.journal and again.journal and fold.doubts
    assert again.journal.losses == fold.journal.losses != ()
    assert again.journal.state.scores.values == fold.journal.state.scores.values
    assert "Bo" not in format_tally(again.journal)
    assert len(again.doubts) == len(fold.doubts)
    assert "Bo" not in " ".join(again.doubts)


def test_stars_and_keypads_stay_with_their_entries_and_seats(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    keep(path, "hand\nAnna 6-6\nBen draw\nBen 6-3", "Anna Ben")
    fold, again = shown(path)
    settings = {
        "star.1.1.1.Ben draw": "on",
        "star.3.1.1.Ben 6-3": "on",
        seat_setting("12"): "Anna",
        "sound": "on",
    }
    assert fold.settings(settings) == settings
    of_colours = again.settings(settings)
    assert again.journal and "Ben" not in str(of_colours) and "Anna" not in str(of_colours)
    named = dict(possible_stars(1, reversed([*again.journal.newest_first()])))
    assert of_colours[f"star.{named[2]}"] == of_colours["sound"] == "on"
    assert of_colours[seat_setting("12")] == "Red"
