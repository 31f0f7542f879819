"""Whether all of the box is well: values for its display and its page."""

from collections.abc import Callable
from typing import Final

from companion.core.values import Json, dataclass

CHECKED: Final = ("pads", "keypads", "tv", "voice", "stick", "network", "disk", "clock")
"""The parts of `companion check` that the running table lets be tried: all but what it has in its
own hands, and the record, through which it looks itself at each start."""


@dataclass(frozen=True, slots=True)
class PartFound:
    """What was found of a part of the box (companion/check): its name, how it is (`ok`, `not
    tried`, `warning` or `fault`), what was found, and what to do (empty: nothing)."""

    part: str
    result: str
    found: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class BoxCheck:
    """How far the check is. `why`: it could not be made."""

    under_way: bool = False
    parts: tuple[PartFound, ...] = ()
    why: str = ""


class CheckError(Exception):
    """The box could not be checked: why."""


@dataclass(frozen=True, slots=True)
class CheckHere:
    """What the page of a check reaches: what checks this box and gives what `companion check
    --json` tells (app/box_check.py; raises CheckError), and what has the keypads at the seats
    brought up to date."""

    check: Callable[[], Json]
    renew_keypads: Callable[[], object]
