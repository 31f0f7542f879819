"""Every screen against its stored picture. After a change that is meant, look at the pictures and
store them again: python -m tests.screens.draw --store"""

from pathlib import Path

import pytest
from PIL import Image

from tests.screens.classes import every_screen
from tests.screens.scenes import SCENES

HERE = Path(__file__).parent
OF_THE_TESTS = "NumberTurn"
"""The screen of a game that only tests play."""


@pytest.mark.parametrize("name", SCENES)
def test_screens_match_their_stored_pictures(name: str) -> None:
    stored = Image.open(HERE / f"{name}.png").convert("1")
    drawn = SCENES[name]().frame.to_image()
    assert drawn.tobytes() == stored.tobytes(), f"{name} looks different now: look at it"


def test_no_picture_without_a_scene() -> None:
    assert {path.stem for path in HERE.glob("*.png")} == set(SCENES)


def test_every_screen_has_a_picture() -> None:
    shown = {scene().name() for scene in SCENES.values()}
    assert shown == {*every_screen(), OF_THE_TESTS}
