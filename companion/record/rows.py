"""The rows of the record, in which everything is stored, each as one line of JSON.

Rows are only added, never changed or removed. Folding a game's rows in order (journal.py) gives its
present state.

`{"v": 2, "kind": "step", "entries": ["Red 5-6"]}`: entries are stored only as their tally text.
Rows are never rewritten: a row of an older version is upgraded on reading, one version at a time,
by UPGRADES. A row of a newer version is refused, never skipped, as the game would be a different
one without it."""

import json
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from companion.core.errors import EntryError
from companion.core.json_text import read_json
from companion.core.seats import BySeat, Seat, Seats, chip_colours
from companion.core.values import Json, dataclass
from companion.games.game import RULES, AnyGame, Entry, parse_entry
from companion.games.house_rules import Value
from companion.record.match import MATCH_WORD, PARTNERS, WON_WORD, MatchGame
from companion.record.store.database import NewerError

COLOURS_WORD = "colours"
"""The header word for the colours of the seats' chips, in turn order."""

EVENT_WORD = "event"
"""The header word for a game's place in an event, as in `event 4.3.7`: event
4, round 3, table 7."""


@dataclass(frozen=True, slots=True)
class GameOpened:
    """Begins a new game; always its first row. `after`: the number of the game of which it is a
    rematch; `words`: further tally header words (`date`, and any others that were read); `rules`:
    the version of the rules for the whole game; `evening`: the number of the game before it on the
    same evening (None if it is the evening's first)."""

    game: str
    seats: Seats
    options: Mapping[str, Value]
    after: int | None = None
    words: tuple[tuple[str, str], ...] = ()
    rules: int = RULES
    evening: int | None = None

    @property
    def match(self) -> MatchGame | None:
        """The game's place in a match; None if it belongs to none. Raises EntryError."""
        of, words = int(self.options.get(MATCH_WORD, 1)), dict(self.words)
        if MATCH_WORD in self.options and MATCH_WORD in words:
            partners = self.options.get(PARTNERS) == "on"
            won = words.get(WON_WORD, "")
            return MatchGame.read(words[MATCH_WORD], won, self.seats, partners=partners)
        return MatchGame(1, of, BySeat.all(self.seats, 0)) if of > 1 else None

    @property
    def colours(self) -> BySeat[str]:
        """The colour of each seat's chips; empty for a seat without one."""
        return chip_colours(self.seats, dict(self.words).get(COLOURS_WORD, ""))


def colours_header(colours: BySeat[str]) -> tuple[tuple[str, str], ...]:
    """The header word for these colours; () if they are the default ones."""
    usual = chip_colours(colours.seats) == colours
    return () if usual else ((COLOURS_WORD, " ".join(colours.values)),)


@dataclass(frozen=True, slots=True)
class Step:
    """Entries that were made together and are taken back together. `joined`: undo takes this step
    back together with the one before."""

    entries: tuple[Entry, ...]
    joined: bool = False


@dataclass(frozen=True, slots=True)
class Undo:
    """Takes back the last change or, in a game without changes, the game itself."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Restores what was taken back last."""


@dataclass(frozen=True, slots=True)
class Amend:
    """Replaces the entry at place `at` (from 0) of the present game with `entries`, or deletes it
    if there are none. `insert`: whether they are inserted before it instead. `later_turns`: how
    many seats to the left (or right, if negative) the later turns of the same hand move, because
    each was entered for the wrong seat. Entries that name seats out of turn, such as holdings and
    calls, stay. The first later entry that is no longer valid is taken back, with all entries after
    it.

    A later call stays with the draw or pass that it names, whatever number that turn has now. A
    call that can't be made any more is taken back alone, with its answers. `calls_stay`: whether
    each call keeps its turn number instead, as in rows of format 2 and before."""

    at: int
    entries: tuple[Entry, ...]
    insert: bool = False
    later_turns: int = 0
    calls_stay: bool = False


@dataclass(frozen=True, slots=True)
class Rewind:
    """Takes back all entries from place `to` on."""

    to: int


