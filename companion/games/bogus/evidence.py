"""Evidence of bogus play: which seat may have got which tile, and when, in all deals that agree
with the entries of a hand.

A *place* is one tile that a seat got: dealt, or drawn later. A seat's places are numbered from 0 in
the order of time; a draw whose tile went back fills none. A *deal* puts one tile of the set into
every place; all other tiles are in the boneyard. It agrees with the entries if

* a tile that a seat laid or showed is in one of the places which that seat had then, and
* a tile that was seen going back to the boneyard is in no place which anybody had then.

So each known tile may be in a run of its seat's places: from some place on, up to the last one that
the seat had when the tile was laid or shown. Known tiles are put into places as they come to light,
each into the earliest free one of its run. That leaves the latest places free, which is best for
every tile that comes to light later: if any deal agrees, this finds one, so that no other way to
fill the places has to be tried.

A *moment* is a draw or pass which may be proven to be a bogus play. Suppose that the seat held no
tile that fitted then. In such a deal, every fitting tile that it lays or shows later was got after
the moment: the tile's run begins with the places got since. Earlier places that are still free hold
unknown tiles, so there must be at least that many unknown tiles that did not fit.

If only the open ends or the count were entered, several lines of play are possible, and one line
may be the result of several sequences of plays. Each line has its *cases*, which differ in what
matters from here on: which tiles fitted at the moment, and which places are taken.

`Evidence` keeps all this for a hand and is updated at every move. For each draw and pass it keeps
the cases in which that was not a bogus play. When none of these cases has a deal any more, the
bogus play is proven. Later entries only leave fewer deals, so it stays proven. After each entry,
everything that can be proven is known, at the cost of one check of each case. In most hands simple
counting shows that nothing is proven, and this is done only for a verdict: see plain_hand.py.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import reduce
from operator import and_, or_
from typing import NamedTuple

from companion.core.values import dataclass, quick_to_replace
from companion.games.line.hand import MomentOfPlay
from companion.games.line.line import TILE_SET, CandidateLines, WayToPlay

SEAT_BITS = 32
"""The number of bits for the places of one seat, enough for all tiles of the set."""

SEAT_MASK = (1 << SEAT_BITS) - 1

ALL = TILE_SET.all

FITTED_BITS = ALL.bit_length()

MAX_CASES = 16
"""The most cases kept for a line. If there are more, some are replaced by what they have in common,
which can lose a proof but never makes a false one. (In 1,000 random hands entered by count there
were at most 8.)"""

Case = int
"""The tiles that fitted at the moment of play, in the low FITTED_BITS bits; above them the taken
places, in SEAT_BITS bits for each seat."""

Cases = tuple[Case, ...]
CasesOfLines = tuple[Cases, ...]
"""The cases of each possible line."""

CasesOfMoments = dict[MomentOfPlay, CasesOfLines]
"""The cases in which each moment was not a bogus play."""


NO_MOMENT = MomentOfPlay(-1, 0, 0)
"""Used when no particular moment is meant: all deals count, whatever the seats held."""


@quick_to_replace
class KnownFacts(NamedTuple):
    """The facts known about a hand, whichever of the possible lines is the real one. Seats are
    numbered in turn order; a tile is a bit, and a set of tiles a mask."""

    places: tuple[int, ...]
    """How many tiles each seat got."""
    laid: tuple[int, ...]
    """The tiles in each possible line. If the lines were given up: a single set, of the tiles that
    are certainly in the line."""
    lays: int
    """How many tiles were played."""
    shown: tuple[int, ...]
    """The tiles that each seat showed."""
    back: Mapping[int, tuple[int, ...]]
    """For each tile that was seen going back, how many places each seat had then."""
    unshown: tuple[int, ...]
    """For each seat, the number of its places minus the number of tiles that it showed. It hid
    these tiles, or never had them."""
    seen: int = 0
    """The tiles that any seat has shown."""

    @property
    def boneyard(self) -> int:
        """The number of tiles that are not in any seat's places."""
        return ALL.bit_count() - sum(self.places)


def fitted(case: Case) -> int:
    """The tiles that fitted at the case's moment of play."""
    return case & ALL


