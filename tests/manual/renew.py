"""Makes the pages of the help if one is missing, or older than what they are made of, and compiles
the catalogues of the languages (tests/catalogues.py).

python -m tests.manual.renew is what `make run` does before it starts. The tests, `make deb` and
every build of the package (systemd/build_backend.py) call `renew`, too.
"""

from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "companion" / "web" / "help"
MAKERS = (ROOT / "tests" / "manual" / name for name in ("book.py", "card.py", "help.py"))
DOCS = ROOT / "docs"
MADE_OF = (DOCS / "manual.md", *(DOCS / "manual").rglob("*.md"), *MAKERS)


def renew() -> None:
    """Makes the pages and catalogues if need be. Raises ModuleNotFoundError if markdown-it-py or
    Babel is needed and not installed."""
    made = [path.stat().st_mtime_ns for path in PAGES.glob("**/*.html")]
    if not made or min(made) < max(path.stat().st_mtime_ns for path in MADE_OF):
        from tests.manual.help import make

        make()
    from tests.catalogues import renew_catalogues

    renew_catalogues()


if __name__ == "__main__":
    renew()
