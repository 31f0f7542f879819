"""The consequences of a row apart from scores: the rulings of the table that it makes or takes
back, and the seats that have to agree; and, if it corrects earlier entries, the calls that change
and the chips that people have to move.

No seat may rule alone in its own or its partner's favour. A ruling that clears the accused needs
the consent of the caller; one that finds the accused bogus needs that of the accused or of a seat
not involved. Taking a ruling back needs the same consent as making the opposite ruling."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from companion.core.errors import EntryError, RuleError
from companion.core.seats import Seat
from companion.core.values import Json, dataclass
from companion.games.bogus.calls import VerdictKind, verdict_of
from companion.games.chips import Chips, Pieces, find_exchange
from companion.games.entries import COUNTED, CallRuled, ChipsAudited, ChipsCorrected, HasCaller
from companion.games.game import AnyState, B, Entry
from companion.presentation.news import PHONE
from companion.presentation.payments import pieces_handed_over
from companion.presentation.sayings import say
from companion.record.journal import AmendedGame, ChangeKind, InvalidEntry, Journal, Node
from companion.record.rows import Amend, KeptRow, Redo, Rewind, Row, Step, Undo


class TableRuling(NamedTuple):
    """A ruling that the players made themselves on the call of `caller`."""

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
        """Returns the seats that benefit from the change, with their partners."""
        return frozenset(
            state.side_of(self.ruling.accused if self.favours_accused else self.ruling.caller)
        )

    def may_agree(self, state: AnyState) -> frozenset[Seat]:
        """Returns the seats that may give the consent; one of them is enough."""
        if self.favours_accused:
            return frozenset({self.ruling.caller})
        return frozenset(state.seats) - self.favoured(state)


def changed_rulings(journal: Journal[object] | None, row: Row) -> tuple[ChangedRuling, ...]:
    """Returns the rulings of the table that a row makes or takes back; none without a game, or if
    the row breaks the rules."""
    if journal is None:
        return ()
    if isinstance(row, Step):
        if not any(isinstance(entry, CallRuled) for entry in row.entries):
            return ()
    elif not isinstance(row, Undo | Redo | Amend | Rewind):
        return ()
    try:
        after = journal.fold(row)
    except (RuleError, EntryError):
        return ()
    now, then = _count_rulings(journal), _count_rulings(after)
    return (
        *(ChangedRuling(ruling, made=True) for ruling in then - now),
        *(ChangedRuling(ruling, made=False) for ruling in now - then),
    )


def open_caller(board: object) -> Seat | None:
    """Returns the caller of the open call of bogus play; None if no call is open."""
    return board.caller if isinstance(board, HasCaller) else None


def _count_rulings(journal: Journal[object]) -> Counter[TableRuling]:
    """Returns the rulings of the table in a game, and how often each was made."""
    found = Counter[TableRuling]()
    for entry, before in zip(journal.entries, (journal.start, *journal.states), strict=False):
        caller = open_caller(before.whole.board)
        if isinstance(entry, CallRuled) and caller is not None:
            found[TableRuling(entry.accused, caller, entry.bogus)] += 1
    return found


# ---------------------------------------------------------------- calls after a change


@dataclass(frozen=True, slots=True)
class ChangedVerdict:
    """A call whose verdict a change alters. `was` and `now` are the verdicts, `state` is the state
    right after the call."""

    call: Entry
    state: AnyState
    was: VerdictKind
    now: VerdictKind


def changed_verdicts(amended: AmendedGame[B]) -> Iterator[ChangedVerdict]:
    """Yields the calls whose verdict differs after the change. The verdicts compared are those
    after the last entry that belongs to the call."""
    for call, last_was, last_now in _kept_calls(amended):
        was, now = verdict_of(last_was.state), verdict_of(last_now.state)
        if was is not None and now is not None and was is not now:
            yield ChangedVerdict(call.entry, call.state, was, now)


def _kept_calls(amended: AmendedGame[B]) -> Iterator[tuple[Node[B], ...]]:
    """Yields three nodes for each call that the change keeps: the call after the change, and the
    last entry that belongs to it, as it was before the change and as it is after it."""
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


def dropped_with_calls(amended: AmendedGame[B]) -> Iterator[tuple[InvalidEntry, int]]:
    """Yields the first entry of each group that is dropped for one reason, with the number of
    entries in the group. The entry is a call that is dropped by itself, or answers a call that is
    gone."""
    reasons = list[int]()
    for place, entry, why in amended.gone:
        if id(why) not in reasons:
            number = sum(each is why for _, _, each in amended.gone)
            yield (place, entry, why), number
        reasons.append(id(why))


# ---------------------------------------------------------------- chips to move after a correction


class ChipMove(NamedTuple):
    """A move of chips in `payer`'s colour, worth `points`, from `payer` to `payee` or, with `back`,
    from `payee` back to `payer`. `over`: the pieces handed over; `change`: those given in
    return."""

    payer: Seat
    payee: Seat
    points: int
    back: bool
    over: Pieces
    change: Pieces


def chip_moves(was: Chips, now: Chips) -> list[ChipMove]:
    """Returns the moves that turn the stocks of `was` into those of `now`, returning chips
    first."""
    moves = []
    for seat, stock in now.stocks.items():
        held = was.stocks[seat]
        points = held.points - stock.points
        more, fewer = (held, stock) if points > 0 else (stock, held)
        if points:
            over, change = find_exchange(more, fewer)
            payee = now.payee_of(seat)
            moves.append(ChipMove(seat, payee, abs(points), points < 0, over, change))
    return sorted(moves, key=lambda move: not move.back)


@dataclass(frozen=True, slots=True)
class ChipsDue:
    """Chips that people have to move after corrections. They are shown until somebody confirms that
    they were moved. They are not in the record: after a restart `restored_chips_due` finds them
    again. `row`: the number of the newest row that is a correction, or of the record's newest row
    after a restart. `changes`: the chips before and after each correction, oldest first. `at_box`:
    whether the correction was made at the box, whose display has shown the moves. `restored`:
    whether the table has restarted since, so that they may have been moved already."""

    row: int
    changes: tuple[tuple[Chips, Chips], ...]
    at_box: bool = False
    restored: bool = False


def was_corrected_to_count(journal: Journal[Any]) -> bool:
    """Returns whether the last entry corrected the record to agree with counted chips. Those chips
    are never moved, even if the entry is taken back."""
    entry = journal.last
    return isinstance(entry, ChipsAudited) or (
        isinstance(entry, ChipsCorrected) and entry.reason == COUNTED
    )


def chips_due_after(
    due: ChipsDue | None, before: Journal[object], kept: KeptRow, after: Journal[object]
) -> ChipsDue | None:
    """Returns the chips to move after the row `kept`, which turned the game `before` into `after`.
    `due`: the chips that were to be moved before that row.

    A new entry adds none, because its own payments are shown. A new entry at the box also clears
    those of a correction that was made at the box, because the display has shown them."""
    row, at_box = kept.row, not (kept.surface or "").startswith(PHONE)
    if before.state.seats != after.state.seats or after.withdrawn:
        return None
    if isinstance(row, Step):
        ends = due is None or was_corrected_to_count(after) or (at_box and due.at_box)
        return None if ends else due
    was, now = before.game.chips(before.state), after.game.chips(after.state)
    if (
        was is None
        or now is None
        or was == now
        or not isinstance(row, Undo | Redo | Amend | Rewind)
    ):
        return due
    if isinstance(row, Undo) and was_corrected_to_count(before):
        return due
    changes = due.changes if due else ()
    if changes and changes[-1][1] == was:
        changes, was = changes[:-1], changes[-1][0]
    elif isinstance(row, Redo) and after.length == before.length + 1:
        return due  # redo restored one new entry, whose payments are shown with it
    changes = changes if was == now else (*changes, (was, now))
    return ChipsDue(kept.seq, changes, at_box) if changes else None


_CORRECTIONS = frozenset(
    {
        ChangeKind.PUT_IN,
        ChangeKind.CHANGED,
        ChangeKind.REMOVED,
        ChangeKind.REWOUND,
        ChangeKind.REWIND_TOOK,
    }
)


def restored_chips_due(journal: Journal[Any], row: int) -> ChipsDue | None:
    """Returns the chips to move after a restart, because of all corrections since the last new
    entry; None if there were none. After an undo they count as `at_box`, because the display shows
    the moves in its question and not again. `row`: the number of the record's newest row."""
    if journal.withdrawn:
        return None
    was, redo = journal, journal.next_redo
    at_box = redo is not None and redo.kind is not ChangeKind.REWIND_TOOK
    while was.next_redo is not None:
        was = was.fold(Redo())
        if was_corrected_to_count(was):
            return None
    while was.next_undo is not None and was.next_undo.kind in _CORRECTIONS:
        was = was.fold(Undo())
    if was is journal or was.state.seats != journal.state.seats:
        return None
    before, now = was.game.chips(was.state), journal.game.chips(journal.state)
    if before is None or now is None or before == now:
        return None
    return ChipsDue(row, ((before, now),), at_box, restored=True)


def moves_due(due: ChipsDue) -> Iterator[ChipMove]:
    """Yields all moves that are due, from the oldest correction to the newest."""
    for was, now in due.changes:
        yield from chip_moves(was, now)


def chip_move_json(journal: Journal[object], move: ChipMove) -> Json:
    """Returns a move as JSON: the sentence, such as “Blue gives Red back 15”, and its pieces."""
    key = "pays.back" if move.back else "pays"
    sentence = say(key, payer=move.payer, to=move.payee, points=move.points)
    colour = journal.colours[move.payer].lower() or None
    chips = pieces_handed_over(colour, move.over, move.change) if move.over else None
    return {**sentence, "chips": chips}


def chips_due_json(journal: Journal[object], due: ChipsDue) -> Json:
    """Returns the row number and the moves that are due as JSON, and whether they are `restored`
    after a restart (only if they are)."""
    moves = [chip_move_json(journal, move) for move in moves_due(due)]
    restored = {"restored": True} if due.restored else {}
    return {"row": due.row, "moves": moves, **restored}
