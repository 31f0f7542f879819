"""The install rig: the wheel and the source distribution of the commit, as a release has them,
installed on Debian 12 and 13 that have none of the program's libraries, without a network. And the
Debian packages, built there and read by lintian; rig_service.py and rig_hub.py install them.

The machines are containers (machine.py). What pip would fetch from the package index is fetched
outside, as wheels: nothing is compiled.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.version import VERSION
from release.__main__ import put_wheel, unpack_commit
from tests.manual.shells import FILES
from tests.rigs.machine import SOURCE, Machine, booted, until
from tests.rigs.package import DEBIANS, files_of
from tests.rigs.roots import debian_root, kept, need, unpack
from tests.surface import stored

BESIDES = (
    *("systemd-sysv", "python3-venv", "python3-pip", "man-db", "lintian"),
    *("zsh", "fish", "pipx"),
    *("debhelper", "dh-python", "python3-markdown-it", "python3-babel"),  # make deb
)
PYTHONS = {"bookworm": "3.11", "trixie": "3.13"}
BUILDERS = ("setuptools>=70.1", "wheel", "pip", "markdown-it-py>=3,<5", "babel>=2.12,<3")
"""What building the source distribution needs, and pipx."""
OFFLINE = {
    "PIP_NO_INDEX": "1",
    "PIP_FIND_LINKS": "/root/wheels",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
}
ANSWERS = """
import sys, urllib.request
page = urllib.request.urlopen("http://127.0.0.1:8055/", timeout=10).read().decode()
print("<title>" in page)
"""


def _wheels(python: str, program: Path) -> Path:
    """The folder of the wheels that the program and its build need on that Python."""

    def fetch(into: Path) -> None:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--dest", str(into)]
        command += ["--only-binary=:all:", f"--python-version={python}", str(program), *BUILDERS]
        subprocess.run(command, check=True)

    told = [python.encode(), (SOURCE / "pyproject.toml").read_bytes(), *map(str.encode, BUILDERS)]
    return kept(f"wheels{python}", told, fetch)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the source distribution and the wheel, of the last commit."""
    into = tmp_path_factory.mktemp("release")
    put_wheel(into)
    return into


@pytest.fixture(scope="module", params=DEBIANS)
def machine(
    request: pytest.FixtureRequest, program: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Machine]:
    """A booted Debian with Python's own installer, and in /root what is to be installed."""
    need("mmdebstrap", "systemd-nspawn", "nsenter")
    suite = str(request.param)
    root = unpack(debian_root(suite, sorted(BESIDES)), tmp_path_factory.mktemp("install") / suite)
    (wheel,) = program.glob("*.whl")
    for path in program.iterdir():
        (root / "root" / path.name).write_bytes(path.read_bytes())
    unpack_commit(root / "root/source")
    (root / "root/wheels").mkdir()
    for path in _wheels(PYTHONS[suite], wheel).glob("*.whl"):
        if not path.name.startswith("table_companion-"):
            (root / "root/wheels" / path.name).write_bytes(path.read_bytes())
    with booted(root) as machine:
        yield machine


def install(machine: Machine, pattern: str) -> str:
    """Installs the file into an environment of its own; returns that environment's folder."""
    where = f"/root/{pattern.rpartition('.')[2]}"
    machine.run("python3", "-m", "venv", where)
    machine.run("sh", "-ec", f"{where}/bin/pip install --quiet /root/{pattern}", env=OFFLINE)
    return where


def files_in(machine: Machine, where: str) -> list[str]:
    """The program's files in an environment, with their sizes, but for what pip notes of how it was
    installed."""
    find = "find lib/python3*/site-packages/companion share -type f ! -name '*.pyc'"
    find += " -printf '%P %s\\n'"
    return sorted(machine.run("sh", "-ec", f"cd {where}; {find}").stdout.splitlines())


@pytest.mark.parametrize("pattern", ["table_companion-*.whl", "table_companion-*.tar.gz"])
def test_the_package_installs_and_its_page_answers(machine: Machine, pattern: str) -> None:
    where = install(machine, pattern)
    assert machine.run(f"{where}/bin/companion", "--version").stdout == f"companion {VERSION}\n"
    assert_page_answers(machine, f"{where}/bin/companion", "run")
    assert not machine.tells("sh", "-c", f"find {where} -name '*.po'")
    for name in FILES:
        machine.run("test", "-s", f"{where}/share/{name}")
    lines = machine.run("man", "--local-file", f"{where}/share/man/man1/companion.1").stdout
    assert "companion hub join" in lines
    fish = f"{where}/share/fish/vendor_completions.d/companion.fish"
    told = machine.run("fish", "-c", f"source {fish}; complete -C 'companion hub jo'").stdout
    assert told.startswith("join\t")


def assert_page_answers(machine: Machine, *command: str) -> None:
    """Starts the table, asks for its page, and ends it."""
    unit = "rig-table"
    words = ("--setenv=HOME=/root", *(f"--setenv={name}={text}" for name, text in OFFLINE.items()))
    options = ("--virtual", "--no-browser", "--port", "8055")
    machine.run("systemd-run", "--quiet", f"--unit={unit}", *words, *command, *options)
    try:
        until(lambda: machine.tells("python3", "-c", ANSWERS) == "True", within_s=120)
    except AssertionError:
        print(machine.tells("journalctl", f"--unit={unit}", "--no-pager"))
        raise
    finally:
        machine.run("systemctl", "stop", unit, check=False)
        machine.run("systemctl", "reset-failed", unit, check=False)


def test_wheel_and_package_install_the_same_files(machine: Machine) -> None:
    assert files_in(machine, "/root/whl") == files_in(machine, "/root/gz")


def test_pipx_runs_the_wheel(machine: Machine) -> None:
    (wheel,) = machine.run("sh", "-ec", "ls /root/table_companion-*.whl").stdout.split()
    assert_page_answers(machine, "/usr/bin/pipx", "run", "--spec", wheel, "companion", "run")


def test_the_packages_are_built_and_lintian_is_silent(machine: Machine) -> None:
    """Each has its files, and its service is started by what debhelper adds to its scripts."""
    build = ("python3", "/root/source/systemd/make_deb.py", "--out", "/root/debs")
    machine.run(*build, env={"SOURCE_DATE_EPOCH": "1763700000"})
    packages = sorted((machine.root / "root/debs").iterdir())
    names = [path.name.partition("_")[0] for path in packages]
    assert names == ["table-companion-hub", "table-companion"]
    for name, path in zip(names, packages, strict=True):
        assert files_of(path) == stored(name)
        scripts = ["dpkg-deb", "--info", str(path), "postinst"]
        told = subprocess.run(scripts, capture_output=True, text=True, check=True).stdout
        unit = name.removeprefix("table-") + ".service"
        assert re.search(rf"deb-systemd-invoke .*\n?.*'{unit}'", told)
    told = machine.run("sh", "-c", "lintian --allow-root --fail-on=none /root/debs/*.deb").stdout
    assert told == ""
