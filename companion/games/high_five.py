"""High Five (Fundex / Professional Domino Association, 2006), rule by rule.

Numbers in brackets count the rules: [1-3] what is played with, [4-6] who leads and who shuffles,
[7] a turn, [8-10] the count, [11, 12] who pays, [13-17] the end of a hand, [18-20] bogus plays and
other mistakes, [21, 22] the end of a game. They stand in this order; where a part keeps a rule for
several games, its number stands here with the name of that part. For players they are in
docs/manual/high-five.md, and bogus play in docs/manual/bogus.md.
"""

from companion.core.errors import RuleError
from companion.core.seats import Seat, Seats
from companion.core.words import phrase
from companion.games.bogus import calls
from companion.games.bogus.board import CallsBoard, CallsState
from companion.games.bogus.calls import CallRules, cleared
from companion.games.bogus.chip_payments import (
    CHIPS,
    PENALTY,
    move_chips,
    pay,
    pay_bogus,
    pay_wrong_call,
)
from companion.games.bogus.chip_payments import chips as chips_of
from companion.games.chips import STOCK_POINTS, Chips, parse_chip_set
from companion.games.entry import Dealt, Effect, Entry, Notice, Redealt
from companion.games.game import FinalScores, no_winner, not_in_fives, outside
from companion.games.line.game import (
    FIRST_SCORE,
    LEAVE,
    ROUNDING,
    HandRules,
    LineGame,
    after_move,
    leader_called_for,
    redeal_hand,
)
from companion.games.line.hand import Moved, hand_of
from companion.games.line.line import TILE_SET
from companion.games.options import NO_YES, Option, Options
from companion.games.penalties import (
    Audited,
    AuditNotice,
    Corrected,
    Misdrew,
    Penalty,
)
from companion.games.round import Stage
from companion.games.settlement import Losers

# ---------------------------------------------------------------- [1] to [6]: set-up
# [1] Double-six: line.TILE_SET.

DEALT = {2: 7, 3: 6, 4: 5}
"""[2] Tiles to each player."""

CHIPS_IN_WORDS = {
    "10x10+5x10": phrase("ten tens, ten fives"),
    "10x5+5x20": phrase("five tens, 20 fives"),
    "5x30": phrase("thirty fives"),
    "20x4+10x4+5x6": "4×20, 4×10, 6×5",
    "25x2+10x6+5x8": "2×25, 6×10, 8×5",
}
CHIP_SETS = tuple(CHIPS_IN_WORDS)
"""[3] The sets of chips to choose from, each worth 150 points a colour; the default first."""

