"""The roles of phones: which phone keys for which seats.

A page is a scorekeeper's, who keys for everybody, a seat's, or a watcher's. The phone of a seat
keys for its own seat and for seats that have neither phone nor keypad; if the house lets anybody
key, as on keypads, it keys for all. A bogus play is always called in the caller's own name. Any
phone of a player may key what concerns the whole table, but a ruling also needs a second person
(agreement.py). A seat has only one phone; another phone may take the seat over if it says so.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from companion.core.errors import EntryError
from companion.core.keys import keypad_of
from companion.core.seats import Seat
from companion.core.values import Json
from companion.games.entry import Entry
from companion.games.penalties import Called
from companion.presentation.news import doer_of
from companion.presentation.sayings import say
from companion.record.requests import RequestKind, Stands
from companion.record.rows import Step
from companion.table.proposals import Proposal
from companion.table.snapshot import Snapshot

MOST_DEVICES: Final = 256
"""The most phones for which it is remembered whom they have keyed for."""
MOST_SURFACES: Final = 256
"""The most surfaces for which it is remembered which page speaks for them."""
SURFACES_OF_PAGE: Final = 4
"""The most surfaces for which a page may speak: its own, and one whose answer it lost before it was
loaded again."""


class Role(Enum):
    """The role of a page, which says for whom it keys."""

    WATCHER = "watcher"
    SEAT = "seat"
    SCOREKEEPER = "scorekeeper"


@dataclass(slots=True, eq=False)
class PageRole:
    """The role of one page. `asked`: whether it has asked for a role. `known`: what it was last
    told of all roles. `device`: the phone or computer that it is on, by the name that the page
    gives. `said`: why it did not get or keep a role."""

    wake: Callable[[], None]
    plays: bool = True
    """Whether the page may be more than a watcher."""
    role: Role = Role.WATCHER
    seat: Seat | None = None
    said: Json | None = None
    asked: bool = False
    known: Json | None = None
    device: str = ""
    surfaces: int = 0
    """How many surfaces the page has begun to speak for."""

    def is_on(self, other: "PageRole") -> bool:
        """Whether `other` is this page, or another one on the same phone."""
        return self is other or bool(self.device and self.device == other.device)


class Roles:
    """The roles of all pages. All methods belong to the server's event loop."""

    def __init__(self) -> None:
        self.pages: list[PageRole] = []
        self._had: dict[str, frozenset[Seat]] = {}
        """The seats that each phone has keyed for, since the box was switched on."""
        self._speakers: dict[str, PageRole] = {}
        """The page that last spoke for each surface, the longest ago first."""

    def come(self, wake: Callable[[], None], *, plays: bool = True, device: str = "") -> PageRole:
        """Adds a new page, which watches until it asks for another role. `device`: the phone that
        it is on, as far as it has told."""
        page = PageRole(wake, plays, device=device)
        self.pages.append(page)
        return page

    def leave(self, page: PageRole) -> None:
        """Forgets a page that has gone; its seat has no phone any more."""
        self.pages.remove(page)
        self.wake_all()

    def take(self, page: PageRole, role: Role, seat: Seat | None, *, over: bool) -> None:
        """Gives a page the role, unless it may only watch. A page gets a seat that has a phone only
        if it takes it `over`."""
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

    def speaks(self, page: PageRole, surface: str) -> bool:
        """Whether the page speaks for that surface: one of its phone, or one for which nobody
        speaks, unless the page only watches. Nobody else can use up a surface's numbers."""
        before = self._speakers.get(surface)
        free = before is None or (not before.device and before not in self.pages)
        if not (free or (before is not None and before.is_on(page))):
            return False
        if free:
            if page.role is Role.WATCHER or page.surfaces >= SURFACES_OF_PAGE:
                return False
            page.surfaces += 1
        self._speakers.pop(surface, None)
        self._speakers[surface] = page
        if len(self._speakers) > MOST_SURFACES:
            del self._speakers[next(iter(self._speakers))]
        return True

    def has_been(self, page: PageRole, seat: Seat) -> bool:
        """Whether the page keys for the seat, or a page on its phone has ever done so."""
        return page.seat == seat or seat in self._had.get(page.device, frozenset())

    @property
    def taken(self) -> set[Seat]:
        """The seats that have a phone."""
        return {page.seat for page in self.pages if page.seat is not None}

    def news(self, page: PageRole) -> Json | None:
        """The page's role and which seats have phones, to be sent; None: the page knows it
        already."""
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
        """Why the page may not propose `what`, in words; None: it may."""
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
        """Wakes every page, so that it sends what is new."""
        for page in self.pages:
            page.wake()


def anybody_keys(stands: Snapshot) -> bool:
    """Whether the house lets the phone of a seat key for other seats that have phones or
    keypads."""
    return stands.settings.get("keypads") == "anyone"


def _entries_of(what: Proposal, stands: Snapshot) -> tuple[Entry, ...]:
    """The entries of a proposal; none if they can't be read, as then the loop refuses it."""
    try:
        row = what.row(Stands(stands.journal, stands.game, {}))
    except EntryError:
        return ()
    return row.entries if isinstance(row, Step) else ()
