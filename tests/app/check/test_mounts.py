"""Whether files survive a power cut, judged by the mount tables of real systems."""

from pathlib import Path, PurePosixPath

import pytest

from companion.app.check.disk import is_read_only, mount_of, volatility_reason

PLAIN = """\
24 1 179:2 / / rw,noatime shared:1 - ext4 /dev/mmcblk0p2 rw
25 24 0:22 / /run rw,nosuid,nodev shared:5 - tmpfs tmpfs rw,size=189504k,mode=755
26 24 179:1 / /boot/firmware rw,relatime shared:9 - vfat /dev/mmcblk0p1 rw
27 24 8:1 / /media/my\\040stick rw,relatime - ext4 /dev/sda1 rw
28 24 254:0 / /var/log rw,noatime - ext4 /dev/zram0 rw
29 24 8:2 / /mnt/locked rw,relatime - ext4 /dev/sdb1 ro
"""
OVERLAYROOT = """\
24 1 0:30 / / rw,relatime - overlay overlayroot rw,lowerdir=/media/root-ro,\
upperdir=/media/root-rw/overlay,workdir=/media/root-rw/overlay-workdir/_
25 24 179:2 / /media/root-ro ro,relatime - ext4 /dev/mmcblk0p2 ro
26 24 0:29 / /media/root-rw rw,relatime - tmpfs tmpfs-root rw
27 24 8:1 / /var/lib/companion rw,relatime - ext4 /dev/sda1 rw
"""
HIDDEN = "24 1 0:30 / / rw - overlay overlay rw,lowerdir=/lower,upperdir=/upper/data,workdir=/w\n"
ON_DISK = """\
24 1 0:30 / / rw - overlay overlay rw,lowerdir=/lower,upperdir=/over/upper,workdir=/over/work
25 24 179:3 / /over rw - ext4 /dev/mmcblk0p3 rw
"""
OLD_SWITCH, NEW_SWITCH, NO_SWITCH = "boot=overlay root=x", "root=x overlayroot=tmpfs:recurse=0", ""

CASES = [
    (PLAIN, NO_SWITCH, "/var/lib/companion/record.db", None),
    (PLAIN, NO_SWITCH, "/run/record.db", "/run is kept in memory (tmpfs)"),
    (PLAIN, NO_SWITCH, "/running/record.db", None),
    (PLAIN, NO_SWITCH, "/media/my stick/record.db", None),
    (PLAIN, NO_SWITCH, "/var/log/record.db", "/var/log is kept in memory (ext4)"),
    (OVERLAYROOT, NEW_SWITCH, "/home/pi/record.db", "/ is an overlay"),
    (OVERLAYROOT, NO_SWITCH, "/home/pi/record.db", "/ is an overlay"),
    (OVERLAYROOT, NEW_SWITCH, "/var/lib/companion/record.db", None),
    (HIDDEN, OLD_SWITCH, "/var/lib/companion/record.db", "/ is the overlay of raspi-config"),
    (HIDDEN, NEW_SWITCH, "/var/lib/companion/record.db", "/ is the overlay of raspi-config"),
    (HIDDEN, NO_SWITCH, "/var/lib/companion/record.db", None),
    (ON_DISK, NO_SWITCH, "/var/lib/companion/record.db", None),
]


@pytest.mark.parametrize(("mounts", "cmdline", "path", "says"), CASES)
def test_files_lost_at_power_off_are_recognised(
    mounts: str, cmdline: str, path: str, says: str | None
) -> None:
    told = volatility_reason(PurePosixPath(path), mounts, cmdline)
    assert told is None if says is None else (told or "").startswith(says)


def test_a_later_mount_hides_an_earlier_one() -> None:
    mounts = PLAIN + "40 24 0:40 / / rw - tmpfs none rw\n"
    assert volatility_reason(PurePosixPath("/home/record.db"), mounts, "")


@pytest.mark.parametrize(("path", "locked"), [("/mnt/locked/r.db", True), ("/home/r.db", False)])
def test_a_read_only_mount_is_recognised(path: str, locked: bool) -> None:
    mount = mount_of(PurePosixPath(path), PLAIN)
    assert mount is not None
    assert is_read_only(mount) is locked


def test_this_machines_mounts_can_be_read() -> None:
    text = Path("/proc/self/mountinfo").read_text()
    assert mount_of(PurePosixPath("/proc/self"), text) is not None
