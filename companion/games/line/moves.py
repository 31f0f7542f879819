"""What each move does to a hand: deal, lay, draw, return, pass, go out, block, show a holding.

Counted tiles never refuse a move: a forgotten DRAW is the commonest omission at a table, so what
the counts can't explain is accepted with the notice `count-doubtful`.
"""

from dataclasses import dataclass, replace

from companion.errors import RuleError
from companion.games.bogus.consistent_deals import Moment
from companion.games.bogus.evidence import dealt
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
from companion.games.line.candidate_lines import CandidateLines, Lay, WayToLay
from companion.games.line.hand import Hand, Holding, LineNotice, Stage, Turn
from companion.games.line.line import TILE_SET
from companion.games.line.refusals import explain_refusal
from companion.games.penalties import Returned
from companion.games.tiles import mask_of
from companion.seats import BySeat, Seat, Seats

Moved = tuple[Hand, tuple[Notice, ...]]


@dataclass(frozen=True, slots=True)
class Deal:
    """How a new hand is dealt: tiles to each seat, who leads (None: whoever holds the double that
    is called), whether a double must be led, and whether a bogus play can be called."""

    each: int
    leave: int
    lead: Seat | None
    big_6: bool
    bogus: bool


def deal(number: int, seats: Seats, how: Deal) -> Hand:
    """A fresh hand."""
    return Hand(
        number=number,
        lead=how.lead,
        each=how.each,
        big_6=how.big_6,
        held=BySeat.all(seats, how.each),
        boneyard=len(TILE_SET) - how.each * len(seats),
        leave=how.leave,
        shown=BySeat.all(seats, None),
        to_move=how.lead,
        evidence=dealt(len(seats), how.each) if how.bogus else None,
    )


def doubtful(seat: Seat) -> Notice:
    """The counted tiles of this seat can't be right."""
    return Notice.of(LineNotice.COUNT_DOUBTFUL, seat=seat)


def _reopened(hand: Hand) -> Moved:
    """The hand with an out taken back that only the counts know, since more is happening."""
    if hand.stage is not Stage.OUT or hand.confirmed or hand.out is None:
        return hand, ()
    left = hand.seats.left_of(hand.out)
    again = hand._replace(stage=Stage.PLAY, out=None, to_move=left, evidence=None)
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


def _next_turn(hand: Hand, did: Laid | Drew | Passed) -> Turn:
    """The turn that comes after the last one."""
    number = hand.last.number + 1 if hand.last else 1
    faced = hand.line.open_pips() or hand.line.known_ends
    return Turn(number, did, faced, hand.last)


def _number_of(hand: Hand, seat: Seat) -> int:
    """The seat's place in turn order, from 0."""
    return hand.seats.order.index(seat)


def lay(hand: Hand, laid: Laid) -> Moved:
    """A tile is laid. Raises RuleError where the record refuses it, Unclear where it can mean lays
    that make different counts or, the line being known, different places."""
    hand, notices = _in_turn(hand, laid.seat)
    doubles = hand.big_6 and hand.stage is Stage.LEAD and not laid.insisted
    said = Lay(laid.halves, laid.arm, laid.ends, laid.count, doubles)
    line, ways = _lay_on(hand, laid, said)
    if laid.insisted and line.lost and not hand.line.lost:
        text = str(explain_refusal(hand, laid, said))
        notices = (*notices, Notice.of(LineNotice.CONTRADICTION, text=text))
    held, evidence = hand.held[laid.seat] - 1, hand.evidence
    if held < 0:
        notices = (*notices, doubtful(laid.seat))
    if held < 0 or laid.insisted:
        evidence = None
    if evidence is not None:
        tile = laid.tile.bit if laid.tile else 0
        evidence = evidence.laid(_number_of(hand, laid.seat), line, ways, tile)
    after = hand._replace(
        stage=Stage.PLAY if held else Stage.OUT,
        lead=hand.lead or laid.seat,
        held=hand.held.put(laid.seat, max(held, 0)),
        to_move=hand.seats.left_of(laid.seat),
        line=line,
        passes=0,
        out=None if held else laid.seat,
        last=_next_turn(hand, laid),
        acted=hand.acted | {laid.seat},
        evidence=evidence,
    )
    if after.stage is Stage.PLAY and after.spent and line.nothing_fits:
        notices = (*notices, Notice.of(LineNotice.BLOCK_KNOWN))
    return after, notices


