"""High Five (Fundex / Professional Domino Association, 2006), rule by rule.

Numbers in brackets are those of RULES.md, section 1. They stand in its order; where a part keeps a
rule for several games, its number stands here with the name of that part.
"""

from collections.abc import Mapping
from functools import cached_property

from companion.core.errors import RuleError
from companion.core.seats import BySeat, Seat, Seats
from companion.games import settlement
from companion.games.bogus import calls
from companion.games.bogus.board import HighFiveBoard, HighFiveState
from companion.games.bogus.chip_payments import PENALTY, Penalty, move_chips, nothing_told_yet, pay
from companion.games.bogus.claim import announced, refuse_while_open
from companion.games.bogus.watched_hand import follow, watch
from companion.games.chips import Chips, parse_chip_set
from companion.games.entries import (
    Blocked,
    Dealt,
    Drew,
    Ended,
    Held,
    HeldPips,
    Passed,
    Redealt,
    WentOut,
)
from companion.games.game import Effect, Entry, Notice, Rule, State, rule_for
from companion.games.line import losses, moves, play
from companion.games.line.hand import BIG_6, LineWhy
from companion.games.line.laid import Laid
from companion.games.line.line import TILE_SET
from companion.games.line.moves import Moved
from companion.games.options import NO_YES, Option, Options
from companion.games.penalties import (
    Audited,
    AuditNotice,
    Called,
    Corrected,
    Misdrew,
    Returned,
    Ruled,
)
from companion.games.round import Stage
from companion.games.settlement import Losers


class HighFive:
    """The rules of High Five."""

    name = "high-five"
    title = "High Five"
    players = range(2, 5)  # [1]

    @cached_property
    def rules(self) -> Mapping[type[Entry], Rule[HighFiveBoard]]:
        """What each entry does."""
        return {
            Dealt: deal,  # [2, 4, 5]
            Redealt: redeal,  # [4]
            Laid: lay,  # [7, 10, 17]
            Drew: draw,  # [7]
            Passed: pass_turn,  # [7]
            WentOut: go_out,  # [13]
            Blocked: play.block,  # [13]
            Held: show,  # [14, 18]
            HeldPips: show,  # [14, 18]
            Called: calls.call,  # [18]
            Ruled: calls.rule,  # [18]
            Returned: give_back,  # [19]
            Misdrew: misdraw,  # [20]
            Corrected: correct,  # [20]
            Audited: audit,  # [3]
            Ended: end,  # [22]
        }

    @property
    def entries(self) -> tuple[type[Entry], ...]:
        """What can be said in it."""
        return tuple(self.rules)

    @property
    def options(self) -> tuple[Option, ...]:
        """Its house rules."""
        return OPTIONS

    def start(self, seats: Seats, options: Options) -> HighFiveState:
        """[3] Each seat starts with 150 points of chips in its own colour."""
        chips = Chips.full(seats, str(options["chip-set"]))
        return State(seats, options, HighFiveBoard(chips), BySeat.all(seats, 0))

    def apply(self, state: HighFiveState, entry: Entry) -> HighFiveState:
        """The state after `entry`; raises RuleError."""
        rule = rule_for(self, self.rules, entry)
        refuse(state, entry)
        return rule(state, entry)

    def needed(self, state: HighFiveState) -> tuple[Seat, ...]:
        """[15] The seats whose holdings must still be shown before the hand can be settled."""
        return play.needed(state, only_the_payer(state))

    def shuffler(self, state: HighFiveState) -> Seat | None:
        """[6] The loser shuffles: the payer of the hand's winner; nobody after a tie."""
        hand = state.board.hand
        if hand is None or hand.round.stage is not Stage.OVER or state.finished:
            return None
        winner = hand.round.winner
        return state.seats.payer_of(winner) if winner is not None else None

    def to_win(self, state: HighFiveState, seat: Seat) -> int | None:
        """[21] Points left in the stock of the seat's payer."""
        return state.board.chips.left(state.seats.payer_of(seat))

    def chips(self, state: HighFiveState) -> Chips:
        return state.board.chips

    def next_lead(self, state: HighFiveState) -> str | None:
        """[4, 5] Who leads the next hand: a seat, or BIG_6."""
        return None if state.finished else state.board.next_lead

    def after_loss(self, state: HighFiveState, seat: Seat | None) -> HighFiveState:
        """After lost entries: of neither hand anything can be proven, what lies is not known, and
        `seat` is to move."""
        board = state.board
        watched, before = board.watched, board.before
        if watched is None:
            return state
        watched = watched._replace(hand=losses.taken_up(watched.hand, seat), evidence=None)
        before = before._replace(evidence=None) if before is not None else None
        state = state._replace(board=board._replace(watched=watched, before=before, disputed=None))
        return state._replace(to_move=seat) if seat and watched.hand.round.playing else state

    def led_up_to(self, state: HighFiveState, entry: Entry) -> HighFiveState:
        """At an entry that was made before anybody knew of a loss; nothing can be proven."""
        state = losses.led_up_to(state, entry, deal)
        if (watched := state.board.watched) is None:
            return state
        board = state.board._replace(watched=watched._replace(evidence=None))
        return state._replace(board=board)


