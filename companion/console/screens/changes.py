"""Screens for changing entries: replacing or deleting one, inserting one before it, taking back
everything from there on; and taking back or redoing the last change.

Before a change is stored, the box shows its effects: the points, which chips are exchanged, the new
meaning of later entries, and the first one that is no longer valid."""

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from companion.console.fonts import text_width
from companion.console.frame import WIDTH, Canvas
from companion.console.layout import draw_question, draw_refusal, question_lines
from companion.console.lists import ROOM, ListScreen, PagedText, draw_title
from companion.console.screen import (
    Actions,
    Basis,
    Outcome,
    Screen,
    View,
    scores_line,
    what_it_paid,
)
from companion.console.screens.chips import chips_to_move, keep_and_move_chips
from companion.console.screens.set_up import set_up_again
from companion.core.errors import EntryError, RuleError
from companion.core.keys import Key, Press
from companion.core.seats import Seat, display_name
from companion.core.values import dataclass
from companion.core.words import counted, listed, phrase
from companion.games.game import B, Entry, State
from companion.presentation.corrections import (
    changed_verdicts,
    dropped_with_calls,
    was_corrected_to_count,
)
from companion.record.journal import THIS_GAME, AmendedGame, InvalidEntry, Journal
from companion.record.rows import Amend, Redo, Rewind, Setting, Step, Undo

# ---------------------------------------------------------------- undo and redo


MAX_LINES = 3
"""The most lines of a question: more would hide the screen below."""


@dataclass(frozen=True, slots=True)
class OfferUndo(Screen[B]):
    """Asks, over the screen `below`, whether to take back the last change. DRAW instead redoes what
    was taken back before. `by`: the seat whose keypad asked; None for the box. `redoes`: whether OK
    redoes instead of taking back."""

    below: Screen[B]
    by: Seat | None = None
    redoes: bool = False

    offers_undo: ClassVar = True
    owned: ClassVar = True
    basis: ClassVar = Basis.RECORD

    def screen_for_key(self, view: View[B], press: Press, key: Key) -> Screen[B]:
        """Returns the screen that takes this key: this question if the key answers it, otherwise
        the screen below. The seat that asked, and the box, may use every key of the question.
        Another seat may only press BACK, because its DRAW or OK is meant for the game."""
        if press.seat not in (None, self.by):
            return self if key is Key.BACK else self.below
        return self if key is Key.DRAW or key in self.keys(view) else self.below

    def undo(self, view: View[B]) -> Outcome[B]:
        """OK takes back the last change, and shows which chips go back if the question has no room
        for them. If that change is the start of the game, leads to its set-up."""
        if self.redoes:
            return self.redo(view)
        if view.game.next_undo is None:
            return Outcome(self)
        if view.game.next_undo == THIS_GAME and view.game.opened.after is None:
            return Outcome(set_up_again(view.game.opened), Undo())
        return (
            Outcome(None, Undo())
            if len(self._question_lines(view)) <= MAX_LINES
            else take_back(view)
        )

    def redo(self, view: View[B]) -> Outcome[B]:
        """DRAW redoes what was taken back before. If there is nothing to redo, it is refused; it
        never draws a tile here, because it isn't meant for the boneyard."""
        if view.next_redo is None:
            return Outcome(self, refused=phrase("There is nothing to redo."))
        return redo_change(view)

    def _question_lines(self, view: View[B]) -> tuple[str, ...]:
        """Returns the lines of the question, and which chips would go back."""
        what = view.game.next_undo
        if what is None:
            return (phrase("Nothing to undo"),)
        moves = (
            ()
            if was_corrected_to_count(view.game)
            else chips_to_move(view, view.game.fold(Undo()).state)
        )
        return question_lines(
            listed(
                [phrase("Take back {spoken}?", spoken=view.play.name_change(view, what)), *moves],
                " ",
            ),
            view.language,
        )

    def back(self, _view: View[B]) -> Outcome[B]:
        return Outcome(self.below)

    def key_bindings(self) -> Actions[B]:
        return {Key.OK: self.undo, Key.BACK: self.back, Key.DRAW: self.redo}

    def keys(self, view: View[B]) -> tuple[Key, ...]:
        return (Key.OK, Key.BACK, *((Key.DRAW,) if view.next_redo else ()))

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """Draws the screen below, and the question over its lowest lines."""
        self.below.draw(view, canvas)
        if self.redoes and view.next_redo:
            said = phrase("Redo {spoken}", spoken=view.play.name_change(view, view.next_redo))
            draw_question(canvas, f"{said}?", phrase("OK: yes   BACK: no"))
            return
        what, again = view.game.next_undo, view.next_redo
        asked = self._question_lines(view)
        if what and len(asked) > MAX_LINES:
            asked = question_lines(
                phrase("Take back {spoken}?", spoken=view.play.name_change(view, what)),
                view.language,
            )
        answers = [phrase("OK: yes   BACK: no") if what else phrase("BACK: go on")]
        answers += (
            [phrase("DRAW: {spoken} again", spoken=view.play.name_change(view, again))]
            if again
            else []
        )
        draw_question(canvas, " ".join(asked), *answers)


