"""A screen in memory: what was written to its framebuffer, pixel by pixel; it can fail."""

import errno
from dataclasses import dataclass, field

from companion.devices.display.framebuffer import FramebufferError, Geometry


@dataclass
class FakeScreen:
    """A screen of this `geometry`. Pass `open` to a FramebufferPanel."""

    geometry: Geometry = field(default_factory=lambda: Geometry(1920, 1080, 32, 7680))
    absent: bool = False
    """Whether there is no screen."""
    broken: bool = False
    """Whether every write fails."""
    opened: int = 0
    writes: list[tuple[int, int]] = field(default_factory=list)
    """Each write: the byte at which it began, and its number of bytes."""
    memory: bytearray = field(init=False)

    def __post_init__(self) -> None:
        layout = self.geometry
        self.memory = bytearray(b"\xa5") * (layout.first + layout.stride * layout.height)

    def open(self) -> "FakeScreen":
        """The screen itself. Raises FramebufferError if it is `absent`."""
        if self.absent:
            raise FramebufferError(
                "there is no /dev/fb0: plug a screen into HDMI, best before the power"
            )
        self.opened += 1
        return self

    def write(self, at: int, data: bytes) -> None:
        """Writes bytes from byte `at` on. Raises OSError."""
        if self.broken:
            raise OSError(errno.EIO, "Input/output error")
        if at + len(data) > len(self.memory):
            raise OSError(errno.EFBIG, "File too large")
        self.writes.append((at, len(data)))
        self.memory[at : at + len(data)] = data

    def close(self) -> None:
        """Does nothing: memory needs no closing."""

    def pixel(self, x: int, y: int) -> bytes:
        """The bytes of the pixel at column `x`, row `y`."""
        layout = self.geometry
        at = layout.first + y * layout.stride + x * layout.bits // 8
        return bytes(self.memory[at : at + layout.bits // 8])

    def lit(self, x: int, y: int) -> bool:
        """Whether that pixel is anything but black."""
        return any(self.pixel(x, y))

    def rows(self) -> list[str]:
        """The picture, read at the middle of each of its squares: 64 rows of 128 signs, “#” lit,
        “.” dark."""
        layout, scale = self.geometry, self.geometry.scale
        left = (layout.width - 128 * scale) // 2
        return [
            "".join(
                "#" if self.lit(left + x * scale + scale // 2, y * scale + scale // 2) else "."
                for x in range(128)
            )
            for y in range(64)
        ]
