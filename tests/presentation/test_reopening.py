"""Reopening a finished hand, which has to be confirmed on phones and at the box."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.catalog import CATALOG
from companion.core.keys import Key, Press
from companion.core.seats import Seat
from companion.games.game import Entry, parse_entry
from companion.presentation.keys import SHOW
from companion.presentation.moment import Moment
from companion.presentation.preview import preview
from companion.record.journal import Journal
from companion.record.rows import Amend, Redo, Step, Undo
from companion.record.tally import play_tally, read_tally
from tests.catalog import GAMES
from tests.console.rig import Rig, started
from tests.manual.reading import reads as seen

TALLIES = sorted((Path(__file__).parent.parent / "games").glob("*.tally"))


def journals() -> Iterator[Journal[object]]:
    """Each recorded game after each of its entries."""
    for path in TALLIES:
        for played in play_tally(read_tally(path.read_text(), GAMES), GAMES):
            yield played.journal


def plays(entry: Entry) -> bool:
    return entry.words[:1] in (("draw",), ("pass",))


def test_after_a_hand_draw_and_pass_need_a_confirmation() -> None:
    seen = 0
    for journal in journals():
        keys = CATALOG[journal.opened.game].presentation.keys
        asked = keys.json(journal.game, journal.state, {})
        shows = asked["asks"] == SHOW and not any("rule-" in act["name"] for act in asked["acts"])
        for act in asked["acts"]:
            if shows and act["name"].split("-")[0] in ("draw", "pass"):
                assert act["careful"] and not act["main"] and act["most"] is None
                entry = parse_entry(act["entry"], journal.game, journal.opened.seats)
                moment = Moment(CATALOG, journal, 1, 1, {})
                told = preview(moment, Step((entry,)))["told"][0]
                assert told["notices"][0]["words"] == "This hand is over: this reopens it"
                seen += 1
    assert seen >= 4


def test_after_a_hand_a_play_needs_a_confirmation() -> None:
    view = presumed_out().view
    for text, asks in (("Blue 4-5", True), ("Blue holds 5-1", False)):
        entry = parse_entry(text, view.game.game, view.game.opened.seats)
        told = preview(Moment(CATALOG, view.journal, 1, 1, {}), Step((entry,)))["told"][0]
        words = [notice["words"] for notice in told["notices"]]
        assert ("This hand is over: this reopens it" in words) is asks


def presumed_out() -> Rig:
    """Red has played its last tile, and Blue is prompted for its holding."""
    rig = Rig()
    tally = read_tally((TALLIES[0].parent / "presumed_out.tally").read_text(), GAMES)
    rig.view = rig._with(tally.opened)
    for _, line in tally.lines[:6]:
        entry = parse_entry(line, rig.view.game.game, tally.opened.seats)
        rig.view = rig._with(Step((entry,)))
    return rig


@pytest.mark.parametrize("key", [*Key])
@pytest.mark.parametrize("seat", [None, "Red", "Blue"])
def test_no_single_key_reopens_a_hand(key: Key, seat: str | None) -> None:
    rig = presumed_out().press("OK")  # “Is Red out?”, where DRAW is one of the answers
    assert rig.name() == "KeyHolding"
    entries = rig.view.game.entries
    rig.send(Press(key, Seat(seat) if seat else None))
    kept = rig.view.game.entries
    assert kept[: len(entries)] == entries
    assert not any(plays(entry) for entry in kept[len(entries) :])


def test_the_menu_confirms_undoing_the_end_of_a_hand() -> None:
    rig = presumed_out().press("OK 4 5 OK")
    rows = len(rig.rows)
    rig.press("MENU 1")
    assert (rig.name(), len(rig.rows)) == ("OfferUndo", rows)
    rig.press("OK")
    assert rig.rows[rows:] == [Undo()]


def test_the_menu_redoes_a_holding_at_once() -> None:
    rig = presumed_out().press("OK 4 5 OK")
    rig.view = rig._with(Undo())
    rows = len(rig.rows)
    rig.press("MENU 6")
    assert rig.rows[rows:] == [Redo()]


def test_the_menu_confirms_redoing_in_a_finished_hand() -> None:
    rig = presumed_out().press("OK 4 5 OK")
    other = parse_entry("Blue holds 5-1", rig.view.game.game, rig.view.game.opened.seats)
    rig.view = rig._with(Amend(rig.view.game.length - 1, (other,)))
    rig.view = rig._with(Undo())
    rows = len(rig.rows)
    rig.press("MENU 6")
    assert (rig.name(), len(rig.rows)) == ("OfferUndo", rows)
    assert seen(rig.frame, "Redo")
    rig.press("OK")
    assert rig.rows[rows:] == [Redo()]


def test_the_menu_undoes_at_once_during_a_hand() -> None:
    rig = started().press("OK 1 6 3 OK")
    rows = len(rig.rows)
    rig.press("MENU 1")
    assert rig.rows[rows:] == [Undo()]
