"""Whether there are letters to draw with here: without them what draws words can't be tried."""

import os

import pytest

from companion.tv.drawing import font


def _has_letters() -> bool:
    try:
        font(10)
    except OSError:
        return False
    return True


needs_letters = pytest.mark.skipif(
    not _has_letters() and not os.environ.get("CI"), reason="fonts-dejavu-core is not installed"
)
