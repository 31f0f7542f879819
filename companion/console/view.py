"""What the screens read and what they show."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from companion.console.frame import Frame
from companion.games.bogus.board import chips_of
from companion.games.chips import Chips
from companion.games.game import (
    AnyGame,
    AnyState,
    Entry,
)
from companion.games.line.play import LineRules
from companion.games.options import (
    Value,
)
from companion.keys import Key
from companion.record.journal import Journal
from companion.seats import BySeat, Seat


@dataclass(frozen=True, slots=True)
class View:
    """Everything that a screen may look at. Nothing in it changes; a new moment is a new View.

    `journal` is None until there is a game; `names` were used before, the most recent first; `won`
    counts the games won earlier this evening; `message` is one line from the table, shown until the
    next key; `newest_game`: the number of the record's newest game, 0 without one; `evening`: the
    game that a new one follows on the same evening; `game_after`: the game after this one was taken
    back and can be brought back; `stuck` are keys that nobody can press until somebody frees them;
    `switches_off`: this box can be switched off by a key; `keypads` are the seats' keypads that are
    plugged in, by serial number, and whose each is (None: nobody's yet); `check_word` gives the
    word over the game's rows, by which people notice that some are missing.
    """

    journal: Journal | None
    catalog: Mapping[str, AnyGame]
    settings: Mapping[str, Value] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    won: Mapping[str, int] = field(default_factory=dict)
    message: str | None = None
    game_number: int | None = None
    newest_game: int = 0
    evening: int | None = None
    game_after: bool = False
    stuck: tuple[Key, ...] = ()
    switches_off: bool = False
    keypads: Mapping[str, Seat | None] = field(default_factory=dict)
    check_word: Callable[[], str] = str

    @property
    def game(self) -> Journal:
        """The journal of the game; only for screens that are shown while there is one."""
        assert self.journal is not None, "this screen is shown only while there is a game"
        return self.journal

    @property
    def state(self) -> AnyState:
        """Where the game stands."""
        return self.game.state

    @property
    def turn(self) -> tuple[object, ...]:
        """Whose turn it is, of which hand of which game, and whether that is taken back."""
        if self.journal is None:
            return ()
        state = self.state
        gone = self.journal.withdrawn
        return self.game_number, state.effect.hand, state.to_move, state.finished, gone

    @property
    def redo_label(self) -> str | None:
        """What Redo would do again: in this game, or the game that came after it."""
        return self.game.redo_label or ("the next game" if self.game_after else None)

    @property
    def chips(self) -> Chips | None:
        """The chips; None where nothing is paid in them."""
        return chips_of(self.state)

    @property
    def colours(self) -> BySeat[str] | None:
        """The colours of the seats' chips; None where nothing is paid in chips."""
        return self.game.colours if self.chips is not None else None

    def colour(self, seat: Seat | None) -> str:
        """“blue”: the colour of a seat's chips; empty without chips, or where its name says it."""
        colours = self.colours
        if seat is None or colours is None or colours[seat] == seat:
            return ""
        return colours[seat].lower()

    @property
    def entry_way(self) -> str:
        """How lays are keyed in this game: tile, ends or count."""
        return str(self.settings.get("entry", "tile"))

    @property
    def line_rules(self) -> LineRules:
        """The rules of a game with a line of play; only for its screens."""
        rules = self.game.game
        assert isinstance(rules, LineRules), "this screen is shown only in games with a line"
        return rules

    def knows(self, kind: type[Entry]) -> bool:
        """Whether the game has this kind of entry."""
        return kind in self.game.game.entries


class Light(Enum):
    """What the light of a seat's keypad tells."""

    OFF = "off"
    TURN = "turn"
    """It is this seat's turn."""
    PAYS = "pays"
    """This seat pays, just now."""


@dataclass(frozen=True, slots=True)
class Show:
    """The picture, the seats' lights (None: no seats yet), and the time at which it changes by
    itself (None: only by a key). `colours`: those of the seats' chips; their keypads shine in them.
    `pending`: something is keyed that no OK has closed yet; `claiming`: a keypad without a seat may
    take one now."""

    frame: Frame
    lights: BySeat[Light] | None = None
    colours: BySeat[str] | None = None
    wake_at: float | None = None
    pending: bool = False
    claiming: bool = False
