"""Days and times of the wall clock, as a machine in Berlin shows them."""

import pytest

from companion.core.clock import day, instant, time_of_day

AT = 1_790_000_000.0
"""2026-09-21, 14:13:20 UTC."""


pytestmark = pytest.mark.usefixtures("in_berlin")


def test_an_instant_is_told_by_the_clock_of_the_machine() -> None:
    assert (day(AT), time_of_day(AT), instant(AT)) == (
        "2026-09-21", "16:13", "2026-09-21T14:13:20+00:00",
    )  # fmt: skip
    assert (day(AT + 10 * 3600), time_of_day(AT + 10 * 3600)) == ("2026-09-22", "02:13")


@pytest.mark.parametrize("at", [None, float("nan"), float("inf"), 1e300])
def test_where_there_is_no_time_none_is_told(at: float | None) -> None:
    assert [day(at), time_of_day(at), instant(at)] == [None] * 3
