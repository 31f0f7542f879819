"""The evidence of a plain hand, in which nothing is proven yet.

A hand is *plain* as long as only one line of play is possible, no tile went back, and no seat
showed fewer tiles than were counted. Most hands are plain to the end. Then each tile that comes to
light (is played or shown) belongs to one seat, and counting tiles is enough to know that a moment
(evidence.py) has a deal in which it was not a bogus play:

* Of the seat's tiles that came to light since the moment, no more fitted than it has drawn since.
* At the moment, some of the seat's tiles had not come to light. At least as many tiles can have
  been these: tiles that did not fit, and that the seat has played or shown since or that have not
  come to light at all.

`PlainHand` counts, and remembers the moves. `PlainHand.examined` repeats the moves with all cases
of evidence.py. That takes longer, and is only needed for a verdict, or once a count isn't enough.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, ClassVar, NamedTuple

from companion.core.values import dataclass
from companion.games.bogus.evidence import ALL, Evidence, KeptLines, dealt, fitting_tiles
from companion.games.line.hand import MomentOfPlay
from companion.games.line.line import CandidateLines, WayToPlay

Move = tuple[Callable[..., Evidence], tuple[Any, ...]]
"""A method of Evidence, and its arguments."""


class PlainMoment(NamedTuple):
    """A watched moment of a plain hand. Sets of tiles are masks."""

    fits: int
    """The tiles that fitted."""
    known: int
    """The seat's tiles that had come to light."""
    unknown: int
    """How many tiles of the seat had not come to light."""
    others: int
    """The tiles that did not fit and had not come to light, whoever had them."""


@dataclass(frozen=True, slots=True)
class PlainHand:
    """The evidence of a plain hand. Its methods are those of `Evidence`; they return an `Evidence`
    after the move with which the hand stops being plain. Seats are numbered in turn order."""

    places: tuple[int, ...]
    """How many tiles each seat got."""
    known: tuple[int, ...]
    """The tiles of each seat that have come to light (a mask)."""
    laid: int = 0
    """The tiles in the line."""
    moments: Mapping[MomentOfPlay, PlainMoment] = field(default_factory=dict)
    before: "PlainHand | None" = field(default=None, compare=False, repr=False)
    """The hand before the last move; None if there was none."""
    move: Move | None = field(default=None, compare=False, repr=False)
    """The last move."""

    given_up: ClassVar = False
    any_deal: ClassVar = True
    histories: ClassVar = (1,)
    unshown: ClassVar[tuple[int, ...]] = ()
    proven: ClassVar[Mapping[MomentOfPlay, Evidence]] = {}

    @property
    def examined(self) -> Evidence:
        """The evidence with all cases, after the same moves."""
        moves, now = list[Move](), self
        while now.before is not None and now.move is not None:
            moves.append(now.move)
            now = now.before
        evidence = dealt(len(now.places), now.places[0])
        for method, arguments in reversed(moves):
            evidence = method(evidence, *arguments)
        return evidence

    def moment_of(self, seat: int, drawn: int) -> MomentOfPlay:
        """The moment of the seat's present turn, before it drew the last `drawn` tiles."""
        return MomentOfPlay(seat, self.laid.bit_count(), self.places[seat] - drawn)

    # ---------------------------------------------------------------- moves

    def after_play(
        self, seat: int, line: CandidateLines, ways: Sequence[WayToPlay], tile: int
    ) -> "HandEvidence":
        arguments = seat, line, ways, tile
        if len(ways) == 1 and len(ways[0].origins) == 1:
            ((_, played),) = ways[0].origins
            known = self._known_after(seat, played)
            if known is not None:
                move, laid = (Evidence.after_play, arguments), self.laid | played
                return PlainHand(self.places, known, laid, self.moments, self, move)
        return self.examined.after_play(*arguments)

    def after_draw(self, seat: int, number: int) -> "PlainHand":
        places = (*self.places[:seat], self.places[seat] + number, *self.places[seat + 1 :])
        move = Evidence.after_draw, (seat, number)
        return PlainHand(places, self.known, self.laid, self.moments, self, move)

    def after_return(
        self, seat: int, tile: int, stay: int, line: CandidateLines, kept: KeptLines
    ) -> Evidence:
        return self.examined.after_return(seat, tile, stay, line, kept)

    def after_showing(
        self, seat: int, tiles: Sequence[int], fewer: int, line: CandidateLines, kept: KeptLines
    ) -> "HandEvidence":
        arguments = seat, tiles, fewer, line, kept
        known = self._known_after(seat, sum(tiles)) if not fewer and kept else None
        if known is None:
            return self.examined.after_showing(*arguments)
        move = Evidence.after_showing, arguments
        return PlainHand(self.places, known, self.laid, self.moments, self, move)

    def with_fewer_tiles(self, seat: int, fewer: int) -> "HandEvidence":
        return self.examined.with_fewer_tiles(seat, fewer) if fewer > 0 else self

    def watch(self, moment: MomentOfPlay, line: CandidateLines) -> "HandEvidence":
        if moment in self.moments:
            return self
        (fits,) = fitting_tiles(line)
        known = self.known[moment.seat]
        unknown, others = moment.places - known.bit_count(), ALL & ~fits & ~sum(self.known)
        if known & fits & ~self.laid or others.bit_count() < unknown:
            return self.examined.watch(moment, line)
        moments = {**self.moments, moment: PlainMoment(fits, known, unknown, others)}
        move = Evidence.watch, (moment, line)
        return PlainHand(self.places, self.known, self.laid, moments, self, move)

    def _known_after(self, seat: int, tiles: int) -> tuple[int, ...] | None:
        """The tiles of each seat that are known after these tiles of one seat came to light; None
        if counting can't show any more that each moment has a deal."""
        known, places = self.known, self.places[seat]
        own = known[seat] | tiles
        new, out = own ^ known[seat], sum(known)
        if new & out or own.bit_count() > places:
            return None
        out |= new
        for (whose, _, had), (fits, then, unknown, others) in self.moments.items():
            if whose == seat:
                if new & fits and (own & fits & ~then).bit_count() > places - had:
                    return None
            elif new & others and (others & (known[whose] | ~out)).bit_count() < unknown:
                return None
        return (*known[:seat], own, *known[seat + 1 :])


HandEvidence = PlainHand | Evidence


def plain_hand(seats: int, each: int) -> PlainHand:
    """A hand at its start, with `each` tiles dealt to every seat."""
    return PlainHand((each,) * seats, (0,) * seats)