def places_of(taken: int, seat: int) -> int:
    """The seat's part of the taken places."""
    return taken >> SEAT_BITS * seat & SEAT_MASK


def with_place_taken(taken: int, seat: int, first: int, end: int) -> int | None:
    """Returns the taken places together with the seat's earliest free place from `first` to `end` -
    1, or None if none of these is free."""
    free = ~places_of(taken, seat) >> first << first
    place = free & -free
    return taken | place << SEAT_BITS * seat if place < 1 << end else None


def earliest_place(known: KnownFacts, seat: int, tile: int) -> int:
    """Returns the seat's first place in which `tile` can be: 0 or, if the tile went back to the
    boneyard, the first place filled after that."""
    back = known.back.get(tile)
    return back[seat] if back else 0


def _place_tile(
    known: KnownFacts, cases_of: Sequence[tuple[MomentOfPlay, Cases]], seat: int, tile: int
) -> CasesOfMoments:
    """Puts one more tile into one of the seat's places. Returns the cases of each moment after
    that, all as cases of a single line; cases without a possible place are dropped."""
    first, end = earliest_place(known, seat, tile) if known.back else 0, 1 << known.places[seat]
    shift = FITTED_BITS + SEAT_BITS * seat
    after: CasesOfMoments = {}
    for moment, cases in cases_of:
        later = max(first, moment.places) if seat == moment.seat else first
        found = []
        for case in cases:
            least = later if case & tile else first
            free = ~(case >> shift & SEAT_MASK) >> least << least
            place = free & -free
            if place < end:
                found.append(case | place << shift)
        after[moment] = (tuple(found),)
    return after


# ---------------------------------------------------------------- steps: tiles that come to light


class PlayStep(NamedTuple):
    """A seat played a tile. `origins`: for each line that is possible afterwards, the lines from
    which it may have come, each with the tile played (0 if not known)."""

    seat: int
    origins: tuple[tuple[tuple[int, int], ...], ...]

    def apply(self, known: KnownFacts, tables: CasesOfMoments) -> CasesOfMoments:
        """The cases of each moment after this step."""
        if len(self.origins) > 1 or len(self.origins[0]) > 1:
            return {
                moment: self._apply_to_one(known, moment, table) for moment, table in tables.items()
            }
        (((before, tile),),) = self.origins
        own = known.shown[self.seat]
        if tile & known.seen & ~own:
            return dict.fromkeys(tables, ((),))
        # An unknown tile may be one that was shown and so already has its place.
        if tile & own if tile else own & ~known.laid[before]:
            return {moment: (table[before],) for moment, table in tables.items()}
        cases = [(moment, table[before]) for moment, table in tables.items()]
        return _place_tile(known, cases, self.seat, tile)

    def _apply_to_one(
        self, known: KnownFacts, moment: MomentOfPlay, table: CasesOfLines
    ) -> CasesOfLines:
        """The cases of one moment after this step, for a play that may have been made in several
        ways."""
        own = known.shown[self.seat]
        others = known.seen & ~own
        made: dict[tuple[Cases, int], Cases] = {}
        merged: dict[tuple[Cases, ...], Cases] = {}

        def cases_after_play(before: int, tile: int) -> Cases:
            cases = table[before]
            found = made.get((cases, tile))
            if found is None:
                found = () if tile & others else cases
                if cases and not (tile & own if tile else own & ~known.laid[before]):
                    (found,) = _place_tile(known, [(moment, found)], self.seat, tile)[moment]
                made[cases, tile] = found
            return found

        result = []
        for origins in self.origins:
            if len(origins) == 1:
                result.append(cases_after_play(*origins[0]))
                continue
            parts = tuple({cases_after_play(*origin) for origin in origins})
            if parts not in merged:
                merged[parts] = distinct_cases(case for cases in parts for case in cases)
            result.append(merged[parts])
        return tuple(result)


