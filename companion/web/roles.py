"""The roles of phones: which phone keys for which seats.

A page belongs to a scorekeeper, who keys for everybody, to a seat, or to a watcher. The phone of a
seat keys for its own seat and for seats without a phone or keypad; if the settings let anybody key,
as on keypads, it keys for all. A bogus play is always called in the caller's own name. Any phone of
a player may key what concerns the whole table, but a ruling also needs a second person. A seat has
only one phone; another phone may take it over, but only by an explicit request.

A phone that has taken a seat from another one is new there for ten minutes: until then it can't
agree to a ruling, show tiles in a call, or answer an earlier question. The phone that had the seat
before is not new when it comes back: it is recognised by its name, which only that phone and the
box know.

A ruling that a seat makes against itself needs nobody else. If anybody else makes it, the phones of
the seats that may agree are asked (presentation/corrections.py). A yes from one of them adds the
row, which records who agreed. A question is open until the game moves on, and for at most two
minutes. A phone that has ever keyed for the seat that would gain can't rule alone, whatever seat it
takes later; nor can one that is new at its seat. If there is no other phone to ask, or one that
could be asked is not connected, the table has to rule at the box. If no other phone has taken part
in this game, the page itself asks “All agreed?”, and the row records that.
"""

import asyncio
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from enum import Enum
from typing import Final

from companion.core.budgets import SURFACES
from companion.core.clock import Clock
from companion.core.errors import EntryError
from companion.core.seats import Seat
from companion.core.values import Json, dataclass
from companion.presentation.corrections import ChangedRuling, changed_rulings, open_caller
from companion.presentation.news import actor_of, is_call, shows_tiles
from companion.presentation.sayings import SeatsTogether, say
from companion.record.requests import RequestContext, RequestKind
from companion.record.rows import Step
from companion.record.settings import keypad_of
from companion.table.events import Proposal, ProposalId
from companion.table.snapshot import Snapshot

MOST_DEVICES: Final = 256
"""The most phones whose seats are remembered."""
MOST_SURFACES: Final = 256
"""The most surfaces for which the page that uses them is remembered."""

MOST_TENURES: Final = 4 * MOST_DEVICES
"""The most tenures (see Tenure) that are remembered."""
NEW_AT_SEAT_S: Final = 600.0
"""Seconds for which a phone counts as new at a seat that it has taken from another one."""


class Role(Enum):
    """The role of a page, which decides for whom it keys."""

    WATCHER = "watcher"
    SEAT = "seat"
    SCOREKEEPER = "scorekeeper"


@dataclass(slots=True, eq=False)
class Tenure:
    """A phone's time at a seat. `since_s`: when it began, in monotonic seconds; `over`: whether the
    phone took the seat from another one, in the same game; `game`: the newest game in which it had
    the seat."""

    since_s: float
    over: bool
    game: int | None


@dataclass(slots=True, eq=False)
class PageRole:
    """The role of one page. `asked`: whether it has requested a role. `known`: the message about
    roles that it was last sent. `device`: the name of the phone or computer that it is on, as the
    page gives it. `said`: the reason why it did not get or keep a role."""

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
    """The number of surfaces that the page has used."""

    tenure: Tenure | None = None
    """The phone's tenure of the seat."""

    @property
    def phone(self) -> object:
        """The identity of its phone: the phone's name or, without one, the page itself."""
        return self.device or self

    def is_on(self, other: "PageRole") -> bool:
        """Whether `other` is this page, or another one on the same phone."""
        return self is other or bool(self.device and self.device == other.device)


