"""The state of the table: the evening according to the record, how rows are added to it, from any
surface, and what the screens see of it."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import field, replace
from itertools import islice
from operator import is_not
from types import MappingProxyType

from companion.console.screen import EveningGame, PlayableGames, View
from companion.console.screens.set_up import SET_UP
from companion.core.box_page import BoxCheck, Phones
from companion.core.clock import Clock
from companion.core.club import Club
from companion.core.errors import EntryError, RuleError
from companion.core.keys import Key, is_pad
from companion.core.seats import COLOUR_NAMES, Seat
from companion.core.values import dataclass
from companion.games.game import AnyGame, AnyState, Entry
from companion.games.house_rules import Value
from companion.presentation.corrections import ChipsDue, chips_due_after
from companion.presentation.highlights import BestScores, best_scores, may_be_record
from companion.presentation.house_rule_words import game_to_resume
from companion.presentation.language import ENGLISH, Language, table_language, with_present_names
from companion.record.copies.restore import Offer
from companion.record.journal import Journal
from companion.record.names import removed_name
from companion.record.people.people import People, read_people
from companion.record.requests import RequestContext
from companion.record.rows import KeptRow, Opened, Redo, Renamed, Row, Setting, Step, Undo
from companion.record.settings import ENTRY_WAY, ON_TABLE, keypad_of, stars_of
from companion.record.store.database import DamagedError, StoreError
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from companion.table.snapshot import Snapshot

# ---------------------------------------------------------------- evening
# Earlier games, as far as screens need them: who won this evening, and who ever played.


RECENT_GAMES = 40
"""How many of the newest games are searched for names."""


class Evening(Mapping[str, int]):
    """Games won by each seat in the game `last` and the games before it on the same evening. They
    are counted on the first look, so that an evening's games need not be read at the start. A game
    that the evening `before` has counted is read again only if a row was added to it since."""

    def __init__(
        self,
        record: Reader | None = None,
        last: int | None = None,
        before: "Evening | None" = None,
    ) -> None:
        self._record, self._last = record, last
        self._games: tuple[EveningGame, ...] | None = None
        self._counted_games: dict[int, _CountedGame] = (
            {} if before is None else before._counted_games
        )

    def games(
        self, known: People, played: Journal[object] | None = None
    ) -> tuple[EveningGame, ...]:
        """The games of the evening, the oldest first, `played` (the one being played) last. People
        have their present names; those who are hidden are left out."""
        now = () if played is None else (_evening_game(played, played.state),)
        return tuple(_with_present_names(game, known) for game in (*self._read(), *now))

    def best_scores(self, name: str) -> BestScores:
        """The best scores of the games called `name` before the one that is played."""
        best = BestScores()
        for game in self._read():
            best = best.merged(game.bests) if game.game == name else best
        return best

    def _read(self) -> tuple[EveningGame, ...]:
        if self._games is None:
            kept = self._counted_games
            found = _games_of_evening(self._record, self._last, kept) if self._record else []
            self._games = tuple(reversed(found))
        return self._games

    def _counted(self) -> Mapping[str, int]:
        return Counter(seat for game in self._read() for seat in game.winners)

    def __getitem__(self, seat: str) -> int:
        return self._counted()[seat]

    def __iter__(self) -> Iterator[str]:
        return iter(self._counted())

    def __len__(self) -> int:
        return len(self._counted())


@dataclass(frozen=True, slots=True)
class _CountedGame:
    """A game as it was when its newest row had the hash `tip`. `game` is None if it was taken back;
    `before` is the number of the game before it on the same evening."""

    tip: bytes
    game: EveningGame | None
    before: int | None


def _games_of_evening(
    record: Reader, last: int | None, kept: dict[int, _CountedGame]
) -> list[EveningGame]:
    """The games of the evening, the newest first; games that have to be read are added to
    `kept`."""
    found = list[EveningGame]()
    seen = set[int]()
    # Earlier games that can't be read now must not stop the one that is played.
    with suppress(StoreError):
        while last is not None and last not in seen and _count_game(record, last, kept):
            seen.add(last)
            one = kept[last]
            if one.game is not None:
                found.append(one.game)
            last = one.before
    return found


def _count_game(record: Reader, number: int, kept: dict[int, _CountedGame]) -> bool:
    """Adds the game with that number to `kept`; returns False if there is none."""
    tip = record.tip(number)
    if number not in kept or kept[number].tip != tip:
        journal = record.game(number)
        if journal is None:
            return False
        game = None if journal.withdrawn else _evening_game(journal, journal.whole.state)
        kept[number] = _CountedGame(tip, game, journal.opened.evening)
    return True


def _evening_game(journal: Journal[object], state: AnyState) -> EveningGame:
    scores = {str(seat): score for seat, score in state.scores.items()}
    winners = tuple(map(str, state.winners))
    bests = best_scores(journal.whole.newest_first())
    return EveningGame(journal.game.title, scores, winners, journal.game.name, bests)


def _with_present_names(game: EveningGame, known: People) -> EveningGame:
    seen = {seat: known.name_of(seat) for seat in game.scores if not known.hides(seat)}
    scores = {name: game.scores[seat] for seat, name in seen.items()}
    winners = tuple(seen[seat] for seat in game.winners if seat in seen)
    return replace(game, scores=scores, winners=winners)


def first_game(record: Reader, number: int, before: int | None) -> int:
    """The first game of an evening: follows the chain from game `number` over the game `before` it
    (None: `number` is the first itself). If the record can't be read, the earliest one found."""
    try:
        while before is not None and before < number:
            number, listed = before, next(record.listed_game(before), None)
            before = listed.opened.evening if listed else None
    except StoreError:
        return number
    return number


