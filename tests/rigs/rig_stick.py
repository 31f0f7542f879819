"""The kernel rig's guest once more: USB sticks, plugged in and pulled, by real udev and systemd.

The tests show who mounts a stick, in which sandbox, and that a dead stick holds nobody up. A box
without any game asks whether to take the games of the stick.
"""

import json
import subprocess
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from companion.console.console import Console
from companion.core.keys import Key
from companion.record.copies.restore import Offer
from tests.console.rig import Rig
from tests.rigs.kernel.guest import Guest, GuestError
from tests.rigs.kernel.table import RECORD, START_S, GuestTable, Stepping, played
from tests.rigs.roots import need

OPENING = 9
"""Presses after which rows are in the record."""
WITHIN_S = 120.0
UNIT = "companion-stick@*.service"
MARKER = "table-companion.txt"


def until(true: Callable[[], object], what: str, guest: Guest) -> None:
    end = time.monotonic() + WITHIN_S
    while not true():
        if time.monotonic() > end:
            units = guest.run(f"journalctl -b --no-pager -u '{UNIT}' 2>&1 || true")
            raise GuestError(f"still not: {what}\n{units}\n{guest.journal()}")
        time.sleep(0.5)


def make_stick(path: Path, kind: str, *, marked: bool, marker: str = MARKER) -> Path:
    """A stick with a file system of that kind. `marked`: it has our file, named `marker`."""
    need("mkfs.vfat", "mcopy", "mke2fs")
    root = path.with_suffix(".root")
    root.mkdir()
    (root / "photo.jpg").write_bytes(b"not ours")
    if marked:
        (root / marker).write_text("")
    path.write_bytes(b"")
    with path.open("r+b") as image:
        image.truncate(40_000_000)
    if kind == "ext4":
        run("mke2fs", "-q", "-t", "ext4", "-d", str(root), str(path))
    elif kind == "exfat":
        need("mkfs.exfat")
        run("mkfs.exfat", str(path))
    else:
        run("mkfs.vfat", str(path))
        for file in root.iterdir():
            run("mcopy", "-i", str(path), str(file), f"::{file.name}")
    return path


def run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)


def is_active(guest: Guest) -> bool:
    return "active" in guest.run(f"systemctl show -P ActiveState '{UNIT}'").split()


def rows_kept(guest: Guest) -> int:
    code = f"import sqlite3; print(sqlite3.connect('file:{RECORD}?mode=ro', uri=True)"
    code += ".execute('SELECT max(seq) FROM record').fetchone()[0])"
    return int(guest.run(f'python3 -c "{code}"'))


def rows_on(guest: Guest) -> int:
    """The number of rows on the stick, as its systemd unit sees it."""
    pid = pid_of(guest)
    look = "cat /run/companion-stick/*/table-companion/record-*/*.rows 2>&1 | grep -c kind"
    return int(guest.run(f"nsenter -m -t {pid} sh -c '{look} || true'").strip() or 0)


def pid_of(guest: Guest) -> int:
    return int(guest.run(f"systemctl show -P MainPID '{UNIT}'").split()[0])


def play(guest: Guest, table: GuestTable, first: int, last: int) -> None:
    for step in played(1, 2, "tile")[first:last]:
        table.press(step.key, step.frame)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("kind", ["vfat", "exfat", "ext4"])
def test_a_stick_with_the_copy_file_gets_every_row(guest: Guest, tmp_path: Path, kind: str) -> None:
    stick = make_stick(tmp_path / f"{kind}.img", kind, marked=True)
    table = GuestTable(guest)
    table.fresh()
    if kind == "exfat":
        put_marker(guest, stick)
    play(guest, table, 0, OPENING)
    guest.plug_in(stick)
    try:
        until(lambda: is_active(guest), "the unit runs", guest)
        until(lambda: rows_on(guest) == rows_kept(guest) > 0, "all rows are copied", guest)
        before = rows_on(guest)
        play(guest, table, OPENING, OPENING + 6)
        until(lambda: rows_on(guest) == rows_kept(guest) > before, "new rows follow", guest)
        check_sandbox(guest)
    finally:
        guest.pull_out()
    until(lambda: not is_active(guest), "the unit ends with the stick", guest)
    assert guest.run("systemctl is-active companion").strip() == "active"
    assert "companion-stick" not in guest.run("cat /proc/mounts")
    back = tmp_path / "back"
    back.mkdir()
    if kind == "vfat":
        run("mcopy", "-s", "-n", "-i", str(stick), "::table-companion", str(back))
        lines = [line for file in back.rglob("*.rows") for line in file.read_text().splitlines()]
        assert sum(line.startswith("[") for line in lines) > before


