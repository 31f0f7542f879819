"""Random input from all sides at once: the box's keys, seats' keypads, and pages that send right
messages, nearly right ones, and ones that no page of ours sends. Each is answered or refused in
words, and none gets as far as the handlers that catch our own faults.

As a program (`python -m tests.random_input FIRST_SEED SEEDS DEEDS`) it says what it found."""

import asyncio
import json
import logging
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import companion.web
from companion.app.catalog import CATALOG
from companion.core.box_page import Phones
from companion.core.keys import FIVE_WAY, SIXTEEN, Key, Press, PressId, pad_id
from companion.core.seats import COLOURS, Seat
from companion.core.values import Json
from companion.devices.link.events import KeypadArrived, KeypadLeft, PressesLost
from companion.presentation.keys import NO_KEYS
from companion.record.requests import RequestKind
from companion.table.events import BackgroundNotice, Command, Event
from companion.table.snapshot import Snapshot
from companion.web.broadcast import Broadcast
from companion.web.key_pacing import TooFastError
from companion.web.keying import PageKeying
from companion.web.roles import Agreements, Roles
from tests.catalog import GAMES
from tests.rig import Rig

# ---------------------------------------------------------------- messages of pages


FILES = Path(companion.web.__file__).parent / "static"
NAMES = ("Ann", "Ben", "José", "Ænne", "Łuk", *COLOURS)
NUMBERS: tuple[object, ...] = (
    *(0, 0, 1, 1, 2, 3, 5, 9, 40),
    *(-1, 2**31, 2**53 - 1, 2**53, 2**63 - 1, 2**63, 2**64, 10**40, 10**400),
    *(True, None, 1.0, 1e308, float("inf"), float("nan"), "1", "١", [], {}),
)
TEXTS: tuple[object, ...] = (
    *("", " ", "\n", "\0", "#", "hand", "Red", "draw", "Ann draw", "Red 6-4 6-4 6-4", "١-٢"),
    *("Red ٣-٣", "Red count ²", "Red count 99999999999999999999", "Red pips -1", "\u202eRed draw"),
    *("\ud800", "Red \ud800", "Ann\u0301 draw", "🀱 6-4", "ﬁ draw", "İ draw", "ß ẞ", "a" * 5000),
    *("chips Red 10x999999999999999999999", "rule Red clear", "rule Ann bogus", "Red holds"),
    *("Red holds 6-6 6-6", "bogus Red by Blue turn 99999999999999999999", "bogus Red by Red"),
    *("game\nseats", "game high-five\nseats Red Red", "game nothing\nseats Ann Ben"),
    *("game high-five\nseats \ud800 Ben", "game high-five\nseats Ann Ben\noption deal 10", "set"),
    *("table 7", "entry count", "contrast 10", "on 4.2.1.Red 6-3", "on 99999999999999999999.1.1.x"),
    *("off .", "on 1.1.1.\ud800", "Ann Ben", "Ann Ann", "Ann \ud800", None, 7, [], {}, True, 1.5),
)
FORMS = (
    *("{seat} {tile}", "{seat} draw", "{seat} draw {tile}", "{seat} pass", "{seat} count {number}"),
    *("bogus {seat} by {other}", "bogus {seat} by {other} turn {number}", "rule {seat} clear"),
    *("rule {seat} bogus", "{seat} holds {tile}", "{seat} pips {number}", "{seat} return"),
    *("{seat} return {tile}", "misdraw {seat}", "{seat} out", "blocked", "hand", "redeal"),
    *("hand lead {seat}", "finish", "{seat} wins", "chips {seat}", "{seat} points {number}"),
)
"""Forms of entries of all games."""


