"""Dates in words."""

from datetime import UTC, datetime

from companion.core.clock import now
from companion.presentation.dates import date_or_unknown, date_words


def noon(year: int, month: int, day: int) -> float:
    return datetime(year, month, day, 12, tzinfo=UTC).timestamp()


def test_a_date_of_another_year_has_its_year() -> None:
    today = noon(2026, 11, 24)
    assert date_words(noon(2026, 3, 16), today) == "16 March"
    assert date_words(noon(2025, 12, 31), today) == "31 December 2025"
    assert date_words(noon(2026, 3, 16), None) == "16 March 2026"
    assert date_words(None, today) is None
    assert date_words(1e300, today) is None
    assert date_or_unknown(None, now()) == "date unknown"
