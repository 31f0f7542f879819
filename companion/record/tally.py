"""Writes a whole game as text and reads it back unchanged (docs/tally.md has the format).

It has header lines first, then one entry on each line. `read_tally` parses only the header: the
entries stay text with their line numbers, because their meaning depends on the entries before them
(see `play_tally`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from difflib import get_close_matches
from typing import Final

from companion.core.errors import EntryError, Refusal, RuleError
from companion.core.seats import Seats
from companion.core.values import dataclass
from companion.core.words import AND, composed, known_spelling, listed
from companion.games.game import RULES, AnyGame, parse_entry, settle_options
from companion.record.journal import Journal
from companion.record.match import MATCH_WORD, MATCHES
from companion.record.names import HEADER_WORDS, check_names
from companion.record.rows import GameOpened, Step

VERSION: Final = "1"


class TallyError(Refusal):
    """A line that can't be read or is not allowed, with its number and its fault."""

    def __init__(self, line: int, wrong: Refusal) -> None:
        super().__init__("{line}: {wrong}", line=line, wrong=wrong)
        self.line = line
        self.wrong = wrong


def _game_named(name: str, catalog: Mapping[str, AnyGame]) -> AnyGame:
    """The game of that name. If there is none, raises EntryError, which suggests the nearest
    name."""
    if name.lower() in catalog:
        return catalog[name.lower()]
    near = get_close_matches(name.lower(), catalog, n=1, cutoff=0)
    raise EntryError("there is no game {name}: did you mean {near}?", name=name, near=near[0])


