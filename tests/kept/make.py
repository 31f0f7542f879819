"""Makes record files with the program that is checked out, for later versions to open.

    python -m tests.kept.make tests/kept/format-N [RECORD...]

This is done once a release: what it writes is committed and never made again. Each record is a
folder with the database, its log, and `expected.json`, which says what the program reads there
(snapshot.py).
"""

import shutil
import sqlite3
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from companion.core.keys import SIXTEEN, Key, Press, PressId
from companion.core.seats import Seat, Seats
from companion.games.game import parse_entry, settle_options
from companion.record.requests import rematch
from companion.record.rows import Amend, GameOpened, Reseat, Setting, Step, Undo
from companion.record.settings import seat_setting
from companion.record.store.store import Store
from companion.table.session import BOX
from tests.catalog import GAMES
from tests.console import rig as console
from tests.console.typist import Typist
from tests.games.domino_players import Game as Domino
from tests.games.fives_and_threes_players import Game
from tests.kept.keeping import (
    NAMES,
    PADS,
    TALLIES,
    RecordFiller,
    keep_changes,
    keep_club_game,
    keep_random,
    keep_settings,
    keep_tallies,
)
from tests.kept.snapshot import snapshot, write_snapshot
from tests.random_games import play_game
from tests.record.damage import drop_copies
from tests.rig import Rig

STARTED_AT = 1_795_000_000.0
"""2026-11-18: the wall clock at the first row."""
NONSENSE = (*SIXTEEN, *(Key.OK,) * 4, Key.D5, Key.D6, Key.D3, Key.DRAW, Key.DRAW)

OPTIONS: dict[str, list[dict[str, str]]] = {
    "high-five": [
        {"deal": "3", "leave": "1", "rounding": "up", "chip-set": "10x5+5x20"},
        {"deal": "5", "leave": "2", "rotate-lead": "on", "chip-set": "5x30"},
        {"deal": "7", "first-score": "10", "wrong-call": "10", "chip-set": "20x4+10x4+5x6"},
        {"wrong-call": "50", "table-overrules": "on", "chip-set": "25x2+10x6+5x8"},
    ],
    "five-up": [
        {"deal": "9", "leave": "1", "target": "100", "start": "rotate"},
        {"rounding": "up", "target": "500", "finish-hand": "on", "first-score": "10"},
        {"leave": "2", "target": "105"},
    ],
}
"""For each game, options with which every one is away from its default at least once."""


def ticking() -> Callable[[], float]:
    """A wall clock that is not yet set for the first rows, and jumps back once."""
    ticks = count()

    def clock() -> float:
        tick = next(ticks)
        if tick < 3:
            return 86_400.0 + tick
        return STARTED_AT + 13.5 * tick - (90_000 if tick > 500 else 0)

    return clock


def make_games(path: Path) -> None:
    """High Five and Five Up, every option, every worked case, disputes of all kinds."""
    chance = Random(11)
    store = Store.open(path, GAMES, ticking())
    keeping = RecordFiller(store)
    keep_settings(store)
    keep_tallies(keeping)
    for name, sets in OPTIONS.items():
        for given in (*sets, {}):
            for _ in range(2):
                keep_random(keeping, name, given, chance)
    store.close()


def make_changed(path: Path) -> None:
    """Changed entries, undo and redo, seats in another order, games that were taken back."""
    chance = Random(12)
    store = Store.open(path, GAMES, ticking())
    keeping = RecordFiller(store)
    for name in ("high-five", "five-up", "high-five", "high-five", "five-up"):
        keep_random(keeping, name, {}, chance)
        keep_changes(keeping, chance, 200)
    keep_random(keeping, "high-five", {}, chance)
    while keeping.journal is not None and not keeping.journal.withdrawn:
        keeping.keep(Undo())
    store.close()


def make_played(path: Path) -> None:
    """A game keyed on the box and on the seats' own keypads; then a rematch, and random keys in the
    menus and the history."""
    chance = Random(13)
    nonsense = [chance.choice(NONSENSE).value for _ in range(1500)]
    _play(path, [*_keys(1, "high-five", "tile"), "OK", "OK"], chance)
    _play(path, nonsense, chance)


def make_played_five_up(path: Path) -> None:
    """A game of Five Up keyed by ends, then random keys."""
    chance = Random(14)
    _play(path, _keys(5, "five-up", "ends"), chance)
    _play(path, [chance.choice(NONSENSE).value for _ in range(1500)], chance)


class _Noting(console.Rig):
    """A console in memory that notes each key pressed, in `refused`."""

    def _one(self, press: Press) -> None:
        self.refused.append(press.key.value)
        super()._one(press)


def _keys(seed: int, name: str, way: str) -> list[str]:
    """The keys of a whole game for two, from its set-up to its end."""
    noting = _Noting().press(f"{[*GAMES].index(name) + 1} 2 1 OK")
    typist = Typist(noting, way)
    for entry, after in play_game(Random(seed), 2, name):
        typist.enter(entry, after)
    return noting.refused