# ---------------------------------------------------------------- [1] to [6]: set-up
# [1] Double-six: line.TILE_SET.

DEALT = {2: 7, 3: 6, 4: 5}
"""[2] Tiles to each player."""

CHIPS_IN_WORDS = {
    "10x10+5x10": "ten tens, ten fives",
    "10x5+5x20": "five tens, 20 fives",
    "5x30": "thirty fives",
    "20x4+10x4+5x6": "4×20, 4×10, 6×5",
    "25x2+10x6+5x8": "2×25, 6×10, 8×5",
}
CHIP_SETS = tuple(CHIPS_IN_WORDS)
"""[3] The chips of each colour: 150 points."""

OPTIONS = (
    Option.number("deal", "Tiles dealt to each player", lambda seats: DEALT[seats],
                  lambda seats: range(3, min(9, len(TILE_SET) // seats) + 1))
          .with_words("Tiles each"),
    play.LEAVE,
    play.ROUNDING,
    Option("chip-set", "The chips of each colour", lambda _: CHIP_SETS[0],
           lambda _: CHIP_SETS, parse_chip_set).with_words("Chips", CHIPS_IN_WORDS),
    Option.words("rotate-lead", "In a rematch the first lead rotates", "off", "on")
          .with_words("First lead rotates", NO_YES),
    play.FIRST_SCORE,
    Option.number("wrong-call", "A wrong call of bogus costs", lambda _: 0, lambda _: (0, 10, 50))
          .with_words("Wrong call costs", {0: "nothing"}),
    Option.words("table-overrules", "The table may rule against a proof", "off", "on")
          .with_words("Table may overrule", NO_YES),
)  # fmt: skip


def audit(state: HighFiveState, audited: Audited) -> HighFiveState:
    """[3] Chips were counted: a difference is told, nothing moves. Pieces that add up to what is
    recorded replace the recorded denominations."""
    chips, seat = state.board.chips, audited.stock_of
    recorded, whole = chips.left(seat), chips.whole(seat)
    for value, number in audited.pieces or ():
        if number > whole.get(value, 0):
            raise RuleError(
                "{seat} has {number} chips of {value}: count again",
                seat=seat,
                number=whole.get(value, 0),
                value=value,
            )
    state = nothing_told_yet(state)
    if audited.points != recorded:
        fields = {"seat": seat, "recorded": recorded, "counted": audited.points}
        return state.noticing(Notice.of(AuditNotice.DIFFERENCE, **fields))
    if audited.pieces is None:
        return state
    return state._replace(board=state.board._replace(chips=chips.recount(seat, audited.pieces)))


def deal(state: HighFiveState, dealt: Dealt) -> HighFiveState:
    """[4] A new hand, once the last one is settled: the double called for is led; in a rematch
    whose lead rotates, the seat named leads any tile. [5] After a dominoed or bogus hand the winner
    leads any tile."""
    play.refuse_deal(state, play.needed(state, only_the_payer(state)))
    last = state.board.watched
    lead, big_6 = dealt.lead, False
    if state.options["rotate-lead"] == "off" or last is not None or not dealt.lead:
        lead, big_6 = play.who_leads(state.board.next_lead, dealt)
    dealt_now = play.deal(state, lead, big_6=big_6)
    watched = watch(dealt_now.hand, int(state.options["deal"]), state.rules)
    board = state.board.cleared()._replace(
        watched=watched, before=last, next_lead=None, misdrew=frozenset()
    )
    return state._replace(board=board, to_move=lead, effect=dealt_now.effect)


def redeal(state: HighFiveState, redealt: Redealt) -> HighFiveState:
    """[4] Nobody held a double: the deal is repeated. Misdraws already paid stand."""
    state = play.redeal(state, redealt)
    return state._replace(board=state.board._replace(misdrew=frozenset()))


def lead_after(state: HighFiveState, winner: Seat | None) -> str:
    """[5] Dominoed: the winner. [4] Blocked: Big 6."""
    dominoed = play.hand_of(state).round.out is not None
    return winner if winner is not None and dominoed else BIG_6


# [6] Who shuffles: HighFive.shuffler.

# ---------------------------------------------------------------- [7] to [12]: play
# [7] Whose turn it is, and what counted tiles tell: round.py; each move: line/moves.py.
# [8, 9] The spinner and the count: line/line.py.
# [11] Who pays whom: Seats.payer_of. [12] From its own stock: bogus/chip_payments.py.


def lay(state: HighFiveState, laid: Laid) -> HighFiveState:
    """[7] A tile is laid; it may prove a bogus play. [10] A count that is a positive multiple of
    five scores at once. [17] The last tile can score, too."""
    moved = moves.lay(play.hand_of(state), laid)
    points = play.first_score(state, laid.seat, play.points_of(moved.hand))
    state = _after(state, moved, laid)
    return pay(state, laid.seat, points, LineWhy.COUNT) if points else state


def draw(state: HighFiveState, drew: Drew) -> HighFiveState:
    """[7] Tiles are drawn; [19] after one went back that is bogus by itself."""
    return _after(state, moves.draw(play.hand_of(state), drew), drew)


def pass_turn(state: HighFiveState, passed: Passed) -> HighFiveState:
    """[7] A pass; what was laid before may prove it at once."""
    return _after(state, moves.pass_turn(play.hand_of(state), passed), passed)


# ---------------------------------------------------------------- [13] to [17]: the end of a hand
# [13] Blocked: line.moves.block, and round.pass_turn where all have passed.


def go_out(state: HighFiveState, out: WentOut) -> HighFiveState:
    """[13] A seat has dominoed."""
    return _after(state, moves.go_out(play.hand_of(state), out.seat), out)


def only_the_payer(state: HighFiveState) -> Losers:
    """[15] Only the winner's payer counts as the loser."""
    return lambda winner: (state.seats.payer_of(winner),)


def show(state: HighFiveState, shown: Held | HeldPips) -> HighFiveState:
    """A holding is shown: at the end of a hand, or [18] in a claim."""
    called = state.board.open_to_calls
    if called is not None and called.claim is not None:
        return calls.show(state, called, called.claim, shown)
    state = _after(state, moves.show_at_the_end(play.hand_of(state), shown), shown)
    return settle(state) if play.can_be_settled(state, only_the_payer(state)) else state


def settle(state: HighFiveState) -> HighFiveState:
    """[14] The winner is paid the loser's full remaining pips, rounded. [16] After a tie nobody is.
    What was paid is kept, since a bogus ruling replaces it."""
    now = play.hand_of(state).round
    end = settlement.settle(now, only_the_payer(state), up=play.rounds_up(state.options))
    state = play.over(state, end.winner, lead_after(state, end.winner))
    if end.winner is not None:
        points = play.first_score(state, end.winner, end.points)
        state = pay(state, end.winner, points, end.why)
    watched = state.board.watched
    assert watched is not None, "a hand was settled"
    watched = watched._replace(paid=state.effect.payments)
    return state._replace(board=state.board._replace(watched=watched))


# [17] The last tile can score its count and then the bonus: lay, then settle.

# ---------------------------------------------------------------- [18] to [20]: penalties
# [18] A call of bogus play, from the call to what it pays: bogus/calls.py. What can be proven, and
# how: bogus/verdict.py.


def give_back(state: HighFiveState, returned: Returned) -> HighFiveState:
    """[19] The tile drawn last was drawn by mistake and noticed in time."""
    moved = moves.give_back(play.hand_of(state), returned.seat, returned.tile)
    return _after(state, moved, returned)


def misdraw(state: HighFiveState, misdrew: Misdrew) -> HighFiveState:
    """[20] The wrong number of tiles drawn at the start of a hand pays 50 to the seat it normally
    pays: before that seat's first turn, once per seat."""
    hand, seat = play.hand_of(state), misdrew.seat
    if not hand.round.playing or seat in hand.round.acted:
        raise RuleError("{seat} has had a turn in this hand: agree on a chip correction", seat=seat)
    if seat in state.board.misdrew:
        raise RuleError("{seat} has paid for a misdraw in this hand already", seat=seat)
    state = play.after(state, Moved(hand, Effect(hand=hand.round.number, seat=seat)))
    board = state.board._replace(misdrew=state.board.misdrew | {seat})
    state = state._replace(board=board)
    return pay(state, state.seats.payee_of(seat), PENALTY, Penalty.MISDRAW)


def correct(state: HighFiveState, corrected: Corrected) -> HighFiveState:
    """[20] Chips as agreed at the table; it may make or unmake a win."""
    chips, seat, points = state.board.chips, corrected.stock_of, corrected.points
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
    return move_chips(nothing_told_yet(state), seat, points, Penalty.CORRECTION)


# ---------------------------------------------------------------- [21, 22]: the end of the game


def refuse(state: HighFiveState, entry: Entry) -> None:
    """What an open claim, or the end of the game, does not allow. Raises RuleError."""
    called = state.board.open_to_calls
    if called is not None and called.claim is not None:
        refuse_while_open(called.claim, entry)
    elif state.finished and isinstance(entry, Called):
        calls.refuse_after_win(state)
    elif state.ended is None and isinstance(entry, Corrected | Audited):
        return
    elif not (state.winners and called and isinstance(entry, Held | HeldPips)):
        play.refuse(state, entry)


# [21] Who has won all of its payer's chips: chip_payments.decided.


def end(state: HighFiveState, ended: Ended) -> HighFiveState:
    """[22] The game ends unfinished, without a winner, the scores kept."""
    return play.end(state._replace(board=state.board.cleared()), ended)


# ---------------------------------------------------------------- steps


def _after(state: HighFiveState, moved: Moved, entry: Entry) -> HighFiveState:
    """The state after a move of the hand, and what that proves."""
    before = state.board.watched
    assert before is not None, "refuse() lets only a deal through before a hand"
    watched = follow(before, moved, entry)
    board = state.board.with_watched(watched)
    to_move = play.to_move(state, moved.hand)
    state = state._replace(board=board, to_move=to_move, effect=moved.effect)
    return state.noticing(*announced(before, watched))
