"""What High Fives brings to the console."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from companion.console.frame import WIDTH, Canvas, draw_question
from companion.console.high_fives.turn import (
    ENTRY_WAYS,
    TEN,
    Beside,
    KeyedPoints,
    KeyedTiles,
    KeyPoints,
    LayTile,
    Words,
    draw_words,
    format_tile,
    hand_of_hands,
    turn_of,
)
from companion.console.in_play import (
    NextDeal,
    WhichSeat,
    acts_now,
    asked_now,
    draw_seats,
    tiles_asked,
)
from companion.console.lists import ListScreen, opens
from companion.console.paged import Paged
from companion.console.screen import Actions, Digits, Item, Items, Outcome, Play, Screen, View, keep
from companion.console.screens.box import change_setting
from companion.console.screens.game_over import GameOver
from companion.console.screens.undo import offer_undo
from companion.console.words import LOST
from companion.core.keys import Key
from companion.core.seats import shown
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.entry import Entry, Payment
from companion.games.high_fives.entries import WORTH, LeftOver, TableauShown
from companion.games.high_fives.rules import HighFivesBoard, HighFivesState, sizes_of
from companion.games.high_fives.tableau import OPENING
from companion.presentation.game import many
from companion.presentation.high_fives import (
    ENTRY_POINTS,
    HIGH_FIVES_KEYS,
    check,
    entry_in_short,
    reason_in_short,
    what_lies,
)
from companion.presentation.keys import COLLECT, LAID, LAY, NUMBER, written
from companion.record.rows import Setting
from companion.record.settings import ENTRY_WAY
from companion.record.versions import WhatChanged

# ---------------------------------------------------------------- hands
# The screens before the first hand, between hands, and after the last: who leads, the tiles face
# up, the deal, and what is left.


@dataclass(frozen=True, slots=True)
class ChooseEntryWay(ListScreen[HighFivesBoard]):
    """Asks before the first hand whether turns are keyed by tiles or by points."""

    plays: ClassVar = True
    hint: ClassVar = phrase("Digit or OK. MENU")

    def title(self, _view: View[HighFivesBoard]) -> str:
        return phrase("How do you key turns?")

    def lines(self, _view: View[HighFivesBoard]) -> tuple[str, ...]:
        return tuple(words for _, words in ENTRY_WAYS.choices)

    def chosen(self, _view: View[HighFivesBoard], at: int) -> Outcome[HighFivesBoard]:
        return Outcome(None, Setting(ENTRY_WAY, ENTRY_WAYS.choices[at][0]))

    def back(self, view: View[HighFivesBoard]) -> Outcome[HighFivesBoard]:
        """BACK offers to take back the set-up."""
        return offer_undo(view, self)

    def draw(self, view: View[HighFivesBoard], canvas: Canvas) -> None:
        """The two ways, and what keying tiles is good for."""
        ListScreen.draw(self, view, canvas)
        says = phrase("If you key tiles, the box knows what each one takes, and adds up.")
        for row, line in enumerate(canvas.wrapped(says, WIDTH - 4)[:3]):
            canvas.text(2, 28 + 8 * row, line)


def which_seat(view: View[HighFivesBoard]) -> WhichSeat[HighFivesBoard]:
    """Asks who leads the first hand, and so every hand."""
    deal = phrase(
        "Deal {each} each; {face_up} face up.", each=sizes_of(view.state).first, face_up=OPENING
    )
    dealt = phrase("The hand is dealt.") if view.state.board.hand else deal
    return WhichSeat(phrase("Who leads?"), (dealt, phrase("Key that seat's digit.")), turn_of)


@dataclass(frozen=True, slots=True)
class KeyTableau(KeyedTiles):
    """Asks for the tiles that were turned face up: five at the beginning, and before the last hand
    the tiles left over. PASS: turns are keyed by points instead."""

    def room(self, view: View[HighFivesBoard]) -> int:
        return tiles_asked(view)

    def digit(self, view: View[HighFivesBoard], digit: int) -> Outcome[HighFivesBoard]:
        """Takes a digit of a half. A tile that was keyed or seen before is refused at once."""
        outcome = KeyedTiles.digit(self, view, digit)
        after = outcome.screen
        if isinstance(after, KeyTableau) and len(after.tiles) > len(self.tiles):
            new, before = after.tiles[-1], after.tiles[:-1]
            if new in before or asked_now(view).tiles()[written(new)] == LAID:
                last = replace(self, keyed=_without_last_tile(self.keyed))
                why = phrase("is keyed already") if new in before else phrase("was seen before")
                return Outcome(
                    last, refused=phrase("{tile} {why}: look at the tile again.", tile=new, why=why)
                )
        return outcome

    def accept(self, view: View[HighFivesBoard]) -> Outcome[HighFivesBoard]:
        """OK keeps the tiles once all are keyed; else it says how many are missing."""
        missing = self.room(view) - len(self.tiles)
        if missing:
            return self.refuse(
                phrase("{tiles} more: key both halves of each.", tiles=many(missing, "tile"))
            )
        return self.enter(view, TableauShown(self.tiles))

    def by_points(self, _view: View[HighFivesBoard]) -> Outcome[HighFivesBoard]:
        """PASS: leaves the tiles out, and turns are keyed by points from now on. Refused once a
        tile is keyed."""
        if self.keyed:
            return Outcome(self, refused=phrase("Tiles are keyed: go on, or BACK takes them off."))
        return Outcome(None, Setting(ENTRY_WAY, ENTRY_POINTS))

    def on(self) -> Actions[HighFivesBoard]:
        return {**KeyedTiles.on(self), Key.PASS: self.by_points}

    def draw(self, view: View[HighFivesBoard], canvas: Canvas) -> None:
        """How many tiles are keyed, the one that is being keyed, and those keyed so far."""
        room, tiles = self.room(view), self.tiles
        canvas.text(0, 0, phrase("FACE UP"), "caps")
        canvas.right(WIDTH + 1, 0, phrase("{number} of {room}", number=len(tiles), room=room))
        canvas.right(WIDTH + 1, 8, hand_of_hands(view.state))
        whole = len(tiles) == room
        canvas.text(0, 16, "OK" if whole else format_tile(_of_last_tile(self.keyed)), "caps")
        canvas.text(58, 16, phrase("if it's right") if whole else phrase("DRAW: ten more"))
        canvas.text(58, 24, "" if tiles else phrase("PASS: by points"))
        for row, line in enumerate(canvas.wrapped(" ".join(map(str, tiles)), WIDTH)[:4]):
            canvas.text(0, 32 + 8 * row, line)
        if self.why_not:
            draw_question(canvas, self.why_not, phrase("OK: go on"))


def _of_last_tile(keyed: Digits) -> Digits:
    """The keys of the last tile, if it is not whole yet."""
    ends = [at for at, key in enumerate(keyed, 1) if key != TEN]
    return keyed[ends[len(ends) // 2 * 2 - 1] if len(ends) > 1 else 0 :]


def _without_last_tile(keyed: Digits) -> Digits:
    """The keys without those of a last tile that is not whole yet."""
    return keyed[: len(keyed) - len(_of_last_tile(keyed))]


@dataclass(frozen=True, slots=True)
class NextHand(NextDeal[HighFivesBoard]):
    """All have laid their tiles: OK deals the next hand."""

    def draw(self, view: View[HighFivesBoard], canvas: Canvas) -> None:
        """How many tiles each gets, and who leads."""
        state = view.state
        sizes, number = sizes_of(state), state.board.hand + 1
        over = sizes.left_over if number == sizes.hands else 0
        leads = phrase("{seat} leads", seat=shown(state.board.leader or ""))
        deal = phrase("{each} each", each=sizes.each(number))
        words = Words(
            head=phrase("Hand {number}", number=number),
            corner=(phrase("of {hands}", hands=sizes.hands), leads),
            keyed=phrase("DEAL"),
            beside=Beside(deal, phrase("last: {over} face up", over=over) if over else ""),
            below=LOST if view.game.losses else what_lies(state),
        )
        draw_words(canvas, state, words)
        if self.why_not:
            draw_question(canvas, self.why_not, phrase("OK: go on"))


@dataclass(frozen=True, slots=True)
class CountRemains(KeyedPoints):
    """Asks after the last turn what the tiles in the tableau are worth. OK alone: not counted.
    `parent`: the menu, if the question was chosen there, as the record doesn't know that all tiles
    are laid."""

    parent: Screen[HighFivesBoard] | None = None

    asked: ClassVar = "left"

    def too_many(self, _view: View[HighFivesBoard]) -> str:
        return phrase("All tiles together are worth {worth}.", worth=WORTH)

    def accept(self, view: View[HighFivesBoard]) -> Outcome[HighFivesBoard]:
        """OK ends the game."""
        return self.enter(view, LeftOver(self.number if self.keyed else None))

    def leave(self, view: View[HighFivesBoard]) -> Outcome[HighFivesBoard]:
        """BACK without digits leads to the menu if the question came from there; else it offers to
        take back the last turn."""
        return KeyedPoints.leave(self, view) if self.parent is None else Outcome(self.parent)

    def draw(self, view: View[HighFivesBoard], canvas: Canvas) -> None:
        """What the tiles should be worth, and how many points are missing or too many."""
        won = sum(view.state.scores.values)
        missing = WORTH - won - self.number
        comes_to = (phrase("all 100 are there"), phrase("{missing} missing", missing=missing))[
            missing != 0
        ]
        if missing < 0:
            comes_to = phrase("{missing} too many", missing=-missing)
        words = Words(
            head=phrase("Left over"),
            corner=(phrase("worth?"), ""),
            keyed=f"{self.text}_",
            beside=Beside(comes_to, "OK")
            if self.keyed
            else Beside(phrase("should be {worth}", worth=WORTH - won), phrase("OK: not counted")),
            below=LOST
            if view.game.losses
            else phrase("{won} of {worth} are won", won=won, worth=WORTH),
        )
        draw_words(canvas, view.state, words)
        if self.why_not:
            draw_question(canvas, self.why_not, phrase("OK: go on"))


# ---------------------------------------------------------------- play


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
