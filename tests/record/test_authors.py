"""The author of each entry stays with the entry, whatever is changed around it."""

from companion.core.seats import Seats
from companion.games.game import parse_entry
from companion.record.journal import Journal
from companion.record.rows import (
    BOX_KEYS,
    Amend,
    Author,
    GameOpened,
    Redo,
    Reseat,
    Rewind,
    Row,
    Step,
    Undo,
)
from tests.catalog import GAMES
from tests.record.test_journal import BLUE, RED, journal, step
from tests.sample_games import Scored

ANNA, BEN = Author("phone-anna", RED), Author("north")


def made(*rows: tuple[Row, Author]) -> Journal[object]:
    game = journal()
    for row, author in rows:
        game = game.fold(row).with_author(row, author)
    return game


def authors(game: Journal[object]) -> list[Author | None]:
    return [*game.authors][::-1]


def test_the_surface_is_the_first_part_of_a_rows_identity() -> None:
    assert Author.of("phone-anna/7/12", RED) == ANNA
    assert Author.of("north/7/12", None) == BEN
    assert Author.of(None, None) == BOX_KEYS


def test_every_entry_of_a_step_has_its_recorded_author() -> None:
    game = made((step(5, 5), ANNA), (step(7), BOX_KEYS))
    assert authors(game) == [ANNA, ANNA, BOX_KEYS]
    assert authors(journal(step(5, 5))) == [None, None]


def test_a_change_gets_its_author_and_later_entries_keep_theirs() -> None:
    game = made((step(1, 2, 3), ANNA), (Amend(1, (Scored(BLUE, 9),)), BEN))
    assert authors(game) == [ANNA, BEN, ANNA]
    row = Amend(1, (Scored(BLUE, 1),), insert=True, later_turns=1)
    game = game.fold(row).with_author(row, BOX_KEYS)
    assert authors(game) == [ANNA, BOX_KEYS, BEN, ANNA]
    assert [entry.named_seat for entry in game.entries] == ["Red", "Blue", "Red", "Blue"]
    assert authors(made((step(1, 2), ANNA), (Amend(0, (), later_turns=-1), BEN))) == [ANNA]


def test_an_entry_keeps_its_author_after_undo_and_redo() -> None:
    changed = Amend(0, (Scored(RED, 9),))
    rows = (step(1), ANNA), (step(2, first=BLUE), BEN), (changed, BOX_KEYS)
    assert authors(made(*rows)) == [BOX_KEYS, BEN]
    assert authors(made(*rows, (Undo(), ANNA))) == [ANNA, BEN]
    assert authors(made(*rows, (Undo(), ANNA), (Redo(), ANNA))) == [BOX_KEYS, BEN]
    assert authors(made(*rows, (Rewind(1), ANNA))) == [BOX_KEYS]
    assert authors(made(*rows, (Rewind(1), ANNA), (Redo(), ANNA))) == [BOX_KEYS, BEN]


def test_changing_the_turn_order_leaves_authors_unchanged() -> None:
    seats, game = Seats.of("Red", "Blue"), GAMES["high-five"]
    played = Journal.begin(GameOpened("high-five", seats, {}), GAMES)
    for text, author in (("hand", ANNA), ("Blue 6-6", BEN)):
        row = Step((parse_entry(text, game, seats),))
        played = played.fold(row).with_author(row, author)
    other = Reseat(Seats.of("Blue", "Red"))
    assert authors(played.fold(other).with_author(other, BOX_KEYS)) == [ANNA, BEN]
