"""All games of a record, counted for their players (quickly, if they were counted before), and the
evenings on which they were played.

An evening consists of the games between two breaks of six hours. Evenings are separated by the
clock if it was set and went forward; otherwise by the order of the games, and by whether the box
had noticed a break when a game was opened. A game that was left unfinished and continued later
belongs to the evening on which it was last played.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

from companion.core.clock import BREAK_S
from companion.core.errors import EntryError
from companion.core.values import dataclass
from companion.games.game import AnyGame, AnyState
from companion.players import cache
from companion.players.cache import BLOCK, CachedCounts, FileStamp
from companion.players.statistics import CountedGame, GameResult, SeatCounts, Statistics
from companion.record.fold import Fold, LossMark
from companion.record.people.people import PEOPLE_ROWS, People, people_of
from companion.record.repair.verify import Progress, Survey
from companion.record.rows import TELL_BOGUS, Row, RowsLost, Setting, decode_row
from companion.record.store.chain import by_game
from companion.record.store.database import ChainLink, StoreError
from companion.record.store.reader import Reader

# ---------------------------------------------------------------- evenings


@dataclass(frozen=True, slots=True)
class PlayedEvening:
    """The games of one evening, in the order in which they were played; at least one."""

    games: tuple[CountedGame, ...]

    @property
    def number(self) -> int:
        """The number that identifies the evening: that of its first game."""
        return self.games[0].number

    @property
    def numbers(self) -> frozenset[int]:
        """The numbers of its games."""
        return frozenset(game.number for game in self.games)

    @property
    def began_at(self) -> float | None:
        """When the evening began, in seconds since 1970; None if the clock was not set."""
        return next((game.begun for game in self.games if game.begun is not None), None)

    @property
    def ended_at(self) -> float | None:
        """When its last entry was made, in seconds since 1970; None if the clock was not set."""
        return max((game.played for game in self.games if game.played is not None), default=None)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of games played, each once."""
        return tuple(dict.fromkeys(game.game for game in self.games))

    def wins(self, people: People) -> dict[str, int]:
        """How many games each player of the evening has won, with the most wins first; a shared win
        counts for each winner."""
        won: Counter[str] = Counter()
        for game in self.games:
            won.update({name: 0 for seat in game.seats if (name := people.player(seat))})
            won.update(name for seat in game.winners if (name := people.player(seat)))
        return dict(won.most_common())

    def is_over(self, now: float | None) -> bool:
        """Whether the break since the last game is long enough to end the evening; False if the
        clock was not set."""
        last = self.games[-1].played
        return now is not None and last is not None and now - last >= BREAK_S


def evenings(games: Iterable[CountedGame]) -> list[PlayedEvening]:
    """Groups games into evenings, the oldest first; leaves out games that were taken back."""
    found: list[list[CountedGame]] = []
    for game in sort_by_playing_order([game for game in games if game.is_counted]):
        if found and _is_same_evening(found[-1][-1], game):
            found[-1].append(game)
        else:
            found.append([game])
    return [PlayedEvening(tuple(one)) for one in found]


def sort_by_playing_order(games: Sequence[CountedGame]) -> list[CountedGame]:
    """The games in the order in which they were played. That is the order of their numbers, except
    that an interrupted game comes where it was continued."""
    order = sorted((game for game in games if not game.resumed), key=lambda game: game.number)
    for game in sorted((game for game in games if game.resumed), key=lambda one: one.begun or 0):
        before = [place for place, other in enumerate(order) if _was_played_before(other, game)]
        order.insert(before[-1] + 1 if before else 0, game)
    return order


def _was_played_before(other: CountedGame, resumed: CountedGame) -> bool:
    if other.number < resumed.number:
        return True
    return None not in (other.begun, resumed.begun) and (other.begun or 0) <= (resumed.begun or 0)


def _is_same_evening(before: CountedGame, game: CountedGame) -> bool:
    if before.played is not None and game.begun is not None and game.begun >= before.played:
        return game.begun - before.played < BREAK_S
    return game.follows


# ---------------------------------------------------------------- history


