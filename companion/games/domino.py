"""Dominó: block dominoes as played in Spain and Latin America, each seat alone or with a partner.

A number in brackets, as in [2], is that of a rule in RULES.md, section 8. It is at the code of the
rule, or beside the name of the function or class that implements it. The numbers appear in the same
order as the rules."""

from collections.abc import Callable
from dataclasses import replace

from companion.core.errors import RuleError
from companion.core.seats import BySeat, Seat, Seats
from companion.core.words import phrase
from companion.games.bogus.call_rules import (
    CallRules,
    RuledClaim,
    after_watched_move,
    begin_watched_hand,
    remember_hand_payments,
)
from companion.games.bogus.calls import CallsBoard, CallsState, WatchedHand
from companion.games.entries import (
    BogusCalled,
    HandDealt,
    HandRedealt,
    Penalty,
    PointsScored,
    TileReturned,
    TilesDrawn,
    TimeUp,
    TotalPipsShown,
    TurnPassed,
)
from companion.games.game import (
    AmbiguousEntry,
    Choice,
    Effect,
    Entry,
    FinalScores,
    PaymentReason,
    State,
    games_of_match,
    no_winner,
    not_whole,
    out_of_range,
)
from companion.games.house_rules import (
    FINISH_HAND,
    MATCH,
    NO_YES,
    OFF,
    PARTNERS,
    SET,
    Option,
    Options,
    Value,
)
from companion.games.line import hand as hands
from companion.games.line import points
from companion.games.line.game import HandRules, LineGame, Scoring, no_points, opponents, partners
from companion.games.line.hand import BIG_6, EndsCounted, Hand, MoveResult, hand_of
from companion.games.line.line import (
    NOTHING_PLAYED_WITHOUT_SPINNER,
    TILE_SET,
    TilePlayed,
    WayToPlay,
)
from companion.games.round import Round, Stage
from companion.games.settlement import HandEnding, Losers, Settlement, all_others, pips_of

# ---------------------------------------------------------------- options
# C: the rules with capicúa on dominoesonline.com. Options that a set doesn't mention have their
# home values or, with fewer than four players, those of the set `individual`.

TILES_EACH = 7
DOUBLE_LED, NO_DOUBLE_LED, THREE_PASSES = 25, 50, 25
RENUNCIO = 50


def _value_by_seats(four: Value, fewer: Value) -> Callable[[int], Value]:
    return lambda seats: four if seats == 4 else fewer


