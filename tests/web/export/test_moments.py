"""The moments of a game as data: each with what was known at that time, and nothing that was
revealed later."""

import json
from html import unescape
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.app.catalog import CATALOG
from companion.commands.replay import replay
from companion.core.seats import Seats
from companion.core.values import Json
from companion.games.entries import HoldingShown
from companion.presentation.drawing.svg import Paper
from companion.presentation.moment import Moment, describe
from companion.record.journal import Journal
from companion.record.rows import GameOpened, Step
from companion.record.tally import read_tally
from companion.web.export.html_file import whole_game
from companion.web.export.pictures import draw_card
from tests.catalog import GAMES
from tests.presentation.test_moment import at_random, played
from tests.random_games import play_game

TALLIES = Path(__file__).parents[2] / "games"
GOLDEN = Path(__file__).parent / "dispute_of_three.json"


def told(journal: Journal[Any], settings: Json | None = None) -> Json:
    """The data of a game's file, as the exporter writes it."""
    return whole_game(Moment(CATALOG, journal, 7, 4, settings or {}), "2026-11-20")


def whole(game: Json) -> list[Json]:
    """The moments of a game, each with its own drawing, seats and picture in place of the shared
    parts. The total number of entries is removed from the picture, the only part that has it."""
    found, shared, many = [], game["shared"], len(game["moments"])
    for moment in game["moments"]:
        drawing = moment["drawing"] and {
            name: [shared[one] for one in value] if isinstance(value, list) else shared[value]
            for name, value in moment["drawing"].items()
        }
        seats = [game["stands"][one] for one in moment["seats"]]
        pieces = ("<!-- -->" if one is None else shared[one] for one in moment["picture"])
        picture = "".join(pieces).replace(f" of {many}</text>", " of all</text>")
        found.append({**moment, "drawing": drawing, "seats": seats, "picture": picture})
    return found


def tally(name: str) -> Journal[Any]:
    text = (TALLIES / f"{name}.tally").read_text()
    return replay(read_tally(text, GAMES), GAMES)[0]


def cut(journal: Journal[Any], length: int) -> Journal[Any]:
    """The game after its first `length` entries."""
    opened = journal.opened
    found: Journal[Any] = Journal.begin(opened, GAMES)
    for entry in journal.entries[:length]:
        found = found.fold(Step((entry,)))
    return found


TO_CUT = (
    *(path.stem for path in sorted(TALLIES.glob("dispute*.tally"))),
    *("bogus_after_block", "bogus_of_four", "five_up_won", "high_five_tiles"),
)


@pytest.mark.parametrize("name", TO_CUT)
def test_no_moment_contains_later_revelations(name: str) -> None:
    journal = tally(name)
    later = whole(told(journal))
    for length in range(1, journal.length):
        assert whole(told(cut(journal, length))) == later[:length]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(4))
