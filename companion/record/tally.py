"""A whole game as text, and back: exact inverses (the format is in docs/tally.md).

Header lines first, then one entry a line. Reading stops at the header: the entries stay text with
their line numbers, because what they mean depends on the entries before them (see `play_tally`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches

from companion.errors import EntryError, RuleError
from companion.games.catalog import game_named
from companion.games.game import (
    RULES,
    AnyGame,
    parse_entry,
    settle_options,
)
from companion.record.journal import Journal
from companion.record.names import HEADER_WORDS, check_names
from companion.record.rows import Opened, Step
from companion.seats import Seats

VERSION = "1"

LONGEST = 4096
"""Characters in a line."""

TOO_LONG = f"a line has {LONGEST:,} characters at most: this one is longer"


class TallyError(ValueError):
    """A line that can't be read or is not allowed: its number, and what is wrong with it."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"{line}: {message}")
        self.line = line
        self.message = message


@dataclass(frozen=True, slots=True)
class TallyGame:
    """A tally with its header read: the game as it begins, and (line number, entry) pairs."""

    opened: Opened
    lines: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Played:
    """One entry line: its number, its canonical text, and the journal after it."""

    line: int
    text: str
    journal: Journal[object]


# ---------------------------------------------------------------- writing


def format_tally(journal: Journal[object]) -> str:
    """The game as it stands. Every option is written, so that a later default changes nothing, and
    older rules, if it is played by such."""
    opened = journal.opened
    rules = [] if opened.rules == RULES else [f"rules {opened.rules}"]
    lines = [f"tally {VERSION}", *rules, f"game {opened.game}", f"seats {' '.join(opened.seats)}"]
    lines += [f"option {name} {value}" for name, value in opened.options.items()]
    lines += [f"{word} {rest}".rstrip() for word, rest in opened.words]
    return "\n".join([*lines, "", *map(str, journal.entries), ""])


# ---------------------------------------------------------------- reading


@dataclass(slots=True)
class _Header:
    """What the header has said so far, with the line where it was said."""

    tally: int | None = None
    rules: tuple[int, int] | None = None
    game: tuple[int, str] | None = None
    seats: tuple[int, list[str]] | None = None
    options: dict[str, tuple[int, str]] = field(default_factory=dict)
    words: list[tuple[int, str, str]] = field(default_factory=list)


def read_tally(text: str, catalog: Mapping[str, AnyGame]) -> TallyGame:
    """Reads the header and splits the rest into lines; raises TallyError."""
    header, last = _Header(), 1
    entries: list[tuple[int, str]] = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if len(line) > LONGEST:
            if header.game is None or header.seats is None:
                raise TallyError(number, TOO_LONG)
            entries.append((number, line))
            break
        words = line.partition("#")[0].split()
        if not words:
            continue
        last = number
        if entries or _begins_play(words, header, catalog):
            entries.append((number, " ".join(words)))
        else:
            _take(header, number, words)
    return TallyGame(_opened(header, last, catalog), tuple(entries))


def play_tally(tally: TallyGame, catalog: Mapping[str, AnyGame]) -> Iterator[Played]:
    """The entries one by one, each with the game after it; TallyError at the line that can't be
    read or that the rules refuse."""
    journal = Journal.begin(tally.opened, catalog)
    for number, text in tally.lines:
        if len(text) > LONGEST:
            raise TallyError(number, TOO_LONG)
        seats = journal.opened.seats
        word = text.split(maxsplit=1)[0]
        if word.lower() in HEADER_WORDS and word not in seats:
            raise TallyError(number, f"“{word}” belongs above the first entry")
        try:
            entry = parse_entry(text, journal.game, seats)
            journal = journal.fold(Step((entry,)))
        except (EntryError, RuleError) as wrong:
            raise TallyError(number, str(wrong)) from wrong
        yield Played(number, str(entry), journal)


