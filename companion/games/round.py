"""One round of play: whose turn it is, how many tiles each seat holds, which seats are out, and the
holdings shown.

It is part of every game in which players are dealt tiles and play, draw and pass until one is out
or none can play. Each game decides which tiles match and what a play scores. Players call a round a
hand; in the code, a `Hand` is a round with its line of play. Counted tiles are never a reason to
refuse an entry: a forgotten DRAW is the most common omission at a table, so an entry that
contradicts the counts is accepted with the notice `COUNT_DOUBTFUL`. At the end of the module are
functions for all games with rounds. They check shown holdings, which may reveal how the round
ended, and create the errors for refused entries."""

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from companion.core.errors import RuleError
from companion.core.seats import BySeat, Seat, Seats
from companion.core.values import dataclass, quick_to_replace
from companion.core.words import AND, listed
from companion.games.entries import GameEnded, HandDealt, HoldingShown, PipsShown
from companion.games.game import Entry, Notice, NoticeKind
from companion.games.tiles import Tile


class Stage(Enum):
    """How far a round has been played."""

    LEAD = "lead"
    """Dealt; no tile was played yet."""
    PLAY = "play"
    OUT = "out"
    """A seat is out; holdings have to be shown."""
    BLOCKED = "blocked"
    """No seat can play; holdings have to be shown."""
    OVER = "over"
    """Settled: paid, or closed by a ruling."""


PLAYING = (Stage.LEAD, Stage.PLAY)
ENDED = (Stage.OUT, Stage.BLOCKED)


class RoundNotice(NoticeKind):
    """The kinds of notice that follow from counted tiles."""

    COUNT_DOUBTFUL = "count-doubtful"
    """The counted tiles of `seat` can't be right."""
    PASS_WITH_BONEYARD = "pass-with-boneyard"
    """`seat` passed while `boneyard` tiles were left."""


@dataclass(frozen=True, slots=True)
class Holding:
    """The tiles that a seat held when it showed them: their total pips and, if they were entered,
    the tiles."""

    pips: int
    tiles: tuple[Tile, ...] | None = None

    @classmethod
    def from_entry(cls, shown: HoldingShown | PipsShown) -> "Holding":
        return cls(shown.pips, shown.tiles if isinstance(shown, HoldingShown) else None)


NOTHING = Holding(0, ())
"""The holding of a seat that is out."""


@quick_to_replace
class Round(NamedTuple):
    """The state of a round, a named tuple because one has to be created quickly for each entry.
    `held` and `boneyard` are numbers of tiles, counted from the entries."""

    number: int
    """The round's number in its game, from 1."""
    lead: Seat | None
    """The leader; None if it is only decided by the first tile and that was not played yet."""
    held: BySeat[int]
    boneyard: int
    leave: int
    """The number of tiles that stay in the boneyard."""
    shown: BySeat[Holding | None]
    """The holdings shown since play ended."""
    to_move: Seat | None
    """The seat to move; None if any may, or if play is over."""
    stage: Stage = Stage.LEAD
    turn: int = 0
    """The number of turns taken: plays, draws and passes of all seats."""
    passes: int = 0
    """The number of passes in a row up to now."""
    last_to_play: Seat | None = None
    """The seat that played the latest tile."""
    out: Seat | None = None
    confirmed: bool = False
    """Whether the end of the round was entered; otherwise it was derived from the counted tiles, or
    from passes of all seats."""
    out_was_entered: bool = False
    """Whether it was entered that the seat `out` has gone out; otherwise this was derived from the
    counted tiles."""
    acted: frozenset[Seat] = frozenset()
    """Seats that have had a turn."""
    winner: Seat | None = None
    """The winner of the round, once it is over; None also if several seats held the fewest pips."""
    turns_before_scores: int | None = None
    """The number of turns entered before the table began to enter only scores; None if it
    hasn't."""
    sides: tuple[tuple[Seat, ...], ...] = ()
    """Partners, if the round goes on until both of a side are out; () if it ends with the first
    seat."""
    total_pips: int | None = None
    """The total of all pips that count at the end, if only that was entered."""
    went_out: tuple[Seat, ...] = ()
    """The seats that are out and are skipped while the round goes on, in the order in which they
    went out."""

    @property
    def scores_only(self) -> bool:
        """Whether only scores are being entered, so that neither whose turn it is nor how many
        tiles each seat holds is known."""
        return self.turns_before_scores is not None

    @property
    def seats(self) -> Seats:
        return self.held.seats

    @property
    def playing(self) -> bool:
        return self.stage in PLAYING

    @property
    def ended(self) -> bool:
        """Whether a seat is out or none can play, and the round is not settled yet."""
        return self.stage in ENDED

    @property
    def boneyard_spent(self) -> bool:
        """Whether, by the counted tiles, no more tiles can be drawn."""
        return self.boneyard <= self.leave

    @property
    def tiles_to_draw(self) -> int:
        """The number of tiles that, by the count, may still be drawn from the boneyard."""
        return max(self.boneyard - self.leave, 0)

    def next_to_move(self, seat: Seat) -> Seat:
        """The next seat after this one that, by the counted tiles, still holds any."""
        if not self.went_out:
            order = self.held.seats.order
            return order[(order.index(seat) + 1) % len(order)]
        later = (self.seats.moved(seat, places) for places in range(1, 1 + len(self.seats)))
        return next((each for each in later if each not in self.went_out), seat)

    def place_of(self, seat: Seat) -> int:
        """The seat's position in turn order, from 0."""
        return self.held.seats.order.index(seat)


