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
from companion.core.seats import COLOURS, MORE_COLOURS, shown
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


MOST_NAMES: Final = 8
"""The most seats of any game."""
LONGEST_NAME: Final = 24
MOST_PLAYERS: Final = 24
"""The most players' names to offer."""
PLAYERS: Final = range(-999, 1000)
"""The numbers of players that may be requested; each game has its own, smaller range."""
READ: Final = "games"
"""The name of the panel that is read from the record."""
READING: Final = {"reading": True}
"""The panel of unfinished games while they are being read."""
_log = logging.getLogger("asyncio")


class Panels:
    """One page's requests for panels. `look` returns the newest snapshot; `wake` is called when
    there is something to send; `read` reads the unfinished games and may take its time; `games` are
    those of the catalog. A new request replaces an earlier one with the same name. `language` is
    the page's; `spoken` was the table's when the page came."""

    def __init__(
        self,
        look: Callable[[], Snapshot | None],
        wake: Callable[[], None],
        read: Callable[[], list[Json]],
        games: PageGames,
        language: Language = ENGLISH,
        *,
        spoken: Language = ENGLISH,
    ) -> None:
        self._catalog, self._language, self._spoken = games, language, spoken
        self._look, self._wake, self._read = look, wake, read
        self._asked: dict[str, Json] = {}
        self._reading: asyncio.Future[list[Json]] | None = None
        self._games: list[Json] = []
        """The unfinished games, as last read."""
        self._read_at: tuple[int | None, bool] | None = None
        """The result of `_games_stand` when the games were read."""

    def hear(self, asked: Json) -> None:
        """Handles a request for a panel. Raises ValueError if there is no such panel, or the
        request can't be parsed."""
        name = asked.get("name")
        if (
            not isinstance(name, str)
            or name not in (*TOLD, READ)
            or not _understood(asked, self._catalog)
        ):
            raise ValueError("there is nothing of that kind to be seen")
        if name == READ and self._read_at != self._games_stand():
            self._begin_to_read()
        self._asked[name] = asked
        self._wake()

    def _games_stand(self) -> tuple[int | None, bool]:
        """The number of the game on the table, and whether it is unfinished. While these don't
        change, the list of unfinished games is current."""
        stands = self._look()
        if stands is None or stands.journal is None:
            return None, False
        return stands.game, is_unfinished(stands.journal)

    def _begin_to_read(self) -> None:
        if self._reading is None:
            at, loop = self._games_stand(), asyncio.get_running_loop()
            self._reading = loop.run_in_executor(None, self._read)
            self._reading.add_done_callback(lambda reading: self._have_read(reading, at))

    def _have_read(
        self, reading: "asyncio.Future[list[Json]]", at: tuple[int | None, bool]
    ) -> None:
        self._reading = None
        if reading.cancelled():
            return
        fault = reading.exception()
        if fault:
            _log.error("the games can't be read: %s", fault)
        elif at != self._games_stand():  # another game was begun in the meantime
            self._begin_to_read()
            return
        self._games = [] if fault else reading.result()
        self._read_at = None if fault else at
        self._asked[READ] = {"name": READ}
        self._wake()

    def news(self) -> Iterator[str]:
        """The requested panels, as texts to send."""
        while self._asked:
            name, asked = self._asked.popitem()
            snapshot, language = self._look(), self._language
            if snapshot is not None:
                language = with_present_names(language, snapshot.journal, snapshot.known)
            panel: Json = {}
            try:
                if snapshot is not None and name == READ:
                    panel = _games(snapshot, self._games) if self._reading is None else READING
                elif snapshot is not None:
                    speaks = {LANGUAGE: self._spoken.name, **snapshot.settings}
                    stands = replace(snapshot, settings=speaks)
                    panel = TOLD[name](stands, asked, self._catalog, language) or {}
            except Exception:
                # A fault of ours must not end the page.
                _log.exception("the panel %s can't be told", name)
            row = snapshot.row if snapshot else None
            yield language.json({"panel": {"name": name, "row": row, **panel}})


def _chips(stands: Snapshot, _asked: Json, _games: PageGames, _language: Language) -> Json | None:
    return chips_json(stands.journal) if stands.journal else None


def _race(stands: Snapshot, _asked: Json, _games: PageGames, language: Language) -> Json | None:
    return race_json(stands.journal, language) if stands.journal else None


def _win(stands: Snapshot, asked: Json, games: PageGames, language: Language) -> Json:
    moment = Moment(games, stands.journal, stands.row, stands.game, stands.settings)
    won, number = wins_of(stands.evening), len(stands.evening)
    return game_over_json(moment, won, number, language, replay=bool(asked.get("replay")))