class Roles:
    """The roles of all pages. All methods belong to the server's event loop. `clock` gives
    monotonic seconds; `announce` is called with a seat in the game that a phone has taken from
    another, and with any seat that a phone takes while a call of bogus play is open."""

    def __init__(
        self, announce: Callable[[Seat], None] = lambda _: None, clock: Clock = time.monotonic
    ) -> None:
        self.pages: list[PageRole] = []
        self._announce, self._clock = announce, clock
        self._tenures: dict[tuple[object, Seat], Tenure] = {}
        """The tenures of phones at seats, by phone and seat."""
        self._taken_over: dict[Seat, float] = {}
        """When each seat was last taken from another phone."""
        self._past_seats: dict[str, frozenset[Seat]] = {}
        """The seats that each phone has keyed for, since the box was switched on."""
        self._surface_users: dict[str, PageRole] = {}
        """The page that last used each surface, the least recent first."""

    def add_page(
        self, wake: Callable[[], None], *, plays: bool = True, device: str = ""
    ) -> PageRole:
        """Adds a new page, which watches until it requests another role. `device`: the phone that
        it is on, if it has named one."""
        page = PageRole(wake, plays, device=device)
        self.pages.append(page)
        return page

    def remove_page(self, page: PageRole, snapshot: Snapshot | None = None) -> None:
        """Removes a page that has gone, so that its seat no longer has a phone."""
        self.pages.remove(page)
        self._end_tenure(page, snapshot)
        self.wake_all()

    def take_role(
        self,
        page: PageRole,
        role: Role,
        seat: Seat | None,
        *,
        over: bool,
        snapshot: Snapshot | None = None,
    ) -> None:
        """Gives a page the role, unless it may only watch. A seat that already has a phone is given
        only to a page that takes it `over`. `snapshot`: the state of the table."""
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
            self._end_tenure(holder, snapshot)
            holder.role, holder.seat = Role.WATCHER, None
            holder.said = say("answer.taken-over", seat=seat)
        if page.seat is not None and (role is not Role.SEAT or page.seat != seat):
            self._end_tenure(page, snapshot)
        page.role, page.seat = role, seat if role is Role.SEAT else None
        if page.seat is not None and page.tenure is None:
            self._begin_tenure(page, page.seat, holder, snapshot)
        if page.device and page.seat is not None:
            # The seats of a phone are remembered even if it takes another name.
            if page.device not in self._past_seats and len(self._past_seats) >= MOST_DEVICES:
                del self._past_seats[next(iter(self._past_seats))]
            self._past_seats[page.device] = self._past_seats.get(page.device, frozenset()) | {
                page.seat
            }
        self.wake_all()

    def may_use_surface(self, page: PageRole, surface: str) -> bool:
        """Whether the page may use that surface: the surface belongs to its phone, or is free and
        the page may play. So no other page can use up a surface's numbers."""
        before = self._surface_users.get(surface)
        free = before is None or (not before.device and before not in self.pages)
        if not (free or (before is not None and before.is_on(page))):
            return False
        if free:
            if page.role is Role.WATCHER or page.surfaces >= SURFACES.most:
                return False
            page.surfaces += 1
        self._surface_users.pop(surface, None)
        self._surface_users[surface] = page
        if len(self._surface_users) > MOST_SURFACES:
            del self._surface_users[next(iter(self._surface_users))]
        return True

    def _begin_tenure(
        self, page: PageRole, seat: Seat, holder: PageRole | None, snapshot: Snapshot | None
    ) -> None:
        """Begins or resumes the tenure of a page that has just got the seat; `holder`: the page
        that had the seat before."""
        game = snapshot.game if snapshot is not None else None
        key = page.phone, seat
        found = self._tenures.pop(key, None)
        others = {one: how for one, how in self._tenures.items() if one[1] == seat}
        for one, how in others.items():
            if self.is_new(how):  # it has lost the seat, so it would be new if it came back
                del self._tenures[one]
        if found is None:
            had = any(game is not None and how.game == game for how in others.values())
            over = had or (holder is not None and not holder.is_on(page))
            found = Tenure(self._clock(), over, game)
            if over:
                recent = {one: at for one, at in self._taken_over.items() if self._is_recent(at)}
                self._taken_over = {**recent, seat: found.since_s}
            if (over or _is_called(snapshot)) and _is_in_game(seat, snapshot):
                self._announce(seat)
        if len(self._tenures) >= MOST_TENURES:
            del self._tenures[
                min(self._tenures, key=lambda one: self._is_worth_keeping(one, snapshot))
            ]
        self._tenures[key] = page.tenure = found

    def _is_worth_keeping(self, key: tuple[object, Seat], snapshot: Snapshot | None) -> bool:
        """Whether a tenure should be remembered: its seat is in the game, and was not taken from
        another phone."""
        return _is_in_game(key[1], snapshot) and not self._tenures[key].over

    def _end_tenure(self, page: PageRole, snapshot: Snapshot | None) -> None:
        """Ends the tenure of a page that is losing its seat. Its phone may come back to the seat
        and resume it."""
        tenure, page.tenure = page.tenure, None
        if tenure is None or page.seat is None:
            return
        tenure.game = snapshot.game if snapshot is not None else tenure.game
        if not page.device:
            self._tenures.pop((page, page.seat), None)

    def is_new(self, tenure: Tenure | None) -> bool:
        """Whether a phone has taken its seat from another one less than ten minutes ago."""
        return tenure is not None and tenure.over and self._is_recent(tenure.since_s)

    def _is_recent(self, since_s: float) -> bool:
        return self._clock() - since_s < NEW_AT_SEAT_S

    def may_answer_for(self, page: PageRole, asked_s: float) -> bool:
        """Whether the page may answer a question to its seat that was asked at `asked_s`, in
        monotonic seconds: its phone had the seat by then, and is not new there."""
        tenure = page.tenure
        return tenure is not None and tenure.since_s <= asked_s and not self.is_new(tenure)

    def now_s(self) -> float:
        return self._clock()

    def recently_taken(self, seats: Iterable[Seat]) -> Seat | None:
        """The first of these seats that was taken from another phone less than ten minutes ago;
        None if there is none."""
        recent = (seat for seat in seats if seat in self._taken_over)
        return next((one for one in recent if self._is_recent(self._taken_over[one])), None)

    def seats_whose_phone_left(self, page: PageRole, game: int | None) -> frozenset[Seat]:
        """The seats for which another phone has keyed in this game, and which have no phone now."""
        had = (
            seat
            for (phone, seat), tenure in self._tenures.items()
            if phone != page.phone and tenure.game == game
        )
        return frozenset(had) - self.seats_with_phones

    def has_keyed_for(self, page: PageRole, seat: Seat) -> bool:
        """Whether the page keys for the seat, or a page on its phone has ever done so."""
        return page.seat == seat or seat in self._past_seats.get(page.device, frozenset())

    @property
    def seats_with_phones(self) -> set[Seat]:
        return {page.seat for page in self.pages if page.seat is not None}

    def role_message(self, page: PageRole) -> Json | None:
        """The message with the page's role and the seats that have phones; None if the page already
        has it."""
        news = {
            "name": page.role.value,
            "seat": page.seat,
            "said": page.said,
            "taken": sorted(self.seats_with_phones),
        }
        if news == page.known or not page.asked:
            return None
        page.known = news
        return news

    def refusal(self, page: PageRole, what: Proposal, snapshot: Snapshot | None) -> Json | None:
        """The reason why the page may not propose `what`, in words; None if it may."""
        if page.role is Role.WATCHER:
            return say("answer.only-watching")
        if page.role is Role.SCOREKEEPER or snapshot is None or snapshot.journal is None:
            return None
        if what.kind is not RequestKind.ENTER:
            return None  # everybody who plays may correct entries and change what the table shares
        keypads = {
            Seat(str(seat)) for name, seat in snapshot.settings.items() if keypad_of(name) and seat
        }
        theirs = (self.seats_with_phones | keypads) - {page.seat}
        anybody = anybody_keys(snapshot)
        step = _requested_step(what, snapshot)
        for entry in step.entries if step else ():
            seat = actor_of(entry)
            shows = shows_tiles(entry) and _is_called(snapshot)
            if shows and seat == page.seat and self.is_new(page.tenure):
                return say("answer.new-at-seat", seat=page.seat)
            if seat in theirs and (is_call(entry) or not anybody):
                return say("answer.not-yours", seat=seat, own=page.seat)
        return None

    def wake_all(self) -> None:
        for page in self.pages:
            page.wake()


