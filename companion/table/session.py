"""The state of the table: the evening according to the record, how rows from any surface are added,
and the parts that screens see."""

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
from companion.presentation.corrections import ChipsDue, chips_due_after, restored_chips_due
from companion.presentation.highlights import BestScores, best_scores, may_be_record
from companion.presentation.house_rule_words import game_to_resume
from companion.presentation.language import ENGLISH, Language, table_language, with_present_names
from companion.record.copies.restore import Offer
from companion.record.journal import Journal
from companion.record.names import removed_name
from companion.record.people.people import People, read_people
from companion.record.requests import RequestContext
from companion.record.rows import GameOpened, KeptRow, PlayerRenamed, Redo, Row, Setting, Step, Undo
from companion.record.settings import ENTRY_WAY, ON_TABLE, keypad_of, stars_of
from companion.record.store.database import DamagedError, StoreError
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from companion.table.snapshot import Snapshot

# ---------------------------------------------------------------- evening
# Earlier games, as far as screens need them: the evening's winners, and names of earlier players.


RECENT_GAMES = 40
"""How many of the newest games are searched for names."""


class Evening(Mapping[str, int]):
    """The number of games that each seat has won on an evening, up to and including the game
    `last`. The games are counted when first needed, so that starting the table needn't read them. A
    game that the evening `before` has counted is read again only if a row was added to it since."""

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
        """The evening's games, oldest first; `played`, the current one, last. People have their
        present names, and hidden ones are left out."""
        now = () if played is None else (_evening_game(played, played.state),)
        return tuple(_with_present_names(game, known) for game in (*self._read_games(), *now))

    def best_scores(self, name: str) -> BestScores:
        """The best scores in the evening's earlier games called `name`."""
        best = BestScores()
        for game in self._read_games():
            best = best.merged(game.best_scores) if game.game == name else best
        return best

    def _read_games(self) -> tuple[EveningGame, ...]:
        if self._games is None:
            kept = self._counted_games
            found = _games_of_evening(self._record, self._last, kept) if self._record else []
            self._games = tuple(reversed(found))
        return self._games

    def _wins_by_seat(self) -> Mapping[str, int]:
        return Counter(seat for game in self._read_games() for seat in game.winners)

    def __getitem__(self, seat: str) -> int:
        return self._wins_by_seat()[seat]

    def __iter__(self) -> Iterator[str]:
        return iter(self._wins_by_seat())

    def __len__(self) -> int:
        return len(self._wins_by_seat())


@dataclass(frozen=True, slots=True)
class _CountedGame:
    """A game as counted when its newest row had the hash `tip`. `game` is None if it was taken
    back; `before` is the number of the game before it on the same evening."""

    tip: bytes
    game: EveningGame | None
    before: int | None


def _games_of_evening(
    record: Reader, last: int | None, kept: dict[int, _CountedGame]
) -> list[EveningGame]:
    """The evening's games, newest first. Games missing from `kept` are read and added to it."""
    found = list[EveningGame]()
    seen = set[int]()
    # Earlier games that can't be read now must not stop the one being played.
    with suppress(StoreError):
        while last is not None and last not in seen and _count_game(record, last, kept):
            seen.add(last)
            one = kept[last]
            if one.game is not None:
                found.append(one.game)
            last = one.before
    return found


def _count_game(record: Reader, number: int, kept: dict[int, _CountedGame]) -> bool:
    """Adds the game with this number to `kept`; returns False if there is none."""
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
    best = best_scores(journal.whole.newest_first())
    return EveningGame(journal.game.title, scores, winners, journal.game.name, best)


def _with_present_names(game: EveningGame, known: People) -> EveningGame:
    seen = {seat: known.name_of(seat) for seat in game.scores if not known.is_hidden(seat)}
    scores = {name: game.scores[seat] for seat, name in seen.items()}
    winners = tuple(seen[seat] for seat in game.winners if seat in seen)
    return replace(game, scores=scores, winners=winners)


def first_game(record: Reader, number: int, before: int | None) -> int:
    """The first game of the evening, found by following the chain of earlier games. `before`: the
    game before game `number` (None if `number` is the first). If the record can't be read, the
    earliest game found."""
    try:
        while before is not None and before < number:
            number, listed = before, next(record.iter_listed_game(before), None)
            before = listed.opened.evening if listed else None
    except StoreError:
        return number
    return number


def names_used(record: Reader, settings: Mapping[str, Value], known: People) -> tuple[str, ...]:
    """Names of people in the newest games, in their present form, the most recent first. Leaves out
    removed names and hidden people."""
    removed = {removed_name(setting): value for setting, value in settings.items()}
    return without_colours(
        player
        for listed in islice(record.newest_games(), RECENT_GAMES)
        for name in listed.opened.seats
        if (player := known.player(name))
        if all(listed.number > int(removed.get(one, 0)) for one in (name, player))
    )


