"""The state of a game after its rows. Pure functions: rows in, states out.

No version of the game is ever altered: an entry is a node linked to the entry before it, a change
keeps the version that it changed, and undo goes back to that version. So a step or an undo takes
the same time however long the game is, and redo has all it needs. After earlier entries were
changed, the later ones are entered again in the changed game.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from enum import StrEnum
from functools import lru_cache
from itertools import takewhile
from typing import Generic

from companion.core.errors import EntryError, Refusal, RuleError
from companion.core.seats import BySeat, Seat, Seats, seat_colours
from companion.core.values import dataclass
from companion.core.words import listed
from companion.games.game import (
    AnyGame,
    AnyState,
    B,
    Entry,
    Game,
    State,
    parse_entry,
    settle_options,
)
from companion.games.house_rules import Value
from companion.record import match
from companion.record.names import check_names, with_seats_renamed
from companion.record.rows import (
    COLOURS_WORD,
    Amend,
    Author,
    GameOpened,
    PeopleReplaced,
    Redo,
    Reseat,
    Rewind,
    Row,
    Step,
    Undo,
    colours_header,
)

# ---------------------------------------------------------------- versions


# No equality by fields: comparing two long games would recurse once for each entry.
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Node(Generic[B]):
    """An entry, the state after it, and the node before it. `length`: the number of entries up to
    this one; `author`: its author, if recorded."""

    entry: Entry
    state: State[B]
    before: "Node[B] | None"
    length: int
    author: Author | None = None


InvalidEntry = tuple[int, Entry, Refusal]
"""An entry that is no longer valid: its place, the entry, and the reason."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Version(Generic[B]):
    """A game after some of its entries. `begun`: its first row in the original turn order, with the
    present names of the seats; `tip`: the node of its last entry, None if it has none."""

    opened: GameOpened
    begun: GameOpened
    start: State[B]
    tip: Node[B] | None
    tried: dict[Entry, State[B]] = field(default_factory=dict, init=False)
    """The state after each entry that was tried on this version."""
    state: State[B] = field(init=False)
    """The state after the last entry, without what the players may not know yet."""
    length: int = field(init=False)
    """The number of entries."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "state", self._last_state.as_shown)
        object.__setattr__(self, "length", self.tip.length if self.tip else 0)

    @property
    def _last_state(self) -> State[B]:
        return self.tip.state if self.tip else self.start

    @property
    def whole(self) -> State[B]:
        """The state after the last entry, including what the players may not know yet."""
        return self._last_state.whole

    def nodes(self) -> Iterator[Node[B]]:
        """The nodes of its entries, newest first."""
        node = self.tip
        while node:
            yield node
            node = node.before

    def since(self, place: int) -> list[Node[B]]:
        """The nodes of the entries from `place` on, in order."""
        return list(takewhile(lambda node: node.length > place, self.nodes()))[::-1]

    def first_entries(self, length: int) -> "Version[B]":
        """This version with only its first `length` entries."""
        return Version(self.opened, self.begun, self.start, self._node_before(length))

    def _node_before(self, length: int) -> Node[B] | None:
        """The node of the last of the first `length` entries; None if there is none."""
        node = self.tip
        while node and node.length > length:
            node = node.before
        return node

    def with_state(self, state: State[B]) -> "Version[B]":
        """This version with another state after its last entry."""
        if self.tip:
            return replace(self, tip=replace(self.tip, state=state))
        return replace(self, start=state)

    def try_entry(self, game: Game[B], entry: Entry) -> State[B]:
        """The state after one more entry, judged only by what the players may know. Raises
        RuleError or EntryError."""
        if entry not in self.tried:
            self.tried[entry] = game.apply(self.state, entry)
        return self.tried[entry]

    def add(self, game: Game[B], entry: Entry, author: Author | None = None) -> "Version[B]":
        """This version with one more entry; raises RuleError."""
        tried = self.tried.get(entry) if self._last_state.held_back is None else None
        state = tried or game.apply(self._last_state, entry)
        said = state.effect.completed or entry
        tip = Node(said, state, self.tip, self.length + 1, author)
        return Version(self.opened, self.begun, self.start, tip)

    def with_author(self, author: Author, first: int, number: int) -> "Version[B]":
        """This version with `author` as the author of `number` entries, from place `first` on."""
        node = self._node_before(first)
        for later in self.since(first):
            who = author if later.length <= first + number else later.author
            node = replace(later, before=node, author=who)
        return Version(self.opened, self.begun, self.start, node)


class ChangeKind(StrEnum):
    """The kind of a change in a game."""

    ENTERED = "entered"
    PUT_IN = "put in"
    """Entries were put in between earlier ones."""
    CHANGED = "changed"
    REMOVED = "removed"
    REWOUND = "rewound"
    REWIND_TOOK = "rewind took"
    """The entries that a rewind took back are restored."""
    RESEATED = "reseated"
    OTHER_PEOPLE = "other people"
    BEGUN = "begun"
    """This game was begun; undo takes the whole game back."""
    BEGUN_NEXT = "begun next"
    """The next game was begun."""


@dataclass(frozen=True, slots=True)
class ChangeSummary:
    """A summary of what undo takes back or redo restores (worded by presentation/news.py)."""

    kind: ChangeKind
    entry: Entry | None = None
    """The first entry that was entered or put in, or the one that was removed."""
    more: int = 0
    """How many more entries came with the first."""
    earlier: Entry | None = None
    """The earlier entry that was changed or rewound to, or before which entries were put in."""

    @property
    def first(self) -> Entry | None:
        """The first entry that the change added; None if it added none."""
        return self.entry if self.kind in (ChangeKind.ENTERED, ChangeKind.PUT_IN) else None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Change(Generic[B]):
    """A change, with the version that its undo (or redo) restores. `below`: the next change to undo
    (or redo)."""

    summary: ChangeSummary
    version: Version[B]
    below: "Change[B] | None"


def summary_of(row: Amend | Rewind, first: Node[B]) -> ChangeSummary:
    """The summary of the change made by `row`; `first`: the earlier entry at the place of the
    change."""
    there = first.entry
    match row:
        case Rewind():
            return ChangeSummary(ChangeKind.REWOUND, earlier=there)
        case Amend(entries=()):
            return ChangeSummary(ChangeKind.REMOVED, there)
        case Amend(insert=True):
            return ChangeSummary(ChangeKind.PUT_IN, row.entries[0], earlier=there)
    return ChangeSummary(ChangeKind.CHANGED, earlier=there)


TurnOfHand = tuple[int, int]
"""The number of a hand, and of a turn in it."""


@dataclass(frozen=True, slots=True, eq=False)
class ReplayResult(Generic[B]):
    """The result of entering later entries again. `version`: the game with all entries that are
    still valid; `held`: each of these entries, before and after the change; `gone`: calls, and
    answers to them, that were dropped without dropping the entries after them; `broken`: the first
    other entry that is no longer valid, which was dropped with all later ones."""

    version: Version[B]
    held: tuple[tuple[Node[B], Node[B]], ...] = ()
    gone: tuple[InvalidEntry, ...] = ()
    broken: InvalidEntry | None = None


def replay(
    version: Version[B], game: Game[B], later: Sequence[Node[B]], places: int = 0
) -> ReplayResult[B]:
    """Enters the later entries again, up to the first that is no longer valid; the turns of the
    current hand move `places` seats to the left. Calls keep the turn number that they name."""
    return _Replay(game, version, places).replay(later)


# A call of bogus play names one draw or pass by its number. As soon as an earlier turn is put in or
# taken out, the number would mean another turn; so the call stays with the draw or pass that it
# named. If that is gone, only the call and its answers are dropped: play in the hand went on
# without them.
def replay_with_calls(
    version: Version[B],
    game: Game[B],
    later: Sequence[Node[B]],
    places: int,
    replaced: tuple[Node[B], Sequence[Node[B]]] | None,
) -> ReplayResult[B]:
    """Like `replay`, but calls follow the draws and passes that they name. `replaced`: the entry
    that was taken out, and the entries in its place; a call of the old entry then becomes a call of
    the same seat's first new turn."""
    again = _Replay(game, version, places, turns={})
    if replaced is not None:
        again.replace(*replaced)
    return again.replay(later)


