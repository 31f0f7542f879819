"""A call of bogus play: opened, judged by the record, closed by a ruling (High Five 18, 19).

A claim stands against one draw or pass of one hand. The record is asked first (verdict.py): it
closes the claim when it excludes it, or when it proves it and the holding is known; else the
accused shows its tiles, which are evidence, or the table rules. While a claim is open nothing else
is entered. Once it is closed the hand goes on exactly where it was, or is over.
"""

from dataclasses import dataclass, replace

from companion.errors import RuleError
from companion.games.bogus.verdict import judge, newly_proven
from companion.games.entries import Held, HeldPips, Laid
from companion.games.game import (
    RULES,
    Effect,
    Entry,
    Notice,
    NoticeKind,
    Payment,
    RuledBy,
    Ruling,
    RulingResult,
    State,
    VerdictKind,
)
from companion.games.line import moves
from companion.games.line.hand import Board, Claim, Grounds, Hand, Holding, LineNotice, Stage, Turn
from companion.games.penalties import Called, Ruled
from companion.seats import Seat

LineState = State[Board]


class BogusNotice(NoticeKind):
    """What a hand's entries say of its bogus plays."""

    PROVEN = "bogus-proven"
    """The `seat` was bogus on `turn`, by these `tiles`."""
    JUDGED_OTHERWISE = "judged-otherwise"
    """A ruling on `seat` and `turn` stands, though the `verdict` by today's rules is against it."""


@dataclass(frozen=True, slots=True)
class Closed:
    """A closed claim: the state, the holding's pips, and the hand's payments that a bogus ruling
    takes back."""

    state: LineState
    claim: Claim
    pips: int = 0
    undone: tuple[Payment, ...] = ()


def open_claim(state: LineState) -> Claim | None:
    """The claim that waits for its ruling."""
    hand = state.board.open_to_calls
    return hand.claim if hand else None


def refuse_while_open(claim: Claim, entry: Entry) -> None:
    """Raises RuleError for anything but the accused's holding and the ruling."""
    about = (
        entry.accused
        if isinstance(entry, Ruled)
        else entry.seat
        if isinstance(entry, Held | HeldPips)
        else None
    )
    if about != claim.accused:
        raise RuleError(f"{claim.by} calls {claim.accused} bogus: rule on that first")


def refuse_after_win(state: LineState) -> None:
    """Raises RuleError unless the game was won by the bonus of the last hand's end."""
    hand = state.board.hand
    bonus = hand is not None and any(payment.to == state.winner for payment in hand.paid)
    if state.winner is None:
        raise RuleError("The game was ended: nobody can be called now")
    if not bonus or state.board.before is not None:
        raise RuleError(f"{state.winner} won by a score: a game won so stays won")


def call(state: LineState, called: Called) -> LineState:
    """A seat is called bogus for a draw or pass; by default its latest."""
    hand, accused = state.board.open_to_calls, called.accused
    by = called.by or state.seats.payee_of(accused)
    if hand is None:
        raise RuleError("No hand is dealt yet: nobody can be bogus")
    if by == accused:
        raise RuleError(f"{accused} can't call {accused}: who calls?")
    if hand.bogus is not None:
        raise RuleError(f"{hand.bogus} was bogus in this hand: it is over, deal the next")
    if (by, accused) in hand.calls:
        raise RuleError(f"{by} has called {accused} in this hand already: once is all")
    turn = _turn(hand, called)
    verdict = judge(hand, turn)
    claim = Claim(accused, by, turn.number, verdict)
    hand = hand._replace(claim=claim, calls=hand.calls | {(by, accused)})
    notices: tuple[Notice, ...] = ()
    if verdict.grounds is Grounds.CONTRADICTION:
        text = f"no deal explains all that was entered of hand {hand.number}"
        notices = (Notice.of(LineNotice.CONTRADICTION, text=text),)
    return _with(state, hand, Effect(hand=hand.number, notices=notices))


def _turn(hand: Hand, called: Called) -> Turn:
    """The draw or pass that the call is about."""
    accused = called.accused
    if called.turn is None:
        latest = hand.latest_draw_or_pass(accused)
        if latest is None:
            raise RuleError(f"{accused} has neither drawn nor passed here: enter that first")
        return latest
    turns = hand.last.number if hand.last else 0
    if called.turn > turns:
        raise RuleError(f"There is no turn {called.turn}: the hand has {turns}")
    turn = hand.turn(called.turn)
    if turn.seat != accused or isinstance(turn.did, Laid):
        raise RuleError(f"Turn {turn.number} is “{turn.did}”: only a draw or pass can be bogus")
    return turn


def show(state: LineState, shown: Held | HeldPips) -> LineState:
    """The accused shows what it holds."""
    hand, claim = state.board.open_to_calls, open_claim(state)
    assert hand is not None, "called only while a claim is open"
    assert claim is not None, "called only while a claim is open"
    hand, notices = moves.show(hand, shown.seat, shown, _known(hand, shown.seat))
    verdict = judge(hand, hand.turn(claim.turn))
    claim = replace(claim, shown=moves.holding(shown), verdict=verdict)
    effect = Effect(hand=hand.number, seat=shown.seat, notices=notices)
    return _with(state, hand._replace(claim=claim), effect)


