"""Ways to press a key: on the box, with a joystick, or on a seat's keypad."""

from collections.abc import Callable
from typing import Any, ClassVar, Protocol

from companion.console.console import picker_keys
from companion.console.lists import ListScreen
from companion.console.screens.set_up import ChoosePlayers
from companion.core.keys import TURNED_BY_180, Key
from companion.core.seats import Seat
from tests.tape.box import Box
from tests.tape.sight import Sight

Do = Callable[[str], None]
"""A function that does a word of a tape and writes it down."""


class Hands(Protocol):
    """Presses keys. `press` is a key as it is printed on a box; `seat` is who means it."""

    keys: tuple[Key, ...]
    """The keys of the device, which may be hit by mistake."""

    def press(self, key: Key, seat: Seat | None = None) -> None:
        """Presses the key, or does what has the same effect."""

    def hold(self, key: Key) -> None:
        """Holds the key down."""


class Fingers:
    """Presses the sixteen keys of the box."""

    def __init__(self, do: Do, keys: tuple[Key, ...]) -> None:
        self._do, self.keys = do, keys

    def press(self, key: Key, seat: Seat | None = None) -> None:
        del seat
        self._do(key.value)

    def hold(self, key: Key) -> None:
        self._do(f"{key.value}!")


class Thumb:
    """Presses a joystick and the few keys of its board."""

    _stick: ClassVar = {Key.OK: Key.PRESS, Key.BACK: Key.LEFT, Key.DRAW: Key.DOWN, Key.PASS: Key.UP}

    def __init__(self, do: Do, keys: tuple[Key, ...], box: Box) -> None:
        self._do, self.keys, self._box = do, keys, box

    def press(self, key: Key, seat: Seat | None = None) -> None:
        del seat
        sight = Sight(self._box.rig)
        screen = sight.inside
        if key in self.keys:
            self._do(key.value)
        elif isinstance(screen, ListScreen):
            self._in_list(sight, screen, key)
        elif key is Key.BACK or (key is Key.OK and not sight.console.picker.shown):
            self._move(self._stick[key])
        else:
            self._on_picker(sight, key)

    def hold(self, key: Key) -> None:
        known = key if key in self.keys else self._stick.get(key)
        if known:
            self._move(known, "!")

    def _move(self, key: Key, how: str = "") -> None:
        """Moves the stick once, the other way round if the display is flipped; `how` is the end of
        the word."""
        flip = Sight(self._box.rig).view.settings.get("flip") == "on"
        self._do(f"{(TURNED_BY_180.get(key, key) if flip else key).value}{how}")

    def _in_list(self, sight: Sight, screen: ListScreen[Any], key: Key) -> None:
        if key.digit is None:
            self._move(self._stick.get(key, Key.LEFT))
            return
        line = key.digit - (2 if isinstance(screen, ChoosePlayers) else 1)
        for _ in range((line - screen.at) % max(screen.count(sight.view), 1)):
            self._move(Key.DOWN)
        self._move(Key.PRESS)

    def _on_picker(self, sight: Sight, key: Key) -> None:
        keys = picker_keys(sight.screen, sight.view)
        if key not in keys:
            self._move(Key.LEFT)
            return
        way = Key.UP if keys.index(key) <= len(keys) // 2 else Key.DOWN
        for _ in range(len(keys) + 1):
            self._move(way)
            if Sight(self._box.rig).console.picker.key is key:
                break
        self._move(Key.RIGHT)


class Keypads:
    """Presses keys at the keypad of the seat that acts, if it has one; else at the box."""

    def __init__(self, do: Do, keys: tuple[Key, ...], box: Box) -> None:
        self._do, self.keys, self._box = do, keys, box

    def press(self, key: Key, seat: Seat | None = None) -> None:
        pad = self._pad(seat)
        self._do(f"{pad}:{key.value}" if pad else key.value)

    def hold(self, key: Key) -> None:
        pad = self._pad(Sight(self._box.rig).whose)
        self._do(f"{pad}:{key.value}!" if pad and key is Key.OK else f"{key.value}!")

    def _pad(self, seat: Seat | None) -> str | None:
        """The tape's name for the keypad of `seat`; None if it has none."""
        owners = self._box.rig.table.box.keypads
        found = (name for name, pad in self._box.pads.items() if owners.get(pad.serial) == seat)
        return next(found, None) if seat else None
