"""A PC with a screen, for the kiosk rig: Debian 13 with its kernel, its Chromium and our package,
in QEMU. A test can look at a picture of its screen.
"""

import shutil
from pathlib import Path

from PIL import Image

from tests.rigs.kernel.build import GuestFiles, give_agent, inside, install, make_disk
from tests.rigs.kernel.guest import TALK, Guest
from tests.rigs.package import debs, depends, table_of
from tests.rigs.roots import debian_root, unpack

KIOSK = ("cage", "chromium", "seatd")
"""Packages that the unit tells people to install."""
RECOMMENDED = ("chromium-sandbox",)
"""Packages that apt installs with those, unless it is told not to."""
SYSTEM = ("systemd", "systemd-sysv", "udev", "dbus", "kmod", "kbd", "iproute2", "linux-image-amd64")
DISK_MB = 3500
MEMORY_MB = 2048
"""Memory of the smallest Raspberry Pi that the kiosk is for."""
SIZE = (1280, 720)
PATIENT = "[Service]\nTimeoutStartSec=900\nWatchdogSec=300\n"
"""Settings of the table's service in emulation, whose seconds are those of a busy machine."""
NOT_BOOTED = ("usr/share/doc", "usr/share/man", "usr/share/locale", "var/cache/apt/archives")
NO_KEYS = "blacklist button\nblacklist pcspkr\n"
"""Kernel modules that are left out: a box has no keyboard and no mouse, and the PC's power key
counts as a keyboard."""


def build(folder: Path) -> GuestFiles:
    """Makes the files that QEMU starts, in the empty `folder`."""
    package = table_of(debs())
    debian = debian_root("trixie", (*SYSTEM, *KIOSK, *RECOMMENDED, *depends(package)))
    root = unpack(debian, folder / "root")
    give_agent(root)
    install(root, package)
    (root / "etc/modprobe.d/no-keys.conf").write_text(NO_KEYS)
    settings = root / "etc/systemd/system/companion.service.d"
    settings.mkdir()
    (settings / "rig.conf").write_text(PATIENT)
    for name in NOT_BOOTED:
        shutil.rmtree(root / name, ignore_errors=True)
    inside(root, "systemctl", "mask", "--quiet", "systemd-networkd", "systemd-timesyncd")
    built = make_disk(root, folder, DISK_MB)
    shutil.rmtree(root)
    return built


class KioskGuest(Guest):
    """The PC. Its clock runs in real time, as a browser needs full speed."""

    def _command(self, agent: int, _clock: str) -> list[str]:
        return [
            *("setpriv", "--pdeathsig", "KILL", "--"),
            *("qemu-system-x86_64", "-nodefaults", "-display", "none", "-no-reboot"),
            *("-machine", "pc,i8042=off", "-accel", "tcg,thread=multi", "-cpu", "max"),
            *("-smp", "2", "-m", str(MEMORY_MB)),
            *("-kernel", str(self._built.kernel), "-initrd", str(self._built.initrd)),
            *("-append", f"root=/dev/vda rw console=tty1 console=ttyS0 panic=-1 {TALK}"),
            *("-drive", f"file={self._disk},if=virtio,format=raw,cache=unsafe"),
            *("-serial", f"file:{self._folder / 'console.log'}"),
            *("-device", f"virtio-vga,xres={SIZE[0]},yres={SIZE[1]}"),
            *("-nic", "user,model=virtio-net-pci,restrict=on"),
            *("-device", "virtio-serial", "-chardev", f"socket,id=agent,fd={agent}"),
            *("-device", "virtserialport,chardev=agent,name=agent"),
            *("-monitor", f"unix:{self._monitor},server=on,wait=off"),
        ]

    def picture(self) -> Image.Image:
        """The picture on the screen."""
        path = self._folder / "screen.ppm"
        self._tell_machine(f"screendump {path}")
        with Image.open(path) as shown:
            return shown.convert("RGB")
