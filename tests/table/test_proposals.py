"""What phones and pages propose: what is checked of a proposal, in which order, and what the answer
is."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from companion.core.keys import Key, Press
from companion.core.seats import Seats
from companion.games.game import parse_entry
from companion.record.requests import LONGEST, RequestKind, Stands
from companion.record.rows import Amend, Opened, Step
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from companion.table.proposal_check import MOST_SURFACES
from companion.table.proposals import (
    MOST_BETWEEN,
    Counted,
    Inquiry,
    LookAgain,
    NotCounted,
    NotKnown,
    Proposal,
    ProposalId,
    Refused,
    Request,
)
from tests.proposing import Phone, rows_by
from tests.record.disk import Disk
from tests.rig import Rig

START = "1 2 1 OK 1 OK 2"
"""Begins High Five for two by their colours; Blue leads the double six, and Red's turn is next."""


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    with Rig(tmp_path / "record.db") as rig:
        yield rig.press(START)


@pytest.fixture
def anna() -> Phone:
    return Phone("phone-1", "Red")


@contextmanager
def opened_again(rig: Rig) -> Iterator[Rig]:
    """The rig after a restart."""
    rig.close()
    with Rig(rig.path) as again:
        yield again


# ---------------------------------------------------------------- counted


def test_what_counts_is_in_the_record_with_who_keyed_it(rig: Rig, anna: Phone) -> None:
    answer = anna.says(rig, "Red 6-5")
    with Reader.open(rig.path, rig.store.catalog) as record:
        kept = list(record.rows(1))[-1]
    assert answer == Counted(kept.seq)
    assert isinstance(kept.row, Step)
    assert (str(*kept.row.entries), kept.surface, kept.keyed_by) == ("Red 6-5", "phone-1", "Red")
    assert kept.source == str(anna.answers[-1].identity)
    assert rig.entries[-1] == "Red 6-5"


def test_a_tile_alone_is_kept_with_all_that_the_record_reads_of_it(
    tmp_path: Path, anna: Phone
) -> None:
    opened = Opened("highrise", Seats.of("Red", "Blue"), {})
    told = ("hand lead Red", "basement 4-1 3-1 6-2 W-0 2-3 5-5 0-0 2-1", "Red 4-3")
    with Rig(tmp_path / "record.db") as rig:
        store, game = rig.store, rig.store.catalog["highrise"]
        store.keep(1, opened)
        for line in told[:2]:
            store.keep(1, Step((parse_entry(line, game, opened.seats),)))
    with Rig(tmp_path / "record.db") as rig:
        assert isinstance(anna.says(rig, told[2]), Counted)
        (kept,) = rows_by(rig.store, anna.answers[-1].identity)
        assert isinstance(kept.row, Step)
        assert str(*kept.row.entries) == "Red 4-3 on 4 3 level 1"
        change = replace(
            anna.key(rig.snapshots[-1], "Red 6-3 on 6 3"), kind=RequestKind.CHANGE, at=2
        )
        assert isinstance(anna.asks(rig, change), Counted)
        (kept,) = rows_by(rig.store, anna.answers[-1].identity)
        assert isinstance(kept.row, Amend)
        assert str(*kept.row.entries) == "Red 6-3 on 6 3 level 1"


def test_the_box_shows_it_at_once(rig: Rig, anna: Phone) -> None:
    with Rig(rig.path.with_name("other.db")) as by_keys:
        by_keys.press(START).press("6 5 OK")
        anna.says(rig, "Red 6-5")
        assert rig.screen == by_keys.screen


def test_asked_again_it_is_told_the_same_and_counts_once(rig: Rig, anna: Phone) -> None:
    proposal = anna.key(rig.snapshots[-1], "Red 6-5")
    first = anna.asks(rig, proposal)
    rig.press("5 5 OK")
    assert anna.asks(rig, proposal) == anna.asks(rig, Inquiry(proposal.identity)) == first
    assert len(rows_by(rig.store, proposal.identity)) == 1
    assert rig.entries == ["hand", "Blue 6-6", "Red 6-5", "Blue 5-5"]


