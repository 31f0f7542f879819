"""What stands where while a turn is keyed: whose it is, what the play makes or the last one did."""

import re
from collections.abc import Mapping
from typing import Protocol

from companion.console.frame import WIDTH
from companion.console.glyphs import text_width
from companion.console.highrise.keying import Question, Reading
from companion.console.highrise.tiles import half_shown
from companion.console.highrise.words import in_words
from companion.console.keyed import Digits
from companion.console.layout import Table
from companion.console.screen import View
from companion.console.words import LOST, loud, scores_of, shown
from companion.games.entries import Dealt
from companion.games.game import NoticeKind
from companion.games.highrise.board import HighriseBoard, HighriseState, round_of
from companion.games.highrise.entries import BasementFilled, Built, DrewOne, format_half
from companion.games.highrise.laying import PlayScored
from companion.games.round import RoundNotice
from companion.seats import Seat
from companion.telling.building_words import play_factors


class Keying(Protocol):
    """What is keyed at a turn, as far as the table shows it (see BuildingTurn)."""

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


def turn_table(view: View[HighriseBoard], turn: Keying, seat: Seat) -> Table:
    """The table as it is, or with what the keyed play would make. Whoever is to move stands large;
    what the last play scored stays until OK takes it off, or until the next entry."""
    state, reading = view.state, turn.reading
    makes = reading.state.board.scored if reading and reading.state else None
    told = None if turn.read or reading else state.board.scored
    scored, question = makes or told, reading.question if reading else None
    lines = _lines(question)
    return Table(
        seat=shown(seat),
        number=str(scored.points) if scored else "",
        label=("makes" if makes else "scored") if scored else "",
        need=question.words if question else _need(view, seat),
        ends=_left(state),
        way="tile" if state.board.layouts else "level",
        keyed=_tile(turn.keyed),
        options=_said(reading, turn),
        say=lines[0] if lines else _say(view, turn, seat, scored),
        second=lines[1] if len(lines) > 1 else "",
        paid=str(scored.points) if told and scored else "",
        scores=scores_of(state),
        asks=turn.asked and bool(lines),
    )


def _lines(question: Question | None) -> tuple[str, ...]:
    """The answers in a line, or two if they are many."""
    if question is None:
        return ()
    said = "   ".join(question.lines) or "Its digits"
    if text_width(said) <= WIDTH:
        return (said,)
    half = (len(question.lines) + 1) // 2
    return "  ".join(question.lines[:half]), "  ".join(question.lines[half:])


def _need(view: View[HighriseBoard], seat: Seat) -> str:
    if view.state.board.drew:
        return "lays it, or PASS"
    need = view.game.game.to_win(view.state, seat)
    return f"to win {need}" if need is not None else ""


def _left(state: HighriseState) -> str:
    """Spacers, and tiles of the pile."""
    spacers, pile = state.board.spacers, round_of(state).boneyard
    return f"spacers {'?' if spacers is None else spacers}  pile {pile}"


def _tile(keyed: Digits) -> str:
    """“6-3”, “W-_”"""
    return f"{half_shown(keyed, 0)}-{half_shown(keyed, 1)}" if keyed else ""


def _said(reading: Reading | None, turn: Keying) -> tuple[str, ...]:
    """The level, and which half lies on a spacer, as far as that is known."""
    if reading is None:
        return ()
    entry, lines = reading.entry, []
    if entry is not None and entry.level is not None:
        lines.append(f"level {entry.level}")
    spacer = entry.spacer if entry is not None else None
    if spacer is None and turn.lifted:
        spacer = turn.keyed[turn.lifted - 1]
    if spacer is not None:
        lines.append(f"spacer {format_half(spacer)}")
    return tuple(lines)


def _say(view: View[HighriseBoard], turn: Keying, seat: Seat, scored: PlayScored | None) -> str:
    """What is wrong with the play, or what makes its points; else what was entered last."""
    reading = turn.reading
    if reading is not None and reading.refused is not None:
        return _in_short(reading.refused)
    if reading is not None and scored is not None:
        return f"{loud(seat)} {play_factors(scored)} = {scored.points}"
    if turn.read or turn.reading:
        return ""
    return _last(view, scored)


def _in_short(refused: str) -> str:
    """The first sentence of a refusal, without its reason; or how to read it all."""
    short = re.split(r": |\. ", refused.rstrip("."), maxsplit=1)[0]
    return short if text_width(short) <= WIDTH else "Refused. OK says why."


def _last(view: View[HighriseBoard], scored: PlayScored | None) -> str:
    """The last entry, and what is doubtful about it."""
    _, entry, state = next(view.game.newest_first())
    doubts = [_NOTICES[n.kind] for n in state.effect.notices if n.kind in _NOTICES]
    if doubts:
        return doubts[0]
    if isinstance(entry, Built) and scored is not None:
        return f"{loud(entry.seat)} {play_factors(scored)} ="
    if isinstance(entry, DrewOne):
        return f"Drew, {round_of(state).boneyard} left"
    if isinstance(entry, Dealt | BasementFilled):
        return LOST if view.game.losses else ""
    return in_words(entry, state)


_NOTICES: Mapping[NoticeKind, str] = {
    RoundNotice.COUNT_DOUBTFUL: "Tiles don't add up: a DRAW lost?",
}
