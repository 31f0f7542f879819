"""`make release` puts everything that a person without Linux needs into build/release, with its
versions, its SHA-256 sums and its signer. Requirements are checked before anything is made. If a
part can't be made, that is reported at the end, and the other parts are made anyway."""

import argparse
import io
import os
import re
import runpy
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.club.box.keys import KeyPair
from hw.solid import read_stl
from image.inputs import ROOT
from release.imager import imager_list
from release.needs import NO_ADDRESS, NO_UPDATE, UNSIGNED
from release.plates import plates, write_3mf
from release.signature import SIGNED, SUMS, fingerprint, read_key, signature, signer, sums
from release.start_here import dead_links

BUILD = ROOT / "build"
BOARD = ("gerbers.zip", "parts.csv", "schematic.pdf", "top.svg", "bottom.svg", "board.step")
KEYPAD_LICENCES = Path(__file__).with_name("seat-keypad-licences.txt")
SIGNER = "SIGNED-BY"
_MAKE_SIGNED_IMAGE = 'make image ARGS="--key FILE"'
DEBIANS = "/usr/bin/python3"
"""Debian's own Python, which makes the image: it has other modules than this one."""


class MissingError(RuntimeError):
    """A part of the release can't be made here; the one-line message gives the remedy."""


class NotAskedError(MissingError):
    """A part of the release wasn't requested; the one-line message explains how to request it."""


def put_image(into: Path) -> None:
    """Adds the card image, which `make image` has made from this source. Raises MissingError."""
    made = BUILD / "companion.img.zst"
    if made.exists() and made.stat().st_mtime < int(_git("log", "-1", "--format=%ct") or 0):
        raise MissingError("companion.img.zst is older than the source: make image")
    for end in ("zst", "xz", "packages", "licences"):
        _copy(BUILD / f"companion.img.{end}", into, "make image")


def put_update(into: Path) -> None:
    """Adds the update file for cards that are already flashed, made with the image."""
    if not os.environ.get("KEY"):
        raise NotAskedError(NO_UPDATE)
    make_deb = runpy.run_path(str(ROOT / "systemd" / "make_deb.py"))
    _copy(BUILD / f"table-companion-{make_deb['version']()}.update", into, _MAKE_SIGNED_IMAGE)


def put_list(into: Path) -> None:
    """Adds the list with which Raspberry Pi Imager offers the image with its settings, if the
    release has an address. Raises NotAskedError if it has none."""
    address = os.environ.get("ADDRESS", "")
    if not address:
        raise NotAskedError(NO_ADDRESS)
    made = into / "companion.img.xz"
    if not made.exists():
        raise MissingError("the card image is missing: make image")
    make_deb = runpy.run_path(str(ROOT / "systemd" / "make_deb.py"))
    try:
        text = imager_list(made, address, make_deb["version"](), _day_of_source())
    except ValueError as error:
        raise MissingError(str(error)) from error
    (into / "table-companion.rpi-imager-manifest").write_text(text, encoding="utf-8")
    shutil.copy(ROOT / "companion" / "web" / "static" / "icon.svg", into)


def put_package(into: Path) -> None:
    """Adds the Debian package."""
    make_deb = runpy.run_path(str(ROOT / "systemd" / "make_deb.py"))
    make_deb["build"](make_deb["version"](), into)


def put_wheel(into: Path) -> None:
    """Adds the source distribution of the last commit, and the wheel built from it. Raises
    MissingError without git."""
    with TemporaryDirectory() as folder:
        source = Path(folder) / "source"
        unpack_commit(source)
        sdist = _build_package(source, "sdist", into)
        shutil.unpack_archive(sdist, folder, filter="data")
        _build_package(Path(folder) / sdist.name.removesuffix(".tar.gz"), "wheel", into)


def unpack_commit(into: Path) -> None:
    """Writes the files of the last commit into the new folder `into`. Raises MissingError without
    git."""
    command = ["git", "-c", f"safe.directory={ROOT}", "archive", "--format=tar", "HEAD"]
    try:
        tree = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    except (FileNotFoundError, subprocess.CalledProcessError) as error:
        raise MissingError("it is built of a commit, which git gives") from error
    into.mkdir()
    with tarfile.open(fileobj=io.BytesIO(tree)) as files:
        files.extractall(into, filter="tar")  # links of the card, too


