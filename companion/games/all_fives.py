"""All Fives, also called Muggins, as clubs and championships play it: each seat alone or with a
partner. House rules are options.

A number in brackets, as in [2], is that of a rule in RULES.md, section 6. It is at the code of the
rule, or beside the name of the function or class that implements it. The numbers appear in the same
order as the rules."""

from dataclasses import replace

from companion.core.errors import RuleError
from companion.core.seats import BySeat, Seat, Seats
from companion.core.words import phrase
from companion.games import settlement
from companion.games.bogus.call_rules import (
    CallRules,
    RuledClaim,
    after_watched_move,
    begin_watched_hand,
    remember_hand_payments,
    without_last_effects,
    won_by_bonus,
)
from companion.games.bogus.calls import CallsBoard, CallsState
from companion.games.entries import (
    BogusCalled,
    CallRuled,
    CountCalled,
    CountNotCalled,
    HandDealt,
    HoldingShown,
    MugginsCalled,
    Penalty,
    PipsShown,
    TilesDrawn,
    TimeUp,
    WentOut,
    WrongTileCount,
)
from companion.games.game import (
    Effect,
    Entry,
    FinalScores,
    Payment,
    PaymentReason,
    Rule,
    games_of_match,
    no_winner,
    not_multiple_of_five,
    not_whole,
    out_of_range,
)
from companion.games.house_rules import (
    FINISH_HAND,
    FIRST_SCORE,
    LEAVE,
    MATCH,
    OFF,
    PARTNERS,
    SET,
    Option,
    Options,
)
from companion.games.line import points
from companion.games.line.game import (
    HandRules,
    LineGame,
    Scoring,
    ends_counted,
    number_of_hand,
    opponents,
    partners,
    points_of,
    seat_to_move,
    winner_leads,
)
from companion.games.line.hand import BIG_6, EndsCounted, MoveResult, Turn, hand_of
from companion.games.line.line import NOTHING_PLAYED_WITHOUT_SPINNER, TILE_SET, TilePlayed
from companion.games.line.points import decide_winners
from companion.games.round import Round
from companion.games.settlement import HandEnding, Losers, Settlement, pips_of

# ---------------------------------------------------------------- options
# The house rules of All Fives, and the sets of them that clubs use.
#
# R: rocoh.org; T: Tennessee State championship; B: big6bones; W: World Championship Domino. Options
# that a set doesn't mention have their home values. Numbers in brackets are those of RULES.md,
# section 6.


SETS = ("home", "R", "T", "B", "W")
PLAYERS_OF_SET = {"T": 2, "B": 2}
"""The number of players that a set of house rules requires, for the sets that require one."""
CRIBBAGE_BOARD = 61
"""The target of a game scored on a cribbage board, which has a hole for every five points."""

RULE_SET = replace(
    Option.words(SET, phrase("A club's rules, all at once"), *SETS).with_words(
        phrase("Rules"), {"home": phrase("home")}
    ),
    choices=lambda seats: tuple(
        named for named in SETS if PLAYERS_OF_SET.get(named, seats) == seats
    ),
)

