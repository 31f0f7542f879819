"""How calls of bogus play are made and settled (rules 18 and 19 of high_five.py).

A claim is about one draw or pass of one hand. The record judges it first (verdict.py): it closes
the claim if the bogus play is excluded, or if it is proven and the holding is known. Otherwise the
accused shows its tiles, which are evidence, or the table rules. While a claim is open no other
entry is allowed. Once it is closed the hand goes on exactly where it was, or is over. Each game
decides what a ruling costs (`CallRules`)."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from companion.core.errors import RuleError
from companion.core.seats import Seat
from companion.core.values import dataclass
from companion.core.words import AND, listed, ordinal, phrase
from companion.games.bogus.calls import (
    CallsBoard,
    CallsState,
    Claim,
    Grounds,
    RuledBy,
    Ruling,
    RulingResult,
    Verdict,
    VerdictKind,
    WatchedHand,
    follow,
    usual_caller,
    watch,
    why_not_call,
)
from companion.games.bogus.verdict import judge, newly_proven
from companion.games.entries import (
    BogusCalled,
    CallRuled,
    GameEnded,
    HandDealt,
    HoldingShown,
    PipsShown,
    TileReturned,
)
from companion.games.game import RULES, Effect, Entry, Notice, NoticeKind, Payment, Rule
from companion.games.line import hand as hands
from companion.games.line.game import (
    HandRules,
    end_game,
    number_of_hand,
    refuse_outside_play,
    seat_to_move,
)
from companion.games.line.hand import LineNotice, MoveResult, Turn, hand_of
from companion.games.line.line import TilePlayed
from companion.games.round import Holding, Stage, won_by_score_error


class BogusNotice(NoticeKind):
    """The kinds of notice about bogus plays."""

    PROVEN = "bogus-proven"
    """`tiles` prove that `seat` was bogus on `turn`."""
    JUDGED_OTHERWISE = "judged-otherwise"
    """The present rules give a `verdict` that contradicts the ruling on `seat` and `turn`. The
    ruling stands."""
    JUDGED_ANEW = "judged-anew"
    """The holding that `seat` showed was wrong, so its `turn`, which was ruled clear, now has this
    `verdict`."""
    NOTHING_PROVABLE = "nothing-provable"
    """The search for proofs failed because of a program `fault`: nothing can be proven in this
    `hand` any more."""


def refuse_while_open(claim: Claim, entry: Entry) -> None:
    """Raises RuleError for any entry except the accused's holding and the ruling."""
    match entry:
        case CallRuled(accused) | HoldingShown(accused) | PipsShown(accused) if (
            accused == claim.accused
        ):
            return
    raise RuleError(
        "{by} calls {accused} bogus: rule on that first", by=claim.by, accused=claim.accused
    )


def open_claim(watched: WatchedHand, called: BogusCalled, by: Seat) -> tuple[WatchedHand, Effect]:
    """The hand with a claim by the seat `by`, and the effect of the call. If the call names no
    turn, the claim is about the latest draw or pass of the accused or, if only scores are entered,
    about a turn that was not entered. Raises RuleError if the accused can't be called for that."""
    hand, accused = watched.hand, called.accused
    turn = _find_called_turn(watched, called)
    if turn is not None and watched.was_ruled_bogus(turn):
        raise RuleError(
            "{accused}'s {which} turn was already ruled bogus",
            accused=accused,
            which=ordinal(hand.table_turn_number(turn)),
        )
    turn, verdict = _judge_claim(watched, turn)
    claim = Claim(accused, by, None if turn is None else turn.number, verdict)
    watched = watched._replace(claim=claim, calls=watched.calls | {(by, accused)})
    number = hand.round.number
    if verdict.grounds is Grounds.FAULT and not watched.fault:
        fault = phrase("no verdict could be worked out")
        notices = (Notice.of(BogusNotice.NOTHING_PROVABLE, hand=number, fault=fault),)
        return watched, Effect(hand=number, notices=notices)
    if verdict.grounds is not Grounds.CONTRADICTION:
        return watched, Effect(hand=number, about=claim.turn)
    text = phrase("no deal fits all entries of hand {hand}", hand=number)
    notice = Notice.of(LineNotice.CONTRADICTION, text=text)
    return watched, Effect(hand=number, notices=(notice,), about=claim.turn)


