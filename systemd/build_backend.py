"""How the package is built: by setuptools, once the help pages have been made from the manual.

A source distribution has these pages, but neither the manual nor the program that makes them.
"""

from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403 # hooks that a builder calls before it builds

ROOT = Path(__file__).parents[1]


def _renew_help() -> None:
    if (ROOT / "tests/manual/renew.py").exists():
        from tests.manual.renew import renew

        renew()


def build_wheel(*asked: Any, **more: Any) -> str:
    """Builds a wheel; gives its name."""
    _renew_help()
    return build_meta.build_wheel(*asked, **more)


def build_editable(*asked: Any, **more: Any) -> str:
    """Builds the wheel that leads to this folder; gives its name."""
    _renew_help()
    return build_meta.build_editable(*asked, **more)


def build_sdist(*asked: Any, **more: Any) -> str:
    """Builds a source distribution; gives its name."""
    _renew_help()
    return build_meta.build_sdist(*asked, **more)
