"""What High Five and Five Up share: the course of a hand, from the deal to its settling.

A game says who leads, whose holdings are needed, what the end of a hand is worth and how points are
paid; the rest is the same for both and stands here once.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Protocol, runtime_checkable

from companion.errors import RuleError
from companion.games.entries import (
    Blocked,
    Dealt,
    Drew,
    Ended,
    Held,
    HeldPips,
    Laid,
    Passed,
    Redealt,
    WentOut,
)
from companion.games.game import (
    BIG_6,
    Effect,
    Entry,
    Notice,
    Payment,
    State,
    Why,
)
from companion.games.line import moves
from companion.games.line.hand import Board, Hand, Holding, LineWhy, Stage
from companion.games.options import (
    Option,
    Options,
)
from companion.games.penalties import Called
from companion.seats import BySeat, Seat, Seats

Table = State[Board]
Rule = Callable[[Any, Table, Any], Table]


@runtime_checkable
class LineRules(Protocol):
    """What the screens ask of a game with a line of play, besides what every game gives."""

    def needed(self, state: Table, /) -> tuple[Seat, ...]:
        """The seats whose holdings must still be shown before the hand can be settled."""
        ...

    def shuffler(self, state: Table, /) -> Seat | None:
        """Who shuffles for the next hand, once a hand is settled with a winner."""
        ...


class LineGame:
    """A game with a line of play. Subclasses give the rules that the methods at the end ask for."""

    name: ClassVar[str]
    title: ClassVar[str]
    players: ClassVar = range(2, 5)
    options: ClassVar[tuple[Option, ...]]
    rules: ClassVar[Mapping[type[Entry], Rule]]
    """What each entry does."""

    @property
    def entries(self) -> tuple[type[Entry], ...]:
        """The entries that this game knows."""
        return tuple(self.rules)

    def start(self, seats: Seats, options: Options) -> Table:
        """Before the first hand."""
        return State(seats, options, Board(), BySeat.all(seats, 0), next_lead=BIG_6)

    def apply(self, state: Table, entry: Entry) -> Table:
        """The state after `entry`; raises RuleError."""
        rule = self.rules.get(type(entry))
        if rule is None:
            raise RuleError(f"{self.title} has no “{entry.words[0]}”")
        self.refuse(state, entry)
        return rule(self, state, entry)

    def refuse(self, state: Table, entry: Entry) -> None:
        """Raises RuleError for an entry that this moment of the game does not allow."""
        hand = state.board.hand
        if state.winner and isinstance(entry, WentOut) and hand and hand.stage is Stage.OUT:
            return
        if state.finished:
            over = f"{state.winner} has won" if state.winner else "The game was ended"
            raise RuleError(f"{over}: start a new game, or undo")
        if state.board.hand is None and not isinstance(entry, Dealt | Ended):
            raise RuleError("No hand is dealt yet: deal first")

    # ------------------------------------------------------------ the course of a hand

    def deal(self, state: Table, dealt: Dealt) -> Table:
        """A new hand, once the last one is settled."""
        last = state.board.hand
        if last is not None and last.stage is not Stage.OVER:
            missing = " and ".join(self.needed(state))
            raise RuleError(
                f"First show what {missing} holds" if missing else "This hand is not over yet"
            )
        lead, big_6 = self.who_leads(state, dealt)
        each, leave = int(state.options["deal"]), int(state.options["leave"])
        how = moves.Deal(each, leave, lead, big_6, Called in self.rules)
        hand = moves.deal(last.number + 1 if last else 1, state.seats, how)
        hand = hand._replace(rules=state.rules)
        dealt_state = state._replace(next_lead=None)
        return self._with(dealt_state, hand, Effect(hand=hand.number), before=last)

    def redeal(self, state: Table, _redealt: Redealt) -> Table:
        """Nobody held a double: the deal is repeated. What was paid stands."""
        hand = self.hand(state)
        if hand.stage is not Stage.LEAD or not hand.big_6:
            raise RuleError("A deal is repeated only while the highest double is called for")
        return self._with(state, hand._replace(misdrew=frozenset()), Effect(hand=hand.number))

    def lay(self, state: Table, laid: Laid) -> Table:
        """A tile is laid: the count scores if it is a positive multiple of five."""
        hand, notices = moves.lay(self.hand(state), laid)
        line, points = hand.line, 0
        if line.known_count and line.known_count % 5 == 0:
            points = self.first_score(state, laid.seat, line.known_count)
        effect = Effect(
            hand=hand.number,
            turn=hand.last.number if hand.last else None,
            seat=laid.seat,
            ends=line.known_ends,
            count=line.known_count,
            parts=line.parts,
            notices=notices,
        )
        state = self._with(state, hand, effect)
        return self.pay(state, laid.seat, points, LineWhy.COUNT) if points else state

    def draw(self, state: Table, drew: Drew) -> Table:
        """Tiles are drawn from the boneyard."""
        hand, notices = moves.draw(self.hand(state), drew)
        return self._with(state, hand, _turn_effect(hand, notices))

    def pass_turn(self, state: Table, passed: Passed) -> Table:
        """A seat passes; when all have, the hand is blocked."""
        hand, notices = moves.pass_turn(self.hand(state), passed)
        return self._with(state, hand, _turn_effect(hand, notices))

    def go_out(self, state: Table, out: WentOut) -> Table:
        """A seat has dominoed."""
        hand, notices = moves.go_out(self.hand(state), out.seat)
        return self._with(state, hand, _effect(hand, notices, out.seat))

    def block(self, state: Table, _blocked: Blocked) -> Table:
        """Nobody can play."""
        hand, notices = moves.block(self.hand(state))
        return self._with(state, hand, _effect(hand, notices))

    def show(self, state: Table, shown: Held | HeldPips) -> Table:
        """A holding is shown; the last one needed settles the hand."""
        hand = self.hand(state)
        if hand.stage not in (Stage.OUT, Stage.BLOCKED, Stage.OVER):
            raise RuleError("Holdings are shown when the hand is over: enter out or blocked first")
        if shown.seat == hand.out and shown.pips:
            raise RuleError(f"{shown.seat} is out and holds nothing")
        before = hand.shown[shown.seat]
        hand, notices = moves.show(hand, shown.seat, shown, before)
        kept = moves.holding(shown)
        if before is not None and kept.tiles is None:
            kept = before
        hand = hand._replace(shown=hand.shown.put(shown.seat, kept), confirmed=True)
        state = self._with(state, hand, _effect(hand, notices, shown.seat))
        ended = hand.stage in (Stage.OUT, Stage.BLOCKED) and not state.finished
        return self.settle(state) if ended and not self.needed(state) else state

    def end(self, state: Table, ended: Ended) -> Table:
        """The game ends unfinished, the scores kept."""
        number = state.board.hand.number if state.board.hand else 0
        effect = Effect(hand=number)
        return state._replace(ended=ended.reason, next_lead=None, to_move=None, effect=effect)

    def needed(self, state: Table) -> tuple[Seat, ...]:
        """The seats whose holdings must still be shown before the hand can be settled."""
        hand = state.board.hand
        if hand is None or hand.stage not in (Stage.OUT, Stage.BLOCKED):
            return ()
        holders = tuple(state.seats) if hand.out is None else self.holders(state, hand.out)
        return tuple(seat for seat in holders if hand.shown[seat] is None)

    def settle(self, state: Table) -> Table:
        """The end of the hand is paid, and who leads next is known."""
        hand = self.hand(state)
        winner = hand.out if hand.out is not None else fewest_pips(hand)
        points = self.worth(state, hand, winner) if winner else 0
        lead = self.next_lead(state, hand, winner)
        hand = hand._replace(stage=Stage.OVER, winner=winner, lead_next=lead)
        state = self._with(state._replace(next_lead=lead), hand, state.effect)
        if winner is None:
            return state
        points = self.first_score(state, winner, points)
        return self.pay(
            state, winner, points, LineWhy.OUT if hand.out is not None else LineWhy.BLOCKED
        )

    def first_score(self, state: Table, seat: Seat, points: int) -> int:
        """These points, or none where the house wants a first score of at least ten."""
        too_few = state.scores[seat] == 0 and points < int(state.options["first-score"])
        return 0 if too_few else points

    shared: ClassVar[Mapping[type[Entry], Rule]] = {
        Dealt: deal,
        Redealt: redeal,
        Laid: lay,
        Drew: draw,
        Passed: pass_turn,
        WentOut: go_out,
        Blocked: block,
        Held: show,
        HeldPips: show,
        Ended: end,
    }
    """The entries of any line game, and what they do."""

    # ------------------------------------------------------------ small steps

    def hand(self, state: Table) -> Hand:
        """The hand being played."""
        assert state.board.hand is not None, "refuse() lets only a deal through before a hand"
        return state.board.hand

    def _with(self, state: Table, hand: Hand, effect: Effect, before: Hand | None = None) -> Table:
        """The state with a changed hand, and what that meant."""
        if hand.stage is Stage.LEAD and before is None:
            before = state.board.before
        playing = hand.stage in (Stage.LEAD, Stage.PLAY) and not state.finished
        return state._replace(
            board=Board(hand, before if hand.stage is Stage.LEAD else None),
            to_move=hand.to_move if playing else None,
            effect=effect,
        )

    def pay(self, state: Table, seat: Seat, points: int, why: Why) -> Table:
        """`seat` is paid `points`."""
        raise NotImplementedError

    # ------------------------------------------------------------ what the game says

    def who_leads(self, state: Table, dealt: Dealt) -> tuple[Seat | None, bool]:
        """Who leads the new hand, if known, and whether a double must be led."""
        if state.next_lead == BIG_6:
            return dealt.lead, True
        if dealt.lead not in (None, state.next_lead):
            raise RuleError(f"{state.next_lead} leads this hand, not {dealt.lead}")
        return Seat(str(state.next_lead)), False

    def holders(self, state: Table, out: Seat) -> tuple[Seat, ...]:
        """Whose holdings the winner's payment needs."""
        raise NotImplementedError

    def worth(self, state: Table, hand: Hand, winner: Seat) -> int:
        """Points that the end of this hand is worth to its winner."""
        raise NotImplementedError

    def next_lead(self, state: Table, hand: Hand, winner: Seat | None) -> str:
        """Who leads the next hand: a seat, or BIG_6."""
        raise NotImplementedError

    def shuffler(self, state: Table, /) -> Seat | None:
        """Who shuffles for the next hand, once a hand is settled with a winner."""
        raise NotImplementedError

    def to_win(self, state: Table, seat: Seat) -> int | None:
        """Points that `seat` still needs."""
        raise NotImplementedError

    def after_loss(self, state: Table, seat: Seat | None) -> Table:
        """After lost entries: of neither hand anything can be proven, and `seat` is to move or to
        lead."""
        hand, before = state.board.hand, state.board.before
        if hand is None:
            return state
        doubtful = hand._replace(evidence=None)
        if seat and hand.stage in (Stage.LEAD, Stage.PLAY):
            doubtful = doubtful._replace(to_move=seat, big_6=False)
            state = state._replace(to_move=seat)
        board = Board(doubtful, before and before._replace(evidence=None))
        return state._replace(board=board)


