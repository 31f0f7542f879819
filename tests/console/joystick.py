"""Presses the keys of a board with a joystick, and no others."""

from dataclasses import dataclass
from typing import Any

from companion.console.console import picker_keys
from companion.console.lists import ListScreen
from companion.console.screen import Screen
from companion.console.screens.changes import AmendEntry
from companion.console.screens.set_up import ChoosePlayers, SpellName
from companion.core.keys import FIVE_WAY, Key, Press
from companion.devices.board import known_boards, load_board
from tests.console.rig import KEYS, Rig

STICK = frozenset(FIVE_WAY)
BOARDS = {
    name: keys
    for name in sorted(known_boards())
    if (keys := frozenset(load_board(name).keys.keys)) >= STICK
}
"""The boards with a joystick, and the keys that each has."""

_STICKS = {Key.OK: Key.PRESS, Key.BACK: Key.LEFT}
_BAR = {Key.DRAW: Key.DOWN, Key.PASS: Key.UP}


@dataclass
class Joystick(Rig):
    """`press("5 6 OK")` does the same as on sixteen keys, but presses only the keys of `board`."""

    board: frozenset[Key] = STICK

    def send(self, press: Press) -> None:
        """One press of a key that the board has."""
        assert press.key in self.board
        super().send(press)

    def press(self, keys: str) -> "Joystick":
        for word in keys.split():
            self._by_stick(KEYS[word.rstrip("!")])
            if word.endswith("!"):
                self.send(Press(_STICKS[KEYS[word.rstrip("!")]], held=True))
        return self

    def spell(self, name: str) -> "Joystick":
        """Spells a name by turning through the alphabet."""
        for letter in name.upper():
            for _ in range(26):
                self.send(Press(Key.UP))
                screen = self.screen
                assert isinstance(screen, SpellName)
                if screen.letter == letter:
                    break
            self.send(Press(Key.RIGHT))
        return self.press("OK")

    def _inside(self) -> Screen[Any]:
        """The screen that takes the keys; if an entry is being amended, the one inside it."""
        screen = self.screen
        return screen._inner_screen(self.view) if isinstance(screen, AmendEntry) else screen

    def _by_stick(self, key: Key) -> None:
        if key in self.board:
            self.send(Press(key))
        elif isinstance(screen := self._inside(), ListScreen):
            self._in_list(screen, key)
        elif key is Key.BACK or (key is Key.OK and not self.console.picker.shown):
            self.send(Press(_STICKS[key]))
        else:
            self._on_picker(key)

    def _in_list(self, screen: ListScreen[Any], key: Key) -> None:
        """Moves down to the line of that number, and presses the stick."""
        if key.digit is None:
            self.send(Press(_STICKS.get(key) or _BAR[key]))
            return
        numbers = screen.keyable_digits(self.view)
        line = key.digit - 2 if isinstance(screen, ChoosePlayers) else numbers.index(key.digit)
        for _ in range((line - screen.at) % screen.count(self.view)):
            self.send(Press(Key.DOWN))
        self.send(Press(Key.PRESS))

    def _on_picker(self, key: Key) -> None:
        keys = picker_keys(self.screen, self.view)
        assert key in keys, f"{self.name()} has no {key} on its picker"
        for _ in range(len(keys) + 1):
            self.send(Press(Key.UP))
            if self.console.picker.key is key:
                break
        self.send(Press(Key.RIGHT))
