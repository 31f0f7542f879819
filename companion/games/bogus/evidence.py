"""What the entries of a hand tell of who got which tile when, kept up to date move by move.

For each draw and pass the cases are kept in which it was no bogus play (consistent_deals.py). When
none of them has a deal any more, the bogus play is proven. What is entered later only leaves fewer
deals, so it stays proven; and after each entry all that can be proven is known, at the cost of one
look at each case.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import and_

from companion.games.bogus.consistent_deals import (
    NO_MOMENT,
    CasesOfLines,
    DealStep,
    Known,
    LaidStep,
    ReturnedStep,
    ShownStep,
    distinct,
    has_deal,
)
from companion.games.line.candidate_lines import CandidateLines, WayToLay
from companion.games.line.hand import MomentOfPlay
from companion.games.line.line import TILE_SET

MOST_HISTORIES = 16
"""By the rules of version 1 nothing was proven any more once a hand might have gone in more
ways."""


@dataclass(frozen=True, slots=True)
class WatchedMoment:
    """A moment of which a bogus play may be proven."""

    fits: tuple[int, ...]
    """Of each line that was possible then, the tiles that fitted."""
    clear: CasesOfLines
    """The cases, as of now, in which it was no bogus play."""
    since: "Evidence" = field(compare=False, repr=False)
    """What was known then."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of a hand, and what it says of each moment."""

    known: Known
    deals: CasesOfLines
    """All cases of the places taken, whatever was held at any moment."""
    watched: Mapping[MomentOfPlay, WatchedMoment]
    proven: Mapping[MomentOfPlay, "Evidence"] = field(
        default_factory=dict, compare=False, repr=False
    )
    """Each moment whose bogus play is proven, and what was known when it became so."""
    step: DealStep | None = field(default=None, repr=False)
    """What came to light last; `before`: what was known before that."""
    before: "Evidence | None" = field(default=None, compare=False, repr=False)
    depth: int = 0
    """How many steps led here."""
    lost: bool = False
    """The lines were given up: of later lays only what was said of them is known."""
    histories: tuple[int, ...] = (1,)
    """In how many ways each line may have come about; none: more than MOST_HISTORIES in all."""

    # ------------------------------------------------------------ moves

    def laid(
        self, seat: int, line: CandidateLines, ways: Sequence[WayToLay], tile: int
    ) -> "Evidence":
        """A tile was laid on the line in one of these ways; `tile` is 0 if it was not said."""
        known = self.known._replace(lays=self.known.lays + 1)
        if not line.lost and not self.lost:
            origins = tuple(tuple(way.origins) for way in ways)
            known = known._replace(laid=tuple(tiles for _, tiles in line.possible))
            histories = tuple(
                sum(self.histories[at] for at, _ in each) for each in origins if self.histories
            )
            few = histories if sum(histories) <= MOST_HISTORIES else ()
            return self._after(LaidStep(seat, origins), known, few)._judged()
        sure = reduce(and_, known.laid)
        if self.given_up or (not self.lost and known.seen & ~sure):
            return replace(self, deals=(), watched={}, lost=True, histories=())
        step = LaidStep(seat, (tuple((at, tile) for at in range(len(known.laid))),))
        after = self._after(step, known._replace(laid=(sure | tile,)), ())
        return replace(after, lost=True)._judged()

    def drew(self, seat: int, number: int) -> "Evidence":
        """Tiles were drawn."""
        places = _changed(self.known.places, seat, number)
        return replace(self, known=self.known._replace(places=places))

    def returned(self, seat: int, tile: int) -> "Evidence":
        """The tile drawn last went back; `tile` is 0 if it was not said."""
        showing = self._showing_since_draw(seat)
        if showing is not None:
            return self._shown_without(showing, seat, tile)
        gone = self.drew(seat, -1)
        if not tile or self.given_up:
            return gone
        kept = gone._without(tile)
        if len(kept) == len(gone.known.laid) and gone._went_back_before(tile):
            return gone
        known = gone.known._replace(
            laid=gone._of(kept, gone.known.laid), back={**gone.known.back, tile: gone.known.places}
        )
        return gone._after(
            ReturnedStep(tile, kept), known, gone._of(kept, gone.histories)
        )._judged()

    def showed(self, seat: int, tiles: Sequence[int], fewer: int) -> "Evidence":
        """A seat showed all its tiles, `fewer` than it has places for."""
        if self.given_up:
            return self
        mask, shown = sum(tiles), self.known.shown[seat]
        kept = self._without(mask)
        known = self.known._replace(
            laid=self._of(kept, self.known.laid),
            shown=_put(self.known.shown, seat, shown | mask),
        )
        step = ShownStep(seat, tuple(tiles), kept)
        return self._after(step, known, self._of(kept, self.histories)).short(seat, fewer)._judged()

    def short(self, seat: int, fewer: int) -> "Evidence":
        """A seat turned out to hold `fewer` tiles than it has places for. A proof that rests on how
        many it held is none any more."""
        if fewer <= self.known.blank[seat] or self.given_up:
            return self
        known = self.known._replace(blank=_put(self.known.blank, seat, fewer))
        stays = {
            moment: proof
            for moment, proof in self.proven.items()
            if not has_deal(known, moment, self.watched[moment].clear)
        }
        return replace(self, known=known, proven=stays)

    def watch(self, moment: MomentOfPlay, line: CandidateLines) -> "Evidence":
        """A seat draws or passes: a moment of which a bogus play may be proven."""
        if moment in self.watched or self.given_up:
            return self
        fits = (_sure_to_fit(line),) if self.lost else _fitting(line)
        held = self.known.shown[moment.seat]
        clear = tuple(
            () if held & ~laid & match else distinct(case | match for case in cases)
            for laid, match, cases in zip(self.known.laid, fits, self.deals, strict=True)
        )
        watched = {**self.watched, moment: WatchedMoment(fits, clear, self)}
        return replace(self, watched=watched)._judged()

    # ------------------------------------------------------------ steps

    def _showing_since_draw(self, seat: int) -> "Evidence | None":
        """What was known when the seat showed its tiles, where that was since its last draw."""
        now: Evidence | None = self
        while now is not None and isinstance(now.step, ShownStep) and now.before is not None:
            if now.step.seat == seat and now.before.known.places == self.known.places:
                return now
            now = now.before
        return None

    def _shown_without(self, showing: "Evidence", seat: int, tile: int) -> "Evidence":
        """What would be known had the seat shown its tiles after one of them went back. If it was
        not said which one, they tell nothing that lasts."""
        assert isinstance(showing.step, ShownStep) and showing.before is not None
        before = replace(showing.before, proven=self.proven).returned(seat, tile)
        kept = [each for each in showing.step.tiles if each != tile]
        return before.showed(seat, kept, self.known.blank[seat]) if tile else before

    def _went_back_before(self, tile: int) -> bool:
        """Whether that is known already: nobody got a tile since."""
        same = self.known.back.get(tile) == self.known.places
        return same and not tile & self.known.seen

    def _without(self, tiles: int) -> tuple[int, ...]:
        """Which lines have none of these tiles."""
        return tuple(at for at, laid in enumerate(self.known.laid) if not laid & tiles)

    def _of(self, kept: tuple[int, ...], each: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(each[at] for at in kept) if each else ()

    def _after(self, step: DealStep, known: Known, histories: tuple[int, ...]) -> "Evidence":
        """With what has come to light."""
        watched = {
            moment: WatchedMoment(
                watch.fits, step.apply(self.known, moment, watch.clear), watch.since
            )
            for moment, watch in self.watched.items()
        }
        deals = step.apply(self.known, NO_MOMENT, self.deals)
        return Evidence(
            known,
            deals,
            watched,
            self.proven,
            step,
            self,
            self.depth + 1,
            self.lost,
            histories,
        )

    def _judged(self) -> "Evidence":
        """With every moment that is proven now."""
        new = {
            moment: self
            for moment, watch in self.watched.items()
            if moment not in self.proven and not has_deal(self.known, moment, watch.clear)
        }
        return replace(self, proven={**self.proven, **new}) if new and self.any_deal else self

    @property
    def given_up(self) -> bool:
        """Nothing more is found out. What is proven stays so."""
        return not self.deals

    @property
    def any_deal(self) -> bool:
        """Whether any deal agrees with all that was entered."""
        return has_deal(self.known, NO_MOMENT, self.deals)

    @property
    def history(self) -> "list[Evidence]":
        """What was known after each step, first to last."""
        found: list[Evidence] = []
        now: Evidence | None = self
        while now is not None and now.before is not None:
            found.append(now)
            now = now.before
        return found[::-1]


def dealt(seats: int, each: int) -> Evidence:
    """At the start of a hand: `each` tiles to everybody."""
    none = (0,) * seats
    return Evidence(Known((each,) * seats, (0,), 0, none, {}, none), ((0,),), {})


def _fitting(line: CandidateLines) -> tuple[int, ...]:
    """Of each possible line, the tiles that match an open end, laid or not."""
    return tuple(each.suits if each else 0 for each, _ in line.possible)


def _sure_to_fit(line: CandidateLines) -> int:
    """The tiles that match one of the open ends that were said."""
    tiles = 0
    for pips in line.known_ends or ():
        tiles |= TILE_SET.suits[pips]
    return tiles


def _put(each: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return (*each[:seat], value, *each[seat + 1 :])


def _changed(places: tuple[int, ...], seat: int, number: int) -> tuple[int, ...]:
    return _put(places, seat, places[seat] + number)
