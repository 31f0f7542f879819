"""The layout of the screen while a turn is keyed: whose turn it is, what the keyed lay would make,
and what the turn before came to."""

from collections.abc import Mapping
from typing import Protocol

from companion.console.frame import WIDTH
from companion.console.glyphs import text_width
from companion.console.keyed import Digits
from companion.console.layout import TableLayout, refused_in_short, say_room
from companion.console.line.keying import EntryWay, Preview, choice_lines, count_lines
from companion.console.line.proofs import aloud, mark
from companion.console.line.tile_back import drew_last
from companion.console.screen import View
from companion.console.words import LOST, scores_of, who_pays
from companion.core.seats import Seat, shown
from companion.core.words import phrase
from companion.games.bogus.board import ruling_of
from companion.games.bogus.claim import BogusNotice, RuledBy
from companion.games.entries import Dealt, Drew
from companion.games.entry import Choice, NoticeKind, Payment
from companion.games.game import State
from companion.games.line.candidate_lines import CandidateLines
from companion.games.line.hand import Hand, LineBoard, LineNotice, hand_of
from companion.games.line.laid import Laid
from companion.games.line.line import Ends
from companion.games.line.play import counted
from companion.games.round import RoundNotice, Stage
from companion.presentation.line.short import entry_in_short
from companion.presentation.short import which_chips

WRONG_DRAW = phrase("Wrong? BACK")
WHICH = phrase("Which end? by count")
"""The question if a tile can be laid at several ends, which make different counts."""
WHICH_ENDS = phrase("Which ends does it leave?")
"""The question in its place if players call the counts."""


class LayKeyed(Protocol):
    """What is keyed at a turn, as far as the table shows it (see LineTurn)."""

    @property
    def keyed(self) -> Digits: ...
    @property
    def fresh(self) -> bool: ...
    @property
    def read(self) -> bool: ...
    @property
    def tried(self) -> Preview | None: ...
    @property
    def choices(self) -> tuple[Choice, ...]: ...
    @property
    def asked(self) -> bool: ...
    @property
    def lies(self) -> tuple[int, int] | None: ...


def mover(state: State[LineBoard]) -> Seat:
    """The seat whose turn it is."""
    seat = state.to_move
    assert seat is not None, "a turn is shown only while somebody is to move"
    return seat


def turn_table(view: View[LineBoard], turn: LayKeyed, way: EntryWay) -> TableLayout:
    """The table as it is, or as the keyed lay would make it. Large are the seat to move, the count,
    and what is keyed. What the last entry paid stays until OK takes it off, or until the next
    entry."""
    journal = view.game
    state = journal.state
    made = turn.tried.state if turn.tried else None
    seat, before = mover(state), hand_of(state)
    hand = hand_of(made) if made else before
    count = hand.line.known_count
    due = _payment(made) if made else None
    fails = turn.tried and (turn.tried.choices or turn.tried.refused)
    paid = None if due or fails or turn.read else _payment(state)
    moves = due or (None if turn.keyed else paid)
    counts, asked = _asked(turn)
    to_win = journal.game.to_win(state, seat)
    need = phrase("to win {need}", need=to_win) if to_win is not None else ""
    return TableLayout(
        seat=shown(seat),
        number=("–" if count is None else str(count)) if hand.last else "",
        label=phrase("count") if hand.last else "",
        need=which(turn.choices) if asked and not counts else need,
        ends=_ends(hand, begun=before.last is not None),
        way=way.label,
        last="" if turn.keyed else _last_laid(before),
        keyed=way.format(turn.keyed),
        chips=which_chips(moves) if moves else "",
        colour=view.colour(moves.payer) if moves else "",
        options=counts,
        say=asked[0] if asked else _say(view, turn, due, paid),
        paid=_points(paid) if paid else "",
        scores=scores_of(state),
        second=asked[1] if len(asked) > 1 else aloud(view) if turn.fresh else "",
        mark="" if turn.keyed else mark(view),
        asks=turn.asked,
    )


