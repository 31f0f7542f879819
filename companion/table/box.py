"""The box's own surface at the table: what its keys and the seats' keypads do, and what its
display, its sounds and its voice give.

A press goes to the console. The row that the console answers is folded in memory (is it allowed?),
kept on the disk, and only then adopted and shown. If it is refused or not saved, all is as it was
before the press, with one line that says so. Rows that other surfaces have kept are shown here,
too.
"""

import sys
import traceback
from collections.abc import Mapping
from dataclasses import replace

from companion.console.aloud import Heard, VoiceRequest
from companion.console.console import Console
from companion.console.elsewhere import entered_by
from companion.console.fault import FAULT, way_out
from companion.console.frame import Show
from companion.console.screen import View
from companion.console.sounds import Level, Sound, level_of, sound_of
from companion.core.clock import Clock
from companion.core.errors import Refusal
from companion.core.keys import Key, Press
from companion.core.seats import Seat
from companion.devices.display.screen_saver import ScreenSaver
from companion.presentation.language import Language
from companion.presentation.languages import spoken
from companion.presentation.news import is_change
from companion.presentation.rulings import changed_rulings
from companion.presentation.voice import EVERYTHING, OFF
from companion.record.copies.stick import Offer, drop_offers
from companion.record.rows import Kept
from companion.record.settings import VOICE
from companion.record.store.faults import OvertakenError, Seen, StoreError
from companion.table.outputs import Around, Outputs, Parts, TableDisplay, Views
from companion.table.session import TableSession
from companion.table.state import TableState


class BoxSurface:
    """The box's surface over the table's `state`. `saver` decides how frames look; the `language`
    is used until the table chooses one."""

    def __init__(
        self,
        state: TableState,
        views: Views,
        outputs: Outputs,
        clock: Clock,
        *,
        saver: ScreenSaver,
        language: Language,
    ) -> None:
        self._state, self._views, self._outputs, self._clock = state, views, outputs, clock
        self._saver, self._language = saver, language
        self._display = TableDisplay(outputs, views, saver, language)
        self._ears = ForEars(outputs)
        self.console, self.around = Console.start(), Around()

    # ------------------------------------------------------------ what it shows

    def view(self) -> View[object]:
        """The view of the table: the same object as long as nothing changes that it is made of."""
        return self._views.view(self._parts())

    def _parts(self) -> Parts:
        return self._state.session, self._state.message, self.around

    def show(self, now: float, *, down: bool) -> None:
        """Publishes what the box shows and how that should look, if either has changed. `down`:
        whether a key is held down."""
        self.console = self._display.show(now, self.console, self._parts(), down=down)
        if self.console.page_request:
            self.console = replace(self.console, page_request=None)
        if self.console.club_request:
            self._outputs.ask_club(self.console.club_request)
            self.console = replace(self.console, club_request=None)

    def speak(self) -> None:
        """Gives the voice the picture that was shown."""
        self._ears.show(self._display.shown, self._state.session)

    def say(self, line: str) -> None:
        """Shows a line, until the next key."""
        self.console = self.console.failed(line)

    def say_news(self, line: str) -> None:
        """Shows a line, until the next key or the next entry."""
        self.console = self.console.with_news(line)

    def leave(self) -> None:
        """Leaves a screen that was about a game which is no longer on the table as it was."""
        self.console = Console.start()

    def mended(self, trouble: str | None) -> None:
        """Goes on after the record was put together again, which the display showed meanwhile.
        `trouble`: why that failed (None: it didn't)."""
        if trouble:
            self.say(trouble)
        self._display.forget()

    @property
    def language(self) -> Language:
        """The language of the box now."""
        return spoken(self._state.session.settings, self._language)

    @property
    def sound_level(self) -> Level:
        """How loud the box is, by its settings."""
        return level_of(self._state.session.settings)

    @property
    def keypads(self) -> Mapping[str, Seat]:
        """The seat of each keypad, by its serial number; keypads without a seat are left out."""
        return self._state.session.keypads

    # ------------------------------------------------------------ a press

    def press(self, press: Press) -> None:
        """Deals with one press, from the console to the disk and back. If it is refused or not
        saved, all is as it was before the press, with one line that says so."""
        before, refused, sound = self.console, True, None
        if press.source and press.seat is None:
            press = replace(press, seat=self.keypads.get(press.source.keypad))
        try:
            view = self.view()
            dealt_with = self._take(press, view) or press.held or press.repeated
            idle = not (dealt_with or self.console.asks)
            idle = idle and self.console.shows_the_same_as(before, view)
            says_why = self.console.message is not None and self.console is not before
            refused = idle or says_why or before.locked
            after = self.view()
            sound = sound_of(view, after)
            _write_down(view, after)
        except OvertakenError as error:
            self._state.read_anew()
            self.say(error.why)
        except Refusal as refusal:
            self.console = before.failed(refusal.why)
        except StoreError as error:
            self.console = before.failed(error.why)
        except Exception:
            # A fault of ours must not end the evening: it is written down, and play goes on.
            traceback.print_exc()
            self.console = before.failed(FAULT)
        if press.source:
            self._outputs.settle(press.source, refused)
        self._heard(press, refused=refused)
        if sound or (refused and not (press.held or press.repeated)):
            self._outputs.play(sound or Sound.REFUSED, self.sound_level)

    def _heard(self, press: Press, *, refused: bool) -> None:
        """Has the voice say what came of a key, or what the console asks it to say."""
        if not (press.held or press.repeated) or self.console.asks:
            self._ears.press(press.key, self.console.asks, refused=refused)
        if self.console.asks:
            self.console = replace(self.console, asks=None)

    def _take(self, press: Press, view: View[object]) -> bool:
        """Whether the press did something that can't be seen from the console alone: a row was kept
        now or before, or the key only woke the display."""
        now = self._clock()
        says_all = self._state.session.settings.get(VOICE) == EVERYTHING
        if self._saver.swallows(press, now) and not says_all:
            return True  # but nobody who only listens knows that the display is dark
        if self._display.stuck:
            console, row = Console.start(), way_out(press)
        else:
            console, row = self.console.press(view, press)
            if console is self.console and row is None:
                return False  # the key does nothing here: whatever is said stays
        self._state.next_message()
        if console.takes or console.declines:
            self._answer_offer(console, press.seat)
            return True
        if console.moved:
            self._state.chips_moved()
            console = replace(console, moved=False)
        if row is None:
            self.console = self._with_chips_due(console)
            return self._display.stuck
        source = str(press.source) if press.source else None
        surface = press.source.keypad if press.source else None
        same = self._state.repeated_row(row, surface, press.seat)
        if same is not None and not self.console.asked_about(row):
            if source and self._state.store.row_of(source) is not None:
                return True  # it counted already when it came the first time
            self.console = self.console.asking_again(row, entered_by(same, view), press.seat)
            return True
        try:
            ruled = changed_rulings(view.journal, row)  # the console has asked if all agree
            self._state.keep(row, source, agreed_by=() if ruled else None)
        except Seen:
            return True
        self.console = self._with_chips_due(console)
        return True

    def _with_chips_due(self, console: Console) -> Console:
        """The console. If nobody is in a screen, it then says which chips have to be moved because
        of a correction made elsewhere."""
        due = self._state.session.due
        if due is None or due.at_box:
            return console
        return console.with_chips_due(self.view(), due)

    def _answer_offer(self, console: Console, by: Seat | None) -> None:
        """Makes a stick's games the record, which has none, or leaves them where they are. Raises
        StoreError: the question then stays."""
        if console.takes and not self._state.session.newest:
            self._state.take_over(console.takes)
            console = Console.taken(by)
        drop_offers(self._state.store.path)
        self.console = replace(console, takes=None, declines=False)

    # ------------------------------------------------------------ what comes from elsewhere

    def offer(self, offer: Offer) -> None:
        """Asks about a stick's games, unless the record has games by now, or somebody has said no
        since these were offered, which removes the offer's file."""
        state = self._state
        if not state.session.newest and offer.path(state.store.path).exists():
            self.console = self.console.offering(offer)

    def chips_were_moved(self) -> None:
        """Stops asking for chips that people have said they moved."""
        if self._state.session.due is None:
            self.console = self.console.with_chips_due(self.view(), None)

    def show_row_of_others(self, before: View[object], kept: Kept) -> None:
        """Shows a row that no key of the box made; `before`: the view before it. What is being
        keyed stays only if it still means the same."""
        after = self.view()
        _write_down(before, after)
        try:
            why = entered_by(kept, after)
            self.console = self.console.moved_on(before, after, why)
            self.console = self.console.with_chips_due(after, self._state.session.due)
            if is_change(kept):
                self.console = self.console.with_news(why)
            sound = sound_of(before, after)
        except Exception:
            traceback.print_exc()
            self.console, sound = Console.start(), None
        if sound:
            self._outputs.play(sound, self.sound_level)


