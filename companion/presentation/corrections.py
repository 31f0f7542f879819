"""What a row does besides scoring: rulings of the table that it makes or takes back, with the seats
that have to agree; and if it corrects earlier entries, what that does to the calls that follow, and
which chips people have to move.

Nobody rules alone in their own favour, or in their partner's. A ruling that clears the accused
needs the consent of the caller; one that finds the accused bogus, that of the accused or of a seat
not involved. Taking a ruling back needs the same consent as making the opposite ruling."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from companion.core.errors import EntryError, RuleError
from companion.core.seats import Seat
from companion.core.values import Json, dataclass
from companion.games.bogus.calls import VerdictKind, verdict_of
from companion.games.chips import Chips, Pieces, pieces_between
from companion.games.entries import COUNTED, Audited, Corrected, HasCaller, Ruled
from companion.games.game import AnyState, B, Entry
from companion.presentation.news import PHONE
from companion.presentation.payments import pieces_handed_over
from companion.presentation.sayings import say
from companion.record.journal import Amended, Broken, Journal, Node
from companion.record.rows import Amend, KeptRow, Redo, Rewind, Row, Step, Undo


class TableRuling(NamedTuple):
    """A ruling of the table on the call of `caller`."""

    accused: Seat
    caller: Seat
    bogus: bool


class ChangedRuling(NamedTuple):
    """A ruling that is made, or taken back (`made` False)."""

    ruling: TableRuling
    made: bool

    @property
    def favours_accused(self) -> bool:
        return self.made != self.ruling.bogus

    def favoured(self, state: AnyState) -> frozenset[Seat]:
        """Returns the seats that gain by the change; partners gain together."""
        return frozenset(
            state.side_of(self.ruling.accused if self.favours_accused else self.ruling.caller)
        )

    def may_agree(self, state: AnyState) -> frozenset[Seat]:
        """Returns the seats of which one has to agree to the change."""
        if self.favours_accused:
            return frozenset({self.ruling.caller})
        return frozenset(state.seats) - self.favoured(state)


def changed_rulings(journal: Journal[object] | None, row: Row) -> tuple[ChangedRuling, ...]:
    """Returns the rulings of the table that a row makes or takes back; none without a game, or if
    the rules refuse the row."""
    if journal is None:
        return ()
    if isinstance(row, Step):
        if not any(isinstance(entry, Ruled) for entry in row.entries):
            return ()
    elif not isinstance(row, Undo | Redo | Amend | Rewind):
        return ()
    try:
        after = journal.fold(row)
    except (RuleError, EntryError):
        return ()
    now, then = _rulings(journal), _rulings(after)
    return (
        *(ChangedRuling(ruling, made=True) for ruling in then - now),
        *(ChangedRuling(ruling, made=False) for ruling in now - then),
    )


def caller_on(board: object) -> Seat | None:
    """The seat whose call of bogus play is open on a game's board."""
    return board.caller if isinstance(board, HasCaller) else None


def _rulings(journal: Journal[object]) -> Counter[TableRuling]:
    """Returns the rulings of the table in a game, with how often each was made."""
    found = Counter[TableRuling]()
    for entry, before in zip(journal.entries, (journal.start, *journal.states), strict=False):
        caller = caller_on(before.whole.board)
        if isinstance(entry, Ruled) and caller is not None:
            found[TableRuling(entry.accused, caller, entry.bogus)] += 1
    return found


# ---------------------------------------------------------------- calls after a change


@dataclass(frozen=True, slots=True)
class ChangedVerdict:
    """A call whose verdict differs after a change. `was`, `now`: the verdicts; `state`: the state
    right after the call."""

    call: Entry
    state: AnyState
    was: VerdictKind
    now: VerdictKind


def changed_verdicts(amended: Amended[B]) -> Iterator[ChangedVerdict]:
    """Yields the calls whose verdict, after all entries that answer the call, differs after the
    change."""
    for call, last_was, last_now in _kept_calls(amended):
        was, now = verdict_of(last_was.state), verdict_of(last_now.state)
        if was is not None and now is not None and was is not now:
            yield ChangedVerdict(call.entry, call.state, was, now)