def put_marker(guest: Guest, stick: Path) -> None:
    """Writes our file to the stick by the guest's own kernel: no tool of ours writes into an exFAT
    image."""
    looked_at = f"journalctl -b --no-pager -u '{UNIT}' | grep -c Deactivated || true"
    before = int(guest.run(looked_at))
    guest.plug_in(stick)
    until(lambda: int(guest.run(looked_at)) > before, "a stick without our file is left", guest)
    guest.run(f"mkdir -p /run/mark && mount /dev/sd? /run/mark && touch /run/mark/{MARKER}")
    guest.run("umount /run/mark")
    guest.pull_out()
    until(lambda: "gone" in guest.run("ls /dev/sd? 2>/dev/null || echo gone"), "it is out", guest)


def test_a_write_protected_stick_is_reported(guest: Guest, tmp_path: Path) -> None:
    stick = make_stick(tmp_path / "locked.img", "vfat", marked=True)
    before = stick.read_bytes()
    table = GuestTable(guest)
    table.fresh()
    play(guest, table, 0, OPENING)
    guest.plug_in(stick, locked=True)
    try:
        said = "The stick can't be written to: is it locked by a switch?"
        until(lambda: said in guest.journal(), "the table says so", guest)
    finally:
        guest.pull_out()
    until(lambda: not is_active(guest), "the unit ends with the stick", guest)
    assert stick.read_bytes() == before


def test_a_full_stick_is_reported(guest: Guest, tmp_path: Path) -> None:
    stick = make_stick(tmp_path / "crowded.img", "vfat", marked=True)
    fill(stick, tmp_path)
    table = GuestTable(guest)
    table.fresh()
    play(guest, table, 0, OPENING)
    guest.plug_in(stick)
    try:
        said = "The stick is full: nothing more is copied to it"
        until(lambda: said in guest.journal(), "the table says so", guest)
        play(guest, table, OPENING, OPENING + 4)
    finally:
        guest.pull_out()
    until(lambda: not is_active(guest), "the unit ends with the stick", guest)


def fill(stick: Path, folder: Path) -> None:
    """Puts photos onto a FAT stick until no byte is free."""
    for size in (4_000_000, 500_000, 60_000, 8_000, 2_000, 500):
        photo = folder / "photo"
        photo.write_bytes(bytes(size))
        for number in range(80):
            put = ["mcopy", "-i", str(stick), str(photo), f"::{size}-{number}.jpg"]
            if subprocess.run(put, capture_output=True, check=False).returncode:
                break


def test_a_file_renamed_by_windows_is_recognised(guest: Guest, tmp_path: Path) -> None:
    stick = make_stick(tmp_path / "twice.img", "vfat", marked=True, marker=f"{MARKER}.txt")
    table = GuestTable(guest)
    table.fresh()
    play(guest, table, 0, OPENING)
    guest.plug_in(stick)
    try:
        until(lambda: is_active(guest), "the unit runs", guest)
        until(lambda: rows_on(guest) == rows_kept(guest) > 0, "all rows are copied", guest)
    finally:
        guest.pull_out()
    until(lambda: not is_active(guest), "the unit ends with the stick", guest)


def check_sandbox(guest: Guest) -> None:
    """Checks that the unit runs as the user companion, without privileges, and that only the unit
    sees the mount: not even the table's service does."""
    pid = pid_of(guest)
    status = dict(line.split(":", 1) for line in guest.run(f"cat /proc/{pid}/status").splitlines())
    user = guest.run("id -u companion").strip()
    assert status["Uid"].split() == [user] * 4
    assert {status[f"Cap{kind}"].strip() for kind in ("Inh", "Prm", "Eff", "Bnd", "Amb")} == {
        "0" * 16
    }
    assert status["NoNewPrivs"].strip() == "1"
    assert "/run/companion-stick" not in guest.run("cat /proc/mounts")
    table = guest.run("systemctl show -P MainPID companion").strip()
    assert "/run/companion-stick" not in guest.run(f"cat /proc/{table}/mounts")
    options = guest.run(f"grep companion-stick/ /proc/{pid}/mounts | grep /dev/sd").split()[3]
    assert {"rw", "nosuid", "nodev", "noexec"} <= set(options.split(","))
    for place in ("/etc", "/usr", "/home"):
        guest.run(f"nsenter -m -t {pid} touch {place}/written", status=1)
    guest.run("systemd-analyze verify companion-stick@sda.service 2>&1")


