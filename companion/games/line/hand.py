"""A hand of a line game: a round of play, its line and the turns taken; and the moves: play, score,
draw, return, pass, go out, block, show a holding."""

from collections.abc import Iterator
from dataclasses import field, replace
from typing import NamedTuple, Protocol, Self, TypeVar

from companion.core.errors import RuleError
from companion.core.seats import Seat
from companion.core.values import dataclass, quick_to_replace
from companion.core.words import OR, listed, ordinal, phrase
from companion.games import round as rounds
from companion.games.entries import HoldingShown, PipsShown, PointsScored, TilesDrawn, TurnPassed
from companion.games.game import (
    AmbiguousEntry,
    Choice,
    Effect,
    Notice,
    NoticeKind,
    PaymentReason,
    Reason,
    State,
)
from companion.games.line.line import (
    NOTHING_PLAYED,
    ON_ARM,
    CandidateLines,
    Ends,
    PlayConstraints,
    TilePlayed,
    WayToPlay,
    after_any_play,
    unexplained_reason,
    unexplained_refusal,
)
from companion.games.round import Holding, Round, Stage, check_shown, holds_tiles, keep_shown
from companion.games.tiles import Tile, mask_of

BIG_6 = "big-6"
"""Given in place of the leading seat if the highest double is called for and must be led."""


class LinePaymentReason(PaymentReason):
    """Reasons for payments in a game with a line of play, other than the ends of hands."""

    COUNT = "count"

    @property
    def is_for_play(self) -> bool:
        return True


class LineNotice(NoticeKind):
    """The kinds of notice about the line of play."""

    BLOCK_KNOWN = "block-known"
    """No tile that is left fits."""
    CONTRADICTION = "contradiction"
    """`text`: how the entries contradict each other."""


@dataclass(frozen=True, slots=True)
class EndsCounted(Reason):
    """The open ends after a play, their count, and the terms of the count (`parts`), one for each
    end: (12, 3) for 6-6 and 3. Unknown ends or counts are None, unknown parts ()."""

    ends: Ends | None
    count: int | None
    parts: tuple[int, ...] = ()


class MomentOfPlay(NamedTuple):
    """The moment of a draw or pass, for proofs of bogus play: the seat's number in turn order, the
    number of tiles played before, and the number of places (games/bogus/evidence.py) that the seat
    had then. Draws and passes with equal values share their proofs, because no tile was played or
    drawn between them."""

    seat: int
    lays: int
    places: int


@dataclass(frozen=True, slots=True)
class Turn:
    """A play, draw or pass. `before`: the open ends that the seat faced, None if not known;
    `earlier`: the previous turn in the hand."""

    number: int
    did: TilePlayed | TilesDrawn | TurnPassed
    before: tuple[int, ...] | None
    earlier: "Turn | None" = field(default=None, compare=False, repr=False)
    returned: bool = False
    """Whether the tile drawn last in this turn was drawn by mistake and went back."""
    back: Tile | None = None
    """The tile that went back, if it was entered."""
    moment: MomentOfPlay | None = None
    """The moment of a draw or pass, if bogus plays are watched for. None if every tile of a draw
    went back, and if nothing can be proven."""
    noticed: bool = False
    """Whether the seat had given back a tile, drawn by mistake, earlier in the same turn, and so
    admitted that it had a playable one."""

    @property
    def seat(self) -> Seat:
        """The seat whose turn it was."""
        return self.did.seat

    def at(self, moment: MomentOfPlay | None) -> "Turn":
        """This turn with its moment (`replace` would take three times as long)."""
        made = self.number, self.did, self.before, self.earlier, self.returned, self.back
        return Turn(*made, moment, self.noticed)


