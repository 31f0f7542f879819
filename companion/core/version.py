"""The program's version."""

from typing import Final

VERSION: Final = "0.4.0.dev0"
"""The version, which everything else reads from here. Between releases it is that of the next one
with `.dev0`."""
