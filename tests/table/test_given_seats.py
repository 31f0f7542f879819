"""Seats that the club gives a table: offered as soon as no game is being played, started with one
key."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.console.screens.given_seats import ConfirmGivenSeats
from companion.core.club import GivenSeats
from companion.record.rows import GameOpened
from tests.rig import Rig

START = "1 2 1 OK OK 1 "
"""Begins High Five for two by their colours; Red leads the double six."""
FOUR = GivenSeats(4, 3, 7, "high-five", ("Anna", "Ben", "Cleo", "Dan_K"))


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    with Rig(tmp_path / "record.db") as rig:
        yield rig


def give(rig: Rig, given: GivenSeats = FOUR) -> None:
    rig.table.events.put(given)
    rig.wait(0.1)


def asked(rig: Rig) -> GivenSeats | None:
    screen = rig.table.box.console.screen
    return screen.given if isinstance(screen, ConfirmGivenSeats) else None


def opened(rig: Rig) -> GameOpened:
    journal = rig.table.box.view().journal
    assert journal is not None
    return journal.opened


def test_one_ok_begins_the_game_with_these_seats(rig: Rig) -> None:
    give(rig)
    assert asked(rig) == FOUR
    rig.press("OK")
    assert opened(rig).seats.order == ("Anna", "Ben", "Cleo", "Dan_K")
    assert opened(rig).words == (("event", "4.3.7"),)
    assert opened(rig).options["leave"] == 0


def test_back_declines_and_the_seats_may_be_sent_again(rig: Rig) -> None:
    give(rig)
    rig.press("BACK")
    assert asked(rig) is None
    give(rig)
    assert asked(rig) == FOUR


def test_newer_seats_replace_older_ones(rig: Rig) -> None:
    give(rig)
    changed = replace(FOUR, seats=("Eve", "Ben", "Cleo"))
    give(rig, changed)
    assert asked(rig) == changed
    rig.press("BACK")
    assert asked(rig) is None


def test_a_running_game_is_not_interrupted(rig: Rig) -> None:
    rig.press(START)
    give(rig)
    assert asked(rig) is None
    rig.press("6 3 OK")
    assert asked(rig) is None
    assert opened(rig).seats.order == ("Red", "Blue")


def test_a_game_put_aside_does_not_block_the_given_seats(rig: Rig) -> None:
    rig.press(START)
    rig.press("6 3 OK")
    assert rig.table.box.view().game_number == 1
    give(rig, replace(FOUR, instead_of=2))
    assert asked(rig) is None, "another game"
    given = replace(FOUR, instead_of=1)
    give(rig, given)
    assert asked(rig) == given
    assert GivenSeats.read(given.as_json) == given
    rig.press("OK")
    assert opened(rig).words == (("event", "4.3.7"),)
    assert opened(rig).seats.order[0] == "Anna"


def test_options_of_the_event_are_used_and_impossible_ones_reported(rig: Rig) -> None:
    give(rig, replace(FOUR, options=(("leave", 2), ("nonsense", 1))))
    rig.press("OK")
    assert opened(rig).options["leave"] == 2


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (replace(FOUR, game="chess"), "doesn't know"),
        (replace(FOUR, seats=("Anna", "Anna")), "two seats are called Anna"),
        (replace(FOUR, seats=("A", "B", "C", "D", "E")), "players"),
        (replace(FOUR, options=(("leave", "many"),)), "leave"),
    ],
)
def test_seats_that_cannot_play_begin_no_game(rig: Rig, given: GivenSeats, why: str) -> None:
    give(rig, given)
    rig.press("OK OK")
    assert rig.table.box.view().journal is None
    screen = asked(rig)
    assert screen is not None
    console = rig.table.box.console.screen
    assert isinstance(console, ConfirmGivenSeats)
    assert why in (console._why_not(rig.table.box.view()) or "")


def test_seats_given_during_set_up_need_a_separate_ok(rig: Rig) -> None:
    rig.press("1 2")
    give(rig)
    rig.press("OK")  # meant for the set-up
    assert rig.table.box.view().journal is None
    rig.press("OK")
    assert opened(rig).seats.order[0] == "Anna"


@pytest.mark.parametrize(
    "said",
    [None, [], {}, {"event": 1}, {**FOUR.as_json, "seats": ["Anna"]}, {**FOUR.as_json, "round": 0},
     {**FOUR.as_json, "seats": ["Anna", 7]}, {**FOUR.as_json, "options": []},
     {**FOUR.as_json, "seats": ["x" * 61, "Ben"]}],
)  # fmt: skip
def test_malformed_given_seats_are_ignored(said: object) -> None:
    assert GivenSeats.read(said) is None


def test_given_seats_are_read_back() -> None:
    assert GivenSeats.read(FOUR.as_json) == FOUR
    said = {**FOUR.as_json, "seats": ["Anna", "Dan K"], "options": {"target": 200}}
    read = GivenSeats.read(said)
    assert read is not None
    assert (read.seats, read.options) == (("Anna", "Dan_K"), (("target", 200),))
