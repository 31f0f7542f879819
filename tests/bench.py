"""Prints measurements beside the goals that they are compared with: `make bench`. Named parts run
alone, as with `make bench ARGS=hub`; those of the hub take many minutes and run only if named.

Nothing here passes or fails. CPU time is that of this process on this machine; a Raspberry Pi Zero
2 W is slower by a factor that was not measured here."""

import gc
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from time import process_time

from pytest import MonkeyPatch

from companion.core.seats import COLOURS, Seats
from companion.events.pairing import draw_round
from companion.events.reading import read_event
from companion.games.bogus import calls
from companion.games.bogus.verdict import judge
from companion.games.game import AmbiguousEntry, AnyState, Entry, parse_entry
from companion.games.highrise.entries import TileStacked
from companion.games.highrise.rules import Highrise
from companion.games.line.line import TilePlayed
from companion.record.copies.copier import CopyBeside
from companion.record.rows import GameOpened, Step, Undo, encode_row
from companion.record.store.database import INSERT, START, ChainLink, connect
from companion.record.store.store import Store
from tests.bench_console import bench_console
from tests.bench_link import bench_keypad, bench_link
from tests.bench_pages import bench_pages
from tests.bench_players import bench_players
from tests.bench_process import bench_languages, bench_process
from tests.bench_telling import bench_telling
from tests.bench_wire import bench_wire
from tests.catalog import GAMES
from tests.events.playing import event_of, meetings, paid, play
from tests.games.disputed import (
    BY_COUNT,
    BY_ENDS,
    BY_TILE,
    MIXED,
    DisputedHand,
    Habits,
    play_disputed_hand,
)
from tests.games.others import highrise
from tests.games.others.players import PLAYERS, seats_of
from tests.playing import table
from tests.random_games import Evening, Played, by_count, by_ends, play_game

# ---------------------------------------------------------------- games without a line of play


GAMES_EACH = 20


def bench_told_games() -> Iterator[tuple[str, str, str]]:
    """(what, measured, goal) for each game, and for the layouts of Highrise."""
    for name in PLAYERS:
        took: list[float] = []
        entries = 0
        for seed in range(GAMES_EACH):
            played = _entries(name, seed)
            entries += len(played)
            took += played
        most = max(took)
        figures = f"{statistics.median(took) * 1e3:.3f} / {most * 1e3:.1f} ms"
        yield f"{name}: read and apply any of {entries:,} entries (median / max)", figures, "50 ms"
    yield from _layouts()


def _entries(name: str, seed: int) -> list[float]:
    """Seconds for each entry of a random game: to read its text and apply it."""
    players = GAMES[name].players
    number = players[seed % len(players)]
    lines = PLAYERS[name](Random(seed), number)
    game, seats = GAMES[name], Seats.of(*seats_of(number))
    state = game.start(seats, {option.name: option.default(number) for option in game.options})
    took = []
    gc.collect()
    for line in lines:
        start = time.process_time()
        state = game.apply(state, parse_entry(line, game, seats))
        took.append(time.process_time() - start)
    return took


def _layouts() -> Iterator[tuple[str, str, str]]:
    """Lines about Highrise: how many layouts are possible at a hand's end, and how often a tile
    alone determines the play."""
    game, kept = Highrise(), list[int]()
    numbered, alone = 0, 0
    for seed in range(60):
        players = 2 + seed % 3
        seats = Seats.of(*seats_of(players))
        state = game.start(seats, {"target": 300})
        for line in highrise.play(Random(seed), players):
            entry = parse_entry(line, game, seats)
            if line.startswith("hand") and state.board.layouts is not None:
                kept.append(len(state.board.layouts))
            if (
                isinstance(entry, TileStacked)
                and state.board.layouts is not None
                and max(entry.halves) < 7
            ):
                numbered += 1
                try:
                    game.apply(state, TileStacked(entry.seat, entry.halves))
                    alone += 1
                except AmbiguousEntry:
                    pass
            state = game.apply(state, entry)
    what = f"highrise: layouts kept at the end of {len(kept)} hands (median / most)"
    yield what, f"{statistics.median(kept):.0f} / {max(kept)}", "2 / 28"
    what = f"highrise: numbered tiles that say enough alone, of {numbered:,}"
    yield what, f"{alone / numbered:.0%}", "73 %"


