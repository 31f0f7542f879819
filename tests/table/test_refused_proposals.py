"""Proposals that the rules, the disk or a restart refuse: each is answered with a reason, and never
counts later."""

from dataclasses import replace

import pytest

from companion.record.requests import LONGEST, RequestKind
from companion.table.events import (
    Inquiry,
    OutcomeUnknown,
    Proposal,
    ProposalCounted,
    ProposalRefused,
    ProposalVoid,
)
from companion.table.loop import MAX_SURFACES
from tests.proposing import Phone, opened_again
from tests.record.disk import Disk
from tests.rig import Rig


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Blue 6-5", "Red is to move"),
        ("Red 5-4", "doesn't fit: the open ends are 6"),
        ("Red jumps", "is not an action of a seat"),
        ("Anna 6-5", "is neither a seat"),
        ("", "nothing was entered"),
        ("# 6-5", "nothing was entered"),
        ("<b>Red</b> 6-5", "is neither a seat"),
        ("Red 6-5 " * LONGEST, "an entry has at most 4,096 characters"),
        ("Red draw 9" + "9" * 3000, ""),
    ],
)
def test_a_proposal_against_the_rules_is_refused_with_a_reason(
    rig: Rig, anna: Phone, text: str, why: str
) -> None:
    before = rig.screen
    answer = anna.says(rig, text)
    assert isinstance(answer, ProposalRefused)
    assert why in answer.why
    assert "\n" not in answer.why
    assert rig.entries == ["hand", "Blue 6-6"]
    assert rig.screen == before, "it is no affair of the box"


def test_a_refused_proposal_never_counts_later(rig: Rig, anna: Phone) -> None:
    rig.press("6 5 OK")
    seen = rig.snapshots[-1]
    early = anna.key(seen, "Red 5-4")
    answer = anna.asks(rig, early)
    assert isinstance(answer, ProposalRefused)
    moved_on = Proposal(early.identity, early.seat, 1, seen.tip, "Blue 5-5")
    assert anna.asks(rig, moved_on) == answer, "the same identity, whatever it says now"
    assert anna.asks(rig, Inquiry(early.identity)) == answer
    anna.says(rig, "Blue 5-5")
    assert anna.asks(rig, early) == ProposalVoid()
    assert rig.entries == ["hand", "Blue 6-6", "Red 6-5", "Blue 5-5"]


def test_a_proposal_refused_for_a_disk_fault_is_never_accepted_later(rig: Rig, anna: Phone) -> None:
    disk = Disk(rig.store)
    disk.fails = "before"
    proposal = anna.key(rig.snapshots[-1], "Red 6-5")
    refused = ProposalRefused("Not saved: the disk has a fault")
    assert anna.asks(rig, proposal) == refused
    disk.fails = None
    assert anna.asks(rig, proposal) == refused
    assert rig.entries == ["hand", "Blue 6-6"]
    with opened_again(rig) as again:
        assert anna.asks(again, proposal) == ProposalVoid()
        assert again.entries == ["hand", "Blue 6-6"]
        assert isinstance(anna.says(again, "Red 6-5"), ProposalCounted)


def test_a_row_on_the_disk_counts_even_if_saving_reported_a_failure(rig: Rig, anna: Phone) -> None:
    disk = Disk(rig.store)
    disk.fails = "after"
    answer = anna.says(rig, "Red 6-5")
    assert isinstance(answer, ProposalCounted)
    assert rig.entries[-1] == "Red 6-5"
    assert rig.snapshots[-1].row == answer.row


def test_an_unknown_outcome_is_answered_as_not_known(rig: Rig, anna: Phone) -> None:
    disk = Disk(rig.store)
    disk.fails, disk.blind = "after", True
    proposal = anna.key(rig.snapshots[-1], "Red 6-5")
    assert isinstance(anna.asks(rig, proposal), OutcomeUnknown)
    assert isinstance(anna.asks(rig, Inquiry(proposal.identity)), OutcomeUnknown)
    disk.fails, disk.blind = None, False
    answer = anna.asks(rig, Inquiry(proposal.identity))
    assert isinstance(answer, ProposalVoid), "it was not tried before the record could be asked"
    assert isinstance(anna.says(rig, "Red 6-5"), ProposalCounted)


def test_a_commit_reported_as_lost_counts_once_the_disk_can_be_read(rig: Rig, anna: Phone) -> None:
    """The disk fails while the row is being kept, after the proposal's identity was looked up, and
    can't be read until later."""
    disk, proposal = Disk(rig.store), anna.key(rig.snapshots[-1], "Red 6-5")
    disk.fails, disk.blind_after_row = "after", True
    assert isinstance(anna.asks(rig, proposal), OutcomeUnknown)
    disk.fails, disk.blind = None, False
    answer = anna.asks(rig, proposal)
    assert isinstance(answer, ProposalCounted)
    assert rig.entries[-1] == "Red 6-5"
    assert rig.snapshots[-1].row == answer.row
    rig.press("5 5 OK")
    assert rig.entries[-1] == "Blue 5-5"


def test_a_proposal_that_comes_after_an_inquiry_about_it_never_counts(
    rig: Rig, anna: Phone
) -> None:
    """The connection dropped; over a new one the phone inquires and learns that its proposal did
    not count. Only then do the old connection's bytes arrive."""
    proposal = anna.key(rig.snapshots[-1], "Red 6-5")
    assert anna.asks(rig, Inquiry(proposal.identity)) == ProposalVoid()
    assert anna.asks(rig, proposal) == ProposalVoid()
    assert rig.entries == ["hand", "Blue 6-6"]


def test_a_proposal_of_an_earlier_run_does_not_count(rig: Rig, anna: Phone) -> None:
    proposal = anna.key(rig.snapshots[-1], "Red 6-5")
    with opened_again(rig) as again:
        assert again.snapshots[-1].tip == proposal.tip, "nothing has changed but the run"
        assert anna.asks(again, proposal) == ProposalVoid()
        assert again.entries == ["hand", "Blue 6-6"]


def test_forgetting_surfaces_does_not_revive_refused_proposals(rig: Rig, anna: Phone) -> None:
    refused = anna.key(rig.snapshots[-1], "Red 5-4")
    anna.asks(rig, refused)
    run = rig.snapshots[-1].run
    for number in range(MAX_SURFACES):
        Phone(f"phone-{number + 2}").says(rig, "Red 5-4")
    assert rig.snapshots[-1].run != run, "the surfaces are told the new run"
    late = Proposal(refused.identity, None, 1, rig.snapshots[-1].tip, "Red 6-5")
    assert anna.asks(rig, late) == ProposalVoid()
    assert isinstance(anna.says(rig, "Red 6-5"), ProposalCounted)


@pytest.mark.parametrize(
    "kind", [RequestKind.RESUME, RequestKind.NAME, RequestKind.REWIND, RequestKind.CHANGE]
)
@pytest.mark.parametrize("at", [2**53, 2**63, 10**400], ids=["2^53", "2^63", "10^400"])
def test_unknown_game_and_entry_numbers_are_refused_with_a_message(
    rig: Rig, anna: Phone, at: int, kind: RequestKind
) -> None:
    asked = replace(anna.key(rig.snapshots[-1], ""), kind=kind, at=at)
    assert anna.asks(rig, asked) == ProposalRefused("there is no game or entry with that number")
