"""All Fives, rule by rule: alone or with partners, by the house rules that the options give.

Numbers in brackets are those of RULES.md, section 6. They stand in its order, each where its rule
is kept, or with the name of the part that keeps it.
"""

from dataclasses import replace
from functools import partial

from companion.core.errors import RuleError
from companion.core.seats import Seat, Seats
from companion.core.words import phrase
from companion.games import called_counts, settlement
from companion.games.bogus import score_penalties
from companion.games.bogus.board import CallsBoard, CallsState
from companion.games.bogus.claim import after_watched_move, keep_what_was_paid
from companion.games.called_counts import CalledCounts
from companion.games.entry import Dealt, Entry, TimeUp
from companion.games.game import (
    FinalScores,
    games_of_match,
    no_winner,
    not_in_fives,
    not_whole,
    outside,
)
from companion.games.line import points
from companion.games.line.game import (
    FIRST_SCORE,
    LEAVE,
    MATCH,
    PARTNERS,
    HandRules,
    LineGame,
    Scoring,
    opponents,
    partners,
    winner_leads,
)
from companion.games.line.hand import BIG_6, Moved, hand_of
from companion.games.line.line import NOTHING_LAID_WITHOUT_SPINNER, TILE_SET
from companion.games.line.points import FINISH_HAND
from companion.games.options import OFF, SET, Option, Options
from companion.games.penalties import Called, WrongCount
from companion.games.round import Round
from companion.games.settlement import HandsEnd, Losers, Settlement, pips_of

# ---------------------------------------------------------------- options
# The house rules of All Fives, and the sets of them that clubs play by.
#
# R: rocoh.org; T: Tennessee State championship; B: big6bones; W: World Championship Domino. What a
# set doesn't say is as at home. Numbers in brackets are those of RULES.md, section 6.


SETS = ("home", "R", "T", "B", "W")
PLAYERS_OF_SET = {"T": 2, "B": 2}
"""Sets that are only for this number of players."""
CRIBBAGE_BOARD = 61
"""The target of a game that is scored on a cribbage board, five points a hole."""

CLUB = replace(
    Option.words(SET, phrase("A club's rules in one go"), *SETS).with_words(
        phrase("Rules"), {"home": phrase("home")}
    ),
    choices=lambda seats: tuple(
        named for named in SETS if PLAYERS_OF_SET.get(named, seats) == seats
    ),
)