RoundAfter = tuple[Round, tuple[Notice, ...]]
"""The round after a move, and the move's notices."""


def deal(
    number: int, seats: Seats, *, tiles: int, each: int, leave: int, lead: Seat | None
) -> Round:
    """A new round of `tiles` tiles: each seat is dealt `each` of them, and the rest are the
    boneyard, of which the last `leave` may not be drawn. `lead`: the leader, None if the first tile
    decides."""
    return Round(
        number=number,
        lead=lead,
        held=BySeat.all(seats, each),
        boneyard=tiles - each * len(seats),
        leave=leave,
        shown=BySeat.all(seats, None),
        to_move=lead,
    )


def doubtful(seat: Seat) -> Notice:
    """The notice that the number of tiles counted for this seat can't be right."""
    return Notice.of(RoundNotice.COUNT_DOUBTFUL, seat=seat)


def reopen(now: Round) -> RoundAfter:
    """Returns the round with play going on, if it only seemed to be over because a seat had no
    tiles left by the count. That seat is no longer out, and a notice reports this. Otherwise
    unchanged."""
    if now.stage is not Stage.OUT or now.confirmed or now.out is None:
        return now, ()
    left = now.next_to_move(now.out)
    return now._replace(stage=Stage.PLAY, out=None, to_move=left), (doubtful(now.out),)


def _hand_over_error() -> RuleError:
    return RuleError("This hand is over: show the holdings, or deal the next hand")


def begin_turn(now: Round, seat: Seat) -> RoundAfter:
    """The round at the beginning of a turn of `seat`. Raises RuleError if the round is over, or if
    it is another seat's turn."""
    if now.stage is Stage.PLAY and now.to_move == seat and not now.went_out:
        return now, ()
    now, notices = reopen(now)
    if not now.playing:
        raise _hand_over_error()
    if seat in now.went_out and now.next_to_move(seat) == now.to_move:
        went_out = tuple(each for each in now.went_out if each != seat)
        held = now.held.put(seat, 1)
        now = now._replace(to_move=seat, went_out=went_out, held=held)
        notices = (*notices, doubtful(seat))
    if now.to_move not in (None, seat):
        raise not_its_turn_error(now.to_move, seat, leads=now.stage is Stage.LEAD)
    return now, notices


def score(now: Round, seat: Seat) -> RoundAfter:
    """Returns the round after the seat has scored with a play; only scores are entered from now on.
    Raises RuleError if the round is over."""
    now, notices = reopen(now)
    if not now.playing:
        raise _hand_over_error()
    return scores_only(now)._replace(last_to_play=seat, passes=0, acted=now.acted | {seat}), notices


def scores_only(now: Round) -> Round:
    """Returns the round as one in which only scores are entered from now on."""
    shown_turns = now.turn if now.turns_before_scores is None else now.turns_before_scores
    return now._replace(stage=Stage.PLAY, to_move=None, turns_before_scores=shown_turns)


def play_tile(now: Round, seat: Seat) -> RoundAfter:
    """The round after the seat to move has played a tile: the next seat is to move, or `seat` is
    out with its last tile."""
    if now.scores_only:
        acted = now.acted | {seat}
        return now._replace(turn=now.turn + 1, passes=0, last_to_play=seat, acted=acted), ()
    left = now.held[seat] - 1
    held, mover = now.held.put(seat, max(left, 0)), now.next_to_move(seat)
    acted = now.acted if seat in now.acted else now.acted | {seat}
    # Made for every tile played: `_replace` would take twice as long.
    after = Round(
        now.number,
        now.lead or seat,
        held,
        now.boneyard,
        now.leave,
        now.shown,
        mover,
        Stage.PLAY,
        now.turn + 1,
        0,
        seat,
        None,
        now.confirmed,
        now.out_was_entered,
        acted,
        *now[15:],
    )
    return after if left else _with_seat_out(after, seat), (doubtful(seat),) if left < 0 else ()


