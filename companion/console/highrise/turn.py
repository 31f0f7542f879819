"""The screen of a turn. It also shows what the turn before scored.

The two halves and OK lay a tile; a wild half is 7. The box asks only for what the building leaves
open, and shows what the play comes to. OK then keeps the play with all that the box has understood
of it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from enum import Enum
from typing import Protocol

from companion.console.frame import (
    WIDTH,
    Canvas,
    TableLayout,
    draw_question,
    draw_table,
    refused_in_short,
    text_width,
)
from companion.console.in_play import InPlay, opened
from companion.console.lists import choose
from companion.console.screen import (
    Actions,
    Digits,
    Item,
    Items,
    Outcome,
    Screen,
    View,
    keep,
    would_be,
)
from companion.console.screens.history import change, offer_undo
from companion.console.words import LOST, scores_of
from companion.core.errors import RuleError
from companion.core.keys import Key
from companion.core.seats import Seat, shown
from companion.core.values import dataclass
from companion.core.words import listed, phrase
from companion.games.entry import Dealt, Entry, NoticeKind, Passed
from companion.games.game import B
from companion.games.highrise.building import PlayScored, Result
from companion.games.highrise.entries import (
    SET,
    WILD,
    BasementFilled,
    Built,
    DrewOne,
    Halves,
    format_half,
    format_halves,
)
from companion.games.highrise.rules import HighriseBoard, HighriseState, round_of
from companion.games.round import RoundNotice
from companion.games.tiles import Tile
from companion.presentation.highrise import entry_in_short, play_factors, play_sum
from companion.record.rows import Amend

# ---------------------------------------------------------------- without
# Going on without the basement, if the building in the record is not the one on the table.


def without_basement(view: View[B]) -> Item[B] | None:
    """The item that takes the basement of this hand out of the record, so that any play may be
    keyed; None if no basement was keyed. Earlier plays stay as they were, since each is kept with
    all that the box had understood of it."""
    at = basement_at(view)
    if at is None:
        return None
    return (
        phrase("Leave the basement out"),
        lambda view, menu: Outcome(change(view, Amend(at, ()), menu, None)),
    )


def basement_at(view: View[B]) -> int | None:
    """The place of this hand's basement among the entries; None if it was not keyed."""
    for place, entry, _ in view.game.newest_first():
        if isinstance(entry, BasementFilled):
            return place
        if entry.deals:
            break
    return None


# ---------------------------------------------------------------- tiles
# Tiles with wild halves as they are keyed: a wild half is the digit 7.


NO_HALF = phrase("A half has 0 to 6 pips; a wild half is 7.")
BLANK = "_"


def whole_tiles(keyed: Digits) -> tuple[Tile, ...]:
    """The tiles of which both halves are keyed."""
    return tuple(SET.tile(a, b) for a, b in zip(keyed[::2], keyed[1::2], strict=False))


def half_shown(keyed: Digits, at: int) -> str:
    """The half keyed at the place `at`, from 0; BLANK if none is keyed there yet."""
    return format_half(keyed[at]) if at < len(keyed) else BLANK


# ---------------------------------------------------------------- keying
# A play as it is keyed: the two halves of the tile, a wild one as 7, then the digits for what is
# still open about it.
#
# The answers that are still open about a tile are those that pages list
# (presentation/highrise.py). There may be dozens, more than the display has lines. So the box
# asks for one digit after the other by which they differ: what a wild half covers, then the level,
# then what is left. Without the basement, what each wild half covers and the level are always
# keyed. The digits are all that is kept of a play before OK, so BACK can delete any of them.


TILE = 2
"""Digits of the tile itself."""
LEVEL_DIGITS = 2
"""Digits of a level at most: 28 tiles can't lie higher."""


