"""A turn, and the payment of the turn before: one layout.

Digits and OK lay a tile; DRAW, PASS, BOGUS and BACK do what they say. While the digits come, the
picture shows already what the lay makes, so that OK itself changes little. A payment stays until
the next key, and that key counts.
"""

from dataclasses import dataclass, replace
from typing import ClassVar

from companion.console.frame import Canvas
from companion.console.layout import draw_question, draw_refusal, draw_table
from companion.console.lists import choose
from companion.console.screen import Outcome, Screen, keep, would_be
from companion.console.screens.keying import (
    WAYS,
    Digits,
    Preview,
    Way,
    choice_lines,
    glance,
    insisted,
    preview,
    way_after,
)
from companion.console.screens.turn_table import mover, says_something, turn_table
from companion.console.screens.undo import offer_undo
from companion.console.view import View
from companion.console.words import shown
from companion.errors import RuleError
from companion.games.entries import Drew, Laid, Passed
from companion.games.game import (
    Choice,
    Entry,
)
from companion.keys import Key
from companion.record.rows import Setting
from companion.seats import Seat


@dataclass(frozen=True, slots=True)
class Turn(Screen):
    """Whose turn it is. `fresh`: nothing was pressed yet since the last entry, so that entry and
    what it paid are shown. `choices`: the lays that the digits can mean, `asked` for by OK, or one
    of them picked already. `lies`: this tile lies there, whatever the record says; its ends are
    asked for. `why_not`: OK was refused, for this reason. `passing`: PASS waits for OK."""

    keyed: Digits = ()
    fresh: bool = True
    entry: Entry | None = None
    """What OK would keep."""
    tried: Preview | None = None
    choices: tuple[Choice, ...] = ()
    asked: bool = False
    why_not: str | None = None
    passing: bool = False
    lies: tuple[int, int] | None = None
    changed: bool = False
    """The entry way was changed just now."""

    digits: ClassVar = range(10)
    plays: ClassVar = True

    def whose(self, view: View) -> Seat:
        """Whose turn it is."""
        return mover(view)

    # ------------------------------------------------------------ digits

    def keys(self, view: View) -> tuple[Key, ...]:
        """The digits of the entry way, then what else a turn takes."""
        digits = (Key(str(digit)) for digit in self.way(view).digits)
        return (*digits, Key.OK, Key.DRAW, Key.PASS, Key.BOGUS, Key.BACK, Key.MENU)

    def way(self, view: View) -> Way:
        """The entry way: as set, but a tile that simply lies there is said by its ends."""
        return WAYS["ends"] if self.lies else WAYS.get(view.entry_way, WAYS["tile"])

    def digit(self, view: View, digit: int) -> Outcome:
        """One digit more, tried as soon as it can be a lay; or one of the choices."""
        way = self.way(view)
        if self.choices and (self.asked or len(self.keyed) == way.most):
            return self._pick(view, digit - 1)
        if digit not in way.digits or len(self.keyed) >= way.most:
            return Outcome(replace(self, fresh=False, why_not=None))
        return Outcome(self._with(view, (*self.keyed, digit)))

    def _with(self, view: View, keyed: Digits) -> "Turn":
        """These digits keyed, and tried if they are enough for a lay."""
        way = self.way(view)
        if len(keyed) < way.least:
            return Turn(keyed, False, lies=self.lies)
        laid = way.entry(mover(view), keyed)
        if self.lies:
            laid = insisted(replace(laid, halves=self.lies))
        tried = glance(view, laid)
        return Turn(keyed, False, laid, tried, tried.choices, lies=self.lies)

    def _pick(self, view: View, at: int) -> Outcome:
        """One of the choices: kept at once where OK has asked, else shown until OK."""
        if not 0 <= at < len(self.choices):
            return Outcome(self)
        entry = self.choices[at].entry
        if self.asked:
            return keep(entry)
        return Outcome(replace(self, entry=entry, tried=preview(view, entry)))

    # ------------------------------------------------------------ OK

    def accept(self, view: View) -> Outcome:
        """OK: keeps the lay, or a pass that waited; without digits see `_dismiss`."""
        if self.passing:
            return self._keep(view, Passed(mover(view)))
        if not self.keyed and not self.lies:
            return self._dismiss(view)
        if self.tried is None or self.entry is None:
            return Outcome(replace(self, fresh=False, why_not=_TOO_FEW[self.way(view).name]))
        if self.tried.unexplained:
            tried = preview(view, self.entry)
            return Outcome(replace(self, tried=tried, why_not=tried.refused))
        if self.tried.choices:
            return Outcome(self._ask(view))
        if self.tried.refused:
            return Outcome(replace(self, why_not=self.tried.refused))
        return keep(self.entry)

    def _dismiss(self, view: View) -> Outcome:
        """OK without digits: what the last entry made is read; if that is gone, the next entry
        way."""
        if self.fresh and says_something(view, self):
            return Outcome(Turn(fresh=False))
        changed = Turn(fresh=False, changed=True)
        return Outcome(changed, Setting("entry", way_after(view.entry_way)))

    def _keep(self, view: View, entry: Entry) -> Outcome:
        """Keeps a draw or a pass, or says why not."""
        after = would_be(view, entry)
        if isinstance(after, RuleError):
            return Outcome(Turn(self.keyed, False, why_not=str(after), lies=self.lies))
        return keep(entry)

    def _ask(self, view: View) -> Screen:
        """Which of the lays it can be, asked by result: on the table, or if many in a list."""
        if len(self.choices) <= 9 and choice_lines(self.choices):
            return replace(self, asked=True)
        lines = tuple(
            (choice.text, lambda _view, entry=choice.choice.entry: keep(entry))
            for choice in map(_Line, self.choices)
        )
        return choose("Which ends are open now?", lines, self, only=mover(view))

    def held(self, view: View, key: Key) -> Outcome:
        """OK held on a refused lay: the table insists that it lies there."""
        return self.insist(view) if key is Key.OK and self.refused else Outcome(self)

    @property
    def refused(self) -> bool:
        """OK was pressed on a lay that the record refuses."""
        return self.why_not is not None and self.tried is not None

    def insist(self, view: View) -> Outcome:
        """It lies there anyway. A tile alone doesn't say what is open now: that is asked for."""
        if not isinstance(self.entry, Laid):
            return Outcome(self)
        if self.entry.ends is None and self.entry.count is None:
            return Outcome(Turn(fresh=False, lies=self.entry.halves))
        tried = preview(view, insisted(self.entry))
        if tried.refused:
            return Outcome(replace(self, why_not=tried.refused))
        return keep(insisted(self.entry))

    # ------------------------------------------------------------ the other keys

    def menu(self) -> Outcome | None:
        """MENU on a refused lay: what can be done about it. Else None: the menu of the game."""
        if not self.refused:
            return None
        cleared = Turn(fresh=False)
        lines = (
            ("It lies there anyway", self.insist),
            ("Key it again", lambda _view: Outcome(cleared)),
            ("Take back the last entry", lambda view: offer_undo(view, cleared)),
        )
        return Outcome(choose("Refused", lines, self))

    def draw_tile(self, view: View) -> Outcome:
        """DRAW: one tile, at once."""
        return self._keep(view, Drew(mover(view)))

    def pass_turn(self, _view: View) -> Outcome:
        """PASS waits for OK."""
        return Outcome(Turn(fresh=False, passing=True))

    def back(self, view: View) -> Outcome:
        """BACK takes a digit back; without digits it offers to take back the last entry."""
        if self.why_not is not None or self.asked:
            return Outcome(replace(self, why_not=None, asked=False))
        if self.keyed:
            return Outcome(self._with(view, self.keyed[:-1]))
        if self.passing or self.lies:
            return Outcome(Turn(fresh=False))
        return offer_undo(view, self)

    on: ClassVar = {
        Key.OK: accept,
        Key.BACK: back,
        Key.DRAW: draw_tile,
        Key.PASS: pass_turn,
    }

    def draw(self, view: View, canvas: Canvas) -> None:
        """The table, and over it a question or a refusal."""
        draw_table(canvas, turn_table(view, self, self.way(view)))
        if self.passing:
            draw_question(canvas, f"{shown(mover(view))} passes? {_left(view)}", "OK yes   BACK no")
        elif self.why_not is not None:
            hint = "OK 2 s: it lies   BACK: edit" if self.refused else "BACK: go on"
            draw_refusal(canvas, self.why_not, hint)


def _left(view: View) -> str:
    """Why a pass is asked for: tiles may be left to draw."""
    hand = view.state.board.hand
    left = hand.boneyard - hand.leave
    return f"{left} left to draw" if left > 0 else ""


@dataclass(frozen=True, slots=True)
class _Line:
    """A choice as a line of a list."""

    choice: Choice

    @property
    def text(self) -> str:
        return f"{' '.join(map(str, self.choice.ends))} = {self.choice.count}"


_TOO_FEW = {
    "tile": "A tile has two halves: key both, then OK.",
    "ends": "Key every open end, an open double twice, then OK.",
    "count": "Key the count, then OK.",
}