def _asked(turn: LayKeyed) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The lines beside the tile and the lines below it that ask which of several lays is meant: by
    their counts or, if these don't tell them apart, by ends and counts. Both are empty if there is
    no choice."""
    if not turn.tried or not turn.tried.choices:
        return (), ()
    counts = count_lines(turn.choices)
    return counts, (WHICH,) if counts else choice_lines(turn.choices)


def which(choices: tuple[Choice, ...]) -> str:
    """The question if what is keyed can mean several lays."""
    return WHICH_ENDS if any(choice.makes.count is None for choice in choices) else WHICH


def _payment(state: State[LineBoard]) -> Payment | None:
    """The last payment of the last entry of `state`; None if it paid nothing."""
    return state.effect.payments[-1] if state.effect.payments else None


def _points(paid: Payment) -> str:
    return str(abs(paid.points))


def _last_laid(hand: Hand) -> str:
    """“last 6-3”: the tile that was laid last. Empty if that lay was keyed by its ends or count,
    which the screen shows anyway."""
    lays = (turn.did for turn in hand.newest_first if isinstance(turn.did, Laid))
    laid = next(lays, None)
    return (
        phrase("last {high}-{low}", high=laid.halves[0], low=laid.halves[1])
        if laid and laid.halves
        else ""
    )


def _ends(hand: Hand, *, begun: bool) -> str:
    """The line about the open ends, or about the lead. `begun`: the hand had a turn before the one
    that is keyed."""
    if hand.round.stage is Stage.LEAD:
        return phrase("leads a double") if hand.big_6 else phrase("leads any tile")
    if hand.line.known_ends is not None:
        return phrase("open {ends}", ends=_open(hand.line, hand.line.known_ends))
    return phrase("open ends unknown") if begun else ""


def _open(line: CandidateLines, ends: Ends) -> str:
    """“0 3 (5)”: the ends that make up the count, then, in brackets, places where a tile may also
    be laid though nothing is counted there. “(5?)”: only some of the possible lines have that
    place."""
    besides = " ".join(f"{pips}" if sure else f"{pips}?" for pips, sure in line.uncounted_pips())
    return " ".join(map(str, ends)) + (f" ({besides})" if besides else "")


def _say(view: View[LineBoard], turn: LayKeyed, due: Payment | None, paid: Payment | None) -> str:
    """What is wrong with the lay, or what it makes; else what the last entry made."""
    tried = turn.tried
    if tried and tried.choices:
        return phrase("Several ways: OK asks which")
    if tried and tried.refused:
        return refused_in_short(view.language.put(tried.refused))
    if due:
        if not (tried and tried.state and tried.state.winning_side):
            return who_pays(due, view.language)
        room = WIDTH - text_width(view.language.put(phrase("This wins: {payment}", payment="")))
        return phrase("This wins: {payment}", payment=who_pays(due, view.language, room))
    if turn.lies and not turn.keyed:
        return phrase("Which ends are open?")
    if paid:
        return who_pays(paid, view.language, say_room(_points(paid)))
    return "" if turn.read else _last(view, not turn.keyed)


def _count_is_open(state: State[LineBoard]) -> bool:
    """Whether the count of the last lay may be shown only once it is called."""
    ends = counted(state)
    return ends is not None and ends.count is None


def _last(view: View[LineBoard], asks: bool) -> str:
    """What is doubtful about the last entry; else the entry by its name, or the ruling that it
    brought. `asks`: says that BACK can still correct a draw."""
    journal = view.game
    entry, state = journal.last, journal.state
    ruling = ruling_of(state)
    if ruling is not None:
        why = phrase(", by the record") if ruling.by is RuledBy.RECORD else ""
        return phrase(
            "{seat} is {result}{why}", seat=shown(ruling.seat), result=ruling.result, why=why
        )
    if isinstance(entry, Laid) and hand_of(state).counts_called and _count_is_open(state):
        return phrase("Count called? MENU 5")
    doubts = [_NOTICES[n.kind] for n in state.effect.notices if n.kind in _NOTICES]
    if doubts or entry is None or isinstance(entry, Laid | Dealt):
        return doubts[0] if doubts else LOST if journal.losses else ""
    if isinstance(entry, Drew):
        wrong = phrase(". {back}", back=WRONG_DRAW) if asks and drew_last(view) else ""
        return phrase("Drew, {tiles} left{wrong}", tiles=hand_of(state).round.boneyard, wrong=wrong)
    return entry_in_short(entry, state)


_NOTICES: Mapping[NoticeKind, str] = {
    RoundNotice.COUNT_DOUBTFUL: phrase("Tiles don't add up: check."),
    LineNotice.BLOCK_KNOWN: phrase("No tile fits: blocked? (MENU)"),
    BogusNotice.JUDGED_ANEW: phrase("New verdict: BOGUS again?"),
    BogusNotice.NOTHING_PROVABLE: phrase("Nothing more can be proven."),
}
