"""The picture of last resort: when a screen can't be drawn, the table still has a way out."""

from companion.console.frame import Canvas, Frame, Show
from companion.core.keys import Key, Press
from companion.core.words import phrase
from companion.presentation.language import ENGLISH, Language
from companion.record.rows import Row, Undo

FAULT = phrase("A fault in this box: that key saved nothing.")


def stuck_show(language: Language = ENGLISH) -> Show:
    """Says that the last entry led to a fault, and which key takes it back."""
    canvas = Canvas(language=language)
    canvas.text(0, 0, phrase("FAULT"), "caps")
    for line, text in enumerate(
        (phrase("The last entry caused a fault"), phrase("in this box. It is saved."))
    ):
        canvas.text(0, 20 + 8 * line, text)
    canvas.text(0, 48, phrase("BACK: take it back"))
    canvas.text(0, 56, phrase("another key: try again"))
    return Show(canvas.frame())


def mending(language: Language = ENGLISH) -> Frame:
    """The frame that is shown while a damaged record is put together again."""
    canvas = Canvas(language=language)
    canvas.centred(64, 8, phrase("One moment"), "caps")
    canvas.centred(64, 32, phrase("The record is damaged:"))
    canvas.centred(64, 40, phrase("what can be read of it"))
    canvas.centred(64, 48, phrase("is being saved."))
    return canvas.frame()


def way_out(press: Press) -> Row | None:
    """The row for a key pressed on the picture of `stuck_show`: BACK or LEFT takes back the last
    entry; None for any other key."""
    return Undo() if press.key in (Key.BACK, Key.LEFT) and not press.held else None