class PageMessages:
    """Makes messages as three pages might send them, which see the newest of `snapshots` or an
    older one."""

    def __init__(self, random: Random, snapshots: list[Snapshot]) -> None:
        self.random, self._snapshots = random, snapshots
        self._broadcast, self._proposed, self._page = Broadcast(FILES, CATALOG), 0, 0

    def message(self, page: int = 0) -> Json:
        """The next message, of the page with that number."""
        self._page = page
        kind = self.random.choices(
            ("propose", "preview", "became", "role", "panel"), (60, 15, 4, 4, 4)
        )[0]
        match kind:
            case "propose":
                said: object = {**self._named(), **self._wish()}
            case "preview":
                said = {
                    "id": self._number() if self.random.random() < 0.03 else 1,
                    **self._wish(),
                    "begun": self.random.random() < 0.5,
                }
            case "became":
                said = self._named()
            case "role":
                name = self.random.choice((*["scorekeeper"] * 20, *["seat"] * 10, "watcher", "x"))
                said = {"name": name, "seat": self._name(), "over": self.random.random() < 0.5}
            case _:
                said = {"name": self.random.choice(("chips", "games", "race", "rules", "new", "x"))}
        return {kind: said if self.random.random() < 0.99 else self.random.choice(NUMBERS)}

    def _named(self) -> Json:
        ago = 1 if self.random.random() < 0.9 else min(5, len(self._snapshots))
        seen = self._snapshots[-ago]
        self._proposed += self.random.choice((0, *[1] * 20))
        # Now and then that of another page, for which it may not speak.
        other = self.random.random() < 0.02
        surface = f"phone-{self.random.choice('abc') if other else 'abc'[self._page]}"
        named = {"surface": surface, "run": seen.run, "number": self._proposed}
        named |= {"game": seen.game or 0, "tip": seen.tip.hex()}
        named["again"] = self.random.random() < 0.2
        if self.random.random() < 0.05:
            bad = (*NUMBERS, *TEXTS)
            named[self.random.choice(list(named))] = self.random.choice(bad)
        return named

    def _wish(self) -> Json:
        deed = self.random.choice((*[RequestKind.ENTER] * 40, *RequestKind))
        journal = self._snapshots[-1].journal
        length = journal.length if journal else 0
        wish: Json = {
            "deed": deed.value,
            "text": self._text(deed),
            "at": self.random.randint(0, length + 1),
        }
        if deed is RequestKind.RESUME or self.random.random() < 0.04:
            wish["at"] = self._number() if self.random.random() < 0.3 else self.random.randint(1, 9)
        if self.random.random() < 0.1:
            wish["later_turns"] = self._number()
        if self.random.random() < 0.01:
            wish["deed"] = self.random.choice((*TEXTS, *NUMBERS))
        return wish

    def _text(self, deed: RequestKind) -> object:
        if self.random.random() < 0.07:
            return self.random.choice(TEXTS)
        match deed:
            case RequestKind.OPEN:
                game = self.random.choice([*GAMES])
                seats = self.random.sample(NAMES, self.random.randint(1, 5))
                return f"game {game}\nseats {' '.join(seats)}"
            case RequestKind.SET:
                return self.random.choice(
                    (
                        "keypads anyone",
                        "keypads turn",
                        "tell-bogus aloud",
                        "flip on",
                        "holding pips",
                    )
                )
            case RequestKind.RESEAT:
                seats = list(self._seats())
                self.random.shuffle(seats)
                return " ".join(seats)
            case RequestKind.RENAME:
                return f"{self._name()} {self._name()}"
            case RequestKind.ENTER | RequestKind.CHANGE | RequestKind.INSERT:
                return "\n".join(
                    self._entry() for _ in range(self.random.choice((*[1] * 20, 2, 2, 3, 0)))
                )
        return self.random.choice(TEXTS)

    def _entry(self) -> str:
        """An entry that the game on the table offers, or one of any game."""
        random, keys = self.random, self._offered()
        if keys and random.random() < 0.85:
            return random.choice(keys)
        tile = f"{random.randint(0, 6)}-{random.randint(0, 6)}"
        seat, other, number = self._name(), self._name(), random.randint(0, 40)
        form = random.choice(FORMS)
        return form.format(seat=seat, other=other, tile=tile, number=number)

    def _offered(self) -> list[str]:
        journal = self._snapshots[-1].journal
        if journal is None or journal.withdrawn:
            return []
        seats = journal.opened.seats.order
        mover = journal.state.to_move or seats[0]
        keys = self._keys()
        found = [act["entry"] for act in keys["acts"] if act["deed"] == "enter"]
        fits = [tile for tile, how in keys["tiles"].items() if how != "laid"]
        found += [f"{mover} {tile}" for tile in self.random.sample(fits, min(8, len(fits)))]
        if keys["collects"]:
            many = keys["collects"]["number"] or self.random.randint(0, 5)
            tiles = self.random.sample(fits, min(many, len(fits)))
            before = keys["collects"]["before"].replace("{seat}", mover)
            found += [" ".join([before, *tiles])] * 6
        for number in keys["numbers"]:
            before = number["before"].replace("{seat}", mover)
            found += [f"{before} {self.random.randint(0, number['most'] + 1)}"] * 3
        return found

    def _keys(self) -> Json:
        if self._broadcast.snapshot is not self._snapshots[-1]:
            self._broadcast.update(self._snapshots[-1])
        told: Json = json.loads(self._broadcast.message("wide") or "{}")
        return dict(told["keys"] or NO_KEYS)

    def _seats(self) -> tuple[str, ...]:
        journal = self._snapshots[-1].journal
        return tuple(journal.opened.seats.order) if journal else NAMES

    def _name(self) -> str:
        names = self._seats() if self.random.random() < 0.9 else NAMES
        return self.random.choice(names)

    def _number(self) -> object:
        return self.random.choice(NUMBERS)