def _rules(stands: Snapshot, _asked: Json, _games: PageGames, _language: Language) -> Json:
    settings = [
        {
            "name": one.name,
            "label": one.label,
            "value": stands.settings.get(one.name, one.choices[0][0]),
            "choices": [list(choice) for choice in one.choices],
        }
        for one in (*BOX, SOUND, VOICE_OF_BOX, SPOKEN)
    ]
    rules = rules_json(stands.journal) if stands.journal else {}
    return {**rules, "settings": settings}


def _new(stands: Snapshot, asked: Json, games: PageGames, _language: Language) -> Json:
    opened = stands.journal.opened if stands.journal else None
    chosen = _game(asked, games, opened.game if opened else None)
    game = chosen.rules
    number = asked.get("players", len(opened.seats) if opened else 2)
    number = max(game.players[0], min(number, game.players[-1]))
    kept = chosen.screens.kept_options(stands.settings)
    return {
        "games": [
            {"name": name, "title": one.rules.title, "about": about_game(name)}
            for name, one in games.items()
        ],
        "names": list(stands.names[:MOST_PLAYERS]),
        "renamed": [
            {"name": name, "to": stands.known.name_of(name)}
            for name in stands.known.called
            if stands.known.name_of(name) != name and name not in stands.known.hidden
        ],
        "colours": list(COLOURS),
        "colours_shown": [name_in_words(one) for one in COLOURS],
        "palette": palette(number),
        "seats": list(opened.seats) if opened else [],
        "seat_colours": [*stands.journal.seat_colours.values] if stands.journal else [],
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


def _spelled(_stands: Snapshot, asked: Json, games: PageGames, _language: Language) -> Json:
    game = _game(asked, games)
    names = asked.get("names", [])
    return {"spelled": [spelled(name[:LONGEST_NAME], game) for name in names]}


def _older(stands: Snapshot, asked: Json, games: PageGames, _language: Language) -> Json | None:
    before, journal = asked.get("before", 0), stands.journal
    if journal is None:
        return None
    moment = Moment(games, journal, stands.row, stands.game, stands.settings)
    describer = Describer(moment, journal, journal.state)
    steps = (step for step in journal.newest_first() if step[0] < before - 1)
    entries = [describer.entry(*step) for step in islice(steps, LATEST)]
    return {"before": before, "entries": entries}


def _games(stands: Snapshot, read: list[Json]) -> Json:
    """The unfinished games as last read, but the one on the table in its present state."""
    called, journal = game_names(stands.settings), stands.journal
    lines = []
    for game in read:
        number, on_table = game["number"], game["number"] == stands.game
        now = progress_json(journal) if journal and on_table else {}
        line = {**game, **now, "called": called.get(number, ""), "on_table": on_table}
        lines.append({**line, "scores": [*_scores(line["scores"], stands.known)]})
    return {"games": lines}


def _scores(scores: dict[str, int | None], known: People) -> Iterator[Json]:
    """Each seat with its score (None if its partner has it) and its player's present name (None:
    the seat has no player, only a colour, or the player is hidden)."""
    for seat, score in scores.items():
        player = known.player(seat)
        yield {"shown": shown(player or seat), "score": score, "player": player}


def _game(asked: Json, games: PageGames, usual: str | None = None) -> PageGame:
    """The game that the request names, else `usual`, else the first one."""
    return games[str(asked.get("game", usual or next(iter(games))))]


def _understood(asked: Json, games: PageGames) -> bool:
    """Whether all other fields of a request have the right type, and its game exists."""
    names = asked.get("names", [])
    return (
        ("game" not in asked or str(asked["game"]) in games)
        and is_whole(asked.get("players", 2), PLAYERS)
        and is_whole(asked.get("before", 0), PAGE)
        and isinstance(names, list)
        and len(names) <= MOST_NAMES
        and all(isinstance(name, str) for name in names)
    )


MakePanel = Callable[[Snapshot, Json, PageGames, Language], Json | None]
OF_GAME: Final[dict[str, MakePanel]] = {
    "chips": _chips,
    "race": _race,
    "win": _win,
    "rules": _rules,
    "older": _older,
}
"""The functions that make panels about the game, by the panel's name; a club's hub has these too.
"""
TOLD: Final[dict[str, MakePanel]] = {**OF_GAME, "new": _new, "spelled": _spelled}
"""The functions that make panels, by the panel's name."""


# ---------------------------------------------------------------- a name as the box spells it


FONT = "caps"


def spelled(name: str, game: PageGame) -> Json:
    """The name with a picture of it, the reason why it can't be used (None: it can), and its
    characters that the display lacks (None: none)."""
    fault = name_fault(name, game.rules) if name else None
    text = fitted(shown(name).upper(), WIDTH, FONT)
    wrong = say("answer.refused", why=fault.why) if fault else None
    lacking = not_drawn(shown(name).upper(), FONT)
    lacks = say("answer.not-drawn", signs=lacking) if lacking else None
    picture = _picture(text) if name else ""
    return {"name": name, "picture": picture, "wrong": wrong, "lacks": lacks}


def _picture(text: str) -> str:
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
