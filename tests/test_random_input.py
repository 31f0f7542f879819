"""No input, sent or pressed, makes the program raise an unexpected exception: a sample of
tests/random_input.py."""

import pytest

from tests.random_input import push


@pytest.mark.parametrize("seed", range(4))
def test_any_input_is_answered_without_an_unexpected_error(seed: int) -> None:
    assert push(seed, 800) == {}