@dataclass(frozen=True, slots=True)
class Reseat:
    """Changes the turn order of the game's seats to `seats`."""

    seats: Seats


@dataclass(frozen=True, slots=True)
class PeopleReplaced:
    """Corrects the people at the seats of this game, who were recorded wrongly from its beginning.
    `seats`: the right people, in turn order. All entries stay with their seats, and so become those
    of the right people. Other games are unaffected; if two tables were mixed up, each needs such a
    row."""

    seats: Seats


@dataclass(frozen=True, slots=True)
class Setting:
    """Changes a setting of the box (brightness, flip …). It belongs to no game. The setting for how
    tiles are keyed holds only until the next game is opened (table/session.py)."""

    name: str
    value: Value


TELL_BOGUS = "tell-bogus"
"""The setting for whether a proven bogus play that nobody called is announced."""


@dataclass(frozen=True, slots=True)
class PlayerRenamed:
    """Makes everything played under `name` count as played by `to`, now and later: for a player's
    new name, or two spellings of one. No game is rewritten. The row belongs to no game; an Undo
    that belongs to no game takes it back."""

    name: str
    to: str


@dataclass(frozen=True, slots=True)
class PlayerHidden:
    """Leaves the player `name` out of all lists, charts and exports of players or, with `hidden`
    False, shows them again. The games stay unchanged. The row belongs to no game, like
    PlayerRenamed."""

    name: str
    hidden: bool = True


@dataclass(frozen=True, slots=True)
class NamesForgotten:
    """Marks a record from which some people's names were removed; `players` are the replacement
    names. It is the first row of such a record, and belongs to no game."""

    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """Lost rows, numbers `first` to `last`. `last` is None if rows were lost at the end and it
    isn't known how many. A `last` one less than `first` means that no row is lost, but that row
    `first` doesn't continue the chain of the row before it. `games`: the games to which the rows
    may have belonged."""

    first: int
    last: int | None
    games: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RowsLost:
    """Records that a damaged record was rebuilt without the rows in `gaps`. The damaged file is
    beside it, under the name `kept`. The row belongs to no game."""

    gaps: tuple[Gap, ...]
    kept: str


Row = (
    GameOpened
    | Step
    | Undo
    | Redo
    | Amend
    | Rewind
    | Reseat
    | PeopleReplaced
    | Setting
    | PlayerRenamed
    | PlayerHidden
    | NamesForgotten
    | RowsLost
)


@dataclass(frozen=True, slots=True)
class Author:
    """The author of a row: the keypad or phone (`surface`; None for the box's own keys) and, for a
    phone, its seat at that time (`keyed_by`). `agreed_by`: the seats that agreed to a ruling; () if
    all agreed at the surface itself, None if no agreement is recorded."""

    surface: str | None = None
    keyed_by: Seat | None = None
    agreed_by: tuple[Seat, ...] | None = None

    @classmethod
    def of(
        cls, source: str | None, keyed_by: Seat | None, agreed_by: tuple[Seat, ...] | None = None
    ) -> "Author":
        """The author of a row made by the press or proposal with the identity `source`."""
        if not source:
            return BOX_KEYS if agreed_by is None else cls(agreed_by=agreed_by)
        return cls(source.partition("/")[0], keyed_by, agreed_by)


BOX_KEYS = Author()


@dataclass(frozen=True, slots=True)
class KeptRow:
    """A row with its place in the record. `seq` counts all rows from 1. `game` is the number of its
    game, 0 for a row of the box. `at` is when it was kept, in seconds since 1970, None if the clock
    was not set. `source`: the identity of the press or proposal that made it, SURFACE/RUN/NUMBER;
    None for the box's own keys. `keyed_by`: the phone's seat (a keypad's seat is in a setting).
    `agreed_by`: the seats that agreed to the table's ruling on their own phones; () if all agreed
    at the surface where it was keyed; None if no agreement was needed, or an older program didn't
    ask for it. `hash`: the row's own hash, which the next row has as `before`."""

    seq: int
    game: int
    row: Row
    at: float | None = None
    source: str | None = None
    keyed_by: Seat | None = None
    agreed_by: tuple[Seat, ...] | None = None
    hash: bytes = field(default=b"", compare=False)

    @property
    def author(self) -> Author:
        return Author.of(self.source, self.keyed_by, self.agreed_by)

    @property
    def surface(self) -> str | None:
        """The keypad or phone that made the row; None for the box's own keys."""
        return self.author.surface


