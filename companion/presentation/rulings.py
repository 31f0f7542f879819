"""What a row does to calls of bogus play and their rulings: the rulings of the table that it makes
or takes back, with the seats that have to agree, and what a change of earlier entries does to the
calls that follow.

Nobody rules alone in their own favour, or in their partner's. A ruling that clears the accused
needs the consent of the caller; one that finds the accused bogus, that of the accused or of a seat
not involved. Taking a ruling back needs the same consent as making the opposite ruling.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from companion.core.errors import EntryError, RuleError
from companion.core.seats import Seat
from companion.core.values import dataclass
from companion.games.bogus.calls import VerdictKind, verdict_of
from companion.games.entries import HasCaller, Ruled
from companion.games.game import AnyState, B, Entry
from companion.record.journal import Amended, Broken, Journal, Node
from companion.record.rows import Amend, Redo, Rewind, Row, Step, Undo


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
