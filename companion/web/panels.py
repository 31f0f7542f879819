"""Panels: parts that a page may request in addition to the moment.

    "panel": {"name": "chips"}                  who holds which chips, and the audits
    "panel": {"name": "race"}                   the points over the entries, as a chart
    "panel": {"name": "win"}                    who won, the race, best count, the evening so far
    "panel": {"name": "win", "replay": true}    also drawings of the best play
    "panel": {"name": "rules"}                  the house rules, the settings
    "panel": {"name": "new", "game": "high-five", "players": 3}
    "panel": {"name": "spelled", "game": "high-five", "names": ["Anna", "Zoë"]}
    "panel": {"name": "older", "before": 41}    the entries before entry 41
    "panel": {"name": "games"}                  the unfinished games

The answer is a text of its own, `{"panel": {"name": "chips", "row": 77, …}}`: see docs/telling.md
and docs/panels.schema.json. Everything comes from the newest snapshot, in the page's thread,
without the table's loop. Only the unfinished games are read from the record, over a separate
connection in a separate thread: once for each game that is put on the table, not for its entries.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any, Final, Protocol

from companion.console.fonts import fitted, not_drawn, text_strip
from companion.console.frame import WIDTH
from companion.console.screen import PlayableGame, wins_of
from companion.console.screens.box_settings import BOX, SOUND, SPOKEN, VOICE_OF_BOX
from companion.core.json_text import PAGE, is_whole
from companion.core.languages import LANGUAGE
from companion.core.seats import COLOURS, MORE_COLOURS, display_name
from companion.core.values import Json
from companion.presentation.drawing.race import game_over_json, race_json
from companion.presentation.game import PresentedGame
from companion.presentation.house_rule_words import (
    about_game,
    is_unfinished,
    new_game_json,
    progress_json,
    rules_json,
)
from companion.presentation.language import ENGLISH, Language, with_present_names
from companion.presentation.moment import LATEST, Describer, Moment
from companion.presentation.payments import chips_json
from companion.presentation.sayings import name_in_words, say
from companion.record.names import name_fault
from companion.record.people.people import People
from companion.record.settings import game_names
from companion.table.snapshot import Snapshot


class PageGame(PresentedGame, PlayableGame[Any], Protocol):
    """A game as pages describe it, with the questions before it begins."""


PageGames = Mapping[str, PageGame]
"""The games by their names, in the order in which they are offered."""


MOST_SEATS: Final = 8
"""The most seats of any game."""
LONGEST_NAME: Final = 24
MOST_PLAYERS: Final = 24
"""The most players' names to offer."""
PLAYER_COUNTS: Final = range(-999, 1000)
"""The numbers of players that may be requested; each game has its own, smaller range."""
UNFINISHED_GAMES: Final = "games"
"""The name of the panel that is read from the record."""
STILL_READING: Final = {"reading": True}
"""The panel of unfinished games while they are being read."""
_log = logging.getLogger("asyncio")


