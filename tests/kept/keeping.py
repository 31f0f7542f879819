"""Adds worked cases, random games, changes and settings to a record, as the loop would."""

from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from companion.core.errors import EntryError, RuleError
from companion.core.seats import Seat, Seats
from companion.games.entries import CountCalled
from companion.games.game import Entry, settle_options
from companion.games.line.line import TilePlayed
from companion.record.journal import Journal
from companion.record.rows import Amend, GameOpened, Redo, Reseat, Rewind, Row, Setting, Step, Undo
from companion.record.settings import seat_setting
from companion.record.store.store import Store
from companion.record.tally import play_tally, read_tally
from companion.table.session import BOX
from tests.catalog import GAMES
from tests.club_games import ClubEvening
from tests.playing import counted_in
from tests.random_games import Evening, Players

TALLIES = Path(__file__).parents[1] / "games", Path(__file__).parent / "cases"
"""The worked cases, and claims that another version might well judge differently."""
PADS = "e6614103e7452d2f", "e6614103e7450000"
NAMES = ("Ann", "Bob_B", "Åsa", "李")


class RecordFiller:
    """Adds rows as the loop does: only those that the rules allow, each applied to the game."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.number = 0
        self.journal: Journal[Any] | None = None
        self._presses = count(1)

    def open(self, row: GameOpened) -> None:
        """Begins a game."""
        self.number = self.store.next_game_number()
        self.journal = Journal.begin(row, GAMES)
        self.store.keep(self.number, row)

    def keep(self, row: Row, pad: str | None = None) -> bool:
        """Adds a row made at the keypad `pad`, or at the box. Returns False if the rules refuse
        it."""
        assert self.journal is not None
        try:
            self.journal = self.journal.fold(row)
        except (RuleError, EntryError):
            return False
        source = f"{pad}/7/{next(self._presses)}" if pad else None
        self.store.keep(self.number, row, source)
        return True


def keep_tallies(keeping: RecordFiller) -> None:
    """Adds the worked cases, entry by entry; each is a rematch of the previous one if possible."""
    last: GameOpened | None = None
    paths = [path for folder in TALLIES for path in sorted(folder.glob("*.tally"))]
    for number, path in enumerate(paths):
        tally = read_tally(path.read_text(), GAMES)
        again = last is not None and last.game == tally.opened.game
        after = keeping.number if again and number % 3 else None
        words = (("date", "2026-11-20"), ("table", path.stem)) if number % 2 else ()
        opened = replace(tally.opened, after=after, words=words, evening=keeping.number or None)
        keeping.open(opened)
        for played in play_tally(tally, GAMES):
            keeping.keep(Step(played.journal.entries[-1:]), PADS[number % 2])
        last = opened


class _Careless(Evening):
    """Players who draw and pass without need, but not before the first tile lies."""

    def take_turn(self, players: Players, seat: Seat) -> None:
        often, leads = self.cheating, players.line is None
        self.cheating = 0.0 if leads else often
        super().take_turn(players, seat)
        self.cheating = often


def keep_random(keeping: RecordFiller, name: str, given: dict[str, str], chance: Random) -> None:
    """Adds two or three hands of a game in which players draw and pass against the rules, and are
    called; plays are entered in any of the three ways."""
    largest = 28 // int(given.get("deal", "7"))
    players = chance.randint(2, min(4, largest))
    seats = Seats.of(*chance.sample(NAMES, players))
    game = GAMES[name]
    given = dict(given) if players == 2 or name != "high-five" else _fewer(given, players)
    calling = 0.1 if name == "high-five" else 0.0
    evening = _Careless(chance, name, seats, given, cheating=0.08, calling=calling)
    keeping.open(GameOpened(name, seats, settle_options(game, players, given)))
    way = chance.choice(("tile", "ends", "count", "mixed"))
    for _ in range(chance.randint(2, 3)):
        if not evening.state.finished:
            evening.play_hand()
    for entry, after in evening.played:
        told = entry
        how = chance.choice(("tile", "ends", "count")) if way == "mixed" else way
        if isinstance(entry, TilePlayed) and how != "tile":
            ends, points = counted_in(after).ends, counted_in(after).count
            told = (
                TilePlayed(entry.seat, ends=ends)
                if how == "ends"
                else TilePlayed(entry.seat, count=points)
            )
        _keep_somehow(keeping, told, entry)


def _fewer(given: dict[str, str], players: int) -> dict[str, str]:
    return {**given, "deal": str(min(int(given.get("deal", "5")), {3: 6, 4: 5}[players]))}


def _keep_somehow(keeping: RecordFiller, *ways: Entry) -> None:
    """Adds the first of these entries that the rules accept."""
    for entry in ways:
        if keeping.keep(Step((entry,)), PADS[keeping.number % 2]):
            break


def keep_changes(keeping: RecordFiller, chance: Random, changes: int) -> None:
    """Makes `changes` random changes of the newest game: undo, redo, and changes of earlier
    entries. At least half of its entries stay."""
    whole = keeping.journal.length if keeping.journal else 0
    for _ in range(changes):
        journal = keeping.journal
        assert journal is not None
        row = _some_change(journal, chance)
        try:
            after = journal.fold(row)
        except (RuleError, EntryError):
            continue
        if 2 * after.length >= whole or isinstance(row, Redo):
            keeping.keep(row, chance.choice((None, *PADS)))


def _some_change(journal: Journal[Any], chance: Random) -> Row:
    at = chance.randrange(journal.length)
    entry = chance.choice(journal.entries[max(0, at - 6) : at + 6])
    seats = list(journal.opened.seats)
    chance.shuffle(seats)
    return chance.choice(
        (
            Undo(),
            Redo(),
            Rewind(at),
            Reseat(Seats.of(*seats)),
            Amend(at, ()),
            Amend(at, (entry,)),
            Amend(at, (journal.entries[at],)),
            Amend(at, (entry,), insert=True),
            Amend(at, (entry,), insert=True, later_turns=chance.choice((-1, 1, 2))),
            Amend(at, (), later_turns=chance.choice((-1, 1))),
            Step((entry,)),
            Step((entry,), joined=True),
        )
    )


def keep_settings(store: Store) -> None:
    """Adds settings of the box."""
    for name, value in (("brightness", 2), ("flip", 1), ("brightness", 3)):
        store.keep(BOX, Setting(name, value))
    store.keep(BOX, Setting(seat_setting(PADS[0]), "Ann"))
    store.keep(BOX, Setting(seat_setting(PADS[1]), ""))


def keep_club_game(
    keeping: RecordFiller, opened: GameOpened, given: dict[str, str], chance: Random
) -> None:
    """Adds one game up to its end; a winning count is called aloud."""
    evening = ClubEvening(chance, house=(opened.seats, given))
    while not evening.state.whole.finished:
        evening.play_hand()
    keeping.open(opened)
    for entry, _ in evening.played:
        assert keeping.keep(Step((entry,)), PADS[keeping.number % 2])
    journal = keeping.journal
    assert journal is not None
    if journal.state.held_back is not None or not journal.state.winners:
        last = evening.played[-1][0]
        assert isinstance(last, TilePlayed)
        assert keeping.keep(Step((CountCalled(last.seat),)))
