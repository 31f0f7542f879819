"""Who is behind a seat's name.

A name is a player; a colour never is. What people said of names since (two spellings of one, a name
that is not to be seen) is rows of the record, and changes nobody's game.
"""

from collections.abc import Mapping
from dataclasses import field

from companion.seats import COLOURS, MORE_COLOURS
from companion.values import dataclass

NO_PEOPLE = frozenset({*COLOURS, *MORE_COLOURS})
"""Names that seats have while nobody is named."""


@dataclass(frozen=True, slots=True)
class People:
    """How names are to be read. `called`: what a name counts as; `hidden`: who is nowhere seen."""

    called: Mapping[str, str] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()

    def player(self, seat: str) -> str | None:
        """The player of that seat; None: a colour, or somebody hidden."""
        name, seen = seat, {seat}
        while (name := self.called.get(name, name)) not in seen:
            seen.add(name)
        return None if name in NO_PEOPLE or name in self.hidden else name