@dataclass(frozen=True, slots=True)
class PlayersHistory:
    """All games of a record that can be shown, the oldest first, and the `people` behind their
    seats. `statistics`: the statistics of each kind of game, by its name."""

    games: tuple[CountedGame, ...]
    people: People
    reveals_uncalled: bool
    """Whether the house rules reveal bogus plays that were not called."""
    lost: int
    """How many games can't be shown."""
    statistics: Mapping[str, Statistics]

    @property
    def evenings(self) -> list[PlayedEvening]:
        """The games as evenings, the oldest first."""
        return evenings(self.games)

    def games_showing_uncalled(self, now: float | None) -> frozenset[int]:
        """The games whose uncalled bogus plays may be shown: those of evenings that are over at
        wall time `now`, if the house rules reveal them."""
        found = self.evenings if self.reveals_uncalled else []
        over = (one for one in found if one is not found[-1] or one.is_over(now))
        return frozenset(game.number for one in over for game in one.games)


def read_history(
    reader: Reader,
    cached_at: Path | None,
    statistics: Mapping[str, Statistics],
    progress: Progress = lambda _: None,
) -> PlayersHistory:
    """The history of a record's players. Games that were counted before come from the cache at
    `cached_at`, if it is current; new ones are added to it. Raises StoreError."""
    stamp: FileStamp | None = None
    with suppress(OSError):
        stamp = FileStamp.of(reader.path)
    cached = cache.load(cached_at) if cached_at is not None and stamp is not None else None
    if cached is not None and stamp is not None and cache.is_current(cached, reader, stamp):
        found = _add_new_rows(cached, reader, stamp, statistics)
    else:
        found = None
    if found is None:
        found = _count_everything(reader, stamp, statistics, progress)
    if cached_at is not None and stamp is not None and found is not cached and found.tip:
        cache.save(cached_at, found)
    return _history_from_cache(found, statistics)


def _history_from_cache(
    found: CachedCounts, statistics: Mapping[str, Statistics]
) -> PlayersHistory:
    rows = _decode_rows(found.box)
    settings = {row.name: row.value for row in rows if isinstance(row, Setting)}
    return PlayersHistory(
        tuple(sorted(found.games, key=lambda game: game.number)),
        people_of(row for row in rows if isinstance(row, PEOPLE_ROWS)),
        settings.get(TELL_BOGUS, "off") != "off",
        found.lost,
        statistics,
    )


def _decode_rows(box: Iterable[tuple[int, str]]) -> list[Row]:
    return [decode_row(text) for _, text in box]


def played_before(
    reader: Reader,
    cached_at: Path,
    statistics: Mapping[str, Statistics],
    progress: Progress = lambda _: None,
) -> frozenset[int]:
    """The numbers of the games that were counted without a fault and whose rows have not changed
    since. Compares the hash of each block of 1,000 rows, and ignores the files' times. Games that
    are not counted yet are counted first, if the cache can be written."""
    if reader.warnings:
        return frozenset()
    with suppress(StoreError):
        if os.access(cached_at.parent, os.W_OK):
            read_history(reader, cached_at, statistics, progress)
        cached = cache.load(cached_at)
        known = cached is not None and tuple(cache.blocks(reader, 0, cached.last)) == cached.blocks
        # A running table may have added rows meanwhile.
        if cached is not None and known and reader.last_row() == cached.last:
            return frozenset(game.number for game in cached.games if not game.doubtful)
    return frozenset()


# ---------------------------------------------------------------- everything


def _count_everything(
    reader: Reader,
    stamp: FileStamp | None,
    statistics: Mapping[str, Statistics],
    progress: Progress,
) -> CachedCounts:
    last, tip = reader.last_row(), b""
    games, firsts, lost = [], {}, 0
    on_table = reader.game_on_table()
    counted = partial(_first_and_count, statistics, on_table)
    for first, game in Survey(reader, counted, progress).games():
        if game is None:
            lost += 1
            continue
        games.append(game)
        firsts[game.number] = first
    whole = stamp is not None and not reader.warnings
    box = tuple(
        (link.seq, link.row)
        for link in reader.box_links()
        if link.seq <= last and _affects_counts(link)
    )
    if whole:
        tip = reader.hash_of(last) or b""
    hashes = tuple(cache.blocks(reader, 0, last)) if tip else ()
    counted_games = tuple(games)
    return CachedCounts(
        stamp or FileStamp((), ()), last, tip, hashes, firsts, box, counted_games, lost, on_table
    )


def _first_and_count(
    statistics: Mapping[str, Statistics], on_table: int, fold: Fold
) -> tuple[int, CountedGame | None]:
    return fold.first, count(fold, statistics, on_table)


def _affects_counts(link: ChainLink) -> bool:
    """Whether a row about the box affects the counts: one about people, lost rows, or showing bogus
    plays."""
    with suppress(EntryError):
        row = decode_row(link.row)
        return isinstance(row, (*PEOPLE_ROWS, RowsLost)) or (
            isinstance(row, Setting) and row.name == TELL_BOGUS
        )
    return False


