"""High Five! with card tiles by RULES.md, section 5, and docs/tally.md."""

from random import Random

import pytest

from companion.core.errors import EntryError
from companion.core.seats import Seat, Seats
from companion.games.game import AnyState, parse_entry, settle_options
from companion.games.high_five_tiles.combinations import Card, Combination, best_of
from companion.games.high_five_tiles.entries import RowCompleted
from companion.games.high_five_tiles.rules import POINTS, HighFiveTilesBoard, new_tiles
from companion.presentation.high_five_tiles import sheet_of
from tests.catalog import GAMES
from tests.games.others.high_five_tiles import DECK, LADDER, best, outcome, play
from tests.playing import TextGame, refused, table
from tests.sampling import examples


def opened(seats: str = "Red Blue", **options: str) -> TextGame:
    return table(seats, "high-five-tiles", **options).say("hand lead Red")


def made(text: str) -> str:
    return best_of([Card.parse(word) for word in text.split()]).value


# ---------------------------------------------------------------- combinations


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("5s 3h 3c 5d 3s", "full-house"),
        ("Kh Ts 9c Qd Jh", "straight"),
        ("3s 2h Ac Kd Qs", "high-card"),
        ("Ah 5s 4c 3d 2h", "straight"),
        ("7s 7h 7c 7d X", "high-five"),
        ("Ah Kh Qh Jh 10h", "royal-flush"),
        ("9h Kh Qh Jh Th", "straight-flush"),
        ("Ah 2h 3h 4h 5h", "straight-flush"),
        ("Ah Kh Qh X X", "royal-flush"),
        ("2s 2h 3c X 3d", "full-house"),
        ("2s 2h 3c X 4d", "three-of-a-kind"),
        ("2s 4h 3c X Kd", "pair"),
        ("2s 2h 3c 3d 4d", "two-pairs"),
        ("2s 9s 4s X Ks", "flush"),
        ("X X X X 2s", "high-five"),
        ("X X X 2s 3s", "straight-flush"),
        ("X X X 2s 9h", "four-of-a-kind"),
        ("Ah Kc 2d 3s X", "pair"),
    ],
)
def test_cards_count_as_their_best_combination(cards: str, name: str) -> None:
    assert made(cards) == name
    shuffled = cards.split()
    Random(1).shuffle(shuffled)
    assert made(" ".join(shuffled)) == name


def test_the_combinations_are_in_the_order_of_the_tally_format() -> None:
    assert tuple(combination.value for combination in Combination) == LADDER


@pytest.mark.parametrize(("jokers", "tries"), [(0, 4000), (1, 1500), (2, 120), (3, 12)])
def test_jokers_count_as_the_best_cards(jokers: int, tries: int) -> None:
    random = Random(jokers)
    for _ in range(examples(tries)):
        deck = DECK if random.random() < 0.5 else _alike(random)
        cards = random.sample(deck, 5 - jokers) + ["X"] * jokers
        assert made(" ".join(cards)) == best(cards), cards


def _alike(random: Random) -> list[str]:
    """Cards with few values or few suits, so that rare combinations are frequent."""
    values = random.sample("A23456789TJQK", 3)
    low = random.randrange(9)
    window = ("A23456789TJQKA")[low : low + 5]
    wanted = random.choice([values, window])
    suits = "shcd" if wanted == values else random.choice(["s", "shcd"])
    cards = [card for card in DECK if card[0] in wanted and card[1] in suits]
    return cards if len(cards) >= 5 else DECK


# ---------------------------------------------------------------- rows and points


def test_combinations_score_the_points_set_by_the_options() -> None:
    said = opened().say("Red row full-house laid 3")
    assert (said.scores["Red"], said.paid) == (6, [(None, "Red", 6, "row")])
    assert opened().say("Red row high-card").paid == []
    assert opened(points_high_card="5").say("Red row high-card").scores["Red"] == 5
    said = opened(points_full_house="50").say("Red row 5s 3h 3c 5d 3s laid 4")
    assert said.scores["Red"] == 50


