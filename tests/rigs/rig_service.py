"""The service rig: the package installed by apt on Debian 12 and 13, run by their own systemd.

The machines are containers (machine.py): no GPIO, no I²C, so the box is the virtual one, pressed at
its page. The tests run in order: each continues where the one before left the machine.
"""

import json
import os
import re
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.rigs.machine import INSIDE, Machine, until
from tests.rigs.package import LATER, SAME_BYTES, debs, files_of, make_deb
from tests.rigs.roots import need
from tests.surface import stored

UNIT, AGAIN = "companion.service", "companion-again.timer"
RECORD = "/var/lib/companion/record.db"
CONFIG = "/etc/companion/companion.toml"
PLAYED = ["hand", "Red 6-6", "Blue 6-3", "Red 3-4"]
ASKS = """
import urllib.request
try:
    urllib.request.urlopen("http://127.0.0.1/", timeout=10)
except OSError:
    print("refused")
else:
    print("answered")
"""
"""A program that opens the page."""
BUSY = 8 * (os.cpu_count() or 1)
"""How many programs that never rest run at once: eight for each processor."""
KEYS = "1 2 1 OK OK 1 6 3 OK 3 4 OK"


def install(machine: Machine, package: Path) -> None:
    """Installs the package as the README says, without a network."""
    machine.run("apt-get", "install", "--yes", f"/root/{package.name}")


def property_of(machine: Machine, name: str) -> str:
    return machine.tells("systemctl", "show", UNIT, f"--property={name}", "--value")


def is_active(machine: Machine) -> bool:
    return property_of(machine, "ActiveState") == "active"


def restart(machine: Machine, check: bool = True) -> None:
    """Restarts the service; resets systemd's count of quick restarts first, so this may be done any
    number of times."""
    machine.run("systemctl", "reset-failed", UNIT)
    machine.run("systemctl", "restart", UNIT, check=check)


def signal(machine: Machine, name: str) -> None:
    machine.run("systemctl", "kill", "--kill-who=main", f"--signal={name}", UNIT)


def press(machine: Machine, keys: str = "") -> list[str]:
    """Presses keys at the page; returns the picture that is shown then."""
    program = f"{INSIDE}/tests/rigs/at_the_page.py"
    return machine.run("python3", program, keys).stdout.splitlines()


def last_game(machine: Machine) -> list[str]:
    """The entries of the last game, as the installed `companion show` reads them."""
    told: dict[str, Any] = json.loads(machine.run("companion", "show", "last", "--json").stdout)
    return [entry["entry"] for entry in told["entries"]]


def journal(machine: Machine) -> str:
    return machine.tells("journalctl", "--unit", UNIT, "--output=cat", "--no-pager")


def assert_stopped_well(machine: Machine) -> None:
    """Asserts that the service ended well; else fails with the service's last words."""
    result, status = property_of(machine, "Result"), property_of(machine, "ExecMainStatus")
    assert result == "success", f"{result}, exit status {status}:\n{last_words(machine)}"


def last_words(machine: Machine) -> str:
    """The last lines that the service wrote, and systemd's about it."""
    told = ("journalctl", "--unit", UNIT, "--lines=60", "--no-pager", "--output=short-precise")
    return "the machine is off" if machine.is_off() else machine.tells(*told)


# ---------------------------------------------------------------- the story


@SAME_BYTES
def test_the_same_source_gives_the_same_package(tmp_path: Path) -> None:
    need("dpkg-buildpackage", "dh", "dh_python3")
    # Digests: to show where two packages differ would take pytest for ever.
    made = (make_deb(tmp_path / "once"), make_deb(tmp_path / "again"))
    one, other = (sha256(path.read_bytes()).hexdigest() for path in made)
    assert one == other


@pytest.mark.parametrize("at", [0, 1], ids=["hub", "table"])
def test_the_packages_are_complete(at: int) -> None:
    """A change on purpose is written into tests/surface by hand."""
    package = debs()[at]
    assert files_of(package) == stored(package.name.partition("_")[0])


TAG = "'import sys; print(sys.implementation.cache_tag)'"


def left(machine: Machine, *where: str) -> list[str]:
    """All files in the folders `where` that bear the companion's name."""
    names = ("-name", "*companion*", "-not", "-path", "/root/*", "-print")
    return machine.run("find", *where, "-xdev", *names).stdout.splitlines()


