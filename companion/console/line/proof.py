"""Telling of a bogus play that the record proves without being asked, where the table wants that.

Noticing is the opponents' part of the game, so nothing is told unless the house rules otherwise.
The setting `tell-bogus`: nothing at all; a line until somebody calls it; or also by whom, once,
when it became provable.
"""

from companion.console.frame import WIDTH
from companion.console.glyphs import fitted, text_width
from companion.console.screen import View
from companion.core.seats import shown
from companion.games.bogus.board import proven
from companion.games.bogus.claim import BogusNotice
from companion.games.game import Notice
from companion.games.line.hand import LineBoard, Turn

MARK = "BOGUS: one is proven"
"""The key that tells more, and why."""


def proofs(view: View[LineBoard]) -> tuple[Turn, ...]:
    """The proven bogus plays that can be called and may be told of, the latest first."""
    return () if _told(view) == "off" or view.state.ended is not None else proven(view.state)


def mark(view: View[LineBoard]) -> str:
    """The line that stays, if there is something to tell."""
    return MARK if proofs(view) else ""


def aloud(view: View[LineBoard]) -> str:
    """The line for a bogus play that the last entry has made provable, where the table wants it."""
    if _told(view) != "aloud":
        return ""
    return next(map(_line, filter(_is_proof, view.state.effect.notices)), "")


def _told(view: View[LineBoard]) -> str:
    return str(view.settings.get("tell-bogus", "off"))


def _is_proof(notice: Notice) -> bool:
    return notice.kind is BogusNotice.PROVEN


def _line(notice: Notice) -> str:
    before, after = "If entered right: ", " bogus"
    name = shown(str(notice["seat"]))
    return before + fitted(name, WIDTH - text_width(before + after)) + after
