"""The screens and menu of a game with a line of play."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final

from companion.console.frame import WIDTH, Canvas
from companion.console.in_play import (
    ActsByName,
    AskWhetherOut,
    PlayScreen,
    acts_by_name,
    tile_lines,
)
from companion.console.layout import TableLayout, draw_refusal, draw_table, say_room
from companion.console.line.bogus_calls import (
    AskRuling,
    ShowRuling,
    ShowVerdict,
    begin_call,
    is_called,
)
from companion.console.line.holding import KeyHolding, keep_or_confirm
from companion.console.line.turn import (
    ENTRY_WAYS,
    LineTurn,
    OfferTileReturn,
    aloud,
    drew_last,
    entry_way,
    mark,
)
from companion.console.lists import ListScreen, submenu
from companion.console.screen import (
    Actions,
    Calls,
    Item,
    Items,
    MakeTable,
    Outcome,
    Play,
    RefusingScreen,
    Screen,
    View,
    is_allowed,
    keep,
    numbered,
    scored_at_once,
    scores_of,
    settlement_words,
    try_entry,
    who_pays,
)
from companion.console.screens.box_settings import change_setting
from companion.console.screens.changes import offer_undo
from companion.console.screens.confirm import ConfirmEntry, item_asking_first
from companion.console.screens.game_over import GameOver, LastPayment
from companion.console.screens.set_up import begin
from companion.core.errors import RuleError
from companion.core.keys import Key, Press
from companion.core.seats import Seat, display_name
from companion.core.values import dataclass
from companion.core.words import AND, listed, phrase
from companion.games.bogus.calls import RulingResult, judged_claim, ruling_of
from companion.games.entries import (
    SCORES,
    BogusCalled,
    CountCalled,
    HandBlocked,
    HandDealt,
    HandRedealt,
    Penalty,
    TilesDrawn,
    WentOut,
)
from companion.games.game import Entry, Payment, State
from companion.games.house_rules import Option, Value, options_left_open
from companion.games.line.game import LineGame, ends_counted, scored_in
from companion.games.line.hand import BIG_6, LineBoard, hand_of
from companion.games.line.line import TILE_SET, TilePlayed
from companion.games.round import Stage
from companion.games.settlement import HandEnding
from companion.games.tiles import Tile
from companion.presentation.keys import LAY, Act, seems_out
from companion.presentation.line.keys import LINE_KEYS, are_calls_settled
from companion.presentation.line.sayings import entry_in_short, reason_in_short, settled_pips
from companion.presentation.payments import exchange_in_short
from companion.record.rows import GameOpened
from companion.record.settings import ENTRY_SCORES

# ---------------------------------------------------------------- between hands
# Between hands: what the last one paid, who shuffles, draws and leads. OK deals.


@dataclass(frozen=True, slots=True)
class BetweenHands(Screen[LineBoard]):
    """The screen after a settled hand, or before the first one is dealt. If the rules don't
    determine who leads, a digit chooses the leader."""

    why_not: str | None = None

    digits: ClassVar = range(1, 10)
    shows_table: ClassVar = True
    hand_is_over: ClassVar = True

    def keys(self, view: View[LineBoard]) -> tuple[Key, ...]:
        """Returns OK, a digit for each seat if the leader has to be chosen, and the other keys."""
        seats = tuple(Key(str(1 + number)) for number in range(len(view.state.seats)))
        deals = () if by_lot(view.state) else (Key.OK,)
        return (*(seats if needs_leader(view) else ()), *deals, Key.BACK, Key.BOGUS, Key.MENU)

    def deal(self, view: View[LineBoard], lead: Seat | None = None) -> Outcome[LineBoard]:
        """Deals the next hand, or shows why that isn't possible. `lead`: the seat that leads; None
        to follow the rules."""
        after = try_entry(view, HandDealt(lead))
        if isinstance(after, RuleError):
            return Outcome(replace(self, why_not=after.why))
        return keep(HandDealt(lead))

    def handle_ok(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        return self.deal(view)

    def digit(self, view: View[LineBoard], digit: int) -> Outcome[LineBoard]:
        """Deals the next hand, led by the seat with this digit, if the leader has to be chosen."""
        seats = view.state.seats.order
        asked = needs_leader(view) and digit <= len(seats)
        return self.deal(view, seats[digit - 1]) if asked else Outcome(self)

    def back(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        return offer_undo(view, replace(self, why_not=None))

    def too_early(self, _view: View[LineBoard]) -> Outcome[LineBoard]:
        """Refuses DRAW and PASS, because there is nothing to draw from yet."""
        return Outcome(
            replace(self, why_not=phrase("The next hand is not dealt yet: OK deals it."))
        )

    def key_bindings(self) -> Actions[LineBoard]:
        own = {Key.DRAW: self.too_early, Key.PASS: self.too_early}
        return {**Screen.key_bindings(self), **own}

    def draw(self, view: View[LineBoard], canvas: Canvas) -> None:
        """Draws the last hand's payment, and what to do next."""
        draw_table(canvas, between_table(view))
        if self.why_not:
            draw_refusal(canvas, self.why_not, phrase("OK: deal  MENU: more"))


