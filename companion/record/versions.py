"""The versions of a game: each stays as it is, and shares with the others what they have in common.

An entry is a node linked to the entry before it; a change keeps the version that it changed.
"""

from collections.abc import Iterator
from dataclasses import field, replace
from enum import StrEnum
from itertools import takewhile
from typing import Generic

from companion.core.errors import Refusal
from companion.core.values import dataclass
from companion.games.entry import Entry
from companion.games.game import B, Game, State
from companion.record.rows import Amend, Author, Opened, Rewind


# No equality by fields: comparing two long games would go as deep as they are long.
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Node(Generic[B]):
    """An entry, the state after it, and the node before it. `length`: the number of entries with
    this one; `author`: who made it, if a record tells."""

    entry: Entry
    state: State[B]
    before: "Node[B] | None"
    length: int
    author: Author | None = None


Broken = tuple[int, Entry, Refusal]
"""The place of an entry that no longer holds, the entry, and why."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Version(Generic[B]):
    """The game at one moment. `begun`: its first row, before any change of the turn order, with the
    names that the seats have now; `tip`: its last entry, None if it has none."""

    opened: Opened
    begun: Opened
    start: State[B]
    tip: Node[B] | None
    tried: dict[Entry, State[B]] = field(default_factory=dict, init=False)
    """The state after each entry that was tried here. It holds, as a version never changes."""
    state: State[B] = field(init=False)
    """The state after the last entry, as far as people may know it, and nothing else."""
    length: int = field(init=False)
    """How many entries it has."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "state", self._stands.as_shown)
        object.__setattr__(self, "length", self.tip.length if self.tip else 0)

    @property
    def _stands(self) -> State[B]:
        return self.tip.state if self.tip else self.start

    @property
    def whole(self) -> State[B]:
        """The state after the last entry with all that the rules know."""
        return self._stands.whole

    def nodes(self) -> Iterator[Node[B]]:
        """The nodes of its entries, the newest first."""
        node = self.tip
        while node:
            yield node
            node = node.before

    def since(self, place: int) -> list[Node[B]]:
        """The entries from `place` on, in the order in which they were made."""
        return list(takewhile(lambda node: node.length > place, self.nodes()))[::-1]

    def cut(self, length: int) -> "Version[B]":
        """This version without the entries from place `length` on."""
        return Version(self.opened, self.begun, self.start, self._node_before(length))

    def _node_before(self, length: int) -> Node[B] | None:
        """The last node of the first `length` entries; None if there is none."""
        node = self.tip
        while node and node.length > length:
            node = node.before
        return node

    def standing_at(self, state: State[B]) -> "Version[B]":
        """This version with `state` in place of the state after its last entry."""
        if self.tip:
            return replace(self, tip=replace(self.tip, state=state))
        return replace(self, start=state)

    def would_be(self, game: Game[B], entry: Entry) -> State[B]:
        """The state after one more entry, judged only by what people may know; raises what the
        rules raise."""
        if entry not in self.tried:
            self.tried[entry] = game.apply(self.state, entry)
        return self.tried[entry]

    def add(self, game: Game[B], entry: Entry, author: Author | None = None) -> "Version[B]":
        """The version with one entry more; raises RuleError."""
        tried = self.tried.get(entry) if self._stands.held_back is None else None
        state = tried or game.apply(self._stands, entry)
        said = state.effect.said or entry
        tip = Node(said, state, self.tip, self.length + 1, author)
        return Version(self.opened, self.begun, self.start, tip)

    def made_by(self, author: Author, first: int, number: int) -> "Version[B]":
        """This version with `author` as the author of `number` entries from place `first` on."""
        node = self._node_before(first)
        for later in self.since(first):
            who = author if later.length <= first + number else later.author
            node = replace(later, before=node, author=who)
        return Version(self.opened, self.begun, self.start, node)


class ChangeKind(StrEnum):
    """What a change did to the game."""

    ENTERED = "entered"
    PUT_IN = "put in"
    """Between earlier entries."""
    CHANGED = "changed"
    REMOVED = "removed"
    REWOUND = "rewound"
    REWIND_TOOK = "rewind took"
    """What a rewind took is there again."""
    RESEATED = "reseated"
    OTHER_PEOPLE = "other people"
    BEGUN = "begun"
    """This game was begun."""
    BEGUN_NEXT = "begun next"
    """The game after this one was begun."""


@dataclass(frozen=True, slots=True)
class WhatChanged:
    """What undo takes back, or redo does again; presentation/change_names.py names it."""

    kind: ChangeKind
    entry: Entry | None = None
    """The first entry that was entered or put in, or the one that was removed."""
    more: int = 0
    """How many more entries came with the first."""
    there: Entry | None = None
    """The earlier entry that was changed, that was rewound to, or before which entries were put
    in."""

    @property
    def first(self) -> Entry | None:
        """The first of the entries that the change added; None if it added none."""
        return self.entry if self.kind in (ChangeKind.ENTERED, ChangeKind.PUT_IN) else None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Change(Generic[B]):
    """A change, with the version to which its undo (or redo) leads. `below`: the change that can be
    undone (or redone) after that."""

    what: WhatChanged
    version: Version[B]
    below: "Change[B] | None"


def changed_at(row: Amend | Rewind, first: Node[B]) -> WhatChanged:
    """What the row changes; `first`: the earlier entry at its place."""
    there = first.entry
    match row:
        case Rewind():
            return WhatChanged(ChangeKind.REWOUND, there=there)
        case Amend(entries=()):
            return WhatChanged(ChangeKind.REMOVED, there)
        case Amend(insert=True):
            return WhatChanged(ChangeKind.PUT_IN, row.entries[0], there=there)
    return WhatChanged(ChangeKind.CHANGED, there=there)
