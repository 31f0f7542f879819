"""The menu: what has no key of its own. Each item has one digit for ever; what can't be chosen now
is left out, and what is beyond nine stands in the lists of the hand, the box and the game."""

from dataclasses import dataclass
from typing import ClassVar

from companion.console.lists import Choose, Item, ItemList, Items, choose
from companion.console.screen import Outcome, Screen, allowed, keep, would_be
from companion.console.screens.box import BOX, ENTRY_WAY, SOUND, change_setting
from companion.console.screens.chips import SeatList
from companion.console.screens.claims import Claim
from companion.console.screens.dispute import accuse
from companion.console.screens.history import History
from companion.console.screens.setup_game import ChooseGame
from companion.console.screens.setup_table import ShowTable
from companion.console.screens.sure import Sure, keep_if_sure
from companion.console.screens.undo import spoken, undone
from companion.console.view import View
from companion.console.words import shown
from companion.errors import RuleError
from companion.games.entries import Blocked, Ended, Redealt, WentOut
from companion.games.game import (
    Entry,
)
from companion.games.line.hand import Hand
from companion.games.line.laid import Laid
from companion.games.penalties import Called, Misdrew, Returned
from companion.record.rows import Redo
from companion.seats import Seat


@dataclass(frozen=True, slots=True)
class Menu(ItemList):
    """Everything that has no key of its own. BACK leads to where it was opened."""

    opened_on: Screen | None = None

    hint: ClassVar = "Digit or OK. BACK: close"

    def title(self, view: View) -> str:
        return view.game.game.title

    def items(self, view: View) -> Items:
        return (
            _undo(view),
            ("History: look, change", lambda _view: Outcome(History(parent=self))),
            ("Points and chips: why?", lambda _view: Outcome(SeatList(parent=self))),
            _entry(view, "Blocked: nobody can play", Blocked(), self),
            _opens("More of this hand", _of_the_hand(view, self), self),
            _redo(view),
            _entry_way(view, self),
            _opens("This box", _of_the_box(view, self), self),
            _opens("This game: seats, end, new", _of_the_game(view, self), self),
        )

    def back(self, _view: View) -> Outcome:
        return Outcome(self.opened_on)


def _opens(label: str, items: Items, menu: Screen) -> Item | None:
    """A list of its own, unless nothing in it can be chosen."""
    heading = label.split(":", maxsplit=1)[0]
    return (label, lambda _view: Outcome(choose(heading, items, menu))) if any(items) else None


def _undo(view: View) -> Item | None:
    label = view.game.undo_label
    return (f"Undo {spoken(label)}", undone) if label else None


def _redo(view: View) -> Item | None:
    label = view.redo_label
    return (f"Redo {spoken(label)}", lambda _view: Outcome(None, Redo())) if label else None


def _entry_way(view: View, menu: Screen) -> Item | None:
    """How lays are keyed, where there are any."""
    now = ENTRY_WAY.words(view.entry_way).split(":", maxsplit=1)[0].lower()
    return (f"Entry way: {now}", change_setting(ENTRY_WAY, menu)) if view.knows(Laid) else None


# ---------------------------------------------------------------- the hand


def _of_the_hand(view: View, menu: Screen) -> Items:
    """What may have happened at the table just now, and is not said by a key."""
    out, mover = _may_be_out(view), view.state.to_move
    return (
        _entry(view, f"{shown(out)} is out", WentOut(out), menu) if out else None,
        _entry(view, f"{shown(mover)} returns the tile", Returned(mover), menu) if mover else None,
        _misdraw(view, menu),
        _entry(view, "Redeal: no doubles", Redealt(), menu),
        ("Bogus play", lambda view: accuse(view, menu)) if view.knows(Called) else None,
    )


def _may_be_out(view: View) -> Seat | None:
    """The seat that has just laid, unless it was its first tile."""
    hand: Hand | None = view.state.board.hand if view.knows(WentOut) else None
    lays = [turn.seat for turn in hand.turns if isinstance(turn.did, Laid)] if hand else []
    just_laid = hand and hand.turns and isinstance(hand.turns[-1].did, Laid)
    return lays[-1] if just_laid and lays.count(lays[-1]) > 1 else None


def _entry(view: View, label: str, entry: Entry, menu: Screen) -> Item | None:
    """An item that keeps an entry, where the rules take it now."""
    question = f"{label.split(':', maxsplit=1)[0]}?"
    if not allowed(view, entry):
        return None
    return label, lambda view: keep_if_sure(view, entry, question, menu)


def _misdraw(view: View, menu: Screen) -> Item | None:
    """Which seat, by the digit of its place at the table."""
    seats = tuple(
        (f"{shown(seat)} misdrew", _misdrew(seat, menu)) if allowed(view, Misdrew(seat)) else None
        for seat in view.state.seats
    )
    if not any(seats):
        return None
    return "Misdraw", lambda _view: Outcome(choose("Misdraw: who?", seats, menu))


def _misdrew(seat: Seat, menu: Screen) -> Choose:
    """It costs points: who pays whom is read first."""

    def asked(view: View) -> Outcome:
        after = would_be(view, Misdrew(seat))
        if isinstance(after, RuleError):
            return Outcome(menu)
        paid = after.effect.payments[-1]
        points = f"{paid.points} {view.colour(seat)}".rstrip()
        text = f"{shown(seat)} drew the wrong number of tiles and pays {shown(paid.to)} {points}."
        return Outcome(Sure("Misdraw?", text, Misdrew(seat), menu))

    return asked


# ---------------------------------------------------------------- the box, the game


def _of_the_box(view: View, menu: Screen) -> Items:
    """Its settings; the keypads at the seats, while there are any; the lock."""
    claim = ("Whose keypad is whose?", lambda view: Outcome(Claim(view.state.seats.order)))
    return (
        *((setting.label, change_setting(setting, menu)) for setting in BOX),
        claim if view.keypads else None,
        ("Lock the keys", lambda _view: Outcome(None, lock=True)),
        (SOUND.label, change_setting(SOUND, menu)),
    )


def _of_the_game(view: View, menu: Screen) -> Items:
    sure: Items = (
        ("No, play on", lambda _view: Outcome(None)),
        ("End it, scores are kept", lambda _view: keep(Ended())),
    )
    ends = view.knows(Ended) and allowed(view, Ended())
    return (
        _order(view, menu),
        ("End this game", lambda _view: Outcome(choose("End this game?", sure, menu)))
        if ends
        else None,
        ("New game", lambda _view: Outcome(ChooseGame(parent=menu))),
    )


def _order(view: View, menu: Screen) -> Item | None:
    """The order of the seats can be swapped until the first payment."""
    opened = view.game.opened
    if any(view.state.scores.values) or view.state.finished:
        return None
    table = ShowTable(opened.game, opened.seats, opened.options, menu, again=True)
    return "Order of the seats", lambda _view: Outcome(table)
