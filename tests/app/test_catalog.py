"""Every game has all the parts that a game needs; if one lacks a part, the test names it."""

from inspect import isabstract

import pytest

from companion.app.catalog import CATALOG, Bundle
from companion.games.line.game import LineGame
from companion.presentation.keys import GameKeys
from companion.presentation.sayings import MOMENT_WORDS
from tests.games.others.players import PLAYERS

PARTS = ("screens", "presentation", "statistics")


@pytest.mark.parametrize("name", CATALOG)
@pytest.mark.parametrize("part", PARTS)
def test_every_game_has_every_part(name: str, part: str) -> None:
    try:
        found = getattr(CATALOG[name], part)
    except Exception as error:  # whatever it is, it is said of which game
        pytest.fail(f"{name} has no {part}: {error!r}")
    assert found is not None, f"{name} has no {part}"
    assert not isabstract(type(found)), f"the {part} of {name} are not whole"
    assert getattr(CATALOG[name], part) is found, "made once"


@pytest.mark.parametrize("name", CATALOG)
def test_every_presentation_shows_progress_and_what_can_be_entered(name: str) -> None:
    presentation = CATALOG[name].presentation
    assert getattr(presentation, "where_key", None) in MOMENT_WORDS, (
        f"{name} has no words for its tiles"
    )
    assert isinstance(getattr(presentation, "keys", None), GameKeys), f"{name} can't be keyed"


@pytest.mark.parametrize("name", CATALOG)
def test_every_game_has_player_statistics(name: str) -> None:
    names = [figure.name for figure in CATALOG[name].statistics.figures]
    assert names, f"{name} has no statistics"
    assert len(set(names)) == len(names), f"{name} has a figure twice"


def test_every_game_without_a_line_of_play_has_its_own_random_player() -> None:
    line = {name for name in CATALOG if isinstance(CATALOG[name].rules, LineGame)}
    assert {*PLAYERS} | line == {*CATALOG}


def test_a_game_without_all_its_parts_raises() -> None:
    with pytest.raises(TypeError, match="make_statistics"):
        Bundle(CATALOG["high-five"].rules, None, None)  # type: ignore[call-arg, arg-type]