OPTIONS = (
    RULE_SET,
    PARTNERS,  # [1]
    Option.number(
        "deal",
        phrase("Tiles dealt to each player"),
        lambda seats: 7 if seats == 2 else 5,
        lambda seats: tuple(n for n in (5, 7, 9) if n * seats <= len(TILE_SET)),
    )
    .with_words(phrase("Tiles each"))
    .sets(R=7, T=7, B=9, W=7),  # [1]
    Option.number(
        "target",
        phrase("Points that win"),
        lambda _: 150,
        lambda _: (CRIBBAGE_BOARD, 100, 150, 200, 250, 500),
    )
    .with_words(phrase("Points to win"))
    .sets(W=250),  # [9]
    Option.words(
        "unit",
        phrase("A five scores five points, or one as on a cribbage board"),
        "points",
        "fives",
    ).with_words(phrase("A five counts"), {"points": "5", "fives": "1"}),
    FINISH_HAND,  # [9]
    MATCH.sets(W=3),  # [9]
    FIRST_SCORE.sets(R=10, B=10),  # [4]
    Option.words(
        "called",
        phrase("A score not called aloud is lost, or an opponent's"),
        OFF,
        "lost",
        "muggins",
    )
    .with_words(
        phrase("Counts called"),
        {OFF: phrase("no"), "lost": phrase("else lost"), "muggins": phrase("muggins")},
    )
    .sets(T="lost", W="lost"),  # [4]
    Option.words("spinner", phrase("Is the first double a spinner?"), "first", "none").with_words(
        phrase("Spinner"), {"first": phrase("the first double"), "none": phrase("none")}
    ),  # [3]
    LEAVE,  # [5]
    Option.words(
        "no-double",
        phrase("Nobody holds a double: the heaviest tile leads, or deal again"),
        "heaviest",
        "again",
    )
    .with_words(
        phrase("No double"),
        {"heaviest": phrase("heaviest leads"), "again": phrase("deal again")},
    )
    .sets(R="again", T="again", W="again"),  # [2]
    Option.words(
        "after-block", phrase("Who leads after a block"), "highest-double", "winner", "next"
    ).with_words(
        phrase("Block then"),
        {
            "highest-double": phrase("highest double"),
            "winner": phrase("the winner"),
            "next": phrase("next seat"),
        },
    ),
    Option.words(
        "could-play",
        phrase("Drew or passed with a tile that fits: points it costs"),
        OFF,
        "30-or-20%",
        "50-or-holding",
    )
    .with_words(
        phrase("Could play"),
        {
            OFF: phrase("not settled"),
            "30-or-20%": phrase("30 or 20 %"),
            "50-or-holding": phrase("50 or pips left"),
        },
    )
    .sets(R="30-or-20%", W="50-or-holding"),  # [6]
    Option.words("could-play-ends", phrase("Does it end the hand?"), "pass", "never", "always")
    .with_words(
        phrase("Ends the hand"),
        {
            "pass": phrase("if passed"),
            "never": phrase("never"),
            "always": phrase("always"),
        },
    )
    .sets(W="never"),  # [6]
    Option.words(
        "could-play-to", phrase("Where these points go"), "off-score", "opponent"
    ).with_words(
        phrase("Penalties"),
        {"off-score": phrase("are taken off"), "opponent": phrase("to opponents")},
    ),  # [6]
    Option.words("wrong-count", phrase("A wrong number of tiles costs"), OFF, "50", "100")
    .with_words(phrase("Wrong count"), {OFF: phrase("nothing")})
    .sets(R="100", W="50"),  # [7]
    Option.words(
        "rounding",
        phrase("Pips become points of five: to the nearest, up, down, or as they are"),
        "nearest",
        "up",
        "down",
        "none",
    ).with_words(
        phrase("Pips"),
        {
            "nearest": phrase("to the nearest five"),
            "up": phrase("rounded up"),
            "down": phrase("rounded down"),
            phrase("none"): phrase("as they are"),
        },
    ),  # [8]
    Option.words(
        "block",
        phrase("What the winner of a blocked hand scores"),
        "total",
        "difference",
        "nothing",
    ).with_words(
        phrase("Block scores"),
        {"total": phrase("others' pips"), "difference": phrase("difference")},
    ),  # [8]
    Option.words(
        "block-by",
        phrase("Of partners, a block goes to the lower side or the lowest seat"),
        "side",
        "seat",
    ).with_words(
        phrase("Block won by"), {"side": phrase("low side"), "seat": phrase("low seat")}
    ),  # [8]
)


def check_options(seats: Seats, options: Options) -> None:
    """Raises RuleError if house rules contradict each other, or don't allow this number of
    seats."""
    players = PLAYERS_OF_SET.get(str(options[SET]))
    if players not in (None, len(seats)):
        raise RuleError(
            "Rules {set} are for {players} players: choose another set",
            set=options[SET],
            players=players,
        )
    fives = options["unit"] == "fives"
    if options["target"] == CRIBBAGE_BOARD and not fives:
        raise RuleError("61 points win only where a five counts one: option unit fives")
    if options["rounding"] == "none" and fives:
        raise RuleError("Where a five counts one, pips are rounded: choose another rounding")


