"""Proofs from a holding shown during the hand, whatever happens to its tiles later."""

from random import Random

import pytest

from companion.games.bogus import verdict
from companion.games.bogus.calls import Grounds, Verdict, VerdictKind
from companion.games.bogus.plain_hand import PlainHand
from companion.games.bogus.verdict import judge
from companion.games.line import line
from companion.games.line.line import TilePlayed
from tests.games.disputed import BY_COUNT, MIXED, DisputedHand, Habits, play_disputed_hand
from tests.playing import TextGame, refused, table

HABITS = (
    Habits(cheating=250, noticing=800, showing=500, heaping=300, pausing=500, looking_back=500,
           calling=100, ways=BY_COUNT),
    Habits(cheating=250, noticing=900, showing=500, pausing=600, looking_back=700, calling=100,
           hiding=300, misdrawing=100, ways=MIXED),
    Habits(cheating=200, noticing=700, pausing=300, looking_back=500, calling=200, forgetting=60,
           mending=400, hiding=200, ways=BY_COUNT),
    Habits(cheating=100, noticing=900, showing=300, pausing=700, looking_back=900, calling=100,
           ways=BY_COUNT),
)  # fmt: skip
"""Habits of players who call in the middle of a turn, show their holding, and then give a tile
back."""


def judged(hand: DisputedHand) -> int:
    """Checks the verdict on each draw and pass so far; returns how many it checked. While a draw is
    forgotten it checks none, because the entries differ from the facts."""
    watched, number = hand.watched, 0
    assert not watched.fault
    if hand.forgotten or watched.evidence is None:
        return 0
    turns = [turn for turn in watched.hand.turns if not isinstance(turn.did, TilePlayed)]
    for (place, bogus), turn in zip(sorted(hand.bogus.items()), turns, strict=False):
        if place == len(hand.entries):
            continue
        found, number = judge(watched, turn), number + 1
        assert found.grounds is not Grounds.FAULT
        if turn.moment is not None and not turn.noticed:
            assert found.kind in ("possible", "proven" if bogus else "excluded"), (place, found)
    return number


def verdicts_of(seed: int, habits: Habits) -> int:
    """Plays a hand and checks it after each entry; returns the number of verdicts."""
    verdicts = []
    play_disputed_hand(seed, lambda hand: verdicts.append(judged(hand)), habits)
    return sum(verdicts)


