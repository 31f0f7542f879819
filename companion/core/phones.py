"""What the box and its page tell each other about letting phones in: values, on queues."""

from enum import Enum

from companion.core.values import dataclass


class PageRequest(Enum):
    """What somebody at the box asks of the page."""

    SHOW = "show"
    """The display now shows how phones come in, so the page should give it digits that are
    valid."""
    HIDE = "hide"
    OPEN = "open"
    """Let phones in: open the page to the network."""
    NEW_CODES = "new codes"
    """End all access that was given out, and make new codes."""
    CHECK_BOX = "check box"
    """Check whether all of the box works; the page shows the result as well."""
    RENEW_KEYPADS = "renew keypads"
    """Give the keypads at the seats the firmware that the box has for them."""


@dataclass(frozen=True, slots=True)
class Phones:
    """How phones come in, for a display. `open`: the page is open to the network; `why`: why it is
    not, if somebody has tried to open it. `address`: what a phone opens, without the secret that
    lets it in; `code`: a QR code of the address with the secret, as rows of “#” and “.” for dark
    and light modules; `digits`: the digits that are typed on the page instead."""

    open: bool
    why: str = ""
    address: str = ""
    code: tuple[str, ...] = ()
    digits: str = ""
