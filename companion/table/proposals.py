"""What a surface beside the box (a phone, say) proposes to the table, and the answers.

A proposal is an identity, a game, the hash of that game's last row as the surface knows it, and
entries as tally text, or another request. The loop (loop.py) asks in this order:

    is the identity known?      counted: answered as before; what did not count never will
    does the game stand there?  else: look again, with what came between
    is it a draw or a pass that another surface has just entered?   then: again?  (state.py)
    do the rules take it?       else: refused, in words
    does the disk take it?      else: refused, in words
    then all surfaces see it    and the answer is: counted, as row N

A surface, in a thread of its own, gets snapshots from the table's `tell` (table/snapshot.py), and
proposes what was keyed on one:

    identity = ProposalId("phone-3", snapshot.run, number)
    proposal = Proposal(identity, seat, snapshot.game, snapshot.tip, "Anna 6-3")
    answers = SimpleQueue()
    table.events.put(Request(proposal, answers.put))

An identity is made for one run of the table, and each surface counts its own upward. So one number
for each surface says which proposals can count no more. After a restart no proposal of an earlier
run can count unless the record already has it.
"""

import re
from collections.abc import Callable

from companion.core.seats import Seat
from companion.core.values import dataclass
from companion.record.requests import (
    RequestKind,
    RowRequest,
    Stands,
    row_of,
)
from companion.record.rows import Kept, Row

SURFACE = re.compile("[a-z][a-z0-9.-]{0,39}")
"""The form of a surface's name."""
HIGHEST = 2**53
"""Runs and numbers are below this: so far a page can count exactly."""
MOST_BETWEEN = 9
"""The most rows that LookAgain has of what came between."""


@dataclass(frozen=True, slots=True)
class ProposalId:
    """The identity of a proposal, unique for ever: its `surface`, the `run` of the table for which
    it was made, and its `number`. Each surface counts its own proposals upward, from 1."""

    surface: str
    run: int
    number: int

    def __post_init__(self) -> None:
        """Raises ValueError if a part can't be."""
        _check_surface(self.surface)
        if not (0 <= self.run < HIGHEST and 0 < self.number < HIGHEST):
            raise ValueError("a run or a number that can't be")

    def __str__(self) -> str:
        return f"{self.surface}/{self.run}/{self.number}"


def _check_surface(surface: str) -> None:
    if not SURFACE.fullmatch(surface):
        raise ValueError("a surface is named by small letters, digits, dots and dashes")


@dataclass(frozen=True, slots=True)
class Proposal:
    """Asks that these entries become one step of that game, or for something else by `kind`, as in
    record/requests.py. `game`: the game on the table when the proposal was keyed, 0 for none;
    `tip`: the hash of its last row then; `seat`: whose surface it is (None: nobody's in
    particular); `again`: the person who keys it was asked, and means it once more; `agreed_by`: who
    agreed to a ruling, as in Kept (record/rows.py)."""

    identity: ProposalId
    seat: Seat | None
    game: int
    tip: bytes
    text: str
    kind: RequestKind = RequestKind.ENTER
    at: int = 0
    again: bool = False
    later_turns: int = 0
    agreed_by: tuple[Seat, ...] | None = None

    @property
    def row_request(self) -> RowRequest:
        """The request to the record that the proposal makes."""
        return RowRequest(self.kind, self.text, self.at, self.later_turns)

    def row(self, stands: Stands) -> Row:
        """The row that does what is asked; raises EntryError."""
        return row_of(self.row_request, stands)


@dataclass(frozen=True, slots=True)
class Inquiry:
    """Asks what became of a proposal. If it has not counted by now, it never will; unless the
    inquiry only looks, as one of a page does that doesn't speak for that surface."""

    identity: ProposalId
    only_looks: bool = False


@dataclass(frozen=True, slots=True)
class ChipsMoved:
    """Somebody at that surface says that the chips are moved which were due since row `row` of the
    record. This gets no answer: all surfaces see it."""

    surface: str
    row: int

    def __post_init__(self) -> None:
        """Raises ValueError if the surface's name can't be."""
        _check_surface(self.surface)


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A phone has taken a seat that another one had, or while a call was open. This gets no answer:
    the box, the pages and the TV name it."""

    seat: Seat
    surface: str = "phones"


# ---------------------------------------------------------------- answers


@dataclass(frozen=True, slots=True)
class Counted:
    """The proposal counts: it is row `row` of the record."""

    row: int


@dataclass(frozen=True, slots=True)
class LookAgain:
    """The proposal did not count: the game has moved on. `between`: the rows that came since,
    oldest first; only the newest MOST_BETWEEN if there are more."""

    between: tuple[Kept, ...]


@dataclass(frozen=True, slots=True)
class AskedAgain:
    """The proposal did not count: another surface has entered the same, `kept`, a moment ago. If it
    is meant once more, the surface proposes it anew with `again`."""

    kept: Kept


@dataclass(frozen=True, slots=True)
class Refused:
    """The proposal did not count: the rules or the disk refuse it, for this reason."""

    why: str


@dataclass(frozen=True, slots=True)
class NotCounted:
    """The proposal did not count when it came, or had not come when it was asked for."""


@dataclass(frozen=True, slots=True)
class NotKnown:
    """Just now the record can't be asked whether the proposal counted. A later inquiry is answered;
    the proposal won't be tried again."""

    why: str


@dataclass(frozen=True, slots=True)
class NotCountedYet:
    """The proposal has not counted by now, and somebody who only looks doesn't end it."""


Answer = Counted | LookAgain | AskedAgain | Refused | NotCounted | NotCountedYet | NotKnown


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer, and the identity of the proposal that it is about."""

    identity: ProposalId
    answer: Answer


@dataclass(frozen=True, slots=True)
class Request:
    """What a surface puts on the loop's queue. `answer` is called once, in the loop: it must not
    block, and hands the answer to the surface's own thread."""

    what: Proposal | Inquiry | ChipsMoved | SeatTaken
    answer: Callable[[Answered], None]
