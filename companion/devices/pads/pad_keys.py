"""Translates a number pad's key codes from the kernel to edges of the box's keys. Pure, with the
time as an argument.

Some pads send Num Lock before and after each key; some send Home for 7 while Num Lock is off. So
Num Lock is ignored, and 7 and Home are the same key. The key `00` of some pads sends two zeros
faster than any finger could: they are ignored, and therefore a zero counts only after it has been
down for a while. The kernel's key repeats are ignored too; the box makes its own
(devices/gpio/debounce.py)."""

from collections import deque
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from companion.core.keys import Key
from companion.core.values import dataclass
from companion.devices.gpio.debounce import Edge, Timing

# Numbers of keys: include/uapi/linux/input-event-codes.h.
_DIGITS = tuple(Key(digit) for digit in "1234567890")
_PAD_DIGITS = (79, 80, 81, 75, 76, 77, 71, 72, 73, 82)
_LOCKED_OFF = (107, 108, 109, 105, 106, 102, 103, 104, 110)
"""The codes of all digits but 5 while Num Lock is off: End, Down, Page Down …; 5 has no such
code."""
_ENTER, _KP_ENTER = 28, 96
_BACK = (14, 1, 83, 121, 51, 52, 111)
"""Backspace, Escape, and the key beside 0: comma or dot, or Delete while Num Lock is off."""
PAD_CODES: Mapping[int, Key] = MappingProxyType(
    {
        **dict(zip(range(2, 12), _DIGITS, strict=True)),
        **dict(zip(_PAD_DIGITS, _DIGITS, strict=True)),
        **dict(zip(_LOCKED_OFF, map(Key, "123467890"), strict=True)),
        **dict.fromkeys((_ENTER, _KP_ENTER), Key.OK),
        **dict.fromkeys(_BACK, Key.BACK),
        **dict.fromkeys((78, 13), Key.DRAW),  # plus; on some pads the equals sign has its place
        **dict.fromkeys((74, 12), Key.PASS),  # minus
        55: Key.BOGUS,  # asterisk
        **dict.fromkeys((98, 53), Key.MENU),  # slash
    }
)
KEYBOARD_CODES: Mapping[int, Key] = MappingProxyType(
    {
        **PAD_CODES,
        **{103: Key.UP, 108: Key.DOWN, 105: Key.LEFT, 106: Key.RIGHT},
        **{32: Key.DRAW, 25: Key.PASS, 48: Key.BOGUS, 50: Key.MENU},  # D P B M
    }
)
"""The codes of a full keyboard, which has arrows and letters besides its number pad."""

LETTERS = frozenset({16, 17, 18, 19, 20, 30, 31, 32, 44, 45, 46})
"""Q W E R T A S D Z X C. A device that has all of them is a full keyboard, or claims to be one."""

TAKE_VALUES = ("auto", "pads", "keyboards", "nothing")
"""The values of the setting `take`: which devices are used as keys. With `auto`, full keyboards are
used only if the box has no keys of its own and there is no number pad."""

TAP_S = 0.03
"""Seconds after which a zero that is down must come from a finger."""
DOUBLE_S = 0.07
"""Two zeros pressed within this time, in seconds, are the key `00`."""
MAX_KEYS_PER_SECOND = 40
"""The most keys that a person presses per second. A pad that sends more is broken, or something is
lying on it."""
QUIET_S = 1.0
"""Seconds without a key after which a pad that was too fast counts again."""

RELEASE_S = Timing().release_s
DOWN, UP = 1, 0


def is_keyboard(codes: Iterable[int]) -> bool:
    """Returns whether a device with these keys is a keyboard of any kind, with digits and Enter."""
    found = set(codes)
    digits = set(_PAD_DIGITS) <= found or set(range(2, 12)) <= found
    return digits and bool({_ENTER, _KP_ENTER} & found)


def is_number_pad(codes: Iterable[int], name: str) -> bool:
    """Returns whether a keyboard is only a number pad. Some number pads claim to have all letters;
    these are recognised by name."""
    words = name.lower()
    named = any(word in words for word in ("keypad", "numpad", "number pad", "numeric"))
    return named or not set(codes) >= LETTERS


