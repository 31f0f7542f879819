"""The fake panel: a bus that records what it gets and models what a viewer would see.

It knows the addressing of the controllers, because that is where drivers go wrong: SSD1306 and
SSD1309 obey page and column commands in page mode only; the SH1106 has no other mode and 132
columns; the SH1107 has 128 rows, and the picture takes the 64 in the middle. The fake can be told
to fail, to break off in the middle or to lose bytes, and forgets everything when it is unplugged,
as a panel does.
"""

import errno
from dataclasses import dataclass, field
from typing import Literal

Chip = Literal["ssd1306", "ssd1309", "sh1106", "sh1107"]
PAGES, COLUMNS = 8, 128
NOISE = 0xA5
"""What the memory of a panel that was just switched on holds: anything."""

_SSD1306 = {
    **{0x20: 1, 0x21: 2, 0x22: 2, 0x26: 6, 0x27: 6, 0x29: 5, 0x2A: 5, 0x81: 1, 0x8D: 1},
    **{0xA3: 2, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1},
}
_ARGUMENTS = {
    "ssd1306": _SSD1306,
    "ssd1309": _SSD1306,
    "sh1107": {0x81: 1, 0xA8: 1, 0xAD: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDB: 1, 0xDC: 1},
    "sh1106": {0x81: 1, 0xA8: 1, 0xAD: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1},
}
_HORIZONTAL, _VERTICAL, _PAGE = 0, 1, 2


