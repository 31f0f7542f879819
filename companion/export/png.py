"""SVG as a PNG, drawn by resvg: the extra `pictures`, which the table itself doesn't need."""

from companion.core.errors import SetupError

NO_LIBRARY = (
    "A PNG needs the library resvg-py: install it with “pip install resvg-py” in the program's own"
    " environment; --svg draws the table without it"
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
        raise SetupError(NO_LIBRARY) from error
    return bytes(svg_to_bytes(svg_string=svg, sans_serif_family=SANS))