# ---------------------------------------------------------------- [1] to [3]: a hand
# [1] Double-six: line/line.py, TILE_SET. Partners: partners, and State.side_of. [2] The highest
# double is led, or any tile if nobody holds one: leader_called_for and redeal_hand in line/game.py.
# [3] The spinner and the count: line/line.py.


def starting_board(seats: Seats, options: Options) -> CallsBoard:
    """The board before the first hand; raises RuleError for contradictory house rules."""
    check_options(seats, options)
    return CallsBoard(charged=BySeat.all(seats, 0))


def begin_hand_by_options(state: CallsState, moved: MoveResult, dealt: HandDealt) -> CallsState:
    """[2, 3] Returns the state with a new hand. Options decide whether any tile may be led if no
    seat holds a double, and whether there is a spinner. [4] Another option decides whether players
    call the counts or the box shows them. [6] With the option `could-play` off, no draw or pass can
    be proven bogus."""
    hand, options = moved.hand, state.options
    if options["spinner"] == "none":
        hand = hand._replace(line=NOTHING_PLAYED_WITHOUT_SPINNER)
    if options["no-double"] == "heaviest":
        hand = hand._replace(big_6=False)
    hand = hand._replace(counts_called=options["called"] != OFF)
    state = begin_watched_hand(state, moved._replace(hand=hand), dealt)
    return state if options["could-play"] != OFF else _without_evidence(state)


def lead_after(state: CallsState, winner: Seat | None) -> str:
    """[2] The leader of the next hand: the seat that went out, which may lead any tile. After a
    block the option `after-block` decides. If it names the winner but a tie left none, the highest
    double is led (BIG_6)."""
    now = hand_of(state).round
    if now.out is not None or state.options["after-block"] == "highest-double":
        return winner_leads(state, winner)
    if state.options["after-block"] == "next":
        return state.seats.left_of(now.lead) if now.lead else BIG_6
    return winner or BIG_6


# ---------------------------------------------------------------- [4] scores


def points_that_count(state: CallsState, seat: Seat, score: int) -> int:
    """Returns the points that count of a play's `score`: 0 if the score is too small to be the
    side's first one. A side that has lost all its points to penalties doesn't need a first score
    again."""
    charged = state.board.charged
    scored = state.scores[seat] + (charged[seat] if charged else 0)
    first = int(state.options["first-score"])
    return points.in_units(state, score) if scored > 0 or score >= first else 0


# ---------------------------------------------------------------- [4] counts that are called
# Option `called`. No count is shown until it is called. A score that is not called is lost, or
# goes to the opponent who says “muggins”.


def score_muggins(state: CallsState, called: MugginsCalled) -> CallsState:
    """Moves a score to the opponent who called it first, even if it is too small to be the first
    score of the opponent's side. Raises RuleError if muggins is not played, if the caller is of the
    same side, or if the play scored nothing, for example because five points were too few for a
    first score."""
    if state.options["called"] != "muggins":
        raise RuleError("Muggins is not played here: option called muggins")
    lost, layer = last_score(state, called), state.effect.seat
    if layer is not None and called.seat in state.side_of(layer):
        raise RuleError("{seat} can't call muggins on their own side", seat=called.seat)
    score = points_of(hand_of(state))
    state = without_effects(state)
    if lost is None:
        return state
    moves = {lost.to: -lost.points, called.seat: points_that_count(state, called.seat, score)}
    for seat in sorted(moves, key=state.seats.order.index):
        state = state.scoring(seat, moves[seat], Penalty.MUGGINS)
    return decide_winners(state)


def reveal_count(state: CallsState, called: CountCalled) -> CallsState:
    """Adds the score of the last play, which may be shown now because its count was called in time.
    Raises RuleError unless the seat in the entry has just played."""
    if state.options["called"] == OFF or ends_counted(state) is None:
        raise RuleError("A count is called after a play: not now")
    if called.seat != state.effect.seat:
        raise RuleError("{seat} laid last: only {seat} calls that count", seat=state.effect.seat)
    return without_effects(state)