def without_colours(names: Iterable[str]) -> tuple[str, ...]:
    """Each name once, leaving out colours, which are not people's names."""
    return tuple(dict.fromkeys(name for name in names if name not in COLOUR_NAMES))


# ---------------------------------------------------------------- session

SAME_EVENING_S = 6 * 3600
"""A game with no row for this many seconds belongs to an earlier evening than the next one."""
BOX = 0
"""The game number of settings, which belong to no game."""

GAME_SETTINGS = frozenset({ENTRY_WAY})
"""Settings that hold only for the game in which they are made."""


def settings_for_new_game(settings: Mapping[str, Value]) -> dict[str, Value]:
    return {name: value for name, value in settings.items() if name not in GAME_SETTINGS}


@dataclass(frozen=True, slots=True)
class TableSession:
    """The game on the table, with its settings and people. Each row that is kept makes a new
    session."""

    number: int | None = None
    journal: Journal[object] | None = None
    settings: Mapping[str, Value] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    known: People = field(default_factory=People)
    """Which player each name at a seat counts as, and which players are hidden."""
    won: Evening = field(default_factory=Evening)
    game_after: bool = False
    """Whether the next game was taken back, with no entry since."""
    newest: int = 0
    """The number of the record's newest game, taken back or not."""
    evening: int | None = None
    """The game that a new game would follow on the same evening: the last one played since the box
    was switched on, or shortly before if its clock is set. None if there is none."""
    tip: bytes = b""
    """The hash of the last row of the game on the table."""
    row: int = 0
    """The number of the record's newest row."""
    played: int = 0
    """The number of the newest row that belongs to a game."""
    played_at: float | None = None
    """When that row was kept, in seconds since 1970; None if the clock had not been set."""
    kept: KeptRow | None = None
    """The newest row, if it was kept since the record was opened."""
    since: int | None = None
    """The number of the evening's first game; looked up only if an entry has a star."""
    due: ChipsDue | None = None
    """The chips that still have to be moved after corrections of earlier entries."""
    taken_over: Seat | None = None
    """The seat that a phone has taken over since the newest row."""

    @classmethod
    def resumed(cls, store: Store) -> "TableSession":
        """Builds the session from the record. If every game was taken back, the newest is on the
        table, so that a redo can restore it. Rebuilds a damaged record first. Raises StoreError if
        it can't be rebuilt or read."""
        try:
            return cls._build_from_record(store)
        except DamagedError:
            store.repair()
            return cls._build_from_record(store)

    @classmethod
    def _build_from_record(cls, store: Store) -> "TableSession":
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
        last = _find_game_put_on_table(store, settings) or store.last_game()
        if last is None and (journal := store.game(newest)):
            last = newest, journal
        if last is None:
            return bare
        gone = _is_next_taken_back(store, last[0])
        idle_s = store.seconds_since(last[0])
        evening = last[0] if idle_s is not None and idle_s < SAME_EVENING_S else None
        goes_on = idle_s is None or evening is not None
        due = restored_chips_due(last[1], row) if goes_on else None
        return replace(bare._with_game(store, *last), game_after=gone, evening=evening, due=due)

    @property
    def keypads(self) -> Mapping[str, Seat]:
        """The seat of each keypad by serial number, without the keypads that have no seat."""
        owned = ((keypad_of(name), value) for name, value in self.settings.items())
        return {keypad: Seat(str(seat)) for keypad, seat in owned if keypad and seat}

    def after(
        self, row: Row, store: Store, catalog: Mapping[str, AnyGame]
    ) -> tuple[int, "TableSession"]:
        """The number of the game to which `row` belongs, and the session after it; writes nothing.
        Raises EntryError, RuleError or StoreError."""
        match row:
            case Setting() if row.name == ON_TABLE:
                return BOX, self._with_game_resumed(row, store)
            case Setting():
                settings = {**self.settings, row.name: row.value}
                names = tuple(name for name in self.names if name != removed_name(row.name))
                return BOX, replace(self, settings=settings, names=names)
            case PlayerRenamed():
                known = self.known.after(row)
                names = names_used(store, self.settings, known)
                return BOX, replace(self, known=known, names=names)
            case GameOpened():
                begun, number = Journal.begin(row, catalog), store.next_game_number()
                names = without_colours((*map(self.known.name_of, row.seats), *self.names))
                opened = self._with_game(store, number, begun)
                return number, replace(opened, names=names, newest=number)
            case Redo() if self.journal is None or self.journal.next_redo is None:
                return self._restore_next_game(store)
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
        """This session after `kept` was written to the disk. `before`: the session before that
        row."""
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
        """This session with the chips that are due after the row `kept`."""
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
        record; None if no score of this game could beat them."""
        if self.journal is None or not may_be_record(self.journal):
            return None
        return self.won.best_scores(self.journal.game.name)

    def request_context(self, catalog: Mapping[str, AnyGame]) -> RequestContext:
        return RequestContext(self.journal, self.number, catalog, self.evening, self.names)

    def _with_game_resumed(self, row: Setting, store: Store) -> "TableSession":
        """The session with an unfinished game of the record back on the table, on the same evening.
        Raises RuleError if there is no such game."""
        number, journal = game_to_resume(store, row.value, self.number)
        chosen = replace(self, settings={**self.settings, row.name: row.value})
        return chosen._with_game(store, number, journal)

    def _restore_next_game(self, store: Store) -> tuple[int, "TableSession"]:
        """Restores the next game, which was taken back, for a redo in a game that has no entry to
        redo. Returns its number, and the session with it on the table. Raises RuleError if there is
        no such game."""
        found = store.next(self.number or 0)
        if found is None or not found[1].withdrawn:
            raise RuleError("there is nothing to redo")
        number, journal = found
        gone = _is_next_taken_back(store, number)
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


def _find_game_put_on_table(
    store: Store, settings: Mapping[str, Value]
) -> tuple[int, Journal[object]] | None:
    """The game that was put on the table after the newest one was begun, with its number; None if
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


