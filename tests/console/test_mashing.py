"""Random keys cause no exception, lose no chip, and never lead to a screen without a way out."""

from random import Random

import pytest

from companion.console.console import Console
from companion.console.line.bogus_calls import ShowRuling
from companion.console.screens.game_over import GameOver
from companion.core.keys import FIVE_WAY, SIXTEEN, Key, Press
from companion.core.seats import Seat
from companion.games.chips import STOCK_POINTS
from tests.console.rig import Rig
from tests.sample_games import RACE_GAMES

LIKELY = (*SIXTEEN, Key.OK, Key.OK, Key.OK, Key.D1, Key.D2, Key.D5, Key.D6, Key.DRAW)
WAYS_OUT = 80
"""The most presses of BACK: a holding can have many digits to take back first."""


def some_press(random: Random, keys: tuple[Key, ...]) -> Press:
    key = random.choice(keys)
    seat = Seat(random.choice(("Red", "Blue"))) if random.random() < 0.1 else None
    return Press(key, seat, held=random.random() < 0.03)


def check_chips(rig: Rig) -> None:
    if rig.view.journal is None or rig.view.chips is None:
        return
    for stock in rig.view.chips.stocks.values:
        pairs = zip(stock.home, stock.away, strict=True)
        assert sum(value * (home + away) for (value, home), (_, away) in pairs) == STOCK_POINTS
        assert all(n >= 0 for _, n in (*stock.home, *stock.away))


def check_way_out(rig: Rig) -> None:
    """Checks that BACK, pressed often enough, leads to the screen that the state asks for, or to
    one that it offers next."""
    view, console = rig.view, rig.console
    if console.locked:
        console, _ = console.press(view, Press(Key.BACK, held=True))
        assert not console.locked
    home = view.screen
    homes = [type(home), GameOver]
    if isinstance(home, ShowRuling):
        homes.append(type(home.after(view)))
    for _ in range(WAYS_OUT):
        if console.screen is None or isinstance(console.screen, tuple(homes)):
            return
        console, row = console.press(view, Press(Key.BACK))
        assert row is None, "BACK alone never changes the record"
    pytest.fail(f"no way out of {rig.name()}: BACK led to {console.screen}")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(8))
def test_random_keys_outside_play_break_nothing(seed: int) -> None:
    random = Random(seed)
    keys = LIKELY if seed % 2 else (*LIKELY, *FIVE_WAY, *FIVE_WAY)
    rig = Rig()
    if seed == 7:
        rig = Rig({**rig.games, **RACE_GAMES})
    for number in range(2600):
        rig.send(some_press(random, keys))
        if number % 10 == 0:
            check_chips(rig)
            check_way_out(rig)
        if number % 500 == 499 and random.random() < 0.5:
            rig.console = Console.start()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(4))
def test_random_keys_in_play_break_nothing(seed: int) -> None:
    """Presses only keys that play hands: no menus, and few undos."""
    random = Random(seed)
    keys = tuple(key for key in SIXTEEN if key not in (Key.MENU, Key.BACK)) + (Key.OK,) * 5
    rig = Rig().press(f"1 {2 + seed % 3} 1 OK OK 1")
    for number in range(1200):
        rig.send(Press(random.choice(keys), held=random.random() < 0.05))
        if number % 10 == 0:
            check_chips(rig)
            check_way_out(rig)
