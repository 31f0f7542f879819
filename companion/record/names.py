"""The names that a seat may have, so that a tally line can start with them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, get_args

from companion.core.errors import EntryError
from companion.core.seats import COLOUR_NAMES, Seat
from companion.core.words import composed, is_visible_text, known_spelling, same_name
from companion.games.game import AnyGame, Entry
from companion.record.rows import PlayerRenamed

HEADER_WORDS = ("tally", "game", "seats", "option", "date", "match")
FORMAT_WORDS = frozenset(
    [
        *HEADER_WORDS,
        *("hand", "lead", "redeal", "ends", "count", "draw", "return", "pass", "misdraw", "out"),
        *("blocked", "bogus", "by", "turn", "holds", "pips", "rule", "clear", "chips", "audit"),
        *("end", "big-6"),
    ]
)
"""The words of the tally format for all games."""


def name_fault(name: str, game: AnyGame | None = None) -> EntryError | None:
    """Returns why a seat can't be called `name`; None if it can."""
    if name.split() != [name]:
        return EntryError(
            "“{name}” is not one word: a seat's name is one word, with _ for a space", name=name
        )
    if "#" in name:
        return EntryError(
            "{name} has a # in it: that starts a comment; choose another name", name=name
        )
    if not is_visible_text(name):
        return EntryError("the seat's name has an invisible character: use letters")
    kinds = game.entries if game else ()
    own = {word for kind in kinds for word in (*kind.words, *kind.clauses)}
    if name.lower() in FORMAT_WORDS | own:
        return EntryError(
            "{name} is a word of the tally: choose another name for the seat", name=name
        )
    return None


def parse_renaming(text: str, known: Iterable[str] = ()) -> PlayerRenamed:
    """Reads a renaming. `Ann Anna`: Ann's games count as Anna's from now on; `Ann Ann`: they count
    as Ann's own again. `known`: names in use, whose spelling is kept. Raises EntryError."""
    match text.split():
        case [name, to]:
            row = renaming_as_kept(PlayerRenamed(name, to), known)
        case _:
            raise EntryError(
                "“{text}” is not two names, the old one and the new one", text=text[:40]
            )
    if fault := rename_fault(row):
        raise fault
    return row


def renaming_as_kept(row: PlayerRenamed, known: Iterable[str] = ()) -> PlayerRenamed:
    """The renaming with both names in stored spelling (core/words.py). Renaming a name to itself is
    allowed if its encoding changes."""
    name = row.name if same_name(row.name, row.to) else known_spelling(row.name, known)
    return PlayerRenamed(name, composed(row.to) if row.to != row.name else row.to)


def rename_fault(row: PlayerRenamed) -> EntryError | None:
    """Why this renaming isn't possible; None if it is."""
    if row.to in COLOUR_NAMES or row.name in COLOUR_NAMES:
        return EntryError("a colour is not a player: give a name")
    return name_fault(row.to)


_REMOVED = "removed-name."


def removal_setting(name: str) -> str:
    """The name of the setting that removes `name` from the names offered for seats. Its value is
    the number of the newest game at that time: a name used in a later game is offered again."""
    return _REMOVED + name


def removed_name(setting: str) -> str | None:
    """The name that a setting removes from those offered for seats; None for other settings."""
    return setting.removeprefix(_REMOVED) if setting.startswith(_REMOVED) else None


def spelled_as_kept(names: Iterable[str], known: Iterable[str]) -> list[str]:
    """Returns the entered names of seats in stored spelling; `known` names keep their spelling."""
    known = tuple(known)
    return [known_spelling(name, known) for name in names]


def check_names(names: Sequence[str], game: AnyGame) -> None:
    """Raises EntryError unless these seats can play the game under these names."""
    if len(names) not in game.players:
        first, last = game.players[0], game.players[-1]
        raise EntryError(
            "{game} is for {first} to {last} players, not {number}",
            game=game.title,
            first=first,
            last=last,
            number=len(names),
        )
    for place, name in enumerate(names):
        if fault := name_fault(name, game):
            raise fault
        if name in names[:place]:
            raise EntryError("two seats are called {name}: give each its own name", name=name)


def with_seats_renamed(entry: Entry, names: Mapping[str, str]) -> Entry:
    """The entry with each seat in `names` renamed; other seats stay."""
    changed: dict[str, Any] = {}
    same: Any = entry
    for field in fields(same):
        value = getattr(entry, field.name)
        if (field.type is Seat or Seat in get_args(field.type)) and value in names:
            changed[field.name] = Seat(names[value])
    new: Entry = replace(same, **changed) if changed else same
    return new
