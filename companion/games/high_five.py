"""High Five (Fundex / Professional Domino Association, 2006), rule by rule.

Numbers in brackets count the rules: [1-3] the equipment, [4-6] who leads and who shuffles, [7] a
turn, [8-10] the count, [11, 12] who pays, [13-17] the end of a hand, [18-20] bogus plays and other
mistakes, [21, 22] the end of a game. They appear in this order. If a rule is implemented elsewhere
for several games, its number is beside the name of the function or class that does so. Players find
the rules in docs/manual/high-five.md, and bogus play in docs/manual/bogus.md.
"""

from companion.core.errors import RuleError
from companion.core.seats import Seat, Seats
from companion.core.words import phrase
from companion.games import settlement
from companion.games.bogus.call_rules import (
    CallRules,
    RuledClaim,
    after_watched_move,
    begin_watched_hand,
    remember_hand_payments,
    without_last_effects,
)
from companion.games.bogus.calls import CallsBoard, CallsState, Claim
from companion.games.chips import STOCK_POINTS, Chips, parse_chip_set
from companion.games.entries import (
    AuditNotice,
    ChipsAudited,
    ChipsCorrected,
    HandDealt,
    HandRedealt,
    Misdraw,
    Penalty,
)
from companion.games.game import (
    Effect,
    Entry,
    FinalScores,
    Notice,
    Payment,
    PaymentReason,
    no_winner,
    not_multiple_of_five,
    out_of_range,
)
from companion.games.house_rules import FIRST_SCORE, LEAVE, NO_YES, ROUNDING, Option, Options
from companion.games.line.game import (
    HandRules,
    LineGame,
    Scoring,
    after_move,
    leader_called_for,
    redeal_hand,
    seat_to_move,
)
from companion.games.line.hand import MoveResult, hand_of
from companion.games.line.line import TILE_SET
from companion.games.round import Stage
from companion.games.settlement import Losers

# ---------------------------------------------------------------- [1] to [6]: set-up
# [1] Double-six: line.TILE_SET.

DEALT = {2: 7, 3: 6, 4: 5}
"""[2] The number of tiles dealt to each player."""

CHIPS_IN_WORDS = {
    "10x10+5x10": phrase("ten tens, ten fives"),
    "10x5+5x20": phrase("five tens, 20 fives"),
    "5x30": phrase("thirty fives"),
    "20x4+10x4+5x6": "4×20, 4×10, 6×5",
    "25x2+10x6+5x8": "2×25, 6×10, 8×5",
}
CHIP_SETS = tuple(CHIPS_IN_WORDS)
"""[3] The sets of chips to choose from, each worth 150 points for a colour; the default first."""

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
    Option.number("wrong-call", phrase("A wrong bogus call costs"), lambda _: 0,
                  lambda _: (0, 10, 50))
          .with_words(phrase("Wrong call costs"), {0: phrase("nothing")}),
    Option.words("table-overrules", phrase("The table may overrule a proof"), "off", "on")
          .with_words(phrase("Table may overrule"), NO_YES),
)  # fmt: skip


def full_stocks(seats: Seats, options: Options) -> CallsBoard:
    """[3] The chips at the start: 150 points for each seat, in its own colour."""
    return CallsBoard(Chips.full(seats, str(options["chip-set"])))


def audit(state: CallsState, audited: ChipsAudited) -> CallsState:
    """[3] Checks counted chips. If they differ from the recorded points, the state gets a notice
    and no chips move; otherwise the counted pieces, if entered, replace the recorded ones. Raises
    RuleError for more pieces of a value than the colour has."""
    chips, seat = require_chips(state), audited.stock_of
    recorded, whole = chips.left(seat), chips.whole_set(seat)
    for value, number in audited.pieces or ():
        if number > whole.get(value, 0):
            raise RuleError(
                "{seat} has {number} chips of {value}: count again",
                seat=seat,
                number=whole.get(value, 0),
                value=value,
            )
    state = without_last_effects(state)
    if audited.points != recorded:
        fields = {"seat": seat, "recorded": recorded, "counted": audited.points}
        return state.with_notices(Notice.of(AuditNotice.DIFFERENCE, **fields))
    if audited.pieces is None:
        return state
    return state._replace(board=state.board._replace(chips=chips.recount(seat, audited.pieces)))


def who_leads(state: CallsState, dealt: HandDealt) -> tuple[Seat | None, bool]:
    """The leader of the new hand, if known, and whether a double must be led. [4] The first hand is
    led with the double called for; in a rematch with rotating lead, the named seat leads with any
    tile. [5] After a seat went out or was bogus, the winner leads with any tile; after a block the
    highest double is called for (winner_leads)."""
    if state.options["rotate-lead"] == "on" and state.board.watched is None and dealt.lead:
        return dealt.lead, False
    return leader_called_for(state, dealt)