def names_used(record: Reader, settings: Mapping[str, Value], known: People) -> tuple[str, ...]:
    """Names of people from the newest games, as they are called now, the most recent first; without
    names that were removed since, and without hidden people."""
    removed = {removed_name(setting): value for setting, value in settings.items()}
    return without_colours(
        player
        for listed in islice(record.newest_games(), RECENT_GAMES)
        for name in listed.opened.seats
        if (player := known.player(name))
        if all(listed.number > int(removed.get(one, 0)) for one in (name, player))
    )


def without_colours(names: Iterable[str]) -> tuple[str, ...]:
    """Each name once, without the colours, which are not people."""
    return tuple(dict.fromkeys(name for name in names if name not in COLOUR_NAMES))


# ---------------------------------------------------------------- session

SAME_EVENING_S = 6 * 3600
"""A game that comes after this many seconds without a row belongs to another evening."""
BOX = 0
"""The number under which settings are kept: they belong to no game."""

GAME_SETTINGS = frozenset({ENTRY_WAY})
"""Settings that hold only for the game in which they are made: every game begins without them."""


def settings_for_new_game(settings: Mapping[str, Value]) -> dict[str, Value]:
    return {name: value for name, value in settings.items() if name not in GAME_SETTINGS}


@dataclass(frozen=True, slots=True)
class TableSession:
    """The game on the table, and what goes with it. Each row that is kept makes a new session."""

    number: int | None = None
    journal: Journal[object] | None = None
    settings: Mapping[str, Value] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    known: People = field(default_factory=People)
    """The players behind the names of seats."""
    won: Evening = field(default_factory=Evening)
    game_after: bool = False
    """Whether the game after this one was taken back, and there was no entry since."""
    newest: int = 0
    """The number of the newest game of the record, taken back or not."""
    evening: int | None = None
    """The number of the game that a new one would follow on the same evening: the last one that was
    played since the box was switched on, or shortly before, if its clock is set."""
    tip: bytes = b""
    """The hash of the last row of the game that is played."""
    row: int = 0
    """The number of the record's newest row."""
    played: int = 0
    """The number of the newest row that belongs to a game."""
    played_at: float | None = None
    """When that row was kept, in seconds since 1970; None if the clock had not been set."""
    kept: KeptRow | None = None
    """The newest row, if it was kept since the record was opened."""
    since: int | None = None
    """The number of the evening's first game; looked for only if an entry is marked to be
    remembered."""
    due: ChipsDue | None = None
    """The chips that have to be moved because earlier entries were corrected."""
    taken_over: Seat | None = None
    """The seat that another phone has taken since the newest row."""

    @classmethod
    def resumed(cls, store: Store) -> "TableSession":
        """Builds the session from the record. If every game was taken back, the newest is on the
        table, so that a redo can bring it back. A damaged record is rebuilt first. Raises
        StoreError if it can't be rebuilt or read."""
        try:
            return cls._resumed(store)
        except DamagedError:
            store.mend()
            return cls._resumed(store)

    @classmethod
    def _resumed(cls, store: Store) -> "TableSession":
        settings, newest = store.settings(), store.newest_game()
        known, row = read_people(store), store.last_row()
        names = names_used(store, settings, known)
        played, at = store.last_game_row()
        bare = cls(
            settings=settings,
            names=names,
            known=known,
            newest=newest,
            row=row,
            played=played,
            played_at=at,
        )
        last = _game_put_on_table(store, settings) or store.last_game()
        if last is None and (journal := store.game(newest)):
            last = newest, journal
        if last is None:
            return bare
        gone = _next_was_taken_back(store, last[0])
        idle_s = store.seconds_since(last[0])
        evening = last[0] if idle_s is not None and idle_s < SAME_EVENING_S else None
        return replace(bare._with_game(store, *last), game_after=gone, evening=evening)

    @property
    def keypads(self) -> Mapping[str, Seat]:
        """The seat of each keypad, by its serial number; keypads without a seat are left out."""
        owned = ((keypad_of(name), value) for name, value in self.settings.items())
        return {keypad: Seat(str(seat)) for keypad, seat in owned if keypad and seat}

    def after(
        self, row: Row, store: Store, catalog: Mapping[str, AnyGame]
    ) -> tuple[int, "TableSession"]:
        """The number of the game to which `row` belongs, and the session with it. Doesn't write.
        Raises EntryError, RuleError or StoreError."""
        match row:
            case Setting() if row.name == ON_TABLE:
                return BOX, self._resumed_at(row, store)
            case Setting():
                settings = {**self.settings, row.name: row.value}
                names = tuple(name for name in self.names if name != removed_name(row.name))
                return BOX, replace(self, settings=settings, names=names)
            case Renamed():
                known = self.known.after(row)
                names = names_used(store, self.settings, known)
                return BOX, replace(self, known=known, names=names)
            case Opened():
                begun, number = Journal.begin(row, catalog), store.next_game_number()
                names = without_colours((*map(self.known.name_of, row.seats), *self.names))
                opened = self._with_game(store, number, begun)
                return number, replace(opened, names=names, newest=number)
            case Redo() if self.journal is None or self.journal.would_redo is None:
                return self._brought_back(store)
        if self.number is None or self.journal is None:
            raise RuleError("there is no game yet: open one first")
        journal = self.journal.fold(row)
        if journal.withdrawn and (older := store.previous(self.number)):
            evening = journal.opened.evening
            return self.number, replace(
                self._with_game(store, *older), game_after=True, evening=evening
            )
        undone = isinstance(row, Undo | Redo) and self.game_after
        after = replace(self, journal=journal, game_after=undone, evening=self.number)
        return self.number, after

    def with_row(self, kept: KeptRow, before: "TableSession") -> "TableSession":
        """This session, which came from `before` by the row `kept`, once that row is on the
        disk."""
        tip = kept.hash if kept.game == self.number else self.tip
        of_game = kept.game != BOX
        played, at = (kept.seq, kept.at) if of_game else (self.played, self.played_at)
        journal = self.journal
        if journal is not None and kept.game == self.number:
            journal = journal.with_author(kept.row, kept.author)
        stands = replace(self, tip=tip, row=kept.seq, kept=kept, played=played, played_at=at)
        stands = replace(stands, taken_over=None)
        return replace(stands, journal=journal)._with_chips_due(before, kept)

    def _with_chips_due(self, before: "TableSession", kept: KeptRow) -> "TableSession":
        """This session, with the chips that have to be moved after the row `kept`."""
        if kept.game == BOX and before.number == self.number:
            return self
        if before.number != self.number or before.journal is None or self.journal is None:
            return replace(self, due=None)
        due = chips_due_after(before.due, before.journal, kept, self.journal)
        return self if due is self.due else replace(self, due=due)

    def snapshot(self, run: int) -> Snapshot:
        """The session for readers in other threads."""
        settings = MappingProxyType(self.settings)
        stands = self.number, self.tip, self.journal
        without_colours = self.since, self.names, self.known
        played = self.played, self.played_at
        over = self.journal is not None and self.journal.state.finished
        evening = self.won.games(self.known, self.journal) if over else ()
        parts = *stands, settings, *without_colours, *played, evening
        return Snapshot(
            run,
            self.row,
            self.kept,
            *parts,
            due=self.due,
            taken_over=self.taken_over,
            earlier=self._earlier_bests(),
        )

    def _earlier_bests(self) -> BestScores | None:
        """The best scores of the evening's earlier games, which may have to be read from the
        record; None if nothing was scored now that has to beat them."""
        if self.journal is None or not may_be_record(self.journal):
            return None
        return self.won.best_scores(self.journal.game.name)

    def request_context(self, catalog: Mapping[str, AnyGame]) -> RequestContext:
        return RequestContext(self.journal, self.number, catalog, self.evening, self.names)

    def _resumed_at(self, row: Setting, store: Store) -> "TableSession":
        """The session with an unfinished game of the record on the table again, on the same
        evening. Raises RuleError if there is no such game."""
        number, journal = game_to_resume(store, row.value, self.number)
        chosen = replace(self, settings={**self.settings, row.name: row.value})
        return chosen._with_game(store, number, journal)

    def _brought_back(self, store: Store) -> tuple[int, "TableSession"]:
        """The number of the next game, which was taken back, and the session with it on the table
        again: the effect of a redo in a game that has nothing to redo. Raises RuleError if there is
        none."""
        found = store.next(self.number or 0)
        if found is None or not found[1].withdrawn:
            raise RuleError("there is nothing to redo")
        number, journal = found
        gone = _next_was_taken_back(store, number)
        return number, replace(
            self._with_game(store, number, journal.fold(Redo())), game_after=gone
        )

    def _with_game(self, store: Store, number: int, journal: Journal[object]) -> "TableSession":
        """The session with another game on the table, on the same evening."""
        won = Evening(store, journal.opened.evening, before=self.won)
        made = store.settings(since=number)
        mine = {name: made[name] for name in GAME_SETTINGS if name in made}
        before = journal.opened.evening if any(stars_of(self.settings)) else None
        return replace(
            self,
            number=number,
            journal=journal,
            settings=settings_for_new_game(self.settings) | mine,
            won=won,
            game_after=False,
            evening=number,
            tip=store.tip(number),
            since=first_game(store, number, before),
        )