def _is_in_game(seat: Seat, snapshot: Snapshot | None) -> bool:
    journal = snapshot.journal if snapshot is not None else None
    return journal is not None and seat in journal.state.seats


def _is_called(snapshot: Snapshot | None) -> bool:
    """Whether a call of bogus play is open."""
    journal = snapshot.journal if snapshot is not None else None
    return journal is not None and open_caller(journal.state.board) is not None


def anybody_keys(snapshot: Snapshot) -> bool:
    """Whether the settings let the phone of a seat key for other seats that have phones or
    keypads."""
    return snapshot.settings.get("keypads") == "anyone"


def _requested_step(what: Proposal, snapshot: Snapshot) -> Step | None:
    """The step that a proposal requests; None if it requests another kind of row, or can't be read
    and will be refused by the loop."""
    try:
        row = what.row(RequestContext(snapshot.journal, snapshot.game, {}))
    except EntryError:
        return None
    return row if isinstance(row, Step) else None


# ---------------------------------------------------------------- agreement
# Asks a second person to agree to a ruling.


QUESTION_S: Final = 120.0
"""Seconds for which a question stays open."""


@dataclass(frozen=True, slots=True)
class PendingRuling:
    """A page's proposal to which the phones of `seats` are asked to agree. `said`: the question in
    words; `asked_s`: when it was asked, in monotonic seconds; `until_s`: when it expires, in the
    event loop's seconds."""

    number: int
    page: PageRole
    proposal: Proposal
    seats: frozenset[Seat]
    asked_s: float
    until_s: float
    said: Json

    def is_still_at(self, snapshot: Snapshot) -> bool:
        """Whether the game has not moved on since the question was asked."""
        return (self.proposal.game, self.proposal.tip) == (snapshot.game, snapshot.tip)