# ---------------------------------------------------------------- all input


LIKELY = (*SIXTEEN, *SIXTEEN, *FIVE_WAY, Key.OK, Key.OK, Key.OK, Key.D1, Key.D2, Key.DRAW)
MEMORY = Path("/dev/shm")
KEYPADS = ("a1b2", "c3d4", pad_id("usb 1.2"), "")


class RandomInput:
    """One table with three pages, keypads and its own keys; `do` does something random to it."""

    def __init__(self, path: Path, seed: int) -> None:
        self.random = Random(seed)
        self.rig = Rig(path, switches_off=True)
        self.loop = self.rig.table
        self.roles = Roles()
        self.agreements = Agreements(self.roles)
        self.pages = [self._come() for _ in range(3)]
        self.messages = PageMessages(self.random, self.rig.snapshots)
        self.numbered = 0
        self.answered, self.refused = 0, 0

    def _come(self) -> PageKeying:
        put, look = self.loop.events.put, self._look
        page = PageKeying(
            put,
            look,
            self.roles,
            lambda: None,
            agreements=self.agreements,
            plays=True,
            games=CATALOG,
        )
        if self.random.random() < 0.7:
            page.handle_message({"role": {"name": "scorekeeper"}})
        return page

    def _look(self) -> Snapshot:
        return self.rig.snapshots[-1]

    @property
    def told(self) -> str:
        """A line that sums up the results."""
        rows, games = self.rig.store.last_row(), self.rig.store.newest_game()
        return (
            f"{self.answered} answers, {self.refused} pages sent away, {rows} rows, {games} games"
        )

    # ------------------------------------------------------------ what is done

    async def do(self) -> str:
        """Does one random thing; returns its description."""
        deed = self.random.choices(
            (self._key, self._keypad, self._pad_news, self._box_news, self._say),
            (20, 14, 1, 1, 60),
        )[0]
        told = repr(deed())[:400]
        self.loop.run_once(0)
        if self.random.random() < 0.3:
            self.rig.now += self.random.choice((0.1, 1.0, 3.0))
        await asyncio.sleep(0)
        return told

    def _put(self, event: Event) -> Event:
        self.loop.events.put(event)
        return event

    def _key(self) -> Event:
        letter = self.random.choice("aß\ud800 7") if self.random.random() < 0.02 else ""
        held, repeated = self.random.random() < 0.03, self.random.random() < 0.03
        key = self.random.choice(LIKELY)
        return self._put(Press(key, held=held, repeated=repeated, letter=letter))

    def _source(self) -> PressId:
        self.numbered += self.random.choice((0, 1, 1, 1, 1))
        keypad = self.random.choice(KEYPADS)
        return PressId(keypad, 1, self.numbered)

    def _keypad(self) -> Event:
        seat = None if self.random.random() < 0.8 else Seat(self.random.choice(NAMES))
        key, held = self.random.choice(LIKELY), self.random.random() < 0.03
        at = self.rig.now - self.random.choice((0.0, 0.5, 5.0))
        return self._put(Press(key, seat, self._source(), held=held, at=at))

    def _pad_news(self) -> Event:
        keypad = self.random.choice(KEYPADS)
        return self._put(
            self.random.choice(
                (
                    KeypadArrived(keypad),
                    KeypadArrived(keypad, again=True),
                    KeypadLeft(keypad),
                    PressesLost(self._source(), 2),
                )
            )
        )

    def _box_news(self) -> Event:
        return self._put(
            self.random.choice(
                (
                    Command.REPAIR,
                    BackgroundNotice("Something."),
                    Phones(True, address="x", digits="1234"),
                    Phones(False),
                )
            )
        )

    # ------------------------------------------------------------ what pages say

    def _say(self) -> object:
        page = self.random.choice(self.pages)
        said = self.messages.message(self.pages.index(page))
        try:
            said = json.loads(json.dumps(said))
            page.handle_message(said)
        except (ValueError, TooFastError):
            # That page is no longer listened to; another one comes.
            self.refused += 1
            page.leave()
            self.pages[self.pages.index(page)] = self._come()
        return said

    def hear(self) -> None:
        """Reads the messages to the pages so far, and counts the answers among them."""
        for page in self.pages:
            for text in page.pending_messages():
                self.answered += "answer" in json.loads(text.encode(errors="surrogatepass"))


