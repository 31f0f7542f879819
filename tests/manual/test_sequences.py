"""Every sequence of keys in the manual, played: the display shows what the manual quotes."""

import re

import pytest
from PIL import Image

from tests.manual.book import TEXT, Sequence, sequences
from tests.manual.draw import STORED
from tests.manual.playing import Seen, played
from tests.manual.reading import reads

PLAYED = list(played(sequences()))


@pytest.mark.parametrize("sequence, seen", PLAYED, ids=[s.place for s, _ in PLAYED])
def test_the_display_shows_the_quoted_texts_after_the_keys(sequence: Sequence, seen: Seen) -> None:
    for step, frame in seen:
        picture = "\n".join(frame.rows())
        for text in step.shows:
            assert reads(frame, text), f"{step.keys}: no display with “{text}”:\n{picture}"
        for text in step.hides:
            assert not reads(frame, text), f"{step.keys}: a display with “{text}”:\n{picture}"


@pytest.mark.parametrize("sequence, seen", PLAYED, ids=[s.place for s, _ in PLAYED])
def test_the_pictures_below_a_sequence_show_its_result(sequence: Sequence, seen: Seen) -> None:
    frames = [frame.to_image().tobytes() for _, frame in seen]
    for name in sequence.pictures:
        with Image.open(STORED / f"{name}.png") as stored:
            assert stored.convert("1").tobytes() in frames, name


def test_every_sequence_quotes_a_text_of_the_display() -> None:
    assert len(PLAYED) > 10
    for sequence, seen in PLAYED:
        assert any(step.shows for step, _ in seen), f"{sequence.place} quotes nothing"


def test_no_line_of_keys_is_too_wide_for_a_page() -> None:
    blocks = re.findall(r"^```.*?\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    assert max(len(line) for block in blocks for line in block.splitlines()) <= 88