def _with_seat_out(now: Round, seat: Seat) -> Round:
    """The round with one more seat out, which may go on until the seat's partner is out too."""
    went_out = (*(each for each in now.went_out if each != seat), seat)
    side = next((side for side in now.sides if seat in side), (seat,))
    if not set(side) <= set(went_out):
        now = now._replace(went_out=went_out)
        return now if now.scores_only else now._replace(to_move=now.next_to_move(seat))
    return now._replace(stage=Stage.OUT, out=seat, went_out=went_out if now.sides else ())


def draw(now: Round, seat: Seat, number: int) -> RoundAfter:
    """The round after the seat to move has drawn `number` tiles; the seat stays to move."""
    if now.scores_only:
        return now._replace(turn=now.turn + 1, passes=0, acted=now.acted | {seat}), ()
    after = now._replace(
        held=now.held.put(seat, now.held[seat] + number),
        boneyard=max(now.boneyard - number, min(now.leave, now.boneyard)),
        turn=now.turn + 1,
        passes=0,
        acted=now.acted | {seat},
    )
    return after, (doubtful(seat),) if number > now.tiles_to_draw else ()


def give_back(now: Round, seat: Seat) -> Round:
    """The round after a tile that the seat had drawn went back into the boneyard."""
    held = now.held.put(seat, max(now.held[seat] - 1, 0))
    return now._replace(held=held, boneyard=now.boneyard + 1)


def pass_turn(now: Round, seat: Seat) -> RoundAfter:
    """The round after the seat to move has passed. If every seat has passed in a row and the
    boneyard is used up, the round is blocked without an entry for that."""
    passes = now.passes + 1
    if now.scores_only:
        acted = now.acted | {seat}
        return now._replace(turn=now.turn + 1, passes=passes, acted=acted), ()
    after = now._replace(
        stage=Stage.BLOCKED
        if passes >= len(now.seats) - len(now.went_out) and now.boneyard_spent
        else Stage.PLAY,
        to_move=now.next_to_move(seat),
        turn=now.turn + 1,
        passes=passes,
        acted=now.acted | {seat},
    )
    if now.boneyard_spent:
        return after, ()
    notice = Notice.of(RoundNotice.PASS_WITH_BONEYARD, seat=seat, boneyard=now.boneyard)
    return after, (notice,)


def go_out(now: Round, seat: Seat) -> RoundAfter:
    """The round after `seat` went out with the tile that was played last. Raises RuleError if
    another seat played last, or no hand is being played."""
    if now.scores_only and now.stage is Stage.PLAY:
        out = _with_seat_out(now._replace(held=now.held.put(seat, 0)), seat)
        return _after_entry_of_out(out), ()
    if now.last_to_play is None or now.stage not in (Stage.PLAY, Stage.OUT) or now.confirmed:
        raise RuleError("Nobody can go out now: no hand is being played")
    if now.last_to_play != seat:
        raise RuleError("{seat} laid last: only {seat} can have gone out", seat=now.last_to_play)
    after = _after_entry_of_out(_with_seat_out(now._replace(held=now.held.put(seat, 0)), seat))
    counted = seat == now.out or seat in now.went_out
    return after, (doubtful(seat),) if now.held[seat] or not counted else ()


def _after_entry_of_out(now: Round) -> Round:
    """The round after it was entered that a seat is out. Unchanged unless that ends the round."""
    if now.stage is not Stage.OUT:
        return now
    return now._replace(confirmed=True, out_was_entered=True, to_move=None)


def block(now: Round) -> RoundAfter:
    """Returns the blocked round after it was entered that no seat can play. The entry may also
    confirm that passes have just blocked the round. Raises RuleError if the round is not being
    played."""
    if now.stage is Stage.BLOCKED and not now.confirmed:
        return now._replace(confirmed=True), ()
    now, notices = reopen(now)
    if now.stage is not Stage.PLAY:
        raise RuleError("Only a hand that is being played can be blocked")
    return now._replace(stage=Stage.BLOCKED, confirmed=True, to_move=None), notices


def with_presumed_end(now: Round, holds: Seat) -> Round:
    """The round with its probable end, if the entry for that was lost. The round is blocked if the
    last turn was a pass. Otherwise a seat is out: the first one with at most one tile, in turn
    order from the seat that played last. A seat that has shown tiles is not out, nor is `holds`,
    which is about to show some."""
    if now.last_to_play is None or now.passes:
        return now._replace(stage=Stage.BLOCKED, out=None, to_move=None)
    last = now.last_to_play
    likely = dict.fromkeys((last, now.seats.left_of(last), *now.seats.order))
    may = [seat for seat in likely if seat != holds and now.shown[seat] is None]
    out = next((seat for seat in may if now.held[seat] <= 1), may[0] if may else None)
    return now._replace(stage=Stage.OUT if out else Stage.BLOCKED, out=out, to_move=None)


