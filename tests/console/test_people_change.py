"""People, seats and games are changed from phones during an entry at the box: no screen keeps
outdated data."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from random import Random

import pytest

from companion.console.screen import Screen
from companion.core.club import GivenSeats
from companion.core.errors import EntryError, RuleError
from companion.core.keys import Key
from companion.core.seats import Seats
from companion.games.game import settle_options
from companion.record.rows import (
    Amend,
    GameOpened,
    PeopleReplaced,
    Redo,
    Reseat,
    Rewind,
    Row,
    Setting,
    Step,
    Undo,
)
from tests.catalog import GAMES
from tests.console import builder
from tests.console.rig import Rig
from tests.console.test_mashing import LIKELY, check_way_out, some_press

WHY = "A phone: it was."
SETS_UP = (
    "Choose", "Name", "Spell", "ShowTable", "ShowPhones", "ShowClub", "ShowVerdict", "AskCard",
    "AskOpenOption", "AskOut", "AskRuling", "AskVoice", "ConfirmGiven",
)  # fmt: skip
"""Beginnings of the names of screens about a game, or people, that are still to come."""
HISTORY = ("row", "question", "heading", "why_not", "then")
"""Fields that tell of what was, or that their screen computes again after every row."""


def from_a_phone(rig: Rig, row: Row) -> bool:
    """Keeps a row as if a phone had sent it; returns whether the rules accept it."""
    before = rig.view
    try:
        after = rig._with(row)
    except (RuleError, EntryError):
        return False
    names = (*after.game.opened.seats, *before.names) if after.journal else before.names
    rig.view = replace(after, names=tuple(dict.fromkeys(names))[:8])
    rig.console = rig.console.after_row_elsewhere(before, rig.view, WHY)
    rig.frame = rig.console.show(rig.view).frame
    return True


def test_the_starter_is_asked_for_again_after_people_change() -> None:
    rig = builder.set_up(3).press("OK")
    from_a_phone(rig, PeopleReplaced(Seats.of("Anna", "Ben", "Cleo")))
    assert "Anna" in str(rig.view.state.seats)
    rig = builder.set_up(3, "OK DRAW").press("1")
    assert from_a_phone(rig, PeopleReplaced(Seats.of("Anna", "Ben", "Cleo")))
    rig.press("1 1 1 OK OK OK")


def below(screen: Screen[object] | None) -> Iterator[Screen[object]]:
    """The screen, and all that its keys lead back to."""
    while screen is not None:
        yield screen
        screen = getattr(screen, "under", None) or getattr(screen, "parent", None)


def named_in(value: object) -> Iterator[str]:
    """Every text in a screen's own fields, except in screens below it."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | list | set | frozenset | dict):
        for one in value:
            yield from named_in(one)
    elif is_dataclass(value) and not isinstance(value, type | Screen):
        for one in fields(value):
            yield from named_in(getattr(value, one.name))


def check_nobody_left(rig: Rig, gone: set[str]) -> None:
    """Checks that no screen names somebody who no longer sits at the table."""
    if rig.view.journal is not None:
        gone = gone.difference(rig.view.game.opened.seats)
    for screen in below(rig.console.screen):
        if type(screen).__name__.startswith(SETS_UP):
            return
        for field in fields(screen):  # type: ignore[arg-type]
            if field.name not in HISTORY:
                stale = gone.intersection(named_in(getattr(screen, field.name)))
                assert not stale, f"{type(screen).__name__}.{field.name} still has {stale}"


class Phones:
    """Phones that act at random. `gone`: the names of all who have left the table."""

    def __init__(self, random: Random) -> None:
        self.random, self.number, self.gone = random, 0, set[str]()

    def fresh(self, number: int) -> Seats:
        self.number += number
        return Seats.of(*(f"P{self.number - one}" for one in range(number)))

    def row(self, rig: Rig) -> Row:
        random = self.random
        if rig.view.journal is None or random.random() < 0.05:
            name = random.choice([*GAMES])
            game = GAMES[name]
            number = random.choice([one for one in game.players if one <= 4])
            return GameOpened(name, self.fresh(number), settle_options(game, number, {}))
        seats, length = [*rig.view.game.opened.seats], rig.view.game.length
        at = random.randrange(max(1, length))
        kind = random.randrange(10)
        if kind < 3:
            new = [*self.fresh(len(seats))]
            kept = random.randrange(len(seats) + 1)  # so many stay, perhaps in other seats
            people = [*random.sample(seats, kept), *new][: len(seats)]
            return PeopleReplaced(Seats.of(*people))
        if kind == 3:
            return Reseat(Seats.of(*random.sample(seats, len(seats))))
        if kind == 4:
            return Undo()
        if kind == 5:
            return Redo()
        if kind == 6 and length:
            return Amend(at, ())
        if kind == 7 and length:
            return Rewind(at)
        if kind == 8:
            return Setting("holding", random.choice(("tiles", "pips")))
        keys = rig.view.play.keys
        if keys is None or rig.view.game.withdrawn:
            return Undo()
        acts = [*keys.acts(rig.view.game.game, rig.view.state, rig.view.settings)]
        return Step((random.choice(acts).entry,)) if acts else Undo()

    def does(self, rig: Rig) -> None:
        """Keeps one row, or gets seats from the club, on whatever screen the box is."""
        before = set(rig.view.game.opened.seats) if rig.view.journal else set[str]()
        if self.random.random() < 0.05:
            given = GivenSeats(1, 1, 7, "high-five", tuple(self.fresh(3)), ())
            rig.console = rig.console.asking_about_seats(given, rig.view.journal)
        elif from_a_phone(rig, self.row(rig)) and rig.view.journal:
            self.gone |= before


@pytest.mark.sampled(1, of="seed")
@pytest.mark.parametrize("name", [*GAMES])
@pytest.mark.parametrize("seed", range(4))
def test_no_screen_is_outdated_after_changes_from_phones(name: str, seed: int) -> None:
    random = Random(f"{name} {seed}")
    phones, rig = Phones(random), Rig()
    line = [*rig.games].index(name) + 1
    rig.press(f"{line} {max(3, min(GAMES[name].players))} 1 OK OK 1")
    for number in range(900):
        if random.random() < 0.25:
            phones.does(rig)
            check_nobody_left(rig, phones.gone)
        press = some_press(random, (*LIKELY, Key.MENU, Key.MENU))
        if press.seat and rig.view.journal is not None:
            press = replace(press, seat=random.choice(rig.view.game.opened.seats.order))
        rig.send(press)
        rig.console.show(rig.view)
        if number % 10 == 0:
            check_way_out(rig)
