"""USB sticks and updates for the emulated Raspberry Pi (card.py)."""

import shutil
from dataclasses import replace
from pathlib import Path

from companion.app.updates.file import HEADER, PURPOSE, open_update
from companion.club.box.keys import KeyPair
from tests.rigs.rig_stick import run


def usb_stick(folder: Path, *files: Path) -> Path:
    """The content of a USB stick with these files, as a file in `folder`."""
    stick = folder / "stick.img"
    with stick.open("wb") as file:
        file.truncate(40_000_000 + sum(path.stat().st_size for path in files))
    run("mkfs.vfat", "-F", "32", str(stick))
    run("mcopy", "-s", "-i", str(stick), *map(str, files), "::")
    return stick


def sign_again(made: Path, key: Path, version: str, path: Path) -> Path:
    """Writes the update `made` at `path` as one of `version`, signed with the key in the file
    `key`; its parts stay as they are. Returns `path`."""
    keys = KeyPair.from_private(bytes.fromhex(key.read_text()))
    update = open_update(made, [keys.public])
    line = replace(update.contents, version=version).line()
    with made.open("rb") as old, path.open("wb") as new:
        new.write(HEADER + line + keys.sign(PURPOSE, line).hex().encode() + b"\n")
        old.seek(update.behind)
        shutil.copyfileobj(old, new)
    return path
