"""Messages that the box and its page exchange over queues, to let phones in and to check the
box."""

from collections.abc import Callable
from enum import Enum
from typing import Final

from companion.core.values import Json, dataclass
from companion.core.words import sentence_in


# ---------------------------------------------------------------- letting phones in
class PageRequest(Enum):
    """A request from the box to its page."""

    SHOW = "show"
    """The display now shows how phones join, so the page has to provide valid digits."""
    HIDE = "hide"
    OPEN = "open"
    """Let phones in: open the page to the network."""
    NEW_CODES = "new codes"
    """Revoke all access and make new codes."""
    CHECK_BOX = "check box"
    """Check all parts of the box; the page shows the result as well."""
    RENEW_KEYPADS = "renew keypads"
    """Update the seat keypads to the firmware that the box has for them."""


@dataclass(frozen=True, slots=True)
class Phones:
    """How phones can join, as a display shows it. `open`: whether the page is open to the network;
    `why`: why opening it failed (empty if it didn't). `address`: the address for phones, without
    the secret that lets them in; `code`: a QR code of the address with the secret, as rows of “#”
    and “.” for dark and light modules; `digits`: the digits to type on the page instead. `sitting`:
    the names on the seats of a game that is about to begin; None if nobody is choosing seats."""

    open: bool
    why: str = ""
    address: str = ""
    code: tuple[str, ...] = ()
    digits: str = ""
    sitting: tuple[str, ...] | None = None


# ---------------------------------------------------------------- the check of the box
PARTS_CHECKED_WHILE_RUNNING: Final = (
    "pads",
    "keypads",
    "tv",
    "voice",
    "stick",
    "network",
    "disk",
    "clock",
)
"""The parts that `companion check` may try while the table runs. The table itself uses the other
parts, and checks the record at each start."""


@dataclass(frozen=True, slots=True)
class PartFinding:
    """A finding about one part of the box (companion/check). `part`: its name; `result`: `ok`, `not
    tried`, `warning` or `fault`; `found`: what was found; `remedy`: what to do (empty if nothing);
    `renews_keypads`: whether the remedy is new firmware for the keypads, which can be installed
    from the table."""

    part: str
    result: str
    found: str
    remedy: str = ""
    renews_keypads: bool = False


@dataclass(frozen=True, slots=True)
class BoxCheck:
    """The state of a check: whether it is `under_way`, and its findings once it is over. `why`: why
    the box could not be checked (empty if it could)."""

    under_way: bool = False
    parts: tuple[PartFinding, ...] = ()
    why: str = ""


def with_translatable_sentences(report: Json) -> Json:
    """Returns the JSON of `companion check --json` with findings and remedies as translatable
    sentences, where it has them. Raises LookupError, TypeError or AttributeError if the JSON has
    another form."""
    return report | {
        "parts": {
            part: of_it
            | {"findings": [_with_translatable_sentences(one) for one in of_it["findings"]]}
            for part, of_it in report["parts"].items()
        }
    }


def _with_translatable_sentences(finding: Json) -> Json:
    said = finding.get("sentences", {}).items()
    found = {name: sentence_in(one) or finding[name] for name, one in said}
    return {name: one for name, one in finding.items() if name != "sentences"} | found


class CheckError(Exception):
    """The box could not be checked; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class CheckActions:
    """The functions that the check page may call. `check` checks this box and returns what
    `companion check --json` prints, with sentences (app/run.py); it raises CheckError.
    `renew_keypads` starts an update of the seat keypads' firmware."""

    check: Callable[[], Json]
    renew_keypads: Callable[[], object]
