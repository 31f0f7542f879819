"""The checks of board, bus, disk, clock and record."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn

import pytest

from companion.app.check.bench import Finding, Grade
from companion.app.check.disk import WriteTimes, check_disk
from companion.app.check.report import check_record
from companion.core.seats import Seat, Seats
from companion.record.rows import GameOpened, Step
from companion.record.store.store import Store
from tests.app.check.person import NOBODY, Desk
from tests.sample_games import RACE_RULES, Scored

SEATS = Seats.of("Ada", "Bo")


@contextmanager
def kept(desk: Desk, games: int = 1) -> Iterator[Path]:
    """The record with this many games, which a running table has open."""
    path = desk.bench.record
    store = Store.open(path, RACE_RULES)
    for game in range(1, games + 1):
        store.keep(game, GameOpened("race", SEATS, {"goal": 50}))
    yield path
    store.close()


def only(found: list[Finding], result: Grade) -> Finding:
    """The only finding with that result."""
    (one,) = (finding for finding in found if finding.result is result)
    return one


# ---------------------------------------------------------------- board


def test_a_correct_board_is_ok(tmp_path: Path) -> None:
    found = Desk(tmp_path).find("board")
    assert [(one.result, one.found) for one in found] == [
        (Grade.OK, "Raspberry Pi 4 Model B Rev 1.5, wired as keys-16"),
        (Grade.OK, "its pins are free (Pins)"),
    ]


def test_busy_pins_are_named(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.factory.taken = {6, 13}
    found = only(desk.find("board"), Grade.FAULT)
    assert found.found.startswith("GPIO 6, GPIO 13 can't be had (Pins: [Errno 16]")
    with kept(desk):
        found = only(desk.find("board"), Grade.FAULT)
    assert found.remedy == "the table is running: sudo systemctl stop companion first"


@pytest.mark.parametrize("part", ["display", "keys"])
@pytest.mark.parametrize("by", ["lock", "systemd"])
def test_a_running_tables_devices_are_not_opened(tmp_path: Path, part: str, by: str) -> None:
    desk = Desk(tmp_path)
    if by == "systemd":
        desk.write("sys/fs/cgroup/system.slice/companion.service/cgroup.procs", "1\n")
        found = desk.find(part)
    else:
        with kept(desk):
            found = desk.find(part)
    assert only(found, Grade.NOT_TRIED).remedy.startswith("the table is running")
    assert desk.lines == [] == desk.fake_oled.log


@pytest.mark.parametrize(
    ("part", "node", "group"), [("board", "gpiochip0", "gpio"), ("bus", "i2c-1", "i2c")]
)
def test_a_user_outside_the_group_gets_the_command_to_join(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str, node: str, group: str
) -> None:
    desk = Desk(tmp_path)
    monkeypatch.setattr("companion.app.check.board.os.access", lambda path, mode: path.name != node)
    found = only(desk.find(part), Grade.FAULT)
    assert found.found == f"{NOBODY} may not use /dev/{node}"
    desk.groups = frozenset()
    found = only(desk.find(part), Grade.FAULT)
    assert found.remedy == f"sudo usermod -aG {group} {NOBODY}, then log in again"


def test_a_kernel_without_gpio_is_a_fault(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.remove("dev/gpiochip0")
    assert only(desk.find("board"), Grade.FAULT).found == "the kernel has no /dev/gpiochip"


# ---------------------------------------------------------------- bus


def test_a_display_that_answers_is_ok(tmp_path: Path) -> None:
    (found,) = Desk(tmp_path).find("bus")
    assert found == Finding(Grade.OK, "a display answers at 0x3C on /dev/i2c-1")


@pytest.mark.parametrize(
    ("board", "node", "remedy"),
    [
        ("keys-16", "i2c-1", "sudo raspi-config → Interface Options → I2C → Yes, then reboot"),
        (
            "waveshare-1.3-hat",
            "spidev0.0",
            "sudo raspi-config → Interface Options → SPI → Yes, then reboot",
        ),
    ],
)
def test_a_disabled_bus_is_reported_with_the_remedy(
    tmp_path: Path, board: str, node: str, remedy: str
) -> None:
    desk = Desk(tmp_path, board)
    desk.remove(f"dev/{node}")
    (found,) = desk.find("bus")
    assert (found.result, found.found) == (Grade.FAULT, f"there is no /dev/{node}")
    assert found.remedy == remedy


def test_a_display_at_another_address_is_found(tmp_path: Path) -> None:
    (found,) = Desk(tmp_path, address=0x3D).find("bus")
    assert found.result is Grade.FAULT
    assert found.remedy == "the display answers at 0x3D: set [display] address = 0x3D"
    (found,) = Desk(tmp_path, address=0x3D, settings="[display]\naddress = 0x3D").find("bus")
    assert found.result is Grade.OK


def test_a_display_that_does_not_answer_is_a_fault(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.fake_oled.unplug()
    (found,) = desk.find("bus")
    assert found.found == "nothing answers on /dev/i2c-1 at 0x3C and 0x3D"
    assert found.remedy.startswith("look at the display's four wires")


def test_a_hanging_bus_is_a_fault(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    machine = replace(desk.machine, bus_of=lambda display, factory: _hangs)
    (found,) = desk.find_on(machine, "bus")
    assert found.found == "/dev/i2c-1 does not work: [Errno 110] Connection timed out"


def _hangs() -> NoReturn:
    raise TimeoutError(110, "Connection timed out")


def test_a_display_on_spi_need_not_answer(tmp_path: Path) -> None:
    (found,) = Desk(tmp_path, "waveshare-1.3-hat", "sh1106").find("bus")
    assert found.result is Grade.OK


# ---------------------------------------------------------------- disk


def test_a_good_disk_is_ok(tmp_path: Path) -> None:
    found = Desk(tmp_path).find("disk")
    assert {one.result for one in found} == {Grade.OK}
    assert found[0].found.endswith("record.db survives power-off (ext4 on /dev/mmcblk0p2)")
    assert found[2].figures == {"median_ms": 4.0, "p95_ms": 4.0, "worst_ms": 4.0}
    assert found[2].found == "an entry is on the disk after: median 4.0, 95 % 4.0, worst 4.0 ms"
    assert [path.name for path in tmp_path.iterdir()] == ["root"], "it left something behind"


def test_a_slow_disk_is_a_warning(tmp_path: Path) -> None:
    found = only(Desk(tmp_path, synced=0.05).find("disk"), Grade.WARNING)
    assert "95 % 50.0" in found.found
    assert found.remedy.startswith("more than 20 ms")


def test_a_record_in_memory_is_a_fault(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.write("proc/self/mountinfo", "24 1 0:1 / / rw - tmpfs none rw\n")
    found = only(desk.find("disk"), Grade.FAULT)
    assert "is lost when the power goes: / is kept in memory (tmpfs)" in found.found


def test_an_unknown_overlay_is_a_warning(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.write("proc/self/mountinfo", "24 1 0:1 / / rw - overlay o rw,lowerdir=/l,upperdir=/u\n")
    assert "is on an overlay" in only(desk.find("disk"), Grade.WARNING).found


def test_a_read_only_disk_is_a_fault(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.write("proc/self/mountinfo", "24 1 8:1 / / ro,noatime - ext4 /dev/sda1 ro\n")
    assert only(desk.find("disk"), Grade.FAULT).found == "/ is read-only: nothing can be saved"


@pytest.mark.parametrize(("free", "result"), [(1e6, Grade.FAULT), (5e7, Grade.WARNING)])
def test_a_full_disk_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: float, result: Grade
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=int(free)))
    assert only(Desk(tmp_path).find("disk"), result).found == f"{free / 1e6:.0f} MB free"


def test_write_speed_is_not_measured_in_another_users_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.app.check.disk.os.access", lambda *_: False)
    found = only(Desk(tmp_path).find("disk"), Grade.NOT_TRIED)
    assert found.remedy.endswith("companion check --only disk measures it")


def test_a_missing_folder_will_be_created(tmp_path: Path) -> None:
    bench = replace(Desk(tmp_path).bench, record=tmp_path / "a" / "b" / "record.db")
    assert {one.result for one in check_disk(bench)} == {Grade.OK}


def test_disk_times_have_median_percentile_and_maximum() -> None:
    times = WriteTimes.of([0.001] * 20 + [0.002] * 17 + [0.1, 0.2, 0.3])
    assert (times.median, times.p95, times.worst) == (0.001, 0.1, 0.3)


# ---------------------------------------------------------------- clock


@pytest.mark.parametrize(
    ("wall", "network", "board", "says"),
    [
        (1.8e9, True, "0", "ok: 2027-01-15 "),
        (1.8e9, False, "1", "ok: 2027-01-15 "),
        (1.8e9, False, "0", "warning: 2027-01-15 "),
        (1e6, False, "1", "warning: the clock was never set (it says 1970-01-12 "),
    ],
)
def test_the_clock_check_reports_time_and_battery(
    tmp_path: Path, wall: float, network: bool, board: str, says: str
) -> None:
    desk = Desk(tmp_path)
    if not network:
        desk.remove("run/systemd/timesync/synchronized")
    desk.write("sys/class/rtc/rtc0/hctosys", board)
    (found,) = desk.find_on(replace(desk.machine, wall=lambda: wall), "clock")
    assert f"{found.result.value}: {found.found}".startswith(says)


def test_another_program_may_have_set_the_clock(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.remove("run/systemd/timesync/synchronized")
    machine = replace(desk.machine, synchronized=lambda: True)
    assert desk.find_on(machine, "clock")[0].result is Grade.OK


# ---------------------------------------------------------------- record


def test_a_record_is_checked_while_the_table_runs(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with kept(desk, games=2):
        assert desk.find("record")[0].found == "2 games, every row as it was written"
    assert desk.find("record")[0].found == "2 games, every row as it was written"


def test_names_kept_too_long_are_reported(tmp_path: Path) -> None:
    desk = Desk(tmp_path, settings="[record]\nkeep_names_months = 12")
    store = Store.open(desk.bench.record, RACE_RULES, lambda: desk.machine.wall() - 500 * 86_400)
    opened = GameOpened("race", SEATS, {"goal": 50})
    won = Step(tuple(Scored(Seat(name), 20) for name in ("Ada", "Bo", "Ada", "Bo", "Ada")))
    store.keep(1, opened)
    store.keep(1, won)
    on_table = desk.find("record")[-1]
    assert on_table.found == "no finished game has names for longer than 12 months"
    store.keep(2, opened)
    store.close()
    found = only(desk.find("record"), Grade.WARNING)
    assert found.found.startswith("1 game has names for longer than 12 months; the network set")
    assert "connect the box to a network" in found.remedy


def test_a_record_that_does_not_exist_yet_is_ok(tmp_path: Path) -> None:
    (found,) = Desk(tmp_path).find("record")
    assert found.result is Grade.OK
    assert found.found.endswith("is not there yet: the table makes it")


def test_a_changed_record_is_a_fault(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with kept(desk) as path:
        pass
    db = sqlite3.connect(path)
    db.execute("DROP TRIGGER never_changed")
    db.execute("UPDATE record SET row = replace(row, '50', '60')")
    db.commit()
    db.close()
    found = desk.find("record")
    assert found[0].result is Grade.FAULT
    assert found[0].found == "row 1 (game 1) was changed after it was written"


def test_an_unreadable_record_is_a_fault(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.bench.record.write_bytes(b"a shopping list, but a long one" * 300)
    (found,) = desk.find("record")
    assert (found.result, "the file is damaged" in found.found) == (Grade.FAULT, True)


def test_a_record_in_another_users_folder_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    desk = Desk(tmp_path)
    bench = desk.bench
    monkeypatch.setattr(Path, "exists", refused)
    (found,) = check_record(bench)
    assert found.result is Grade.NOT_TRIED
    assert found.remedy.startswith(f"sudo usermod -aG companion {NOBODY}")


def test_a_damaged_record_that_was_set_aside_is_reported(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with kept(desk) as path:
        pass
    path.write_bytes(b"x" * 9000)
    with kept(desk, 0):
        pass
    found = only(desk.find("record"), Grade.WARNING)
    assert found.found == "a damaged record was set aside as record.db.damaged-1"