def test_it_is_told_so_after_a_restart_too(rig: Rig, anna: Phone) -> None:
    proposal = anna.key(rig.snapshots[-1], "Red 6-5")
    first = anna.asks(rig, proposal)
    with opened_again(rig) as again:
        again.press("5 5 OK")
        assert anna.asks(again, Inquiry(proposal.identity)) == first
        assert anna.asks(again, proposal) == first
        assert again.entries == ["hand", "Blue 6-6", "Red 6-5", "Blue 5-5"]


def test_several_lines_are_one_step_and_all_of_them_count_or_none(rig: Rig, anna: Phone) -> None:
    refused = anna.says(rig, "Red 6-5\nRed 5-5")
    assert isinstance(refused, Refused)
    assert rig.entries == ["hand", "Blue 6-6"]
    assert isinstance(anna.says(rig, "  Red 6-5  # fifteen\n\nBlue 5-5\n"), Counted)
    rig.press("BACK OK")
    assert rig.entries == ["hand", "Blue 6-6"]


# ---------------------------------------------------------------- look again


def test_after_a_key_of_the_box_it_is_to_look_again(rig: Rig, anna: Phone) -> None:
    late = anna.key(rig.snapshots[-1], "Red draw")
    rig.press("6 5 OK")
    answer = anna.asks(rig, late)
    assert isinstance(answer, LookAgain)
    (between,) = answer.between
    assert isinstance(between.row, Step)
    assert (str(*between.row.entries), between.surface) == ("Red 6-5", None)
    assert rig.entries[-1] == "Red 6-5"


def test_of_two_at_the_same_instant_one_counts(rig: Rig, anna: Phone) -> None:
    granny = Phone("phone-2", "Blue")
    seen = rig.snapshots[-1]
    for phone in (anna, granny):
        rig.table.events.put(phone.request(phone.key(seen, "Red 6-5")))
    rig.table.turn(0)
    (counted,), (looks,) = anna.answers, granny.answers
    assert isinstance(counted.answer, Counted)
    assert isinstance(looks.answer, LookAgain)
    assert [kept.seq for kept in looks.answer.between] == [counted.answer.row]
    assert rig.entries == ["hand", "Blue 6-6", "Red 6-5"]


def test_settings_make_nothing_stale(rig: Rig, anna: Phone) -> None:
    seen = rig.snapshots[-1]
    rig.press("MENU 7 2")
    assert rig.store.settings()["entry"] == "ends"
    assert isinstance(anna.asks(rig, anna.key(seen, "Red 6-5")), Counted)


def test_nor_does_a_setting_that_the_disk_kept_and_called_not_saved(rig: Rig, anna: Phone) -> None:
    seen, disk = rig.snapshots[-1], Disk(rig.store)
    disk.fails, disk.blind = "after", True
    rig.press("MENU 7 2 BACK")
    disk.fails, disk.blind = None, False
    assert isinstance(anna.asks(rig, anna.key(seen, "Red 6-5")), Counted)
    assert rig.store.settings()["entry"] == "ends", "the disk had it all the time"


def test_taken_back_and_done_again_is_not_what_was_seen(rig: Rig, anna: Phone) -> None:
    seen = rig.snapshots[-1]
    rig.press("BACK OK BACK DRAW")
    assert rig.entries == ["hand", "Blue 6-6"]
    answer = anna.asks(rig, anna.key(seen, "Red 6-5"))
    assert isinstance(answer, LookAgain)
    assert [type(kept.row).__name__ for kept in answer.between] == ["Undo", "Redo"]


def test_a_new_game_came_between(rig: Rig, anna: Phone) -> None:
    seen = rig.snapshots[-1]
    rig.press("MENU 9 3 1 2 1 OK")
    assert rig.snapshots[-1].game == 2
    answer = anna.asks(rig, anna.key(seen, "Red 6-5"))
    assert isinstance(answer, LookAgain)
    (between,) = answer.between
    assert isinstance(between.row, Opened)


