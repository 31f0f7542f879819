"""Plays the sequences of keys that a text shows, at a display in the text's language."""

from collections.abc import Iterable, Iterator

import pytest

from companion.console.frame import Frame
from companion.core.keys import Press
from companion.core.seats import Seat
from companion.presentation.language import ENGLISH, Language
from tests.console import rig as rigs
from tests.console.rig import KEYS, Rig, started
from tests.manual.book import Sequence, Step
from tests.screens.scenes import SCENES

Seen = list[tuple[Step, Frame]]


def played(
    sequences: Iterable[Sequence], language: Language = ENGLISH
) -> Iterator[tuple[Sequence, Seen]]:
    """Plays these sequences in turn; yields each with the frame after each of its steps."""
    rig: Rig | None = None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rigs, "LANGUAGE", language)
        for sequence in sequences:
            rig = _begun(sequence, rig)
            seen = []
            for step in sequence.steps:
                _press(rig, step.keys)
                seen.append((step, rig.frame))
            yield sequence, seen


def _begun(sequence: Sequence, before: Rig | None) -> Rig:
    """The rig on which a sequence begins; `before` is the one of the last sequence."""
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