RULE_SET = replace(
    Option.words(SET, phrase("A club's rules, all at once"), "home", "C", "individual").with_words(
        phrase("Rules"), {"home": phrase("home"), "individual": phrase("individual")}
    ),
    default=_value_by_seats("home", "individual"),
    choices=lambda seats: ("home", "C", "individual") if seats == 4 else ("individual",),
)
OPTIONS = (
    RULE_SET,
    replace(PARTNERS, default=_value_by_seats("on", OFF), open_in=()).sets(individual=OFF),  # [1]
    Option.number("target", phrase("Points that win"), lambda seats: 200 if seats == 4 else 100,
                  lambda _: (100, 150, 200, 250, 300, 500))
          .with_words(phrase("Points to win")).sets(individual=100),  # [7]
    Option.words("lead", phrase("Who leads the next hand"), "winner", "rotate")
          .with_words(phrase("Next lead"),
                      {"winner": phrase("the winner"), "rotate": phrase("next seat")}),  # [2]
    Option.words("partner-counts", phrase("Do the partner's pips count when a seat goes out?"),
                 "yes", "no")
          .with_words(phrase("Partner's pips"),
                      {"yes": phrase("yes"), "no": phrase("no")}),  # [4]
    replace(Option.words("block-by", phrase("A block goes to the lower side, the lowest seat, or "
                                            "the lower of the last to play and the next seat"),
                         "side", "seat", "duel"),
            default=_value_by_seats("side", "seat"))
          .with_words(phrase("Block won by"), {"side": phrase("low side"),
                                               "seat": phrase("low seat"), "duel": phrase("duel")})
          .sets(C="duel", individual="seat"),  # [5]
    Option.words("block-tie", phrase("Who wins a block where both are level"), "nobody", "closer")
          .with_words(phrase("Level block"),
                      {"nobody": phrase("nobody"), "closer": phrase("last to play")})
          .sets(C="closer"),  # [5]
    Option.words("block-counts", phrase("What the winner of a block scores"), "all", "others")
          .with_words(phrase("Block scores"),
                      {"all": phrase("all pips"), "others": phrase("others' pips")}),  # [5]
    Option.number("capicua", phrase("Points for going out with a tile that fits both ends"),
                  lambda _: 0, lambda _: (0, 25))
          .with_words(phrase("Capicúa")).sets(C=25),  # [6]
    Option.words("passes", phrase("Do passes score? 25 or 50 on the lead, 25 for three"),
                 OFF, "on")
          .with_words(phrase("Passes score"), NO_YES).sets(C="on"),  # [6]
    replace(Option.words("renuncio", phrase("Passed with a tile that fits: what it costs"),
                         OFF, "hand", str(RENUNCIO)),
            default=_value_by_seats("hand", str(RENUNCIO)),
            choices=lambda seats: (OFF, "hand", str(RENUNCIO)) if seats == 4
                                  else (OFF, str(RENUNCIO)))
          .with_words(phrase("Renuncio"), {OFF: phrase("nothing"), "hand": phrase("the hand")})
          .sets(individual=str(RENUNCIO)),  # [8]
    MATCH,  # [7]
)  # fmt: skip


def starting_board(seats: Seats, options: Options) -> CallsBoard:
    """The board before the first hand, which is led with the double six. Raises RuleError for house
    rules that need partners."""
    if options[SET] != "individual" and len(seats) != 4:
        raise RuleError(
            "Rules {set} are for {players} players: choose another set", set=options[SET], players=4
        )
    if options["renuncio"] == "hand" and options["partners"] == OFF:
        raise RuleError("A renuncio costs the hand only with partners: option renuncio 50")
    return CallsBoard(next_lead=BIG_6, charged=BySeat.all(seats, 0))


# ---------------------------------------------------------------- [1] to [3]: a hand
# [1] Partners: play.partners. Tiles that are not dealt sleep: play.deal, without an option `leave`.


def begin_hand_by_options(state: CallsState, moved: MoveResult, dealt: HandDealt) -> CallsState:
    """[3] Returns the state with a new hand, whose line has two ends. [2] The first hand is led
    with the double six if all tiles are dealt. Otherwise it is led with the highest tile dealt,
    which may be any tile. [8] If a renuncio has no penalty, nothing can be proven in the hand."""
    hand = moved.hand._replace(line=NOTHING_PLAYED_WITHOUT_SPINNER)
    first = state.board.watched is None and len(state.seats) * TILES_EACH == len(TILE_SET)
    state = begin_watched_hand(state, moved._replace(hand=hand._replace(big_6=first)), dealt)
    assert state.board.watched is not None, "a hand was dealt"
    watched = state.board.watched
    if state.options["renuncio"] == OFF:
        watched = watched._replace(evidence=None, unshown=None)
    return state._replace(board=state.board._replace(watched=watched))


def play_tile(state: CallsState, played: TilePlayed) -> CallsState:
    """[2, 3] Plays a tile. Raises RuleError if the first hand is led with a tile other than the
    double six. Raises AmbiguousEntry if [6] the score for a pass or for going out depends on which
    tile was played."""
    hand, after = hand_of(state), HAND.play_tile(state, played)
    leads, now = hand.round.stage is Stage.LEAD, hand_of(after).round
    if hand.big_6 and leads and hand_of(after).line.known_ends != (6, 6) and not played.insisted:
        raise RuleError("The double six leads the first hand")
    ways = hand.line.ways(hands.constraints_of(played, doubles=hand.big_6 and leads))
    if leads and state.options["passes"] == "on":
        differ = len({way.tile.is_double for way in ways}) > 1
    else:
        differ = bool(now.out and state.options["capicua"]) and len(set(map(fits_both, ways))) > 1
    ends = sorted({way.line.ends for way in ways})
    if differ and len(ends) > 1:
        clear = (Choice(replace(played, ends=each), EndsCounted(each, sum(each))) for each in ends)
        raise AmbiguousEntry("Enter the open ends: their count alone isn't enough", tuple(clear))
    return after


