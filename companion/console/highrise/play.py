"""What Highrise brings to the console."""

from collections.abc import Mapping
from typing import ClassVar

from companion.console.frame import WIDTH, Canvas, TableLayout, cut_names, draw_table, text_width
from companion.console.highrise.turn import (
    NO_HALF,
    HighriseTurn,
    half_shown,
    turn_of,
    whole_tiles,
    without_basement,
)
from companion.console.in_play import (
    InPlay,
    KeyedHolding,
    NextDeal,
    WhichSeat,
    acts_now,
    asked_now,
    by_tiles,
    can_nobody_play,
    keyed_twice,
    keys_of,
    miscounted,
    tile_lines,
    tiles_asked,
)
from companion.console.lists import opens
from companion.console.screen import (
    Actions,
    Item,
    Items,
    Outcome,
    Play,
    Screen,
    View,
    keep,
    would_be,
)
from companion.console.screens.box import BoxSetting, change_setting
from companion.console.screens.confirm import ConfirmEntry, ask_first
from companion.console.screens.game_over import GameOver, LastPayment
from companion.console.words import loud, scores_of
from companion.core.errors import RuleError
from companion.core.keys import Key
from companion.core.seats import Seat, shown
from companion.core.values import dataclass
from companion.core.words import counted, phrase
from companion.games.entry import Blocked, Entry, Payment, WentOut
from companion.games.game import State
from companion.games.highrise.entries import (
    COLUMNS,
    SET,
    WILD,
    BasementFilled,
    HeldPipsWithWilds,
    HeldWithWilds,
)
from companion.games.highrise.rules import EACH, HighriseBoard, HighriseState, round_of
from companion.games.round import RoundNotice
from companion.games.settlement import HandsEnd
from companion.presentation.highrise import (
    BASEMENT,
    HIGHRISE_KEYS,
    NOT_TOLD,
    entry_in_short,
    play_factors,
    play_sum,
    reason_in_short,
    signed,
)
from companion.presentation.keys import COLLECT, LAY, SHOW, seems_out
from companion.presentation.language import Language
from companion.record.journal import WhatChanged
from companion.record.rows import Amend, Setting

# ---------------------------------------------------------------- holding
# What a seat holds at the end of a hand, keyed as tiles or as pips; a wild half is 7 in both.


MOST_DIGITS = 3
"""Digits of the pips at most."""


