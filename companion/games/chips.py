"""Chips: each seat's stock by denomination, the chips won from it, payments and change.

Chips of one colour are in only two places: in the stock of the seat with that colour, and with the
seat that it pays (rulebook: a player wins by having all of the payer's chips). The points are
exact; the pieces are a suggestion, because the table may pay 10 as one ten or as two fives.
"""

from collections.abc import Iterator
from functools import lru_cache

from companion.core.errors import EntryError
from companion.core.seats import BySeat, Seat, Seats, places_to_payer
from companion.core.values import dataclass

STOCK_POINTS = 150

Pieces = tuple[tuple[int, int], ...]
"""(value, number of pieces) for each denomination, the highest value first."""


def parse_pieces(text: str) -> Pieces:
    """Reads `10x10+5x10`: ten tens and ten fives; raises EntryError."""
    found: dict[int, int] = {}
    for part in text.lower().split("+"):
        value, cross, number = part.partition("x")
        short = (each.isdecimal() and each.isascii() and len(each) <= 4 for each in (value, number))
        if not (cross and all(short)):
            raise EntryError(
                "{text} is not a set of chips: write it as in 10x10+5x10", text=text[:40]
            )
        if int(value) == 0 or int(value) % 5 or int(value) > STOCK_POINTS or int(number) > 30:
            raise EntryError(
                "{part} in {text}: chips are worth 5, 10, 15 … and 30 a kind at most",
                part=part,
                text=text,
            )
        found[int(value)] = found.get(int(value), 0) + int(number)
    return tuple(sorted(found.items(), reverse=True))


def format_pieces(pieces: Pieces) -> str:
    """The pieces as text: 10x10+5x10."""
    return "+".join(f"{value}x{number}" for value, number in pieces)


def points_of(pieces: Pieces) -> int:
    """The total value of the pieces."""
    return sum([value * number for value, number in pieces])


def parse_chip_set(text: str, _seats: int = 0) -> str:
    """Returns the canonical text of a set of chips of one colour. Raises EntryError unless the set
    is worth 150 points and has at least two fives."""
    pieces = parse_pieces(text)
    if points_of(pieces) != STOCK_POINTS:
        raise EntryError(
            "{text} is worth {points}: a colour has {stock} points",
            text=text,
            points=points_of(pieces),
            stock=STOCK_POINTS,
        )
    if dict(pieces).get(5, 0) < 2:
        raise EntryError("{text} has too few fives: change needs at least two", text=text)
    return format_pieces(pieces)


@dataclass(frozen=True, slots=True)
class Exchange:
    """The chips of `colour` that move in one payment: `over` from its stock to the seat that it
    pays, `back` as change (if points are taken back, `over` is the change). Both are empty if an
    unusual set of chips can't make the change; a later payment makes up for it."""

    colour: Seat
    over: Pieces
    back: Pieces


@dataclass(frozen=True, slots=True)
class Stock:
    """The chips of one colour: `home` in its own seat's stock, `away` with the seat that it pays.
    `points` is the recorded value of the stock; the pieces at home are worth more or less than that
    if change was missing."""

    points: int
    home: Pieces
    away: Pieces

    def move(self, points: int) -> tuple["Stock", Pieces, Pieces]:
        """The stock after paying `points` (negative: getting them back), the pieces that were paid,
        and those that came back as change."""
        home, away, over, back = _pay_with_fewest(
            points_of(self.home) - self.points + points, self.home, self.away
        )
        return Stock(self.points - points, home, away), over, back


def find_exchange(was: Stock, now: Stock) -> tuple[Pieces, Pieces]:
    """Compares a seat's stock before (`was`) and after (`now`). Returns the pieces that left it,
    and those that came back."""
    there = dict(now.home)
    left = [(value, number - there[value]) for value, number in was.home]
    over = tuple((value, number) for value, number in left if number > 0)
    return over, tuple((value, -number) for value, number in left if number < 0)


