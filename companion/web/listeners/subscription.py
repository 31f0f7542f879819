"""The stream of events (presentation/stream_events.py) for listeners in threads of their own.

The table's loop passes on its snapshot without waiting. Each listener has its own place in the
stream, and gets what a page that may only watch gets: the current evening, and nothing of it once
it is over.
"""

import time
import traceback
from collections.abc import Callable
from threading import Lock
from typing import Final

from companion.core.clock import Clock, IdleTime
from companion.core.values import Json
from companion.presentation.game import PresentedGames
from companion.presentation.language import ENGLISH, Language, table_language, with_present_names
from companion.presentation.stream_events import Stream, table_event, turn_event
from companion.table.snapshot import Snapshot, moment_json

RECHECK_S: Final = 60.0
"""Seconds between two checks whether the evening is over, in a listener that gets no events."""
PHONES_FIRST_S: Final = 0.1
"""Seconds for which listeners wait, so that the box's display and the phones are served first; by
then they have made the moment."""


class EventSubscription:
    """One listener's place in the stream. Events that it has not confirmed are sent again."""

    def __init__(self, moment: Callable[[], Json | None]) -> None:
        self._moment = moment
        self._offered: Json | None = None
        self._confirmed: Json | None = None
        """The moment of the last confirmed events; `_offered` has the moment of the last events
        returned."""

    def events(self, *, anew: bool = False) -> list[Json]:
        """The events since the last `confirm`; the first time, those that describe the state of the
        table. With `anew` the state is described again even if nothing has happened. The event
        `turn` is included whenever the turn has changed, also if the game is gone."""
        known, moment = self._confirmed, self._moment()
        if moment is None or (known is moment and not anew):
            return []
        self._offered = moment
        told = Stream(known).hear(moment)
        if anew and not told:
            told = [table_event(moment)]
        turn = turn_event(moment)
        same_turn = known is not None and _game_and_seat(turn_event(known)) == _game_and_seat(turn)
        if told and (anew or not same_turn) and all(one["event"] != "turn" for one in told):
            told.insert(len(told) - 1, turn)
        return told

    def confirm(self) -> None:
        """Confirms that the last events returned have reached the listener."""
        self._confirmed = self._offered


def _game_and_seat(turn: Json) -> object:
    return turn["number"], turn["seat"]


class EventSource:
    """The table's moments for all listeners, in the language chosen at the table, or else in
    `language`. Any thread may call `update`."""

    def __init__(
        self,
        games: PresentedGames,
        language: Language = ENGLISH,
        clock: Clock = time.monotonic,
        wall: Clock = time.time,
    ) -> None:
        self._games, self._language = games, language
        self._idle = IdleTime(clock, wall)
        self._newest: Snapshot | None = None
        self._told: tuple[Snapshot, bool] | None = None
        """The snapshot from which the moment was made, and whether it was described without its
        game."""
        self._moment_json: Json | None = None
        self._lock = Lock()
        """Held while a moment is made; `update` never takes it."""
        self._wakes: tuple[Callable[[], None], ...] = ()

    def subscribe(self, wake: Callable[[], None]) -> EventSubscription:
        """A new place in the stream. `wake` is called from the table's thread when something is
        new, and must return at once."""
        self._wakes = (*self._wakes, wake)
        return EventSubscription(self._moment)

    def update(self, snapshot: Snapshot) -> None:
        """Receives a new state of the table. Returns at once."""
        self._newest = snapshot
        self._idle.note_row(snapshot.played, snapshot.played_at)
        for wake in self._wakes:
            wake()

    def _moment(self) -> Json | None:
        """The newest moment, built once for all listeners; None if there is none, or it can't be
        described."""
        with self._lock:
            if (newest := self._newest) is None:
                return None
            ended = self._idle.is_break
            if self._told is None or self._told[0] is not newest or self._told[1] != ended:
                self._told = newest, ended
                self._moment_json = self._described(newest.without_game if ended else newest)
            return self._moment_json

    def _described(self, snapshot: Snapshot) -> Json | None:
        try:
            speaks = table_language(snapshot.settings, self._language)
            language = with_present_names(speaks, snapshot.journal, snapshot.known)
            told: Json = language.translated(moment_json(snapshot, self._games))
        except Exception:
            # A fault in the program must not end the stream: listeners get the next moment.
            traceback.print_exc()
            return None
        return told