@quick_to_replace
class Hand(NamedTuple):
    """The state of a hand."""

    round: Round
    big_6: bool
    """Whether the highest double has to lead (the call for Big 6)."""
    line: CandidateLines = NOTHING_PLAYED
    last: Turn | None = None
    """The latest turn. Each turn links to the one before it, so that adding one takes the same time
    in a hand of any length."""
    counts_called: bool = False
    """Whether players call the counts, so that no sentence may reveal a count."""

    @property
    def newest_first(self) -> Iterator[Turn]:
        """Yields the turns, the latest first."""
        turn = self.last
        while turn is not None:
            yield turn
            turn = turn.earlier

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All turns, in order."""
        return tuple(self.newest_first)[::-1]

    @property
    def draws_and_passes(self) -> tuple[Turn, ...]:
        """The turns for which a seat can be called bogus, in order."""
        return tuple(turn for turn in self.turns if not isinstance(turn.did, TilePlayed))

    def turn(self, number: int) -> Turn:
        """The turn with that number; raises IndexError if there is none."""
        for turn in self.newest_first:
            if turn.number == number:
                return turn
        raise IndexError(f"no turn {number}")

    def table_turn_number(self, turn: Turn) -> int:
        """The number of the turn as players count them, from 1: a seat's draws count as one turn
        with the play or pass after them."""
        number, last = 0, None
        for each in self.turns[: turn.number]:
            if each.seat == turn.seat and last != turn.seat:
                number += 1
            last = each.seat
        return number

    def latest_draw_or_pass(self, seat: Seat) -> Turn | None:
        """The seat's latest draw or pass; None if there is none."""
        turns = (turn for turn in self.newest_first if turn.seat == seat)
        return next((turn for turn in turns if not isinstance(turn.did, TilePlayed)), None)


class LineBoard(Protocol):
    """The interface of every board with a line of play."""

    @property
    def hand(self) -> Hand | None:
        """The hand being played or, between hands, the last one."""
        ...

    @property
    def next_lead(self) -> str | None:
        """The leader of the next hand: a seat, or BIG_6. None while a hand is being played, and if
        the leader will be drawn by lot."""
        ...

    def with_hand(self, hand: Hand) -> Self:
        """The board with that hand in play, without the last entry's effects."""
        ...

    def with_next_lead(self, lead: str | None) -> Self:
        """The board with another leader of the next hand."""
        ...

    def after_loss(self, hand: Hand) -> Self:
        """The board with that hand in play after entries were lost: nothing is proven from the
        missing ones."""
        ...


B = TypeVar("B", bound=LineBoard)


def hand_of(state: State[B]) -> Hand:
    """The hand being played or, between hands, the last one; one must have been dealt."""
    hand = state.board.hand
    assert hand is not None, "only a deal is let through before the first hand"
    return hand


class HandBoard(NamedTuple):
    """The board of a game that needs only the hand and the leader of the next one."""

    hand: Hand | None = None
    next_lead: str | None = BIG_6

    def with_hand(self, hand: Hand) -> "HandBoard":
        return self._replace(hand=hand)

    def with_next_lead(self, lead: str | None) -> "HandBoard":
        return self._replace(next_lead=lead)

    def after_loss(self, hand: Hand) -> "HandBoard":
        return self._replace(hand=hand)


# ---------------------------------------------------------------- refusals
# Why a play was refused, in words that a player understands, and the most likely cause.
#
# A wrong key is found fastest if the message names it: perhaps an exposed double was keyed only
# once, or a different earlier play would explain the present line.


MAX_LINES_SEARCHED = 4
MAX_BRANCHES = 100
"""An earlier play is suspected only if at most MAX_LINES_SEARCHED lines led to it, and as long as
at most MAX_BRANCHES lines follow from it. Otherwise, after plays entered by count, the search would
take too long and name too many plays."""

GIVEN_UP = CandidateLines(possible=())


def explain_refusal(hand: Hand, played: TilePlayed, constraints: PlayConstraints) -> RuleError:
    """The error for a play that no possible line explains."""
    if played.tile is None:
        return _unexplained_error(hand, constraints)
    tile = played.tile
    if hand.line.laid_for_sure & tile.bit:
        return _tile_on_table_error(hand, played)
    if hand.line.ways(replace(constraints, arm=None, ends=None, count=None)):
        return _fits_differently_error(hand, constraints)
    if constraints.double:
        return RuleError("The highest double leads: {tile} is not a double", tile=tile)
    open_pips = hand.line.open_pips()
    if not open_pips:
        return RuleError("{tile} can't fit in any line that the entries allow", tile=tile)
    return RuleError(
        "{tile} doesn't fit: the open ends are {ends}",
        tile=tile,
        ends=", ".join(map(str, open_pips)),
    )


