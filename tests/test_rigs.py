"""Tests of the rigs that don't run them: .ci/run installs their tools, the kernel modules name
their licence, and the right rigs run side by side."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from tests.rigs.conftest import LONGEST_FIRST, group_of
from tests.rigs.kernel.build import MODULE_SOURCES, TOOLS
from tests.rigs.rig_suite import LEFT_OUT, SAME_EVERYWHERE, same_everywhere
from tests.rigs.roots import made_once
from tests.waiting import wait_until

ROOT = Path(__file__).parent.parent
RIGS = ROOT / "tests" / "rigs"
PACKAGES = {
    "debugfs": "e2fsprogs",
    "dh": "debhelper",
    "dh_python3": "dh-python",
    "dpkg-buildpackage": "debhelper",  # which depends on dpkg-dev
    "e2fsck": "e2fsprogs",
    "mke2fs": "e2fsprogs",
    "mmdebstrap": "mmdebstrap",
    "openscad": "openscad",
    "mcopy": "mtools",
    "mmd": "mtools",
    "mkfs.exfat": "exfatprogs",
    "mkfs.vfat": "dosfstools",
    "qemu-system-x86_64": "qemu-system-x86",
    "strace": "strace",
    "systemd-nspawn": "systemd-container",
}
"""The tools of the rigs, with Debian's packages that have them."""
ALWAYS_THERE = {"chroot", "nsenter", "setpriv", "tar"}
"""Tools in packages that every Debian has."""


def needed() -> Iterator[str]:
    """The tools that the rigs ask for."""
    yield from TOOLS
    for path in RIGS.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "need":
                yield from (str(one.value) for one in node.args if isinstance(one, ast.Constant))


def test_every_tool_of_a_rig_is_installed_by_ci() -> None:
    text = (ROOT / ".ci" / "run").read_text().replace("\\\n", "")
    (installed,) = re.findall(r"for package in (.*); do", text)
    tools = set(needed()) - ALWAYS_THERE
    assert tools == set(PACKAGES), "say above which package has it"
    assert {PACKAGES[tool] for tool in tools} <= set(installed.split())


def test_sources_of_kernel_modules_have_the_gpl() -> None:
    for name in MODULE_SOURCES:
        text = (RIGS / "kernel" / name).read_text()
        assert "SPDX-License-Identifier: GPL-2.0-only" in text[:200], name


def test_the_rigs_of_one_guest_or_machine_run_one_after_the_other() -> None:
    groups = set()
    for path in RIGS.glob("rig_*.py"):
        groups.add(group := group_of(f"tests/rigs/{path.name}::test_it[trixie]"))
        in_guest = group in ("kernel", "kernel-system")
        assert in_guest == ("guest: Guest" in path.read_text()), path.name
    story = group_of("tests/rigs/rig_service.py::test_it[bookworm]")
    assert story == group_of("tests/rigs/rig_service.py::test_the_same") == "service-bookworm"
    suite = group_of("tests/rigs/rig_suite.py::test_it[bookworm]")
    assert set(LONGEST_FIRST) <= {*groups, story, suite}


def test_code_affected_by_debians_libraries_is_tested_with_them() -> None:
    same = same_everywhere()
    assert {path.partition("/")[0] for path in same if "/" in path} == set(SAME_EVERYWHERE)
    assert {"games/test_chips.py", "test_layers.py"} <= set(same)
    lean_on_them = {"players/test_history.py", "manual/test_pictures.py", "test_package.py"}
    assert not lean_on_them & set(same)


def test_files_shared_by_rigs_are_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    begun, made = list[str](), list[str]()

    def make() -> None:
        begun.append("root")
        with made_once("root"):
            if not made:
                wait_until(lambda: len(begun) == 4)
                made.append("root")

    rigs = [Thread(target=make) for _ in range(4)]
    for rig in rigs:
        rig.start()
    for rig in rigs:
        rig.join()
    assert made == ["root"]


def test_tests_left_out_by_the_suites_rig_exist() -> None:
    """A file that has moved would run on machines that lack its libraries."""
    assert [name for name in LEFT_OUT if not (ROOT / name).exists()] == []
