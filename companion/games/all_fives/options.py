"""The house rules of All Fives, and the sets of them that clubs play by.

R: rocoh.org; T: Tennessee State championship; B: big6bones; W: World Championship Domino. What a
set doesn't say is as at home. Numbers in brackets are those of RULES.md, section 6.
"""

from dataclasses import replace

from companion.core.errors import RuleError
from companion.core.seats import Seats
from companion.games.line import play
from companion.games.line.line import TILE_SET
from companion.games.line.points import FINISH_HAND
from companion.games.options import NO_YES, SET, Option, Options

OFF = "off"
SET_OF = {"home": "at home", "R": "R (rocoh)", "T": "T (Tennessee)", "B": "B (big6bones)",
          "W": "W (world championship)"}  # fmt: skip
PLAYERS_OF_SET = {"T": 2, "B": 2}
"""Sets that are for so many players only."""
CRIBBAGE_BOARD = 61
"""The target of a game that is scored on a cribbage board, five points a hole."""

PARTNERS = replace(
    Option.words("partners", "Seats 1 and 3 play together against 2 and 4", OFF, "on")
    .with_words("Partners", NO_YES),
    choices=lambda seats: (OFF, "on") if seats == 4 else (OFF,),
    asked=True,
)  # fmt: skip

OPTIONS = (
    Option.words(SET, "The rules of a club in one go; change what you like after it", *SET_OF)
          .with_words("Rules", SET_OF),
    PARTNERS,  # [1]
    Option.number("deal", "Tiles dealt to each player", lambda seats: 7 if seats == 2 else 5,
                  lambda seats: tuple(n for n in (5, 7, 9) if n * seats <= len(TILE_SET)))
          .with_words("Tiles each").sets(R=7, T=7, B=9, W=7),  # [1]
    Option.number("target", "Points that win", lambda _: 150,
                  lambda _: (CRIBBAGE_BOARD, 100, 150, 200, 250, 500))
          .with_words("Points to win").sets(W=250),  # [9]
    Option.words("unit", "A five scores five points, or one as on a cribbage board",
                 "points", "fives").with_words("A five counts", {"points": "5", "fives": "1"}),
    FINISH_HAND,  # [9]
    Option.number("match", "Games of a match: who wins most of them wins it", lambda _: 1,
                  lambda _: (1, 3, 5))
          .with_words("Match", {1: "one game", 3: "best of 3", 5: "best of 5"}).sets(W=3),  # [9]
    play.FIRST_SCORE.sets(R=10, B=10),  # [4]
    Option.words("called", "A score that its player doesn't call aloud is lost, or anybody's",
                 OFF, "lost", "muggins")
          .with_words("Counts are called", {OFF: "no", "lost": "or lost", "muggins": "or muggins"})
          .sets(T="lost", W="lost"),  # [4]
    Option.words("spinner", "Whether the first double is a spinner", "first", "none")
          .with_words("Spinner", {"first": "the first double", "none": "none"}),  # [3]
    play.LEAVE,  # [5]
    Option.words("no-double", "Nobody holds a double: the heaviest tile leads, or deal again",
                 "heaviest", "again")
          .with_words("No double", {"heaviest": "heaviest tile leads", "again": "deal again"})
          .sets(R="again", T="again", W="again"),  # [2]
    Option.words("after-block", "Who leads after a block", "highest-double", "winner", "next")
          .with_words("After a block leads", {"highest-double": "the highest double",
                                              "winner": "the winner", "next": "the next seat"}),
    Option.words("could-play", "Drew or passed, and could play: points it costs",
                 OFF, "30-or-20%", "50-or-holding")
          .with_words("Could play", {OFF: "not settled", "30-or-20%": "30, or 20 %",
                                     "50-or-holding": "50, or what is held"})
          .sets(R="30-or-20%", W="50-or-holding"),  # [6]
    Option.words("could-play-ends", "Whether the hand is over with it", "pass", "never", "always")
          .with_words("Could play ends", {"pass": "the hand, if passed", "never": "nothing",
                                          "always": "the hand"}).sets(W="never"),  # [6]
    Option.words("could-play-to", "Where these points go", "off-score", "opponent")
          .with_words("Penalties", {"off-score": "are taken off",
                                    "opponent": "go to the other side"}),  # [6]
    Option.words("wrong-count", "A wrong number of tiles costs", OFF, "50", "100")
          .with_words("Wrong count costs", {OFF: "nothing"}).sets(R="100", W="50"),  # [7]
    Option.words("rounding", "Pips become points of five: to the nearest, up, down, or as they are",
                 "nearest", "up", "down", "none")
          .with_words("Pips", {"nearest": "to the nearest five", "up": "rounded up",
                               "down": "rounded down", "none": "as they are"}),  # [8]
    Option.words("block", "What the winner of a blocked hand scores",
                 "total", "difference", "nothing")
          .with_words("A block scores", {"total": "all others' pips",
                                         "difference": "the difference"}),  # [8]
    Option.words("block-by", "Of partners, a block goes to the lower side or the lowest seat",
                 "side", "seat").with_words("Lowest in a block", {"side": "the side",
                                                                  "seat": "the seat"}),  # [8]
)  # fmt: skip


def check(seats: Seats, options: Options) -> None:
    """Raises RuleError for house rules that can't be played together, or by so many."""
    players = PLAYERS_OF_SET.get(str(options[SET]))
    if players not in (None, len(seats)):
        raise RuleError(
            "Rules {set} are for {players} players: take another set",
            set=options[SET],
            players=players,
        )
    if options["partners"] == "on" and len(seats) != 4:
        raise RuleError("Partners are for four players: two against two")
    fives = options["unit"] == "fives"
    if options["target"] == CRIBBAGE_BOARD and not fives:
        raise RuleError("61 points win only where a five counts one: option unit fives")
    if options["rounding"] == "none" and fives:
        raise RuleError("Where a five counts one, pips are rounded: choose another rounding")
