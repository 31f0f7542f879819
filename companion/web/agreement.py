"""A ruling of the table needs a second person: whose phone is asked, and what became of it.

The seat that a ruling goes against makes it by itself. Anybody else's phone asks the phones of
those who may agree (presentation/rulings.py): their yes makes the row, which keeps who agreed. A
question stands until the game moves on, and two minutes at most. A phone that has keyed for the
seat that would gain rules for nobody alone, whatever it calls itself since. Where nobody else has a
phone the page itself asks “All agreed?”, and the row says so.
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
from companion.table.proposals import Proposal, ProposalId
from companion.table.snapshot import Snapshot
from companion.web.roles import PageRole, Roles

STANDS_S: Final = 120.0
"""Seconds for which a question stands."""


@dataclass(frozen=True, slots=True)
class PendingRuling:
    """What a page asks the phones of these seats to agree to."""

    number: int
    page: PageRole
    proposal: Proposal
    seats: frozenset[Seat]
    until_s: float
    said: Json

    def stands_at(self, stands: Snapshot) -> bool:
        """Whether the game is where it was when that was asked."""
        return (self.proposal.game, self.proposal.tip) == (stands.game, stands.tip)


class Agreements:
    """The newest question; a newer one takes its place. All methods belong to the server's event
    loop."""

    def __init__(self, roles: Roles) -> None:
        self._roles = roles
        self._number = 0
        self._question: PendingRuling | None = None
        self._declined: tuple[PendingRuling, Json] | None = None
        """The question that was answered by a no, or by nobody, and what who asked is told."""

    def ask(
        self, page: PageRole, proposal: Proposal, stands: Snapshot | None
    ) -> tuple[Proposal, Json | None]:
        """The proposal as it may go to the table; or what that page is told instead, since somebody
        has to agree first."""
        all_agreed, proposal = proposal.agreed_by is not None, replace(proposal, agreed_by=None)
        changed = _changed(proposal, stands)
        if stands is None or stands.journal is None or not changed:
            return proposal, None
        seats = stands.journal.opened.seats
        consenting = frozenset(seats).intersection(*(one.consenting(seats) for one in changed))
        gain = {one.gains for one in changed}
        if page.seat in consenting and not any(self._roles.has_been(page, seat) for seat in gain):
            return proposal, None
        # The seats with a phone other than this one.
        others = frozenset(
            other.seat for other in self._roles.pages if other.seat and not other.is_on(page)
        )
        asked = others & consenting or others - gain
        if asked:
            self._put(page, proposal, asked, changed[0])
            said = "answer.several-asked" if len(asked) > 1 else "answer.asked"
            return proposal, {"asked": True, "said": say(said, seats=Together(sorted(asked)))}
        if all_agreed:
            return replace(proposal, agreed_by=()), None
        return proposal, {"agree": True, "said": say("answer.all-agreed")}

    def news(self, page: PageRole, stands: Snapshot | None) -> Json | None:
        """What that page is asked now, or how it was answered; None: nothing."""
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
        """What was asked for, with that page's yes; None: it is not asked any more."""
        question = self._asks(page, stands)
        if question is None or question.number != number or page.seat is None:
            return None
        self._question = None
        self._roles.wake_all()
        return replace(question.proposal, identity=identity, agreed_by=(page.seat,))

    def decline(self, page: PageRole, number: int, stands: Snapshot | None) -> None:
        """That page says no: nobody is asked any more, and whoever asked is told."""
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
        self._question = PendingRuling(self._number, page, proposal, seats, until_s, said)
        loop.call_at(until_s, self._lapse, self._number)
        self._roles.wake_all()

    def _lapse(self, number: int) -> None:
        """Nobody has answered that question in time: whoever asked is told."""
        question = self._question
        if question is None or question.number != number:
            return
        self._question = None
        self._declined = question, say("answer.nobody-agreed")
        self._roles.wake_all()

    def _asks(self, page: PageRole, stands: Snapshot | None) -> PendingRuling | None:
        """The question, if that page is asked it and it still stands."""
        question = self._question
        if (
            question is None
            or stands is None
            or asyncio.get_running_loop().time() >= (question.until_s)
        ):
            return None
        may = page.seat in question.seats and not page.is_on(question.page)
        return question if question.stands_at(stands) and may else None


def _changed(proposal: Proposal, stands: Snapshot | None) -> tuple[ChangedRuling, ...]:
    """The rulings that would change; none where the loop refuses the proposal in any case."""
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
    """“Ben asks: is Anna clear?”"""
    accused, _, bogus = changed.ruling
    by = page.seat or say("by.scorekeeper")["words"]
    if not changed.made:
        return say("agree.back", by=by, seat=accused)
    return say("agree.bogus" if bogus else "agree.clear", by=by, seat=accused)
