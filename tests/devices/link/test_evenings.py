"""Any accidents in any order, with the whole box behind the link: every entry that a player saw is
in the record exactly once, and none is there that nobody keyed."""

import tempfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from companion.core.keys import SIXTEEN, Key
from companion.record.rows import GameOpened, Step
from tests.devices.link.box import Box
from tests.devices.link.world import CALM_S, Way
from tests.sampling import examples

START = "1 2 1 OK OK 1 OK 2"
"""Begins High Five for two by their colours. The keypad is Red's; Blue leads the double six."""
LIKELY = (*"0123456", "OK", "OK", "OK", "OK", "DRAW", "PASS")
MEMORY = Path("/dev/shm")


class Accidents(RuleBasedStateMachine):
    """Presses, and everything that can happen to cables, keypads and hosts."""

    @initialize()
    def starts(self) -> None:
        self.folder = tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None)
        self.box = Box(Path(self.folder.name) / "record.db")
        self.box.wait(1.0)
        self.box.keys(START)

    @rule(key=st.sampled_from(SIXTEEN) | st.sampled_from(LIKELY).map(Key))
    def press(self, key: Key) -> None:
        self.box.press(key)

    @rule(one=st.integers(0, 6), other=st.integers(0, 6))
    def lay(self, one: int, other: int) -> None:
        self.box.keys(f"{one} {other} OK")

    @rule(key=st.sampled_from(SIXTEEN), times=st.integers(30, 70))
    def mash(self, key: Key, times: int) -> None:
        for _ in range(times):
            self.box.press(key)

    @rule(seconds=st.sampled_from([0.0, 0.05, 0.3, 0.6, 5.0, 11.0]))
    def wait(self, seconds: float) -> None:
        self.box.wait(seconds)

    @rule(to_host=st.booleans(), at=st.integers(0, 60), bit=st.integers(0, 9))
    def damage(self, to_host: bool, at: int, bit: int) -> None:
        """Damages the next piece in that direction: changes one bit, cuts it, or repeats its
        end."""
        way = self.box.to_host if to_host else self.box.to_keypad
        plain = way.damage

        def once(piece: bytes) -> Iterable[bytes]:
            way.damage = plain
            here = at % len(piece)
            if bit < 8:
                yield piece[:here] + bytes((piece[here] ^ 1 << bit,)) + piece[here + 1 :]
            elif bit == 8:
                yield piece[:here]
            else:
                yield piece
                yield piece[here:]

        way.damage = once

    @rule(to_host=st.booleans(), late_s=st.floats(0.1, 3.0))
    def delay(self, to_host: bool, late_s: float) -> None:
        """Makes the next piece in that direction arrive after later ones."""
        box = self.box
        way: Way = box.to_host if to_host else box.to_keypad
        plain = way.damage

        def once(piece: bytes) -> Iterable[bytes]:
            way.damage = plain
            way.late.append((box.now + late_s, piece))
            yield from ()

        way.damage = once

    @rule(plug=st.booleans())
    def replug(self, plug: bool) -> None:
        self.box.unplug()
        if plug:
            self.box.plug()

    @rule()
    def plug(self) -> None:
        self.box.plug()

    @rule()
    def reset(self) -> None:
        self.box.reset()

    @rule()
    def kill(self) -> None:
        # What a cable holds does not outlive the program that had it open: the port is flushed.
        self.box.to_keypad.late.clear()
        self.box.start_host()

    @rule(before_keeping=st.booleans())
    def kill_in_the_middle(self, before_keeping: bool) -> None:
        """Kills the host at the next row, before it is on the disk, or at the next press, before it
        is acknowledged."""
        if before_keeping:
            self.box.kill_before_keeping = True
        else:
            self.box.kill_before_settling = True

    @invariant()
    def what_is_seen_is_kept(self) -> None:
        if hasattr(self, "box"):
            self.box.looked()

    def teardown(self) -> None:
        if not hasattr(self, "box"):
            return
        self.box.plug()
        self.box.wait(2 * CALM_S)
        self.box.all_accounted()
        self.box.close()
        self.folder.cleanup()


TestAccidents = Accidents.TestCase
TestAccidents.settings = settings(max_examples=examples(60), stateful_step_count=25)


@pytest.fixture
def box(tmp_path: Path) -> Box:
    box = Box(tmp_path / "record.db")
    box.wait(1.0)
    box.keys(START).keys("6 5 OK")
    return box


def entries_of(box: Box) -> list[str]:
    assert box.rig
    return box.rig.entries


def test_an_entry_counts_once_if_the_host_dies_before_acknowledging(box: Box) -> None:
    before = entries_of(box)
    box.keys("5 5")
    box.kill_before_settling = True
    box.keys("OK").wait(CALM_S)
    assert entries_of(box) == [*before, "Blue 5-5"]
    assert box.sessions == 2
    box.all_accounted()
    box.close()


def test_a_press_lost_before_the_commit_is_reported_by_the_keypad(box: Box) -> None:
    before = entries_of(box)
    box.keys("5 5")
    box.kill_before_keeping = True
    box.press(Key.OK)
    box.wait(1.0)
    assert entries_of(box) == before
    assert box.keypad.says_dropped
    box.wait(CALM_S)
    box.keys("5 5 OK").wait(CALM_S)
    assert entries_of(box) == [*before, "Blue 5-5"]
    box.all_accounted()
    box.close()


def test_rows_record_the_press_that_completed_them(box: Box) -> None:
    assert box.rig
    rows = list(box.rig.store.rows(1))
    assert isinstance(rows[0].row, GameOpened)
    assert isinstance(rows[1].row, Step)
    boot = int.from_bytes(box.keypad.boot)
    presses = len(f"{START} 6 5 OK".split())
    assert rows[-1].source == f"{box.keypad.serial.hex()}/{boot}/{presses}"
    assert box.rig.store.last_press(box.keypad.serial.hex(), boot) == presses
    assert box.rig.store.last_press(box.keypad.serial.hex(), boot + 1) == 0
    box.close()