def lead_after(state: CallsState, winner: Seat | None) -> Seat | None:
    """[2] The leader of the next hand: the winner, or the seat after the last leader if there is no
    winner or the option `lead` is `rotate`. None if the last leader is not known."""
    if winner is not None and state.options["lead"] == "winner":
        return winner
    led = hand_of(state).round.lead
    return state.seats.left_of(led) if led else None


# ---------------------------------------------------------------- [4, 5]: the ends of hands


def count_together(state: CallsState, counted: TotalPipsShown) -> CallsState:
    """[4] Enters the pips of all losers as one number or, [8] in a call, the pips of all tiles that
    are not on the table. Raises RuleError if no seat went out in the hand."""
    called = state.board.open_to_calls
    if called is not None and called.claim is not None:
        claim = replace(called.claim, off_table=counted.pips)
        board = state.board.cleared().with_called(called._replace(claim=claim))
        effect = Effect(hand=called.hand.round.number, about=claim.turn)
        return CALLS.closed_by_record(state._replace(board=board, effect=effect))
    hand = hand_of(state)
    if hand.round.stage is not Stage.OUT:
        raise RuleError("Pips are entered together after a seat is out; else seat by seat")
    now = hand.round._replace(total_pips=counted.pips, confirmed=True)
    moved = MoveResult(hand._replace(round=now), Effect(hand=now.number))
    return HAND.settle_once_shown(after_watched_move(state, moved, counted))


def losers_by_options(state: CallsState) -> Losers:
    """[4] Returns a function that returns the seats whose pips a winner scores: all other seats, or
    only the opponents (option `partner-counts`)."""
    partner = state.options["partner-counts"] == "yes"
    return all_others(state.seats) if partner else opponents(state)


def settle_by_options(now: Round, losers: Losers, options: Options) -> Settlement:
    """[4] The winner of the hand and the points. A seat that went out scores the pips of the
    `losers`. [5] After a block, the seat with the fewest pips on the winning side scores the pips
    of all seats, or only those of the other side (option `block-counts`)."""
    if now.out is not None:
        total = now.total_pips
        if total is None:
            total = sum(pips_of(now.shown[seat]) for seat in losers(now.out))
        return Settlement(now.out, total, HandEnding.OUT)
    held = {seat: pips_of(shown) for seat, shown in now.shown.items()}
    side = _winning_side(now, held, options)
    if not side:
        return Settlement(None, 0, HandEnding.BLOCKED)
    scored = sum(
        held[seat] for seat in held if options["block-counts"] == "all" or seat not in side
    )
    after_lead = [now.seats.moved(now.lead or now.seats.order[-1], at) for at in (1, 2, 3, 4)]
    winner = min(side, key=lambda seat: (held[seat], after_lead.index(seat)))
    return Settlement(winner, scored, HandEnding.BLOCKED)


def _winning_side(now: Round, held: dict[Seat, int], options: Options) -> tuple[Seat, ...]:
    """[5] The side that wins a blocked hand, by the options `block-by` and `block-tie`; () if there
    is none. If the seat that played last is not known, the side with fewer pips wins instead of the
    winner of the duel, and a tie has no winner."""
    sides = partners(now.seats, options) or tuple((seat,) for seat in now.seats)
    side_of = {seat: side for side in sides for seat in side}
    by, last = options["block-by"], now.last_to_play
    if by == "duel" and last is not None:
        lows = {side_of[seat]: held[seat] for seat in (last, now.seats.left_of(last))}
    else:
        count = min if by == "seat" else sum
        lows = {side: count(held[seat] for seat in side) for side in sides}
    level = [side for side in lows if lows[side] == min(lows.values())]
    if len(level) > 1 and options["block-tie"] == "closer" and last is not None:
        level = [side for side in level if last in side]
    return level[0] if len(level) == 1 else ()