class ShowingStep(NamedTuple):
    """A seat showed all its tiles. `kept`: the lines that are still possible."""

    seat: int
    tiles: tuple[int, ...]
    kept: tuple[int, ...]

    def new(self, known: KnownFacts) -> tuple[int, ...]:
        """The tiles that the seat had not shown before."""
        return tuple(tile for tile in self.tiles if not tile & known.shown[self.seat])

    def apply(self, known: KnownFacts, tables: CasesOfMoments) -> CasesOfMoments:
        """The cases of each moment after this step."""
        return {
            moment: self._apply_to_one(known, moment, table) for moment, table in tables.items()
        }

    def _apply_to_one(
        self, known: KnownFacts, moment: MomentOfPlay, table: CasesOfLines
    ) -> CasesOfLines:
        """The cases of one moment after this step."""
        others, new = known.seen & ~known.shown[self.seat], self.new(known)
        shown = sum(self.tiles)
        made: dict[Cases, Cases] = {(): ()}
        for cases in {table[at] for at in self.kept}:
            possible = () if any(tile & others for tile in new) else cases
            for tile in new:
                (possible,) = _place_tile(known, [(moment, possible)], self.seat, tile)[moment]
            made[cases] = possible
        return tuple(made[() if shown & known.laid[at] else table[at]] for at in self.kept)


class ReturnStep(NamedTuple):
    """A tile went back into the boneyard. `tile`: its bit, 0 if it was not entered; `kept`: the
    lines that are still possible."""

    tile: int
    kept: tuple[int, ...]

    def apply(self, known: KnownFacts, tables: CasesOfMoments) -> CasesOfMoments:
        """The cases of each moment after this step: none if the tile is in the line, or if a seat
        has shown it as held."""
        stays = [(at, not self.tile & (known.seen | known.laid[at])) for at in self.kept]
        return {
            moment: tuple(table[at] if possible else () for at, possible in stays)
            for moment, table in tables.items()
        }


DealStep = PlayStep | ShowingStep | ReturnStep


# ---------------------------------------------------------------- merging cases


def distinct_cases(cases: Iterable[Case]) -> Cases:
    """The cases that no other one covers. If there are more than MAX_CASES, the last ones are
    merged into the weakest case that covers all of them."""
    distinct = set(cases)
    if len(distinct) == 1:
        return tuple(distinct)
    few: list[Case] = []
    for case in sorted(distinct):
        if not any(_covers(other, case) for other in few):
            few = [other for other in few if not _covers(case, other)]
            few.append(case)
    while len(few) > MAX_CASES:
        few.append(_common_case(few.pop(), few.pop()))
    return tuple(few)


def _covers(case: Case, other: Case) -> bool:
    """Returns whether every deal that can follow from `other` can also follow from `case`: all
    tiles that fitted in `case` also fitted in `other`, and no taken place is later."""
    if fitted(case) & ~fitted(other):
        return False
    ours, theirs = case >> FITTED_BITS, other >> FITTED_BITS
    return ours == theirs or _earliest_places(ours, theirs) == ours


def _common_case(case: Case, other: Case) -> Case:
    """The weakest case that covers both."""
    both = fitted(case) & fitted(other)
    return _earliest_places(case >> FITTED_BITS, other >> FITTED_BITS) << FITTED_BITS | both


def _earliest_places(taken: int, other: int) -> int:
    """Merges the taken places of two cases: pairs each seat's places in order, and returns the
    earlier place of each pair."""
    result = 0
    for shift in range(0, max(taken, other).bit_length(), SEAT_BITS):
        ours, theirs = single_bits(taken >> shift), single_bits(other >> shift)
        for one, two in zip(ours, theirs, strict=True):
            result |= min(one, two) << shift
    return result


def single_bits(taken: int) -> Iterator[int]:
    """The places of one seat as single bits, the earliest first."""
    taken &= SEAT_MASK
    while taken:
        yield taken & -taken
        taken &= taken - 1


# ---------------------------------------------------------------- unknown tiles
# Whether unknown tiles can fill the places that are left in a case.


def has_deal(known: KnownFacts, moment: MomentOfPlay, table: CasesOfLines) -> bool:
    """Whether any deal agrees with one of the cases."""
    if known.back:
        return any(
            can_be_filled(known, moment, laid, case)
            for laid, cases in zip(known.laid, table, strict=True)
            for case in cases
        )
    seat, _, places = moment
    if not places:
        return any(table)
    seen, enough = known.seen, places - known.unshown[seat]
    for at, cases in enumerate(table):
        out = known.laid[at] | seen
        for case in cases:
            unknown = (ALL & ~(out | case)).bit_count()
            if enough <= unknown:
                return True
            had = case >> FITTED_BITS + SEAT_BITS * seat & (1 << places) - 1
            if enough <= unknown + had.bit_count():
                return True
    return False


