"""What the table's club says of the round that is played here: seats, the clock, a judge's ruling.

The loop (loop.py) hands on the club's news. None of it is kept as such: seats and rulings become
rows only as everything else does, and the clock is the hub's.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from companion.console.screens.given_seats import is_played, seats_instead
from companion.core.clock import Clock
from companion.core.club import Club, GivenSeats, JudgeRuling, NoSeats, RoundClock
from companion.games.entries import TimeUp
from companion.presentation.news import CLUB, JUDGE
from companion.record.journal import Journal
from companion.table.proposals import Proposal, ProposalId
from companion.table.session import TableSession

MINUTE_S: Final = 60.0


class ClubNews:
    """What the club has said. `clock`: the loop's; `run`: gives the run of the table for which
    proposals are made."""

    def __init__(self, clock: Clock, run: Callable[[], int]) -> None:
        self._clock, self._run, self._number = clock, run, 0
        self._told = Club()
        self.given: GivenSeats | None = None
        """Seats that are not answered yet."""
        self.asked = False
        """Whether the box has asked about these seats."""
        self._may_begin = self._others = False
        self._ends: float | None = None
        self._is_up = False
        self.club: Club | None = None
        """The club as it stands, with the round; None: it has said nothing yet."""
        self.wake_at: float | None = None
        """The time at which `advance` will find one minute less left; None: no clock runs."""

    def hear(self, news: Club | GivenSeats | NoSeats | RoundClock) -> None:
        """Takes in what the club says."""
        match news:
            case Club():
                self._told = news
            case GivenSeats():
                self.given, self.asked = news, False
            case NoSeats():
                self.given = None
            case RoundClock():
                left = news.left_s
                self._ends = None if left is None else self._clock() + left
        self._make()

    def look(self, journal: Journal[object] | None) -> None:
        """Takes in where the table stands: given seats that play already are dropped."""
        given = self.given
        if given is None:
            return
        plays = journal is not None and not journal.withdrawn
        others = plays and journal is not None and seats_instead(given, journal) is not None
        if plays and journal is not None and is_played(given, journal) and not others:
            self.given, may = None, False
        else:
            may = others or not plays or (journal is not None and journal.state.finished)
        if (may, others) != (self._may_begin, self._others):
            self._may_begin, self._others = may, others
            self._make()

    @property
    def to_ask(self) -> GivenSeats | None:
        """The given seats that the box should ask about now; None: there are none."""
        return self.given if self._may_begin and not self.asked else None

    def advance(self) -> None:
        """Updates the round's remaining time, minute by minute."""
        told, now = self.club.left_s if self.club else None, self._left()
        if told is not None and now is not None and _minutes(told) != _minutes(now):
            self._make()
        self.wake_at = None
        if self._ends is not None and self.club is not None and self.club.left_s:
            left = self._ends - self._clock()
            self.wake_at = self._ends - (_minutes(left) - 1) * MINUTE_S

    def time_up(self, session: TableSession) -> Proposal | None:
        """Proposes the entry `time up`, once; None: the time isn't up, or the game doesn't go by
        the clock."""
        is_up = self._left() == 0
        was, self._is_up = self._is_up, is_up
        if not is_up or was or session.journal is None or session.journal.state.finished:
            return None
        if TimeUp not in session.journal.game.entries:
            return None
        return self._proposal(CLUB, session.number or 0, session.tip, "time up")

    def ruling(self, said: JudgeRuling, session: TableSession) -> Proposal:
        """A judge's ruling as a proposal, to be answered like any other."""
        seats = () if session.journal is None else session.journal.opened.seats.order
        proposal = self._proposal(JUDGE, said.game, said.tip, said.entry(seats))
        return replace(proposal, seat=said.judge)

    def _proposal(self, surface: str, game: int, tip: bytes, text: str) -> Proposal:
        self._number += 1
        identity = ProposalId(surface, self._run(), self._number)
        return Proposal(identity, None, game, tip, text)

    @property
    def source(self) -> str:
        """A new identity for a row that somebody's phone begins from given seats."""
        self._number += 1
        return str(ProposalId(CLUB, self._run(), self._number))

    def _left(self) -> int | None:
        """Seconds left of the round; None: no clock runs."""
        return None if self._ends is None else max(0, round(self._ends - self._clock()))

    def _make(self) -> None:
        given = self.given if self._may_begin else None
        self.club = replace(
            self._told, given=given, others=self._others and given is not None, left_s=self._left()
        )


def _minutes(seconds: float) -> float:
    """Minutes, rounded up to whole ones."""
    return -(-seconds // MINUTE_S)
