"""The screens, kinds of rows and kinds of entries that come up on tapes.

reach.txt names a tape for each, and how often it comes up there. The test of each tape checks that
it reaches its names in reach.txt (conftest.py); all names are compared with the program's
(test_played.py).
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.app.catalog import CATALOG
from companion.console.screen import PlayableGame, PlayableGames
from companion.games.game import AnyGame
from companion.record.rows import (
    ROW_KINDS,
    NamesForgotten,
    PeopleReplaced,
    PlayerHidden,
    PlayerRenamed,
    RowsLost,
)
from tests.rig import Rig
from tests.screens.classes import every_screen
from tests.tape.box import Build, Output
from tests.tape.sight import on_tapes, screen_name

REACH = Path(__file__).parent / "reach.txt"

ALL_GAMES = Build(race=True, clubs=True).games
"""All games that are on any tape."""

OF_THE_TESTS = "NumberTurn"
"""The screen of the game without screens of its own."""

Name = str
"""A name is like “screen Turn”, “row undo”, “entry high-five draw”; a lay by tile is “entry
high-five tile”."""


@dataclass
class ReachedNames:
    """The number of times that each name came up on a tape."""

    times: Counter[Name] = field(default_factory=Counter)
    _games: dict[int, str] = field(default_factory=dict)

    def screen(self, rig: Rig) -> None:
        """Counts the screen that is shown now."""
        if (name := screen_name(rig)) != OF_THE_TESTS:
            self.times[f"screen {name}"] += 1

    def rows(self, came: Output, games: PlayableGames) -> None:
        """Counts the rows that were kept, and their entries."""
        for line in came.parts["rows"].decode().splitlines():
            _, number, kind, told, *_ = json.loads(line)
            self.times[f"row {kind}"] += 1
            if kind == "opened":
                self._games[number] = told["game"]
            for entry in told.get("entries", ()):
                game = self._games[number]
                self.times[f"entry {game} {entry_kind(entry, games[game].rules)}"] += 1


def entry_kind(entry: str, game: AnyGame) -> str:
    """The word of the tally that says what kind of entry it is; “tile” for a lay by tile."""
    words = {word for kind in game.entries for word in kind.words if word}
    return next((word for word in entry.split()[:2] if word in words), "tile")


OF_PHONES = (
    "companion.console.screens.phones",
    "companion.console.screens.box_settings.CheckBox",
    "companion.console.screens.box_settings.RenewKeypads",
)
"""Screens that belong to the page that phones open: no tape has one."""
OF_STICKS = ("companion.console.screens.confirm.TakeGames",)
"""Modules of screens for a stick with games: no tape has one."""
OF_CLUBS = (
    "companion.console.screens.club",
    "companion.console.screens.given_seats",
    "companion.console.screens.menu.NameInstead",
    "companion.console.screens.menu.ConfirmPeople",
)
"""Screens for a club and its hub: no tape has any."""
OF_VOICE = ("companion.console.sounds",)
"""Modules of screens that ask about the voice: no tape has a voice for long enough."""
OF_ELSEWHERE = (PlayerRenamed, PlayerHidden, NamesForgotten, PeopleReplaced)
"""Rows that come from the command line or a hub alone."""


def everything() -> set[Name]:
    """All names that the program has for the games on tapes. Left out are the screens and rows that
    no tape has (above), and the row of a damaged record, as a tape damages none."""
    besides = (*_screens_of_other_games(), *OF_PHONES, *OF_STICKS, *OF_CLUBS, *OF_VOICE)
    found = {f"screen {on_tapes(name)}" for name in every_screen(besides=besides)}
    found |= {f"row {kind.name}" for kind in ROW_KINDS if kind.row not in (RowsLost, *OF_ELSEWHERE)}
    for name, game in ALL_GAMES.items():
        words = (word for kind in game.rules.entries for word in kind.words)
        found |= {f"entry {name} {word or 'tile'}" for word in words}
    return found


def _screens_of_other_games() -> tuple[str, ...]:
    """The packages and modules of screens of games that no tape has, and the module that these
    share."""
    ours = ALL_GAMES
    screens = {name: _screens_of(game) for name, game in CATALOG.items()}
    on_tape = {screens[name] for name in ours if name in screens}
    return (*{*screens.values()} - on_tape, "companion.console.in_play")


def _screens_of(game: PlayableGame[Any]) -> str:
    """The package or module of a game's screens, with a dot behind it."""
    return ".".join(type(game.screens).__module__.split(".")[:3]) + "."


def load() -> dict[Name, str]:
    """The tape that each name comes up on."""
    lines = REACH.read_text("utf-8").splitlines()
    return {name: tape for name, tape, _ in (line.rsplit(" ", 2) for line in lines)}


def format_reach(tapes: Mapping[str, ReachedNames]) -> str:
    """reach.txt: each name with the tape on which it comes up most."""
    return "".join(f"{line}\n" for line in sorted(_best(tapes)))


def _best(tapes: Mapping[str, ReachedNames]) -> Iterator[str]:
    for name in {name for reached in tapes.values() for name in reached.times}:
        tape = max(tapes, key=lambda tape: tapes[tape].times[name])
        yield f"{name} {tape} {tapes[tape].times[name]}"