def take_back(view: View[B]) -> Outcome[B]:
    """Takes back the last change, and shows which chips go back; none do if the change adapted the
    record to counted chips."""
    if was_corrected_to_count(view.game):
        return Outcome(None, Undo())
    return keep_and_move_chips(view, view.game.fold(Undo()).state, Undo())


def redo_change(view: View[B]) -> Outcome[B]:
    """Redoes what was taken back, and shows which chips are paid again."""
    again = view.game.fold(Redo()) if view.game.next_redo else None
    if again is None or again.length == view.game.length + 1:
        return Outcome(None, Redo())  # an entry shows its own payments
    return keep_and_move_chips(view, again.state, Redo())


def offer_undo(view: View[B], below: Screen[B]) -> Outcome[B]:
    """Returns the question of BACK without digits on any screen of play: whether to take back the
    last entry, or the game's own question (Play.before_undo)."""
    return Outcome(view.play.before_undo(view, below) or OfferUndo(below))


# ---------------------------------------------------------------- a change


CHANGE_QUESTION = phrase("Make this change?")
NO_CHANGE = Amend(0, ())


def change(
    view: View[B], row: Amend | Rewind, parent: Screen[B] | None, by: Seat | None
) -> Screen[B]:
    """Returns the screen that asks whether to make the change. AskLaterTurns comes first if the
    change gives the next turn to another seat, and fewer entries would be lost if the later turns
    moved along. `by`: the seat whose keypad requested the change (None for the box)."""
    amended = preview_change(view, row)
    if isinstance(amended, AmendedGame) and isinstance(row, Amend):
        places = amended.places_to_move(deleted=not row.entries)
        moved = preview_change(view, replace(row, later_turns=places)) if places else None
        if isinstance(moved, AmendedGame) and moved.dropped < amended.dropped:
            return AskLaterTurns(row=row, places=places, parent=parent, by=by,
                              lost=(moved.dropped, amended.dropped))  # fmt: skip
    return ConfirmChange(row, parent, by)


class ChangeScreen(Screen[B]):
    """A screen on which an earlier entry is changed. Only the box and the seat `by`, whose keypad
    began the change, may press keys. The screen depends only on the game up to that entry."""

    __slots__ = ()
    owned: ClassVar = True
    is_correction: ClassVar = True
    by: Seat | None

    @property
    def first(self) -> int:
        """The place of the earliest entry that is changed."""
        raise NotImplementedError

    def why_not_taken(self, view: View[B], seat: Seat | None, key: Key) -> str:
        if seat not in (None, self.by) and seat:
            return phrase(
                "An earlier entry is being changed: {seat} waits.", seat=display_name(seat)
            )
        return Screen.why_not_taken(self, view, seat, key)

    def depends_on(self, view: View[B]) -> object:
        """Returns the game up to that entry. Later entries are checked again anyway."""
        return view.game_number, view.game.entries[: self.first + 1]


