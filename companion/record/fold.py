"""A game from its rows as they lie in the record, even if some are missing or no longer hold.

A row that no longer holds is passed over at every reading, so that later rows still count. If rows
are missing, the game counts on, but is doubtful from there. A change that names an entry by its
place is passed over if it was made without knowing of the loss, since the places have moved.
"""

from collections.abc import Iterable, Mapping, Sequence

from companion.core.errors import EntryError, RuleError
from companion.core.seats import Seat
from companion.core.values import dataclass
from companion.core.words import Sentence
from companion.games.game import AnyGame
from companion.games.options import Value
from companion.record.journal import Journal
from companion.record.people.forget import Names, without, written_without
from companion.record.rows import (
    Amend,
    Author,
    Gap,
    Lost,
    Opened,
    OtherPeople,
    Rewind,
    Row,
    Setting,
    Step,
)
from companion.record.store.chain import ChainLink, Missing, Walked
from companion.record.store.codec import GameWords, agreed_by, decode_row, keyed_by
from companion.record.store.database import NewerError, StoreError

Mark = tuple[int, Lost]
"""The number of a `lost` row, and the row. The rows before it were written by programs that did not
know of the loss."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A game in the list of games: its number, how it was opened and when."""

    number: int
    opened: Opened
    at: float | None


class Fold:
    """A game that is built row by row. `marks`: all `lost` rows of the record; `names`: other names
    for some of its people, by the names that are kept (people/people.py)."""

    def __init__(
        self,
        number: int,
        catalog: Mapping[str, AnyGame],
        marks: Sequence[Mark],
        names: Names | None = None,
    ) -> None:
        self.number = number
        self.journal: Journal[object] | None = None
        self.listed: Listed | None = None
        """The game as a list of games has it; None where its first row can't be read."""
        self.first = 0
        """The number of the first of its rows that is there."""
        self.row = 0
        """The number of its last row that is there."""
        self.missing: list[Missing] = []
        self.hashes: list[bytes] = []
        """The hashes of those of its rows that are there: the check word is made of them."""
        self.entered_at: list[float | None] = []
        """The times of the entries: wall time, None where the clock was not set."""
        self.people: list[str] = []
        """The people whom later rows name for the seats (OtherPeople), by the names that are
        kept."""
        self.faults: list[Sentence] = []
        """A line for each row that no longer holds."""
        self._catalog, self._marks, self._names = catalog, marks, names or {}
        self._table: GameWords | None = None
        self._open: list[Missing] = []
        """Rows that are missing after the last row taken."""
        self._blind_until = 0
        """Rows before this number were written without knowing what is missing."""

    def take(self, item: Walked) -> None:
        """Takes the next row, or notes that rows are missing here. Raises StoreError if a newer
        companion wrote the row."""
        if isinstance(item, Missing):
            self.missing.append(item)
            self._open.append(item)
            return
        self.hashes.append(item.hash)
        self.row = item.seq
        self.first = self.first or item.seq
        try:
            kept = decode_row(item.row, self._table)
            if self._table is not None:
                self._table = self._table.after(kept)
            if isinstance(kept, OtherPeople):
                self.people += kept.seats
            row = without(kept, self._names) if self._names else kept
            self._lose(row)
            self._add(item, row)
            if self._table is None and self.journal and isinstance(kept, Opened):
                self._table = GameWords.of(kept, self._catalog)  # it reads entries as they are kept
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
        """A line for each thing that is wrong with the game."""
        lines = [*(loss_line(one, self._marks) for one in self.missing), *self.faults]
        return [written_without(line, self._names) for line in lines] if self._names else lines

    @property
    def begun_at(self) -> float | None:
        """When the game was opened; if the clock was not set then, when its first entry with a time
        was made. None: the clock was never set."""
        opened = self.listed.at if self.listed is not None else None
        return next((at for at in (opened, *self.entered_at) if at is not None), None)

    def settings(self, of_box: Mapping[str, Value]) -> dict[str, Value]:
        """The box's settings with the names that people have in this game: in stars, and in the
        settings that say whose a keypad is."""
        if not self._names:
            return dict(of_box)
        tables = {self.number: self._table} if self._table else {}
        rows = [without(Setting(*one), self._names, tables) for one in of_box.items()]
        return {row.name: row.value for row in rows if isinstance(row, Setting)}

    def end(self) -> "Fold":
        """Ends the game after its last row: rows that are missing after it may have belonged to it.
        Returns this fold."""
        self._lose(None)
        return self

    def leave(self) -> None:
        """Tells all that the rules know of the game, as another game has begun since: a count that
        nobody called by then, and what it won, are known."""
        if self.journal is not None:
            self.journal = self.journal.whole

    def _add(self, link: ChainLink, row: Row) -> None:
        if self.journal is None:
            if not isinstance(row, Opened):
                self.faults.append(
                    Sentence(
                        "row {row} (game {game}) has no game: its first row is missing",
                        row=link.seq,
                        game=link.game,
                    )
                )
                return
            self.listed = Listed(self.number, row, link.at)
            self.journal = Journal.begin(row, self._catalog)
            return
        if isinstance(row, Amend | Rewind) and link.seq < self._blind_until:
            raise RuleError("it changes an entry by its place, and rows before it are lost")
        try:
            self.journal = self.journal.fold(row)
        except RuleError:
            if link.seq >= self._blind_until or not isinstance(row, Step) or not row.entries:
                raise
            self.journal = self.journal.state_before(row.entries[0]).fold(row)
        self.journal = self.journal.made_by(row, self._author(link))
        if isinstance(row, Step):
            self.entered_at.append(link.at)

    def _author(self, link: ChainLink) -> Author:
        agreed = agreed_by(link.row)
        if not link.source:
            return Author.of(None, None, agreed)
        phone = keyed_by(link.row)
        if agreed:
            agreed = tuple(map(self._name_of, agreed))
        return Author.of(link.source, self._name_of(phone) if phone else None, agreed)

    def _name_of(self, seat: Seat) -> Seat:
        return Seat(self._names.get(seat, seat))

    def _lose(self, row: Row | None) -> None:
        """Notes in the game that rows are missing before `row` (None: at the end). Nothing is noted
        as long as the game has no first row."""
        for missing in self._open:
            if self.journal is not None:
                seat = row.entries[0].named_seat if isinstance(row, Step) and row.entries else None
                self.journal = self.journal.with_loss(seat)
                known_at = known_by(missing, self._marks)
                self._blind_until = max(self._blind_until, known_at or 2**63)
        self._open = []


def known_by(missing: Missing, marks: Iterable[Mark]) -> int | None:
    """The number of the mark that speaks of these missing rows; None: none does."""
    found = _known(missing, marks)
    return found and found[0]


def loss_line(missing: Missing, marks: Iterable[Mark]) -> str:
    """A line that says what is missing and, if a mark speaks of it, which file was set aside
    then."""
    found = _known(missing, marks)
    if found is None:
        return str(missing)
    _, gap, kept = found
    rows = (
        str(missing) if gap.last is not None else f"what came after row {gap.first - 1} may be lost"
    )
    return f"{rows} (since {kept} was set aside)"


def _known(missing: Missing, marks: Iterable[Mark]) -> tuple[int, Gap, str] | None:
    for seq, lost in marks:
        for gap in lost.gaps:
            last = seq - 1 if gap.last is None else gap.last
            if gap.first <= missing.first and missing.last <= last:
                return seq, gap, lost.kept
    return None