def can_be_filled(known: KnownFacts, moment: MomentOfPlay, laid: int, case: Case) -> bool:
    """Whether unknown tiles can fill the remaining places so that the seat of `moment` held no tile
    that fitted then."""
    taken, fits, seen = case >> FITTED_BITS, fitted(case), known.seen
    out = laid | seen
    early = 0
    if moment.places:
        had = places_of(taken, moment.seat) & (1 << moment.places) - 1
        early = moment.places - had.bit_count()
    returned = [tile for tile in known.back if not tile & out]
    unshown = known.unshown[moment.seat] if moment.places else 0
    free = (ALL & ~out & ~fits & ~sum(returned)).bit_count() + unshown
    if early > free + _count_filled_by_returned(known, moment, taken, fits, returned):
        return False
    not_known = max(known.lays - laid.bit_count(), 0)
    in_places = len(returned) - known.boneyard - not_known
    return in_places <= 0 or _most_returned_placed(known, moment, case, returned) >= in_places


def _count_filled_by_returned(
    known: KnownFacts, moment: MomentOfPlay, taken: int, fits: int, returned: list[int]
) -> int:
    """How many of the seat's free places at the moment can hold a tile that had gone back and was
    drawn again."""
    if not moment.places:
        return 0
    firsts = sorted(known.back[tile][moment.seat] for tile in returned if not tile & fits)
    filled, had = 0, places_of(taken, moment.seat)
    for place in range(moment.places):
        ready = sum(first <= place for first in firsts) - filled
        if ready and not had >> place & 1:
            filled += 1
    return filled


def _most_returned_placed(
    known: KnownFacts, moment: MomentOfPlay, case: Case, returned: list[int]
) -> int:
    """Returns the largest number of tiles in `returned`, which went back to the boneyard, that can
    be accounted for. Each takes a free place that was filled after its return, or it remains in the
    boneyard in exchange for a place that may have stayed empty (`known.blank`)."""
    taken, fits = case >> FITTED_BITS, fitted(case)
    free = [
        (seat, place)
        for seat, places in enumerate(known.places)
        for place in range(places)
        if not places_of(taken, seat) >> place & 1
    ]

    def may_be_in(tile: int, seat: int, place: int) -> bool:
        held = seat == moment.seat and place < moment.places
        return place >= known.back[tile][seat] and not (held and tile & fits)

    wanted = [[spot for spot in free if may_be_in(tile, *spot)] for tile in returned]
    for seat, unshown in enumerate(known.unshown):
        wanted += [[spot for spot in free if spot[0] == seat]] * unshown
    return _most_placed(wanted)


Spot = tuple[int, int]


def _most_placed(wanted: list[list[Spot]]) -> int:
    """The largest number of tiles that can be placed at the same time, each in one of its own
    possible spots and no two in one spot (maximum matching with augmenting paths). `wanted`: the
    possible spots of each tile."""
    holder: dict[Spot, int] = {}

    def settle(who: int, tried: set[Spot]) -> bool:
        for spot in wanted[who]:
            if spot not in tried:
                tried.add(spot)
                if spot not in holder or settle(holder[spot], tried):
                    holder[spot] = who
                    return True
        return False

    return sum(settle(who, set()) for who in range(len(wanted)))


# ---------------------------------------------------------------- evidence

MAX_HISTORIES = 16
"""In version 1 of the rules, nothing is proven any more once a hand may have been played in more
ways than this."""


KeptLines = tuple[int, ...]
"""The positions of the lines that are still possible, among those possible before
(CandidateLines.without)."""


