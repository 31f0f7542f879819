"""The building blocks of a game with a line of play. A game uses the default rules, or replaces
single ones. The first half of the module has the default rules, as steps from an entry to the next
state. No step calls the game: the game passes its decisions as arguments.

`HandRules` has the rules of a hand, from the deal to the settlement. `LineGame` combines them into
a game with its own house rules, board and entries. Its fields have defaults that fit most games.
`own` has a game's rules for single kinds of entries."""

from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cached_property
from typing import Generic, TypeVar

from companion.core.errors import RuleError
from companion.core.seats import BySeat, Seat, Seats
from companion.core.values import dataclass
from companion.games import settlement
from companion.games.chips import Chips
from companion.games.entries import (
    GameEnded,
    HandBlocked,
    HandDealt,
    HandRedealt,
    HoldingShown,
    PipsShown,
    PointsScored,
    TilesDrawn,
    TotalPipsShown,
    TurnPassed,
    WentOut,
)
from companion.games.game import (
    AnyGame,
    AnyState,
    Effect,
    Entry,
    FinalScores,
    PaymentReason,
    Rule,
    State,
    rule_for,
)
from companion.games.house_rules import OFF, Option, Options
from companion.games.line import hand as hands
from companion.games.line.hand import (
    BIG_6,
    EndsCounted,
    Hand,
    LineBoard,
    LinePaymentReason,
    MoveResult,
    hand_of,
)
from companion.games.line.line import TILE_SET, TilePlayed
from companion.games.round import (
    Round,
    Stage,
    already_won_error,
    another_leader_error,
    not_settled_error,
    refuse_outside_a_hand,
    with_presumed_end,
)
from companion.games.round import deal as deal_round
from companion.games.settlement import Losers, Settlement
from companion.games.tiles import Tile

B = TypeVar("B", bound=LineBoard)


def refuse_outside_play(state: State[B], entry: Entry) -> None:
    """Raises RuleError for an entry that this moment of the game does not allow."""
    hand = state.board.hand
    if state.winners and isinstance(entry, WentOut) and hand and hand.round.stage is Stage.OUT:
        return
    if state.winners:
        raise already_won_error(state.winners)
    if state.ended is not None:
        raise RuleError("The game was ended: start a new game, or undo")
    refuse_outside_a_hand(entry, finished=False, dealt=hand is not None)


def number_of_hand(state: State[B]) -> int:
    """The number of the hand being played; 0 before the first."""
    return state.board.hand.round.number if state.board.hand else 0


def seat_to_move(state: State[B], hand: Hand | None) -> Seat | None:
    """The seat to move in the hand; None if there is none, or if any may."""
    if hand is None or state.finished or not hand.round.playing:
        return None
    return hand.round.to_move


def after_move(state: State[B], moved: MoveResult, _entry: Entry) -> State[B]:
    """The state with the hand after a move, the seat to move and the effect. The scores stay."""
    board, mover = state.board.with_hand(moved.hand), seat_to_move(state, moved.hand)
    return state._replace(board=board, to_move=mover, effect=moved.effect)


# ---------------------------------------------------------------- from the deal to the end


def refuse_deal(state: State[B], missing: tuple[Seat, ...]) -> None:
    """Raises RuleError unless the last hand is settled; `missing`: the seats whose holdings still
    have to be shown."""
    hand = state.board.hand
    if hand is not None and hand.round.stage is not Stage.OVER:
        raise not_settled_error(missing)


def leader_called_for(state: State[B], dealt: HandDealt) -> tuple[Seat | None, bool]:
    """The leader of the new hand, if known, and whether a double must be led. Raises RuleError if
    the deal names another leader, or none although the leader was drawn by lot."""
    next_lead = state.board.next_lead
    if next_lead is None and dealt.lead is None:
        raise RuleError("The rules don't say who leads: name that seat, as in “hand lead SEAT”")
    if next_lead is None or next_lead == BIG_6:
        return dealt.lead, next_lead == BIG_6
    if dealt.lead not in (None, next_lead):
        raise another_leader_error(next_lead, dealt.lead)
    return Seat(str(next_lead)), False


def new_hand(state: State[B], lead: Seat | None, *, big_6: bool) -> MoveResult:
    """A new hand, dealt by the options `deal` and `leave`; without `leave` there is no drawing.
    `lead`: its leader (None for the seat with the double called for); `big_6`: whether a double
    must be led."""
    number = number_of_hand(state) + 1
    each = int(state.options["deal"])
    leave = int(state.options.get("leave", len(TILE_SET)))
    now = deal_round(number, state.seats, tiles=len(TILE_SET), each=each, leave=leave, lead=lead)
    return MoveResult(Hand(now, big_6), Effect(hand=number))