OPTIONS = (
    Option.number("deal", phrase("Tiles dealt to each player"), lambda seats: DEALT[seats],
                  lambda seats: range(3, min(9, len(TILE_SET) // seats) + 1))
          .with_words(phrase("Tiles each")),
    LEAVE,
    ROUNDING,
    Option("chip-set", phrase("The chips of each colour"), lambda _: CHIP_SETS[0],
           lambda _: CHIP_SETS, parse_chip_set).with_words(phrase("Chips"), CHIPS_IN_WORDS),
    Option.words("rotate-lead", phrase("In a rematch the first lead rotates"), "off", "on")
          .with_words(phrase("First lead rotates"), NO_YES),
    FIRST_SCORE,
    Option.number("wrong-call", phrase("A wrong call of bogus costs"), lambda _: 0,
                  lambda _: (0, 10, 50))
          .with_words(phrase("Wrong call costs"), {0: phrase("nothing")}),
    Option.words("table-overrules", phrase("The table may rule against a proof"), "off", "on")
          .with_words(phrase("Table may overrule"), NO_YES),
)  # fmt: skip


def full_stocks(seats: Seats, options: Options) -> CallsBoard:
    """[3] Each seat starts with 150 points of chips in its own colour."""
    return CallsBoard(Chips.full(seats, str(options["chip-set"])))


def audit(state: CallsState, audited: Audited) -> CallsState:
    """[3] Chips were counted. If they differ from the recorded points, a notice says so and nothing
    moves; else the counted pieces, if they were entered, replace the recorded denominations. Raises
    RuleError for more pieces of a value than the colour has."""
    chips, seat = chips_of(state), audited.stock_of
    recorded, whole = chips.left(seat), chips.whole(seat)
    for value, number in audited.pieces or ():
        if number > whole.get(value, 0):
            raise RuleError(
                "{seat} has {number} chips of {value}: count again",
                seat=seat,
                number=whole.get(value, 0),
                value=value,
            )
    state = cleared(state)
    if audited.points != recorded:
        fields = {"seat": seat, "recorded": recorded, "counted": audited.points}
        return state.noticing(Notice.of(AuditNotice.DIFFERENCE, **fields))
    if audited.pieces is None:
        return state
    return state._replace(board=state.board._replace(chips=chips.recount(seat, audited.pieces)))


def who_leads(state: CallsState, dealt: Dealt) -> tuple[Seat | None, bool]:
    """Who leads the new hand, if known, and whether a double must be led. [4] In the first hand the
    double called for is led; in a rematch whose lead rotates, the seat named leads any tile.
    [5] After a dominoed or bogus hand the winner leads any tile, after a blocked one Big 6 is
    called: winner_leads."""
    if state.options["rotate-lead"] == "on" and state.board.watched is None and dealt.lead:
        return dealt.lead, False
    return leader_called_for(state, dealt)


def redeal(state: CallsState, redealt: Redealt) -> CallsState:
    """[4] Nobody held a double: the deal is repeated. Misdraws already paid stand."""
    state = redeal_hand(state, redealt)
    return state._replace(board=state.board._replace(misdrew=frozenset()))


def shuffler(state: CallsState) -> Seat | None:
    """[6] The loser shuffles: the payer of the hand's winner. None after a tie, while a hand is
    played, and when the game is over."""
    hand = state.board.hand
    if hand is None or hand.round.stage is not Stage.OVER or state.finished:
        return None
    winner = hand.round.winner
    return chips_of(state).payer_of(winner) if winner is not None else None


# ---------------------------------------------------------------- [7] to [12]: play
# [7] Whose turn it is, and what counted tiles tell: round.py; each move: line/hand.py.
# [8, 9] The spinner and the count: line/line.py. [10] What a count scores: HandRules.lay.
# [11] Who pays whom: Chips.payer_of. [12] From its own stock: bogus/chip_payments.py.
# What a move proves: bogus/calls.py, after.


# ---------------------------------------------------------------- [13] to [17]: the end of a hand
# [13] Dominoed: HandRules.go_out; blocked: line.moves.block, and round.pass_turn where all have
# passed. [14] The winner is paid the loser's full remaining pips, rounded; [16] after a tie nobody
# is: settlement.settle. [17] The last tile can score its count and then the bonus: HandRules.lay,
# then HandRules.show.


def only_the_payer(state: CallsState) -> Losers:
    """[15] Only the winner's payer counts as the loser."""
    return lambda winner: (chips_of(state).payer_of(winner),)


HAND = HandRules(
    scoring=CHIPS,  # [11, 12, 21]
    losers=only_the_payer,  # [15]
    who_leads=who_leads,  # [4, 5]
    begin=calls.begin,  # [4]
    after=calls.after,  # [7, 18]
)


# ---------------------------------------------------------------- [18] to [20]: penalties
# [18] A call of bogus play, from the call to what it pays: bogus/calls.py. What can be proven, and
# how: bogus/verdict.py.


CALLS = CallRules(
    HAND,
    pay_bogus,
    pay_wrong_call,
    leads_after=lambda state, seat: chips_of(state).payee_of(seat),
    may_overrule=lambda state: state.options["table-overrules"] == "on",
)
"""[18] The offender pays; the hand is over, and the non-offender leads any tile next."""

# [19] A tile that was drawn by mistake: calls.give_back.


def misdraw(state: CallsState, misdrew: Misdrew) -> CallsState:
    """[20] A seat that drew the wrong number of tiles at the start of a hand pays 50 to the seat
    that it normally pays: only before its own first turn, and once a hand."""
    hand, seat = hand_of(state), misdrew.seat
    if not hand.round.playing or seat in hand.round.acted:
        raise RuleError("{seat} has had a turn in this hand: agree on a chip correction", seat=seat)
    if seat in state.board.misdrew:
        raise RuleError("{seat} has paid for a misdraw in this hand already", seat=seat)
    state = after_move(state, Moved(hand, Effect(hand=hand.round.number, seat=seat)), misdrew)
    board = state.board._replace(misdrew=state.board.misdrew | {seat})
    state = state._replace(board=board)
    return pay(state, chips_of(state).payee_of(seat), PENALTY, Penalty.MISDRAW)


def correct(state: CallsState, corrected: Corrected) -> CallsState:
    """[20] Chips move as agreed at the table, which may make or unmake a win. Raises RuleError
    unless the points are a multiple of five, not 0, that the seat has left or has lost."""
    chips, seat, points = chips_of(state), corrected.stock_of, corrected.points
    left, won = chips.left(seat), chips.won_from(seat)
    if points == 0 or points % 5:
        raise RuleError("Chips move in fives: {points} can't be moved", points=points)
    if points > left:
        raise RuleError(
            "{points} points can't be moved: {seat} has {left} left",
            points=points,
            seat=seat,
            left=left,
        )
    if points < -won:
        raise RuleError(
            "{points} points can't be moved: only {won} were won from {seat}",
            points=-points,
            won=won,
            seat=seat,
        )
    return move_chips(cleared(state), seat, points, Penalty.CORRECTION)


# ---------------------------------------------------------------- [21, 22]: the end of the game


def refuse(state: CallsState, entry: Entry) -> None:
    """Raises RuleError for an entry that an open claim, or the end of the game, does not allow.
    After a win, chips may still be counted and corrected."""
    called = state.board.open_to_calls
    open_claim = called is not None and called.claim is not None
    if open_claim or state.ended is not None or not isinstance(entry, Corrected | Audited):
        CALLS.refuse(state, entry)


# [21] Who has won all of its payer's chips: chip_payments.decided.
# [22] The game ends unfinished, without a winner, the scores kept: calls.end.


def doubt(scores: FinalScores, _options: Options, time_left: bool) -> str | None:
    """[3, 12, 21] Chips are worth multiples of five, nobody wins more than the 150 points of its
    payer, and who has won them all has won the game."""
    return (
        not_in_fives(scores)
        or outside(scores, 0, STOCK_POINTS)
        or no_winner(scores, STOCK_POINTS, time_left=time_left)
    )


HIGH_FIVE = LineGame(
    name="high-five",
    title=phrase("High Five"),
    players=range(2, 5),  # [1]
    options=OPTIONS,
    board=full_stocks,  # [3]
    hand=HAND,
    doubt_of=doubt,
    own={
        Redealt: redeal,  # [4]
        **CALLS.rules,  # [14, 18, 19, 22]
        Misdrew: misdraw,  # [20]
        Corrected: correct,  # [20]
        Audited: audit,  # [3]
    },
    refuse=refuse,  # [18, 21]
    shuffler=shuffler,  # [6]
)
"""The rules of High Five."""