@dataclass(slots=True)
class _Chip:
    """The controller's registers and memory, as they are after power-on."""

    chip: Chip
    mode: int = _PAGE
    page: int = 0
    column: int = 0
    columns: tuple[int, int] = (0, COLUMNS - 1)
    pages: tuple[int, int] = (0, PAGES - 1)
    on: bool = False
    inverse: bool = False
    mirrored: bool = True
    upside_down: bool = True
    contrast: int = 0x7F
    first_row: int = 0
    unfinished: list[int] = field(default_factory=list)
    memory: list[bytearray] = field(init=False)

    def __post_init__(self) -> None:
        self.memory = [bytearray([NOISE]) * self.width for _ in range(self.rows // 8)]
        # The module of an SH1107 needs no mirroring.
        self.mirrored = self.upside_down = self.chip != "sh1107"

    @property
    def width(self) -> int:
        return 132 if self.chip == "sh1106" else COLUMNS

    @property
    def rows(self) -> int:
        return 128 if self.chip == "sh1107" else PAGES * 8

    def command(self, byte: int) -> None:
        """Takes one command byte; acts when a command is complete."""
        self.unfinished.append(byte)
        opcode, *arguments = self.unfinished
        if len(arguments) == _ARGUMENTS[self.chip].get(opcode, 0):
            self.unfinished = []
            self._obey(opcode, arguments)

    def _obey(self, opcode: int, arguments: list[int]) -> None:
        if opcode <= 0x1F or 0xB0 <= opcode < 0xB0 + self.rows // 8:
            self._point(opcode)
        elif opcode == 0x20 and arguments:
            self.mode = arguments[0] & 3
        elif opcode in (0x21, 0x22) and arguments and self.mode != _PAGE:
            self._limit(opcode, arguments[0], arguments[1])
        elif opcode == 0xDC and arguments:
            self.first_row = arguments[0]
        elif 0x40 <= opcode <= 0x7F and self.chip != "sh1107":
            self.first_row = opcode & 63
        elif opcode == 0x81:
            self.contrast = arguments[0]
        elif opcode in (0xA0, 0xA1):
            self.mirrored = opcode == 0xA0
        elif opcode in (0xC0, 0xC8):
            self.upside_down = opcode == 0xC0
        elif opcode in (0xA6, 0xA7):
            self.inverse = opcode == 0xA7
        elif opcode in (0xAE, 0xAF):
            self.on = opcode == 0xAF

    def _point(self, opcode: int) -> None:
        """Sets the page or column of page mode; ignored in the other modes."""
        if self.mode != _PAGE:
            return
        if opcode >= 0xB0:
            self.page = opcode & 15
        elif opcode >= 0x10:
            self.column = (opcode & 15) << 4 | self.column & 15
        else:
            self.column = self.column & 0xF0 | opcode

    def _limit(self, opcode: int, first: int, last: int) -> None:
        """Sets the window of the horizontal and vertical modes."""
        if opcode == 0x21:
            self.columns, self.column = (first & 127, last & 127), first & 127
        else:
            self.pages, self.page = (first & 7, last & 7), first & 7

    def data(self, byte: int) -> None:
        """Writes a byte and moves on."""
        if self.column < self.width:
            self.memory[self.page][self.column] = byte
        if self.mode == _PAGE:
            self.column += self.column < self.width
            if self.chip in ("ssd1306", "ssd1309") and self.column == self.width:
                self.column = 0
        elif self.mode == _HORIZONTAL:
            self.column, carry = _next(self.column, self.columns)
            self.page = _next(self.page, self.pages)[0] if carry else self.page
        else:
            self.page, carry = _next(self.page, self.pages)
            self.column = _next(self.column, self.columns)[0] if carry else self.column


def _next(at: int, limits: tuple[int, int]) -> tuple[int, bool]:
    """The position after `at`, and whether it wrapped around from the end of `limits` to their
    start."""
    return (limits[0], True) if at == limits[1] else (at + 1, False)


class FakeOled:
    """A panel on a bus. Give it to a driver as its serial interface and look at `seen`. `offset`:
    the column of its memory at which the glass begins (None as with most modules)."""

    def __init__(self, chip: Chip = "ssd1306", offset: int | None = None) -> None:
        self.kind: Chip = chip
        self._chip = _Chip(chip)
        self._offset = (2 if chip == "sh1106" else 0) if offset is None else offset
        self.log: list[tuple[str, bytes]] = []
        """("command" or "data", bytes) of every transfer."""
        self.broken = False
        """While true, every transfer fails as on an unplugged bus."""
        self.opened = 0
        self.breaks_after: int | None = None
        """Bytes after which the bus fails, in the middle of a transfer; None: it doesn't."""
        self.spoils = 0
        """How many transfers still fail, as on a wire that is disturbed."""
        self.loses = 0
        """How many bytes of the picture still get lost, without an error."""

    def open(self) -> "FakeOled":
        """Opens the bus for a driver: the panel itself, or OSError while it is broken."""
        self._check()
        self.opened += 1
        return self

    def unplug(self) -> None:
        """Cuts its power, so that it forgets everything."""
        self.broken, self._chip = True, _Chip(self.kind)

    def plug(self) -> None:
        """Gets power again; the panel is not initialised."""
        self.broken, self.breaks_after = False, None

    def command(self, *command: int) -> None:
        """Receives a transfer of command bytes."""
        self._check()
        self.log.append(("command", bytes(command)))
        for byte in command:
            self._arrives()
            self._chip.command(byte)

    def data(self, data: list[int]) -> None:
        """Receives a transfer of picture bytes."""
        self._check()
        self.log.append(("data", bytes(data)))
        for byte in data:
            self._arrives()
            if self.loses:
                self.loses -= 1
            else:
                self._chip.data(byte)

    def cleanup(self) -> None:
        """Does nothing: the driver lets go of the bus."""

    def _check(self) -> None:
        if self.spoils:
            self.spoils -= 1
            raise OSError(errno.EREMOTEIO, "a disturbed transfer")
        if self.broken:
            raise OSError(errno.EREMOTEIO, "the panel does not acknowledge")

    def _arrives(self) -> None:
        """Counts a byte on the wire. Raises OSError once the bus breaks off."""
        if self.breaks_after is not None:
            self.broken = self.breaks_after == 0
            self._check()
            self.breaks_after -= 1

    @property
    def contrast(self) -> int:
        """The panel's brightness; 0 when it is off."""
        return self._chip.contrast if self._chip.on else 0

    @property
    def wire_bytes(self) -> int:
        """All bytes that an I²C bus has carried; each transfer also has an address and a control
        byte."""
        return sum(2 + len(sent) for _, sent in self.log)

    @property
    def seen(self) -> bytes:
        """The picture that a viewer sees, as eight pages of 128 columns, like a frame. The panel is
        mounted upside down like the usual modules, so the driver has to mirror it both ways."""
        chip = self._chip
        if not chip.on:
            return bytes(PAGES * COLUMNS)
        rows = [bytes(page[self._offset : self._offset + COLUMNS]) for page in chip.memory]
        if chip.mirrored:
            rows = [row[::-1] for row in rows]
        rows = _raised(rows, chip.first_row)
        if chip.upside_down:
            rows = [bytes(int(f"{b:08b}"[::-1], 2) for b in row) for row in reversed(rows)]
        first = (chip.rows // 8 - PAGES) // 2
        picture = b"".join(rows[first : first + PAGES])
        return bytes(255 - byte for byte in picture) if chip.inverse else picture


def _raised(pages: list[bytes], rows: int) -> list[bytes]:
    """The pages moved up by `rows` rows; rows that leave at the top come back at the bottom."""
    columns = [int.from_bytes(column, "little") for column in zip(*pages, strict=True)]
    high = 8 * len(pages)
    raised = [(bits >> rows | bits << high - rows) & (1 << high) - 1 for bits in columns]
    return [bytes(bits >> 8 * page & 255 for bits in raised) for page in range(len(pages))]