class Panels:
    """One page's requests for panels. `newest_snapshot` returns the newest snapshot; `wake` is
    called when there is something to send; `read` reads the unfinished games and may take its time;
    `games` are those of the catalog. A new request replaces an earlier one with the same name.
    `language` is the page's; `spoken` was the table's when the page came. A page that only watches
    (not `plays`) sees the present evening alone: no unfinished games, and no names of earlier
    players."""

    def __init__(
        self,
        newest_snapshot: Callable[[], Snapshot | None],
        wake: Callable[[], None],
        read: Callable[[], list[Json]],
        games: PageGames,
        language: Language = ENGLISH,
        *,
        plays: bool = True,
        spoken: Language = ENGLISH,
    ) -> None:
        self._catalog, self._language, self._spoken = games, language, spoken
        self._newest_snapshot, self._wake = newest_snapshot, wake
        self._plays, self._read = plays, read if plays else list
        self._requests: dict[str, Json] = {}
        self._reading: asyncio.Future[list[Json]] | None = None
        self._games: list[Json] = []
        """The unfinished games, as last read."""
        self._read_at: tuple[int | None, bool] | None = None
        """The result of `_table_state` when the games were read."""

    def handle_message(self, request: Json) -> None:
        """Handles a request for a panel. Raises ValueError if there is no such panel, or the
        request can't be parsed."""
        name = request.get("name")
        if (
            not isinstance(name, str)
            or name not in (*PANELS, UNFINISHED_GAMES)
            or not _is_valid_request(request, self._catalog)
        ):
            raise ValueError("there is nothing of that kind to be seen")
        if name == UNFINISHED_GAMES and self._read_at != self._table_state():
            self._begin_to_read()
        self._requests[name] = request
        self._wake()

    def _table_state(self) -> tuple[int | None, bool]:
        """The number of the game on the table, and whether it is unfinished. The list of unfinished
        games is current until one of these changes."""
        snapshot = self._newest_snapshot()
        if snapshot is None or snapshot.journal is None:
            return None, False
        return snapshot.game, is_unfinished(snapshot.journal)

    def _begin_to_read(self) -> None:
        if self._reading is None:
            at, loop = self._table_state(), asyncio.get_running_loop()
            self._reading = loop.run_in_executor(None, self._read)
            self._reading.add_done_callback(lambda reading: self._take_games(reading, at))

    def _take_games(
        self, reading: "asyncio.Future[list[Json]]", at: tuple[int | None, bool]
    ) -> None:
        self._reading = None
        if reading.cancelled():
            return
        fault = reading.exception()
        if fault:
            _log.error("the games can't be read: %s", fault)
        elif at != self._table_state():  # another game was begun meanwhile
            self._begin_to_read()
            return
        self._games = [] if fault else reading.result()
        self._read_at = None if fault else at
        self._requests[UNFINISHED_GAMES] = {"name": UNFINISHED_GAMES}
        self._wake()

    def pending_messages(self) -> Iterator[str]:
        """The requested panels, as texts to send."""
        while self._requests:
            name, asked = self._requests.popitem()
            snapshot, language = self._newest_snapshot(), self._language
            if snapshot is not None:
                language = with_present_names(language, snapshot.journal, snapshot.known)
            panel: Json = {}
            try:
                if snapshot is not None and name == UNFINISHED_GAMES:
                    panel = (
                        _games(snapshot, self._games) if self._reading is None else STILL_READING
                    )
                elif snapshot is not None:
                    speaks = {LANGUAGE: self._spoken.name, **snapshot.settings}
                    snapshot = replace(snapshot, settings=speaks)
                    panel = PANELS[name](snapshot, asked, self._catalog, language) or {}
                    if not self._plays and "names" in panel:
                        panel |= {"names": [], "renamed": []}
            except Exception:
                # A fault of ours must not end the page.
                _log.exception("the panel %s can't be told", name)
            row = snapshot.row if snapshot else None
            yield language.json({"panel": {"name": name, "row": row, **panel}})


def _chips_panel(
    snapshot: Snapshot, _requests: Json, _games: PageGames, _language: Language
) -> Json | None:
    return chips_json(snapshot.journal) if snapshot.journal else None


def _race_panel(
    snapshot: Snapshot, _requests: Json, _games: PageGames, language: Language
) -> Json | None:
    return race_json(snapshot.journal, language) if snapshot.journal else None


def _win_panel(snapshot: Snapshot, request: Json, games: PageGames, language: Language) -> Json:
    moment = Moment(games, snapshot.journal, snapshot.row, snapshot.game, snapshot.settings)
    won, number = wins_of(snapshot.evening), len(snapshot.evening)
    return game_over_json(moment, won, number, language, replay=bool(request.get("replay")))


def _rules_panel(
    snapshot: Snapshot, _requests: Json, _games: PageGames, _language: Language
) -> Json:
    settings = [
        {
            "name": one.name,
            "label": one.label,
            "value": snapshot.settings.get(one.name, one.choices[0][0]),
            "choices": [list(choice) for choice in one.choices],
        }
        for one in (*BOX, SOUND, VOICE_OF_BOX, SPOKEN)
    ]
    rules = rules_json(snapshot.journal) if snapshot.journal else {}
    return {**rules, "settings": settings}


def _new_game_panel(
    snapshot: Snapshot, request: Json, games: PageGames, _language: Language
) -> Json:
    opened = snapshot.journal.opened if snapshot.journal else None
    chosen = _requested_game(request, games, opened.game if opened else None)
    game = chosen.rules
    number = request.get("players", len(opened.seats) if opened else 2)
    number = max(game.players[0], min(number, game.players[-1]))
    kept = chosen.screens.kept_options(snapshot.settings)
    return {
        "games": [
            {"name": name, "title": one.rules.title, "about": about_game(name)}
            for name, one in games.items()
        ],
        "names": list(snapshot.names[:MOST_PLAYERS]),
        "renamed": [
            {"name": name, "to": snapshot.known.name_of(name)}
            for name in snapshot.known.called
            if snapshot.known.name_of(name) != name and name not in snapshot.known.hidden
        ],
        "colours": list(COLOURS),
        "colours_shown": [name_in_words(one) for one in COLOURS],
        "palette": palette(number),
        "seats": list(opened.seats) if opened else [],
        "seat_colours": [*snapshot.journal.seat_colours.values] if snapshot.journal else [],
        **new_game_json(game, number, kept),
        "game": game.name,
        "clockwise": game.clockwise,
        "name": "new",
    }


