"""Pictures in a framebuffer: the right bytes for every depth, and only what has changed."""

from itertools import product
from pathlib import Path

import pytest
from PIL import Image

from companion.devices.display.framebuffer import FramebufferError, Geometry
from companion.web.tv import program
from companion.web.tv.program import TextConsole, TvScreen, framebuffer_lines
from tests.fake_framebuffer import FakeScreen

ORANGE = (255, 157, 60)
BYTES = {
    32: b"\x3c\x9d\xff",
    24: b"\x3c\x9d\xff",
    16: (31 << 11 | 39 << 5 | 7).to_bytes(2, "little"),
}


@pytest.mark.parametrize("bits", [16, 24, 32])
def test_a_pixel_has_the_bytes_of_its_colour(bits: int) -> None:
    picture = Image.new("RGB", (4, 2), ORANGE)
    for line, at in product(framebuffer_lines(picture, bits), range(4)):
        pixel = line[at * bits // 8 : (at + 1) * bits // 8]
        assert pixel[: len(BYTES[bits])] == BYTES[bits]


def test_sixteen_bit_shades_are_as_close_as_possible() -> None:
    picture = Image.new("RGB", (256, 1))
    for value in range(256):
        picture.putpixel((value, 0), (value, 255 - value, value // 2))
    [line] = framebuffer_lines(picture, 16)
    for value in range(256):
        red, green, blue = value >> 3, (255 - value) >> 2, value // 2 >> 3
        number = int.from_bytes(line[2 * value : 2 * value + 2], "little")
        assert (number >> 11, number >> 5 & 63, number & 31) == (red, green, blue)


def test_only_changed_lines_are_written() -> None:
    fake = FakeScreen(Geometry(320, 240, 32, 1280))
    screen, picture = TvScreen(fake.open), Image.new("RGB", (320, 240), "black")
    screen.show(picture)
    assert len(fake.writes) == 240
    fake.writes.clear()
    picture.putpixel((7, 100), ORANGE)
    screen.show(picture)
    assert fake.writes == [(100 * 1280, 1280)]
    assert fake.pixel(7, 100)[:3] == BYTES[32]
    screen.forget()
    fake.writes.clear()
    screen.show(picture)
    assert len(fake.writes) == 240


def test_framebuffer_lines_may_be_longer_than_the_visible_part() -> None:
    fake = FakeScreen(Geometry(300, 200, 16, 640, first=1280))
    TvScreen(fake.open).show(Image.new("RGB", (300, 200), ORANGE))
    assert fake.pixel(299, 199) == BYTES[16]
    assert [at for at, _ in fake.writes[:2]] == [1280, 1920]


def test_a_screen_that_is_plugged_in_late_or_changed_is_used() -> None:
    fake = FakeScreen(Geometry(320, 240, 32, 1280), absent=True)
    screen = TvScreen(fake.open)
    with pytest.raises(FramebufferError, match="plug a screen"):
        _ = screen.size
    fake.absent = False
    assert screen.size == (320, 240)
    with pytest.raises(FramebufferError, match="another size"):
        screen.show(Image.new("RGB", (640, 480)))


def test_the_text_console_draws_nothing_until_the_picture_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    console = tmp_path / "tty0"
    console.write_bytes(b"")
    asked: list[tuple[int, int]] = []

    def ioctl(file: int, request: int, mode: int) -> None:
        assert Path(f"/proc/self/fd/{file}").readlink() == console
        asked.append((request, mode))

    monkeypatch.setattr(program, "CONSOLE", str(console))
    monkeypatch.setattr("fcntl.ioctl", ioctl)
    with TextConsole():
        assert asked == [(0x4B3A, 1)], "KDSETMODE, KD_GRAPHICS: linux/kd.h"
    assert asked[1:] == [(0x4B3A, 0)]


def test_a_picture_is_shown_without_access_to_the_text_console(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for console in (tmp_path / "none", tmp_path):
        monkeypatch.setattr(program, "CONSOLE", str(console))
        with TextConsole():
            pass
