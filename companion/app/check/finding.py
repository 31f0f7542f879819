"""What a check of the box finds."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum


class Grade(Enum):
    """The result for a part of the box."""

    OK = "ok"
    NOT_TRIED = "not tried"
    WARNING = "warning"
    """The box plays, but something is worth doing."""
    FAULT = "fault"
    """The box does not play, or does not keep what is entered."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was found. `remedy`: what to do about it (empty: nothing). In the parts of the
    box that a running table can check (core/box_page.py, CHECKED), `found` and `remedy` are
    sentences that the table translates. `figures`: what was measured, for programs; each name ends
    in its unit. `renews_keypads`: the remedy is new firmware for the keypads, which the table can
    give them."""

    result: Grade
    found: str
    remedy: str = ""
    figures: Mapping[str, float] = field(default_factory=dict)
    renews_keypads: bool = False


def ok(found: str) -> Finding:
    """The finding for a part that is well."""
    return Finding(Grade.OK, found)


def not_tried(found: str, remedy: str = "") -> Finding:
    """The finding for a part that could not be tried; `found` says why."""
    return Finding(Grade.NOT_TRIED, found, remedy)


def warning(found: str, remedy: str) -> Finding:
    """The finding for a part that works, but could be better; `remedy` says what to do."""
    return Finding(Grade.WARNING, found, remedy)


def fault(found: str, remedy: str) -> Finding:
    """The finding for a part that does not work; `remedy` says what to do."""
    return Finding(Grade.FAULT, found, remedy)


def worst(findings: Iterable[Finding]) -> Grade:
    """The gravest result. A part is OK if at least one thing of it was tried and nothing was wrong;
    NOT_TRIED if nothing was tried."""
    found = {finding.result for finding in findings}
    gravest = (Grade.FAULT, Grade.WARNING, Grade.OK, Grade.NOT_TRIED)
    return next((result for result in gravest if result in found), Grade.NOT_TRIED)
