"""The entries that are possible now, for pages (as JSON) and for the box's screens. `ExpectedEntry`
is what the table waits for; an `Act` is an entry that takes a single key or tap. Both contain only
what the rules accept. If a part of an entry is still open, such as what a tile captures, where it
is played or how many tiles are new, `OpenQuestion`s offer the answers."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from companion.core.errors import RuleError
from companion.core.seats import Seat
from companion.core.values import Json
from companion.games.entries import BogusCalled, CallRuled, HandDealt
from companion.games.game import AnyGame, AnyState, Entry
from companion.games.house_rules import Value
from companion.games.round import Round, Stage
from companion.games.tiles import Tile, TileSet
from companion.presentation.sayings import say
from companion.record.journal import Journal

# ---------------------------------------------------------------- acts


MAIN = frozenset({
    "called", "out", "forgot-draw", "draw", "draw-of", "pass", "pass-of", "return", "deal",
    "deal-lead", "rule-bogus", "rule-clear", "one-tile", "one-tile-of", "left-uncounted",
})  # fmt: skip
"""Names of the acts that pages show beside the tiles; all others are under “More ways”."""
CAREFUL = frozenset({
    "out", "forgot-draw", "out-early", "out-first", "return", "redeal", "blocked", "misdraw",
    "bogus", "rule-bogus", "rule-clear", "next-hand", "one-tile", "one-tile-of", "finish",
    "left-uncounted", "not-called", "muggins", "wrong-count", "time-up",
})  # fmt: skip
"""Names of the acts that people may regret: a page waits for OK."""


class Act(NamedTuple):
    """An entry that takes a single key or tap.

    `name`: what it does; its words are `key.NAME` in sayings.py. `at`: the place of the earlier
    entry before which it is inserted; None for a new entry. `most`: how many tiles can be drawn
    according to the counts. With 0 the draw waits for OK, because the counts may be wrong; None if
    the act is no draw. `reopens`: whether the hand was over and goes on with this entry."""

    name: str
    entry: Entry
    at: int | None = None
    most: int | None = None
    reopens: bool = False

    @property
    def seats(self) -> Mapping[str, Seat | None]:
        """The seats in the entry: `seat`, and for a call also `by`, the caller."""
        match self.entry:
            case BogusCalled(accused=accused, by=by):
                return {"seat": accused, "by": by}
            case CallRuled(accused=accused):
                return {"seat": accused}
            case HandDealt(lead=lead) if lead:
                return {"seat": lead}
        said_by = self.entry.named_seat
        return {} if said_by is None else {"seat": said_by}

    @property
    def seat(self) -> Seat | None:
        """The seat that the entry is mainly about; None if there is none."""
        return self.seats.get("seat")

    def json(self) -> Json:
        return {
            "name": self.name,
            "entry": str(self.entry),
            "label": say(f"key.{self.name}", **self.seats),
            "main": self.name in MAIN and not self.reopens,
            "careful": self.name in CAREFUL or self.most == 0 or self.reopens,
            "deed": "enter" if self.at is None else "insert",
            "at": self.at or 0,
            "most": None if self.reopens else self.most,
            **self.seats,
        }


def accepted_acts(game: AnyGame, state: AnyState, acts: Iterable[Act]) -> Iterator[Act]:
    """Returns those of the acts that the rules accept now."""
    return (
        act
        for act in acts
        if type(act.entry) in game.entries and is_accepted(game, state, act.entry)
    )


def is_accepted(game: AnyGame, state: AnyState, entry: Entry) -> bool:
    with suppress(RuleError):
        game.apply(state, entry)
        return True
    return False


def deal_acts(state: AnyState, *, lead_is_open: bool) -> Iterator[Act]:
    """Yields the acts that deal the next hand. With `lead_is_open` there is also one for each seat
    that may lead."""
    yield Act("deal", HandDealt())
    if lead_is_open:
        yield from (Act("deal-lead", HandDealt(seat)) for seat in state.seats)


# ---------------------------------------------------------------- forgotten
# Without a forgotten draw, the counts make a seat look as if it were out. The box and pages offer
# to insert the draw.


def seems_out(now: Round | None) -> Seat | None:
    """Returns the seat that has played all its tiles according to the counts; None if there is no
    such seat, or if an entry already shows that it went out."""
    return now.out if now and now.stage is Stage.OUT and not now.confirmed else None


# ---------------------------------------------------------------- keys

LAID, FITS, FREE, APART = "laid", "fits", "free", "apart"
"""The states of a tile. LAID: on the table, or taken; FITS: it fits or captures something; FREE: it
may be played, but captures nothing; APART: it fits nowhere."""
LAY, SHOW, COLLECT, NUMBER, ROW = "lay", "show", "collect", "number", "row"
"""The kinds of entry that the table may wait for. LAY: a tile to play; SHOW: a seat's holding;
COLLECT: several tiles in order; NUMBER: a number; ROW: a row by its name."""
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
"""The JSON for pages when nothing can be entered (docs/telling.md)."""


# ---------------------------------------------------------------- what the table waits for


class ExpectedNumber(NamedTuple):
    """A number from 0 to `most` that completes an entry, written between `before` and `after`.
    `{seat}` in `before` is the seat that enters it. `digits`: whether each digit is a number of its
    own, as for open ends. `step`: the number has to be a multiple of it; 0 is allowed only if
    `step` is 1."""

    name: str
    before: str
    most: int
    digits: bool = False
    after: str = ""
    step: int = 1

    def json(self) -> Json:
        label = say(f"key.{self.name}")
        return {
            "name": self.name,
            "before": self.before,
            "most": self.most,
            "digits": self.digits,
            "label": label,
            **({"step": self.step} if self.step > 1 else {}),
        }


class ExpectedTiles(NamedTuple):
    """Several tiles that complete an entry, written after `before`, in which `{seat}` is the seat
    that enters them. `number`: how many tiles (None for any number). `turns`: whether a tile has an
    upper half, and so can be turned over while it is entered."""

    name: str
    before: str
    number: int | None = None
    turns: bool = False

    def json(self) -> Json:
        label = say(f"key.{self.name}")
        return {"before": self.before, "number": self.number, "turns": self.turns, "label": label}


class ExpectedRow(NamedTuple):
    """A row of High Five! with tiles: its name in the tally, its name for people, and its
    points."""

    name: str
    words: str
    points: int

    def json(self) -> Json:
        label = say("key.row-worth", row=self.words, points=self.points)
        return {"name": self.name, "before": f"{{seat}} row {self.name}", "label": label}


class OtherEntryWay(NamedTuple):
    """Another way to enter a game. `setting`: the text of the setting that switches to it."""

    name: str
    setting: str

    def json(self) -> Json:
        return {"text": self.setting, "label": say(f"key.way-{self.name}")}


class ExpectedEntry(NamedTuple):
    """The entry that the table waits for.

    `asks`: the kind of entry, one of LAY … ROW; None for nothing. `seat`: the seat that enters it;
    None for any. `seats`: all seats that may enter it; if empty, `seat` alone, or any seat.
    `tiles`: a function that returns the state of each tile (LAID …), called only when needed.
    `fits`: the meaning of FITS in this game, a key `stands.…` of sayings.py. `question`: the
    sentence that prompts for the entry. `collects`: the tiles of COLLECT, ROW or SHOW. `rows`,
    `numbers`: the rows and numbers that can be entered. `way`: another way to enter turns from now
    on."""

    tile_set: str | None = None
    asks: str | None = None
    seat: Seat | None = None
    seats: tuple[Seat, ...] = ()
    question: Json | None = None
    tiles: Callable[[], Mapping[str, str]] = dict
    fits: str = ""
    collects: ExpectedTiles | None = None
    rows: tuple[ExpectedRow, ...] = ()
    numbers: tuple[ExpectedNumber, ...] = ()
    way: OtherEntryWay | None = None

    def number(self, name: str) -> ExpectedNumber | None:
        """Returns the ExpectedNumber with that name; None if it can't be entered now."""
        return next((number for number in self.numbers if number.name == name), None)

    def json(self) -> Json:
        """Returns the keys of NO_KEYS, without `calls`."""
        return {
            "set": self.tile_set,
            "asks": self.asks,
            "question": self.question,
            "seat": self.seat,
            "seats": [*self.seats],
            "tiles": self.tiles(),
            "stands": _tile_state_words(self.fits) if self.fits else {},
            "collects": self.collects and self.collects.json(),
            "rows": [row.json() for row in self.rows],
            "numbers": [number.json() for number in self.numbers],
            "acts": [],
            "way": self.way and self.way.json(),
        }