Plays = tuple[Built, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a keyed tile: its `words`, and for each of its `answers` the keys and what
    the answer comes to. Without answers it asks for a level, which may be any. `begun`: the first
    keys of an answer, if some are pressed."""

    words: str
    answers: tuple[tuple[str, str], ...] = ()
    begun: str = ""

    def takes(self, digit: int) -> bool:
        """Whether some answer has this digit next."""
        if not self.answers:
            return digit > 0
        return any(keys.startswith(f"{self.begun}{digit}") for keys, _ in self.answers)

    @property
    def lines(self) -> tuple[str, ...]:
        """The answers as the screen lists them: “1: 9”, “7: wild”, or the key alone for a half that
        is covered."""
        return tuple(
            phrase("{keys}: {comes_to}", keys=keys, comes_to=comes_to) if comes_to else keys
            for keys, comes_to in self.answers
        )


@dataclass(frozen=True, slots=True)
class Reading:
    """What the digits mean: the `entry` that OK keeps and the `state` after it; or the `question`
    that is still open; or why the play is `refused`. `more`: the level may have one more digit."""

    entry: Built | None = None
    state: HighriseState | None = None
    question: Question | None = None
    refused: str | None = None
    more: bool = False


def read(view: View[HighriseBoard], seat: Seat, keyed: Digits, lifted: int) -> Reading:
    """What the digits `keyed` mean, of which the first two are the tile. `lifted`: if the basement
    is not known, whether a spacer was marked under the first (1) or the second half (2)."""
    halves, rest = (keyed[0], keyed[1]), "".join(map(str, keyed[TILE:]))
    built = Built(seat, halves)
    found = opened(view, built)
    if isinstance(found, RuleError):
        return Reading(refused=found.why)
    if isinstance(found.entry, Built):
        return _tried(view, found.entry)
    where = found.question("where")
    asked = where or found.question("covers")
    plays = tuple(answer.entry for answer in asked.answers) if asked else (built,)
    left, rest, question = _narrowed(tuple(map(_built, plays)), rest)
    if question is not None:
        return Reading(question=question)
    return _tried(view, left[0]) if where else _leveled(view, left[0], rest, lifted)


def _leveled(view: View[HighriseBoard], built: Built, level: str, lifted: int) -> Reading:
    """The reading of a play in a building that is not known: its `level` is keyed in full."""
    if not level:
        return Reading(question=Question(phrase("Level?")))
    spacer = (None, *(built.on or built.halves))[lifted]
    reading = _tried(view, replace(built, level=int(level), spacer=spacer))
    return replace(reading, more=len(level) < LEVEL_DIGITS)


def _tried(view: View[HighriseBoard], built: Built) -> Reading:
    after = would_be(view, built)
    if isinstance(after, RuleError):
        return Reading(built, refused=after.why)
    return Reading(built, after)


# ---------------------------------------------------------------- answers by their digits


class _Part(Enum):
    """What plays of the same tile may differ in: what each half covers, the level, the spacer."""

    FIRST = 0
    SECOND = 1
    LEVEL = "level"
    SPACER = "spacer"


def _narrowed(plays: Plays, rest: str) -> tuple[Plays, str, Question | None]:
    """The plays that agree with the digits after the tile (`rest`), those digits that were not
    needed, and the next question (None: nothing more is asked)."""
    covered: int | None = None
    halves = plays[0].halves
    for part in _parts(halves):
        answers = _answers(part, plays, covered)
        if len(answers) < 2:
            continue
        keys = next((keys for keys in answers if rest.startswith(keys)), None)
        if keys is None:
            said = tuple((keys, _comes_to(part, left, keys)) for keys, left in answers.items())
            return plays, "", Question(_asked(part, halves), said, rest)
        if part is _Part.FIRST and halves[0] == halves[1]:
            covered = int(keys)
        plays, rest = tuple(answers[keys]), rest[len(keys) :]
    return plays, rest, None


def _parts(halves: Halves) -> Iterator[_Part]:
    """The parts in the order in which they are asked: what wild halves cover, the level, what other
    halves cover, the spacer."""
    both = (_Part.FIRST, _Part.SECOND)
    yield from (part for part, half in zip(both, halves, strict=True) if half == WILD)
    yield _Part.LEVEL
    yield from (part for part, half in zip(both, halves, strict=True) if half != WILD)
    yield _Part.SPACER


def _answers(part: _Part, plays: Plays, covered: int | None) -> dict[str, list[Built]]:
    """The plays for each answer, by its keys, in their order. If all plays cover the same, there
    are no answers about the halves. `covered`: what the first half of a double covers, as keyed."""
    if part is _Part.LEVEL:
        width = max(len(str(play.level)) for play in plays)
        return _sorted((f"{play.level or 0:0{width}}", play) for play in plays)
    if part is _Part.SPACER:
        lifted = sorted({play.spacer for play in plays}, key=lambda half: (half or -1) + 1)
        return _sorted((str(lifted.index(play.spacer) + 1), play) for play in plays)
    if len({play.on for play in plays}) == 1:
        return {}
    return _sorted((str(half), play) for play in plays for half in _may_cover(play, part, covered))


def _may_cover(built: Built, part: _Part, covered: int | None) -> set[int]:
    """What the half `part` may cover. The halves of a double are alike, so the first one may cover
    either half below; the second one covers the other. `covered`: what the first one covers."""
    assert built.on is not None, "a choice says all"
    if built.halves[0] != built.halves[1]:
        return {built.on[part is _Part.SECOND]}
    if part is _Part.FIRST or covered is None:
        return {*built.on}
    return {built.on[built.on[0] == covered]}


def _sorted(found: Iterable[tuple[str, Built]]) -> dict[str, list[Built]]:
    answers: dict[str, list[Built]] = {}
    for keys, play in found:
        answers.setdefault(keys, []).append(play)
    return dict(sorted(answers.items()))


def _comes_to(part: _Part, left: list[Built], keys: str) -> str:
    """What an answer comes to: the points at that level, the half on a spacer, or “wild” if a wild
    half is covered; empty for other halves."""
    if part is _Part.LEVEL:
        play = left[0]
        assert play.on is not None and play.level is not None, "a place is said in full"
        return str(PlayScored.of(play, Result(play.on, play.level, play.spacer)).points)
    if part is _Part.SPACER:
        spacer = left[0].spacer
        return "none" if spacer is None else phrase("under {spacer}", spacer=format_half(spacer))
    return phrase("wild") if int(keys) == WILD else ""


def _asked(part: _Part, halves: Halves) -> str:
    if part is _Part.LEVEL:
        return phrase("Level?")
    if part is _Part.SPACER:
        return phrase("Spacer?")
    half = halves[part is _Part.SECOND]
    if halves[0] == halves[1]:
        which = phrase("One") if part is _Part.FIRST else phrase("The other")
        return phrase("{which} {half} covers?", which=which, half=format_half(half))
    return phrase("{half} covers?", half=format_half(half))


def _built(entry: Entry) -> Built:
    assert isinstance(entry, Built), "only a play can come to several things"
    return entry


# ---------------------------------------------------------------- turn table
# The layout of the screen while a turn is keyed: whose turn it is, and what the keyed play or the
# last one scores.


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


# ---------------------------------------------------------------- turn


@dataclass(frozen=True, slots=True)
class HighriseTurn(InPlay[HighriseBoard]):
    """The turn of a seat. `read`: OK has taken the result of the last entry off the screen. `seat`:
    the seat to move, if the record doesn't know it. `reading`: what the digits mean, once there are
    enough for a tile. `asked`: OK was pressed while something is open. `lifted`: a spacer is marked
    under the first (1) or the second half (2). `passing`: PASS waits for OK."""

    read: bool = False
    seat: Seat | None = None
    reading: Reading | None = None
    asked: bool = False
    lifted: int = 0
    passing: bool = False

    def whose(self, view: View[HighriseBoard]) -> Seat | None:
        """The seat whose turn it is."""
        return self.mover(view)

    def mover(self, view: View[HighriseBoard]) -> Seat:
        """The seat whose turn it is: a turn is shown only while somebody is to move."""
        seat = self.seat or view.state.to_move
        assert seat is not None, "asked for before"
        return seat

    @property
    def asks(self) -> bool:
        """Whether a pass waits for OK."""
        return self.passing

    def renewed(self, view: View[HighriseBoard]) -> Screen[HighriseBoard]:
        """This turn with its digits read anew."""
        return self._with(view, self.keyed, self.lifted) if self.keyed else self

    # ------------------------------------------------------------ digits

    def numbers(self, _view: View[HighriseBoard]) -> range:
        """The digits of a half, 0 to 7; all ten if a level or another answer is asked for."""
        question = self.reading.question if self.reading else None
        level = question is not None or (self.reading is not None and self.reading.more)
        return range(10 if level else WILD + 1)

    def digit(self, view: View[HighriseBoard], digit: int) -> Outcome[HighriseBoard]:
        """Takes one more digit: of the tile, or of the answer to the question about it. If OK has
        asked that question, the last digit of the answer keeps the play."""
        plain = replace(self, passing=False, why_not=None)
        if len(self.keyed) < TILE:
            if digit > WILD:
                return Outcome(plain, refused=NO_HALF)
        elif not self._takes(digit):
            return Outcome(plain, refused=self._what_first())
        after = self._with(view, (*self.keyed, digit), self.lifted)
        done = after.reading is not None and after.reading.state is not None
        if self.asked and done and after.reading and after.reading.entry and not after.reading.more:
            return keep(after.reading.entry)
        return Outcome(after)

    def _takes(self, digit: int) -> bool:
        """Whether this digit answers what is asked."""
        reading = self.reading
        if reading is None:
            return False
        return reading.question.takes(digit) if reading.question else reading.more

    def _what_first(self) -> str:
        """What to key or press before other digits can be keyed."""
        tile, reading = format_halves((self.keyed[0], self.keyed[1])), self.reading
        if reading is not None and reading.question is not None:
            question = reading.question
            return listed(filter(None, [question.words, listed(question.lines)]), " ")
        if reading is not None and reading.refused is not None:
            return phrase("BACK first: {tile} is refused.", tile=tile)
        return phrase("OK first: {tile} is keyed.", tile=tile)

    def _with(self, view: View[HighriseBoard], keyed: Digits, lifted: int) -> "HighriseTurn":
        """This turn with the digits `keyed` and the spacer `lifted`, read if they are enough for a
        tile."""
        whole = len(keyed) >= TILE
        return HighriseTurn(
            keyed=keyed,
            read=self.read,
            seat=self.seat,
            reading=read(view, self.mover(view), keyed, lifted) if whole else None,
            asked=self.asked and len(keyed) > TILE,
            lifted=lifted if whole else 0,
        )

    # ------------------------------------------------------------ OK

    def accept(self, view: View[HighriseBoard]) -> Outcome[HighriseBoard]:
        """OK: keeps the play, or a pass that waited; without digits it takes the last entry's
        result off the screen, or says what to key."""
        if self.passing:
            return self._keep(view, Passed(self.mover(view)))
        reading = self.reading
        if reading is None:
            if not self.keyed and not self.read and view.state.board.scored is not None:
                return Outcome(HighriseTurn(read=True, seat=self.seat))
            return Outcome(self, refused=phrase("Key both halves, 7 for a wild one, then OK."))
        if reading.question is not None:
            said = self._what_first() if self.asked else None
            return Outcome(replace(self, asked=True), refused=said)
        if reading.refused is not None:
            return self.refuse(reading.refused)
        assert reading.entry is not None, "what is not refused is an entry"
        return keep(reading.entry)

    def _keep(self, view: View[HighriseBoard], entry: Entry) -> Outcome[HighriseBoard]:
        """Keeps a draw or a pass, or says why it is refused."""
        return replace(self, passing=False).enter(view, entry)

    # ------------------------------------------------------------ the other keys

    def menu(self, view: View[HighriseBoard]) -> Outcome[HighriseBoard] | None:
        """MENU on a refused play: a list of what can be done about it. None if the play isn't
        refused: MENU then opens the menu of the game."""
        if self.why_not is None or self.reading is None or self.reading.refused is None:
            return None
        cleared = HighriseTurn(read=True, seat=self.seat)
        lines: Items[HighriseBoard] = (
            (phrase("Key it again"), lambda _view, _list: Outcome(cleared)),
            (phrase("Take back the last entry"), lambda view, _list: offer_undo(view, cleared)),
            without_basement(view),
        )
        return Outcome(choose(phrase("Refused"), lines, self))

    def draw_tile(self, view: View[HighriseBoard]) -> Outcome[HighriseBoard]:
        """DRAW: one tile is drawn, at once. After a keyed tile, if the basement is not known, DRAW
        marks a spacer instead: under the first half, then under the second, then none."""
        if len(self.keyed) >= TILE and view.state.board.layouts is None:
            alike = self.keyed[0] == self.keyed[1]
            return Outcome(self._with(view, self.keyed, (self.lifted + 1) % (2 if alike else 3)))
        return self._keep(view, DrewOne(self.mover(view)))

    def pass_turn(self, view: View[HighriseBoard]) -> Outcome[HighriseBoard]:
        """PASS: at once after a draw, else it waits for OK."""
        if view.state.board.drew:
            return self._keep(view, Passed(self.mover(view)))
        return Outcome(HighriseTurn(read=self.read, seat=self.seat, passing=True))

    def back(self, view: View[HighriseBoard]) -> Outcome[HighriseBoard]:
        """BACK deletes a digit. Without digits it ends a pass that waits, or asks again whose turn
        it is if that was asked before, or offers to take back the last entry."""
        if self.keyed:
            return Outcome(replace(self, asked=False)._with(view, self.keyed[:-1], self.lifted))
        if self.passing:
            return Outcome(HighriseTurn(read=self.read, seat=self.seat))
        return Outcome(None) if self.seat is not None else self.leave(view)

    def on(self) -> Actions[HighriseBoard]:
        return {**InPlay.on(self), Key.DRAW: self.draw_tile, Key.PASS: self.pass_turn}

    def draw(self, view: View[HighriseBoard], canvas: Canvas) -> None:
        """The table, and over it a question or a refusal."""
        draw_table(canvas, turn_table(view, self, self.mover(view)))
        if self.passing:
            left = round_of(view.state).boneyard
            why = phrase("{left} left to draw", left=left) if left > 0 else ""
            asked = phrase("{seat} passes? {why}", seat=shown(self.mover(view)), why=why)
            draw_question(canvas, asked, phrase("OK: pass   BACK: no"))
        self.draw_why_not(canvas, phrase("OK: change  MENU: more"))


def turn_of(_view: View[HighriseBoard], seat: Seat) -> HighriseTurn:
    """The turn of `seat`, if the record doesn't know whose turn it is."""
    return HighriseTurn(seat=seat)
