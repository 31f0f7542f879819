"""Reads firmware/vectors.txt, which the tests of both sides share."""

from collections.abc import Iterator
from pathlib import Path

VECTORS = Path(__file__).parents[3] / "firmware" / "vectors.txt"
BAD = "bad"


def vectors(kind: str) -> Iterator[tuple[bytes, str]]:
    """(bytes, what they mean) for each line that begins with `kind`."""
    for line in VECTORS.read_text().splitlines():
        word, _, told = line.partition(" ")
        if word == kind:
            data, _, meaning = told.partition(" = ")
            yield bytes.fromhex(data), meaning