@dataclass(slots=True)
class _Replay(Generic[B]):
    """Enters later entries again, one by one."""

    game: Game[B]
    version: Version[B]
    places: int
    turns: dict[TurnOfHand, TurnOfHand | None] | None = None
    """The new place of each old turn, None if the turn is gone. Without this dictionary, calls keep
    their turn numbers."""
    held: list[tuple[Node[B], Node[B]]] = field(default_factory=list)
    gone: list[InvalidEntry] = field(default_factory=list)
    _call_gone: RuleError | None = None
    """Why the call that is being answered was dropped."""

    def replace(self, old: Node[B], new: Sequence[Node[B]]) -> None:
        """Notes that the entries `new` have replaced `old`."""
        was = _turn_of(old)
        same = (
            node for node in new if node.entry.named_seat == old.entry.named_seat and _turn_of(node)
        )
        first = next(same, None)
        if was is not None and self.turns is not None:
            self.turns[was] = _turn_of(first) if first else None

    def replay(self, later: Sequence[Node[B]]) -> ReplayResult[B]:
        """Enters the later entries in order. Stops at the first that is no longer valid; but if
        calls follow their turns, an invalid call is merely dropped."""
        for node in later:
            entry = self._move_to_present_seat(node.entry)
            in_question = self.turns is not None and node.state.effect.about is not None
            try:
                after = self._add_call(node, entry) if in_question else self._add_entry(node, entry)
            except RuleError as refused:
                broken = node.length - 1, entry, refused
                if not in_question:
                    return ReplayResult(self.version, tuple(self.held), tuple(self.gone), broken)
                self.gone.append(broken)
                continue
            self._note_still_valid(node, after)
        return ReplayResult(self.version, tuple(self.held), tuple(self.gone))

    def _move_to_present_seat(self, entry: Entry) -> Entry:
        """Returns the entry, moved to the seat whose turn it is now. Turns after the next deal
        aren't moved."""
        if entry.deals:
            self.places = 0
        elif self.places and entry.in_turn and entry.named_seat is not None:
            return entry.of(self.version.opened.seats.moved(entry.named_seat, self.places))
        return entry

    def _add_entry(self, node: Node[B], entry: Entry) -> Version[B]:
        return self.version.add(self.game, entry, node.author)

    def _add_call(self, node: Node[B], entry: Entry) -> Version[B]:
        """Returns the game with a call added, which keeps naming the same draw or pass, or with an
        answer to a call that is still there. Raises RuleError."""
        if not entry.names_turn:
            if self._call_gone is not None:
                raise self._call_gone
            return self._add_entry(node, entry)
        self._call_gone = None
        try:
            return self._add_renumbered_call(node, entry)
        except RuleError as refused:
            self._call_gone = refused
            raise

    def _add_renumbered_call(self, node: Node[B], entry: Entry) -> Version[B]:
        was = node.state.effect
        assert self.turns is not None, "calls go with their turns"
        assert was.about is not None, "a call is about a turn"
        named = was.hand, was.about
        now = self.turns.get(named, named)
        if now is None:
            raise RuleError("the draw or pass that it was about is gone")
        after = self._add_entry(node, entry.with_turn(now[1]))
        effect = after.state.effect
        if (effect.hand, effect.about) != now:
            raise RuleError("the hand that it was about can't be called any more")
        return after

    def _note_still_valid(self, node: Node[B], after: Version[B]) -> None:
        """Adds an entry that is still valid, and notes its turn's new number."""
        assert after.tip is not None, "an entry was added"
        self.version = after
        self.held.append((node, after.tip))
        was = _turn_of(node)
        if was is not None and self.turns is not None:
            self.turns[was] = _turn_of(after.tip)


