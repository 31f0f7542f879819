"""The hub rig: the hub's package installed by apt on Debian 13, run by its systemd in its sandbox,
with SQLite and with Debian's PostgreSQL, and a table that pushes to it.

The tests run in order, as in rig_service.py: each continues where the one before left the machine.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.rigs.machine import INSIDE, Machine, until
from tests.rigs.package import debian_machine, debs
from tests.rigs.roots import need

UNIT, DATA, RECORD = (
    "companion-hub.service",
    "/var/lib/companion-hub",
    "/var/lib/companion/record.db",
)
LAST_ROW = f"""
import sqlite3
print(sqlite3.connect("{RECORD}").execute("SELECT max(seq) FROM record").fetchone()[0])
"""
SUITE = "trixie"
BESIDES = ("systemd-sysv", "postgresql", "util-linux")
KEYS = "1 2 1 OK OK 1 6 3 OK 3 4 OK"
OPENS = """
import asyncio, json, sys, aiohttp
async def main():
    word = json.load(open("/var/lib/companion-hub/hub.codes"))["keep"]
    url = "http://127.0.0.1:8070"
    async with aiohttp.ClientSession(url) as session:
        async with session.ws_connect("/live/organiser", headers={"Origin": url}) as page:
            await page.send_json({"n": 0, "hello": word, "wants": []})
            await page.send_json({"n": 1, "openTable": True})
            async for message in page:
                if "answer" in (told := json.loads(message.data)):
                    print(told["answer"]["said"])
                    return
asyncio.run(main())
"""


@pytest.fixture(scope="module")
def packages() -> list[Path]:
    """The table's package and the hub's."""
    need("mmdebstrap", "systemd-nspawn", "nsenter", "dpkg-buildpackage", "dh", "dh_python3")
    return debs()


@pytest.fixture(scope="module")
def machine(packages: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """A booted Debian 13 with what both packages depend on, and PostgreSQL."""
    with debian_machine(SUITE, packages, tmp_path_factory.mktemp("hub"), BESIDES) as machine:
        yield machine


def by(user: str, *command: str) -> tuple[str, ...]:
    return ("runuser", "-u", user, "--", *command)


def report(machine: Machine) -> dict[str, Any]:
    """The report of `verify` on all that the hub keeps."""
    asked = by("companion-hub", "companion", "hub", "verify", "--data", DATA, "--json")
    found: dict[str, Any] = json.loads(machine.run(*asked, check=False).stdout)
    return found


def serves(machine: Machine) -> bool:
    """Whether the hub is up and its database answers."""
    asks = "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8070/healthz')"
    return machine.run("python3", "-c", asks, check=False).returncode == 0


def last_words(machine: Machine) -> str:
    return machine.tells("journalctl", "--unit", UNIT, "--output=cat", "--lines=30", "--no-pager")


def join(machine: Machine) -> None:
    """Makes the table's box a member, while the table plays on."""
    machine.run("systemctl", "stop", "companion.service")
    asked = by("companion", "companion", "hub", "join", "127.0.0.1:8070", "--record", RECORD)
    digits = machine.run(*asked).stdout.strip()
    assert re.fullmatch(r"\d{6}", digits)
    machine.run(*by("companion-hub", "companion", "hub", "accept", digits, "--data", DATA))
    machine.run("systemctl", "start", "companion.service")


def test_one_command_installs_and_starts_the_service(
    machine: Machine, packages: list[Path]
) -> None:
    machine.run("apt-get", "install", "--yes", *(f"/root/{one.name}" for one in packages))
    until(lambda: "Organiser: http://" in last_words(machine))
    assert machine.tells("systemctl", "is-enabled", UNIT) == "enabled"
    assert machine.tells("systemctl", "is-active", UNIT) == "active"
    modes = machine.tells("stat", "--format=%a %U", DATA, f"{DATA}/club.key", f"{DATA}/hub.codes")
    assert modes.split("\n") == ["700 companion-hub", "600 companion-hub", "600 companion-hub"]


def test_a_table_joins_and_pushes_its_rows(machine: Machine) -> None:
    join(machine)
    machine.run("python3", f"{INSIDE}/tests/rigs/at_the_page.py", KEYS)
    rows = int(machine.run("python3", "-c", LAST_ROW).stdout)
    until(lambda: report(machine)["rows"] >= rows)
    assert report(machine)["well"]
    machine.run("systemctl", "kill", "--kill-who=main", "--signal=KILL", UNIT)
    until(lambda: serves(machine))
    assert report(machine)["rows"] >= rows


def test_the_hub_opens_tables_in_its_sandbox(machine: Machine) -> None:
    assert machine.run("python3", "-c", OPENS).stdout.startswith("Table 1 is open"), last_words(
        machine
    )
    asks = "import urllib.request; print(urllib.request.urlopen('http://127.0.0.1:8101/').status)"
    until(lambda: machine.run("python3", "-c", asks, check=False).stdout.strip() == "200")


def test_the_hub_works_with_postgresql(machine: Machine) -> None:
    machine.run(*by("postgres", "createuser", "companion-hub"))
    machine.run(*by("postgres", "createdb", "--owner=companion-hub", "club"))
    options = "HUB_OPTIONS='--name \"Friday Fives\" --database postgresql:///club'"
    (machine.root / "etc" / "default" / "companion-hub").write_text(f"{options}\n")
    machine.run("systemctl", "restart", UNIT)
    until(lambda: "The hub of Friday Fives" in last_words(machine))
    join(machine)
    until(lambda: report(machine)["rows"] > 0)
    machine.run("systemctl", "restart", "postgresql")
    machine.run("python3", f"{INSIDE}/tests/rigs/at_the_page.py", "3 4 OK")
    before = report(machine)["rows"]
    until(lambda: report(machine)["rows"] >= before and report(machine)["well"])
    rated = machine.run("systemd-analyze", "security", UNIT, "--no-pager").stdout
    exposure = re.search(r"Overall exposure level for \S+: ([\d.]+)", rated)
    assert exposure and float(exposure[1]) < 2.5, rated[-300:]


def test_purging_keeps_the_games_unless_requested(machine: Machine) -> None:
    told = machine.run("apt-get", "purge", "--yes", "table-companion-hub").stdout
    assert f"The games of your club are kept in {DATA}" in told
    assert machine.run("test", "-e", f"{DATA}/club.key", check=False).returncode == 0
