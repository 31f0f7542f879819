"""The menu: only what fits the state of the game."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from companion.console.lists import Choose, ListScreen, ask, choose
from companion.console.screen import Outcome, Screen, allowed, keep, would_be
from companion.console.screens.box import BOX, change_setting
from companion.console.screens.chips import SeatList
from companion.console.screens.claims import Claim
from companion.console.screens.dispute import accuse
from companion.console.screens.history import History
from companion.console.screens.setup_game import ChooseGame
from companion.console.screens.setup_table import ShowTable
from companion.console.screens.sure import Sure, keep_if_sure
from companion.console.screens.undo import spoken
from companion.console.view import View
from companion.console.words import shown
from companion.errors import RuleError
from companion.games.entries import (
    Blocked,
    Ended,
    Laid,
    Redealt,
    WentOut,
)
from companion.games.game import (
    Entry,
)
from companion.games.hand import Hand
from companion.games.penalties import Called, Misdrew, Returned
from companion.record.rows import Redo, Undo
from companion.seats import Seat

Item = tuple[str, Choose]


@dataclass(frozen=True, slots=True)
class Menu(ListScreen):
    """Everything that has no key of its own. BACK leads to where it was opened."""

    opened_on: Screen | None = None

    hint: ClassVar = "OK or digit, BACK: close"

    def title(self, view: View) -> str:
        return view.game.game.title

    def lines(self, view: View) -> tuple[str, ...]:
        return tuple(label for label, _ in self._items(view))

    def chosen(self, view: View, at: int) -> Outcome:
        return self._items(view)[at][1](view)

    def back(self, _view: View) -> Outcome:
        return Outcome(self.opened_on)

    def _items(self, view: View) -> tuple[Item, ...]:
        return (
            *_take_back(view),
            ("History: look, change", lambda _view: Outcome(History(parent=self))),
            ("Points and chips: why?", lambda _view: Outcome(SeatList(parent=self))),
            *_again(view),
            *_happened(view, self),
            *_order(view, self),
            ("This box", lambda view: Outcome(choose("This box", _box(view, self), self))),
            ("Lock the keys", lambda _view: Outcome(None, lock=True)),
            *_end(view, self),
        )


def _take_back(view: View) -> Iterator[Item]:
    if view.game.undo_label:
        yield f"Undo {spoken(view.game.undo_label)}", lambda _v: Outcome(None, Undo())


def _again(view: View) -> Iterator[Item]:
    """What was taken back. Below the history and the points, which keep their digits: whoever keys
    these by heart must not do something again."""
    if view.redo_label:
        yield f"Redo {spoken(view.redo_label)}", lambda _v: Outcome(None, Redo())


def _happened(view: View, menu: Screen) -> Iterator[Item]:
    """What may have happened at the table just now."""
    if not hasattr(view.state.board, "hand"):
        return
    out = _may_be_out(view)
    if out is not None:
        yield from _entry(view, f"{shown(out)} is out", WentOut(out), menu)
    yield from _entry(view, "Blocked: nobody can play", Blocked(), menu)
    if view.state.to_move is not None:
        returned = Returned(view.state.to_move)
        yield from _entry(view, f"{shown(view.state.to_move)} returns the tile", returned, menu)
    yield from _misdraw(view, menu)
    yield from _entry(view, "Redeal: no doubles", Redealt(), menu)
    if view.knows(Called):
        yield "Bogus play", lambda view: accuse(view, menu)


def _may_be_out(view: View) -> Seat | None:
    """The seat that has just laid, unless it was its first tile."""
    hand: Hand | None = view.state.board.hand
    lays = [turn.seat for turn in hand.turns if isinstance(turn.did, Laid)] if hand else []
    just_laid = hand and hand.turns and isinstance(hand.turns[-1].did, Laid)
    return lays[-1] if just_laid and lays.count(lays[-1]) > 1 else None


def _entry(view: View, label: str, entry: Entry, menu: Screen) -> Iterator[Item]:
    if allowed(view, entry):
        yield (
            label,
            lambda view: keep_if_sure(view, entry, f"{label.split(':', maxsplit=1)[0]}?", menu),
        )


def _misdraw(view: View, menu: Screen) -> Iterator[Item]:
    seats = [seat for seat in view.state.seats if allowed(view, Misdrew(seat))]
    lines = tuple((f"{shown(seat)} misdrew", _misdrew(seat, menu)) for seat in seats)
    if lines:
        yield "Misdraw", lambda _view: Outcome(choose("Misdraw: who?", lines, menu))


def _misdrew(seat: Seat, menu: Screen) -> Choose:
    """It costs points: who pays whom is read first."""

    def asked(view: View) -> Outcome:
        after = would_be(view, Misdrew(seat))
        if isinstance(after, RuleError):
            return Outcome(menu)
        paid = after.effect.payments[-1]
        text = (
            f"{shown(seat)} drew the wrong number of tiles and pays {shown(paid.to)} {paid.points}."
        )
        return Outcome(Sure("Misdraw?", text, Misdrew(seat), menu))

    return asked


def _order(view: View, menu: Screen) -> Iterator[Item]:
    """The order of the seats can be swapped until the first payment."""
    opened = view.game.opened
    if not any(view.state.scores.values) and not view.state.finished:
        table = ShowTable(opened.game, opened.seats, opened.options, menu, again=True)
        yield "Order of the seats", lambda _view: Outcome(table)


def _box(view: View, parent: Screen) -> tuple[Item, ...]:
    settings = tuple((setting.label, change_setting(setting, parent)) for setting in BOX)
    claim = ("Whose keypad is whose?", lambda view: Outcome(Claim(view.state.seats.order)))
    return (*settings, claim) if view.keypads else settings


def _end(view: View, menu: Screen) -> Iterator[Item]:
    sure = (
        ("No, play on", lambda _view: Outcome(None)),
        ("End it, scores are kept", lambda _view: keep(Ended())),
    )
    if view.knows(Ended) and allowed(view, Ended()):
        yield "End this game", lambda view: ask("End this game?", sure, menu, view)
    yield "New game", lambda _view: Outcome(ChooseGame(parent=menu))
