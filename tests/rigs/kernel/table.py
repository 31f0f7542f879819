"""Plays on the guest's table, and knows the frames that its panel has to show.

Keys go to the simulated pins and to a console in memory at the same time, so after every press
there is a frame to compare with what the panel's memory holds.
"""

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from struct import Struct, unpack_from
from typing import Any, Self

import pytest

from companion.app.config import PLACE
from companion.console.frame import PAGES, WIDTH, Frame
from companion.console.screen import View
from companion.console.screen_saver import PLACES, moved
from companion.core.box_page import Phones
from companion.core.keys import Key, Press
from companion.devices.board import DirectKeys, MatrixKeys, load_board
from companion.presentation.corrections import restored_chips_due
from companion.record.tally import format_tally
from tests.console.rig import Rig
from tests.console.typist import Typist, recorded
from tests.fake_oled import NOISE, Chip, FakeOled
from tests.rigs.kernel.guest import Guest, GuestError

DROP_IN = "/run/systemd/system/companion.service.d"
RECORD = "/var/lib/companion/record.db"
WAKES = pytest.mark.sampled(1, property="tests/rigs: how often the box wakes")
"""Tests of how often the box wakes: with nobody playing, by the kernel's pins or lgpio's, or
asleep. Each takes minutes."""
SHOWN_S = 10.0
"""Seconds of the guest's clock after which a picture counts as missing."""
START_S = 30.0
STROKE_S, SCANNED_STROKE_S = 0.045, 0.08
"""Seconds that keys stay down and up; longer if they are scanned, as the scan has to wait for a
single slow core that draws."""
PATIENCE_S = 120.0
"""Seconds of our clock to wait: the guest's goes slower when this machine is busy."""
OFFSET = {"ssd1306": 0, "sh1106": 2}
COLUMNS = 132
_STATE = Struct("<5Q8B")
_ENTRY = Struct("<QH")


@dataclass(frozen=True, slots=True)
class Seen:
    """The state of the panel's module; see struct state in panel.c."""

    last_ns: int
    lit_ns: int
    transfers: int
    carried: int
    errors: int
    on: int
    contrast: int
    first_row: int
    mode: int
    mirrored: int
    upside_down: int
    inverse: int
    unused: int
    memory: bytes

    @classmethod
    def parse(cls, state: bytes) -> Self:
        """Reads the struct."""
        return cls(*(*_STATE.unpack_from(state), state[_STATE.size :]))

    def frame(self, chip: Chip) -> Frame:
        """The frame that a viewer sees, if the panel is mounted and driven as usual."""
        assert (self.mirrored, self.upside_down, self.inverse) == (0, 0, 0)
        first = OFFSET[chip]
        pages = [
            self.memory[page * COLUMNS + first : page * COLUMNS + first + WIDTH]
            for page in range(PAGES)
        ]
        columns = [int.from_bytes(column, "little") for column in zip(*pages, strict=True)]
        up = self.first_row
        turned = [(bits >> up | bits << 64 - up) & (1 << 64) - 1 for bits in columns]
        return Frame(bytes(bits >> 8 * page & 255 for page in range(PAGES) for bits in turned))


def wanted(frame: Frame, chip: Chip) -> list[str]:
    """All states of a panel that shows the frame, one for each place to which the screen saver may
    have moved it: registers and memory as agent.seen gives them, in base64."""
    before = bytes([NOISE]) * OFFSET[chip]
    behind = bytes([NOISE]) * (COLUMNS - WIDTH - OFFSET[chip])
    found = []
    for across, down in PLACES:
        pixels = moved(frame, across).pixels
        rows = (pixels[page * WIDTH : (page + 1) * WIDTH] for page in range(PAGES))
        memory = b"".join(before + row + behind for row in rows)
        found.append(bytes([1, -down % 64, 2, 0, 0, 0, 0]) + memory)
    return [base64.b64encode(one).decode() for one in found]


