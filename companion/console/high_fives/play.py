"""What High Fives brings to the console."""

from collections.abc import Mapping

from companion.console.frame import Canvas
from companion.console.high_fives.hands import (
    ChooseEntryWay,
    CountRemains,
    KeyTableau,
    NextHand,
    which_seat,
)
from companion.console.high_fives.turn import ENTRY_WAYS, KeyPoints, LayTile
from companion.console.in_play import acts_now, asked_now, draw_seats
from companion.console.lists import opens
from companion.console.paged import Paged
from companion.console.screen import Actions, Item, Items, Outcome, Play, Screen, View, keep
from companion.console.screens.box import change_setting
from companion.console.screens.game_over import GameOver
from companion.core.keys import Key
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.entry import Entry, Payment
from companion.games.high_fives.board import HighFivesBoard, HighFivesState
from companion.games.high_fives.entries import LeftOver, TableauShown
from companion.presentation.high_fives.keys import ENTRY_POINTS, HIGH_FIVES_KEYS
from companion.presentation.high_fives.short import (
    check,
    entry_in_short,
    reason_in_short,
    what_lies,
)
from companion.presentation.keys import COLLECT, LAY, NUMBER
from companion.record.settings import ENTRY_WAY
from companion.record.versions import WhatChanged


class HighFivesPlay(Play[HighFivesBoard]):
    """Screens, words and menu items of High Fives."""

    keys = HIGH_FIVES_KEYS

    def screen(self, view: View[HighFivesBoard]) -> Screen[HighFivesBoard]:
        state, asked = view.state, asked_now(view)
        if state.finished:
            return GameOver()
        if not state.board.hand and ENTRY_WAY not in view.settings:
            return ChooseEntryWay()
        if asked.asks is None:
            return NextHand() if state.board.hand else which_seat(view)
        if asked.asks == COLLECT:
            return KeyTableau()
        if asked.number("points") is None:
            return CountRemains()
        if asked.seat is None:
            return which_seat(view)
        return KeyPoints() if asked.asks == NUMBER else LayTile()

    def menu(self, view: View[HighFivesBoard]) -> Mapping[int, Item[HighFivesBoard]]:
        way = view.settings.get(ENTRY_WAY)
        now = phrase("by points") if way == ENTRY_POINTS else phrase("by tiles")
        items: dict[int, Item[HighFivesBoard] | None] = {
            4: _by_points(view),
            5: opens(phrase("More of this hand"), _of_the_hand(view)),
            7: (
                phrase("How you key: {way}", way=now),
                change_setting(ENTRY_WAYS),
            ),
        }
        return {digit: item for digit, item in items.items() if item}

    def in_words(self, entry: Entry, _state: HighFivesState) -> str:
        return entry_in_short(entry)

    def spoken(self, view: View[HighFivesBoard], what: WhatChanged) -> str:
        """The name of a change. Tiles face up are called “the tableau”, as the names of so many
        tiles would fill the display."""
        if isinstance(what.first, TableauShown):
            return phrase("the tableau")
        if isinstance(what.first, LeftOver):
            return phrase("what is left")
        return Play.spoken(self, view, what)

    def why_points(self, _entry: Entry, state: HighFivesState, payment: Payment) -> str:
        return reason_in_short(state, payment)

    def best(self, view: View[HighFivesBoard]) -> str:
        """The line of the check at the end: the points of all seats and of what is left make 100;
        or how many are missing."""
        return check(view.state)

    def draw_scores(self, view: View[HighFivesBoard], canvas: Canvas) -> int:
        """Draws the scores; with more than four seats two a line, as one line would be too
        narrow."""
        if len(view.state.seats) <= 4:
            return Play.draw_scores(self, view, canvas)
        return draw_seats(canvas, view.state)


def _by_points(view: View[HighFivesBoard]) -> Item[HighFivesBoard] | None:
    """The item by which this turn is keyed by its points: for a tableau on the table that is not
    the recorded one. None if no tile is to be laid now."""
    asked = asked_now(view)
    if asked.asks != LAY or asked.seat is None:
        return None
    return phrase("This turn by points"), lambda _view, _menu: Outcome(KeyPoints())


def _of_the_hand(view: View[HighFivesBoard]) -> Items[HighFivesBoard]:
    """The items of a hand: what lies in the tableau; and, if entries are lost and the record
    doesn't know when a hand is over, that the next one is dealt, or that this was the last."""
    asked, deal = asked_now(view), acts_now(view, "next-hand")
    lies: Item[HighFivesBoard] = (
        phrase("In the tableau"),
        lambda _view, menu: Outcome(WhatLies(parent=menu)),
    )
    dealt: Item[HighFivesBoard] = (
        phrase("The next hand is dealt"),
        lambda _view, _menu: keep(deal[0].entry),
    )
    remains: Item[HighFivesBoard] = (
        phrase("All laid: what is left?"),
        lambda _view, menu: Outcome(CountRemains(parent=menu)),
    )
    all_laid = asked.number("points") is not None and asked.number("left") is not None
    return (
        lies if view.state.board.table.tiles else None,
        dealt if deal else None,
        remains if all_laid else None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatLies(Paged[HighFivesBoard]):
    """The tiles of the tableau, as the record knows them."""

    parent: Screen[HighFivesBoard] | None = None

    def title(self, _view: View[HighFivesBoard]) -> str:
        return phrase("In the tableau")

    def sentences(self, view: View[HighFivesBoard]) -> tuple[str, ...]:
        tiles = sorted(view.state.board.table.tiles)
        return (phrase("{lies}.", lies=what_lies(view.state)), "  ".join(map(str, tiles)))

    def foot(self, _view: View[HighFivesBoard]) -> tuple[str, ...]:
        return (phrase("BACK: go on"),)

    def back(self, _view: View[HighFivesBoard]) -> Outcome[HighFivesBoard]:
        """OK and BACK lead to the screen on which it was opened."""
        return Outcome(self.parent)

    def on(self) -> Actions[HighFivesBoard]:
        return {Key.OK: self.back, Key.BACK: self.back, Key.DRAW: self.more}
