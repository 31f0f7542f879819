"""Whose phone keys for whom.

A page is a scorekeeper's, who keys for everybody, a seat's, or a watcher's. The phone of a seat
keys for its own and for those that have neither phone nor keypad, or for all where the house lets
anybody key, as on keypads; who calls a bogus play does so in their own name, and nobody clears
themselves of one. What is said of the whole table anybody keys. A seat has one phone: another may
take it over, if it says so.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from companion.core.errors import EntryError
from companion.core.keys import keypad_of
from companion.core.seats import Seat
from companion.core.values import Json
from companion.games.game import Entry
from companion.games.penalties import Called, Ruled
from companion.presentation.news import doer_of
from companion.presentation.sayings import say
from companion.record.requests import Deed, Stands
from companion.record.rows import Amend, Step
from companion.table.proposals import Proposal
from companion.table.snapshot import Snapshot

ENTERS = frozenset({Deed.ENTER, Deed.CHANGE, Deed.INSERT})
"""Deeds whose text is entries."""


class Role(Enum):
    """Whose a page is."""

    WATCHER = "watcher"
    SEAT = "seat"
    SCOREKEEPER = "scorekeeper"


@dataclass(slots=True, eq=False)
class PagePlace:
    """One page's; `told` is what it knows of all this, once it has `asked` to be somebody."""

    wake: Callable[[], None]
    plays: bool = True
    """Whether it may be more than a watcher."""
    role: Role = Role.WATCHER
    seat: Seat | None = None
    said: Json | None = None
    asked: bool = False
    told: Json | None = None


class Places:
    """All pages'. All methods belong to the server's event loop."""

    def __init__(self) -> None:
        self._places: list[PagePlace] = []

    def come(self, wake: Callable[[], None], *, plays: bool = True) -> PagePlace:
        """Somebody new, who watches as long as they say nothing else, or for ever."""
        place = PagePlace(wake, plays)
        self._places.append(place)
        return place

    def leave(self, place: PagePlace) -> None:
        """A page has gone; its seat has no phone any more."""
        self._places.remove(place)
        self._wake_all()

    def take(self, place: PagePlace, role: Role, seat: Seat | None, *, over: bool) -> None:
        """A page is to be that. A seat that has a phone is given only if it is taken `over`."""
        place.said, place.asked, place.told = None, True, None
        if role is not Role.WATCHER and not place.plays:
            place.said = say("answer.only-watching")
            place.wake()
            return
        others = [other for other in self._places if other is not place]
        holder = next((other for other in others if seat and other.seat == seat), None)
        if role is Role.SEAT and holder is not None:
            if not over:
                place.said = say("answer.seat-taken", seat=seat)
                place.wake()
                return
            holder.role, holder.seat = Role.WATCHER, None
            holder.said = say("answer.taken-over", seat=seat)
        place.role, place.seat = role, seat if role is Role.SEAT else None
        self._wake_all()

    @property
    def taken(self) -> set[Seat]:
        """The seats that have a phone."""
        return {place.seat for place in self._places if place.seat is not None}

    def news(self, place: PagePlace) -> Json | None:
        """What the page is, and which seats have phones, if it doesn't know that yet."""
        told = {
            "name": place.role.value,
            "seat": place.seat,
            "said": place.said,
            "taken": sorted(self.taken),
        }
        if told == place.told or not place.asked:
            return None
        place.told = told
        return told

    def refusal(self, place: PagePlace, what: Proposal, stands: Snapshot | None) -> Json | None:
        """Why that page may not propose that; None: it may."""
        if place.role is Role.WATCHER:
            return say("answer.only-watching")
        if place.role is Role.SCOREKEEPER or stands is None or stands.journal is None:
            return None
        entries = _entries_of(what, stands)
        for entry in entries:
            if isinstance(entry, Ruled) and entry.accused == place.seat and not entry.bogus:
                return say("answer.own-ruling", seat=place.seat)
        if what.deed is not Deed.ENTER:
            return None  # what was entered before, and what all share, belongs to all who play
        keypads = {
            Seat(str(seat)) for name, seat in stands.settings.items() if keypad_of(name) and seat
        }
        theirs = (self.taken | keypads) - {place.seat}
        anybody_keys = stands.settings.get("keypads") == "anyone"
        for entry in entries:
            seat, calls = doer_of(entry), isinstance(entry, Called)
            if seat in theirs and (calls or not anybody_keys):
                return say("answer.not-yours", seat=seat, own=place.seat)
        return None

    def _wake_all(self) -> None:
        for place in self._places:
            place.wake()


def _entries_of(what: Proposal, stands: Snapshot) -> tuple[Entry, ...]:
    """What is keyed; what can't be read the loop refuses."""
    if what.deed not in ENTERS:
        return ()
    try:
        row = what.row(Stands(stands.journal, stands.game, {}))
    except EntryError:
        return ()
    return row.entries if isinstance(row, Step | Amend) else ()
