"""The contents of the card image, as far as they can be made without root and network.
tests/rigs/rig_card.py tests that it starts."""

import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
from itertools import pairwise
from pathlib import Path

import pytest

from companion.app.config import parse_config
from companion.app.updates.file import SYSTEM as SYSTEM_PART
from companion.app.updates.file import (
    UpdateContents,
    UpdateError,
    open_update,
    part_of,
    write_update,
)
from companion.app.updates.install import read_keys
from companion.app.updates.systems import CARD as CARD_NUMBER
from companion.app.updates.systems import DISKS, find_systems
from companion.card.__main__ import PARTITION
from companion.card.files import read_card_text
from companion.card.partitions import ALIGNED, SECTOR, partitions_in
from companion.card.settings import DEFAULT_CONFIG, read_settings
from image.__main__ import main, public_keys
from image.boot import name_on_partition
from image.debian import debian_command
from image.disk import KEPT, lay_out_partitions, make_record_partition, system_parts, write_image
from image.inputs import HERE, NUMBER, ROOT, SYSTEM, name_of, packages
from image.listing import licences_in, packages_in
from image.tryboot import kernel_in

CONTROL = (ROOT / "systemd" / "debian" / "control").read_text()
UNITS = HERE / "root" / "etc" / "systemd" / "system"
CARD = HERE / "fat"


def test_the_boxs_own_dependencies_are_in_the_image() -> None:
    told = packages(CONTROL)
    assert {"python3", "python3-luma.oled", "python3-evdev", "linux-image-arm64", *SYSTEM} <= {
        *told
    }
    assert told == sorted(set(told))
    assert not [name for name in told if not re.fullmatch("[a-z0-9.+-]+", name)]


def test_a_cached_system_is_reused_only_with_the_same_inputs() -> None:
    assert name_of(["ab", "c"], "x", ".tar") == name_of(["ab", "c"], "x", ".tar")
    assert name_of(["ab", "c"], "x", ".tar") != name_of(["a", "bc"], "x", ".tar")
    assert debian_command() == debian_command()


def test_partitions_begin_at_erase_blocks() -> None:
    places = lay_out_partitions((1, 300_000_000, 64 << 20))
    assert (
        [one.start % ALIGNED for one in places] == [one.size % ALIGNED for one in places] == [0] * 3
    )
    assert places[0].boots and places[0].start == ALIGNED
    assert all(one.end == two.start for one, two in pairwise(places))
    assert places[1].size * SECTOR >= 300_000_000


def test_partitions_are_where_the_table_lists_them(tmp_path: Path) -> None:
    parts = [tmp_path / name for name in "abc"]
    for path, data in zip(parts, (b"fat", b"\0" * (2 << 20) + b"system", b"rec"), strict=True):
        path.write_bytes(data)
    image = tmp_path / "image"
    write_image(parts, image)
    data = image.read_bytes()
    places = partitions_in(data[:SECTOR])
    assert data[440:444] == NUMBER.to_bytes(4, "little")
    assert len(data) == places[-1].end * SECTOR
    for path, place in zip(parts, places, strict=True):
        start = place.start * SECTOR
        assert data[start : start + path.stat().st_size] == path.read_bytes()


@pytest.mark.skipif(
    shutil.which("debugfs", path="/usr/sbin:/sbin") is None and not os.environ.get("CI"),
    reason="e2fsprogs is not installed",
)
def test_all_times_in_the_records_partition_are_the_given_time(tmp_path: Path) -> None:
    make_record_partition(tmp_path / "record", 1763700000)
    for name in ("/", *KEPT):
        told = subprocess.run(
            ["/sbin/debugfs", "-R", f"stat {name}", str(tmp_path / "record")],
            check=True, capture_output=True, text=True,
        ).stdout  # fmt: skip
        times = re.findall("time: 0x([0-9a-f]+)", told)
        assert len(times) >= 3
        assert {*times} == {f"{1763700000:x}"}, name


@pytest.mark.parametrize(
    ("name", "last"),
    [
        ("./usr/lib/raspi-firmware/start4.elf", "start4.elf"),
        ("./usr/lib/raspi-firmware/start4x.elf", None),
        (
            "./usr/lib/linux-image-6.12-arm64/broadcom/bcm2837-rpi-zero-2-w.dtb",
            "a/bcm2837-rpi-zero-2-w.dtb",
        ),
        ("./usr/lib/linux-image-6.12-arm64/broadcom/bcm2711-rpi-4-b.dtb", "a/bcm2711-rpi-4-b.dtb"),
        ("./usr/lib/linux-image-6.12-arm64/broadcom/bcm2712-rpi-5-b.dtb", None),
        ("./boot/vmlinuz-6.12-arm64", "a/vmlinuz"),
        ("./boot/initrd.img-6.12-arm64", "a/initrd.img"),
        ("./boot/System.map-6.12-arm64", None),
    ],
)
def test_only_the_needed_boot_files_are_copied(name: str, last: str | None) -> None:
    assert name_on_partition(name) == last


