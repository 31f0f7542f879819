"""A Debian system with its own systemd, in a container: `systemd-nspawn --boot` on a root.

The system has no hardware, and no network but its own loopback: the companion shows the virtual box
there.
"""

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

SOURCE = Path(__file__).parents[2]
INSIDE = "/src"
"""The folder of the machine that has the source, read-only."""
SUITABLE = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "LANG": "C.UTF-8",
    "DEBIAN_FRONTEND": "noninteractive",
    "PYTHONDONTWRITEBYTECODE": "1",
}
WITHIN_S = 60.0
STARTING = ("", "initializing", "starting")
"""States that systemd reports, or none, until it has started everything."""


class Machine:
    """The system whose files are in `root`. It can be booted and switched off again and again."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._nspawn: subprocess.Popen[bytes] | None = None
        self._init = 0

    def boot(self) -> Self:
        """Boots the system; returns when systemd has started everything."""
        (self.root / INSIDE.strip("/")).mkdir(exist_ok=True)
        name = f"companion-{os.getpid()}-{self.root.name}"
        command = ["systemd-nspawn", "--quiet", f"--directory={self.root}", f"--machine={name}"]
        command += ["--register=no", "--keep-unit", "--private-network", "--console=pipe"]
        command += [f"--bind-ro={SOURCE}:{INSIDE}", "--boot"]
        with (self.root / "console").open("ab") as console:
            self._nspawn = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=console, stderr=console
            )
        until(lambda: self._listens() and self._state() not in STARTING)
        state = self._state()
        failed = self.tells("systemctl", "--failed", "--no-legend")
        assert state == "running", f"{self.root.name} is {state}: {failed}"
        return self

    def _listens(self) -> bool:
        """Whether the machine's systemd can be asked, as seen from outside: a command inside it, if
        run before that, may stop it from starting, and is told that it is off."""
        return (
            self._found_init() and Path(f"/proc/{self._init}/root/run/systemd/private").is_socket()
        )

    def _state(self) -> str:
        return self.tells("systemctl", "is-system-running")

    def _found_init(self) -> bool:
        """Whether the machine's first process is there: a child of nspawn's that is already
        systemd."""
        assert self._nspawn and self._nspawn.poll() is None, "systemd-nspawn has ended"
        main = Path(f"/proc/{self._nspawn.pid}")
        for pid in (main / "task" / main.name / "children").read_text().split():
            with suppress(OSError):
                if (Path("/proc") / pid / "comm").read_text() == "systemd\n":
                    self._init = int(pid)
        return bool(self._init)

    def run(
        self, *command: str, check: bool = True, env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Runs a command in the machine, as root."""
        assert self._init, "the machine is off"
        ran = subprocess.run(
            ["nsenter", "--target", str(self._init), "--all", *command],
            env=SUITABLE | (env or {}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        told = f"{' '.join(command)}: {ran.returncode}\n{ran.stdout}{ran.stderr}"
        assert not check or ran.returncode == 0, told
        return ran

    def tells(self, *command: str) -> str:
        """Runs a command; gives what it prints, whatever its exit status."""
        return self.run(*command, check=False).stdout.strip()

    def is_off(self) -> bool:
        """Whether the machine is off."""
        if self._nspawn is None or self._nspawn.poll() is None:
            return False
        self._nspawn, self._init = None, 0
        return True

    def off(self) -> None:
        """Switches the machine off, if it is on."""
        if self._nspawn is not None and self._nspawn.poll() is None:
            if self._init:
                self.run("systemctl", "poweroff", check=False)
            try:
                self._nspawn.wait(WITHIN_S)
            except subprocess.TimeoutExpired:
                self._nspawn.kill()
                self._nspawn.wait()
        self._nspawn, self._init = None, 0

    @contextmanager
    def drop_in(self, unit: str, text: str) -> Iterator[None]:
        """Changes a unit until the block ends, as `systemctl edit --runtime` would."""
        folder = f"/run/systemd/system/{unit}.d"
        write = f'mkdir -p {folder} && printf "%s" "$TEXT" > {folder}/rig.conf'
        self.run("sh", "-c", write, env={"TEXT": text})
        self.run("systemctl", "daemon-reload")
        try:
            yield
        finally:
            self.run("rm", "-r", folder)
            self.run("systemctl", "daemon-reload")


def until(true: Callable[[], object], within_s: float = WITHIN_S) -> None:
    """Waits until `true()` holds; fails if that takes longer than `within_s`."""
    end = time.monotonic() + within_s
    while not true():
        assert time.monotonic() < end, f"still not so after {within_s:g} seconds"
        time.sleep(0.05)