def _tile_on_table_error(hand: Hand, played: TilePlayed) -> RuleError:
    for turn in hand.turns:
        if isinstance(turn.did, TilePlayed) and turn.did.tile == played.tile:
            return RuleError(
                "{tile} is already on the table: {seat} laid it on the {which} turn",
                tile=played.tile,
                seat=turn.seat,
                which=ordinal(hand.table_turn_number(turn)),
            )
    return RuleError("{tile} is already on the table", tile=played.tile)


def _fits_differently_error(hand: Hand, constraints: PlayConstraints) -> RuleError:
    """The error for a tile that fits, but not with the entered arm, ends or count."""
    ways = hand.line.ways(replace(constraints, ends=None, count=None))
    tile = constraints.tile
    if not ways:
        assert constraints.arm is not None
        return RuleError(
            "{tile} doesn't fit {where}: it fits elsewhere",
            tile=tile,
            where=ON_ARM[constraints.arm.value],
        )
    makes = sorted({(way.line.ends, way.line.open_count) for way in ways})[:3]
    right = listed((ends_and_count(hand, ends, count) for ends, count in makes), OR)
    return RuleError("{tile} makes {right}: look at the ends again", tile=tile, right=right)


def ends_and_count(hand: Hand, ends: Ends, count: int) -> str:
    """“5 5 0 = 10”: the open ends and their count; only the ends if players call the counts."""
    text = " ".join(map(str, ends))
    return text if hand.counts_called else f"{text} = {count}"


def _unexplained_error(hand: Hand, constraints: PlayConstraints) -> RuleError:
    doubles = [
        pips
        for pips in sorted(set(constraints.ends or ()))
        if _is_explained_by_double(hand, constraints, pips)
    ]
    if doubles:
        which = listed(doubles, phrase(" or the "))
        return RuleError("Is the {which} a double? Key an open double twice", which=which)
    culprit = _latest_doubtful_play(hand, constraints) if constraints.ends is not None else None
    if culprit is None:
        return unexplained_refusal(constraints)
    what = str(culprit.did).removeprefix(f"{culprit.seat} ")
    return RuleError(
        "{wrong}. It would fit if {seat}'s {lay} ({which} turn) was another tile",
        wrong=unexplained_reason(constraints),
        seat=culprit.seat,
        lay=what,
        which=ordinal(hand.table_turn_number(culprit)),
    )


def _is_explained_by_double(hand: Hand, constraints: PlayConstraints, pips: int) -> bool:
    """Whether a tile explains the entered ends together with one more end of `pips`."""
    twice = tuple(sorted((*(constraints.ends or ()), pips)))
    return bool(hand.line.ways(replace(constraints, ends=twice, count=None)))


def _latest_doubtful_play(hand: Hand, constraints: PlayConstraints) -> Turn | None:
    """Returns the latest play that may have been entered wrongly: if another tile had been played
    there, and all plays since were unchanged, the play in question would be possible. None if there
    is no such play."""
    lays = [turn for turn in hand.turns if isinstance(turn.did, TilePlayed)]
    known, lines = NOTHING_PLAYED, []
    for turn in lays:
        lines.append(known)
        known = _repeat_play(known, turn)
    for at in reversed(range(len(lays))):
        if len(lines[at].possible) > MAX_LINES_SEARCHED:
            continue
        line = after_any_play(lines[at])
        for turn in lays[at + 1 :]:
            line = _repeat_play(line, turn) if len(line.possible) <= MAX_BRANCHES else GIVEN_UP
        if line.ways(constraints):
            return lays[at]
    return None


def _repeat_play(line: CandidateLines, turn: Turn) -> CandidateLines:
    """The line after repeating a play of this hand."""
    did = turn.did
    assert isinstance(did, TilePlayed)
    constraints = constraints_of(did)
    return line.after(line.ways(constraints), constraints)