OPTIONS = (
    CLUB,
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
    Option.words(
        "spinner", phrase("Whether the first double is a spinner"), "first", "none"
    ).with_words(
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
        phrase("Drew or passed, and could play: points it costs"),
        OFF,
        "30-or-20%",
        "50-or-holding",
    )
    .with_words(
        phrase("Could play"),
        {
            OFF: phrase("not settled"),
            "30-or-20%": phrase("30 or 20 %"),
            "50-or-holding": phrase("50 or held pips"),
        },
    )
    .sets(R="30-or-20%", W="50-or-holding"),  # [6]
    Option.words(
        "could-play-ends", phrase("Whether the hand is over with it"), "pass", "never", "always"
    )
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


def check(seats: Seats, options: Options) -> None:
    """Raises RuleError for house rules that can't be played together, or by so many seats."""
    players = PLAYERS_OF_SET.get(str(options[SET]))
    if players not in (None, len(seats)):
        raise RuleError(
            "Rules {set} are for {players} players: take another set",
            set=options[SET],
            players=players,
        )
    fives = options["unit"] == "fives"
    if options["target"] == CRIBBAGE_BOARD and not fives:
        raise RuleError("61 points win only where a five counts one: option unit fives")
    if options["rounding"] == "none" and fives:
        raise RuleError("Where a five counts one, pips are rounded: choose another rounding")


# ---------------------------------------------------------------- [1] to [3]: a hand
# [1] Double-six: line/line.py, TILE_SET. Who plays with whom: partners, and State.side_of.
# [2] The highest double is led, or any tile if nobody holds one: leader_called_for and redeal_hand
# in line/game.py.
# [3] The spinner and the count: line/line.py.


def board(seats: Seats, options: Options) -> CallsBoard:
    """The board before the first hand; raises RuleError for house rules that don't go together."""
    check(seats, options)
    return score_penalties.board(seats)


def begin(state: CallsState, moved: Moved, dealt: Dealt) -> CallsState:
    """[2, 3] A new hand. By the options, any tile may be led if nobody holds a double, and no
    double is a spinner. [4] Players call the counts, or the box tells them."""
    hand, options = moved.hand, state.options
    if options["spinner"] == "none":
        hand = hand._replace(line=NOTHING_LAID_WITHOUT_SPINNER)
    if options["no-double"] == "heaviest":
        hand = hand._replace(big_6=False)
    hand = hand._replace(counts_called=options["called"] != OFF)
    return score_penalties.begin(state, moved._replace(hand=hand), dealt)


def lead_after(state: CallsState, winner: Seat | None) -> str:
    """[2] Who leads the next hand: the seat that went out, with any tile; after a block, by the
    option `after-block`. If that says the winner, but nobody won because of a tie, the highest
    double is led (BIG_6)."""
    now = hand_of(state).round
    if now.out is not None or state.options["after-block"] == "highest-double":
        return winner_leads(state, winner)
    if state.options["after-block"] == "next":
        return state.seats.left_of(now.lead) if now.lead else BIG_6
    return winner or BIG_6


# ---------------------------------------------------------------- [4] to [7]: scores, penalties
# [4] What a score comes to: score_penalties.worth. Counts that are called: called_counts.py.
# [5] Unable: line/hand.py, and the option `leave`.
# [6, 7] Could play, and a wrong number of tiles: bogus/score_penalties.py.

# ---------------------------------------------------------------- [8] to [10]: the ends
# [9] The side that has the target has won, [10] or once the time is up the side with the highest
# score: line/points.py.


def settle(now: Round, losers: Losers, options: Options) -> Settlement:
    """[8] Who has won the hand, and the points. Out: the opponents' pips. Blocked: the fewest pips
    win, of partners by side or by seat (option `block-by`), and score by the option `block`. If
    opponents share the fewest pips, nobody wins."""
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


def settled(state: CallsState) -> CallsState:
    """[8] The state after a hand is settled, which may win the game; the winner can still be called
    bogus."""
    return points.decided(keep_what_was_paid(state))


def refuse(state: CallsState, entry: Entry) -> None:
    """Raises RuleError for an entry that an open claim, or a win, doesn't allow."""
    called_counts.refuse(state, entry, CALLS.refuse)


def doubt(scores: FinalScores, options: Options, time_left: bool) -> str | None:
    """[4, 8, 9] Why these can't be the scores at the end, or of a match the games won. Scores are
    multiples of five, unless a five counts one or pips stay as they are. A penalty may make a score
    negative, and may leave several with the target."""
    if (games := int(options["match"])) > 1:
        return games_of_match(scores, games, time_left=time_left)
    in_fives = options["unit"] == "points" and options["rounding"] != "none"
    penalties = options["could-play"] != OFF or options["wrong-count"] != OFF
    if doubt := not_in_fives(scores) if in_fives else not_whole(scores):
        return doubt
    if penalties:
        goal = int(options["target"])
        return outside(scores, -goal, goal + points.MOST_AT_ONCE) or no_winner(
            scores, goal, time_left=time_left, several=True
        )
    return points.doubt(scores, options, time_left)


HAND = HandRules(
    scoring=Scoring(points.score, settled, points.still_needed, score_penalties.worth),  # [4, 9]
    losers=opponents,  # [1, 8]
    begin=begin,  # [2, 3]
    after=after_watched_move,  # [6]
    settle=settle,  # [8]
    lead_after=lead_after,  # [2]
)
CALLS = score_penalties.call_rules(HAND)  # [6]

ALL_FIVES = LineGame(
    name="all-fives",
    title=phrase("All Fives"),
    players=range(2, 5),  # [1]
    options=OPTIONS,
    board=board,
    sides=partners,  # [1]
    hand=HAND,
    doubt_of=doubt,
    own={
        **CALLS.rules,  # [6]
        **CalledCounts(score_penalties.worth).rules,  # [4]
        Called: partial(score_penalties.call, CALLS),  # [6]
        WrongCount: score_penalties.wrong_count,  # [7]
        TimeUp: points.time_up,  # [10]
    },
    known_at_once=called_counts.known_at_once,  # [4]
    refuse=refuse,
)
"""The rules of All Fives."""