def needs_leader(view: View[LineBoard]) -> bool:
    """Returns whether the table has to choose who leads: before the first hand of a rematch in
    which the lead rotates, and whenever it is decided by lot."""
    state = view.state
    if by_lot(state):
        return True
    rotates = state.options.get("rotate-lead") == "on" and view.game.opened.after is not None
    return rotates and state.board.hand is None


def by_lot(state: State[LineBoard]) -> bool:
    """Returns whether the rules leave it to a lot who leads the next hand."""
    return state.board.next_lead is None


def between_table(view: View[LineBoard]) -> TableLayout:
    """Returns the layout of the screen between hands."""
    state = view.state
    paid = state.effect.payments[-1] if state.effect.payments else None
    seat, need, ends = _next_hand_lines(view, paid)
    tiles, pips = _shown_by_payer(state, paid)
    seats = [numbered(number, seat) for number, seat in enumerate(state.seats, 1)]
    asked = (listed(seats[:2], "   "), listed(seats[2:], "   ")) if needs_leader(view) else ()
    return TableLayout(
        seat=seat,
        number=str(abs(sum(scored_at_once(state, paid)))) if paid else "",
        label=(phrase("pays") if paid.payer else phrase("points")) if paid else "",
        need=need,
        ends=ends,
        keyed_label=phrase("tiles") if tiles else phrase("pips") if pips else "" if asked else "OK",
        tiles=tile_lines(tiles, TILE_SET.halves) if tiles else asked,
        keyed=pips if pips else "" if paid else phrase("DEAL"),
        chips=exchange_in_short(paid) if paid else "",
        say=_settlement_line(view, paid),
        scores=scores_of(state),
        pays=paid is not None,
        mark="" if asked else mark(view),
        second=aloud(view),
    )


def _next_hand_lines(view: View[LineBoard], paid: Payment | None) -> tuple[str, str, str]:
    """Returns the three lines at the top left: the headline, who shuffles, and who won and
    leads."""
    state, rules = view.state, view.game.game
    hand, lead = state.board.hand, display_name(str(state.board.next_lead))
    shuffles = rules.shuffler(state) if isinstance(rules, LineGame) else None
    if by_lot(state):
        return phrase("Who leads?"), phrase("Draw lots, and key"), phrase("that seat's digit")
    if needs_leader(view):
        return phrase("Who leads?"), phrase("Key that seat's digit,"), phrase("or OK to call Big 6")
    if hand is None:
        return (
            phrase("Shuffle"),
            phrase("draw {deal} each; the", deal=state.options.get("deal")),
            phrase("highest double leads"),
        )
    won = display_name(hand.round.winner) if hand.round.winner else ""
    payer = paid.payer if paid else shuffles
    first = payer or shuffles or won
    headline = display_name(first) if first else phrase("Shuffle")
    if state.board.next_lead == BIG_6:
        return (
            headline,
            phrase("Shuffle. OK: deal"),
            phrase("{seat} wins; Big 6", seat=won) if won else phrase("highest double leads"),
        )
    leads = (
        phrase("{seat} wins and leads", seat=won)
        if won == lead
        else phrase("{seat} leads", seat=lead)
    )
    return headline, _shuffler_line(headline, shuffles), leads


def _shuffler_line(headline: str, seat: Seat | None) -> str:
    """Returns the line about who shuffles, if the rules determine that, and which key deals."""
    if seat is None:
        return phrase("OK: deal")
    if headline == display_name(seat):
        return phrase("shuffles. OK: deal")
    return phrase("{seat} shuffles. OK: deal", seat=display_name(seat))


