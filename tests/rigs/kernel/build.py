"""Makes the guest: a Debian 12 system with the companion installed, as a disk to boot from.

Making the Debian system takes a minute and a half; `debian_root` keeps it. Modules and disk are
kept beside it, each under a name that changes with everything that it is made of.
"""

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.app.config import PLACE
from tests.rigs.package import debs, table_of
from tests.rigs.roots import debian_root, kept, unpack

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
TOOLS = ("qemu-system-x86_64", "mmdebstrap", "mke2fs", "setpriv", "dpkg-buildpackage", "dh",
         "dh_python3")  # fmt: skip
SYSTEM = ("systemd", "systemd-sysv", "udev", "dbus", "kmod", "dmsetup", "wpasupplicant",
          "iw", "dnsmasq-base", "busybox", "linux-image-amd64")  # fmt: skip
PYTHON = ("python3", "python3-gpiozero", "python3-luma.oled", "python3-pil", "python3-serial",
          "python3-aiohttp", "python3-segno", "python3-spidev", "python3-smbus2",
          "python3-evdev", "python3-cryptography", "fonts-dejavu-core")  # fmt: skip
COMPILER = ("linux-headers-amd64", "linux-source-6.1", "gcc", "make", "xz-utils")
"""Packages that build the modules, in the same system as the kernel, so that they always fit it."""
MODULE_SOURCES = ("panel.c", "contacts.h", "Kbuild", "build_modules.sh")
MODULES = ("panel.ko", "gpio-sim-oot.ko")
AGENT = "agent.py"
GUEST_FILES = (AGENT, "edges.py", "setup.sh", "../../wakeups.py")
WHEELS = ("lgpio==0.2.2.0", "gpiozero==2.0.1")
"""Wheels that Debian 12 lacks, each in its own folder /opt/NAME, for measurements that name it."""
DISK_MB = 700
NOT_BOOTED = ("usr/src", "usr/lib/gcc", "usr/lib/linux-kbuild-6.1", "usr/share/doc",
              "usr/share/man", "usr/share/locale", "usr/libexec/gcc")  # fmt: skip
DRIVERS = ("virtio_pci", "virtio_blk", "virtio_console", "ext4", "configfs", "i2c-dev", "autofs4",
           "evdev", "uinput", "xhci_pci", "usb_storage", "sd_mod", "vfat", "nls_ascii", "nls_cp437",
           "nls_utf8", "exfat", "dm_mod", "dm_log_writes", "mac80211_hwsim", "ccm", "ctr",
           "crc32c_generic", "crc32c-intel")  # fmt: skip
"""The only modules of Debian's kernel that the guest keeps: with fewer devices it boots sooner.
ccm, Wi-Fi's cipher, asks for ctr by name when it is first used, which no list of dependencies
says."""
MASKED = ("systemd-networkd", "systemd-firstboot", "systemd-binfmt", "e2scrub_reap",
          "systemd-pstore", "systemd-timesyncd", "systemd-network-generator", "modprobe@drm",
          "modprobe@fuse", "modprobe@efi_pstore", "modprobe@dm_mod", "modprobe@loop",
          "wpa_supplicant")  # fmt: skip


@dataclass(frozen=True, slots=True)
class GuestFiles:
    """The files that QEMU starts: a kernel, its initial ramdisk, and a disk that must be copied
    first."""

    kernel: Path
    initrd: Path
    disk: Path


def build() -> GuestFiles:
    """Returns the guest; makes only the parts that are missing or have changed."""
    debian = debian_root("bookworm", (*SYSTEM, *PYTHON, *COMPILER))
    modules = kept("kernel-modules", [debian.name.encode(), *_contents(MODULE_SOURCES)],
                   lambda into: _build_modules(debian, into))  # fmt: skip
    package = table_of(debs())
    told = [debian.name.encode(), modules.name.encode(), *_contents(GUEST_FILES),
            Path(__file__).read_bytes(), package.read_bytes()]  # fmt: skip
    made = kept("kernel-guest", told, lambda into: _build_guest(debian, modules, package, into))
    return _built(made)


def _contents(names: Iterable[str]) -> list[bytes]:
    return [(HERE / name).read_bytes() for name in names]


def _build_modules(debian: Path, into: Path) -> None:
    with TemporaryDirectory() as folder:
        root = unpack(debian, Path(folder) / "root")
        build = root / "build"
        build.mkdir()
        for name in MODULE_SOURCES:
            shutil.copy(HERE / name, build)
        inside(root, "sh", "/build/build_modules.sh", "/build")
        for name in MODULES:
            shutil.copy(build / name, into)


def _build_guest(debian: Path, modules: Path, package: Path, into: Path) -> None:
    with TemporaryDirectory() as folder:
        root = unpack(debian, Path(folder) / "root")
        _furnish(root, modules)
        install(root, package)
        (root / PLACE.relative_to("/")).write_text('[box]\nhardware = "board"\n')
        _slim(root)
        make_disk(root, into, DISK_MB)


