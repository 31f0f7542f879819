"""The test pattern: a picture that looks wrong if the driver, the offset or the rotation is wrong.

Two lines run along the very edges of the glass: if the picture is two columns off, one side has
lost its line or shows it further in. A big arrow points up. The text is read at a glance, and snow
beside it is seen.
"""

from companion.console.frame import HEIGHT, WIDTH, Canvas, Frame

MIDDLE = 30
"""The column of the arrow's tip."""


def draw_pattern(number: int, name: str) -> Frame:
    """The pattern with the number of the picture, and the name of what it tries."""
    canvas = Canvas()
    canvas.box(0, 0, WIDTH, HEIGHT)
    canvas.box(2, 2, WIDTH - 4, HEIGHT - 4)
    for row in range(24):
        canvas.fill(MIDDLE - row, 7 + row, 2 * row + 1, 1)
    canvas.fill(MIDDLE - 9, 31, 19, 25)
    canvas.centred(MIDDLE + 62, 8, "UP", "caps")
    canvas.centred(MIDDLE + 62, 24, str(number), "big")
    canvas.centred(MIDDLE + 62, 48, name)
    return canvas.frame()