def cancel_uncalled_score(state: CallsState, not_called: CountNotCalled) -> CallsState:
    """Removes a score that was not called aloud in time, even if it won the game. Raises RuleError
    unless the seat in the entry has just scored with a play."""
    if state.options["called"] == OFF:
        raise RuleError("Counts need no call here: nothing is lost")
    lost = last_score(state, not_called)
    if not_called.seat != state.effect.seat:
        raise RuleError("{seat} laid last: only {seat} calls that count", seat=state.effect.seat)
    state = without_effects(state)
    if lost is None:
        return state
    return decide_winners(state.scoring(not_called.seat, -lost.points, Penalty.NOT_CALLED))


def last_score(state: CallsState, entry: Entry) -> Payment | None:
    """The payment for the last play; None if the players don't know its count yet. Raises RuleError
    if the last entry is no play, or one that scored nothing."""
    counted, scored = ends_counted(state), state.effect.payments
    if counted is None or (counted.count is not None and not scored):
        raise RuleError(
            "“{said}” follows a scoring play: it can't be called now", said=entry.words[0]
        )
    return scored[0] if scored else None


def without_effects(state: CallsState) -> CallsState:
    """Returns the state without the last entry's effects, except the hand and the seat that played.
    An entry about the last play is applied to this state."""
    effect = Effect(hand=number_of_hand(state), seat=state.effect.seat)
    return state._replace(board=state.board.with_hand(hand_of(state)), effect=effect)


def known_at_once(
    before: CallsState, after: CallsState, entry: Entry, rule: Rule[CallsBoard]
) -> CallsState:
    """Returns as much of the state after `entry` as the players may know. If players call the
    counts, a play's count and what it scores or wins are hidden until the count is called or the
    next player acts. Entries in between (`_may_precede_count_call`) change both the known state and
    the full one. Once the game is over, nothing is hidden."""
    if before.held_back is not None and _may_precede_count_call(after, entry):
        known = rule(before.as_shown, entry)
        return after if after.winners or known.winners else known._replace(held_longer=True)
    before = before.whole
    asked, hand = isinstance(entry, TilePlayed) and entry.count is None, after.board.hand
    if not asked or hand is None or not hand.counts_called:
        return after
    line = hand.line._replace(known_count=None, parts=())
    hand = hand._replace(line=line)
    effect = after.effect._replace(points=0, payments=(), reason=EndsCounted(line.known_ends, None))
    board, mover = after.board.with_hand(hand), seat_to_move(before, hand)
    return before._replace(board=board, to_move=mover, effect=effect)


def _may_precede_count_call(after: CallsState, entry: Entry) -> bool:
    """Whether `entry` may come between a play and the call of its count: that the time is
    up, that a seat has a wrong number of tiles, that the player is out, or an entry of a dispute in
    a hand that is still being played."""
    hand = after.board.hand
    match entry:
        case TimeUp() | WrongTileCount() | BogusCalled() | CallRuled():
            return True
        case HoldingShown() | PipsShown():
            return hand is not None and hand.round.playing
        case WentOut():
            return hand is not None and hand.round.last_to_play == entry.seat
    return False


# ---------------------------------------------------------------- [5] to [7]: penalties
# [5] A seat that is unable to play: line/hand.py, and the option `leave`.
#
# [6, 7] Penalties are taken off a score, or go to the other side. Options set them: `could-play` is
# the penalty for drawing or passing when a seat could play, `could-play-ends` whether the hand ends
# with that, `could-play-to` where penalties go, and `wrong-count` the penalty for a wrong number of
# tiles.


def _without_evidence(state: CallsState) -> CallsState:
    """The state without evidence for its hand, in which nothing can be proven any more."""
    watched = state.board.watched
    if watched is None:
        return state
    watched = watched._replace(evidence=None, unshown=None)
    return state._replace(board=state.board._replace(watched=watched))