def _kept_calls(amended: Amended[B]) -> Iterator[tuple[Node[B], ...]]:
    """Yields for each call that the change keeps: the call, then the last entry that belongs to it,
    before and after the change."""
    found: tuple[Node[B], ...] = ()
    for was, now in amended.held:
        if was.state.effect.about is None:
            continue
        if now.entry.names_turn:
            if found:
                yield found
            found = (now, was, now)
        elif found:
            found = (found[0], was, now)
    if found:
        yield found


def dropped_with_calls(amended: Amended[B]) -> Iterator[tuple[Broken, int]]:
    """Yields each call that is dropped alone, and each first entry that no longer answers a call,
    with the number of entries that are dropped for the same reason."""
    reasons = list[int]()
    for place, entry, why in amended.gone:
        if id(why) not in reasons:
            number = sum(each is why for _, _, each in amended.gone)
            yield (place, entry, why), number
        reasons.append(id(why))


# ---------------------------------------------------------------- chips to move after a correction


class ChipMove(NamedTuple):
    """`points` of `payer`'s own chips that go to `payee`, or with `back` return from `payee`.
    `over`: the pieces handed over; `change`: the pieces returned for them."""

    payer: Seat
    payee: Seat
    points: int
    back: bool
    over: Pieces
    change: Pieces


def chip_moves(was: Chips, now: Chips) -> list[ChipMove]:
    """Returns the moves that bring the chips from the stocks in `was` to those in `now`; chips that
    return come first."""
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
    """Chips that people have to move after corrections. They are shown until somebody confirms that
    they were moved; the record doesn't keep them, so a restart ends it. `row`: the number of the
    newest row that is a correction. `changes`: the chips before and after each correction, the
    oldest first. `at_box`: it was made at the box, whose display shows which chips move."""

    row: int
    changes: tuple[tuple[Chips, Chips], ...]
    at_box: bool = False


def corrected_to_count(journal: Journal[Any]) -> bool:
    """Returns whether the last entry corrected the record to agree with counted chips. Such chips
    stay where they are, even if the entry is taken back."""
    entry = journal.last
    return isinstance(entry, Audited) or (isinstance(entry, Corrected) and entry.reason == COUNTED)


def chips_due_after(
    due: ChipsDue | None, before: Journal[object], kept: KeptRow, after: Journal[object]
) -> ChipsDue | None:
    """Returns the chips to be moved after the row `kept`, which turned the game `before` into
    `after`. `due`: those before it. A new entry adds none, since its own payments are shown. A new
    entry at the box clears those of a correction made at the box, since the display has shown
    them."""
    row, at_box = kept.row, not (kept.surface or "").startswith(PHONE)
    if before.state.seats != after.state.seats or after.withdrawn:
        return None
    if isinstance(row, Step):
        ends = due is None or corrected_to_count(after) or (at_box and due.at_box)
        return None if ends else due
    was, now = before.game.chips(before.state), after.game.chips(after.state)
    if (
        was is None
        or now is None
        or was == now
        or not isinstance(row, Undo | Redo | Amend | Rewind)
    ):
        return due
    if isinstance(row, Undo) and corrected_to_count(before):
        return due
    changes = due.changes if due else ()
    if changes and changes[-1][1] == was:
        changes, was = changes[:-1], changes[-1][0]
    elif isinstance(row, Redo) and after.length == before.length + 1:
        return due  # it is the newest entry again, and says itself what it pays
    changes = changes if was == now else (*changes, (was, now))
    return ChipsDue(kept.seq, changes, at_box) if changes else None


def moves_due(due: ChipsDue) -> Iterator[ChipMove]:
    """Yields all moves that are due, those of the oldest correction first."""
    for was, now in due.changes:
        yield from chip_moves(was, now)


def chip_move_json(journal: Journal[object], move: ChipMove) -> Json:
    """Returns a move as a sentence, “Blue gives Red back 15”, with its pieces."""
    key = "pays.back" if move.back else "pays"
    sentence = say(key, payer=move.payer, to=move.payee, points=move.points)
    colour = journal.colours[move.payer].lower() or None
    chips = pieces_handed_over(colour, move.over, move.change) if move.over else None
    return {**sentence, "chips": chips}


def chips_due_json(journal: Journal[object], due: ChipsDue) -> Json:
    """Returns the row and the moves that are due."""
    moves = [chip_move_json(journal, move) for move in moves_due(due)]
    return {"row": due.row, "moves": moves}
