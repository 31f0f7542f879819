"""Verdicts on bogus play in random hands: never false, announced as soon as possible, and equal to
the slow oracle's."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.seats import COLOURS, Seats
from companion.games.bogus import evidence, verdict
from companion.games.bogus.calls import Grounds, Verdict, VerdictKind, WatchedHand
from companion.games.bogus.verdict import judge, newly_proven, proven_turns
from companion.games.entries import TilesDrawn, TurnPassed
from companion.games.line.line import TilePlayed
from tests.games.disputed import (
    BY_COUNT,
    BY_TILE,
    MIXED,
    DisputedHand,
    Habits,
    draws_and_passes,
    play_disputed_hand,
)
from tests.games.oracle import TooMany, truth_of
from tests.random_games import Evening
from tests.sampling import examples


def proofs(
    seed: int, players: int, cheating: float, calling: float
) -> tuple[dict[int, bool], Evening]:
    """Plays one hand with cheating and calls. Returns which draws and passes were bogus, by number,
    and the evening."""
    random, seats = Random(seed), Seats.of(*COLOURS[:players])
    evening = Evening(random, "high-five", seats, {}, cheating=cheating, calling=calling)
    evening.play_hand()
    return {turn: bogus for (hand, turn), bogus in evening.bogus.items() if hand == 1}, evening


@settings(max_examples=examples(300))
@given(
    st.integers(0, 2**32),
    st.integers(2, 4),
    st.sampled_from([0.0, 0.1, 0.4]),
    st.sampled_from([0.0, 0.2]),
)
def test_verdicts_on_simulated_hands_are_sound(
    seed: int, players: int, cheating: float, calling: float
) -> None:
    """No verdict is ever a false “proven” or “excluded” at any moment of the hand, and every
    provable play is announced as soon as possible."""
    truth, evening = proofs(seed, players, cheating, calling)
    for _, state in evening.played[-14:]:
        watched = state.board.watched
        if watched is None or watched.hand.round.number != 1:
            continue
        proven = set()
        for turn in watched.hand.turns:
            if not isinstance(turn.did, TilePlayed):
                kind = judge(watched, turn).kind
                assert kind in ("possible", "proven" if truth[turn.number] else "excluded")
                proven |= {turn.number} if kind == "proven" else set()
        assert {turn.number for turn in proven_turns(watched)} == proven


SEEDS = st.integers(0, 2**32)
HABITS = {
    "returning": Habits(cheating=250, noticing=800, showing=900, heaping=300, ways=BY_TILE),
    "forgetting": Habits(cheating=250, forgetting=80, calling=150, hiding=300),
    "mixing": Habits(cheating=200, calling=100, hiding=200, noticing=700, ways=MIXED),
    "counting": Habits(noticing=700, showing=900, ways=BY_COUNT),
}


def agrees_with_the_slow_way(hand: DisputedHand, random: Random) -> None:
    """Compares the verdict on one draw or pass with the oracle's; comparing all of them each time
    would take too long."""
    entries = [entry for entry in hand.entries if isinstance(entry, TilesDrawn | TurnPassed)]
    turns = draws_and_passes(hand.watched)
    if not turns or hand.watched.evidence is None or random.random() < 0.7:
        return
    entry, turn = random.choice([*zip(entries, turns, strict=True)])
    found = judge(hand.watched, turn)
    assert found.grounds is not Grounds.FAULT and not hand.watched.fault
    if found.grounds in ("noticed", "returned") and not found.tiles and turn.moment is None:
        return
    try:
        truth = truth_of(hand.entries, entry, [*hand.seats], hand.deal)
    except TooMany:
        return
    if turn.noticed:
        assert found.kind == "proven"
    elif truth.kind == "contradiction":
        assert found == Verdict(VerdictKind.POSSIBLE, grounds=Grounds.CONTRADICTION)
    else:
        assert found.kind == truth.kind
        if truth.kind == "possible":
            assert {(tile.low, tile.high) for tile in found.tiles} == truth.tiles


@pytest.mark.sampled(2)
@pytest.mark.parametrize("habits", HABITS)
@settings(max_examples=examples(10))
@given(SEEDS)
def test_verdicts_equal_those_of_the_oracle(habits: str, seed: int) -> None:
    random = Random(seed)
    play_disputed_hand(seed, lambda hand: agrees_with_the_slow_way(hand, random), HABITS[habits])


def look_again(
    check: Callable[[WatchedHand | None, WatchedHand], None],
) -> Callable[[DisputedHand], None]:
    """Returns a function to be called after each entry, which passes the hand before and after it
    to `check`."""
    before: list[WatchedHand] = []

    def look(hand: DisputedHand) -> None:
        check(before[-1] if before else None, hand.watched)
        before.append(hand.watched)

    return look


@pytest.mark.parametrize("habits", HABITS)
@settings(max_examples=examples(25))
@given(SEEDS)
def test_announced_proofs_remain_true_after_every_entry(habits: str, seed: int) -> None:
    told: set[int] = set()

    def check(before: WatchedHand | None, hand: WatchedHand) -> None:
        judged = [(turn.number, judge(hand, turn)) for turn in draws_and_passes(hand)]
        provable = {number for number, verdict in judged if verdict.kind == "proven"}
        assert provable == {turn.number for turn in proven_turns(hand)}
        new = {turn.number for turn in newly_proven(before, hand)}
        assert not new & told
        told.intersection_update(provable)
        told.update(new)
        assert provable == told

    play_disputed_hand(seed, look_again(check), HABITS[habits])


@pytest.mark.parametrize("habits", ["returning", "mixing", "counting"])
@settings(max_examples=examples(15))
@given(SEEDS)
def test_no_verdict_is_ever_false(habits: str, seed: int) -> None:
    """For true entries, in each way of entering a play."""

    def check(hand: DisputedHand) -> None:
        turns = draws_and_passes(hand.watched)
        for (place, bogus), turn in zip(sorted(hand.bogus.items()), turns, strict=False):
            if place < len(hand.entries):
                found = judge(hand.watched, turn)
                back = turn.moment is None or turn.noticed
                assert back or found.kind in ("possible", "proven" if bogus else "excluded")

    play_disputed_hand(seed, check, HABITS[habits])


@settings(max_examples=examples(30))
@given(SEEDS)
def test_an_announced_proof_is_kept_to_the_end_of_the_hand(seed: int) -> None:
    """Plays are entered by count, so the hand may have gone on in many ways."""
    told: set[int] = set()

    def check(_before: WatchedHand | None, hand: WatchedHand) -> None:
        now = {turn.number for turn in proven_turns(hand)}
        assert told <= now
        told.update(now)

    play_disputed_hand(seed, look_again(check), Habits(noticing=0, calling=0, ways=BY_COUNT))


@pytest.mark.parametrize("steps", [0, 60, 600])
@pytest.mark.parametrize("habits", ["returning", "counting"])
def test_reaching_a_search_limit_never_makes_a_verdict_false(
    habits: str, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With any limit on cases, a proven play stays proven, perhaps without named tiles, and an
    excluded one becomes possible at worst."""
    found = dict.fromkeys(VerdictKind, 0)

    def look(hand: DisputedHand) -> None:
        for turn in draws_and_passes(hand.watched) if len(hand.entries) % 4 == 0 else ():
            free = judge(hand.watched, turn)
            with monkeypatch.context() as bound:
                bound.setattr(verdict, "MAX_STEPS", steps)
                bound.setattr(verdict, "MAX_PROOF_STEPS", steps)
                bounded = judge(hand.watched, turn)
            open_too = free.kind if free.kind is VerdictKind.PROVEN else VerdictKind.POSSIBLE
            assert bounded == free or bounded.kind is open_too
            assert bounded.kind is not VerdictKind.PROVEN or free.kind is VerdictKind.PROVEN
            found[bounded.kind] += 1

    for seed in range(8):
        play_disputed_hand(seed, look, HABITS[habits])
    assert found[VerdictKind.PROVEN]
    assert found[VerdictKind.POSSIBLE]


