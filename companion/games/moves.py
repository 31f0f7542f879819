"""What each move does to a hand: deal, lay, draw, return, pass, go out, block, show a holding.

Counted tiles never refuse a move: a forgotten DRAW is the commonest omission at a table, so what
the counts can't explain is accepted with the notice `count-doubtful`.
"""

from dataclasses import dataclass, replace

from companion.errors import RuleError
from companion.games.clues import explain_refusal
from companion.games.entries import (
    Drew,
    Held,
    HeldPips,
    Laid,
    Passed,
)
from companion.games.game import (
    Choice,
    Notice,
    Unclear,
)
from companion.games.hand import Hand, Holding, Seen, Stage, Turn
from companion.games.penalties import Returned
from companion.games.trails import after_lay, after_no_lay, without
from companion.games.worlds import Lay, Way, Worlds
from companion.seats import BySeat, Seat, Seats
from companion.tiles import TILES, mask_of

Moved = tuple[Hand, tuple[Notice, ...]]


@dataclass(frozen=True, slots=True)
class Deal:
    """How a new hand is dealt: tiles to each seat, who leads (None: whoever holds the double that
    is called), and whether a double must be led."""

    each: int
    leave: int
    lead: Seat | None
    big_6: bool


def deal(number: int, seats: Seats, how: Deal) -> Hand:
    """A fresh hand."""
    return Hand(
        number=number,
        lead=how.lead,
        each=how.each,
        big_6=how.big_6,
        held=BySeat.all(seats, how.each),
        boneyard=len(TILES) - how.each * len(seats),
        leave=how.leave,
        shown=BySeat.all(seats, None),
        to_move=how.lead,
    )


def doubtful(seat: Seat) -> Notice:
    """The counted tiles of this seat can't be right."""
    return Notice.of("count-doubtful", seat=seat)


def _reopened(hand: Hand) -> Moved:
    """The hand with an out taken back that only the counts know, since more is happening."""
    if hand.stage is not Stage.OUT or hand.confirmed or hand.out is None:
        return hand, ()
    left = hand.seats.left_of(hand.out)
    again = hand._replace(stage=Stage.PLAY, out=None, to_move=left, doubtful=True)
    return again, (doubtful(hand.out),)


def _in_turn(hand: Hand, seat: Seat) -> Moved:
    """The hand with `seat` to move. Raises RuleError that says whose turn it is."""
    hand, notices = _reopened(hand)
    if hand.stage not in (Stage.LEAD, Stage.PLAY):
        raise RuleError("This hand is over: show the holdings, or deal the next hand")
    if hand.to_move not in (None, seat):
        verb = "leads" if hand.stage is Stage.LEAD else "is to move"
        raise RuleError(f"{hand.to_move} {verb}, not {seat}")
    return hand, notices


def _turns(hand: Hand, did: Laid | Drew | Passed) -> tuple[Turn, ...]:
    """The turns of the hand with one more written down."""
    faced = hand.line.open_pips() or hand.line.known_ends
    return (*hand.turns, Turn(len(hand.turns) + 1, did, faced))


def lay(hand: Hand, laid: Laid) -> Moved:
    """A tile is laid. Raises RuleError where the record refuses it, Unclear where it can mean lays
    that make different counts or, the line being known, different places."""
    hand, notices = _in_turn(hand, laid.seat)
    doubles = hand.big_6 and hand.stage is Stage.LEAD and not laid.insisted
    said = Lay(laid.halves, laid.arm, laid.ends, laid.count, doubles)
    line = _lay_on(hand, laid, said)
    if laid.insisted and line.lost and not hand.line.lost:
        text = str(explain_refusal(hand, laid, said))
        notices = (*notices, Notice.of("contradiction", text=text))
    held = hand.held[laid.seat] - 1
    if held < 0:
        notices = (*notices, doubtful(laid.seat))
    after = hand._replace(
        stage=Stage.PLAY if held else Stage.OUT,
        lead=hand.lead or laid.seat,
        held=hand.held.put(laid.seat, max(held, 0)),
        to_move=hand.seats.left_of(laid.seat),
        line=line,
        passes=0,
        out=None if held else laid.seat,
        turns=_turns(hand, laid),
        acted=hand.acted | {laid.seat},
        trails=after_lay(hand.trails, said, line),
        doubtful=hand.doubtful or held < 0 or laid.insisted,
    )
    if after.stage is Stage.PLAY and after.spent and line.nothing_fits:
        notices = (*notices, Notice.of("block-known"))
    return after, notices