# ---------------------------------------------------------------- [6]: capicúa, passes


class DominoPaymentReason(PaymentReason):
    """Reasons for scores during a hand, apart from those for its end."""

    CAPICUA = "capicua"
    PASSES = "passes"

    @property
    def is_rare(self) -> bool:
        return self is DominoPaymentReason.CAPICUA


def fits_both(way: WayToPlay) -> bool:
    """[6] Returns whether the tile fits both ends, which must differ; False for a double or a tile
    with a blank."""
    line, tile = way.candidate[0], way.tile
    pips = {place.pips for place in line.places} if line else set[int]()
    return len(pips) == 2 and 0 not in pips and not tile.is_double and all(map(tile.has, pips))


def is_capicua(hand: Hand) -> bool:
    """[6] Returns whether the tile played last fitted both ends; False if not known."""
    line, ways = NOTHING_PLAYED_WITHOUT_SPINNER, list[WayToPlay]()
    for turn in hand.turns:
        if isinstance(turn.did, TilePlayed):
            ways = line.ways(said := hands.constraints_of(turn.did))
            line = line.after(ways, said)
    return bool(ways) and all(map(fits_both, ways))


def pass_turn(state: CallsState, passed: TurnPassed) -> CallsState:
    """[6] The state after a seat has passed. A pass right after the lead scores for the leader's
    side, and the third pass in a row for the seat that played last. A pass on a blocked line scores
    nothing."""
    after = HAND.pass_turn(state, passed)
    hand = hand_of(after)
    now, line = hand.round, hand.line
    if state.options["passes"] == OFF or now.scores_only or line.lost or line.nothing_fits:
        return after
    if now.turn == 2 and now.lead and line.known_ends:
        doubled = len(set(line.known_ends)) == 1
        after = after.scoring(
            now.lead, DOUBLE_LED if doubled else NO_DOUBLE_LED, DominoPaymentReason.PASSES
        )
    if now.passes == 3 and now.last_to_play and now.stage is Stage.PLAY:
        after = after.scoring(now.last_to_play, THREE_PASSES, DominoPaymentReason.PASSES)
    return after


# ---------------------------------------------------------------- [7]: the end of the game
# [7] The target wins at a hand's end: line/points.py, with `finish-hand`.


def after_settlement(state: CallsState) -> CallsState:
    """[6] The state after the settlement of a hand, with the score for a capicúa and, [7] if that
    decides the game, its winner. [8] A renuncio in the hand can still be called."""
    hand = hand_of(state)
    if hand.round.out is not None and is_capicua(hand):
        state = state.scoring(
            hand.round.out, int(state.options["capicua"]), DominoPaymentReason.CAPICUA
        )
    return points.decide_winners(remember_hand_payments(state))


def doubt(scores: FinalScores, options: Options, time_left: bool) -> str | None:
    """[7] Returns why these can't be the final scores (in a match: the numbers of games won); None
    if they can."""
    if (games := int(options["match"])) > 1:
        return games_of_match(scores, games, time_left=time_left)
    target = int(options["target"])
    return (
        not_whole(scores)
        or out_of_range(scores, 0, target + 3 * points.MAX_POINTS_AT_ONCE)
        or no_winner(scores, target, time_left=time_left, several=True)
    )


# ---------------------------------------------------------------- [8]: renuncio


