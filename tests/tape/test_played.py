"""The recorded tapes: how many presses they have, and what is on them. That each tape comes to the
same again is tested by the tapes themselves (conftest.py)."""

import re
from collections import Counter

from companion.core.keys import FIVE_WAY, SIXTEEN
from tests.tape.casts import CASTS
from tests.tape.reach import everything, load
from tests.tape.tape import PLAYED, WINDOW, Tape


def test_a_hundred_thousand_presses_are_recorded() -> None:
    assert {path.stem for path in PLAYED.glob("*.tape")} == {cast.name for cast in CASTS}
    presses = {}
    for cast in CASTS:
        tape = Tape.load(PLAYED / f"{cast.name}.tape")
        assert tape.build == cast.build
        assert not tape.lines[-1].words, "the end is digested"
        windows = [line.presses for line in tape.lines if not line.words]
        due = range(WINDOW, cast.presses + 1, WINDOW)
        # Two keys at once may be one press more than were due.
        assert all(0 <= at - one <= 1 for at, one in zip(windows, due, strict=True))
        presses[cast.name] = windows[-1]
    assert sum(presses.values()) >= 100_000


def test_tapes_contain_every_key_keypad_and_accident() -> None:
    words = Counter(
        word
        for path in PLAYED.glob("*.tape")
        for line in Tape.load(path).lines
        for word in line.words
    )
    for key in (*SIXTEEN, *FIVE_WAY):
        assert words[key.value] > 50, key
    for pad in "abcd":
        assert sum(number for word, number in words.items() if word.startswith(f"{pad}:")) > 500
        assert words[f"{pad}:OK"] > 50
    for what in ("restart", "unplug", "OK!", "BACK!", "MENU!", "DRAW~", "~700"):
        assert words[what] > 5, what
    for what in (r"\+[a-d]", r"\+[a-d]!", r"-[a-d]", r"[a-d]\?\d", r"[a-d]:\w+=", r"[a-d]:\w+<"):
        assert sum(map(bool, (re.fullmatch(what, word) for word in words.elements()))) > 5, what


def test_every_screen_and_every_kind_of_row_and_entry_is_reached() -> None:
    """The test of each tape checks that it reaches its names in reach.txt (conftest.py)."""
    named = load()
    assert named.keys() == everything()
    assert set(named.values()) <= {cast.name for cast in CASTS}
