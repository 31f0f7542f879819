"""Screens on which something is keyed: digits, and why OK has refused them."""

from dataclasses import dataclass, replace
from typing import ClassVar, Self

from companion.console.frame import Canvas, draw_refusal
from companion.console.screen import Outcome, Screen, View
from companion.core.keys import Key
from companion.core.words import phrase
from companion.games.game import B

Digits = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusing(Screen[B]):
    """A screen that may refuse OK. `why_not` then stands over it until OK or BACK goes on; what was
    keyed stays, to be corrected."""

    why_not: str | None = None

    @property
    def explains(self) -> bool:
        return self.why_not is not None

    def press(self, view: View[B], key: Key, /) -> Outcome[B]:
        if self.why_not is not None and key in (Key.OK, Key.BACK):
            return self.refuse(None)
        return Screen.press(self, view, key)

    def refuse(self, why_not: str | None) -> Outcome[B]:
        """This screen with the reason `why_not` over it; None: without one."""
        return Outcome(replace(self, why_not=why_not))

    def draw_why_not(self, canvas: Canvas, hint: str = phrase("OK: go on")) -> None:
        """Draws why OK was refused, if it was, and the `hint` that says what the keys do."""
        if self.why_not is not None:
            draw_refusal(canvas, self.why_not, hint)


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyed(Refusing[B]):
    """A screen on which digits are keyed, `most` at most. BACK takes the last one off."""

    keyed: Digits = ()

    digits: ClassVar = range(10)
    most: ClassVar[int]

    @property
    def pending(self) -> bool:
        return bool(self.keyed)

    @property
    def text(self) -> str:
        """The digits as they were keyed."""
        return "".join(map(str, self.keyed))

    @property
    def number(self) -> int:
        """The number that the digits make; 0 without any."""
        return int(self.text or 0)

    def digit(self, _view: View[B], digit: int) -> Outcome[B]:
        """Adds a digit; one too many is not taken."""
        return Outcome(self.with_digits((*self.keyed, digit)[: self.most]))

    def with_digits(self, keyed: Digits) -> Self:
        """This screen with the digits `keyed`, and nothing refused."""
        return replace(self, keyed=keyed, why_not=None)

    def back(self, view: View[B]) -> Outcome[B]:
        """BACK: takes the last digit off; without digits, leaves the screen."""
        return Outcome(self.with_digits(self.keyed[:-1])) if self.keyed else self.leave(view)

    def leave(self, _view: View[B]) -> Outcome[B]:
        """What BACK does without digits: it closes the screen."""
        return Outcome(None)
