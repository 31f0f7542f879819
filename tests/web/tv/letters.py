"""Skips tests that draw words where the font for that is missing; in CI they run and fail."""

import os

import pytest

from companion.web.tv.drawing import font


def _has_letters() -> bool:
    try:
        font(10)
    except OSError:
        return False
    return True


needs_letters = pytest.mark.skipif(
    not _has_letters() and not os.environ.get("CI"), reason="fonts-dejavu-core is not installed"
)
