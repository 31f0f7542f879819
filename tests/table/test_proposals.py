"""Proposals of phones and pages: the checks, their order, and the answers."""

from dataclasses import replace
from pathlib import Path

import pytest

from companion.core.keys import Key, Press
from companion.core.seats import Seats
from companion.games.game import parse_entry
from companion.record.requests import RequestKind
from companion.record.rows import Amend, GameOpened, Step
from companion.record.store.reader import Reader
from companion.table.events import (
    GameMovedOn,
    Inquiry,
    Proposal,
    ProposalCounted,
    ProposalId,
    ProposalRefused,
    Request,
)
from tests.proposing import Phone, opened_again, rows_by
from tests.record.disk import Disk
from tests.rig import Rig
from tests.table.conftest import START

# ---------------------------------------------------------------- counted


def test_a_counted_proposal_is_in_the_record_with_its_author(rig: Rig, anna: Phone) -> None:
    answer = anna.says(rig, "Red 6-5")
    with Reader.open(rig.path, rig.store.catalog) as record:
        kept = list(record.rows(1))[-1]
    assert answer == ProposalCounted(kept.seq)
    assert isinstance(kept.row, Step)
    assert (str(*kept.row.entries), kept.surface, kept.keyed_by) == ("Red 6-5", "phone-1", "Red")
    assert kept.source == str(anna.answers[-1].identity)
    assert rig.entries[-1] == "Red 6-5"


def test_a_tile_alone_is_kept_with_the_details_that_the_record_knows(
    tmp_path: Path, anna: Phone
) -> None:
    opened = GameOpened("highrise", Seats.of("Red", "Blue"), {})
    told = ("hand lead Red", "basement 4-1 3-1 6-2 W-0 2-3 5-5 0-0 2-1", "Red 4-3")
    with Rig(tmp_path / "record.db") as rig:
        store, game = rig.store, rig.store.catalog["highrise"]
        store.keep(1, opened)
        for line in told[:2]:
            store.keep(1, Step((parse_entry(line, game, opened.seats),)))
    with Rig(tmp_path / "record.db") as rig:
        assert isinstance(anna.says(rig, told[2]), ProposalCounted)
        (kept,) = rows_by(rig.store, anna.answers[-1].identity)
        assert isinstance(kept.row, Step)
        assert str(*kept.row.entries) == "Red 4-3 on 4 3 level 1"
        change = replace(
            anna.key(rig.snapshots[-1], "Red 6-3 on 6 3"), kind=RequestKind.CHANGE, at=2
        )
        assert isinstance(anna.asks(rig, change), ProposalCounted)
        (kept,) = rows_by(rig.store, anna.answers[-1].identity)
        assert isinstance(kept.row, Amend)
        assert str(*kept.row.entries) == "Red 6-3 on 6 3 level 1"


def test_the_box_shows_a_row_of_a_phone_at_once(rig: Rig, anna: Phone) -> None:
    with Rig(rig.path.with_name("other.db")) as by_keys:
        by_keys.press(START).press("6 5 OK")
        anna.says(rig, "Red 6-5")
        assert rig.screen == by_keys.screen


def test_a_repeated_inquiry_gets_the_same_answer_and_counts_once(rig: Rig, anna: Phone) -> None:
    proposal = anna.key(rig.snapshots[-1], "Red 6-5")
    first = anna.asks(rig, proposal)
    rig.press("5 5 OK")
    assert anna.asks(rig, proposal) == anna.asks(rig, Inquiry(proposal.identity)) == first
    assert len(rows_by(rig.store, proposal.identity)) == 1
    assert rig.entries == ["hand", "Blue 6-6", "Red 6-5", "Blue 5-5"]


def test_a_counted_proposal_gets_the_same_answer_after_a_restart(rig: Rig, anna: Phone) -> None:
    proposal = anna.key(rig.snapshots[-1], "Red 6-5")
    first = anna.asks(rig, proposal)
    with opened_again(rig) as again:
        again.press("5 5 OK")
        assert anna.asks(again, Inquiry(proposal.identity)) == first
        assert anna.asks(again, proposal) == first
        assert again.entries == ["hand", "Blue 6-6", "Red 6-5", "Blue 5-5"]


def test_the_lines_of_a_proposal_count_together_or_not_at_all(rig: Rig, anna: Phone) -> None:
    refused = anna.says(rig, "Red 6-5\nRed 5-5")
    assert isinstance(refused, ProposalRefused)
    assert rig.entries == ["hand", "Blue 6-6"]
    assert isinstance(anna.says(rig, "  Red 6-5  # fifteen\n\nBlue 5-5\n"), ProposalCounted)
    rig.press("BACK OK")
    assert rig.entries == ["hand", "Blue 6-6"]


