"""A score entered without its play: the next entries, the facts that are no longer known, and
calls."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from companion.app.catalog import CATALOG
from companion.core.errors import EntryError
from companion.core.seats import Seat, Seats
from companion.games.bogus.calls import Grounds, VerdictKind, judged_claim, ruling_of
from companion.games.entries import HandBlocked, PointsScored, TilesDrawn, TurnPassed, WentOut
from companion.games.game import Entry, Payment, parse_entry
from companion.games.line.line import TilePlayed
from companion.games.round import Stage
from companion.presentation.moment import Moment, describe
from companion.record.journal import Journal
from companion.record.rows import Amend, GameOpened, Step, Undo
from tests.catalog import GAMES as CATALOG_OF_GAMES
from tests.playing import refused, table
from tests.random_games import Played, play_game
from tests.sampling import examples

GAMES = ("high-five", "five-up", "all-fives")
SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "telling.schema.json").read_text())
BEGUN = "hand\nRed 6-6\nBlue 6-3\n"
"""Blue has scored 15; Red is to move."""


def by_points(played: Played) -> Iterator[Entry]:
    """The game's scores and the ends of its hands, without plays, draws and passes."""
    for entry, after in played:
        if isinstance(entry, TilePlayed) and after.effect.points:
            yield PointsScored(entry.seat, after.effect.points)
        elif not isinstance(entry, TilePlayed | TilesDrawn | TurnPassed):
            yield entry
        now = after.board.hand.round
        if isinstance(entry, TilePlayed | TurnPassed) and now.ended and not after.finished:
            yield WentOut(now.out) if now.out else HandBlocked()


@settings(max_examples=examples(40))
@given(st.integers(0, 2**32), st.integers(2, 4), st.sampled_from(GAMES))
def test_a_game_entered_by_scores_has_the_same_result(seed: int, players: int, name: str) -> None:
    played = play_game(Random(seed), players, name, {"no-double": "again"} if "all" in name else {})
    told = table(" ".join(played[0][1].seats), name)
    paid: list[Payment] = []
    for entry in by_points(played):
        told.replay([entry])
        paid += told.state.effect.payments
    by_tile = played[-1][1]
    assert paid == [payment for _, after in played for payment in after.effect.payments]
    assert (told.state.scores, told.state.winners) == (by_tile.scores, by_tile.winners)


# ---------------------------------------------------------------- what is entered


@pytest.mark.parametrize("points", ["0", "-5", "7", "40", "", "five", "10 5"])
def test_impossible_scores_are_refused(points: str) -> None:
    with pytest.raises(EntryError):
        table().say(f"hand\nRed points {points}")


@pytest.mark.parametrize("name", GAMES)
def test_any_seat_may_score_at_any_time(name: str) -> None:
    said = table("Red Blue Green", name).say(BEGUN + "Blue points 10\nBlue points 5\nRed points 35")
    assert (said.scores["Blue"], said.scores["Red"]) == (30, 35)
    assert said.state.to_move is None
    assert said.state.effect.turn is None


def test_a_score_is_paid_in_chips_and_capped() -> None:
    said = table().say("hand\n" + "Red points 35\n" * 4 + "Red points 15")
    assert said.paid == [("Blue", "Red", 10, "count")]
    assert said.state.winner == "Red"
    assert "has won" in refused(said, "Blue points 5")


def test_scores_are_refused_before_a_hand_and_after_its_end() -> None:
    assert "hand" in refused(table(), "Red points 5")
    said = table().say("hand\nRed points 5\nBlue out")
    assert "This hand is over" in refused(said, "Red points 5")


def test_a_first_score_of_ten_is_also_needed_when_only_scores_are_entered() -> None:
    said = table(first_score="10").say("hand\nRed points 5")
    assert said.scores["Red"] == 0
    assert said.say("Red points 10\nRed points 5").scores["Red"] == 15


