"""Builds a game from its rows in the record, even if some are missing or no longer valid.

Whenever the game is read, rows that are no longer valid are skipped, so that later rows still
count. If rows are missing, the game goes on, but is doubtful from there. A change that refers to an
entry by its place is skipped if it was made before the loss was known, because the places have
changed since."""

from collections.abc import Iterable, Mapping, Sequence

from companion.core.errors import EntryError, RuleError
from companion.core.seats import Seat
from companion.core.values import dataclass
from companion.core.words import Sentence
from companion.games.game import AnyGame
from companion.games.house_rules import Value
from companion.record.journal import Journal
from companion.record.people.forget import Names, row_with_other_names, text_with_other_names
from companion.record.rows import (
    Amend,
    Author,
    EntryParser,
    GameOpened,
    Gap,
    PeopleReplaced,
    Rewind,
    Row,
    RowsLost,
    Setting,
    Step,
    agreed_by,
    decode_row,
    keyed_by,
)
from companion.record.store.chain import ChainBreak, LinkOrBreak
from companion.record.store.database import ChainLink, NewerError, StoreError

LossMark = tuple[int, RowsLost]
"""A `lost` row with its number. Programs that wrote earlier rows did not know of the loss."""


@dataclass(frozen=True, slots=True)
class OpenedGame:
    """A game in the list of games: its number, its first row, and when it was opened, in seconds
    since 1970."""

    number: int
    opened: GameOpened
    at: float | None


