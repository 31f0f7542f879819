# SPDX-License-Identifier: CERN-OHL-P-2.0
"""KiCad 9: this machine's own, or one installed in a folder that has another Debian."""

import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

PACKAGES = ("kicad", "kicad-footprints", "kicad-symbols")
"""The packages that KiCad needs on Debian 13."""
RELEASE = "9."


class KicadError(Exception):
    """KiCad is missing, or one of its commands has failed; the message ends with its output."""


@dataclass(frozen=True, slots=True)
class Kicad:
    """A KiCad that works in one folder. `root`: "/" for this machine's own, otherwise the folder of
    another Debian; `work`: the working folder, with its full path on this machine."""

    root: Path
    work: Path

    @property
    def symbols(self) -> Path:
        """The folder of its symbol libraries, as a path on this machine."""
        return self.root / "usr/share/kicad/symbols"

    @property
    def footprints(self) -> str:
        """The folder of its footprint libraries, as a path within `root`."""
        return "/usr/share/kicad/footprints"

    def run(self, *command: str) -> str:
        """Runs a command in the working folder, and returns its output. Raises KicadError."""
        inside = f"/{self.work.relative_to(self.root)}"
        settings = {
            "HOME": inside,
            "KICAD_CONFIG_HOME": f"{inside}/settings",
            "KICAD9_SYMBOL_DIR": "/usr/share/kicad/symbols",
            "KICAD9_FOOTPRINT_DIR": self.footprints,
            "PYTHONPATH": f"{inside}/source",
            "PYTHONDONTWRITEBYTECODE": "1",
            "LC_ALL": "C.UTF-8",
            "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
        }
        enter = [] if self.root == Path("/") else ["chroot", str(self.root)]
        line = [*enter, "sh", "-c", 'cd "$0" && exec "$@"', inside, *command]
        done = subprocess.run(line, env=settings, capture_output=True, text=True, check=False)
        if done.returncode:
            raise KicadError(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
        return done.stdout

    def write_library_lists(self, symbols: Iterable[str], footprints: Iterable[str]) -> None:
        """Writes KiCad's lists of libraries, with the libraries of these names."""
        folder = self.work / "settings" / "9.0"
        folder.mkdir(parents=True, exist_ok=True)
        for kind, names, ending in (
            ("sym", symbols, "${KICAD9_SYMBOL_DIR}/{}.kicad_sym"),
            ("fp", footprints, "${KICAD9_FOOTPRINT_DIR}/{}.pretty"),
        ):
            lines = (
                f'(lib (name "{name}")(type "KiCad")(uri "{ending.replace("{}", name)}")'
                '(options "")(descr ""))'
                for name in sorted(set(names))
            )
            text = "\n".join((f"({kind}_lib_table (version 7)", *lines, ")"))
            (folder / f"{kind}-lib-table").write_text(text + "\n", encoding="utf-8")


def find_own_kicad(work: Path) -> Kicad | None:
    """Returns this machine's KiCad; None if this release isn't installed. `work` is an empty
    folder."""
    if (program := shutil.which("kicad-cli")) is None or not Path("/usr/share/kicad").is_dir():
        return None
    said = subprocess.run([program, "version"], capture_output=True, text=True, check=False).stdout
    return Kicad(Path("/"), work.resolve()) if said.startswith(RELEASE) else None


def kicad_within(root: Path) -> Kicad:
    """Returns the KiCad in the folder of another Debian 13; only root can run it."""
    work = root / "board"
    work.mkdir()
    return Kicad(root, work)
