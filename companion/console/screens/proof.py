"""Telling of a bogus play that the record proves without being asked, as the table wants it told.

The setting `tell-bogus`: a small mark until somebody calls it, a line besides when it became
provable, or nothing at all.
"""

from companion.console.frame import WIDTH
from companion.console.glyphs import fitted, text_width
from companion.console.view import View
from companion.console.words import shown
from companion.games.game import (
    Notice,
)
from companion.games.hand import Turn
from companion.games.testimony import proven

MARK = "BOGUS!"
"""The name of the key that tells more."""


def proofs(view: View) -> tuple[Turn, ...]:
    """The proven bogus plays that can be called and may be told of, the latest first."""
    return () if _told(view) == "off" or view.state.ended is not None else proven(view.state)


def mark(view: View) -> str:
    """The mark, if there is something to tell."""
    return MARK if proofs(view) else ""


def aloud(view: View) -> str:
    """The line for a bogus play that the last entry has made provable, where the table wants it."""
    if _told(view) != "aloud":
        return ""
    return next(map(_line, filter(_is_proof, view.state.effect.notices)), "")


def _told(view: View) -> str:
    return str(view.settings.get("tell-bogus", "mark"))


def _is_proof(notice: Notice) -> bool:
    return notice.kind == "bogus-proven"


def _line(notice: Notice) -> str:
    before, after = "If entered right: ", " bogus"
    name = shown(str(notice["seat"]))
    return before + fitted(name, WIDTH - text_width(before + after)) + after
