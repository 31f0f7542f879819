"""Records a tape: players play, and the keys that they press are written down with what comes of
them."""

import io
from contextlib import redirect_stderr
from dataclasses import dataclass, field
from random import Random

from companion.core.keys import SIXTEEN, Key
from companion.devices.board import load_board
from tests.tape.box import Build
from tests.tape.hands import Fingers, Hands, Keypads, Thumb
from tests.tape.player import Manner, Players
from tests.tape.reach import ReachedNames
from tests.tape.tape import WINDOW, Line, Session, Tape

AT_LEAST = 6
"""Words that a line of a tape has at least, unless it is the last one of a window."""


@dataclass(frozen=True, slots=True)
class Cast:
    """The players of a tape, their box, and the number of key presses. `board`: the keys of that
    board, which has a joystick, instead of the sixteen."""

    name: str
    seed: int
    manner: Manner
    build: Build = field(default_factory=Build)
    board: str = ""
    presses: int = 10 * WINDOW


class Fault(AssertionError):
    """Something went wrong in the box itself; the message has the words that led there."""


class _TapeFullError(Exception):
    """The tape has all its presses."""


class _TapeWriter:
    """Does words and records them on the tape."""

    def __init__(self, session: Session, presses: int, reached: ReachedNames) -> None:
        self._session, self._presses, self._reached = session, presses, reached
        self._words: list[str] = []
        self.lines: list[Line] = []
        self._window = WINDOW

    def do(self, word: str) -> None:
        """Does a word; raises _Full at the end of the tape."""
        self._session.do(word)
        self._words.append(word)
        self._reached.screen(self._session.box.rig)
        if self._session.presses >= self._window:
            self._window += WINDOW
            self.end_line()
            self.lines.append(self._session.end_window())
            if self._session.presses >= self._presses:
                raise _TapeFullError

    def end_line(self) -> None:
        """Ends the line, if it has any words."""
        if self._words:
            line, came = self._session.end_line(tuple(self._words))
            self.lines.append(line)
            self._reached.rows(came, self._session.box.build.games)
            self._words.clear()

    def end_of_move(self) -> None:
        """Ends the line after a player's move if it has AT_LEAST words."""
        if len(self._words) >= AT_LEAST:
            self.end_line()

    @property
    def told(self) -> str:
        """The last 20 lines, and the words of the line that isn't ended."""
        return "\n".join([*map(str, self.lines[-20:]), " ".join(self._words)])


def record(cast: Cast) -> tuple[Tape, ReachedNames]:
    """A new tape, and the names that it reaches. Raises Fault if the box reports a fault of its
    own."""
    reached, complaints = ReachedNames(), io.StringIO()
    with Session(cast.build) as session, redirect_stderr(complaints):
        pen = _TapeWriter(session, cast.presses, reached)
        players = Players(
            cast.manner, Random(cast.seed), session.box, pen.do, _hands(cast, pen, session)
        )
        try:
            if cast.manner.pads:
                for name in list(session.box.pads)[: cast.manner.players]:
                    pen.do(f"+{name}")
            while not complaints.getvalue():
                players.move()
                pen.end_of_move()
        except _TapeFullError:
            return Tape(cast.build, tuple(pen.lines)), reached
        raise Fault(f"{cast.name}: {complaints.getvalue()}\n{pen.told}")


def _hands(cast: Cast, pen: _TapeWriter, session: Session) -> Hands:
    if cast.board:
        keys: tuple[Key, ...] = tuple(load_board(cast.board).keys.keys)
        return Thumb(pen.do, keys, session.box)
    if cast.manner.pads:
        return Keypads(pen.do, SIXTEEN, session.box)
    return Fingers(pen.do, SIXTEEN)
