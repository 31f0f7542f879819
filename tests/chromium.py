"""Where Chromium is: without windows where the system has that, which takes half of the processor's
time, else Chromium itself. The build of the package asks, too: nothing is loaded here."""

import shutil

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
"""The path of Chromium; None if there is none."""
