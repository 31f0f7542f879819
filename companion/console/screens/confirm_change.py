"""What a change of earlier entries would make of the game, shown before it is kept: the points,
which chips change hands, what each later entry then means, and the first one that no longer
holds."""

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from companion.console.frame import WIDTH, Canvas, draw_refusal, text_width
from companion.console.lists import ListScreen, draw_title
from companion.console.paged import ROOM, Paged
from companion.console.screen import Actions, Outcome, Screen, View
from companion.console.screens.chips_to_move import chips_to_move, then_move
from companion.console.words import scores_line, what_it_paid
from companion.core.errors import EntryError, RuleError
from companion.core.keys import Key
from companion.core.seats import Seat, shown
from companion.core.values import dataclass
from companion.core.words import counted, listed, phrase
from companion.games.game import B, State
from companion.presentation.rulings import gone_with_calls, judged_anew
from companion.record.journal import Amended
from companion.record.rows import Amend, Rewind
from companion.record.versions import Broken

TITLE = phrase("Make this change?")
NO_CHANGE = Amend(0, ())


def change(
    view: View[B], row: Amend | Rewind, parent: Screen[B] | None, by: Seat | None
) -> Screen[B]:
    """The screen that asks whether to make the change. If the change gives the next turn to another
    seat, and fewer entries are lost if the later turns move along, LaterTurns comes first. `by`:
    the seat whose keypad asked for the change (None: the box)."""
    amended = look(view, row)
    if isinstance(amended, Amended) and isinstance(row, Amend):
        places = amended.places_to_move(deleted=not row.entries)
        moved = look(view, replace(row, later_turns=places)) if places else None
        if isinstance(moved, Amended) and moved.dropped < amended.dropped:
            return LaterTurns(row=row, places=places, parent=parent, by=by,
                              lost=(moved.dropped, amended.dropped))  # fmt: skip
    return Confirm(row, parent, by)


class Changing(Screen[B]):
    """A screen on which an earlier entry is changed. Only the box and the seat `by`, whose keypad
    has begun the change, may press keys; all that matters is the game up to that entry."""

    __slots__ = ()
    owned: ClassVar = True
    corrects: ClassVar = True
    by: Seat | None

    @property
    def first(self) -> int:
        """The place of the earliest entry that is changed."""
        raise NotImplementedError

    def not_taken(self, view: View[B], seat: Seat | None, key: Key) -> str:
        if seat not in (None, self.by) and seat:
            return phrase("An earlier entry is being changed: {seat} waits.", seat=shown(seat))
        return Screen.not_taken(self, view, seat, key)

    def stands_on(self, view: View[B]) -> object:
        """The game up to that entry: the later ones are looked at anew."""
        return view.game_number, view.game.entries[: self.first + 1]


def look(view: View[B], row: Amend | Rewind) -> Amended[B] | str:
    """What the change would make of the game, or why it is refused."""
    try:
        return view.game.amended(row)
    except (RuleError, EntryError) as refused:
        return refused.why


@dataclass(frozen=True, slots=True)
class LaterTurns(Changing[B], ListScreen[B]):
    """Asks whether the later turns of the hand move to other seats, after one is put in or taken
    out. `places`: how many seats to the left they would move (negative: to the right). `lost`: how
    many entries are lost if they move, and if they stay. `by`: the seat whose keypad asks (None:
    the box)."""

    row: Amend = NO_CHANGE
    places: int = 0
    lost: tuple[int, int] = (0, 0)
    parent: Screen[B] | None = None
    by: Seat | None = None

    @property
    def first(self) -> int:
        return self.row.at

    def renewed(self, view: View[B]) -> Screen[B]:
        """The question asked anew: more turns may have followed."""
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
        return Outcome(Confirm(row, replace(self, at=at), self.by))

    def back(self, _view: View[B]) -> Outcome[B]:
        return Outcome(self.parent)

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """The two answers, and why it is asked: the turn that no longer holds if all stay."""
        ListScreen.draw(self, view, canvas)
        entries = view.game.amended(self.row)
        assert entries.broken is not None, "asked only where the next turn no longer holds"
        _, turn, why = entries.broken
        said = view.play.in_words(turn, entries.journal.state)
        text = canvas.language.put(phrase("{entry}: {why}.", entry=said, why=why.why))
        for row, line in enumerate(canvas.wrapped(text.replace("_", " "), WIDTH)[:3]):
            canvas.text(2, 32 + 8 * row, line)


