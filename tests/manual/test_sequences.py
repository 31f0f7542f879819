"""Every sequence of keys in the manual, played: the display shows what the manual quotes."""

import re
from collections.abc import Iterator

import pytest
from PIL import Image

from companion.console.frame import Frame
from companion.core.keys import Press
from companion.core.seats import Seat
from tests.console.rig import KEYS, Rig, started
from tests.manual.book import TEXT, Sequence, Step, sequences
from tests.manual.draw import STORED
from tests.manual.reading import reads
from tests.screens.scenes import SCENES

Seen = list[tuple[Step, Frame]]


def _begun(sequence: Sequence, before: Rig | None) -> Rig:
    """What a sequence begins with."""
    if sequence.start == "box":
        return Rig()
    if sequence.start.isdigit():
        return started(int(sequence.start))
    if sequence.start:
        return SCENES[sequence.start]()
    assert before is not None, "the first sequence has to say what it begins with"
    return before


def _press(rig: Rig, keys: str) -> None:
    words = iter(keys.split())
    for word in words:
        seat, _, key = word.rpartition(":")
        if seat:
            rig.send(Press(KEYS[key], Seat(seat)))
        elif word == "hold":
            rig.press(f"{next(words)}!")
        else:
            rig.press(word)


def _played() -> Iterator[tuple[Sequence, Seen]]:
    """Each sequence, with the frame after each of its steps."""
    rig: Rig | None = None
    for sequence in sequences():
        rig = _begun(sequence, rig)
        seen = []
        for step in sequence.steps:
            _press(rig, step.keys)
            seen.append((step, rig.frame))
        yield sequence, seen


PLAYED = list(_played())


@pytest.mark.parametrize("sequence, seen", PLAYED, ids=[s.place for s, _ in PLAYED])
def test_the_keys_lead_to_what_the_text_says(sequence: Sequence, seen: Seen) -> None:
    for step, frame in seen:
        picture = "\n".join(frame.rows())
        for text in step.shows:
            assert reads(frame, text), f"{step.keys}: no display with “{text}”:\n{picture}"
        for text in step.hides:
            assert not reads(frame, text), f"{step.keys}: a display with “{text}”:\n{picture}"


@pytest.mark.parametrize("sequence, seen", PLAYED, ids=[s.place for s, _ in PLAYED])
def test_the_pictures_below_are_what_the_keys_come_to(sequence: Sequence, seen: Seen) -> None:
    frames = [frame.to_image().tobytes() for _, frame in seen]
    for name in sequence.pictures:
        with Image.open(STORED / f"{name}.png") as stored:
            assert stored.convert("1").tobytes() in frames, name


def test_every_sequence_tells_what_to_look_for() -> None:
    assert len(PLAYED) > 10
    for sequence, seen in PLAYED:
        assert any(step.shows for step, _ in seen), f"{sequence.place} quotes nothing"


def test_no_line_of_keys_is_too_wide_for_a_page() -> None:
    blocks = re.findall(r"^```.*?\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    assert max(len(line) for block in blocks for line in block.splitlines()) <= 88
