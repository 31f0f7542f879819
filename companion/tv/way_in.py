"""How a TV shows the way in for phones: the code that they scan."""

from typing import Final, NamedTuple

from PIL import ImageDraw

from companion.tv.letters import Area
from companion.tv.style import Colour

CODE: Final = 0.25
"""The height of the code with its light margin, as a part of the picture's height: large enough
for a phone two metres away."""
WIDEST_CODE: Final = 0.45
"""The greatest width of the code, as a part of the picture's width: it limits the code in narrow
upright pictures."""
QUIET: Final = 4
"""The width of the light margin round a code, in modules."""


class WayIn(NamedTuple):
    """How phones come in. `place`: the table's address, the name and password of the box's own
    Wi-Fi, or both; `rows`: the code, row by row (“#” is dark); `says`: the text beside the code.
    All are empty if phones can't come in."""

    place: str = ""
    rows: tuple[str, ...] = ()
    says: str = ""


def side_of_code(rows: tuple[str, ...], size: tuple[int, int]) -> float:
    """The side of a code with its light margin, in pixels, in a picture of this `size` (width and
    height). Each module is a whole number of pixels wide."""
    modules = len(rows) + 2 * QUIET
    return modules * -(-min(size[1] * CODE, size[0] * WIDEST_CODE) // modules)


def draw_code(draw: ImageDraw.ImageDraw, rows: tuple[str, ...], box: Area) -> None:
    """Draws the code, dark on light, with as many whole pixels a module as there is room for."""
    each = int(box.width // (len(rows) + 2 * QUIET))
    side = each * (len(rows) + 2 * QUIET)
    left, top = round(box.left), round(box.top + (box.height - side) / 2)
    light: Colour = (255, 255, 255)
    draw.rectangle((left, top, left + side - 1, top + side - 1), light)
    for down, row in enumerate(rows, QUIET):
        for across, sign in enumerate(row, QUIET):
            if sign == "#":
                x, y = left + across * each, top + down * each
                draw.rectangle((x, y, x + each - 1, y + each - 1), (0, 0, 0))
