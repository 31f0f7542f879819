"""The entries that came after a change, made again on the game as it then stands.

A call of bogus play names one draw or pass by its number. As soon as an earlier turn is put in or
taken out, the number would mean another turn; so the call stays with the draw or pass that it
named. If that is gone, only the call and its answers are dropped: the play of the hand went on
without them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic

from companion.core.errors import RuleError
from companion.games.entry import Entry
from companion.games.game import B, Game
from companion.record.versions import Broken, Node, Version

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
