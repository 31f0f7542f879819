"""The picture on a screen: each pixel is a square, on any screen, and only changes are written."""

import fcntl
import os
from pathlib import Path

import pytest

from companion.console.frame import Canvas, Frame
from companion.console.screen_saver import PanelFrame
from companion.devices.display.framebuffer import (
    FIXED,
    GET_VARIABLE,
    VARIABLE,
    Caption,
    FramebufferError,
    FramebufferPanel,
    Geometry,
    KernelPixels,
)
from tests.fake_framebuffer import FakeScreen

GEOMETRIES = [
    (Geometry(1920, 1080, 32, 7680), 15),
    (Geometry(1280, 720, 32, 5120), 10),
    (Geometry(800, 480, 16, 1600), 6),
    (Geometry(1366, 768, 32, 5504), 10),  # lines that are longer than what is seen
    (Geometry(640, 480, 24, 1920), 5),
    (Geometry(128, 64, 16, 256), 1),
    (Geometry(720, 576, 16, 1440, first=2880), 5),
]


def words(text: str) -> Frame:
    canvas = Canvas()
    canvas.text(3, 16, text)
    canvas.box(0, 0, 128, 64)
    return canvas.frame()


def opened(screen: FakeScreen, caption: Caption | None = None) -> FramebufferPanel:
    panel = FramebufferPanel(screen.open, lambda: caption or Caption())
    panel.open()
    return panel


@pytest.mark.parametrize(("geometry", "scale"), GEOMETRIES)
def test_the_picture_has_the_largest_whole_scale(geometry: Geometry, scale: int) -> None:
    assert geometry.scale == scale
    screen = FakeScreen(geometry)
    opened(screen).show(PanelFrame(words("Red leads")))
    assert screen.rows() == words("Red leads").rows()
    left = (geometry.width - 128 * scale) // 2
    for x in range(left, left + scale):
        for y in range(scale):
            assert screen.lit(x, y), "the corner of the frame is a whole square"
    if left:
        assert not screen.lit(left - 1, 0) and not screen.lit(0, geometry.height - 1)


def test_only_rows_that_changed_are_written() -> None:
    screen = FakeScreen()
    panel = opened(screen)
    panel.show(PanelFrame(words("before")))
    screen.writes.clear()
    panel.show(PanelFrame(words("before")))
    assert screen.writes == []
    panel.show(PanelFrame(words("after")))
    assert screen.rows() == words("after").rows()
    assert sum(count for _, count in screen.writes) <= 8 * 15 * 1920 * 4


def test_a_renewal_repairs_a_screen_that_was_overwritten() -> None:
    screen = FakeScreen()
    panel = opened(screen)
    panel.show(PanelFrame(words("mine")))
    screen.memory[100_000:8_000_000] = b"\x77" * 7_900_000
    panel.show(PanelFrame(words("mine"), renewal=1))
    assert screen.rows() == words("mine").rows()
    assert not any(screen.memory[64 * 15 * 7680 :])


def test_a_picture_on_a_screen_can_be_shifted_dimmed_and_blanked() -> None:
    screen = FakeScreen(Geometry(800, 480, 16, 1600))
    panel = opened(screen)
    frame = words("care")
    panel.show(PanelFrame(frame, down=1))
    assert screen.rows() == [frame.rows()[-1], *frame.rows()[:-1]]
    panel.show(PanelFrame(frame, contrast=1))
    assert screen.pixel(400, 3) == b"\x0c\x63"
    assert screen.rows() == frame.rows()
    panel.show(PanelFrame(frame, contrast=0))
    assert not any(screen.memory)
    panel.show(PanelFrame(frame))
    assert screen.pixel(400, 3) == b"\xff\xff"


@pytest.mark.parametrize(
    ("geometry", "says"),
    [
        (Geometry(1920, 1080, 8, 1920), "the screen has 8 bits a pixel: 16, 24 or 32 can be drawn"),
        (Geometry(100, 50, 32, 400), "the screen has 100×50 pixels: 128×64 are needed"),
    ],
)
def test_an_unusable_screen_is_reported(geometry: Geometry, says: str) -> None:
    with pytest.raises(FramebufferError, match=says):
        opened(FakeScreen(geometry))


def test_a_missing_screen_is_reported_and_used_once_plugged_in() -> None:
    screen = FakeScreen(absent=True)
    panel = FramebufferPanel(screen.open)
    with pytest.raises(FramebufferError, match="plug a screen into HDMI"):
        panel.open()
    screen.absent = False
    panel.open()
    panel.show(PanelFrame(words("late")))
    screen.broken = True
    with pytest.raises(OSError, match="Input/output"):
        panel.show(PanelFrame(words("broken")))
    screen.broken = False
    panel.close()
    panel.open()
    panel.show(PanelFrame(words("again")))
    assert screen.rows() == words("again").rows()


# ---------------------------------------------------------------- the caption

ADDRESS = ("The page: http://192.168.178.123:8055/?token=abcdefghijklmnop",)
CODE = tuple("".join("#" if x * y % 3 else "." for x in range(25)) for y in range(25))


@pytest.mark.parametrize(("geometry", "_scale"), GEOMETRIES[:4])
def test_the_caption_is_below_the_picture_without_overlap(geometry: Geometry, _scale: int) -> None:
    screen = FakeScreen(geometry)
    opened(screen, Caption(ADDRESS)).show(PanelFrame(words("Red leads")))
    assert screen.rows() == words("Red leads").rows()
    below = range(64 * geometry.scale, geometry.height)
    lit = [(x, y) for y in below for x in range(geometry.width) if screen.lit(x, y)]
    assert lit
    assert min(x for x, _ in lit) > 0 and max(x for x, _ in lit) < geometry.width - 1


