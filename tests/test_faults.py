"""The faults of tests/faults.py are drawn by a seed, and leave valid Python."""

import ast
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.changed import ROOT
from tests.faults import FOLDERS, NOTER, PROBE, Fault, draw, probed


def test_a_seed_always_draws_the_same_runnable_faults() -> None:
    faults = draw(42, 12)
    assert draw(42, 12) == faults != draw(43, 12)
    assert Counter(one.path.split("/")[1] for one in faults) == dict.fromkeys(FOLDERS, 2)
    for fault in faults:
        source = (ROOT / fault.path).read_text("utf-8")
        assert fault.within(source) != source
        ast.parse(fault.within(source))


def test_a_fault_changes_one_piece_of_one_line() -> None:
    fault = Fault("x.py", 2, 5, 8, " <= ")
    assert fault.within("é\nif é < 2: 0\n") == "é\nif é <= 2: 0\n"


WITH_FUNCTIONS = """
LIMIT = 3
def outer():
    'Says what it does.'
    async def inner():
        return 4
    return 5
"""


def test_a_probe_notes_once_which_test_reaches_a_function(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    noter, notes = tmp_path / "noter.py", tmp_path / "notes"
    noter.write_text(NOTER.format(notes=str(notes)))
    monkeypatch.setattr(sys, "faults_reached", None, raising=False)
    probe = PROBE.format(noter=str(noter), number=7)
    program = probed(WITH_FUNCTIONS, 7, probe)
    assert program is not None
    names = dict[str, object]()
    exec(program, names)
    assert not notes.exists()
    exec("outer(), outer()", names)
    assert notes.read_text() == f"7 {Path(__file__).relative_to(ROOT)}\n"
    assert names["outer"].__doc__ == "Says what it does."


def test_a_probe_is_inserted_in_the_innermost_function() -> None:
    within = probed(WITH_FUNCTIONS, 6, "probe()")
    assert within == WITH_FUNCTIONS.replace("return 4", "probe()\n        return 4")
    assert probed(WITH_FUNCTIONS, 2, "probe()") is None, "no function is around it"
