"""Every sequence of keys in the manual, played: the display shows what the manual quotes."""

from collections.abc import Iterator

import pytest
from PIL import Image

from companion.console.frame import Frame
from companion.keys import Press
from companion.seats import Seat
from tests.console.rig import KEYS, Rig, started
from tests.manual.book import Sequence, sequences
from tests.manual.draw import STORED
from tests.manual.reading import reads
from tests.screens.scenes import SCENES


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


def _played() -> Iterator[tuple[Sequence, list[tuple[str, tuple[str, ...], Frame]]]]:
    """Each sequence, with the frame after each of its steps."""
    rig: Rig | None = None
    for sequence in sequences():
        rig = _begun(sequence, rig)
        seen = []
        for step in sequence.steps:
            _press(rig, step.keys)
            seen.append((step.keys, step.shows, rig.frame))
        yield sequence, seen


PLAYED = list(_played())


@pytest.mark.parametrize("sequence, seen", PLAYED, ids=[f"line {s.line}" for s, _ in PLAYED])
def test_the_keys_lead_to_what_the_text_says(
    sequence: Sequence, seen: list[tuple[str, tuple[str, ...], Frame]]
) -> None:
    for keys, shows, frame in seen:
        for text in shows:
            picture = "\n".join(frame.rows())
            assert reads(frame, text), f"after {keys} the display does not say “{text}”:\n{picture}"


@pytest.mark.parametrize("sequence, seen", PLAYED, ids=[f"line {s.line}" for s, _ in PLAYED])
def test_the_pictures_below_are_what_the_keys_come_to(
    sequence: Sequence, seen: list[tuple[str, tuple[str, ...], Frame]]
) -> None:
    frames = [frame.to_image().tobytes() for _, _, frame in seen]
    for name in sequence.pictures:
        with Image.open(STORED / f"{name}.png") as stored:
            assert stored.convert("1").tobytes() in frames, name


def test_every_sequence_tells_what_to_look_for() -> None:
    assert len(PLAYED) > 10
    for sequence, seen in PLAYED:
        assert any(shows for _, shows, _ in seen), f"line {sequence.line} quotes nothing"
