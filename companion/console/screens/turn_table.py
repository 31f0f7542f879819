"""What stands where while a turn is keyed and right after it."""

from typing import TYPE_CHECKING

from companion.console.layout import Table
from companion.console.screens.keying import Way, as_keyed, choice_lines
from companion.console.screens.proof import aloud, mark
from companion.console.screens.undo import drew_last
from companion.console.view import View
from companion.console.words import (
    in_words,
    points_label,
    receiver,
    scores_of,
    shown,
    which_chips,
    who_pays,
)
from companion.games.entries import Dealt, Drew, Laid
from companion.games.game import (
    AnyState,
    Payment,
)
from companion.games.hand import Hand, Stage
from companion.games.line import Ends
from companion.games.worlds import Worlds
from companion.seats import Seat

WRONG_DRAW = "wrong? BACK"

if TYPE_CHECKING:
    from companion.console.screens.turn import Turn


def mover(view: View) -> Seat:
    """Whose turn it is."""
    seat = view.state.to_move
    assert seat is not None, "a turn is shown only while somebody is to move"
    return seat


def turn_table(view: View, turn: "Turn", way: Way) -> Table:
    """The table as it is, or as the keyed lay would make it."""
    state = view.state
    after = turn.tried.state if turn.tried and turn.tried.state else state
    hand: Hand = after.board.hand
    count = hand.line.known_count
    payments = after.effect.payments
    told = not turn.read if not turn.tried else after is not state
    paid = payments[-1] if payments and told else None
    now_paid = paid if not turn.keyed else None
    number = "–" if count is None else str(count)
    laid = _last_lay(view) if not turn.read and not turn.keyed else None
    asked = choice_lines(turn.choices) if turn.tried and turn.tried.choices else ()
    return Table(
        seat=receiver(now_paid) if now_paid else shown(mover(view)),
        number=f"+{abs(now_paid.points)}" if now_paid else number if hand.turns else "",
        label=points_label(now_paid) if now_paid else "count" if hand.turns else "",
        need=f"{shown(mover(view))} next" if now_paid else _need(view, state),
        ends=_ends(state, hand),
        way=way.name,
        done=laid is not None and now_paid is None,
        keyed=as_keyed(laid) if laid else way.format(turn.keyed),
        chips=which_chips(paid) if paid else _wrong_draw(view, turn),
        say=asked[0] if asked else _say(view, turn, after, paid),
        scores=scores_of(state),
        second=asked[1] if len(asked) > 1 else aloud(view) if turn.fresh else "",
        mark=mark(view),
        paid=now_paid is not None,
        asks=turn.asked,
    )


def _wrong_draw(view: View, turn: "Turn") -> str:
    """Right after a draw: where it can be put right."""
    said = turn.keyed or turn.passing
    return "" if said or not drew_last(view) else WRONG_DRAW


def _last_lay(view: View) -> Laid | None:
    """The last entry, if it was a lay."""
    _, entry, _ = next(view.game.newest_first())
    return entry if isinstance(entry, Laid) else None


def _need(view: View, state: AnyState) -> str:
    need = view.game.game.to_win(state, mover(view))
    return f"to win {need}" if need is not None else ""


def _ends(state: AnyState, hand: Hand) -> str:
    if hand.stage is Stage.LEAD:
        return "leads a double" if hand.big_6 else "leads any tile"
    if hand.line.known_ends is not None:
        return f"open {_open(hand.line, hand.line.known_ends)}"
    return "open ends unknown" if state.board.hand.turns else ""


def _open(line: Worlds, ends: Ends) -> str:
    """“0 3 (5)”: the ends that make up the count, then where a tile may be laid besides, though it
    counts nothing there; “(5?)”: if the line is one of those that it can be."""
    besides = " ".join(f"{pips}" if sure else f"{pips}?" for pips, sure in line.uncounted_pips())
    return " ".join(map(str, ends)) + (f" ({besides})" if besides else "")


def _say(view: View, turn: "Turn", after: AnyState, paid: Payment | None) -> str:
    """What the lay makes, or what the last entry made."""
    if turn.tried and turn.tried.choices:
        return "Several ways: OK asks which"
    if turn.tried and turn.tried.refused:
        return turn.tried.refused.split(":")[0].split(". ")[0]
    if turn.tried and turn.tried.unexplained:
        return "No tile yet"
    if paid and turn.tried and after.winner:
        return f"This wins: {who_pays(paid)}"
    if turn.lies and not turn.keyed:
        return "Which ends are open?"
    if paid:
        return who_pays(paid)
    return _last(view) if not turn.read else ""


def _last(view: View) -> str:
    """The last entry by name, and what is doubtful about it."""
    _, entry, state = next(view.game.newest_first())
    ruling = state.effect.ruling
    if ruling is not None:
        why = ", by the record" if ruling.by == "record" else ""
        return f"{shown(ruling.seat)} is {ruling.result}{why}"
    doubts = [_NOTICES[n.kind] for n in state.effect.notices if n.kind in _NOTICES]
    if doubts or isinstance(entry, Laid | Dealt):
        return doubts[0] if doubts else ""
    more = f", {state.board.hand.boneyard} left" if isinstance(entry, Drew) else ""
    return in_words(entry, state) + more


_NOTICES = {
    "count-doubtful": "Tiles don't add up: a DRAW lost?",
    "block-known": "No tile fits: blocked? (MENU)",
}