def pips_off_table(watched: WatchedHand, options: Options) -> int | None:
    """The total pips of all tiles that are not on the table; None if not known."""
    hand, claim = watched.hand, watched.claim
    now = hand.round
    laid = {sum(tile.pips for tile in TILE_SET.tiles_in(mask)) for _, mask in hand.line.possible}
    if len(laid) == 1:
        return TILE_SET.pips - laid.pop()
    if claim is not None and claim.off_table is not None:
        return claim.off_table
    if now.total_pips is not None and options["partner-counts"] == "yes":
        return now.total_pips
    held = [watched.holding(seat) for seat in now.seats]
    return None if None in held else sum(map(pips_of, held))


def price_known(state: CallsState) -> bool:
    """Whether the score for a renuncio is known."""
    watched = state.board.open_to_calls
    known = watched is None or pips_off_table(watched, state.options) is not None
    return known or state.options["renuncio"] != "hand"


def call(state: CallsState, called: BogusCalled) -> CallsState:
    """[8] Calls a seat for a renuncio. Raises RuleError if the house rules set no penalty for
    it."""
    if state.options["renuncio"] == OFF:
        raise RuleError("A renuncio costs nothing here: option renuncio")
    return CALLS.call(state, called)


def charge_renuncio(state: CallsState, ruled: RuledClaim) -> CallsState:
    """[8] The state after a renuncio was charged: the caller scores 50 points, or all pips that are
    not on the table. The score for the end of the hand is taken back."""
    for paid in ruled.paid:
        state = state.scoring(paid.to, -paid.points, paid.why)
    watched = state.board.open_to_calls
    assert watched is not None, "somebody was called in a hand"
    held = pips_off_table(watched._replace(claim=ruled.claim), state.options)
    price = held if state.options["renuncio"] == "hand" else RENUNCIO
    return points.decide_winners(state.scoring(ruled.claim.by, price or 0, Penalty.BOGUS))


def refuse(state: CallsState, entry: Entry) -> None:
    """Raises RuleError for an entry that is not allowed while a claim is open, or after a win."""
    if state.board.caller is None or not isinstance(entry, TotalPipsShown):
        CALLS.refuse(state, entry)


def caller_against(state: CallsState, accused: Seat) -> Seat:
    """[8] The seat that called the accused; it leads the next hand."""
    return state.board.caller or state.seats.left_of(accused)


HAND = HandRules(
    scoring=Scoring(
        State.scoring,
        after_settlement,  # [6, 7]
        points.still_needed,
        points_that_count=lambda _state, _seat, score: score,
        of_count=no_points,  # [3]
    ),
    losers=losers_by_options,  # [4]
    begin=begin_hand_by_options,  # [2, 3]
    after=after_watched_move,  # [8]
    settle=settle_by_options,  # [4, 5]
    lead_after=lead_after,  # [2]
)
CALLS = CallRules(
    HAND,
    bogus=charge_renuncio,
    wrong=lambda state, _claim: state,
    leads_after=caller_against,
    holding_needed=lambda _state: False,
    price_known=price_known,
    won_at_the_end=lambda _state: True,  # [7]
    keeps_shown=True,
)
DOMINO = LineGame(
    name="domino",
    title=phrase("Dominó"),
    players=range(2, 5),  # [1]
    clockwise=False,  # [1]
    options=OPTIONS,
    fixed={"deal": TILES_EACH, FINISH_HAND.name: "on"},  # [1, 7]
    board=starting_board,
    sides=partners,  # [1]
    hand=HAND,
    doubt_of=doubt,
    own={
        **CALLS.rules,
        BogusCalled: call,  # [8]
        TilePlayed: play_tile,  # [2, 6]
        TurnPassed: pass_turn,  # [6]
        TotalPipsShown: count_together,  # [4]
        TimeUp: points.end_at_time_up,
    },
    heaviest=lambda tile: (tile.high, tile.low),  # [2]
    without=frozenset({PointsScored, TilesDrawn, HandRedealt, TileReturned}),  # [1]
    refuse=refuse,
    calls_count=lambda state: state.options["renuncio"] != OFF,
)
"""The rules of Dominó."""
