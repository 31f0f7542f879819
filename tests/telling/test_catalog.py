"""Each game that has a picture is drawn from its first moment on."""

import pytest

from companion.games.catalog import GAMES
from companion.telling.catalog import PICTURES
from companion.telling.paper import Paper
from tests.playing import table


@pytest.mark.parametrize("name", PICTURES)
def test_a_game_is_drawn_before_and_after_its_first_hand_is_dealt(name: str) -> None:
    assert name in GAMES
    said = table(name=name)
    before = PICTURES[name](said.state, Paper(16, 9))
    said.say("hand lead Red")
    dealt = PICTURES[name](said.state, Paper(16, 9))
    assert before == dealt
    assert before.startswith("<svg ")
    said.say("Red 5-5")
    assert "5-5, the spinner" in PICTURES[name](said.state, Paper(16, 9))
