"""What box and page say to each other of letting phones in: values, on queues."""

from enum import Enum

from companion.core.values import dataclass


class PageRequest(Enum):
    """What somebody at the box asks of the page."""

    SHOW = "show"
    """The display shows how phones come in: digits that hold, please."""
    HIDE = "hide"
    OPEN = "open"
    """Let phones in: open the page to the network."""
    NEW_CODES = "new codes"
    """End all that was handed out."""
    CHECK_BOX = "check box"
    """Look whether all of the box is well: the page shows the same."""
    RENEW_KEYPADS = "renew keypads"
    """Give the keypads at the seats the firmware that the box has for them."""


@dataclass(frozen=True, slots=True)
class Phones:
    """How phones come in, for a display. `open`: the network may come in at all; `why` it can't,
    where somebody has tried. `address` is what a phone opens, without the word that lets in;
    `code`, with it, is rows of “#” and “.” for dark and light modules; `digits` are typed there."""

    open: bool
    why: str = ""
    address: str = ""
    code: tuple[str, ...] = ()
    digits: str = ""