# ---------------------------------------------------------------- new rows


def _add_new_rows(
    cached: CachedCounts, reader: Reader, stamp: FileStamp, statistics: Mapping[str, Statistics]
) -> CachedCounts | None:
    """The counts including the rows that were added since they were cached. Returns `cached` itself
    if there are none; None if everything has to be counted again."""
    new = list(reader.walk(cached.last + 1))
    if not new:
        return cached if cached.stamp == stamp else replace(cached, stamp=stamp)
    links = [item for item in new if isinstance(item, ChainLink)]
    if len(links) < len(new) or links[0].before != cached.tip:
        return None
    box = tuple((link.seq, link.row) for link in links if not link.game and _affects_counts(link))
    if any(isinstance(row, RowsLost) for row in _decode_rows(box)):
        return None
    firsts = dict(cached.firsts)
    for link in links:
        if link.game:
            firsts.setdefault(link.game, link.seq)
    on_table = reader.game_on_table()
    touched = {link.game for link in links if link.game}
    if on_table != cached.on_table:  # only the game on the table may hide a count
        touched |= {cached.on_table, on_table} & firsts.keys()
    games = {game.number: game for game in cached.games}
    lost = cached.lost
    for fold in _folds(reader, touched, firsts, _loss_marks(cached.box)):
        game = count(fold, statistics, on_table)
        if game is None:
            return None
        games[fold.number] = game
    last = links[-1]
    start = cached.last // BLOCK * BLOCK
    hashes = (*cached.blocks[: start // BLOCK], *cache.blocks(reader, start, last.seq))
    box, counted = (*cached.box, *box), (*games.values(),)
    return CachedCounts(stamp, last.seq, last.hash, hashes, firsts, box, counted, lost, on_table)


def _folds(
    reader: Reader, touched: set[int], firsts: Mapping[int, int], marks: tuple[LossMark, ...]
) -> Iterator[Fold]:
    """The folds of the games in `touched`, each from its first row."""
    if not touched:
        return
    catalog: Mapping[str, AnyGame] = reader.catalog
    folds = {number: Fold(number, catalog, marks) for number in touched}
    for number, item in by_game(reader.walk(min(firsts[number] for number in touched))):
        if number in folds:
            folds[number].add(item)
    yield from (fold.end() for fold in folds.values())


def _loss_marks(box: Iterable[tuple[int, str]]) -> tuple[LossMark, ...]:
    rows = ((seq, decode_row(text)) for seq, text in box)
    return tuple((seq, row) for seq, row in rows if isinstance(row, RowsLost))


def count(fold: Fold, statistics: Mapping[str, Statistics], on_table: int) -> CountedGame | None:
    """The counts of a game; None if the game can't be shown. `on_table`: the number of the
    game on the table, the only one that may still hide a count until it is called."""
    if fold.number != on_table:
        fold.reveal_all()
    journal, listed = fold.journal, fold.listed
    if journal is None or listed is None:
        return None
    opened, state = journal.opened, journal.state
    by_seat = {str(seat): SeatCounts() for seat in opened.seats}
    result = GameResult.WITHDRAWN if journal.withdrawn else result_of(state)
    if result is not GameResult.WITHDRAWN:
        statistics[opened.game].count(journal, by_seat)
    times = [listed.at, *fold.entered_at]
    return CountedGame(
        number=fold.number,
        game=opened.game,
        seats=tuple(opened.seats),
        opened=listed.at,
        begun=last_sitting(times),
        played=times[-1],
        follows=opened.evening is not None,
        entries=journal.length,
        result=result,
        winners=tuple(state.winners),
        scores=dict(state.scores.items()),
        by_seat=by_seat,
        doubtful=bool(fold.doubts),
        sides=tuple(map(tuple, state.sides)),
    )


def result_of(state: AnyState) -> GameResult:
    """How a game that was not taken back ended; OPEN if it hasn't ended."""
    if state.winners:
        return GameResult.WON
    return GameResult.ENDED if state.ended is not None else GameResult.OPEN


def last_sitting(times: Sequence[float | None]) -> float | None:
    """When the last sitting of a game began; None if the clock was not set then. `times`: when the
    game was opened, and when each entry was made. A sitting begins after a break of six hours, so a
    game that was left overnight and finished the next evening counts as played on that evening."""
    began = times[0]
    for before, at in pairwise(times):
        if before is None or (at is not None and at - before >= BREAK_S):
            began = at
    return began