@dataclass(frozen=True, slots=True)
class WatchedMoment:
    """A draw or pass that may be proven to be a bogus play."""

    fits: tuple[int, ...]
    """The tiles that fitted, for each line that was possible then."""
    since: "Evidence" = field(compare=False, repr=False)
    """The evidence at that time."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence of a hand: the known facts, and what they prove about each moment."""

    known: KnownFacts
    clear: CasesOfMoments
    """The present cases in which each watched moment was not a bogus play; for NO_MOMENT, all cases
    of taken places."""
    watched: Mapping[MomentOfPlay, WatchedMoment]
    proven: Mapping[MomentOfPlay, "Evidence"] = field(
        default_factory=dict, compare=False, repr=False
    )
    """Each moment whose bogus play is proven, with the facts known when it was first proven."""
    step: DealStep | None = field(default=None, repr=False)
    """The last step; `before`: the evidence before it."""
    before: "Evidence | None" = field(default=None, compare=False, repr=False)
    depth: int = 0
    """The number of steps so far."""
    lost: bool = False
    """Whether the lines were given up, so that only the entered parts of later plays are known."""
    histories: tuple[int, ...] = (1,)
    """The number of ways in which each line may have come about; () if there are more than
    MAX_HISTORIES in all."""

    # ------------------------------------------------------------ moves

    def after_play(
        self, seat: int, line: CandidateLines, ways: Sequence[WayToPlay], tile: int
    ) -> "Evidence":
        """The evidence after a tile was played in one of these `ways`. `line`: the candidate lines
        after the play; `tile`: the tile's bit, 0 if it was not entered."""
        known = self.known
        if not line.lost and not self.lost:
            origins = tuple([tuple(way.origins) for way in ways])
            known = KnownFacts(known.places, _tiles_in_lines(line), known.lays + 1, *known[3:])
            histories = self.histories
            if len(ways) * len(histories) > 1:  # one way from one line keeps them
                histories = tuple([sum([histories[at] for at, _ in each]) for each in origins])
            few = histories if sum(histories) <= MAX_HISTORIES else ()
            return self._after_step(PlayStep(seat, origins), known, few)._with_new_proofs()
        known = known._replace(lays=known.lays + 1)
        sure = reduce(and_, known.laid)
        # A shown tile may still be held, or may be the one just played.
        shown = 0 if tile and self.lost else known.shown[seat] if self.lost else known.seen
        if self.given_up or shown & ~sure:
            # Turns are identified by how many tiles were laid before them, even turns about which
            # nothing can be proven.
            given_up: CasesOfMoments = {NO_MOMENT: ()}
            return replace(self, known=known, clear=given_up, watched={}, lost=True, histories=())
        step = PlayStep(seat, (tuple((at, tile) for at in range(len(known.laid))),))
        after = self._after_step(step, known._replace(laid=(sure | tile,)), ())
        return replace(after, lost=True)._with_new_proofs()

    def after_draw(self, seat: int, number: int) -> "Evidence":
        """The evidence after a seat drew `number` tiles (negative: gave them back)."""
        known = self.known
        places = _with_value(known.places, seat, known.places[seat] + number)
        return self._with_facts(KnownFacts(places, *known[1:]), self.clear, self.watched)

    def after_return(
        self, seat: int, tile: int, stay: int, line: CandidateLines, kept: KeptLines
    ) -> "Evidence":
        """The evidence after the tile drawn last went back. `tile` is its bit, 0 if it was not
        entered. `kept`: the lines that are still possible. `stay`: how many of the tiles drawn with
        it did not go back. From now on that draw is judged just before the last of these was drawn.

        If the seat has shown its holding since the draw, including that tile, the holding counts as
        shown after the tile went back. If it was not entered which tile went back, the holding only
        proves which tiles are not in the line."""
        if self.given_up:
            return self.after_draw(seat, -1)
        showings = self._showings_since_draw(seat)
        if not showings:
            return self._after_return(
                seat, tile, line, self._lines_kept(kept)
            )._watch_shortened_draw(seat, stay, line)
        now, kept = self, self._lines_kept(kept)
        for step in reversed(showings):
            assert now.before is not None, "a step leads from somewhere"
            now, kept = now.before, tuple(step.kept[at] for at in kept)
        unshown = self.known.unshown
        now = replace(now, proven=self.proven, known=now.known._replace(unshown=unshown))
        now = now._after_return(seat, tile, line, kept)._watch_shortened_draw(seat, stay, line)
        for step in showings:
            if tile or step.seat != seat:
                gone = tile if step.seat == seat else 0
                tiles = tuple(each for each in step.tiles if each != gone)
                now = now._after_showing(step.seat, tiles, line, now._all_lines)
        return now._with_new_proofs()

    def after_showing(
        self, seat: int, tiles: Sequence[int], fewer: int, line: CandidateLines, kept: KeptLines
    ) -> "Evidence":
        """The evidence after a seat showed all its tiles. `fewer`: the number of its places minus
        that of its tiles; `kept`: the lines that are still possible."""
        if self.given_up:
            return self
        after = self._after_showing(seat, tuple(tiles), line, self._lines_kept(kept))
        return after.with_fewer_tiles(seat, fewer)._with_new_proofs()

    def with_fewer_tiles(self, seat: int, fewer: int) -> "Evidence":
        """Returns the evidence after a seat was found to hold fewer tiles than it has places;
        `fewer` is the difference. Drops the proofs that depend on the number of tiles."""
        if fewer <= self.known.unshown[seat] or self.given_up:
            return self
        known = self.known._replace(unshown=_with_value(self.known.unshown, seat, fewer))
        stays = {
            moment: proof
            for moment, proof in self.proven.items()
            if not has_deal(known, moment, self.clear[moment])
        }
        return replace(self, known=known, proven=stays)

    def watch(self, moment: MomentOfPlay, line: CandidateLines) -> "Evidence":
        """The evidence with one more moment to watch: a draw or pass that may be proven bogus
        later."""
        if moment in self.watched or self.given_up:
            return self
        fits = (_surely_fitting_tiles(line),) if self.lost else fitting_tiles(line)
        held = self.known.shown[moment.seat]
        clear = tuple(
            [
                () if held & ~laid & match else distinct_cases([case | match for case in cases])
                for laid, match, cases in zip(self.known.laid, fits, self.deals, strict=True)
            ]
        )
        watched = {**self.watched, moment: WatchedMoment(fits, self)}
        return self._with_facts(
            self.known, {**self.clear, moment: clear}, watched
        )._with_new_proofs()

    # ------------------------------------------------------------ steps

    def _showings_since_draw(self, seat: int) -> list[ShowingStep]:
        """Returns the steps since the seat first showed its tiles after the last draw; empty if it
        hasn't. All of them are showings, because no other move is possible in between."""
        found: list[ShowingStep] = []
        now = self
        while isinstance(step := now.step, ShowingStep) and now.before is not None:
            now = now.before
            if now.known.places != self.known.places:
                break
            found.append(step)
        while found and found[-1].seat != seat:
            found.pop()
        return found[::-1]

    def _after_return(
        self, seat: int, tile: int, line: CandidateLines, kept: KeptLines
    ) -> "Evidence":
        """The evidence after the tile drawn last went back, if no seat has shown it since the
        draw."""
        gone = self.after_draw(seat, -1)
        if len(kept) == len(gone.known.laid) and gone._return_adds_nothing(tile):
            return gone
        known = gone._with_lines(line)
        if tile:
            known = known._replace(back={**known.back, tile: known.places})
        return gone._after_step(
            ReturnStep(tile, kept), known, gone._histories_of(kept)
        )._with_new_proofs()

    def _watch_shortened_draw(self, seat: int, stay: int, line: CandidateLines) -> "Evidence":
        """The evidence that watches a draw of which only `stay` tiles were kept; unchanged if none
        was."""
        if not stay:
            return self
        moment = MomentOfPlay(seat, self.known.lays, self.known.places[seat] - 1)
        return self.watch(moment, line)

    def _return_adds_nothing(self, tile: int) -> bool:
        """Whether the return of `tile` adds no evidence: it is not known which tile it was (0), or
        the tile went back before, and since then no tile was drawn and this one was not shown."""
        same = self.known.back.get(tile) == self.known.places
        return not tile or (same and not tile & self.known.seen)

    def _after_showing(
        self, seat: int, tiles: tuple[int, ...], line: CandidateLines, kept: KeptLines
    ) -> "Evidence":
        known = self._with_lines(line)
        shown = _with_value(known.shown, seat, known.shown[seat] | sum(tiles))
        step = ShowingStep(seat, tiles, kept)
        known = known._replace(shown=shown, seen=reduce(or_, shown))
        return self._after_step(step, known, self._histories_of(kept))

    @property
    def _all_lines(self) -> KeptLines:
        return tuple(range(len(self.known.laid)))

    def _lines_kept(self, kept: KeptLines) -> KeptLines:
        """Returns the positions of the lines that are still possible. If the lines were given up,
        the position of the single set of tiles that represents them is kept."""
        return self._all_lines if self.lost else kept

    def _with_lines(self, line: CandidateLines) -> KnownFacts:
        """The known facts, with the hand's present lines."""
        return self.known if self.lost else self.known._replace(laid=_tiles_in_lines(line))

    def _histories_of(self, kept: KeptLines) -> tuple[int, ...]:
        return tuple(self.histories[at] for at in kept) if self.histories else ()

    def _with_facts(
        self,
        known: KnownFacts,
        clear: CasesOfMoments,
        watched: Mapping[MomentOfPlay, WatchedMoment],
    ) -> "Evidence":
        """The evidence with these facts and moments (`replace` would take three times as long)."""
        return Evidence(
            known,
            clear,
            watched,
            self.proven,
            self.step,
            self.before,
            self.depth,
            self.lost,
            self.histories,
        )

    def _after_step(
        self, step: DealStep, known: KnownFacts, histories: tuple[int, ...]
    ) -> "Evidence":
        """The evidence after one more step."""
        return Evidence(
            known,
            step.apply(self.known, self.clear),
            self.watched,
            self.proven,
            step,
            self,
            self.depth + 1,
            self.lost,
            histories,
        )

    def _with_new_proofs(self) -> "Evidence":
        """The evidence with all moments that are proven now."""
        new: dict[MomentOfPlay, Evidence] = {}
        for moment, table in self.clear.items():
            if not has_deal(self.known, moment, table) and moment not in self.proven:
                new[moment] = self
        return replace(self, proven={**self.proven, **new}) if new and self.any_deal else self

    @property
    def examined(self) -> "Evidence":
        """Itself: all cases are followed already, as they aren't in a plain hand."""
        return self

    def moment_of(self, seat: int, drawn: int) -> MomentOfPlay:
        """The moment of the seat's present turn, before it drew the last `drawn` tiles."""
        return MomentOfPlay(seat, self.known.lays, self.known.places[seat] - drawn)

    @property
    def unshown(self) -> tuple[int, ...]:
        """For each seat, how many tiles fewer than counted it showed (KnownFacts)."""
        return self.known.unshown

    @property
    def deals(self) -> CasesOfLines:
        """All cases of taken places, whichever tiles fitted at any moment."""
        return self.clear[NO_MOMENT]

    @property
    def given_up(self) -> bool:
        """Whether the search has ended: no more will be proven, but existing proofs stay."""
        return not self.deals

    @property
    def any_deal(self) -> bool:
        """Whether any deal agrees with all entries."""
        return has_deal(self.known, NO_MOMENT, self.deals)

    @property
    def history(self) -> "list[Evidence]":
        """The evidence after each step of the hand, in order."""
        found: list[Evidence] = []
        now: Evidence | None = self
        while now is not None and now.before is not None:
            found.append(now)
            now = now.before
        return found[::-1]


def dealt(seats: int, each: int) -> Evidence:
    """The evidence at the start of a hand, with `each` tiles dealt to every seat."""
    none = (0,) * seats
    return Evidence(KnownFacts((each,) * seats, (0,), 0, none, {}, none), {NO_MOMENT: ((0,),)}, {})


def _tiles_in_lines(line: CandidateLines) -> tuple[int, ...]:
    """The tiles in each possible line."""
    return tuple([tiles for _, tiles in line.possible])


def fitting_tiles(line: CandidateLines) -> tuple[int, ...]:
    """For each possible line, the tiles that match an open end, played or not."""
    return tuple([each.suits if each else 0 for each, _ in line.possible])


def _surely_fitting_tiles(line: CandidateLines) -> int:
    """The tiles that match an entered open end, and so certainly fit."""
    tiles = 0
    for pips in line.known_ends or ():
        tiles |= TILE_SET.suits[pips]
    return tiles


def _with_value(each: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return (*each[:seat], value, *each[seat + 1 :])