def test_of_much_that_came_between_the_newest_is_told(rig: Rig, anna: Phone) -> None:
    seen = rig.snapshots[-1]
    rig.press("BACK OK BACK DRAW " * MOST_BETWEEN)
    answer = anna.asks(rig, anna.key(seen, "Red 6-5"))
    assert isinstance(answer, LookAgain)
    assert [kept.seq for kept in answer.between] == list(
        range(rig.snapshots[-1].row - MOST_BETWEEN + 1, rig.snapshots[-1].row + 1)
    )


def test_before_there_is_a_game_nothing_can_be_proposed(tmp_path: Path, anna: Phone) -> None:
    with Rig(tmp_path / "record.db") as rig:
        assert anna.says(rig, "Red 6-5") == LookAgain(())


@pytest.mark.parametrize(
    "kind", [RequestKind.RESUME, RequestKind.NAME, RequestKind.REWIND, RequestKind.CHANGE]
)
@pytest.mark.parametrize("at", [2**53, 2**63, 10**400], ids=["2^53", "2^63", "10^400"])
def test_a_number_that_no_game_or_entry_has_is_refused_in_words(
    rig: Rig, anna: Phone, at: int, kind: RequestKind
) -> None:
    asked = replace(anna.key(rig.snapshots[-1], ""), kind=kind, at=at)
    assert anna.asks(rig, asked) == Refused("no game and no entry has that number")


@pytest.mark.parametrize(
    ("kind", "text", "told"),
    [
        (RequestKind.SET, "tell-bogus mark", None),
        (RequestKind.RENAME, "Ann Anna", "Red's phone: Ann is called Anna."),
        (RequestKind.OPEN, "game high-five\nseats Ann Ben", "Red's phone begins a new game."),
    ],
)
def test_before_there_is_a_game_a_phone_changes_things_under_a_screen_that_is_open(
    tmp_path: Path, anna: Phone, kind: RequestKind, text: str, told: str | None
) -> None:
    """Players are being chosen at the box. If that is dropped, it says so, and the next key only
    takes the message away."""
    with Rig(tmp_path / "new.db").press("1 2") as rig:
        asked = replace(anna.key(rig.snapshots[-1], text), kind=kind)
        assert isinstance(anna.asks(rig, asked), Counted)
        assert rig.table.box.console.message == told
        assert (rig.table.box.console.screen is None) is (kind is RequestKind.OPEN)
        if kind is RequestKind.OPEN:
            rig.press("OK")
            assert (rig.table.box.console.message, rig.entries) == (None, [])


def test_another_run_has_written_meanwhile(rig: Rig, anna: Phone) -> None:
    proposal = anna.key(rig.snapshots[-1], "Red 6-5")
    lock = rig.path.with_name(f"{rig.path.name}.lock")
    lock.unlink()
    with Store.open(rig.path, rig.store.catalog) as other:
        stands = Stands(rig.store.game(1), 1, rig.store.catalog)
        other.keep(1, Proposal(proposal.identity, None, 1, b"", "Red draw").row(stands))
    answer = anna.asks(rig, proposal)
    assert isinstance(answer, LookAgain)
    assert len(answer.between) == 1
    assert rig.snapshots[-1].journal is not None
    assert str(rig.snapshots[-1].journal.entries[-1]) == "Red draw"


# ---------------------------------------------------------------- refused, and dead from then on


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Blue 6-5", "Red is to move"),
        ("Red 5-4", "doesn't fit: the open ends are 6"),
        ("Red jumps", "is not something that a seat does"),
        ("Anna 6-5", "is neither a seat"),
        ("", "nothing was entered"),
        ("# 6-5", "nothing was entered"),
        ("<b>Red</b> 6-5", "is neither a seat"),
        ("Red 6-5 " * LONGEST, "more than 4,096 characters are no entry"),
        ("Red draw 9" + "9" * 3000, ""),
    ],
)
def test_what_the_rules_refuse_is_refused_in_words(
    rig: Rig, anna: Phone, text: str, why: str
) -> None:
    before = rig.screen
    answer = anna.says(rig, text)
    assert isinstance(answer, Refused)
    assert why in answer.why
    assert "\n" not in answer.why
    assert rig.entries == ["hand", "Blue 6-6"]
    assert rig.screen == before, "it is no affair of the box"


