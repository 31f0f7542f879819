"""Asking once more before something is kept that costs points, or that is doubtful."""

from companion.console.frame import WIDTH, Canvas
from companion.console.lists import draw_title
from companion.console.screen import Actions, Item, Outcome, Screen, View, keep
from companion.core.keys import Key
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.entry import Entry
from companion.games.game import B


@dataclass(frozen=True, slots=True)
class ConfirmEntry(Screen[B]):
    """Says what an entry would mean, in words. OK: keeps the entry, and the entries `more` with it;
    BACK: no."""

    title: str
    text: str
    entry: Entry
    parent: Screen[B] | None = None
    more: tuple[Entry, ...] = ()

    def yes(self, _view: View[B]) -> Outcome[B]:
        """OK keeps the entry."""
        return keep(self.entry, *self.more)

    def back(self, _view: View[B]) -> Outcome[B]:
        """BACK: back to where the entry was keyed."""
        return Outcome(self.parent)

    def on(self) -> Actions[B]:
        return {Key.OK: self.yes, Key.BACK: self.back}

    def draw(self, _view: View[B], canvas: Canvas) -> None:
        """The question, what is doubtful, and the answers."""
        draw_confirm(canvas, self.title, self.text, phrase("OK: yes   BACK: no"))


def ask_first(label: str, title: str, text: str, entry: Entry) -> Item[B]:
    """An item of a list that asks once more before the entry is kept."""

    def asked(_view: View[B], parent: Screen[B]) -> Outcome[B]:
        return Outcome(ConfirmEntry(title, text, entry, parent))

    return label, asked


def draw_confirm(canvas: Canvas, title: str, text: str, answers: str) -> None:
    """Draws a question, what it means in up to five lines, and the answers."""
    draw_title(canvas, title)
    for row, line in enumerate(canvas.wrapped(text, WIDTH)[:5]):
        canvas.text(0, 12 + 8 * row, line)
    canvas.text(2, 56, answers, room=WIDTH - 4)
    canvas.invert(0, 7, WIDTH)
