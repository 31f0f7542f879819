"""Five-way input: how up, down, left, right and press become the keys of the box.

A screen may take some of them itself: in a list, up and down move the bar, and right and press are
OK. On other screens, up and down turn through the keys that the screen takes, and right or press
types the key that is shown; while no key is shown, press is OK. Left is BACK. So a joystick and two
or three keys do all that sixteen keys do.
"""

from dataclasses import replace

from companion.console.frame import WIDTH, Canvas
from companion.console.screen import Screen, View
from companion.core.keys import FIVE_WAY, Key
from companion.core.values import dataclass

_STEP = {Key.UP: 1, Key.DOWN: -1}
_TYPES = {Key.RIGHT: None, Key.PRESS: Key.OK}
"""The key that each types while no picker is shown (None: none)."""


@dataclass(frozen=True, slots=True)
class KeyPicker:
    """The key that was shown last, and whether it is shown now."""

    key: Key | None = None
    shown: bool = False

    def turned(self, keys: tuple[Key, ...], step: int) -> "KeyPicker":
        """The picker one `step` on among `keys`. A hidden picker first shows the key that it showed
        last."""
        if not keys:
            return KeyPicker()
        if self.key not in keys:
            return KeyPicker(keys[0] if step > 0 else keys[-1], True)
        if not self.shown:
            return KeyPicker(self.key, True)
        return KeyPicker(keys[(keys.index(self.key) + step) % len(keys)], True)

    def translate(
        self, key: Key, keys: tuple[Key, ...], takes: frozenset[Key]
    ) -> tuple["KeyPicker", Key | None]:
        """Translates a five-way `key`: gives the picker as the key leaves it, and the key of the
        box that is meant (None: none). The picker turns through `keys`; a key in `takes` goes to
        the screen untranslated."""
        if key in takes:
            return replace(self, shown=False), key
        if key in _STEP:
            return self.turned(keys, _STEP[key]), None
        if key is Key.LEFT:
            return replace(self, shown=False), Key.BACK
        if self.shown:
            return replace(self, shown=False), self.key
        return self, Key.OK if Key.UP in takes else _TYPES[key]


NO_PICKER = KeyPicker()


def picker_keys(screen: Screen[object], view: View[object]) -> tuple[Key, ...]:
    """The keys that a joystick turns through on this screen."""
    return tuple(key for key in screen.keys(view) if key not in FIVE_WAY)


def draw_picker(canvas: Canvas, key: Key) -> None:
    """Draws the picker's key at the right edge."""
    width = max(canvas.width(key.value), 5) + 14
    canvas.fill(WIDTH - width, 32, width, 8, on=False)
    canvas.text(WIDTH - width + 2, 32, f"↑{key.value}↓")
    canvas.invert(WIDTH - width, 4, width)
