"""A Debian system with its own systemd, in a container: `systemd-nspawn --boot` on a root.

The system has no hardware, and no network but its own loopback: the companion shows the virtual box
there.
"""

import os
import shlex
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
HOSTS = "127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n"
"""The file that Debian's installer writes; of the systems made for the rigs only some have it."""
WITHIN_S = 60.0
STARTING = ("", "initializing", "starting")
"""States that systemd reports, or none, until it has started everything."""


class Machine:
    """The system whose files are in `root`. It can be booted and switched off again and again."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._nspawn: subprocess.Popen[bytes] | None = None
        self.init = 0
        """Its first process, as the host numbers it; 0 if it is off."""
        self.name = f"companion-{os.getpid()}-{root.name}"
        self._groups: list[Path] = []

    def boot(self) -> Self:
        """Boots the system; returns when systemd has started everything."""
        (self.root / INSIDE.strip("/")).mkdir(exist_ok=True)
        if not (hosts := self.root / "etc/hosts").exists():
            hosts.write_text(HOSTS)
        command = ["systemd-nspawn", "--quiet", f"--directory={self.root}"]
        command += [f"--machine={self.name}", "--register=no", "--keep-unit"]
        command += ["--private-network", "--console=pipe"]
        command += [f"--bind-ro={SOURCE}:{INSIDE}", "--boot"]
        self._groups = [group / self.name for group in own_groups()]
        for group in self._groups:
            group.mkdir(exist_ok=True)
        enter = [f"echo $$ >{shlex.quote(str(group / 'cgroup.procs'))}" for group in self._groups]
        command = ["sh", "-ec", "; ".join([*enter, 'exec "$@"']), "sh", *command]
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
        """Whether the machine's systemd answers, as seen from outside. A command inside the machine
        that is run earlier may stop it from starting, and would report that it is off."""
        return (
            self._found_init() and Path(f"/proc/{self.init}/root/run/systemd/private").is_socket()
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
                    self.init = int(pid)
        return bool(self.init)

    def run(
        self, *command: str, check: bool = True, env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Runs a command in the machine, as root."""
        assert self.init, "the machine is off"
        ran = subprocess.run(
            ["nsenter", "--target", str(self.init), "--all", *command],
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
        """Runs a command; returns what it prints, whatever its exit status."""
        return self.run(*command, check=False).stdout.strip()

    def is_off(self) -> bool:
        """Whether the machine is off."""
        if self._nspawn is None or self._nspawn.poll() is None:
            return False
        self._forget()
        return True

    def off(self) -> None:
        """Switches the machine off, if it is on."""
        if self._nspawn is not None and self._nspawn.poll() is None:
            if self.init:
                self.run("systemctl", "poweroff", check=False)
            try:
                self._nspawn.wait(WITHIN_S)
            except subprocess.TimeoutExpired:
                self._nspawn.kill()
                self._nspawn.wait()
        self._forget()

    def _forget(self) -> None:
        """Removes the files that a machine has left on the host after it was switched off."""
        self._nspawn, self.init = None, 0
        for group in self._groups:
            for folder in sorted((group, *group.glob("**/")), reverse=True):
                with suppress(OSError):  # The host's systemd may have been quicker.
                    folder.rmdir()
        self._groups = []

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


@contextmanager
def booted(root: Path) -> Iterator[Machine]:
    """A machine that runs the system in `root`, which is removed afterwards."""
    machine = Machine(root)
    try:
        yield machine.boot()
    finally:
        machine.off()
        subprocess.run(["rm", "-rf", "--one-file-system", str(root)], check=True)


def own_groups() -> list[Path]:
    """The folders of this process's control groups in the hierarchies that systemd uses.

    A machine gets a group of its own beneath each. Without, systemd-nspawn puts all machines into
    one group, `payload`: services of the same name then share a group, and the systemd that stops
    its own first removes the other's."""
    mounts = dict[str, Path]()
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        before, _, after = line.partition(" - ")
        kind, _, options = after.split()
        if kind == "cgroup2":
            mounts[""] = Path(before.split()[4])
        elif kind == "cgroup" and "name=systemd" in options.split(","):
            mounts["name=systemd"] = Path(before.split()[4])
    groups = [
        line.split(":", 2)[1:] for line in Path("/proc/self/cgroup").read_text().split("\n")[:-1]
    ]
    return [mounts[kind] / path.lstrip("/") for kind, path in groups if kind in mounts]


def until(true: Callable[[], object], within_s: float = WITHIN_S) -> None:
    """Waits until `true()` holds; fails if that takes longer than `within_s`."""
    end = time.monotonic() + within_s
    while not true():
        assert time.monotonic() < end, f"still not so after {within_s:g} seconds"
        time.sleep(0.05)
