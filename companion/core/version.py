"""The program's version."""

from typing import Final

VERSION: Final = "0.4.0"
"""The version, as pyproject.toml has it."""