def overrule(state: LineState) -> LineState | None:
    """The state with the open claim ruled bogus by the table and waiting for the holding; None
    where the holding is known, so that the claim can be closed at once."""
    hand, claim = state.board.open_to_calls, open_claim(state)
    if hand is None or claim is None or _known(hand, claim.accused) is not None:
        return None
    return _with(state, hand._replace(claim=replace(claim, overruled=True)), state.effect)


def outcome(state: LineState) -> bool | None:
    """How the record closes the open claim: bogus, not bogus, or not at all."""
    hand, claim = state.board.open_to_calls, open_claim(state)
    if hand is None or claim is None:
        return None
    if claim.overruled:
        return True if _known(hand, claim.accused) is not None else None
    if claim.verdict.kind is VerdictKind.POSSIBLE:
        return None
    if claim.verdict.kind is VerdictKind.EXCLUDED:
        return False
    return True if _known(hand, claim.accused) is not None else None


def reopened(state: LineState, ruled: Ruled) -> LineState:
    """The state with the claim open again that the record has closed with the last entry, where the
    table may overrule it; else the state as it is."""
    ruling, disputed = state.effect.ruling, state.board.disputed
    if (
        state.options["table-overrules"] == "on"
        and disputed is not None
        and ruling is not None
        and (ruling.seat, ruling.by) == (ruled.accused, RuledBy.RECORD)
        and open_claim(state) is None
    ):
        return disputed
    return state


def refuse_against(state: LineState, ruled: Ruled) -> None:
    """Raises RuleError for a ruling that the table can't give."""
    claim = open_claim(state)
    if claim is None:
        raise RuleError(f"Nobody has called {ruled.accused}: call first, then rule")
    against = claim.verdict.kind is _against(ruled.bogus)
    if against and state.options["table-overrules"] != "on":
        raise RuleError(f"The record has {claim.verdict.kind} it: the table can't rule otherwise")


def _against(bogus: bool) -> VerdictKind:
    """The verdict that such a ruling is against."""
    return VerdictKind.EXCLUDED if bogus else VerdictKind.PROVEN


def _known(hand: Hand, seat: Seat) -> Holding | None:
    """What the seat showed in the claim or at the hand's end."""
    if hand.claim is not None and hand.claim.shown is not None:
        return hand.claim.shown
    return Holding(0, ()) if hand.out == seat else hand.shown[seat]


def close(state: LineState, bogus: bool, by: RuledBy) -> Closed:
    """The open claim is closed, `by` the record or the table."""
    hand, claim = state.board.open_to_calls, open_claim(state)
    assert hand is not None, "called only while a claim is open"
    assert claim is not None, "called only while a claim is open"
    tiles = tuple(str(tile) for tile in claim.verdict.tiles)
    result = RulingResult.BOGUS if bogus else RulingResult.CLEAR
    ruling = Ruling(claim.accused, claim.turn, claim.verdict.kind, result, by, tiles)
    notices = (*state.effect.notices, *_judged_otherwise(hand, claim, bogus))
    effect = replace(state.effect, hand=hand.number, ruling=ruling, notices=notices)
    if not bogus:
        return Closed(_with(state, hand._replace(claim=None), effect), claim)
    holding = _known(hand, claim.accused)
    if holding is None:
        raise RuleError(f"First show what {claim.accused} holds: its tiles, or their pips")
    free = state.seats.payee_of(claim.accused)
    over = hand._replace(
        claim=None,
        stage=Stage.OVER,
        bogus=claim.accused,
        winner=free,
        lead_next=free,
        shown=hand.shown.put(claim.accused, holding),
        paid=(),
    )
    state = _with(state, over, effect)
    if state.board.before is not None and state.board.hand is not None:
        dealt = state.board.hand._replace(lead=free, big_6=False, to_move=free)
        state = state._replace(board=replace(state.board, hand=dealt), to_move=free)
    else:
        state = state._replace(to_move=None, next_lead=free)
    return Closed(state, claim, holding.pips, hand.paid)


def _judged_otherwise(hand: Hand, claim: Claim, bogus: bool) -> tuple[Notice, ...]:
    """That by today's rules the record would be against the ruling. It stands all the same."""
    if hand.rules == RULES:
        return ()
    against = _against(bogus)
    today = judge(hand._replace(rules=RULES), hand.turn(claim.turn))
    if today.kind is not against or claim.verdict.kind is against:
        return ()
    kind = BogusNotice.JUDGED_OTHERWISE
    return (Notice.of(kind, seat=claim.accused, turn=claim.turn, verdict=today.kind),)


def announced(before: LineState, state: LineState) -> LineState:
    """The state with a notice of every bogus play that the last entry has made provable; `before`
    is the state as it was then."""
    hand = state.board.open_to_calls
    if hand is None:
        return state
    earlier = (each for each in (before.board.hand, before.board.before) if each is not None)
    then = next((each for each in earlier if each.number == hand.number), None)
    notices = tuple(
        Notice.of(
            BogusNotice.PROVEN,
            seat=turn.seat,
            turn=turn.number,
            tiles=[str(tile) for tile in judge(hand, turn).tiles],
        )
        for turn in newly_proven(then, hand)
    )
    if not notices:
        return state
    effect = replace(state.effect, notices=(*state.effect.notices, *notices))
    return state._replace(effect=effect)


def _with(state: LineState, hand: Hand, effect: Effect) -> LineState:
    return state._replace(board=state.board.put(hand), effect=effect)