def constraints_of(played: TilePlayed, *, doubles: bool = False) -> PlayConstraints:
    """The constraints that the entry sets on the play; `doubles`: only a double may be led."""
    return PlayConstraints(played.halves, played.arm, played.ends, played.count, doubles)


# ---------------------------------------------------------------- moves


class MoveResult(NamedTuple):
    """The hand after a move, and the move's effect. `ways`: how the tile may have been played, if
    the lines are known. `kept`: after tiles were shown or went back, the positions of those earlier
    lines that are still possible."""

    hand: Hand
    effect: Effect
    ways: tuple[WayToPlay, ...] = ()
    kept: tuple[int, ...] = ()


def _move_without_turn(
    hand: Hand,
    notices: tuple[Notice, ...],
    seat: Seat | None = None,
    kept: tuple[int, ...] = (),
) -> MoveResult:
    return MoveResult(hand, Effect(hand=hand.round.number, seat=seat, notices=notices), kept=kept)


def _move_with_turn(
    hand: Hand, notices: tuple[Notice, ...], reason: Reason | None = None
) -> MoveResult:
    """The hand after a turn that was just taken, and the turn's effect."""
    assert hand.last is not None, "a turn was just taken"
    last = hand.last
    effect = Effect(hand.round.number, last.number, last.did.seat, 0, (), notices, reason)
    return MoveResult(hand, effect)


def _next_turn(
    hand: Hand, now: Round, did: TilePlayed | TilesDrawn | TurnPassed, *, noticed: bool = False
) -> Turn:
    """The turn that led to the round's present state `now`."""
    faced = hand.line.open_pips() or hand.line.known_ends
    return Turn(now.turn, did, faced, hand.last, noticed=noticed)


def play_tile(hand: Hand, played: TilePlayed) -> MoveResult:
    """The hand after a tile is played. Raises RuleError if the record excludes the play,
    AmbiguousEntry if its meanings have different counts or, in a known line, different open
    ends."""
    now, notices = rounds.begin_turn(hand.round, played.seat)
    doubles = hand.big_6 and now.stage is Stage.LEAD and not played.insisted
    constraints = constraints_of(played, doubles=doubles)
    line, ways = _extend_line(hand, played, constraints)
    if played.insisted and line.lost and not hand.line.lost:
        text = explain_refusal(hand, played, constraints).why
        notices = (*notices, Notice.of(LineNotice.CONTRADICTION, text=text))
    now, doubts = rounds.play_tile(now, played.seat)
    notices = (*notices, *doubts)
    if now.stage is Stage.PLAY and now.boneyard_spent and line.nothing_fits:
        notices = (*notices, Notice.of(LineNotice.BLOCK_KNOWN))
    turn = _next_turn(hand, now, played)
    after = Hand(now, hand.big_6, line, turn, hand.counts_called)
    reason = EndsCounted(line.known_ends, line.known_count, line.parts)
    effect = Effect(now.number, turn.number, played.seat, 0, (), notices, reason)
    return MoveResult(after, effect, tuple(ways))


def _extend_line(
    hand: Hand, played: TilePlayed, constraints: PlayConstraints
) -> tuple[CandidateLines, list[WayToPlay]]:
    """The line after the play, and the ways in which the tile may have been played; raises the same
    errors as `play_tile`."""
    tile, line = played.tile, hand.line
    if played.count is not None and played.ends is not None and sum(played.ends) != played.count:
        ends = " ".join(map(str, played.ends))
        raise RuleError(
            "The ends {ends} add up to {sum}, not {count}",
            ends=ends,
            sum=sum(played.ends),
            count=played.count,
        )
    if line.lost and not played.insisted:
        if tile is not None and line.tiles_entered & tile.bit:
            raise explain_refusal(hand, played, constraints)
        if played.ends is None and played.count is None and not line.may_be_partial:
            raise RuleError("The line is not known here: say the open ends, or the count")
        return line.as_entered(constraints), []
    ways = line.ways(constraints)
    if not ways and played.insisted:
        return line.as_entered(constraints), []
    if not ways:
        raise explain_refusal(hand, played, constraints)
    if len(ways) > 1:
        _refuse_ambiguous(hand, played, ways)
    return line.after(ways, constraints), ways


