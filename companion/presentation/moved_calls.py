"""What becomes of the calls of bogus play that follow when earlier entries are changed."""

from collections.abc import Iterator

from companion.core.values import dataclass
from companion.games.bogus.board import verdict_of
from companion.games.bogus.verdict import VerdictKind
from companion.games.entry import Entry
from companion.games.game import AnyState, B
from companion.record.journal import Amended
from companion.record.versions import Broken, Node


@dataclass(frozen=True, slots=True)
class JudgedAnew:
    """A call whose verdict differs after the change. `was`, `now`: the verdicts; `state`: the state
    right after the call."""

    call: Entry
    state: AnyState
    was: VerdictKind
    now: VerdictKind


def judged_anew(amended: Amended[B]) -> Iterator[JudgedAnew]:
    """The calls whose verdict, with all entries that answer the call, differs after the change."""
    for call, last_was, last_now in _calls(amended):
        was, now = verdict_of(last_was.state), verdict_of(last_now.state)
        if was is not None and now is not None and was is not now:
            yield JudgedAnew(call.entry, call.state, was, now)


def _calls(amended: Amended[B]) -> Iterator[tuple[Node[B], ...]]:
    """For each call that still stands after the change: the call, then the last entry that belongs
    to it, before and after the change."""
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


def gone_with_calls(amended: Amended[B]) -> Iterator[tuple[Broken, int]]:
    """Each call that is dropped alone, or each first entry that no longer answers a call, with the
    number of entries that are dropped for the same reason."""
    reasons = list[int]()
    for place, entry, why in amended.gone:
        if id(why) not in reasons:
            number = sum(each is why for _, _, each in amended.gone)
            yield (place, entry, why), number
        reasons.append(id(why))