def make_disk(root: Path, into: Path, size_mb: int) -> GuestFiles:
    """Puts the kernel, ramdisk and disk of the system in `root` into the folder `into`, for QEMU to
    start. The disk has `size_mb` megabytes."""
    (root / "etc/initramfs-tools/conf.d/rig").write_text("MODULES=list\nBUSYBOX=n\n")
    with (root / "etc/initramfs-tools/modules").open("a") as names:
        names.write("virtio_pci\nvirtio_blk\next4\n")
    inside(root, "update-initramfs", "-u")
    shutil.copy(next((root / "boot").glob("vmlinuz-*")), into / "vmlinuz")
    shutil.copy(next((root / "boot").glob("initrd.img-*")), into / "initrd.img")
    disk = into / "disk.img"
    _run(["mke2fs", "-q", "-t", "ext4", "-d", str(root), str(disk), f"{size_mb}M"])
    return _built(into)


def _built(made: Path) -> GuestFiles:
    return GuestFiles(made / "vmlinuz", made / "initrd.img", made / "disk.img")


def _furnish(root: Path, modules: Path) -> None:
    """Adds the modules, agent and wheels, and the units that start them."""
    rig = root / "rig"
    shutil.copytree(modules, rig / "modules")
    for name in GUEST_FILES:
        shutil.copy(HERE / name, rig)
    # gpiozero's lgpio asks for the revision of a Pi: this is a Pi 4.
    (rig / "cpuinfo").write_text("Revision\t: c03111\n")
    units = root / "etc/systemd/system"
    (units / "rig.service").write_text(
        "[Unit]\nDefaultDependencies=no\nAfter=systemd-udevd.service local-fs.target\n"
        "Before=sysinit.target companion.service\n"
        "[Service]\nType=oneshot\nRemainAfterExit=yes\n"
        "ExecStart=sh /rig/setup.sh gpio\nExecStart=sh /rig/setup.sh panel\n"
        "[Install]\nWantedBy=sysinit.target\n"
    )
    inside(root, "systemctl", "enable", "--quiet", "rig.service")
    give_agent(root)
    with TemporaryDirectory() as folder:
        told = ["--quiet", "--no-deps", "--only-binary=:all:", "--python-version=3.11",
                "--platform=manylinux_2_34_x86_64", f"--dest={folder}"]  # fmt: skip
        _run([sys.executable, "-m", "pip", "download", *told, *WHEELS])
        for wheel in Path(folder).glob("*.whl"):
            with zipfile.ZipFile(wheel) as packed:
                packed.extractall(root / "opt" / wheel.name.partition("-")[0])


def give_agent(root: Path) -> None:
    """Adds the agent, with which the rig speaks to the guest, and the unit that starts it."""
    (root / "rig").mkdir(exist_ok=True)
    shutil.copy(HERE / AGENT, root / "rig")
    (root / "etc/systemd/system/rig-agent.service").write_text(
        "[Unit]\nAfter=rig.service\nWants=modprobe@virtio_console.service\n"
        "StartLimitIntervalSec=0\n"
        # The agent's port may come later.
        "[Service]\nExecStart=python3 /rig/agent.py\nRestart=on-failure\nRestartSec=1\n"
        "[Install]\nWantedBy=multi-user.target\n"
    )
    inside(root, "systemctl", "enable", "--quiet", "rig-agent.service")
    (root / "etc/machine-id").write_text("uninitialized\n")
    (root / "etc/fstab").write_text("/dev/vda / ext4 defaults 0 1\n")


def install(root: Path, package: Path) -> None:
    """Installs the companion's package with apt, as users do."""
    shutil.copy(package, root / "rig/companion.deb")
    inside(root, "apt-get", "install", "--yes", "--quiet", "/rig/companion.deb")


def _slim(root: Path) -> None:
    """Removes what the guest doesn't need once the modules are built."""
    for name in NOT_BOOTED:
        shutil.rmtree(root / name, ignore_errors=True)
    (kernel,) = (root / "lib/modules").iterdir()
    show = ("modprobe", "--show-depends", "--all", f"--set-version={kernel.name}")
    told = inside(root, *show, *DRIVERS).splitlines()
    kept = {line.split()[1] for line in told if line.startswith("insmod")}
    for module in kernel.rglob("*.ko"):
        if f"/{module.relative_to(root)}" not in kept:
            module.unlink()
    inside(root, "depmod", kernel.name)
    inside(root, "systemctl", "mask", "--quiet", *(f"{unit}.service" for unit in MASKED))


def inside(root: Path, *command: str) -> str:
    """Runs a command inside the system in `root`; returns its output."""
    path = "/usr/sbin:/usr/bin:/sbin:/bin"
    return _run(["chroot", str(root), *command], {"PATH": path, "LC_ALL": "C.UTF-8"})


def _run(command: list[str], environment: dict[str, str] | None = None) -> str:
    """Runs a command and returns its output. Raises RuntimeError with the end of it if it fails."""
    path = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
    done = subprocess.run(
        command, env=environment or {**os.environ, "PATH": path}, check=False, timeout=300,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stdout[-3000:]}")
    return done.stdout
