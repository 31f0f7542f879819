"""A name as the box's display spells it, and why a seat can't be called so."""

from companion.console.frame import WIDTH
from companion.console.glyphs import fitted, text_strip
from companion.core.seats import shown
from companion.core.values import Json
from companion.games.game import AnyGame
from companion.presentation.refusals import worded
from companion.presentation.sayings import say
from companion.record.names import name_fault

FONT = "caps"


def spelled(name: str, game: AnyGame) -> Json:
    """The name's picture, and what is wrong with it (null: nothing)."""
    fault = name_fault(name, game) if name else None
    text = fitted(shown(name).upper(), WIDTH, FONT)
    wrong = say("answer.refused", why=worded(fault)) if fault else None
    return {"name": name, "picture": _picture(text) if name else "", "wrong": wrong}


def _picture(text: str) -> str:
    """The bright dots of the display, as SVG that takes the colour of the text around it."""
    strip = text_strip(text, FONT)
    rows = 8 * len(strip.pages)
    drawn = ""
    for y in range(rows):
        page, bit = strip.pages[y // 8], y % 8
        lit = [x for x in range(strip.width) if page[x] >> bit & 1]
        drawn += "".join(f"M{x} {y}h1v1h-1z" for x in lit)
    box = f'viewBox="0 0 {WIDTH} {rows}"'
    return f'<svg class="spelled" {box} aria-hidden="true"><path d="{drawn}"/></svg>'