def preview_change(view: View[B], row: Amend | Rewind) -> AmendedGame[B] | str:
    """Returns the effect of the change on the game, or why it is refused."""
    try:
        return view.game.amended(row)
    except (RuleError, EntryError) as refused:
        return refused.why


@dataclass(frozen=True, slots=True)
class AskLaterTurns(ChangeScreen[B], ListScreen[B]):
    """Asks whether the later turns of the hand move to other seats, after one is inserted or
    removed. `places`: how many seats to the left they would move (negative: to the right). `lost`:
    how many entries would be lost if they move, and how many if they stay. `by`: the seat whose
    keypad asked (None for the box)."""

    row: Amend = NO_CHANGE
    places: int = 0
    lost: tuple[int, int] = (0, 0)
    by: Seat | None = None

    @property
    def first(self) -> int:
        return self.row.at

    def updated(self, view: View[B]) -> Screen[B]:
        return change(view, replace(self.row, later_turns=0), self.parent, self.by)

    def title(self, _view: View[B]) -> str:
        return phrase("The later turns")

    def lines(self, _view: View[B]) -> tuple[str, ...]:
        places = abs(self.places)
        by = counted("a seat", "{number} seats", places)
        way = (
            phrase("on {seats}", seats=by) if self.places > 0 else phrase("back {seats}", seats=by)
        )
        moved, stayed = (
            phrase("{number} lost", number=lost) if lost else phrase("all kept")
            for lost in self.lost
        )
        return (
            phrase("Move {way}: {moved}", way=way, moved=moved),
            phrase("Stay: {stayed}", stayed=stayed),
        )

    def chosen(self, _view: View[B], at: int) -> Outcome[B]:
        row = replace(self.row, later_turns=0 if at else self.places)
        return Outcome(ConfirmChange(row, replace(self, at=at), self.by))

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """Draws the two answers and the reason for the question: the turn that would become invalid
        if all turns stayed."""
        ListScreen.draw(self, view, canvas)
        entries = view.game.amended(self.row)
        assert entries.broken is not None, "asked only where the next turn no longer holds"
        _, turn, why = entries.broken
        said = view.play.describe_entry(turn, entries.journal.state)
        text = canvas.language.translate(phrase("{entry}: {why}.", entry=said, why=why.why))
        for row, line in enumerate(canvas.wrapped(text.replace("_", " "), WIDTH)[:3]):
            canvas.text(2, 32 + 8 * row, line)


@dataclass(frozen=True, slots=True)
class ConfirmChange(ChangeScreen[B], PagedText[B]):
    """Shows the effects of a change. OK: makes the change; DRAW: the next page. `by`: the seat
    whose keypad requested it (None for the box)."""

    row: Amend | Rewind
    parent: Screen[B] | None
    by: Seat | None = None

    @property
    def first(self) -> int:
        return self.row.to if isinstance(self.row, Rewind) else self.row.at

    def handle_ok(self, view: View[B]) -> Outcome[B]:
        """OK stores the change, and shows which chips are exchanged. If the change is refused, OK
        returns to the screen on which it was keyed."""
        amended = preview_change(view, self.row)
        if isinstance(amended, str):
            return Outcome(self.parent)
        return keep_and_move_chips(view, amended.journal.state, self.row)

    def back(self, _view: View[B]) -> Outcome[B]:
        return Outcome(self.parent)

    def title(self, _view: View[B]) -> str:
        return CHANGE_QUESTION

    def sentences(self, view: View[B]) -> tuple[str, ...]:
        """Returns the points before and after, then the other effects of the change; () if it is
        refused."""
        amended = preview_change(view, self.row)
        return () if isinstance(amended, str) else tuple(_effect_sentences(view, amended, self.row))

    def foot(self, _view: View[B]) -> tuple[str, ...]:
        return (phrase("OK: change  BACK: no"),)

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """Draws the effects of the change, or why it is refused."""
        refused = preview_change(view, self.row)
        if isinstance(refused, str):
            draw_title(canvas, CHANGE_QUESTION)
            draw_refusal(canvas, refused, phrase("OK: key it again"))
        else:
            PagedText.draw(self, view, canvas)


