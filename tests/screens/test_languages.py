"""Every screen in every language: nothing runs out of its place or into another line, no letter is
missing, and what is chosen by a digit has the same digit as in English.

To list the sentences that are too long in a language: python -m tests.screens.test_languages
"""

import re
import sys
from collections.abc import Iterator

import pytest

from companion.console.fonts import not_drawn
from companion.console.frame import WIDTH, DrawnText, Frame
from companion.core.languages import OWN_NAMES
from companion.core.seats import COLOURS, MORE_COLOURS
from companion.presentation.language import ENGLISH, Language
from tests.catalogues import translated
from tests.sampling import drawn
from tests.screens.scenes import SCENES
from tests.screens.test_made_up import OTHER_NAMES, cut, keyed_in, made

TRANSLATED = [name for name in OWN_NAMES if name != ENGLISH.name]
TRIED = drawn("tests/screens/test_languages.py, languages", TRANSLATED, 1)
"""The languages in which all scenes are shown."""
DIGIT_AT = 2
"""The column of a line's digit in a list."""
FONTS = {8: "small", 16: "caps", 24: "big"}
"""The font of a line, by its height in pixels."""


def texts(frame: Frame) -> list[DrawnText]:
    """The lines that can be read, without those that were cleared on purpose."""
    lines = list[DrawnText]()
    for one in frame.texts:
        if one.text.strip():
            lines.append(one)
        else:
            lines = [line for line in lines if not line.touches(one)]
    return lines


def run_into_each_other(frame: Frame) -> Iterator[tuple[str, str]]:
    """Pairs of lines that overlap by more than the gap behind their letters."""
    lines = texts(frame)
    for number, one in enumerate(lines):
        for other in lines[number + 1 :]:
            if one._replace(right=one.right - 1).touches(other._replace(right=other.right - 1)):
                yield one.text, other.text


def wrong_on(name: str, language: Language) -> Iterator[str]:
    """The faults of that scene in the language, one line for each."""
    frame, english = made(name, language).frame, made(name).frame
    beyond = {line.text for line in frame.texts if line.left < 0 or line.right > WIDTH + 2}
    for text in sorted(beyond - {one.text for one in english.texts}):
        yield f"{name}: “{text}” runs out of the display"
    known = len([*run_into_each_other(english)])
    for one, other in [*run_into_each_other(frame)][known:]:
        yield f"{name}: “{other}” lies over “{one}”"
    for line in frame.texts:
        if not line.text.strip():  # what is cleared has any height
            continue
        if lacking := not_drawn(line.text, FONTS[line.bottom - line.top]):
            yield f"{name}: “{line.text}” has no {lacking}"
    if digits(frame) != digits(english):
        yield f"{name}: has the digits {digits(frame)}, in English {digits(english)}"


def digits(frame: Frame) -> list[str]:
    """The digits that choose the lines of a list."""
    lines = [line for line in frame.texts if line.left == DIGIT_AT]
    return [line.text for line in lines if len(line.text) == 1 and line.text.isdecimal()]


@pytest.mark.parametrize("name", TRIED)
def test_every_screen_fits(name: str) -> None:
    language = translated(name)
    assert [wrong for scene in SCENES for wrong in wrong_on(scene, language)] == []


@pytest.mark.parametrize("name", TRIED)
def test_colours_are_translated_on_every_screen(name: str) -> None:
    english = re.compile(r"\b(blue|green|yellow)\b", re.IGNORECASE)  # “red” is a Spanish word, too
    lines = {(s, line.text) for s in SCENES for line in made(s, translated(name)).frame.texts}
    assert {found for found in lines if english.search(found[1])} == set()


@pytest.mark.whole
@pytest.mark.parametrize("name", TRANSLATED)
def test_keys_lead_to_the_same_screen_in_every_language(name: str) -> None:
    """`made` relies on that: it presses a scene's keys in English."""
    language = translated(name)
    differ = {
        scene for scene in SCENES if keyed_in(scene, language).frame != made(scene, language).frame
    }
    assert differ == set()


CUT_IN_ENGLISH = {
    "bogus_history": "more tiles lie face down than there is room",
    **dict.fromkeys(("fives_menu", "highrise_menu", "highrise_amend"), "a long entry is named"),
}
"""Scenes in which a line may be too long in every language, and the reason."""
CUT = {
    "de": dict.fromkeys(
        ("bogus_overrule", "bogus_excluded", "bogus_returned", "bogus_undo"),
        "“Blau entlastet: unmöglich” says no more than what stands below",
    ),
    "nl": {"return_or_again": "what is done again is named"},
    "pt-BR": {
        **dict.fromkeys(
            ("bogus_possible", "bogus_unseen", "bogus_ruling", "bogus_all_agreed"),
            "“Vermelho” is long, and what stands below says whose turn it was",
        ),
        "setup_seats": "four colours are named",
        "return_or_again": "what is done again is named",
    },
}


@pytest.mark.parametrize("name", TRIED)
def test_a_sentence_is_cut_only_with_a_sign_and_where_that_is_known(name: str) -> None:
    language = translated(name)
    known = CUT_IN_ENGLISH | CUT.get(name, {})
    for scene in SCENES:
        rig = made(scene, language)
        lines = {line.text for line in rig.frame.texts}
        seats = (language.translate(one) for one in (*COLOURS, *MORE_COLOURS))
        names = {each.upper() for each in (*rig.view.names, *OTHER_NAMES, *seats)}
        for text in cut(rig) - cut(made(scene, ENGLISH)) - names:
            assert scene in known, f"{scene}: “{text}” is cut"
            kept = [line for line in lines if line.endswith("…") and text.startswith(line[:-1])]
            assert kept, f"{scene}: “{text}” is cut without a sign"


if __name__ == "__main__":
    for tag in sys.argv[1:] or TRANSLATED:
        spoken = translated(tag)
        for scene in SCENES:
            for line in wrong_on(scene, spoken):
                print(tag, line)
            for text in sorted(cut(made(scene, spoken)) - cut(made(scene, ENGLISH))):
                print(tag, f"{scene}: “{text}” is cut")
