"""A whole game as text, and back: exact inverses (the format is in docs/tally.md).

Header lines first, then one entry a line. Reading stops at the header: the entries stay text with
their line numbers, because what they mean depends on the entries before them (see `play_tally`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.core.errors import EntryError, RuleError
from companion.games.game import RULES, AnyGame, parse_entry
from companion.record.journal import Journal
from companion.record.names import HEADER_WORDS
from companion.record.rows import Opened, Step
from companion.record.tally_header import VERSION, Header, TallyError, begins_play

LONGEST = 4096
"""Characters in a line."""

TOO_LONG = EntryError(
    "a line has {longest:,} characters at most: this one is longer", longest=LONGEST
)


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


def read_tally(text: str, catalog: Mapping[str, AnyGame]) -> TallyGame:
    """Reads the header and splits the rest into lines; raises TallyError."""
    header, last = Header(), 1
    entries: list[tuple[int, str]] = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if len(line) > LONGEST:
            if not header.whole:
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
            header.take(number, words)
    return TallyGame(header.opened(last, catalog), tuple(entries))


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


def _begins_play(line: list[str], header: Header, catalog: Mapping[str, AnyGame]) -> bool:
    """Whether this line is the first entry, the game and the seats being known."""
    game = catalog.get(header.game[1]) if header.game else None
    if game is None or header.seats is None or line[0].lower() in HEADER_WORDS:
        return False
    return begins_play(line, header.seats[1], game)