def redeal(state: CallsState, redealt: HandRedealt) -> CallsState:
    """[4] The deal is repeated because nobody held a double. Payments for misdraws stand."""
    state = redeal_hand(state, redealt)
    return state._replace(board=state.board._replace(misdraw_payers=frozenset()))


def shuffler(state: CallsState) -> Seat | None:
    """[6] The seat that shuffles for the next hand: the payer of the winner of the last one. None
    after a tie, while a hand is being played, and when the game is over."""
    hand = state.board.hand
    if hand is None or hand.round.stage is not Stage.OVER or state.finished:
        return None
    winner = hand.round.winner
    return require_chips(state).payer_of(winner) if winner is not None else None


# ---------------------------------------------------------------- [7] to [12]: play
# [7] Turns, and what follows from counted tiles: round.py; each move: line/hand.py. [8, 9] The
# spinner and the count: line/line.py. [10] The score for a count: HandRules.play_tile. [11] Who
# pays whom: Chips.payer_of. What a move proves: bogus/call_rules.py, after_watched_move.


PENALTY = 50
"""The points for a misdraw, and the smallest penalty for a bogus play."""


def require_chips(state: CallsState) -> Chips:
    """The chips of the game. Only for games that are played for chips."""
    assert state.board.chips is not None, "it is paid in chips"
    return state.board.chips


def pay(state: CallsState, seat: Seat, points: int, why: PaymentReason) -> CallsState:
    """[11] The state after `seat` was paid by its payer, [12] from the payer's own stock, [21] with
    no more than is left of it. A seat that has won all of its payer's stock wins the game at
    once."""
    payer = require_chips(state).payer_of(seat)
    state = state.with_points(points) if points else state
    left = require_chips(state).left(payer)
    return move_chips(state, payer, min(points, left), why, points if points > left else 0)


def move_chips(
    state: CallsState, payer: Seat, points: int, why: PaymentReason, owed: int = 0
) -> CallsState:
    """Moves points of the payer's chips to the seat that it pays (or back, if negative), and
    decides whether the game is won. `owed`: the points before the cap, 0 if there was no cap."""
    if not points:
        return state
    left, exchange = require_chips(state).pay(payer, points)
    payee = left.payee_of(payer)
    scores, effect = state.scores.put(payee, left.won_from(payer)), state.effect
    paid = Payment(payer, payee, points, why, exchange, owed)
    effect = effect._replace(payments=(*effect.payments, paid))
    board = state.board._replace(chips=left)
    return decide_winner(state._replace(board=board, scores=scores, effect=effect))


def decide_winner(state: CallsState) -> CallsState:
    """[21] The state with its winner: a seat that has won all of its payer's chips. A correction
    may undo the win."""
    if not state.winners and all(stock.points for stock in require_chips(state).stocks.values):
        return state
    full = [seat for seat in state.seats if to_win(state, seat) == 0]
    if state.winner in full:
        return state
    if full:
        return state._replace(winners=(full[0],), to_move=None)
    resumed = state._replace(winners=())
    return resumed._replace(to_move=seat_to_move(resumed, state.board.hand))


def to_win(state: CallsState, seat: Seat) -> int:
    """[21] The points that `seat` still needs to win: those left in the stock of its payer."""
    now = require_chips(state)
    return now.left(now.payer_of(seat))


CHIPS = Scoring(pay, remember_hand_payments, to_win, chips=require_chips)
"""The scoring of High Five: each seat is paid in chips of its payer's colour."""


# ---------------------------------------------------------------- [13] to [17]: the end of a hand
# [13] Dominoed: HandRules.go_out; blocked: HandRules.block, and round.pass_turn where all have
# passed. [14] The winner is paid the loser's full remaining pips, rounded; [16] after a tie there
# is no payment: settlement.settle. [17] The last tile can score its count and then the bonus:
# HandRules.play_tile, then HandRules.show.


def payer_as_loser(state: CallsState) -> Losers:
    """[15] Returns a function that returns the only loser of a hand: the winner's payer."""
    return lambda winner: (require_chips(state).payer_of(winner),)


HAND = HandRules(
    scoring=CHIPS,  # [11, 12, 21]
    losers=payer_as_loser,  # [15]
    who_leads=who_leads,  # [4, 5]
    begin=begin_watched_hand,  # [4]
    after=after_watched_move,  # [7, 18]
)


# ---------------------------------------------------------------- [18] to [20]: penalties
# [18] A call of bogus play, from the call to its ruling: bogus/call_rules.py. What can be proven,
# and how: bogus/verdict.py.


