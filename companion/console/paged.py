"""Something to read: a title, sentences by pages, and what the keys do."""

from dataclasses import dataclass, replace

from companion.console.frame import GOES_ON, WIDTH, Canvas, wrapped
from companion.console.lists import draw_slider, draw_title
from companion.console.screen import Outcome, Screen, View
from companion.core.keys import Key
from companion.games.game import B
from companion.presentation.language import Language

MORE = "DRAW↓"
"""The hint at the bottom if there is more to read."""
ROOM = WIDTH - 4
"""Columns of a line: the slider stands at the right edge."""


def lines_of(sentences: tuple[str, ...], language: Language) -> tuple[str, ...]:
    """All sentences in lines, each sentence starting a line of its own."""
    plain = (language.put(sentence).replace("_", " ") for sentence in sentences if sentence)
    return tuple(line for sentence in plain for line in wrapped(sentence, ROOM))


def pages(sentences: tuple[str, ...], rows: int, language: Language) -> int:
    """How many pages of `rows` lines the sentences take."""
    return max(-(-len(lines_of(sentences, language)) // rows), 1)


def draw_page(
    canvas: Canvas, title: str, sentences: tuple[str, ...], at: int, foot: tuple[str, ...]
) -> None:
    """Draws page `at` (the last one is followed by the first), and `foot` at the bottom, lit."""
    lines, rows = lines_of(sentences, canvas.language), rows_above(foot)
    first = at % pages(sentences, rows, canvas.language) * rows
    draw_title(canvas, canvas.language.put(title).replace("_", " "), GOES_ON)
    for row, line in enumerate(lines[first : first + rows]):
        canvas.text(0, 8 + 8 * row, line)
    if len(lines) > rows:
        draw_slider(canvas, first, len(lines), rows)
    for row, line in enumerate(foot, 8 - len(foot)):
        said = canvas.language.put(line).replace("_", " ")
        canvas.text(2, 8 * row, canvas.fitted(said, WIDTH - 4, cut=GOES_ON))
        if len(lines) > rows and row == 8 - len(foot):
            canvas.right(WIDTH, 8 * row, MORE)
        canvas.invert(0, row, WIDTH)


def rows_above(foot: tuple[str, ...]) -> int:
    """Lines of text between the title and the foot."""
    return 7 - len(foot)


# ---------------------------------------------------------------- screens


@dataclass(frozen=True, slots=True, kw_only=True)
class WithPages(Screen[B]):
    """A screen of several pages. DRAW turns to the next one, from the last to the first. `page` is
    only ever counted up."""

    page: int = 0

    def pages(self, view: View[B], /) -> int:
        """How many pages there are."""
        raise NotImplementedError

    def more_keys(self, view: View[B]) -> tuple[Key, ...]:
        """DRAW, if there is more to read."""
        return (Key.DRAW,) if self.pages(view) > 1 else ()

    def more(self, _view: View[B]) -> Outcome[B]:
        """DRAW: the next page."""
        return Outcome(replace(self, page=self.page + 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Paged(WithPages[B]):
    """A title, sentences, and at the foot what the keys do."""

    def title(self, view: View[B], /) -> str:
        """The line at the top."""
        raise NotImplementedError

    def sentences(self, view: View[B], /) -> tuple[str, ...]:
        """What is to be read."""
        raise NotImplementedError

    def foot(self, view: View[B], /) -> tuple[str, ...]:
        """The lowest lines."""
        raise NotImplementedError

    def pages(self, view: View[B]) -> int:
        """How many pages there are."""
        return pages(self.sentences(view), rows_above(self.foot(view)), view.language)

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """Draws one page."""
        title, foot = self.title(view), self.foot(view)
        draw_page(canvas, title, self.sentences(view), self.page, foot)
