"""Proofs of bogus play: correct in the cases that tables argue about, and found without a long
search."""

from collections.abc import Callable
from functools import partial
from types import ModuleType

import pytest

from companion.games.bogus import evidence
from companion.games.bogus.calls import Grounds, Verdict, VerdictKind
from companion.games.bogus.verdict import judge, proven_turns
from tests.games.disputed import draws_and_passes
from tests.playing import TextGame, refused, table


def verdict(said: TextGame, turn: int) -> Verdict:
    watched = said.state.board.watched
    return judge(watched, watched.hand.turns[turn - 1])


def test_a_proof_by_count_remains_and_the_table_cannot_overrule_it() -> None:
    said = table("Red Blue Green").say(
        "hand\nRed count 12\nBlue draw\nBlue pass\nGreen count 14\nRed count 13\nBlue count 1"
    )
    assert [turn.number for turn in proven_turns(said.state.board.watched)] == [3]
    said.say("Green count 1\nRed count 5\nBlue count 9\nGreen count 4\nRed count 1\nBlue count 2")
    assert [turn.number for turn in proven_turns(said.state.board.watched)] == [3]
    said.say("bogus Blue turn 3")
    assert "proven" in refused(said, "rule Blue clear")
    assert said.say("Blue pips 40").paid == [("Blue", "Green", 50, "bogus")]


def test_a_proof_is_announced_when_a_play_settles_several_earlier_plays() -> None:
    said = table(deal="4").say(
        "hand\nRed 2-2\nBlue pass\nRed draw\nRed draw\nRed ends 2 2 5\nBlue ends 0 5\nRed draw\n"
        "Red ends 3 5\nBlue 3-1 ends 1 5\nRed ends 1 1 5"
    )
    assert said.say("Blue ends 1 4 5").notices == ["bogus-proven"]
    assert verdict(said, 7).kind == "proven"


def test_playing_a_matching_tile_later_without_a_draw_in_between_proves_bogus() -> None:
    said = table(deal="3").say("hand\nRed 6-6\nBlue pass\nRed 6-5\nBlue 3-6")
    assert verdict(said, 2) == Verdict(VerdictKind.PROVEN, verdict(said, 2).tiles, Grounds.DEADLINE)
    assert [str(tile) for tile in verdict(said, 2).tiles] == ["3-6"]


def test_a_tile_that_may_have_been_drawn_proves_nothing() -> None:
    said = table(deal="3").say("hand\nRed 6-6\nBlue draw\nBlue 3-6")
    assert verdict(said, 2).kind == "possible"


def test_playing_two_matching_tiles_after_a_single_draw_proves_bogus() -> None:
    said = table(deal="3").say("hand\nRed 6-6\nBlue draw\nBlue pass\nRed 6-5\nBlue 3-6")
    assert verdict(said, 2).kind == "possible"
    said.say("Red 5-5\nBlue 3-0\nRed draw\nRed pass")
    two = table(deal="3").say("hand\nRed 6-6\nBlue draw\nBlue 3-6\nRed draw\nRed pass\nBlue 6-4")
    assert verdict(two, 2).kind == "proven"
    assert verdict(two, 2).grounds == "draws"
    assert [str(tile) for tile in verdict(two, 2).tiles] == ["3-6", "4-6"]


def test_a_shown_holding_can_exclude_bogus() -> None:
    said = table(deal="3").say("hand\nRed 6-6\nBlue pass\nbogus Blue\nBlue holds 1-2 3-4 5-5")
    assert verdict(said, 2).kind == "excluded"


def test_a_shown_holding_can_prove_bogus() -> None:
    said = table(deal="3").say("hand\nRed 6-6\nBlue pass\nbogus Blue\nBlue holds 1-2 3-4 5-6")
    assert verdict(said, 2).kind == "proven"