def _tile_state_words(fits: str) -> Json:
    """Returns the words for each state of a tile."""
    return {
        LAID: say(f"stands.{LAID}"),
        FITS: say(f"stands.{fits}"),
        FREE: say(f"stands.{FREE}"),
        APART: say(f"stands.{APART}"),
    }


def tile_text(tile: Tile) -> str:
    """Returns a tile's name on pages, higher half first."""
    return "-".join(reversed(tile.name.split("-")))


def tile_states(tile_set: TileSet, stands: Mapping[int, str], otherwise: str) -> dict[str, str]:
    """Returns the state of each tile of a set, by its name. It is that of the first mask in
    `stands` that contains the tile, or `otherwise` if none does."""
    return {
        tile_text(tile): next((how for mask, how in stands.items() if tile.bit & mask), otherwise)
        for tile in tile_set.tiles
    }


def with_holdings_expected(
    expected: ExpectedEntry, needed: Sequence[Seat], most_pips: int
) -> ExpectedEntry:
    """Returns a copy of `expected` that waits for the holdings of the `needed` seats, as tiles or
    pips. The first seat is expected, but any of them may go first."""
    return expected._replace(
        asks=SHOW,
        seat=needed[0],
        seats=tuple(needed),
        collects=ExpectedTiles("shows", "{seat} holds"),
        numbers=(ExpectedNumber("pips", "{seat} pips", most_pips),),
    )


