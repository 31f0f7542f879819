"""An update as one file: a line that names the format, a line of contents, a line with their
signature, then the parts in order.

    table-companion update 1
    {"boards": ["raspberrypi,4-model-b"], "made": 1763700000, "parts": [...], "record": 3, ...}
    5f0c… (the signature of the line above by Ed25519, 128 hexadecimal digits)
    the bytes of the parts

The contents have the SHA-256 sum of each part, so the signature covers the whole file."""

import hashlib
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from companion.core.errors import ReportedError
from companion.core.regular_file import open_file
from companion.core.values import Json, dataclass

HEADER = b"table-companion update 1\n"
EXTENSION = ".update"
"""The extension of an update's file."""
SYSTEM = "system"
"""The part that is a partition; all others are files for the firmware."""
PURPOSE = "update"
LONGEST_LINE = 64 * 1024
PIECE_SIZE = 1 << 20
_NAME = re.compile("[a-z0-9][a-z0-9.-]{0,63}")
_VERSION = re.compile(r"\d{1,4}(\.\d{1,4}){1,3}(\.dev\d{1,4})?")


class UpdateError(ReportedError, ValueError):
    """An update can't be installed. The one-line message gives the reason. The running system is
    unchanged."""


@dataclass(frozen=True, slots=True)
class UpdatePart:
    """A part of an update: its name, its size in bytes, its SHA-256 sum in hexadecimal."""

    name: str
    size: int
    sha256: str


OLDEST_RULES = 2
"""The rules of versions whose updates don't name any, up to 0.3."""


@dataclass(frozen=True, slots=True)
class UpdateContents:
    """The description of an update. `made`: its date, in seconds since 1970; `boards`: the boards
    that it supports, as named in their device trees; `record`: the newest format of the record that
    it can read; `rules`: the newest version of the rules by which it can play a game."""

    version: str
    made: int
    boards: tuple[str, ...]
    record: int
    parts: tuple[UpdatePart, ...]
    rules: int

    @property
    def size(self) -> int:
        return sum(part.size for part in self.parts)

    def part(self, name: str) -> UpdatePart:
        """Returns the part with this name. Raises UpdateError if there is none."""
        found = next((part for part in self.parts if part.name == name), None)
        if found is None:
            raise UpdateError("This update is damaged: get it again")
        return found

    def line(self) -> bytes:
        """Returns the contents as a line of JSON."""
        contents = {
            "version": self.version,
            "made": self.made,
            "boards": list(self.boards),
            "record": self.record,
            "rules": self.rules,
            "parts": [[part.name, part.size, part.sha256] for part in self.parts],
        }
        return json.dumps(contents, sort_keys=True).encode() + b"\n"


def read_contents(line: bytes) -> UpdateContents:
    """Returns the contents in a line of JSON. Raises UpdateError."""
    with suppress(ValueError, TypeError, KeyError, RecursionError):
        contents: Json = json.loads(line)
        parts = tuple(_parse_part(*one) for one in contents["parts"])
        version, boards = str(contents["version"]), tuple(map(str, contents["boards"]))
        names = {part.name for part in parts}
        if _VERSION.fullmatch(version) and len(names) == len(parts) and SYSTEM in names:
            return UpdateContents(
                version, int(contents["made"]), boards, int(contents["record"]), parts,
                int(contents.get("rules", OLDEST_RULES)),
            )  # fmt: skip
    raise UpdateError("This update can't be read: it is damaged, or this version is too old for it")


def _parse_part(name: str, size: int, sha256: str) -> UpdatePart:
    if not _NAME.fullmatch(name) or not re.fullmatch("[0-9a-f]{64}", sha256) or size < 0:
        raise ValueError(name)
    return UpdatePart(name, int(size), sha256)


def number_of(version: str) -> tuple[tuple[int, ...], float]:
    """Returns a version as numbers that can be compared: 0.10.0 is newer than 0.9.2, and newer than
    its own preview 0.10.0.dev1."""
    numbers, _, dev = version.partition(".dev")
    return tuple(map(int, numbers.split("."))), int(dev) if dev else math.inf


@dataclass(frozen=True, slots=True)
class Update:
    """An update's file, after its length and its signature were checked; the key is a known one."""

    path: Path
    contents: UpdateContents
    behind: int
    """The offset of the first part, in bytes from the file's start."""

    def pieces(self, name: str) -> Iterator[bytes]:
        """Yields the bytes of a part, piece by piece. Raises UpdateError if bytes are missing or
        differ from those that were signed; also raises OSError."""
        at, digest = self.behind, hashlib.sha256()
        part = self.contents.part(name)
        for before in self.contents.parts:
            if before is part:
                break
            at += before.size
        with open_file(self.path) as file:
            file.seek(at)
            left = part.size
            while left:
                if not (data := file.read(min(PIECE_SIZE, left))):
                    raise UpdateError("This update is incomplete: get it again")
                digest.update(data)
                left -= len(data)
                yield data
        if digest.hexdigest() != part.sha256:
            raise UpdateError("This update is damaged: get it again")


def open_update(path: Path, keys: Iterable[bytes]) -> Update:
    """Opens an update's file and checks it. `keys`: the accepted public keys. Raises UpdateError,
    and OSError if the file can't be read."""
    with open_file(path) as file:
        if file.read(len(HEADER)) != HEADER:
            raise UpdateError("{file} is not an update for this box", file=path.name)
        contents_line = _read_line(file)
        signature = _read_line(file).strip()
        behind, size = file.tell(), file.seek(0, 2)
    if not _is_signed(contents_line, signature, keys):
        raise UpdateError("This update is not signed with this card's key: it is refused")
    contents = read_contents(contents_line)
    if size < behind + contents.size:
        raise UpdateError("This update is incomplete: get it again")
    if size > behind + contents.size:
        raise UpdateError("This update has more in it than was signed: get it again")
    return Update(path, contents, behind)


def _read_line(file: BinaryIO) -> bytes:
    line = file.readline(LONGEST_LINE)
    if not line.endswith(b"\n"):
        raise UpdateError("This update is incomplete: get it again")
    return line


def _is_signed(line: bytes, signature: bytes, keys: Iterable[bytes]) -> bool:
    # Loaded only to look at an update: the trial of a new system doesn't wait for it.
    from companion.club.box.keys import is_signed

    with suppress(ValueError):
        digits = bytes.fromhex(signature.decode("ascii"))
        return any(is_signed(key, digits, PURPOSE, line) for key in keys)
    return False


def write_update(
    out: Path, contents: UpdateContents, files: Mapping[str, Path], private: bytes
) -> None:
    """Writes an update that consists of these files, signed with the private key `private`. Raises
    OSError, and ValueError if a file doesn't match the contents."""
    from companion.club.box.keys import KeyPair

    line = contents.line()
    read_contents(line)
    with out.open("wb") as file:
        file.write(HEADER + line)
        file.write(KeyPair.from_private(private).sign(PURPOSE, line).hex().encode() + b"\n")
        for part in contents.parts:
            digest = hashlib.sha256()
            with open_file(files[part.name]) as source:
                while data := source.read(PIECE_SIZE):
                    digest.update(data)
                    file.write(data)
            if digest.hexdigest() != part.sha256:
                raise ValueError(f"{part.name} is not what the contents say")


def part_of(name: str, path: Path) -> UpdatePart:
    """Returns the description of a file as a part of an update. Raises OSError."""
    with open_file(path) as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return UpdatePart(name, path.stat().st_size, digest)