def test_the_cards_example_files_set_only_defaults() -> None:
    settings = read_settings(CARD)
    assert not settings.mistakes and not settings.wifi and not settings.keys and not settings.zone
    assert parse_config(settings.config, "companion.toml") == parse_config(
        DEFAULT_CONFIG, "companion.toml"
    )


@pytest.mark.parametrize(
    "line", re.findall("^# (board = .*)$", (CARD / "companion.toml").read_text(), re.M)
)
def test_every_board_named_on_the_card_exists(tmp_path: Path, line: str) -> None:
    text = (CARD / "companion.toml").read_text()
    (tmp_path / "companion.toml").write_text(text.replace(f"# {line}", line))
    settings = read_settings(tmp_path)
    assert not settings.mistakes
    assert parse_config(settings.config, "x").box.board in line


def test_the_examples_on_the_card_are_valid(tmp_path: Path) -> None:
    for name in ("wifi.txt",):
        text = read_card_text(CARD, name)
        lines = re.sub("^# (name|password|country) =", r"\1 =", text, flags=re.M)
        (tmp_path / name).write_text(lines)
    settings = read_settings(tmp_path)
    assert "country=DE" in settings.wifi and not settings.mistakes


def test_the_cards_readme_names_every_editable_file() -> None:
    readme = (CARD / "README.txt").read_text()
    own = {"config.txt", "README.txt"}
    for path in CARD.iterdir():
        assert path.name in readme or path.name in own
    assert all(len(line) <= 120 for line in readme.splitlines())


def test_kernel_and_mounts_name_the_cards_partitions() -> None:
    table = (HERE / "root/etc/fstab").read_text()
    assert f"PARTUUID={NUMBER:08x}-01" in table
    for text in ((HERE / "cmdline.txt").read_text(), (HERE / "debian.py").read_text()):
        assert f"PARTUUID={NUMBER:08x}-02" in text
    assert f"{NUMBER:08x}" == CARD_NUMBER
    # Which of the two systems is mounted, the kernel's command line alone says.
    assert not re.search(r"^\S+\s+/\s", table, re.M)


def test_a_record_partition_torn_by_a_power_cut_is_repaired() -> None:
    """A torn block has no label, and e2fsck uses a copy of that block only if it may repair
    everything. So the system names it by the table of partitions, which is written only once;
    tests/rigs/rig_card.py tries that."""
    assert PARTITION.parent == DISKS and PARTITION.name == f"{CARD_NUMBER}-04"
    table = (HERE / "root/etc/fstab").read_text()
    assert re.search(rf"^PARTUUID={CARD_NUMBER}-04\s+/data\s+ext4\s.*\s2$", table, re.M)
    assert "LABEL=" not in table
    unit = (HERE / "root/etc/systemd/system/companion-card.service").read_text()
    device = rf"dev-disk-by\x2dpartuuid-{CARD_NUMBER}\x2d04"
    assert f"After=boot-firmware.mount {device}.device" in unit
    assert f"Before=systemd-fsck@{device}.service" in unit
    words = (HERE / "cmdline.txt").read_text().split()
    assert {"fsck.repair=yes", "fsck.mode=force"} <= {*words}