def test_one_command_installs_and_starts_the_service(
    machine: Machine, packages: list[Path]
) -> None:
    install(machine, packages[0])
    assert is_active(machine)
    assert machine.tells("systemctl", "is-enabled", UNIT) == "enabled"
    at = rf"The table is at http://[\w.-]+/; its record is {RECORD}\."
    assert re.fullmatch(at, property_of(machine, "StatusText"))
    assert any("#" in row for row in press(machine))


def test_the_page_is_on_port_80_unless_that_is_taken(machine: Machine) -> None:
    socket = ("systemctl", "is-active", "companion.socket")
    assert machine.tells(*socket) == "active"
    told = machine.run("cat", "/run/companion/page").stdout.splitlines()
    assert told[0] == "PAGE=http://127.0.0.1" and told[1].startswith("TV_SHOWS=")
    machine.run("systemctl", "stop", UNIT)
    asked = machine.run("python3", "-c", ASKS, check=False)
    assert asked.stdout == "refused\n", "a table that was stopped is not started by a visitor"
    assert (machine.tells(*socket), is_active(machine)) == ("inactive", False)
    machine.run("systemd-run", "--unit=taken", "python3", "-m", "http.server", "80")
    try:
        until(lambda: machine.run("python3", "-c", ASKS, check=False).stdout == "answered\n")
        restart(machine)
        assert ":8080/; its record" in property_of(machine, "StatusText")
        moved = machine.run("cat", "/run/companion/page").stdout
        assert moved.startswith("PAGE=http://127.0.0.1:8080\n")
    finally:
        machine.run("systemctl", "stop", "taken")
    restart(machine)
    assert ":8080" not in property_of(machine, "StatusText")
    assert any("#" in row for row in press(machine))


def test_the_page_keeps_port_80_across_restarts(machine: Machine) -> None:
    """systemd counts how often it opens a port; and another program that it starts may hold the
    port a moment longer than systemd itself."""
    for _ in range(20):
        restart(machine)
        assert ":8080" not in property_of(machine, "StatusText")
    machine.run("systemctl", "stop", UNIT)
    until(lambda: machine.tells("systemctl", "is-failed", "companion.socket") == "inactive")
    restart(machine)


def test_connections_during_a_restart_wait_and_are_served(machine: Machine) -> None:
    with machine.drop_in(UNIT, "[Service]\nExecStartPre=sleep 2\n"):
        machine.run("systemctl", "restart", "--no-block", UNIT)
        until(lambda: property_of(machine, "SubState") == "start-pre")
        assert machine.run("python3", "-c", ASKS).stdout == "answered\n"
    restart(machine)


def test_only_the_service_can_read_the_codes(machine: Machine) -> None:
    mode = machine.tells("stat", "--format=%a %U", "/var/lib/companion/record.codes")
    assert mode == "600 companion"


def test_no_other_machine_shares_its_control_groups(machine: Machine) -> None:
    """Two machines that shared them removed each other's: "Failed to spawn executor: No such file
    or directory"."""
    outside = Path(f"/proc/{machine.init}/cgroup").read_text().splitlines()
    own = [line for line in outside if line.split(":")[1] in ("", "name=systemd")]
    assert own
    assert all(f"/{machine.name}/payload/" in line for line in own), own


def test_the_package_is_compiled_for_this_python(machine: Machine) -> None:
    """Each module's compiled file lies beside it, and a start reads only compiled files."""
    own = "find /usr/share/table-companion"
    sources = machine.tells("sh", "-c", f"{own} -name '*.py' | wc -l")
    compiled = machine.tells("sh", "-c", f'{own} -name "*.$(python3 -c {TAG}).pyc" | wc -l')
    assert int(sources) == int(compiled) > 50
    code = "import sys; sys.path.insert(0, '/usr/share/table-companion'); import companion.app.run"
    told = machine.run("python3", "-v", "-c", code).stderr
    assert "code object from '/usr/share/table-companion" in told
    assert "# wrote" not in told
    read = re.findall(r"code object from '?(/usr/share/table-companion\S+?)'?$", told, re.MULTILINE)
    assert len(read) > 50
    assert [path for path in read if not path.endswith(".pyc")] == []


