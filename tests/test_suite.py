"""That the tests themselves don't depend on the machine's speed: see conftest.py."""

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

MAKEFILE = (Path(__file__).parent.parent / "Makefile").read_text()


def test_no_property_has_a_deadline() -> None:
    assert settings().deadline is None
    assert HealthCheck.too_slow in settings().suppress_health_check


def test_every_test_is_run_once(pytestconfig: pytest.Config) -> None:
    """`make test` runs those that are not serial, and then those that are."""
    assert re.findall(r"pytest .*?-m (\"not serial\"|serial) ", MAKEFILE.replace("\\\n", "")) == [
        '"not serial"',
        "serial",
    ]
    assert any(line.startswith("serial:") for line in pytestconfig.getini("markers"))
