"""Something to read: a title, sentences by pages, and what the keys do."""

from companion.console.frame import WIDTH, Canvas
from companion.console.glyphs import fitted, wrapped
from companion.console.lists import draw_slider, draw_title

MORE = "DRAW↓"
"""At the bottom, where there is more to read."""
ROOM = WIDTH - 4
"""Columns of a line: the slider stands at the right edge."""


def lines_of(sentences: tuple[str, ...]) -> tuple[str, ...]:
    """All sentences in lines, each sentence starting a line of its own."""
    plain = (sentence.replace("_", " ") for sentence in sentences if sentence)
    return tuple(line for sentence in plain for line in wrapped(sentence, ROOM))


def pages(sentences: tuple[str, ...], rows: int) -> int:
    """How many pages of `rows` lines they take."""
    return max(-(-len(lines_of(sentences)) // rows), 1)


def draw_page(
    canvas: Canvas, title: str, sentences: tuple[str, ...], at: int, foot: tuple[str, ...]
) -> None:
    """The page `at`, round the end; `foot` at the bottom, lit."""
    lines, rows = lines_of(sentences), rows_above(foot)
    first = at % pages(sentences, rows) * rows
    draw_title(canvas, title.replace("_", " "))
    for row, line in enumerate(lines[first : first + rows]):
        canvas.text(0, 8 + 8 * row, line)
    if len(lines) > rows:
        draw_slider(canvas, first, len(lines), rows)
    for row, line in enumerate(foot, 8 - len(foot)):
        canvas.text(2, 8 * row, fitted(line.replace("_", " "), WIDTH - 4))
        if len(lines) > rows and row == 8 - len(foot):
            canvas.right(WIDTH, 8 * row, MORE)
        canvas.invert(0, row, WIDTH)


def rows_above(foot: tuple[str, ...]) -> int:
    """Lines of text between the title and the foot."""
    return 7 - len(foot)