@dataclass(frozen=True, slots=True)
class Step:
    """A press of a key, and its result."""

    key: Key
    frame: Frame
    view: View[Any]

    @property
    def tally(self) -> str:
        """The game so far, as `companion export` writes it."""
        return format_tally(self.view.game)


@dataclass
class Stepping(Rig):
    """A console in memory that keeps every step. As in the service, phones may come in."""

    steps: list[Step] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.view = replace(self.view, phones=Phones(open=True))
        self.frame = self.console.show(self.view).frame

    def _one(self, press: Press) -> None:
        super()._one(press)
        self.steps.append(Step(press.key, self.frame, self.view))

    @classmethod
    def resumed(cls, view: View[Any]) -> Self:
        """The console of a box that is switched on again with the record of `view`."""
        rig = cls()
        rig.view = view
        due = restored_chips_due(view.journal, 0) if view.journal else None
        if due is not None and not due.at_box:
            rig.console = rig.console.with_chips_due(view, due)
        rig.frame = rig.console.show(view).frame
        return rig


def played(seed: int, players: int, way: str) -> list[Step]:
    """A whole game from tests/console/played, keyed in one of the ways to key tiles."""
    rig = Stepping()
    rig.press(f"1 {players} 1 OK")
    typist = Typist(rig, way)
    for entry, after in recorded(seed, players):
        typist.enter(entry, after)
    assert not rig.refused
    return rig.steps


def places(keys: DirectKeys | MatrixKeys) -> Iterator[tuple[Key, tuple[int, int]]]:
    """Each key with the line to pull, and its contact in a matrix or 0 (see contacts.h)."""
    if isinstance(keys, DirectKeys):
        yield from ((key, (pin, 0)) for key, pin in keys.pins.items())
        return
    for row, row_keys in zip(keys.rows, keys.layout, strict=True):
        for column, key in zip(keys.columns, row_keys, strict=True):
            yield key, (column, row << 8 | column)


