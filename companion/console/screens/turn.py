"""A turn, and the payment of the turn before: one layout.

Digits and OK lay a tile; DRAW, PASS, BOGUS and BACK do what they say. While the digits come, the
picture shows already what the lay makes, so that OK itself changes little. A payment stays until
the next key, and that key counts.
"""

from dataclasses import dataclass, replace
from typing import ClassVar

from companion.console.frame import Canvas
from companion.console.layout import Table, draw_question, draw_refusal, draw_table
from companion.console.lists import choose
from companion.console.screen import Outcome, Screen, keep
from companion.console.screens.keying import (
    WAYS,
    Digits,
    Preview,
    Way,
    insisted,
    preview,
    way_after,
)
from companion.console.screens.undo import offer_undo
from companion.console.view import View
from companion.console.words import by_name, scores_line, shown, which_chips, who_pays
from companion.games.entries import Drew, Laid, Passed
from companion.games.game import AnyState, Choice
from companion.games.hand import Hand, Stage
from companion.keys import Key
from companion.record.rows import Setting
from companion.seats import Seat


@dataclass(frozen=True, slots=True)
class Turn(Screen):
    """Whose turn it is. `fresh`: nothing was pressed yet since the last entry, so what that entry
    paid is shown. `lies`: this tile lies there, whatever the record says; its ends are asked for.
    `why_not`: OK was refused, for this reason. `passing`: PASS waits for OK."""

    digits_keyed: Digits = ()
    fresh: bool = True
    tried: Preview | None = None
    why_not: str | None = None
    passing: bool = False
    lies: tuple[int, int] | None = None

    digits: ClassVar = range(10)
    plays: ClassVar = True

    # ------------------------------------------------------------ keys

    def keys(self, view: View) -> tuple[Key, ...]:
        """The digits of the entry way, then what else a turn takes."""
        digits = (Key(str(digit)) for digit in self.way(view).digits)
        return (*digits, Key.OK, Key.DRAW, Key.PASS, Key.BOGUS, Key.BACK, Key.MENU)

    def digit(self, view: View, digit: int) -> Outcome:
        """One digit more, if the entry way takes it; the lay is tried as soon as it is whole."""
        way = self.way(view)
        keyed = self.digits_keyed
        if digit in way.digits and len(keyed) < way.most:
            keyed = (*keyed, digit)
        return Outcome(self._with(view, keyed))

    def _with(self, view: View, keyed: Digits) -> "Turn":
        tried = preview(view, self._laid(view, keyed)) if self._whole(view, keyed) else None
        return Turn(keyed, False, tried, lies=self.lies)

    def _whole(self, view: View, keyed: Digits) -> bool:
        return len(keyed) >= self.way(view).least

    def way(self, view: View) -> Way:
        """The entry way: as set, but a tile that simply lies there is said by its ends."""
        return WAYS["ends"] if self.lies else WAYS.get(view.entry_way, WAYS["tile"])

    def _laid(self, view: View, keyed: Digits) -> Laid:
        laid = self.way(view).entry(_seat(view), keyed)
        return insisted(replace(laid, halves=self.lies)) if self.lies else laid

    def accept(self, view: View) -> Outcome:
        """OK: keeps the lay, or a pass that waited; without digits, the next entry way."""
        if self.passing:
            return keep(Passed(_seat(view)))
        if not self.digits_keyed and not self.lies:
            return Outcome(Turn(fresh=False), Setting("entry", way_after(view.entry_way)))
        if self.tried is None:
            return Outcome(replace(self, fresh=False, why_not=_TOO_FEW[self.way(view).name]))
        if self.tried.choices:
            return Outcome(self._ask(self.tried.choices))
        if self.tried.refused:
            return Outcome(replace(self, why_not=self.tried.refused))
        return keep(self._laid(view, self.digits_keyed))

    def _ask(self, choices: tuple[Choice, ...]) -> Screen:
        """Which of the lays it can be, asked by result."""
        lines = tuple(
            (f"{' '.join(map(str, choice.ends))} = {choice.count}",
             lambda _view, choice=choice: keep(choice.entry))
            for choice in choices
        )  # fmt: skip
        return choose("Which ends are open now?", lines, self)

    def held(self, view: View, key: Key) -> Outcome:
        """OK held on a refused lay: the table insists that it lies there."""
        return self.insist(view) if key is Key.OK and self.refused else Outcome(self)

    @property
    def refused(self) -> bool:
        """OK was pressed on a lay that the record refuses."""
        return self.why_not is not None and self.tried is not None

    def insist(self, view: View) -> Outcome:
        """It lies there anyway. A tile alone doesn't say what is open now: that is asked for."""
        laid = self._laid(view, self.digits_keyed)
        if laid.ends is None and laid.count is None:
            return Outcome(Turn(fresh=False, lies=laid.halves))
        tried = preview(view, insisted(laid))
        if tried.refused:
            return Outcome(replace(self, why_not=tried.refused))
        return keep(insisted(laid))

    def menu(self, _view: View) -> Outcome | None:
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
        return keep(Drew(_seat(view)))

    def pass_turn(self, _view: View) -> Outcome:
        """PASS waits for OK."""
        return Outcome(Turn(fresh=False, passing=True))

    def back(self, view: View) -> Outcome:
        """BACK takes a digit back; without digits it offers to take back the last entry."""
        if self.passing:
            return Outcome(Turn(fresh=False))
        if self.why_not is not None:
            return Outcome(replace(self, why_not=None))
        if self.digits_keyed:
            return Outcome(self._with(view, self.digits_keyed[:-1]))
        if self.lies:
            return Outcome(Turn(fresh=False))
        return offer_undo(view, replace(self, fresh=False))

    on: ClassVar = {
        Key.OK: accept,
        Key.BACK: back,
        Key.DRAW: draw_tile,
        Key.PASS: pass_turn,
    }

    # ------------------------------------------------------------ the picture

    def draw(self, view: View, canvas: Canvas) -> None:
        """The table, and over it a question or a refusal."""
        draw_table(canvas, self.table(view))
        if self.passing:
            draw_question(canvas, f"{shown(_seat(view))} passes?", "OK yes   BACK no")
        elif self.why_not is not None:
            hint = "Hold OK: it lies there" if self.refused else "BACK: go on"
            draw_refusal(canvas, self.why_not, hint)

    def table(self, view: View) -> Table:
        """What stands where."""
        state = view.state
        after = self.tried.state if self.tried and self.tried.state else state
        hand: Hand = after.board.hand
        count, way = hand.line.known_count, self.way(view)
        paid = after.effect.payments[-1:] if self.fresh or after is not state else ()
        number, label = ("–" if count is None else str(count)), "count"
        if self.fresh and paid:
            number, label = str(abs(paid[0].points)), "paid"
        return Table(
            seat=shown(_seat(view)),
            number=number,
            label=label if hand.line.said or count is not None else "",
            need=_need(view, state),
            ends=_ends(state, hand),
            way=way.name,
            keyed="" if self.fresh and paid else way.format(self.digits_keyed),
            chips=which_chips(paid[0]) if self.fresh and paid else "",
            say=self._say(view, after),
            scores=scores_line(state),
            paid=bool(self.fresh and paid),
        )

    def _say(self, view: View, after: AnyState) -> str:
        """What the lay makes, or what the last entry made."""
        if self.tried and self.tried.choices:
            return "Two ways: OK asks which"
        if self.tried and self.tried.refused:
            return self.tried.refused.split(":")[0].split(". ")[0]
        if self.tried and after.winner:
            return f"This wins: {who_pays(after.effect.payments[-1])}"
        if after.effect.payments and (self.tried or self.fresh):
            return who_pays(after.effect.payments[-1])
        return _last(view) if self.fresh and view.game.length else ""