class ForEars:
    """Gives the voice, through `outputs`, each new picture and the keys that led to it."""

    def __init__(self, outputs: Outputs) -> None:
        self._outputs = outputs
        self._keys = list[Key]()
        self._refused = False
        self._asked: VoiceRequest | None = None
        self._given: tuple[Show, int] | None = None
        """The picture that was given last, and the number of the record's newest row then."""

    def press(self, key: Key, asked: VoiceRequest | None, *, refused: bool) -> None:
        """Notes a key for the next picture. `asked`: what the console asks the voice to say."""
        self._keys.append(key)
        self._refused, self._asked = refused, asked

    def show(self, shown: Show | None, session: TableSession) -> None:
        """Gives the voice the picture, if the picture is new or keys led to it."""
        keys, self._keys = tuple(self._keys), []
        if shown is None or session.settings.get(VOICE, OFF) == OFF:
            self._given = None
            return
        given, self._given = self._given, (shown, session.row)
        if keys or given is None or given[0] is not shown:
            kept = given is None or given[1] != session.row
            self._outputs.hear(Heard(shown, keys, self._refused, kept, self._asked))
        self._asked, self._refused = None, False


def _write_down(before: View[object], after: View[object]) -> None:
    """Writes to stderr a fault of the program that stopped no entry, if a notice of the game tells
    of one."""
    if after.journal is None or before.journal is after.journal:
        return
    for notice in after.state.effect.notices:
        if fault := dict(notice.fields).get("fault"):
            print(fault, file=sys.stderr, flush=True)
