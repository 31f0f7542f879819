"""The screens of Highrise: the basement, the turns, the holdings, the menu.

A turn is keyed as the tile's two halves and OK; a wild half is 7. The box asks only for what the
building leaves open, and shows the result of the play. OK then stores the play with everything that
the box derived."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from enum import Enum
from typing import ClassVar

from companion.console.fonts import text_width
from companion.console.frame import WIDTH, Canvas
from companion.console.in_play import (
    AskSeat,
    AskWhetherOut,
    KeyedHolding,
    NextDeal,
    PlayScreen,
    acts_now,
    blocked_question,
    keyed_twice,
    miscounted,
    opened,
    tile_lines,
    tiles_asked,
)
from companion.console.layout import (
    TableLayout,
    cut_names,
    draw_question,
    draw_table,
    refused_in_short,
)
from companion.console.lists import choose, submenu
from companion.console.screen import (
    ROWS_LOST_SENTENCE,
    Actions,
    Digits,
    Item,
    Items,
    Outcome,
    Play,
    Screen,
    View,
    capitals,
    keep,
    mover,
    scores_of,
    try_entry,
)
from companion.console.screens.box_settings import BoxSetting, change_setting
from companion.console.screens.changes import change, offer_undo
from companion.console.screens.confirm import ConfirmEntry, item_asking_first
from companion.console.screens.game_over import GameOver, LastPayment
from companion.core.errors import RuleError
from companion.core.keys import Key
from companion.core.seats import Seat, display_name
from companion.core.values import dataclass
from companion.core.words import counted, listed, phrase
from companion.games.entries import HandBlocked, HandDealt, TurnPassed, WentOut
from companion.games.game import B, Entry, NoticeKind, State
from companion.games.highrise.building import PlayScored, Result
from companion.games.highrise.entries import (
    COLUMNS,
    SET,
    WILD,
    BasementFilled,
    Halves,
    HoldingWithWilds,
    OneTileDrawn,
    PipsWithWilds,
    TileStacked,
    format_half,
    format_halves,
)
from companion.games.highrise.rules import EACH, HighriseBoard, HighriseState, round_of
from companion.games.round import RoundNotice
from companion.games.settlement import HandEnding
from companion.games.tiles import Tile
from companion.presentation.highrise import (
    BASEMENT,
    BASEMENT_SKIPPED,
    HIGHRISE_KEYS,
    entry_in_short,
    play_factors,
    play_sum,
    reason_in_short,
    signed,
)
from companion.presentation.keys import COLLECT, LAY, SHOW, seems_out
from companion.presentation.language import Language
from companion.record.journal import ChangeSummary
from companion.record.rows import Amend, Setting

# ---------------------------------------------------------------- without
# Continuing without the basement, if the building in the record differs from the one on the table.


def without_basement(view: View[B]) -> Item[B] | None:
    """Returns the item that removes this hand's basement from the record, so that any play may be
    keyed; None if no basement was keyed. Earlier plays stay as they are, because each is stored
    with all that the box had derived."""
    at = basement_at(view)
    if at is None:
        return None
    return (
        phrase("Leave the basement out"),
        lambda view, menu: Outcome(change(view, Amend(at, ()), menu, None)),
    )


def basement_at(view: View[B]) -> int | None:
    """Returns the place of this hand's basement among the entries; None if it was not keyed."""
    for place, entry, _ in view.game.newest_first():
        if isinstance(entry, BasementFilled):
            return place
        if entry.deals:
            break
    return None


# ---------------------------------------------------------------- tiles
# How tiles with wild halves are keyed: a wild half is the digit 7.


NO_HALF = phrase("A half has 0 to 6 pips; a wild half is 7.")
BLANK = "_"


def complete_tiles(keyed: Digits) -> tuple[Tile, ...]:
    """Returns the tiles whose two halves are both keyed."""
    return tuple(SET.tile(a, b) for a, b in zip(keyed[::2], keyed[1::2], strict=False))


def shown_half(keyed: Digits, at: int) -> str:
    """Returns the keyed half at index `at`; BLANK if none is keyed there yet."""
    return format_half(keyed[at]) if at < len(keyed) else BLANK


# ---------------------------------------------------------------- keying
# How a play is keyed: the two halves of the tile, a wild one as 7, then the digits that answer the
# questions still open about it.
#
# The answers that are still open about a tile are those that pages list
# (presentation/highrise.py). There may be dozens, more than the display has lines. So the box
# asks for one digit after the other by which they differ: what a wild half covers, then the level,
# then what is left. Without the basement, what each wild half covers and the level are always
# keyed. The digits are all that is kept of a play before OK, so BACK can delete any of them.


TILE_DIGITS = 2
"""How many digits the tile itself has."""
LEVEL_DIGITS = 2
"""The most digits of a level: 28 tiles can't be stacked higher."""


