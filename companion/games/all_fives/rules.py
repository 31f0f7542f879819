"""All Fives, rule by rule: alone or with partners, as the house's set of rules says.

Numbers in brackets are those of RULES.md, section 6. They stand in its order, each where its rule
is kept, or with the name of the part that keeps it.
"""

from dataclasses import replace

from companion.core.errors import RuleError
from companion.core.seats import BySeat, Seat, Seats
from companion.core.words import phrase
from companion.games import settlement
from companion.games.all_fives.options import OPTIONS, check
from companion.games.bogus import calls
from companion.games.bogus.board import CallsBoard, CallsState
from companion.games.bogus.calls import CallRules, RuledOn
from companion.games.entries import Dealt, Drew, TimeUp
from companion.games.game import Effect, Entry, Payment, Why
from companion.games.line import play, points
from companion.games.line.candidate_lines import NOTHING_LAID_WITHOUT_SPINNER
from companion.games.line.game import HandRules, LineGame, Scoring
from companion.games.line.hand import BIG_6, EndsCounted, Turn
from companion.games.line.laid import Laid
from companion.games.line.moves import Moved
from companion.games.options import OFF, Options
from companion.games.penalties import (
    Called,
    CountCalled,
    Muggins,
    NotCalled,
    Penalty,
    WrongCount,
)
from companion.games.round import Round
from companion.games.settlement import HandsEnd, Losers, Settlement, pips_of

FIVE = 5


# ---------------------------------------------------------------- [1] to [3]: a hand
# [1] Double-six: line/line.py, TILE_SET. Who plays with whom: partners, and State.side_of.
# [2] The highest double is led: play.who_leads; nobody holds one: play.redeal, or any tile leads.
# [3] The spinner and the count: line/line.py.


def board(seats: Seats, options: Options) -> CallsBoard:
    """Nothing is charged yet; raises RuleError for house rules that don't go together."""
    check(seats, options)
    return CallsBoard(charged=BySeat.all(seats, 0))


def partners(seats: Seats, options: Options) -> tuple[tuple[Seat, ...], ...]:
    """[1] Seats 1 and 3 against 2 and 4."""
    order = seats.order
    return ((order[0], order[2]), (order[1], order[3])) if options["partners"] == "on" else ()


def opponents(state: CallsState) -> Losers:
    """[1, 8] A partner's holding counts for nobody."""
    return lambda winner: tuple(seat for seat in state.seats if seat not in state.side_of(winner))


def begin(state: CallsState, moved: Moved, dealt: Dealt) -> CallsState:
    """[2, 3] A new hand: where the house says so, any tile may be led for want of a double, and no
    double is a spinner. [6] Where it doesn't settle who could play, nothing is to be proven."""
    hand, options = moved.hand, state.options
    if options["spinner"] == "none":
        hand = hand._replace(line=NOTHING_LAID_WITHOUT_SPINNER)
    if options["no-double"] == "heaviest":
        hand = hand._replace(big_6=False)
    hand = hand._replace(counts_called=options["called"] != OFF)
    state = calls.begin(state, moved._replace(hand=hand), dealt)
    watched = state.board.watched
    if watched is None or options["could-play"] != OFF:
        return state
    unwatched = watched._replace(evidence=None, unshown=None)
    return state._replace(board=state.board._replace(watched=unwatched))


def lead_after(state: CallsState, winner: Seat | None) -> str:
    """[2] Who went out leads any tile; after a block, as the house says. After a tie nobody has
    won: the highest double."""
    now = play.hand_of(state).round
    if now.out is not None or state.options["after-block"] == "highest-double":
        return play.winner_leads(state, winner)
    if state.options["after-block"] == "next":
        return state.seats.left_of(now.lead) if now.lead else BIG_6
    return winner or BIG_6


# ---------------------------------------------------------------- [4]: what is scored


def in_units(state: CallsState, score: int) -> int:
    """[9] As points, or as fives on a cribbage board."""
    return score // FIVE if state.options["unit"] == "fives" else score


def worth(state: CallsState, seat: Seat, score: int) -> int:
    """[4] A side's first score must be large enough; what was taken off it doesn't put it back
    outside."""
    charged = state.board.charged
    scored = state.scores[seat] + (charged[seat] if charged else 0)
    first = int(state.options["first-score"])
    return in_units(state, score) if scored > 0 or score >= first else 0


def add(state: CallsState, seat: Seat, score: int, why: Why) -> CallsState:
    """So much more for that seat's side, from nobody."""
    return decided(state.scoring(seat, score, why))


def last_score(state: CallsState, said: Entry) -> Payment | None:
    """[4] The score that was laid with the last entry; None where nobody may know its count yet.
    Raises RuleError where there is none."""
    counted, scored = play.counted(state), state.effect.payments
    if counted is None or (counted.count is not None and not scored):
        raise RuleError(
            "“{said}” follows a lay that scores: it can't be said now", said=said.words[0]
        )
    return scored[0] if scored else None


