"""The package that the rigs install, made by the same program as in `make deb`, and the Debian
machine that it is installed on."""

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.rigs.machine import SOURCE, Machine, booted
from tests.rigs.roots import debian_root, kept, unpack
from tests.surface import packed

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
    *("zsh", "fish", "groff-base"),  # read the completions and the man page
)
"""Packages that the machines have but the package does not depend on."""
MADE_OF = (
    *("companion", "docs", "firmware", "hw/boards", "systemd"),
    *("README.md", "CHANGELOG.md", "pyproject.toml", "tests/manual/shells.py"),
)
"""Folders and files of the source that the packages are made of."""
DEBIANS = ("bookworm", "trixie")
"""Debian 12 and 13: what Raspberry Pi OS is made of."""
LATER = "9.9.9"
SAME_BYTES = pytest.mark.sampled(1, property="tests/rigs: the same bytes each time")
"""Tests that make a file of a release twice; a sample does so either with the package or with the
keypad's file."""


def debs(version: str = "") -> list[Path]:
    """The table's package and the hub's, made of the source as it is; with another `version`, if
    one is given. They are made once and kept, with the time of the commit that they were made
    at."""
    words = ("--version", version) if version else ()
    told = [version.encode(), *_source()]
    return sorted(kept("debs", told, lambda into: make_deb(into, *words)).glob("*.deb"))


def _source() -> Iterator[bytes]:
    """Names and contents of all files that the packages are made of."""
    for name in MADE_OF:
        for path in sorted((SOURCE / name).rglob("*")) or [SOURCE / name]:
            if path.is_file() and "__pycache__" not in path.parts:
                yield str(path.relative_to(SOURCE)).encode()
                yield path.read_bytes()


def make_deb(folder: Path, *words: str) -> Path:
    """Makes the packages in `folder`, as `make deb` does; returns the table's package."""
    command = [sys.executable, "systemd/make_deb.py", "--out", str(folder), *words]
    ran = subprocess.run(command, cwd=SOURCE, capture_output=True, text=True, check=True)
    return Path(ran.stdout.strip())


def table_of(packages: Sequence[Path]) -> Path:
    """The table's package."""
    return next(path for path in packages if path.name.startswith("table-companion_"))


def files_of(package: Path) -> list[str]:
    """The files in a package, without Python modules; a compressed document has the same name as an
    uncompressed one."""
    command = ["dpkg-deb", "--contents", str(package)]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return packed(line.split(maxsplit=5)[5].removesuffix(".gz") for line in told.splitlines())


def depends(package: Path) -> list[str]:
    """The names of the packages that it depends on."""
    command = ["dpkg-deb", "--field", str(package), "Depends"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [re.split("[ :(]", name.strip())[0] for name in told.split(",")]


def debian_for(suite: str, packages: Sequence[Path], besides: Sequence[str] = BESIDES) -> Path:
    """The tar file of a Debian with what these packages depend on (roots.py)."""
    needed = {name for package in packages for name in depends(package)}
    return debian_root(suite, sorted({*needed, *besides} - {"table-companion"}))


@contextmanager
def debian_machine(
    suite: str, packages: Sequence[Path], into: Path, besides: Sequence[str] = BESIDES
) -> Iterator[Machine]:
    """A booted Debian with what these packages depend on, and the packages themselves in /root. Its
    files are in a new folder in `into`, which is removed afterwards."""
    root = unpack(debian_for(suite, packages, besides), into / suite)
    for package in packages:
        (root / "root" / package.name).write_bytes(package.read_bytes())
    with booted(root) as machine:
        yield machine
