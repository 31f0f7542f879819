"""Reads text files that people write on any computer: with or without a byte order mark, in UTF-16
as some editors save them, and with the line endings of Windows or of old Macs."""

import codecs
from collections.abc import Iterator
from pathlib import Path

from companion.core.regular_file import open_file
from companion.core.values import dataclass

MAX_FILE_BYTES = 64 * 1024
"""The most bytes of a file that are read; a settings file has a few hundred."""

QUOTES = {'"': '"', "'": "'", "“": "”", "„": "“", "”": "”", "‘": "’"}
"""The opening and the closing quotation marks, including the curly ones that some editors
substitute."""


class Mistake(ValueError):
    """A file on the card can't be used. The one-line message names the file and the remedy."""


@dataclass(frozen=True, slots=True)
class SettingLine:
    """A setting, written `key = value` or `key: value`, and the `number` of its line, counted from
    1."""

    number: int
    key: str
    value: str


def decode(data: bytes, name: str) -> str:
    """Returns the text in the bytes of the file `name`, with line feeds as line endings. Raises
    Mistake."""
    encoding = "utf-8-sig"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise Mistake(f"{name} can't be read: save it as UTF-8 text") from error
    if "\0" in text:
        raise Mistake(f"{name} can't be read: save it as plain text")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_card_text(folder: Path, name: str) -> str:
    """Returns the text of a file on the card; empty if there is no such file. Raises Mistake."""
    path = folder / name
    try:
        if not path.exists():
            if (twice := folder / f"{name}.txt").exists():
                raise Mistake(f"{twice.name} is not read: rename it to {name}")
            return ""
        with open_file(path) as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise Mistake(f"{name} can't be read: {error.strerror}") from error
    if len(data) > MAX_FILE_BYTES:
        raise Mistake(f"{name} is too long: write settings only")
    return decode(data, name)


def parse_settings(text: str, name: str) -> Iterator[SettingLine]:
    """Yields the settings in a text, without comments and empty lines. Raises Mistake."""
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if not line or line[0] in "#;":
            continue
        at = min((line.find(sign) for sign in "=:" if sign in line), default=-1)
        if at < 1:
            raise Mistake(f"{name}, line {number}: write it as name = value")
        yield SettingLine(number, line[:at].strip().lower(), unquoted(line[at + 1 :].strip()))


def content_lines(text: str) -> list[str]:
    """Returns the lines of a text that are not empty, without comments and quotes."""
    lines = (unquoted(line.strip()) for line in text.split("\n"))
    return [line for line in lines if line and not line.startswith("#")]


def unquoted(value: str) -> str:
    """Returns the value without quotes around it, if there are any."""
    if len(value) >= 2 and QUOTES.get(value[0]) == value[-1]:
        return value[1:-1]
    return value