@dataclass(slots=True)
class Header:
    """The header lines read so far, each with its line number."""

    tally: int | None = None
    rules: tuple[int, int] | None = None
    game: tuple[int, str] | None = None
    seats: tuple[int, list[str]] | None = None
    options: dict[str, tuple[int, str]] = field(default_factory=dict)
    words: list[tuple[int, str, str]] = field(default_factory=list)

    @property
    def is_complete(self) -> bool:
        """Whether the game and the seats are known, so that entries may follow."""
        return self.game is not None and self.seats is not None

    def take(self, number: int, line: list[str]) -> None:
        """Reads one more line, split into words; raises TallyError."""
        word, rest = line[0].lower(), line[1:]
        if word != "tally" and self.tally is None:
            raise TallyError(
                number,
                EntryError(
                    "a tally begins with the line “tally {version}”, not “{word}”",
                    version=VERSION,
                    word=line[0],
                ),
            )
        # Once the seats are named, “rules” may be a word of the game's.
        kept = {"rules": self.seats is None}
        if word in _LINES and kept.get(word, True):
            _LINES[word](self, number, rest)
        else:
            self.words.append((number, word, " ".join(rest)))

    def _take_tally(self, number: int, rest: list[str]) -> None:
        if self.tally is not None:
            raise _repeated_header_error(number, "“tally”", self.tally)
        if rest != [VERSION]:
            refused = EntryError(
                "this program reads “tally {version}”, not version {said}",
                version=VERSION,
                said=" ".join(rest) or "nothing",
            )
            raise TallyError(number, refused)
        self.tally = number

    def _take_rules(self, number: int, rest: list[str]) -> None:
        if self.rules:
            raise _repeated_header_error(number, "“rules”", self.rules[0])
        known = [str(version) for version in range(1, RULES + 1)]
        if len(rest) != 1 or rest[0] not in known:
            refused = EntryError(
                "this program knows rules {known}, not {said}",
                known=listed(known, last=AND),
                said=" ".join(rest) or "nothing",
            )
            raise TallyError(number, refused)
        self.rules = number, int(rest[0])

    def _take_game(self, number: int, rest: list[str]) -> None:
        if self.game:
            raise _repeated_header_error(number, "“game”", self.game[0])
        if len(rest) != 1:
            raise TallyError(number, EntryError("which game? One name, as in “game high-five”"))
        self.game = number, rest[0].lower()

    def _take_seats(self, number: int, rest: list[str]) -> None:
        if self.seats:
            raise _repeated_header_error(number, "“seats”", self.seats[0])
        self.seats = number, [*map(composed, rest)]

    def _take_option(self, number: int, rest: list[str]) -> None:
        if len(rest) != 2:
            raise TallyError(number, EntryError("an option is written “option NAME VALUE”"))
        name = rest[0].lower()
        if name in self.options:
            raise _repeated_header_error(number, f"option {name}", self.options[name][0])
        self.options[name] = number, rest[1]

    # ------------------------------------------------------------ what it comes to

    def opened(self, last: int, catalog: Mapping[str, AnyGame]) -> GameOpened:
        """The game that the header describes. Raises TallyError at a wrong line, or at line `last`
        if a line is missing."""
        if self.tally is None:
            refused = EntryError(
                "this tally is empty: it begins with “tally {version}”", version=VERSION
            )
            raise TallyError(last, refused)
        if self.game is None:
            refused = EntryError(
                "which game? A line “game NAME” is missing: {games}", games=", ".join(catalog)
            )
            raise TallyError(last, refused)
        line, name = self.game
        try:
            game = _game_named(name, catalog)
        except EntryError as wrong:
            raise TallyError(line, wrong) from wrong
        if self.seats is None:
            raise TallyError(last, EntryError("who plays? A line “seats NAME NAME …” is missing"))
        opened = self._opened_with_seats(name, game, *self.seats)
        self._check_words(game)
        return opened

    def _opened_with_seats(
        self, name: str, game: AnyGame, line: int, names: list[str]
    ) -> GameOpened:
        """The game with these seats. Raises TallyError if the seats or options aren't allowed, or
        if the game can't be played with them."""
        match = next(((at, rest) for at, word, rest in self.words if word == MATCH_WORD), None)
        words = tuple((word, rest) for _, word, rest in self.words)
        rules = self.rules[1] if self.rules else RULES
        at = line
        try:
            check_names(names, game)
            seats = Seats.of(*names)
            for option, (at, value) in self.options.items():  # noqa: B007  the error's line
                settle_options(game, len(names), {option: value})
            given = {option: value for option, (_, value) in self.options.items()}
            if match and any(option.name == MATCH_WORD for option in game.options):
                at = match[0]
                given.setdefault(MATCH_WORD, _games_in_match(match[1], given.get(MATCH_WORD)))
            at = line
            options = settle_options(game, len(names), given)
            game.start(seats, options)
            opened = GameOpened(name, seats, options, words=words, rules=rules)
            at = match[0] if match else line
            if of := opened.match:
                words = tuple((word, dict(of.words).get(word, rest)) for word, rest in words)
        except (EntryError, RuleError) as wrong:
            raise TallyError(at, wrong) from wrong
        return replace(opened, words=words)

    def _check_words(self, game: AnyGame) -> None:
        """Accepts unknown words, but raises TallyError for a word that was probably meant as an
        entry or another header word."""
        plays = {each for kind in game.entries for each in kind.words}
        names = [name.lower() for name in self.seats[1]] if self.seats else []
        for line, word, rest in self.words:
            if word in plays or begins_play([word, *rest.split()], names, game):
                refused = EntryError(
                    "“{word}” must come after the lines “game” and “seats”", word=word
                )
                raise TallyError(line, refused)
            near = get_close_matches(word.lower(), {*HEADER_WORDS, *plays}, 1, cutoff=0.8)
            if near and near[0] != word.lower():
                refused = EntryError(
                    "there is no line “{word}”: did you mean {near}?", word=word, near=near[0]
                )
                raise TallyError(line, refused)


def _games_in_match(match: str, option: str | None) -> str:
    """The number of games at the end of a header line `match`, such as 3 in “2 of 3”. Raises
    EntryError if `option` has another number, or if the line isn't of that form."""
    of = match.rpartition(" of ")[2]
    if of not in MATCHES:
        raise EntryError("a game of a match is written “match 2 of 3”")
    if option not in (None, of):
        raise EntryError(
            "“match {match}” is a game of a match of {of}, and “option match {option}” says "
            "otherwise: write the same number in both",
            match=match[:40],
            of=of[:40],
            option=option,
        )
    return of