# ---------------------------------------------------------------- each kind of row as JSON


@dataclass(frozen=True, slots=True)
class EntryParser:
    """Parses a game's entries, with all names that its seats have had (a PeopleReplaced row may
    have changed them). It is made from the game's first row."""

    game: AnyGame
    seats: Seats

    @classmethod
    def of(cls, opened: GameOpened, catalog: Mapping[str, AnyGame]) -> "EntryParser":
        """The parser of a game, made from its first row. Raises EntryError if the game isn't in the
        catalog."""
        if opened.game not in catalog:
            raise EntryError(
                "{game} is not a game here: {catalog}", game=opened.game, catalog=", ".join(catalog)
            )
        return cls(catalog[opened.game], opened.seats)

    def after(self, row: Row) -> "EntryParser":
        """The parser for entries after this row."""
        if not isinstance(row, PeopleReplaced):
            return self
        return EntryParser(self.game, Seats.of(*dict.fromkeys((*self.seats, *row.seats))))

    def parse(self, texts: list[str]) -> tuple[Entry, ...]:
        """Reads entries; raises EntryError."""
        return tuple(parse_entry(text, self.game, self.seats) for text in texts)


def _write_opened(row: GameOpened) -> Json:
    row_json: Json = {
        "game": row.game,
        "seats": list(row.seats),
        "options": dict(row.options),
        "rules": row.rules,
    }
    if row.after is not None:
        row_json["after"] = row.after
    if row.evening is not None:
        row_json["evening"] = row.evening
    if row.words:
        row_json["words"] = [list(pair) for pair in row.words]
    return row_json


def _read_opened(found: Json, _table: EntryParser | None) -> GameOpened:
    rules = read_number(found["rules"])
    if rules > RULES:
        raise NewerError(f"game by the rules of version {rules}")
    return GameOpened(
        read_text(found["game"]),
        _read_seats(found["seats"]),
        {read_text(name): _read_value(value) for name, value in found["options"].items()},
        _read_number_or_none(found.get("after")),
        tuple((read_text(word), read_text(rest)) for word, rest in found.get("words", ())),
        rules,
        _read_number_or_none(found.get("evening")),
    )


def _write_step(row: Step) -> Json:
    return {"entries": _entry_texts(row.entries), **({"joined": True} if row.joined else {})}


def _read_step(found: Json, parser: EntryParser | None) -> Step:
    return Step(_read_entries(found, parser), bool(found.get("joined", False)))


def _write_amend(row: Amend) -> Json:
    put_in = {"insert": True} if row.insert else {}
    moved = {"later_turns": row.later_turns} if row.later_turns else {}
    stay = {"calls_stay": True} if row.calls_stay else {}
    return {"at": row.at, "entries": _entry_texts(row.entries), **put_in, **moved, **stay}


def _read_amend(found: Json, parser: EntryParser | None) -> Amend:
    at, entries = read_number(found["at"]), _read_entries(found, parser)
    return Amend(
        at,
        entries,
        bool(found.get("insert", False)),
        read_number(found.get("later_turns", 0)),
        bool(found.get("calls_stay", False)),
    )


def _write_lost(row: RowsLost) -> Json:
    gaps = [{"first": gap.first, "last": gap.last, "games": [*gap.games]} for gap in row.gaps]
    return {"gaps": gaps, "kept": row.kept}


def _read_lost(found: Json, _table: EntryParser | None) -> RowsLost:
    def gap(value: Json) -> Gap:
        last = None if value["last"] is None else read_number(value["last"])
        return Gap(read_number(value["first"]), last, tuple(map(read_number, value["games"])))

    return RowsLost(tuple(map(gap, found["gaps"])), read_text(found["kept"]))


