"""The frames of SQLite's log (SQLite file format, 4): a page each, chained by checksums.

A log is written again from its beginning once all of it is in the file; frames of the time before
then still lie behind the new ones, with another salt.
"""

import struct

from companion.core.values import dataclass

LOG_HEADER, FRAME_HEADER = 32, 24
SIZES = tuple(1 << power for power in range(9, 16))
"""What a page may take, in bytes."""
USUAL_SIZE = 4096


@dataclass(frozen=True, slots=True)
class LogFrame:
    """A page as it was written to the log. `commits`: it is the last one of a commit."""

    number: int
    commits: bool
    salt: bytes
    header: bytes
    checksum: bytes
    page: bytes

    def follows(self, before: bytes, big_endian: bool) -> bool:
        """Whether its checksum is right, after a frame that has the checksum `before`."""
        order = ">" if big_endian else "<"
        first, second = struct.unpack(">II", before)
        words = struct.unpack(f"{order}{2 + len(self.page) // 4}I", self.header[:8] + self.page)
        for even, odd in zip(words[::2], words[1::2], strict=True):
            first = (first + even + second) & 0xFFFFFFFF
            second = (second + odd + first) & 0xFFFFFFFF
        return struct.pack(">II", first, second) == self.checksum


def frames(log: bytes, size: int = 0) -> list[LogFrame]:
    """All whole frames, those of the time before, too. `size`: of a page, where the log doesn't
    say it."""
    said = int.from_bytes(log[8:12], "big")
    step = FRAME_HEADER + (size or (said if said in SIZES else USUAL_SIZE))
    found = []
    for at in range(LOG_HEADER, len(log) - step + 1, step):
        header, page = log[at : at + FRAME_HEADER], log[at + FRAME_HEADER : at + step]
        number, pages = struct.unpack(">II", header[:8])
        found.append(LogFrame(number, pages > 0, header[8:16], header, header[16:24], page))
    return found


def of_this_log(log: bytes, size: int = 0) -> list[LogFrame]:
    """The frames since the log was last begun, damaged ones as they are."""
    return [frame for frame in frames(log, size) if frame.salt == log[16:24]]


def ends_torn(log: bytes) -> bool:
    """Whether the last commit is not all there: it was being written, or is damaged."""
    own = of_this_log(log)
    if not own:
        return False
    starts = [0, *(at + 1 for at, frame in enumerate(own[:-1]) if frame.commits)]
    first = starts[-1]
    befores = [log[24:32], *(frame.checksum for frame in own)]
    last = zip(own[first:], befores[first:], strict=False)
    return not own[-1].commits or not all(
        frame.follows(before, bool(log[3] & 1)) for frame, before in last
    )
