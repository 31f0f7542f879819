#!/usr/bin/env python3
"""Builds the Debian package, with debhelper and dh-python and without network access: `make deb`.

The packaging (systemd/debian) is copied into a new folder, beside the program, and completed with
the version from companion/core/version.py, and the configuration and help pages from docs/."""

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from email.utils import formatdate
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
NAME = "table-companion"
HUB = "table-companion-hub"
"""The second package, from the same source: a club's hub, for Debian 13 and newer."""
TAKEN = ("companion", "docs", "firmware", "share", "systemd", "README.md", "CHANGELOG.md")
NOT_TAKEN = ("image", "release")
"""Folders of `systemd` that are left out."""
TOOLS = {"dpkg-buildpackage": "dpkg-dev", "dh": "debhelper", "dh_python3": "dh-python"}
"""Commands, and the Debian packages that contain them."""

MODULES = {"markdown_it": "python3-markdown-it", "babel": "python3-babel"}
"""Python modules, and the Debian packages that contain them."""

REVISION = "-1"
"""Debian's part of the version."""

PACKAGED = {"menu_held": '"switch-off"'}
"""Settings that are different on an installed box."""

HEAD = """\
# The table companion's configuration. A line that starts with # says what holds anyway: to change
# it, take the # away. Then: sudo systemctl restart companion

"""


def config_text(documented: str) -> str:
    """Returns the configuration to install: the documented one, in which every key with its default
    value is commented out."""
    (example,) = re.findall(r"```toml\n(.*?)```", documented, re.DOTALL)
    return HEAD + "\n".join(_config_lines(example)) + "\n"


def _config_lines(example: str) -> Iterator[str]:
    for line in example.strip().splitlines():
        key = line.split(" = ")[0]
        if key in PACKAGED:
            yield re.sub(r'= "[^"]*" *', f"= {PACKAGED[key]}  ", line)
        else:
            yield f"# {line}" if key != line and line[0] != "#" else line


def version() -> str:
    """Returns the program's own version."""
    text = (ROOT / "companion" / "core" / "version.py").read_text(encoding="utf-8")
    (found,) = re.findall(r'^VERSION: Final = "([^"]+)"$', text, re.MULTILINE)
    return str(found)


def debian_version(version: str) -> str:
    """Returns the version in the form that Debian sorts correctly: 0.4.0~dev0 is older than
    0.4.0."""
    return version.replace(".dev", "~dev")


def build(version: str, out: Path) -> Path:
    """Builds the package of this version, and the hub's package, in `out`; returns the path of the
    first."""
    version = debian_version(version)
    out.mkdir(parents=True, exist_ok=True)
    for maker in ("tests.manual.renew", "tests.manual.shells"):
        subprocess.run([sys.executable, "-m", maker], cwd=ROOT, check=True)
    with TemporaryDirectory() as folder:
        source = Path(folder) / NAME
        _copy(source)
        _fill_in(source / "debian", version)
        # `missing` has checked already; Debian's own check also wants a compiler that isn't needed.
        unchecked = "--no-check-builddeps"
        command = ["dpkg-buildpackage", "--build=binary", "--no-sign", unchecked]
        ran = subprocess.run(
            command, cwd=source, capture_output=True, text=True, errors="replace", check=False
        )
        if ran.returncode:
            sys.exit(f"{ran.stdout}{ran.stderr}\nmake_deb: dpkg-buildpackage failed, see above")
        for name in (HUB, NAME):
            made = f"{name}_{version}{REVISION}_all.deb"
            shutil.move(Path(folder) / made, out / made)
    return out / made


def _copy(source: Path) -> None:
    """Copies the program and its packaging. The boards are copied as files, not as a link to
    hw/."""
    source.mkdir()
    for name in TAKEN:
        taken = ROOT / name
        if taken.is_dir():
            shutil.copytree(taken, source / name, ignore=_left_out)
        else:
            shutil.copy(taken, source)
    (source / "systemd" / "debian").rename(source / "debian")


def _left_out(folder: str, names: list[str]) -> list[str]:
    """Returns the names in a folder that the package leaves out, such as the card's image, which
    itself contains the package."""
    not_ours = NOT_TAKEN if Path(folder) == ROOT / "systemd" else ()
    return [
        name for name in names if name == "__pycache__" or name.endswith(".po") or name in not_ours
    ]


def _fill_in(debian: Path, version: str) -> None:
    documented = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    (debian / "companion.toml").write_text(config_text(documented), encoding="utf-8")
    control = (debian / "control").read_text(encoding="utf-8")
    (maintainer,) = re.findall("^Maintainer: (.*)", control, re.MULTILINE)
    (debian / "changelog").write_text(
        f"{NAME} ({version}{REVISION}) stable; urgency=medium\n\n  * See CHANGELOG.md.\n\n"
        f" -- {maintainer}  {formatdate(_package_time())}\n",
        encoding="utf-8",
    )


def _package_time() -> int:
    """Returns the time that all files of the package get, in seconds since 1970, so that the
    package is reproducible."""
    if told := os.environ.get("SOURCE_DATE_EPOCH", ""):
        return int(told)
    if shutil.which("git"):  # a Raspberry Pi that has just been set up has none
        command = ["git", "log", "-1", "--format=%ct"]
        told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    return int(told or (ROOT / "CHANGELOG.md").stat().st_mtime)


def missing() -> list[str]:
    """Returns the Debian packages that this machine lacks for building."""
    tools = [package for tool, package in TOOLS.items() if shutil.which(tool) is None]
    return tools + [package for module, package in MODULES.items() if find_spec(module) is None]


def main() -> None:
    """Builds the packages as the command line requests, and prints where they are."""
    parser = argparse.ArgumentParser(description="Builds the Debian package.")
    parser.add_argument("--version", help="another version than the source has")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="where to put it")
    args = parser.parse_args()
    if lacks := missing():
        sys.exit(f"make_deb: install what it is built with: sudo apt install {' '.join(lacks)}")
    print(build(args.version or version(), args.out))


if __name__ == "__main__":
    main()