@dataclass(frozen=True, slots=True)
class HeldAtEnd(KeyedHolding[HighriseBoard]):
    """Asks what a seat holds: each tile by its two halves, then OK. DRAW changes to pips, keyed as
    one number, and back."""

    as_tiles: ClassVar = HeldWithWilds
    as_pips: ClassVar = HeldPipsWithWilds

    def numbers(self, view: View[HighriseBoard]) -> range:
        """The digits of a half, 0 to 7, or, for pips, all ten."""
        return range(WILD + 1) if by_tiles(view) else range(10)

    def digit(self, view: View[HighriseBoard], digit: int) -> Outcome[HighriseBoard]:
        """Takes one more digit; a tile keyed twice and a number too long are refused."""
        keyed = (*self.keyed, digit)
        if by_tiles(view):
            wrong = NO_HALF if digit > WILD else keyed_twice(whole_tiles(keyed))
        else:
            wrong = (
                phrase("The whole set has {pips} pips.", pips=SET.pips)
                if len(keyed) > MOST_DIGITS
                else ""
            )
        return Outcome(self, refused=wrong) if wrong else Outcome(self.with_digits(keyed))

    def accept(self, view: View[HighriseBoard]) -> Outcome[HighriseBoard]:
        """OK: the holding is complete. Keeps it, after a question if the counted tiles say
        otherwise."""
        entry = self.entry(view)
        if isinstance(entry, str):
            return self.refuse(entry)
        after = would_be(view, entry)
        if isinstance(after, RuleError):
            return self.refuse(after.why)
        doubts = {notice.kind for notice in after.effect.notices}
        if isinstance(entry, HeldWithWilds) and RoundNotice.COUNT_DOUBTFUL in doubts:
            held = round_of(view.state).held[self.seat]
            text = miscounted(self.seat, held, len(entry.tiles))
            return Outcome(ConfirmEntry(phrase("Is that all?"), text, entry, self))
        return keep(entry)

    def other_way(self, view: View[HighriseBoard]) -> Outcome[HighriseBoard]:
        """DRAW changes the setting `holding` from tiles to pips, or back."""
        way = "pips" if by_tiles(view) else "tiles"
        return Outcome(HeldAtEnd(self.seat), Setting("holding", way))

    def on(self) -> Actions[HighriseBoard]:
        return {**KeyedHolding.on(self), Key.DRAW: self.other_way}

    def draw(self, view: View[HighriseBoard], canvas: Canvas) -> None:
        """Draws what is keyed, its pips large, and what these score or lose."""
        tiles, out = by_tiles(view), round_of(view.state).out
        ended = phrase("{seat} is out", seat=shown(out)) if out else phrase("Nobody can play")
        table = TableLayout(
            seat=shown(self.seat),
            number=str(self._pips(tiles)) if self.keyed else "",
            label=phrase("pips") if self.keyed else "",
            need=phrase("which tiles? 7: wild") if tiles else phrase("pips? a wild half: 7"),
            ends=phrase("DRAW: tiles or pips"),
            way=phrase("tiles") if tiles else phrase("pips"),
            tiles=tile_lines(self.keyed, SET.halves) if tiles else (),
            keyed="" if tiles else self.text or "_",
            say=self._comes_to(view, tiles) if self.keyed else ended,
            scores=scores_of(view.state),
        )
        draw_table(canvas, table)
        self.draw_why_not(canvas)

    def _pips(self, tiles: bool) -> int:
        """The pips keyed so far."""
        return self.whole_tiles().pips if tiles else self.number

    def _comes_to(self, view: View[HighriseBoard], tiles: bool) -> str:
        """What is scored or lost if nothing more is keyed."""
        now, pips = round_of(view.state), self._pips(tiles)
        if now.out is None:
            return phrase("{seat} loses {pips}", seat=loud(self.seat), pips=pips)
        before = sum(holding.pips for holding in now.shown.values if holding)
        sum_ = f"{before} + {pips} = {before + pips}" if before else str(pips)
        return phrase("{seat} scores {sum}", seat=loud(now.out), sum=sum_)


def lost_line(state: State[HighriseBoard], language: Language) -> str:
    """“Red −3  Blue −14”: the points that a blocked hand took from each seat, in `language`. Names
    are cut so that the line fits."""
    lost = [(language.put(shown(paid.to)), signed(paid.points)) for paid in state.effect.payments]
    besides = sum(text_width(f". {points}  ") - text_width(".") for _, points in lost)
    names = cut_names(tuple(name for name, _ in lost), WIDTH - besides)
    return "  ".join(f"{name} {points}" for name, (_, points) in zip(names, lost, strict=True))


# ---------------------------------------------------------------- basement
# The basement, keyed tile by tile. If the box knows it, it asks only for what tells possible plays
# apart; else the level and what each wild half covers are always keyed.


TOLD = BoxSetting(BASEMENT, phrase("The basement"), (
    ("told", phrase("Keyed: the box asks less")),
    (NOT_TOLD, phrase("Not keyed: you key levels")),
))  # fmt: skip
"""Whether the basement is keyed at all; it stays so until somebody changes it."""