def _find_called_turn(watched: WatchedHand, called: BogusCalled) -> Turn | None:
    """The draw or pass that the call is about; None if it was not entered. Raises RuleError if the
    accused has no such turn."""
    hand, accused = watched.hand, called.accused
    if called.turn is None and hand.round.scores_only:
        return None
    if called.turn is None:
        latest = hand.latest_draw_or_pass(accused)
        if latest is None:
            raise RuleError(
                "{accused} has neither drawn nor passed here: enter that first", accused=accused
            )
        return latest
    if called.turn > hand.round.turn:
        raise RuleError(
            "There is no turn {called}: the hand has {turns}",
            called=called.turn,
            turns=hand.round.turn,
        )
    turn = hand.turn(called.turn)
    if turn.seat != accused or isinstance(turn.did, TilePlayed):
        raise RuleError(
            "Turn {number} is “{did}”: {accused} neither drew nor passed there",
            number=turn.number,
            did=turn.did,
            accused=accused,
        )
    return turn


_WORST_FIRST = (VerdictKind.PROVEN, VerdictKind.POSSIBLE, VerdictKind.EXCLUDED)


def _judge_claim(watched: WatchedHand, turn: Turn | None) -> tuple[Turn | None, Verdict]:
    """Returns the turn to judge, and its verdict. If only tiles still held at the hand's end count,
    this is the seat's pass with the worst verdict, or the called turn if no other is worse."""
    verdict = judge(watched, turn)
    if not watched.still_held or turn is None:
        return turn, verdict
    passes = [each for each in watched.hand.draws_and_passes if each.seat == turn.seat]
    judged = [(turn, verdict), *((each, judge(watched, each)) for each in passes)]
    return min(judged, key=lambda one: _WORST_FIRST.index(one[1].kind))


def show_holding(
    watched: WatchedHand, claim: Claim, shown: HoldingShown | PipsShown
) -> tuple[WatchedHand, Effect]:
    """The hand after the accused has shown its holding, with its claim judged again, and the
    effect."""
    before = watched.holding(shown.seat)
    moved = hands.show_in_a_call(watched.hand, shown, before, watched.rules)
    watched = follow(watched, moved, shown)
    watched = watched._replace(claim=replace(claim, shown=Holding.from_entry(shown)))
    turn, verdict = _judge_claim(watched, watched.turn(claim.turn))
    number = None if turn is None else turn.number
    claim = replace(claim, turn=number, shown=Holding.from_entry(shown), verdict=verdict)
    return watched._replace(claim=claim), moved.effect._replace(about=claim.turn)


def outcome_by_record(watched: WatchedHand, *, holding_needed: bool) -> bool | None:
    """Returns the record's ruling on the open claim: True for bogus, False for clear, None if the
    record can't rule or no claim is open. `holding_needed`: whether a bogus play is ruled on only
    once the accused's holding is known."""
    claim = watched.claim
    if claim is None:
        return None
    if not claim.overruled:
        if claim.verdict.kind is VerdictKind.POSSIBLE:
            return None
        if claim.verdict.kind is VerdictKind.EXCLUDED:
            return False
    known = watched.holding(claim.accused) is not None
    return True if known or not holding_needed else None


def claim_to_rule_on(claim: Claim | None, ruled: CallRuled, may_overrule: bool) -> Claim:
    """Returns the claim that the ruling is for. Raises RuleError if there is none, or if the ruling
    contradicts the record's verdict and the table may not overrule it."""
    if claim is None:
        raise RuleError("Nobody has called {accused}: call first, then rule", accused=ruled.accused)
    if claim.verdict.kind == _contradicting_verdict(ruled.bogus) and not may_overrule:
        raise RuleError(
            "By the record it is {verdict}: the table can't overrule that",
            verdict=claim.verdict.kind,
        )
    return claim


def _contradicting_verdict(bogus: bool) -> VerdictKind:
    """The verdict that contradicts this ruling."""
    return VerdictKind.EXCLUDED if bogus else VerdictKind.PROVEN