def _lay_on(hand: Hand, laid: Laid, said: Lay) -> tuple[CandidateLines, list[WayToLay]]:
    """The line after the lay, and the ways in which that can have been laid."""
    tile, line = laid.tile, hand.line
    if laid.count is not None and laid.ends is not None and sum(laid.ends) != laid.count:
        ends = " ".join(map(str, laid.ends))
        raise RuleError(f"The ends {ends} add up to {sum(laid.ends)}, not {laid.count}")
    if line.lost and not laid.insisted:
        if tile is not None and line.said & tile.bit:
            raise explain_refusal(hand, laid, said)
        if laid.ends is None and laid.count is None:
            raise RuleError("The line is not known here: say the open ends, or the count")
        return line.trusting(said), []
    ways = line.ways(said)
    if not ways and laid.insisted:
        return line.trusting(said), []
    if not ways:
        raise explain_refusal(hand, laid, said)
    _ask_if_unclear(hand, laid, ways)
    return line.after(ways, said), ways


def _ask_if_unclear(hand: Hand, laid: Laid, ways: list[WayToLay]) -> None:
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
    turn, evidence = _next_turn(after, drew), after.evidence
    if drew.number > drawable:
        evidence = None
    if evidence is not None:
        evidence = evidence.drew(_number_of(after, drew.seat), drew.number)
    moved = after._replace(
        held=after.held.put(drew.seat, after.held[drew.seat] + drew.number),
        boneyard=max(after.boneyard - drew.number, min(after.leave, after.boneyard)),
        passes=0,
        acted=after.acted | {drew.seat},
        evidence=evidence,
    )
    moved = _drawn_or_passed(moved, replace(turn, noticed=_noticed(after, drew.seat)))
    if moved.spent and not after.spent and moved.line.nothing_fits:
        notices = (*notices, Notice.of(LineNotice.BLOCK_KNOWN))
    return moved, notices


def _noticed(hand: Hand, seat: Seat) -> bool:
    """Whether the seat has given a tile back in this go as drawn by mistake (High Five 19)."""
    last = hand.last
    if last is None or last.seat != seat or not isinstance(last.did, Drew):
        return False
    return last.returned or last.noticed


def _drawn_or_passed(hand: Hand, turn: Turn) -> Hand:
    """The hand with that draw or pass as its last turn. The moment of a draw is before the last of
    its tiles: what the seat held then it did not get by it."""
    if hand.evidence is None:
        return hand._replace(last=replace(turn, moment=None))
    seat, known = _number_of(hand, turn.seat), hand.evidence.known
    drawn = isinstance(turn.did, Drew)
    if isinstance(turn.did, Drew) and turn.did.number == turn.returned:
        return hand._replace(last=replace(turn, moment=None))
    moment = Moment(seat, known.lays, known.places[seat] - drawn)
    evidence = hand.evidence.watch(moment, hand.line)
    return hand._replace(last=replace(turn, moment=moment), evidence=evidence)