@dataclass(frozen=True, slots=True)
class Basement(InPlay[HighriseBoard]):
    """Asks for the eight tiles of the basement from left to right, each by its upper and its lower
    half. OK keeps all eight; DRAW plays the hand without them."""

    def numbers(self, _view: View[HighriseBoard]) -> range:
        """The digits of a half, 0 to 7."""
        return range(WILD + 1)

    def digit(self, view: View[HighriseBoard], digit: int) -> Outcome[HighriseBoard]:
        """Takes one more half; a tile that is keyed already is refused."""
        if digit > WILD:
            return Outcome(self, refused=NO_HALF)
        if len(self.keyed) == 2 * tiles_asked(view):
            return Outcome(self, refused=phrase("All eight are keyed: OK."))
        keyed = (*self.keyed, digit)
        wrong = keyed_twice(whole_tiles(keyed))
        return Outcome(self, refused=wrong) if wrong else Outcome(self.with_digits(keyed))

    def accept(self, view: View[HighriseBoard]) -> Outcome[HighriseBoard]:
        """OK keeps the basement; refused while tiles are missing."""
        missing = tiles_asked(view) - len(self.keyed) // 2
        if missing:
            tiles = counted("1 tile is", "{number} tiles are", missing)
            return self.refuse(
                phrase("{tiles} missing. To play without the basement: DRAW.", tiles=tiles)
            )
        pairs = zip(self.keyed[::2], self.keyed[1::2], strict=True)
        return self.enter(view, BasementFilled(tuple(pairs)))

    def without(self, _view: View[HighriseBoard]) -> Outcome[HighriseBoard]:
        """DRAW: the basement is not keyed, neither in this hand nor in those to come."""
        if self.keyed:
            return self.refuse(phrase("BACK deletes what is keyed. Then DRAW plays without it."))
        return Outcome(None, Setting(BASEMENT, NOT_TOLD))

    def on(self) -> Actions[HighriseBoard]:
        return {**InPlay.on(self), Key.DRAW: self.without}

    def draw(self, view: View[HighriseBoard], canvas: Canvas) -> None:
        """Draws two rows of large halves, as the tiles lie."""
        canvas.text(0, 0, phrase("BASEMENT"), "caps")
        canvas.right(WIDTH + 1, 0, phrase("DRAW:"))
        canvas.right(WIDTH + 1, 8, phrase("without"))
        number = tiles_asked(view)
        canvas.text(0, 16, self._asks(number))
        for at in range(2 * number):
            column, row = divmod(at, 2)
            if at <= len(self.keyed):
                canvas.text(16 * column, 24 + 16 * row, half_shown(self.keyed, at), "caps")
        canvas.text(0, 56, phrase("7: wild half"))
        canvas.right(WIDTH + 1, 56, "OK" if len(self.keyed) == 2 * number else "")
        self.draw_why_not(canvas)

    def _asks(self, tiles: int) -> str:
        tile, half = divmod(len(self.keyed), 2)
        if tile == tiles:
            return phrase("All eight: OK if they're right")
        return phrase(
            "Tile {number} of {tiles}, {which} half",
            number=tile + 1,
            tiles=tiles,
            which=phrase("lower") if half else phrase("upper"),
        )


# ---------------------------------------------------------------- menu
# The menu items of Highrise.


def _blocked(view: View[HighriseBoard]) -> Item[HighriseBoard] | None:
    if not acts_now(view, "blocked"):
        return None
    left = round_of(view.state).boneyard
    label = phrase("Blocked: nobody can play")
    if left > 0:
        return ask_first(label, phrase("Blocked?"), can_nobody_play(left), Blocked())
    return label, lambda _view, _menu: keep(Blocked())


def _out(view: View[HighriseBoard]) -> Item[HighriseBoard] | None:
    """The item that says that the seat which laid last is out. It asks first if, by the count, that
    seat still has tiles."""
    out = acts_now(view, "out", "out-early")
    seat = out[0].seat if out else None
    if seat is None:
        return None
    held = round_of(view.state).held[seat]
    tiles = counted("1 tile", "{number} tiles", held)
    doubt = phrase(
        "By the count {seat} still holds {tiles}. Is {seat} really out?",
        seat=shown(seat),
        tiles=tiles,
    )
    label = phrase("{seat} is out", seat=shown(seat))
    if held:
        return ask_first(label, phrase("{seat} out?", seat=shown(seat)), doubt, WentOut(seat))
    return label, lambda _view, _menu: keep(WentOut(seat))


