"""What the hub sends to its pages of tables: one table, in the form that the table's own page gets,
or, for a TV, one table after the other. For all tables at a glance see glance.py.

Each text is made once, in the event loop, for all pages that show the same table. A slow page gets
only the newest text; a page that comes back after a pause gets everything anew.
"""

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final, Protocol

from companion.core.values import Json
from companion.core.whole_numbers import PAGE, is_whole
from companion.core.words import Sentence
from companion.hub.club_table import NEEDS_NEWER, ClubTable
from companion.hub.glance import in_sight
from companion.hub.server import Hub
from companion.presentation.club_words import CLUB_WORDS
from companion.presentation.language import Language
from companion.presentation.moment import Moment
from companion.presentation.names_called import calling
from companion.presentation.sayings import words_under
from companion.table.snapshot import Snapshot
from companion.web.broadcast import Broadcast, Versions
from companion.web.files import STATIC
from companion.web.games import PageGames
from companion.web.panels import TOLD
from companion.web.viewer import Viewer

PANELS: Final = ("chips", "race", "win", "rules", "older")
"""The panels of a table's page (web/panels.py) that a hub can fill: those about the game, not about
the box."""
TURN_S: Final = 20.0
"""How long a TV shows a table before it turns to the next."""
LONGEST_CLAIM_S: Final = 90.0
"""For how many seconds after the last entry a TV stays with a table where somebody is called
bogus."""
UNHEARD_S: Final = 30.0
"""Seconds of silence after which a page says that a box is not heard: a connected box is heard
every ten seconds."""
LOOK_S: Final = 5.0
"""Seconds between two looks at how long a box has been silent, for the page of its table."""


class Feed(Protocol):
    """The messages for one page."""

    def news(self) -> Iterator[str]:
        """The texts that the page has not got yet."""
        ...

    def hear(self, said: Json) -> None:
        """Takes a message from the page. Raises ValueError if no page of ours says that."""
        ...


# ---------------------------------------------------------------- one table