def begin_hand(state: State[B], moved: MoveResult, dealt: HandDealt) -> State[B]:
    """Returns the state with a new hand. The leader of the next hand is not decided before this one
    ends."""
    state = after_move(state, moved, dealt)
    return state._replace(board=state.board.with_next_lead(None))


def redeal_hand(state: State[B], redealt: HandRedealt) -> State[B]:
    """Repeats the deal, because nobody held a double. Earlier payments stand. Raises RuleError
    unless a double is called for and no tile was played yet."""
    hand = hand_of(state)
    if hand.round.stage is not Stage.LEAD or not hand.big_6:
        raise RuleError("A redeal is possible only while the highest double has to lead")
    return after_move(state, MoveResult(hand, Effect(hand=hand.round.number)), redealt)


def end_game(state: State[B], ended: GameEnded) -> State[B]:
    """Ends the game unfinished; the scores stay."""
    effect = Effect(hand=number_of_hand(state))
    return state._replace(ended=ended.reason, to_move=None, effect=effect)


# ---------------------------------------------------------------- what a count or a hand is worth


def ends_counted(state: AnyState) -> EndsCounted | None:
    """The open ends and the count after the last entry, if it is a play or a score in a game with a
    line; otherwise None."""
    reason = state.effect.reason
    return reason if isinstance(reason, EndsCounted) else None


def scored_in(game: AnyGame) -> type[PointsScored] | None:
    """The game's entry for a score without its play; None if no play scores."""
    return next((kind for kind in game.entries if issubclass(kind, PointsScored)), None)


def no_points(_count: int) -> int:
    """Returns 0, as no count scores in this game."""
    return 0


def fives(count: int) -> int:
    """The score for a count: the count itself if it is a multiple of five, else 0."""
    return count if count % 5 == 0 else 0


def points_of(hand: Hand) -> int:
    """The score for the latest play: its count if that is a multiple of five, else 0."""
    return fives(hand.line.known_count or 0)


def apply_first_score(state: State[B], seat: Seat, points: int) -> int:
    """The points that count for the seat: 0 if they are too few for its first score (option
    `first-score`)."""
    if not points or state.scores[seat] != 0:
        return points
    return points if points >= int(state.options["first-score"]) else 0


def settle_hand(now: Round, losers: Losers, options: Options) -> Settlement:
    """The winner of the hand and the points: the losers' pips, rounded by the option `rounding`."""
    return settlement.settle(now, losers, str(options["rounding"]))


def hand_settled(state: State[B], winner: Seat | None, next_lead: str | None) -> State[B]:
    """Returns the state with the hand settled, and the next leader (None if drawn by lot)."""
    hand = hand_of(state)
    hand = hand._replace(round=settlement.mark_settled(hand.round, winner))
    board = state.board.with_hand(hand).with_next_lead(next_lead)
    return state._replace(board=board, to_move=None)


def winner_leads(state: State[B], winner: Seat | None) -> str:
    """Returns the leader of the next hand: the winner or, after a block, BIG_6, because the highest
    double is called for."""
    return winner if winner and hand_of(state).round.out else BIG_6


def no_shuffler(_state: AnyState) -> None:
    """Returns None, as the rules don't name a shuffler."""


def reveal_everything(
    _before: State[B], after: State[B], _entry: Entry, _rule: Rule[B]
) -> State[B]:
    """The state after an entry, with nothing held back from the players."""
    return after


def partners(seats: Seats, options: Options) -> tuple[tuple[Seat, ...], ...]:
    """Seats 1 and 3 against 2 and 4, if the option `partners` is on; else (). Raises RuleError if
    it is on and there are not four seats."""
    order = seats.order
    if options["partners"] == "on" and len(order) != 4:
        raise RuleError("Partners are for four players: two against two")
    return ((order[0], order[2]), (order[1], order[3])) if options["partners"] == "on" else ()


def opponents(state: State[B]) -> Losers:
    """Returns a function that returns all seats except a winner and its partner, because the
    partner's holding doesn't count."""
    return lambda winner: tuple(seat for seat in state.seats if seat not in state.side_of(winner))


def no_partners(_seats: Seats, _options: Options) -> tuple[tuple[Seat, ...], ...]:
    """Returns no partnerships: each seat plays for itself."""
    return ()


def no_chips(_state: AnyState) -> None:
    """Returns None, as points are written down."""


