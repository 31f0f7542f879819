"""Nothing that anybody sends or presses reaches the handlers that catch our own faults: a sample of
what tests/random_input.py does at length."""

import pytest

from tests.random_input import push


@pytest.mark.parametrize("seed", range(4))
def test_any_input_is_answered_without_an_unexpected_error(seed: int) -> None:
    assert push(seed, 800) == {}