_TOO_FEW = {
    "tile": "A tile has two halves: key both, then OK.",
    "ends": "Key every open end, an open double twice, then OK.",
    "count": "Key the count, then OK.",
}


def _seat(view: View) -> Seat:
    seat = view.state.to_move
    assert seat is not None, "a turn is shown only while somebody is to move"
    return seat


def _need(view: View, state: AnyState) -> str:
    need = view.game.game.to_win(state, _seat(view))
    return f"{need} to win" if need is not None else ""


def _ends(state: AnyState, hand: Hand) -> str:
    if hand.stage is Stage.LEAD:
        return "leads a double" if hand.big_6 else "leads any tile"
    if hand.line.known_ends is not None:
        return f"open {' '.join(map(str, hand.line.known_ends))}"
    return "open ends unknown" if state.board.hand.turns else ""


def _last(view: View) -> str:
    """The last entry by name, and what is doubtful about it."""
    _, entry, state = next(view.game.newest_first())
    doubts = [_NOTICES[n.kind] for n in state.effect.notices if n.kind in _NOTICES]
    more = f", {state.board.hand.boneyard} left" if isinstance(entry, Drew) else ""
    return doubts[0] if doubts else by_name(entry) + more


_NOTICES = {
    "count-doubtful": "Tiles don't add up: a DRAW lost?",
    "block-known": "No tile fits: blocked? (MENU)",
}