def give_back(hand: Hand, returned: Returned) -> Moved:
    """The tile drawn last goes back into the boneyard (rulebook, "Bogus play")."""
    last = hand.last
    if (
        last is None
        or last.seat != returned.seat
        or not isinstance(last.did, Drew)
        or hand.to_move != returned.seat
        or last.returned
    ):
        raise RuleError("Only the tile drawn last can go back, before anything else is done")
    line, tile = hand.line, returned.tile.bit if returned.tile else 0
    if tile:
        line = line.without(tile)
        if line.lost and not hand.line.lost:
            raise RuleError(f"{returned.tile} lies on the table: which tile went back?")
    held, evidence = hand.held[returned.seat] - 1, hand.evidence
    if evidence is not None:
        evidence = evidence.returned(_number_of(hand, returned.seat), tile)
    after = hand._replace(
        held=hand.held.put(returned.seat, max(held, 0)),
        boneyard=hand.boneyard + 1,
        line=line,
        evidence=evidence,
    )
    return _drawn_or_passed(after, replace(last, returned=True, back=returned.tile)), ()


def pass_turn(hand: Hand, passed: Passed) -> Moved:
    """A pass. Every seat in succession with the boneyard spent blocks the hand by itself."""
    after, notices = _in_turn(hand, passed.seat)
    _only_after_the_lead(after)
    if not after.spent:
        notice = Notice.of(LineNotice.PASS_WITH_BONEYARD, seat=passed.seat, boneyard=after.boneyard)
        notices = (*notices, notice)
    passes = after.passes + 1
    blocked = passes >= len(after.seats) and after.spent
    turn = replace(_next_turn(after, passed), noticed=_noticed(after, passed.seat))
    moved = after._replace(
        passes=passes,
        to_move=after.seats.left_of(passed.seat),
        stage=Stage.BLOCKED if blocked else Stage.PLAY,
        acted=after.acted | {passed.seat},
    )
    return _drawn_or_passed(moved, turn), notices


def _only_after_the_lead(hand: Hand) -> None:
    if hand.stage is Stage.LEAD:
        raise RuleError(f"{hand.lead or 'Whoever holds the double'} leads: lay the first tile")


def go_out(hand: Hand, seat: Seat) -> Moved:
    """`seat` has dominoed: its last tile was the last one laid."""
    laid = next((turn for turn in hand.newest_first if isinstance(turn.did, Laid)), None)
    if laid is None or hand.stage not in (Stage.PLAY, Stage.OUT) or hand.confirmed:
        raise RuleError("Nobody can go out now: no hand is being played")
    if laid.seat != seat:
        raise RuleError(f"{laid.seat} laid the last tile: only {laid.seat} can be out")
    fewer, evidence = hand.held[seat], hand.evidence
    if evidence is not None:
        evidence = evidence.short(_number_of(hand, seat), fewer)
    out = hand._replace(
        stage=Stage.OUT,
        out=seat,
        confirmed=True,
        held=hand.held.put(seat, 0),
        to_move=None,
        evidence=evidence,
    )
    return out, (doubtful(seat),) if fewer or hand.out != seat else ()


def block(hand: Hand) -> Moved:
    """Nobody can play. It may be said of a hand that has just been blocked by itself."""
    if hand.stage is Stage.BLOCKED and not hand.confirmed:
        return hand._replace(confirmed=True), ()
    hand, notices = _reopened(hand)
    if hand.stage is not Stage.PLAY:
        raise RuleError("Only a hand that is being played can be blocked")
    suits = [line.suits & ~laid for line, laid in hand.line.possible if line]
    if hand.spent and not hand.leave and suits and all(suits):
        text = "a tile that would fit has not been laid, and the boneyard is spent"
        notices = (*notices, Notice.of(LineNotice.CONTRADICTION, text=text))
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
    fewer, evidence = hand.held[seat] - len(shown.tiles), hand.evidence
    if fewer < 0:
        evidence = None
    if evidence is not None:
        tiles = [tile.bit for tile in shown.tiles]
        evidence = evidence.showed(_number_of(hand, seat), tiles, fewer)
    return hand._replace(line=line, evidence=evidence), (doubtful(seat),) if fewer else ()


def holding(shown: Held | HeldPips) -> Holding:
    """What was shown, kept."""
    return Holding(shown.pips, shown.tiles if isinstance(shown, Held) else None)
