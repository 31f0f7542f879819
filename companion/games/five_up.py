"""Five Up, as played on rubl.com, rule by rule: points instead of chips, and no bogus play.

Numbers in brackets count the rules: [1] the equipment, [2] the lead, [3] the count, [4] drawing,
[5] the end of a hand, [6] the end of a game. They appear in this order: each is at the code of its
rule, or beside the name of the function or class that implements it. Players find the rules in
docs/manual/five-up.md.
"""

from companion.core.seats import Seat
from companion.core.words import phrase
from companion.games.game import FinalScores, State, not_multiple_of_five
from companion.games.house_rules import FINISH_HAND, FIRST_SCORE, LEAVE, ROUNDING, Option, Options
from companion.games.line import points
from companion.games.line.game import HandRules, LineGame, winner_leads
from companion.games.line.hand import HandBoard, hand_of
from companion.games.line.points import POINTS
from companion.games.settlement import all_others

# ---------------------------------------------------------------- [1] to [4]: a hand
# [1] Double-six: line/line.py, TILE_SET. No chips: line/points.py.

OPTIONS = (
    Option.number("deal", phrase("Tiles dealt to each player"), lambda _: 7,
                  lambda seats: (7, 9) if seats < 4 else (7,)).with_words(phrase("Tiles each")),
    Option.number("target", phrase("Points that win"), lambda _: 250, lambda _: range(100, 501),
                  lambda _: range(100, 501, 50)).with_words(phrase("Points to win")),
    Option.words("start", phrase("Who leads after a dominoed hand"), "winner", "rotate")
          .with_words(phrase("Next lead"),
                      {"winner": phrase("the winner"), "rotate": phrase("rotates")}),
    FINISH_HAND,
    LEAVE,
    ROUNDING,
    FIRST_SCORE,
)  # fmt: skip
"""[1] The deal and the target are agreed before the game."""

# [2] The highest double must be led, or the seat that leads leads any tile: leader_called_for in
# line/game.py. Nobody holds a double: redeal_hand, there.


def lead_after(state: State[HandBoard], winner: Seat | None) -> str:
    """[2] The leader of the next hand: the winner, who leads any tile, or after a block the highest
    double (BIG_6). If the lead rotates, it is always the seat to the left of the last leader, even
    after a block."""
    led = hand_of(state).round.lead
    if state.options["start"] == "rotate" and led:
        return state.seats.left_of(led)
    return winner_leads(state, winner)


# [3] The spinner and the count: line/line.py. The score for a count: HandRules.play_tile. [4] A
# seat that can't play draws, then passes; this isn't checked, as there is no bogus play.

# ---------------------------------------------------------------- [5, 6]: the ends
# [5] Dominoed or blocked, and a tie: settlement.settle. The pips are added up, then rounded once.
# [6] The first to reach the target wins, at once or at the hand's end: line/points.py.


def doubt(scores: FinalScores, options: Options, time_left: bool) -> str | None:
    """[3, 5, 6] Returns why these can't be the final scores; None if they can. Each has to be a
    multiple of five. line/points.py compares them with the target."""
    return not_multiple_of_five(scores) or points.doubt(scores, options, time_left)


FIVE_UP = LineGame(
    name="five-up",
    title=phrase("Five Up"),
    players=range(2, 5),
    options=OPTIONS,
    board=lambda _seats, _options: HandBoard(),
    hand=HandRules[HandBoard](
        scoring=POINTS,  # [6]
        losers=lambda state: all_others(state.seats),  # [5]
        lead_after=lead_after,  # [2]
    ),
    doubt_of=doubt,
)
"""The rules of Five Up."""
