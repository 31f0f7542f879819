"""Builds the kernel module that makes the firmware start another system once
(tryboot/companion_tryboot.c), for the card's kernel; Debian's kernel can't do that itself.

It is cross-compiled in a Debian system of this machine's architecture, with the headers of the
arm64 kernel. Everything in that system comes from Debian; only the module gets onto the card.
"""

import os
import re
import shutil
import subprocess
import tarfile
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from image.inputs import HERE, SUITE, name_of

SOURCES = HERE / "tryboot"
MODULE = "companion_tryboot.ko"
TOOLS = (
    "linux-headers-amd64", "gcc-aarch64-linux-gnu", "make", "dash", "bash", "coreutils", "sed",
    "mawk", "grep", "findutils",
)  # fmt: skip
"""The packages that compile the module; the headers for this machine bring the programs with which
modules are made."""
HEADERS = "linux-headers-arm64"
_KERNEL = re.compile(r"(?:\./)?boot/vmlinuz-(.+)")


def kernel_in(system: Path) -> str:
    """Returns the version of a system's kernel. Raises ValueError if the system has none, or
    several."""
    with tarfile.open(system) as tar:
        names = [found for name in tar.getnames() if (found := _KERNEL.fullmatch(name))]
    if len(names) != 1:
        raise ValueError(f"{system.name} has {len(names)} kernels")
    return names[0][1]


def tryboot_module(system: Path, cache: Path) -> Path:
    """Returns the path of the module for a system's kernel, in a folder of `cache`. Raises
    ValueError if Debian's archive no longer has the headers of that kernel."""
    kernel = kernel_in(system)
    sources = [path.read_bytes() for path in sorted(SOURCES.iterdir())]
    kept = cache / name_of([kernel, *sources], "tryboot", "") / MODULE
    if not kept.exists():
        with TemporaryDirectory(dir=cache) as folder:
            root = Path(folder) / "root"
            root.mkdir()
            _extract("arm64", [HEADERS], root, "./usr/src")
            _extract("amd64", TOOLS, root)
            made = _compile(root, kernel)
            kept.parent.mkdir(exist_ok=True)
            shutil.copyfile(made, kept.with_suffix(".new"))
        kept.with_suffix(".new").rename(kept)
    return kept


def _extract(architecture: str, packages: Sequence[str], root: Path, *parts: str) -> None:
    tar = root.with_suffix(f".{architecture}.tar")
    command = ["mmdebstrap", "--quiet", "--variant=extract", f"--architectures={architecture}"]
    _run(*command, f"--include={','.join(packages)}", SUITE, str(tar))
    unpack = ["tar", "--extract", "--file", str(tar), "--directory", str(root)]
    _run(*unpack, "--exclude=./dev/*", *parts)
    tar.unlink()


def _compile(root: Path, kernel: str) -> Path:
    for name in ("bin", "sbin", "lib", "lib64"):
        if not (root / name).exists():
            (root / name).symlink_to(f"usr/{name}")
    awk = root / "usr/bin/awk"
    awk.unlink(missing_ok=True)
    awk.symlink_to("mawk")
    shutil.copytree(SOURCES, root / "build")
    headers = f"/usr/src/linux-headers-{kernel}"
    if not (root / headers.lstrip("/")).exists():
        raise ValueError(
            f"Debian has the headers of another kernel than {kernel} by now: remove build/image"
        )
    make = ["make", "-s", "-C", headers, "M=/build", "ARCH=arm64"]
    _run("chroot", str(root), *make, "CROSS_COMPILE=aarch64-linux-gnu-", "modules")
    return root / "build" / MODULE


def _run(*command: str) -> None:
    path = f"{os.environ['PATH']}:/usr/sbin:/sbin"
    subprocess.run(command, check=True, env={**os.environ, "PATH": path})
