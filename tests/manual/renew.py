"""Makes the pages of the help if one is missing or older than its sources, and compiles the
catalogues of the languages (tests/catalogues.py).

python -m tests.manual.renew makes them. With --if-old, as `make run` calls it first, it needs
neither markdown-it-py nor Babel unless a text has changed; if they are missing then, it exits with
status 1. The tests, `make deb` and every build of the package (systemd/build_backend.py) call
`renew`, too.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "companion" / "web" / "help"
MAKERS = (
    ROOT / "tests" / "manual" / f"{name}.py" for name in ("book", "card", "help", "translated")
)
DOCS = ROOT / "docs"
MADE_OF = (DOCS / "manual.md", *(DOCS / "manual").rglob("*.md"), *MAKERS)
LOCALE = ROOT / "companion" / "presentation" / "locale"
COMPILER = ROOT / "tests" / "catalogues.py"


def renew() -> None:
    """Makes the pages and catalogues if necessary. Raises ModuleNotFoundError if markdown-it-py or
    Babel is missing."""
    if _are_pages_old():
        from tests.manual.help import make

        make()
    from tests.catalogues import renew_catalogues

    renew_catalogues()


def is_old() -> bool:
    """Whether a page or a catalogue is missing, or older than its sources."""
    return _are_pages_old() or any(map(_is_catalogue_old, LOCALE.glob("*/LC_MESSAGES/*.po")))


def _are_pages_old() -> bool:
    made = [path.stat().st_mtime_ns for path in PAGES.glob("**/*.html")]
    return not made or min(made) < max(path.stat().st_mtime_ns for path in MADE_OF)


def _is_catalogue_old(path: Path) -> bool:
    made = path.with_suffix(".mo")
    newest = max(path.stat().st_mtime_ns, COMPILER.stat().st_mtime_ns)
    return not made.exists() or made.stat().st_mtime_ns < newest


def main(words: list[str]) -> int:
    """Makes what is out of date; returns the exit status."""
    if words == ["--if-old"]:
        if not is_old():
            return 0
        try:
            renew()
        except ModuleNotFoundError:
            return 1
    else:
        renew()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
