"""Finds Chromium: its headless build if the system has that, because it takes half the processor
time; otherwise Chromium itself. The package's build uses this file, too, so it imports no
library."""

import shutil

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
"""The path of Chromium; None if there is none."""