def _game_put_on_table(
    store: Store, settings: Mapping[str, Value]
) -> tuple[int, Journal[object]] | None:
    """The game that was put on the table since the newest one was begun, with its number; None if
    there is none."""
    if ON_TABLE not in settings:
        return None
    number = store.settings(since=store.newest_game()).get(ON_TABLE)
    if not isinstance(number, int):
        return None
    journal = store.game(number)
    if journal is not None and journal.withdrawn:
        return store.previous(number)
    return None if journal is None else (number, journal)


def _next_was_taken_back(store: Store, game: int) -> bool:
    """Whether the game after `game` was taken back, and no entry was made since."""
    after = store.next(game)
    if after is None or not after[1].withdrawn:
        return False
    try:
        until = max(kept.seq for kept in store.rows(after[0]))
        rows = [kept.row for kept in store.rows(game) if kept.seq > until]
    except EntryError:
        return False  # what can't be read may have been an entry
    return all(isinstance(row, Undo | Redo) for row in rows)


# ---------------------------------------------------------------- state


DUPLICATE_WITHIN_S = 2.0
"""For how many seconds the same entry from another surface needs a confirmation."""


@dataclass(frozen=True, slots=True)
class Newest:
    """The newest row of a game, and when it was kept (monotonic seconds)."""

    kept: KeptRow
    at_s: float


