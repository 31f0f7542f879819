"""A whole game as text, and back: exact inverses (the format is in docs/tally.md).

Header lines first, then one entry a line. Reading stops at the header: the entries stay text with
their line numbers, because what they mean depends on the entries before them (see `play_tally`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches

from companion.errors import EntryError, Refusal, RuleError
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

TOO_LONG = EntryError(
    "a line has {longest:,} characters at most: this one is longer", longest=LONGEST
)


class TallyError(Refusal):
    """A line that can't be read or is not allowed: its number, and what is wrong with it."""

    def __init__(self, line: int, wrong: Refusal) -> None:
        super().__init__("{line}: {wrong}", line=line, wrong=wrong)
        self.line = line
        self.wrong = wrong


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
            raise TallyError(
                number, EntryError("“{word}” belongs above the first entry", word=word)
            )
        try:
            entry = parse_entry(text, journal.game, seats)
            journal = journal.fold(Step((entry,)))
        except (EntryError, RuleError) as wrong:
            raise TallyError(number, wrong) from wrong
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
        raise TallyError(
            number,
            EntryError(
                "a tally begins with the line “tally {version}”, not “{word}”",
                version=VERSION,
                word=line[0],
            ),
        )
    if word == "tally":
        if header.tally is not None:
            raise _stands_twice(number, "“tally”", header.tally)
        if rest != [VERSION]:
            said = " ".join(rest) or "nothing"
            raise TallyError(
                number,
                EntryError(
                    "this program reads “tally {version}”, not version {said}",
                    version=VERSION,
                    said=said,
                ),
            )
        header.tally = number
    elif word == "rules" and header.seats is None:
        if header.rules:
            raise _stands_twice(number, "“rules”", header.rules[0])
        known = [str(version) for version in range(1, RULES + 1)]
        if len(rest) != 1 or rest[0] not in known:
            said = " ".join(rest) or "nothing"
            raise TallyError(
                number,
                EntryError(
                    "this program knows rules {known}, not {said}",
                    known=" and ".join(known),
                    said=said,
                ),
            )
        header.rules = number, int(rest[0])
    elif word == "game":
        if header.game:
            raise _stands_twice(number, "“game”", header.game[0])
        if len(rest) != 1:
            raise TallyError(number, EntryError("which game? One name, as in “game high-five”"))
        header.game = number, rest[0].lower()
    elif word == "seats":
        if header.seats:
            raise _stands_twice(number, "“seats”", header.seats[0])
        header.seats = number, rest
    elif word == "option":
        if len(rest) != 2:
            raise TallyError(number, EntryError("an option is written “option NAME VALUE”"))
        name = rest[0].lower()
        if name in header.options:
            line_before = header.options[name][0]
            raise _stands_twice(number, f"option {name}", line_before)
        header.options[name] = number, rest[1]
    else:
        header.words.append((number, word, " ".join(rest)))


def _stands_twice(number: int, what: str, before: int) -> TallyError:
    return TallyError(
        number, EntryError("{what} stands on line {line} already", what=what, line=before)
    )


def _opened(header: _Header, last: int, catalog: Mapping[str, AnyGame]) -> Opened:
    """The game that the header describes; each error at the line that caused it."""
    if header.tally is None:
        raise TallyError(
            last,
            EntryError(
                "nothing is written here: a tally begins with “tally {version}”", version=VERSION
            ),
        )
    if header.game is None:
        raise TallyError(
            last,
            EntryError(
                "which game? A line “game NAME” is missing: {games}", games=", ".join(catalog)
            ),
        )
    line, name = header.game
    try:
        game = game_named(name, catalog)
    except EntryError as wrong:
        raise TallyError(line, wrong) from wrong
    if header.seats is None:
        raise TallyError(last, EntryError("who plays? A line “seats NAME NAME …” is missing"))
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
        raise TallyError(line, wrong) from wrong
    for line, word, _ in header.words:
        if word in (*names, *(each for kind in game.entries for each in kind.words)):
            raise TallyError(
                line, EntryError("“{word}” stands above the lines “game” and “seats”", word=word)
            )
        known = {*HEADER_WORDS, *(each for kind in game.entries for each in kind.words)}
        near = get_close_matches(word.lower(), known, 1, cutoff=0.8)
        if near and near[0] != word.lower():
            raise TallyError(
                line,
                EntryError(
                    "there is no line “{word}”: did you mean {near}?", word=word, near=near[0]
                ),
            )
    words = tuple((word, rest) for _, word, rest in header.words)
    rules = header.rules[1] if header.rules else RULES
    return Opened(name, seats, options, words=words, rules=rules)