def _lay_on(hand: Hand, laid: Laid, said: Lay) -> Worlds:
    """The line after the lay."""
    tile, line = laid.tile, hand.line
    if laid.count is not None and laid.ends is not None and sum(laid.ends) != laid.count:
        ends = " ".join(map(str, laid.ends))
        raise RuleError(f"The ends {ends} add up to {sum(laid.ends)}, not {laid.count}")
    if line.lost and not laid.insisted:
        if tile is not None and line.said & tile.bit:
            raise explain_refusal(hand, laid, said)
        if laid.ends is None and laid.count is None:
            raise RuleError("The line is not known here: say the open ends, or the count")
        return line.trusting(said)
    ways = line.ways(said)
    if not ways and laid.insisted:
        return line.trusting(said)
    if not ways:
        raise explain_refusal(hand, laid, said)
    _ask_if_unclear(hand, laid, ways)
    return line.after(ways, said)


def _ask_if_unclear(hand: Hand, laid: Laid, ways: list[Way]) -> None:
    """Raises Unclear where what must be known differs: the count, or in a known line the place."""
    if len(ways) == 1:
        return
    by_ends = {way.line.ends: way for way in ways}
    known = hand.line.single is not None and laid.tile is not None
    if len({way.line.open_count for way in ways}) == 1 and not known:
        return
    choices = tuple(
        Choice(
            replace(laid, arm=way.arm) if known else replace(laid, ends=ends),
            ends,
            way.line.open_count,
        )
        for ends, way in sorted(by_ends.items())
    )
    if len(choices) > 1:
        makes = " or ".join(
            f"{' '.join(map(str, choice.ends))} = {choice.count}" for choice in choices
        )
        raise Unclear(f"{laid.tile} can be laid so that it leaves {makes}: say which", choices)


def draw(hand: Hand, drew: Drew) -> Moved:
    """Tiles are drawn, one at a time; the seat stays to move."""
    after, notices = _in_turn(hand, drew.seat)
    _only_after_the_lead(after)
    drawable = max(after.boneyard - after.leave, 0)
    if drew.number > drawable:
        notices = (*notices, doubtful(drew.seat))
    moved = after._replace(
        held=after.held.put(drew.seat, after.held[drew.seat] + drew.number),
        boneyard=max(after.boneyard - drew.number, min(after.leave, after.boneyard)),
        passes=0,
        turns=_turns(after, drew),
        acted=after.acted | {drew.seat},
        trails=after_no_lay(after.trails),
        doubtful=after.doubtful or drew.number > drawable,
    )
    if moved.spent and not after.spent and moved.line.nothing_fits:
        notices = (*notices, Notice.of("block-known"))
    return moved, notices


def give_back(hand: Hand, returned: Returned) -> Moved:
    """The tile drawn last goes back into the boneyard (rulebook, "Bogus play")."""
    last = hand.turns[-1] if hand.turns else None
    if (
        last is None
        or last.seat != returned.seat
        or not isinstance(last.did, Drew)
        or hand.to_move != returned.seat
        or last.returned
    ):
        raise RuleError("Only the tile drawn last can go back, before anything else is done")
    line = hand.line
    if returned.tile is not None:
        line = line.without(returned.tile.bit)
        if line.lost and not hand.line.lost:
            raise RuleError(f"{returned.tile} lies on the table: which tile went back?")
    held = hand.held[returned.seat] - 1
    after = hand._replace(
        held=hand.held.put(returned.seat, max(held, 0)),
        boneyard=hand.boneyard + 1,
        line=line,
        turns=(*hand.turns[:-1], replace(last, returned=True, back=returned.tile)),
        trails=without(hand.trails, returned.tile.bit) if returned.tile else hand.trails,
    )
    return after, ()


