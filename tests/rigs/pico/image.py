"""What an emulated Pico is flashed with: MicroPython built from Debian 13's sources, and a file
system with the firmware of this tree. The first takes minutes once and is kept."""

import hashlib
import os
import subprocess
import tempfile
from pathlib import Path

from tests.rigs.roots import cache, made_once

HERE = Path(__file__).parent
FIRMWARE = HERE.parents[2] / "firmware"
RECIPE = HERE / "build_uf2.sh"
PACKAGES = (
    "build-essential",
    "cmake",
    "gcc-arm-none-eabi",
    "libnewlib-arm-none-eabi",
    "libstdc++-arm-none-eabi-newlib",
    "pico-sdk-source",
    "picotool",
    "python3",
)
LEFT_OUT = (
    "path-exclude=/usr/share/doc/*",
    "path-exclude=/usr/share/locale/*",
    "path-exclude=/usr/share/man/*",
    "path-exclude=/usr/lib/arm-none-eabi/*.a",
    "path-exclude=/usr/lib/gcc/arm-none-eabi/*/thumb/*.a",
    "path-include=/usr/lib/arm-none-eabi/*/thumb/v6-m/nofp/*",
    "path-include=/usr/lib/gcc/arm-none-eabi/*/thumb/v6-m/nofp/*",
)
"""Gigabytes of libraries for processors other than the Pico's."""

BLOCK, BLOCKS = 4096, 352
"""The file system of MicroPython on a Pico: bytes of a block, and how many."""
DISK_VERSION = 0x00020000
"""littlefs 2.0, which every MicroPython reads."""


def micropython_uf2() -> Path:
    """MicroPython for the Pico. Takes three minutes when it isn't kept yet; raises
    CalledProcessError, with what was said on stderr, when it can't be built."""
    told = "\n".join((*PACKAGES, *LEFT_OUT, RECIPE.read_text()))
    kept = cache() / f"micropython-pico-{hashlib.sha256(told.encode()).hexdigest()[:12]}.uf2"
    with made_once(kept.stem):
        if not kept.exists():
            _build(kept)
    return kept


def _build(kept: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        built = Path(folder) / "firmware.uf2"
        command = ["mmdebstrap", "--quiet", "--variant=apt", "--format=null"]
        command += [f"--include={','.join(PACKAGES)}"]
        command += [f"--dpkgopt={option}" for option in LEFT_OUT]
        command += ["--customize-hook=mkdir $1/build"]
        command += [f"--customize-hook=copy-in {RECIPE} /build"]
        command += ['--customize-hook=chroot "$1" sh /build/build_uf2.sh']
        command += [f"--customize-hook=copy-out /build/firmware.uf2 {folder}"]
        path = f"{os.environ.get('PATH', '')}:/usr/local/sbin:/usr/sbin:/sbin"
        subprocess.run(
            [*command, "trixie", "-"], check=True, env={**os.environ, "PATH": path},
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        making = kept.with_suffix(f".{os.getpid()}")
        making.write_bytes(built.read_bytes())
        making.rename(kept)


def file_system(into: Path, files: dict[str, bytes] | None = None) -> Path:
    """A littlefs image, written to `into`, with the firmware and further files."""
    from littlefs import LittleFS, UserContext

    found = {"main.py": (FIRMWARE / "main.py").read_bytes()}
    for path in sorted((FIRMWARE / "seat_keypad").glob("*.py")):
        found[f"seat_keypad/{path.name}"] = path.read_bytes()
    context = UserContext(buffsize=BLOCK * BLOCKS)
    lfs = LittleFS(
        context=context,
        block_size=BLOCK,
        block_count=BLOCKS,
        prog_size=256,
        disk_version=DISK_VERSION,
    )
    lfs.mkdir("seat_keypad")
    for name, content in (found | (files or {})).items():
        with lfs.open(name, "wb") as file:
            file.write(content)
    lfs.unmount()
    into.write_bytes(bytes(context.buffer))
    return into