def test_a_draw_after_admitting_a_playable_tile_is_bogus() -> None:
    said = table().say("hand\nRed 6-6\nBlue draw\nBlue return 1-1")
    assert verdict(said, 2) == Verdict(VerdictKind.EXCLUDED, grounds=Grounds.RETURNED)
    assert verdict(said.say("Blue draw"), 3) == Verdict(VerdictKind.PROVEN, grounds=Grounds.NOTICED)


def test_the_spinners_ends_count_only_once_both_sides_are_covered() -> None:
    closed = table(deal="5").say("hand\nRed 6-6\nBlue 6-5\nRed 5-1\nBlue 1-1\nRed pass")
    closed.say("Blue 6-4\nRed 6-3")
    assert verdict(closed, 5).kind == "proven"
    ended = table(deal="5").say("hand\nRed 6-6\nBlue 6-5\nRed 6-4\nBlue 5-1\nRed 4-2\nBlue pass")
    ended.say("Red 1-1\nBlue 6-3 ends 1 1 2 3")
    assert verdict(ended, 6).kind == "proven"
    before = table(deal="5").say("hand\nRed 4-4\nBlue pass")
    before.say("Red 4-1\nBlue 1-6")
    assert verdict(before, 2).kind == "possible"


def test_miscounted_tiles_prove_nothing() -> None:
    said = table(deal="3").say("hand\nRed 6-6\nBlue pass\nRed 6-5\nBlue 3-6\nRed draw 28\nRed pass")
    assert verdict(said, 2) == Verdict(VerdictKind.POSSIBLE, grounds=Grounds.DOUBTFUL)


def test_a_verdict_is_given_if_only_counts_were_entered() -> None:
    said = table(deal="3").say("hand\nRed count 12\nBlue pass\nRed count 17\nBlue count 8")
    assert verdict(said, 2).kind in ("possible", "proven")


def test_a_verdict_considers_every_line_that_the_entered_ends_allow() -> None:
    said = table(deal="3").say("hand\nRed ends 6 6\nBlue pass\nRed ends 5 6 6\nBlue ends 3 5")
    assert verdict(said, 2).kind == "proven"


# ---------------------------------------------------------------- fewer tiles than were counted


FEWER = "hand\nRed 6-6\nBlue pass\nRed 6-5\nBlue 3-6\nbogus Blue turn 2"


def test_holding_fewer_tiles_than_counted_does_not_weaken_a_proof() -> None:
    said = table().say(FEWER + "\nBlue holds 1-1 1-2")
    assert said.notices[0] == "count-doubtful"
    assert said.paid == [("Blue", "Red", 50, "bogus")]


def test_going_out_sooner_than_counted_does_not_weaken_a_proof() -> None:
    said = table().say("hand\nRed 6-6\nBlue pass\nRed 6-5\nBlue 3-6\nRed pass\nBlue 3-3\nBlue out")
    assert said.notices == ["count-doubtful"]
    assert verdict(said, 2) == Verdict(VerdictKind.PROVEN, verdict(said, 2).tiles, Grounds.DEADLINE)


def test_holding_more_tiles_than_counted_ends_all_proofs() -> None:
    """A draw was forgotten, and may have brought the tile."""
    more = "Blue holds 0-0 0-1 0-2 1-1 1-2 2-2 1-3"
    said = table().say(FEWER + "\n" + more)
    assert said.state.board.watched.claim.verdict == Verdict(
        VerdictKind.POSSIBLE, grounds=Grounds.DOUBTFUL
    )


def test_showing_fewer_tiles_excludes_nothing() -> None:
    hidden = table(deal="3").say("hand\nRed 6-6\nBlue pass\nbogus Blue\nBlue holds 1-2 3-4")
    assert hidden.state.board.watched.claim.verdict.kind == "possible"


