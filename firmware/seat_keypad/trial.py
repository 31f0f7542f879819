"""Firmware that the box has put here (PROTOCOL.md, “A newer firmware”) stays once it has heard the
box; before that, main.py starts it only once."""

import os


def is_on_trial() -> bool:
    """Whether this firmware was started only to see whether it works."""
    return "tried" in os.listdir()


def stay() -> None:
    """Makes this firmware the one to start from now on."""
    os.rename("tried", "current")