class TableState:
    """The session over a record. A row is folded in memory (is it allowed?), kept on the disk, and
    only then counts.

    `clock` gives monotonic seconds. `left` is called when the game on the table is no longer as it
    was, so that a screen about it must be left. `mended` is called after a record was put together
    again, while something else may have been shown, with the reason if that failed (else None).
    """

    def __init__(
        self,
        store: Store,
        catalog: Mapping[str, AnyGame],
        clock: Clock,
        *,
        left: Callable[[], None],
        mended: Callable[[str | None], None],
    ) -> None:
        self.store, self._catalog, self._clock = store, catalog, clock
        self._left, self._mended = left, mended
        self.session = TableSession.resumed(store)
        self._newest: Newest | None = None
        """The newest row of a game that was kept since the start."""
        self._messages_shown = 0
        self.message: str | None = None
        """A message of the record, until the next key."""
        self.next_message()

    def keep(
        self,
        row: Row,
        source: str | None,
        keyed_by: Seat | None = None,
        agreed_by: tuple[Seat, ...] | None = None,
    ) -> KeptRow:
        """Keeps a row and goes on from it. If it raises EntryError, RuleError, StoreError or
        AlreadyKeptError, nothing has changed."""
        number, session = self._after(row)
        kept = self.store.keep(number, row, source, keyed_by, agreed_by)
        self.session = session.with_row(kept, self.session)
        if number != BOX:
            self._newest = Newest(kept, self._clock())
        self._next_message_if_any()
        return kept

    def _after(self, row: Row) -> tuple[int, TableSession]:
        """The number of the game that the row belongs to, and the session after it."""
        try:
            return self.session.after(row, self.store, self._catalog)
        except DamagedError:
            self.mend()
            return self.session.after(row, self.store, self._catalog)

    def possible_duplicate(self, row: Row, surface: str | None, own: Seat | None) -> KeptRow | None:
        """The earlier row that `row` may duplicate; None if there is none."""
        return find_possible_duplicate(row, surface, own, self._newest, self._clock())

    def take_over(self, offer: Offer) -> None:
        """Makes a stick's games the record, which has none. Raises StoreError."""
        try:
            self.store.take_over(offer)
        finally:
            self.session, self._newest = TableSession.resumed(self.store), None
        self.next_message()

    def mend(self) -> None:
        """Rebuilds a damaged record, and goes on from there."""
        trouble = None
        try:
            self.store.mend()
            self.read_anew()
        except StoreError as error:
            trouble = error.why
        self._next_message_if_any()
        self._mended(trouble)

    def read_anew(self) -> None:
        """Reads the session again from the record, which has rows that are not known here."""
        before, due = self.session.journal, self.session.due
        self.session = TableSession.resumed(self.store)
        now = self.session.journal
        if _people_and_entries(before) != _people_and_entries(now):
            self._left()
        else:
            self.session = replace(self.session, due=due)

    def chips_moved(self, row: int | None = None) -> None:
        """Notes that the chips which were due are moved. `row`: the row since which they were due
        when the surface saw it; if they are due since another row by now, nothing changes."""
        due = self.session.due
        if due is not None and row in (None, due.row):
            self.session = replace(self.session, due=None)

    def seat_taken(self, seat: Seat) -> None:
        """Notes that another phone has a seat now, which is news until the next row."""
        self.session = replace(self.session, taken_over=seat)

    def next_message(self) -> None:
        """Takes the next message of the record, if there is one."""
        waiting = self.store.messages[self._messages_shown :]
        self._messages_shown += bool(waiting)
        self.message = waiting[0] if waiting else None

    def _next_message_if_any(self) -> None:
        """Takes the next message of the record; if there is none, the one that is shown stays."""
        before = self.message
        self.next_message()
        self.message = self.message or before


