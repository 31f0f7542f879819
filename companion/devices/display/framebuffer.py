"""An HDMI screen used as the display, without a desktop. The picture is enlarged by the largest
whole number that fits.

The kernel's framebuffer is a file of pixels. Lit pixels are white and all others black, so a
pixel's bytes are all ones or all zeros, whatever its number of bits; a dimmed picture is grey.
Below the picture is a caption: how to reach the page, and a QR code for phones."""

import fcntl
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from struct import Struct
from typing import Protocol

from companion.console.fonts import text_strip
from companion.console.frame import HEIGHT, WIDTH
from companion.console.screen_saver import DIMMED, PanelFrame

DEVICE = Path("/dev/fb0")
CONSOLE = Path("/dev/tty1")
"""The text console on the same screen."""
QUIET = b"\033[?25l\033[2J\033[9;0]\033[14;0]"
"""Hides the console's cursor, removes its text, and disables its screen blanking. Source:
console_codes(4)."""

# include/uapi/linux/fb.h
GET_VARIABLE, GET_FIXED = 0x4600, 0x4602
VARIABLE = Struct("=7I132x")
"""The fields: width and height of the screen, then of the memory; the column and row in the memory
at which the screen begins; the bits per pixel."""
FIXED = Struct("@16xLIIIIHHHILIIHHH0L")
"""The fields, with this machine's size of `long`; the ninth is the number of bytes per line."""

_WHITE = {16: b"\xff\xff", 24: b"\xff" * 3, 32: b"\xff" * 4}
_GREY = {16: b"\x0c\x63", 24: b"\x60" * 3, 32: b"\x60" * 4}
"""The grey of a dimmed picture, by the bits per pixel. 16 bits have 5 for red, 6 for green and 5
for blue."""
MARGIN = 3
"""The margin around the caption, in pixels."""
CAPTION_SCALES = (6, 5, 4, 3, 2, 1)


class FramebufferError(OSError):
    """There is no usable screen. The error's one-line message includes what to do."""


