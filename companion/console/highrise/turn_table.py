"""The layout of the screen while a turn is keyed: whose turn it is, and what the keyed play or the
last one scores."""

from collections.abc import Mapping
from typing import Protocol

from companion.console.frame import WIDTH
from companion.console.glyphs import text_width
from companion.console.highrise.keying import Question, Reading
from companion.console.highrise.tiles import half_shown
from companion.console.keyed import Digits
from companion.console.layout import TableLayout, refused_in_short
from companion.console.screen import View
from companion.console.words import LOST, scores_of
from companion.core.seats import Seat, shown
from companion.core.words import listed, phrase
from companion.games.entries import Dealt
from companion.games.entry import NoticeKind
from companion.games.highrise.board import HighriseBoard, round_of
from companion.games.highrise.entries import BasementFilled, DrewOne, format_half
from companion.games.highrise.laying import PlayScored
from companion.games.round import RoundNotice
from companion.presentation.highrise.short import entry_in_short, play_factors, play_sum


class PlayKeyed(Protocol):
    """What is keyed at a turn, as far as the table shows it (see HighriseTurn)."""

    @property
    def keyed(self) -> Digits: ...
    @property
    def read(self) -> bool: ...
    @property
    def reading(self) -> Reading | None: ...
    @property
    def asked(self) -> bool: ...
    @property
    def lifted(self) -> int: ...


def turn_table(view: View[HighriseBoard], turn: PlayKeyed, seat: Seat) -> TableLayout:
    """The table as it is, and a line with what the keyed play would make, or what is asked. Large
    are the seat to move, the points of the last play and what is keyed, so a key changes little."""
    state, reading = view.state, turn.reading
    last = _last_play(view)
    lines = _lines(view, reading.question if reading else None)
    fresh = state.board.scored if not turn.read and reading is None else None
    need = view.game.game.to_win(state, seat)
    keyed, spacers = turn.keyed, state.board.spacers
    return TableLayout(
        seat=shown(seat),
        number=str(last.points) if last else "",
        label=phrase("last") if last else "",
        need=phrase("to win {need}", need=need) if need is not None else "",
        ends=phrase(
            "spacers {spacers}  pile {pile}",
            spacers="?" if spacers is None else spacers,
            pile=round_of(state).boneyard,
        ),
        way=phrase("tile") if state.board.layouts else phrase("level"),
        keyed=f"{half_shown(keyed, 0)}-{half_shown(keyed, 1)}" if keyed else "",  # “6-3”, “W-_”
        options=_spacer(reading, turn),
        say=lines[0] if lines else _say(view, turn),
        second=lines[1] if len(lines) > 1 else "",
        paid=str(fresh.points) if fresh else "",
        scores=scores_of(state),
        asks=turn.asked and bool(lines),
    )


def _last_play(view: View[HighriseBoard]) -> PlayScored | None:
    """What the last play of this hand scored; None if it had no play yet."""
    for _, entry, state in view.game.newest_first():
        if state.board.scored is not None or entry.deals:
            return state.board.scored
    return None


def _lines(view: View[HighriseBoard], question: Question | None) -> tuple[str, ...]:
    """The question and its answers in one line, or in two if they are too wide; empty without a
    question."""
    if question is None:
        return ()
    answers = listed(question.lines, "  ") or phrase("its digits")
    said = listed([question.words, answers], " ")
    if text_width(view.language.put(said)) <= WIDTH:
        return (said,)
    half = len(question.lines) // 2
    first, second = question.lines[:half], question.lines[half:]
    return listed([question.words, listed(first, "  ")], " "), listed(second, "  ")


def _spacer(reading: Reading | None, turn: PlayKeyed) -> tuple[str, ...]:
    """The line that says which half lies on a spacer; empty if that isn't known, or if none
    does."""
    entry = reading.entry if reading is not None else None
    spacer = entry.spacer if entry is not None else None
    if spacer is None and turn.lifted:
        spacer = turn.keyed[turn.lifted - 1]
    return () if spacer is None else (phrase("spacer {spacer}", spacer=format_half(spacer)),)


def _say(view: View[HighriseBoard], turn: PlayKeyed) -> str:
    """What is wrong with the play, or what it makes; else what was entered last."""
    reading = turn.reading
    if reading is not None and reading.refused is not None:
        return refused_in_short(view.language.put(reading.refused))
    if reading is not None and reading.state is not None and reading.state.board.scored:
        return play_sum(reading.state.board.scored)
    return "" if turn.read else _last(view)


def _last(view: View[HighriseBoard]) -> str:
    """What is doubtful about the last entry; else the entry in short."""
    journal = view.game
    entry, state = journal.last, journal.state
    doubts = [_NOTICES[n.kind] for n in state.effect.notices if n.kind in _NOTICES]
    if doubts:
        return doubts[0]
    if state.board.scored is not None:
        return f"{play_factors(state.board.scored)} ="
    if isinstance(entry, DrewOne):
        return phrase("Drew. Lay it, or PASS")
    if entry is None or isinstance(entry, Dealt | BasementFilled):
        return LOST if journal.losses else ""
    return entry_in_short(entry, state)


_NOTICES: Mapping[NoticeKind, str] = {
    RoundNotice.COUNT_DOUBTFUL: phrase("Tiles don't add up: check."),
}