def _play(path: Path, keys: list[str], chance: Random) -> None:
    """Presses these keys at the box or, in two thirds of all cases, at the keypad of the seat to
    move."""
    pads = {Seat("Red"): PADS[0], Seat("Blue"): PADS[1]}
    with Rig(path, STARTED_AT) as rig:
        if rig.store.last_row() == 0:
            for seat, keypad in pads.items():
                rig.store.keep(BOX, Setting(seat_setting(keypad), str(seat)))
    with Rig(path, STARTED_AT) as rig:
        for number, word in enumerate(keys, start=rig.store.last_row() * 1000):
            journal = rig.table.box.view().journal
            turn = journal.state.to_move if journal else None
            if turn in pads and chance.random() < 0.67:
                rig.send(Press(Key(word), source=PressId(pads[turn], 3, number)))
            else:
                rig.press(word)


def make_salvaged(path: Path) -> None:
    """A record that was salvaged after rows were lost: some entries no longer hold, and one game
    has no beginning."""
    chance = Random(14)
    store = Store.open(path, GAMES, ticking())
    keeping = RecordFiller(store)
    first_rows = []
    for name in ("high-five", "five-up", "high-five"):
        first_rows.append(store.last_row() + 1)
        keep_random(keeping, name, {}, chance)
    last = store.last_row()
    store.close()
    drop_copies(path)
    db = sqlite3.connect(path)
    db.execute("DROP TRIGGER never_removed")
    for seq in (first_rows[0] + 4, first_rows[1], last - 5):
        db.execute(f"DELETE FROM record WHERE seq = {seq}")
    db.commit()
    db.close()
    Store.open(path, GAMES, ticking()).close()


def make_unplugged(path: Path) -> None:
    """A record after a power cut, whose newest rows are only in the log."""
    chance = Random(15)
    own = path.with_name("running.db")
    for last in (False, True):
        store = Store.open(own, GAMES, ticking())
        keeping = RecordFiller(store)
        if last:
            keeping.open(GameOpened("high-five", Seats.of("Ann", "Bob_B"), {}))
            for line in (TALLIES[0] / "r1_the_rulebooks_example.tally").read_text().splitlines():
                if line.startswith(("hand", "Red ", "Blue ")):
                    said = line.partition("#")[0].replace("Red", "Ann").replace("Blue", "Bob_B")
                    seats = Seats.of("Ann", "Bob_B")
                    keeping.keep(Step((parse_entry(said, GAMES["high-five"], seats),)), PADS[0])
            keeping.keep(Undo())
            keeping.keep(Amend(1, ()))
            for end in ("", "-wal"):
                shutil.copyfile(f"{own}{end}", f"{path}{end}")
        else:
            keep_random(keeping, "high-five", {}, chance)
        store.close()


CLUB_TABLES: tuple[tuple[Seats, dict[str, str]], ...] = (
    (Seats.of("Ann", "Bob_B"), {"set": "W", "target": "100"}),
    (Seats.of(*NAMES), {"partners": "on", "match": "3", "called": "muggins", "target": "100"}),
    (Seats.of(*NAMES[1:]), {"set": "R", "spinner": "none", "could-play-to": "opponent"}),
    (
        Seats.of(*NAMES),
        {
            "set": "R",
            "deal": "5",
            "partners": "on",
            "could-play-to": "opponent",
            "block": "difference",
        },
    ),
    (Seats.of("Åsa", "李"), {"unit": "fives", "target": "61", "could-play": "50-or-holding"}),
)
"""Who plays All Fives, and by which house rules."""


def make_all_fives(path: Path) -> None:
    """All Fives: two matches with all their games, one of them of partners, and games with
    penalties, calls and scores that were not called."""
    chance = Random(16)
    store = Store.open(path, GAMES, ticking())
    keeping = RecordFiller(store)
    for seats, given in CLUB_TABLES:
        opened = GameOpened(
            "all-fives", seats, settle_options(GAMES["all-fives"], len(seats), given)
        )
        while True:
            keep_club_game(keeping, opened, given, chance)
            journal = keeping.journal
            assert journal is not None
            match = opened.match
            if match is None or match.decided(journal.state):
                break
            opened = rematch(journal, keeping.number, keeping.number)
    store.close()


CALLS_OF_NOBODY = """hand lead Ann
Ann 6-6
Bob_B draw
bogus Bob_B
rule Bob_B clear
Bob_B 6-5
Åsa draw
bogus Åsa
rule Åsa clear
Åsa pass
李 6-4
bogus Åsa by 李
rule Åsa bogus"""
"""Entries of partners, of whom two are called by nobody in particular. By the rules of that time
their partners called them."""


def make_partners(path: Path) -> None:
    """All Fives by two against two, and by three, with calls that name no caller."""
    store = Store.open(path, GAMES, ticking())
    keeping = RecordFiller(store)
    for names, given in ((NAMES, {"partners": "on"}), (NAMES[:3], {})):
        seats = Seats.of(*names)
        options = settle_options(GAMES["all-fives"], len(names), {"set": "R", **given})
        keeping.open(GameOpened("all-fives", seats, options))
        for line in CALLS_OF_NOBODY.splitlines():
            if set(line.split()) & set(NAMES) <= set(names):
                keeping.keep(Step((parse_entry(line, GAMES["all-fives"], seats),)), PADS[0])
    store.close()


