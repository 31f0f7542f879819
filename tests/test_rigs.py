"""What can be said of the rigs without running them: .ci/run installs their tools, and the kernel
modules say under which licence they are."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.rigs.kernel.build import MODULE_SOURCES, TOOLS

ROOT = Path(__file__).parent.parent
RIGS = ROOT / "tests" / "rigs"
PACKAGES = {
    "dh": "debhelper",
    "dh_python3": "dh-python",
    "dpkg-buildpackage": "debhelper",  # which depends on dpkg-dev
    "mke2fs": "e2fsprogs",
    "mmdebstrap": "mmdebstrap",
    "openscad": "openscad",
    "mcopy": "mtools",
    "mkfs.vfat": "dosfstools",
    "qemu-system-x86_64": "qemu-system-x86",
    "strace": "strace",
    "systemd-nspawn": "systemd-container",
}
"""The tools of the rigs, and Debian's packages that have them."""
ALWAYS_THERE = {"chroot", "nsenter", "setpriv", "tar"}
"""In packages that every Debian has."""


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


def test_what_becomes_a_kernel_module_is_gpl() -> None:
    for name in MODULE_SOURCES:
        text = (RIGS / "kernel" / name).read_text()
        assert "SPDX-License-Identifier: GPL-2.0-only" in text[:200], name
