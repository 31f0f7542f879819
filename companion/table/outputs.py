"""The output of the table: the view that its screens get, the frame that they draw from it, and the
outputs that get all changes (display, sounds, keypads, pages).
"""

import traceback
from collections.abc import Callable
from contextlib import suppress
from operator import is_not

from companion.console.console import Console, stuck_show
from companion.console.frame import Show
from companion.console.screen import PlayableGames, View
from companion.console.screen_saver import Look, ScreenSaver
from companion.console.screens.set_up import SET_UP
from companion.console.sounds import Heard, Level, Sound
from companion.core.box_page import BoxCheck, PageRequest, Phones
from companion.core.club import Club, ClubRequest
from companion.core.keys import Key, PressId, is_pad
from companion.core.values import dataclass
from companion.presentation.language import ENGLISH, Language, table_language, with_present_names
from companion.record.store.database import StoreError
from companion.record.store.store import Store
from companion.table.session import TableSession
from companion.table.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Outputs:
    """The functions that get changes at the table (loop.py); none of them may block."""

    show: Callable[[Show], None] = lambda _: None
    """Gets every new picture, with its lights."""
    look: Callable[[Look], None] = lambda _: None
    """Gets how frames should look, to spare the display."""
    play: Callable[[Sound, Level], None] = lambda _, __: None
    """Gets the sound of a press, for a buzzer."""
    settle: Callable[[PressId, bool], None] = lambda _, __: None
    """Called with each press that has an identity, once what it completed is on the disk, and with
    whether it was refused."""
    send_snapshot: Callable[[Snapshot], None] = lambda _: None
    """Gets a snapshot for readers in other threads, at the start and for every row, once the
    display has its frame."""
    request_page: Callable[[PageRequest], None] = lambda _: None
    """Gets requests to the page, which answers with `Phones` on the queue, or to the box itself,
    which answers with `BoxCheck`."""
    request_club: Callable[[ClubRequest], None] = lambda _: None
    """Gets requests to the club, which answers with `Club` on the queue."""
    send_club: Callable[[Club], None] = lambda _: None
    """Gets each answer of the club, for the pages."""
    voice: Callable[[Heard], None] = lambda _: None
    """Gets each picture with the keys that led to it, while the box has a voice."""


# ---------------------------------------------------------------- what the screens see


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What screens show besides the record: the `stuck` keys, the serial numbers of the seats'
    keypads that are `plugged_in`, how `phones` can join, the `club` with its round, and the result
    of the last check of the box."""

    stuck: tuple[Key, ...] = ()
    plugged_in: frozenset[str] = frozenset()
    phones: Phones | None = None
    club: Club | None = None
    box_check: BoxCheck | None = None


Parts = tuple[TableSession, str | None, Surroundings]
"""The parts of a view: the session, a message of the record, and what is shown besides."""


class Views:
    """Makes the view for the screens: the same object as long as its parts don't change.
    `switches_off` and `wired` as in Table (loop.py); the `language` is used until the table chooses
    one."""

    def __init__(
        self,
        store: Store,
        games: PlayableGames,
        *,
        switches_off: bool,
        wired: bool,
        language: Language = ENGLISH,
    ) -> None:
        self._language = language
        self._store = store
        self._games = games
        self._switches_off, self._wired = switches_off, wired
        self._seen: tuple[Parts, View[object]] | None = None
        """The last view, and the parts from which it was made."""

    def view(self, parts: Parts) -> View[object]:
        if self._seen is None or any_replaced(self._seen[0], parts):
            self._seen = parts, self._made_of(parts)
        return self._seen[1]

    def _made_of(self, parts: Parts) -> View[object]:
        session, message, around = parts
        seats, language = session.keypads, table_language(session.settings, self._language)
        return View(
            journal=session.journal,
            games=self._games,
            set_up=SET_UP,
            settings=session.settings,
            names=session.names,
            won=session.won,
            message=message,
            game_number=session.number,
            newest_game=session.newest,
            evening=session.evening,
            game_after=session.game_after,
            stuck=around.stuck,
            switches_off=self._switches_off,
            evening_games=lambda: session.won.games(session.known, session.journal),
            check_word=lambda: self._check_word(session.number),
            phones=around.phones,
            club=around.club,
            box_check=around.box_check,
            language=with_present_names(language, session.journal, session.known),
            keypads={keypad: seats.get(keypad) for keypad in self._for_seats(around.plugged_in)},
        )

    def _check_word(self, number: int | None) -> str:
        """The game's check word; empty if the record can't be read just now."""
        with suppress(StoreError):
            return "" if number is None else self._store.check_word(number)
        return ""

    def _for_seats(self, plugged_in: frozenset[str]) -> list[str]:
        """The keypads that seats may take; not a lone number pad on a box without keys, as it
        serves as the box's keys."""
        lone = not self._wired and len(plugged_in) == 1
        return [] if lone and all(map(is_pad, plugged_in)) else sorted(plugged_in)


