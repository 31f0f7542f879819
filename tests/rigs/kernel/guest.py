"""Boots the guest and speaks with the agent in it.

If anything in the guest hangs, GuestError is raised with the end of the serial log. QEMU never
outlives the test.
"""

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.rigs.kernel.build import GuestFiles

BOOT_S = 1200.0
"""Seconds that a boot may take; half a minute on an idle machine."""
ANSWER_S = 300.0
"""Seconds that the agent may take for something that takes it no time."""
CLOCK = "shift=1,sleep=on"
"""The guest's time is counted by its instructions, 2 ns each, about as on the smallest Pi, however
busy this machine is. So bounces are as short as they are meant to be, and times in the guest can be
compared. While the guest has nothing to do, time goes by as usual."""
SKIPPING = "shift=1,sleep=off"
"""As CLOCK, but while the guest has nothing to do, time jumps to the next timer: hours take
seconds. Anything from outside that the guest waits for, such as its disk, then seems to take long:
see `busy`."""
SPIN = "chrt -i 0 sh -c 'while :; do :; done' >/dev/null 2>&1 </dev/null & echo $!"
"""A shell command that keeps the guest busy whenever it has nothing else to do."""
TALK = "loglevel=4 systemd.show_status=1 systemd.log_color=0"
TAIL = 60
"""Lines of the serial log that an error shows."""


class GuestError(AssertionError):
    """The guest doesn't answer, or answers that something failed."""