def test_a_box_without_a_game_offers_those_of_the_stick(guest: Guest, tmp_path: Path) -> None:
    """The box asks for a stick that was there before the table started, and for one that is plugged
    in later. That one is pulled while the box asks; OK takes its games all the same."""
    stick = make_stick(tmp_path / "full.img", "vfat", marked=True)
    table = GuestTable(guest)
    table.fresh()
    play(guest, table, 0, OPENING)
    guest.plug_in(stick)
    until(lambda: is_active(guest) and rows_on(guest) == rows_kept(guest) > 0, "copied", guest)
    had = rows_kept(guest)
    guest.pull_out()
    until(lambda: not is_active(guest), "the unit ends with the stick", guest)
    guest.run(f"systemctl stop companion; rm -rf {RECORD}*", 60)
    guest.plug_in(stick)
    until(lambda: offers(guest), "something is offered", guest)
    guest.run("systemctl start companion", 60)
    name = offers(guest)[0]  # a stick that was reset meanwhile has another letter, and made two
    assert guest.run(f"stat -c %U:%a /var/lib/companion/{name}").strip() == "companion:640"
    asks = Console.start().asking_about_offer(Offer(name, 1, last_on(guest, name), had))
    table.expect(asks.show(Rig().view).frame, START_S)
    table.press(Key.BACK, Rig().frame)
    guest.pull_out()
    until(lambda: not is_active(guest), "the unit ends with the stick", guest)
    assert offers(guest) == []
    guest.plug_in(stick)
    table.expect(asks.show(Rig().view).frame, WITHIN_S)
    guest.pull_out()
    until(lambda: not is_active(guest), "the unit ends with the stick", guest)
    stands = played(1, 2, "tile")[OPENING - 1]
    there = Stepping.resumed(replace(stands.view, message="The stick's game is here"))
    table.press(Key.OK, there.frame)
    table.press(Key.OK, Stepping.resumed(stands.view).frame)
    assert (rows_kept(guest), table.tally(), offers(guest)) == (had, stands.tally, [])
    assert guest.run("systemctl show -P NRestarts companion").strip() == "0"
    assert guest.run("systemctl is-active companion").strip() == "active"


def offers(guest: Guest) -> list[str]:
    """The names of records that were made of sticks, to be offered."""
    found = guest.run(f"ls {RECORD}.offered-* 2>/dev/null || true").split()
    return [Path(path).name for path in found if not path.endswith(("-journal", ".new"))]


def last_on(guest: Guest, name: str) -> float:
    """When the newest row of the record `name` was kept."""
    code = f"import sqlite3; print(sqlite3.connect('/var/lib/companion/{name}')"
    code += ".execute('SELECT max(at) FROM record').fetchone()[0])"
    return float(guest.run(f'python3 -c "{code}"'))


def test_a_stick_without_the_copy_file_is_not_changed(guest: Guest, tmp_path: Path) -> None:
    stick = make_stick(tmp_path / "other.img", "vfat", marked=False)
    before = stick.read_bytes()
    GuestTable(guest).fresh()
    ended = f"journalctl -b --no-pager -u '{UNIT}' | grep -c Deactivated || true"
    before_it = int(guest.run(ended))
    guest.plug_in(stick)
    until(lambda: int(guest.run(ended)) > before_it, "it was looked at", guest)
    guest.pull_out()
    assert stick.read_bytes() == before


def test_a_dead_stick_delays_neither_table_nor_stopping(
    guest: Guest, tmp_path: Path, tell: list[str]
) -> None:
    """The stick's file system is frozen: any program that writes to it hangs for ever."""
    stick = make_stick(tmp_path / "dead.img", "ext4", marked=True)
    table = GuestTable(guest)
    table.fresh()
    guest.plug_in(stick)
    until(lambda: is_active(guest), "the unit runs", guest)
    play(guest, table, 0, OPENING)
    until(lambda: rows_on(guest) == rows_kept(guest) > 0, "all rows are copied", guest)
    pid = pid_of(guest)
    mounted = guest.run(f"grep companion-stick/ /proc/{pid}/mounts | grep /dev/sd").split()[1]
    guest.run(f"nsenter -m -t {pid} fsfreeze --freeze {mounted}")
    try:
        slowest = []
        for first in range(OPENING, OPENING + 24, 8):
            before = len(table.latencies)
            play(guest, table, first, first + 8)
            slowest.append(max(table.latencies[before:]))
            until(lambda: "D (disk" in guest.run(f"cat /proc/{pid}/status"), "it hangs", guest)
        told = ", ".join(f"{1000 * took:.0f}" for took in slowest)
        tell.append(f"key to last byte with a dead stick: at most {told} ms")
        # A dead stick holds up for ever; one press may be late because the emulated machine is.
        assert sorted(slowest)[1] < 0.1
        assert max(slowest) < 1
        began = json.loads(guest.run("python3 -c 'import time; print(time.monotonic())'"))
        guest.run("systemctl stop companion", 60)
        ended = json.loads(guest.run("python3 -c 'import time; print(time.monotonic())'"))
        tell.append(f"the stop with a dead stick: {ended - began:.2f} s")
        assert ended - began < 2.5
        assert guest.run("systemctl show -P Result companion").strip() == "success"
    finally:
        guest.run(f"nsenter -m -t {pid} fsfreeze --unfreeze {mounted}")
        guest.pull_out()
    until(lambda: not is_active(guest), "the unit ends with the stick", guest)
