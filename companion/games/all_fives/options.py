"""The house rules of All Fives, and the sets of them that clubs play by.

R: rocoh.org; T: Tennessee State championship; B: big6bones; W: World Championship Domino. What a
set doesn't say is as at home. Numbers in brackets are those of RULES.md, section 6.
"""

from dataclasses import replace

from companion.core.errors import RuleError
from companion.core.seats import Seats
from companion.core.words import phrase
from companion.games.line import play
from companion.games.line.line import TILE_SET
from companion.games.line.points import FINISH_HAND
from companion.games.options import NO_YES, OFF, SET, Option, Options

SETS = ("home", "R", "T", "B", "W")
PLAYERS_OF_SET = {"T": 2, "B": 2}
"""Sets that are only for this number of players."""
CRIBBAGE_BOARD = 61
"""The target of a game that is scored on a cribbage board, five points a hole."""

PARTNERS = replace(
    Option.words("partners", phrase("Seats 1 and 3 play together against 2 and 4"), OFF, "on")
    .with_words(phrase("Partners"), NO_YES)
    .left_open("home"),
    choices=lambda seats: (OFF, "on") if seats == 4 else (OFF,),
)

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
    Option.number(
        "match",
        phrase("Most games win the match; if level, you play on"),
        lambda _: 1,
        lambda _: (1, 3, 5),
    )
    .with_words(
        phrase("Match"), {1: phrase("one game"), 3: phrase("best of 3"), 5: phrase("best of 5")}
    )
    .sets(W=3),  # [9]
    play.FIRST_SCORE.sets(R=10, B=10),  # [4]
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
    play.LEAVE,  # [5]
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
    if options["partners"] == "on" and len(seats) != 4:
        raise RuleError("Partners are for four players: two against two")
    fives = options["unit"] == "fives"
    if options["target"] == CRIBBAGE_BOARD and not fives:
        raise RuleError("61 points win only where a five counts one: option unit fives")
    if options["rounding"] == "none" and fives:
        raise RuleError("Where a five counts one, pips are rounded: choose another rounding")
