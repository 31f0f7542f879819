"""Screens to be read page by page."""

from dataclasses import dataclass, replace

from companion.console.frame import Canvas
from companion.console.pages import draw_page, pages, rows_above
from companion.console.screen import Outcome, Screen, View
from companion.core.keys import Key
from companion.games.game import B


@dataclass(frozen=True, slots=True, kw_only=True)
class WithPages(Screen[B]):
    """DRAW turns to the next page, from the last to the first. `page` is only ever counted on."""

    page: int = 0

    def pages(self, view: View[B], /) -> int:
        """How many there are."""
        raise NotImplementedError

    def more_keys(self, view: View[B]) -> tuple[Key, ...]:
        """DRAW, where there is more to read."""
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
        """How many there are."""
        return pages(self.sentences(view), rows_above(self.foot(view)))

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """One page of it."""
        title, foot = self.title(view), self.foot(view)
        draw_page(canvas, title, self.sentences(view), self.page, foot)
