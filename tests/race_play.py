"""The screens of the test's own game, beside those of every other."""

from companion.console.catalog import PLAYS, Plays
from companion.console.screens.number import NumberPlay
from tests.race import RACE

ALL_PLAYS: Plays = {**PLAYS, "race": NumberPlay(RACE)}