def _shown_by_payer(state: State[LineBoard], paid: Payment | None) -> tuple[tuple[int, ...], str]:
    """Returns the holding that the payer showed for a payment at the hand's end: the halves of its
    tiles, and its pips. Both are empty without such a payment."""
    if paid is None or paid.payer is None or not isinstance(paid.why, HandEnding):
        return (), ""
    holding = hand_of(state).round.shown[paid.payer]
    assert holding is not None, "what was paid for was shown"
    if holding.tiles is None:
        return (), str(holding.pips)
    return tuple(half for tile in holding.tiles for half in (tile.low, tile.high)), ""


def _settlement_line(view: View[LineBoard], paid: Payment | None) -> str:
    state = view.state
    if paid is None:
        hand = state.board.hand
        return phrase("Nobody is paid") if hand is not None else ""
    rounds = "rounding" in state.options
    pips = settled_pips(state, paid) if isinstance(paid.why, HandEnding) and rounds else 0
    if pips:
        return settlement_words(pips, paid, view.colour(paid.payer), view.language)
    taken_back = -sum(payment.points for payment in state.effect.payments if payment.points < 0)
    if not taken_back:
        terms = scored_at_once(state, paid)
        sum_ = [" + ".join(map(str, terms))] if len(terms) > 1 else []
        return listed([who_pays(paid, view.language), *sum_], " ")
    return phrase(
        "{pays}, {taken_back} went back", pays=who_pays(paid, view.language), taken_back=taken_back
    )


# ---------------------------------------------------------------- score turn
# The screen for games in which only scores are keyed, no tiles and no turns: who has scored, and
# how much.