def _effect(hand: Hand, notices: tuple[Notice, ...], seat: Seat | None = None) -> Effect:
    return Effect(hand=hand.number, seat=seat, notices=notices)


def _turn_effect(hand: Hand, notices: tuple[Notice, ...]) -> Effect:
    """Of a turn that was just taken."""
    assert hand.last is not None, "a turn was just taken"
    return Effect(hand=hand.number, turn=hand.last.number, seat=hand.last.seat, notices=notices)


def pips_of(shown: Holding | None) -> int:
    """The pips of a holding that the rules made sure was shown."""
    assert shown is not None
    return shown.pips


def fewest_pips(hand: Hand) -> Seat | None:
    """Who holds the fewest pips in a blocked hand; None where several do."""
    pips = {seat: pips_of(shown) for seat, shown in hand.shown.items()}
    best = [seat for seat in pips if pips[seat] == min(pips.values())]
    return best[0] if len(best) == 1 else None


def rounded(pips: int, options: Options) -> int:
    """To the nearest five, 13 → 15 and 12 → 10; with `rounding up`, 11 → 15."""
    return 5 * ((pips + (4 if options["rounding"] == "up" else 2)) // 5)


def paid(state: Table, payment: Payment) -> Table:
    """The state with one more payment in its effect."""
    effect = replace(state.effect, payments=(*state.effect.payments, payment))
    return state._replace(effect=effect)


LEAVE = Option.number(
    "leave", "Tiles that stay in the boneyard", lambda _: 0, lambda _: range(3)
).with_words("Tiles that stay")
ROUNDING = Option.words(
    "rounding", "Held pips are rounded to the nearest five, or up", "nearest", "up"
).with_words("Pips", {"nearest": "to the nearest five", "up": "rounded up"})
FIRST_SCORE = Option.number(
    "first-score", "A seat's first score must be at least this", lambda _: 0, lambda _: (0, 10)
).with_words("First score", {0: "any", 10: "10 or more"})
