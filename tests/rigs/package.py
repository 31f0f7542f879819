"""The package as the rigs install it, made by what `make deb` runs, and the Debian machine that it
is installed on."""

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.rigs.machine import SOURCE, Machine
from tests.rigs.roots import debian_root, unpack

BESIDES = (
    *("systemd-sysv", "python3-pytest", "python3-pytest-xdist", "python3-hypothesis"),
    "python3-jsonschema",  # checks what is told against its schema
    "python3-markdown-it",  # makes the pages to print of the manual
    "python3-babel",  # compiles the catalogues of the languages
    "python3-zxing-cpp",  # reads codes as phones do
    "python3-yaml",  # reads what Raspberry Pi Imager writes
    "make",  # says what it would set up
    "e2fsprogs",  # makes the record's partition of a card
    "fonts-dejavu-core",  # the letters of the drawings of pins
)
"""What the machines have that the package does not depend on."""
DEBIANS = ("bookworm", "trixie")
"""Debian 12 and 13: what Raspberry Pi OS is made of."""
LATER = "9.9.9"
SAME_BYTES = pytest.mark.sampled(1, law="tests/rigs: the same bytes each time")
"""What a release hands out is made twice: a sample does so with the package or with the keypad's
file."""


def make_deb(folder: Path, *words: str) -> Path:
    """What `make deb` does, into that folder."""
    command = [sys.executable, "systemd/make_deb.py", "--out", str(folder), *words]
    ran = subprocess.run(command, cwd=SOURCE, capture_output=True, text=True, check=True)
    return Path(ran.stdout.strip())


def depends(package: Path) -> list[str]:
    """The names of the packages that it depends on."""
    command = ["dpkg-deb", "--field", str(package), "Depends"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [re.split("[ :(]", name.strip())[0] for name in told.split(",")]


def first_of(packages: Sequence[Path]) -> Path:
    """The package as it is, not the later version of it."""
    return next(path for path in packages if LATER not in path.name)


def debian_for(suite: str, packages: Sequence[Path], besides: Sequence[str] = BESIDES) -> Path:
    """The tar file of a Debian with what these packages depend on (roots.py)."""
    needed = {name for package in packages for name in depends(package)}
    return debian_root(suite, sorted({*needed, *besides} - {"table-companion"}))


@contextmanager
def debian_machine(
    suite: str, packages: Sequence[Path], into: Path, besides: Sequence[str] = BESIDES
) -> Iterator[Machine]:
    """A booted Debian that has what these packages depend on, the packages themselves in /root. Its
    files are in a folder that is made for it, and gone afterwards."""
    root = unpack(debian_for(suite, packages, besides), into / suite)
    for package in packages:
        (root / "root" / package.name).write_bytes(package.read_bytes())
    machine = Machine(root)
    try:
        yield machine.boot()
    finally:
        machine.off()
        subprocess.run(["rm", "-rf", "--one-file-system", str(root)], check=True)