# ---------------------------------------------------------------- holdings that are shown
def holds_tiles(now: Round, shown: HoldingShown | PipsShown, rules: int) -> RoundAfter:
    """Returns the round after a holding is shown. A seat that is out only according to the counted
    tiles is no longer out if it shows tiles or pips: play goes on or, if other holdings were
    already shown, the round is blocked. Raises RuleError if it was entered that this seat is out,
    or if the round is settled. Before version 3 of the `rules`, a holding of only the double blank
    counted as no tiles."""
    tiles = rules >= 3 and isinstance(shown, HoldingShown) and bool(shown.tiles)
    if shown.seat != now.out or not (shown.pips or tiles):
        return now, ()
    if now.out_was_entered or now.stage is Stage.OVER:
        raise RuleError("{seat} is out and has no tiles", seat=shown.seat)
    if not now.confirmed:
        return reopen(now)
    return now._replace(stage=Stage.BLOCKED, out=None, to_move=None), (doubtful(shown.seat),)


def check_shown(
    now: Round, shown: HoldingShown | PipsShown, before: Holding | None, on_table: int
) -> tuple[Notice, ...]:
    """Returns the notices about a shown holding. `before`: the holding that the seat showed
    earlier; `on_table`: the mask of the tiles that are certainly on the table. Raises RuleError if
    the pips differ from those of `before`, or if one of the tiles is on the table or was shown by
    another seat."""
    seat = shown.seat
    if before is not None and before.pips != shown.pips:
        raise RuleError(
            "{seat} already showed {pips} pips: change that entry if it is wrong",
            seat=seat,
            pips=before.pips,
        )
    if isinstance(shown, PipsShown):
        return ()
    for tile in shown.tiles:
        if on_table & tile.bit:
            raise RuleError("{tile} is on the table: {seat} can't hold it", tile=tile, seat=seat)
        for other, holding in now.shown.items():
            if other != seat and holding and tile in (holding.tiles or ()):
                raise RuleError(
                    "{other} showed {tile}: {seat} can't hold it, too",
                    tile=tile,
                    other=other,
                    seat=seat,
                )
    miscounted = not now.scores_only and now.held[seat] != len(shown.tiles)
    return (doubtful(seat),) if miscounted else ()


def keep_shown(now: Round, shown: HoldingShown | PipsShown, before: Holding | None) -> Round:
    """The round with a holding shown at its end. If only pips are shown now, the tiles shown
    `before` are kept."""
    kept = Holding.from_entry(shown)
    if before is not None and kept.tiles is None:
        kept = before
    return now._replace(shown=now.shown.put(shown.seat, kept), confirmed=True)


# ---------------------------------------------------------------- refusals that games share
def refuse_outside_a_hand(entry: Entry, *, finished: bool, dealt: bool) -> None:
    """Raises RuleError if the game is `finished`, or if the entry needs a hand and none has been
    `dealt`."""
    if finished:
        raise RuleError("The game is over: start a new one, or undo")
    if not dealt and not isinstance(entry, (HandDealt, GameEnded)):
        raise RuleError("No hand is dealt yet: deal first")


def already_won_error(winners: Sequence[Seat]) -> RuleError:
    """The error for an entry in a game that these seats have won."""
    if len(winners) == 1:
        return RuleError("{winner} has won: start a new game, or undo", winner=winners[0])
    won = listed(winners, last=AND)
    return RuleError("{winners} have won: start a new game, or undo", winners=won)


def won_by_score_error(winners: Sequence[Seat]) -> RuleError:
    """The error for a call of bogus play after the game was won with a score during a hand."""
    if len(winners) == 1:
        return RuleError("{winner} has won by a score: that win stands", winner=winners[0])
    won = listed(winners, last=AND)
    return RuleError("{winners} have won by a score: that win stands", winners=won)


def not_settled_error(missing: Sequence[Seat]) -> RuleError:
    """The error for a deal before the last hand is settled; `missing`: the seats whose holdings
    have to be shown first."""
    if missing:
        return RuleError("First show what {seats} holds", seats=listed(missing, last=AND))
    return RuleError("This hand is not over yet")


def not_its_turn_error(mover: Seat | None, seat: Seat, *, leads: bool) -> RuleError:
    """The error for a turn of `seat` while it is the turn of `mover`. `leads`: whether `mover` has
    to lead the hand."""
    if leads:
        return RuleError("{mover} leads, not {seat}", mover=mover, seat=seat)
    return RuleError("{mover} is to move, not {seat}", mover=mover, seat=seat)


def another_leader_error(leader: object, named: object) -> RuleError:
    """The error for a deal that names `named` as the leader although `leader` leads the hand."""
    return RuleError("{leader} leads this hand, not {said}", leader=leader, said=named)