# ---------------------------------------------------------------- losses
# How hands go on after entries were lost.
#
# The line is then not known, except for tiles that were entered as tiles. An entry made before the
# loss was known may imply that more is missing: the end of a hand, a deal, or whose turn it was.


def resumed_hand(hand: Hand, seat: Seat | None) -> Hand:
    """The hand after entries were lost; `seat`: the next to move, if known."""
    if hand.round.stage is not Stage.OVER:
        hand = hand._replace(line=hand.line.given_up())
    if not seat or not hand.round.playing:
        return hand
    return hand._replace(round=hand.round._replace(stage=Stage.PLAY, to_move=seat), big_6=False)


def _state_before(state: State[B], entry: Entry, deal: Rule[B]) -> State[B]:
    """Returns a state in which `entry` may have been made, although earlier entries were lost. For
    a deal, the last hand is settled; for a holding, the hand has ended; for a turn, a hand has been
    dealt, and that seat is to move. `deal`: the game's rule for a deal."""
    hand = state.board.hand
    if state.finished:
        return state
    match entry:
        case HandDealt() if hand is not None:
            return hand_settled(state, None, entry.lead or BIG_6)
        case HoldingShown() | PipsShown() if hand and (hand.round.playing or hand.round.ended):
            return _with_hand(state, hand._replace(round=with_presumed_end(hand.round, entry.seat)))
        case TotalPipsShown() if hand and hand.round.playing and (last := hand.round.last_to_play):
            out = hand.round._replace(stage=Stage.OUT, out=last, to_move=None)
            return _with_hand(state, hand._replace(round=out))
        case TilePlayed() | PointsScored() | TilesDrawn() | TurnPassed():
            if hand is not None and hand.round.stage is not Stage.OVER:
                return _with_hand(state, _with_seat_to_move(hand, entry))
            by_lot = state.board.next_lead is None
            dealt = hand_of(now := deal(state, HandDealt(entry.seat if by_lot else None)))
            dealt = dealt._replace(line=dealt.line.given_up())
            return _with_hand(now, _with_seat_to_move(dealt, entry))._replace(effect=state.effect)
    return state


def _with_hand(state: State[B], hand: Hand) -> State[B]:
    """The state with the hand replaced; the last entry's effect stays."""
    board = state.board.with_hand(hand)
    return state._replace(board=board, to_move=seat_to_move(state, hand))


def _with_seat_to_move(
    hand: Hand, turn: TilePlayed | PointsScored | TilesDrawn | TurnPassed
) -> Hand:
    """The hand with the seat of that turn to move. The line is given up, unless the turn is a
    lead."""
    leads = hand.round.stage is Stage.LEAD and isinstance(turn, TilePlayed) and not hand.line.lost
    stage = Stage.LEAD if leads else Stage.PLAY
    line = hand.line if leads else hand.line.given_up(may_be_partial=isinstance(turn, TilePlayed))
    now = hand.round._replace(stage=stage, to_move=turn.seat, out=None, out_was_entered=False)
    return hand._replace(round=now, line=line, big_6=False)


# ---------------------------------------------------------------- game


@dataclass(frozen=True)
class Scoring(Generic[B]):
    """How points are paid or written down, and when they win the game."""

    pay: Callable[[State[B], Seat, int, PaymentReason], State[B]]
    """Pays the seat these points, for this reason, and decides whether the game is won."""
    settled: Callable[[State[B]], State[B]]
    """The state after a hand was settled and paid."""
    to_win: Callable[[State[B], Seat], int | None]
    """The points that the seat still needs to win."""
    points_that_count: Callable[[State[B], Seat, int], int] = apply_first_score
    """Returns how many points of a count or a hand count for the seat: 0 if they are too few for
    its first score."""
    of_count: Callable[[int], int] = fives
    """The points for a count, before `points_that_count`."""
    chips: Callable[[State[B]], Chips | None] = no_chips
    """The chips that payments are made in; None if points are written down."""


