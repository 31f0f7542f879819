"""An emulated Raspberry Pi 3 that starts the card image, with its display on I²C, a USB keyboard,
and a network for ssh. The key for ssh is written on the card, as people would do it.

QEMU has to be 10 or newer: 7.2 hangs on I²C. Debian 13's is used, in a folder of its own. It has no
keys on GPIO, and no screen on HDMI, as the firmware that provides one is not emulated.
"""

import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest

from companion.app.updates.systems import CONFIG, TRIAL_CONFIG
from companion.card.partitions import SECTOR, partitions_in
from companion.core.keys import Key
from tests.rigs.card_views import AT_THE_PAGE, Page, lit_in, visible_rows
from tests.rigs.roots import debian_root, unpack

QEMU = ("qemu-system-arm", "qemu-system-data", "ipxe-qemu", "libc6")
TREE = "bcm2837-rpi-3-b.dtb"
SIZE = 1 << 31
"""Bytes of the card: a power of two, as QEMU wants, and larger than the image, so that the record's
partition grows."""
WITHIN_S = 3000.0
"""Seconds to wait for anything. A boot takes five minutes on an idle machine, and the rig gives way
to all other programs."""
LOOKS_S = 1.0
TOOLS = ("mmdebstrap", "chroot", "mcopy", "mtype", "ssh", "ssh-keygen", "nice", "ionice")
KEY = "id"
NAMES = {Key.OK: "ret", Key.BACK: "backspace", Key.DRAW: "d", Key.PASS: "p", Key.MENU: "m"}
"""QEMU's names of the keyboard keys that stand for the box's keys; digits are named as they are."""
QUIET = "console=tty0", "quiet", "loglevel=3"
"""Words of the kernel's command line that keep a Raspberry Pi's screen clean. They are left out
here, where the kernel's messages are wanted."""
LOUD = (
    "loglevel=7 "
    # QEMU's network has two drivers; sometimes the wrong one comes first.
    "modprobe.blacklist=cdc_subset "
    "systemd.watchdog_sec=0 systemd.default_device_timeout_sec=1800"
)
PULLED_UP = ("Qqemu.PhyMemMode:1", "M3f20001c,4:ffffffff", "D")
"""Words of GDB's protocol that set all GPIO lines high and let the machine run: it lacks the
resistors that pull them up, so every key would be down."""
TRY = "0x00038064"
"""Number of the request that asks the firmware to try another system at the next start
(systemd/image/tryboot)."""
INSTRUCTIONS = "shift=1"
"""QEMU's clock: each instruction takes two nanoseconds of emulated time, so 500 million a second,
however busy the real machine is. So nothing in it runs out of time, and its seconds can be
compared."""


