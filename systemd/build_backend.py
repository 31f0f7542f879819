"""The build backend. First makes the help pages from the manual, and the man page and shell
completions from the parsers; then calls setuptools.

A source distribution includes these files, but neither the manual nor the programs that make
them."""

from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403 # hooks that a builder calls before it builds

ROOT = Path(__file__).parents[1]


def _make_texts() -> None:
    if (ROOT / "tests/manual/renew.py").exists():
        from tests.manual.renew import renew
        from tests.manual.shells import renew_shells

        renew()
        renew_shells()


def build_wheel(*asked: Any, **more: Any) -> str:
    """Builds a wheel; returns the name of its file."""
    _make_texts()
    return build_meta.build_wheel(*asked, **more)


def build_editable(*asked: Any, **more: Any) -> str:
    """Builds the wheel of an editable installation; returns the name of its file."""
    _make_texts()
    return build_meta.build_editable(*asked, **more)


def build_sdist(*asked: Any, **more: Any) -> str:
    """Builds a source distribution; returns the name of its file."""
    _make_texts()
    return build_meta.build_sdist(*asked, **more)
