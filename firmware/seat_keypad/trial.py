"""The trial of firmware that the box has installed (PROTOCOL.md, “A newer firmware”): main.py
starts it once, and it is kept once it has heard the box."""

import os


def is_on_trial() -> bool:
    """Returns whether this firmware was started on trial."""
    return "tried" in os.listdir()


def keep_firmware() -> None:
    """Makes main.py start this firmware from now on."""
    os.rename("tried", "current")
