"""A picture of the whole screen in the kernel's framebuffer. Only lines that have changed are
written."""

import fcntl
import os
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from PIL import Image, ImageChops

from companion.devices.display.framebuffer import CONSOLE, FramebufferError, Geometry, Pixels

# include/uapi/linux/kd.h
SET_MODE: Final = 0x4B3A
TEXT, GRAPHICS = 0, 1


class TvScreen:
    """A screen for pictures of its own size. It is opened anew for each picture, so that it may be
    plugged in late or change its size."""

    def __init__(self, open_pixels: Callable[[], Pixels]) -> None:
        self._open_pixels = open_pixels
        self._shown: tuple[Geometry, list[bytes]] | None = None

    @property
    def size(self) -> tuple[int, int]:
        """The screen's width and height in pixels. Raises FramebufferError if there is no screen,
        or none that can be drawn on."""
        pixels = self._open_pixels()
        try:
            geometry = pixels.geometry
        finally:
            pixels.close()
        _ = geometry.scale
        return geometry.width, geometry.height

    def show(self, picture: Image.Image) -> None:
        """Shows the picture; writes only lines that differ from those on the screen. Raises
        OSError, also if the screen has another size by now."""
        pixels = self._open_pixels()
        try:
            geometry = pixels.geometry
            if (geometry.width, geometry.height) != picture.size:
                raise FramebufferError("the screen has another size now")
            lines = lines_of(picture, geometry.bits)
            shown, self._shown = self._shown, None
            before = shown[1] if shown and shown[0] == geometry else [b""] * len(lines)
            for at, (old, new) in enumerate(zip(before, lines, strict=True)):
                if old != new:
                    pixels.write(geometry.first + at * geometry.stride, new)
            self._shown = geometry, lines
        finally:
            pixels.close()

    def forget(self) -> None:
        """Makes the next `show` write all lines, as something else may have drawn on the screen."""
        self._shown = None


def lines_of(picture: Image.Image, bits: int) -> list[bytes]:
    """The picture's lines as bytes for a framebuffer with `bits` a pixel: 16 (5 red, 6 green, 5
    blue), or 24 or 32, of which blue is the first byte."""
    data = (
        _sixteen(picture) if bits == 16 else picture.tobytes("raw", "BGRX" if bits == 32 else "BGR")
    )
    wide = picture.width * bits // 8
    return [data[at : at + wide] for at in range(0, len(data), wide)]


def _sixteen(picture: Image.Image) -> bytes:
    red, green, blue = picture.split()
    low = ImageChops.add(
        green.point([(value & 0x1C) << 3 for value in range(256)]),
        blue.point([value >> 3 for value in range(256)]),
    )
    high = ImageChops.add(
        red.point([value & 0xF8 for value in range(256)]),
        green.point([value >> 5 for value in range(256)]),
    )
    return Image.merge("LA", (low, high)).tobytes()


class TextConsole:
    """Puts the text console on the same screen into graphics mode, so that no cursor and no prompt
    is drawn over the picture. Does nothing if the program isn't allowed to."""

    def __init__(self) -> None:
        self._file: int | None = None

    def __enter__(self) -> "TextConsole":
        with suppress(OSError):
            self._file = os.open(CONSOLE, os.O_RDWR | os.O_CLOEXEC | os.O_NOCTTY)
            fcntl.ioctl(self._file, SET_MODE, GRAPHICS)
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            with suppress(OSError):
                fcntl.ioctl(self._file, SET_MODE, TEXT)
            os.close(self._file)
            self._file = None
