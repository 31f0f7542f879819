"""Debian systems in folders, for the rigs: made by mmdebstrap once and kept for the next run.

They are kept as tar files in `$XDG_CACHE_HOME/table-companion-rigs`, each under a name that changes
with the suite, the packages and the recipe below, so that an old one is never taken for a new one.
Nothing is used for longer than `STALE_S`, as packages get updates. Rigs run side by side: if one
wants what another is making, it waits.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

RECIPE = "2"
"""To be changed whenever the code here makes systems differently."""
STALE_S = 7 * 24 * 3600.0


def cache() -> Path:
    """The folder in which rigs cache everything that takes long to make; created if it is
    missing."""
    home = os.environ.get("XDG_CACHE_HOME")
    folder = (Path(home) if home else Path.home() / ".cache") / "table-companion-rigs"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def made_once(name: str) -> Iterator[None]:
    """A context in which only one process may make the cached `name`; others wait."""
    with (cache() / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def kept(kind: str, told: Iterable[bytes], make: Callable[[Path], object]) -> Path:
    """The cached folder of a `kind` that was made from the contents `told`. If there is none,
    `make` makes it, and older ones of its kind are deleted."""
    digest = hashlib.sha256()
    for part in told:
        digest.update(hashlib.sha256(part).digest())
    folder = cache() / f"{kind}-{digest.hexdigest()[:12]}"
    with made_once(kind):
        if not folder.exists():
            _make(kind, folder, make)
    return folder


def _make(kind: str, folder: Path, make: Callable[[Path], object]) -> None:
    for other in cache().glob(f"{kind}-*"):
        if other.is_dir() and time.time() - other.stat().st_mtime > STALE_S / 7:
            shutil.rmtree(other, ignore_errors=True)
    with TemporaryDirectory(prefix="making-", dir=cache()) as making:
        into = Path(making) / "made"
        into.mkdir()
        make(into)
        into.rename(folder)


def need(*tools: str) -> None:
    """Ends the test if one of these commands, or root, is missing: as a failure if CI is set, else
    as a skip."""
    if lacks := missing(*tools):
        say = pytest.fail if os.environ.get("CI") else pytest.skip
        say(f"this rig needs {', '.join(lacks)}")


def missing(*tools: str) -> list[str]:
    """The missing ones of these commands, and “root” if we aren't root."""
    lacks = [tool for tool in tools if shutil.which(tool, path=_path()) is None]
    return lacks if os.geteuid() == 0 else [*lacks, "root"]


def debian_root(suite: str, packages: Sequence[str], variant: str = "minbase") -> Path:
    """The tar file of a Debian system of that suite with those packages, for `unpack`. Takes half a
    minute if it isn't kept yet."""
    told = "\n".join((RECIPE, suite, variant, *sorted(packages)))
    name = f"{suite}-{hashlib.sha256(told.encode()).hexdigest()[:12]}.tar"
    kept = cache() / name
    with made_once(name):
        if not (kept.exists() and time.time() - kept.stat().st_mtime < STALE_S):
            _make_root(kept, suite, packages, variant)
    return kept


def _make_root(kept: Path, suite: str, packages: Sequence[str], variant: str) -> None:
    making = kept.with_suffix(f".{os.getpid()}.tar")
    command = ["mmdebstrap", "--quiet", f"--variant={variant}"]
    if packages:
        command.append(f"--include={','.join(packages)}")
    try:
        subprocess.run([*command, suite, str(making)], check=True, env=_environment())
        making.rename(kept)
    finally:
        making.unlink(missing_ok=True)


def unpack(root: Path, into: Path) -> Path:
    """Makes the folder `into` with a fresh copy of the system in the tar file `root`; returns
    it."""
    into.mkdir(parents=True)
    # Device nodes can't be made everywhere, and whatever boots a root brings its own.
    command = ["tar", "--extract", "--file", str(root), "--directory", str(into)]
    subprocess.run([*command, "--numeric-owner", "--exclude=./dev/*"], check=True)
    return into


def _path() -> str:
    """PATH with the folders of the administrator's commands."""
    return f"{os.environ.get('PATH', '')}:/usr/local/sbin:/usr/sbin:/sbin"


def _environment() -> dict[str, str]:
    return {**os.environ, "PATH": _path()}
