"""Entries that somebody at the table wants to remember.

A star is a setting of its own, as a game's name is: it changes no game, and who is just keying need
not look again. It names its entry by what stays when earlier ones are changed: the game, the hand,
the entry's text, and which one it is of those that read the same in that hand.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from companion.core.errors import EntryError
from companion.core.values import dataclass
from companion.games.game import AnyState, Entry
from companion.games.options import Value
from companion.record.rows import Setting

ON, OFF = "on", "off"
LONGEST: Final = 200
"""Characters of a star's name."""
_STAR: Final = "star."
_NAME: Final = re.compile(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})\.(\S.*)")


@dataclass(frozen=True, slots=True)
class Star:
    """An entry of a hand of that game (hand 0: before the first), and which one it is of those that
    read so there, counted from 1."""

    game: int
    hand: int
    which: int
    entry: str

    def __str__(self) -> str:
        return f"{self.game}.{self.hand}.{self.which}.{self.entry}"


def star_setting(text: str) -> Setting:
    """`on 4.2.1.Red 6-3`: that entry is to be remembered; `off …`: no longer. Raises EntryError."""
    value, _, name = text.strip().partition(" ")
    if value not in (ON, OFF) or _star(name) is None or len(name) > LONGEST:
        raise EntryError("“{text}” is no entry to be remembered", text=text[:40])
    return Setting(_STAR + name, value)


def stars_of(settings: Mapping[str, Value]) -> Iterator[Star]:
    """What is to be remembered, in the order in which it was first marked."""
    for name, value in settings.items():
        if name.startswith(_STAR) and value == ON and (star := _star(name.removeprefix(_STAR))):
            yield star


def star_of(setting: str) -> Star | None:
    """The entry that such a setting is about; None for other settings."""
    return _star(setting.removeprefix(_STAR)) if setting.startswith(_STAR) else None


def _star(name: str) -> Star | None:
    found = _NAME.fullmatch(name)
    if found is None or not name.isprintable():
        return None
    game, hand, which, entry = found.groups()
    return Star(int(game), int(hand), int(which), entry)


def names_for_stars(
    game: int, steps: Iterable[tuple[int, Entry, AnyState]]
) -> Iterator[tuple[int, Star]]:
    """The place of each entry and the star that it would have; `steps` (place, entry, state after
    it) begin with the first of a hand."""
    seen = dict[tuple[int, str], int]()
    for place, entry, state in steps:
        alike = state.effect.hand, str(entry)
        seen[alike] = seen.get(alike, 0) + 1
        yield place, Star(game, alike[0], seen[alike], alike[1])