def _is_next_taken_back(store: Store, game: int) -> bool:
    """Whether the game after `game` was taken back, with no entry since."""
    after = store.next(game)
    if after is None or not after[1].withdrawn:
        return False
    try:
        until = max(kept.seq for kept in store.rows(after[0]))
        rows = [kept.row for kept in store.rows(game) if kept.seq > until]
    except EntryError:
        return False  # an unreadable row may have been an entry
    return all(isinstance(row, Undo | Redo) for row in rows)


# ---------------------------------------------------------------- state


DUPLICATE_WITHIN_S = 2.0
"""For how many seconds the same entry from another surface needs confirmation."""


@dataclass(frozen=True, slots=True)
class NewestRow:
    """The newest row of a game, and when it was kept, in monotonic seconds."""

    kept: KeptRow
    at_s: float


class TableState:
    """The session over a record. A row is folded in memory, which checks that it is allowed, then
    kept on the disk, and only then counts.

    `clock` returns monotonic seconds. `left` is called when the game on the table was replaced or
    changed, so that screens about it must be left. `repaired` is called after the record was
    rebuilt, during which something else may have been shown; its argument is the reason if that
    failed (else None).
    """

    def __init__(
        self,
        store: Store,
        catalog: Mapping[str, AnyGame],
        clock: Clock,
        *,
        left: Callable[[], None],
        repaired: Callable[[str | None], None],
    ) -> None:
        self.store, self._catalog, self._clock = store, catalog, clock
        self._left, self._repaired = left, repaired
        self.session = TableSession.resumed(store)
        self._newest: NewestRow | None = None
        """The newest row of a game that was kept since the start."""
        self._messages_shown = 0
        self.message: str | None = None
        """A message about the record, until the next key."""
        self.next_message()

    def keep(
        self,
        row: Row,
        source: str | None,
        keyed_by: Seat | None = None,
        agreed_by: tuple[Seat, ...] | None = None,
    ) -> KeptRow:
        """Keeps a row and makes it the newest. Raises EntryError, RuleError, StoreError or
        AlreadyKeptError; nothing has changed then."""
        number, session = self._session_after(row)
        kept = self.store.keep(number, row, source, keyed_by, agreed_by)
        self.session = session.with_row(kept, self.session)
        if number != BOX:
            self._newest = NewestRow(kept, self._clock())
        self._next_message_if_any()
        return kept

    def _session_after(self, row: Row) -> tuple[int, TableSession]:
        """The number of the game to which `row` belongs, and the session after it. If the record
        turns out to be damaged, it is rebuilt first."""
        try:
            return self.session.after(row, self.store, self._catalog)
        except DamagedError:
            self.repair()
            return self.session.after(row, self.store, self._catalog)

    def possible_duplicate(self, row: Row, surface: str | None, own: Seat | None) -> KeptRow | None:
        """Returns the earlier row that `row` may repeat; None if there is none."""
        return find_possible_duplicate(row, surface, own, self._newest, self._clock())

    def take_over(self, offer: Offer) -> None:
        """Replaces the empty record with a stick's games. Raises StoreError."""
        try:
            self.store.take_over(offer)
        finally:
            self.session, self._newest = TableSession.resumed(self.store), None
        self.next_message()

    def repair(self) -> None:
        """Rebuilds a damaged record, and continues with it."""
        trouble = None
        try:
            self.store.repair()
            self.reload()
        except StoreError as error:
            trouble = error.why
        self._next_message_if_any()
        self._repaired(trouble)

    def reload(self) -> None:
        """Reads the session again from the record, which has rows that this run doesn't know."""
        before, due = self.session.journal, self.session.due
        self.session = TableSession.resumed(self.store)
        now = self.session.journal
        if _people_and_entries(before) != _people_and_entries(now):
            self._left()
        else:
            self.session = replace(self.session, due=due)

    def chips_moved(self, row: int | None = None) -> None:
        """Notes that the chips due were moved. `row`: the row since which they were due when the
        surface showed it; if they are due since another row by now, nothing changes."""
        due = self.session.due
        if due is not None and row in (None, due.row):
            self.session = replace(self.session, due=None)

    def seat_taken(self, seat: Seat) -> None:
        """Notes that a phone has taken over a seat, which is shown until the next row."""
        self.session = replace(self.session, taken_over=seat)

    def next_message(self) -> None:
        """Shows the record's next message, or none if there is none."""
        waiting = self.store.messages[self._messages_shown :]
        self._messages_shown += bool(waiting)
        self.message = waiting[0] if waiting else None

    def _next_message_if_any(self) -> None:
        """Shows the record's next message; if there is none, leaves the current message."""
        before = self.message
        self.next_message()
        self.message = self.message or before