class Fold:
    """A game built row by row. `marks`: all `lost` rows of the record; `names`: replacements for
    some of the recorded names (people/people.py)."""

    def __init__(
        self,
        number: int,
        catalog: Mapping[str, AnyGame],
        marks: Sequence[LossMark],
        names: Names | None = None,
    ) -> None:
        self.number = number
        self.journal: Journal[object] | None = None
        self.listed: OpenedGame | None = None
        """The game's line in a list of games; None if its first row can't be read."""
        self.first = 0
        """The number of the first of its rows that exist."""
        self.row = 0
        """The number of the last of its rows that exist."""
        self.missing: list[ChainBreak] = []
        self.hashes: list[bytes] = []
        """The hashes of its existing rows, from which the check word is made."""
        self.entered_at: list[float | None] = []
        """When each entry was made, in seconds since 1970; None where the clock was not set."""
        self.people: list[str] = []
        """The people whom later rows (PeopleReplaced) put at the seats, spelled as recorded."""
        self.faults: list[Sentence] = []
        """A line for each row that is no longer valid."""
        self._catalog, self._loss_marks, self._names = catalog, marks, names or {}
        self._parser: EntryParser | None = None
        self._missing_since_last: list[ChainBreak] = []
        """Rows missing after the last one added."""
        self._unaware_until = 0
        """Rows with smaller numbers were written when the loss was not known yet."""

    def add(self, item: LinkOrBreak) -> None:
        """Adds the next row, or notes that rows are missing here. Raises StoreError if a newer
        companion wrote the row."""
        if isinstance(item, ChainBreak):
            self.missing.append(item)
            self._missing_since_last.append(item)
            return
        self.hashes.append(item.hash)
        self.row = item.seq
        self.first = self.first or item.seq
        try:
            kept = decode_row(item.row, self._parser)
            if self._parser is not None:
                self._parser = self._parser.after(kept)
            if isinstance(kept, PeopleReplaced):
                self.people += kept.seats
            row = row_with_other_names(kept, self._names) if self._names else kept
            self._note_losses(row)
            self._fold_row(item, row)
            if self._parser is None and self.journal and isinstance(kept, GameOpened):
                # Made from the kept row, because the record's entries have the original names.
                self._parser = EntryParser.of(kept, self._catalog)
        except NewerError as error:
            raise StoreError("row {row}: {why}", row=item.seq, why=error) from error
        except (EntryError, RuleError) as error:
            self.faults.append(
                Sentence(
                    "row {row} (game {game}) no longer holds: {why}",
                    row=item.seq,
                    game=item.game,
                    why=error,
                )
            )

    @property
    def doubts(self) -> list[str]:
        """A line for each fault of the game."""
        lines = [*(loss_line(one, self._loss_marks) for one in self.missing), *self.faults]
        return (
            [text_with_other_names(line, self._names) for line in lines] if self._names else lines
        )

    @property
    def begun_at(self) -> float | None:
        """When the game was opened or, if the clock was not set then, when its first entry with a
        time was made, in seconds since 1970. None if the clock was never set."""
        opened = self.listed.at if self.listed is not None else None
        return next((at for at in (opened, *self.entered_at) if at is not None), None)

    def settings(self, of_box: Mapping[str, Value]) -> dict[str, Value]:
        """Returns the box's settings with names replaced as in this game. Stars and the settings of
        keypads contain such names."""
        if not self._names:
            return dict(of_box)
        parsers = {self.number: self._parser} if self._parser else {}
        rows = [row_with_other_names(Setting(*one), self._names, parsers) for one in of_box.items()]
        return {row.name: row.value for row in rows if isinstance(row, Setting)}

    def end(self) -> "Fold":
        """Marks the end of the game's rows, and returns this fold. Any rows missing at the end are
        noted as possibly the game's."""
        self._note_losses(None)
        return self

    def reveal_all(self) -> None:
        """Reveals what the rules have hidden, such as a count that was never called. It is called
        once another game has begun."""
        if self.journal is not None:
            self.journal = self.journal.whole

    def _fold_row(self, link: ChainLink, row: Row) -> None:
        if self.journal is None:
            if not isinstance(row, GameOpened):
                self.faults.append(
                    Sentence(
                        "row {row} (game {game}) has no game: its first row is missing",
                        row=link.seq,
                        game=link.game,
                    )
                )
                return
            self.listed = OpenedGame(self.number, row, link.at)
            self.journal = Journal.begin(row, self._catalog)
            return
        if isinstance(row, Amend | Rewind) and link.seq < self._unaware_until:
            raise RuleError("it changes an entry by its number, and entries before it are lost")
        try:
            self.journal = self.journal.fold(row)
        except RuleError:
            if link.seq >= self._unaware_until or not isinstance(row, Step) or not row.entries:
                raise
            self.journal = self.journal.with_state_before(row.entries[0]).fold(row)
        self.journal = self.journal.with_author(row, self._author_of(link))
        if isinstance(row, Step):
            self.entered_at.append(link.at)

    def _author_of(self, link: ChainLink) -> Author:
        agreed = agreed_by(link.row)
        if not link.source:
            return Author.of(None, None, agreed)
        phone = keyed_by(link.row)
        if agreed:
            agreed = tuple(map(self._name_of, agreed))
        return Author.of(link.source, self._name_of(phone) if phone else None, agreed)

    def _name_of(self, seat: Seat) -> Seat:
        return Seat(self._names.get(seat, seat))

    def _note_losses(self, row: Row | None) -> None:
        """Notes that rows of the game are missing before `row` (None for the end). Does nothing if
        the game's first row is missing."""
        for missing in self._missing_since_last:
            if self.journal is not None:
                seat = row.entries[0].named_seat if isinstance(row, Step) and row.entries else None
                self.journal = self.journal.with_loss(seat)
                known_at = row_number_of_loss(missing, self._loss_marks)
                self._unaware_until = max(self._unaware_until, known_at or 2**63)
        self._missing_since_last = []


def row_number_of_loss(missing: ChainBreak, marks: Iterable[LossMark]) -> int | None:
    """The number of the `lost` row that covers these missing rows; None if none does."""
    found = _find_loss_mark(missing, marks)
    return found and found[0]


def loss_line(missing: ChainBreak, marks: Iterable[LossMark]) -> str:
    """A line about missing rows and, if a `lost` row covers them, the file that was set aside
    then."""
    found = _find_loss_mark(missing, marks)
    if found is None:
        return str(missing)
    _, gap, kept = found
    rows = (
        str(missing) if gap.last is not None else f"what came after row {gap.first - 1} may be lost"
    )
    return f"{rows} (since {kept} was set aside)"


def _find_loss_mark(missing: ChainBreak, marks: Iterable[LossMark]) -> tuple[int, Gap, str] | None:
    for seq, lost in marks:
        for gap in lost.gaps:
            last = seq - 1 if gap.last is None else gap.last
            if gap.first <= missing.first and missing.last <= last:
                return seq, gap, lost.kept
    return None