# ---------------------------------------------------------------- confirm out
# The question whether a seat is out. Only the counted tiles say so, and a DRAW may have been
# forgotten.


@dataclass(frozen=True, slots=True)
class LaidLastTile(InPlay[HighriseBoard]):
    """Asks whether a seat is out. OK: it is. DRAW: a draw was forgotten, and is put in before that
    seat's latest play without a draw."""

    def whose(self, view: View[HighriseBoard]) -> Seat:
        """The seat that is asked."""
        return _seat(view)

    def numbers(self, _view: View[HighriseBoard]) -> range:
        """No digits: they are only refused."""
        return range(0)

    def digit(self, view: View[HighriseBoard], _digit: int) -> Outcome[HighriseBoard]:
        """Refuses the digits of the next tile: the question comes first."""
        text = phrase(
            "First: is {seat} out? OK: yes. DRAW: a draw was forgotten.", seat=shown(_seat(view))
        )
        return Outcome(self, refused=text)

    def accept(self, view: View[HighriseBoard]) -> Outcome[HighriseBoard]:
        """OK: the seat is out."""
        return keep(WentOut(_seat(view)))

    def forgotten(self, view: View[HighriseBoard]) -> Outcome[HighriseBoard]:
        """DRAW: puts the forgotten draw in; refused if the seat drew in each turn."""
        for draw in keys_of(view).mends(view.game):
            return Outcome(None, Amend(draw.at or 0, (draw.entry,), insert=True))
        text = phrase(
            "{seat} drew in each turn. BACK: take the last play back.", seat=shown(_seat(view))
        )
        return Outcome(self, refused=text)

    def on(self) -> Actions[HighriseBoard]:
        return {**InPlay.on(self), Key.DRAW: self.forgotten}

    def draw(self, view: View[HighriseBoard], canvas: Canvas) -> None:
        """What the last play scored, and the question."""
        state, seat, scored = view.state, _seat(view), view.state.board.scored
        table = TableLayout(
            seat=shown(seat),
            number=str(scored.points) if scored else "",
            label=phrase("scored") if scored else "",
            need=phrase("out?  OK: yes"),
            ends=phrase("DRAW: forgot a draw"),
            say=f"{loud(seat)} {play_factors(scored)} =" if scored else "",
            paid=str(scored.points) if scored else "",
            scores=scores_of(state),
        )
        draw_table(canvas, table)


def _seat(view: View[HighriseBoard]) -> Seat:
    seat = round_of(view.state).out
    assert seat is not None, "asked only while somebody seems to be out"
    return seat


# ---------------------------------------------------------------- between hands
# Between hands: how the last hand ended, and who starts the next one. OK deals.


def who_starts() -> WhichSeat[HighriseBoard]:
    """Asks who starts the first hand: the youngest (RULES: Highrise 6)."""
    each = phrase("{each} tiles each, {down} down", each=EACH, down=COLUMNS)
    return WhichSeat(phrase("Who starts?"), (phrase("The youngest: key the digit."), each), turn_of)


def whose_turn() -> WhichSeat[HighriseBoard]:
    """Asks whose turn it is in a hand where nobody said who starts."""
    lines = phrase("Who lays the next tile,"), phrase("by digit?")
    return WhichSeat(phrase("Whose turn?"), lines, turn_of)


@dataclass(frozen=True, slots=True)
class BetweenHighriseHands(NextDeal[HighriseBoard]):
    """The hand is settled. Each next hand starts one seat to the left (RULES: Highrise 6)."""

    def draw(self, view: View[HighriseBoard], canvas: Canvas) -> None:
        """How the hand ended, and what to do next."""
        draw_table(canvas, _table(view))