class ShownTables:
    """The tables that somebody looks at, with the messages that their own pages get."""

    def __init__(self, hub: Hub, games: PageGames, version: Versions) -> None:
        self.hub, self.games, self._version = hub, games, version
        self._shown: dict[str, tuple[ClubTable, Broadcast]] = {}
        self._no_game = Broadcast(STATIC, games, versions=version)
        self._no_game.go_on(NO_GAME)

    def go_on(self, boxes: Iterable[str]) -> None:
        """Shows what is new at the tables of these boxes."""
        now = self.tables()
        for box in self._shown.keys() - now.keys():
            del self._shown[box]  # its member was thrown out
        for box in boxes:
            if box in self._shown and box in now:
                before, broadcast = self._shown[box]
                if before.moment is not now[box].moment or _head(before) != _head(now[box]):
                    self._show(now[box], broadcast)

    def tables(self) -> Mapping[str, ClubTable]:
        """All tables of the club, by their boxes."""
        return {one.box: one for one in self.hub.tables.now()}

    def broadcast(self, box: str) -> Broadcast | None:
        """The broadcast of a box's table, made when first asked for; None: there is no such box."""
        if box not in self._shown and (table := self.tables().get(box)) is not None:
            broadcast = Broadcast(STATIC, self.games, versions=self._version)
            self._show(table, broadcast)
        found = self._shown.get(box)
        return found[1] if found else None

    def message(self, box: str, viewer: Viewer) -> str | None:
        """The message for a `viewer` of a box's table. If there is no such box, or if the table
        can't be shown, the message says so. None: the tables have not been read yet."""
        broadcast = self.broadcast(box)
        if broadcast is None:
            if not self.hub.tables.are_read:
                return None
            return self._untold(viewer, box, box, words_under(CLUB_WORDS, "club.no-box"))
        table = self._shown[box][0]
        if table.fault is not None:
            newer = table.fault == NEEDS_NEWER
            fault = words_under(CLUB_WORDS, "club.wait-newer") if newer else table.fault
            return self._untold(viewer, box, table.name, fault)
        return broadcast.message(viewer.shape, proof=viewer.proof, language=viewer.language)

    def silence(self, box: str, language: Language) -> str:
        """For how long a box has not been heard, in words of that `language`. Empty if it was heard
        within the last UNHEARD_S seconds, or never."""
        table = self.tables().get(box)
        if table is None or table.heard_at is None:
            return ""
        seconds = self.hub.clock() - table.heard_at
        if seconds < UNHEARD_S:
            return ""
        unit, kind = next(one for one in _UNITS if seconds < 120 * one[0] or one is _UNITS[-1])
        key, number = f"club.unheard-{kind}", int(seconds // unit)
        return language.put(Sentence.made(CLUB_WORDS[key], {"number": number}, key))

    def nothing(self, viewer: Viewer) -> str | None:
        """The message for a `viewer` while no table has a game; None if the page wants no
        drawing."""
        if not viewer.shape:
            return None
        return self._no_game.message(viewer.shape, language=viewer.language)

    def _untold(self, viewer: Viewer, box: str, name: str, fault: str) -> str:
        nothing = {"drawing": None, "moment": None, "keys": None}
        table = {"box": box, "name": name, "fault": fault}
        version = self._version(viewer.language)
        return viewer.language.json({"version": version, "table": table, **nothing})

    def _show(self, table: ClubTable, broadcast: Broadcast) -> None:
        broadcast.more = _head(table)
        moment = self.hub.tables.newest(table.box) if table.fault is None else None
        known = self.hub.tables.known(table.box)
        broadcast.go_on(replace(snapshot_of(moment, table), known=known))
        self._shown[table.box] = table, broadcast


def _head(table: ClubTable) -> Json:
    """What each message about a table says of it, besides its game."""
    names = {"box": table.box, "name": table.name}
    return {"table": names, "sealed": table.seal_words()}


_UNITS: Final = ((1, "seconds"), (60, "minutes"), (3600, "hours"))
NO_GAME: Final = Snapshot(0, 0, None, None, b"", None, {})


def snapshot_of(moment: Moment | None, table: ClubTable) -> Snapshot:
    """The snapshot that the server of the table's own page would have, made from the game `moment`
    (None: no game). What belongs to the box is left out: settings, people, which seat a keypad is
    for."""
    if moment is None:
        return replace(NO_GAME, row=table.row)
    tip = (moment.row or 0).to_bytes(8)
    return Snapshot(0, moment.row or 0, None, moment.number, tip, moment.journal, {})


class TableFeed:
    """Feeds a page that shows one table."""

    def __init__(self, shown: ShownTables, viewer: Viewer, box: str) -> None:
        self._shown, self._viewer = shown, viewer
        self.box = box
        self._sent: str | None = None
        self._silence = ""
        self._left: int | None = None
        self._answers: deque[str] = deque()

    def news(self) -> Iterator[str]:
        """The answers to what the page asked, and the table if it has changed."""
        while self._answers:
            yield self._answers.popleft()
        if self._viewer.shape:
            message = self._shown.message(self.box, self._viewer)
            if message and message != self._sent:
                self._sent = message
                yield message

    def look(self) -> None:
        """Tells the page for how long the box has been silent, if that has changed, and how many
        seconds are left of its round."""
        silence = self._shown.silence(self.box, self._viewer.language)
        if silence != self._silence:
            self._silence = silence
            self._answers.append(json.dumps({"silent": silence}))
            self._viewer.news.set()
        left = self._shown.hub.round_left_s(self.box)
        if left is not None or self._left is not None:
            self._left = left
            self._answers.append(json.dumps({"left_s": left}))
            self._viewer.news.set()

    def hear(self, said: Json) -> None:
        """Answers the page's question for a panel; ignores any other message. Raises ValueError if
        a hub has no such panel."""
        if "panel" not in said:
            return
        asked = said["panel"]
        if not isinstance(asked, dict) or asked.get("name") not in PANELS:
            raise ValueError("there is nothing of that kind to be seen")
        if not is_whole(asked.get("before", 0), PAGE):
            raise ValueError("before which entry?")
        broadcast = self._shown.broadcast(self.box)
        snapshot = broadcast.snapshot if broadcast else None
        told: Json = {}
        language = self._viewer.language
        if snapshot is not None and snapshot.journal is not None:
            language = calling(language, snapshot.journal, snapshot.known)
            told = TOLD[asked["name"]](snapshot, asked, self._shown.games, language) or {}
        told.pop("settings", None)  # the box's
        row = snapshot.row if snapshot else None
        self._answers.append(language.json({"panel": {"name": asked["name"], "row": row, **told}}))
        self._viewer.news.set()


class TvFeed(TableFeed):
    """Feeds a TV that turns from table to table, and to the board of the event that is being
    played."""

    def __init__(self, shown: ShownTables, viewer: Viewer) -> None:
        super().__init__(shown, viewer, "")
        self._told: Json = {"number": 0, "all": 0}
        self._board: int | None = None
        """The event whose board is shown; None: a table is."""

    def turn(self) -> None:
        """Goes on to the next table or the event's board, unless _holds says to stay."""
        now = self._shown.hub.clock()
        tables = in_sight(self._shown.hub.tables.now(), now)
        event = self._shown.hub.event_shown()
        places: list[str | int] = [one.box for one in tables]
        places += [] if event is None else [event]
        shown = self.box if self._board is None else self._board
        at = places.index(shown) if shown in places else -1
        if 0 <= at < len(tables) and _holds(tables[at], now):
            return
        at = (at + 1) % len(places) if places else -1
        found = places[at] if places else ""
        board, box = (found, self.box) if isinstance(found, int) else (None, found)
        told = {"number": at + 1, "all": len(places)}
        if (box, board, told) != (self.box, self._board, self._told):
            self.box, self._told = box, told
            more = {"board": board} if board != self._board else {}
            self._board = board
            self._answers.append(json.dumps({"turn": told, **more}))
            self.look()
            self._viewer.news.set()

    def news(self) -> Iterator[str]:
        """What is new at the table that is shown; while no table is, the message for that."""
        if not self.box and self._board is None:
            self.turn()
        if self.box:
            yield from super().news()
            return
        while self._answers:
            yield self._answers.popleft()
        if nothing := self._shown.nothing(self._viewer):
            yield nothing


def _holds(table: ClubTable, now: float) -> bool:
    """Whether a TV stays with this table: somebody was just called bogus, and everybody wants to
    see how it ends."""
    claim = table.moment and table.moment["claim"]
    return bool(claim and claim["open"]) and now - (table.grown_at or 0.0) < LONGEST_CLAIM_S