def test_no_moment_contains_later_revelations_in_games_with_cheating(seed: int) -> None:
    journal = at_random(seed)
    later = whole(told(journal))
    for length in (1, journal.length // 3, 2 * journal.length // 3):
        assert whole(told(cut(journal, length))) == later[:length]


PROVABLE = """
    hand
    Red 6-6
    Blue draw
    Blue 6-3
    Red 3-3
    Blue 6-4
"""


def test_an_uncalled_bogus_play_is_shown_once_it_can_no_longer_be_called() -> None:
    open_to_calls = told(played(PROVABLE))
    assert "bogus" not in json.dumps(open_to_calls)
    by_rule = told(played(PROVABLE), {"tell-bogus": "mark"})["moments"][-1]
    assert "proven now: Blue made a bogus play on the 1st turn" in by_rule["notices"]


def test_a_hidden_notice_is_shown_at_the_first_moment_that_allows_it() -> None:
    journal = next(found for found in map(at_random, range(40)) if _told_late(found))
    late = [moment for moment in told(journal)["moments"] if _proven(moment)]
    assert late
    for moment in late:
        assert any(mark["words"] in moment["notices"] for mark in moment["marks"])


def _proven(moment: Json) -> bool:
    return any(mark["kind"] == "proven" for mark in moment["marks"])


def _told_late(journal: Journal[Any]) -> bool:
    return any(map(_proven, told(journal)["moments"]))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", range(3))
def test_each_moment_has_the_text_and_drawing_of_the_live_table(seed: int) -> None:
    journal = at_random(seed)
    picture = CATALOG["high-five"].presentation
    for number, moment in enumerate(whole(told(journal)), start=1):
        says = describe(Moment(CATALOG, journal, 7, 4), number)
        assert moment["sentence"] == says["sentence"]["words"]
        assert moment["said"] == says["latest"][0]["said"]["words"]
        assert [seat["score"] for seat in moment["seats"]] == [
            seat["score"] for seat in says["seats"]
        ]
        assert [paid["said"] for paid in moment["pays"]] == [
            paid["said"]["words"] for paid in says["latest"][0]["payments"]
        ]
        drawn = picture.draw(journal.states[number - 1], Paper(4, 3), stand_alone=False)
        assert drawn is not None
        shapes = drawn.split("</desc>")[1].removesuffix("</svg>").replace("/>", " />")
        assert "".join(moment["drawing"]["parts"]) == shapes
        assert " ".join(moment["drawing"]["text"]) in unescape(drawn)
        card = draw_card(Moment(CATALOG, journal, 7, 4), "2026-11-20", number)
        before, after = moment["picture"].split("<!-- -->")
        assert card.startswith(before.split("of all</text>")[0]) and card.endswith(after)
        assert shapes in card.replace("/>", " />")


def test_shown_tiles_stay_visible_to_the_end_of_the_hand() -> None:
    moments = told(tally("dispute_of_three"))["moments"]
    assert [moment["shown"] for moment in moments[-4:]] == [
        {},
        {"Blue": "Shown: 0-1, 0-2, 1-2, 2-2, 1-3"},
        {},
        {},
    ]


def test_tiles_shown_to_clear_a_seat_stay_hidden() -> None:
    journal = tally("dispute_excluded_by_showing")
    (held,) = (entry for entry in journal.entries if isinstance(entry, HoldingShown))
    moments = told(journal)["moments"]
    assert "Blue has shown tiles" in [moment["said"] for moment in moments]
    assert all(not moment["shown"] for moment in moments)
    assert ", ".join(map(str, held.tiles)) not in json.dumps(moments)


def test_the_moments_that_mattered_are_marked() -> None:
    moments = told(tally("dispute_of_three"))["moments"]
    marks = {number: [mark["kind"] for mark in moment["marks"]] for number, moment in
             enumerate(moments, start=1) if moment["marks"]}  # fmt: skip
    assert marks == {7: ["called"], 8: ["ruling", "hand"]}
    assert moments[6]["dispute"]["verdict"] == "Proven"
    assert "6" in moments[6]["dispute"]["evidence"]


def test_starred_moments_are_marked() -> None:
    starred = {"star.4.1.1.Red 6-4": "on", "star.4.1.1.Blue 6-3": "off", "star.5.1.1.Red 3-3": "on"}
    moments = told(played("hand\nRed 6-6\nBlue 6-3\nRed 6-4\nBlue 3-3"), starred)["moments"]
    marks = [[mark["words"] for mark in moment["marks"]] for moment in moments]
    assert marks == [[], [], [], ["Remembered by the table"], []]


def test_a_whole_game_has_marks_at_important_moments() -> None:
    journal = Journal.begin(GameOpened("high-five", Seats.of("Red", "Blue"), {}), GAMES)
    for entry, _ in play_game(Random(2)):
        journal = journal.fold(Step((entry,)))
    moments = told(journal)["moments"]
    kinds = [mark["kind"] for moment in moments for mark in moment["marks"]]
    hands = journal.state.effect.hand
    assert kinds.count("won") == 1
    assert kinds.count("hand") == hands - 1
    for moment, state in zip(moments, journal.states, strict=True):
        is_big = bool(moment["count"]) and moment["count"]["number"] >= 20 and state.effect.points
        assert ("count" in [mark["kind"] for mark in moment["marks"]]) == bool(is_big)


def test_a_game_without_entries_has_one_moment() -> None:
    (moment,) = told(played(""))["moments"]
    assert (moment["said"], moment["asked"]) == (None, "Deal the first hand")


def test_without_a_set_clock_the_day_is_unknown() -> None:
    assert (
        whole_game(Moment(CATALOG, played("hand"), 7, 4), None)["about"] == "Game 4, date unknown"
    )


def test_the_data_of_a_short_game_match_the_stored_ones() -> None:
    """Renew them with python -m tests.web.export.store, and look at what changed."""
    assert told(tally("dispute_of_three")) == json.loads(GOLDEN.read_text("utf-8"))