def palette(seats: int) -> list[Json]:
    """The colours that players may choose at a table with this number of `seats`, with the colours'
    names."""
    colours = COLOURS if seats <= len(COLOURS) else (*COLOURS, *MORE_COLOURS)
    return [{"name": one, "shown": name_in_words(one)} for one in colours]


def _spelling_panel(
    _stands: Snapshot, request: Json, games: PageGames, _language: Language
) -> Json:
    game = _requested_game(request, games)
    names = request.get("names", [])
    return {"spelled": [spelling_json(name[:LONGEST_NAME], game) for name in names]}


def _older_panel(
    snapshot: Snapshot, request: Json, games: PageGames, _language: Language
) -> Json | None:
    before, journal = request.get("before", 0), snapshot.journal
    if journal is None:
        return None
    moment = Moment(games, journal, snapshot.row, snapshot.game, snapshot.settings)
    describer = Describer(moment, journal, journal.state)
    steps = (step for step in journal.newest_first() if step[0] < before - 1)
    entries = [describer.entry(*step) for step in islice(steps, LATEST)]
    return {"before": before, "entries": entries}


def _games(snapshot: Snapshot, read: list[Json]) -> Json:
    """The unfinished games as last read; the one on the table is updated to its present state."""
    called, journal = game_names(snapshot.settings), snapshot.journal
    lines = []
    for game in read:
        number, on_table = game["number"], game["number"] == snapshot.game
        now = progress_json(journal) if journal and on_table else {}
        line = {**game, **now, "called": called.get(number, ""), "on_table": on_table}
        lines.append({**line, "scores": [*_scores(line["scores"], snapshot.known)]})
    return {"games": lines}


def _scores(scores: dict[str, int | None], known: People) -> Iterator[Json]:
    """Each seat with its score (None if its partner has it) and its player's present name (None if
    the seat has no player, only a colour, or the player is hidden)."""
    for seat, score in scores.items():
        player = known.player(seat)
        yield {"shown": display_name(player or seat), "score": score, "player": player}


def _requested_game(request: Json, games: PageGames, usual: str | None = None) -> PageGame:
    """The game that the request names, else `usual`, else the first one."""
    return games[str(request.get("game", usual or next(iter(games))))]


def _is_valid_request(request: Json, games: PageGames) -> bool:
    """Whether all other fields of a request have the right type, and its game exists."""
    names = request.get("names", [])
    return (
        ("game" not in request or str(request["game"]) in games)
        and is_whole(request.get("players", 2), PLAYER_COUNTS)
        and is_whole(request.get("before", 0), PAGE)
        and isinstance(names, list)
        and len(names) <= MOST_SEATS
        and all(isinstance(name, str) for name in names)
    )


MakePanel = Callable[[Snapshot, Json, PageGames, Language], Json | None]
GAME_PANELS: Final[dict[str, MakePanel]] = {
    "chips": _chips_panel,
    "race": _race_panel,
    "win": _win_panel,
    "rules": _rules_panel,
    "older": _older_panel,
}
"""The functions that make panels about the game, by the panel's name; a club's hub has these too.
"""
PANELS: Final[dict[str, MakePanel]] = {
    **GAME_PANELS,
    "new": _new_game_panel,
    "spelled": _spelling_panel,
}
"""The functions that make panels, by the panel's name."""


# ---------------------------------------------------------------- spelling


FONT = "caps"


def spelling_json(name: str, game: PageGame) -> Json:
    """The JSON about a name: its picture, the reason why it can't be used (None if it can), and the
    characters that the display can't show (None if there are none)."""
    fault = name_fault(name, game.rules) if name else None
    text = fitted(display_name(name).upper(), WIDTH, FONT)
    wrong = say("answer.refused", why=fault.why) if fault else None
    lacking = not_drawn(display_name(name).upper(), FONT)
    lacks = say("answer.not-drawn", signs=lacking) if lacking else None
    picture = _spelling_picture(text) if name else ""
    return {"name": name, "picture": picture, "wrong": wrong, "lacks": lacks}


def _spelling_picture(text: str) -> str:
    """The text as the display draws it, as SVG: one shape of its bright dots, in the colour of the
    surrounding text."""
    strip = text_strip(text, FONT)
    rows = 8 * len(strip.pages)
    drawn = ""
    for y in range(rows):
        page, bit = strip.pages[y // 8], y % 8
        lit = [x for x in range(strip.width) if page[x] >> bit & 1]
        drawn += "".join(f"M{x} {y}h1v1h-1z" for x in lit)
    box = f'viewBox="0 0 {WIDTH} {rows}"'
    return f'<svg class="spelled" {box} aria-hidden="true"><path d="{drawn}"/></svg>'
