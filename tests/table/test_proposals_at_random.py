"""Phones, box and a failing disk in random order. No entry counts twice, none is lost after
“counted”, none is “counted” without a row, and every proposal has one answer."""

import sqlite3
import tempfile
from collections import Counter
from contextlib import closing
from pathlib import Path

from hypothesis import note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from companion.console.console import Console
from companion.core.keys import Key, Press
from companion.core.seats import Seat, Seats
from companion.record.rows import Amend, GameOpened, KeptRow, Redo, Rewind, Row, Setting, Step, Undo
from companion.record.store.reader import Reader
from companion.table.events import (
    ChipsMoved,
    GameMovedOn,
    Inquiry,
    OutcomeUnknown,
    Proposal,
    ProposalAnswer,
    ProposalCounted,
    ProposalId,
    Request,
    SeatTaken,
)
from tests.proposing import NO, Phone
from tests.record.disk import Disk
from tests.rig import Rig
from tests.sample_games import RACE_GAMES, RACE_RULES, Scored
from tests.sampling import examples

MEMORY = Path("/dev/shm")
SEATS = Seats.of("Red", "Blue")
PHONES = st.integers(0, 2)
OLD = st.integers(0, 3)
"""The number of rows that a phone is behind, mostly 0."""

SCORED = st.tuples(st.integers(0, 21), st.sampled_from([None, "Red", "Blue"]), st.integers(1, 2))
"""The points; their seat (None for the seat to move); how many seats score at once."""


def identity_of(request: Request) -> ProposalId:
    assert not isinstance(request.content, ChipsMoved | SeatTaken), "only proposals"
    return request.content.identity


class Killed(BaseException):
    """The program is killed here."""


