"""The versions of a game: each stays as it is, and shares with the others what they have in common.

An entry is a node linked to the entry before it; a change keeps the version that it changed, and
the entries that came after it are made again on the game as it then stands.
"""

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from enum import StrEnum
from itertools import takewhile
from typing import Generic

from companion.core.errors import Refusal, RuleError
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
    """What undo takes back, or redo does again; presentation/news.py names it."""

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


# A call of bogus play names one draw or pass by its number. As soon as an earlier turn is put in or
# taken out, the number would mean another turn; so the call stays with the draw or pass that it
# named. If that is gone, only the call and its answers are dropped: the play of the hand went on
# without them.
TurnOfHand = tuple[int, int]
"""The number of a hand, and of a turn of it."""


@dataclass(frozen=True, slots=True, eq=False)
class Later(Generic[B]):
    """What became of the later entries. `version`: the game with those that still hold; `held`:
    each of these before and after; `gone`: calls, and answers to them, that were dropped alone;
    `broken`: the first other entry that no longer holds; all after it were dropped with it."""

    version: Version[B]
    held: tuple[tuple[Node[B], Node[B]], ...] = ()
    gone: tuple[Broken, ...] = ()
    broken: Broken | None = None


def made_again(
    version: Version[B], game: Game[B], later: Sequence[Node[B]], places: int = 0
) -> Later[B]:
    """Enters the later entries again, until one no longer holds; the turns of the hand that is
    being played move `places` seats to the left. A call stays with the number that it names."""
    return _Again(game, version, places).all(later)


def made_again_with_calls(
    version: Version[B],
    game: Game[B],
    later: Sequence[Node[B]],
    places: int,
    replaced: tuple[Node[B], Sequence[Node[B]]] | None,
) -> Later[B]:
    """As `made_again`, but calls stay with their draws and passes. `replaced`: the entry that was
    taken out, and the entries in its place. A call of the old entry then becomes a call of the
    first new turn that the same seat took."""
    again = _Again(game, version, places, turns={})
    if replaced is not None:
        again.replace(*replaced)
    return again.all(later)


@dataclass(slots=True)
class _Again(Generic[B]):
    """The game with the entries that were made again so far."""

    game: Game[B]
    version: Version[B]
    places: int
    turns: dict[TurnOfHand, TurnOfHand | None] | None = None
    """The place of each turn now, by its place before; None: the turn is gone. Without a dictionary
    calls keep their numbers."""
    held: list[tuple[Node[B], Node[B]]] = field(default_factory=list)
    gone: list[Broken] = field(default_factory=list)
    _call_gone: RuleError | None = None
    """The reason why the call that is being answered is gone."""

    def replace(self, old: Node[B], new: Sequence[Node[B]]) -> None:
        """Notes that the entries `new` took the place of `old`."""
        was = _turn(old)
        same = (node for node in new if node.entry.said_by == old.entry.said_by and _turn(node))
        first = next(same, None)
        if was is not None and self.turns is not None:
            self.turns[was] = _turn(first) if first else None

    def all(self, later: Sequence[Node[B]]) -> Later[B]:
        """Enters the later entries one after the other and gives what became of them. Stops at the
        first that no longer holds; a call that no longer holds is only left out, if calls stay with
        their draws and passes."""
        for node in later:
            entry = self._moved(node.entry)
            in_question = self.turns is not None and node.state.effect.about is not None
            try:
                after = self._of_a_call(node, entry) if in_question else self._add(node, entry)
            except RuleError as refused:
                broken = node.length - 1, entry, refused
                if not in_question:
                    return Later(self.version, tuple(self.held), tuple(self.gone), broken)
                self.gone.append(broken)
                continue
            self._hold(node, after)
        return Later(self.version, tuple(self.held), tuple(self.gone))

    def _moved(self, entry: Entry) -> Entry:
        """The entry, moved to the seat whose turn it is now. A deal ends the moving."""
        if entry.deals:
            self.places = 0
        elif self.places and entry.in_turn and entry.said_by is not None:
            return entry.of(self.version.opened.seats.moved(entry.said_by, self.places))
        return entry

    def _add(self, node: Node[B], entry: Entry) -> Version[B]:
        return self.version.add(self.game, entry, node.author)

    def _of_a_call(self, node: Node[B], entry: Entry) -> Version[B]:
        """The game with a call, which stays with the draw or pass that it named, or with an answer
        to a call that is there. Raises RuleError."""
        if not entry.names_turn:
            if self._call_gone is not None:
                raise self._call_gone
            return self._add(node, entry)
        self._call_gone = None
        try:
            return self._called(node, entry)
        except RuleError as refused:
            self._call_gone = refused
            raise

    def _called(self, node: Node[B], entry: Entry) -> Version[B]:
        was = node.state.effect
        assert self.turns is not None, "calls go with their turns"
        assert was.about is not None, "a call is about a turn"
        named = was.hand, was.about
        now = self.turns.get(named, named)
        if now is None:
            raise RuleError("the draw or pass that it was about is gone")
        after = self._add(node, entry.naming(now[1]))
        effect = after.state.effect
        if (effect.hand, effect.about) != now:
            raise RuleError("the hand that it was about can't be called any more")
        return after

    def _hold(self, node: Node[B], after: Version[B]) -> None:
        """Notes an entry that holds, and where its turn is now."""
        assert after.tip is not None, "an entry was added"
        self.version = after
        self.held.append((node, after.tip))
        was = _turn(node)
        if was is not None and self.turns is not None:
            self.turns[was] = _turn(after.tip)


def _turn(node: Node[B]) -> TurnOfHand | None:
    """The turn that the entry made; None if it made none."""
    effect = node.state.effect
    return None if effect.turn is None else (effect.hand, effect.turn)
