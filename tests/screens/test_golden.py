"""Every screen against its stored picture. After a change that is meant, look at the pictures and
store them anew: python -m tests.screens.draw --store"""

from pathlib import Path

import pytest
from PIL import Image

from companion.console.lists import ListScreen
from companion.console.screen import Screen
from tests.screens.scenes import SCENES

HERE = Path(__file__).parent


@pytest.mark.parametrize("name", SCENES)
def test_looks_as_stored(name: str) -> None:
    stored = Image.open(HERE / f"{name}.png").convert("1")
    drawn = SCENES[name]().frame.to_image()
    assert drawn.tobytes() == stored.tobytes(), f"{name} looks different now: look at it"


def test_no_picture_without_a_scene() -> None:
    assert {path.stem for path in HERE.glob("*.png")} == set(SCENES)


def test_every_screen_has_a_picture() -> None:
    def below(kind: type[Screen]) -> set[type[Screen]]:
        return {kind}.union(*(below(sub) for sub in kind.__subclasses__()))

    kinds = {
        kind.__name__
        for kind in below(Screen)
        if kind.__module__.startswith("companion.")
        and kind.__name__ not in (Screen.__name__, ListScreen.__name__)
    }
    shown = {scene().name() for scene in SCENES.values()}
    assert kinds == shown