@pytest.mark.skipif(
    shutil.which("debugfs", path="/usr/sbin:/sbin") is None and not os.environ.get("CI"),
    reason="e2fsprogs is not installed",
)
def test_a_torn_partition_is_repaired_by_the_second_of_two_checks(tmp_path: Path) -> None:
    """Growing the mounted partition writes copies of its first block that say “journal in use” and
    “clean”. With such a copy e2fsck recovers the journal and ends with an error; the next check
    believes that all is clean, unless it is forced."""
    disk = tmp_path / "disk"
    make_record_partition(disk, 0)
    os.truncate(disk, 300 << 20)
    for command in (("/sbin/e2fsck", "-fy", disk), ("/sbin/resize2fs", disk)):
        subprocess.run(command, check=True, capture_output=True)
    _write_copy_of_a_mounted_block(disk)
    (tmp_path / "rows").write_bytes(bytes(300_000))
    (tmp_path / "commands").write_text(
        f"write {tmp_path / 'rows'} rows\njo\njw -b 60000 {tmp_path / 'rows'}\njc\n"
    )
    debugfs = ["/sbin/debugfs", "-w", "-f", str(tmp_path / "commands"), str(disk)]
    subprocess.run(debugfs, check=True, capture_output=True)
    with disk.open("r+b") as file:
        file.seek(FIRST_BLOCK + CHECKSUM)
        file.write(b"torn")

    modes = {"fsck.mode=force": "-f", "fsck.repair=yes": "-y"}
    flags = [modes[word] for word in (HERE / "cmdline.txt").read_text().split() if word in modes]
    assert [_check_disk(disk, *words) for words in (flags, flags, ["-fn"])] == [12, 1, 0]
    unit = UNITS / "systemd-fsck@.service.d" / "card.conf"
    assert "Restart=on-failure\nRestartMode=direct\n" in unit.read_text()


FIRST_BLOCK, COPY = 1024, 32768 * 4096
"""Where ext4 has its first block and that block's first copy."""
STATE, INCOMPATIBLE, CHECKSUM = 58, 96, 1020
"""Offsets in that block (Linux, Documentation/filesystems/ext4/super.rst)."""


def _check_disk(disk: Path, *flags: str) -> int:
    return subprocess.run(
        ["/sbin/e2fsck", *flags, disk], check=False, capture_output=True
    ).returncode


def _write_copy_of_a_mounted_block(disk: Path) -> None:
    with disk.open("r+b") as file:
        file.seek(COPY)
        block = bytearray(file.read(1024))
        block[STATE], block[INCOMPATIBLE] = 1, block[INCOMPATIBLE] | 4
        block[CHECKSUM:] = _crc32c(bytes(block[:CHECKSUM])).to_bytes(4, "little")
        file.seek(COPY)
        file.write(block)


def _crc32c(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc


def test_a_card_has_two_systems_and_starts_the_first(tmp_path: Path) -> None:
    squashfs = tmp_path / "system"
    squashfs.write_bytes(b"squashfs")
    parts = system_parts(squashfs, tmp_path)
    assert [path.stat().st_size for path in parts] == [448 << 20, 448 << 20]
    with parts[0].open("rb") as first, parts[1].open("rb") as second:
        assert first.read(8) == b"squashfs" and second.read(8) == bytes(8)
    shutil.copy(CARD / "config.txt", tmp_path)
    line = (HERE / "cmdline.txt").read_text()
    (tmp_path / f"{CARD_NUMBER}-04").touch()
    systems = find_systems(line, tmp_path, tmp_path)
    assert (systems.running, systems.chosen(), systems.other) == ("a", "a", "b")
    assert f"PARTUUID={CARD_NUMBER}-03 " in systems.command_line(line)
    systems.choose("b")
    assert find_systems(systems.command_line(line), tmp_path, tmp_path).running == "b"
    config = (tmp_path / "config.txt").read_text().splitlines()
    # The firmware would set another prefix where an upstream kernel is named before ours.
    assert config.index("os_prefix=b/") < config.index("upstream_kernel=1")


def test_each_board_gets_the_right_kernel(tmp_path: Path) -> None:
    for name in ("./boot/vmlinuz-6.12.1-arm64", "boot/vmlinuz-6.12.1-arm64"):
        with tarfile.open(tmp_path / "system.tar", "w") as tar:
            _put(tar, name, "kernel")
            _put(tar, "./boot/initrd.img-6.12.1-arm64", "ramdisk")
        assert kernel_in(tmp_path / "system.tar") == "6.12.1-arm64"
    with tarfile.open(tmp_path / "system.tar", "w") as tar:
        _put(tar, "./boot/other", "")
    with pytest.raises(ValueError, match="has 0 kernels"):
        kernel_in(tmp_path / "system.tar")


def test_a_new_signing_key_is_readable_only_by_its_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = [tmp_path / name for name in ("one", "another")]
    for path in keys:
        monkeypatch.setattr(sys, "argv", ["make image", "--new-key", str(path)])
        with pytest.raises(SystemExit) as ended:
            main()
        assert not ended.value.code
        assert len(bytes.fromhex(path.read_text())) == 32
        assert path.stat().st_mode & 0o777 == 0o600
    assert keys[0].read_text() != keys[1].read_text()
    with pytest.raises(FileExistsError):
        main()


def test_an_update_can_change_the_signing_key(tmp_path: Path) -> None:
    """The release between has both keys, and is signed by the old one."""
    pytest.importorskip("cryptography", reason="only makers of cards sign them")
    old, new = bytes(32), bytes(range(32))
    card = tmp_path / "update-keys"

    def takes(key: bytes) -> bool:
        part = tmp_path / "part"
        part.write_bytes(b"x")
        contents = UpdateContents("1.0", 0, ("a board",), 3, (part_of(SYSTEM_PART, part),), 3)
        write_update(tmp_path / "update", contents, {SYSTEM_PART: part}, key)
        try:
            open_update(tmp_path / "update", read_keys(card))
        except UpdateError:
            return False
        return True

    for keys, taken in (
        ((old, None), (True, False)),
        ((old, new), (True, True)),
        ((new, None), (False, True)),
    ):
        card.write_text(public_keys(*keys))
        assert (takes(old), takes(new)) == taken


def test_a_next_key_without_a_current_one_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "key").write_text(bytes(32).hex())
    monkeypatch.setattr(sys, "argv", ["make image", "--next-key", str(tmp_path / "key")])
    with pytest.raises(SystemExit):
        main()
    assert "--next-key needs --key" in capsys.readouterr().err


