"""Asks a second person to agree to a ruling of the table.

The seat that a ruling goes against may make it alone. If anybody else makes it, the phones of the
seats that may agree are asked (presentation/rulings.py). A yes from one of them makes the row,
which keeps who agreed. A question stands until the game moves on, and for at most two minutes. A
phone that has ever keyed for the seat that would gain can't rule alone, whatever seat it takes
later. A phone that has taken a seat from another one neither rules alone nor agrees for ten minutes
(roles.py). If nobody else can be asked then, or a phone that could be asked is not connected, the
table rules at the box. If nobody else has had a phone in this game, the page itself asks “All
agreed?”, and the row says so.
"""

import asyncio
from dataclasses import dataclass, replace
from typing import Final

from companion.core.errors import EntryError
from companion.core.seats import Seat
from companion.core.values import Json
from companion.presentation.rulings import ChangedRuling, changed_rulings
from companion.presentation.sayings import Together, say
from companion.record.requests import Stands
from companion.table.events import Proposal, ProposalId
from companion.table.snapshot import Snapshot
from companion.web.roles import PageRole, Roles

STANDS_S: Final = 120.0
"""Seconds for which a question stands."""


@dataclass(frozen=True, slots=True)
class PendingRuling:
    """A proposal of a page, to which it asks the phones of `seats` to agree. `said`: the question
    in words; `asked_s`: when it was asked, in monotonic seconds; `until_s`: until when it stands,
    in the event loop's seconds."""

    number: int
    page: PageRole
    proposal: Proposal
    seats: frozenset[Seat]
    asked_s: float
    until_s: float
    said: Json

    def stands_at(self, stands: Snapshot) -> bool:
        """Whether the game is still where it was when the question was asked."""
        return (self.proposal.game, self.proposal.tip) == (stands.game, stands.tip)


class Agreements:
    """Keeps the newest question; each new one takes its place. All methods belong to the server's
    event loop."""

    def __init__(self, roles: Roles) -> None:
        self._roles = roles
        self._number = 0
        self._question: PendingRuling | None = None
        self._declined: tuple[PendingRuling, Json] | None = None
        """The question that was answered with no, or not in time, and what the page that asked it
        is told."""

    def ask(
        self, page: PageRole, proposal: Proposal, stands: Snapshot | None
    ) -> tuple[Proposal, Json | None]:
        """The proposal, and None if it may go to the table; else the answer for the page, as
        somebody has to agree first."""
        all_agreed, proposal = proposal.agreed_by is not None, replace(proposal, agreed_by=None)
        changed = _changed(proposal, stands)
        if stands is None or stands.journal is None or not changed:
            return proposal, None
        state = stands.journal.state
        seats = frozenset(state.seats)
        consenting = seats.intersection(*(one.consenting(state) for one in changed))
        gain = frozenset[Seat]().union(*(one.gaining(state) for one in changed))
        roles, now_s = self._roles, self._roles.now_s()
        gains = any(roles.has_been(page, seat) for seat in gain)
        if page.seat in consenting and not gains and roles.answers_for(page, now_s):
            return proposal, None
        # The seats with a phone other than this one that is not new there.
        others = frozenset(
            other.seat
            for other in roles.pages
            if other.seat in seats and not other.is_on(page) and roles.answers_for(other, now_s)
        )
        asked = others & consenting or others - gain
        if asked:
            self._put(page, proposal, asked, changed[0])
            said = "answer.several-asked" if len(asked) > 1 else "answer.asked"
            return proposal, {"asked": True, "said": say(said, seats=Together(sorted(asked)))}
        if (seat := roles.changed_hands(sorted(seats - gain))) is not None:
            return proposal, {"said": say("answer.new-at-seat", seat=seat)}
        if asleep := roles.asleep(page, stands.game) & (seats - gain):
            return proposal, {"said": say("answer.asleep", seat=min(asleep))}
        if all_agreed:
            return replace(proposal, agreed_by=()), None
        return proposal, {"agree": True, "said": say("answer.all-agreed")}

    def news(self, page: PageRole, stands: Snapshot | None) -> Json | None:
        """The question that the page is asked now, or the answer to its own; None: neither."""
        question = self._asks(page, stands)
        if question is not None:
            return {"number": question.number, "said": question.said}
        if self._declined is None or stands is None:
            return None
        question, said = self._declined
        told = question.page is page and question.stands_at(stands)
        return {"number": None, "said": said} if told else None

    def agreed(
        self, page: PageRole, number: int, identity: ProposalId, stands: Snapshot | None
    ) -> Proposal | None:
        """The proposal to which the page has said yes, with its seat as the one that agreed; None:
        the question no longer stands."""
        question = self._asks(page, stands)
        if question is None or question.number != number or page.seat is None:
            return None
        self._question = None
        self._roles.wake_all()
        return replace(question.proposal, identity=identity, agreed_by=(page.seat,))

    def decline(self, page: PageRole, number: int, stands: Snapshot | None) -> None:
        """Ends the question, as the page has said no, and tells the page that asked it."""
        question = self._asks(page, stands)
        if question is None or question.number != number:
            return
        self._question = None
        self._declined = question, say("answer.not-agreed", seat=page.seat)
        self._roles.wake_all()

    def _put(
        self, page: PageRole, proposal: Proposal, seats: frozenset[Seat], changed: ChangedRuling
    ) -> None:
        loop = asyncio.get_running_loop()
        self._number += 1
        self._declined = None
        said = _in_words(page, changed)
        until_s = loop.time() + STANDS_S
        asked_s = self._roles.now_s()
        self._question = PendingRuling(self._number, page, proposal, seats, asked_s, until_s, said)
        loop.call_at(until_s, self._lapse, self._number)
        self._roles.wake_all()

    def _lapse(self, number: int) -> None:
        """Ends the question if it was not answered in time, and tells the page that asked it."""
        question = self._question
        if question is None or question.number != number:
            return
        self._question = None
        self._declined = question, say("answer.nobody-agreed")
        self._roles.wake_all()

    def _asks(self, page: PageRole, stands: Snapshot | None) -> PendingRuling | None:
        """The question, if this page is asked and the question still stands."""
        question = self._question
        if (
            question is None
            or stands is None
            or asyncio.get_running_loop().time() >= (question.until_s)
        ):
            return None
        may = page.seat in question.seats and not page.is_on(question.page)
        may = may and self._roles.answers_for(page, question.asked_s)
        return question if question.stands_at(stands) and may else None


def _changed(proposal: Proposal, stands: Snapshot | None) -> tuple[ChangedRuling, ...]:
    """The rulings that the proposal would change; none if the loop is sure to refuse it."""
    if stands is None or stands.journal is None:
        return ()
    if (proposal.game, proposal.tip) != (stands.game, stands.tip):
        return ()
    try:
        row = proposal.row(Stands(stands.journal, stands.game, {}))
    except EntryError:
        return ()
    return changed_rulings(stands.journal, row)


def _in_words(page: PageRole, changed: ChangedRuling) -> Json:
    """The question in words: “Ben asks: is Anna clear?”"""
    accused, _, bogus = changed.ruling
    by = page.seat or say("by.scorekeeper")["words"]
    if not changed.made:
        return say("agree.back", by=by, seat=accused)
    return say("agree.bogus" if bogus else "agree.clear", by=by, seat=accused)
