"""Asking once more before something is kept that the counted tiles doubt.

Counted tiles never refuse anything, since a forgotten DRAW is the commonest omission at a table.
But whoever is about to be paid for it reads first what doesn't add up.
"""

from companion.console.screen import Outcome, Screen, View, keep, would_be
from companion.console.screens.confirm_entry import ConfirmEntry
from companion.core.errors import RuleError
from companion.core.seats import shown
from companion.core.words import phrase
from companion.games.bogus.board import hand_in_question
from companion.games.entries import Blocked, Held, WentOut
from companion.games.game import Entry, Notice
from companion.games.line.hand import Hand, LineBoard, LineNotice
from companion.games.round import RoundNotice


def keep_or_confirm(
    view: View[LineBoard], entry: Entry, title: str, parent: Screen[LineBoard] | None
) -> Outcome[LineBoard]:
    """Keeps it at once where nothing is doubtful."""
    text = doubt(view, entry)
    return Outcome(ConfirmEntry(title, text, entry, parent)) if text else keep(entry)


def doubt(view: View[LineBoard], entry: Entry) -> str:
    """What doesn't add up in this entry; empty: nothing."""
    after = would_be(view, entry)
    if isinstance(after, RuleError):
        return ""
    notices = {notice.kind: notice for notice in after.effect.notices}
    hand = hand_in_question(view.state)
    assert hand is not None, "it is about a hand"
    match entry:
        case WentOut(seat) if RoundNotice.COUNT_DOUBTFUL in notices:
            return _still_holds(shown(seat), hand.round.held[seat])
        case Blocked():
            return _not_blocked(hand, notices.get(LineNotice.CONTRADICTION))
        case Held(seat, tiles) if RoundNotice.COUNT_DOUBTFUL in notices:
            keyed = phrase(
                "{number} {are} keyed", number=len(tiles), are="is" if len(tiles) == 1 else "are"
            )
            held = hand.round.held[seat]
            by = phrase(
                "{seat} should hold {held} by the tiles laid and drawn", seat=shown(seat), held=held
            )
            return f"{by}; {keyed}."
    return ""


def _still_holds(name: str, held: int) -> str:
    tiles = "1 tile" if held == 1 else phrase("{held} tiles", held=held)
    return phrase(
        "By the count {seat} still holds {tiles}. Was a lay forgotten, or is {seat} really out?",
        seat=name,
        tiles=tiles,
    )


def _not_blocked(hand: Hand, contradiction: Notice | None) -> str:
    """Tiles can still be drawn, or the record knows one that fits."""
    if contradiction is not None:
        text = str(contradiction["text"])
        return phrase("{doubt}. Can really nobody play?", doubt=text[0].upper() + text[1:])
    left = hand.round.boneyard - hand.round.leave
    if left <= 0 or hand.line.nothing_fits:
        return ""
    tiles = "1 tile is" if left == 1 else phrase("{left} tiles are", left=left)
    return phrase("By the count {tiles} left to draw. Can really nobody play?", tiles=tiles)
