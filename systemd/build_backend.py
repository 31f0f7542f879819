"""The build backend: setuptools, after the help pages were made from the manual, and the man page
and completions from the parsers.

A source distribution includes them, but neither the manual nor the programs that make them.
"""

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
    """Builds a wheel; returns its name."""
    _make_texts()
    return build_meta.build_wheel(*asked, **more)


def build_editable(*asked: Any, **more: Any) -> str:
    """Builds the wheel of an editable installation; returns its name."""
    _make_texts()
    return build_meta.build_editable(*asked, **more)


def build_sdist(*asked: Any, **more: Any) -> str:
    """Builds a source distribution; returns its name."""
    _make_texts()
    return build_meta.build_sdist(*asked, **more)
