"""The versions of libraries in pyproject.toml. `make test-bounds` tests that these versions
work."""

import pytest
from packaging.requirements import Requirement

from tests.bounds import PYTHONS, interpreter, lowest, requirements

NAMES = ["aiohttp", "gpiozero", "luma.core", "luma.oled", "pillow", "pyserial", "segno"]


@pytest.mark.parametrize("python", [*PYTHONS, "3.12", "3.14"])
def test_each_library_has_one_version_range_on_each_python(python: str) -> None:
    found = requirements(python)
    assert sorted(one.name for one in found) == NAMES
    for one in found:
        assert lowest(one)
        assert any(each.operator == "<" for each in one.specifier), "the next major version"


def test_a_requirement_without_a_bound_is_refused() -> None:
    with pytest.raises(ValueError, match="not enough values"):
        lowest(Requirement("gpiozero<3"))


def test_this_python_can_be_found() -> None:
    assert interpreter("2.0") is None