@pytest.mark.parametrize("habits", HABITS, ids=["heaping", "hiding", "mending", "unseen"])
@pytest.mark.parametrize("limit", [line.MAX_LINES, 4])
def test_verdicts_stay_true_after_a_shown_holding(
    habits: Habits, limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a small limit, lines are soon given up; after that, a play without a named tile may have
    come from a shown holding."""
    monkeypatch.setattr(line, "MAX_LINES", limit)
    seeds = Random(limit).sample(range(10**6), 4)
    assert sum(verdicts_of(seed, habits) for seed in seeds) > 30


def kind(said: TextGame, turn: int) -> VerdictKind:
    watched = said.state.board.watched
    return judge(watched, watched.hand.turn(turn)).kind


def test_a_tile_can_be_returned_after_a_holding_settled_the_line() -> None:
    said = table("Ann José", deal="3").say(
        "hand\nJosé count 2\nAnn draw 3\nAnn return 3-3\nAnn count 4\nJosé draw\nJosé return 4-6\n"
        "José count 6\nAnn draw\nbogus Ann by José turn 2\nAnn holds 5-5 2-4 4-4 3-5 6-6\n"
        "rule Ann clear\nAnn return"
    )
    watched = said.state.board.watched
    assert watched.evidence.examined.known.laid == tuple(
        laid for _, laid in watched.hand.line.possible
    )
    assert kind(said.say("Ann count 6"), 2) == "possible"


def test_a_draw_after_an_unnamed_return_may_be_bogus() -> None:
    said = table().say(
        "hand lead Red\nRed count 4\nBlue draw\nBlue draw\nBlue count 5\nRed draw\nRed count 4\n"
        "Blue count 7\nRed draw\nbogus Red by Blue turn 5\nRed holds 3-6\nrule Red clear\n"
        "Red return\nRed pass\nBlue draw"
    )
    assert kind(said, 5) == "possible"


def test_one_of_two_drawn_tiles_can_go_back_after_both_were_shown() -> None:
    """4-2 was drawn together with the tile that went back, so it was not held before that draw."""
    said = table(deal="3").say(
        "hand\nRed 3-3\nBlue 3-2\nRed draw 2\nbogus Red\nRed holds 1-5 0-4 2-4 4-4\nrule Red clear"
    )
    assert kind(said.say("Red return 4-4"), 3) == "possible"


def few_lines(monkeypatch: pytest.MonkeyPatch) -> TextGame:
    """A hand whose lines are given up after the fourth play; the tile led can only be 6-6."""
    monkeypatch.setattr(line, "MAX_LINES", 1)
    said = table(deal="9").say("hand\nRed count 12\nBlue count 14\nRed count 6\nBlue count 8")
    assert said.state.board.hand.line.lost
    return said


def test_play_goes_on_if_a_shown_holding_includes_a_played_tile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = few_lines(monkeypatch).say("Red draw\nbogus Red\nRed holds 6-6\nrule Red clear")
    assert said.say("Red count 10\nBlue pass").notices == ["pass-with-boneyard"]
    assert kind(said, 5) == "possible"


def test_an_unknown_tile_played_may_be_one_that_was_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines are not known: a shown tile may be in the line, so it proves nothing."""
    said = few_lines(monkeypatch).say("Red draw\nbogus Red\nRed holds 2-2 3-3 1-1 0-0 4-4 5-5 3-1")
    said.say("rule Red clear\nRed ends 1 3 4\nBlue pass\nRed pass")
    assert kind(said, 8) == "possible"


def test_turns_remain_distinct_after_the_search_for_proofs_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(line, "MAX_LINES", 1)
    said = table(deal="9").say("hand\nRed count 12\nBlue draw\nbogus Blue\nBlue holds 2-2 3-3")
    said.say("rule Blue clear\nBlue count 14\nRed count 6\nBlue count 8\nRed pass\nBlue count 9")
    said.say("Red pass\nBlue count 7\nRed pass")
    moments = [turn.moment for turn in said.state.board.hand.draws_and_passes]
    assert len(set(moments)) == len(moments)


def test_a_proof_names_its_tiles_after_a_holding_settled_the_line() -> None:
    """The hand may have gone on in several ways, each of which has its own line."""
    said = table("李 Bob Åsa", rotate_lead="on").say(
        "hand lead 李\n李 count 8\nBob count 5\nÅsa count 6\n李 count 3\nBob draw\nBob draw\n"
        "Bob count 6\nÅsa pass\n李 count 10\nbogus Bob by 李\nBob holds 1-1 4-4 2-4 1-4 2-6\n"
        "rule Bob clear\nBob count 8\nÅsa count 6"
    )
    watched = said.state.board.watched
    assert [str(tile) for tile in judge(watched, watched.hand.turn(8)).tiles] != []


# ---------------------------------------------------------------- what was shown was wrong

MISKEYED = """
hand
Red 6-6
Blue pass
bogus Blue by Red
Blue holds 0-3 1-1 1-2 2-2 2-3 3-3 3-4
"""


def test_a_play_that_contradicts_a_shown_holding_is_announced_and_judged_anew() -> None:
    said = table(wrong_call="50").say(MISKEYED)
    assert said.paid == [("Red", "Blue", 50, "wrong-call")]
    said.say("Red 6-4\nBlue 6-3")
    assert said.notices == ["contradiction", "judged-anew", "bogus-proven"]
    told, anew, _ = said.state.effect.notices
    text = "the tiles Blue showed don't match what was laid and drawn"
    assert told["text"] == text
    assert dict(anew.fields) == {"seat": "Blue", "turn": 2, "verdict": "proven"}
    said.say("bogus Blue by Red turn 2\nBlue pips 20")
    assert said.paid == [("Blue", "Red", 50, "bogus")]


def test_a_play_that_agrees_with_a_shown_holding_gives_no_notice() -> None:
    said = table().say(MISKEYED + "Red 6-4\nBlue draw\nBlue 6-3")
    assert said.notices == []
    assert "only once a hand" in refused(said, "bogus Blue by Red turn 4")


def test_nothing_is_proven_once_a_wrong_holding_has_excluded_lines() -> None:
    """2-4 or 2-2 was played: only the shown holding decides which."""
    said = table().say("hand\nRed count 12\nBlue count 14\nRed count 6\nBlue count 8\nRed pass")
    said.say("bogus Red by Blue\nRed holds 2-2 1-1 3-3 5-5 1-3\nBlue pass\nRed 4-1")
    assert said.notices == ["contradiction", "judged-anew"]
    assert said.state.effect.notices[1]["verdict"] == "possible"
    assert said.say("bogus Red by Blue turn 5").state.board.watched.claim.verdict == Verdict(
        VerdictKind.POSSIBLE, grounds=Grounds.CONTRADICTION
    )


# ---------------------------------------------------------------- a fault in the search


def fails(*_words: object) -> None:
    raise ValueError("what is this?")


def test_a_fault_in_the_search_for_proofs_gives_a_notice_and_the_entry_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = table().say("hand\nRed 6-6\nBlue pass")
    monkeypatch.setattr(PlainHand, "after_play", fails)
    said.say("Red 6-5")
    assert said.notices == ["nothing-provable"]
    assert "what is this?" in str(said.state.effect.notices[0]["fault"])
    said.say("Blue 3-6")
    assert (said.notices, said.state.board.hand.round.turn) == ([], 4)
    assert said.say("bogus Blue by Red turn 2").state.board.watched.claim.verdict == Verdict(
        VerdictKind.POSSIBLE, grounds=Grounds.FAULT
    )


def test_a_fault_in_a_verdict_leaves_the_call_to_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    said = table().say("hand\nRed 6-6\nBlue pass")
    monkeypatch.setattr(verdict, "may_have_held", fails)
    assert said.say("bogus Blue by Red").notices == ["nothing-provable"]
    assert said.say("rule Blue clear").state.board.watched.claim is None


# ---------------------------------------------------------------- no answer takes too long


def test_the_verdict_is_possible_if_the_search_takes_too_many_steps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = table(deal="3").say("hand\nRed 6-6\nBlue pass\nRed 6-5")
    watched = said.state.board.watched
    known = judge(watched, watched.hand.turn(2))
    assert (known.kind, bool(known.tiles)) == (VerdictKind.POSSIBLE, True)
    monkeypatch.setattr(verdict, "MAX_STEPS", 3)
    assert judge(watched, watched.hand.turn(2)) == Verdict(
        VerdictKind.POSSIBLE, grounds=Grounds.UNKNOWN
    )