def told_again(state: CallsState) -> CallsState:
    """The state at an entry about the lay before it."""
    effect = Effect(hand=play.number_of_hand(state), seat=state.effect.seat)
    return state._replace(board=state.board.cleared(), effect=effect)


def told_at_once(before: CallsState, after: CallsState, entry: Entry) -> CallsState:
    """[4] Where its player has to call a count, nobody is told it, nor what it scores or wins: not
    before the call is entered, or the next entry."""
    asked = isinstance(entry, Laid) and entry.count is None
    watched = after.board.watched
    if not asked or watched is None or not watched.hand.counts_called:
        return after
    line = replace(watched.hand.line, known_count=None, parts=())
    watched = watched._replace(hand=watched.hand._replace(line=line))
    effect = replace(after.effect, points=0, payments=(), reason=EndsCounted(line.known_ends, None))
    return before._replace(
        board=after.board._replace(watched=watched),
        to_move=play.to_move(before, watched.hand),
        effect=effect,
    )


def count_called(state: CallsState, called: CountCalled) -> CallsState:
    """[4] The count was called in time: it stays, and may be told."""
    if state.options["called"] == OFF or play.counted(state) is None:
        raise RuleError("A count is called after a lay: not now")
    if called.seat != state.effect.seat:
        raise RuleError("{seat} laid last: only {seat} calls that count", seat=state.effect.seat)
    return told_again(state)


def not_called(state: CallsState, said: NotCalled) -> CallsState:
    """[4] A score that was not called aloud in time doesn't count; it may have won the game."""
    if state.options["called"] == OFF:
        raise RuleError("Counts need not be called here: nothing is lost")
    lost = last_score(state, said)
    if said.seat != state.effect.seat:
        raise RuleError("{seat} laid last: only {seat} calls that count", seat=state.effect.seat)
    state = told_again(state)
    return add(state, said.seat, -lost.points, Penalty.NOT_CALLED) if lost else state


def muggins(state: CallsState, said: Muggins) -> CallsState:
    """[4] An opponent who called the score first scores it instead, which may be too little for a
    first score [11]. What scored nothing for who laid it, a five from outside, is nobody's: there
    is no score to take."""
    if state.options["called"] != "muggins":
        raise RuleError("Muggins is not played here: option called muggins")
    lost, layer = last_score(state, said), state.effect.seat
    if layer is not None and said.seat in state.side_of(layer):
        raise RuleError("{seat} can't say muggins to its own side", seat=said.seat)
    score = play.points_of(play.hand_of(state))
    state = told_again(state)
    if lost is None:
        return state
    moves = {lost.to: -lost.points, said.seat: worth(state, said.seat, score)}
    for seat in sorted(moves, key=state.seats.order.index):
        state = state.scoring(seat, moves[seat], Penalty.MUGGINS)
    return decided(state)


# ---------------------------------------------------------------- [5] to [7]: penalties
# [5] Unable: line/moves.py, and the option `leave`.


def charge(state: CallsState, seat: Seat, penalty: int, why: Why) -> CallsState:
    """[6, 7] A penalty comes off that side's score, which may fall below 0, or with two sides goes
    to the other."""
    penalty, others = in_units(state, penalty), opponents(state)(seat)
    if state.options["could-play-to"] == "opponent" and state.side_of(others[0]) == others:
        return add(state, others[0], penalty, why)
    charged = state.board.charged
    assert charged is not None, "points are written down"
    for each in state.side_of(seat):
        charged = charged.put(each, charged[each] + penalty)
    state = state._replace(board=state.board._replace(charged=charged))
    return add(state, seat, -penalty, why)