@dataclass(frozen=True, slots=True)
class RowKind:
    """A kind of row: its name and fields on the disk, and how it is written and read."""

    name: str
    row: type[Row]
    fields: tuple[str, ...]
    write: Callable[[Any], Json]
    read: Callable[[Json, EntryParser | None], Row]


ROW_KINDS = (
    RowKind("opened", GameOpened,
         ("game", "seats", "options", "rules", "after", "evening", "words"),
         _write_opened, _read_opened),
    RowKind("step", Step, ("entries", "joined"), _write_step, _read_step),
    RowKind("undo", Undo, (), lambda _: {}, lambda _, __: Undo()),
    RowKind("redo", Redo, (), lambda _: {}, lambda _, __: Redo()),
    RowKind("amend", Amend, ("at", "entries", "insert", "later_turns", "calls_stay"),
         _write_amend, _read_amend),
    RowKind("rewind", Rewind, ("to",), lambda row: {"to": row.to},
         lambda found, _: Rewind(read_number(found["to"]))),
    RowKind("reseat", Reseat, ("seats",), lambda row: {"seats": list(row.seats)},
         lambda found, _: Reseat(_read_seats(found["seats"]))),
    RowKind("people", PeopleReplaced, ("seats",), lambda row: {"seats": list(row.seats)},
         lambda found, _: PeopleReplaced(_read_seats(found["seats"]))),
    RowKind("setting", Setting, ("name", "value"),
         lambda row: {"name": row.name, "value": row.value},
         lambda found, _: Setting(read_text(found["name"]), _read_value(found["value"]))),
    RowKind("renamed", PlayerRenamed, ("name", "to"), lambda row: {"name": row.name, "to": row.to},
         lambda found, _: PlayerRenamed(read_text(found["name"]), read_text(found["to"]))),
    RowKind("hidden", PlayerHidden, ("name", "hidden"),
         lambda row: {"name": row.name, "hidden": row.hidden},
         lambda found, _: PlayerHidden(read_text(found["name"]), _read_bool(found["hidden"]))),
    RowKind("forgotten", NamesForgotten, ("players",), lambda row: {"players": list(row.players)},
         lambda found, _: NamesForgotten(tuple(map(read_text, found["players"])))),
    RowKind("lost", RowsLost, ("gaps", "kept"), _write_lost, _read_lost),
)  # fmt: skip
"""All kinds of rows, with their names and fields on people's disks. Names and fields are never
renamed; a release that adds one raises FORMAT."""


# ---------------------------------------------------------------- fields


def _read_entries(found: Json, parser: EntryParser | None) -> tuple[Entry, ...]:
    if parser is None:
        raise EntryError("an entry of a game whose first row is missing")
    return parser.parse([read_text(entry) for entry in found["entries"]])


def _entry_texts(entries: tuple[Entry, ...]) -> list[str]:
    return [str(entry) for entry in entries]


def read_text(value: object) -> str:
    """The text of a field; raises TypeError if `value` is not text."""
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def read_number(value: object) -> int:
    """The whole number of a field; raises TypeError if `value` is not one."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(value)
    return value


def _read_number_or_none(value: object) -> int | None:
    return None if value is None else read_number(value)


def _read_bool(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(value)
    return value


def _read_value(value: object) -> int | str:
    return value if isinstance(value, str) else read_number(value)


def _read_seats(names: object) -> Seats:
    if not isinstance(names, list):
        raise TypeError(names)
    return Seats.of(*(read_text(name) for name in names))


# ---------------------------------------------------------------- versions


FORMAT = 3
"""The version of the format, stored in every row. A release raises it if the previous release can't
read what it writes: a kind or a field of a row, a game, an option, a word of an entry. (What only
games by newer rules have needs no new format: a program refuses these games by RULES.)

