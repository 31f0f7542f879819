"""A box that plays the words of a tape, and its output.

    5  OK        a key of the box goes down and up again
    OK!  DOWN~   it is held for two and a half seconds; for one
    5+OK         the second goes down before the first is up
    a:OK         the keypad that this tape calls a says that its OK went down
    a:OK!        … and then that it is held
    a:OK=        … again what it said last, with the same number
    a:OK<        … of a press a second ago
    +a  +a!  -a  that keypad is there; is there again, having restarted; is gone
    a?2          two of its presses were lost
    ~40          forty seconds go by
    restart      the program stops and starts again, on the same record
    unplug       the box loses its power, and gets it back

Between a draw or a pass and one on another surface at least two seconds go by. Keys come in at the
pins, keypads at the loop's queue. What comes out is looked at where it leaves the program: rows in
the file, pictures and lights as they are published, bytes on the display's bus, and what the
keypads are answered. None of it depends on how the program is made inside.
"""

import json
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Self

from companion.app.catalog import CATALOG
from companion.console.screen import PlayableGames
from companion.console.screen_saver import NEVER, RestTimes
from companion.core.keys import Key, Press, PressId
from companion.devices.display.panel import LumaPanel, init_commands
from companion.devices.link.events import KeypadArrived, KeypadLeft, News, PressesLost
from companion.table.session import DUPLICATE_WITHIN_S
from tests.fake_oled import Chip
from tests.rig import STROKE_S, Rig
from tests.sample_games import RACE_GAMES

PARTS = ("rows", "frames", "lights", "wire", "answers")
"""The parts of what comes out of a box."""

FIELDS: Mapping[str, tuple[str, ...]] = {
    "opened": ("game", "seats", "options", "rules", "after", "evening", "words"),
    "step": ("entries", "joined"),
    "undo": (),
    "redo": (),
    "amend": ("at", "entries", "insert", "later_turns"),
    "rewind": ("to",),
    "reseat": ("seats",),
    "people": ("seats",),
    "setting": ("name", "value"),
    "lost": ("gaps", "kept"),
    "renamed": ("name", "to"),
    "hidden": ("name", "hidden"),
    "forgotten": ("players",),
}
"""The fields of a row that a tape digests, by the row's kind. Tapes ignore fields that a later
format adds, and the number of the format."""


@dataclass(frozen=True, slots=True)
class Build:
    """The kind of box: the chip of its display, whether the display dims and sleeps (`rests`),
    whether MENU held switches the box off, and whether its catalog also has a game without screens
    of its own (`race`), All Fives as clubs play it (`clubs`), or Fives and Threes and Dominó
    (`pairs`)."""

    chip: Chip = "ssd1306"
    rests: bool = False
    switches_off: bool = False
    race: bool = False
    clubs: bool = False
    pairs: bool = False

    def __str__(self) -> str:
        words = {
            "rests": self.rests,
            "switches-off": self.switches_off,
            "race": self.race,
            "clubs": self.clubs,
            "pairs": self.pairs,
        }
        return " ".join([self.chip, *(word for word, there in words.items() if there)])

    @classmethod
    def read(cls, text: str) -> Self:
        """The inverse of str. Raises ValueError if `text` is no build."""
        chip: Chip = "sh1106" if text.startswith("sh1106") else "ssd1306"
        known = ("rests", "switches-off", "race", "clubs", "pairs")
        built = cls(chip, *(word in text.split() for word in known))
        if str(built) != text:
            raise ValueError(f"“{text}” is no build of a box")
        return built

    @property
    def games(self) -> PlayableGames:
        """The games in this box's catalog."""
        clubs = ["all-fives"] if self.clubs else []
        pairs = ["fives-and-threes", "domino"] if self.pairs else []
        names = ("high-five", "five-up", *clubs, *pairs)
        games: PlayableGames = {name: CATALOG[name] for name in names}
        return {**games, **RACE_GAMES} if self.race else games


@dataclass
class Output:
    """The output of a box, as bytes for each part; empty for a part without output."""

    parts: dict[str, bytearray] = field(
        default_factory=lambda: {part: bytearray() for part in PARTS}
    )

    def add(self, part: str, told: bytes | str) -> None:
        """Adds bytes, or a line of text, to a part."""
        self.parts[part] += told if isinstance(told, bytes) else f"{told}\n".encode()