def test_a_proof_by_number_of_tiles_fails_if_the_number_was_wrong() -> None:
    """Of nine tiles at most eight don't fit; but the number nine was wrong."""
    said = table("A B C", deal="9", rotate_lead="on").say(
        "hand lead A\nA 6-6\nB 2-6\nC 3-6\nA 3-3\nB 2-2\nC 4-6\nA 0-6\nB pass"
    )
    assert verdict(said, 8).grounds == "exhausted"
    said.say("bogus B\nB holds 1-1 1-5 5-5")
    assert verdict(said, 8).kind == "possible"


# ---------------------------------------------------------------- tiles that went back


def test_a_pass_after_admitting_a_playable_tile_is_bogus() -> None:
    said = table().say("hand\nRed 6-6\nBlue draw\nBlue return 1-1\nBlue pass")
    assert verdict(said, 3) == Verdict(VerdictKind.PROVEN, grounds=Grounds.NOTICED)
    assert said.notices == ["pass-with-boneyard", "bogus-proven"]
    honest = table().say("hand\nRed 6-6\nBlue draw\nBlue return\nBlue 6-1\nRed draw\nRed pass")
    assert verdict(honest, 5).kind == "possible"


def test_honest_draws_before_a_returned_tile_prove_nothing() -> None:
    said = table().say("hand\nRed 6-6\nBlue draw\nBlue draw\nBlue return 1-1\nBlue 6-1")
    assert [verdict(said, turn).kind for turn in (2, 3)] == ["possible", "excluded"]


def test_a_played_tile_may_be_the_one_kept_after_a_draw_of_two() -> None:
    """Of two tiles drawn, one went back without being named; the other one may be the tile that was
    played."""
    said = table(deal="3").say("hand\nRed 6-6\nBlue draw 2\nBlue return\nBlue 6-1")
    assert verdict(said, 2).kind == "possible"
    said.say("Red pass\nBlue 6-2")
    assert verdict(said, 2) == Verdict(VerdictKind.PROVEN, verdict(said, 2).tiles, Grounds.DRAWS)


def test_a_tile_shown_with_the_holding_can_be_returned() -> None:
    said = table(deal="3").say(
        "hand\nRed 6-6\nBlue draw\nbogus Blue\nBlue holds 1-1 2-2 3-3 6-1\nrule Blue clear"
    )
    said.say("Blue return 6-1")
    assert verdict(said, 2) == Verdict(VerdictKind.EXCLUDED, grounds=Grounds.RETURNED)
    assert said.state.board.watched.evidence.any_deal
    said.say("Blue draw\nBlue 6-5\nRed 5-5\nBlue pass")
    assert verdict(said, 6).kind == "excluded"


class CallCounter:
    """Counts how often functions of modules are called."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.calls, self._patch = 0, patch

    def count(self, module: ModuleType, *names: str) -> None:
        """Starts counting calls of these functions."""
        for name in names:
            self._patch.setattr(module, name, self.counting(getattr(module, name)))

    def counting(self, function: Callable[..., object]) -> Callable[..., object]:
        def counted(*words: object) -> object:
            self.calls += 1
            return function(*words)

        return counted

    def during(self, what: Callable[[], object]) -> int:
        """The number of calls that `what` makes."""
        before = self.calls
        what()
        return self.calls - before


@pytest.mark.parametrize("seats", ["A B", "A B C D"])
def test_returned_tiles_add_little_to_the_search(
    seats: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each tile can be in the boneyard or drawn again by any seat; the search treats them alike."""
    looked = CallCounter(monkeypatch)
    looked.count(evidence, "_place_tile")
    looked.count(evidence, "can_be_filled", "_most_placed")
    said, order = table(seats).say("hand\nA 6-6"), seats.split()
    tiles = [f"{low}-{high}" for low in range(5) for high in range(low, 5)]
    for number, tile in enumerate(tiles[:12]):
        seat = order[(number + 1) % len(order)]
        lines = f"{seat} draw\n{seat} return {tile}\n{seat} pass"
        assert looked.during(partial(said.say, lines)) < 100
    watched = said.state.board.watched
    for turn in draws_and_passes(watched):
        assert looked.during(partial(judge, watched, turn)) < 100
