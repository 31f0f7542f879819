"""Places and directions on the table: x grows to the right, y downwards."""

from typing import NamedTuple


class Vector(NamedTuple):
    """A place on the table, or a direction on it as a vector of length 1."""

    x: int
    y: int

    def moved(self, heading: "Vector", by: int) -> "Vector":
        """The place `by` further in that direction."""
        return Vector(self.x + heading.x * by, self.y + heading.y * by)

    @property
    def back(self) -> "Vector":
        """The opposite direction; of a place, the place after half a turn about the led tile."""
        return Vector(-self.x, -self.y)

    @property
    def quarter(self) -> "Vector":
        """The vector turned clockwise by a quarter: right becomes down, up becomes right."""
        return Vector(-self.y, self.x)


LEFT, RIGHT, UP, DOWN = Vector(-1, 0), Vector(1, 0), Vector(0, -1), Vector(0, 1)