def could_play(state: CallsState, ruled: RuledOn) -> CallsState:
    """[6] Who drew or passed and could play: 30 points or a fifth of the target, or 50 or the pips
    held, whichever is more. Pips stay as they are, 61 cost 61; only where a five counts one [9]
    they become whole fives as at a hand's end [8]: 57 cost 11 by the nearest, 12 rounded up."""
    if state.options["could-play"] == "30-or-20%":
        whole = int(state.options["target"]) * (FIVE if state.options["unit"] == "fives" else 1)
        penalty = max(30, whole // 5)
    else:
        held = ruled.holding.pips if ruled.holding else 0
        if state.options["unit"] == "fives":
            held = settlement.rounded(held, str(state.options["rounding"]))
        penalty = max(50, held)
    return charge(state, ruled.claim.accused, penalty, Penalty.BOGUS)


def ends_hand(state: CallsState, turn: Turn | None) -> bool:
    """[6] Only a hand that is still being played; for a pass, never or always. Where it was not
    entered what the seat did, it may have been a draw."""
    called, ends = state.board.open_to_calls, state.options["could-play-ends"]
    if called is None or not called.hand.round.playing or ends == "never":
        return False
    return ends == "always" or (turn is not None and not isinstance(turn.did, Drew))


def call(state: CallsState, called: Called) -> CallsState:
    """[6] Claimed and judged as in High Five 18, where the house settles it."""
    if state.options["could-play"] == OFF:
        raise RuleError("“Could play” is not settled here: option could-play")
    if called.by is not None and called.by in state.side_of(called.accused):
        raise RuleError("{by} can't call its own side", by=called.by)
    return CALLS.call(state, called)


def wrong_count(state: CallsState, found: WrongCount) -> CallsState:
    """[7] The table found a hand with a wrong number of tiles. It goes on, but as nobody knows who
    held what, nothing of it can be proven any more."""
    if state.options["wrong-count"] == OFF:
        raise RuleError("A wrong count costs nothing here: option wrong-count")
    penalty, board = int(state.options["wrong-count"]), state.board
    if board.watched is not None:
        unproven = board.watched._replace(evidence=None, unshown=None)
        state = state._replace(board=board._replace(watched=unproven))
    return charge(calls.nothing_told_yet(state), found.seat, penalty, Penalty.WRONG_COUNT)


# ---------------------------------------------------------------- [8] to [10]: the ends


def settle(now: Round, losers: Losers, options: Options) -> Settlement:
    """[8] Out: the opponents' pips. Blocked: the fewest pips win, of partners the lower side or the
    lowest seat; several opponents with the fewest: nobody."""
    if now.out is not None:
        return settlement.settle(now, losers, str(options["rounding"]))
    held = {seat: pips_of(shown) for seat, shown in now.shown.items()}
    own = held
    if options["block-by"] == "side":
        own = {seat: sum(held[each] for each in held if each not in losers(seat)) for seat in held}
    best = [seat for seat in own if own[seat] == min(own.values())]
    if set(best) & set(losers(best[0])):
        return Settlement(None, 0, HandsEnd.BLOCKED)
    total = sum(held[seat] for seat in losers(best[0]))
    pips = {"total": total, "difference": total - own[best[0]], "nothing": 0}[str(options["block"])]
    score = settlement.rounded(pips, str(options["rounding"]))
    return Settlement(best[0], score, HandsEnd.BLOCKED)


def decided(state: CallsState) -> CallsState:
    """[9] Who has the target, [10] or the most once the time is up and the hand is over, has won;
    a penalty or a score that was not called may unmake it."""
    winners = points.winners(state)
    if winners == state.winners or (not winners and _still_first(state)):
        return state
    mover = None if winners else play.to_move(state._replace(winners=()), state.board.hand)
    return state._replace(winners=winners, to_move=mover)


def _still_first(state: CallsState) -> bool:
    """Whether who reached the target first is only drawn level with, by a penalty."""
    won = state.winners
    level = bool(won) and state.scores[won[0]] == max(state.scores.values)
    return level and points.still_needed(state, won[0]) == 0 and not ends_with_hand(state)


def ends_with_hand(state: CallsState) -> bool:
    """Whether the game is only decided at a hand's end: by option, or by the time."""
    first = state.winners[0] if state.winners else None
    short = first is not None and points.still_needed(state, first) > 0
    return state.options["finish-hand"] == "on" or (state.time_up and short)


def settled(state: CallsState) -> CallsState:
    """[8] A hand is settled; who it made win can still be called."""
    return decided(calls.keep_what_was_paid(state))


def refuse(state: CallsState, entry: Entry) -> None:
    """[4] What a score that was not called won is not won yet. Raises RuleError."""
    to_call = state.options["called"] != OFF and play.counted(state) is not None
    if state.winners and to_call and isinstance(entry, CountCalled | NotCalled | Muggins):
        return
    try:
        CALLS.refuse(state, entry)
    except RuleError as refused:
        if not state.winners or not to_call:
            raise
        seat = state.effect.seat
        asked = RuleError("{seat} wins by this count: say first if it was called", seat=seat)
        raise asked from refused


HAND = HandRules(
    scoring=Scoring(add, settled, points.still_needed, worth),  # [4, 9]
    losers=opponents,  # [8]
    begin=begin,  # [2, 3]
    after=calls.after,  # [6]
    settle=settle,  # [8]
    lead_after=lead_after,  # [2]
)
CALLS = CallRules(
    HAND,
    bogus=could_play,
    wrong=lambda state, _claim: state,
    ends_hand=ends_hand,
    leads_after=lambda state, seat: state.seats.left_of(seat),
    keeps_shown=True,
    won_at_the_end=lambda state: ends_with_hand(state) or calls.won_by_bonus(state),
    holding_needed=lambda state: state.options["could-play"] == "50-or-holding",
)

ALL_FIVES = LineGame(
    name="all-fives",
    title=phrase("All Fives"),
    players=range(2, 5),  # [1]
    options=OPTIONS,
    board=board,
    sides=partners,  # [1]
    hand=HAND,
    own={
        **CALLS.rules,  # [6]
        Called: call,  # [6]
        CountCalled: count_called,  # [4]
        NotCalled: not_called,  # [4]
        Muggins: muggins,  # [4]
        WrongCount: wrong_count,  # [7]
        TimeUp: points.time_up,  # [10]
    },
    told_at_once=told_at_once,  # [4]
    refuse=refuse,
)
"""The rules of All Fives."""
