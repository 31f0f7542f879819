from typing import Final

VERSION: Final = "0.4.0"
"""The only place that sets the version. Between releases it is the next one with `.dev0`."""