def _turn_of(node: Node[B]) -> TurnOfHand | None:
    """The turn in which the entry was made; None if it wasn't part of one."""
    effect = node.state.effect
    return None if effect.turn is None else (effect.hand, effect.turn)


# ---------------------------------------------------------------- reseating
# Changes who sits where in a game that is being played: another turn order (Reseat), or other
# people at its seats (PeopleReplaced). The game begins again with the new seats, and its entries
# are entered again.


def reseated(now: Version[B], game: Game[B], row: Reseat) -> ReplayResult[B]:
    """The game in the turn order of `row`. Raises RuleError if `row` has other seats."""
    opened = now.opened
    if sorted(row.seats) != sorted(opened.seats):
        raise RuleError(
            "the seats stay {seats}: only their order can change", seats=listed(opened.seats)
        )
    words = match.with_seats_reordered(opened.words, opened.seats, row.seats)
    again = _version_without_entries(game, replace(opened, seats=row.seats, words=words), now.begun)
    return replay(again, game, now.since(0))


def with_people(now: Version[B], game: Game[B], row: PeopleReplaced) -> ReplayResult[B]:
    """The game with other people at its seats, as named by `row`: all entries stay with their
    seats, and nothing else changes. Raises RuleError or EntryError."""
    opened = now.opened
    check_names(row.seats.order, game)
    if len(row.seats) != len(opened.seats):
        raise RuleError("name one person for each seat")
    if row.seats == opened.seats:
        raise RuleError("these people already sit there")
    names = {str(old): new for old, new in zip(opened.seats, row.seats, strict=True)}
    begun = _with_seats_named(now.begun, Seats.of(*(names[one] for one in now.begun.seats)))
    words = match.with_people_replaced(opened.words, opened.seats, row.seats)
    again = _version_without_entries(game, replace(opened, seats=row.seats, words=words), begun)
    later = [replace(node, entry=with_seats_renamed(node.entry, names)) for node in now.since(0)]
    return replay(again, game, later)