@dataclass(frozen=True, slots=True)
class Geometry:
    """The layout of a framebuffer: `width` and `height` of its visible part in pixels, the `bits`
    per pixel, the bytes per line (`stride`), and the offset in bytes of the visible part
    (`first`)."""

    width: int
    height: int
    bits: int
    stride: int
    first: int = 0

    @property
    def scale(self) -> int:
        """The width and height, in screen pixels, of one pixel of the picture. Raises
        FramebufferError if the screen is too small or its number of bits per pixel is unknown."""
        if self.bits not in _WHITE:
            raise FramebufferError(
                f"the screen has {self.bits} bits a pixel: 16, 24 or 32 can be drawn "
                "(see video= in cmdline.txt)"
            )
        if scale := min(self.width // WIDTH, self.height // HEIGHT):
            return scale
        raise FramebufferError(
            f"the screen has {self.width}×{self.height} pixels: {WIDTH}×{HEIGHT} are needed"
        )


class Pixels(Protocol):
    """The framebuffer's file."""

    @property
    def geometry(self) -> Geometry:
        """The size and layout of its pixels."""

    def write(self, at: int, data: bytes) -> None:
        """Writes bytes at the offset `at`. Raises OSError."""

    def close(self) -> None:
        """Closes the file."""


class KernelPixels:
    """The kernel's framebuffer. Raises FramebufferError if there is none, or it may not be used."""

    def __init__(self, device: Path = DEVICE, console: Path = CONSOLE) -> None:
        try:
            self._file = os.open(device, os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError as error:
            raise FramebufferError(
                f"there is no {device}: plug a screen into HDMI, best before the power"
            ) from error
        except PermissionError as error:
            raise FramebufferError(f"{device} may not be used: add this user to video") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.geometry = _read_geometry(self._file)
        except BlockingIOError as error:
            os.close(self._file)
            raise FramebufferError("another program of the table draws on the screen") from error
        except OSError:
            os.close(self._file)
            raise
        # Without the right to write to the console, its cursor stays in the picture.
        with suppress(OSError), console.open("wb", buffering=0) as text:
            text.write(QUIET)

    def write(self, at: int, data: bytes) -> None:
        """Writes bytes at the offset `at`. Raises OSError."""
        stride, end = self.geometry.stride, at + len(data)
        if not end % stride and at // stride + 1 == end // stride:
            at, data = self._extend_to_next_line(at, data)
        os.pwrite(self._file, data, at)

    def _extend_to_next_line(self, at: int, data: bytes) -> tuple[int, bytes]:
        """Extends a write that ends at the end of a line so that it reaches into another line, by
        adding neighbouring bytes with their present values. Returns the offset and bytes to write.

        Many drivers (for virtual machines, the firmware's screen, panels on USB or SPI) copy only
        the changed area to the screen. The kernel computes that area from the write; if the write
        ends at the end of the line in which it began, the computed area is empty, and nothing would
        be shown. Source: Linux since 2022, drm_fb_helper_memory_range_to_clip(); “drm/fb-helper:
        Fix clipping when damage area spans a single scanline”, dri-devel, 10 February 2026.
        """
        line = at - at % self.geometry.stride
        if line:
            return line - 1, os.pread(self._file, at - line + 1, line - 1) + data
        return at, data + os.pread(self._file, 1, at + len(data))

    def close(self) -> None:
        os.close(self._file)


def _read_geometry(file: int) -> Geometry:
    variable, fixed = bytearray(VARIABLE.size), bytearray(FIXED.size)
    fcntl.ioctl(file, GET_VARIABLE, variable)
    fcntl.ioctl(file, GET_FIXED, fixed)
    width, height, _, _, across, down, bits = VARIABLE.unpack(variable)
    stride = FIXED.unpack(fixed)[8]
    return Geometry(width, height, bits, stride, down * stride + across * bits // 8)


@dataclass(frozen=True, slots=True)
class Caption:
    """The caption below the picture: lines of text, and beside them a QR code, as rows of “#” and
    “.” (empty for no code)."""

    lines: tuple[str, ...] = ()
    code: tuple[str, ...] = field(default=())


class FramebufferPanel:
    """Shows pictures on a screen. `open_pixels` opens the framebuffer and may raise OSError;
    `caption` returns the caption and is called for each picture."""

    def __init__(
        self,
        open_pixels: Callable[[], Pixels] = KernelPixels,
        caption: Callable[[], Caption] = Caption,
    ) -> None:
        self._open_pixels, self._caption = open_pixels, caption
        self._pixels: Pixels | None = None
        self._shown: tuple[PanelFrame, list[bytes], Caption] | None = None

    def open(self) -> None:
        """Opens the screen. Raises OSError."""
        self._pixels, self._shown = self._open_pixels(), None
        try:
            _ = self._pixels.geometry.scale
        except FramebufferError:
            self.close()
            raise

    def show(self, picture: PanelFrame) -> None:
        """Draws the rows that differ from those shown, or all rows if these are not known. Raises
        OSError."""
        if self._pixels is None:
            raise FramebufferError("the screen is not open")
        shown, self._shown = self._shown, None
        page, rows = _Page(self._pixels, picture.contrast), _picture_rows(picture)
        caption = self._caption()
        if shown and _may_keep_rows(shown[0], picture) and shown[2] == caption:
            before = shown[1]
        else:
            page.clear()
            page.draw_caption(caption)
            before = [b""] * HEIGHT
        for at, (old, new) in enumerate(zip(before, rows, strict=True)):
            if old != new:
                page.draw_row(at, new)
        self._shown = picture, rows, caption

    def close(self) -> None:
        pixels, self._pixels, self._shown = self._pixels, None, None
        if pixels:
            pixels.close()


def _may_keep_rows(before: PanelFrame, after: PanelFrame) -> bool:
    """Returns whether unchanged rows needn't be drawn again, because both pictures have the same
    renewal count and contrast."""
    return (before.renewal, before.contrast) == (after.renewal, after.contrast)


def _picture_rows(picture: PanelFrame) -> list[bytes]:
    """Returns the picture's rows, shifted down as the picture requires. A row has one bit per
    pixel, with the leftmost pixel in the highest bit of its byte."""
    packed, wide = picture.frame.packed(), WIDTH // 8
    rows = [packed[at : at + wide] for at in range(0, len(packed), wide)]
    return rows[-picture.down :] + rows[: -picture.down] if picture.down else rows


class _Page:
    """Draws rows of pixels on a screen, enlarged and in the brightness that `contrast` requires."""

    def __init__(self, pixels: Pixels, contrast: int) -> None:
        self._pixels, self._layout = pixels, pixels.geometry
        self._bytes = self._layout.bits // 8
        self._black = bytes(self._bytes)
        ink = _GREY if contrast <= DIMMED else _WHITE
        self._ink = ink[self._layout.bits] if contrast else self._black
        self._scale = self._layout.scale
        self._left = (self._layout.width - WIDTH * self._scale) // 2

    def clear(self) -> None:
        """Blackens everything below the picture. The picture itself is left alone, to avoid
        flicker: its rows are drawn over the full width of the screen."""
        for line in range(HEIGHT * self._scale, self._layout.height):
            self._write(line, 0, bytes(self._layout.width * self._bytes))

    def draw_row(self, at: int, row: bytes) -> None:
        signs = "".join(f"{byte:08b}" for byte in row)
        lit, dark = self._ink * self._scale, self._black * self._scale
        line = self._black * self._left
        line += b"".join(lit if sign == "1" else dark for sign in signs)
        line += bytes(self._layout.width * self._bytes - len(line))
        for down in range(self._scale):
            self._write(at * self._scale + down, 0, line)

    def draw_caption(self, caption: Caption) -> None:
        """Draws the caption below the picture, as large as it fits there."""
        top = HEIGHT * self._scale + MARGIN
        room = self._layout.height - top - MARGIN
        right = self._layout.width - MARGIN
        if caption.code and (scale := room // (len(caption.code) + 8)):
            # Phones need a light border of four modules around a dark-on-light code.
            wide = len(caption.code[0]) + 8
            right -= wide * scale
            for at, row in enumerate(_with_border(caption.code)):
                self._draw_squares(top + at * scale, right, row, scale)
        rows = [row for line in caption.lines for row in _text_rows(line)]
        wide = max(map(len, rows), default=0)
        for scale in CAPTION_SCALES:
            if len(rows) * scale <= room and wide * scale <= right - 2 * MARGIN:
                left = (right - wide * scale) // 2
                for at, row in enumerate(rows):
                    self._draw_squares(top + at * scale, left, row, scale)
                return

    def _draw_squares(self, top: int, left: int, row: str, scale: int) -> None:
        line = b"".join((self._ink if sign == "#" else self._black) * scale for sign in row)
        for down in range(scale):
            self._write(top + down, left, line)

    def _write(self, line: int, left: int, data: bytes) -> None:
        self._pixels.write(
            self._layout.first + line * self._layout.stride + left * self._bytes, data
        )


def _with_border(code: tuple[str, ...]) -> list[str]:
    """Returns the rows of a QR code for a black screen: with a light border of four modules, and
    with “#” for light modules instead of dark ones."""
    wide = len(code[0]) + 8
    swapped = ["####" + row.translate({35: ".", 46: "#"}) + "####" for row in code]
    return ["#" * wide] * 4 + swapped + ["#" * wide] * 4


def _text_rows(line: str) -> list[str]:
    strip = text_strip(line)
    return [
        "".join("#" if column >> row & 1 else "." for column in page)
        for page in strip.pages
        for row in range(8)
    ]
