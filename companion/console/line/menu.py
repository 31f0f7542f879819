"""The menu items of a line game."""

from collections.abc import Mapping
from typing import Final

from companion.console.line.dispute import accuse, is_called
from companion.console.line.holding import keep_or_confirm
from companion.console.line.keying import ENTRY_WAYS, entry_way
from companion.console.line.tile_back import OfferReturn, drew_last
from companion.console.lists import opens
from companion.console.screen import Choose, Item, Items, Outcome, Screen, View, allowed, would_be
from companion.console.screens.box import change_setting
from companion.console.screens.confirm_entry import ConfirmEntry
from companion.core.errors import RuleError
from companion.core.seats import Seat, shown
from companion.core.words import listed, phrase
from companion.games.entries import Blocked, Redealt, TimeUp, WentOut
from companion.games.entry import Entry
from companion.games.game import State
from companion.games.line.hand import LineBoard
from companion.games.line.laid import Laid
from companion.games.line.play import counted
from companion.games.options import OFF, Value
from companion.games.penalties import (
    CountCalled,
    Misdrew,
    Muggins,
    NotCalled,
    WrongCount,
)
from companion.games.round import Stage
from companion.presentation.line.keys import is_settled
from companion.record.settings import ENTRY_SCORES

KEYED_BY: Final = {
    "tile": phrase("tile"),
    "ends": phrase("open ends"),
    "count": phrase("count"),
    ENTRY_SCORES: phrase("points"),
}
"""The menu's name for each way to key tiles."""
ENTRY_NOTES: Final[Mapping[Value, str]] = {
    ENTRY_SCORES: phrase(
        "Only scores are keyed: who scored, and how much. There is no line to see, and no bogus "
        "play can be proven."
    ),
}
"""What the box says once, when somebody chooses a way to key tiles."""


def menu_items(view: View[LineBoard]) -> Mapping[int, Item[LineBoard]]:
    """The menu's choices by their fixed digits; what can't be chosen now is left out."""
    now = KEYED_BY[entry_way(view)]
    items: dict[int, Item[LineBoard] | None] = {
        4: _blocked(view),
        5: opens(phrase("More of this hand"), _of_the_hand(view)),
        7: (phrase("How you key: {way}", way=now), change_setting(ENTRY_WAYS, notes=ENTRY_NOTES)),
    }
    return {digit: item for digit, item in items.items() if item}


def _blocked(view: View[LineBoard]) -> Item[LineBoard] | None:
    """The item for a blocked hand. Before the first lay there is none, unless only scores are
    keyed: then the record has no lays."""
    hand = view.state.board.hand
    if hand and hand.round.stage is Stage.LEAD and entry_way(view) != ENTRY_SCORES:
        return None
    return _entry(view, phrase("Blocked: nobody can play"), phrase("Blocked?"), Blocked())


def _of_the_hand(view: View[LineBoard]) -> Items[LineBoard]:
    """The items for what may just have happened at the table and has no key of its own."""
    mover = view.state.to_move
    bogus: Item[LineBoard] = (phrase("Bogus play"), accuse)
    called = is_settled(view.game.game, view.state) and not is_called(view)
    return (
        _is_out(view),
        _tile_back(view, mover) if mover else None,
        # Only games that may be played by the clock have the entry that the time is up.
        _misdraw(view)
        or _entry(view, phrase("Time up: the last hand"), phrase("Time up?"), TimeUp()),
        _entry(view, phrase("Redeal: no doubles"), phrase("Redeal?"), Redealt()),
        bogus if called else None,
        *_calls_of_the_count(view),
        _wrong_count(view),
    )


def _is_out(view: View[LineBoard]) -> Item[LineBoard] | None:
    """The item that says that the seat which has just laid is out; None after that seat's first
    tile."""
    hand = view.state.board.hand
    lays = [turn.seat for turn in hand.turns if isinstance(turn.did, Laid)] if hand else []
    just_laid = hand and hand.turns and isinstance(hand.turns[-1].did, Laid)
    if not just_laid or lays.count(lays[-1]) == 1:
        return None
    seat = lays[-1]
    label = phrase("{seat} is out", seat=shown(seat))
    return _entry(view, label, phrase("{seat} is out?", seat=shown(seat)), WentOut(seat))