def test_the_service_runs_as_its_own_unprivileged_user(machine: Machine) -> None:
    pid = property_of(machine, "MainPID")
    status = machine.run("cat", f"/proc/{pid}/status").stdout
    told = dict(re.findall(r"^(\w+):\s*(.*)$", status, re.MULTILINE))
    user = machine.tells("id", "--user", "companion")
    assert told["Uid"].split() == [user] * 4
    names = machine.tells("getent", "group", *told["Groups"].split()).splitlines()
    groups = sorted(name.split(":")[0] for name in names)
    assert groups == [
        "audio",
        "companion",
        "dialout",
        "gpio",
        "i2c",
        "input",
        "spi",
        "tty",
        "video",
    ]
    assert {told[f"Cap{kind}"] for kind in ("Inh", "Prm", "Eff", "Bnd", "Amb")} == {"0" * 16}
    assert (told["NoNewPrivs"], told["Seccomp"]) == ("1", "2")


def test_the_sandbox_restricts_the_service(machine: Machine) -> None:
    unit = machine.tells("systemctl", "show", UNIT, "--property=FragmentPath", "--value")
    machine.run("systemd-analyze", "security", "--offline=yes", "--threshold=20", unit)
    verified = machine.run("systemd-analyze", "verify", unit)
    assert verified.stdout + verified.stderr == ""
    inside = ("nsenter", "--mount", "--target", property_of(machine, "MainPID"))
    for place in ("/usr", "/etc", "/boot", "/home", "/root", "/var/log", "/sys", "/proc/sys"):
        refused = machine.run(*inside, "touch", f"{place}/written", check=False)
        assert refused.returncode != 0, place
    for place in ("/var/lib/companion", "/run/companion", "/tmp"):
        machine.run(*inside, "sh", "-c", f"touch {place}/written && rm {place}/written")


def test_board_libraries_load_in_the_sandbox(machine: Machine) -> None:
    loads = "import smbus2, spidev, serial, luma.oled.device, luma.core.interface.serial, gpiozero"
    with machine.drop_in(UNIT, f"[Service]\nExecStartPre=/usr/bin/python3 -c '{loads}'\n"):
        restart(machine)
    restart(machine)


def test_the_group_can_read_the_current_game(machine: Machine) -> None:
    press(machine, KEYS)
    assert last_game(machine) == PLAYED
    for name, groups in (("guest", "companion"), ("stranger", "users")):
        machine.run("useradd", "--create-home", "--groups", groups, name)
    show = ("--", "companion", "show", "last")
    assert "Red 3-4" in machine.run("runuser", "--user", "guest", *show).stdout
    refused = machine.run("runuser", "--user", "stranger", *show, check=False)
    assert refused.returncode == 2
    assert refused.stderr == (
        f"{RECORD} can't be read: permission denied: "
        "to join its group: sudo usermod -aG companion stranger\n"
    )


def test_a_hanging_table_is_killed_and_restarted(machine: Machine) -> None:
    picture = press(machine)
    with machine.drop_in(UNIT, "[Service]\nWatchdogSec=2\nTimeoutStopSec=1\nRestartSec=0\n"):
        restart(machine)
        pid = property_of(machine, "MainPID")
        time.sleep(5)
        assert property_of(machine, "MainPID") == pid, "it was killed though it lives"
        signal(machine, "STOP")
        until(lambda: property_of(machine, "NRestarts") == "1" and is_active(machine))
    assert property_of(machine, "MainPID") != pid
    assert "Watchdog timeout" in journal(machine)
    assert press(machine) == picture
    assert last_game(machine) == PLAYED
    restart(machine)


def test_the_service_stops_within_two_seconds_with_a_clean_record(machine: Machine) -> None:
    started = time.monotonic()
    machine.run("systemctl", "stop", UNIT)
    assert time.monotonic() - started < 2
    assert_stopped_well(machine)
    machine.run("companion", "verify")
    restart(machine)


@pytest.mark.parametrize("after_s", [0.0, 1.0, 5.0])
def test_the_service_stops_in_time_on_a_busy_machine(machine: Machine, after_s: float) -> None:
    """A stop once took eight seconds, which Python spent on taking its modules apart."""
    busy = f"for at in $(seq {BUSY}); do (while :; do :; done) & done; wait"
    machine.run("systemd-run", "--unit=busy", "sh", "-c", busy)
    try:
        restart(machine)
        time.sleep(after_s)
        started = time.monotonic()
        machine.run("systemctl", "stop", UNIT)
        took = time.monotonic() - started
    finally:
        machine.run("systemctl", "stop", "busy")
    assert_stopped_well(machine)
    assert took < 4
    restart(machine)