@dataclass(frozen=True, slots=True)
class Confirm(Changing[B], Paged[B]):
    """Shows what a change would make of the game. OK: makes the change; DRAW: the next page. `by`:
    the seat whose keypad asked for it (None: the box)."""

    row: Amend | Rewind
    parent: Screen[B] | None
    by: Seat | None = None

    @property
    def first(self) -> int:
        return self.row.to if isinstance(self.row, Rewind) else self.row.at

    def accept(self, view: View[B]) -> Outcome[B]:
        """OK: keeps the change, and shows which chips change hands; if it is refused, back to where
        it was keyed."""
        amended = look(view, self.row)
        if isinstance(amended, str):
            return Outcome(self.parent)
        return then_move(view, amended.journal.state, self.row)

    def back(self, _view: View[B]) -> Outcome[B]:
        """BACK: changes nothing."""
        return Outcome(self.parent)

    def on(self) -> Actions[B]:
        return {Key.OK: self.accept, Key.BACK: self.back, Key.DRAW: self.more}

    def title(self, _view: View[B]) -> str:
        return TITLE

    def sentences(self, view: View[B]) -> tuple[str, ...]:
        """The points before and after, then what else the change brings; () if it is refused."""
        amended = look(view, self.row)
        return () if isinstance(amended, str) else tuple(_sentences(view, amended, self.row))

    def foot(self, _view: View[B]) -> tuple[str, ...]:
        return (phrase("OK: change  BACK: no"),)

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """What the change comes to, or why it is refused."""
        refused = look(view, self.row)
        if isinstance(refused, str):
            draw_title(canvas, TITLE)
            draw_refusal(canvas, refused, phrase("OK: key it again"))
        else:
            Paged.draw(self, view, canvas)


def _sentences(view: View[B], amended: Amended[B], row: Amend | Rewind) -> Iterator[str]:
    """The points before and after, and what else the change brings, in words."""
    before, after = view.state, amended.journal.state
    for word, state in ((phrase("was"), before), (phrase("new"), after)):
        room = ROOM - text_width(f"{view.language.put(word)} ") - 1
        yield listed([word, scores_line(state, view.language, room, ", ")], " ")
    if after.winners != before.winners:
        wins = counted("wins", "win", len(after.winners))
        winners = listed(map(shown, after.winners), " & ")
        yield (
            phrase("Then {winners} {wins}.", winners=winners, wins=wins)
            if winners
            else phrase("Then nobody has won.")
        )
    for broken, number in gone_with_calls(amended):
        yield _gone(view, broken, number)
    for judged in judged_anew(amended):
        yield phrase(
            "{call}: now {now}, was {was}.",
            call=view.play.in_words(judged.call, judged.state),
            now=judged.now,
            was=judged.was,
        )
    yield _first_broken(view, amended)
    yield from chips_to_move(view, after)
    if isinstance(row, Amend):
        yield from _meanings(view, amended)


def _first_broken(view: View[B], amended: Amended[B]) -> str:
    """The first entry that no longer holds, how many are dropped with it, and why; or how many are
    taken back, or that all else is kept."""
    number = amended.dropped - len(amended.gone)
    if amended.broken is None:
        return (
            phrase("{dropped} entries are taken back.", dropped=number)
            if number
            else phrase("All else is kept.")
        )
    return _gone(view, amended.broken, number)


def _gone(view: View[B], broken: Broken, number: int) -> str:
    """An entry that no longer holds, how many are dropped with it, and why."""
    place, entry, why = broken
    after = next(state for at, _, state in view.game.newest_first() if at == place)
    gone = counted("goes", "{number} entries go", number)
    return phrase(
        "{in_words} is no longer possible and {gone}: {why}",
        in_words=view.play.in_words(entry, after),
        gone=gone,
        why=why.why,
    )


def _meanings(view: View[B], amended: Amended[B]) -> Iterator[str]:
    """A line for each later entry of the hand that then pays something else, closes a call
    otherwise, or is another seat's."""
    for before, after in amended.held:
        if after.entry.deals:
            return
        now, was = _came_to(view, after.state), _came_to(view, before.state)
        words = view.play.in_words(after.entry, after.state)
        if after.entry.said_by != before.entry.said_by:
            yield listed([words, now], "  ")
        elif now != was:
            yield phrase(
                "{in_words}  {now} (was {was})", in_words=words, now=now or "0", was=was or "0"
            )


def _came_to(view: View[B], state: State[B]) -> str:
    """What the last entry paid, and how it closed a call: “+50 bogus”."""
    calls = view.play.calls
    result = calls.result(state) if calls else ""
    return listed(filter(None, [what_it_paid(state), result]), " ")