# ---------------------------------------------------------------- running


class _Log(logging.Handler):
    """Keeps what is logged as a fault of ours."""

    def __init__(self, found: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._found = found

    def emit(self, record: logging.LogRecord) -> None:
        self._found.append(logging.Formatter().format(record))


@contextmanager
def caught() -> Iterator[list[str]]:
    """A list that gets, while the context is open, the traceback of every fault of ours that a
    handler catches."""
    found: list[str] = []
    handler, print_exc = _Log(found), traceback.print_exc
    logging.getLogger("asyncio").addHandler(handler)
    traceback.print_exc = lambda *_, **__: found.append(traceback.format_exc())
    try:
        yield found
    finally:
        traceback.print_exc = print_exc
        logging.getLogger("asyncio").removeHandler(handler)


def push(seed: int, deeds: int, tell: Callable[[str], None] = lambda _: None) -> Counter[str]:
    """Does so many `deeds` at a new table; counts each fault that was found. `tell` gets each fault
    with its deed, and a line at the end."""
    found: Counter[str] = Counter()

    async def run(folder: Path) -> None:
        doors = RandomInput(folder / "record.db", seed)
        try:
            for number in range(deeds):
                before = len(nets)
                deed = await doors.do()
                doors.hear()
                if len(nets) > before:
                    tell(f"{seed}/{number}: {deed}\n{nets[-1]}")
                found.update(net.strip().splitlines()[-1] for net in nets[before:])
        finally:
            tell(f"{seed}: {doors.told}")
            doors.rig.close()

    with (
        tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder,
        caught() as nets,
    ):
        asyncio.run(run(Path(folder)))
    return found


def main(first: int, seeds: int, deeds: int) -> None:
    """Tries that many seeds; prints the faults that were found."""
    found: Counter[str] = Counter()
    for seed in range(first, first + seeds):
        found += push(seed, deeds, lambda text: print(text, flush=True))
        print(seed, dict(found), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
