"""What a surface beside the box (a phone, say) proposes to the table, and what it is answered.

A proposal is an identity, a game, the hash of that game's last row as the surface knows it, and
entries as tally text, or something else that is to be done. The loop asks in this order:

    is the identity known?      counted is answered as before; what did not count stays dead
    does the game stand there?  else: look again, with what came between
    is it a draw or a pass that another surface has just entered?   then: again?  (duplicates.py)
    do the rules take it?       else: refused, in words
    does the disk take it?      else: refused, in words
    then all surfaces see it    and the answer is: counted, as row N

A surface, in a thread of its own, gets snapshots from the table's `tell` (table/snapshot.py), and
proposes what was keyed on one:

    identity = ProposalId("phone-3", snapshot.run, number)
    proposal = Proposal(identity, seat, snapshot.game, snapshot.tip, "Anna 6-3")
    answers = SimpleQueue()
    table.events.put(Request(proposal, answers.put))

An identity is made for one run of the table, and a surface counts its own. So what is known of the
dead is one number a surface; and after a restart whatever the record does not hold is dead.
"""

import re
from collections.abc import Callable

from companion.core.seats import Seat
from companion.core.values import dataclass
from companion.record.requests import Deed, Stands, Wish, row_of
from companion.record.rows import Kept, Row

SURFACE = re.compile("[a-z][a-z0-9.-]{0,39}")
"""The name of a surface."""
HIGHEST = 2**53
"""Below it are runs and numbers: what a page can count."""
MOST_BETWEEN = 9
"""Rows that are told of what came between."""


@dataclass(frozen=True, slots=True)
class ProposalId:
    """Which proposal of which surface, made for which run of the table: unique for ever. A surface
    counts its own upward, from 1."""

    surface: str
    run: int
    number: int

    def __post_init__(self) -> None:
        """Raises ValueError."""
        if not SURFACE.fullmatch(self.surface):
            raise ValueError("a surface is named by small letters, digits, dots and dashes")
        if not (0 <= self.run < HIGHEST and 0 < self.number < HIGHEST):
            raise ValueError("a run or a number that can't be")

    def __str__(self) -> str:
        return f"{self.surface}/{self.run}/{self.number}"


@dataclass(frozen=True, slots=True)
class Proposal:
    """These entries are to be one step of that game, or its `deed` is to be done, as in
    record/requests.py. `game`: the game on the table when that was keyed, 0 for none; `tip`: the
    hash of its last row then; `seat`: whose surface it is (None: nobody's in particular); `again`:
    who keys it was asked, and means it once more."""

    identity: ProposalId
    seat: Seat | None
    game: int
    tip: bytes
    text: str
    deed: Deed = Deed.ENTER
    at: int = 0
    again: bool = False
    later_turns: int = 0

    @property
    def wish(self) -> Wish:
        """What it asks for."""
        return Wish(self.deed, self.text, self.at, self.later_turns)

    def row(self, stands: Stands) -> Row:
        """The row that it asks for; raises EntryError."""
        return row_of(self.wish, stands)


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What became of that proposal? If it did not count by now, it never will."""

    identity: ProposalId


# ---------------------------------------------------------------- answers


@dataclass(frozen=True, slots=True)
class Counted:
    """It is row `row` of the record."""

    row: int


@dataclass(frozen=True, slots=True)
class LookAgain:
    """It did not count: the game has moved on. `between`: what came since, oldest first; of more
    than MOST_BETWEEN rows the newest."""

    between: tuple[Kept, ...]


@dataclass(frozen=True, slots=True)
class AskedAgain:
    """It did not count: another surface has entered the same, `kept`, a moment ago. Who means it
    once more proposes it anew, and says so."""

    kept: Kept


@dataclass(frozen=True, slots=True)
class Refused:
    """It did not count: the rules or the disk refuse it, for this reason."""

    why: str


@dataclass(frozen=True, slots=True)
class NotCounted:
    """It did not count when it came, or never came before it was asked for."""


@dataclass(frozen=True, slots=True)
class NotKnown:
    """The record can't be asked now whether it counted. Who asks later is told; it won't be tried
    again."""

    why: str


Answer = Counted | LookAgain | AskedAgain | Refused | NotCounted | NotKnown


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer, and what it is about."""

    identity: ProposalId
    answer: Answer


@dataclass(frozen=True, slots=True)
class Request:
    """What a surface puts on the loop's queue. `answer` is called once, in the loop: it must not
    block, and hands what it gets to the surface's own thread."""

    what: Proposal | Inquiry
    answer: Callable[[Answered], None]
