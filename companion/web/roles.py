"""Whose phone keys for whom.

A page is a scorekeeper's, who keys for everybody, a seat's, or a watcher's. The phone of a seat
keys for its own and for those that have neither phone nor keypad, or for all where the house lets
anybody key, as on keypads; whoever calls a bogus play does so in their own name. What is said of
the whole table anybody keys; a ruling needs a second person besides (agreement.py). A seat has one
phone: another may take it over, if it says so.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from companion.core.errors import EntryError
from companion.core.keys import keypad_of
from companion.core.seats import Seat
from companion.core.values import Json
from companion.games.game import Entry
from companion.games.penalties import Called
from companion.presentation.news import doer_of
from companion.presentation.sayings import say
from companion.record.requests import RequestKind, Stands
from companion.record.rows import Step
from companion.table.proposals import Proposal
from companion.table.snapshot import Snapshot

MOST_DEVICES: Final = 256
"""Phones of which it is remembered for whom they have keyed."""


class Role(Enum):
    """Whom a page keys for."""

    WATCHER = "watcher"
    SEAT = "seat"
    SCOREKEEPER = "scorekeeper"


@dataclass(slots=True, eq=False)
class PageRole:
    """The role of one page; `known` is what it knows of all roles, once it has `asked` for one;
    `device` names the phone or computer that it is on, as that says itself."""

    wake: Callable[[], None]
    plays: bool = True
    """Whether the page may be more than a watcher."""
    role: Role = Role.WATCHER
    seat: Seat | None = None
    said: Json | None = None
    asked: bool = False
    known: Json | None = None
    device: str = ""

    def is_on(self, other: "PageRole") -> bool:
        """Whether it is that page, or another one on the same phone."""
        return self is other or bool(self.device and self.device == other.device)


class Roles:
    """The roles of all pages. All methods belong to the server's event loop."""

    def __init__(self) -> None:
        self.pages: list[PageRole] = []
        self._had: dict[str, frozenset[Seat]] = {}
        """The seats that each phone has keyed for, since the box was switched on."""

    def come(self, wake: Callable[[], None], *, plays: bool = True) -> PageRole:
        """Takes in a new page, which watches until it asks for another role."""
        page = PageRole(wake, plays)
        self.pages.append(page)
        return page

    def leave(self, page: PageRole) -> None:
        """Forgets a page that has gone; its seat has no phone any more."""
        self.pages.remove(page)
        self.wake_all()

    def take(self, page: PageRole, role: Role, seat: Seat | None, *, over: bool) -> None:
        """Gives a page that role. A seat that has a phone is given only if it is taken `over`."""
        page.said, page.asked, page.known = None, True, None
        if role is not Role.WATCHER and not page.plays:
            page.said = say("answer.only-watching")
            page.wake()
            return
        others = [other for other in self.pages if other is not page]
        holder = next((other for other in others if seat and other.seat == seat), None)
        if role is Role.SEAT and holder is not None:
            if not over:
                page.said = say("answer.seat-taken", seat=seat)
                page.wake()
                return
            holder.role, holder.seat = Role.WATCHER, None
            holder.said = say("answer.taken-over", seat=seat)
        page.role, page.seat = role, seat if role is Role.SEAT else None
        if page.device and page.seat is not None:
            # The seats of a phone stay known, whatever it calls itself next.
            if page.device not in self._had and len(self._had) >= MOST_DEVICES:
                del self._had[next(iter(self._had))]
            self._had[page.device] = self._had.get(page.device, frozenset()) | {page.seat}
        self.wake_all()

    def has_been(self, page: PageRole, seat: Seat) -> bool:
        """Whether that page, or another one on its phone, keys for that seat or has done so."""
        return page.seat == seat or seat in self._had.get(page.device, frozenset())

    @property
    def taken(self) -> set[Seat]:
        """The seats that have a phone."""
        return {page.seat for page in self.pages if page.seat is not None}

    def news(self, page: PageRole) -> Json | None:
        """The page's role, and which seats have phones, if it doesn't know that yet."""
        news = {
            "name": page.role.value,
            "seat": page.seat,
            "said": page.said,
            "taken": sorted(self.taken),
        }
        if news == page.known or not page.asked:
            return None
        page.known = news
        return news

    def refusal(self, page: PageRole, what: Proposal, stands: Snapshot | None) -> Json | None:
        """Why that page may not propose that; None: it may."""
        if page.role is Role.WATCHER:
            return say("answer.only-watching")
        if page.role is Role.SCOREKEEPER or stands is None or stands.journal is None:
            return None
        if what.kind is not RequestKind.ENTER:
            return None  # what was entered before, and what all share, belongs to all who play
        keypads = {
            Seat(str(seat)) for name, seat in stands.settings.items() if keypad_of(name) and seat
        }
        theirs = (self.taken | keypads) - {page.seat}
        anybody = anybody_keys(stands)
        for entry in _entries_of(what, stands):
            seat, calls = doer_of(entry), isinstance(entry, Called)
            if seat in theirs and (calls or not anybody):
                return say("answer.not-yours", seat=seat, own=page.seat)
        return None

    def wake_all(self) -> None:
        """Lets every page look for what is new to it."""
        for page in self.pages:
            page.wake()


def anybody_keys(stands: Snapshot) -> bool:
    """Whether the house lets the phone of a seat key for seats that have phones or keypads."""
    return stands.settings.get("keypads") == "anyone"


def _entries_of(what: Proposal, stands: Snapshot) -> tuple[Entry, ...]:
    """The entries that are keyed; none where they can't be read, which the loop refuses."""
    try:
        row = what.row(Stands(stands.journal, stands.game, {}))
    except EntryError:
        return ()
    return row.entries if isinstance(row, Step) else ()