def test_a_missing_signing_key_stops_the_build_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("image.__main__.find_spec", lambda name: None)
    (tmp_path / "key").write_text(bytes(32).hex())
    monkeypatch.setattr(sys, "argv", ["make image", "--key", str(tmp_path / "key")])
    with pytest.raises(SystemExit, match=r"sudo apt install .*python3-cryptography"):
        main()


def test_enabled_units_exist_and_run_existing_programs() -> None:
    finish = (HERE / "finish.sh").read_text()
    for unit in UNITS.glob("companion-card*.service"):
        assert f" {unit.stem}" in finish
        text = unit.read_text()
        (word,) = re.findall(
            r"^ExecStart=/usr/bin/python3 -P -m companion\.card (\w+)$", text, re.M
        )
        assert word in ("settings", "tell", "board", "wifi", "trial", "update")
        assert "[Install]" in text or unit.with_suffix(".path").exists()


def test_nobody_can_log_in_with_a_password() -> None:
    ssh = (HERE / "root/etc/ssh/sshd_config.d/card.conf").read_text()
    assert "PasswordAuthentication no" in ssh and "prohibit-password" in ssh
    assert "passwd" not in (HERE / "finish.sh").read_text().replace("etc/passwd-", "")
    assert "getty@.service" in (HERE / "finish.sh").read_text()


COPYRIGHTS = {
    "a": "Format: x\n\nFiles: *\nLicense: MIT\n text\n\nFiles: b\nLicense: GPL-2+ or BSD\n",
    "b": "On Debian systems see /usr/share/common-licenses/GPL-2.",
    "c": "Public domain.",
    "old": "Copyright:\n Permission is hereby granted, free\n of charge, to any person obtaining\n",
}


def _system(path: Path, *packages: str) -> Path:
    """A system with these packages. The copyright of `d` is a link to another's file, that of `e` a
    link to another's folder."""
    with tarfile.open(path, "w") as tar:
        for name, text in COPYRIGHTS.items():
            _put(tar, f"./usr/share/doc/{name}/copyright", text)
        for name, linked in (("d/copyright", "../a/copyright"), ("e", "a"), ("f", "gone")):
            link = tarfile.TarInfo(f"./usr/share/doc/{name}")
            link.type, link.linkname = tarfile.SYMTYPE, linked
            tar.addfile(link)
        status = (f"Package: {name}\nStatus: x\nVersion: 1:2-3\n" for name in packages)
        _put(tar, "./var/lib/dpkg/status", "\n".join(status))
    return path


def test_every_package_is_listed_with_its_licence(tmp_path: Path) -> None:
    system = _system(tmp_path / "system.tar", "b", "a", "e")
    assert packages_in(system) == "a 1:2-3\nb 1:2-3\ne 1:2-3\n"
    told = [line for line in licences_in(system).splitlines() if not line.startswith("#")]
    assert told == [
        "a: GPL-2+ or BSD, MIT",
        "b: GPL-2",
        "c: see its copyright file",
        "d: as a",
        "e: as a",
        "old: MIT",
    ]


def test_a_package_with_an_unknown_licence_stops_the_build(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no licence is known of f, g$"):
        licences_in(_system(tmp_path / "system.tar", "a", "f", "g"))


def _put(tar: tarfile.TarFile, name: str, text: str) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(text.encode())
    tar.addfile(member, io.BytesIO(text.encode()))