# ---------------------------------------------------------------- events


GOALS = {40: "nobody twice", 501: "at most 5 s", 2000: "at most 30 s"}
EVENT_ROUNDS = 9


def bench_events() -> list[tuple[str, str, str]]:
    """Returns lines of the table: (what, measured, goal)."""
    rows = []
    for people, goal in GOALS.items():
        text = event_of(people)
        play(text, EVENT_ROUNDS - 1)
        start = process_time()
        draw_round(read_event(json.dumps(text)))
        took = process_time() - start
        twice = sum(met > 1 for counts in (meetings(text), paid(text)) for met in counts.values())
        found = f"{took:.2f} s, {twice} met or paid twice"
        rows.append((f"round {EVENT_ROUNDS} of {people} players is drawn", found, goal))
    return rows


# ---------------------------------------------------------------- rules and record


def row(what: str, measured: str, compared: str) -> None:
    """Prints one line of the table."""
    print(f"{what:<58} {measured:>22}   {compared}", flush=True)


def milliseconds(seconds: list[float]) -> str:
    """“median / 95th percentile / maximum”, in milliseconds."""
    ordered = sorted(seconds)
    p95 = ordered[int(len(ordered) * 0.95)]
    return f"{statistics.median(ordered) * 1e3:.3f} / {p95 * 1e3:.3f} / {ordered[-1] * 1e3:.2f} ms"


def timed(entries: list[Entry], seats: str, name: str = "high-five") -> Iterator[float]:
    """CPU seconds of `apply` for each lay."""
    state: AnyState = table(seats, name).state
    apply = GAMES[name].apply
    for entry in entries:
        start = time.process_time()
        state = apply(state, entry)
        if isinstance(entry, TilePlayed):
            yield time.process_time() - start


@contextmanager
def looking_for_proofs(wanted: bool) -> Iterator[None]:
    """A context in which evidence of bogus plays is collected (`wanted`) or not."""
    with MonkeyPatch.context() as patch:
        if not wanted:
            patch.setattr(calls, "plain_hand", lambda _seats, _each: None)
        yield


def bench_rules() -> None:
    """The time of `apply` for each way to key tiles, at a game's start and end, and of whole random
    games."""
    games = [play_game(Random(seed), 2 + seed % 3) for seed in range(60)]
    ways: dict[str, Callable[[Played], list[Entry]]] = {
        "tile": lambda played: [entry for entry, _ in played],
        "ends": by_ends,
        "count": by_count,
    }
    # The table holds one game, this bench sixty: they must not be searched for garbage meanwhile.
    gc.collect()
    gc.freeze()
    goals = {"tile": "0.05 ms", "ends": "0.05 ms", "count": "20 ms"}
    for way, tell in ways.items():
        for proofs in (False, True):
            lays: list[float] = []
            with looking_for_proofs(proofs):
                for played in games:
                    lays += timed(tell(played), " ".join(played[0][1].seats))
            what = "and the search for proofs" if proofs else "median / p95 / max"
            goal = f"goal {goals[way]}" + (" and 0.2 ms" if proofs else "")
            row(f"apply, a lay by {way} ({what})", milliseconds(lays), goal)
    long_game = max(games, key=len)
    lays = list(timed([entry for entry, _ in long_game], " ".join(long_game[0][1].seats)))
    first, last = statistics.median(lays[:20]), statistics.median(lays[-20:])
    row("apply, first 20 lays of the longest game", f"{first * 1e3:.3f} ms", "")
    row("apply, last 20 lays of the same", f"{last * 1e3:.3f} ms", "goal: the same")
    thousand = [[entry for entry, _ in play_game(Random(seed))] for seed in range(1000)]
    start = time.perf_counter()
    for told in thousand:
        table().replay(told)
    took = time.perf_counter() - start
    what = f"1,000 random games replayed by tile ({sum(map(len, thousand)):,} entries)"
    row(what, f"{took:.2f} s", "goal 10 s")