def _people_and_entries(journal: Journal[object] | None) -> object:
    return journal and (journal.opened.seats, journal.entries)


def find_possible_duplicate(
    row: Row, surface: str | None, own: Seat | None, newest: NewestRow | None, now_s: float
) -> KeptRow | None:
    """The earlier row that `row` may repeat; None if `row` is certainly a new entry. `surface`: its
    author (None for the box's own keys); `own`: that surface's seat (None if it serves all seats).
    A seat's entry about itself never repeats one about another seat."""
    if newest is None or now_s - newest.at_s > DUPLICATE_WITHIN_S or newest.kept.surface == surface:
        return None
    mine, before = _repeatable_entry(row), _repeatable_entry(newest.kept.row)
    if mine is None or before is None or mine.words != before.words:
        return None
    speaks_of_itself = own is not None and mine.named_seat == own
    return None if speaks_of_itself and before.named_seat != own else newest.kept


def _repeatable_entry(row: Row) -> Entry | None:
    entries = row.entries if isinstance(row, Step) else ()
    return entries[0] if len(entries) == 1 and entries[0].repeatable else None


# ---------------------------------------------------------------- what the screens see


@dataclass(frozen=True, slots=True)
class BoxState:
    """The state around the record that screens show: the `stuck` keys, the serial numbers of the
    seat keypads that are `plugged_in`, how `phones` can join, the `club` with its round, and the
    result of the last check of the box."""

    stuck: tuple[Key, ...] = ()
    plugged_in: frozenset[str] = frozenset()
    phones: Phones | None = None
    club: Club | None = None
    box_check: BoxCheck | None = None


Parts = tuple[TableSession, str | None, BoxState]
"""The parts of a view: the session, a message about the record, and the surroundings."""


class Views:
    """Makes the view for the screens; the same object until one of its parts changes.
    `switches_off`: whether holding MENU offers to switch the box off; `wired`: whether the box has
    keys of its own; the `language` is used until the table chooses one."""

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
        """The last view, with the parts that it was made from."""

    def view(self, parts: Parts) -> View[object]:
        if self._seen is None or differs_in_identity(self._seen[0], parts):
            self._seen = parts, self._make_view(parts)
        return self._seen[1]

    def _make_view(self, parts: Parts) -> View[object]:
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
            keypads={
                keypad: seats.get(keypad) for keypad in self._keypads_for_seats(around.plugged_in)
            },
        )

    def _check_word(self, number: int | None) -> str:
        """The game's check word; empty if the record can't be read now."""
        with suppress(StoreError):
            return "" if number is None else self._store.check_word(number)
        return ""

    def _keypads_for_seats(self, plugged_in: frozenset[str]) -> list[str]:
        """The keypads that seats may take. A number pad that replaces the keys of a box without
        keys is not one of them."""
        lone = not self._wired and len(plugged_in) == 1
        return [] if lone and all(map(is_pad, plugged_in)) else sorted(plugged_in)


def differs_in_identity(before: tuple[object, ...], now: tuple[object, ...]) -> bool:
    """Whether any of these values is a different object from before. Usually none is, as when a
    contact bounces or a key is released."""
    return any(map(is_not, before, now))