@dataclass(frozen=True)
class HandRules(Generic[B]):
    """The rules of a hand, from the deal to its settlement."""

    scoring: Scoring[B]
    losers: Callable[[State[B]], Losers]
    """A function that returns the seats whose pips are paid to the winner of a hand."""
    who_leads: Callable[[State[B], HandDealt], tuple[Seat | None, bool]] = leader_called_for
    """The leader of the new hand, if known, and whether a double must be led; raises RuleError."""
    begin: Callable[[State[B], MoveResult, HandDealt], State[B]] = begin_hand
    """The state with the new hand."""
    after: Callable[[State[B], MoveResult, Entry], State[B]] = after_move
    """Returns the state after a move, with all its consequences."""
    settle: Callable[[Round, Losers, Options], Settlement] = settle_hand
    """The winner of the hand, and its points."""
    lead_after: Callable[[State[B], Seat | None], str | None] = winner_leads
    """The leader of the next hand: a seat or BIG_6; None if drawn by lot. The second argument is
    the winner of the last hand (None if there is no winner)."""
    pips_count: bool = True
    """Whether holdings are shown at a hand's end; if not, the hand is settled as soon as it
    ends."""

    @property
    def rules(self) -> Mapping[type[Entry], Rule[B]]:
        return {
            HandDealt: self.deal,
            HandRedealt: redeal_hand,
            TilePlayed: self.play_tile,
            PointsScored: self.score,
            TilesDrawn: self.draw,
            TurnPassed: self.pass_turn,
            WentOut: self.go_out,
            HandBlocked: self.block,
            HoldingShown: self.show,
            PipsShown: self.show,
        }

    def seats_to_show(self, state: State[B]) -> tuple[Seat, ...]:
        """The seats whose holdings still have to be shown before the hand can be settled."""
        hand = state.board.hand
        if hand is None or not self.pips_count:
            return ()
        return settlement.holdings_needed(hand.round, self.losers(state))

    def deal(self, state: State[B], dealt: HandDealt) -> State[B]:
        """Deals a new hand. Raises RuleError unless the last one is settled."""
        refuse_deal(state, self.seats_to_show(state))
        lead, big_6 = self.who_leads(state, dealt)
        return self.begin(state, new_hand(state, lead, big_6=big_6), dealt)

    def play_tile(self, state: State[B], played: TilePlayed) -> State[B]:
        """Plays a tile, whose count may score, in most games if it is a multiple of five."""
        moved = hands.play_tile(hand_of(state), played)
        count = self.scoring.of_count(moved.hand.line.known_count or 0)
        points = self.scoring.points_that_count(state, played.seat, count)
        return self._pay_count(self.after(state, moved, played), played.seat, points)

    def score(self, state: State[B], scored: PointsScored) -> State[B]:
        """Enters a score without the play that made it."""
        state = self.after(state, hands.score(hand_of(state), scored), scored)
        return self._pay_count(
            state, scored.seat, self.scoring.points_that_count(state, scored.seat, scored.points)
        )

    def _pay_count(self, state: State[B], seat: Seat, points: int) -> State[B]:
        """Returns the state after these points were paid for a count; also settles the hand if that
        play ended it."""
        if points:
            state = self.scoring.pay(state, seat, points, LinePaymentReason.COUNT)
        return self._settle_if_pips_dont_count(state)

    def draw(self, state: State[B], drew: TilesDrawn) -> State[B]:
        return self.after(state, hands.draw(hand_of(state), drew), drew)

    def pass_turn(self, state: State[B], passed: TurnPassed) -> State[B]:
        """The state after a seat has passed; when all have passed, the hand is blocked."""
        return self._settle_if_pips_dont_count(
            self.after(state, hands.pass_turn(hand_of(state), passed), passed)
        )

    def go_out(self, state: State[B], out: WentOut) -> State[B]:
        return self._settle_if_pips_dont_count(
            self.after(state, hands.go_out(hand_of(state), out.seat), out)
        )

    def block(self, state: State[B], blocked: HandBlocked) -> State[B]:
        return self._settle_if_pips_dont_count(
            after_move(state, hands.block(hand_of(state)), blocked)
        )

    def _settle_if_pips_dont_count(self, state: State[B]) -> State[B]:
        """The state with an ended hand settled, if holdings don't count; otherwise unchanged."""
        return state if self.pips_count else self.settle_once_shown(state)

    def show(self, state: State[B], shown: HoldingShown | PipsShown) -> State[B]:
        """Shows a holding at the hand's end; the last one needed settles the hand."""
        moved = hands.show_at_the_end(hand_of(state), shown, state.rules)
        return self.settle_once_shown(self.after(state, moved, shown))

    def settle_once_shown(self, state: State[B]) -> State[B]:
        """The state with the hand settled, if all the holdings needed for that were shown;
        otherwise unchanged."""
        now = hand_of(state).round
        if not now.ended or state.finished or self.seats_to_show(state):
            return state
        end = self.settle(now, self.losers(state), state.options)
        state = hand_settled(state, end.winner, self.lead_after(state, end.winner))
        if end.winner is not None:
            points = self.scoring.points_that_count(state, end.winner, end.points)
            state = self.scoring.pay(state, end.winner, points, end.why)
        return self.scoring.settled(state)