@pytest.mark.parametrize(
    ("kind", "text", "told"),
    [
        (RequestKind.SET, "tell-bogus mark", None),
        (RequestKind.RENAME, "Ann Anna", "Red's phone: Ann is now called Anna."),
        (RequestKind.OPEN, "game high-five\nseats Ann Ben", "Red's phone begins a new game."),
    ],
)
def test_a_phones_change_before_a_game_counts_while_the_box_shows_a_screen(
    tmp_path: Path, anna: Phone, kind: RequestKind, text: str, told: str | None
) -> None:
    """Players are being chosen at the box. If a change ends that, the box shows a message, and the
    next key only removes it."""
    with Rig(tmp_path / "new.db").press("1 2") as rig:
        asked = replace(anna.key(rig.snapshots[-1], text), kind=kind)
        assert isinstance(anna.asks(rig, asked), ProposalCounted)
        assert rig.table.box.console.message == told
        assert (rig.table.box.console.screen is None) is (kind is RequestKind.OPEN)
        if kind is RequestKind.OPEN:
            rig.press("OK")
            assert (rig.table.box.console.message, rig.entries) == (None, [])


# ---------------------------------------------------------------- what is checked first


def test_a_known_proposal_is_answered_before_any_other_check(rig: Rig, anna: Phone) -> None:
    """A row that counted stays counted, even if its game has moved on, the proposal now has other
    words, and the disk fails."""
    proposal = anna.key(rig.snapshots[-1], "Red 6-5")
    counted = anna.asks(rig, proposal)
    Phone("phone-2").says(rig, "Blue 5-5")
    Disk(rig.store).fails = "before"
    nonsense = Proposal(proposal.identity, None, 7, b"", "?")
    assert anna.asks(rig, nonsense) == counted
    with opened_again(rig) as again:
        assert anna.asks(again, nonsense) == counted


def test_staleness_is_checked_first_then_the_rules_then_the_disk(rig: Rig, anna: Phone) -> None:
    seen = rig.snapshots[-1]
    rig.press("6 5 OK")
    Disk(rig.store).fails = "before"
    assert isinstance(anna.asks(rig, anna.key(seen, "Red jumps")), GameMovedOn)
    answer = anna.says(rig, "Red jumps")
    assert isinstance(answer, ProposalRefused)
    assert "jumps" in answer.why
    assert anna.says(rig, "Blue 5-5") == ProposalRefused("Not saved: the disk has a fault")


def test_a_program_error_is_answered_as_a_refusal(
    rig: Rig, anna: Phone, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def faulty(*_: object) -> None:
        raise ZeroDivisionError("a fault")

    with monkeypatch.context() as broken:
        broken.setattr(Proposal, "row", faulty)
        assert isinstance(anna.says(rig, "Red 6-5"), ProposalRefused)
        proposal = anna.key(rig.snapshots[-1], "Red 6-5")
        rig.table.events.put(Request(proposal, faulty))
        rig.table.run_once(0)
    assert capsys.readouterr().err.count("ZeroDivisionError: a fault") == 3
    assert isinstance(anna.says(rig, "Red 6-5"), ProposalCounted)


# ---------------------------------------------------------------- identities and queues


@pytest.mark.parametrize(
    ("surface", "run", "number"),
    [
        ("", 1, 1),
        ("Phone", 1, 1),
        ("phone/1", 1, 1),
        ("phone\n", 1, 1),
        ("p" * 41, 1, 1),
        ("phone", -1, 1),
        ("phone", 2**53, 1),
        ("phone", 1, 0),
        ("phone", 1, 2**53),
    ],
)
def test_an_invalid_identity_is_refused(surface: str, run: int, number: int) -> None:
    with pytest.raises(ValueError, match=r"surface is named|can't be"):
        ProposalId(surface, run, number)


def test_each_surface_gets_its_own_answers_in_the_order_of_its_requests(
    rig: Rig, anna: Phone
) -> None:
    ben = Phone("phone-2")
    asked: dict[Phone, list[ProposalId]] = {anna: [], ben: []}
    for phone in (anna, ben, ben, anna, ben):
        what = phone.key(rig.snapshots[-1], "Red jumps")
        asked[phone].append(what.identity)
        rig.table.events.put(phone.request(what))
    rig.table.run_once(0)
    for phone, identities in asked.items():
        assert [answered.identity for answered in phone.answers] == identities


def test_a_flood_from_one_phone_delays_neither_the_box_nor_other_phones(
    rig: Rig, anna: Phone
) -> None:
    flood = Phone("phone-2")
    order: list[str] = []
    seen = rig.snapshots[-1]
    for _ in range(200):
        rig.table.events.put(Request(flood.key(seen, "Red jumps"), lambda _: order.append("flood")))
    rig.table.events.put(Request(anna.key(seen, "Red 6-5"), lambda _: order.append("anna")))
    rig.table.events.put(Press(Key.D6))
    rig.table.run_once(0)
    assert order.index("anna") <= 1
    assert len(order) == 201
