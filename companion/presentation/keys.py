"""What can be keyed now: one answer, which pages get as JSON and the box's screens draw from.

What is asked for now is `AskedNow`; an entry that takes one key is an `Act`. Both hold only what
the rules take. What is still open about an entry comes as `OpenQuestion`s, each with its answers:
what a tile captures, where it lies, how many tiles are new.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

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
LAY, SHOW, COLLECT, NUMBER, ROW = "lay", "show", "collect", "number", "row"
"""What is asked for: a tile of a turn; what a seat holds; several tiles in their order; a number; a
row by its name."""
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
    "calls": False,
    "way": None,
}
"""What pages get where nothing can be keyed: docs/telling.md says what stands there."""


MAIN = frozenset({
    "called", "out", "forgot-draw", "draw", "draw-of", "pass", "pass-of", "return", "deal",
    "deal-lead", "rule-bogus", "rule-clear", "one-tile", "one-tile-of", "left-uncounted",
})  # fmt: skip
"""Acts that have their place beside the tiles; the others are looked for."""
CAREFUL = frozenset({
    "out", "forgot-draw", "out-early", "out-first", "return", "redeal", "blocked", "misdraw",
    "bogus", "rule-bogus", "rule-clear", "next-hand", "one-tile", "one-tile-of", "finish",
    "left-uncounted", "not-called", "muggins", "wrong-count", "time-up",
})  # fmt: skip
"""Acts that one may regret: on a page they wait for OK."""


# ---------------------------------------------------------------- what is asked for


class AskedNumber(NamedTuple):
    """A number, 0 to `most`, makes an entry: it is written between `before` and `after`. `{seat}`
    in `before` is who keys it. `digits`: its digits are several numbers. `step`: it is a multiple
    of this, and not 0 where that is more than 1."""

    name: str
    before: str
    most: int
    digits: bool = False
    after: str = ""
    step: int = 1

    def json(self) -> Json:
        """What pages get of it."""
        label = say(f"key.{self.name}")
        return {
            "name": self.name,
            "before": self.before,
            "most": self.most,
            "digits": self.digits,
            "label": label,
            **({"step": self.step} if self.step > 1 else {}),
        }


class AskedTiles(NamedTuple):
    """Several tiles make an entry, written behind `before`, in which `{seat}` is who keys them.
    `number`: so many, no more and no fewer; `turns`: each has an upper half and may be turned
    over."""

    name: str
    before: str
    number: int | None = None
    turns: bool = False

    def json(self) -> Json:
        """What pages get of it."""
        label = say(f"key.{self.name}")
        return {"before": self.before, "number": self.number, "turns": self.turns, "label": label}


class AskedRow(NamedTuple):
    """A row by its name: what it is called, and its points."""

    name: str
    words: str
    points: int

    def json(self) -> Json:
        """What pages get of it."""
        label = say("key.row-worth", row=self.words, points=self.points)
        return {"name": self.name, "before": f"{{seat}} row {self.name}", "label": label}


class OtherWay(NamedTuple):
    """One of the ways to key a game, by the text of the setting that chooses it."""

    name: str
    setting: str

    def json(self) -> Json:
        """What pages get of it."""
        return {"text": self.setting, "label": say(f"key.way-{self.name}")}


class AskedNow(NamedTuple):
    """What is asked for now. `seat`: whose it is, None: anybody's; `seats`: all who may key it,
    empty: `seat` alone, or anybody. `tiles` says how each tile stands, and is worked out only when
    it is called; `fits`: what to call one that fits, as `stands.FITS` in sayings.py words it.
    `question`: the words of what is asked; `way`: how the game may be keyed instead, from now on.
    """

    tile_set: str | None = None
    asks: str | None = None
    seat: Seat | None = None
    seats: tuple[Seat, ...] = ()
    question: Json | None = None
    tiles: Callable[[], Mapping[str, str]] = dict
    fits: str = ""
    collects: AskedTiles | None = None
    rows: tuple[AskedRow, ...] = ()
    numbers: tuple[AskedNumber, ...] = ()
    way: OtherWay | None = None

    def number(self, name: str) -> AskedNumber | None:
        """The number of that name; None: it can't be keyed now."""
        return next((number for number in self.numbers if number.name == name), None)

    def json(self) -> Json:
        """What pages get of it, with every key of NO_KEYS."""
        return {
            "set": self.tile_set,
            "asks": self.asks,
            "question": self.question,
            "seat": self.seat,
            "seats": [*self.seats],
            "tiles": self.tiles(),
            "stands": _stands(self.fits) if self.fits else {},
            "collects": self.collects and self.collects.json(),
            "rows": [row.json() for row in self.rows],
            "numbers": [number.json() for number in self.numbers],
            "acts": [],
            "way": self.way and self.way.json(),
        }