SAID_ALOUD = frozenset({Key.DRAW.value, Key.PASS.value})
"""Keys for which the table asks “Again?” if another surface has just said the same
(table/session.py)."""
PAUSE_S = DUPLICATE_WITHIN_S + 0.1
"""Seconds that go by at least between a draw or pass and one from another surface. On a tape one
may follow directly on the other, each of them meant; players don't take turns that fast."""


class Bus:
    """The display's bus, which keeps what is sent over it."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    @staticmethod
    def transfer(data: bool, sent: Sequence[int]) -> bytes:
        """A transfer as bytes: 1 for picture bytes or 0 for a command, how many were `sent`, and
        these."""
        return bytes((data, len(sent), *sent))

    def command(self, *command: int) -> None:
        """Keeps a transfer of command bytes."""
        self.sent.append(self.transfer(False, command))

    def data(self, data: list[int]) -> None:
        """Keeps a transfer of picture bytes."""
        self.sent.append(self.transfer(True, data))

    def cleanup(self) -> None:
        """Does nothing: the driver has ended."""


@dataclass
class Pad:
    """A seat keypad as the loop knows it: its serial number, which start of it this is (`boot`),
    and the number of its last press."""

    serial: str
    boot: int = 1
    sequence: int = 0

    @property
    def last(self) -> PressId:
        return PressId(self.serial, self.boot, self.sequence)

    def next(self) -> PressId:
        """Counts one more press; returns its number."""
        self.sequence += 1
        return self.last


class Box:
    """A box controlled by words: `do("5")` does one, and `take()` returns the output since the last
    `take()`."""

    def __init__(self, build: Build, folder: Path) -> None:
        self.build = build
        self.pads = {name: Pad(f"e66{name}") for name in "abcd"}
        self._folder, self._lives, self._rows = folder, 0, 0
        self._came = Output()
        self._luma = [Bus.transfer(False, command) for command in init_commands(build.chip)]
        self._start()

    # ------------------------------------------------------------ what comes out

    def take(self) -> Output:
        """The output since the last call."""
        came, self._came = self._came, Output()
        asked = "SELECT seq, game, row, at, source FROM record WHERE seq > ? ORDER BY seq"
        for seq, game, row, at, source in self._record.execute(asked, (self._rows,)):
            self._rows = seq
            found = [seq, game, *told(row), at, source]
            came.add("rows", json.dumps(found, ensure_ascii=False, sort_keys=True))
        return came

    def _look(self) -> None:
        """Adds the visible output: bytes on the wire, the frame and the lights."""
        show = self.rig.shown[-1]
        self._panel.show(self.rig.looks[-1].of(show.frame))
        self._came.add("wire", b"".join(self._sent()))
        self._bus.sent.clear()
        self._came.add("frames", show.frame.pixels)
        lights = [light.value for light in show.lights.values] if show.lights else ["none"]
        self._came.add("lights", " ".join([*lights, "claiming"] if show.claiming else lights))

    def _sent(self) -> Iterator[bytes]:
        """The transfers to the display. How luma initialises it is luma's own matter: that
        sequence becomes the word “luma”."""
        sent, at = self._bus.sent, 0
        while at < len(sent):
            if sent[at : at + len(self._luma)] == self._luma:
                at += len(self._luma)
                yield b"luma"
            else:
                yield sent[at]
                at += 1

    def _settled(self, source: PressId, refused: bool) -> None:
        self._came.add("answers", f"{source} {'refused' if refused else 'taken'}")

    # ------------------------------------------------------------ words

    def do(self, word: str) -> int:
        """Does a word; returns how many presses of keys it was. Raises ValueError if it is not a
        word of a tape."""
        for pattern, act in self._acts.items():
            if found := pattern.fullmatch(word):
                presses: int = act(self, *found.groups())
                if self.rig.table.switched_off:
                    self._restart()
                self._look()
                return presses
        raise ValueError(f"“{word}” is not a word of a tape")

    def _take_turns(self, surface: str, key: str) -> None:
        """Waits before a draw or a pass on `surface` if another surface entered one less than
        PAUSE_S ago."""
        if key in SAID_ALOUD:
            elsewhere = [at for other, at in self._said_at.items() if other != surface]
            self.rig.wait(max(max(elsewhere, default=0.0) + PAUSE_S - self.rig.now, 0.0))
            self._said_at[surface] = self.rig.now

    def _stroke(self, key: str, how: str) -> int:
        self._take_turns("box", key)
        self.rig.hold(key, {"": STROKE_S, "~": 1.0, "!": 2.5}[how])
        return 1

    def _overlapping(self, first: str, second: str) -> int:
        for key in (first, second):
            self._take_turns("box", key)
        for key, down in ((first, True), (second, True), (first, False), (second, False)):
            self.rig.touch(key, down)
            self.rig.wait(STROKE_S)
        return 2

    def _by_keypad(self, name: str, key: str, how: str) -> int:
        self._take_turns(name, key)
        pad = self.pads[name]
        source = pad.last if how == "=" and pad.sequence else pad.next()
        at = self.rig.now - (1.0 if how == "<" else 0.002)
        self.rig.send(Press(Key(key), source=source, at=at))
        if how == "!":
            self.rig.wait(2.0)
            self.rig.send(Press(Key(key), source=pad.next(), held=True, at=self.rig.now))
        return 1

    def _plugged_in(self, name: str, restarted: str) -> int:
        pad = self.pads[name]
        if restarted:
            pad.boot, pad.sequence = pad.boot + 1, 0
        return self._news(
            KeypadArrived(pad.serial, again=bool(restarted), restarted=bool(restarted))
        )

    def _pulled_out(self, name: str) -> int:
        return self._news(KeypadLeft(self.pads[name].serial))

    def _lost(self, name: str, number: str) -> int:
        return self._news(PressesLost(self.pads[name].next(), int(number)))

    def _news(self, news: News) -> int:
        self.rig.table.events.put(news)
        self.rig.wait(0)
        return 0

    def _time(self, seconds: str) -> int:
        self.rig.wait(float(seconds))
        return 0

    # ------------------------------------------------------------ starts and ends

    def _start(self) -> None:
        build = self.build
        self._said_at = dict[str, float]()
        self.rig = Rig(
            self._folder / f"{self._lives}.db",
            rest=RestTimes() if build.rests else NEVER,
            chip=build.chip,
            switches_off=build.switches_off,
            settle=self._settled,
            games=build.games,
        )
        self._bus = Bus()
        self._panel = LumaPanel(build.chip, lambda: self._bus)
        self._panel.open()
        address = f"file:{self.rig.path}?mode=ro"
        self._record = sqlite3.connect(address, uri=True, isolation_level=None)

    def _restart(self) -> int:
        self.close()
        self._start()
        return 0

    def _unplugged(self) -> int:
        """Cuts the power: the box starts again on a copy of its files as they are at this
        moment."""
        before = self.rig.path
        self._lives += 1
        for ending in ("", "-wal"):
            shutil.copy(f"{before}{ending}", self._folder / f"{self._lives}.db{ending}")
        self._restart()
        for path in self._folder.glob(f"{before.name}*"):
            path.unlink()
        return 0

    def close(self) -> None:
        """Closes the record and the box."""
        self._record.close()
        self.rig.close()

    _keys = "|".join(key.value for key in Key)
    _acts: ClassVar[dict[re.Pattern[str], Callable[..., int]]] = {
        re.compile(rf"({_keys})([!~]?)"): _stroke,
        re.compile(rf"({_keys})\+({_keys})"): _overlapping,
        re.compile(rf"([a-d]):({_keys})([!=<]?)"): _by_keypad,
        re.compile(r"\+([a-d])(!?)"): _plugged_in,
        re.compile(r"-([a-d])"): _pulled_out,
        re.compile(r"([a-d])\?(\d+)"): _lost,
        re.compile(r"~(\d+(?:\.\d+)?)"): _time,
        re.compile("restart"): _restart,
        re.compile("unplug"): _unplugged,
    }


def told(row: str) -> tuple[str, dict[str, Any]]:
    """The kind of a row, and its fields that go into a tape's digests (FIELDS)."""
    found: dict[str, Any] = json.loads(row)
    fields = FIELDS[found["kind"]]
    return found["kind"], {name: found[name] for name in fields if name in found}