1: 0.1.0, before its release. 2: a game's first row has the version of its rules, and the game
before it on the same evening; a change may move the later turns of its hand to other seats; `lost`
has the rows that a damaged record lost; any row may name the seat of the phone that made it;
`renamed` and `hidden` change the names of players, and an undo or redo outside games takes that
back; `forgotten`: names were taken out of the record. 3: a change takes later calls along with the
draws and passes that they name; a row with a ruling of the table may name the seats that agreed to
it; All Fives; a score without its play, in games with a line of play; `people` names other people
for the seats of a game.
"""

COMMON_FIELDS = ("v", "kind", "keyed_by", "agreed_by")
"""Fields that rows of all kinds may have."""


def _from_format_1(row: Json) -> Json:
    """Upgrades a row of format 1: adds to an `opened` row the version of the rules, and the
    evening's previous game (`evening`). That is the game in `after`, because in format 1 an evening
    was a series of rematches."""
    if row["kind"] != "opened":
        return row
    return {**row, "rules": 1, "evening": row.get("after")}


def _from_format_2(row: Json) -> Json:
    """Marks changes as made under format 2, in which later calls kept their turn numbers."""
    return {**row, "calls_stay": True} if row["kind"] == "amend" else row


UPGRADES: tuple[Callable[[Json], Json], ...] = (_from_format_1, _from_format_2)
"""UPGRADES[n] turns a row of version n + 1 into one of version n + 2."""

_KIND_BY_NAME = {kind.name: kind for kind in ROW_KINDS}
_KIND_BY_ROW = {kind.row: kind for kind in ROW_KINDS}


def encode_row(
    row: Row, keyed_by: Seat | None = None, agreed_by: tuple[Seat, ...] | None = None
) -> str:
    """The row as one line of JSON. `keyed_by`: the seat of its phone; `agreed_by`: the seats that
    agreed to a ruling, None if no agreement was needed."""
    kind = _KIND_BY_ROW[type(row)]
    row_json = {"v": FORMAT, "kind": kind.name, **kind.write(row)}
    if keyed_by is not None:
        row_json["keyed_by"] = keyed_by
    if agreed_by is not None:
        row_json["agreed_by"] = [*agreed_by]
    return json.dumps(row_json, ensure_ascii=False)


def keyed_by(text: str) -> Seat | None:
    """The seat of the phone that made the row; None if the row's text has no such seat."""
    seat = json.loads(text).get("keyed_by") if '"keyed_by"' in text else None
    return None if seat is None else Seat(seat)


def agreed_by(text: str) -> tuple[Seat, ...] | None:
    """The seats that agreed to the ruling in a row's text; None if it records no agreement."""
    seats = json.loads(text).get("agreed_by") if '"agreed_by"' in text else None
    return None if seats is None else tuple(map(Seat, seats))


def decode_row(text: str, parser: EntryParser | None = None) -> Row:
    """Reads a row. `parser`: the entry parser of its game, after all earlier rows. Raises
    EntryError if the row can't be read, NewerError if a newer companion wrote it."""
    try:
        # Escaped text may contain half a surrogate pair, which can't be sent on.
        return _read_row(read_json(text) if "\\u" in text else json.loads(text), parser)
    except EntryError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as wrong:
        raise EntryError("not a row of the record: {text}", text=shorten(text)) from wrong


def _read_row(found: Json, parser: EntryParser | None) -> Row:
    version = read_number(found["v"])
    if version > FORMAT:
        raise NewerError(f"row of version {version}")
    if version < 1:
        raise ValueError(version)
    for upgrade in UPGRADES[version - 1 :]:
        found = upgrade(found)
    kind = _KIND_BY_NAME.get(read_text(found["kind"]))
    if kind is None:
        raise NewerError(f"row of kind “{found['kind']}”, unknown here")
    for name in found:
        if name not in (*COMMON_FIELDS, *kind.fields):
            raise NewerError(f"{kind.name} row with “{name}”, unknown here")
    read_text(found.get("keyed_by", ""))
    for seat in found.get("agreed_by", []):
        read_text(seat)
    return kind.read(found, parser)


def shorten(text: str) -> str:
    """The beginning of a text, short enough for a message of one line."""
    line = " ".join(text.split())
    return line if len(line) <= 40 else f"{line[:39]}…"
