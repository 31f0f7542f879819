"""The drawing of who pays whom at a table of two, three and four: arrows lead from the payer to the
seat that has scored."""

from math import hypot

from companion.core.seats import COLOURS, Seat, Seats
from companion.games.chips import Chips
from companion.games.high_five import CHIP_SETS
from companion.presentation.drawing.svg import (
    UNIT,
    Bounds,
    coordinate,
    rectangle,
    svg_drawing,
    text_at,
)

AWAY = 6.6, 5.2
"""From the middle of a table to a seat: how far across and along, in quarters of a tile."""
APART = 20.5
"""The distance between the middles of two tables, in quarters of a tile."""
SEAT = 5.2, 2.4
"""The width and height of a seat in the drawing."""
SITS = {2: "we", 3: "wne", 4: "swne"}
"""Where the seats sit in turn order: clockwise, seen from above."""
TOWARDS = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)}
HEAD, SHAFT, BESIDE = 1.5, 0.26, 0.6
"""An arrow's head, half of its shaft, and how far it is moved aside from one that leads back."""

Point = tuple[float, float]


def draw_who_pays() -> str:
    """The three tables side by side, as a drawing without a page around it."""
    tables = [Seats.of(*COLOURS[:number]) for number in (2, 3, 4)]
    drawn = "".join(_table(seats, (APART * at, 0)) for at, seats in enumerate(tables))
    seen = Bounds(-APART / 2, -7.2, APART * (len(tables) - 0.5), 7.2)
    words = " ".join(map(who_pays, tables))
    return svg_drawing(drawn, seen, "Who pays whom", words, stand_alone=True)


def chips(seats: Seats) -> Chips:
    """The chips with which these seats begin."""
    return Chips.full(seats, CHIP_SETS[0])


def who_pays(seats: Seats) -> str:
    """For example “Of three: Red pays Blue, Blue pays Green, Green pays Red.”"""
    number = {2: "two", 3: "three", 4: "four"}[len(seats)]
    pays = ", ".join(f"{seat} pays {chips(seats).payee_of(seat)}" for seat in seats)
    return f"Of {number}: {pays}."


def _table(seats: Seats, middle: Point) -> str:
    """A table with its seats, and an arrow from each seat to the one that it pays."""
    places = {
        seat: (middle[0] + AWAY[0] * TOWARDS[way][0], middle[1] + AWAY[1] * TOWARDS[way][1])
        for seat, way in zip(seats, SITS[len(seats)], strict=True)
    }
    x, y = (value * UNIT for value in middle)
    parts = [rectangle("outline", (x, y), 7.6 * UNIT, 7.6 * UNIT, 8)]
    parts += [_arrow(places[seat], places[chips(seats).payee_of(seat)]) for seat in seats]
    return "".join([*parts, *(_seat(seat, place) for seat, place in places.items())])


def _seat(seat: Seat, place: Point) -> str:
    x, y = (value * UNIT for value in place)
    wide, high = (value * UNIT for value in SEAT)
    return f"{rectangle('face', (x, y), wide, high, 5)}{text_at('numeral', x, y, 12, seat)}"


def _arrow(payer: Point, scorer: Point) -> str:
    """An arrow from `payer` to `scorer`, a little to one side, so that an arrow back lies beside
    it."""
    length = hypot(scorer[0] - payer[0], scorer[1] - payer[1])
    ahead = ((scorer[0] - payer[0]) / length, (scorer[1] - payer[1]) / length)
    left = (-ahead[1], ahead[0])
    begin = _moved(_moved(payer, left, BESIDE), ahead, _margin(ahead))
    end = _moved(_moved(scorer, left, BESIDE), ahead, -_margin(ahead))
    neck = _moved(end, ahead, -HEAD)
    outline = [
        *(_moved(at, left, SHAFT) for at in (begin, neck)),
        _moved(neck, left, HEAD / 2),
        end,
        _moved(neck, left, -HEAD / 2),
        *(_moved(at, left, -SHAFT) for at in (neck, begin)),
    ]
    points = "L".join(f"{coordinate(x * UNIT)} {coordinate(y * UNIT)}" for x, y in outline)
    return f'<path class="mark" d="M{points}z"/>'


def _margin(ahead: Point) -> float:
    """The distance from the middle of a seat at which an arrow in the direction `ahead` begins and
    ends, so that it touches only the seat's edge."""
    wide, high = SEAT
    return min(wide / 2 / max(abs(ahead[0]), 0.01), high / 2 / max(abs(ahead[1]), 0.01)) + 0.4


def _moved(point: Point, way: Point, by: float) -> Point:
    return point[0] + way[0] * by, point[1] + way[1] * by