def charge(state: CallsState, seat: Seat, penalty: int, why: PaymentReason) -> CallsState:
    """The state after a penalty was subtracted from the score of the seat's side, which may fall
    below 0. With two sides the points may go to the opponents instead (option `could-play-to`)."""
    penalty, others = points.in_units(state, penalty), opponents(state)(seat)
    if state.options["could-play-to"] == "opponent" and state.side_of(others[0]) == others:
        return points.score(state, others[0], penalty, why)
    charged = state.board.charged
    assert charged is not None, "points are written down"
    for each in state.side_of(seat):
        charged = charged.put(each, charged[each] + penalty)
    state = state._replace(board=state.board._replace(charged=charged))
    return points.score(state, seat, -penalty, why)


def charge_could_play(state: CallsState, ruled: RuledClaim) -> CallsState:
    """Charges a seat that drew or passed although it could play. The option `could-play` sets the
    penalty: either 30 points or a fifth of the target, or else 50 points or the pips that the seat
    holds, whichever is more.

    If every five points count as one, these pips are rounded to a multiple of five by the option
    `rounding`, and written down divided by five: 57 pips cost 11 with `nearest`, 12 with `up`.
    Otherwise they are not rounded: 61 pips cost 61."""
    if state.options["could-play"] == "30-or-20%":
        penalty = max(30, points.in_points(state, int(state.options["target"])) // 5)
    else:
        held = ruled.holding.pips if ruled.holding else 0
        if points.counts_fives(state):
            held = settlement.rounded(held, str(state.options["rounding"]))
        penalty = max(50, held)
    return charge(state, ruled.claim.accused, penalty, Penalty.BOGUS)


def bogus_play_ends_hand(state: CallsState, turn: Turn | None) -> bool:
    """Whether a bogus play ends the hand, by the option `could-play-ends`: never, always, or only
    if it was a pass. False if play in the hand is over anyway. A turn that was not entered (`turn`
    is None) may have been a draw, so it doesn't count as a pass."""
    called, ends = state.board.open_to_calls, state.options["could-play-ends"]
    if called is None or not called.hand.round.playing or ends == "never":
        return False
    return ends == "always" or (turn is not None and not isinstance(turn.did, TilesDrawn))


def charge_wrong_count(state: CallsState, found: WrongTileCount) -> CallsState:
    """Charges a seat that has a wrong number of tiles. The hand goes on, but nothing can be proven
    in it any more, as it isn't known which tiles anybody held. Raises RuleError if there is no such
    penalty (option `wrong-count`)."""
    if state.options["wrong-count"] == OFF:
        raise RuleError("A wrong count costs nothing here: option wrong-count")
    penalty, state = int(state.options["wrong-count"]), _without_evidence(state)
    return charge(without_last_effects(state), found.seat, penalty, Penalty.WRONG_COUNT)


# ---------------------------------------------------------------- [8] to [10]: the ends
# [9] The side that reaches the target wins or, [10] once the time is up, the side with the highest
# score: line/points.py.


def settle_by_options(now: Round, losers: Losers, options: Options) -> Settlement:
    """[8] The winner of the hand, and the points. If a seat is out, its side scores the opponents'
    pips. If the hand is blocked, the fewest pips win, counted by side or by seat (option
    `block-by`), and the option `block` decides the score. If opponents share the fewest pips, there
    is no winner."""
    if now.out is not None:
        return settlement.settle(now, losers, str(options["rounding"]))
    held = {seat: pips_of(shown) for seat, shown in now.shown.items()}
    own = held
    if options["block-by"] == "side":
        own = {seat: sum(held[each] for each in held if each not in losers(seat)) for seat in held}
    best = [seat for seat in own if own[seat] == min(own.values())]
    if set(best) & set(losers(best[0])):
        return Settlement(None, 0, HandEnding.BLOCKED)
    total = sum(held[seat] for seat in losers(best[0]))
    pips = {"total": total, "difference": total - own[best[0]], "nothing": 0}[str(options["block"])]
    score = settlement.rounded(pips, str(options["rounding"]))
    return Settlement(best[0], score, HandEnding.BLOCKED)


def after_settlement(state: CallsState) -> CallsState:
    """[8] The state after the settlement of a hand, with the winner of the game if that decides it.
    Bogus plays in the hand can still be called."""
    return points.decide_winners(remember_hand_payments(state))


def doubt(scores: FinalScores, options: Options, time_left: bool) -> str | None:
    """[4, 8, 9] Returns why these can't be the final scores (in a match: the numbers of games won);
    None if they can. Scores are multiples of five, unless every five points count as one or
    pips are not rounded. Penalties may make a score negative, and may leave several sides at the
    target."""
    if (games := int(options["match"])) > 1:
        return games_of_match(scores, games, time_left=time_left)
    in_fives = options["unit"] == "points" and options["rounding"] != "none"
    penalties = options["could-play"] != OFF or options["wrong-count"] != OFF
    if doubt := not_multiple_of_five(scores) if in_fives else not_whole(scores):
        return doubt
    if penalties:
        goal = int(options["target"])
        return out_of_range(scores, -goal, goal + points.MAX_POINTS_AT_ONCE) or no_winner(
            scores, goal, time_left=time_left, several=True
        )
    return points.doubt(scores, options, time_left)


HAND = HandRules(
    scoring=Scoring(
        points.score, after_settlement, points.still_needed, points_that_count
    ),  # [4, 9]
    losers=opponents,  # [1, 8]
    begin=begin_hand_by_options,  # [2, 3]
    after=after_watched_move,  # [6]
    settle=settle_by_options,  # [8]
    lead_after=lead_after,  # [2]
)
CALLS = CallRules(
    HAND,
    bogus=charge_could_play,
    wrong=lambda state, _claim: state,
    ends_hand=bogus_play_ends_hand,
    leads_after=lambda state, seat: state.seats.left_of(seat),
    keeps_shown=True,
    won_at_the_end=lambda state: points.ends_with_hand(state) or won_by_bonus(state),
    holding_needed=lambda state: state.options["could-play"] == "50-or-holding",
)
"""[6] Calls are settled as in High Five 18, but with these penalties."""


def call(state: CallsState, called: BogusCalled) -> CallsState:
    """[6] Calls a seat bogus. Raises RuleError if the house rules set no penalty for a bogus play
    (option `could-play`)."""
    if state.options["could-play"] == OFF:
        raise RuleError("“Could play” is not settled here: option could-play")
    return CALLS.call(state, called)


def refuse(state: CallsState, entry: Entry) -> None:
    """Raises RuleError for an entry that is not allowed now, such as one after a win. A game that
    was won with a count is won only if the count was called: entries about the count are still
    allowed, and the error for any other entry requests one of them."""
    to_call = state.options["called"] != OFF and ends_counted(state) is not None
    if (
        state.winners
        and to_call
        and isinstance(entry, CountCalled | CountNotCalled | MugginsCalled)
    ):
        return
    try:
        CALLS.refuse(state, entry)
    except RuleError as refused:
        if not state.winners or not to_call:
            raise
        seat = state.effect.seat
        asked = RuleError("{seat} wins with this count: first enter if it was called", seat=seat)
        raise asked from refused


ALL_FIVES = LineGame(
    name="all-fives",
    title=phrase("All Fives"),
    players=range(2, 5),  # [1]
    options=OPTIONS,
    board=starting_board,
    sides=partners,  # [1]
    hand=HAND,
    doubt_of=doubt,
    own={
        **CALLS.rules,  # [6]
        CountCalled: reveal_count,  # [4]
        CountNotCalled: cancel_uncalled_score,  # [4]
        MugginsCalled: score_muggins,  # [4]
        BogusCalled: call,  # [6]
        WrongTileCount: charge_wrong_count,  # [7]
        TimeUp: points.end_at_time_up,  # [10]
    },
    known_at_once=known_at_once,  # [4]
    refuse=refuse,
)
"""The rules of All Fives."""
