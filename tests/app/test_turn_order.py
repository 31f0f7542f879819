"""A game whose turns pass to the right: the drawing of the table, and everything that describes the
seating."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from companion.app.catalog import Catalog, line_game
from companion.commands.cli import main
from companion.core.club import Club, ClubStep, GivenSeats
from companion.core.seats import Seats
from companion.games.five_up import FIVE_UP
from companion.games.game import settle_options
from companion.presentation.house_rule_words import opening_sentences
from companion.presentation.language import ENGLISH
from companion.record.journal import Journal
from companion.record.rows import GameOpened
from companion.table.snapshot import Snapshot
from companion.web.club import club_json
from companion.web.panels import PANELS
from tests.console.rig import Rig
from tests.events.playing import event_of
from tests.manual.reading import reads

TO_THE_LEFT = Catalog(line_game(FIVE_UP))
TO_THE_RIGHT = Catalog(line_game(replace(FIVE_UP, clockwise=False)))
WAYS = {"clockwise": TO_THE_LEFT, "counter-clockwise": TO_THE_RIGHT}
FOUR = ("Anna", "Ben", "Cleo", "Dan")
AROUND = {"far": (0, -1), "right": (1, 0), "near": (0, 1), "left": (-1, 0)}
GIVEN = GivenSeats(4, 3, 7, "five-up", FOUR)


def drawn_places(games: Catalog, players: int) -> list[tuple[int, int]]:
    """The middle of each seat's name in the drawing of the table, from its middle."""
    names = {f"{at + 1} {name}": at for at, name in enumerate(("Red", "Blue", "Green", "Yellow"))}
    frame = Rig(games).press(f"1 {players} 1").frame
    found = {
        names[one.text]: ((one.left + one.right) // 2 - 64, one.top - 8)
        for one in frame.texts
        if one.text in names
    }
    return [found[at] for at in range(players)]


def turns_left(places: list[tuple[int, int]]) -> bool:
    """Returns whether these places, in order, go round the table clockwise; y grows downwards."""
    following = [*places[1:], places[0]]
    return sum(x * v - y * u for (x, y), (u, v) in zip(places, following, strict=True)) > 0


@pytest.mark.parametrize("players", [3, 4])
def test_the_drawing_of_the_table_follows_the_turn_order(players: int) -> None:
    left, right = (drawn_places(games, players) for games in WAYS.values())
    assert left[0] == right[0], "the first seat stays where it is"
    assert turns_left(left)
    assert not turns_left(right)


@pytest.mark.parametrize("way", WAYS)
def test_display_voice_and_club_state_the_direction_of_turns(way: str) -> None:
    games, seats = WAYS[way], Seats.of(*FOUR)
    assert reads(Rig(games).press("1 2 1").frame, f"Turns go {way}: Red, Blue.")
    rig = Rig(games)
    rig.console = rig.console.asking_about_seats(GIVEN, None)
    assert reads(rig.console.show(rig.view).frame, f"Anna, Ben, Cleo, Dan. Sit like this, {way}.")
    rules = games.rules["five-up"]
    journal = Journal.begin(GameOpened("five-up", seats, settle_options(rules, 4, {})), games.rules)
    assert next(opening_sentences(journal))["words"] == f"Five Up, {way}: Anna, Ben, Cleo, Dan"
    told = club_json(Club(ClubStep.JOINED, given=GIVEN), games, plays=True)
    assert told is not None
    assert told["given"]["clockwise"] == (way == "clockwise")


@pytest.mark.parametrize("way", WAYS)
def test_the_new_game_panel_states_the_direction_of_turns(way: str) -> None:
    nothing = Snapshot(1, 0, None, None, b"", None, {})
    told = PANELS["new"](nothing, {"game": "five-up"}, WAYS[way], ENGLISH)
    assert told is not None
    assert told["clockwise"] == (way == "clockwise")


@pytest.mark.parametrize("players", [3, 4])
def test_table_cards_list_names_in_seating_order(tmp_path: Path, players: int) -> None:
    (tmp_path / "event.json").write_text(json.dumps(event_of(players, game="five-up")), "utf-8")
    made = tmp_path / "cards.html"
    found = {}
    for way, games in WAYS.items():
        paper = ["paper", str(tmp_path / "event.json"), "--cards", str(made)]
        assert main(paper, games=games) == 0
        sides = re.findall(r'class="seat (\w+)"', made.read_text("utf-8"))
        found[way] = [AROUND[side] for side in sides]
    assert found["clockwise"][0] == found["counter-clockwise"][0]
    assert turns_left(found["clockwise"])
    assert not turns_left(found["counter-clockwise"])
