"""Players who play real hands by keys: they hold tiles, look at what the box asks, and key what
people at a table would key, with the slips, changes and disputes that happen there.

What they do is written down, and a tape is played from what was written: so the players need not
do the same twice.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from companion.console.line.holding import KeyHolding
from companion.console.line.play import AskHighestDouble, BetweenHands, ScoreTurn
from companion.console.line.turn import LineTurn, entry_way
from companion.console.lists import ListScreen
from companion.console.screen import Screen, View
from companion.console.screens.box_settings import ClaimKeypad
from companion.console.screens.changes import AmendEntry
from companion.console.screens.chips import CountChips
from companion.console.screens.confirm import SwitchOff
from companion.console.screens.set_up import (
    ChooseGame,
    ChooseOptions,
    ChoosePlayers,
    ShowTable,
    SpellName,
)
from companion.core.keys import Key
from companion.core.seats import Seat
from companion.games.bogus.calls import hand_in_question
from companion.games.line.hand import Hand
from companion.games.tiles import DOUBLE_SIX
from tests.sample_games import NumberTurn
from tests.tape.box import Box
from tests.tape.hands import Do, Hands
from tests.tape.hidden import HiddenTiles, Lay, possible_plays, unlaid
from tests.tape.sight import Sight

RARE = ("More of", "This game", "Order", "Misdraw", "Correct")
SELDOM = ("End", "New", "Lock", "Undo")
"""Beginnings of list lines: RARE ones hardly come up, so they are chosen more often; SELDOM ones
end play, so they are chosen less often."""
PATIENCE = 12
"""Moves away from play after which somebody presses BACK until play goes on."""


@dataclass(frozen=True, slots=True)
class Manner:
    """The players' habits: `game` (its number in the list) with that many `players`, on keypads or
    not. Chances: `slips`: a move is a slip of the finger, or a child's; `bogus`: a draw or pass
    while able to play; `besides`: something besides play. `rules`: digits that choose the house
    rules of a club, whose players also say whether counts were called."""

    game: int = 1
    players: int = 2
    slips: float = 0.05
    bogus: float = 0.08
    besides: float = 0.10
    pads: bool = False
    rules: str = ""


class Players:
    """The players at a table: `move()` does one thing that one of them would do."""

    def __init__(self, manner: Manner, random: Random, box: Box, do: Do, hands: Hands) -> None:
        self.manner, self.random, self._box = manner, random, box
        self._do, self._hands = do, hands
        self._hidden = HiddenTiles(random)
        self._away = 0
        """Moves since the table itself was seen."""

    # ------------------------------------------------------------ what they see

    def _look(self) -> Sight:
        sight = Sight(self._box.rig)
        if hand := _hand(sight.view):
            self._hidden.follow(sight.view.game_number, hand)
        return sight

    def _chance(self, of: float) -> bool:
        return self.random.random() < of

    # ------------------------------------------------------------ what they do

    def move(self) -> None:
        """Does one thing: mostly what the screen asks for, sometimes a slip or something besides
        play."""
        sight = self._look()
        self._away = 0 if sight.screen.shows_table else self._away + 1
        if sight.console.locked:
            self._do("BACK!") if self._chance(0.6) else self._slip()
        elif self._chance(self.manner.slips):
            self._slip()
        elif sight.screen.shows_table and self._chance(self.manner.besides):
            self.random.choices(self._besides, self._how_often)[0](self)
        elif self._away > PATIENCE and sight.view.journal is not None:
            self._keys("BACK")
        else:
            self._sensible(sight)

    def _sensible(self, sight: Sight) -> None:
        """Does what the screen asks for."""
        kinds = (kind for kind in type(sight.screen).__mro__ if kind in self._answers)
        self._answers[next(kinds)](self, sight)

    def _keys(self, keys: str, seat: Seat | None = None) -> None:
        """Presses these keys one after the other; `seat` is who means them."""
        for word in keys.split():
            self._hands.press(Key(word), seat)

    def _any(self, *keys: str, seat: Seat | None = None) -> None:
        """Presses one of these at random, each a key or several."""
        self._keys(self.random.choice(keys), seat)

    # ------------------------------------------------------------ a turn

    def _turn(self, sight: Sight) -> None:
        screen, hand = sight.screen, _hand(sight.view)
        assert isinstance(screen, LineTurn)
        assert hand is not None
        seat = screen.only_seat(sight.view)
        who = self._who(seat)
        if screen.refused or screen.why_not:
            self._refused(sight, who)
        elif screen.passing:
            self._any("OK", "OK", "OK", "BACK", seat=who)
        elif screen.asking:
            self._keys(str(self.random.randint(1, min(len(screen.choices), 9))), who)
        elif screen.keyed:
            self._any("OK", "BACK " * len(screen.keyed), seat=who)
        elif screen.insisted_tile:
            self._keys(" ".join(str(self.random.randint(0, 6)) for _ in range(3)) + " OK", who)
        else:
            self._take_turn(sight, hand, seat, who)

    def _who(self, seat: Seat) -> Seat | None:
        """The seat that answers: mostly `seat`, which is asked, sometimes another, or any
        (None)."""
        return seat if self._chance(0.93) else self.random.choice([None, *self._hidden.holds])

    def _take_turn(self, sight: Sight, hand: Hand, seat: Seat, who: Seat | None) -> None:
        """Plays if able, else draws, else passes; sometimes acts as if unable."""
        if self.manner.rules and self._chance(0.15):
            self._key_count_calls(hand)
            return
        if self._chance(0.01):
            self._returns_a_tile(hand)
            return
        lays = self._hidden.lays(seat, hand)
        if self._chance(0.04):
            lays = [lay for tile in unlaid(hand) for lay in possible_plays(tile, hand)]
        if lays and not self._chance(self.manner.bogus):
            self._key_play(sight, self.random.choice(lays), who)
        elif hand.round.boneyard > hand.round.leave and not self._chance(0.03):
            self._keys("DRAW", who)
        elif lays or hand.line.possible or self._chance(0.5):
            self._keys("PASS OK", who)
        else:
            tile = self.random.choice(unlaid(hand) or list(DOUBLE_SIX.tiles))
            self._keys(f"{tile.low} {tile.high} OK", who)

    def _scores(self, _sight: Sight) -> None:
        """Keys that somebody scores (seldom points that no play can score) or is out; or that tiles
        are keyed again."""
        seat, how = self.random.randint(1, self.manner.players), self.random.random()
        if how < 0.2:
            self._keys(f"MENU 7 {self.random.randint(1, 3)}")
        elif how < 0.3:
            self._keys(f"{seat} OK OK")
        else:
            points = self.random.choice((5, 5, 10, 15, 20, 35, 12))
            self._keys(f"{seat} {' '.join(str(points))} OK")

    def _returns_a_tile(self, hand: Hand) -> None:
        """Keys a draw of a player who notices in time that it can play and returns the tile."""
        tile = self.random.choice(unlaid(hand) or list(DOUBLE_SIX.tiles))
        self._keys(f"DRAW MENU 5 2 {tile.low} {tile.high} DRAW")

    def _key_count_calls(self, hand: Hand) -> None:
        """Keys that the count was called, not called, or called by another; seldom that a tile goes
        back, that somebody has the wrong number of tiles, or that the time is up."""
        how = self.random.random()
        if how < 0.02:
            self._keys("MENU 5 3")
        elif how < 0.06:
            self._returns_a_tile(hand)
        elif how < 0.14:
            self._keys(f"MENU 5 9 {self.random.randint(1, self.manner.players)}")
        else:
            self._any("MENU 5 6", "MENU 5 6", "MENU 5 7", "MENU 5 8 1", "MENU 5 8 2")

    def _key_play(self, sight: Sight, lay: Lay, who: Seat | None) -> None:
        """Keys a play in the way that the table has chosen."""
        tile, line = lay
        halves = f"{tile.low} {tile.high}" if self._chance(0.5) else f"{tile.high} {tile.low}"
        ends = " ".join(map(str, line.ends))
        ways = {"tile": halves, "ends": ends, "count": " ".join(str(line.open_count))}
        self._keys(ways[entry_way(sight.view)], who)
        self._picks(line.ends, who)
        self._keys("OK", who)
        self._picks(line.ends, who)

    def _picks(self, ends: tuple[int, ...], who: Seat | None) -> None:
        """If the keys can mean several plays, mostly picks the one that was meant."""
        screen = self._look().screen
        if isinstance(screen, LineTurn) and screen.choices and self._chance(0.8):
            meant = [choice.makes.ends for choice in screen.choices]
            at = meant.index(ends) if ends in meant else 0
            self._keys(str(min(at + 1, 9)), who)

    def _refused(self, sight: Sight, who: Seat | None) -> None:
        """Continues after a play was refused or something is missing: holds OK, opens the menu or
        goes back."""
        how = self.random.random()
        if how < 0.35:
            self._hands.hold(Key.OK)
        elif how < 0.5:
            self._keys("MENU")
        else:
            self._keys("BACK BACK BACK", who)

    # ------------------------------------------------------------ the other screens of play

    def _big_six(self, sight: Sight) -> None:
        screen, found = sight.screen, self._hidden.highest_double()
        assert isinstance(screen, AskHighestDouble)
        seats = sight.view.state.seats.order
        if screen.double < 0:
            self._any("OK", "OK", "BACK")
        elif self.manner.rules and self._chance(0.1):
            self._keys("MENU 5 4 OK")  # nobody holds a double
        elif self._chance(0.05):
            self._keys("PASS " * (screen.double + 1))
        elif found is None or found[1] < screen.double:
            missing = [seat for seat in seats if seat not in screen.without]
            self._keys("PASS", self.random.choice(missing) if self.manner.pads else None)
        elif self.manner.pads and self._chance(0.7):
            self._keys("OK", found[0])
        else:
            self._keys(str(seats.index(found[0]) + 1))

    def _between(self, sight: Sight) -> None:
        self._any("OK", "OK", "OK", "OK", "OK", "OK", "1", "DRAW", "BACK")

    def _holding(self, sight: Sight) -> None:
        screen = sight.screen
        assert isinstance(screen, KeyHolding)
        who = self._who(screen.seat)
        if screen.why_not or screen.keyed:
            self._any("OK", "BACK BACK", "BACK BACK BACK BACK BACK BACK", seat=who)
            return
        tiles = list(self._hidden.holds.get(screen.seat, ()))
        if tiles and self._chance(0.12):
            tiles.pop()
        if self._chance(0.1):
            self._keys("DRAW", who)
            return
        if Key.D7 in screen.keys(sight.view):
            self._keys(" ".join(str(sum(tile.pips for tile in tiles))), who)
        elif not tiles:
            self._keys("DRAW 0", who)
        else:
            self._keys(" ".join(f"{tile.low} {tile.high}" for tile in tiles), who)
        self._keys("OK", who)

    def _auditing(self, sight: Sight) -> None:
        """Keys how many chips are there, sometimes a wrong number; for none, OK alone."""
        screen, chips = sight.screen, sight.view.chips
        assert isinstance(screen, CountChips)
        assert chips is not None
        _, number = chips.stocks[screen.seat].home[len(screen.so_far)]
        if screen.why_not or screen.keyed:
            self._any("OK", "BACK", "BACK BACK")
            return
        if self._chance(0.15):
            number = self.random.randint(0, 12)
        self._keys(" ".join(str(number) if number else "") + " OK")

    def _number(self, sight: Sight) -> None:
        seat = sight.view.state.to_move
        sign = "DRAW " if self._chance(0.05) else ""
        self._keys(sign + " ".join(str(self.random.randint(0, 21))) + " OK", seat)

    # ------------------------------------------------------------ the set-up

    def _game(self, sight: Sight) -> None:
        self._keys("BACK" if sight.console.screen and self._chance(0.4) else str(self.manner.game))

    def _number_of_players(self, sight: Sight) -> None:
        self._keys(str(self.manner.players))

    def _spell(self, sight: Sight) -> None:
        how = self.random.random()
        if how < 0.45:
            self._any(*(f"{digit} " * self.random.randint(1, 3) for digit in range(2, 10)))
        elif how < 0.6:
            self._any("DRAW", "0", "BACK", "UP UP", "DOWN", "RIGHT")
        else:
            self._keys("OK")

    def _table(self, sight: Sight) -> None:
        if self.manner.rules and self._chance(0.6):
            self._keys(f"MENU {self.manner.rules} BACK OK")
            return
        self._any("OK", "OK", "OK", "OK", "OK", "DRAW", "DRAW", "MENU")

    def _options(self, sight: Sight) -> None:
        if self._chance(0.5):
            self._keys("BACK")
        else:
            self._list(sight)

    def _claim(self, sight: Sight) -> None:
        """Mostly lets a keypad that has no seat yet take this one."""
        pads, owners = self._box.pads, self._box.rig.table.box.keypads
        free = [name for name, pad in pads.items() if pad.serial not in owners]
        free = [name for name in free if pads[name].serial in sight.view.keypads]
        how = self.random.random()
        if free and how < 0.8:
            self._do(f"{free[0]}:OK")
        elif how < 0.9:
            self._any("OK", "BACK", "5")
        else:
            self._do(f"{self.random.choice(list(pads))}:{self.random.choice(['5', 'OK', 'BACK'])}")

    # ------------------------------------------------------------ lists, questions, the rest

    def _list(self, sight: Sight) -> None:
        """Chooses a line: seldom one that ends play, more often one that hardly comes up."""
        screen = sight.screen
        assert isinstance(screen, ListScreen)
        lines = screen.window(sight.view, 0, screen.count(sight.view))
        digits = screen.keyable_digits(sight.view)
        rare = [at for at, line in enumerate(lines) if line.startswith(RARE)]
        if not lines or self._chance(0.15):
            self._keys("BACK")
            return
        at = self.random.randrange(len(lines))
        if rare and self._chance(0.4):
            at = self.random.choice(rare)
        if lines[at].startswith(SELDOM) and self._chance(0.8):
            self._keys("BACK")
        elif at < len(digits) and self._chance(0.6):
            self._keys(str(digits[at]))
        elif at <= len(lines) // 2 or self._chance(0.5):
            self._keys(" ".join(["DRAW"] * min(at, 12) + ["OK"]))
        else:
            self._keys(" ".join(["PASS"] * min(len(lines) - at, 12) + ["OK"]))

    def _amending(self, sight: Sight) -> None:
        """Keys another tile, or whatever else the screen for the earlier entry takes."""
        screen = sight.screen
        assert isinstance(screen, AmendEntry)
        hand = _hand(sight.then)
        lays = [lay for tile in unlaid(hand) for lay in possible_plays(tile, hand)] if hand else []
        if isinstance(sight.inside, LineTurn) and lays and self._chance(0.7):
            self._key_play(sight, self.random.choice(lays), screen.by)
        else:
            self._other(sight)

    def _switch_off(self, sight: Sight) -> None:
        self._any("OK", "BACK", "BACK", "BACK", "DRAW")

    def _other(self, sight: Sight) -> None:
        """Presses a key that the screen takes, preferably one that leads on."""
        keys = [key for key in sight.screen.keys(sight.view) if key not in (Key.MENU, Key.BOGUS)]
        digits = [key for key in keys if key.digit is not None]
        how = self.random.random()
        seat = sight.whose
        if Key.OK in keys and how < 0.45:
            self._keys("OK", seat)
        elif Key.BACK in keys and how < 0.6:
            self._keys("BACK", seat)
        elif digits and how < 0.85:
            self._keys(" ".join(key.value for key in self.random.choices(digits, k=2)), seat)
        elif keys:
            self._keys(self.random.choice(keys).value, seat)
        else:
            self._slip()

    # ------------------------------------------------------------ besides play

    def _opens_menu(self) -> None:
        self._keys("MENU")

    def _takes_back(self) -> None:
        self._any("BACK OK", "BACK OK", "BACK BACK", "BACK DRAW", "BACK OK BACK DRAW")

    def _calls(self) -> None:
        seats = list(self._hidden.holds)
        self._keys("BOGUS", self.random.choice(seats) if seats else None)

    def _changes_history(self) -> None:
        self._keys("MENU 2")
        self._keys(" ".join(["DRAW"] * self.random.randint(0, 5) + ["OK"]))

    def _looks_at_chips(self) -> None:
        self._any("MENU 3", f"MENU 3 {self.random.randint(1, self.manner.players)}")

    def _changes_the_entry_way(self) -> None:
        """Changes how tiles are keyed; seldom, to only scores."""
        self._keys("MENU 7 4 OK" if self._chance(0.1) else f"MENU 7 {self.random.randint(1, 3)}")

    def _dismisses(self) -> None:
        self._any("OK", "OK OK")

    def _holds(self) -> None:
        self._hands.hold(self.random.choice((Key.BACK, Key.MENU, Key.OK)))

    def _waits(self) -> None:
        self._do(f"~{self.random.choice((1, 7, 40, 130, 700))}")

    def _trouble(self) -> None:
        """Restarts the box or cuts its power; or pulls or plugs in a keypad, or loses its
        presses."""
        pad = self.random.choice(list(self._box.pads))
        if self.manner.pads and self._chance(0.8):
            lost = f"{pad}?{self.random.randint(1, 3)}"
            self._do(self.random.choice((f"-{pad}", f"+{pad}", f"+{pad}!", lost)))
        else:
            self._do(self.random.choice(("restart", "unplug")))

    def _slip(self) -> None:
        """Presses keys that nobody meant: one, a few, two at once; on a keypad, late or twice."""
        keys = self._hands.keys
        pads = list(self._box.pads)
        for _ in range(self.random.choice((1, 1, 1, 2, 3, 5))):
            key = self.random.choice(keys).value
            pad = f"{self.random.choice(pads)}:" if self.manner.pads and self._chance(0.6) else ""
            how = self.random.random()
            if pad:
                self._do(f"{pad}{key}{self.random.choice(('', '', '', '!', '=', '<'))}")
            elif how < 0.8:
                self._do(key)
            elif how < 0.9:
                self._do(f"{key}{self.random.choice('!~')}")
            else:
                self._do(f"{key}+{self.random.choice(keys).value}")

    _besides: ClassVar[Sequence[Callable[["Players"], None]]] = (
        _opens_menu, _takes_back, _calls, _changes_history, _looks_at_chips,
        _changes_the_entry_way, _dismisses, _holds, _waits, _trouble,
    )  # fmt: skip
    _how_often: ClassVar = (20, 14, 16, 9, 8, 6, 6, 6, 6, 8)
    _answers: ClassVar[dict[type[Screen[Any]], Callable[["Players", Sight], None]]] = {
        LineTurn: _turn,
        ScoreTurn: _scores,
        AskHighestDouble: _big_six,
        BetweenHands: _between,
        KeyHolding: _holding,
        CountChips: _auditing,
        NumberTurn: _number,
        ChooseGame: _game,
        ChoosePlayers: _number_of_players,
        SpellName: _spell,
        ShowTable: _table,
        ChooseOptions: _options,
        ClaimKeypad: _claim,
        AmendEntry: _amending,
        SwitchOff: _switch_off,
        ListScreen: _list,
        Screen: _other,
    }


def _hand(view: View[Any]) -> Hand | None:
    """The hand on the table; None if there is none."""
    journal = view.journal
    if journal is None or journal.withdrawn or journal.state.board is None:
        return None
    return hand_in_question(journal.state)
