"""The requirements of `make release`, all reported at once and before anything is made: `python -m
release.needs`, which runs with only Debian's own Python installed."""

import os
import runpy
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from hw.tools import PACKAGES, PICTURES, Find, find
from image.__main__ import missing as image_lacks
from image.inputs import ROOT
from tests.chromium import NAMES

LETTERS = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
PLACEHOLDER = "https://project.invalid/"
"""The address in pyproject.toml until somebody publishes."""
PRIVATE = "Private :: Do Not Upload"
"""The classifier in pyproject.toml until then, which makes the Python package index refuse the
package."""
UNSIGNED = (
    "the release is not signed: make release KEY=FILE, with the key that also signs the updates "
    '(a new one: make image ARGS="--new-key FILE")'
)
NO_UPDATE = (
    "without a key there is no update file, and the card accepts no updates: make release KEY=FILE"
)
NO_ADDRESS = "the download address is missing: make release ADDRESS=https://…"


def packages(found: Find = find, there: Find | None = None, *, signs: bool) -> list[str]:
    """Returns the missing Debian packages, for all parts of the release. `signs`: whether a key is
    given."""
    there = there or (lambda path: path if Path(path).exists() else None)
    lacks = {*image_lacks(found, signs=signs)}
    lacks |= {PACKAGES[program] for program in (*PICTURES, "mmdebstrap") if not found(program)}
    if not any(map(found, NAMES)):
        lacks.add("chromium")
    if not there(LETTERS):
        lacks.add("fonts-dejavu-core")
    if find_spec("ensurepip") is None and not there(str(ROOT / ".venv")):
        lacks.add("python3-venv")
    return sorted(lacks)


def faults(asked: Mapping[str, str], *, root: bool, foreign: bool) -> list[str]:
    """Returns the missing requirements that are not packages, one per line. `asked`: KEY and
    ADDRESS, if they are given; `foreign`: whether this machine can run programs for arm64."""
    lines = []
    if not root:
        lines.append(
            "root, to build the keypads' firmware (and to fetch KiCad 9): sudo make release"
        )
    if not foreign:
        lines.append("programs for arm64 don't run here yet: sudo systemctl restart systemd-binfmt")
    if (key := asked.get("KEY")) and not _is_key(Path(key)):
        lines.append(f'KEY: {key} is no key (a new one: make image ARGS="--new-key FILE")')
    address = asked.get("ADDRESS", "")
    if address and not address.startswith(("http://", "https://")):
        lines.append(f"ADDRESS: {address} is no address: write it as https://example.org/release")
    return lines


def release_obstacles(version: str, tags: Sequence[str], changed: str, project: str) -> list[str]:
    """Returns the reasons why this source can't be released, one per line. `tags`: the tags of its
    last commit; `changed`: git's list of the files that differ from that commit; `project`: the
    text of pyproject.toml."""
    lines = []
    if ".dev" in version:
        lines.append(
            f"{version} is a version between releases: set VERSION in companion/core/version.py"
        )
    elif f"v{version}" not in tags:
        lines.append(f"this commit has no tag v{version}: git tag -s v{version}")
    if changed:
        lines.append("files differ from the commit: git status")
    if PLACEHOLDER in project:
        lines.append(f"pyproject.toml, [project.urls]: {PLACEHOLDER} is nobody's address")
    if PRIVATE in project:
        lines.append(f"pyproject.toml, classifiers: remove “{PRIVATE}”")
    return lines


def _git(*words: str) -> str:
    """Returns git's output; empty if it fails or is missing."""
    command = ["git", "-c", f"safe.directory={ROOT}", *words]
    with suppress(FileNotFoundError):
        return subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, check=False
        ).stdout.strip()
    return ""


def _obstacles_here() -> list[str]:
    version = runpy.run_path(str(ROOT / "systemd" / "make_deb.py"))["version"]()
    tags = _git("tag", "--points-at", "HEAD").splitlines()
    changed = _git("status", "--porcelain")  # new files would be in the package, too
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return release_obstacles(version, tags, changed, project)


def _is_key(path: Path) -> bool:
    try:
        return len(bytes.fromhex(path.read_text(encoding="ascii"))) == 32
    except (OSError, ValueError):
        return False


def _runs_arm64() -> bool:
    """Returns whether this machine can run programs for arm64. Also True if the tool that checks
    this is missing, because its package is reported anyway."""
    try:
        return not subprocess.run(
            ["arch-test", "arm64"], capture_output=True, check=False
        ).returncode
    except FileNotFoundError:
        return True


def main() -> int:
    """Runs the command; returns 0, or 1 with a list on standard error if something is missing."""
    asked = os.environ
    lines = faults(asked, root=os.geteuid() == 0, foreign=_runs_arm64())
    if lacks := packages(signs=bool(asked.get("KEY"))):
        lines.insert(0, f"sudo apt install {' '.join(lacks)}")
    if not asked.get("DRAFT") and (reasons := _obstacles_here()):
        lines += [*reasons, "or make a draft, which says that it is one: make release DRAFT=yes"]
    if lines:
        print("make release: Nothing is made yet. First:", file=sys.stderr)
        print(*(f"- {line}" for line in lines), sep="\n", file=sys.stderr)
        return 1
    for name, note in (("KEY", UNSIGNED), ("ADDRESS", NO_ADDRESS)):
        if not asked.get(name):
            print(f"note: {note}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