def close_claim(watched: WatchedHand, bogus: bool, by: RuledBy) -> tuple[WatchedHand, Ruling]:
    """The hand with its open claim closed by a ruling, and the ruling. `by`: the record or the
    table. The line and the turns don't change."""
    claim = watched.claim
    assert claim is not None, "called only while a claim is open"
    tiles = tuple(str(tile) for tile in claim.verdict.tiles)
    result = RulingResult.BOGUS if bogus else RulingResult.CLEAR
    ruling = Ruling(claim.accused, claim.turn, claim.verdict.kind, result, by, tiles)
    if claim.turn is None:
        return watched._replace(claim=None), ruling
    if bogus:
        ruled = (*watched.ruled_bogus, claim.turn)
        return watched._replace(claim=None, ruled_bogus=ruled), ruling
    cleared = (*watched.cleared, (claim.accused, claim.turn))
    return watched._replace(claim=None, cleared=cleared), ruling


def ended_by_ruling(
    watched: WatchedHand, accused: Seat, winner: Seat, holding: Holding | None
) -> WatchedHand:
    """Returns the hand after a ruling against the accused has ended it. `holding`: the accused's
    holding; `winner`: the seat that leads next."""
    now = watched.hand.round
    now = now._replace(stage=Stage.OVER, winner=winner, shown=now.shown.put(accused, holding))
    hand = watched.hand._replace(round=now)
    return watched._replace(hand=hand, bogus=accused, paid=(), ruled_bogus=())


def notice_if_judged_otherwise(watched: WatchedHand, ruling: Ruling) -> tuple[Notice, ...]:
    """Returns a notice if the present rules contradict the ruling, which stands nevertheless;
    otherwise ()."""
    if watched.rules == RULES or ruling.turn is None:
        return ()
    against = _contradicting_verdict(ruling.result is RulingResult.BOGUS)
    today = judge(watched._replace(rules=RULES), watched.hand.turn(ruling.turn))
    if today.kind != against or ruling.verdict == against:
        return ()
    fields = {"seat": ruling.seat, "turn": ruling.turn, "verdict": today.kind}
    return (Notice.of(BogusNotice.JUDGED_OTHERWISE, **fields),)


def bogus_notices(before: WatchedHand, watched: WatchedHand) -> tuple[Notice, ...]:
    """The notices about bogus plays after the last entry: plays that it made provable, and earlier
    claims whose verdict it changed. `before`: the hand before that entry."""
    if watched.fault and not before.fault:
        number = watched.hand.round.number
        return (Notice.of(BogusNotice.NOTHING_PROVABLE, hand=number, fault=watched.fault),)
    proofs = tuple(
        [
            Notice.of(
                BogusNotice.PROVEN,
                seat=turn.seat,
                turn=turn.number,
                tiles=[str(tile) for tile in judge(watched, turn).tiles],
            )
            for turn in newly_proven(before, watched)
        ]
    )
    return _notices_of_new_verdicts(before, watched) + proofs if before.showed else proofs


def _notices_of_new_verdicts(before: WatchedHand, watched: WatchedHand) -> tuple[Notice, ...]:
    """Returns a notice for each shown holding that has proved wrong, and for each turn of those
    seats that had been ruled clear and has a new verdict now."""
    wrong = before.showed - watched.showed
    if not wrong:
        return ()
    seats = listed((seat for seat in watched.hand.round.seats if seat in wrong), last=AND)
    text = phrase("the tiles {seats} showed don't match what was laid and drawn", seats=seats)
    return (
        Notice.of(LineNotice.CONTRADICTION, text=text),
        *(
            Notice.of(
                BogusNotice.JUDGED_ANEW,
                seat=seat,
                turn=turn,
                verdict=judge(watched, watched.hand.turn(turn)).kind,
            )
            for seat, turn in watched.cleared
            if seat in wrong
        ),
    )


# ---------------------------------------------------------------- how a game settles calls

NOT_AFTER_THE_HAND = 3
"""The first version of the rules in which no tile goes back after a ruling has ended the hand."""


