"""QR codes for phones: an address with the word that lets people in.

They are as small as possible: `http://` as bytes, the rest in capital letters and digits, of which
a code holds more, with the word behind a slash (a `#` would not be one of them). On port 80 that is
a code of version 2, 25 modules wide, which a display of 64 rows shows at two pixels a module.
"""

import re
from io import BytesIO, StringIO
from typing import Any, Final

Rows = tuple[str, ...]
"""“#” and “.” for each row of modules: dark and light."""
LIGHT_ON_DARK: Final = "\x1b[97;40m"
"""The terminal colours in which a code's light modules are light, even if the terminal itself
is."""
AS_BEFORE: Final = "\x1b[0m"
DRAWN: Final[dict[str, Any]] = {
    "scale": 8,
    "border": 4,
    "dark": "#000",
    "light": "#fff",
    "omitsize": True,
}
"""How a code is drawn as SVG."""


def text_of(place: str, word: str) -> str:
    """The text that a phone reads: an address, which the server redirects to `place/#word`. A path
    in `place` stays as it is: proxies tell small letters from capital ones."""
    scheme, _, rest = place.partition("//")
    host, slash, path = rest.partition("/")
    return f"{scheme}//{host.upper()}{slash}{path}/{word.upper()}"


def rows_of(place: str, word: str) -> Rows:
    """The rows of the code, without the light border around it."""
    return tuple("".join("#" if dark else "." for dark in row) for row in _code(place, word).matrix)


def rows_of_text(text: str) -> Rows:
    """The rows of a code with any text, in the form of `rows_of`."""
    import segno

    matrix = segno.make(text, error="m", micro=False).matrix
    return tuple("".join("#" if dark else "." for dark in row) for row in matrix)


def svg_of(place: str, word: str) -> str:
    """The code as SVG: dark on light with a quiet zone, whatever the page's colours."""
    drawn: str = _code(place, word).svg_inline(**DRAWN)
    return drawn


def svg_of_text(text: str) -> str:
    """A code with any text, as SVG."""
    import segno

    drawn: str = segno.make(text, error="m", micro=False).svg_inline(**DRAWN)
    return drawn


def svg_file_of(place: str, word: str) -> bytes:
    """The code as an SVG file, for an image."""
    drawn = BytesIO()
    _code(place, word).save(drawn, "svg", **DRAWN)
    return drawn.getvalue()


def lines_of(place: str, word: str) -> list[str]:
    """The code for a terminal, two rows of modules a line."""
    drawn = StringIO()
    _code(place, word).terminal(drawn, compact=True)
    return [f"{LIGHT_ON_DARK}{line}{AS_BEFORE}" for line in drawn.getvalue().splitlines()]


def _code(place: str, word: str) -> Any:
    import segno

    # Small letters and the brackets of IPv6 need bytes: each part is written in the densest way.
    parts: Any = re.findall(r"https?://\[?|[0-9A-Z./:-]+|[^0-9A-Z./:-]+", text_of(place, word))
    return segno.make(parts, error="l", micro=False)