def test_what_was_refused_stays_dead_when_it_would_be_allowed(rig: Rig, anna: Phone) -> None:
    rig.press("6 5 OK")
    seen = rig.snapshots[-1]
    early = anna.key(seen, "Red 5-4")
    answer = anna.asks(rig, early)
    assert isinstance(answer, Refused)
    moved_on = Proposal(early.identity, early.seat, 1, seen.tip, "Blue 5-5")
    assert anna.asks(rig, moved_on) == answer, "the same identity, whatever it says now"
    assert anna.asks(rig, Inquiry(early.identity)) == answer
    anna.says(rig, "Blue 5-5")
    assert anna.asks(rig, early) == NotCounted()
    assert rig.entries == ["hand", "Blue 6-6", "Red 6-5", "Blue 5-5"]


def test_what_the_disk_refused_stays_dead_when_it_is_well_again(rig: Rig, anna: Phone) -> None:
    disk = Disk(rig.store)
    disk.fails = "before"
    proposal = anna.key(rig.snapshots[-1], "Red 6-5")
    refused = Refused("Not saved: the disk has a fault")
    assert anna.asks(rig, proposal) == refused
    disk.fails = None
    assert anna.asks(rig, proposal) == refused
    assert rig.entries == ["hand", "Blue 6-6"]
    with opened_again(rig) as again:
        assert anna.asks(again, proposal) == NotCounted()
        assert again.entries == ["hand", "Blue 6-6"]
        assert isinstance(anna.says(again, "Red 6-5"), Counted)


def test_a_row_that_is_on_the_disk_has_counted_whatever_the_disk_says(
    rig: Rig, anna: Phone
) -> None:
    disk = Disk(rig.store)
    disk.fails = "after"
    answer = anna.says(rig, "Red 6-5")
    assert isinstance(answer, Counted)
    assert rig.entries[-1] == "Red 6-5"
    assert rig.snapshots[-1].row == answer.row


def test_what_cant_be_known_is_not_promised(rig: Rig, anna: Phone) -> None:
    disk = Disk(rig.store)
    disk.fails, disk.blind = "after", True
    proposal = anna.key(rig.snapshots[-1], "Red 6-5")
    assert isinstance(anna.asks(rig, proposal), NotKnown)
    assert isinstance(anna.asks(rig, Inquiry(proposal.identity)), NotKnown)
    disk.fails, disk.blind = None, False
    answer = anna.asks(rig, Inquiry(proposal.identity))
    assert isinstance(answer, NotCounted), "it was not tried before the record could be asked"
    assert isinstance(anna.says(rig, "Red 6-5"), Counted)


def test_a_lost_commit_that_was_none_stands_once_the_disk_can_be_asked(
    rig: Rig, anna: Phone
) -> None:
    """The proposal's identity is looked up; then nothing can be read from the disk, in the middle
    of the row."""
    disk, proposal = Disk(rig.store), anna.key(rig.snapshots[-1], "Red 6-5")
    disk.fails, disk.blind_after_row = "after", True
    assert isinstance(anna.asks(rig, proposal), NotKnown)
    disk.fails, disk.blind = None, False
    answer = anna.asks(rig, proposal)
    assert isinstance(answer, Counted)
    assert rig.entries[-1] == "Red 6-5"
    assert rig.snapshots[-1].row == answer.row
    rig.press("5 5 OK")
    assert rig.entries[-1] == "Blue 5-5"


def test_what_is_asked_for_before_it_comes_is_dead(rig: Rig, anna: Phone) -> None:
    """The connection dropped; the phone asks on another one and hears that its proposal did not
    count. Only then the old connection's bytes arrive."""
    proposal = anna.key(rig.snapshots[-1], "Red 6-5")
    assert anna.asks(rig, Inquiry(proposal.identity)) == NotCounted()
    assert anna.asks(rig, proposal) == NotCounted()
    assert rig.entries == ["hand", "Blue 6-6"]


