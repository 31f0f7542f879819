"""The chips that people have to move after earlier entries were corrected, because the payments
made before have been handed over already. They are shown until somebody says that they are moved.
The record doesn't keep them: a restart ends it."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from companion.core.seats import Seat
from companion.core.values import Json, dataclass
from companion.games.chips import Chips, Pieces, pieces_between
from companion.games.penalties import COUNTED, Audited, Corrected
from companion.presentation.news import PHONE
from companion.presentation.payments import chips_words, pieces_json
from companion.presentation.sayings import say
from companion.record.journal import Journal
from companion.record.rows import Amend, Kept, Redo, Rewind, Step, Undo


class ChipMove(NamedTuple):
    """`points` of `payer`'s own chips that go to `payee`, or with `back` come back from `payee`.
    `over`: the pieces handed over; `change`: the pieces given back for them."""

    payer: Seat
    payee: Seat
    points: int
    back: bool
    over: Pieces
    change: Pieces


def chip_moves(was: Chips, now: Chips) -> list[ChipMove]:
    """The moves that bring the chips from the stocks in `was` to those in `now`; chips that go back
    come first."""
    moves = []
    for seat, stock in now.stocks.items():
        held = was.stocks[seat]
        points = held.points - stock.points
        more, fewer = (held, stock) if points > 0 else (stock, held)
        if points:
            over, change = pieces_between(more, fewer)
            payee = now.payee_of(seat)
            moves.append(ChipMove(seat, payee, abs(points), points < 0, over, change))
    return sorted(moves, key=lambda move: not move.back)


@dataclass(frozen=True, slots=True)
class ChipsDue:
    """Chips that have to be moved. `changes`: the chips before and after each correction, the
    oldest first; `row`: the number of the newest row that is a correction; `at_box`: it was made at
    the box, whose display shows which chips move."""

    row: int
    changes: tuple[tuple[Chips, Chips], ...]
    at_box: bool = False


def as_counted(journal: Journal[Any]) -> bool:
    """Whether the last entry corrected the record to agree with chips that were counted. Such chips
    stay where they are, even if the entry is taken back."""
    entry = journal.last
    return isinstance(entry, Audited) or (isinstance(entry, Corrected) and entry.reason == COUNTED)


def due_after(
    due: ChipsDue | None, before: Journal[object], kept: Kept, after: Journal[object]
) -> ChipsDue | None:
    """The chips to be moved after the row `kept`, which turned the game `before` into `after`;
    `due`: those before it. A new entry adds none, since it says itself what it pays. One entered at
    the box after a correction made there clears them, since the display has shown which chips
    move."""
    row, at_box = kept.row, not (kept.surface or "").startswith(PHONE)
    if before.state.seats != after.state.seats or after.withdrawn:
        return None
    if isinstance(row, Step):
        ends = due is None or as_counted(after) or (at_box and due.at_box)
        return None if ends else due
    was, now = before.game.chips(before.state), after.game.chips(after.state)
    if (
        was is None
        or now is None
        or was == now
        or not isinstance(row, Undo | Redo | Amend | Rewind)
    ):
        return due
    if isinstance(row, Undo) and as_counted(before):
        return due
    changes = due.changes if due else ()
    if changes and changes[-1][1] == was:
        changes, was = changes[:-1], changes[-1][0]
    elif isinstance(row, Redo) and after.length == before.length + 1:
        return due  # it is the newest entry again, and says itself what it pays
    changes = changes if was == now else (*changes, (was, now))
    return ChipsDue(kept.seq, changes, at_box) if changes else None


def moves_due(due: ChipsDue) -> Iterator[ChipMove]:
    """All moves that are due, those of the oldest correction first."""
    for was, now in due.changes:
        yield from chip_moves(was, now)


def move_json(journal: Journal[object], move: ChipMove) -> Json:
    """A move in words, as in “Blue gives Red back 15”, and its pieces, as JSON."""
    said = "pays.back" if move.back else "pays"
    told = say(said, payer=move.payer, to=move.payee, points=move.points)
    chips: Json | None = None
    if move.over:
        parts = {"over": chips_words(move.over), "back": chips_words(move.change)}
        words = say("pays.chips", over=parts["over"])
        if move.change:
            words = say("pays.chips-change", **parts)
        chips = {
            "colour": journal.colours[move.payer].lower() or None,
            "over": pieces_json(move.over),
            "back": pieces_json(move.change),
            "said": words,
        }
    return {**told, "chips": chips}


def due_json(journal: Journal[object], due: ChipsDue | None) -> Json | None:
    """The moves that are due, as JSON; None if there are none."""
    if due is None:
        return None
    moves = [move_json(journal, move) for move in moves_due(due)]
    return {"row": due.row, "moves": moves}