def test_the_caption_has_a_qr_code_with_a_quiet_zone() -> None:
    screen = FakeScreen()
    opened(screen, Caption(ADDRESS, CODE)).show(PanelFrame(words("Red leads")))
    scale, top = 3, 64 * 15 + 3  # 114 lines are left for 33 modules
    left = 1920 - 3 - 33 * scale
    for y in range(33):
        for x in range(33):
            inside = 4 <= x < 29 and 4 <= y < 29
            dark = inside and CODE[y - 4][x - 4] == "#"
            assert screen.lit(left + x * scale + 1, top + y * scale + 1) is not dark
    lines = [x for x in range(left - 8) if screen.lit(x, top + 20)]
    assert lines, "the address is still there"


# ---------------------------------------------------------------- the kernel's


def test_framebuffer_structures_match_the_kernels_header() -> None:
    """Sizes that a C compiler gives the structs of linux/fb.h on a machine of 64 bits."""
    assert VARIABLE.size == 160
    assert FIXED.size == 80


def test_the_message_names_a_missing_framebuffer(tmp_path: Path) -> None:
    with pytest.raises(FramebufferError, match=r"there is no .*/fb0: plug a screen into HDMI"):
        KernelPixels(tmp_path / "fb0")


def test_a_screen_used_by_another_program_is_left_alone(tmp_path: Path) -> None:
    with (tmp_path / "fb0").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(FramebufferError, match="another program of the table draws"):
            KernelPixels(tmp_path / "fb0", tmp_path / "tty1")
    with pytest.raises(OSError, match="ioctl"):  # a file is no screen, but the lock is gone
        KernelPixels(tmp_path / "fb0", tmp_path / "tty1")


def test_a_device_that_is_not_a_framebuffer_is_refused_and_closed(tmp_path: Path) -> None:
    (tmp_path / "fb0").touch()
    with pytest.raises(OSError, match="ioctl"):
        KernelPixels(tmp_path / "fb0", tmp_path / "tty1")


class CopiedFramebuffer:
    """A framebuffer whose kernel copies to the screen only what it believes each write has changed,
    as on virtual machines, the firmware's screen, and panels on USB or SPI. Source: Linux 6.12,
    drm_fb_helper_memory_range_to_clip() in drivers/gpu/drm/drm_fb_helper.c."""

    def __init__(self, path: Path, geometry: Geometry, patch: pytest.MonkeyPatch) -> None:
        self.path, self._geometry = path, geometry
        path.write_bytes(bytes(geometry.stride * geometry.height))
        self.screen = bytearray(geometry.stride * geometry.height)
        self._pwrite = os.pwrite
        patch.setattr("os.pwrite", self._write)
        patch.setattr("fcntl.ioctl", self._tell)

    def _tell(self, _file: int, request: int, form: bytearray) -> None:
        layout = self._geometry
        if request == GET_VARIABLE:
            size = layout.width, layout.height
            VARIABLE.pack_into(form, 0, *size, *size, 0, 0, layout.bits)
        else:
            FIXED.pack_into(form, 0, *[0] * 8, layout.stride, *[0] * 6)

    def _write(self, file: int, data: bytes, at: int) -> int:
        done = self._pwrite(file, data, at)
        layout, end = self._geometry, at + done
        top, bottom = at // layout.stride, min(-(-end // layout.stride), layout.height)
        left, right = 0, layout.width
        if bottom - top == 1:
            left = at % layout.stride * 8 // layout.bits
            right = -(-(end % layout.stride) * 8 // layout.bits)
        memory = self.path.read_bytes()
        for line in range(top, bottom):
            here = line * layout.stride
            part = slice(here + left * layout.bits // 8, here + right * layout.bits // 8)
            self.screen[part] = memory[part]
        return done


@pytest.mark.parametrize(
    "geometry",
    [Geometry(128, 64, 16, 256), Geometry(160, 64, 24, 480), Geometry(150, 64, 32, 640)],
)
def test_every_written_pixel_appears_on_the_screen(
    geometry: Geometry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Writes whole lines, both halves of a line, its first and last pixel, and more than a line: in
    the first two lines, in the middle, and at the bottom."""
    kernel = CopiedFramebuffer(tmp_path / "fb0", geometry, monkeypatch)
    pixels = KernelPixels(kernel.path, tmp_path / "tty1")
    pixel, stride = geometry.bits // 8, geometry.stride
    line, half = geometry.width * pixel, geometry.width // 2 * pixel
    lost: list[str] = []
    parts = [(0, line), (half, line), (0, half), (line - pixel, line), (0, pixel)]
    for value, (left, right) in enumerate([*parts, (0, stride + line)], 1):
        last = geometry.height - 1 - right // stride
        for start in (down * stride + left for down in (0, 1, last // 2, last)):
            expected = bytearray(kernel.path.read_bytes())
            data = ((bytes([value]) * line).ljust(stride, b"\0") * 2)[left:right]
            expected[start : start + len(data)] = data
            pixels.write(start, data)
            if not kernel.screen == kernel.path.read_bytes() == bytes(expected):
                lost.append(f"{len(data)} bytes from {start} on")
    pixels.close()
    assert not lost