@dataclass(frozen=True, eq=False)
class LineGame(Generic[B]):
    """The rules of a game with a line of play; one object for each game."""

    name: str
    title: str
    players: range
    options: tuple[Option, ...]
    board: Callable[[Seats, Options], B]
    """Makes the board before the first hand."""
    hand: HandRules[B]
    doubt_of: Callable[[FinalScores, Options, bool], str | None]
    """Returns why scores can't be the final ones (see Game.doubt)."""
    own: Mapping[type[Entry], Rule[B]] = field(default_factory=dict)
    """Rules for entries that `hand` doesn't have, or that this game handles differently."""
    refuse: Callable[[State[B], Entry], None] = refuse_outside_play
    """Raises RuleError for an entry that this moment of the game does not allow."""
    known_at_once: Callable[[State[B], State[B], Entry, Rule[B]], State[B]] = reveal_everything
    """Returns as much of the state after an entry as the players may know. Its arguments are the
    full state before the entry, the full state after it, the entry, and the entry's rule."""
    sides: Callable[[Seats, Options], tuple[tuple[Seat, ...], ...]] = no_partners
    """Returns the partners; () if each seat plays for itself."""
    shuffler: Callable[[State[B]], Seat | None] = no_shuffler
    """Returns the shuffler of the next hand, after a hand with a winner was settled."""
    clockwise: bool = True
    """Whether turns pass to the left (see Game.clockwise)."""
    heaviest: Callable[[Tile], tuple[int, int]] = lambda tile: (tile.pips, tile.high)
    """The order in which tiles rank for the lead if nobody holds a double."""
    fixed: Options = field(default_factory=dict)
    """Fixed values of rules that are options in other games, by the options' names."""
    without: frozenset[type[Entry]] = frozenset()
    """Entries of a hand that this game leaves out."""
    calls_count: Callable[[State[B]], bool] = lambda state: state.options.get("could-play") != OFF
    """Whether the chosen house rules have a penalty for bogus plays, in a game with calls."""

    @cached_property
    def rules(self) -> Mapping[type[Entry], Rule[B]]:
        rules = {**self.hand.rules, **self.own, GameEnded: self.own.get(GameEnded, end_game)}
        return {kind: rule for kind, rule in rules.items() if kind not in self.without}

    @property
    def entries(self) -> tuple[type[Entry], ...]:
        return tuple(self.rules)

    def start(self, seats: Seats, options: Options) -> State[B]:
        """The state before the first hand. Raises RuleError for contradictory house rules."""
        board, sides = self.board(seats, options), self.sides(seats, options)
        rules = {**options, **self.fixed}
        return State(seats, rules, board, BySeat.all(seats, 0), sides=sides)

    def apply(self, state: State[B], entry: Entry) -> State[B]:
        """The state after `entry`; raises RuleError."""
        whole, rule = state.whole, rule_for(self, self.rules, entry)
        self.refuse(whole, entry)
        after = rule(whole, entry)
        known_now = self.known_at_once(state, after, entry, rule)
        if known_now == after and not after.held_longer:
            return after
        if known_now._replace(held_longer=False) == after:
            return after
        return known_now._replace(held_back=after)

    def seats_to_show(self, state: State[B]) -> tuple[Seat, ...]:
        return self.hand.seats_to_show(state)

    def to_win(self, state: State[B], seat: Seat) -> int | None:
        return self.hand.scoring.to_win(state, seat)

    def chips(self, state: State[B]) -> Chips | None:
        return self.hand.scoring.chips(state)

    def doubt(self, scores: FinalScores, options: Options, time_left: bool, /) -> str | None:
        return self.doubt_of(scores, options, time_left)

    def next_lead(self, state: State[B]) -> str | None:
        """The leader of the next hand: a seat, or BIG_6. None while a hand is being played, and if
        the leader will be drawn by lot."""
        return None if state.finished else state.board.next_lead

    def after_loss(self, state: State[B], seat: Seat | None) -> State[B]:
        """The state after entries were lost: the line is not known, and `seat` is to move (None if
        not known)."""
        state = state.whole
        hand = state.board.hand
        if hand is None:
            return state
        state = state._replace(board=state.board.after_loss(resumed_hand(hand, seat)))
        return state._replace(to_move=seat) if seat and hand.round.playing else state

    def state_before(self, state: State[B], entry: Entry) -> State[B]:
        """Returns a state in which `entry` may have been made, although earlier entries were lost.
        The returned state may refuse it as well."""
        state = _state_before(state.whole, entry, self.rules[HandDealt])
        hand = state.board.hand
        return state._replace(board=state.board.after_loss(hand)) if hand is not None else state