def _table(view: View[HighriseBoard]) -> TableLayout:
    state, lead = view.state, view.game.game.next_lead(view.state)
    out = next((p for p in state.effect.payments if p.why is HandsEnd.OUT), None)
    return TableLayout(
        seat=shown(lead or ""),
        number=str(out.points) if out else "",
        label=phrase("points") if out else "",
        need=phrase("starts. OK: deal"),
        ends=phrase("{each} tiles each, {down} down", each=EACH, down=COLUMNS),
        way="OK",
        keyed="" if state.effect.payments else phrase("DEAL"),
        say=_settled(state, view.language),
        scores=scores_of(state),
        pays=out is not None,
    )


def _settled(state: HighriseState, language: Language) -> str:
    """The line that says how the last hand was settled; empty before the first hand."""
    if state.board.round is None:
        return ""
    payments = state.effect.payments
    if not payments:
        return phrase("Nobody held any points")
    if payments[-1].why is HandsEnd.OUT:
        return phrase("{seat} is out and scores", seat=loud(payments[-1].to))
    return lost_line(state, language)


# ---------------------------------------------------------------- play


class HighrisePlay(Play[HighriseBoard]):
    """The screens, words and menu items of Highrise."""

    keys = HIGHRISE_KEYS

    def screen(self, view: View[HighriseBoard]) -> Screen[HighriseBoard]:
        state, asked = view.state, asked_now(view)
        if state.finished:
            won = any(payment.why is HandsEnd.OUT for payment in state.effect.payments)
            return LastPayment() if won else GameOver()
        if asked.asks == COLLECT:
            return Basement()
        if asked.asks == LAY:
            return HighriseTurn() if asked.seat else whose_turn()
        if seems_out(state.board.round):  # a page offers both; the box asks one thing at a time
            return LaidLastTile()
        if asked.asks == SHOW:
            return HeldAtEnd(asked.seats[0])  # on a page any seat may show; a box has one keypad
        return who_starts() if acts_now(view, "deal-lead") else BetweenHighriseHands()

    def menu(self, view: View[HighriseBoard]) -> Mapping[int, Item[HighriseBoard]]:
        keyed = view.settings.get(BASEMENT) != NOT_TOLD
        now = phrase("keyed") if keyed else phrase("not keyed")
        # What may just have happened at the table and has no key of its own.
        of_the_hand: Items[HighriseBoard] = (_out(view), without_basement(view))
        items: dict[int, Item[HighriseBoard] | None] = {
            4: _blocked(view),
            5: opens(phrase("More of this hand"), of_the_hand),
            7: (phrase("Basement {now}", now=now), change_setting(TOLD)),
        }
        return {digit: item for digit, item in items.items() if item}

    def spoken(self, view: View[HighriseBoard], what: WhatChanged) -> str:
        """The name of a change. The basement is called “the basement”, as the names of so many
        tiles would fill the display."""
        filled = isinstance(what.first, BasementFilled)
        return phrase("the basement") if filled else Play.spoken(self, view, what)

    def in_words(self, entry: Entry, state: HighriseState) -> str:
        return entry_in_short(entry, state)

    def why_points(self, entry: Entry, state: HighriseState, payment: Payment) -> str:
        return reason_in_short(entry, state, payment)

    def best(self, view: View[HighriseBoard]) -> str:
        """The line about the play that scored most; empty if there was none."""
        plays = ((state.board.scored, state.effect.seat) for state in view.game.states)
        scored = [(play, seat) for play, seat in plays if play is not None]
        if not scored:
            return ""
        play, seat = max(scored, key=lambda found: found[0].points)
        return phrase("Best: {seat} {play}", seat=shown(seat or ""), play=play_sum(play))