def _begins_play(line: list[str], header: _Header, catalog: Mapping[str, AnyGame]) -> bool:
    """Whether this line is the first entry: a seat's name or a word of the game stands first.
    A seat's name that is nearly right counts, if a word for what a seat does follows."""
    game = catalog.get(header.game[1]) if header.game else None
    if game is None or header.seats is None or line[0].lower() in HEADER_WORDS:
        return False
    seats = header.seats[1]
    plain = {word for kind in game.entries if not kind.seat_first for word in kind.words}
    deeds = {word for kind in game.entries if kind.seat_first for word in kind.words}
    if line[0] in seats or line[0].lower() in plain:
        return True
    known = [name.lower() for name in seats]
    return (
        line[1:2] != []
        and line[1].lower() in deeds
        and bool(get_close_matches(line[0].lower(), known))
    )


def _take(header: _Header, number: int, line: list[str]) -> None:
    word, rest = line[0].lower(), line[1:]
    if word != "tally" and header.tally is None:
        raise TallyError(number, f"a tally begins with the line “tally {VERSION}”, not “{line[0]}”")
    if word == "tally":
        if header.tally is not None:
            raise TallyError(number, f"“tally” stands on line {header.tally} already")
        if rest != [VERSION]:
            said = " ".join(rest) or "nothing"
            raise TallyError(number, f"this program reads “tally {VERSION}”, not version {said}")
        header.tally = number
    elif word == "rules" and header.seats is None:
        if header.rules:
            raise TallyError(number, f"“rules” stands on line {header.rules[0]} already")
        known = [str(version) for version in range(1, RULES + 1)]
        if len(rest) != 1 or rest[0] not in known:
            said = " ".join(rest) or "nothing"
            raise TallyError(number, f"this program knows rules {' and '.join(known)}, not {said}")
        header.rules = number, int(rest[0])
    elif word == "game":
        if header.game:
            raise TallyError(number, f"“game” stands on line {header.game[0]} already")
        if len(rest) != 1:
            raise TallyError(number, "which game? One name, as in “game high-five”")
        header.game = number, rest[0].lower()
    elif word == "seats":
        if header.seats:
            raise TallyError(number, f"“seats” stands on line {header.seats[0]} already")
        header.seats = number, rest
    elif word == "option":
        if len(rest) != 2:
            raise TallyError(number, "an option is written “option NAME VALUE”")
        name = rest[0].lower()
        if name in header.options:
            line_before = header.options[name][0]
            raise TallyError(number, f"option {name} stands on line {line_before} already")
        header.options[name] = number, rest[1]
    else:
        header.words.append((number, word, " ".join(rest)))


def _opened(header: _Header, last: int, catalog: Mapping[str, AnyGame]) -> Opened:
    """The game that the header describes; each error at the line that caused it."""
    if header.tally is None:
        raise TallyError(last, f"nothing is written here: a tally begins with “tally {VERSION}”")
    if header.game is None:
        raise TallyError(last, f"which game? A line “game NAME” is missing: {', '.join(catalog)}")
    line, name = header.game
    try:
        game = game_named(name, catalog)
    except EntryError as wrong:
        raise TallyError(line, str(wrong)) from wrong
    if header.seats is None:
        raise TallyError(last, "who plays? A line “seats NAME NAME …” is missing")
    line, names = header.seats
    try:
        check_names(names, game)
        seats = Seats.of(*names)
        for option, (line, value) in header.options.items():  # noqa: B007  the line of the error
            settle_options(game, len(names), {option: value})
        given = {option: value for option, (_, value) in header.options.items()}
        options = settle_options(game, len(names), given)
        game.start(seats, options)
    except (EntryError, RuleError) as wrong:
        raise TallyError(line, str(wrong)) from wrong
    for line, word, _ in header.words:
        if word in (*names, *(each for kind in game.entries for each in kind.words)):
            raise TallyError(line, f"“{word}” stands above the lines “game” and “seats”")
        known = {*HEADER_WORDS, *(each for kind in game.entries for each in kind.words)}
        near = get_close_matches(word.lower(), known, 1, cutoff=0.8)
        if near and near[0] != word.lower():
            raise TallyError(line, f"there is no line “{word}”: did you mean {near[0]}?")
    words = tuple((word, rest) for _, word, rest in header.words)
    rules = header.rules[1] if header.rules else RULES
    return Opened(name, seats, options, words=words, rules=rules)