class Agreements:
    """Keeps the newest question for consent; each new one replaces it. All methods belong to the
    server's event loop."""

    def __init__(self, roles: Roles) -> None:
        self._roles = roles
        self._number = 0
        self._question: PendingRuling | None = None
        self._declined: tuple[PendingRuling, Json] | None = None
        """The question that was declined or expired, and the answer for the page that asked it."""

    def ask(
        self, page: PageRole, proposal: Proposal, snapshot: Snapshot | None
    ) -> tuple[Proposal, Json | None]:
        """Asks for consent if the proposal needs it. Returns the proposal, and the answer for the
        page if somebody has to agree first; None if the proposal may go to the table."""
        all_agreed, proposal = proposal.agreed_by is not None, replace(proposal, agreed_by=None)
        changed = _changed_rulings(proposal, snapshot)
        if snapshot is None or snapshot.journal is None or not changed:
            return proposal, None
        state = snapshot.journal.state
        seats = frozenset(state.seats)
        consenting = seats.intersection(*(one.may_agree(state) for one in changed))
        gain = frozenset[Seat]().union(*(one.favoured(state) for one in changed))
        roles, now_s = self._roles, self._roles.now_s()
        gains = any(roles.has_keyed_for(page, seat) for seat in gain)
        if page.seat in consenting and not gains and roles.may_answer_for(page, now_s):
            return proposal, None
        # The seats with a different phone that is not new there.
        others = frozenset(
            other.seat
            for other in roles.pages
            if other.seat in seats and not other.is_on(page) and roles.may_answer_for(other, now_s)
        )
        asked = others & consenting or others - gain
        if asked:
            self._ask_new_question(page, proposal, asked, changed[0])
            said = "answer.several-asked" if len(asked) > 1 else "answer.asked"
            return proposal, {"asked": True, "said": say(said, seats=SeatsTogether(sorted(asked)))}
        if (seat := roles.recently_taken(sorted(seats - gain))) is not None:
            return proposal, {"said": say("answer.new-at-seat", seat=seat)}
        if left := roles.seats_whose_phone_left(page, snapshot.game) & (seats - gain):
            return proposal, {"said": say("answer.asleep", seat=min(left))}
        if all_agreed:
            return replace(proposal, agreed_by=()), None
        return proposal, {"agree": True, "said": say("answer.all-agreed")}

    def question_message(self, page: PageRole, snapshot: Snapshot | None) -> Json | None:
        """The message with the question that this page is asked, or with the answer to the page's
        own question; None if there is neither."""
        question = self._open_question(page, snapshot)
        if question is not None:
            return {"number": question.number, "said": question.said}
        if self._declined is None or snapshot is None:
            return None
        question, said = self._declined
        told = question.page is page and question.is_still_at(snapshot)
        return {"number": None, "said": said} if told else None

    def agree(
        self, page: PageRole, number: int, identity: ProposalId, snapshot: Snapshot | None
    ) -> Proposal | None:
        """The proposal that the page has agreed to, with the page's seat as the one that agreed;
        None if the question has expired."""
        question = self._open_question(page, snapshot)
        if question is None or question.number != number or page.seat is None:
            return None
        self._question = None
        self._roles.wake_all()
        return replace(question.proposal, identity=identity, agreed_by=(page.seat,))

    def decline(self, page: PageRole, number: int, snapshot: Snapshot | None) -> None:
        """Ends the question, as the page has said no, and notifies the page that asked it."""
        question = self._open_question(page, snapshot)
        if question is None or question.number != number:
            return
        self._question = None
        self._declined = question, say("answer.not-agreed", seat=page.seat)
        self._roles.wake_all()

    def _ask_new_question(
        self, page: PageRole, proposal: Proposal, seats: frozenset[Seat], changed: ChangedRuling
    ) -> None:
        loop = asyncio.get_running_loop()
        self._number += 1
        self._declined = None
        said = _question_words(page, changed)
        until_s = loop.time() + QUESTION_S
        asked_s = self._roles.now_s()
        self._question = PendingRuling(self._number, page, proposal, seats, asked_s, until_s, said)
        loop.call_at(until_s, self._expire, self._number)
        self._roles.wake_all()

    def _expire(self, number: int) -> None:
        """Ends the question if it was not answered in time, and notifies the page that asked it."""
        question = self._question
        if question is None or question.number != number:
            return
        self._question = None
        self._declined = question, say("answer.nobody-agreed")
        self._roles.wake_all()

    def _open_question(self, page: PageRole, snapshot: Snapshot | None) -> PendingRuling | None:
        """The question, if this page is asked and the question is still open."""
        question = self._question
        if (
            question is None
            or snapshot is None
            or asyncio.get_running_loop().time() >= (question.until_s)
        ):
            return None
        may = page.seat in question.seats and not page.is_on(question.page)
        may = may and self._roles.may_answer_for(page, question.asked_s)
        return question if question.is_still_at(snapshot) and may else None


def _changed_rulings(proposal: Proposal, snapshot: Snapshot | None) -> tuple[ChangedRuling, ...]:
    """The rulings that the proposal would change; none if the loop will refuse it anyway."""
    if snapshot is None or snapshot.journal is None:
        return ()
    if (proposal.game, proposal.tip) != (snapshot.game, snapshot.tip):
        return ()
    try:
        row = proposal.row(RequestContext(snapshot.journal, snapshot.game, {}))
    except EntryError:
        return ()
    return changed_rulings(snapshot.journal, row)


def _question_words(page: PageRole, changed: ChangedRuling) -> Json:
    """The question as text: “Ben asks: is Anna clear?”"""
    accused, _, bogus = changed.ruling
    by = page.seat or say("by.scorekeeper")["words"]
    if not changed.made:
        return say("agree.back", by=by, seat=accused)
    return say("agree.bogus" if bogus else "agree.clear", by=by, seat=accused)
