"""The versions of a game: each stays as it is, and shares with the others what they have in common.

An entry is a node linked to the entry before it; a change keeps the version that it changed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Generic

from companion.errors import Refusal, RuleError
from companion.games.game import B, Entry, Game, State
from companion.record.rows import Amend, Author, Opened, Rewind


# No equality by fields: comparing two long games would go as deep as they are long.
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Node(Generic[B]):
    """An entry, the state after it, and the entry before it; `author`: who made it, if a record
    tells."""

    entry: Entry
    state: State[B]
    before: "Node[B] | None"
    length: int
    author: Author | None = None

    @property
    def where(self) -> str:
        """How its place is named: by the turn, or by the entry itself."""
        turn = self.state.effect.turn
        return f"turn {turn}" if turn else f"“{self.entry}”"


Broken = tuple[int, Entry, Refusal]
"""The place of an entry that no longer holds, the entry, and why."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Version(Generic[B]):
    """The game at one moment."""

    opened: Opened
    start: State[B]
    tip: Node[B] | None
    tried: dict[Entry, State[B]] = field(default_factory=dict, init=False)
    """What entries would come to that were tried: whatever is tried here, it always is the same."""
    state: State[B] = field(init=False)
    """Where the game stands: asked for all the time."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "state", self.tip.state if self.tip else self.start)

    @property
    def length(self) -> int:
        return self.tip.length if self.tip else 0

    def nodes(self) -> Iterator[Node[B]]:
        """Newest first."""
        node = self.tip
        while node:
            yield node
            node = node.before

    def since(self, place: int) -> list[Node[B]]:
        """The entries from `place` on, in the order in which they were made."""
        return list(takewhile(lambda node: node.length > place, self.nodes()))[::-1]

    def cut(self, length: int) -> "Version[B]":
        """The same without the entries from place `length` on."""
        node = self.tip
        while node and node.length > length:
            node = node.before
        return Version(self.opened, self.start, node)

    def standing_at(self, state: State[B]) -> "Version[B]":
        """The same, but standing at that state."""
        if self.tip:
            return replace(self, tip=replace(self.tip, state=state))
        return replace(self, start=state)

    def would_be(self, game: Game[B], entry: Entry) -> State[B]:
        """The state with one entry more; raises what the rules raise."""
        if entry not in self.tried:
            self.tried[entry] = game.apply(self.state, entry)
        return self.tried[entry]

    def add(self, game: Game[B], entry: Entry, author: Author | None = None) -> "Version[B]":
        """With one entry more; raises RuleError."""
        state = self.tried.get(entry) or game.apply(self.state, entry)
        said = state.effect.said or entry
        tip = Node(said, state, self.tip, self.length + 1, author)
        return Version(self.opened, self.start, tip)

    def made_by(self, author: Author, first: int, number: int) -> "Version[B]":
        """The same, `number` entries from place `first` on made by that author."""
        node = self.cut(first).tip
        for later in self.since(first):
            who = author if later.length <= first + number else later.author
            node = replace(later, before=node, author=who)
        return Version(self.opened, self.start, node)

    def with_later(
        self, game: Game[B], later: Sequence[Node[B]], places: int = 0
    ) -> "tuple[Version[B], Broken | None]":
        """With these later entries, until one no longer holds; the turns of the hand that is being
        played move so many places to the left."""
        new, seats = self, self.opened.seats
        for node in later:
            entry = node.entry
            if entry.deals:
                places = 0
            elif places and entry.in_turn and entry.said_by is not None:
                entry = entry.of(seats.moved(entry.said_by, places))
            try:
                new = new.add(game, entry, node.author)
            except RuleError as refused:
                return new, (node.length - 1, entry, refused)
        return new, None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Change(Generic[B]):
    """The version on the other side of a change, and the change before (or after) it. `words`
    names its first part, `more` says how many entries it has besides."""

    words: str
    more: int
    version: Version[B]
    below: "Change[B] | None"

    @property
    def label(self) -> str:
        return f"{self.words} and {self.more} more" if self.more else self.words


def words_of(row: Amend | Rewind, first: Node[B]) -> str:
    """How undo names a change: by the turn or the entry where it was made."""
    match row:
        case Rewind():
            return f"the rewind to {first.where}"
        case Amend(entries=()):
            return f"the removal of {first.entry}"
        case Amend(insert=True):
            return f"{row.entries[0]} put in at {first.where}"
    return f"the change of {first.where}"
