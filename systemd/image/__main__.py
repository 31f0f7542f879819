"""`make image` builds build/companion.img.zst, to write onto a card, and the list of its packages.

Debian's packages come from the archive that apt uses, and are cached in build/image: remove that
folder to get newer ones. The same packages and the same source give an identical file."""

import argparse
import hashlib
import os
import runpy
import secrets
import shutil
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from companion.app.updates.file import EXTENSION, SYSTEM, UpdateContents, part_of, write_update
from companion.app.updates.systems import CONTENTS
from companion.games.game import RULES
from companion.record.rows import FORMAT
from hw.tools import Find, find
from image.boot import OF_A, boards_of, boot_files
from image.debian import debian, whole_system
from image.disk import make_fat, make_record_partition, make_squashfs, system_parts, write_image
from image.inputs import ROOT, TOOLS
from image.listing import licences_in, packages_in
from image.tryboot import tryboot_module


def build(
    out: Path, work: Path, level: int, key: bytes | None, next_key: bytes | None, *, packed: bool
) -> Path:
    """Makes the image in `out`, and returns the image's path. Intermediate files are cached in
    `work`. `key`: the private key with which updates for the card are signed; None if it takes no
    updates. `next_key`: another key, with which later updates may be signed."""
    make_deb = _make_deb()
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH") or make_deb["_package_time"]())
    os.environ["SOURCE_DATE_EPOCH"] = str(epoch)
    for folder in (out, work):
        folder.mkdir(parents=True, exist_ok=True)
    _print_progress("Debian's packages: a quarter of an hour, unless they are kept from before")
    base = debian(work)
    _print_progress("the companion's package and the card's files")
    deb = make_deb["build"](make_deb["version"](), work)
    keys = work / "update-keys"
    keys.write_text(public_keys(key, next_key))
    added = {"usr/share/companion-card": tryboot_module(base, work), "etc/companion": keys}
    system = whole_system(base, deb, added, epoch, work)
    _print_progress("the image")
    parts = work / "parts"
    shutil.rmtree(parts, ignore_errors=True)
    files = boot_files(system, parts / "boot")
    make_squashfs(system, parts / SYSTEM, epoch, level)
    contents, update = _contents(files, parts / SYSTEM, make_deb["version"](), epoch)
    if key:
        write_update(out / f"table-companion-{contents.version}{EXTENSION}", contents, update, key)
    files[OF_A + CONTENTS] = parts / CONTENTS
    files[OF_A + CONTENTS].write_bytes(contents.line())
    make_fat(dict(sorted(files.items())), parts / "fat", epoch)
    make_record_partition(parts / "record", epoch)
    image = out / "companion.img"
    systems = system_parts(parts / SYSTEM, parts)
    write_image([parts / "fat", *systems, parts / "record"], image)
    for name, lines in (("packages", packages_in(system)), ("licences", licences_in(system))):
        (out / f"companion.img.{name}").write_text(lines, encoding="utf-8")
    shutil.rmtree(parts)
    made = _compress_image(image) if packed else [image]
    for one in made:
        (one.parent / f"{one.name}.sha256").write_text(f"{_digest(one)}  {one.name}\n")
    return made[0]


def public_keys(*keys: bytes | None) -> str:
    """Returns the contents of the card's file of public keys, given the private keys; empty if
    there are none."""
    if not any(keys):
        return ""
    # Debian's python3-cryptography is needed only to sign.
    from companion.club.box.keys import KeyPair

    return "".join(f"{KeyPair.from_private(key).public.hex()}\n" for key in keys if key)


def _contents(
    files: Mapping[str, Path], system: Path, version: str, epoch: int
) -> tuple[UpdateContents, dict[str, Path]]:
    """Returns the description of system A as an update contains it, and the path of each part's
    file."""
    parts = {name.removeprefix(OF_A): path for name, path in files.items() if OF_A in name}
    parts = {SYSTEM: system, **parts}
    told = tuple(part_of(name, path) for name, path in parts.items())
    return UpdateContents(version, epoch, boards_of(parts.values()), FORMAT, told, RULES), parts


def _compress_image(image: Path) -> list[Path]:
    """Compresses the image in two formats, because not every program that writes cards reads both.
    Returns the paths of the compressed files."""
    quick, common = (image.with_name(f"{image.name}.{end}") for end in ("zst", "xz"))
    subprocess.run(["zstd", "-q", "-f", "-10", "-T1", str(image), "-o", str(quick)], check=True)
    with common.open("wb") as out:
        subprocess.run(["xz", "-6", "-T1", "--stdout", str(image)], check=True, stdout=out)
    return [quick, common]


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def missing(found: Find = find, *, signs: bool) -> list[str]:
    """Returns the Debian packages that the build needs and this machine lacks. `signs`: whether an
    update is also signed."""
    lacks = {package for tool, package in TOOLS.items() if not found(tool)}
    if signs and find_spec("cryptography") is None:
        lacks.add("python3-cryptography")
    return sorted({*lacks, *_make_deb()["missing"]()})


def _make_deb() -> dict[str, Any]:
    """Returns the global names that make_deb.py defines, with their values."""
    return runpy.run_path(str(ROOT / "systemd" / "make_deb.py"))


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _print_progress(line: str) -> None:
    print(f"image: {line} …", flush=True)


def main() -> None:
    """Builds the image; prints where it is and what to do next."""
    parser = argparse.ArgumentParser(prog="make image", description="Makes the card image.")
    parser.add_argument("--out", type=Path, default=ROOT / "build", help="where to put it")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "image", help="what is kept")
    parser.add_argument("--level", type=int, default=15, help="of the system's compression")
    parser.add_argument("--bare", action="store_true", help="don't compress the whole")
    parser.add_argument("--key", type=Path, help="the file of the key that signs its updates")
    parser.add_argument("--next-key", type=Path, help="a key that may sign later updates, too")
    parser.add_argument("--new-key", type=Path, help="make such a file, and nothing else")
    args = parser.parse_args()
    if args.new_key:
        with open(args.new_key, "x", opener=_open_private) as file:
            file.write(f"{secrets.token_hex(32)}\n")
        sys.exit()
    key, next_key = (
        bytes.fromhex(path.read_text()) if path else None for path in (args.key, args.next_key)
    )
    if next_key and not key:
        parser.error("--next-key needs --key, which signs this update")
    if lacks := missing(signs=bool(key)):
        sys.exit(f"make image: install what it is made with: sudo apt install {' '.join(lacks)}")
    if subprocess.run(["arch-test", "arm64"], capture_output=True, check=False).returncode:
        sys.exit(
            "make image: this machine can't run programs for arm64 yet: "
            "sudo systemctl restart systemd-binfmt"
        )
    try:
        out, work = args.out.absolute(), args.work.absolute()
        print(build(out, work, args.level, key, next_key, packed=not args.bare))
    except subprocess.CalledProcessError as error:
        sys.exit(f"make image: {error.cmd[0]} failed ({error.returncode}), see above")


if __name__ == "__main__":
    main()