@lru_cache(maxsize=4096)
def _pay_with_fewest(
    points: int, home: Pieces, away: Pieces
) -> tuple[Pieces, Pieces, Pieces, Pieces]:
    """The pieces at home and away after paying `points` with the fewest pieces, and the pieces that
    moved over and back."""
    moved = _fewest_pieces(points, home, away) or (0,) * len(home)
    return (
        tuple((v, n - m) for (v, n), m in zip(home, moved, strict=True)),
        tuple((v, n + m) for (v, n), m in zip(away, moved, strict=True)),
        tuple((v, m) for (v, _), m in zip(home, moved, strict=True) if m > 0),
        tuple((v, -m) for (v, _), m in zip(home, moved, strict=True) if m < 0),
    )


def _fewest_pieces(points: int, home: Pieces, away: Pieces) -> tuple[int, ...] | None:
    """Returns the number of pieces of each denomination with which to pay `points`; a negative
    number of pieces comes back as change. Chooses the fewest pieces and, among equals, the least
    change. None if no pieces add up to `points`."""

    def ways(at: int, left: int) -> Iterator[tuple[int, ...]]:
        if at == len(home):
            if left == 0:
                yield ()
            return
        value, most, least = home[at][0], home[at][1], -away[at][1]
        if at == len(home) - 1:
            number, rest = divmod(left, value)
            if rest == 0 and least <= number <= most:
                yield (number,)
            return
        for number in range(least, most + 1):
            for others in ways(at + 1, left - number * value):
                yield (number, *others)

    return min(
        ways(0, points),
        key=lambda way: (sum(map(abs, way)), sum(abs(n) for n in way if (n < 0) == (points > 0))),
        default=None,
    )


@dataclass(frozen=True, slots=True)
class Chips:
    """The chips of all colours."""

    stocks: BySeat[Stock]

    @classmethod
    def full(cls, seats: Seats, chip_set: str) -> "Chips":
        """The chips at the start, with each colour's whole set in its own seat's stock."""
        home = parse_pieces(chip_set)
        away = tuple((value, 0) for value, _ in home)
        return cls(BySeat.all(seats, Stock(points_of(home), home, away)))

    def payer_of(self, seat: Seat) -> Seat:
        """The seat that pays when `seat` scores."""
        return self.stocks.seats.moved(seat, -places_to_payer(len(self.stocks.seats)))

    def payee_of(self, seat: Seat) -> Seat:
        """The seat that `seat` normally pays (the reverse of `payer_of`). Exists only in games with
        chips: where points are written down, players don't pay each other."""
        return self.stocks.seats.moved(seat, places_to_payer(len(self.stocks.seats)))

    def left(self, seat: Seat) -> int:
        """The points in the seat's own stock, with which it can still pay: 0 to 150."""
        return self.stocks[seat].points

    def won_from(self, seat: Seat) -> int:
        """The points of the seat's colour that were won from it."""
        return STOCK_POINTS - self.stocks[seat].points

    def pay(self, seat: Seat, points: int) -> tuple["Chips", Exchange]:
        """The chips after the seat has paid `points` from its stock to the seat that it pays
        (negative points come back), and the pieces that moved. `points` is a multiple of five, from
        −won_from(seat) to left(seat)."""
        stock, over, back = self.stocks[seat].move(points)
        return Chips(self.stocks.put(seat, stock)), Exchange(seat, over, back)

    def whole_set(self, seat: Seat) -> dict[int, int]:
        """The colour's whole set: the number of pieces of each value, home and away together."""
        away = dict(self.stocks[seat].away)
        return {value: number + away[value] for value, number in self.stocks[seat].home}

    def recount(self, seat: Seat, home: Pieces) -> "Chips":
        """The chips after an audit, with the pieces in the seat's own stock replaced by those
        counted. `home` must be pieces of the colour's set, and be worth as much as the recorded
        stock."""
        stock, whole = self.stocks[seat], self.whole_set(seat)
        counted = dict(home)
        here = tuple((value, counted.get(value, 0)) for value in whole)
        away = tuple((value, whole[value] - counted.get(value, 0)) for value in whole)
        return Chips(self.stocks.put(seat, Stock(stock.points, here, away)))