def test_default_points_rise_by_one_for_each_combination() -> None:
    options = settle_options(GAMES["high-five-tiles"], 2, {})
    assert [options[POINTS[each].name] for each in Combination] == [*range(11)]
    assert options["first-turn"] == "3-4"


def test_the_first_row_of_a_seat_has_three_or_four_new_tiles() -> None:
    assert "3 or 4 new tiles, not 2" in refused(opened(), "Red row pair laid 2")
    assert "has 3 new tiles, not 4" in refused(opened(first_turn="3"), "Red row pair laid 4")
    assert "The first turn of Red" in refused(opened(), "Red row pair laid 1")


def test_only_valid_numbers_of_new_tiles_are_offered() -> None:
    for options, first in (({}, (3, 4)), ({"first_turn": "3"}, (3,))):
        said = opened(**options)
        assert new_tiles(said.state, Seat("Red")) == first
        said.say("Red row pair laid 3")
        assert new_tiles(said.state, Seat("Red")) == (1, 2, 3, 4)
        assert new_tiles(said.state, Seat("Blue")) == first
    said = opened().say("Red tile\nBlue row pair laid 3\nRed row pair laid 1")
    assert said.scores == {"Red": 1, "Blue": 1}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Red row Kc Kc 2s 3s 4s", "Kc is in this row twice"),
        ("Red row X X X 2s 3s", "There are 2 jokers in this game"),
        ("Blue tile", "Red leads, not Blue"),
        ("Red tile\nRed tile", "Blue is to move, not Red"),
        ("hand", "This game is one hand"),
        ("Red tile\nRed out", "38 tiles are left to draw"),
        ("Red tile\nfinish", "38 tiles are left to draw"),
    ],
)
def test_entries_against_the_rules_are_refused(text: str, words: str) -> None:
    assert words in refused(opened(), text)


@pytest.mark.parametrize(
    "text",
    ["Red row", "Red row flsh", "Red row Kc Qc Jc Tc", "Red row Kc Qc Jc Tc 9c 8c",
     "Red row Kx 2s 3s 4s 5s",
     "Red row 1s 2s 3s 4s 5s", "Red row pair laid", "Red row pair laid 5", "Red row pair laid 0",
     "Red row pair laid x", "Red row pair 3", "Red tile 2", "Red row pair laid 3 !", "Red draw",
     "Red pass", "blocked", "finish now", "Red holds 1-2"],
)  # fmt: skip
def test_unreadable_entries_are_refused(text: str) -> None:
    with pytest.raises(EntryError):
        opened().say(text)


def test_ten_can_be_written_as_10_or_t_in_any_case() -> None:
    game, seats = GAMES["high-five-tiles"], Seats.of("Red", "Blue")
    entry = parse_entry("Red ROW 10H tc x kS 2D LAID 3", game, seats)
    assert str(entry) == "Red row Th Tc X Ks 2d laid 3"


# ---------------------------------------------------------------- the end


def spent(seats: str = "Red Blue") -> TextGame:
    """A game whose supply is used up; how many tiles each seat holds is not known."""
    turns = [f"{seat} row high-card" for _ in range(10) for seat in ("Red", "Blue")]
    return opened(seats).say("\n".join(turns))


def test_the_first_seat_out_scores_two_points() -> None:
    said = spent()
    said.state = said.state._replace(scores=said.state.scores.put(said.state.seats.order[0], 41))
    said.say("Red row high-card\nRed out")
    assert (said.scores["Red"], said.paid) == (43, [(None, "Red", 2, "out")])
    assert "Red went out first" in refused(said, "Blue out")
    assert said.say("Blue tile").state.to_move == "Blue", "Red has nothing left"
    assert "Red has no tile left" in refused(said, "Red tile")
    said.say("finish")
    assert said.state.winners == ("Red",)