class Guest:
    """A guest on a disk of its own, in `folder`."""

    def __init__(self, built: GuestFiles, folder: Path) -> None:
        self._built, self._folder = built, folder
        self._monitor = folder / "monitor"
        self._disk = folder / "disk.img"
        self._log = folder / "serial.log"
        subprocess.run(["cp", "--sparse=always", str(built.disk), str(self._disk)], check=True)
        self._qemu: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._unread = b""
        self.boots: list[float] = []
        """Seconds that each boot took until the agent answered."""

    def boot(self, clock: str = CLOCK) -> None:
        """Switches the guest on and waits for the agent. `clock`: CLOCK or SKIPPING."""
        started = time.monotonic()
        ours, its = socket.socketpair()
        self._socket, self._unread = ours, b""
        with its, self._log.open("ab") as log:
            self._qemu = subprocess.Popen(
                self._command(its.fileno(), clock), pass_fds=[its.fileno()],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip
        self._answer(started + BOOT_S, "to boot")
        self.boots.append(time.monotonic() - started)

    def _command(self, agent: int, clock: str) -> list[str]:
        return [
            *("setpriv", "--pdeathsig", "KILL", "--"),
            *("qemu-system-x86_64", "-nodefaults", "-display", "none", "-no-reboot"),
            *("-accel", "tcg,thread=single", "-icount", clock, "-cpu", "max", "-m", "512"),
            *("-kernel", str(self._built.kernel), "-initrd", str(self._built.initrd)),
            *("-append", f"root=/dev/vda rw console=ttyS0 panic=-1 {TALK}"),
            *("-drive", f"file={self._disk},if=virtio,format=raw"),
            *("-serial", f"file:{self._folder / 'console.log'}"),
            *("-device", "virtio-serial", "-chardev", f"socket,id=agent,fd={agent}"),
            *("-device", "virtserialport,chardev=agent,name=agent"),
            *("-device", "qemu-xhci", "-monitor", f"unix:{self._monitor},server=on,wait=off"),
        ]

    def plug_in(self, stick: Path, name: str = "stick", *, locked: bool = False) -> None:
        """Plugs in a USB stick with the content of `stick`. `name`: its serial number; `locked`:
        its switch forbids writing."""
        read_only = ",readonly=on" if locked else ""
        self._tell_machine(f"drive_add 0 if=none,id={name},format=raw,file={stick}{read_only}")
        told = f"usb-storage,id=plugged-{name},drive={name},serial={name}"
        self._tell_machine(f"device_add {told}")

    def pull_out(self, name: str = "stick") -> None:
        """Pulls the stick out."""
        self._tell_machine(f"device_del plugged-{name}")

    def _tell_machine(self, command: str) -> None:
        """Sends a command to QEMU itself. Raises GuestError if QEMU reports an error."""
        with socket.socket(socket.AF_UNIX) as monitor:
            monitor.settimeout(ANSWER_S)
            monitor.connect(str(self._monitor))
            told = b""
            for line in ("", f"{command}\n"):
                monitor.sendall(line.encode())
                told = b""
                while not told.endswith(b"(qemu) "):
                    told += monitor.recv(1 << 16)
            said = told.decode(errors="replace").splitlines()[1:-1]
            if any("rror" in line for line in said):
                raise GuestError(f"{command}: {' '.join(said)}")

    def cut(self) -> None:
        """Cuts the guest's power."""
        if self._qemu:
            self._qemu.kill()
            self._qemu.wait(30)
        if self._socket:
            self._socket.close()
        self._qemu = self._socket = None

    # ------------------------------------------------------------ talking

    def ask(self, do: str, patience_s: float = ANSWER_S, **what: Any) -> dict[str, Any]:
        """Sends the agent the request `do` (see agent.Agent) and returns its answer, which may take
        `patience_s` seconds. Boots the guest if it is off."""
        if self._socket is None:
            self.boot()
        assert self._socket
        self._socket.sendall(json.dumps({"do": do, **what}).encode() + b"\n")
        answer = self._answer(time.monotonic() + patience_s, f"to do {do}")
        if "error" in answer:
            raise GuestError(f"{do}: {answer['error']}")
        return answer

    def run(self, command: str, within: float = ANSWER_S, text: str = "", status: int = 0) -> str:
        """Runs a shell command with `text` as its input; returns what it prints. It must end with
        `status`, within `within` seconds."""
        told = ["sh", "-c", command]
        done = self.ask("run", within + ANSWER_S, command=told, within=within, text=text)
        if done["status"] != status:
            raise GuestError(f"{command}: {done['status']}\n{done['out']}{done['err']}")
        return str(done["out"])

    @contextmanager
    def busy(self) -> Iterator[None]:
        """A context in which the guest always has something to do, so that a SKIPPING clock
        doesn't jump while the guest waits for its disk."""
        spinning = self.run(SPIN).strip()
        try:
            yield
        finally:
            self.run(f"kill {spinning}")

    def _answer(self, until: float, what: str) -> dict[str, Any]:
        assert self._socket
        while b"\n" not in self._unread:
            self._socket.settimeout(max(until - time.monotonic(), 0.001))
            try:
                got = self._socket.recv(1 << 16)
            except TimeoutError:
                self.cut()  # a late answer would be taken for the next one
                raise GuestError(f"the guest took too long {what}\n{self.tail()}") from None
            if not got:
                self.cut()
                raise GuestError(f"the guest ended when it was {what}\n{self.tail()}")
            self._unread += got
        line, _, self._unread = self._unread.partition(b"\n")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def tail(self) -> str:
        """The end of the output of QEMU and of the guest's console."""
        lines = []
        for log in (self._log, self._folder / "console.log"):
            if log.exists():
                lines += log.read_text("utf-8", errors="replace").splitlines()[-TAIL:]
        return "\n".join(["--- the guest's console ---", *lines])

    def journal(self) -> str:
        """The last lines of the companion's log, and the console's."""
        try:
            told = self.run("journalctl --no-pager -o cat -n 40 -u companion 2>&1 || true")
        except (GuestError, OSError, AssertionError) as error:
            told = f"(the guest can't be asked: {str(error).splitlines()[0]})"
        return f"--- the companion's journal ---\n{told}{self.tail()}"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.cut()
        shutil.rmtree(self._folder, ignore_errors=True)