def _tile_back(view: View[LineBoard], mover: Seat) -> Item[LineBoard] | None:
    """The item by which `mover` returns the tile that it has just drawn; None if that isn't
    allowed. Choosing it asks which tile it is, since a returned tile is shown."""
    if drew_last(view) != mover:
        return None
    label = phrase("{seat} returns the tile", seat=shown(mover))
    return label, lambda _view, menu: Outcome(OfferReturn(menu))


def _entry(
    view: View[LineBoard], label: str, question: str, entry: Entry
) -> Item[LineBoard] | None:
    """An item that keeps `entry`; None if the rules don't take it now. If the entry is doubtful,
    the box asks once more, under the heading `question`."""
    if not allowed(view, entry):
        return None
    return label, lambda view, menu: keep_or_confirm(view, entry, question, menu)


def _calls_of_the_count(view: View[LineBoard]) -> Items[LineBoard]:
    """The items about the last count, in a game in which counts are called: after every lay,
    whether it scores or not, since the menu must not give that away."""
    state, called = view.state, view.state.options.get("called", OFF)
    layer = state.effect.seat
    if called == OFF or layer is None or counted(state) is None or not view.knows(CountCalled):
        return (None, None, None)
    in_time = phrase("{seat} called the count", seat=shown(layer))
    return (
        _entry(view, in_time, in_time, CountCalled(layer)),
        _asked(phrase("{seat} didn't call it", seat=shown(layer)), NotCalled(layer)),
        _muggins(state, layer) if called == "muggins" else None,
    )


def _muggins(state: State[LineBoard], layer: Seat) -> Item[LineBoard] | None:
    """The item for an opponent who called the count first. If there are several opponents, it asks
    which one, by the digit of the seat."""
    others = [seat for seat in state.seats if seat not in state.side_of(layer)]
    if len(others) == 1:
        return _asked(phrase("Muggins: {seat}", seat=shown(others[0])), Muggins(others[0]))
    seats = tuple(
        _asked(shown(seat), Muggins(seat)) if seat in others else None for seat in state.seats
    )
    return opens(phrase("Muggins"), seats, phrase("Muggins: who?"))


def _asked(label: str, entry: Entry) -> Item[LineBoard]:
    """An item that is there even if the rules don't take its entry: the refusal comes when it is
    chosen."""
    return label, lambda view, menu: keep_or_confirm(view, entry, label, menu)


def _wrong_count(view: View[LineBoard]) -> Item[LineBoard] | None:
    """The item “Wrong number of tiles”, which asks for the seat by the digit of its place at the
    table; None if no seat can be chosen."""
    label = phrase("Wrong number of tiles")
    seats = tuple(_entry(view, shown(seat), label, WrongCount(seat)) for seat in view.state.seats)
    return opens(label, seats, phrase("Wrong number: who?")) if any(seats) else None


def _misdraw(view: View[LineBoard]) -> Item[LineBoard] | None:
    """The item “Misdraw”, which asks for the seat by the digit of its place at the table; None if
    no seat can be chosen."""
    seats = tuple(
        (phrase("{seat} misdrew", seat=shown(seat)), _misdrew(seat))
        if allowed(view, Misdrew(seat))
        else None
        for seat in view.state.seats
    )
    return opens(phrase("Misdraw"), seats, phrase("Misdraw: who?"))


def _misdrew(seat: Seat) -> Choose[LineBoard]:
    """What choosing a seat that misdrew does: as a misdraw costs points, the box first says who
    pays whom, and asks for OK."""

    def asked(view: View[LineBoard], menu: Screen[LineBoard]) -> Outcome[LineBoard]:
        after = would_be(view, Misdrew(seat))
        if isinstance(after, RuleError):
            return Outcome(menu)
        paid = after.effect.payments[-1]
        points = listed(filter(None, [str(paid.points), view.colour(seat)]), " ")
        text = phrase(
            "{seat} drew the wrong number of tiles and pays {to} {points}.",
            seat=shown(seat),
            to=shown(paid.to),
            points=points,
        )
        return Outcome(ConfirmEntry(phrase("Misdraw?"), text, Misdrew(seat), menu))

    return asked