def _effect_sentences(view: View[B], amended: AmendedGame[B], row: Amend | Rewind) -> Iterator[str]:
    """Yields sentences about the points before and after, and the other effects of the change."""
    before, after = view.state, amended.journal.state
    for word, state in ((phrase("was"), before), (phrase("new"), after)):
        room = ROOM - text_width(f"{view.language.translate(word)} ") - 1
        yield listed([word, scores_line(state, view.language, room, ", ")], " ")
    if after.winners != before.winners:
        wins = counted("wins", "win", len(after.winners))
        winners = listed(map(display_name, after.winners), " & ")
        yield (
            phrase("Then {winners} {wins}.", winners=winners, wins=wins)
            if winners
            else phrase("Then nobody has won.")
        )
    for broken, number in dropped_with_calls(amended):
        yield _dropped_entry_sentence(view, broken, number)
    for judged in changed_verdicts(amended):
        yield phrase(
            "{call}: now {now}, was {was}.",
            call=view.play.describe_entry(judged.call, judged.state),
            now=judged.now,
            was=judged.was,
        )
    yield _first_invalid_entry(view, amended)
    yield from chips_to_move(view, after)
    if isinstance(row, Amend):
        yield from _changed_meanings(view, amended)


def _first_invalid_entry(view: View[B], amended: AmendedGame[B]) -> str:
    """Returns the sentence about the entries that the change drops: the first one that is no longer
    valid, why, and how many are dropped. If none is dropped, returns how many entries are taken
    back, or that nothing else changes."""
    number = amended.dropped - len(amended.gone)
    if amended.broken is None:
        return (
            phrase("{dropped} entries are taken back.", dropped=number)
            if number
            else phrase("Nothing else changes.")
        )
    return _dropped_entry_sentence(view, amended.broken, number)


def _dropped_entry_sentence(view: View[B], broken: InvalidEntry, number: int) -> str:
    """Returns the sentence about an entry that is no longer valid, how many entries are dropped
    with it, and why."""
    place, entry, why = broken
    after = next(state for at, _, state in view.game.newest_first() if at == place)
    gone = counted("goes", "{number} entries go", number)
    return phrase(
        "{in_words} is no longer possible and {gone}: {why}",
        in_words=view.play.describe_entry(entry, after),
        gone=gone,
        why=why.why,
    )


def _changed_meanings(view: View[B], amended: AmendedGame[B]) -> Iterator[str]:
    """Yields a line for each later entry of the hand that now pays differently, closes a call
    differently, or belongs to another seat."""
    for before, after in amended.held:
        if after.entry.deals:
            return
        now, was = _result_in_words(view, after.state), _result_in_words(view, before.state)
        words = view.play.describe_entry(after.entry, after.state)
        if after.entry.named_seat != before.entry.named_seat:
            yield listed([words, now], "  ")
        elif now != was:
            yield phrase(
                "{in_words}  {now} (was {was})", in_words=words, now=now or "0", was=was or "0"
            )


def _result_in_words(view: View[B], state: State[B]) -> str:
    """Returns what the last entry paid, and how it closed a call: “+50 bogus”."""
    calls = view.play.calls
    result = calls.result(state) if calls else ""
    return listed(filter(None, [what_it_paid(state), result]), " ")


# ---------------------------------------------------------------- amend
# Changing an earlier entry, which is keyed on the screens that the game had at that moment.