def bench_bogus() -> None:
    """Prints how many bogus plays of simulated hands the record proves, how soon, and at what
    cost."""
    plays = proven = hands = 0
    later: list[float] = []
    whole: list[float] = []
    lays: dict[bool, list[float]] = {True: [], False: []}
    for seed in range(600):
        seats = Seats.of(*COLOURS[: 2 + seed % 3])
        evening = Evening(Random(seed), "high-five", seats, {}, cheating=0.1)
        evening.play_hand()
        hands += 1
        told: dict[int, int] = {}
        for _, state in evening.played:
            for notice in state.effect.notices:
                if notice.kind == "bogus-proven":
                    told[int(str(notice["turn"]))] = len(state.board.hand.turns)
        bogus = [turn for (_, turn), held in evening.bogus.items() if held]
        plays += len(bogus)
        proven += len(told)
        later += [told[turn] - turn for turn in bogus if turn in told]
        watched = evening.watched
        start = time.process_time()
        for turn in watched.hand.draws_and_passes[::-1]:
            judge(watched, turn)
        whole.append(time.process_time() - start)
        for wanted in (True, False):
            with looking_for_proofs(wanted):
                lays[wanted] += timed([entry for entry, _ in evening.played], " ".join(seats))
    row(f"bogus plays in {hands} hands, one draw or pass in ten", f"{plays}", "")
    row("proven without anybody's asking", f"{proven} ({proven / plays:.0%})", "")
    row("turns until it was proven (median / most)",
        f"{statistics.median(later):.0f} / {max(later):.0f}", "")  # fmt: skip
    row(
        "all draws and passes of a hand judged (median / p95 / max)",
        milliseconds(whole),
        "goal 5 ms",
    )
    more = statistics.mean(lays[True]) - statistics.mean(lays[False])
    row("looking for proofs after a lay, on average", f"{more * 1e3:.3f} ms", "goal 0.2 ms")


WAYS = {"tile": BY_TILE, "ends": BY_ENDS, "count": BY_COUNT, "all three": MIXED}


def _clock(at: list[float], _hand: DisputedHand) -> None:
    at.append(time.process_time())


def bench_entries() -> None:
    """Prints the time of each entry of hands with cheating, returned tiles, calls and shown tiles,
    and the time of applying a whole game again, as at a start."""
    for way, ways in WAYS.items():
        habits = Habits(cheating=250, noticing=800, showing=900, calling=100, hiding=200, ways=ways)
        took: list[float] = []
        for seed in range(150):
            gc.collect()
            gc.freeze()  # the table holds one hand, not all of these
            at = [time.process_time()]
            play_disputed_hand(seed, partial(_clock, at), habits)
            took += [after - before for before, after in pairwise(at)]
        row(f"any entry, lays by {way}, tiles given back, calls", milliseconds(took), "goal 50 ms")
    said, tiles = table("A B C D").say("hand\nA 6-6"), [(a, b) for b in range(6) for a in range(b)]
    took = []
    for number, (a, b) in enumerate(tiles[:12]):
        seat = "BCDA"[number % 4]
        for line in (f"{seat} draw", f"{seat} return {a}-{b}", f"{seat} pass"):
            start = time.process_time()
            said.say(line)
            took.append(time.process_time() - start)
    row("any entry, twelve tiles shown and given back", milliseconds(took), "goal 50 ms")
    whole = []
    for seed in range(20):
        played = play_game(Random(seed), 2 + seed % 3)
        entries, seats = by_count(played), " ".join(played[0][1].seats)
        start = time.process_time()
        table(seats).replay(entries)
        whole.append(time.process_time() - start)
    row("start: a whole game by count told again", milliseconds(whole), "goal 1 s")


def filled_record(path: Path, games: int) -> None:
    """Makes a record of that many short games, written in one transaction."""
    Store.open(path, GAMES).close()
    opened = encode_row(GameOpened("high-five", Seats.of("Red", "Blue"), {}))
    step = encode_row(
        Step((parse_entry("end bench", GAMES["high-five"], Seats.of("Red", "Blue")),))
    )
    db, before, seq = connect(f"file:{path}"), START, 0
    db.execute("BEGIN")
    for game in range(1, games + 1):
        for text in (opened, step):
            seq += 1
            link = ChainLink.make(before, (seq, game, text, None, None))
            db.execute(INSERT, link.columns)
            before = link.hash
    db.execute("COMMIT")
    db.close()