def test_the_game_ends_when_all_counted_tiles_are_played() -> None:
    said = opened()
    while not said.state.finished:
        seat = said.state.to_move
        held = said.state.board.held[seat]
        first = seat not in said.state.board.begun
        said.say(f"{seat} row pair laid {min(3 if first else 4, held)}")
        if said.state.board.out_is_implied and not said.state.finished:
            assert said.paid[-1] == (None, seat, 2, "out")
            before = said.state
            assert said.say(f"{seat} out").paid == []
            assert "went out first" in refused(said, f"{seat} out")
            said.state = before
    assert said.say("finish").state.finished
    assert "The game is over" in refused(said, "finish")


def test_a_seat_with_an_unknown_number_of_tiles_may_be_skipped_at_the_end() -> None:
    assert "leads" in refused(opened("Red Blue Green"), "Blue tile")
    said = spent().say("Red tile")
    assert said.say("Red tile").state.to_move == "Blue"


def test_playing_more_tiles_than_a_seat_has_by_count_gives_a_notice() -> None:
    said = opened().say("Red row pair laid 4\nBlue tile\nRed row pair laid 3")
    assert said.notices == []
    assert said.say("Blue tile\nRed row pair laid 4").notices == ["count-doubtful"]
    assert said.state.board.held[said.state.seats.order[0]] is None


def test_a_tie_is_shared() -> None:
    said = spent().say("finish")
    assert (said.state.winner, said.state.winners) == (None, ("Red", "Blue"))


def test_the_score_sheet_has_every_row() -> None:
    sheet = sheet_of(opened("Red Blue_Jay").say("Red row Kc Kd 2s 3s 4s\nBlue_Jay row flush").state)
    assert sheet.totals == (("Red", 1), ("Blue Jay", 5))
    assert sheet.rows[0].cards == ("Kc", "Kd", "2s", "3s", "4s")
    assert [(row.name, row.points) for row in sheet.rows] == [("pair", 1), ("flush", 5)]


def test_after_lost_entries_the_game_goes_on() -> None:
    said = opened().say("Red row pair laid 3")
    said.state = GAMES["high-five-tiles"].after_loss(said.state, said.state.seats.order[0])
    said.say("Red row pair laid 1\nBlue row flush\nBlue out\nfinish")
    assert said.scores == {"Red": 2, "Blue": 7}


def test_no_state_is_found_before_an_entry_made_after_the_end_of_the_game() -> None:
    ended = table(name="high-five-tiles").say("end late").state
    row = RowCompleted.parse(["Red", "row", "flush"], ended.seats)
    assert GAMES["high-five-tiles"].state_before(ended, row) is ended


# ---------------------------------------------------------------- whole games


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(10))
def test_random_games_agree_with_the_oracle(players: int, seed: int) -> None:
    random = Random(seed * 10 + players)
    lines = play(random, players)
    seats = [f"P{number}" for number in range(players)]
    worth = [random.randrange(51) for _ in Combination]
    given = {f"points_{n.replace('-', '_')}": str(p) for n, p in zip(LADDER, worth, strict=True)}
    game, state = GAMES["high-five-tiles"], table(" ".join(seats), "high-five-tiles", **given).state
    expected, points = outcome(seats, lines, worth), []
    for line in lines:
        state = game.apply(state, parse_entry(line, game, state.seats))
        assert not state.effect.notices
        points.append(state.effect.points)
        assert_conserved(state)
    assert points == expected.points
    assert dict(state.scores.items()) == expected.scores
    assert state.finished == expected.finished
    assert state.winners == expected.winners


def assert_conserved(state: AnyState) -> None:
    """Checks that hands and supply have no more tiles than the set."""
    board = state.board
    assert isinstance(board, HighFiveTilesBoard)
    assert board.held is not None
    assert board.supply is not None
    known = sum(tiles or 0 for tiles in board.held.values)
    assert board.supply + known <= 48 + len(state.seats)
