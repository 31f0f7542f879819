"""The tapes that there are: who plays on each, and on which box."""

from tests.tape.box import Build
from tests.tape.player import Manner
from tests.tape.record import Cast

HIGH_FIVE, FIVE_UP, RACE, ALL_FIVES, FIVES_AND_THREES, DOMINO = 1, 2, 3, 3, 3, 4
"""The games' lines in the list of games; no box has all of the last ones."""
BONNET, HAT = "adafruit-bonnet", "waveshare-1.3-hat"
SH1106 = Build("sh1106")
CLUBS, PAIRS = Build(clubs=True), Build(pairs=True)
MUGGINS, CHAMPIONSHIP, AT_HOME = "9 3", "1 2", "1 3"
"""Digits that choose house rules: counts that are called, the rules R, and the rules that leave to
the table whether partners play."""
RESTS, SWITCHES_OFF = Build(rests=True), Build(switches_off=True)

CASTS = (
    # sixteen keys
    Cast("high-five-2", 1, Manner(HIGH_FIVE, 2)),
    Cast("high-five-2-slips", 2, Manner(HIGH_FIVE, 2, slips=0.2), SH1106),
    Cast("high-five-3", 3, Manner(HIGH_FIVE, 3)),
    Cast("high-five-3-sleepy", 4, Manner(HIGH_FIVE, 3), RESTS),
    Cast("high-five-4", 5, Manner(HIGH_FIVE, 4)),
    Cast("high-five-4-disputes", 6, Manner(HIGH_FIVE, 4, bogus=0.25, besides=0.2)),
    Cast("high-five-2-child", 7, Manner(HIGH_FIVE, 2, slips=0.5), SWITCHES_OFF),
    Cast("five-up-2", 44, Manner(FIVE_UP, 2)),
    Cast("five-up-3", 9, Manner(FIVE_UP, 3, besides=0.2)),
    Cast("five-up-4-sleepy", 10, Manner(FIVE_UP, 4, slips=0.1), RESTS),
    # a joystick
    Cast("high-five-2-stick", 11, Manner(HIGH_FIVE, 2), SH1106, HAT),
    Cast("high-five-3-stick", 12, Manner(HIGH_FIVE, 3), Build(), BONNET),
    Cast("five-up-2-stick", 13, Manner(FIVE_UP, 2), RESTS, BONNET),
    # keypads at the seats
    Cast("high-five-2-pads", 14, Manner(HIGH_FIVE, 2, pads=True)),
    Cast("high-five-3-pads", 15, Manner(HIGH_FIVE, 3, pads=True), RESTS),
    Cast("high-five-4-pads", 16, Manner(HIGH_FIVE, 4, pads=True)),
    Cast("high-five-4-pads-disputes", 17, Manner(HIGH_FIVE, 4, bogus=0.25, besides=0.2, pads=True)),
    Cast("high-five-3-pads-child", 18, Manner(HIGH_FIVE, 3, slips=0.4, pads=True), SWITCHES_OFF),
    Cast("five-up-3-pads", 19, Manner(FIVE_UP, 3, pads=True), SH1106),
    Cast("five-up-4-pads", 20, Manner(FIVE_UP, 4, slips=0.1, pads=True)),
    # a club
    Cast("all-fives-4-partners", 22, Manner(ALL_FIVES, 4, rules=f"{AT_HOME} {MUGGINS}"), CLUBS),
    Cast(
        "all-fives-3-pads",
        23,
        Manner(ALL_FIVES, 3, bogus=0.2, pads=True, rules=CHAMPIONSHIP),
        CLUBS,
    ),
    Cast("all-fives-2", 42, Manner(ALL_FIVES, 2, slips=0.15, besides=0.25, rules=AT_HOME), CLUBS),
    # in pairs
    Cast("fives-and-threes-4-pads", 24, Manner(FIVES_AND_THREES, 4, pads=True), PAIRS),
    Cast("domino-4", 25, Manner(DOMINO, 4, bogus=0.15), PAIRS),
    Cast("domino-4-pads", 26, Manner(DOMINO, 4, pads=True), PAIRS, presses=1000),
    # a game without screens of its own
    Cast("race", 21, Manner(RACE, 5), Build(race=True), presses=1000),
)
"""Twenty tapes of High Five and Five Up, each of 5,000 presses, and some of other games."""
