"""What can be keyed now, as pages get it: the parts that every game's keys are made of.

Offered is what the rules take. What is still open about an entry is offered with its preview, as
`offers` (see `group`): what a tile captures, where it lies, how many tiles are new.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from companion.core.errors import RuleError
from companion.core.seats import Seat
from companion.core.values import Json
from companion.games.entries import Dealt
from companion.games.game import AnyGame, AnyState, Entry
from companion.games.options import Value
from companion.games.penalties import Called, Ruled
from companion.games.tiles import Tile, TileSet
from companion.presentation.sayings import say
from companion.record.journal import Journal

LAID, FITS, FREE, APART = "laid", "fits", "free", "apart"
"""How a tile stands: it lies there or is gone; it fits, or captures something; it may be laid and
does nothing besides; it fits nowhere."""
NO_KEYS: Json = {
    "set": None,
    "asks": None,
    "question": None,
    "seat": None,
    "seats": [],
    "tiles": {},
    "stands": {},
    "collects": None,
    "rows": [],
    "numbers": [],
    "acts": [],
}
"""Every key, nothing in it: docs/telling.md says what stands there. In what is written before tiles
and numbers `{seat}` is who keys them."""


MAIN = frozenset({
    "out", "forgot-draw", "draw", "draw-of", "pass", "pass-of", "return", "deal", "deal-lead",
    "rule-bogus", "rule-clear", "one-tile", "one-tile-of", "left-uncounted",
})  # fmt: skip
"""Acts that have their place beside the tiles; the others are looked for."""
CAREFUL = frozenset({
    "out", "forgot-draw", "out-early", "out-first", "return", "redeal", "blocked", "misdraw",
    "bogus", "rule-bogus", "rule-clear", "next-hand", "one-tile", "one-tile-of", "finish",
    "left-uncounted",
})  # fmt: skip
"""Acts that one may regret: they wait for OK."""


class Open(NamedTuple):
    """An entry that was begun, as far as it is said: `entry` is what OK would keep, None while
    something has still to be chosen from the `groups`."""

    entry: Entry | None
    groups: tuple[Json, ...] = ()


class GameKeys(NamedTuple):
    """What a game lets be keyed on a page."""

    now: Callable[[AnyGame, AnyState, Mapping[str, Value]], Json]
    """The keys of NO_KEYS that have something in them, by the house's settings."""
    open: Callable[[AnyGame, AnyState, Entry, bool], Open]
    """What OK would keep for an entry, and what else it might be; True: only its tile was tapped,
    so that what belongs to it is still to be chosen, where there is a choice. Raises RuleError."""
    mends: Callable[[Journal[object]], Iterable[Json]] = lambda _: ()
    """What takes one tap and changes what was before: see `put_in`."""
    lies: Callable[[AnyGame, AnyState, Entry], Json | None] = lambda *_: None
    """How the table may say that what the rules refuse lies there all the same: see `anyway`. None:
    it may not."""


def whole(game: AnyGame, state: AnyState, entry: Entry) -> Entry:
    """The entry with all that it leaves open and the record knows. Raises RuleError."""
    return game.apply(state, entry).effect.said or entry


def act(name: str, entry: Entry) -> Json:
    """An entry that takes one tap, and what stands on its key."""
    more = {"seat": entry.accused, "by": entry.by} if isinstance(entry, Called) else {}
    if not more and entry.said_by is not None:
        more = {"seat": entry.said_by}
    if isinstance(entry, Dealt) and entry.lead:
        more = {"seat": entry.lead}
    if isinstance(entry, Ruled):
        more = {"seat": entry.accused}
    return {
        "name": name,
        "entry": str(entry),
        "label": say(f"key.{name}", **more),
        "main": name in MAIN,
        "careful": name in CAREFUL,
        "deed": "enter",
        "at": 0,
        **more,
    }


def put_in(name: str, at: int, entry: Entry) -> Json:
    """An act that puts an entry in before the one at place `at`."""
    return {**act(name, entry), "deed": "insert", "at": at}