def begins_play(line: list[str], seats: Sequence[str], game: AnyGame) -> bool:
    """Whether this line is an entry of the game, not a header line: it begins with a seat's name or
    a word of the game. A misspelt name counts if a word for an action follows it."""
    plain = {word for kind in game.entries if not kind.seat_first for word in kind.words}
    deeds = {word for kind in game.entries if kind.seat_first for word in kind.words}
    if known_spelling(line[0], seats) in seats or line[0].lower() in plain:
        return True
    known = [name.lower() for name in seats]
    return (
        line[1:2] != []
        and line[1].lower() in deeds
        and bool(get_close_matches(line[0].lower(), known))
    )


_LINES: Final[Mapping[str, Callable[[Header, int, list[str]], None]]] = {
    "tally": Header._take_tally,
    "rules": Header._take_rules,
    "game": Header._take_game,
    "seats": Header._take_seats,
    "option": Header._take_option,
}


def _repeated_header_error(number: int, what: str, before: int) -> TallyError:
    return TallyError(
        number, EntryError("{what} is already on line {line}", what=what, line=before)
    )


# ---------------------------------------------------------------- a whole tally

LONGEST = 4096
"""The longest line, in characters."""

TOO_LONG = EntryError(
    "a line has {longest:,} characters at most: this one is longer", longest=LONGEST
)


@dataclass(frozen=True, slots=True)
class TallyGame:
    """A tally after its header was read: the game before its first entry, and the entries as (line
    number, text)."""

    opened: GameOpened
    lines: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class PlayedLine:
    """A played entry line: its number, its canonical text, and the journal after it."""

    line: int
    text: str
    journal: Journal[object]


# ---------------------------------------------------------------- writing


def format_tally(journal: Journal[object]) -> str:
    """The game as a tally, with all options, so that a later change of a default changes nothing,
    and with the version of the rules if it is an older one."""
    opened = journal.opened
    lines = [f"tally {VERSION}"]
    if opened.rules != RULES:
        lines.append(f"rules {opened.rules}")
    lines.append(f"game {opened.game}")
    if of := opened.match:
        lines.append(f"{MATCH_WORD} {of.number} of {of.of}")
    lines.append(f"seats {' '.join(opened.seats)}")
    lines += [f"option {name} {value}" for name, value in opened.options.items()]
    words = (pair for pair in opened.words if not of or pair[0] != MATCH_WORD)
    lines += [f"{word} {rest}".rstrip() for word, rest in words]
    return "\n".join([*lines, "", *map(str, journal.entries), ""])


# ---------------------------------------------------------------- reading


def read_tally(text: str, catalog: Mapping[str, AnyGame]) -> TallyGame:
    """Reads the header and splits the rest into lines; raises TallyError."""
    header, last = Header(), 1
    entries: list[tuple[int, str]] = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if len(line) > LONGEST:
            if not header.is_complete:
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


def play_tally(tally: TallyGame, catalog: Mapping[str, AnyGame]) -> Iterator[PlayedLine]:
    """Yields the entries one by one, each with the game after it. Raises TallyError at the line
    that can't be read or that the rules refuse."""
    journal = Journal.begin(tally.opened, catalog)
    for number, text in tally.lines:
        if len(text) > LONGEST:
            raise TallyError(number, TOO_LONG)
        seats = journal.opened.seats
        word = known_spelling(text.split(maxsplit=1)[0], seats)
        if word.lower() in HEADER_WORDS and word not in seats:
            raise TallyError(
                number, EntryError("“{word}” belongs above the first entry", word=word)
            )
        try:
            entry = parse_entry(text, journal.game, seats)
            journal = journal.fold(Step((entry,)))
        except (EntryError, RuleError) as wrong:
            raise TallyError(number, wrong) from wrong
        yield PlayedLine(number, str(entry), journal)


def _begins_play(line: list[str], header: Header, catalog: Mapping[str, AnyGame]) -> bool:
    """Whether this line is the first entry; False before the game and the seats are known."""
    game = catalog.get(header.game[1]) if header.game else None
    if game is None or header.seats is None or line[0].lower() in HEADER_WORDS:
        return False
    return begins_play(line, header.seats[1], game)
