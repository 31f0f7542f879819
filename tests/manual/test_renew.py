"""The build of the package makes the pages of the help, the catalogues, the man page and the
completions with markdown-it-py and Babel, and needs nothing more."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
WITHOUT = ("pytest", "PIL", "playwright", "gpiozero", "luma", "aiohttp")
"""Packages that a machine need not have to build ours."""


def test_a_build_of_the_package_needs_no_tests() -> None:
    banned = f"import sys; sys.modules.update(dict.fromkeys({WITHOUT}))"
    made = "import tests.manual.help, tests.catalogues, tests.manual.shells"
    told = subprocess.run(
        [sys.executable, "-c", f"{banned}; {made}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr


def test_starting_the_table_needs_neither_library_unless_a_text_is_newer() -> None:
    banned = "import sys; sys.modules.update(dict.fromkeys(('markdown_it', 'babel')))"
    code = f"{banned}; from tests.manual import renew; "
    old = "renew.is_old = lambda: True; "
    for made, status in (("", 0), (old, 1)):
        asked = f"{code}{made}sys.exit(renew.main(['--if-old']))"
        run = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, check=False)
        assert run.returncode == status
