"""Runs the tests with the lowest versions of libraries that pyproject.toml allows, and with the
newest, on the oldest Python that it allows and on today's: `make test-bounds`.

    python -m tests.bounds [3.11|3.13] [lowest|newest] [-- WORDS FOR PYTEST]

Each pair has an environment of its own in build/bounds. Only wheels are installed, as no user
should need a compiler.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from itertools import product
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
PYTHONS = ("3.11", "3.13")
ENDS = ("lowest", "newest")
LAST_LINES = 25


def requirements(python: str) -> list[Requirement]:
    """The libraries that the program needs on that Python."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    found = [Requirement(text) for text in project["dependencies"]]
    return [
        one
        for one in found
        if one.marker is None or one.marker.evaluate({"python_version": python})
    ]


def lowest(requirement: Requirement) -> str:
    """The lowest version that a requirement allows. Raises ValueError if it names none."""
    (version,) = (one.version for one in requirement.specifier if one.operator == ">=")
    return version


def interpreter(python: str) -> str | None:
    """The path of a Python of that version, on the PATH or of pyenv; None if there is none."""
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    there = [
        shutil.which(f"python{python}"),
        *sorted(map(str, kept.glob(f"{python}.*/bin/python"))),
    ]
    for path in filter(None, there):
        tried = subprocess.run(
            [path, "-c", "import venv, ensurepip"], capture_output=True, check=False
        )
        if tried.returncode == 0:
            return path
    return None


def environment(python: str, end: str) -> Path:
    """Makes an environment with the libraries of that `end` (“lowest” or “newest”) and what the
    tests need; returns its interpreter. Exits if that Python is missing."""
    home = ROOT / "build" / "bounds" / f"{python}-{end}"
    own = home / "bin" / "python"
    path = interpreter(python)
    if path is None:
        sys.exit(f"bounds: Python {python} with its venv module is missing: install it")
    subprocess.run([path, "-m", "venv", "--clear", str(home)], check=True)
    constraints = home / "constraints.txt"
    bound = [f"{one.name}=={lowest(one)}" for one in requirements(python)]
    constraints.write_text("\n".join(bound if end == "lowest" else []))
    words = ["--quiet", "--disable-pip-version-check", "--only-binary", ":all:"]
    words += ["--constraint", str(constraints), "--editable", f"{ROOT}[dev]"]
    subprocess.run([own, "-m", "pip", "install", *words], check=True)
    return own


def versions(own: Path, python: str) -> str:
    """The names and versions of the libraries in an environment."""
    names = [one.name for one in requirements(python)]
    code = "import sys; from importlib.metadata import version as v; print(*map(v, sys.argv[1:]))"
    told = subprocess.run([own, "-c", code, *names], capture_output=True, text=True, check=True)
    return ", ".join(map(" ".join, zip(names, told.stdout.split(), strict=True)))


def passes(own: Path, words: list[str]) -> bool:
    """Whether the tests pass in an environment; prints the end of their output."""
    all_of_them = [["-n", "logical", "-m", "not serial and not browser"], ["-m", "serial"]]
    runs = [words] if words else all_of_them
    for each in runs:
        command = [str(own), "-m", "pytest", "-q", "--color=no", *each]
        if "-n" in each:
            command += ["--dist", "loadfile", "--no-loadscope-reorder"]
        ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        lines = ran.stdout.splitlines()
        if ran.returncode:
            print("\n".join([*lines[-LAST_LINES:], ran.stderr]))
            return False
        print("   ", lines[-1])
    return True


def main(*words: str) -> int:
    """Runs what the command line selects; returns 1 if any test fails."""
    told, _, more = "\0".join(words).partition("--\0")
    asked = set(filter(None, told.split("\0")))
    if unknown := asked - {*PYTHONS, *ENDS}:
        sys.exit(f"bounds: {' '.join(unknown)}: one of {', '.join((*PYTHONS, *ENDS))}")
    failed = False
    for python, end in product(PYTHONS, ENDS):
        if asked & set(PYTHONS) <= {python} and asked & set(ENDS) <= {end}:
            own = environment(python, end)
            print(f"Python {python}, {end}: {versions(own, python)}", flush=True)
            failed |= not passes(own, more.split("\0") if more else [])
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
