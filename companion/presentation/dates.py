"""Dates as people say them."""

from typing import Final

from companion.core.clock import local_date
from companion.core.words import Sentence, mark, phrase

DATE_UNKNOWN: Final = mark("date unknown")
MONTHS: Final = (
    mark("January"), mark("February"), mark("March"), mark("April"), mark("May"), mark("June"),
    mark("July"), mark("August"), mark("September"), mark("October"), mark("November"),
    mark("December"),
)  # fmt: skip

WEEKDAYS: Final = (
    mark("Monday"), mark("Tuesday"), mark("Wednesday"), mark("Thursday"), mark("Friday"),
    mark("Saturday"), mark("Sunday"),
)  # fmt: skip
WEEKDAY_ONLY_S: Final = 6 * 24 * 3600
"""A game played less than this many seconds ago is named by its weekday alone: “Friday's game”."""


def date_words(at: float | None, now: float | None) -> Sentence | None:
    """Returns the date of `at` (seconds since 1970) as “16 March”, with the year if it isn't the
    current one (`now`). Returns None if `at` is no valid date."""
    found, today = local_date(at), local_date(now)
    if found is None:
        return None
    month = phrase(MONTHS[found.month - 1])
    if today is not None and today.year == found.year:
        return phrase("{day} {month}", day=found.day, month=month)
    return phrase("{day} {month} {year}", day=found.day, month=month, year=found.year)


def continue_words(at: float, now: float) -> Sentence | None:
    """Returns “Continue Friday's game” for a game last played at `at` (seconds since 1970); None if
    `at` is no valid date."""
    found = local_date(at)
    if found is None:
        return None
    if now - at < WEEKDAY_ONLY_S:
        return phrase("Continue {day}'s game", day=phrase(WEEKDAYS[found.weekday()]))
    return phrase("Continue the game of {date}", date=date_or_unknown(at, now))


def date_or_unknown(at: float | None, now: float | None) -> Sentence:
    """Returns the words of `date_words`, or “date unknown” if there are none."""
    return date_words(at, now) or phrase(DATE_UNKNOWN)
