"""The picture of last resort: when a screen can't be drawn, the table still has a way out."""

from companion.console.frame import Canvas, Frame, Show
from companion.core.keys import Key, Press
from companion.record.rows import Row, Undo

FAULT = "A fault of this box: nothing was saved by that key."


def stuck_show() -> Show:
    """Says that the last entry led to a fault, and which key takes it back."""
    canvas = Canvas()
    canvas.text(0, 0, "FAULT", "caps")
    for line, text in enumerate(("The last entry led to a fault", "of this box. It is saved.")):
        canvas.text(0, 20 + 8 * line, text)
    canvas.text(0, 48, "BACK: take it back")
    canvas.text(0, 56, "another key: try again")
    return Show(canvas.frame())


def mending() -> Frame:
    """What is seen while a damaged record is put together again."""
    canvas = Canvas()
    canvas.centred(64, 8, "One moment", "caps")
    canvas.centred(64, 32, "The record is damaged:")
    canvas.centred(64, 40, "what can be read of it")
    canvas.centred(64, 48, "is being saved.")
    return canvas.frame()


def way_out(press: Press) -> Row | None:
    """The row for a key pressed on that picture."""
    return Undo() if press.key in (Key.BACK, Key.LEFT) and not press.held else None
