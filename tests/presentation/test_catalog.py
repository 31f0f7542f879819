"""Each game that has drawings can be drawn from its first moment on."""

from functools import partial

import pytest

from companion.app.catalog import CATALOG
from companion.presentation.drawing.svg import Paper
from tests.playing import table


@pytest.mark.parametrize("name", ["high-five", "five-up", "all-fives"])
def test_a_game_is_drawn_before_and_after_its_first_hand_is_dealt(name: str) -> None:
    draw = partial(CATALOG[name].presentation.draw, paper=Paper(16, 9))
    said = table(name=name)
    before = draw(said.state)
    said.say("hand lead Red")
    dealt = draw(said.state)
    assert before == dealt
    assert before and before.startswith("<svg ")
    said.say("Red 5-5")
    assert "5-5, the spinner" in str(draw(said.state))
