"""Every screen in a made-up language, with other letters and sentences half as long again. English
that is left was never marked for translators. The display's 128 columns can't hold all of such long
sentences: what is cut there is counted.

To see it: python -m tests.screens.test_made_up [scene …]
"""

import sys
from functools import cache

import pytest

from companion.console import frame as frames
from companion.console.fonts import fitted
from companion.console.frame import WIDTH
from companion.core.languages import OWN_NAMES
from companion.presentation.language import ENGLISH, Language
from tests.console import rig as rigs
from tests.console.rig import Rig
from tests.made_up import MADE_UP, english
from tests.screens.scenes import SCENES

GIVEN = {
    "evening_table": "has titles of games that the scene gives",
    "evening_table_games": "has titles of games that the scene gives",
    **dict.fromkeys(
        ("fives_menu", "fives_undo", "highrise_menu", "highrise_undo", "history_after_loss"),
        "has an entry as the tally writes it",
    ),
    "number": "is of a game that tests alone have",
    "mending": "is made by the scene, not by the box",
    "message": "is made by the scene, not by the record",
    "check_remedy": "has a line that `companion check` says",
    "phones_not_opened": "is made by the scene, not by the page",
    **dict.fromkeys(("phones_ipv6", "phones_ipv6_8080"), "has an address with letters in it"),
    **dict.fromkeys(("club_ended", "club_not_reached"), "has a line that the hub says"),
}
"""Scenes with text that belongs to no language, or with a line that the scene itself puts there;
and why."""
OTHER_NAMES = (
    *("Anna", "Ben", "Cleo", "Dan", "Eve", "Maximiliane_van_den_Oude", "Bartholomew_the_Second"),
    *("lupod", "anna", "ben", "smith", "granny"),
    *("friday", "fives", "ship", "inn"),
    *("bnne", "abc", "def", "ghi", "jkl", "mno", "pqrs", "tuv", "wxyz"),
)
"""Words that belong to no language: of a check word, people of other games, clubs, and the letters
on the keys."""


IN_ITS_LANGUAGE = {
    **dict.fromkeys(("turn_right_as", "turn_refused"), "says again what was refused"),
    **dict.fromkeys(("mending", "phones_sitting"), "sets the frame, or draws before its last key"),
}
"""Scenes that have to be keyed anew for each language, and why. To any other screen the same keys
lead in every language."""


def made(name: str, language: Language = ENGLISH, *, all_screens: bool = False) -> Rig:
    """The rig after the scene's keys, with the display in that language. `all_screens`: the screens
    on the way to the scene are drawn, too, as the golden screens' test has them drawn in
    English."""
    if all_screens:
        return keyed_in(name, language, all_screens=True)
    if name in IN_ITS_LANGUAGE:
        return _kept(name, language).copy()
    rig = _kept(name, ENGLISH).copy()
    if language is not ENGLISH:
        rig.show_in(language)
    return rig


def keyed_in(name: str, language: Language, *, all_screens: bool = False) -> Rig:
    """The rig after the scene's keys, pressed while the display is in that language."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rigs, "LANGUAGE", language)
        patch.setattr(rigs, "DRAWS_EACH_PRESS", all_screens)
        return SCENES[name]()


@cache
def _kept(name: str, language: Language) -> Rig:
    rig = keyed_in(name, language)
    assert rig.frame, "drawn for all copies"
    return rig


def left_in(rig: Rig) -> set[str]:
    """The English words that are left on the screen."""
    seats = rig.view.state.seats if rig.view.journal is not None else ()
    people = {*OWN_NAMES.values(), *seats, *rig.view.names, *rig.view.won, *OTHER_NAMES}
    known = tuple(part.lower() for name in people for part in name.split("_"))
    return {
        word
        for written in rig.frame.texts
        for word in english(written.text)
        if not any(name.startswith(word.lower()) for name in known)
    }


@pytest.mark.parametrize("name", [name for name in SCENES if name not in GIVEN])
def test_no_english_is_left(name: str) -> None:
    assert left_in(made(name, MADE_UP)) == set()


def cut(rig: Rig) -> set[str]:
    """Returns the texts that don't fit on the screen: shortened, or beyond the edge."""
    found = set[str]()

    def fit(text: str, width: int, *how: str) -> str:
        kept = fitted(text, width, *how)
        if how and kept != text:  # without, it is a word of a text in several lines
            found.add(text)
        return kept

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(frames, "fitted", fit)
        seen = rig.console.show(rig.view).frame
    return found | {one.text for one in seen.texts if one.left < 0 or one.right > WIDTH + 2}


if __name__ == "__main__":
    number = 0
    for scene in sys.argv[1:] or SCENES:
        other = made(scene, MADE_UP)
        print(scene, *sorted(left_in(other)))
        for text in sorted(cut(other) - cut(made(scene, ENGLISH))):
            number += 1
            print(f"    cut: {text}")
    print(f"{number} lines are cut")