def _refuse_ambiguous(hand: Hand, played: TilePlayed, ways: list[WayToPlay]) -> None:
    """Raises AmbiguousEntry if the ways have different counts or, if the tile and the line are
    known, different open ends."""
    by_ends = {way.line.ends: way for way in ways}
    known = hand.line.single is not None and played.tile is not None
    if len({way.line.open_count for way in ways}) == 1 and not known:
        return
    choices = tuple(
        Choice(
            replace(played, arm=way.arm) if known else replace(played, ends=ends),
            EndsCounted(ends, None)
            if hand.counts_called
            else EndsCounted(ends, way.line.open_count, way.line.parts),
        )
        for ends, way in sorted(by_ends.items())
    )
    if len(choices) > 1:
        lines = ((ends, way.line.open_count) for ends, way in sorted(by_ends.items()))
        makes = listed((ends_and_count(hand, *line) for line in lines), OR)
        raise AmbiguousEntry(
            "{tile} can be laid so that it leaves {makes}: say which",
            choices,
            tile=played.tile,
            makes=makes,
        )


def score(hand: Hand, scored: PointsScored) -> MoveResult:
    """The hand after a seat has scored, in turn or not; the line is not known any more."""
    now, notices = rounds.score(hand.round, scored.seat)
    line = hand.line.given_up().as_entered(PlayConstraints(count=scored.count))
    reason = EndsCounted(None, scored.count)
    effect = Effect(now.number, seat=scored.seat, notices=notices, reason=reason)
    return MoveResult(hand._replace(round=now, line=line, big_6=False), effect)


def _with_scores_only_if_no_play(hand: Hand) -> Hand:
    """Returns the hand just before its end is entered. If no play was entered, it becomes a hand
    for which only scores are entered."""
    if hand.round.stage is not Stage.LEAD:
        return hand
    return hand._replace(round=rounds.scores_only(hand.round), line=hand.line.given_up())


def draw(hand: Hand, drew: TilesDrawn) -> MoveResult:
    """The hand after tiles were drawn, one at a time; the seat stays to move."""
    before, notices = rounds.begin_turn(hand.round, drew.seat)
    _refuse_before_lead(before)
    now, doubts = rounds.draw(before, drew.seat, drew.number)
    notices = (*notices, *doubts)
    turn = _next_turn(hand, now, drew, noticed=_has_returned_tile(hand, drew.seat))
    if now.boneyard_spent and not before.boneyard_spent and hand.line.nothing_fits:
        notices = (*notices, Notice.of(LineNotice.BLOCK_KNOWN))
    return _move_with_turn(hand._replace(round=now, last=turn), notices)


def _has_returned_tile(hand: Hand, seat: Seat) -> bool:
    """Whether the seat has given back a tile in this turn, as drawn by mistake (high_five.py, rule
    19)."""
    last = hand.last
    if last is None or last.seat != seat or not isinstance(last.did, TilesDrawn):
        return False
    return last.returned or last.noticed


def give_back(hand: Hand, seat: Seat, tile: Tile | None) -> MoveResult:
    """The hand after the tile drawn last went back into the boneyard (high_five.py, rule 19);
    `tile` is None if it was not entered. Raises RuleError unless the seat has just drawn, or if
    `tile` is on the table."""
    last = hand.last
    if (
        last is None
        or last.seat != seat
        or not isinstance(last.did, TilesDrawn)
        or hand.round.to_move != seat
        or last.returned
    ):
        raise RuleError("Only the tile drawn last can go back, before anything else is done")
    kept = hand.line.without(tile.bit if tile else 0)
    if not kept and not hand.line.lost:
        raise RuleError("{tile} is on the table: which tile went back?", tile=tile)
    turn = replace(last, returned=True, back=tile)
    now = rounds.give_back(hand.round, seat)
    after = hand._replace(round=now, line=hand.line.only(kept), last=turn)
    return _move_without_turn(after, (), seat, kept)


