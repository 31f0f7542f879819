"""The inputs of the image, and the tools that make it; together they determine its bytes."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
SUITE = "trixie"
NUMBER = 0x434F4D50
"""The card's number, “COMP” in ASCII, by which the system finds its partitions."""
RECORD_ID = "434f4d50-0003-4000-8000-000000000003"
HASHES_ID = "434f4d50-0003-4000-8000-000000000004"
DEBIAN_EPOCH = 1763700000
"""The latest time of any file in Debian's part, in seconds since 1970, whenever the image is
made."""

KERNEL = ("linux-image-arm64", "raspi-firmware", "initramfs-tools", "zstd")
SYSTEM = (
    "systemd", "systemd-sysv", "systemd-resolved", "systemd-timesyncd", "udev", "kmod", "dbus",
    "iproute2", "tzdata", "e2fsprogs", "dosfstools",
)  # fmt: skip
NETWORK = (
    "firmware-brcm80211", "wpasupplicant", "wireless-regdb", "iw", "dnsmasq-base", "avahi-daemon",
    "openssh-server",
)  # fmt: skip
CLUB = ("python3-cryptography", "python3-zeroconf")
"""Packages that ours only recommends: a card may name its club."""
VOICE = ("alsa-utils", "espeak-ng")
"""Packages that ours only recommends: a box with a sound card speaks."""
IMAGER = ("python3-yaml",)
"""Reads the files that Raspberry Pi Imager writes."""
NOT_OURS = ("python3:any",)
MODULES = (
    "mmc_block", "bcm2835", "sdhci_iproc", "bcm2835_dma", "clk_raspberrypi",
    "gpio_raspberrypi_exp", "gpio_regulator", "fixed", "raspberrypi_cpufreq", "reset_raspberrypi",
    "bcm2835_wdt", "squashfs", "ext4", "vfat", "nls_ascii", "nls_cp437",
)  # fmt: skip
"""The modules with which the kernel reaches the card, on all of the boards."""
EXCLUDED = ("man/*", "locale/*", "doc/*")

TOOLS = {
    "mmdebstrap": "mmdebstrap", "qemu-aarch64-static": "qemu-user-static", "arch-test": "arch-test",
    "tar2sqfs": "squashfs-tools-ng", "fdtput": "device-tree-compiler", "mkfs.vfat": "dosfstools",
    "mcopy": "mtools", "mke2fs": "e2fsprogs", "zstd": "zstd",
    "xz": "xz-utils",
}  # fmt: skip
"""Commands, and the Debian packages that contain them, in addition to those that make_deb.py
needs."""


def packages(control: str) -> list[str]:
    """Returns the names of the system's Debian packages, including those on which our package
    depends according to its `control` file."""
    _, _, rest = control.partition("\nDepends:")
    depends = rest.partition("\nRecommends:")[0]
    names = (word.split("(")[0].strip() for word in depends.replace("\n", " ").split(","))
    ours = [name for name in names if name and "$" not in name and ":" not in name]
    return sorted({*KERNEL, *SYSTEM, *NETWORK, *CLUB, *VOICE, *IMAGER, "python3", *ours})


def name_of(parts: Sequence[str | bytes], prefix: str, suffix: str) -> str:
    """Returns a file name that changes whenever one of these parts does."""
    told = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        told.update(len(data).to_bytes(8, "big") + data)
    return f"{prefix}-{told.hexdigest()[:12]}{suffix}"
