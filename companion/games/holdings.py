"""Checks the holdings that seats show when a round is over or in a claim: whether they can be
right, and what they say about how the round ended."""

from companion.core.errors import RuleError
from companion.games.entries import Held, HeldPips
from companion.games.entry import Notice
from companion.games.round import Holding, Round, RoundAfter, Stage, doubtful, reopen


def holds_tiles(now: Round, shown: Held | HeldPips, rules: int) -> RoundAfter:
    """The round when a holding is shown. If a seat that is out by counted tiles shows a tile, or
    pips, its out is taken back: play goes on or, if others have shown their holdings by then, the
    round is blocked. Raises RuleError instead if somebody entered that out, or if the round is
    settled. Before version 3 of the `rules`, the double blank alone counted as nothing."""
    tiles = rules >= 3 and isinstance(shown, Held) and bool(shown.tiles)
    if shown.seat != now.out or not (shown.pips or tiles):
        return now, ()
    if now.out_said or now.stage is Stage.OVER:
        raise RuleError("{seat} is out and holds nothing", seat=shown.seat)
    if not now.confirmed:
        return reopen(now)
    return now._replace(stage=Stage.BLOCKED, out=None, to_move=None), (doubtful(shown.seat),)


def check_shown(
    now: Round, shown: Held | HeldPips, before: Holding | None, lying: int
) -> tuple[Notice, ...]:
    """The notices that a shown holding gives. `before`: the holding that the seat showed earlier;
    `lying`: the mask of the tiles that lie on the table for sure. Raises RuleError if the pips
    differ from those of `before`, or if one of the tiles lies on the table or was shown by another
    seat."""
    seat = shown.seat
    if before is not None and before.pips != shown.pips:
        raise RuleError(
            "{seat} showed {pips} pips before: amend that, if it was wrong",
            seat=seat,
            pips=before.pips,
        )
    if isinstance(shown, HeldPips):
        return ()
    for tile in shown.tiles:
        if lying & tile.bit:
            raise RuleError("{tile} is on the table: {seat} can't hold it", tile=tile, seat=seat)
        for other, holding in now.shown.items():
            if other != seat and holding and tile in (holding.tiles or ()):
                raise RuleError(
                    "{tile} was shown by {other}: {seat} can't hold it as well",
                    tile=tile,
                    other=other,
                    seat=seat,
                )
    miscounted = not now.scores_only and now.held[seat] != len(shown.tiles)
    return (doubtful(seat),) if miscounted else ()


def keep_shown(now: Round, shown: Held | HeldPips, before: Holding | None) -> Round:
    """The round with a holding that was shown at the round's end. If only pips are shown now, the
    tiles shown `before` are kept."""
    kept = Holding.of(shown)
    if before is not None and kept.tiles is None:
        kept = before
    return now._replace(shown=now.shown.put(shown.seat, kept), confirmed=True)
