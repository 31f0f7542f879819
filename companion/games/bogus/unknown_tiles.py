"""Whether tiles of which nothing is known can fill the places that are left in a case
(consistent_deals.py)."""

from companion.games.bogus.consistent_deals import (
    ALL,
    FITTED_BITS,
    SEAT_BITS,
    Case,
    CasesOfLines,
    Known,
    fitted,
    places_of,
)
from companion.games.line.hand import MomentOfPlay


def has_deal(known: Known, moment: MomentOfPlay, table: CasesOfLines) -> bool:
    """Whether any deal agrees with one of the cases."""
    if known.back:
        return any(
            can_be_filled(known, moment, laid, case)
            for laid, cases in zip(known.laid, table, strict=True)
            for case in cases
        )
    if not moment.places:
        return any(table)
    out, had = known.seen, (1 << moment.places) - 1
    shift = FITTED_BITS + SEAT_BITS * moment.seat
    for laid, cases in zip(known.laid, table, strict=True):
        for case in cases:
            early = moment.places - (case >> shift & had).bit_count()
            others = ALL & ~(laid | out | case)
            if early <= others.bit_count() + known.blank[moment.seat]:
                return True
    return False


def can_be_filled(known: Known, moment: MomentOfPlay, laid: int, case: Case) -> bool:
    """Whether tiles of which nothing is known can fill the places that are left, so that the seat
    of `moment` held no tile that fitted then."""
    taken, fits, seen = case >> FITTED_BITS, fitted(case), known.seen
    out = laid | seen
    early = 0
    if moment.places:
        had = places_of(taken, moment.seat) & (1 << moment.places) - 1
        early = moment.places - had.bit_count()
    returned = [tile for tile in known.back if not tile & out]
    blank = known.blank[moment.seat] if moment.places else 0
    free = (ALL & ~out & ~fits & ~sum(returned)).bit_count() + blank
    if early > free + _filled_by_returned(known, moment, taken, fits, returned):
        return False
    not_known = max(known.lays - laid.bit_count(), 0)
    in_places = len(returned) - known.boneyard - not_known
    return in_places <= 0 or _can_be_placed(known, moment, case, returned) >= in_places


def _filled_by_returned(
    known: Known, moment: MomentOfPlay, taken: int, fits: int, returned: list[int]
) -> int:
    """How many of the free places that the seat had at the moment can hold a tile that went back
    before and was drawn again."""
    if not moment.places:
        return 0
    firsts = sorted(known.back[tile][moment.seat] for tile in returned if not tile & fits)
    filled, had = 0, places_of(taken, moment.seat)
    for place in range(moment.places):
        ready = sum(first <= place for first in firsts) - filled
        if ready and not had >> place & 1:
            filled += 1
    return filled


def _can_be_placed(known: Known, moment: MomentOfPlay, case: Case, returned: list[int]) -> int:
    """How many of the tiles that went back can be in free places that were got since, or in the
    boneyard instead of a tile that was never drawn, so that a place stayed empty."""
    taken, fits = case >> FITTED_BITS, fitted(case)
    free = [
        (seat, place)
        for seat, places in enumerate(known.places)
        for place in range(places)
        if not places_of(taken, seat) >> place & 1
    ]

    def suits(tile: int, seat: int, place: int) -> bool:
        held = seat == moment.seat and place < moment.places
        return place >= known.back[tile][seat] and not (held and tile & fits)

    wanted = [[spot for spot in free if suits(tile, *spot)] for tile in returned]
    for seat, blank in enumerate(known.blank):
        wanted += [[spot for spot in free if spot[0] == seat]] * blank
    return _most_placed(wanted)


Spot = tuple[int, int]


def _most_placed(wanted: list[list[Spot]]) -> int:
    """How many can have a spot of their own among those that they want (augmenting paths)."""
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