def _with_seats_named(begun: GameOpened, seats: Seats) -> GameOpened:
    """The game's first row `begun` with the names `seats`. Each seat keeps the colour of its
    chips."""
    said = colours_header(BySeat(seats, begun.colours.values)) if all(begun.colours.values) else ()
    words = match.with_people_replaced(begun.words, begun.seats, seats)
    words = tuple(one for one in words if one[0] != COLOURS_WORD)
    return replace(begun, seats=seats, words=(*words, *said))


def _version_without_entries(game: Game[B], opened: GameOpened, begun: GameOpened) -> Version[B]:
    """Returns the game before its first entry. `opened`: its first row in the present turn order;
    `begun`: the same row in the original turn order."""
    start = game.start(opened.seats, opened.options)._replace(rules=opened.rules)
    return Version(opened, begun, start, None)


# ---------------------------------------------------------------- journal

THIS_GAME = ChangeSummary(ChangeKind.BEGUN)
NEXT_GAME = ChangeSummary(ChangeKind.BEGUN_NEXT)


@dataclass(frozen=True, slots=True, eq=False)
class AmendedGame(Generic[B]):
    """The game after a change of earlier entries (`journal`), as a preview.

    `broken` is the first later entry that would no longer be valid, with its place in the present
    game and the reason; it and all entries after it would be dropped. `gone` are calls before it,
    and answers to them, that would be dropped without the entries after them. `dropped` is the
    number of all dropped entries. `held` are the later entries that remain valid, each before and
    after the change. If turns move to other seats, `broken` and `gone` have the new seats.
    """

    journal: "Journal[B]"
    broken: InvalidEntry | None
    dropped: int
    gone: tuple[InvalidEntry, ...] = ()
    held: tuple[tuple[Node[B], Node[B]], ...] = ()

    def places_to_move(self, *, deleted: bool) -> int:
        """How many seats to the left (negative: to the right) the later turns have to move so that
        the first of them belongs to the seat whose turn it is. Returns 0 if they needn't move, or
        if moving doesn't help. Takes the shorter way; if both are equally long, turns move right
        after an entry was `deleted`, otherwise left."""
        turn, state = self.broken, self.journal.state
        if (
            turn is None
            or not turn[1].in_turn
            or turn[1].named_seat is None
            or state.to_move is None
        ):
            return 0
        seats = state.seats
        places = seats.order.index(state.to_move) - seats.order.index(turn[1].named_seat)
        places %= len(seats)
        back = places - len(seats)
        return back if places and (-back, not deleted) < (places, deleted) else places


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Journal(Generic[B]):
    """A game with its undo and redo history. fold() returns a new Journal."""

    game: Game[B]
    withdrawn: bool
    """Whether the game itself was taken back, by an undo when no entry was left to take back."""
    _now: Version[B]
    _past: Change[B] | None = None
    _future: Change[B] | None = None
    _losses: tuple[int, ...] = ()
    """The places before which rows of the record are missing. Entries before the last such place
    can't be changed, because the missing rows may have changed them."""
    _previews: dict[Row, AmendedGame[B]] = field(default_factory=dict, init=False)
    """The results of previewed changes, as most of them are made afterwards."""
    state: State[B] = field(init=False)
    """The state after the last entry, without what the players may not know yet."""
    length: int = field(init=False)
    """The number of entries."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "state", self._now.state)
        object.__setattr__(self, "length", self._now.length)

    @classmethod
    def begin(cls, opened: GameOpened, catalog: Mapping[str, Game[B]]) -> "Journal[B]":
        """A game without entries. Options that `opened` leaves out get their defaults. Raises
        EntryError if there is no such game or option or a name can't be used, RuleError if the game
        can't be played with them."""
        if opened.game not in catalog:
            raise EntryError(
                "{game} is not a game here: {catalog}", game=opened.game, catalog=", ".join(catalog)
            )
        game, given = catalog[opened.game], tuple(opened.options.items())
        options, start = _settle_options_and_start(game, opened.seats, given)
        opened = replace(opened, options=options)
        _ = opened.match  # raises EntryError if its words can't be read
        begun = Version(opened, opened, start._replace(rules=opened.rules), None)
        return cls(game, False, begun)

    # ------------------------------------------------------------ the present game

    def __repr__(self) -> str:
        return f"<Journal of {self.opened.game}, {self.length} entries>"

    @property
    def opened(self) -> GameOpened:
        """The game's first row, with all options, in the present turn order."""
        return self._now.opened

    @property
    def begun(self) -> GameOpened:
        """The game's first row in the original turn order, with the names that the seats have
        now."""
        return self._now.begun

    @property
    def colours(self) -> BySeat[str]:
        """The colour of each seat's chips, which a change of the turn order leaves as it is."""
        return self.begun.colours.reseated(self.opened.seats)

    @property
    def seat_colours(self) -> BySeat[str]:
        """The colour in which each seat is shown: that of its chips or, with more seats than chip
        colours, one from a longer list (core/seats.py)."""
        return seat_colours(self.begun.colours).reseated(self.opened.seats)

    @property
    def start(self) -> State[B]:
        """The state before the first entry."""
        return self._now.start

    @property
    def holds_back(self) -> bool:
        """Whether the state contains something that the players may not know yet."""
        return self._now.whole is not self._now.state

    @property
    def whole(self) -> "Journal[B]":
        """The game including what the players may not know yet, so it must not be shown to them."""
        return (
            self
            if not self.holds_back
            else replace(self, _now=self._now.with_state(self._now.whole))
        )

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All present entries, in order."""
        return tuple(node.entry for node in self._now.nodes())[::-1]

    @property
    def last(self) -> Entry | None:
        """The last entry; None before the first."""
        return self._now.tip.entry if self._now.tip else None

    @property
    def states(self) -> tuple[State[B], ...]:
        """`states[i]` is the state after `entries[i]`, without what is still held back."""
        return tuple(state for _, _, state in self.newest_first())[::-1]

    def newest_first(self) -> Iterator[tuple[int, Entry, State[B]]]:
        """Yields (place, entry, state after it) lazily, newest first. Each state has what the
        players may know by now: they know a count once it was called, or once the next player has
        acted."""
        state, held = self.state, True
        for node in self._now.nodes():
            yield node.length - 1, node.entry, state
            if node.before is None:
                return
            held = held and node.state.held_longer
            before = node.before.state
            state = before.as_shown if held else before.whole

    @property
    def authors(self) -> Iterator[Author | None]:
        """Yields the author of each entry, newest first; None where none is recorded."""
        return (node.author for node in self._now.nodes())

    @property
    def next_undo(self) -> ChangeSummary | None:
        """The change that Undo would take back; None if there is none."""
        if self.withdrawn or (self._losses and not self._past):
            return None
        return self._past.summary if self._past else THIS_GAME

    @property
    def losses(self) -> tuple[int, ...]:
        """The places of the entries before which rows of the record are missing, ascending; from
        the first of them on the game is doubtful."""
        return self._losses

    @property
    def next_redo(self) -> ChangeSummary | None:
        """The change that Redo would restore; None if there is none."""
        return self._future.summary if self._future else None

    # ------------------------------------------------------------ folding

    def fold(self, row: Row) -> "Journal[B]":
        """The game after one more row. Raises RuleError if the row is refused, EntryError if this
        kind of row doesn't belong to a game."""
        match row:
            case Undo():
                return self._after_undo()
            case Redo():
                return self._after_redo()
            case Step():
                return self._after_step(row)
            case Amend() | Rewind() | Reseat() | PeopleReplaced():
                return self.amended(row).journal
        raise EntryError("a row of kind {kind} can't come inside a game", kind=type(row).__name__)

    def with_author(self, row: Row, author: Author) -> "Journal[B]":
        """The game after folding `row`, with `author` as the author of the row's entries."""
        match row:
            case Step(entries):
                first = self.length - len(entries)
            case Amend(first, entries) if entries:
                pass
            case _:
                return self
        return replace(self, _now=self._now.with_author(author, first, len(entries)))

    def completed(self, row: Row) -> Row:
        """The row with all open parts of its entries filled in, so that its meaning doesn't depend
        on later rules. Raises RuleError or EntryError, like fold()."""
        if isinstance(row, Step):
            if len(row.entries) == 1:  # try_entry caches the result for fold()
                said = self.try_entry(row.entries[0]).effect.completed
                return replace(row, entries=(said,)) if said else row
            return replace(row, entries=self.fold(row).entries[self.length :])
        if isinstance(row, Amend):
            after = self.amended(row).journal
            return replace(row, entries=after.entries[row.at : row.at + len(row.entries)])
        return row

    def try_entry(self, entry: Entry) -> State[B]:
        """The state after one more entry; cached, so that the rules need not judge the entry again
        when it is made. Raises RuleError or EntryError."""
        return self._now.try_entry(self.game, entry)

    def with_loss(self, seat: Seat | None) -> "Journal[B]":
        """The game after rows of it were lost: later entries count, but are doubtful. `seat`: the
        seat that makes the next entry, None if not known."""
        now = self._now
        now = now.with_state(self.game.after_loss(now.whole, seat))
        # A game that was taken back may have been restored in between.
        future = self._future if self.withdrawn else None
        losses = tuple(dict.fromkeys((*self._losses, self.length)))
        return replace(self, _now=now, _past=None, _future=future, _losses=losses)

    def with_state_before(self, entry: Entry) -> "Journal[B]":
        """Returns the game in a state that may accept `entry`. Its present state refuses the entry,
        which was made before the table knew that rows were lost."""
        return replace(
            self, _now=self._now.with_state(self.game.state_before(self._now.whole, entry))
        )

    def amended(self, row: Amend | Rewind | Reseat | PeopleReplaced) -> AmendedGame[B]:
        """A preview of the game after the row. Raises RuleError or EntryError."""
        if row not in self._previews:
            self._previews[row] = self._preview(row)
        return self._previews[row]

    def _preview(self, row: Amend | Rewind | Reseat | PeopleReplaced) -> AmendedGame[B]:
        self._refuse_withdrawn()
        now = self._now
        if isinstance(row, Reseat):
            self._refuse_across_loss(0)
            after = reseated(now, self.game, row)
            return self._amended_from_replay(ChangeSummary(ChangeKind.RESEATED), after)
        if isinstance(row, PeopleReplaced):
            self._refuse_across_loss(0)
            after = with_people(now, self.game, row)
            return self._amended_from_replay(ChangeSummary(ChangeKind.OTHER_PEOPLE), after)
        at = row.to if isinstance(row, Rewind) else row.at
        self._refuse_across_loss(at)
        if not 0 <= at < self.length:
            raise RuleError(
                "there is no entry {number}: the game has {length}",
                number=at + 1,
                length=self.length,
            )
        later = now.since(at)
        if isinstance(row, Rewind):
            what = summary_of(row, later[0])
            journal = self._with_change(what, now.first_entries(at))
            # A rewind is an undo of many entries: redo restores them.
            gone = Change(replace(what, kind=ChangeKind.REWIND_TOOK), now, None)
            return AmendedGame(replace(journal, _future=gone), None, len(later))
        if not row.entries and row.insert:
            raise EntryError("nothing to insert")
        new = now.first_entries(at)
        for entry in row.entries:
            self._check_written(entry, now.opened)
            new = new.add(self.game, entry)
        kept = later if row.insert else later[1:]
        if row.calls_stay:
            after = replay(new, self.game, kept, row.later_turns)
        else:
            replaced = None if row.insert else (later[0], new.since(at))
            after = replay_with_calls(new, self.game, kept, row.later_turns, replaced)
        return self._amended_from_replay(summary_of(row, later[0]), after)

    def _after_undo(self) -> "Journal[B]":
        self._refuse_withdrawn()
        if not self._past:
            self._refuse_across_loss(0)
            gone = Change(THIS_GAME, self._now, self._future)
            return replace(self, withdrawn=True, _future=gone)
        past = self._past
        again = replace(past, version=self._now, below=self._future)
        return replace(self, _now=past.version, _past=past.below, _future=again)

    def _after_redo(self) -> "Journal[B]":
        future = self._future
        if not future:
            raise RuleError("there is nothing to redo")
        if self.withdrawn:
            return replace(self, withdrawn=False, _future=future.below)
        back = replace(future, version=self._now, below=self._past)
        return replace(self, _now=future.version, _past=back, _future=future.below)

    def _after_step(self, row: Step) -> "Journal[B]":
        if not self._losses:
            self._refuse_withdrawn()
        if not row.entries:
            raise EntryError("nothing was entered")
        new = self._now
        for entry in row.entries:
            self._check_written(entry, new.opened)
            new = new.add(self.game, entry)
        self._now.tried.clear()  # frees the results of entries that were tried but not made
        more = len(row.entries)
        if row.joined and self._past:
            what = replace(self._past.summary, more=self._past.summary.more + more)
            past = replace(self._past, summary=what)
            return replace(self, _now=new, _past=past, _future=None)
        return self._with_change(ChangeSummary(ChangeKind.ENTERED, row.entries[0], more - 1), new)

    # ------------------------------------------------------------ parts

    def _refuse_withdrawn(self) -> None:
        if self.withdrawn:
            raise RuleError("this game was taken back: redo brings it back")

    def _refuse_across_loss(self, at: int) -> None:
        if self._losses and at < self._losses[-1]:
            raise RuleError("entries have been lost since: this can't be changed any more")

    def _check_written(self, entry: Entry, opened: GameOpened) -> None:
        """Raises EntryError unless the entry's text, the only form in which it is kept, reads back
        as the same entry."""
        text = str(entry)
        if "#" in text or parse_entry(text, self.game, opened.seats) != entry:
            raise EntryError("“{text}” can't be written down as one line of a tally", text=text)

    def _with_change(self, summary: ChangeSummary, new: Version[B]) -> "Journal[B]":
        past = Change(summary, self._now, self._past)
        return Journal(self.game, False, new, past, None, self._losses)

    def _amended_from_replay(
        self, summary: ChangeSummary, later: ReplayResult[B]
    ) -> AmendedGame[B]:
        dropped = len(later.gone) + (self.length - later.broken[0] if later.broken else 0)
        journal = self._with_change(summary, later.version)
        return AmendedGame(journal, later.broken, dropped, later.gone, later.held)


@lru_cache(maxsize=64)
def _settle_options_and_start(
    game: AnyGame, seats: Seats, given: tuple[tuple[str, Value], ...]
) -> tuple[Mapping[str, Value], AnyState]:
    """All options, and the state before the first entry; cached for games with the same options."""
    check_names(seats.order, game)
    options = settle_options(game, len(seats), {name: str(value) for name, value in given})
    return options, game.start(seats, options)
