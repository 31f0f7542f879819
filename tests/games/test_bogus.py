"""Bogus play by proof: sound on simulated cheats, and the cases that a table argues about."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.bogus import judge
from companion.games.entries import Laid
from companion.games.hand import Verdict
from companion.seats import COLOURS, Seats
from tests.playing import Said, table
from tests.random_games import Evening


def verdict(said: Said, turn: int) -> Verdict:
    hand = said.state.board.hand
    return judge(hand, hand.turns[turn - 1])


def proofs(
    seed: int, players: int, cheating: float, calling: float
) -> tuple[dict[int, bool], Evening]:
    """One hand with cheats and calls in it; which draws and passes were bogus."""
    random, seats = Random(seed), Seats.of(*COLOURS[:players])
    evening = Evening(random, "high-five", seats, {}, cheating=cheating, calling=calling)
    evening.play_hand()
    return {turn: bogus for (hand, turn), bogus in evening.bogus.items() if hand == 1}, evening


@settings(max_examples=300)
@given(
    st.integers(0, 2**32),
    st.integers(2, 4),
    st.sampled_from([0.0, 0.1, 0.4]),
    st.sampled_from([0.0, 0.2]),
)
def test_sound_on_simulated_hands(seed: int, players: int, cheating: float, calling: float) -> None:
    """Never a false “proven”, never a false “excluded”, at any moment of the hand; and what can be
    proven is told as soon as it can."""
    truth, evening = proofs(seed, players, cheating, calling)
    for _, state in evening.played[-14:]:
        hand = state.board.hand
        if hand is None or hand.number != 1:
            continue
        proven = set()
        for turn in hand.turns:
            if not isinstance(turn.did, Laid):
                kind = judge(hand, turn).kind
                assert kind in ("possible", "proven" if truth[turn.number] else "excluded")
                proven |= {turn.number} if kind == "proven" else set()
        assert hand.told == proven


def test_a_tile_laid_later_with_no_draw_between_proves_it() -> None:
    said = table(deal="3").say("hand\nRed 6-6\nBlue pass\nRed 6-5\nBlue 3-6")
    assert verdict(said, 2) == Verdict("proven", verdict(said, 2).tiles, "deadline")
    assert [str(tile) for tile in verdict(said, 2).tiles] == ["3-6"]


def test_a_tile_that_may_have_been_drawn_proves_nothing() -> None:
    said = table(deal="3").say("hand\nRed 6-6\nBlue draw\nBlue 3-6")
    assert verdict(said, 2).kind == "possible"


def test_two_matching_tiles_against_one_draw() -> None:
    said = table(deal="3").say("hand\nRed 6-6\nBlue draw\nBlue pass\nRed 6-5\nBlue 3-6")
    assert verdict(said, 2).kind == "possible"
    said.say("Red 5-5\nBlue 3-0\nRed draw\nRed pass")
    two = table(deal="3").say("hand\nRed 6-6\nBlue draw\nBlue 3-6\nRed draw\nRed pass\nBlue 6-4")
    assert verdict(two, 2).kind == "proven"
    assert verdict(two, 2).why == "draws"
    assert [str(tile) for tile in verdict(two, 2).tiles] == ["3-6", "4-6"]


def test_showing_the_holding_excludes() -> None:
    said = table(deal="3").say("hand\nRed 6-6\nBlue pass\nbogus Blue\nBlue holds 1-2 3-4 5-5")
    assert verdict(said, 2).kind == "excluded"


def test_showing_the_holding_proves() -> None:
    said = table(deal="3").say("hand\nRed 6-6\nBlue pass\nbogus Blue\nBlue holds 1-2 3-4 5-6")
    assert verdict(said, 2).kind == "proven"


def test_a_draw_after_noticing_is_bogus_by_that() -> None:
    said = table().say("hand\nRed 6-6\nBlue draw\nBlue return 1-1")
    assert verdict(said, 2) == Verdict("excluded", why="returned")
    assert verdict(said.say("Blue draw"), 3) == Verdict("proven", why="noticed")


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
    assert verdict(said, 2) == Verdict("possible", why="doubtful")


def test_counts_alone_answer_possible_at_the_least() -> None:
    said = table(deal="3").say("hand\nRed count 12\nBlue pass\nRed count 17\nBlue count 8")
    assert verdict(said, 2).kind in ("possible", "proven")


def test_by_ends_every_line_is_taken_into_account() -> None:
    said = table(deal="3").say("hand\nRed ends 6 6\nBlue pass\nRed ends 5 6 6\nBlue ends 3 5")
    assert verdict(said, 2).kind == "proven"