@dataclass(frozen=True, slots=True)
class AmendEntry(ChangeScreen[B]):
    """The table as it was before the entry at `place`. The keyed entry replaces that one or, with
    `insert`, is inserted before it.

    `then`: the game at that moment; `inner`: the screen that shows it (None for the one that fits
    that state). `by`: the seat whose keypad opened it (None for the box). `until`: the seat that
    made the entry; the forgotten turns of the seats before it are keyed first. `entries`: those
    keyed so far."""

    place: int
    insert: bool
    then: Journal[B]
    parent: Screen[B] | None
    inner: Screen[B] | None = None
    by: Seat | None = None
    until: Seat | None = None
    entries: tuple[Entry, ...] = ()

    @classmethod
    def journal_before(cls, view: View[B], place: int) -> Journal[B]:
        """The game as it was before the entry at `place`."""
        return view.game.fold(Rewind(place))

    def _view_then(self, view: View[B]) -> View[B]:
        return replace(view, journal=self.then)

    def _inner_screen(self, view: View[B]) -> Screen[B]:
        then = self._view_then(view)
        return self.inner or then.screen

    @property
    def first(self) -> int:
        return self.place

    @property
    def pending(self) -> bool:
        return self.inner is not None and self.inner.pending

    def keys(self, view: View[B]) -> tuple[Key, ...]:
        """Returns the keys of the inner screen, except for the menu and a call."""
        screen = self._inner_screen(view)
        none = (Key.MENU,) if screen.takes_bogus else (Key.MENU, Key.BOGUS)
        return tuple(key for key in screen.keys(self._view_then(view)) if key not in none)

    def joystick_keys(self, view: View[B]) -> frozenset[Key]:
        return self._inner_screen(view).joystick_keys(self._view_then(view))

    def repeats(self, view: View[B]) -> frozenset[Key]:
        return self._inner_screen(view).repeats(self._view_then(view))

    def press(self, view: View[B], key: Key) -> Outcome[B]:
        """Passes the key to the inner screen; the row that it would store becomes the change."""
        screen = self._inner_screen(view)
        outcome = screen.press(self._view_then(view), key)
        asks_back = outcome.screen is not None and outcome.screen.offers_undo
        if asks_back and self.entries:
            then = self.then.fold(Undo())
            return Outcome(replace(self, then=then, entries=self.entries[:-1], inner=None))
        if asks_back or key is Key.MENU:
            return Outcome(self.parent)
        if isinstance(outcome.row, Step):
            return Outcome(self._after_step(view, outcome.row))
        row = outcome.row if isinstance(outcome.row, Setting) else None
        return Outcome(replace(self, inner=outcome.screen), row)

    def _after_step(self, view: View[B], step: Step) -> Screen[B]:
        """Returns the screen for the next seat with a forgotten turn; after the last one, the
        screen that asks for confirmation."""
        entries = (*self.entries, *step.entries)
        if self.until is not None:
            then = self.then.fold(step)
            if then.state.to_move not in (None, self.until):
                return replace(self, then=then, entries=entries, inner=None)
        return change(view, Amend(self.place, entries, self.insert), self, self.by)

    def handle_hold(self, view: View[B], key: Key) -> Outcome[B]:
        """Passes the held key to the inner screen, where holding OK insists on a refused play."""
        outcome = self._inner_screen(view).handle_hold(self._view_then(view), key)
        if isinstance(outcome.row, Step):
            return Outcome(self._after_step(view, outcome.row))
        return Outcome(replace(self, inner=outcome.screen))

    def _changed_entry_line(self, view: View[B]) -> str:
        """Returns the line that names the entry which is replaced, or before which another is
        inserted. The inner screen shows only the entry before it."""
        entries = view.game.newest_first()
        entry, after = next((entry, after) for at, entry, after in entries if at == self.place)
        entry = entry.of(self.until) if self.until else entry
        words = view.play.describe_entry(entry, after)
        if self.insert:
            return phrase("BEFORE {entry}", entry=words)
        return phrase("INSTEAD OF {entry}", entry=words)

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """Draws the inner screen and, at the bottom, the entry that is replaced or before which
        another is inserted."""
        screen = self._inner_screen(view)
        screen.draw(self._view_then(view), canvas)
        if screen.shows_refusal:
            return  # a refusal shows there what to do
        canvas.fill(0, 56, WIDTH, 8, on=False)
        canvas.text(2, 56, self._changed_entry_line(view), room=WIDTH - 4)
        canvas.invert(0, 7, WIDTH)