def taken(
    game: AnyGame, state: AnyState, found: Iterable[tuple[str, Entry]]
) -> Iterator[tuple[str, Entry]]:
    """The entries among `found` that the rules take now."""
    return (
        (name, entry)
        for name, entry in found
        if type(entry) in game.entries and is_taken(game, state, entry)
    )


def is_taken(game: AnyGame, state: AnyState, entry: Entry) -> bool:
    """Whether the rules take an entry."""
    with suppress(RuleError):
        game.apply(state, entry)
        return True
    return False


def deals(state: AnyState, *, lead_is_open: bool) -> Iterator[tuple[str, Entry]]:
    """The next hand, and led by each seat where that is the table's choice."""
    yield "deal", Dealt()
    if lead_is_open:
        yield from (("deal-lead", Dealt(seat)) for seat in state.seats)


def stands(fits: str, apart: str = APART) -> Json:
    """What to call a tile that stands so: `fits` and `apart` name the sayings."""
    return {
        LAID: say(f"stands.{LAID}"),
        FITS: say(f"stands.{fits}"),
        FREE: say(f"stands.{FREE}"),
        APART: say(f"stands.{apart}"),
    }


def written(tile: Tile) -> str:
    """A tile as pages name it: its higher half first."""
    return "-".join(reversed(tile.name.split("-")))


def tiles_of(tile_set: TileSet, stands: Mapping[int, str], otherwise: str) -> dict[str, str]:
    """How each tile of a set stands: those in a mask so, each other one otherwise. Of several masks
    the first counts."""
    return {
        written(tile): next((how for mask, how in stands.items() if tile.bit & mask), otherwise)
        for tile in tile_set.tiles
    }


def collects(name: str, before: str, number: int | None = None, *, turns: bool = False) -> Json:
    """Several tiles make one entry, which is written behind `before`; `number`: so many, no more
    and no fewer; `turns`: each has an upper half and may be turned over."""
    label = say(f"key.{name}")
    return {"before": before, "number": number, "turns": turns, "label": label}


def number(name: str, before: str, most: int, *, digits: bool = False) -> Json:
    """A number makes an entry, written behind `before`; 0 to `most`. `digits`: its digits are
    several numbers."""
    label = say(f"key.{name}")
    return {"name": name, "before": before, "most": most, "digits": digits, "label": label}


def shown_by(needed: Sequence[Seat], most_pips: int) -> Json:
    """What `needed` seats hold is asked for, as tiles or as pips: of the first, unless another one
    shows its own."""
    return {
        "asks": "show",
        "seat": needed[0],
        "seats": [*needed],
        "collects": collects("shows", "{seat} holds"),
        "numbers": [number("pips", "{seat} pips", most_pips)],
    }


# ---------------------------------------------------------------- what is open about an entry


def group(name: str, options: Iterable[Json], **parts: object) -> Json:
    """Several answers to one question, of which one holds."""
    return {"name": name, "label": say(f"offer.{name}", **parts), "options": [*options]}


def anyway(entry: Entry) -> Json:
    """How the table says that a refused entry lies there all the same: it is written so."""
    return {"label": say("offer.anyway"), "entry": str(entry), "asks": None}


def anyway_with(name: str, before: str, after: str, most: int) -> Json:
    """How the table says so where digits belong to it: they are written between those texts."""
    asked = {**number(name, before, most, digits=True), "after": after}
    return {"label": say("offer.anyway"), "entry": None, "asks": asked}


def option(entry: Entry, label: Json, *, on: bool = False, **more: object) -> Json:
    """An answer: the entry as it is then, what stands on its key, and whether it holds now. `more`:
    `tiles` in the tableau, `places` (each two fields of the building) or the `arm` that it is
    about, and `under`: the words under which it is found where answers are many."""
    return {"entry": str(entry), "label": label, "on": on, **more}
