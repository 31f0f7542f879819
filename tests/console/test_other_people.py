"""The wrong people at a table, corrected at the box: one question, one row, and all entries
stay."""

from dataclasses import replace

from companion.console.screens.menu import ConfirmPeople, NameInstead
from companion.games.game import parse_entry
from companion.record.rows import GameOpened, PeopleReplaced, Step
from tests.console.rig import Rig
from tests.manual.reading import reads
from tests.screens.club_scenes import REACHED

FOUR = ("Anna", "Ben", "Cleo", "Dan")
PLACE = "MENU 9 4 "


def played(*names: str) -> Rig:
    """A game of these people, after a lead and a play that scores; the box knows two more names."""
    rig = Rig()
    rig.view = replace(rig.view, names=(*names, "Eve", "Finn"), club=REACHED)
    rig.press("1 4" if len(names) == 4 else "1 2").press("2")
    for _ in names:
        rig.press("2")
    return rig.press("OK OK 1 6 3 OK")


def seats(rig: Rig) -> tuple[str, ...]:
    return tuple(map(str, rig.view.game.opened.seats))


def test_another_person_at_a_seat_takes_over_all_its_entries() -> None:
    rig = played(*FOUR)
    assert seats(rig) == FOUR
    before, rows = [*rig.state.scores.values], len(rig.rows)
    rig.press(f"{PLACE} 2")
    assert isinstance(rig.screen, NameInstead)
    assert rig.frame and reads(rig.frame, "WHO INSTEAD OF BEN?")
    rig.press("5")  # Anna, Cleo and Dan come first
    assert isinstance(rig.screen, ConfirmPeople)
    assert len(rig.rows) == rows, "nothing is kept before the question is answered"
    rig.press("OK")
    assert [type(row) for row in rig.rows[rows:]] == [PeopleReplaced]
    assert seats(rig) == ("Anna", "Eve", "Cleo", "Dan")
    assert [*rig.state.scores.values] == before
    assert str(rig.view.game.entries[-1]) == "Eve 6-3"


def test_two_players_in_each_others_seats_swap_names() -> None:
    rig = played(*FOUR).press(f"{PLACE} 2 2")
    assert reads(rig.frame, "Ben, Anna, Cleo, Dan.")
    assert seats(rig.press("OK")) == ("Ben", "Anna", "Cleo", "Dan")


def test_back_declines_the_change_of_people_and_returns_step_by_step() -> None:
    rig = played(*FOUR).press(f"{PLACE} 2 5 BACK")
    assert isinstance(rig.screen, NameInstead)
    rig.press("BACK BACK BACK BACK")
    assert seats(rig) == FOUR
    assert not any(isinstance(row, PeopleReplaced) for row in rig.rows)


def test_a_new_persons_name_can_be_spelled() -> None:
    rig = played(*FOUR).press(f"{PLACE} 2 1 8 DRAW 8 DRAW 4 OK")  # T, T, G
    assert isinstance(rig.screen, ConfirmPeople)
    assert seats(rig.press("OK")) == ("Anna", "Ttg", "Cleo", "Dan")


def test_naming_a_colour_seat_keeps_its_chips_colour() -> None:
    rig = Rig().press("1 2 1 OK OK 1 6 3 OK")
    rig.view = replace(rig.view, names=("Anna",), club=REACHED)
    red = rig.view.game.colours[rig.state.seats.order[0]]
    rig.press(f"{PLACE} 1 2 OK")
    assert seats(rig)[0] == "Anna"
    assert rig.view.game.colours[rig.state.seats.order[0]] == red


def test_entries_from_phones_keep_the_question_open() -> None:
    rig = played(*FOUR).press(f"{PLACE} 2 5")
    asked, before = rig.screen, rig.view
    game = before.game.game
    later = before.game.fold(Step((parse_entry("Cleo 3-2", game, before.game.opened.seats),)))
    rig.view = replace(before, journal=later)
    assert asked.depends_on(before) == asked.depends_on(rig.view)
    assert seats(rig.press("OK")) == ("Anna", "Eve", "Cleo", "Dan")
    assert [str(entry) for entry in rig.view.game.entries[-2:]] == ["Eve 6-3", "Cleo 3-2"]


def test_a_box_without_a_club_does_not_offer_other_people() -> None:
    """Without a club, a name is changed on the page for names."""
    rig = Rig().press("1 2 1 OK OK 1 6 3 OK MENU 9")
    before = rig.screen
    assert rig.press("4").screen == before


def test_a_change_of_people_can_be_undone() -> None:
    rig = played(*FOUR).press(f"{PLACE} 2 5 OK MENU 1")
    assert seats(rig) == FOUR
    assert sum(isinstance(row, GameOpened) for row in rig.rows) == 1