@dataclass(slots=True)
class _Zero:
    """The key 0, which may turn out to be half of `00`. `release_s`: seconds after which an open
    key counts as released."""

    release_s: float
    down_at: float | None = None
    up_at: float | None = None
    believed: bool = False
    ignored_at: float | None = None
    """The time at which the last zero of `00` was pressed."""
    came_up_at: float | None = None
    """When it was last released after it had counted as down, or after chatter."""
    chatters: bool = False
    """Whether it was pressed again too soon to have been released."""

    def feed(self, value: int, at: float) -> list[tuple[bool, float]]:
        """Takes a movement of the key (DOWN or UP) and its time. Returns the movements that are
        certain by then, as (down, when)."""
        changes = self.advance(at)
        if value == DOWN:
            self._note_down(at)
        elif self.chatters:
            self.chatters, self.came_up_at = False, at
        elif self.believed:
            self.believed, self.down_at, self.came_up_at = False, None, at
            changes.append((False, at))
        elif self.down_at is not None and self.up_at is None:
            self.up_at = at
        return changes

    def _note_down(self, at: float) -> None:
        if self.came_up_at is not None and at - self.came_up_at < self.release_s:
            self.chatters = True
        elif self.ignored_at is not None or self.up_at is not None:
            self.down_at = self.up_at = None
            self.ignored_at = at
        elif not self.believed:
            self.down_at = at

    def advance(self, now: float) -> list[tuple[bool, float]]:
        """Returns the movements that are certain by now, as (down, when)."""
        if self.ignored_at is not None and now - self.ignored_at >= DOUBLE_S:
            self.ignored_at = None
        due = self.wake_at
        if due is None or now < due or self.down_at is None:
            return []
        if self.up_at is None:
            self.believed = True
            return [(True, self.down_at)]
        changes = [(True, self.down_at), (False, self.up_at)]
        self.down_at = self.up_at = None
        return changes

    @property
    def wake_at(self) -> float | None:
        """The time at which a pending movement becomes certain if no other one comes first; None if
        none is pending."""
        if self.down_at is None or self.believed:
            return None
        return self.down_at + (TAP_S if self.up_at is None else DOUBLE_S)


class PadKeys:
    """The keys of one pad. `codes`: the box's key for each of the pad's codes; `release_s`: seconds
    after which an open key counts as released (Timing)."""

    def __init__(self, codes: Mapping[int, Key], release_s: float = RELEASE_S) -> None:
        self._codes, self._release_s = codes, release_s
        self._zero = _Zero(release_s)
        self._down: dict[int, Key] = {}
        self._pressed: deque[float] = deque(maxlen=MAX_KEYS_PER_SECOND)
        self._moved_at = 0.0
        self.flooded = False
        """Whether more keys came than anybody can press. Then nothing counts until the pad has been
        quiet for a while."""

    def feed(self, code: int, value: int, at: float) -> list[Edge]:
        """Takes a movement of one of the pad's keys (1: down, 0: up, 2: repeated by the kernel).
        Returns the edges that are certain by then."""
        edges = self.advance(at)
        key = self._codes.get(code)
        if key is None or value not in (DOWN, UP):
            return edges
        if self._is_flooding(value, at):
            return edges + self.release(at)
        if key is Key.D0:
            return edges + [Edge(key, down, when) for down, when in self._zero.feed(value, at)]
        if value == DOWN:
            self._down[code] = key
        elif self._down.pop(code, None) is None:
            return edges
        return [*edges, Edge(key, value == DOWN, at)]

    def _is_flooding(self, value: int, at: float) -> bool:
        quiet, self._moved_at = at - self._moved_at >= QUIET_S, at
        if self.flooded and not quiet:
            return True
        self.flooded = False
        if value == DOWN:
            full = len(self._pressed) == MAX_KEYS_PER_SECOND
            self.flooded = full and at - self._pressed[0] < 1.0
            self._pressed.append(at)
        return self.flooded

    def advance(self, now: float) -> list[Edge]:
        """Returns the edges that are certain by now."""
        return [Edge(Key.D0, down, when) for down, when in self._zero.advance(now)]

    @property
    def wake_at(self) -> float | None:
        """The time at which to call `advance` next; None if that isn't necessary before another
        movement of a key."""
        return self._zero.wake_at

    def release(self, at: float) -> list[Edge]:
        """Releases all keys, because the pad is gone or it is not known which keys are down.
        Returns their edges."""
        edges = [Edge(key, False, at) for key in self._down.values()]
        if self._zero.believed:
            edges.append(Edge(Key.D0, False, at))
        self._down.clear()
        self._zero = _Zero(self._release_s)
        return edges