def test_scores_are_entered_in_points_even_if_every_five_count_as_one() -> None:
    said = table(name="all-fives", unit="fives", target="61").say("hand\nRed points 15")
    assert said.scores["Red"] == 3


def test_a_score_that_was_not_called_is_lost_or_goes_to_the_muggins_caller() -> None:
    called = {"name": "all-fives", "called": "muggins"}
    said = table(**called).say("hand\nRed points 15\nBlue muggins")
    assert said.scores == {"Red": 0, "Blue": 15}
    assert table(**called).say("hand\nRed points 15\nRed not-called").scores["Red"] == 0


# ---------------------------------------------------------------- how the hand goes on


@pytest.mark.parametrize("name", GAMES)
def test_after_scores_any_seat_may_go_out(name: str) -> None:
    said = table(name=name).say(BEGUN + "Red points 10\nBlue out\nRed holds 1-1 5-5")
    assert said.paid[0][1:] == ("Blue", 10, "out")
    assert said.notices == []
    assert said.next_lead == "Blue"


@pytest.mark.parametrize("name", GAMES)
def test_a_hand_may_consist_of_its_end_alone(name: str) -> None:
    said = table(name=name).say("hand\nBlue out\nRed pips 12")
    assert said.paid[0][1:] == ("Blue", 10, "out")
    said.say("hand\nblocked\nRed pips 3\nBlue pips 20")
    assert said.paid[0][1] == "Red"
    assert said.state.board.hand.round.stage is Stage.OVER


def test_in_a_hand_entered_by_plays_only_the_last_player_may_go_out() -> None:
    assert "only Blue can have gone out" in refused(table().say(BEGUN), "Red out")


def test_tiles_are_not_counted_after_a_score_only_entry() -> None:
    said = table(deal="3").say("hand\n" + "Red points 5\nBlue count 7\n" * 6)
    said.say("Red draw 20\nBlue pass\nRed pass\nBlue pass")
    assert said.notices == []
    assert said.state.board.hand.round.stage is Stage.PLAY
    assert said.say("blocked\nRed holds 1-1 2-2 3-3 4-4\nBlue pips 0").notices == []


def test_a_single_tile_does_not_reveal_the_line_after_scores() -> None:
    said = table().say(BEGUN + "Red points 10")
    assert "The line is not known here" in refused(said, "Blue 1-2")
    assert said.say("Blue count 10").scores["Blue"] == 25


def test_after_scores_the_next_hand_may_be_entered_in_any_way() -> None:
    said = table().say("hand\nRed points 10\nRed out\nBlue pips 2\nhand\nRed 5-5")
    assert said.scores["Red"] == 20
    assert said.state.to_move == "Blue"


# ---------------------------------------------------------------- calls


def test_in_a_hand_entered_by_scores_a_call_names_no_turn_and_the_table_decides() -> None:
    said = table().say("hand\nRed points 10\nbogus Blue by Red")
    claim = judged_claim(said.state)
    assert claim is not None and claim.turn is None
    assert claim.claim.verdict.grounds is Grounds.UNTOLD
    assert "bogus: rule on that first" in refused(said, "Blue points 5")
    assert said.say("rule Blue clear").paid == []
    said.say("Blue points 5\nbogus Red\nRed holds 1-1\nrule Red bogus")
    ruling = ruling_of(said.state)
    assert ruling is not None and (ruling.turn, ruling.by) == (None, "table")
    assert said.paid == [("Red", "Blue", 50, "bogus")]
    assert said.next_lead == "Blue"


def test_each_seat_can_call_another_once_in_a_hand_entered_by_scores() -> None:
    said = table().say("hand\nRed points 10\nbogus Blue by Red\nrule Blue clear")
    assert "only once a hand" in refused(said, "bogus Blue by Red")


PROVEN = "hand\nRed 6-6\nBlue pass\nRed 6-1\nBlue 6-5\n"