class Evening(RuleBasedStateMachine):
    """A race at the box with three phones that are late, ask twice, and know only old rows."""

    @initialize()
    def begin(self) -> None:
        self.folder = tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None)
        self.phones = [Phone("phone-1", "Red"), Phone("phone-2", "Blue"), Phone("phone-3")]
        self.under_way: list[tuple[Phone, Request]] = []
        self.made: list[tuple[Phone, Proposal]] = []
        self.asked: Counter[tuple[str, ProposalId]] = Counter()
        self.killed: Counter[tuple[str, ProposalId]] = Counter()
        self.kill_at: str | None = None
        self.newest: int | None = 0
        self.rows: list[KeptRow] = []
        self.start()
        self.keep_at_the_box(GameOpened("race", SEATS, {"goal": 200}))

    def start(self) -> None:
        self.rig = Rig(Path(self.folder.name) / "record.db", games=RACE_GAMES)
        self.disk = Disk(self.rig.store)
        keep, answer = self.rig.store.keep, self.rig.table._proposals.answer

        def kept(*row: object) -> object:
            self.die("before keeping")
            kept = keep(*row)  # type: ignore[arg-type]
            self.die("after keeping")
            return kept

        def answered(what: Proposal | Inquiry) -> ProposalAnswer:
            found = answer(what)
            self.die("before telling")
            return found

        vars(self.rig.store)["keep"] = kept
        vars(self.rig.table._proposals)["answer"] = answered

    def die(self, where: str) -> None:
        if self.kill_at == where:
            self.kill_at = None
            raise Killed

    def restart(self) -> None:
        self.disk.fails, self.disk.blind = None, False
        self.rig.close()
        self.start()

    # ------------------------------------------------------------ the box

    def keep_at_the_box(self, row: Row) -> None:
        """Makes that row at the box, which may refuse it."""
        press = Console.press
        Console.press = lambda self, view, press: (self, row)  # type: ignore[method-assign]
        try:
            self.rig.send(Press(Key.OK))
        except Killed:
            self.restart()
        finally:
            Console.press = press  # type: ignore[method-assign]

    def press(self, keys: str) -> None:
        """Presses keys; after the end of a game a digit begins the next one."""
        try:
            self.rig.press(keys)
        except Killed:
            self.restart()

    @rule(points=st.integers(0, 21))
    def key(self, points: int) -> None:
        self.press(f"{' '.join(str(points))} OK")

    @rule(digit=st.integers(0, 9))
    def begin_to_key(self, digit: int) -> None:
        self.press(str(digit))

    @rule(row=st.sampled_from([Undo(), Redo(), Setting("contrast", 3), Setting("entry", "count")]))
    def change(self, row: Row) -> None:
        self.keep_at_the_box(row)

    @rule(at=st.integers(0, 5), points=st.integers(0, 20), put_in=st.booleans())
    def amend(self, at: int, points: int, put_in: bool) -> None:
        seat = SEATS.order[at % 2]
        self.keep_at_the_box(Amend(at, (Scored(seat, points),), put_in))

    @rule(to=st.integers(0, 5))
    def rewind(self, to: int) -> None:
        self.keep_at_the_box(Rewind(to))

    @rule()
    def new_game(self) -> None:
        self.keep_at_the_box(GameOpened("race", SEATS, {"goal": 50}))

    # ------------------------------------------------------------ phones

    @rule(which=PHONES, old=OLD, scored=SCORED, delivered=st.booleans())
    def propose(
        self, which: int, old: int, scored: tuple[int, str | None, int], delivered: bool
    ) -> None:
        """Proposes a score from a phone, from what it has seen lately; for the seat to move if no
        seat is given."""
        points, said, lines = scored
        seen = self.rig.snapshots[-min(old or 1, len(self.rig.snapshots))]
        mover = seen.journal.state.to_move if seen.journal else None
        first = Seat(said) if said else mover or SEATS.order[0]
        seats = (first, SEATS.left_of(first))[:lines]
        text = "\n".join(f"{one} scores {points}" for one in seats)
        phone = self.phones[which]
        proposal = phone.key(seen, text)
        self.made.append((phone, proposal))
        self.send(phone, proposal)
        if delivered:
            self.deliver(-1)

    @rule(at=st.integers(0, 9))
    def send_again(self, at: int) -> None:
        """Sends a proposal of a phone once more."""
        if self.made:
            phone, proposal = self.made[-1 - at % len(self.made)]
            self.send(phone, proposal)

    @rule(at=st.integers(0, 9))
    def inquire(self, at: int) -> None:
        if self.made:
            phone, proposal = self.made[-1 - at % len(self.made)]
            self.send(phone, Inquiry(proposal.identity))
            self.deliver(-1)

    def send(self, phone: Phone, what: Proposal | Inquiry) -> None:
        self.under_way.append((phone, phone.request(what)))

    @rule(at=st.integers(0, 5))
    def deliver(self, at: int) -> None:
        """Delivers one of the proposals under way to the loop."""
        if self.under_way:
            self.give(self.under_way.pop(at % len(self.under_way)))

    @rule()
    def deliver_all_at_once(self) -> None:
        everything, self.under_way = self.under_way, []
        self.give(*everything)

    def give(self, *requests: tuple[Phone, Request]) -> None:
        for phone, request in requests:
            self.asked[phone.name, identity_of(request)] += 1
            self.rig.table.events.put(request)
        try:
            self.rig.table.run_once(0)
            while self.rig.table.events.is_behind:
                self.rig.table.run_once(0)
        except Killed:
            for phone, request in requests:
                key = phone.name, identity_of(request)
                told = sum(one.identity == key[1] for one in phone.answers)
                self.killed[key] = self.asked[key] - told
            self.restart()

    # ------------------------------------------------------------ accidents

    @rule(how=st.sampled_from(["before", "after"]))
    def disk_begins_to_fail(self, how: str) -> None:
        self.disk.fails = how

    @rule()
    def nothing_can_be_read(self) -> None:
        self.disk.blind = True

    @rule()
    def disk_is_well_again(self) -> None:
        self.disk.fails, self.disk.blind = None, False

    @rule()
    def switch_off_and_on(self) -> None:
        self.restart()

    @rule(where=st.sampled_from(["before keeping", "after keeping", "before telling"]))
    def kill(self, where: str) -> None:
        self.kill_at = where

    # ------------------------------------------------------------ what must be true

    def rows_on_disk(self) -> list[KeptRow]:
        """The rows of the record, read again if there are more."""
        with closing(sqlite3.connect(self.rig.path)) as db:
            (newest,) = db.execute("SELECT max(seq) FROM record").fetchone()
        if newest != self.newest:
            self.newest = newest
            with Reader.open(self.rig.path, RACE_RULES) as record:
                self.rows = [one for game in record.game_numbers() for one in record.rows(game)]
                self.last = record.last_game()
                self.stand = {game: record.game(game) for game in record.game_numbers()}
        return self.rows

    @invariant()
    def every_asking_is_answered_once(self) -> None:
        for phone in self.phones if hasattr(self, "rig") else ():
            told = Counter(one.identity for one in phone.answers)
            for (name, identity), times in self.asked.items():
                if name == phone.name:
                    assert told[identity] + self.killed[name, identity] == times

    @invariant()
    def answers_are_true_for_ever(self) -> None:
        if not hasattr(self, "rig"):
            return
        rows = self.rows_on_disk()
        made = {one.source: one for one in rows if one.source}
        assert len(made) == sum(one.source is not None for one in rows), "one twice"
        last_of = dict[int, bytes]()
        before = dict[str | None, bytes]()
        for one in sorted(rows, key=lambda one: one.seq):
            before[one.source] = last_of.get(one.game, b"")
            last_of[one.game] = one.hash
        proposed = {str(one.identity): one for _, one in self.made}
        for source, one in made.items():
            proposal = proposed[source]
            assert before[source] == proposal.tip, "it was keyed on something else"
            assert (one.game, one.keyed_by) == (proposal.game, proposal.seat)
            assert isinstance(one.row, Step)
            assert "\n".join(map(str, one.row.entries)) == proposal.text
        for phone in self.phones:
            for answered in phone.answers:
                row, answer = made.get(str(answered.identity)), answered.answer
                if isinstance(answer, ProposalCounted):
                    assert row is not None, "counted without a row"
                    assert row.seq == answer.row
                elif isinstance(answer, NO):
                    assert row is None, f"it counted, and the phone was told {answer}"
                else:
                    assert isinstance(answer, OutcomeUnknown)

    @invariant()
    def what_came_between_is_told(self) -> None:
        tips = {str(one.identity): one.tip for _, one in getattr(self, "made", ())}
        for phone in self.phones if hasattr(self, "rig") else ():
            for answered in phone.answers:
                if isinstance(answered.answer, GameMovedOn):
                    between = answered.answer.between
                    assert between, "nothing came between"
                    assert [one.seq for one in between] == sorted(one.seq for one in between)
                    assert tips[str(answered.identity)] not in [one.hash for one in between]

    @invariant()
    def the_snapshot_is_the_record(self) -> None:
        if not hasattr(self, "rig") or self.disk.blind or self.rig.store._doubtful:
            return
        rows, seen = self.rows_on_disk(), self.rig.snapshots[-1]
        mine = [one for one in rows if one.game == seen.game]
        assert bool(rows) == bool(mine)
        assert seen.row == self.newest or 0
        if seen.journal is None:
            return
        stands = self.stand[seen.game or 0]
        assert stands is not None
        assert stands.entries == seen.journal.entries
        assert stands.withdrawn == seen.journal.withdrawn
        assert mine[-1].hash == seen.tip
        assert self.last is None or self.last[0] == seen.game

    def teardown(self) -> None:
        if hasattr(self, "rig"):
            counts = Counter(type(one.answer).__name__ for p in self.phones for one in p.answers)
            note(f"answers: {dict(counts)}")
            self.disk.fails, self.disk.blind = None, False
            self.rig.close()
            self.folder.cleanup()


Evening.TestCase.settings = settings(
    max_examples=examples(25), stateful_step_count=40, deadline=None
)
TestEvenings = Evening.TestCase