def _stands(fits: str) -> Json:
    """What to call a tile that stands so."""
    return {
        LAID: say(f"stands.{LAID}"),
        FITS: say(f"stands.{fits}"),
        FREE: say(f"stands.{FREE}"),
        APART: say(f"stands.{APART}"),
    }


def written(tile: Tile) -> str:
    """A tile as pages name it: its higher half first."""
    return "-".join(reversed(tile.name.split("-")))


def tiles_of(tile_set: TileSet, stands: Mapping[int, str], otherwise: str) -> dict[str, str]:
    """How each tile of a set stands: as the first mask of `stands` that holds the tile says, or as
    `otherwise` where none does."""
    return {
        written(tile): next((how for mask, how in stands.items() if tile.bit & mask), otherwise)
        for tile in tile_set.tiles
    }


def shown_by(asked: AskedNow, needed: Sequence[Seat], most_pips: int) -> AskedNow:
    """What `needed` seats hold is asked for, as tiles or as pips: of the first, unless another one
    shows its own."""
    return asked._replace(
        asks=SHOW,
        seat=needed[0],
        seats=tuple(needed),
        collects=AskedTiles("shows", "{seat} holds"),
        numbers=(AskedNumber("pips", "{seat} pips", most_pips),),
    )


# ---------------------------------------------------------------- entries that take one key


class Act(NamedTuple):
    """An entry that takes one key or tap. `name` says what it is for, as `key.NAME` in sayings.py
    words it. `at`: it is put in before the entry at that place; None: it is entered now. `most`:
    how many tiles may be drawn, as far as tiles were counted; with none left the draw waits for OK,
    since the counts may be wrong. None: it is no draw."""

    name: str
    entry: Entry
    at: int | None = None
    most: int | None = None

    @property
    def seats(self) -> Mapping[str, Seat | None]:
        """The seats that it is about: `seat`, and `by` of a call."""
        match self.entry:
            case Called(accused=accused, by=by):
                return {"seat": accused, "by": by}
            case Ruled(accused=accused):
                return {"seat": accused}
            case Dealt(lead=lead) if lead:
                return {"seat": lead}
        said_by = self.entry.said_by
        return {} if said_by is None else {"seat": said_by}

    @property
    def seat(self) -> Seat | None:
        """Whom it is about in the first place; None: nobody."""
        return self.seats.get("seat")

    def json(self) -> Json:
        """What pages get of it."""
        return {
            "name": self.name,
            "entry": str(self.entry),
            "label": say(f"key.{self.name}", **self.seats),
            "main": self.name in MAIN,
            "careful": self.name in CAREFUL or self.most == 0,
            "deed": "enter" if self.at is None else "insert",
            "at": self.at or 0,
            "most": self.most,
            **self.seats,
        }


def taken(game: AnyGame, state: AnyState, acts: Iterable[Act]) -> Iterator[Act]:
    """Those among the acts that the rules take now."""
    return (
        act for act in acts if type(act.entry) in game.entries and is_taken(game, state, act.entry)
    )


def is_taken(game: AnyGame, state: AnyState, entry: Entry) -> bool:
    """Whether the rules take an entry."""
    with suppress(RuleError):
        game.apply(state, entry)
        return True
    return False


