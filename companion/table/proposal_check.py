"""Which proposals count, and what each surface is answered."""

import os
import traceback

from companion.console.fault import FAULT
from companion.core.errors import EntryError, RuleError
from companion.record.requests import (
    NEEDS_NO_GAME,
    STALE_NEVER,
)
from companion.record.store.faults import DamagedError, OvertakenError, Seen, StoreError
from companion.table.proposals import (
    MOST_BETWEEN,
    Answer,
    Answered,
    AskedAgain,
    Counted,
    Inquiry,
    LookAgain,
    NotCounted,
    NotCountedYet,
    NotKnown,
    Proposal,
    ProposalId,
    Refused,
)
from companion.table.state import TableState

MOST_SURFACES = 256
"""Surfaces whose highest number is remembered; if one more asks, a new run begins."""


class ProposalCheck:
    """Answers proposals, each made for one run of the table; a proposal for another run is only
    looked up.

    A proposal that counts goes through `state`, like a press of the box's own keys.
    """

    def __init__(self, state: TableState) -> None:
        self.run = int.from_bytes(os.urandom(6))
        self._state, self._store = state, state.store
        self._last: dict[str, Answered] = {}
        """The answer to each surface's highest number of this run."""

    def answer(self, what: Proposal | Inquiry) -> Answered:
        """Answers a proposal or an inquiry, whatever happens; each identity is considered once."""
        identity = what.identity
        try:
            answer = self._became_of(identity) or self._consider(what)
        except StoreError as error:
            answer = NotKnown(error.why)
        except Exception:
            traceback.print_exc()
            answer = self._after_failure(identity, FAULT)
        answered = Answered(identity, answer)
        if not (isinstance(what, Inquiry) and what.only_looks):
            self._note(answered)
        return answered

    def _note(self, answered: Answered) -> None:
        identity = answered.identity
        last = self._last.get(identity.surface)
        if identity.run != self.run or (last and identity.number < last.identity.number):
            return
        if last is None and len(self._last) >= MOST_SURFACES:
            # What has not counted is of an older run from now on, and so never will.
            self.run, self._last = self.run + 1, {}
            return
        self._last[identity.surface] = answered

    def _became_of(self, identity: ProposalId) -> Answer | None:
        """What became of a proposal; None: it has not been considered yet. Raises StoreError."""
        last = self._last.get(identity.surface) if identity.run == self.run else None
        if last and last.identity == identity and not isinstance(last.answer, NotKnown):
            return last.answer
        row = self._row_of(identity)
        if row is not None:
            if row > self._state.session.row:  # its disk had said that it was not saved
                self._state.read_anew()
            return Counted(row)
        is_new = identity.run == self.run and (
            last is None or identity.number > last.identity.number
        )
        return None if is_new else NotCounted()

    def _consider(self, what: Proposal | Inquiry) -> Answer:
        if isinstance(what, Inquiry):
            return NotCountedYet() if what.only_looks else NotCounted()
        session = self._state.session
        if self._is_stale(what):
            return self._look_again(what)
        if session.journal is None and what.kind not in NEEDS_NO_GAME:
            return self._look_again(what)
        try:
            row = what.row(session.stands(self._store.catalog))
            same = self._state.repeated_row(row, what.identity.surface, what.seat)
            if same is not None and not what.again:
                return AskedAgain(same)
            if session.journal is not None:
                row = session.journal.with_all_said(row)
            source, agreed = str(what.identity), what.agreed_by
            return Counted(self._state.keep(row, source, what.seat, agreed).seq)
        except (EntryError, RuleError) as refused:
            return Refused(refused.why)
        except OvertakenError:
            self._state.read_anew()
            if self._is_stale(what) or self._state.session.row == session.row:
                return self._look_again(what)
            return self._consider(what)  # only settings had come between
        except StoreError as error:
            return self._after_failure(what.identity, error.why)
        except Seen as error:
            return self._after_failure(what.identity, str(error))

    def _is_stale(self, what: Proposal) -> bool:
        """Whether the game has moved on since the proposal was made."""
        session = self._state.session
        is_stale = (what.game, what.tip) != (session.number or 0, session.tip)
        return is_stale and what.kind not in STALE_NEVER

    def _look_again(self, what: Proposal) -> LookAgain:
        return LookAgain(self._store.came_after(what.tip, MOST_BETWEEN))

    def _after_failure(self, identity: ProposalId, why: str) -> Answer:
        """The answer about a row that failed: only the record can say whether the row is there
        after all."""
        try:
            row = self._row_of(identity)
            if row is None:
                return Refused(why)
            self._state.read_anew()
        except StoreError as error:
            return NotKnown(error.why)
        return Counted(row)

    def _row_of(self, identity: ProposalId) -> int | None:
        try:
            return self._store.row_of(str(identity))
        except DamagedError:
            self._state.mend()
            return self._store.row_of(str(identity))
