"""Nothing that anybody sends or presses reaches the handlers that catch our own faults: a sample of
what tests/random_input.py does at length."""

import pytest

from tests.random_input import push


@pytest.mark.parametrize("seed", range(4))
def test_whatever_comes_is_answered_and_no_net_has_to_catch_it(seed: int) -> None:
    assert push(seed, 800) == {}
