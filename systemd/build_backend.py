"""How the package is built: by setuptools, once the help pages are made of the manual.

A source distribution has the pages, and neither the manual nor what makes them.
"""

from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403  # what a builder asks before it builds

ROOT = Path(__file__).parents[1]


def _renew_help() -> None:
    if (ROOT / "tests").exists():
        from tests.manual.renew import renew

        renew()


def build_wheel(*asked: Any, **more: Any) -> str:
    """The wheel's name."""
    _renew_help()
    return build_meta.build_wheel(*asked, **more)


def build_editable(*asked: Any, **more: Any) -> str:
    """The name of the wheel that leads to this folder."""
    _renew_help()
    return build_meta.build_editable(*asked, **more)


def build_sdist(*asked: Any, **more: Any) -> str:
    """The source distribution's name."""
    _renew_help()
    return build_meta.build_sdist(*asked, **more)