Plays = tuple[TileStacked, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a keyed tile: its `words`, and the keys and result of each of the `answers`.
    Without answers it asks for any level. `begun`: the keys of an answer that were pressed so
    far."""

    words: str
    answers: tuple[tuple[str, str], ...] = ()
    begun: str = ""

    def takes(self, digit: int) -> bool:
        """Returns whether this digit is the next one of some answer."""
        if not self.answers:
            return digit > 0
        return any(keys.startswith(f"{self.begun}{digit}") for keys, _ in self.answers)

    @property
    def lines(self) -> tuple[str, ...]:
        """The answers as lines for the screen: “1: 9”, “7: wild”. An answer about which half is
        covered shows only its key."""
        return tuple(
            phrase("{keys}: {comes_to}", keys=keys, comes_to=comes_to) if comes_to else keys
            for keys, comes_to in self.answers
        )


@dataclass(frozen=True, slots=True)
class KeyedMeaning:
    """The meaning of the keyed digits: the `entry` that OK stores and the `state` after it; or the
    `question` that is still open; or why the play is `refused`. `more`: whether another digit may
    follow, because a level can have two."""

    entry: TileStacked | None = None
    state: HighriseState | None = None
    question: Question | None = None
    refused: str | None = None
    more: bool = False


def interpret(
    view: View[HighriseBoard], seat: Seat, keyed: Digits, spacer_under: int
) -> KeyedMeaning:
    """Returns the meaning of the digits `keyed`, of which the first two are the tile.
    `spacer_under`: if the basement is not known, the half with a spacer under it, 1 or 2; 0 for
    neither."""
    halves, rest = (keyed[0], keyed[1]), "".join(map(str, keyed[TILE_DIGITS:]))
    built = TileStacked(seat, halves)
    found = opened(view, built)
    if isinstance(found, RuleError):
        return KeyedMeaning(refused=found.why)
    if isinstance(found.entry, TileStacked):
        return _try_play(view, found.entry)
    where = found.question("where")
    asked = where or found.question("covers")
    plays = tuple(answer.entry for answer in asked.answers) if asked else (built,)
    left, rest, question = _narrow_plays(tuple(map(_as_built, plays)), rest)
    if question is not None:
        return KeyedMeaning(question=question)
    return (
        _try_play(view, left[0]) if where else _reading_at_level(view, left[0], rest, spacer_under)
    )


def _reading_at_level(
    view: View[HighriseBoard], built: TileStacked, level: str, spacer_under: int
) -> KeyedMeaning:
    """Returns the meaning of a play in a building that the record doesn't know. `level`: the digits
    keyed for its level; without any, returns the question for it."""
    if not level:
        return KeyedMeaning(question=Question(phrase("Level?")))
    spacer = (None, *(built.on or built.halves))[spacer_under]
    reading = _try_play(view, replace(built, level=int(level), spacer=spacer))
    return replace(reading, more=len(level) < LEVEL_DIGITS)


def _try_play(view: View[HighriseBoard], built: TileStacked) -> KeyedMeaning:
    after = try_entry(view, built)
    if isinstance(after, RuleError):
        return KeyedMeaning(built, refused=after.why)
    return KeyedMeaning(built, after)


# ---------------------------------------------------------------- answers by their digits


class _Part(Enum):
    """The parts in which possible plays of one tile can differ: what each half covers, the level,
    the spacer."""

    FIRST = 0
    SECOND = 1
    LEVEL = "level"
    SPACER = "spacer"


def _narrow_plays(plays: Plays, rest: str) -> tuple[Plays, str, Question | None]:
    """Returns the plays that agree with the digits after the tile (`rest`), the digits that were
    not needed, and the next question (None if no question is left)."""
    covered: int | None = None
    halves = plays[0].halves
    for part in _parts_in_order(halves):
        answers = _plays_by_answer(part, plays, covered)
        if len(answers) < 2:
            continue
        keys = next((keys for keys in answers if rest.startswith(keys)), None)
        if keys is None:
            said = tuple((keys, _answer_result(part, left, keys)) for keys, left in answers.items())
            return plays, "", Question(_question_words(part, halves), said, rest)
        if part is _Part.FIRST and halves[0] == halves[1]:
            covered = int(keys)
        plays, rest = tuple(answers[keys]), rest[len(keys) :]
    return plays, rest, None


def _parts_in_order(halves: Halves) -> Iterator[_Part]:
    """Yields the parts in the order of the questions: what wild halves cover, the level, what other
    halves cover, the spacer."""
    both = (_Part.FIRST, _Part.SECOND)
    yield from (part for part, half in zip(both, halves, strict=True) if half == WILD)
    yield _Part.LEVEL
    yield from (part for part, half in zip(both, halves, strict=True) if half != WILD)
    yield _Part.SPACER


def _plays_by_answer(
    part: _Part, plays: Plays, covered: int | None
) -> dict[str, list[TileStacked]]:
    """Groups the plays by the answer about this part that they agree with. Returns them by the keys
    of the answer, in ascending order; empty for a part that is a half, if all plays cover the same
    halves. `covered`: the half that the first half of a double covers, if it was keyed."""
    if part is _Part.LEVEL:
        width = max(len(str(play.level)) for play in plays)
        return _group_by_key((f"{play.level or 0:0{width}}", play) for play in plays)
    if part is _Part.SPACER:
        spacer_under = sorted({play.spacer for play in plays}, key=lambda half: (half or -1) + 1)
        return _group_by_key((str(spacer_under.index(play.spacer) + 1), play) for play in plays)
    if len({play.on for play in plays}) == 1:
        return {}
    return _group_by_key(
        (str(half), play) for play in plays for half in _coverable_halves(play, part, covered)
    )


def _coverable_halves(built: TileStacked, part: _Part, covered: int | None) -> set[int]:
    """Returns the halves below that the half `part` may cover. The halves of a double are equal, so
    the first one may cover either half below, and the second covers the other. `covered`: the half
    that the first one covers; None if it was not keyed."""
    assert built.on is not None, "a choice says all"
    if built.halves[0] != built.halves[1]:
        return {built.on[part is _Part.SECOND]}
    if part is _Part.FIRST or covered is None:
        return {*built.on}
    return {built.on[built.on[0] == covered]}


def _group_by_key(found: Iterable[tuple[str, TileStacked]]) -> dict[str, list[TileStacked]]:
    answers: dict[str, list[TileStacked]] = {}
    for keys, play in found:
        answers.setdefault(keys, []).append(play)
    return dict(sorted(answers.items()))


def _answer_result(part: _Part, left: list[TileStacked], keys: str) -> str:
    """Returns the result of an answer as text: the points at that level, the half on a spacer, or
    “wild” if a wild half is covered; empty for other halves."""
    if part is _Part.LEVEL:
        play = left[0]
        assert play.on is not None and play.level is not None, "a place is said in full"
        return str(PlayScored.of(play, Result(play.on, play.level, play.spacer)).points)
    if part is _Part.SPACER:
        spacer = left[0].spacer
        return "none" if spacer is None else phrase("under {spacer}", spacer=format_half(spacer))
    return phrase("wild") if int(keys) == WILD else ""


def _question_words(part: _Part, halves: Halves) -> str:
    if part is _Part.LEVEL:
        return phrase("Level?")
    if part is _Part.SPACER:
        return phrase("Spacer?")
    half = halves[part is _Part.SECOND]
    if halves[0] == halves[1]:
        which = phrase("One") if part is _Part.FIRST else phrase("The other")
        return phrase("{which} {half} covers?", which=which, half=format_half(half))
    return phrase("{half} covers?", half=format_half(half))


def _as_built(entry: Entry) -> TileStacked:
    assert isinstance(entry, TileStacked), "only a play can come to several things"
    return entry


# ---------------------------------------------------------------- turn table
# The layout of the screen while a turn is keyed: whose turn it is, and what the keyed play or the
# last one scores.


def turn_table(view: View[HighriseBoard], turn: "HighriseTurn", seat: Seat) -> TableLayout:
    """Returns the layout of a turn: the current table, and a line with the result of the keyed play
    or with the question. The seat to move, the points of the last play and the keyed tile are
    large, so that a key changes little of the picture."""
    state, reading = view.state, turn.reading
    last = _last_play(view)
    lines = _question_lines(view, reading.question if reading else None)
    fresh = state.board.scored if not turn.read and reading is None else None
    need = view.game.game.to_win(state, seat)
    keyed, spacers = turn.keyed, state.board.spacers
    return TableLayout(
        seat=display_name(seat),
        number=str(last.points) if last else "",
        label=phrase("last") if last else "",
        need=phrase("to win {need}", need=need) if need is not None else "",
        ends=phrase(
            "spacers {spacers}  pile {pile}",
            spacers="?" if spacers is None else spacers,
            pile=round_of(state).boneyard,
        ),
        keyed_label=phrase("tile") if state.board.layouts else phrase("level"),
        keyed=f"{shown_half(keyed, 0)}-{shown_half(keyed, 1)}" if keyed else "",  # “6-3”, “W-_”
        options=_spacer_lines(reading, turn),
        say=lines[0] if lines else _bottom_line(view, turn),
        second=lines[1] if len(lines) > 1 else "",
        paid=str(fresh.points) if fresh else "",
        scores=scores_of(state),
        asks=turn.asking and bool(lines),
    )


def _last_play(view: View[HighriseBoard]) -> PlayScored | None:
    """Returns the points of this hand's last play; None if there was no play yet."""
    for _, entry, state in view.game.newest_first():
        if state.board.scored is not None or entry.deals:
            return state.board.scored
    return None


def _question_lines(view: View[HighriseBoard], question: Question | None) -> tuple[str, ...]:
    """Returns the question and its answers in one line, or in two if that is too wide; empty
    without a question."""
    if question is None:
        return ()
    answers = listed(question.lines, "  ") or phrase("its digits")
    said = listed([question.words, answers], " ")
    if text_width(view.language.translate(said)) <= WIDTH:
        return (said,)
    half = len(question.lines) // 2
    first, second = question.lines[:half], question.lines[half:]
    return listed([question.words, listed(first, "  ")], " "), listed(second, "  ")


def _spacer_lines(reading: KeyedMeaning | None, turn: "HighriseTurn") -> tuple[str, ...]:
    """Returns the line that shows which half is on a spacer; empty if none is, or that isn't
    known."""
    entry = reading.entry if reading is not None else None
    spacer = entry.spacer if entry is not None else None
    if spacer is None and turn.spacer_under:
        spacer = turn.keyed[turn.spacer_under - 1]
    return () if spacer is None else (phrase("spacer {spacer}", spacer=format_half(spacer)),)


def _bottom_line(view: View[HighriseBoard], turn: "HighriseTurn") -> str:
    """Returns why the play is refused, or what it scores; without a play, the last entry."""
    reading = turn.reading
    if reading is not None and reading.refused is not None:
        return refused_in_short(view.language.translate(reading.refused))
    if reading is not None and reading.state is not None and reading.state.board.scored:
        return play_sum(reading.state.board.scored)
    return "" if turn.read else _last_entry_line(view)


def _last_entry_line(view: View[HighriseBoard]) -> str:
    """Returns the doubt about the last entry; if there is none, the entry in short."""
    journal = view.game
    entry, state = journal.last, journal.state
    doubts = [_NOTICES[n.kind] for n in state.effect.notices if n.kind in _NOTICES]
    if doubts:
        return doubts[0]
    if state.board.scored is not None:
        return f"{play_factors(state.board.scored)} ="
    if isinstance(entry, OneTileDrawn):
        return phrase("Drew. Lay it, or PASS")
    if entry is None or isinstance(entry, HandDealt | BasementFilled):
        return ROWS_LOST_SENTENCE if journal.losses else ""
    return entry_in_short(entry, state)


_NOTICES: Mapping[NoticeKind, str] = {
    RoundNotice.COUNT_DOUBTFUL: phrase("Tiles don't add up: check."),
}


# ---------------------------------------------------------------- turn


@dataclass(frozen=True, slots=True)
class HighriseTurn(PlayScreen[HighriseBoard]):
    """The turn of a seat.

    `read`: whether OK has removed the result of the last entry from the screen. `seat`: the seat to
    move, if the record doesn't know it. `reading`: the meaning of the digits, once there are enough
    for a tile. `asking`: whether OK was pressed while something was open. `spacer_under`: which
    half has a spacer under it, 1 or 2; 0 for neither. `passing`: whether PASS waits for OK."""

    read: bool = False
    seat: Seat | None = None
    reading: KeyedMeaning | None = None
    asking: bool = False
    spacer_under: int = 0
    passing: bool = False

    def mover(self, view: View[HighriseBoard]) -> Seat:
        """Returns the seat whose turn it is; a turn is shown only if there is one."""
        return self.seat or mover(view.state)

    only_seat = mover

    @property
    def in_progress(self) -> bool:
        return self.passing

    def updated(self, view: View[HighriseBoard]) -> Screen[HighriseBoard]:
        return self._with_digits(view, self.keyed, self.spacer_under) if self.keyed else self

    # ------------------------------------------------------------ digits

    def keyable_digits(self, _view: View[HighriseBoard]) -> range:
        """Returns the digits of a half, 0 to 7; all ten while a level or another answer is
        needed."""
        question = self.reading.question if self.reading else None
        level = question is not None or (self.reading is not None and self.reading.more)
        return range(10 if level else WILD + 1)

    def digit(self, view: View[HighriseBoard], digit: int) -> Outcome[HighriseBoard]:
        """Adds a digit of the tile, or of the answer to the question about it. If OK has asked that
        question, the last digit of the answer stores the play."""
        plain = replace(self, passing=False, why_not=None)
        if len(self.keyed) < TILE_DIGITS:
            if digit > WILD:
                return Outcome(plain, refused=NO_HALF)
        elif not self._is_answer(digit):
            return Outcome(plain, refused=self._missing_key_message())
        after = self._with_digits(view, (*self.keyed, digit), self.spacer_under)
        done = after.reading is not None and after.reading.state is not None
        if (
            self.asking
            and done
            and after.reading
            and after.reading.entry
            and not after.reading.more
        ):
            return keep(after.reading.entry)
        return Outcome(after)

    def _is_answer(self, digit: int) -> bool:
        """Returns whether this digit answers the open question."""
        reading = self.reading
        if reading is None:
            return False
        return reading.question.takes(digit) if reading.question else reading.more

    def _missing_key_message(self) -> str:
        """Returns what to key or press before other digits can be keyed."""
        tile, reading = format_halves((self.keyed[0], self.keyed[1])), self.reading
        if reading is not None and reading.question is not None:
            question = reading.question
            return listed(filter(None, [question.words, listed(question.lines)]), " ")
        if reading is not None and reading.refused is not None:
            return phrase("BACK first: {tile} is refused.", tile=tile)
        return phrase("OK first: {tile} is keyed.", tile=tile)

    def _with_digits(
        self, view: View[HighriseBoard], keyed: Digits, spacer_under: int
    ) -> "HighriseTurn":
        """Returns this turn with the digits `keyed` and that spacer, interpreted if they are enough
        for a tile."""
        whole = len(keyed) >= TILE_DIGITS
        return HighriseTurn(
            keyed=keyed,
            read=self.read,
            seat=self.seat,
            reading=interpret(view, self.mover(view), keyed, spacer_under) if whole else None,
            asking=self.asking and len(keyed) > TILE_DIGITS,
            spacer_under=spacer_under if whole else 0,
        )

    # ------------------------------------------------------------ OK

    def handle_ok(self, view: View[HighriseBoard]) -> Outcome[HighriseBoard]:
        """OK stores the play, or a pass that waited. Without digits it removes the last entry's
        result from the screen, or says what to key."""
        if self.passing:
            return self._store_entry(view, TurnPassed(self.mover(view)))
        reading = self.reading
        if reading is None:
            if not self.keyed and not self.read and view.state.board.scored is not None:
                return Outcome(HighriseTurn(read=True, seat=self.seat))
            return Outcome(self, refused=phrase("Key both halves, 7 for a wild one, then OK."))
        if reading.question is not None:
            said = self._missing_key_message() if self.asking else None
            return Outcome(replace(self, asking=True), refused=said)
        if reading.refused is not None:
            return self.refuse(reading.refused)
        assert reading.entry is not None, "what is not refused is an entry"
        return keep(reading.entry)

    def _store_entry(self, view: View[HighriseBoard], entry: Entry) -> Outcome[HighriseBoard]:
        return replace(self, passing=False).enter(view, entry)

    # ------------------------------------------------------------ the other keys

    def menu(self, view: View[HighriseBoard]) -> Outcome[HighriseBoard] | None:
        """MENU on a refused play opens a list of what can be done about it. Returns None if the
        play isn't refused: MENU then opens the menu of the game."""
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
        """DRAW enters at once that the seat drew a tile. After a keyed tile, if the basement is not
        known, DRAW marks a spacer instead: under the first half, then under the second, then
        none."""
        if len(self.keyed) >= TILE_DIGITS and view.state.board.layouts is None:
            alike = self.keyed[0] == self.keyed[1]
            return Outcome(
                self._with_digits(view, self.keyed, (self.spacer_under + 1) % (2 if alike else 3))
            )
        return self._store_entry(view, OneTileDrawn(self.mover(view)))

    def pass_turn(self, view: View[HighriseBoard]) -> Outcome[HighriseBoard]:
        """PASS stores a pass, at once if the seat has drawn, otherwise after OK."""
        if view.state.board.drew:
            return self._store_entry(view, TurnPassed(self.mover(view)))
        return Outcome(HighriseTurn(read=self.read, seat=self.seat, passing=True))

    def back(self, view: View[HighriseBoard]) -> Outcome[HighriseBoard]:
        """BACK deletes a digit. Without digits it cancels a pass that waits, or asks again whose
        turn it is if that was asked before, or offers to take back the last entry."""
        if self.keyed:
            return Outcome(
                replace(self, asking=False)._with_digits(view, self.keyed[:-1], self.spacer_under)
            )
        if self.passing:
            return Outcome(HighriseTurn(read=self.read, seat=self.seat))
        return Outcome(None) if self.seat is not None else self.leave(view)

    def key_bindings(self) -> Actions[HighriseBoard]:
        return {**PlayScreen.key_bindings(self), Key.DRAW: self.draw_tile, Key.PASS: self.pass_turn}

    def draw(self, view: View[HighriseBoard], canvas: Canvas) -> None:
        """Draws the table, and over it a question or a refusal."""
        draw_table(canvas, turn_table(view, self, self.mover(view)))
        if self.passing:
            left = round_of(view.state).boneyard
            why = phrase("{left} left to draw", left=left) if left > 0 else ""
            asked = phrase("{seat} passes? {why}", seat=display_name(self.mover(view)), why=why)
            draw_question(canvas, asked, phrase("OK: pass   BACK: no"))
        self.draw_why_not(canvas, phrase("OK: change  MENU: more"))


def turn_of(_view: View[HighriseBoard], seat: Seat) -> HighriseTurn:
    """Returns the screen for a turn of `seat`, for a hand in which the record doesn't know whose
    turn it is."""
    return HighriseTurn(seat=seat)


# ---------------------------------------------------------------- holding
# What a seat holds at the end of a hand, keyed as tiles or as pips; a wild half is 7 in both.


MAX_DIGITS = 3
"""The most digits of the pips."""


@dataclass(frozen=True, slots=True)
class KeyHighriseHolding(KeyedHolding[HighriseBoard]):
    """Asks what a seat holds: each tile as its two halves, then OK. DRAW changes to pips, keyed as
    one number, and back."""

    as_tiles: ClassVar = HoldingWithWilds
    as_pips: ClassVar = PipsWithWilds

    def keyable_digits(self, view: View[HighriseBoard]) -> range:
        return range(WILD + 1) if self.by_tiles(view) else range(10)

    def digit(self, view: View[HighriseBoard], digit: int) -> Outcome[HighriseBoard]:
        """Adds a digit. A tile keyed twice and a number that is too long are refused."""
        keyed = (*self.keyed, digit)
        if self.by_tiles(view):
            wrong = NO_HALF if digit > WILD else keyed_twice(complete_tiles(keyed))
        else:
            wrong = (
                phrase("The whole set has {pips} pips.", pips=SET.pips)
                if len(keyed) > MAX_DIGITS
                else ""
            )
        return Outcome(self, refused=wrong) if wrong else Outcome(self.with_digits(keyed))

    def confirm(
        self, view: View[HighriseBoard], entry: Entry, after: HighriseState
    ) -> Outcome[HighriseBoard]:
        """Stores the holding; asks for confirmation first if it disagrees with the counted
        tiles."""
        doubts = {notice.kind for notice in after.effect.notices}
        if isinstance(entry, HoldingWithWilds) and RoundNotice.COUNT_DOUBTFUL in doubts:
            held = round_of(view.state).held[self.seat]
            text = miscounted(self.seat, held, len(entry.tiles))
            return Outcome(ConfirmEntry(phrase("Is that all?"), text, entry, self))
        return keep(entry)

    def draw(self, view: View[HighriseBoard], canvas: Canvas) -> None:
        """Draws what is keyed, its pips in large digits, and the points that the holding scores or
        loses."""
        tiles, out = self.by_tiles(view), round_of(view.state).out
        ended = (
            phrase("{seat} is out", seat=display_name(out)) if out else phrase("Nobody can play")
        )
        table = TableLayout(
            seat=display_name(self.seat),
            number=str(self._keyed_pips(tiles)) if self.keyed else "",
            label=phrase("pips") if self.keyed else "",
            need=phrase("which tiles? 7: wild") if tiles else phrase("pips? a wild half: 7"),
            ends=phrase("DRAW: tiles or pips"),
            keyed_label=phrase("tiles") if tiles else phrase("pips"),
            tiles=tile_lines(self.keyed, SET.halves) if tiles else (),
            keyed="" if tiles else self.text or "_",
            say=self._pips_scored_text(view, tiles) if self.keyed else ended,
            scores=scores_of(view.state),
        )
        draw_table(canvas, table)
        self.draw_why_not(canvas)

    def _keyed_pips(self, tiles: bool) -> int:
        return self.complete_tiles().pips if tiles else self.number

    def _pips_scored_text(self, view: View[HighriseBoard], tiles: bool) -> str:
        """Returns the points scored or lost with the digits keyed so far."""
        now, pips = round_of(view.state), self._keyed_pips(tiles)
        if now.out is None:
            return phrase("{seat} loses {pips}", seat=capitals(self.seat), pips=pips)
        before = sum(holding.pips for holding in now.shown.values if holding)
        sum_ = f"{before} + {pips} = {before + pips}" if before else str(pips)
        return phrase("{seat} scores {sum}", seat=capitals(now.out), sum=sum_)


def lost_line(state: State[HighriseBoard], language: Language) -> str:
    """Returns the points that a blocked hand took from each seat, in `language`: “Red −3 Blue −14”.
    Names are shortened so that the line fits."""
    lost = [
        (language.translate(display_name(paid.to)), signed(paid.points))
        for paid in state.effect.payments
    ]
    besides = sum(text_width(f". {points}  ") - text_width(".") for _, points in lost)
    names = cut_names(tuple(name for name, _ in lost), WIDTH - besides)
    return "  ".join(f"{name} {points}" for name, (_, points) in zip(names, lost, strict=True))


# ---------------------------------------------------------------- basement
# The basement, keyed tile by tile. If the box knows the basement, it asks only for what
# distinguishes the possible plays; otherwise the level and what each wild half covers are always
# keyed.


BASEMENT_SETTING = BoxSetting(BASEMENT, phrase("The basement"), (
    ("told", phrase("Keyed: the box asks less")),
    (BASEMENT_SKIPPED, phrase("Not keyed: you key levels")),
))  # fmt: skip
"""The setting for whether the basement is keyed at all; it stays until somebody changes it."""


@dataclass(frozen=True, slots=True)
class KeyBasement(PlayScreen[HighriseBoard]):
    """Asks for the eight tiles of the basement from left to right, each as its upper and its lower
    half. OK stores all eight; DRAW plays the hand without them."""

    def keyable_digits(self, _view: View[HighriseBoard]) -> range:
        return range(WILD + 1)

    def digit(self, view: View[HighriseBoard], digit: int) -> Outcome[HighriseBoard]:
        """Adds a half; a tile that is keyed already is refused."""
        if digit > WILD:
            return Outcome(self, refused=NO_HALF)
        if len(self.keyed) == 2 * tiles_asked(view):
            return Outcome(self, refused=phrase("All eight are keyed: OK."))
        keyed = (*self.keyed, digit)
        wrong = keyed_twice(complete_tiles(keyed))
        return Outcome(self, refused=wrong) if wrong else Outcome(self.with_digits(keyed))

    def handle_ok(self, view: View[HighriseBoard]) -> Outcome[HighriseBoard]:
        """OK stores the basement; refused while tiles are missing."""
        missing = tiles_asked(view) - len(self.keyed) // 2
        if missing:
            tiles = counted("1 tile is", "{number} tiles are", missing)
            return self.refuse(
                phrase("{tiles} missing. To play without the basement: DRAW.", tiles=tiles)
            )
        pairs = zip(self.keyed[::2], self.keyed[1::2], strict=True)
        return self.enter(view, BasementFilled(tuple(pairs)))

    def without(self, _view: View[HighriseBoard]) -> Outcome[HighriseBoard]:
        """DRAW skips the basement, in this hand and in all later ones."""
        if self.keyed:
            return self.refuse(phrase("BACK deletes what is keyed. Then DRAW plays without it."))
        return Outcome(None, Setting(BASEMENT, BASEMENT_SKIPPED))

    def key_bindings(self) -> Actions[HighriseBoard]:
        return {**PlayScreen.key_bindings(self), Key.DRAW: self.without}

    def draw(self, view: View[HighriseBoard], canvas: Canvas) -> None:
        """Draws the tiles as they are placed, in two rows of large halves."""
        canvas.text(0, 0, phrase("BASEMENT"), "caps")
        canvas.right(WIDTH + 1, 0, phrase("DRAW:"))
        canvas.right(WIDTH + 1, 8, phrase("without"))
        number = tiles_asked(view)
        canvas.text(0, 16, self._prompt(number))
        for at in range(2 * number):
            column, row = divmod(at, 2)
            if at <= len(self.keyed):
                canvas.text(16 * column, 24 + 16 * row, shown_half(self.keyed, at), "caps")
        canvas.text(0, 56, phrase("7: wild half"))
        canvas.right(WIDTH + 1, 56, "OK" if len(self.keyed) == 2 * number else "")
        self.draw_why_not(canvas)

    def _prompt(self, tiles: int) -> str:
        tile, half = divmod(len(self.keyed), 2)
        if tile == tiles:
            return phrase("All eight: OK if they're right")
        return phrase(
            "Tile {number} of {tiles}, {which} half",
            number=tile + 1,
            tiles=tiles,
            which=phrase("lower") if half else phrase("upper"),
        )


# ---------------------------------------------------------------- menu
# The menu items of Highrise.


def _blocked_item(view: View[HighriseBoard]) -> Item[HighriseBoard] | None:
    if not acts_now(view, "blocked"):
        return None
    left = round_of(view.state).boneyard
    label = phrase("Blocked: nobody can play")
    if left > 0:
        return item_asking_first(label, phrase("Blocked?"), blocked_question(left), HandBlocked())
    return label, lambda _view, _menu: keep(HandBlocked())


def _out_item(view: View[HighriseBoard]) -> Item[HighriseBoard] | None:
    """Returns the menu item for entering that the seat which played last is out. It asks for
    confirmation if that seat still has tiles according to the count."""
    out = acts_now(view, "out", "out-early")
    seat = out[0].seat if out else None
    if seat is None:
        return None
    held = round_of(view.state).held[seat]
    tiles = counted("1 tile", "{number} tiles", held)
    doubt = phrase(
        "By the count {seat} still holds {tiles}. Is {seat} really out?",
        seat=display_name(seat),
        tiles=tiles,
    )
    label = phrase("{seat} is out", seat=display_name(seat))
    if held:
        return item_asking_first(
            label, phrase("{seat} out?", seat=display_name(seat)), doubt, WentOut(seat)
        )
    return label, lambda _view, _menu: keep(WentOut(seat))


# ---------------------------------------------------------------- confirm out
# The question whether a seat is out. Only the counted tiles say so, and a DRAW may have been
# forgotten.


@dataclass(frozen=True, slots=True)
class HighriseAskOut(AskWhetherOut[HighriseBoard]):
    """Asks whether the seat is out. DRAW enters a forgotten draw instead, before the seat's latest
    play that had no draw."""

    def draw(self, view: View[HighriseBoard], canvas: Canvas) -> None:
        """Draws what the last play scored, and the question."""
        state, seat, scored = view.state, self.seat, view.state.board.scored
        table = TableLayout(
            seat=display_name(seat),
            number=str(scored.points) if scored else "",
            label=phrase("scored") if scored else "",
            need=phrase("out?  OK: yes"),
            ends=phrase("DRAW: forgot a draw"),
            say=listed((capitals(seat), play_factors(scored), "="), " ") if scored else "",
            paid=str(scored.points) if scored else "",
            scores=scores_of(state),
        )
        draw_table(canvas, table)


# ---------------------------------------------------------------- between hands
# Between hands: how the last hand ended, and who starts the next one. OK deals.


def who_starts() -> AskSeat[HighriseBoard]:
    """Returns the question of who starts the first hand; by the rules it is the youngest player
    (RULES: Highrise 6)."""
    each = phrase("{each} tiles each, {down} down", each=EACH, down=COLUMNS)
    return AskSeat(phrase("Who starts?"), (phrase("The youngest: key the digit."), each), turn_of)


def whose_turn() -> AskSeat[HighriseBoard]:
    """Returns the question of whose turn it is, for a hand that has no recorded starter."""
    lines = phrase("Who lays the next tile,"), phrase("by digit?")
    return AskSeat(phrase("Whose turn?"), lines, turn_of)


@dataclass(frozen=True, slots=True)
class BetweenHighriseHands(NextDeal[HighriseBoard]):
    """The screen after a settled hand. The seat to the left of its starter starts the next one
    (RULES: Highrise 6)."""

    def draw(self, view: View[HighriseBoard], canvas: Canvas) -> None:
        draw_table(canvas, _table_between_hands(view))


def _table_between_hands(view: View[HighriseBoard]) -> TableLayout:
    state, lead = view.state, view.game.game.next_lead(view.state)
    out = next((p for p in state.effect.payments if p.why is HandEnding.OUT), None)
    return TableLayout(
        seat=display_name(lead or ""),
        number=str(out.points) if out else "",
        label=phrase("points") if out else "",
        need=phrase("starts. OK: deal"),
        ends=phrase("{each} tiles each, {down} down", each=EACH, down=COLUMNS),
        keyed_label="OK",
        keyed="" if state.effect.payments else phrase("DEAL"),
        say=_settlement_line(state, view.language),
        scores=scores_of(state),
        pays=out is not None,
    )


def _settlement_line(state: HighriseState, language: Language) -> str:
    """Returns the line about how the last hand was settled; empty before the first hand."""
    if state.board.round is None:
        return ""
    payments = state.effect.payments
    if not payments:
        return phrase("Nobody held any points")
    if payments[-1].why is HandEnding.OUT:
        return phrase("{seat} is out and scores", seat=capitals(payments[-1].to))
    return lost_line(state, language)


# ---------------------------------------------------------------- play


class HighrisePlay(Play[HighriseBoard]):
    keys = HIGHRISE_KEYS

    def screen(self, view: View[HighriseBoard]) -> Screen[HighriseBoard]:
        state, asked = view.state, view.expected_entry
        if state.finished:
            won = any(payment.why is HandEnding.OUT for payment in state.effect.payments)
            return LastPayment() if won else GameOver()
        if asked.asks == COLLECT:
            return KeyBasement()
        if asked.asks == LAY:
            return HighriseTurn() if asked.seat else whose_turn()
        if out := seems_out(state.board.round):  # a page shows both; the box asks one at a time
            return HighriseAskOut(seat=out)
        if asked.asks == SHOW:
            return KeyHighriseHolding(
                asked.seats[0]
            )  # on a page any seat may show; a box has one keypad
        return who_starts() if acts_now(view, "deal-lead") else BetweenHighriseHands()

    def menu(self, view: View[HighriseBoard]) -> Mapping[int, Item[HighriseBoard]]:
        keyed = view.settings.get(BASEMENT) != BASEMENT_SKIPPED
        now = phrase("keyed") if keyed else phrase("not keyed")
        # Events at the table that have no key of their own.
        of_the_hand: Items[HighriseBoard] = (_out_item(view), without_basement(view))
        items: dict[int, Item[HighriseBoard] | None] = {
            4: _blocked_item(view),
            5: submenu(phrase("More of this hand"), of_the_hand),
            7: (phrase("Basement {now}", now=now), change_setting(BASEMENT_SETTING)),
        }
        return {digit: item for digit, item in items.items() if item}

    def name_change(self, view: View[HighriseBoard], what: ChangeSummary) -> str:
        """Returns the name of a change. The basement is called “the basement”, because the names of
        its tiles would fill the display."""
        filled = isinstance(what.first, BasementFilled)
        return phrase("the basement") if filled else Play.name_change(self, view, what)

    describe_entry = staticmethod(entry_in_short)
    explain_points = staticmethod(reason_in_short)

    def highlight(self, view: View[HighriseBoard]) -> str:
        """Returns the line about the play that scored most; empty if there was none."""
        plays = ((state.board.scored, state.effect.seat) for state in view.game.states)
        scored = [(play, seat) for play, seat in plays if play is not None]
        if not scored:
            return ""
        play, seat = max(scored, key=lambda found: found[0].points)
        return phrase("Best: {seat} {play}", seat=display_name(seat or ""), play=play_sum(play))