def deals(state: AnyState, *, lead_is_open: bool) -> Iterator[Act]:
    """The next hand, and led by each seat where that is the table's choice."""
    yield Act("deal", Dealt())
    if lead_is_open:
        yield from (Act("deal-lead", Dealt(seat)) for seat in state.seats)


# ---------------------------------------------------------------- what is open about an entry


class OpenAnswer(NamedTuple):
    """An answer: the entry as it is then, what stands on its key, and whether it holds now. `more`:
    `tiles` in the tableau, `places` (each two fields of the building) or the `arm` that it is
    about, and `under`: the words under which it is found where answers are many."""

    entry: Entry
    label: Json
    on: bool = False
    more: Mapping[str, Any] = {}

    def json(self) -> Json:
        """What pages get of it."""
        return {"entry": str(self.entry), "label": self.label, "on": self.on, **self.more}


class OpenQuestion(NamedTuple):
    """A question of which one answer holds. `name`: as `offer.NAME` in sayings.py words it with
    these `parts`."""

    name: str
    answers: tuple[OpenAnswer, ...]
    parts: Mapping[str, object] = {}

    @property
    def label(self) -> Json:
        """The question in words."""
        return say(f"offer.{self.name}", **self.parts)

    def json(self) -> Json:
        """What pages get of it."""
        options = [answer.json() for answer in self.answers]
        return {"name": self.name, "label": self.label, "options": options}


class Open(NamedTuple):
    """An entry that was begun, as far as it is said: `entry` is what OK would keep, None while one
    of the questions has still to be answered."""

    entry: Entry | None
    questions: tuple[OpenQuestion, ...] = ()

    def question(self, name: str) -> OpenQuestion | None:
        """The question of that name; None: it is not asked."""
        return next((question for question in self.questions if question.name == name), None)


def whole(game: AnyGame, state: AnyState, entry: Entry) -> Entry:
    """The entry with all that it leaves open and the record knows. Raises RuleError."""
    return game.apply(state, entry).effect.said or entry


def anyway(entry: Entry) -> Json:
    """How the table says that a refused entry lies there all the same: it is written so."""
    return {"label": say("offer.anyway"), "entry": str(entry), "asks": None}


def anyway_with(number: AskedNumber) -> Json:
    """How the table says so where digits belong to it: they are written between its texts."""
    asked = {**number.json(), "after": number.after}
    return {"label": say("offer.anyway"), "entry": None, "asks": asked}


# ---------------------------------------------------------------- what a game gives


class GameKeys(NamedTuple):
    """What a game lets be keyed, on a page and at the box."""

    asked: Callable[[AnyGame, AnyState, Mapping[str, Value]], AskedNow]
    """What is asked for now, by the house's settings."""
    acts: Callable[[AnyGame, AnyState, Mapping[str, Value]], Iterable[Act]]
    """What takes one key now, by the house's settings, the likeliest first."""
    open: Callable[[AnyGame, AnyState, Entry, bool], Open]
    """What OK would keep for an entry, and what else it might be; True: only its tile was tapped,
    so that what belongs to it is still to be chosen, where there is a choice. Raises RuleError."""
    mends: Callable[[Journal[Any]], Iterable[Act]] = lambda _: ()
    """What takes one key and changes what was before."""
    lies: Callable[[AnyGame, AnyState, Entry], Json | None] = lambda *_: None
    """How the table may say that what the rules refuse lies there all the same: see `anyway`. None:
    it may not."""
    calls: Callable[[AnyGame, AnyState], bool] = lambda *_: False
    """Whether bogus plays are called in this hand, though there may be none to call yet."""

    def json(
        self,
        game: AnyGame,
        state: AnyState,
        settings: Mapping[str, Value],
        mends: Iterable[Act] = (),
    ) -> Json:
        """What pages get of it: every key of NO_KEYS."""
        acts = (*self.acts(game, state, settings), *mends)
        asked, calls = self.asked(game, state, settings).json(), self.calls(game, state)
        return {**asked, "acts": [act.json() for act in acts], "calls": calls}
