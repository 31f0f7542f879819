"""The image that a Pico is flashed with: MicroPython built from Debian 13's sources. Our firmware
is either part of it, as in a release, or in a file system beside it, as if copied by hand. A build
takes some minutes once and is kept."""

import os
import struct
import subprocess
import tempfile
from pathlib import Path

from tests.rigs.roots import kept

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
"""Options that keep dpkg from installing manuals, and gigabytes of libraries for processors other
than the Pico's."""

BLOCK, BLOCKS = 4096, 352
"""The file system of MicroPython on a Pico: bytes of a block, and how many blocks."""
FILES_AT = 0x10000000 + (2 << 20) - BLOCKS * BLOCK
"""The address at which the file system begins: it is the end of two megabytes of flash."""
DISK_VERSION = 0x00020000
"""The version of the file system's format: littlefs 2.0, which every MicroPython reads."""


def micropython_uf2() -> Path:
    """The UF2 file of MicroPython for the Pico. Takes three minutes if it isn't kept yet. Raises
    CalledProcessError if it can't be built; the reason is on stderr."""
    return _kept() / "micropython.uf2"


def keypad_uf2() -> Path:
    """MicroPython with the seat keypad's firmware in it: one file to drag onto a Pico. It writes
    nothing where the Pico's files are, so keypad.json stays. Takes and raises as
    `micropython_uf2`."""
    return _kept() / "seat-keypad.uf2"


def firmware_files() -> dict[str, bytes]:
    """The firmware's files of this tree, by the names that they have on a Pico."""
    found = {"main.py": (FIRMWARE / "main.py").read_bytes()}
    for path in sorted((FIRMWARE / "seat_keypad").glob("*.py")):
        found[f"seat_keypad/{path.name}"] = path.read_bytes()
    return found


def addresses(uf2: Path) -> list[int]:
    """The flash addresses to which a UF2 file writes. Source: https://github.com/microsoft/uf2."""
    data = uf2.read_bytes()
    return [struct.unpack_from("<I", data, at + 12)[0] for at in range(0, len(data), 512)]


def _kept() -> Path:
    """The folder with both UF2 files, built together, as most of the work is the same for both."""
    frozen = firmware_files()
    told = [*map(str.encode, (*PACKAGES, *LEFT_OUT, *frozen)), RECIPE.read_bytes()]
    both: dict[str, dict[str, bytes]] = {"micropython": {}, "seat-keypad": frozen}
    return kept("pico", [*told, *frozen.values()], lambda into: build(into, both))


def build(into: Path, frozen: dict[str, dict[str, bytes]]) -> None:
    """Builds a MicroPython for each name in `frozen`, as NAME.uf2 in the folder `into`, with the
    files of that name in it. Raises CalledProcessError if that fails."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["mmdebstrap", "--quiet", "--variant=apt", "--format=null"]
        command += [f"--include={','.join(PACKAGES)}"]
        command += [f"--dpkgopt={option}" for option in LEFT_OUT]
        command += ["--customize-hook=mkdir $1/build"]
        command += [f"--customize-hook=copy-in {RECIPE} {_laid_out(Path(folder), frozen)} /build"]
        command += ['--customize-hook=chroot "$1" sh /build/build_uf2.sh']
        built = " ".join(f"/build/{name}.uf2" for name in frozen)
        command += [f"--customize-hook=copy-out {built} {into}"]
        path = f"{os.environ.get('PATH', '')}:/usr/local/sbin:/usr/sbin:/sbin"
        subprocess.run(
            [*command, "trixie", "-"], check=True, env={**os.environ, "PATH": path},
            stdout=subprocess.DEVNULL,
        )  # fmt: skip


def _laid_out(folder: Path, frozen: dict[str, dict[str, bytes]]) -> Path:
    """Writes the files of each name into a folder of its own, where the recipe finds them."""
    for name, files in frozen.items():
        own = folder / "frozen" / name
        own.mkdir(parents=True)
        for inside, content in files.items():
            (own / inside).parent.mkdir(exist_ok=True)
            (own / inside).write_bytes(content)
    return folder / "frozen"


def file_system(into: Path, files: dict[str, bytes] | None = None) -> Path:
    """A littlefs image, written to `into`, with the firmware and `files`, which replace the
    firmware's own if they have the same name."""
    from littlefs import LittleFS, UserContext

    context = UserContext(buffsize=BLOCK * BLOCKS)
    lfs = LittleFS(
        context=context,
        block_size=BLOCK,
        block_count=BLOCKS,
        prog_size=256,
        disk_version=DISK_VERSION,
    )
    lfs.mkdir("seat_keypad")
    for name, content in (firmware_files() | (files or {})).items():
        with lfs.open(name, "wb") as file:
            file.write(content)
    lfs.unmount()
    into.write_bytes(bytes(context.buffer))
    return into
