"""A game is composed of parts: each part's rule for an entry takes effect, and no decision depends
on identity."""

import ast
import re
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.core.errors import RuleError
from companion.core.seats import Seat, Seats
from companion.games import game as what_a_game_is
from companion.games import settlement
from companion.games.bogus.calls import CallsState
from companion.games.entries import HandBlocked
from companion.games.five_up import FIVE_UP
from companion.games.game import AnyGame, AnyState, State, parse_entry, settle_options
from companion.games.high_five import HIGH_FIVE
from companion.games.house_rules import Options
from companion.games.line.game import LineGame
from companion.games.line.hand import BIG_6, HandBoard
from companion.games.round import Round
from companion.games.settlement import HandEnding, Losers, Settlement

RED_BLUE = Seats.of("Red", "Blue")
RULES = Path(what_a_game_is.__file__).parent


def never_blocked(_state: CallsState, _blocked: HandBlocked) -> CallsState:
    raise RuleError("Somebody can always play here")


def ten_for_saying_so(state: State[HandBoard], blocked: HandBlocked) -> State[HandBoard]:
    return FIVE_UP.rules[HandBlocked](state, blocked).with_points(10)


NEVER_BLOCKED = replace(HIGH_FIVE, own={**HIGH_FIVE.own, HandBlocked: never_blocked})
"""A house rule by which every hand is played to its end."""
COUNTED_BLOCKS = replace(FIVE_UP, own={HandBlocked: ten_for_saying_so})
"""A house rule that pays ten to the seat that enters the block."""


def told(game: AnyGame, text: str, seats: Seats = RED_BLUE) -> AnyState:
    state = game.start(seats, settle_options(game, len(seats), {}))
    for line in text.split("\n"):
        state = game.apply(state, parse_entry(line, game, seats))
    return state


@pytest.mark.parametrize("game", [HIGH_FIVE, FIVE_UP, NEVER_BLOCKED, COUNTED_BLOCKS])
def test_a_game_lists_exactly_the_entries_that_it_applies(game: LineGame[Any]) -> None:
    assert game.entries == tuple(game.rules)


def test_a_game_can_replace_the_rule_for_a_block() -> None:
    assert told(HIGH_FIVE, "hand\nRed 6-6\nblocked").board.hand is not None
    with pytest.raises(RuleError, match="always play here"):
        told(NEVER_BLOCKED, "hand\nRed 6-6\nblocked")
    assert told(COUNTED_BLOCKS, "hand\nRed 6-6\nblocked").effect.points == 10


def test_a_copied_state_gives_the_same_results() -> None:
    """Even where the table overrules the record's ruling."""
    game = HIGH_FIVE
    options = settle_options(game, 2, {"table-overrules": "on", "deal": "3"})
    told = "hand\nRed 6-6\nBlue pass\nRed 6-5\nBlue 3-6\nRed 5-5\nbogus Blue\nBlue pips 9"
    state = copied = game.start(RED_BLUE, options)
    for line in [*told.split("\n"), "rule Blue clear"]:
        entry = parse_entry(line, game, RED_BLUE)
        state, copied = game.apply(state, entry), game.apply(deepcopy(copied), entry)
        assert copied == state
    assert state.board.ruling is not None
    assert [payment.points for payment in state.effect.payments] == [-50]


def test_only_singletons_are_compared_by_identity() -> None:
    """The right operand of `is` and `is not` is always None, True, False, or a member of an enum
    (A.NAME)."""
    for path in sorted(RULES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Compare):
                continue
            for operator, right in zip(node.ops, node.comparators, strict=True):
                if isinstance(operator, ast.Is | ast.IsNot):
                    assert _is_one_of_a_kind(right), f"{path}:{node.lineno}: {ast.unparse(node)}"


def _is_one_of_a_kind(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return node.value in (None, True, False)
    return isinstance(node, ast.Attribute) and node.attr.isupper()


def opponents(state: State[HandBoard]) -> Losers:
    """The seats that lose when a given seat wins, if opposite seats are partners."""
    return lambda winner: (state.seats.left_of(winner), state.seats.right_of(winner))


def fewer_pips_of_a_side(now: Round, losers: Losers, _options: Options) -> Settlement:
    """After a block the side with fewer pips wins the difference, paid to the first of its
    seats."""
    if now.out is not None:
        return settlement.settle(now, losers, rounding="nearest")

    def ahead(seat: Seat) -> int:
        pips = {one: shown.pips for one, shown in now.shown.items() if shown is not None}
        theirs = sum(pips[one] for one in losers(seat))
        return 2 * theirs - sum(pips.values())

    winner = max(now.seats, key=ahead)
    points = settlement.rounded(ahead(winner))
    return Settlement(winner if points else None, points, HandEnding.BLOCKED)


def test_a_partnership_game_has_only_its_own_entries() -> None:
    hand = replace(FIVE_UP.hand, losers=opponents, settle=fewer_pips_of_a_side)
    game = replace(FIVE_UP, name="partners", hand=hand)
    seats = Seats.of("Red", "Blue", "Green", "Yellow")
    played = told(game, "hand\nRed 6-6\nRed out\nBlue pips 7", seats)
    assert game.seats_to_show(played) == ("Yellow",)
    after = game.apply(played, parse_entry("Yellow pips 6", game, seats))
    assert after.scores.values == (15, 0, 0, 0)
    assert game.next_lead(after) == "Red"
    blocked = "hand\nRed 6-6\nblocked\nRed pips 3\nBlue pips 9\nGreen pips 20\nYellow pips 4"
    after = told(game, blocked, seats)
    assert after.scores.values == (0, 10, 0, 0)
    assert game.next_lead(after) == BIG_6


@pytest.mark.parametrize(("game", "rules"), [("high_five", 22), ("five_up", 6)])
def test_every_numbered_rule_has_its_code_or_a_reference(game: str, rules: int) -> None:
    text = (RULES / f"{game}.py").read_text()
    said = {int(n) for tag in re.findall(r"\[([\d, ]+)\]", text) for n in tag.split(",")}
    assert said - {0} == set(range(1, rules + 1)), "0 is an index"
    sections = re.findall(r"# -{10,} \[(\d+)\]?(?:[ to,]+\[?(\d+)\])?", text)
    ends = [int(n) for section in sections for n in section if n]
    assert ends == sorted(ends)
    assert (ends[0], ends[-1]) == (1, rules)