def test_proofs_from_before_a_score_only_entry_remain() -> None:
    """Blue passed while it held 6-5, and has drawn no tile since."""
    said = table().say(PROVEN + "Red points 10\nbogus Blue by Red turn 2")
    claim = judged_claim(said.state)
    assert claim is not None and claim.claim.verdict.kind is VerdictKind.PROVEN
    assert said.say("Blue pips 12").paid == [("Blue", "Red", 50, "bogus")]


def test_entries_after_a_score_only_entry_prove_nothing_about_earlier_turns() -> None:
    said = table().say("hand\nRed 6-6\nBlue pass\nRed points 5\nRed out\nBlue holds 6-5")
    said.say("bogus Blue by Red turn 2")
    claim = judged_claim(said.state)
    assert claim is not None and claim.claim.verdict.kind is VerdictKind.POSSIBLE


def test_a_turn_after_a_score_only_entry_cannot_be_judged() -> None:
    said = table().say(BEGUN + "Red points 5\nBlue pass\nbogus Blue by Red turn 3")
    claim = judged_claim(said.state)
    assert claim is not None and claim.claim.verdict.grounds is Grounds.UNTOLD


@pytest.mark.parametrize(("ends", "stage"), [("pass", Stage.PLAY), ("always", Stage.OVER)])
def test_a_ruling_ends_a_hand_entered_by_scores(ends: str, stage: Stage) -> None:
    said = table(name="all-fives", could_play="30-or-20%", could_play_ends=ends)
    said.say("hand\nRed points 30\nbogus Red by Blue\nrule Red bogus")
    assert said.scores["Red"] == 0
    assert said.state.board.hand.round.stage is stage


# ---------------------------------------------------------------- undo, changes, what is shown


def played(text: str) -> Journal[object]:
    game = Journal.begin(GameOpened("high-five", Seats.of("Red", "Blue"), {}), CATALOG_OF_GAMES)
    for line in text.splitlines():
        game = game.fold(Step((parse_entry(line, game.game, game.opened.seats),)))
    return game


def test_undoing_a_score_only_entry_restores_the_line_and_the_turn() -> None:
    before = played(BEGUN.rstrip())
    after = played(BEGUN + "Red points 10").fold(Undo())
    assert after.state == before.state


def test_changing_a_play_to_a_score_invalidates_later_plays_entered_by_tile() -> None:
    game = played(BEGUN + "Red 6-4\nBlue 4-4")
    scored = (parse_entry("Blue points 15", game.game, game.opened.seats),)
    amended = game.amended(Amend(2, scored))
    assert amended.broken is not None and amended.broken[0] == 3
    assert amended.dropped == 2
    other = (parse_entry("Red points 15", game.game, game.opened.seats),)
    changed = played(BEGUN + "Red points 10\nBlue out").fold(Amend(3, other))
    assert (changed.state.scores[Seat("Red")], changed.length) == (15, 5)


def test_correcting_another_seats_score_moves_no_turns() -> None:
    game = played(BEGUN + "Red points 10\nRed points 5")
    amended = game.amended(Amend(3, (game.entries[3].of(Seat("Blue")),)))
    assert amended.broken is None
    assert amended.journal.state.scores[Seat("Blue")] == 25


def test_a_moment_after_a_score_only_entry_has_the_scorer_but_no_line() -> None:
    game = played(BEGUN + "Red points 10\nbogus Blue by Red")
    told = describe(Moment(CATALOG, game, 1), 4)
    Draft202012Validator(SCHEMA).validate(told)
    assert (told["table"], told["boneyard"]) == (None, None)
    assert told["asked"]["words"] == "Who scores next, or is out?"
    assert told["latest"][0]["said"]["words"] == "Red scores 10"
    heard = describe(Moment(CATALOG, game, 1))
    Draft202012Validator(SCHEMA).validate(heard)
    assert heard["claim"]["turn"] is None
    assert heard["claim"]["charge"]["words"] == "Red calls Blue bogus: a draw or pass"
    assert "only scores" in heard["claim"]["evidence"]["words"].lower()