# ---------------------------------------------------------------- open questions about an entry


class OpenAnswer(NamedTuple):
    """An answer to an OpenQuestion. `entry`: the entry with this answer; `label`: the words on its
    key; `on`: whether it is chosen now. `more` has further keys for pages: the `tiles` in the
    tableau, the `places` in the building (two fields each) or the `arm` that the answer is about;
    and `under`, a heading for groups of many answers."""

    entry: Entry
    label: Json
    on: bool = False
    more: Mapping[str, Any] = {}

    def json(self) -> Json:
        return {"entry": str(self.entry), "label": self.label, "on": self.on, **self.more}


class OpenQuestion(NamedTuple):
    """A question with several answers, of which one is chosen. Its words are `offer.NAME` in
    sayings.py, with these `parts`."""

    name: str
    answers: tuple[OpenAnswer, ...]
    parts: Mapping[str, object] = {}

    @property
    def label(self) -> Json:
        return say(f"offer.{self.name}", **self.parts)

    def json(self) -> Json:
        options = [answer.json() for answer in self.answers]
        return {"name": self.name, "label": self.label, "options": options}


class OpenEntry(NamedTuple):
    """An incomplete entry. `entry`: the entry that OK would store; None while one of the
    `questions` needs an answer."""

    entry: Entry | None
    questions: tuple[OpenQuestion, ...] = ()

    def question(self, name: str) -> OpenQuestion | None:
        return next((question for question in self.questions if question.name == name), None)


def completed_entry(game: AnyGame, state: AnyState, entry: Entry) -> Entry:
    """Returns the entry, completed with what the rules can derive. Raises RuleError."""
    return game.apply(state, entry).effect.completed or entry


def insist_json(entry: Entry) -> Json:
    """Returns the JSON of the offer to insist on a refused play; `entry` is that play, marked as
    insisted on."""
    return {"label": say("offer.anyway"), "entry": str(entry), "asks": None}


def insist_with_number_json(number: ExpectedNumber) -> Json:
    """Returns the JSON for insisting on a refused play for which digits have to be entered too.
    They are written between the number's `before` and `after`."""
    asked = {**number.json(), "after": number.after}
    return {"label": say("offer.anyway"), "entry": None, "asks": asked}


# ---------------------------------------------------------------- the functions of a game


class GameKeys(NamedTuple):
    """The functions of a game that return what can be entered, on a page and at the box."""

    expected_entry: Callable[[AnyGame, AnyState, Mapping[str, Value]], ExpectedEntry]
    """Returns what the table waits for now, given the table's settings."""
    acts: Callable[[AnyGame, AnyState, Mapping[str, Value]], Iterable[Act]]
    """Returns the entries that take one key now, likeliest first, given the table's settings."""
    open: Callable[[AnyGame, AnyState, Entry, bool], OpenEntry]
    """Returns the entry that OK would store, and its alternatives. The bool is True if only the
    tile was tapped; a choice is then left open. Raises RuleError."""
    insertions: Callable[[Journal[Any]], Iterable[Act]] = lambda _: ()
    """Returns the one-key entries that are inserted before earlier ones."""
    insist: Callable[[AnyGame, AnyState, Entry], Json | None] = lambda *_: None
    """Returns the JSON for insisting on a play that the rules refuse (`anyway`); None if that isn't
    possible."""
    calls: Callable[[AnyGame, AnyState], bool] = lambda *_: False
    """Returns whether bogus plays may be called in this hand, even if there is none to call yet."""

    def json(
        self,
        game: AnyGame,
        state: AnyState,
        settings: Mapping[str, Value],
        insertions: Iterable[Act] = (),
    ) -> Json:
        """Returns the JSON for pages, with every key of NO_KEYS. `insertions`: further acts, which
        insert entries."""
        acts = (*self.acts(game, state, settings), *insertions)
        expected, calls = self.expected_entry(game, state, settings).json(), self.calls(game, state)
        return {**expected, "acts": [act.json() for act in acts], "calls": calls}
