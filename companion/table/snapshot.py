"""The state of the table as a value, for readers in other threads."""

from collections.abc import Mapping
from dataclasses import field, replace

from companion.console.screen import EveningGame
from companion.core.seats import Seat
from companion.core.values import Json, dataclass
from companion.games.house_rules import Value
from companion.presentation.corrections import ChipsDue
from companion.presentation.game import PresentedGames
from companion.presentation.highlights import BestScores
from companion.presentation.moment import Moment, describe
from companion.record.journal import Journal
from companion.record.people.people import People
from companion.record.rows import KeptRow


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The table after a row, as an immutable value. Any thread may keep it and read all of it; no
    part of it reads the record or waits for the loop.

    `row` is the number of the record's newest row; `kept` is that row, if it was added in this
    `run` of the table. `game` is the number of the game on the table, and `journal` the game
    itself; `tip` is the hash of its last row, which a proposal names. Settings have rows of their
    own and leave the tip as it is. `since`: the evening's first game; from it on, marked entries
    are shown at the evening's end. `played` is the number of the newest row of a game, and
    `played_at` when it was kept, in seconds since 1970 (None if the clock had not been set).
    `evening`: once the game is over, the games of the evening, oldest first, with people's present
    names. `due`: the chips that have to be moved because earlier entries were corrected."""

    run: int
    row: int
    kept: KeptRow | None
    game: int | None
    tip: bytes
    journal: Journal[object] | None
    settings: Mapping[str, Value]
    since: int | None = None
    names: tuple[str, ...] = ()
    """Names of people who have played here, in their present form, the most recent first."""
    known: People = field(default_factory=People)
    """The players behind the names of seats."""
    played: int = 0
    played_at: float | None = None
    evening: tuple[EveningGame, ...] = ()
    due: ChipsDue | None = None
    taken_over: Seat | None = None
    """The seat that a phone has taken over since the newest row."""
    earlier: BestScores | None = None
    """The best scores of the evening's earlier games of the same kind; None if not known."""

    @property
    def without_game(self) -> "Snapshot":
        """The table without its game and names: all that spectators see before and after an
        evening."""
        no_game = replace(self, kept=None, game=None, tip=b"", journal=None, since=None, due=None)
        return replace(no_game, names=(), known=People(), taken_over=None)

    def moment(self, games: PresentedGames) -> Moment:
        """The newest moment of the game on the table. `games`: all games that can be played."""
        return Moment(
            games,
            self.journal,
            self.row,
            self.game,
            self.settings,
            self.kept,
            self.since,
            self.due,
            self.taken_over,
            self.earlier,
        )


def moment_json(snapshot: Snapshot, games: PresentedGames) -> Json:
    """The newest moment as JSON (presentation/moment.py). Pages and listeners in other threads
    share the object: don't change it."""
    global _newest  # noqa: PLW0603  # one table, many readers
    newest = _newest
    if newest is None or newest[0] is not snapshot or newest[1] is not games:
        newest = snapshot, games, describe(snapshot.moment(games))
        _newest = newest
    return newest[2]


_newest: tuple[Snapshot, PresentedGames, Json] | None = None
"""The last snapshot and games passed to `moment_json`, and its result. Threads that need a new one
at the same time may each make it."""
