"""`companion photo add`: stores photos of the table together with the recorded tiles, to measure
how well the photo reader works (tests/photos/README.md)."""

import json
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from companion.app.catalog import Catalog
from companion.commands.games import ShownGame, with_game
from companion.commands.terminal import SUCCESS, fail, print_lines
from companion.core.errors import SetupError
from companion.core.regular_file import read_bytes

PNG_START: Final = b"\x89PNG\r\n\x1a\n"
JPEG_START: Final = b"\xff\xd8"
KEPT_SEGMENTS: Final = frozenset({0xE0, 0xEE})
"""The application segments of a JPEG that are needed to draw it; others may contain its place and
author."""
EXIF, COMMENT, SCAN, END = 0xE1, 0xFE, 0xDA, 0xD9
MARKER: Final = re.compile(rb"\xff+[^\x00\xd0-\xd7\xff]")
"""What begins a segment of a JPEG. In the coded picture, 0xFF 0x00 is the byte 0xFF, and 0xFF 0xD0
to 0xFF 0xD7 are marks within it."""
ORIENTATION: Final = 0x0112
KEPT_CHUNKS: Final = frozenset({b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"sRGB"})


def add_photos(
    record: Path, name: str, photos: list[Path], *, to: Path, games: Catalog, kind: str
) -> int:
    """Copies photos of the line of play in a game's last hand into the folder `to`, each with a
    file that lists the tiles of the line. Leaves out metadata such as place and time. Returns the
    exit status."""

    def report(shown: ShownGame) -> int:
        try:
            presentation = games[shown.journal.opened.game].presentation
            tiles = presentation.tiles_on_table(shown.journal.state)
            clean = [without_metadata(read_bytes(photo)) for photo in photos]
            to.mkdir(parents=True, exist_ok=True)
            written = [_write_photo(data, tiles, to, kind) for data in clean]
        except SetupError as error:
            return fail(str(error))
        except OSError as error:
            return fail(f"{error.filename}: {error.strerror}")
        print_lines([f"{path}: {len(tiles)} tiles" for path in written])
        return SUCCESS

    return with_game(record, name, games, report)


def without_metadata(data: bytes) -> bytes:
    """Returns the photo without its metadata (place, time, camera, comments) except its
    orientation. Raises SetupError if it is neither JPEG nor PNG."""
    if data.startswith(JPEG_START):
        return b"".join(_jpeg_parts(data))
    if data.startswith(PNG_START):
        return b"".join(_png_parts(data))
    raise SetupError("only JPEG and PNG photos can be added: set the camera to JPEG")


def _jpeg_parts(data: bytes) -> Iterator[bytes]:
    """Yields the parts of the first picture: what follows its end may be another picture, with
    metadata of its own."""
    yield JPEG_START
    found = MARKER.match(data, len(JPEG_START))
    while found is not None:
        kind, at = data[found.end() - 1], found.end()
        if kind == END:
            yield bytes((0xFF, END))
            return
        segment = data[at : at + int.from_bytes(data[at : at + 2], "big")]
        at += len(segment)
        if kind == EXIF and (turned := _orientation(segment[2:])):
            yield _exif_segment(turned)
        elif not (0xE0 <= kind <= 0xEF or kind == COMMENT) or kind in KEPT_SEGMENTS:
            yield bytes((0xFF, kind)) + segment
        if kind == SCAN:
            found = MARKER.search(data, at)
            yield data[at : found.start() if found else len(data)]
        else:
            found = MARKER.match(data, at)
    raise SetupError("this JPEG is damaged: copy it from the phone again")


def _orientation(exif: bytes) -> int:
    """Returns the Exif orientation, 2 to 8; 0 if the picture needs no turning, or if the tag is
    missing or damaged."""
    tiff = exif.removeprefix(b"Exif\0\0")
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None or len(tiff) < 10:
        return 0
    try:
        (first,) = struct.unpack_from(f"{order}I", tiff, 4)
        (many,) = struct.unpack_from(f"{order}H", tiff, first)
        for entry in range(many):
            tag, _, _, value = struct.unpack_from(f"{order}HHIH", tiff, first + 2 + 12 * entry)
            if tag == ORIENTATION and 2 <= value <= 8:
                return int(value)
    except struct.error:
        return 0
    return 0


def _exif_segment(orientation: int) -> bytes:
    """Returns an Exif segment that contains only the orientation."""
    tiff = struct.pack(">2sHIHHHIHHI", b"MM", 42, 8, 1, ORIENTATION, 3, 1, orientation, 0, 0)
    body = b"Exif\0\0" + tiff
    return b"\xff\xe1" + (len(body) + 2).to_bytes(2, "big") + body


def _png_parts(data: bytes) -> Iterator[bytes]:
    yield PNG_START
    at = len(PNG_START)
    while at + 12 <= len(data):
        size = int.from_bytes(data[at : at + 4], "big") + 12
        kind = data[at + 4 : at + 8]
        if kind in KEPT_CHUNKS:
            yield data[at : at + size]
        if kind == b"IEND":
            return
        at += size
    raise SetupError("this PNG is damaged: copy it from the phone again")


def _write_photo(data: bytes, tiles: list[str], to: Path, kind: str) -> Path:
    """Writes the photo and the list of its tiles under the first free number; returns the photo's
    path."""
    suffix = ".jpg" if data.startswith(JPEG_START) else ".png"
    number = 1
    while (truth := to / f"photo-{number:04}.json").exists():
        number += 1
    path = truth.with_suffix(suffix)
    path.write_bytes(data)
    truth_json = {
        "photo": path.name,
        "kind": kind,
        "synthetic": False,
        "tiles": [{"tile": tile} for tile in tiles],
    }
    truth.write_text(json.dumps(truth_json) + "\n", "utf-8")
    return path