class GuestTable:
    """The companion in the guest, with a record of its own."""

    def __init__(self, guest: Guest, chip: Chip = "ssd1306", board: str = "keys-16") -> None:
        self.guest, self.chip, self.board = guest, chip, board
        keys = load_board(board).keys
        self._places = dict(places(keys))
        self._stroke = STROKE_S if isinstance(keys, DirectKeys) else SCANNED_STROKE_S
        self.latencies: list[float] = []
        """Seconds from each edge that changed the picture to the last byte on the bus."""
        self.shown: Seen | None = None

    def fresh(self, config: str = "", hertz: int = 0) -> Seen:
        """A new panel, an empty record and a service that has just been started. `config`: more
        lines of the configuration; `hertz`: the speed of the bus (0 if it takes no time)."""
        panel = f"sh1106={int(self.chip == 'sh1106')} hertz={hertz}"
        box = f'[box]\nhardware = "board"\nboard = "{self.board}"\n'
        lines = f'{box}[display]\ndriver = "{self.chip}"\n{config}'
        # Without this, systemd would take many short tests for failures and refuse the start.
        self.guest.run("systemctl stop companion; systemctl reset-failed", 60)
        self.guest.run(f"rm -rf {RECORD}*; sh /rig/setup.sh panel {panel}", 60)
        self.guest.run(f"cat >{PLACE}", text=lines)
        self.guest.run("systemctl start companion", 60)
        return self.expect(Rig().frame, START_S)

    # ------------------------------------------------------------ fingers and eyes

    def press(
        self, key: Key, frame: Frame, closing: Sequence[float] = (), opening: Sequence[float] = ()
    ) -> Seen:
        """Presses a key, with bounces of that many seconds; fails unless the panel shows `frame`
        after it. Returns the panel's state."""
        before = self.shown
        pin, contact = self._places[key]
        answer = self.guest.ask(
            "press",
            SHOWN_S + PATIENCE_S,
            pin=pin,
            contact=contact,
            stroke=self._stroke,
            wanted=wanted(frame, self.chip),
            within=SHOWN_S,
            closing=list(closing),
            opening=list(opening),
        )
        edges = f"contact closing at {answer['closed']}, opening at {answer['opened']}"
        seen = self._check(answer, frame, f"after {key.value} ({edges})")
        if before and seen.memory != before.memory:
            self.latencies.append((seen.last_ns - answer["closed"][-1]) / 1e9)
        return seen

    def blind(self, key: Key) -> None:
        """Presses a key without looking at the panel."""
        pin, contact = self._places[key]
        self.guest.ask("press", pin=pin, contact=contact, stroke=self._stroke, wanted=[], within=0)

    def glitch(self, key: Key, seconds: float) -> float:
        """Closes a contact for less than a press; returns how long it really was, in seconds."""
        lasted = self.guest.ask("glitch", pin=self._places[key][0], lasts=seconds)["lasted_ns"]
        return float(lasted) / 1e9

    def expect(self, frame: Frame, within: float = SHOWN_S) -> Seen:
        """Fails unless the panel shows `frame` within that many seconds. Returns the panel's
        state."""
        answer = self.guest.ask(
            "look", within + PATIENCE_S, wanted=wanted(frame, self.chip), within=within
        )
        return self._check(answer, frame, f"{within:.0f} s later")

    def look(self) -> Seen:
        """The state of the panel now."""
        answer = self.guest.ask("look", wanted=[], within=0)
        return Seen.parse(base64.b64decode(answer["state"]))

    def _check(self, answer: dict[str, Any], frame: Frame, when: str) -> Seen:
        state = base64.b64decode(answer["state"])
        self.shown = seen = Seen.parse(state)
        good = (base64.b64decode(one) for one in wanted(frame, self.chip))
        if state[40:41] + state[42:] in good:
            return seen
        both = side_by_side(frame, seen.frame(self.chip)) if seen.on else ["(the panel is off)"]
        raise GuestError("\n".join([f"{when} the panel shows another picture", *both,
                                    self.guest.journal()]))  # fmt: skip

    # ------------------------------------------------------------ record and wire

    def tally(self) -> str:
        """The newest game of the record, as the guest's own command writes it."""
        return self.guest.run(f"companion export last --record {RECORD}", 60)

    def wakeups(self, seconds: float) -> dict[str, float]:
        """Wake-ups per second of the service's threads, watched for `seconds`; see wakeups.py."""
        pid = self.guest.run("systemctl show -P MainPID companion").strip()
        told = self.guest.run(f"python3 /rig/wakeups.py {pid} {seconds:.0f}", seconds + 30)
        lines = (line.partition("/s") for line in told.splitlines())
        return {thread.strip(): float(rate) for rate, _, thread in lines}

    def fake_oled(self) -> tuple[FakeOled, int]:
        """The fake panel that the other tests use, after replaying all that the bus has carried
        since the last call; and how many bytes the modelled controller counted for that."""
        fake_oled, total = FakeOled(self.chip), 0
        for control, data in transfers(base64.b64decode(self.guest.ask("log")["log"])):
            total += 2 + len(data)
            (fake_oled.data(list(data)) if control == 0x40 else fake_oled.command(*data))
        return fake_oled, total


def transfers(log: bytes) -> Iterator[tuple[int, bytes]]:
    """The control byte and the rest of each transfer in the panel's log."""
    at = 0
    while at < len(log):
        _, length = unpack_from(_ENTRY.format, log, at)
        at += _ENTRY.size
        yield log[at], log[at + 1 : at + length]
        at += length


def side_by_side(expected: Frame, found: Frame) -> list[str]:
    """Two frames as text art, side by side, for a person to compare; rows that are the same in both
    are left out."""
    pairs = zip(expected.rows(), found.rows(), strict=True)
    lines = [f"{y:2} {a}\n   {b}" for y, (a, b) in enumerate(pairs) if a != b]
    return ["expected above, found below:", *lines]


def save_picture(frame: Frame, path: Path) -> None:
    """Saves the frame as a PNG that a person can look at."""
    frame.to_image().resize((WIDTH * 6, 64 * 6)).save(path)
