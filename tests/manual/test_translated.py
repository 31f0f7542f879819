"""The quick cards and the lesson in other languages: what they quote can be read on a display in
their language, and they press the same keys and show the same pictures as the English ones."""

import re
from collections import Counter

import pytest

from tests.catalogues import translated
from tests.manual.book import DOCS, marked, sequences_in
from tests.manual.card import LANGUAGES, LESSON, TITLES, text_in
from tests.manual.playing import played
from tests.manual.reading import reads
from tests.manual.test_lesson import PAGE


@pytest.mark.parametrize("game", TITLES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_keys_lead_to_what_the_text_says(language: str, game: str) -> None:
    sequences = sequences_in(f"{language}/{game}", text_in(language, game), language)
    for sequence, seen in list(played(sequences, translated(language))):
        assert any(step.shows for step, _ in seen), f"{sequence.place} quotes nothing"
        for step, frame in seen:
            at, picture = f"{sequence.place}, {step.keys}", "\n".join(frame.rows())
            for text in step.shows:
                assert reads(frame, text), f"{at}: no display with “{text}”:\n{picture}"
            for text in step.hides:
                assert not reads(frame, text), f"{at}: a display with “{text}”:\n{picture}"


def english(name: str) -> str:
    """The English text of that card or of the lesson."""
    return PAGE if name == LESSON else "\n".join(marked(f"card {name}"))


CODE = re.compile(r"`([^`\n]+)`")
PICTURES = re.compile(r"(?:pictures|drawings)/(?:[\w-]+/)?(\w+)\.")
PIECES = re.compile(r"\d+-\d+|\b\d+(?: [+×] \d+)* = \d+")
"""Tiles and sums in a text."""

each_text = pytest.mark.parametrize(
    "language, name", [(each, name) for each in LANGUAGES for name in (*TITLES, LESSON)]
)


@each_text
def test_keys_are_those_of_the_english_text(language: str, name: str) -> None:
    text, same = text_in(language, name), english(name)
    keys = [
        [(one.start, [step.keys for step in one.steps]) for one in sequences_in("", each)]
        for each in (text, same)
    ]
    assert keys[0] == keys[1]
    assert Counter(CODE.findall(text)) == Counter(CODE.findall(same))


@each_text
def test_pictures_tiles_and_sums_are_those_of_the_english_text(language: str, name: str) -> None:
    text, same = text_in(language, name), english(name)
    assert PICTURES.findall(text) == PICTURES.findall(same)
    assert text.count("/pictures/") == text.count(f"/pictures/{language}/")
    assert set(PIECES.findall(text)) == set(PIECES.findall(same))
    assert all(
        (DOCS / "manual" / language / path).is_file()
        for path in re.findall(r"[\"(]((?:\.\./)+[\w/.-]+)", text)
    )


@each_text
def test_no_line_is_too_long(language: str, name: str) -> None:
    text = text_in(language, name)
    blocks = re.findall(r"^```.*?\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert max((len(line) for one in blocks for line in one.splitlines()), default=0) <= 88