def bench_store() -> None:
    """Prints the time to open the record and to add a row, with one game stored and with
    100,000."""
    for games in (1, 100_000):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "record.db"
            filled_record(path, games)
            start = time.perf_counter()
            store = Store.open(path, GAMES)
            last = store.last_game()
            opened = time.perf_counter() - start
            kept = []
            assert last is not None
            for _ in range(200):
                start = time.perf_counter()
                store.keep(last[0], Undo())
                kept.append(time.perf_counter() - start)
            store.close()
        goal = "goal: the same for both" if games > 1 else ""
        row(
            f"start: record opened, last game read; {games:,} stored",
            f"{opened * 1e3:.1f} ms",
            goal,
        )
        row(f"keep, fsync included (median / p95 / max); {games:,}", milliseconds(kept), goal)


def bench_evening() -> None:
    """Prints the cost of adding an evening of 400 rows with their text copy, and of making a text
    copy of 97,000 rows and checking it at each start."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record.db"
        seats = Seats.of("Red", "Blue")
        store = Store.open(path, GAMES)
        store.keep(1, GameOpened("high-five", seats, {}))
        step = Step((parse_entry("end bench", GAMES["high-five"], seats),))
        wrote, start = _written_bytes(), time.process_time()
        for _ in range(400):
            store.keep(1, step)
            assert store.text is not None
            store.text.flush()
        took = time.process_time() - start
        row("a row of an evening: kept, and copied beside", f"{took / 400 * 1e6:.0f} µs CPU", "")
        row("the same, bytes given to the kernel", f"{(_written_bytes() - wrote) / 400:,.0f}", "")
        store.close()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record.db"
        filled_record(path, 48_500)
        with closing(Store.open(path, GAMES)) as store:
            beside = CopyBeside(path, GAMES, lambda: store.text)
            for what in ("copied beside for the first time", "that copy read and verified"):
                start = time.process_time()
                beside.catch_up()
                row(f"97,000 rows: {what}", f"{time.process_time() - start:.2f} s CPU", "")


def _written_bytes() -> int:
    """The number of bytes that this process has written so far, counted by the kernel."""
    counts = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(counts["wchar"])


def _listeners() -> Iterable[tuple[str, str, str]]:
    """The cost of listening programs; their libraries are imported only if this part is
    measured."""
    from tests.bench_listeners import bench_listeners

    return bench_listeners()


def _voice() -> Iterable[tuple[str, str, str]]:
    """The delay of the voice; needs espeak-ng and the libraries of the tests."""
    from tests.bench_voice import bench_voice

    return bench_voice()


def _hub() -> Iterable[tuple[str, str, str]]:
    """The limits of a hub; its libraries are imported only if this part is measured."""
    from tests.bench_hub import bench_hub

    return bench_hub()


def bench_rows(bench: Callable[[], Iterable[tuple[str, str, str]]]) -> Callable[[], None]:
    """A part that prints the lines returned by `bench`: (what, measured, goal)."""

    def print_rows() -> None:
        for what, measured, goal in bench():
            row(what, measured, f"goal {goal}")

    return print_rows


PARTS: dict[str, Callable[[], None]] = {
    "rules": bench_rules,
    "bogus": bench_bogus,
    "entries": bench_entries,
    "store": bench_store,
    "evening": bench_evening,
    "told-games": bench_rows(bench_told_games),
    "console": bench_rows(bench_console),
    "telling": bench_rows(bench_telling),
    "wire": bench_rows(bench_wire),
    "process": bench_rows(bench_process),
    "languages": bench_rows(bench_languages),
    "players": bench_rows(bench_players),
    "link": bench_rows(bench_link),
    "keypad": bench_rows(bench_keypad),
    "pages": bench_rows(bench_pages),
    "listeners": bench_rows(_listeners),
    "events": bench_rows(bench_events),
    "voice": bench_rows(_voice),
    "hub": bench_rows(_hub),
}
BY_NAME_ALONE = ("hub",)
"""Parts that run only if named, as they take many minutes."""


def main() -> None:
    """Prints the whole table, or the parts that are named."""
    named = sys.argv[1:] or [name for name in PARTS if name not in BY_NAME_ALONE]
    if unknown := {*named} - {*PARTS}:
        sys.exit(f"bench has no part {', '.join(sorted(unknown))}; it has {', '.join(PARTS)}")
    print(f"{'what':<58} {'measured':>22}   compared with", flush=True)
    for name in named:
        PARTS[name]()


if __name__ == "__main__":
    main()
