"""What a screen is: a frozen value that takes keys and draws itself.

A screen never changes: a key gives an Outcome, the screen to show next and perhaps a row to keep.
An outcome without a screen means: whatever the state of the game asks for (see screens/registry).
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from companion.console.frame import Canvas
from companion.console.layout import draw_refusal
from companion.console.view import View
from companion.errors import EntryError, RuleError
from companion.games.game import (
    AnyState,
    Entry,
)
from companion.keys import Key, Press
from companion.record.rows import Row, Step
from companion.seats import Seat
from companion.values import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a key does. `screen` None: the state decides; `lock`: the keys are locked; `off`: the
    box is to be switched off; `refused`: a line over the screen that says why the key did nothing,
    until the next key."""

    screen: "Screen | None" = None
    row: Row | None = None
    lock: bool = False
    off: bool = False
    refused: str | None = None


Action = Callable[[Any, View], Outcome]


class Screen:
    """One screen. Subclasses are frozen dataclasses; `on` is what its keys do."""

    __slots__ = ()
    on: ClassVar[Mapping[Key, Action]] = {}
    digits: ClassVar[range] = range(0)
    """The digits that it takes."""
    plays: ClassVar[bool] = False
    """It shows the table itself: MENU opens the menu, BOGUS a call."""

    def keys(self, _view: View, /) -> tuple[Key, ...]:
        """The keys that it takes now, in the order in which a joystick turns through them."""
        return (*(Key(str(digit)) for digit in self.digits), *self.on)

    def whose(self, _view: View, /) -> Seat | None:
        """The seat whose keypad it takes digits, OK, DRAW and PASS from; None: anybody's."""
        return None

    def stands_on(self, view: View, /) -> object:
        """What it would be wrong without: a row that was not keyed here takes it away if this is
        another afterwards. Usually whose turn it is, of which hand of which game."""
        return view.turn

    @property
    def asks(self) -> bool:
        """Whether somebody is in the middle of something here, besides digits."""
        return not self.plays

    def renewed(self, _view: View, /) -> "Screen":
        """The same after such a row that left what it stands on as it was."""
        return self

    def repeats(self, _view: View, /) -> frozenset[Key]:
        """The keys that go on acting while they are down."""
        return frozenset()

    def digit(self, _view: View, _digit: int, /) -> Outcome:
        """A digit of `digits` was pressed."""
        return Outcome(self)

    def held(self, _view: View, _key: Key, /) -> Outcome:
        """A key has been down for two seconds, its press being done with already."""
        return Outcome(self)

    def press(self, view: View, key: Key, /) -> Outcome:
        """Any key."""
        if key.digit is not None:
            return self.digit(view, key.digit) if key.digit in self.digits else Outcome(self)
        act = self.on.get(key)
        return act(self, view) if act else Outcome(self)

    def pressed(self, view: View, press: Press, /) -> Outcome:
        """The same, for screens to which it matters whose keypad it was."""
        return self.press(view, press.key)

    def draw(self, view: View, canvas: Canvas, /) -> None:
        """Draws itself on an empty canvas."""
        raise NotImplementedError


class Keyed(Screen):
    """A screen on which something is keyed, and that may refuse it. Over it then stands `why_not`,
    until OK or BACK goes on; what was keyed stays, to be corrected. Its subclasses are dataclasses
    with that field."""

    __slots__ = ()
    why_not: str | None

    def press(self, view: View, key: Key, /) -> Outcome:
        if self.why_not is not None and key in (Key.OK, Key.BACK):
            screen: Any = self
            return Outcome(replace(screen, why_not=None))
        return Screen.press(self, view, key)

    def draw_why_not(self, canvas: Canvas, hint: str = "OK: go on") -> None:
        """Why it was refused, if it was, and what the keys do."""
        if self.why_not is not None:
            draw_refusal(canvas, self.why_not, hint)


def home(_screen: Screen, _view: View) -> Outcome:
    """The action of a key that leads back to what the state asks for."""
    return Outcome(None)


def keep(*entries: Entry, joined: bool = False) -> Outcome:
    """Keep these entries as one step, then see what the state asks for."""
    return Outcome(None, Step(entries, joined))


def would_be(view: View, entry: Entry) -> AnyState | RuleError:
    """The state after `entry`, tried in memory, or why it is refused."""
    if type(entry) not in view.game.game.entries:
        return RuleError(f"{view.game.game.title} has no “{entry.words[0]}”")
    try:
        return view.game.game.apply(view.state, entry)
    except RuleError as refused:
        return refused
    except EntryError as refused:
        return RuleError(str(refused))


def allowed(view: View, entry: Entry) -> bool:
    """Whether the game takes that entry now."""
    return not isinstance(would_be(view, entry), RuleError)
