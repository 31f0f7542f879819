"""An emulated Raspberry Pi 3 that starts the card image: its display on I²C, a USB keyboard, and a
network by which ssh comes in, since a key for that is written on the card as people would.

QEMU has to be 10 or newer: 7.2 hangs on I²C. It is Debian 13's, in a folder of its own. Nothing is
to be had there on GPIO.
"""

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from companion.card.partitions import SECTOR, partitions_in
from tests.rigs.roots import debian_root, unpack

QEMU = ("qemu-system-arm", "qemu-system-data", "ipxe-qemu", "libc6")
TREE = "bcm2837-rpi-3-b.dtb"
SIZE = 1 << 30
"""A card of a power of two, which QEMU wants; larger than the image, so that the record grows."""
WITHIN_S = 3000.0
"""A boot takes five minutes on an idle machine, and the rig gives way to everybody else."""
TOOLS = ("mmdebstrap", "chroot", "mcopy", "mtype", "ssh", "ssh-keygen", "nice", "ionice")
KEY = "id"


class Card:
    """A copy of the image in that folder, with these files on its FAT partition besides."""

    def __init__(self, image: Path, folder: Path, files: Mapping[str, str]) -> None:
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
        for name in ("vmlinuz", "initrd.img", TREE):
            self._mtools("mcopy", "-n", f"::{name}", str(self._card / name))
        self._qemu: subprocess.Popen[bytes] | None = None
        self.boots: list[float] = []
        self.port = _free_port()

    def write(self, name: str, text: str) -> None:
        """Writes a file on the FAT partition, with the line ends of Windows."""
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
        line = self._mtools("mtype", "::cmdline.txt").strip()
        line += " systemd.watchdog_sec=0 systemd.default_device_timeout_sec=1800"
        line += " systemd.default_timeout_start_sec=1800"
        (self._card / "monitor").unlink(missing_ok=True)
        command = ["nice", "-n", "19", "ionice", "-c3", "chroot", str(self._root)]
        command += ["qemu-system-aarch64", "-M", "raspi3b", "-kernel", "/card/vmlinuz"]
        command += ["-dtb", f"/card/{TREE}", "-initrd", "/card/initrd.img", "-append", line]
        command += ["-drive", "file=/card/sd.img,if=sd,format=raw", "-usb"]
        command += ["-device", "usb-net,netdev=n0", "-device", "usb-kbd"]
        command += ["-netdev", f"user,id=n0,hostfwd=tcp:127.0.0.1:{self.port}-:22"]
        command += ["-device", "ssd0303,id=oled,bus=i2c-bus.1,address=0x3c", "-display", "none"]
        command += ["-monitor", "unix:/card/monitor,server=on,wait=off"]
        command += ["-serial", "null", "-serial", "file:/card/serial.log", "-no-reboot"]
        started = time.monotonic()
        self._qemu = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        self.until(
            lambda: self.tell("systemctl is-active companion") == "active", "the table is open"
        )
        self.boots.append(time.monotonic() - started)
        return self

    def cut(self) -> None:
        """Cuts the power."""
        if self._qemu is not None:
            self._qemu.kill()
            self._qemu.wait()
            self._qemu = None

    def until(self, true: Callable[[], object], what: str) -> None:
        """Waits until something is so."""
        end = time.monotonic() + WITHIN_S
        while not true():
            assert self._qemu is not None and self._qemu.poll() is None, (
                f"QEMU has ended\n{self.log}"
            )
            assert time.monotonic() < end, f"still not: {what}\n{self.log}"
            time.sleep(3)

    @property
    def log(self) -> str:
        """The end of what the kernel and systemd said."""
        path = self._card / "serial.log"
        return path.read_text(errors="replace")[-4000:] if path.exists() else ""

    def tell(self, command: str, given: str = "") -> str:
        """What a command on the box prints; empty where nobody can come in yet."""
        options = ["StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "LogLevel=ERROR"]
        options += ["ConnectTimeout=300", "BatchMode=yes"]
        ssh = ["ssh", "-i", str(self._key), "-p", str(self.port)]
        ssh += [word for option in options for word in ("-o", option)]
        ran = subprocess.run(
            [*ssh, "root@127.0.0.1", command],
            input=given, capture_output=True, text=True, check=False, timeout=WITHIN_S,
        )  # fmt: skip
        return ran.stdout.strip()

    def press(self, *keys: str) -> None:
        """Presses keys of the USB keyboard, one after the other."""
        for key in keys:
            self._monitor(f"sendkey {key} 100")
            time.sleep(2)

    def picture(self) -> bytes:
        """What the display shows: the 96 by 16 pixels that QEMU's chip has, as a PPM file."""
        path = self._card / "picture.ppm"
        path.unlink(missing_ok=True)
        self._monitor("screendump /card/picture.ppm oled")
        self.until(path.exists, "a picture of the display")
        time.sleep(1)
        return path.read_bytes()

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


def games(told: str) -> object:
    """What `companion games --json` says."""
    return json.loads(told)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
