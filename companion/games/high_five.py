"""High Five (Fundex / Professional Domino Association, 2006), rule by rule.

Numbers in brackets are those of RULES.md, section 1. The course of a hand is in line_game.py, the
line of play with its count [8, 9] in line.py, the bogus play's claim in dispute.py.
"""

from dataclasses import replace
from typing import ClassVar

from companion.errors import RuleError
from companion.games.bogus import claim as dispute
from companion.games.chips import Chips, parse_chip_set
from companion.games.entries import (
    Dealt,
    Drew,
    Held,
    HeldPips,
    Laid,
    Passed,
)
from companion.games.game import (
    BIG_6,
    Effect,
    Entry,
    Notice,
    NoticeKind,
    Payment,
    RuledBy,
    Why,
)
from companion.games.line.hand import Hand, Stage
from companion.games.line.line import TILE_SET
from companion.games.line.moves import give_back
from companion.games.line_game import (
    FIRST_SCORE,
    LEAVE,
    ROUNDING,
    LineGame,
    Table,
    paid,
    pips_of,
    rounded,
)
from companion.games.options import (
    NO_YES,
    Option,
    Options,
)
from companion.games.penalties import (
    Audited,
    Called,
    Corrected,
    Misdrew,
    Returned,
    Ruled,
)
from companion.seats import BySeat, Seat, Seats


class Penalty(Why):
    """What is paid for besides counts and the ends of hands."""

    MISDRAW = "misdraw"
    BOGUS = "bogus"
    WRONG_CALL = "wrong-call"
    CORRECTION = "correction"
    """As agreed at the table."""


class AuditNotice(NoticeKind):
    """What counted chips tell."""

    DIFFERENCE = "audit-difference"
    """In the stock of `seat` so many were `counted`, and not as `recorded`."""


PENALTY = 50
"""Points for a misdraw, and the least for a bogus play (rulebook, "Bogus play")."""

DEALT = {2: 7, 3: 6, 4: 5}
"""[2] Tiles to each player."""

CHIPS_IN_WORDS = {
    "10x10+5x10": "ten tens, ten fives",
    "10x5+5x20": "five tens, 20 fives",
    "5x30": "thirty fives",
    "20x4+10x4+5x6": "4×20, 4×10, 6×5",
    "25x2+10x6+5x8": "2×25, 6×10, 8×5",
}
CHIP_SETS = tuple(CHIPS_IN_WORDS)


