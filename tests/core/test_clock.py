"""Days and times of the wall clock, as a machine in Berlin shows them."""

import pytest

from companion.core.clock import day, iso_time, time_of_day

AT = 1_790_000_000.0
"""2026-09-21, 14:13:20 UTC."""


pytestmark = pytest.mark.usefixtures("in_berlin")


def test_dates_are_local_and_iso_times_are_in_utc() -> None:
    assert (day(AT), time_of_day(AT), iso_time(AT)) == (
        "2026-09-21", "16:13", "2026-09-21T14:13:20+00:00",
    )  # fmt: skip
    assert (day(AT + 10 * 3600), time_of_day(AT + 10 * 3600)) == ("2026-09-22", "02:13")


@pytest.mark.parametrize("at", [None, float("nan"), float("inf"), 1e300])
def test_times_out_of_range_return_none(at: float | None) -> None:
    assert [day(at), time_of_day(at), iso_time(at)] == [None] * 3