@dataclass(frozen=True, slots=True)
class RuledClaim:
    """A claim that was just ruled on, with the facts on which its price may depend."""

    claim: Claim
    turn: Turn | None
    """The draw or pass that the claim is about; None if it was not entered."""
    holding: Holding | None
    """The accused's holding; None if it is not known."""
    paid: tuple[Payment, ...]
    """The payments at the end of that hand."""


def won_by_bonus(state: CallsState) -> bool:
    """Whether the game was won with a payment at the end of the hand."""
    watched = state.board.watched
    return watched is not None and any(paid.to in state.winners for paid in watched.paid)


@dataclass(frozen=True)
class CallRules:
    """A game's rules for settling calls; the defaults are those of High Five."""

    hand: HandRules[CallsBoard]
    bogus: Callable[[CallsState, RuledClaim], CallsState]
    """The state after a bogus play was paid for."""
    wrong: Callable[[CallsState, Claim], CallsState]
    """The state after a wrong call was paid for."""
    leads_after: Callable[[CallsState, Seat], Seat]
    """The seat that leads next after that seat's bogus play has ended the hand."""
    ends_hand: Callable[[CallsState, Turn | None], bool] = lambda _state, _turn: True
    """Whether a ruling of bogus ends a hand that is still being played or not settled yet."""
    holding_needed: Callable[[CallsState], bool] = lambda _state: True
    """Whether a bogus play is paid for only once the accused's holding is known."""
    price_known: Callable[[CallsState], bool] = lambda _state: True
    """Whether the price of a bogus play is known, apart from the accused's holding."""
    keeps_shown: bool = False
    """Whether a holding shown in a call after the hand's end also counts when the hand is
    settled."""
    won_at_the_end: Callable[[CallsState], bool] = won_by_bonus
    """Whether the game was won with the points for the end of a hand, after which calls are still
    allowed."""
    may_overrule: Callable[[CallsState], bool] = lambda _state: False
    """Whether the table may rule against a proof."""

    @property
    def rules(self) -> Mapping[type[Entry], Rule[CallsBoard]]:
        """The rules for the entries that calls of bogus play add to a game or change."""
        return {
            HoldingShown: self.show,
            PipsShown: self.show,
            BogusCalled: self.call,
            CallRuled: self.rule,
            TileReturned: return_tile,
            GameEnded: end_with_calls,
        }

    def refuse(self, state: CallsState, entry: Entry) -> None:
        """Raises RuleError for an entry that is not allowed while a claim is open, or after the end
        of the game."""
        called = state.board.open_to_calls
        if called is not None and called.claim is not None:
            refuse_while_open(called.claim, entry)
        elif isinstance(entry, BogusCalled) and state.finished:
            self._refuse_after_win(state)
        elif not (state.winners and called and isinstance(entry, HoldingShown | PipsShown)):
            refuse_outside_play(state, entry)

    def _refuse_after_win(self, state: CallsState) -> None:
        """Raises RuleError for a call after the game, unless it was won at a hand's end: a win by a
        count is final."""
        if not state.winners:
            raise RuleError("The game has ended: nobody can be called now")
        if not self.won_at_the_end(state) or state.board.before is not None:
            raise won_by_score_error(state.winners)

    def call(self, state: CallsState, called: BogusCalled) -> CallsState:
        """Opens a claim that a seat was bogus; the record may close it at once."""
        by = called.by or usual_caller(state, called.accused)
        if why := why_not_call(state, called.accused, by, named=called.by is not None):
            raise why
        watched = state.board.open_to_calls
        assert watched is not None, "somebody may be called"
        watched, effect = open_claim(watched, called, by)
        board = state.board.cleared().with_called(watched)
        return self.closed_by_record(state._replace(board=board, effect=effect))

    def show(self, state: CallsState, shown: HoldingShown | PipsShown) -> CallsState:
        """Shows a holding: that of the accused in a call, which may close the claim, or one at the
        end of a hand."""
        called = state.board.open_to_calls
        if called is None or called.claim is None:
            return self.hand.show(state, shown)
        watched, effect = show_holding(called, called.claim, shown)
        board = state.board.cleared().with_called(watched)
        mover = seat_to_move(state, board.hand)
        state = state._replace(board=board, to_move=mover, effect=effect)
        return self.closed_by_record(state.with_notices(*bogus_notices(called, watched)))

    def rule(self, state: CallsState, ruled: CallRuled) -> CallsState:
        """Applies the table's ruling on an open claim. If the house rules allow it, the table may
        also overrule the record. Then the payments for the record's ruling are returned, and the
        claim stays open until the holding is shown, if a bogus play needs one. Raises RuleError for
        a ruling that the table can't give."""
        disputed = self._reopen_overruled_claim(state, ruled)
        claimed = state if disputed is None else disputed
        watched = claimed.board.open_to_calls
        claim = claim_to_rule_on(
            watched.claim if watched else None, ruled, self.may_overrule(state)
        )
        assert watched is not None, "it has a claim"
        claimed = without_last_effects(claimed)
        claimed = claimed._replace(effect=claimed.effect._replace(about=claim.turn))
        if disputed is None:
            return self._close(claimed, ruled.bogus, RuledBy.TABLE)
        waits = self.holding_needed(state) and watched.holding(claim.accused) is None
        if ruled.bogus and waits:
            waiting = watched._replace(claim=replace(claim, overruled=True))
            after = claimed._replace(board=claimed.board.with_called(waiting))
        else:
            after = self._close(claimed, ruled.bogus, RuledBy.TABLE)
        back = tuple(replace(paid, points=-paid.points) for paid in state.effect.payments)
        effect = after.effect._replace(payments=(*back, *after.effect.payments))
        return after._replace(effect=effect)

    def closed_by_record(self, state: CallsState) -> CallsState:
        """The state with the claim closed by the record, or by the table's earlier ruling;
        unchanged if neither can close it."""
        watched = state.board.open_to_calls
        if watched is None or watched.claim is None:
            return state
        bogus = outcome_by_record(watched, holding_needed=self.holding_needed(state))
        if bogus is None or (bogus and not self.price_known(state)):
            return state
        by = RuledBy.TABLE if watched.claim.overruled else RuledBy.RECORD
        closed = self._close(state, bogus, by)
        return closed._replace(board=closed.board._replace(disputed=state))

    def _reopen_overruled_claim(self, state: CallsState, ruled: CallRuled) -> CallsState | None:
        """The state in which the claim that the record closed with the last entry is open again, if
        the table may overrule it; otherwise None."""
        ruling, called = state.board.ruling, state.board.open_to_calls
        if not self.may_overrule(state) or ruling is None:
            return None
        if (ruling.seat, ruling.by) != (ruled.accused, RuledBy.RECORD):
            return None
        return state.board.disputed if called is None or called.claim is None else None

    def _close(self, state: CallsState, bogus: bool, by: RuledBy) -> CallsState:
        """The state after the claim was ruled on and paid for. A bogus play may end the hand;
        otherwise it goes on where it was. Raises RuleError if a holding must be shown first."""
        called = state.board.open_to_calls
        assert called is not None, "called only while a claim is open"
        assert called.claim is not None, "called only while a claim is open"
        claim, turn = called.claim, called.turn(called.claim.turn)
        holding = called.holding(claim.accused)
        if bogus and holding is None and self.holding_needed(state):
            raise RuleError(
                "First show what {accused} holds: its tiles, or their pips", accused=claim.accused
            )
        if bogus and not self.price_known(state):
            raise RuleError("First count all pips that are not on the table: “pips N”")
        closed, ruling = close_claim(called, bogus, by)
        ends = bogus and self.ends_hand(state, turn)
        if ends:
            leader = self.leads_after(state, claim.accused)
            closed = ended_by_ruling(closed, claim.accused, leader, holding)
        state = state._replace(board=state.board.with_called(closed)._replace(ruling=ruling))
        state = state._replace(effect=state.effect._replace(hand=closed.hand.round.number))
        state = state.with_notices(*notice_if_judged_otherwise(closed, ruling))
        if ends:
            state = _with_next_leader(state, leader)
        if bogus:
            state = self.bogus(state, RuledClaim(claim, turn, holding, called.paid))
        else:
            state = self.wrong(state, claim)
        return self._keep_shown_holding(state, claim)

    def _keep_shown_holding(self, state: CallsState, claim: Claim) -> CallsState:
        """The state in which the holding shown in the call also counts at the end of the hand, and
        perhaps settles the hand. Unchanged if the hand isn't over, or if the game doesn't keep such
        holdings."""
        watched, ruling = state.board.watched, state.board.ruling
        if not self.keeps_shown or claim.shown is None or state.board.before is not None:
            return state
        if watched is None or not watched.hand.round.ended:
            return state
        now = watched.hand.round
        if now.out is not None and not now.confirmed:
            return state  # its tiles may have been miscounted: the hand may go on
        now = now._replace(shown=now.shown.put(claim.accused, claim.shown), confirmed=True)
        watched = watched._replace(hand=watched.hand._replace(round=now))
        state = state._replace(board=state.board._replace(watched=watched))
        settled = self.hand.settle_once_shown(state)
        return settled._replace(board=settled.board._replace(ruling=ruling))