ZERO = """hand lead Ann
Ann 1-2 level 1
Bob_B 1-3 level 1
Ann 1-4 level 1
Bob_B 1-5 level 1
Ann 1-6 level 1
Bob_B 2-3 level 1
Ann 2-4 level 1
Bob_B 2-5 level 1
Ann 2-6 level 1
Ann holds 0-0
Bob_B pips 7"""
"""A hand of Highrise in which Ann, out by her counted tiles, shows 0-0."""


def keep_lines(keeping: RecordFiller, text: str) -> None:
    """Keeps these entries of the game on the table, each as a step."""
    for line in filter(None, text.split("\n")):
        journal = keeping.journal
        assert journal is not None
        entry = parse_entry(line, journal.game, journal.opened.seats)
        assert keeping.keep(Step((entry,)), PADS[keeping.number % 2]), line


def _match(keeping: RecordFiller, names: tuple[str, ...], winners: str, **given: str) -> None:
    """Keeps a match whose games are won by the players whose names begin with these letters. From
    the second game on the players change the turn order in the middle of the game."""
    seats, options = Seats.of(*names), {"match": "3", "target": "100", **given}
    after = keeping.number or None
    said = settle_options(GAMES["all-fives"], len(seats), options)
    opened = GameOpened("all-fives", seats, said, evening=after)
    for game, first in enumerate(winners):
        keeping.open(opened)
        winner = next(name for name in names if name.startswith(first))
        keep_lines(keeping, f"hand lead {winner}\n" + f"{winner} points 35\n" * 2)
        if game:
            order = [*opened.seats]
            assert keeping.keep(Reseat(Seats.of(*order[1:], order[0])))
        keep_lines(keeping, f"{winner} points 30")
        assert keeping.journal is not None
        opened = rematch(keeping.journal, keeping.number, keeping.number)


def make_matches(path: Path) -> None:
    """Matches of two, three and four, whose turn order changes in the middle of games; and hands
    in which a seat that has played its last tile, by number, shows the double blank."""
    store = Store.open(path, GAMES, ticking())
    keeping = RecordFiller(store)
    _match(keeping, NAMES[:2], "AA")
    _match(keeping, NAMES[:3], "ABÅ")
    _match(keeping, NAMES, "AA李B", match="5", called="lost")
    _match(keeping, NAMES, "AB", partners="on")
    keeping.open(GameOpened("highrise", Seats.of(*NAMES[:2]), {}))
    keep_lines(keeping, ZERO)
    store.close()


def make_fives_and_threes(path: Path) -> None:
    """Fives and Threes: a game by each set of house rules, two of them with partners, with tiles
    held back and called."""
    store = Store.open(path, GAMES, ticking())
    keeping, rules = RecordFiller(store), GAMES["fives-and-threes"]
    for named, seed in (("home", 3), ("K", 1), ("K", 2), ("Te", 4)):
        game = Game(f"kept {seed}", named)
        seats = Seats.of(*game.names)
        keeping.open(
            GameOpened("fives-and-threes", seats, settle_options(rules, len(seats), game.options))
        )
        keep_lines(keeping, "\n".join(told.text for told in game.lines))
    store.close()


def make_domino(path: Path) -> None:
    """Dominó: a game by each set of house rules, with renuncios that the record judges."""
    store = Store.open(path, GAMES, ticking())
    keeping, rules = RecordFiller(store), GAMES["domino"]
    for named, seed in (("home", 1), ("C", 31), ("C", 54), ("individual", 350)):
        game = Domino(seed, named)
        seats = Seats.of(*game.names)
        keeping.open(GameOpened("domino", seats, settle_options(rules, len(seats), game.options)))
        keep_lines(keeping, "\n".join(told.text for told in game.lines))
    store.close()


RECORDS: dict[str, Callable[[Path], None]] = {
    "games": make_games,
    "changed": make_changed,
    "played": make_played,
    "played-five-up": make_played_five_up,
    "salvaged": make_salvaged,
    "unplugged": make_unplugged,
    "all-fives": make_all_fives,
    "partners": make_partners,
    "matches": make_matches,
    "fives-and-threes": make_fives_and_threes,
    "domino": make_domino,
}


def main(folder: Path, names: list[str]) -> None:
    """Makes the records of these names; without names, all of them."""
    for name in names or RECORDS:
        make = RECORDS[name]
        with TemporaryDirectory() as place:
            path = Path(place) / "record.db"
            make(path)
            kept = folder / name
            kept.mkdir(parents=True)
            for end in ("", "-wal"):
                if (file := Path(f"{path}{end}")).exists() and file.stat().st_size:
                    shutil.copyfile(file, kept / file.name)
            write_snapshot(kept / "expected.json", snapshot(kept / "record.db"))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
