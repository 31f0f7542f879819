"""What the entries of a hand say about which seat got which tile when, updated at every move.

For each draw and pass the cases are kept in which it was no bogus play (consistent_deals.py). When
none of these cases has a deal any more, the bogus play is proven. Later entries only leave fewer
deals, so it stays proven. After each entry all that can be proven is known, at the cost of one look
at each case.
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
)
from companion.games.bogus.unknown_tiles import has_deal
from companion.games.line.hand import MomentOfPlay
from companion.games.line.line import TILE_SET, CandidateLines, WayToLay

MOST_HISTORIES = 16
"""By version 1 of the rules, nothing is proven any more once a hand may have gone in more ways than
this."""


KeptLines = tuple[int, ...]
"""The lines that are still possible, by their places among the lines possible before. The hand
finds them for its lines (CandidateLines.without); the cases here follow."""


@dataclass(frozen=True, slots=True)
class WatchedMoment:
    """A draw or pass that may be proven to be a bogus play."""

    fits: tuple[int, ...]
    """The tiles that fitted in each line that was possible then."""
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
    """Whether the lines were given up; of later lays only what was said is known."""
    histories: tuple[int, ...] = (1,)
    """In how many ways each line may have come about; (): more than MOST_HISTORIES in all."""

    # ------------------------------------------------------------ moves

    def laid(
        self, seat: int, line: CandidateLines, ways: Sequence[WayToLay], tile: int
    ) -> "Evidence":
        """The evidence after a tile was laid in one of these `ways`. `line`: what is known of the
        line with that tile; `tile`: its bit, 0 if it was not said."""
        known = self.known._replace(lays=self.known.lays + 1)
        if not line.lost and not self.lost:
            origins = tuple(tuple(way.origins) for way in ways)
            known = known._replace(laid=_lying(line))
            histories = tuple(
                sum(self.histories[at] for at, _ in each) for each in origins if self.histories
            )
            few = histories if sum(histories) <= MOST_HISTORIES else ()
            return self._after(LaidStep(seat, origins), known, few)._judged()
        sure = reduce(and_, known.laid)
        # Nobody knows any more whether a tile that was shown is still held, or is the one laid.
        shown = 0 if tile and self.lost else known.shown[seat] if self.lost else known.seen
        if self.given_up or shown & ~sure:
            # Turns are told apart by how many tiles were laid before them, even turns of which
            # nothing is found out.
            return replace(self, known=known, deals=(), watched={}, lost=True, histories=())
        step = LaidStep(seat, (tuple((at, tile) for at in range(len(known.laid))),))
        after = self._after(step, known._replace(laid=(sure | tile,)), ())
        return replace(after, lost=True)._judged()

    def drew(self, seat: int, number: int) -> "Evidence":
        """The evidence after a seat drew `number` tiles (negative: gave them back)."""
        places = self.known.places
        places = _put(places, seat, places[seat] + number)
        return replace(self, known=self.known._replace(places=places))

    def returned(
        self, seat: int, tile: int, stay: int, line: CandidateLines, kept: KeptLines
    ) -> "Evidence":
        """The evidence after the tile drawn last went back. `tile` is its bit, 0 if it was not
        said. `kept`: the lines that are still possible. `stay`: how many of the tiles drawn with it
        did not go back; the moment of that draw is now before the last of these.

        If the seat has shown its holding, with that tile, since it drew it, the holding counts as
        one that was shown after the tile went back. If it was not said which tile went back, the
        holding only shows which tiles do not lie in the line.
        """
        if self.given_up:
            return self.drew(seat, -1)
        showings = self._showings_since_draw(seat)
        if not showings:
            return self._went_back(seat, tile, line, self._kept(kept))._drew_again(seat, stay, line)
        now, kept = self, self._kept(kept)
        for step in reversed(showings):
            assert now.before is not None, "a step leads from somewhere"
            now, kept = now.before, tuple(step.kept[at] for at in kept)
        blank = self.known.blank
        now = replace(now, proven=self.proven, known=now.known._replace(blank=blank))
        now = now._went_back(seat, tile, line, kept)._drew_again(seat, stay, line)
        for step in showings:
            if tile or step.seat != seat:
                gone = tile if step.seat == seat else 0
                tiles = tuple(each for each in step.tiles if each != gone)
                now = now._showed(step.seat, tiles, line, now._all_lines)
        return now._judged()

    def showed(
        self, seat: int, tiles: Sequence[int], fewer: int, line: CandidateLines, kept: KeptLines
    ) -> "Evidence":
        """The evidence after a seat showed all its tiles. `fewer`: by how many they are fewer than
        its places. `kept`: the lines that are still possible."""
        if self.given_up:
            return self
        after = self._showed(seat, tuple(tiles), line, self._kept(kept))
        return after.short(seat, fewer)._judged()

    def short(self, seat: int, fewer: int) -> "Evidence":
        """The evidence after a seat turned out to hold fewer tiles than it has places for, by
        `fewer`. Proofs that rest on how many it held are dropped."""
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
        """The evidence with one more moment, a draw or pass that may be proven bogus, from now
        on."""
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

    def _showings_since_draw(self, seat: int) -> list[ShownStep]:
        """The steps since the seat first showed its tiles after the last draw; empty if it has not.
        In all these steps tiles were shown, as nothing else was done since."""
        found: list[ShownStep] = []
        now = self
        while isinstance(step := now.step, ShownStep) and now.before is not None:
            now = now.before
            if now.known.places != self.known.places:
                break
            found.append(step)
        while found and found[-1].seat != seat:
            found.pop()
        return found[::-1]

    def _went_back(self, seat: int, tile: int, line: CandidateLines, kept: KeptLines) -> "Evidence":
        """The evidence after the tile drawn last, which nobody has shown since, went back."""
        gone = self.drew(seat, -1)
        if len(kept) == len(gone.known.laid) and gone._went_back_before(tile):
            return gone
        known = gone._with_lines(line)
        if tile:
            known = known._replace(back={**known.back, tile: known.places})
        return gone._after(ReturnedStep(tile, kept), known, gone._ways_of(kept))._judged()

    def _drew_again(self, seat: int, stay: int, line: CandidateLines) -> "Evidence":
        """The evidence with the moment of a draw of which `stay` tiles stay, if any do."""
        if not stay:
            return self
        moment = MomentOfPlay(seat, self.known.lays, self.known.places[seat] - 1)
        return self.watch(moment, line)

    def _went_back_before(self, tile: int) -> bool:
        """Whether it says nothing new that `tile` went back: nobody said which tile it was (0), or
        this tile went back before, and since then nobody has drawn a tile or shown this one."""
        same = self.known.back.get(tile) == self.known.places
        return not tile or (same and not tile & self.known.seen)

    def _showed(
        self, seat: int, tiles: tuple[int, ...], line: CandidateLines, kept: KeptLines
    ) -> "Evidence":
        known = self._with_lines(line)
        shown = _put(known.shown, seat, known.shown[seat] | sum(tiles))
        step = ShownStep(seat, tiles, kept)
        return self._after(step, known._replace(shown=shown), self._ways_of(kept))

    @property
    def _all_lines(self) -> KeptLines:
        return tuple(range(len(self.known.laid)))

    def _kept(self, kept: KeptLines) -> KeptLines:
        """The lines that are still possible: the ones that the hand keeps. If the lines were given
        up, the one that stands for them stays."""
        return self._all_lines if self.lost else kept

    def _with_lines(self, line: CandidateLines) -> Known:
        """What is known, with the lines as the hand has them."""
        return self.known if self.lost else self.known._replace(laid=_lying(line))

    def _ways_of(self, kept: KeptLines) -> tuple[int, ...]:
        return tuple(self.histories[at] for at in kept) if self.histories else ()

    def _after(self, step: DealStep, known: Known, histories: tuple[int, ...]) -> "Evidence":
        """The evidence with what has come to light by `step`."""
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
        """The evidence with every moment that is proven now."""
        new = {
            moment: self
            for moment, watch in self.watched.items()
            if moment not in self.proven and not has_deal(self.known, moment, watch.clear)
        }
        return replace(self, proven={**self.proven, **new}) if new and self.any_deal else self

    @property
    def given_up(self) -> bool:
        """Whether nothing more is found out from this evidence; what is proven stays proven."""
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
    """The evidence at the start of a hand: `each` tiles dealt to everybody."""
    none = (0,) * seats
    return Evidence(Known((each,) * seats, (0,), 0, none, {}, none), ((0,),), {})


def _lying(line: CandidateLines) -> tuple[int, ...]:
    """The tiles that lie in each possible line."""
    return tuple(tiles for _, tiles in line.possible)


def _fitting(line: CandidateLines) -> tuple[int, ...]:
    """The tiles that match an open end of each possible line, laid or not."""
    return tuple(each.suits if each else 0 for each, _ in line.possible)


def _sure_to_fit(line: CandidateLines) -> int:
    """The tiles that match one of the open ends that were said."""
    tiles = 0
    for pips in line.known_ends or ():
        tiles |= TILE_SET.suits[pips]
    return tiles


def _put(each: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return (*each[:seat], value, *each[seat + 1 :])