def _with_next_leader(state: CallsState, leader: Seat) -> CallsState:
    """The state in which `leader` leads with any tile: in the next hand if it has already been
    dealt, otherwise once it is."""
    board = state.board
    if board.before is None or board.watched is None:
        return state._replace(board=board._replace(next_lead=leader), to_move=None)
    hand = board.watched.hand
    dealt = hand._replace(round=hand.round._replace(lead=leader, to_move=leader), big_6=False)
    watched = board.watched._replace(hand=dealt)
    return state._replace(board=board._replace(watched=watched), to_move=leader)


def without_last_effects(state: CallsState) -> CallsState:
    """The state without the last entry's effects, to which an entry is applied that changes nothing
    on the table."""
    effect = Effect(hand=number_of_hand(state))
    return state._replace(board=state.board.cleared(), effect=effect)


# ---------------------------------------------------------------- a hand in which calls are made


def begin_watched_hand(state: CallsState, moved: MoveResult, _dealt: HandDealt) -> CallsState:
    """The state with a new hand; a bogus play in the previous one can still be called."""
    last = state.board.watched
    watched = watch(moved.hand, int(state.options["deal"]), state.rules)
    board = state.board.cleared()._replace(
        watched=watched, before=last, next_lead=None, misdraw_payers=frozenset()
    )
    to_move = seat_to_move(state, moved.hand)
    return state._replace(board=board, to_move=to_move, effect=moved.effect)


