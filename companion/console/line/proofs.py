"""The bogus plays that are proven and that nobody has called: whether the table tells of them."""

from companion.console.frame import WIDTH, fitted, text_width
from companion.console.screen import View
from companion.core.seats import shown
from companion.core.words import phrase
from companion.games.bogus.board import proven
from companion.games.bogus.claim import BogusNotice
from companion.games.line.hand import LineBoard, Turn

MARK = phrase("BOGUS: one is proven")
"""The line that says that a bogus play is proven, and which key shows it."""


def proofs(view: View[LineBoard]) -> tuple[Turn, ...]:
    """The proven bogus plays that can be called and may be shown, the latest first."""
    return (
        () if _announcement(view) == "off" or view.state.ended is not None else proven(view.state)
    )


def mark(view: View[LineBoard]) -> str:
    """The line that stays while a proven bogus play can be called and may be shown; else empty."""
    return MARK if proofs(view) else ""


def aloud(view: View[LineBoard]) -> str:
    """The line that names the seat whose bogus play the last entry has proven; empty if there is
    none, or if the table doesn't want the line."""
    if _announcement(view) != "aloud":
        return ""
    for notice in view.state.effect.notices:
        if notice.kind is BogusNotice.PROVEN:
            besides = text_width(view.language.put(_entered_right("")))
            return _entered_right(fitted(shown(str(notice["seat"])), WIDTH - besides))
    return ""


def _announcement(view: View[LineBoard]) -> str:
    return str(view.settings.get("tell-bogus", "off"))


def _entered_right(seat: str) -> str:
    return phrase("If entered right: {seat} bogus", seat=seat)