def test_a_failed_start_is_retried_after_a_pause(machine: Machine) -> None:
    machine.run("cp", "-p", CONFIG, "/root/kept.toml")
    machine.run("sed", "-i", r"/^\[web\]/a prot = 1", CONFIG)
    said = f"companion run: {CONFIG}: [web] prot is not known; did you mean port?"
    # Five starts have 30 seconds: on a busy machine one may take some.
    quick = "[Unit]\nStartLimitIntervalSec=30\n[Service]\nRestartSec=100ms\n"
    with (
        machine.drop_in(UNIT, quick),
        machine.drop_in(AGAIN, "[Timer]\nOnActiveSec=\nOnActiveSec=35\n"),
    ):
        restart(machine, check=False)
        until(lambda: "repeated too quickly" in journal(machine))
        assert journal(machine).count(said) == 5
        assert property_of(machine, "ActiveState") == "failed"
        machine.run("cp", "-p", "/root/kept.toml", CONFIG)
        until(lambda: is_active(machine))
    assert journal(machine).count(said) == 5
    until(lambda: machine.tells("systemctl", "is-active", AGAIN) == "inactive")
    assert last_game(machine) == PLAYED


def test_an_upgrade_keeps_settings_and_record(machine: Machine, packages: list[Path]) -> None:
    machine.run("sed", "-i", "s/^# release_ms = 25 /release_ms = 40 /", CONFIG)
    config = machine.run("cat", CONFIG).stdout
    assert "\nrelease_ms = 40 " in config
    picture, pid = press(machine), property_of(machine, "MainPID")
    install(machine, packages[1])
    assert machine.tells("dpkg-query", "--show", "--showformat=${Version}", "table-companion") == (
        f"{LATER}-1"
    )
    until(lambda: is_active(machine))
    assert property_of(machine, "MainPID") != pid
    assert machine.run("cat", CONFIG).stdout == config
    assert press(machine) == picture
    assert last_game(machine) == PLAYED


def test_holding_menu_switches_off_and_the_game_resumes(machine: Machine) -> None:
    picture = press(machine)
    question = press(machine, "MENU!")
    assert question != picture
    # Switching off may end the program that pressed, before it has seen the last picture.
    machine.run("python3", f"{INSIDE}/tests/rigs/at_the_page.py", "OK", check=False)
    try:
        until(machine.is_off)
    except AssertionError as error:
        raise AssertionError(f"{error}\n{last_words(machine)}") from None
    machine.boot()
    assert is_active(machine)
    assert press(machine) == picture
    assert last_game(machine) == PLAYED
    assert press(machine, "4 1 OK") != picture
    assert last_game(machine) == [*PLAYED, "Blue 4-1"]


def test_no_other_exit_switches_the_machine_off(machine: Machine) -> None:
    signal(machine, "TERM")
    until(lambda: property_of(machine, "ActiveState") == "inactive")
    restart(machine)
    pid = property_of(machine, "MainPID")
    signal(machine, "KILL")
    until(lambda: property_of(machine, "MainPID") not in ("0", pid) and is_active(machine))
    assert not machine.is_off()


def test_purging_leaves_the_record_unless_requested(machine: Machine, packages: list[Path]) -> None:
    games = [*PLAYED, "Blue 4-1"]
    machine.run("apt-get", "remove", "--yes", "table-companion")
    assert not is_active(machine)
    assert left(machine, "/usr") == []
    machine.run("test", "-e", CONFIG, "-a", "-e", RECORD)
    told = machine.run("apt-get", "purge", "--yes", "table-companion").stdout
    assert "The record of your games is kept in /var/lib/companion" in told
    assert machine.run("test", "-e", CONFIG, check=False).returncode == 1
    install(machine, packages[0])
    assert last_game(machine) == games
    purge = ("apt-get", "purge", "--yes", "table-companion")
    machine.run(*purge, env={"COMPANION_PURGE_RECORD": "yes"})
    assert left(machine, "/") == []