def after_watched_move(state: CallsState, moved: MoveResult, entry: Entry) -> CallsState:
    """The state after a move in the hand, with notices of the bogus plays that the move proves."""
    before = state.board.watched
    assert before is not None, "refuse() lets only a deal through before a hand"
    watched = follow(before, moved, entry)
    board = state.board.with_watched(watched)
    to_move, effect = seat_to_move(state, moved.hand), moved.effect
    if notices := bogus_notices(before, watched):
        effect = effect._replace(notices=(*effect.notices, *notices))
    return state._replace(board=board, to_move=to_move, effect=effect)


def return_tile(state: CallsState, returned: TileReturned) -> CallsState:
    """Puts the tile drawn last back into the boneyard: it was drawn by mistake, which was noticed
    in time (RULES: High Five 19). Raises RuleError for any other tile, and once the hand is
    over."""
    if state.rules >= NOT_AFTER_THE_HAND and not hand_of(state).round.playing:
        raise RuleError("Only the tile drawn last can go back, before anything else is done")
    moved = hands.give_back(hand_of(state), returned.seat, returned.tile)
    return after_watched_move(state, moved, returned)


def remember_hand_payments(state: CallsState) -> CallsState:
    """Returns the state with the payments for the end of the hand remembered: a ruling may replace
    them, and a game that they won can still be disputed."""
    watched = state.board.watched
    assert watched is not None, "a hand was settled"
    watched = watched._replace(paid=state.effect.payments)
    return state._replace(board=state.board._replace(watched=watched))


def end_with_calls(state: CallsState, ended: GameEnded) -> CallsState:
    """Ends the game unfinished; calls are no longer possible."""
    return end_game(state._replace(board=state.board.cleared()), ended)