class HighFive(LineGame):
    """The rules of High Five."""

    name = "high-five"
    title = "High Five"
    options = (
        Option.number("deal", "Tiles dealt to each player", lambda seats: DEALT[seats],
                      lambda seats: range(3, min(9, len(TILE_SET) // seats) + 1))
              .with_words("Tiles each"),
        LEAVE,
        ROUNDING,
        Option("chip-set", "The chips of each colour", lambda _: CHIP_SETS[0],
               lambda _: CHIP_SETS, parse_chip_set).with_words("Chips", CHIPS_IN_WORDS),
        Option.words("rotate-lead", "In a rematch the first lead rotates", "off", "on")
              .with_words("First lead rotates", NO_YES),
        FIRST_SCORE,
        Option.number("wrong-call", "A wrong call of bogus costs", lambda _: 0,
                      lambda _: (0, 10, 50))
              .with_words("Wrong call costs", {0: "nothing"}),
        Option.words("table-overrules", "The table may rule against a proof", "off", "on")
              .with_words("Table may overrule", NO_YES),
    )  # fmt: skip

    def start(self, seats: Seats, options: Options) -> Table:
        """[3] Each seat starts with 150 points of chips in its own colour."""
        chips = Chips.full(seats, str(options["chip-set"]))
        return super().start(seats, options)._replace(chips=chips)

    # ------------------------------------------------------------ who leads

    def who_leads(self, state: Table, dealt: Dealt) -> tuple[Seat | None, bool]:
        """[4] The double called for is led; in a rematch whose lead rotates, the seat named leads
        any tile. [5] After a dominoed or bogus hand the winner leads any tile."""
        if state.options["rotate-lead"] == "on" and state.board.hand is None and dealt.lead:
            return dealt.lead, False
        return super().who_leads(state, dealt)

    def next_lead(self, state: Table, hand: Hand, winner: Seat | None) -> str:  # noqa: ARG002
        """[5] Dominoed: the winner. [4] Blocked: Big 6."""
        return winner if winner is not None and hand.out is not None else BIG_6

    def shuffler(self, state: Table, /) -> Seat | None:
        """[6] The loser shuffles: the payer of the hand's winner; nobody after a tie."""
        hand = state.board.hand
        if hand is None or hand.stage is not Stage.OVER or state.finished:
            return None
        winner = hand.winner
        return state.seats.payer_of(winner) if winner is not None else None

    # ------------------------------------------------------------ who pays, and how much

    def pay(self, state: Table, seat: Seat, points: int, why: Why) -> Table:
        """[11] `seat` is paid by its payer, [12] from the payer's own stock, [21] capped at what is
        left of it; having won all of it wins the game at once."""
        payer = state.seats.payer_of(seat)
        assert state.chips is not None
        return self.move(state, payer, min(points, state.chips.left(payer)), points, why)

    def move(self, state: Table, payer: Seat, moved: int, points: int, why: Why) -> Table:
        """`moved` points of the payer's chips go to the seat that it pays (negative: come back),
        for `points` by the rules. Decides the game."""
        if points:
            effect = replace(state.effect, points=state.effect.points + points)
            state = state._replace(effect=effect)
        if not moved or state.chips is None:
            return state
        chips, exchange = state.chips.pay(payer, moved)
        payee = state.seats.payee_of(payer)
        scores = BySeat.make(state.seats, lambda seat: chips.won_from(state.seats.payer_of(seat)))
        state = state._replace(chips=chips, scores=scores)
        return decided(paid(state, Payment(payer, payee, moved, why, exchange)))

    def holders(self, state: Table, out: Seat) -> tuple[Seat, ...]:
        """[15] Only the winner's payer counts as the loser."""
        return (state.seats.payer_of(out),)

    def worth(self, state: Table, hand: Hand, winner: Seat) -> int:
        """[14] The loser's full remaining pips, rounded."""
        return rounded(pips_of(hand.shown[state.seats.payer_of(winner)]), state.options)

    def settle(self, state: Table) -> Table:
        """The end of the hand is paid; what was paid is kept, since a bogus ruling replaces it."""
        state = super().settle(state)
        hand = self.hand(state)._replace(paid=state.effect.payments)
        return state._replace(board=replace(state.board, hand=hand))

    def to_win(self, state: Table, seat: Seat) -> int | None:
        """[21] Points left in the stock of the seat's payer."""
        return state.chips.left(state.seats.payer_of(seat)) if state.chips else None

    # ------------------------------------------------------------ penalties and corrections

    def misdraw(self, state: Table, misdrew: Misdrew) -> Table:
        """[20] The wrong number of tiles drawn at the start of a hand pays 50 to the seat it
        normally pays: before that seat's first turn, once per seat."""
        hand, seat = self.hand(state), misdrew.seat
        if hand.stage not in (Stage.LEAD, Stage.PLAY) or seat in hand.acted:
            raise RuleError(f"{seat} has had a turn in this hand: agree on a chip correction")
        if seat in hand.misdrew:
            raise RuleError(f"{seat} has paid for a misdraw in this hand already")
        hand = hand._replace(misdrew=hand.misdrew | {seat})
        state = self._with(state, hand, Effect(hand=hand.number, seat=seat))
        return self.pay(state, state.seats.payee_of(seat), PENALTY, Penalty.MISDRAW)

    def give_back(self, state: Table, returned: Returned) -> Table:
        """[19] The tile drawn last was drawn by mistake and noticed in time."""
        hand, notices = give_back(self.hand(state), returned)
        effect = Effect(hand=hand.number, seat=returned.seat, notices=notices)
        return dispute.announced(state, self._with(state, hand, effect))

    def correct(self, state: Table, corrected: Corrected) -> Table:
        """Chips as agreed at the table; it may make or unmake a win."""
        assert state.chips is not None
        seat, points = corrected.stock_of, corrected.points
        left, won = state.chips.left(seat), state.chips.won_from(seat)
        if points == 0 or points % 5:
            raise RuleError(f"Chips move in fives: {points} can't be moved")
        if not -won <= points <= left:
            has = f"{seat} has {left} left" if points > 0 else f"only {won} were won from {seat}"
            raise RuleError(f"{abs(points)} points can't be moved: {has}")
        state = state._replace(effect=Effect(hand=self._number(state)))
        return self.move(state, seat, points, 0, Penalty.CORRECTION)

    def audit(self, state: Table, audited: Audited) -> Table:
        """Chips were counted: a difference is told, nothing moves. Pieces that add up to what is
        recorded replace the recorded denominations."""
        assert state.chips is not None
        seat, recorded = audited.stock_of, state.chips.left(audited.stock_of)
        whole = state.chips.whole(seat)
        for value, number in audited.pieces or ():
            if number > whole.get(value, 0):
                raise RuleError(f"{seat} has {whole.get(value, 0)} chips of {value}: count again")
        notices: tuple[Notice, ...] = ()
        if audited.points != recorded:
            notices = (
                Notice.of(
                    AuditNotice.DIFFERENCE, seat=seat, recorded=recorded, counted=audited.points
                ),
            )
        elif audited.pieces is not None:
            state = state._replace(chips=state.chips.recount(seat, audited.pieces))
        return state._replace(effect=Effect(hand=self._number(state), notices=notices))

    def _number(self, state: Table) -> int:
        return state.board.hand.number if state.board.hand else 0

    # ------------------------------------------------------------ bogus play

    def refuse(self, state: Table, entry: Entry) -> None:
        """What an open claim, or the end of the game, does not allow. [18] A game won by a count
        stays won; one won by the bonus of a hand's end can still be called."""
        claim = dispute.open_claim(state)
        if claim is not None:
            dispute.refuse_while_open(claim, entry)
        elif state.finished and isinstance(entry, Called):
            dispute.refuse_after_win(state)
        elif state.ended is None and isinstance(entry, Corrected | Audited):
            return
        elif not (state.winner and state.board.hand and isinstance(entry, Held | HeldPips)):
            super().refuse(state, entry)

    def call(self, state: Table, called: Called) -> Table:
        """[18] A seat is called bogus; the record may close the claim at once."""
        return self._judged(dispute.call(state, called))

    def show(self, state: Table, shown: Held | HeldPips) -> Table:
        """A holding is shown, in a claim or at the end of a hand."""
        if dispute.open_claim(state):
            return self._judged(dispute.announced(state, dispute.show(state, shown)))
        return dispute.announced(state, super().show(state, shown))

    def rule(self, state: Table, ruled: Ruled) -> Table:
        """The table rules on an open claim, or overrules the record where the house lets it."""
        claimed = dispute.reopened(state, ruled)
        overrules = claimed is not state
        dispute.refuse_against(claimed, ruled)
        claimed = claimed._replace(effect=Effect(hand=self._number(claimed)))
        waiting = dispute.overrule(claimed) if overrules and ruled.bogus else None
        after = waiting or self._close(claimed, ruled.bogus, RuledBy.TABLE)
        paid_then = state.effect.payments if overrules else ()
        back = tuple(replace(payment, points=-payment.points) for payment in paid_then)
        effect = replace(after.effect, payments=(*back, *after.effect.payments))
        return after._replace(effect=effect)

    def _judged(self, state: Table) -> Table:
        """The claim closed by the record, if it can be."""
        bogus = dispute.outcome(state)
        if bogus is None:
            return state
        claim = dispute.open_claim(state)
        by = RuledBy.TABLE if claim is not None and claim.overruled else RuledBy.RECORD
        closed = self._close(state, bogus, by)
        return closed._replace(board=replace(closed.board, disputed=state))

    def _close(self, state: Table, bogus: bool, by: RuledBy) -> Table:
        """[18] Bogus: the hand is over, what its end paid is replaced by the penalty, and the
        non-offender leads any tile next. Clear: the hand goes on where it was."""
        closed = dispute.close(state, bogus, by)
        state, claim = closed.state, closed.claim
        if not bogus:
            cost = int(state.options["wrong-call"])
            return self.pay(state, state.seats.payee_of(claim.by), cost, Penalty.WRONG_CALL)
        for payment in closed.undone:
            assert payment.payer is not None
            left = state.chips.won_from(payment.payer) if state.chips else 0
            state = self.move(state, payment.payer, -min(payment.points, left), 0, payment.why)
        penalty = max(PENALTY, rounded(closed.pips, state.options))
        return self.pay(state, state.seats.payee_of(claim.accused), penalty, Penalty.BOGUS)

    def lay(self, state: Table, laid: Laid) -> Table:
        """A tile is laid; it may prove a bogus play."""
        return dispute.announced(state, super().lay(state, laid))

    def draw(self, state: Table, drew: Drew) -> Table:
        """Tiles are drawn; after one went back that is bogus by itself."""
        return dispute.announced(state, super().draw(state, drew))

    def pass_turn(self, state: Table, passed: Passed) -> Table:
        """A pass; what was laid before may prove it at once."""
        return dispute.announced(state, super().pass_turn(state, passed))

    rules: ClassVar = {
        **LineGame.shared,
        Laid: lay,
        Drew: draw,
        Returned: give_back,
        Passed: pass_turn,
        Misdrew: misdraw,
        Called: call,
        Held: show,
        HeldPips: show,
        Ruled: rule,
        Corrected: correct,
        Audited: audit,
    }


def decided(state: Table) -> Table:
    """[21] The seat that has won all of its payer's chips has won; a correction may unmake it."""
    assert state.chips is not None
    chips = state.chips
    full = [seat for seat in state.seats if chips.left(state.seats.payer_of(seat)) == 0]
    if state.winner in full:
        return state
    if full:
        return state._replace(winners=(full[0],), next_lead=None, to_move=None)
    return resumed(state) if state.winner else state


def resumed(state: Table) -> Table:
    """The game goes on after a win that was unmade: where the hand stood."""
    hand = state.board.hand
    if hand is None:
        return state._replace(winners=(), next_lead=BIG_6)
    playing = hand.stage in (Stage.LEAD, Stage.PLAY)
    lead = hand.lead_next if hand.stage is Stage.OVER else None
    to_move = hand.to_move if playing else None
    return state._replace(winners=(), to_move=to_move, next_lead=lead)
