"""Each game that has a picture is drawn from its first moment on."""

from functools import partial

import pytest

from companion.games.catalog import GAMES
from companion.presentation.catalog import PRESENTATIONS
from companion.presentation.drawing.paper import Paper
from companion.presentation.told_words import TOLD_WORDS
from tests.playing import table


@pytest.mark.parametrize("name", ["high-five", "five-up"])
def test_a_game_is_drawn_before_and_after_its_first_hand_is_dealt(name: str) -> None:
    draw = partial(PRESENTATIONS[name].draw, paper=Paper(16, 9))
    said = table(name=name)
    before = draw(said.state)
    said.say("hand lead Red")
    dealt = draw(said.state)
    assert before == dealt
    assert before and before.startswith("<svg ")
    said.say("Red 5-5")
    assert "5-5, the spinner" in str(draw(said.state))


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_presentation_that_owes_nothing(name: str) -> None:
    presentation = PRESENTATIONS[name]
    assert presentation.where in TOLD_WORDS
    assert presentation.keys