@dataclass(frozen=True, slots=True)
class ScoreTurn(PlayScreen[LineBoard]):
    """Takes the digit of the seat that has scored, then its points, then OK. OK directly after the
    seat asks whether that seat is out. On a seat's own keypad the seat needs no digit."""

    seat: Seat | None = None

    most: ClassVar = len(str(SCORES[-1]))
    """The digits of the highest score in any game."""
    only_explained: ClassVar = frozenset({Key.DRAW, Key.PASS})

    @property
    def pending(self) -> bool:
        return self.seat is not None

    def keyable_digits(self, view: View[LineBoard]) -> range:
        scores = self.seat and scored_in(view.game.game)
        return self.digits if scores else range(1, 1 + len(view.state.seats))

    def keys(self, view: View[LineBoard]) -> tuple[Key, ...]:
        return (*PlayScreen.keys(self, view), Key.BOGUS)

    def handle_press(self, view: View[LineBoard], press: Press) -> Outcome[LineBoard]:
        """Treats a key on a seat's own keypad as being about that seat."""
        own = press.seat if press.seat in view.state.seats else None
        if own is None or own == self.seat or self.why_not is not None:
            return self.press(view, press.key)
        if press.key in (Key.BACK, Key.MENU, Key.BOGUS):
            return self.press(view, press.key)
        return ScoreTurn(seat=own).press(view, press.key)

    def digit(self, view: View[LineBoard], digit: int) -> Outcome[LineBoard]:
        """Takes the seat's digit first, then those of the points."""
        if self.seat is not None and scored_in(view.game.game):
            return PlayScreen.digit(self, view, digit)
        seats = view.state.seats.order
        known = 1 <= digit <= len(seats)
        return (
            Outcome(ScoreTurn(seat=seats[digit - 1])) if known else self._refuse_without_seat(view)
        )

    def handle_ok(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """OK stores the score; without points it asks whether the seat is out."""
        if self.seat is None:
            return self._refuse_without_seat(view)
        if not self.keyed:
            out, seat = WentOut(self.seat), display_name(self.seat)
            if not is_allowed(view, out):
                return self.enter(view, out)
            text = phrase("{seat} has no tile left, and wins the hand.", seat=seat)
            return Outcome(ConfirmEntry(phrase("{seat} is out?", seat=seat), text, out, self))
        scored = scored_in(view.game.game)
        assert scored is not None, "points are keyed only where they score"
        if self.number not in scored.scores:
            return self.refuse(scored.invalid_points_error().why)
        return self.enter(view, scored(self.seat, self.number))

    def _refuse_without_seat(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """Refuses the key, because a seat must be keyed first."""
        seats = (numbered(number, seat) for number, seat in enumerate(view.state.seats, 1))
        if scored_in(view.game.game) is None:
            return Outcome(self, refused=phrase("Who is out? {seats}", seats=listed(seats)))
        return Outcome(self, refused=phrase("Who scores? {seats}", seats=listed(seats)))

    def _refuse_turn_key(self, _view: View[LineBoard]) -> Outcome[LineBoard]:
        return Outcome(self, refused=phrase("Only scores are keyed: no draws, no passes."))

    def leave(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """BACK without points asks for the seat again or, without a seat, offers to take back the
        last entry."""
        return Outcome(ScoreTurn()) if self.seat else PlayScreen.leave(self, view)

    def key_bindings(self) -> Actions[LineBoard]:
        return {
            **PlayScreen.key_bindings(self),
            Key.DRAW: self._refuse_turn_key,
            Key.PASS: self._refuse_turn_key,
        }

    def draw(self, view: View[LineBoard], canvas: Canvas) -> None:
        """Draws the seats with their digits, and what the last entry paid; then the points and who
        would pay them."""
        state, seat = view.state, self.seat
        due = self._expected_payment(view)
        last = state.effect.payments[-1] if state.effect.payments else None
        moves = due or (None if self.keyed else last)
        paid = str(abs(last.points)) if last and not self.keyed else ""
        named = [numbered(number, each) for number, each in enumerate(state.seats, 1)]
        need = view.game.game.to_win(state, seat) if seat else None
        scores = scored_in(view.game.game) is not None
        asks = phrase("Who scores?") if scores else phrase("Who is out?")
        table = TableLayout(
            seat=display_name(seat) if seat else asks,
            need=phrase("to win {need}", need=need) if need is not None else "",
            ends=phrase("OK alone: is out") if seat and not self.keyed else "",
            keyed_label=phrase("points") if seat and scores else "",
            keyed=f"{self.text}_" if seat and scores else "",
            tiles=() if seat else (listed(named[:2], "   "), listed(named[2:], "   ")),
            chips=exchange_in_short(moves) if moves and seat else "",
            colour=view.colour(moves.payer) if moves and seat else "",
            say=who_pays(moves, view.language, say_room(paid)) if moves else "",
            paid=paid,
            scores=scores_of(state),
        )
        draw_table(canvas, table)
        self.draw_why_not(canvas)

    def _expected_payment(self, view: View[LineBoard]) -> Payment | None:
        """Returns the payment that the keyed score would cause; None if there is none."""
        scored = scored_in(view.game.game)
        if self.seat is None or scored is None or self.number not in scored.scores:
            return None
        after = try_entry(view, scored(self.seat, self.number))
        return None if isinstance(after, RuleError) else next(iter(after.effect.payments), None)


# ---------------------------------------------------------------- menu
# The menu items of a line game.


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
"""The explanations that the box shows once, when a way to key tiles is chosen."""


def _hand_items(view: View[LineBoard], acts: ActsByName) -> Items[LineBoard]:
    """Returns the items for events during a hand that have no key."""
    mover = view.state.to_move
    bogus: Item[LineBoard] = (phrase("Bogus play"), begin_call)
    called = are_calls_settled(view.game.game, view.state) and not is_called(view)
    return (
        _out_item(view),
        _return_item(view, mover) if mover else None,
        # The entry for “time is up” exists only in games that may be played against the clock.
        _item_by_seat(
            view, phrase("Misdraw"), acts["misdraw"], _misdraw_item, phrase("Misdraw: who?")
        )
        or _single_act_item(acts["time-up"], phrase("Time up: the last hand"), phrase("Time up?")),
        _entry_item(view, phrase("Redeal: no doubles"), phrase("Redeal?"), HandRedealt()),
        bogus if called else None,
        *_count_call_items(view, acts),
        _wrong_count_item(view, acts["wrong-count"]),
    )


def _act_item(act: Act, label: str, question: str) -> Item[LineBoard]:
    """Returns the item that stores an act's entry. If the entry is doubtful, the box asks for
    confirmation first, under the heading `question`."""
    return label, lambda view, menu: keep_or_confirm(view, act.entry, question, menu)


def _entry_item(
    view: View[LineBoard], label: str, question: str, entry: Entry
) -> Item[LineBoard] | None:
    """Returns the item for an entry; None if the rules don't accept the entry now. The menu has it
    even where the web pages don't offer the entry, so that the menu's digits don't change.
    `question`: the heading if the entry needs confirmation."""
    if not is_allowed(view, entry):
        return None
    return label, lambda view, menu: keep_or_confirm(view, entry, question, menu)


def _blocked_item(view: View[LineBoard]) -> Item[LineBoard] | None:
    """Returns the item for a blocked hand. There is none before the first play, except when only
    scores are entered, as the record then has no plays."""
    hand = view.state.board.hand
    if hand and hand.round.stage is Stage.LEAD and entry_way(view) != ENTRY_SCORES:
        return None
    return _entry_item(view, phrase("Blocked: nobody can play"), phrase("Blocked?"), HandBlocked())


def _single_act_item(acts: Sequence[Act], label: str, question: str) -> Item[LineBoard] | None:
    """Returns the item for the first act in `acts`; None if there are none."""
    return _act_item(acts[0], label, question) if acts else None


def _item_by_seat(
    view: View[LineBoard],
    label: str,
    acts: Sequence[Act],
    item: Callable[[View[LineBoard], Act], Item[LineBoard]],
    who: str,
) -> Item[LineBoard] | None:
    """Returns the item that opens a list of these acts under the heading `who`, each with the digit
    of its seat's place at the table; None if there are none."""
    of_seat = {act.seat: item(view, act) for act in acts}
    return submenu(label, tuple(of_seat.get(seat) for seat in view.state.seats), who)


def _out_item(view: View[LineBoard]) -> Item[LineBoard] | None:
    """Returns the item for entering that the last seat to play is out; None if that was the seat's
    first tile."""
    hand = view.state.board.hand
    lays = [turn.seat for turn in hand.turns if isinstance(turn.did, TilePlayed)] if hand else []
    just_laid = hand and hand.turns and isinstance(hand.turns[-1].did, TilePlayed)
    if not just_laid or lays.count(lays[-1]) == 1:
        return None
    seat = lays[-1]
    label = phrase("{seat} is out", seat=display_name(seat))
    return _entry_item(
        view, label, phrase("{seat} is out?", seat=display_name(seat)), WentOut(seat)
    )


def _return_item(view: View[LineBoard], mover: Seat) -> Item[LineBoard] | None:
    """Returns the item with which `mover` returns the tile it has just drawn; None if that isn't
    allowed. Choosing it prompts for the tile, because a returned tile is shown."""
    if drew_last(view) != mover:
        return None
    label = phrase("{seat} returns the tile", seat=display_name(mover))
    return label, lambda _view, menu: Outcome(OfferTileReturn(menu))


def _count_call_items(view: View[LineBoard], acts: ActsByName) -> Items[LineBoard]:
    """Returns the items about the last count, in a game in which counts are called."""
    layer = next((act.seat for act in acts["not-called"]), None)
    if layer is None:
        return (None, None, None)
    in_time = phrase("{seat} called the count", seat=display_name(layer))
    late = phrase("{seat} didn't call it", seat=display_name(layer))
    return (
        _entry_item(view, in_time, in_time, CountCalled(layer)),
        _single_act_item(acts["not-called"], late, late),
        _muggins_item(view, acts["muggins"]),
    )


def _muggins_item(view: View[LineBoard], acts: Sequence[Act]) -> Item[LineBoard] | None:
    """Returns the item for an opponent who called the count first. If there are several opponents,
    it asks which one."""
    if len(acts) == 1:
        label = phrase("Muggins: {seat}", seat=display_name(acts[0].seat or ""))
        return _act_item(acts[0], label, label)

    def item(_view: View[LineBoard], act: Act) -> Item[LineBoard]:
        return _act_item(act, display_name(act.seat or ""), display_name(act.seat or ""))

    return _item_by_seat(view, phrase("Muggins"), acts, item, phrase("Muggins: who?"))


def _wrong_count_item(view: View[LineBoard], acts: Sequence[Act]) -> Item[LineBoard] | None:
    """Returns the item “Wrong number of tiles”, which asks for the seat."""
    label = phrase("Wrong number of tiles")

    def item(_view: View[LineBoard], act: Act) -> Item[LineBoard]:
        return _act_item(act, display_name(act.seat or ""), label)

    return _item_by_seat(view, label, acts, item, phrase("Wrong number: who?"))


def _misdraw_item(view: View[LineBoard], act: Act) -> Item[LineBoard]:
    """Returns the item for entering that a seat misdrew. Because a misdraw costs points, the box
    first shows who pays whom, and needs an OK."""
    paid = view.game.try_entry(act.entry).effect.payments[-1]
    seat = act.seat or ""
    text = phrase(
        "{seat} drew the wrong number of tiles and pays {to} {points}.",
        seat=display_name(seat),
        to=display_name(paid.to),
        points=listed(filter(None, [str(paid.points), view.colour(act.seat)]), " "),
    )
    label = phrase("{seat} misdrew", seat=display_name(seat))
    return item_asking_first(label, phrase("Misdraw?"), text, act.entry)


# ---------------------------------------------------------------- left open
# Options that a club's rules leave open, such as partners; the table is asked before a game begins.


@dataclass(frozen=True, slots=True)
class AskOpenOption(ListScreen[LineBoard]):
    """Asks for one house rule of the game that is about to begin; the answer begins the game. BACK
    returns to the set-up's table."""

    opened: GameOpened | None = None
    option: Option | None = None
    table: MakeTable[LineBoard] | None = None

    rows: ClassVar = 4

    def _game_and_option(self) -> tuple[GameOpened, Option]:
        assert self.opened is not None and self.option is not None, "it asks of a game"
        return self.opened, self.option

    def title(self, _view: View[LineBoard]) -> str:
        return self._game_and_option()[1].label

    def lines(self, _view: View[LineBoard]) -> tuple[str, ...]:
        opened, option = self._game_and_option()
        return tuple(option.value_in_words(value) for value in option.choices(len(opened.seats)))

    def chosen(self, view: View[LineBoard], at: int) -> Outcome[LineBoard]:
        opened, option = self._game_and_option()
        value = option.choices(len(opened.seats))[at]
        options = {**opened.options, option.name: value}
        return begin(view, replace(opened, options=options))

    def back(self, _view: View[LineBoard]) -> Outcome[LineBoard]:
        assert self.table is not None, "it came from the set-up's table"
        return Outcome(self.table(self._game_and_option()[0].options))

    def draw(self, view: View[LineBoard], canvas: Canvas) -> None:
        """Draws the answers, and below them what the rule means."""
        ListScreen.draw(self, view, canvas)
        meaning = canvas.wrapped(self._game_and_option()[1].meaning, WIDTH - 4)[:2]
        for row, line in enumerate(meaning):
            canvas.text(2, 56 - 8 * (len(meaning) - row), line)


# ---------------------------------------------------------------- confirm out
# The question whether a seat is out. Only the counted tiles say so, and a DRAW may have been
# forgotten.


@dataclass(frozen=True, slots=True)
class AskOut(AskWhetherOut[LineBoard]):
    """Asks whether a seat is out. DRAW inserts a forgotten draw before the seat's last play."""

    is_turn: ClassVar = False

    def keys(self, _view: View[LineBoard]) -> tuple[Key, ...]:
        return (Key.OK, Key.DRAW, Key.BACK, Key.BOGUS, Key.MENU)

    def draw(self, view: View[LineBoard], canvas: Canvas) -> None:
        """Draws the count after the last play, what it paid, and the question."""
        state, seat = view.state, display_name(self.seat)
        line, paid = hand_of(state).line, state.effect.payments[-1:]
        count = "–" if line.known_count is None else str(line.known_count)
        table = TableLayout(
            seat=seat,
            number=count,
            label=phrase("count"),
            need=phrase("out?  OK: yes"),
            ends=phrase("DRAW: forgot a draw"),
            chips=exchange_in_short(paid[0]) if paid else "",
            colour=view.colour(paid[0].payer) if paid else "",
            say=who_pays(paid[0], view.language) if paid else "",
            scores=scores_of(state),
            paid=str(paid[0].points) if paid else "",
            mark=mark(view),
            second=aloud(view),
        )
        draw_table(canvas, table)


# ---------------------------------------------------------------- big six
# The question who holds the highest double; its holder leads with it.


def _heaviest_first(rules: LineGame[Any]) -> list[Tile]:
    """Returns the tiles other than doubles, the heaviest by the game's rules first."""
    tiles = (tile for tile in TILE_SET.tiles if not tile.is_double)
    return sorted(tiles, key=rules.heaviest, reverse=True)


def _must_be_held(view: View[LineBoard]) -> bool:
    """Returns whether some seat must hold the double in question, because all tiles were dealt."""
    return hand_of(view.state).big_6 and not view.has_entry(HandRedealt)


@dataclass(frozen=True, slots=True)
class AskHighestDouble(RefusingScreen[LineBoard]):
    """Asks who holds the highest double: 6-6, then 5-5 and so on down to 0-0. A digit names the
    seat that holds it; PASS means that no seat does.

    If no seat has a double (`double` below 0), the hand is dealt again. If the house rules let the
    heaviest tile lead, the screen asks for the other tiles instead, from 6-5 down. PASS on a seat's
    own keypad only means that this seat doesn't hold the tile; `without`: the seats that have
    pressed it."""

    double: int = TILE_SET.highest
    without: frozenset[Seat] = frozenset()

    digits: ClassVar = range(1, 10)
    shows_table: ClassVar = True

    def tile(self, view: View[LineBoard]) -> tuple[int, int] | None:
        """Returns the tile in question, as two halves; None if the hand has to be dealt again."""
        if self.double >= 0:
            return self.double, self.double
        rules, place = view.game.game, -1 - self.double
        if hand_of(view.state).big_6 or not isinstance(rules, LineGame):
            return None
        heaviest = _heaviest_first(rules)[place : place + 1]
        return next(((tile.high, tile.low) for tile in heaviest), None)

    def keys(self, view: View[LineBoard]) -> tuple[Key, ...]:
        """Returns a digit for each seat and PASS (no seat) while a tile is in question; OK for a
        redeal or after a refusal; and the other keys of the screen."""
        seats = tuple(Key(str(1 + number)) for number in range(len(view.state.seats)))
        tile = self.tile(view)
        asked = (*seats, *(() if _must_be_held(view) else (Key.PASS,))) if tile else ()
        ok = (Key.OK,) if not tile or self.why_not is not None else ()
        return (*asked, *ok, Key.BACK, Key.BOGUS, Key.MENU)

    def digit(self, view: View[LineBoard], digit: int) -> Outcome[LineBoard]:
        seats = view.state.seats.order
        return (
            self._lead_with_tile(view, seats[digit - 1]) if digit <= len(seats) else Outcome(self)
        )

    def handle_press(self, view: View[LineBoard], press: Press) -> Outcome[LineBoard]:
        """On a seat's own keypad OK means that this seat holds the tile, PASS that it doesn't."""
        if self.why_not is not None:
            return self.press(view, press.key)
        mine = press.key is Key.OK and press.seat in view.state.seats
        if mine and press.seat is not None:
            return self._lead_with_tile(view, press.seat)
        if press.key is Key.PASS and press.seat in view.state.seats and self.tile(view):
            return self._note_not_held(view, press.seat)
        return self.press(view, press.key)

    def _note_not_held(self, view: View[LineBoard], seat: Seat | None) -> Outcome[LineBoard]:
        """Notes that the seat doesn't hold the tile. Once every seat has passed, prompts for the
        next tile. If a seat passes twice, a message names the seats that haven't answered."""
        without = self.without | ({seat} if seat else set())
        missing = [display_name(one) for one in view.state.seats if one not in without]
        if not missing:
            return self.no_seat_holds_it(view)
        if seat in self.without:
            others = listed(missing, last=AND)
            return Outcome(
                self,
                refused=phrase(
                    "{seat} has passed: {others} must, too.",
                    seat=display_name(seat or ""),
                    others=others,
                ),
            )
        return Outcome(AskHighestDouble(self.double, without=without))

    def _lead_with_tile(self, view: View[LineBoard], seat: Seat) -> Outcome[LineBoard]:
        tile = self.tile(view)
        if tile is None:
            return Outcome(self)
        laid = TilePlayed(seat, tile)
        after = try_entry(view, laid)
        if isinstance(after, RuleError):
            return AskHighestDouble(self.double).refuse(after.why)
        return keep(laid)

    def no_seat_holds_it(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """PASS means that no seat holds this tile: prompts for the next one. Refused if some seat
        must hold it because all tiles were dealt."""
        if _must_be_held(view):
            return AskHighestDouble().refuse(phrase("All tiles are dealt: somebody holds it."))
        return Outcome(AskHighestDouble(self.double - 1) if self.tile(view) else self)

    def redeal(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """OK records a redeal, once every tile was asked for and none is held."""
        return Outcome(self) if self.tile(view) else keep(HandRedealt())

    def back(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """BACK returns to the previous tile; at 6-6 it offers to take back the last entry."""
        if self.double < TILE_SET.highest:
            return Outcome(AskHighestDouble(self.double + 1))
        return offer_undo(view, self)

    def key_bindings(self) -> Actions[LineBoard]:
        return {Key.OK: self.redeal, Key.PASS: self.no_seat_holds_it, Key.BACK: self.back}

    def draw(self, view: View[LineBoard], canvas: Canvas) -> None:
        """Draws the tile large, the seats with their digits, and the seats that don't hold it."""
        state = view.state
        need = phrase("Nobody holds a double.")
        if self.double >= 0:
            need = phrase("Who holds the big {double}?", double=self.double)
        names = listed((display_name(seat) for seat in state.seats if seat in self.without), " ")
        nobody = "" if _must_be_held(view) else phrase("PASS: nobody")
        said = phrase("Not {names}", names=names) if names else nobody
        seats = [numbered(n, seat) for n, seat in enumerate(state.seats, 1)]
        tile = self.tile(view)
        asked = tile is not None
        table = TableLayout(
            seat=f"{tile[0]}-{tile[1]}?" if tile else phrase("Redeal"),
            need=need,
            ends=phrase("It leads the hand.") if asked else phrase("Shuffle and draw anew."),
            tiles=(listed(seats[:2], "   "), listed(seats[2:], "   ")) if asked else (),
            say=said if asked else phrase("OK: done"),
            scores=scores_of(state),
        )
        draw_table(canvas, table)
        self.draw_why_not(canvas)


# ---------------------------------------------------------------- play


class LineCalls(Calls[LineBoard]):
    """Calls of bogus play in a game with a line of play."""

    call = staticmethod(begin_call)

    def result(self, state: State[LineBoard]) -> str:
        ruling = ruling_of(state)
        return ruling.result if ruling else ""

    def was_bogus(self, state: State[LineBoard]) -> bool:
        paid = any(payment.why is Penalty.BOGUS for payment in state.effect.payments)
        return paid or self.result(state) == RulingResult.BOGUS


class LinePlay(Play[LineBoard]):
    """The screens, words and menu items of one game with a line of play; `rules` are its rules."""

    def __init__(self, rules: LineGame[Any]) -> None:
        self._rules = rules
        self.keys = LINE_KEYS
        self.calls = LineCalls() if BogusCalled in rules.entries else None

    def screen(self, view: View[LineBoard]) -> Screen[LineBoard]:
        state = view.state
        claim, ruling = judged_claim(state), ruling_of(state)
        if claim is not None and ruling is not None:
            return ShowRuling(self._screen_without_call)
        if claim is not None:
            return AskRuling() if claim.known else ShowVerdict()
        return self._screen_without_call(view)

    def _screen_without_call(self, view: View[LineBoard]) -> Screen[LineBoard]:
        """Returns the screen for the current state of the game, apart from calls of bogus play."""
        state, asked = view.state, view.expected_entry
        now = state.board.hand.round if state.board.hand else None
        if state.finished:
            won = state.winners and state.effect.payments
            return LastPayment() if won else GameOver()
        if now is None or now.stage is Stage.OVER:
            return BetweenHands()
        if now.playing:
            if asked.asks != LAY:
                return ScoreTurn()
            return LineTurn() if asked.seat else AskHighestDouble()
        if TilesDrawn in self._rules.entries and (out := seems_out(now)):
            return AskOut(seat=out)
        return KeyHolding(self._rules.seats_to_show(state)[0])

    def before_begin(
        self, _view: View[LineBoard], opened: GameOpened, table: MakeTable[LineBoard]
    ) -> Screen[LineBoard] | None:
        left = next(options_left_open(self._rules.options, len(opened.seats), opened.options), None)
        return AskOpenOption(opened=opened, option=left, table=table) if left else None

    def menu(self, view: View[LineBoard]) -> Mapping[int, Item[LineBoard]]:
        now, acts = KEYED_BY[entry_way(view)], acts_by_name(view)
        items: dict[int, Item[LineBoard] | None] = {
            4: _blocked_item(view),
            5: submenu(phrase("More of this hand"), _hand_items(view, acts)),
            7: (
                phrase("How you key: {way}", way=now),
                change_setting(ENTRY_WAYS, notes=ENTRY_NOTES),
            ),
        }
        return {digit: item for digit, item in items.items() if item}

    def before_undo(
        self, view: View[LineBoard], below: Screen[LineBoard]
    ) -> Screen[LineBoard] | None:
        return OfferTileReturn(below) if drew_last(view) else None

    describe_entry = staticmethod(entry_in_short)
    explain_points = staticmethod(reason_in_short)

    def highlight(self, view: View[LineBoard]) -> str:
        """Returns the line about the biggest count that scored; empty if none did."""
        scored = (
            (ends.count, -at, each.effect.seat)
            for at, each in enumerate(view.game.states)
            if each.effect.points and (ends := ends_counted(each)) and ends.count
        )
        best = max(scored, default=None)
        return (
            phrase(
                "Biggest count {points}: {seat}", points=best[0], seat=display_name(best[2] or "")
            )
            if best
            else ""
        )
