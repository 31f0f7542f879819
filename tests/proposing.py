"""Simulated phones beside the box: they propose entries, and keep all answers."""

from collections.abc import Iterator
from contextlib import contextmanager

from companion.core.seats import Seat
from companion.record.rows import KeptRow
from companion.record.store.store import Store
from companion.table.events import (
    Answer,
    GameMovedOn,
    Inquiry,
    Proposal,
    ProposalAnswer,
    ProposalId,
    ProposalRefused,
    ProposalVoid,
    Request,
)
from companion.table.snapshot import Snapshot
from tests.rig import Rig

NO = (GameMovedOn, ProposalRefused, ProposalVoid)
"""Answers which say that a proposal did not count."""


class Phone:
    """One surface, which proposes entries and keeps the answers."""

    def __init__(self, name: str, seat: str | None = None) -> None:
        self.name, self.seat = name, Seat(seat) if seat else None
        self.number = 0
        self.answers: list[ProposalAnswer] = []

    def key(self, seen: Snapshot, text: str) -> Proposal:
        """A proposal of entries, keyed on the snapshot that the phone sees."""
        self.number += 1
        identity = ProposalId(self.name, seen.run, self.number)
        return Proposal(identity, self.seat, seen.game or 0, seen.tip, text)

    def request(self, what: Proposal | Inquiry) -> Request:
        """The request for the loop; the answer goes into `answers`."""
        return Request(what, self.answers.append)

    def asks(self, rig: Rig, what: Proposal | Inquiry) -> Answer:
        """Sends a proposal or inquiry, and returns the one answer that comes."""
        before = len(self.answers)
        rig.table.events.put(self.request(what))
        rig.table.run_once(0)
        (answered,) = self.answers[before:]
        assert answered.identity == what.identity
        return answered.answer

    def says(self, rig: Rig, text: str) -> Answer:
        """Proposes entries on the newest snapshot; returns the answer."""
        return self.asks(rig, self.key(rig.snapshots[-1], text))


def rows_by(store: Store, identity: ProposalId) -> list[KeptRow]:
    """The rows of the record that a proposal made."""
    games = (0, *store.game_numbers())
    return [kept for game in games for kept in store.rows(game) if kept.source == str(identity)]


@contextmanager
def opened_again(rig: Rig) -> Iterator[Rig]:
    """The rig after a restart."""
    rig.close()
    with Rig(rig.path) as again:
        yield again
