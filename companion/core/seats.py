"""The seats of a game and values for each of them.

Seats are listed in turn order: in most games each next seat sits to the left (clockwise round the
table), so the seat before sits to the right; in some it is the other way round (Game.clockwise).
A seat is known by its name; until players are named, by the colour of its chips.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Generic, NewType, TypeVar

from companion.core.values import dataclass

Seat = NewType("Seat", str)
T = TypeVar("T")
U = TypeVar("U")

COLOURS = ("Red", "Blue", "Green", "Yellow")
MORE_COLOURS = ("Black", "White", "Orange", "Pink")
"""Further colours for games with more than four seats, which have no chips."""
COLOUR_NAMES = frozenset({*COLOURS, *MORE_COLOURS})
"""The names of seats before their players are named."""


def in_turn_order(places: tuple[str, ...], *, clockwise: bool) -> tuple[str, ...]:
    """The places round a table in turn order (see Game.clockwise), from places given clockwise as
    seen from above. The first place stays first."""
    return places if clockwise else places[:1] + places[:0:-1]


def display_name(name: str) -> str:
    """The seat's name as people read it."""
    return name.replace("_", " ")


@dataclass(frozen=True, slots=True)
class Seats:
    """The seats of a game in turn order: at least two, with different names."""

    order: tuple[Seat, ...]

    def __post_init__(self) -> None:
        if len(self.order) < 2:
            raise ValueError("a game needs at least two seats")
        if len({*self.order}) < len(self.order):
            twice = next(name for name in self.order if self.order.count(name) > 1)
            raise ValueError(f"two seats are called {twice}: give each its own name")

    @classmethod
    def of(cls, *names: str) -> "Seats":
        """Returns the seats with these names: Seats.of("Red", "Blue")."""
        return cls(tuple(Seat(name) for name in names))

    def __iter__(self) -> Iterator[Seat]:
        return iter(self.order)

    def __len__(self) -> int:
        return len(self.order)

    def __contains__(self, seat: object) -> bool:
        return seat in self.order

    def left_of(self, seat: Seat) -> Seat:
        """The seat whose turn comes next."""
        return self.moved(seat, 1)

    def moved(self, seat: Seat, places: int) -> Seat:
        """Returns the seat `places` later in turn order, or earlier if `places` is negative."""
        return self.order[(self.order.index(seat) + places) % len(self.order)]

    def right_of(self, seat: Seat) -> Seat:
        """The seat whose turn came before."""
        return self.order[self.order.index(seat) - 1]


def places_to_payer(seats: int) -> int:
    """How many places to the right of a seat its payer sits, at a table of `seats` seats that plays
    for chips: at two the opponent, at three the right-hand neighbour, at four the seat opposite
    (rulebook, "Games with more than two players")."""
    return 2 if seats == 4 else 1


@dataclass(frozen=True, slots=True)
class BySeat(Generic[T]):
    """One value for each seat, in turn order. It is immutable: `put`, `map` and `reseated` make a
    new BySeat."""

    seats: Seats
    values: tuple[T, ...]

    @classmethod
    def all(cls, seats: Seats, value: T) -> "BySeat[T]":
        """A BySeat with `value` for every seat."""
        return cls(seats, (value,) * len(seats))

    @classmethod
    def make(cls, seats: Seats, make: Callable[[Seat], T]) -> "BySeat[T]":
        """One value for each seat, made by calling `make` with the seat."""
        return cls(seats, tuple(make(seat) for seat in seats))

    @classmethod
    def of(cls, seats: Seats, values: Mapping[Seat, T]) -> "BySeat[T]":
        """The values of a mapping with every seat as a key; raises KeyError if one is missing."""
        return cls(seats, tuple(values[seat] for seat in seats))

    def reseated(self, seats: Seats) -> "BySeat[T]":
        """A BySeat with each seat's value, in the turn order of `seats`."""
        return BySeat(seats, tuple(self[seat] for seat in seats))

    def __getitem__(self, seat: Seat) -> T:
        return self.values[self.seats.order.index(seat)]

    def put(self, seat: Seat, value: T) -> "BySeat[T]":
        """A copy with another value for `seat`."""
        values = [*self.values]
        values[self.seats.order.index(seat)] = value
        return BySeat(self.seats, tuple(values))

    def items(self) -> Iterator[tuple[Seat, T]]:
        """Pairs of seat and value, in turn order."""
        return zip(self.seats.order, self.values, strict=True)

    def map(self, change: Callable[[T], U]) -> "BySeat[U]":
        """A BySeat with the function applied to each value."""
        return BySeat(self.seats, tuple(change(value) for value in self.values))


def seat_colours(chips: BySeat[str]) -> BySeat[str]:
    """Returns the colour in which each seat is shown: the colour of its `chips`. In a game with
    more seats than chip colours, a seat named after a colour has that colour, and the others get
    the rest in turn order; a ninth seat gets none (“”)."""
    if all(chips.values):
        return chips
    colours = (*COLOURS, *MORE_COLOURS)
    free = iter([colour for colour in colours if colour not in chips.seats.order])
    return BySeat.make(chips.seats, lambda seat: seat if seat in colours else next(free, ""))


def chip_colours(seats: Seats, header: str = "") -> BySeat[str]:
    """The colour of each seat's chips. If `header` has a different word for each seat, in turn
    order, these are the colours. Otherwise a seat named after a colour has that colour, and the
    others get the rest of COLOURS in turn order; a fifth seat gets none (“”)."""
    words = header.split()
    if len(words) == len(seats) and len(set(words)) == len(words):
        return BySeat(seats, tuple(words))
    free = [colour for colour in COLOURS if colour not in seats.order]
    unnamed = [seat for seat in seats if seat not in COLOURS]
    given = dict(zip(unnamed, free, strict=False))
    return BySeat.make(seats, lambda seat: seat if seat in COLOURS else given.get(seat, ""))