class Card:
    """A copy of `image` in `folder`, with `files` added to its FAT partition. `stick`: the content
    of a USB stick that is plugged in; `words`: added to the kernel's command line."""

    def __init__(
        self,
        image: Path,
        folder: Path,
        files: Mapping[str, str],
        stick: Path | None = None,
        words: str = "",
    ) -> None:
        root = debian_root("trixie", QEMU, variant="extract")
        self._root = unpack(root, folder / "qemu")
        for name in ("bin", "lib", "lib64", "sbin"):
            if not (self._root / name).exists():
                (self._root / name).symlink_to(f"usr/{name}")
        for name in ("proc", "dev", "tmp", "card"):
            (self._root / name).mkdir(exist_ok=True)
        self._card = self._root / "card"
        self._disk = self._card / "sd.img"
        subprocess.run(["cp", "--sparse=always", str(image), str(self._disk)], check=True)
        with self._disk.open("r+b") as disk:
            start = partitions_in(disk.read(SECTOR))[0].start * SECTOR
            disk.truncate(SIZE)
        self._fat = f"{self._disk}@@{start}"
        self._key = folder / KEY
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(self._key)], check=True
        )
        for name, text in {
            **files,
            "ssh-key.txt": self._key.with_suffix(".pub").read_text(),
        }.items():
            self.write(name, text)
        self._words = f"{LOUD} {words}".split()
        self._plugged: list[str] = []
        if stick is not None:
            shutil.copy(stick, self._card / "stick.img")
            self._plugged += ["-drive", "file=/card/stick.img,if=none,id=stick,format=raw"]
            self._plugged += ["-device", "usb-storage,drive=stick"]
        self._qemu: subprocess.Popen[bytes] | None = None
        self._page: Page | None = None
        self.boots: list[float] = []
        self.port, self.page_port = _free_port(), _free_port()
        """The ports of this machine on which ssh and the box's page answer."""

    def write(self, name: str, text: str) -> None:
        """Writes a file on the FAT partition, with Windows line ends."""
        source = self._card / "writing"
        source.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
        self._mtools("mcopy", "-o", str(source), f"::{name}")

    def _mtools(self, command: str, *words: str) -> str:
        ran = subprocess.run(
            [command, "-i", self._fat, *words],
            check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        return ran.stdout

    def boot(self) -> Self:
        """Switches it on; returns when ssh answers and the table is open."""
        system = self.chosen(TRIAL_CONFIG if self._is_asked_to_try() else CONFIG)
        for name in ("vmlinuz", "initrd.img", TREE):
            self._mtools("mcopy", "-n", f"::{system}{name}", str(self._card / name))
        line = self._mtools("mtype", f"::{system}cmdline.txt").split()
        line = [word for word in line if word not in QUIET] + self._words
        for name in ("monitor", "debugger"):
            (self._card / name).unlink(missing_ok=True)
        command = ["nice", "-n", "19", "ionice", "-c3", "chroot", str(self._root)]
        command += ["qemu-system-aarch64", "-M", "raspi3b", "-icount", INSTRUCTIONS]
        command += ["-kernel", "/card/vmlinuz"]
        command += [
            "-dtb",
            f"/card/{TREE}",
            "-initrd",
            "/card/initrd.img",
            "-append",
            " ".join(line),
        ]
        command += ["-drive", "file=/card/sd.img,if=sd,format=raw", "-usb"]
        command += ["-device", "usb-net,netdev=n0", "-device", "usb-kbd"]
        command += self._plugged
        into = f"hostfwd=tcp:127.0.0.1:{self.port}-:22"
        command += ["-netdev", f"user,id=n0,{into},hostfwd=tcp:127.0.0.1:{self.page_port}-:80"]
        command += ["-device", "ssd0303,id=oled,bus=i2c-bus.1,address=0x3c", "-display", "none"]
        command += ["-monitor", "unix:/card/monitor,server=on,wait=off"]
        command += ["-serial", "null", "-serial", "file:/card/serial.log", "-no-reboot"]
        command += ["-d", "unimp", "-D", "/card/unknown.log"]
        command += ["-S", "-gdb", "unix:/card/debugger,server=on,wait=off"]
        started = time.monotonic()
        with (self._card / "qemu.log").open("ab") as words:
            self._qemu = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=words)
        self.until((self._card / "debugger").exists, "QEMU is there")
        self._pull_up()
        self.until(
            lambda: self.tell("systemctl is-active companion") == "active", "the table is open"
        )
        self.boots.append(time.monotonic() - started)
        return self

    def chosen(self, config: str = CONFIG) -> str:
        """The folder of the system that `config` starts, as the firmware would find it."""
        lines = self._mtools("mtype", f"::{config}").splitlines()
        return next(line for line in lines if line.startswith("os_prefix=")).removeprefix(
            "os_prefix="
        )

    def _is_asked_to_try(self) -> bool:
        """Whether the firmware was asked, since it last started a system, to try the other one.
        QEMU's firmware doesn't know the request, and says so in its log."""
        log = self._card / "unknown.log"
        asked = log.exists() and TRY in log.read_text(errors="replace")
        log.unlink(missing_ok=True)
        return asked

    def _pull_up(self) -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as debugger:
            debugger.connect(str(self._card / "debugger"))
            for word in PULLED_UP:
                debugger.sendall(f"+${word}#{sum(word.encode()) % 256:02x}".encode())
                answer = b""
                while not answer.endswith(b"$OK#9a"):
                    answer += debugger.recv(1) or pytest.fail(f"QEMU answers {answer!r}")

    def tear_first_block(self) -> None:
        """Damages the block that ext4 reads first on the record's partition as a power cut between
        its two sectors would, by changing the checksum in the second sector."""
        with self._disk.open("r+b") as disk:
            start = partitions_in(disk.read(SECTOR))[-1].start * SECTOR
            disk.seek(start + 3 * SECTOR)
            old = disk.read(SECTOR)
            disk.seek(start + 3 * SECTOR)
            disk.write(bytes(old[:-4]) + bytes(~byte & 255 for byte in old[-4:]))

    def plug_in(self, stick: Path) -> None:
        """Plugs a USB stick with that content in while the box runs; a start is without it."""
        shutil.copy(stick, self._card / "later.img")
        self._monitor("drive_add 0 file=/card/later.img,if=none,id=later,format=raw")
        self._monitor("device_add usb-storage,drive=later")

    def pull_out(self) -> None:
        """Pulls the stick out: the next starts are without it."""
        self._plugged = []

    def until_it_starts_anew(self) -> None:
        """Waits until the box switches itself off in order to restart; call `boot` afterwards."""
        assert self._qemu is not None
        self._qemu.wait(WITHIN_S)
        self.cut()

    def cut(self) -> None:
        """Cuts the power."""
        self._page = None
        if self._qemu is not None:
            self._qemu.kill()
            self._qemu.wait()
            self._qemu = None

    def until(self, true: Callable[[], object], what: str) -> None:
        """Waits until `true()` holds; fails after WITHIN_S with a message that names `what`."""
        end = time.monotonic() + WITHIN_S
        while not true():
            assert self._qemu is not None and self._qemu.poll() is None, (
                f"QEMU has ended\n{self.log}"
            )
            assert self._page is None or self._page.is_open, f"the page is gone: {what}"
            assert time.monotonic() < end, f"still not: {what}\n{self.log}"
            time.sleep(LOOKS_S)

    @property
    def log(self) -> str:
        """The last 4,000 characters of the messages of the kernel and systemd."""
        path = self._card / "serial.log"
        return path.read_text(errors="replace")[-4000:] if path.exists() else ""

    def tell(self, command: str, given: str = "") -> str:
        """The output of a command on the box, with `given` as its input; empty if ssh doesn't
        answer yet."""
        ran = subprocess.run(
            [*self._ssh, command],
            input=given, capture_output=True, text=True, check=False, timeout=WITHIN_S,
        )  # fmt: skip
        return ran.stdout.strip()

    @property
    def _ssh(self) -> list[str]:
        options = ["StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "LogLevel=ERROR"]
        options += ["ConnectTimeout=60", "BatchMode=yes"]
        # One connection for all: each takes the emulated processor many seconds.
        options += ["ControlMaster=auto", "ControlPersist=yes"]
        options += [f"ControlPath={self._key}-{len(self.boots)}"]
        ssh = ["ssh", "-i", str(self._key), "-p", str(self.port)]
        return [*ssh, *(word for option in options for word in ("-o", option)), "root@127.0.0.1"]

    @contextmanager
    def stay_at_the_page(self) -> Iterator["Page"]:
        """While the context is open, a program on the box itself presses keys on its page and reads
        it (at_the_page.py)."""
        self.tell("cat > /run/at_the_page.py", AT_THE_PAGE.read_text())
        with Page([*self._ssh, "python3 /run/at_the_page.py --stay"]) as self._page:
            yield self._page
        self._page = None

    def press(self, key: Key) -> None:
        """Presses a key of the USB keyboard."""
        self._monitor(f"sendkey {NAMES.get(key, key.value)} 200")

    def shows(self, rows: list[str]) -> bool:
        """Whether the emulated display shows these rows, in the part that can be seen."""
        path = self._card / "picture.ppm"
        path.unlink(missing_ok=True)
        self._monitor("screendump /card/picture.ppm oled")
        time.sleep(1)
        return path.exists() and lit_in(path.read_bytes()) == visible_rows(rows)

    def _monitor(self, command: str) -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as monitor:
            monitor.connect(str(self._card / "monitor"))
            monitor.recv(4096)
            monitor.sendall(f"{command}\n".encode())
            time.sleep(0.5)
            monitor.recv(4096)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self.cut()
        shutil.rmtree(self._root, ignore_errors=True)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
