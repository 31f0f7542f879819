"""An installed program is complete: it has boards, glyphs, the page, and all files of the lists
(tests/surface/wheel.txt and source.txt, changed by hand). Tried with a wheel, an editable
installation, and a wheel of a source distribution; all other tests run on the checkout itself."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.manual.renew import PAGES
from tests.surface import packed, stored

ROOT = Path(__file__).parent.parent
NEEDED = (70, 1)
"""The first version of setuptools that makes wheels by itself."""
TELL = (
    "import companion, companion.web; from companion.devices.board import *; "
    "from companion.console.frame import text_width; text_width('x'); "
    "from companion.presentation.drawing.svg import style; style(); "
    "from companion.app.catalog import CATALOG; from companion.web.viewer import Example; "
    "from companion.presentation.drawing.svg import Paper; "
    "Example(CATALOG).moment(1, Paper(16, 9)); "
    "from pathlib import Path; assert (Path(companion.web.__file__).parent / 'static').is_dir(); "
    "help = Path(companion.web.__file__).parent / 'help'; "
    "assert (help / 'pictures/turn_paid.png').is_file() and (help / 'manual.html').is_file(); "
    "assert 'turn_paid.png' in (help / 'high-five.html').read_text('utf-8'); "
    "assert (help / 'quick-card-high-five.html').is_file(); "
    "assert (help / 'pt-BR/lesson.html').is_file(); "
    "assert (help / 'pictures/pt-BR/turn_paid.png').is_file(); "
    "from companion.presentation.language import language_of; "
    "assert language_of('pt-BR').template('Who plays?') == 'Quem joga?'; "
    "print(companion.__file__, *sorted(known_boards()), load_board('keys-16').display.driver)"
)
BOARDS = "adafruit-bonnet keypad-4x4 keys-16 waveshare-1.3-hat ssd1306"

if not os.environ.get("CI"):
    setuptools = pytest.importorskip("setuptools", reason="setuptools is not installed")
    if tuple(map(int, version("setuptools").split(".")[:2])) < NEEDED:
        pytest.skip("setuptools is too old", allow_module_level=True)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout to build in, with files that a build could include by mistake:
    setuptools takes `tests/test*.py` into a source distribution unless it is told not to."""
    copy = tmp_path_factory.mktemp("source") / "table"
    copy.mkdir()
    help_pages = [path.name for path in PAGES.rglob("*.html")]
    for name in ("companion", "docs", "hw", "systemd", "tests/manual"):
        left_out = shutil.ignore_patterns("__pycache__", "*.mo", *help_pages)
        shutil.copytree(ROOT / name, copy / name, symlinks=True, ignore=left_out)
    for path in (ROOT / "tests").glob("*.py"):
        shutil.copy(path, copy / "tests")
    for name in ("pyproject.toml", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    return copy


def built(source: Path, what: str) -> Path:
    """The file that setuptools makes in `source`: a wheel, an editable one or a source
    distribution."""
    code = f"import build_backend as b; print('made', b.build_{what}('dist'))"
    paths = os.pathsep.join(map(str, (source / "systemd", source)))
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=source,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
    )
    return source / "dist" / run.stdout.split("made ")[-1].strip()


def tells(wheel: Path, site: Path) -> str:
    """The program's list of its boards when that wheel is installed in `site`."""
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(site)
    # Before the others: an editable installation of this very checkout may be among them.
    paths = [str(site), *(path for path in sys.path if "packages" in path)]
    code = f"import sys; sys.path += {paths}; import site; site.addsitedir({str(site)!r}); {TELL}"
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code],
        cwd=site,
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.strip()


def test_a_wheel_is_complete_and_works(source: Path, tmp_path: Path) -> None:
    wheel = built(source, "wheel")
    told = tells(wheel, tmp_path)
    assert told == f"{tmp_path / 'companion' / '__init__.py'} {BOARDS}"
    with zipfile.ZipFile(wheel) as found:
        names = (re.sub(r"^[^/]*\.data/data/", "", name) for name in found.namelist())
        assert packed(names) == stored("wheel")


@pytest.mark.whole
def test_an_editable_installation_works(source: Path, tmp_path: Path) -> None:
    told = tells(built(source, "editable"), tmp_path)
    assert told == f"{source / 'companion' / '__init__.py'} {BOARDS}"


@pytest.mark.whole
def test_a_wheel_built_from_a_source_distribution_works(source: Path, tmp_path: Path) -> None:
    shutil.unpack_archive(built(source, "sdist"), tmp_path, filter="data")
    unpacked = next(path for path in tmp_path.iterdir() if path.is_dir())
    assert not (unpacked / "tests").exists()
    names = (path.relative_to(unpacked) for path in unpacked.rglob("*") if path.is_file())
    assert packed(map(str, names)) == stored("source")
    told = tells(built(unpacked, "wheel"), tmp_path / "site")
    assert told == f"{tmp_path / 'site' / 'companion' / '__init__.py'} {BOARDS}"


@pytest.mark.whole
def test_a_wheel_is_built_without_a_generated_manual(source: Path, tmp_path: Path) -> None:
    """As from archives of 0.3.0, which had `tests/test_*.py` and nothing else of the tests."""
    shutil.unpack_archive(built(source, "sdist"), tmp_path, filter="data")
    unpacked = next(path for path in tmp_path.iterdir() if path.is_dir())
    (unpacked / "tests").mkdir()
    (unpacked / "tests/test_package.py").write_text("")
    assert built(unpacked, "wheel").is_file()
