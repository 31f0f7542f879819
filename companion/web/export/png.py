"""SVG as a PNG, drawn by resvg: the extra `pictures`, which the table itself doesn't need."""

import sys

from companion.core.errors import SetupError

NO_LIBRARY = (
    "A PNG needs the library resvg-py: “pip install resvg-py” in {prefix}, where the program's"
    " other libraries are; --svg draws the table without it"
)
NOT_IN_DEBIAN = (
    "A PNG needs the library resvg-py, which Debian doesn't have: copy the record to a computer"
    " with the program's wheel and install it there; --svg draws the table without it"
)
NO_FONT = "A PNG needs letters, and there are none here: sudo apt install fonts-dejavu-core"
LETTER = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">'
    '<text y="18" font-size="20" font-family="sans-serif">H</text></svg>'
)
BLANK = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"/>'
SANS = "DejaVu Sans"
"""The font in place of Arial, which the Pi lacks."""


def png_of(svg: str) -> bytes:
    """The drawing as a PNG of its own size in pixels. Raises SetupError if the library or every
    font is missing."""
    if _drawn(LETTER) == _drawn(BLANK):
        raise SetupError(NO_FONT)
    return _drawn(svg)


def _drawn(svg: str) -> bytes:
    try:
        from resvg_py import svg_to_bytes
    except ImportError as error:
        if sys.prefix == sys.base_prefix:
            raise SetupError(NOT_IN_DEBIAN) from error
        raise SetupError(NO_LIBRARY.format(prefix=sys.prefix)) from error
    return bytes(svg_to_bytes(svg_string=svg, sans_serif_family=SANS))
