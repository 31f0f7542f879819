"""A PostgreSQL server for the tests: Debian's, in a temporary folder, with its socket there."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

NOT_ROOT = "nobody"
"""The account for running PostgreSQL, which refuses to run as root, if root runs the tests."""


def programs() -> Path:
    """The folder of initdb and pg_ctl. Without one the test is skipped; in CI it fails."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda one: one.parts)
    if not found and os.environ.get("CI"):
        pytest.fail("PostgreSQL is missing: sudo apt install postgresql")
    if not found:
        pytest.skip("PostgreSQL is not installed")
    return found[-1].parent


class Cluster:
    """A PostgreSQL server in `folder`; `stop` and `start` do what its service would."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._bin = folder, programs()
        self._user: dict[str, Any] = {}
        if os.geteuid() == 0:
            account = pwd.getpwnam(NOT_ROOT)
            self._user = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": ()}
            os.chown(folder, account.pw_uid, account.pw_gid)
        self._databases = 0

    def make(self) -> None:
        """Makes a new cluster that everybody who can reach its socket may use."""
        options = ("--username=club", "--auth=trust", "--encoding=UTF8", "--no-sync")
        self._run("initdb", *options, "-D", f"{self._data}")

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def start(self) -> None:
        """Starts the server and waits until it answers."""
        options = f"-c listen_addresses= -c unix_socket_directories={self.folder} -c fsync=off"
        log = self.folder / "log"
        self._run("pg_ctl", "-D", f"{self._data}", "-l", f"{log}", "-o", options, "-w", "start")

    def stop(self, how: str = "immediate") -> None:
        """Stops the server: at once, as a crash would, or in another mode of pg_ctl, `how`."""
        self._run("pg_ctl", "-D", f"{self._data}", "-m", how, "-w", "stop")

    def database(self, *options: str) -> str:
        """The address of a new, empty database, made with these options of createdb."""
        self._databases += 1
        name = f"club{self._databases}"
        self._run("createdb", "-h", f"{self.folder}", "-U", "club", *options, name)
        return f"postgresql://club@/{name}?host={self.folder}"

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self._bin / program, *arguments],
            cwd="/", check=True, stdout=subprocess.DEVNULL, **self._user,
        )  # fmt: skip


@contextmanager
def cluster() -> Iterator[Cluster]:
    """Runs a PostgreSQL server until the end. Its folder has a short name, as the path of a socket
    must be short."""
    folder = Path(tempfile.mkdtemp(prefix="club-pg-", dir="/tmp"))
    try:
        made = Cluster(folder)
        made.make()
        made.start()
        try:
            yield made
        finally:
            made.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