def _build_package(source: Path, what: str, into: Path) -> Path:
    """Builds a package from a source folder with its own build, and returns the path of the file in
    `into`. `what`: the kind of package."""
    code = f"import sys, build_backend as b; print(b.build_{what}(sys.argv[1]), file=sys.stderr)"
    path = os.pathsep.join(map(str, (source / "systemd", source)))
    ran = subprocess.run(
        [sys.executable, "-c", code, str(into.resolve())],
        cwd=source, env={**os.environ, "PYTHONPATH": path},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return into / ran.stderr.splitlines()[-1]


def put_plates(into: Path) -> None:
    """Adds the files of the printed plastic parts, which `make case` has made. Raises
    MissingError."""
    folder = BUILD / "hw" / "case"
    files = {path.stem: path for path in folder.glob("*.stl")}
    if not files:
        raise MissingError("the cases are missing: make case")
    (into / "case").mkdir()
    for path in files.values():
        shutil.copy(path, into / "case")
    for name, parts in plates(files).items():
        write_3mf(into / "case" / f"{name}.3mf", {part: read_stl(files[part]) for part in parts})


def put_board(into: Path) -> None:
    """Adds the files for ordering and soldering the circuit board, which `make hw-board` has
    made."""
    for name in BOARD:
        _copy(BUILD / "hw" / "board" / name, into / "board", "make hw-board")


def put_parts_page(into: Path) -> None:
    """Adds the interactive page for soldering the board."""
    from hw.board.build import BOARD as MADE
    from hw.board.build import any_kicad
    from hw.board.kicad import KicadError
    from release.parts_page import make_parts_page

    board = BUILD / "hw" / "board" / MADE
    if not board.exists():
        raise MissingError("the circuit board is missing: make hw-board")
    try:
        with any_kicad() as tool:
            (into / "board").mkdir(exist_ok=True)
            make_parts_page(tool, board, into / "board")
    except KicadError as error:
        raise MissingError(str(error)) from error


def put_papers(into: Path) -> None:
    """Adds the documents to print on paper."""
    from release.paper import print_papers

    print_papers(into)


def put_firmware(into: Path) -> None:
    """Adds the firmware of the seat keypads, as one file to drag onto a Pico."""
    from tests.rigs.pico.image import keypad_uf2
    from tests.rigs.roots import missing

    if lacks := missing("mmdebstrap"):
        raise MissingError(f"building MicroPython needs {', '.join(lacks)}")
    shutil.copy(keypad_uf2(), into / "seat-keypad.uf2")
    shutil.copy(KEYPAD_LICENCES, into)


def put_example(into: Path) -> None:
    """Adds the game of the example evening, as `companion export --html` writes it."""
    from companion.app.catalog import CATALOG
    from companion.presentation.moment import Moment
    from companion.record.tally import play_tally, read_tally
    from companion.web.export.html_file import game_file
    from companion.web.viewer import TALLY

    rules = CATALOG.rules
    *_, last = play_tally(read_tally(TALLY.read_text("utf-8"), rules), rules)
    (into / "example-game.html").write_text(game_file(Moment(CATALOG, last.journal), None), "utf-8")


def put_start(into: Path) -> None:
    """Adds the first page to read, and the building guide."""
    from release.start_here import put_pages

    put_pages(into)


def put_signer(into: Path) -> None:
    """Adds the file that names the signer. Raises NotAskedError without a key to sign with."""
    keys = _key()
    if keys is None:
        raise NotAskedError(UNSIGNED)
    (into / SIGNER).write_text(signer(keys), encoding="ascii")
    print(f"release: signed by {fingerprint(keys)}", flush=True)


def _key() -> KeyPair | None:
    """Returns the key to sign with; None if no key is given. Raises MissingError if the key can't
    be read."""
    path = os.environ.get("KEY", "")
    try:
        return read_key(Path(path)) if path else None
    except (OSError, ValueError) as error:
        raise MissingError(f"{path} is no key: {error}") from error


PARTS: Mapping[str, Callable[[Path], None]] = {
    "the card image": put_image,
    "the update": put_update,
    "Raspberry Pi Imager's list": put_list,
    "the Debian package": put_package,
    "the program for Python's installers": put_wheel,
    "the cases": put_plates,
    "the circuit board": put_board,
    "the board's page to solder by": put_parts_page,
    "what is printed on paper": put_papers,
    "the seat keypads' firmware": put_firmware,
    "an example game": put_example,
    "where to start": put_start,
    "the signature": put_signer,
}


def release(into: Path, parts: Mapping[str, Callable[[Path], None]]) -> tuple[list[str], list[str]]:
    """Makes all parts in an empty folder. Returns two lists of lines: one line for each missing
    part, and one for each part that wasn't requested."""
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    lacks, notes = [], []
    for what, put in parts.items():
        print(f"release: {what} …", flush=True)
        try:
            put(into)
        except NotAskedError as note:
            notes.append(f"{what}: {note}")
        except (MissingError, FileNotFoundError, ImportError) as error:
            lacks.append(f"{what}: {error}")
        except subprocess.CalledProcessError as error:
            lacks.append(f"{what}: {error.cmd[0]} failed ({error.returncode})")
    shutil.copy(ROOT / "LICENSE", into)
    shutil.copy(ROOT / "hw" / "LICENSE", into / "LICENSE-hardware")  # of board and cases
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    told = without_links(with_release_date(changes, _day_of_source()))
    (into / "CHANGELOG.md").write_text(told, encoding="utf-8")
    lacks += dead_links(into)
    (into / "VERSIONS.txt").write_text(_versions(lacks + notes), encoding="utf-8")
    told = sums(into)
    (into / SUMS).write_text(told, encoding="utf-8")
    if (into / SIGNER).exists() and (keys := _key()):
        (into / SIGNED).write_text(signature(keys, told.encode()), encoding="ascii")
    return lacks, notes


def with_release_date(changes: str, day: str) -> str:
    """Returns the changelog with `day` as the date of the newest version; unchanged if `day` is
    empty."""
    return changes.replace("] - unreleased\n", f"] - {day}\n", 1) if day else changes


def without_links(text: str) -> str:
    """Returns the text with each link into the sources replaced by the link's words."""
    return re.sub(r"\[([^\]]+)\]\((?!https?:)[^)]+\)", r"\1", text)


def _versions(lacks: list[str]) -> str:
    make_deb = runpy.run_path(str(ROOT / "systemd" / "make_deb.py"))
    lines = [f"table companion {make_deb['version']()}", f"source {_source() or 'unknown'}"]
    if os.environ.get("DRAFT"):
        lines.append("A draft: this is no release")
    lines += ["The versions of all that is in the card image: companion.img.packages"]
    lines += [f"Not in this release: {line}" for line in lacks]
    return "".join(f"{line}\n" for line in lines)


def _source() -> str:
    """Returns the hash of this source's last commit; empty if there is none."""
    return _git("rev-parse", "HEAD")


def _day_of_source() -> str:
    """Returns the day of this source's last commit, as in 2026-11-20; empty if there is none."""
    return _git("log", "-1", "--format=%cs")


def _git(*words: str) -> str:
    command = ["git", *words]
    with suppress(FileNotFoundError):  # git itself
        ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        return ran.stdout.strip()
    return ""


def _copy(path: Path, into: Path, command: str) -> None:
    if not path.exists():
        raise MissingError(f"{path.name} is missing: {command}")
    into.mkdir(exist_ok=True)
    shutil.copy(path, into)


def check_requirements() -> bool:
    """Returns whether all requirements are there; otherwise lists the missing ones on standard
    error."""
    path = f"{ROOT / 'systemd'}:{os.environ.get('PYTHONPATH', '')}"
    environment = os.environ | {"PYTHONPATH": path}
    asked = [DEBIANS, "-m", "release.needs"]
    return not subprocess.run(asked, cwd=ROOT, env=environment, check=False).returncode


def main() -> int:
    """Makes the release; returns the exit status, 1 if a requested part is missing."""
    parser = argparse.ArgumentParser(prog="make release", description="Puts a release together.")
    parser.add_argument("--out", type=Path, default=BUILD / "release", help="where to put it")
    args = parser.parse_args()
    if not check_requirements():
        return 1
    lacks, notes = release(args.out, PARTS)
    print(args.out)
    for line in notes:
        print(f"note: {line}", file=sys.stderr)
    for line in lacks:
        print(f"missing: {line}", file=sys.stderr)
    return 1 if lacks else 0


if __name__ == "__main__":
    sys.exit(main())
