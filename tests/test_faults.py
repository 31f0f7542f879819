"""Faults that are put into the program to try the tests are drawn by a seed, and are programs."""

import ast
from collections import Counter

from tests.changed import ROOT
from tests.faults import FOLDERS, Fault, draw


def test_a_seed_draws_the_same_faults_each_time_and_all_can_be_run() -> None:
    faults = draw(42, 12)
    assert draw(42, 12) == faults != draw(43, 12)
    assert Counter(one.path.split("/")[1] for one in faults) == dict.fromkeys(FOLDERS, 2)
    for fault in faults:
        source = (ROOT / fault.path).read_text("utf-8")
        assert fault.within(source) != source
        ast.parse(fault.within(source))


def test_a_fault_is_one_piece_of_one_line() -> None:
    fault = Fault("x.py", 2, 5, 8, " <= ")
    assert fault.within("é\nif é < 2: 0\n") == "é\nif é <= 2: 0\n"