def pass_turn(hand: Hand, passed: TurnPassed) -> MoveResult:
    """The hand after a seat passed. If every seat has passed in a row and the boneyard is used up,
    it is blocked."""
    before, notices = rounds.begin_turn(hand.round, passed.seat)
    _refuse_before_lead(before)
    now, passed_notices = rounds.pass_turn(before, passed.seat)
    turn = _next_turn(hand, now, passed, noticed=_has_returned_tile(hand, passed.seat))
    return _move_with_turn(hand._replace(round=now, last=turn), (*notices, *passed_notices))


def _refuse_before_lead(now: Round) -> None:
    if now.stage is Stage.LEAD:
        if now.lead is None:
            raise RuleError("The highest double leads: lay the first tile")
        raise RuleError("{lead} leads: lay the first tile", lead=now.lead)


def go_out(hand: Hand, seat: Seat) -> MoveResult:
    """The hand after `seat` went out: its last tile was the one played last."""
    hand = _with_scores_only_if_no_play(hand)
    now, notices = rounds.go_out(hand.round, seat)
    return _move_without_turn(hand._replace(round=now), notices, seat)


def block(hand: Hand) -> MoveResult:
    """Returns the blocked hand after it was entered that no seat can play. The entry may also
    confirm that passes have just blocked the hand."""
    hand = _with_scores_only_if_no_play(hand)
    said_before = hand.round.stage is Stage.BLOCKED
    now, notices = rounds.block(hand.round)
    suits = [line.suits & ~laid for line, laid in hand.line.possible if line]
    if not said_before and now.boneyard_spent and not now.leave and suits and all(suits):
        text = phrase("a tile that would fit has not been laid, and the boneyard is empty")
        notices = (*notices, Notice.of(LineNotice.CONTRADICTION, text=text))
    return _move_without_turn(hand._replace(round=now), notices)


def show(
    hand: Hand, shown: HoldingShown | PipsShown, before: Holding | None, doubts: tuple[Notice, ...]
) -> MoveResult:
    """The hand after a holding is shown, checked against the table, the other holdings and the
    seat's holding shown `before`. Its notices are `doubts` and those of the check. The holding
    itself is not stored here, because that depends on why it was shown. Raises RuleError if the
    holding is impossible."""
    more = check_shown(hand.round, shown, before, hand.line.laid_for_sure)
    notices = tuple(dict.fromkeys((*doubts, *more)))
    kept = hand.line.without(mask_of(shown.tiles) if isinstance(shown, HoldingShown) else 0)
    if not kept and not hand.line.lost:
        raise RuleError("One of these tiles is on the table")
    return _move_without_turn(hand._replace(line=hand.line.only(kept)), notices, shown.seat, kept)


def show_at_the_end(hand: Hand, shown: HoldingShown | PipsShown, rules: int) -> MoveResult:
    """The hand with a holding shown and kept because the hand is over. If a seat that was out only
    by the counted tiles shows tiles, it isn't out: the hand was blocked. `rules`: the version of
    the rules. Raises RuleError while the hand is being played."""
    now = hand.round
    if not now.ended and now.stage is not Stage.OVER:
        raise RuleError("Holdings are shown when the hand is over: enter out or blocked first")
    now, doubts = holds_tiles(now, shown, rules)
    if now.playing:
        now, _ = rounds.block(now)
    before = now.shown[shown.seat]
    moved = show(hand._replace(round=now), shown, before, doubts)
    now = keep_shown(moved.hand.round, shown, before)
    return moved._replace(hand=moved.hand._replace(round=now))


def show_in_a_call(
    hand: Hand, shown: HoldingShown | PipsShown, before: Holding | None, rules: int
) -> MoveResult:
    """The hand after the accused has shown its holding; `before`: the holding that it showed
    earlier. If it was out only by the counted tiles but shows tiles, it isn't out: the hand goes
    on. `rules`: the version of the rules."""
    now, doubts = holds_tiles(hand.round, shown, rules)
    return show(hand._replace(round=now), shown, None if doubts else before, doubts)