def any_replaced(before: tuple[object, ...], now: tuple[object, ...]) -> bool:
    """Whether any of these values is another object than before. Most turns of the loop change
    nothing: a contact moves, a key comes up."""
    return any(map(is_not, before, now))


# ---------------------------------------------------------------- what people see


class TableDisplay:
    """Draws the view that `views` make and sends it to the `outputs`; the `saver` decides how it
    looks. The `language` is used until the table chooses one."""

    def __init__(
        self, outputs: Outputs, views: Views, saver: ScreenSaver, language: Language = ENGLISH
    ) -> None:
        self._outputs, self._views, self._saver = outputs, views, saver
        self._language = language
        self.shown: Show | None = None
        """The picture that was drawn last."""
        self._made_of: tuple[object, ...] = ()
        """Everything from which this picture was made."""
        self._published: Show | None = None
        self._look: Look | None = None
        self.stuck = False
        """Whether no screen can be drawn."""

    def show(self, now: float, console: Console, parts: Parts, *, down: bool) -> Console:
        """Shows what has changed since the last time; returns the console that could be drawn.
        `down`: whether a key is held down."""
        shown = self.shown
        if shown is None or any_replaced(self._made_of, (console, *parts)):
            console, shown = self._show_of(console, parts)
            self.shown, self._made_of = shown, (console, *parts)
        look = self._saver.advance(now, shown.pending or down, parts[0].settings)
        self._publish(shown, look, console.page_request)
        return console

    def _show_of(self, console: Console, parts: Parts) -> tuple[Console, Show]:
        """The picture of the console; if a fault of its screen prevents that, of the screen for the
        game's state; if that fails too, `stuck_show`."""
        for each in (console, Console.start()):
            try:
                show = each.show(self._views.view(parts))
            except Exception:
                traceback.print_exc()
            else:
                self.stuck = False
                return each, show
        self.stuck = True
        return console, stuck_show(table_language(parts[0].settings, self._language))

    def _publish(self, shown: Show, look: Look, page_request: PageRequest | None) -> None:
        """Sends the outputs the picture if it looks different, and how it should look. Forwards
        requests to the page, and whether its digits are on the display and so valid."""
        before = self._published
        if look != self._look:
            self._look = look
            self._outputs.look(look)
        if before is not shown and (
            before is None or _visible_parts(before) != _visible_parts(shown)
        ):
            self._outputs.show(shown)
        if page_request:
            self._outputs.request_page(page_request)
        if shown.inviting != (before is not None and before.inviting):
            self._outputs.request_page(PageRequest.SHOW if shown.inviting else PageRequest.HIDE)
        self._published = shown

    def redraw(self) -> None:
        """Makes the next frame be published in any case, because something else was shown
        meanwhile."""
        self.shown = self._published = None


def _visible_parts(show: Show) -> tuple[object, ...]:
    """The parts of a picture that people see."""
    return show.frame, show.lights, show.claiming