def test_what_was_keyed_before_a_restart_does_not_count_after_it(rig: Rig, anna: Phone) -> None:
    proposal = anna.key(rig.snapshots[-1], "Red 6-5")
    with opened_again(rig) as again:
        assert again.snapshots[-1].tip == proposal.tip, "nothing has changed but the run"
        assert anna.asks(again, proposal) == NotCounted()
        assert again.entries == ["hand", "Blue 6-6"]


def test_so_many_surfaces_that_some_are_forgotten_bring_no_dead_back(rig: Rig, anna: Phone) -> None:
    refused = anna.key(rig.snapshots[-1], "Red 5-4")
    anna.asks(rig, refused)
    run = rig.snapshots[-1].run
    for number in range(MOST_SURFACES):
        Phone(f"phone-{number + 2}").says(rig, "Red 5-4")
    assert rig.snapshots[-1].run != run, "the surfaces are told the new run"
    late = Proposal(refused.identity, None, 1, rig.snapshots[-1].tip, "Red 6-5")
    assert anna.asks(rig, late) == NotCounted()
    assert isinstance(anna.says(rig, "Red 6-5"), Counted)


def test_known_comes_before_all_other_questions(rig: Rig, anna: Phone) -> None:
    """A row that counted stays counted, even if its game has moved on, the proposal now has other
    words, and the disk takes nothing."""
    proposal = anna.key(rig.snapshots[-1], "Red 6-5")
    counted = anna.asks(rig, proposal)
    Phone("phone-2").says(rig, "Blue 5-5")
    Disk(rig.store).fails = "before"
    nonsense = Proposal(proposal.identity, None, 7, b"", "?")
    assert anna.asks(rig, nonsense) == counted
    with opened_again(rig) as again:
        assert anna.asks(again, nonsense) == counted


def test_look_again_comes_before_the_rules_and_the_rules_before_the_disk(
    rig: Rig, anna: Phone
) -> None:
    seen = rig.snapshots[-1]
    rig.press("6 5 OK")
    Disk(rig.store).fails = "before"
    assert isinstance(anna.asks(rig, anna.key(seen, "Red jumps")), LookAgain)
    answer = anna.says(rig, "Red jumps")
    assert isinstance(answer, Refused)
    assert "jumps" in answer.why
    assert anna.says(rig, "Blue 5-5") == Refused("Not saved: the disk has a fault")


def test_a_fault_of_ours_is_answered_too(
    rig: Rig, anna: Phone, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def faulty(*_: object) -> None:
        raise ZeroDivisionError("a fault")

    with monkeypatch.context() as broken:
        broken.setattr(Proposal, "row", faulty)
        assert isinstance(anna.says(rig, "Red 6-5"), Refused)
        proposal = anna.key(rig.snapshots[-1], "Red 6-5")
        rig.table.events.put(Request(proposal, faulty))
        rig.table.turn(0)
    assert capsys.readouterr().err.count("ZeroDivisionError: a fault") == 3
    assert isinstance(anna.says(rig, "Red 6-5"), Counted)


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
def test_an_identity_that_cant_be(surface: str, run: int, number: int) -> None:
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
    rig.table.turn(0)
    for phone, identities in asked.items():
        assert [answered.identity for answered in phone.answers] == identities


def test_a_flood_of_one_phone_holds_up_neither_the_box_nor_another_phone(
    rig: Rig, anna: Phone
) -> None:
    flood = Phone("phone-2")
    order: list[str] = []
    seen = rig.snapshots[-1]
    for _ in range(200):
        rig.table.events.put(Request(flood.key(seen, "Red jumps"), lambda _: order.append("flood")))
    rig.table.events.put(Request(anna.key(seen, "Red 6-5"), lambda _: order.append("anna")))
    rig.table.events.put(Press(Key.D6))
    rig.table.turn(0)
    assert order.index("anna") <= 1
    assert len(order) == 201