DEAREST = {
    41: HABITS["counting"],
    5301: Habits(cheating=250, noticing=800, showing=500, heaping=300, pausing=500,
                 looking_back=500, calling=100, ways=BY_COUNT),
}  # fmt: skip
"""The seeds of the hands with the slowest of 20,000 random verdicts by count."""


@pytest.mark.parametrize("seed", DEAREST)
def test_a_verdict_on_plays_entered_by_count_stays_within_its_search_limits(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A case takes 1.3 to 2.4 µs, so that no verdict takes 50 ms."""
    followed, after, put = 0, verdict._cases_after_tiles, evidence._place_tile

    def counted_after(*asked: Any) -> Any:
        nonlocal followed
        followed += len(asked[4])
        return after(*asked)

    def counted_put(*asked: Any) -> Any:
        nonlocal followed
        followed += sum(len(cases) for _, cases in asked[1])
        return put(*asked)

    def look(hand: DisputedHand) -> None:
        nonlocal followed
        for turn in draws_and_passes(hand.watched)[-4:]:
            followed = 0
            judge(hand.watched, turn)
            most.append(followed)

    most = [0]
    monkeypatch.setattr(verdict, "_cases_after_tiles", counted_after)
    monkeypatch.setattr(evidence, "_place_tile", counted_put)
    play_disputed_hand(seed, look, DEAREST[seed])
    assert 500 < max(most) <= verdict.MAX_STEPS + verdict.MAX_PROOF_STEPS