def _people_and_entries(journal: Journal[object] | None) -> object:
    return journal and (journal.opened.seats, journal.entries)


def find_possible_duplicate(
    row: Row, surface: str | None, own: Seat | None, newest: Newest | None, now_s: float
) -> KeptRow | None:
    """The earlier row that `row` may duplicate; None if `row` is certainly a new entry. `surface`
    made it (None: the box's own keys), for the seat `own` (None: for everybody). An entry of a seat
    about itself is never a duplicate of another seat's."""
    if newest is None or now_s - newest.at_s > DUPLICATE_WITHIN_S or newest.kept.surface == surface:
        return None
    mine, before = _repeatable(row), _repeatable(newest.kept.row)
    if mine is None or before is None or mine.words != before.words:
        return None
    speaks_of_itself = own is not None and mine.named_seat == own
    return None if speaks_of_itself and before.named_seat != own else newest.kept


def _repeatable(row: Row) -> Entry | None:
    entries = row.entries if isinstance(row, Step) else ()
    return entries[0] if len(entries) == 1 and entries[0].repeatable else None


# ---------------------------------------------------------------- what the screens see


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What screens show besides the record: the `stuck` keys, the serial numbers of the seats'
    keypads that are `plugged_in`, how `phones` can join, the `club` with its round, and the result
    of the last check of the box."""

    stuck: tuple[Key, ...] = ()
    plugged_in: frozenset[str] = frozenset()
    phones: Phones | None = None
    club: Club | None = None
    box_check: BoxCheck | None = None


Parts = tuple[TableSession, str | None, Surroundings]
"""The parts of a view: the session, a message of the record, and what is shown besides."""


class Views:
    """Makes the view for the screens: the same object as long as its parts don't change.
    `switches_off` and `wired` as in Table (loop.py); the `language` is used until the table chooses
    one."""

    def __init__(
        self,
        store: Store,
        games: PlayableGames,
        *,
        switches_off: bool,
        wired: bool,
        language: Language = ENGLISH,
    ) -> None:
        self._language = language
        self._store = store
        self._games = games
        self._switches_off, self._wired = switches_off, wired
        self._seen: tuple[Parts, View[object]] | None = None
        """The last view, and the parts from which it was made."""

    def view(self, parts: Parts) -> View[object]:
        if self._seen is None or any_replaced(self._seen[0], parts):
            self._seen = parts, self._made_of(parts)
        return self._seen[1]

    def _made_of(self, parts: Parts) -> View[object]:
        session, message, around = parts
        seats, language = session.keypads, table_language(session.settings, self._language)
        return View(
            journal=session.journal,
            games=self._games,
            set_up=SET_UP,
            settings=session.settings,
            names=session.names,
            won=session.won,
            message=message,
            game_number=session.number,
            newest_game=session.newest,
            evening=session.evening,
            game_after=session.game_after,
            stuck=around.stuck,
            switches_off=self._switches_off,
            evening_games=lambda: session.won.games(session.known, session.journal),
            check_word=lambda: self._check_word(session.number),
            phones=around.phones,
            club=around.club,
            box_check=around.box_check,
            language=with_present_names(language, session.journal, session.known),
            keypads={keypad: seats.get(keypad) for keypad in self._for_seats(around.plugged_in)},
        )

    def _check_word(self, number: int | None) -> str:
        """The game's check word; empty if the record can't be read just now."""
        with suppress(StoreError):
            return "" if number is None else self._store.check_word(number)
        return ""

    def _for_seats(self, plugged_in: frozenset[str]) -> list[str]:
        """The keypads that seats may take; not a lone number pad on a box without keys, as it
        serves as the box's keys."""
        lone = not self._wired and len(plugged_in) == 1
        return [] if lone and all(map(is_pad, plugged_in)) else sorted(plugged_in)


def any_replaced(before: tuple[object, ...], now: tuple[object, ...]) -> bool:
    """Whether any of these values is another object than before. Most turns of the loop change
    nothing: a contact moves, a key comes up."""
    return any(map(is_not, before, now))