def pay_bogus(state: CallsState, ruled: RuledClaim) -> CallsState:
    """[18] Pays the penalty for a bogus play, 50 points or the accused's rounded pips, whichever is
    more. It replaces the payment for the end of the hand."""
    assert ruled.holding is not None, "without it no claim is closed so"
    for payment in ruled.paid:
        assert payment.payer is not None, "chips were paid by a seat"
        left = require_chips(state).won_from(payment.payer)
        state = move_chips(state, payment.payer, -min(payment.points, left), payment.why)
    pips = settlement.rounded(ruled.holding.pips, str(state.options["rounding"]))
    free = require_chips(state).payee_of(ruled.claim.accused)
    return pay(state, free, max(PENALTY, pips), Penalty.BOGUS)


def pay_wrong_call(state: CallsState, claim: Claim) -> CallsState:
    """[18] The caller of a wrong call pays the points of the option `wrong-call` to the seat that
    it normally pays."""
    cost = int(state.options["wrong-call"])
    return pay(state, require_chips(state).payee_of(claim.by), cost, Penalty.WRONG_CALL)


CALLS = CallRules(
    HAND,
    pay_bogus,
    pay_wrong_call,
    leads_after=lambda state, seat: require_chips(state).payee_of(seat),
    may_overrule=lambda state: state.options["table-overrules"] == "on",
)
"""[18] The offender pays, the hand is over, and the other seat leads the next one with any tile."""

# [19] A tile that was drawn by mistake: return_tile in bogus/call_rules.py.


def misdraw(state: CallsState, misdrew: Misdraw) -> CallsState:
    """[20] A seat that drew the wrong number of tiles at the start of a hand pays 50 points to the
    seat that it normally pays. Raises RuleError after the seat's first turn in the hand, and for
    its second misdraw in the hand."""
    hand, seat = hand_of(state), misdrew.seat
    if not hand.round.playing or seat in hand.round.acted:
        raise RuleError("{seat} has had a turn in this hand: agree on a chip correction", seat=seat)
    if seat in state.board.misdraw_payers:
        raise RuleError("{seat} has already paid for a misdraw in this hand", seat=seat)
    state = after_move(state, MoveResult(hand, Effect(hand=hand.round.number, seat=seat)), misdrew)
    board = state.board._replace(misdraw_payers=state.board.misdraw_payers | {seat})
    state = state._replace(board=board)
    return pay(state, require_chips(state).payee_of(seat), PENALTY, Penalty.MISDRAW)


def correct(state: CallsState, corrected: ChipsCorrected) -> CallsState:
    """[20] Moves chips as agreed at the table, which may win the game or undo a win. Raises
    RuleError unless the points are a multiple of five, not 0, and no more than the seat has left
    or, if they come back, has lost."""
    chips, seat, points = require_chips(state), corrected.stock_of, corrected.points
    left, won = chips.left(seat), chips.won_from(seat)
    if points == 0 or points % 5:
        raise RuleError("Chips move in multiples of five, not {points}", points=points)
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
    return move_chips(without_last_effects(state), seat, points, Penalty.CORRECTION)


# ---------------------------------------------------------------- [21, 22]: the end of the game


_CHIP_ENTRIES = (ChipsCorrected, ChipsAudited)


def refuse(state: CallsState, entry: Entry) -> None:
    """Raises RuleError for an entry that is not allowed while a claim is open, or after the end of
    the game. After a win, chips may still be counted and corrected."""
    if isinstance(entry, _CHIP_ENTRIES) and state.ended is None:
        called = state.board.open_to_calls
        if called is None or called.claim is None:
            return
    CALLS.refuse(state, entry)


# [21] A seat that has won all of its payer's chips wins: decided.
# [22] The game ends unfinished, without a winner, and the scores stay: end_with_calls in
# bogus/call_rules.py.


def doubt(scores: FinalScores, _options: Options, time_left: bool) -> str | None:
    """[3, 12, 21] Returns why these can't be the final scores; None if they can. Chips are worth
    multiples of five, a seat wins at most the 150 points of its payer, and with all of them it wins
    the game."""
    return (
        not_multiple_of_five(scores)
        or out_of_range(scores, 0, STOCK_POINTS)
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
        HandRedealt: redeal,  # [4]
        **CALLS.rules,  # [14, 18, 19, 22]
        Misdraw: misdraw,  # [20]
        ChipsCorrected: correct,  # [20]
        ChipsAudited: audit,  # [3]
    },
    refuse=refuse,  # [18, 21]
    shuffler=shuffler,  # [6]
)
"""The rules of High Five."""