def pass_turn(hand: Hand, passed: Passed) -> Moved:
    """A pass. Every seat in succession with the boneyard spent blocks the hand by itself."""
    after, notices = _in_turn(hand, passed.seat)
    _only_after_the_lead(after)
    if not after.spent:
        notice = Notice.of("pass-with-boneyard", seat=passed.seat, boneyard=after.boneyard)
        notices = (*notices, notice)
    passes = after.passes + 1
    blocked = passes >= len(after.seats) and after.spent
    moved = after._replace(
        passes=passes,
        to_move=after.seats.left_of(passed.seat),
        stage=Stage.BLOCKED if blocked else Stage.PLAY,
        confirmed=blocked,
        turns=_turns(after, passed),
        acted=after.acted | {passed.seat},
        trails=after_no_lay(after.trails),
    )
    return moved, notices


def _only_after_the_lead(hand: Hand) -> None:
    if hand.stage is Stage.LEAD:
        raise RuleError(f"{hand.lead or 'Whoever holds the double'} leads: lay the first tile")


def go_out(hand: Hand, seat: Seat) -> Moved:
    """`seat` has dominoed: its last tile was the last one laid."""
    lays = [turn for turn in hand.turns if isinstance(turn.did, Laid)]
    if hand.stage not in (Stage.PLAY, Stage.OUT) or hand.confirmed:
        raise RuleError("Nobody can go out now: no hand is being played")
    if lays[-1].seat != seat:
        raise RuleError(f"{lays[-1].seat} laid the last tile: only {lays[-1].seat} can be out")
    miscounted = hand.held[seat] > 0 or hand.out != seat
    out = hand._replace(
        stage=Stage.OUT,
        out=seat,
        confirmed=True,
        held=hand.held.put(seat, 0),
        to_move=None,
        doubtful=hand.doubtful or miscounted,
    )
    return out, (doubtful(seat),) if miscounted else ()


def block(hand: Hand) -> Moved:
    """Nobody can play."""
    hand, notices = _reopened(hand)
    if hand.stage is not Stage.PLAY:
        raise RuleError("Only a hand that is being played can be blocked")
    suits = [line.suits & ~laid for line, laid in hand.line.possible if line]
    if hand.spent and not hand.leave and suits and all(suits):
        text = "a tile that would fit has not been laid, and the boneyard is spent"
        notices = (*notices, Notice.of("contradiction", text=text))
    return hand._replace(stage=Stage.BLOCKED, confirmed=True, to_move=None), notices


def show(hand: Hand, seat: Seat, shown: Held | HeldPips, before: Holding | None) -> Moved:
    """A holding is shown: checked against the table, the other holdings and what was shown
    `before`. The holding itself is not put anywhere: that depends on why it was shown."""
    if before is not None and before.pips != shown.pips:
        raise RuleError(f"{seat} showed {before.pips} pips before: amend that, if it was wrong")
    if isinstance(shown, HeldPips):
        return hand, ()
    mask = mask_of(shown.tiles)
    for tile in shown.tiles:
        if hand.line.laid_for_sure & tile.bit:
            raise RuleError(f"{tile} lies on the table: {seat} can't hold it")
        for other, holding in hand.shown.items():
            if other != seat and holding and tile in (holding.tiles or ()):
                raise RuleError(f"{tile} was shown by {other}: {seat} can't hold it as well")
    line = hand.line.without(mask)
    if line.lost and not hand.line.lost:
        raise RuleError("These tiles can't all be off the table: one of them was laid")
    miscounted = len(shown.tiles) != hand.held[seat]
    after = hand._replace(
        line=line,
        trails=without(hand.trails, mask),
        seen=(*hand.seen, Seen(seat, shown.tiles, len(hand.turns))),
        doubtful=hand.doubtful or miscounted,
    )
    return after, (doubtful(seat),) if miscounted else ()


def holding(shown: Held | HeldPips) -> Holding:
    """What was shown, kept."""
    return Holding(shown.pips, shown.tiles if isinstance(shown, Held) else None)
