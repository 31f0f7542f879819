"""The loop: it owns everything that changes.

Every input only puts events on one queue; the main thread takes them off, the box's own keys before
what the seats' keypads sent. A press goes to the console, the row that the console answers is
folded in memory (is it allowed?), kept on the disk, and only then adopted and shown. When nothing
happens the loop sleeps in the queue without a time limit, unless a key is down, or the console or
the screen saver wants to be woken.
"""

import sys
import traceback
from collections.abc import Iterable, Mapping
from dataclasses import replace

from companion.console.console import Console
from companion.console.elsewhere import entered_by
from companion.console.fault import FAULT, way_out
from companion.console.screen import View
from companion.console.screens.given_seats import ask_given
from companion.console.screens.once_more import changes_rulings
from companion.console.set_up import PlayableGames
from companion.console.sounds import Level, Sound, level_of, sound_of
from companion.core.clock import Clock
from companion.core.club import (
    Club,
    ClubRequest,
    ClubWish,
    GivenSeats,
    JudgeRuling,
    NoSeats,
    RoundClock,
)
from companion.core.errors import Refusal
from companion.core.keys import Key, Press
from companion.core.phones import Phones
from companion.core.seats import Seat, shown
from companion.core.words import phrase
from companion.devices.display.screen_saver import ScreenSaver
from companion.devices.gpio.debounce import Debounce, Edge, Timing
from companion.link.events import Arrived, Left, News, PressesLost
from companion.presentation.language import ENGLISH, Language
from companion.presentation.languages import spoken
from companion.presentation.news import is_change
from companion.presentation.refusals import worded
from companion.presentation.voice import EVERYTHING
from companion.record.copies.stick import Offer, drop_offers
from companion.record.rows import Kept, Setting
from companion.record.settings import VOICE
from companion.record.store.faults import OvertakenError, Seen, StoreError
from companion.record.store.store import Store
from companion.table.club_news import ClubNews
from companion.table.events import BackgroundNotice, Command, Event, Inbox, Pulse, sender_of
from companion.table.outputs import ForEars, Outputs, Parts, TableDisplay, Views
from companion.table.proposals import Answered, ChipsMoved, Counted, ProposalCheck, Request
from companion.table.session import TableSession
from companion.table.state import TableState

VOICE_KEY = Key.D5
"""Held while the box starts it turns the voice on: fingers find it by its mark."""


def _nobody(_answered: Answered) -> None:
    """What came from the club's hub is answered by the row that it makes."""


class Table:
    """The loop over one record. `outputs` get everything that is new; `saver` decides how frames
    are to look. `clock` gives monotonic seconds, by the clock that times edges. Any thread may put
    events on `events`. `pulse`: the watchdog that sees whether the loop turns and the record
    answers. `switches_off`: MENU held asks whether to switch the box off. `wired`: the box has keys
    of its own; else a lone number pad is its keys, and no seat is asked to take that pad. The
    display is in the `language` until the table chooses one.
    """

    def __init__(
        self,
        store: Store,
        games: PlayableGames,
        outputs: Outputs,
        clock: Clock,
        timing: Timing | None = None,
        *,
        saver: ScreenSaver | None = None,
        pulse: Pulse | None = None,
        switches_off: bool = False,
        wired: bool = True,
        language: Language = ENGLISH,
    ) -> None:
        self.events: Inbox[Event] = Inbox(sender_of)
        self._views = Views(store, games, switches_off=switches_off, wired=wired, language=language)
        self._outputs, self._clock, self._language = outputs, clock, language
        self._debounce = Debounce(timing)
        self._saver = saver or ScreenSaver(clock())
        self._pulse, self._beat_at = pulse, clock()
        self._phones: Phones | None = None
        """How phones can join, as the page said last."""
        self._console = Console.start()
        self._state = TableState(store, store.catalog, clock, left=self._left, mended=self._mended)
        self._proposals = ProposalCheck(self._state)
        self._news = ClubNews(clock, lambda: self._proposals.run)
        self._sent: tuple[TableSession, int] | None = None
        self._told_club: Club | None = None
        """How it stands with the club, as pages were told last."""
        self._plugged_in: frozenset[str] = frozenset()
        """The seats' keypads that are plugged in, by their serial numbers."""
        self._display = TableDisplay(outputs, self._saver, language)
        self._ears = ForEars(outputs)
        self._voice_key = False
        """Whether VOICE_KEY was down when the box started, and nothing has come of it yet."""

    # ------------------------------------------------------------ running

    def run(self) -> None:
        """Shows the table and works until it is told to stop."""
        self.show()
        while self.turn(self.patience()):
            pass

    def turn(self, patience_s: float | None = None) -> bool:
        """Waits for events, at most that long (None: for ever), and deals with those that are
        there: the box's own first, then the others' until something new comes. False: stop."""
        self.events.wait(patience_s)
        # Contacts are judged up to here: to keep a press takes longer than a contact bounces, and
        # what bounced meanwhile is still waiting.
        now = self._clock()
        if not self._deal_with_own(self.events.take_own(), now):
            return False
        while event := self.events.take_other():
            if isinstance(event, Press):
                self._press(event)
            elif isinstance(event, News):
                self._keypad_news(event)
            elif isinstance(event, Request):
                self._answer(event)
        if self.switched_off:
            return False
        if self._news.is_busy or self._news.club is not self._told_club:
            self._go_on_with_round()
        self.show()
        self._live()
        return True

    def _deal_with_own(self, events: Iterable[Event], now: float) -> bool:
        """The box's own keys and commands; False: stop."""
        for event in events:
            if event is Command.STOP:
                return False
            if event is Command.MEND:
                self._state.mend()
            if isinstance(event, Phones):
                self._phones = event
            if isinstance(event, Club | GivenSeats | NoSeats | RoundClock):
                self._news.hear(event)
            if isinstance(event, JudgeRuling):
                self._answer(Request(self._news.ruling(event, self._state.session), _nobody))
            if isinstance(event, ClubRequest):
                self._ask_club(event)
            if isinstance(event, BackgroundNotice):
                self._console = self._console.failed(event.line)
            if isinstance(event, Offer) and self._is_open(event):
                self._console = self._console.offering(event)
            if isinstance(event, Edge) and event.found and event.key is VOICE_KEY:
                self._voice_key = True
            if isinstance(event, Edge | Press):
                for press in self._debounce.feed(event) if isinstance(event, Edge) else (event,):
                    self._press(press)
        for press in self._debounce.advance(now):
            self._press(press)
        if self._voice_key and VOICE_KEY in self._debounce.stuck:
            self._voice_key = False
            if self._state.session.settings.get(VOICE) != "everything":
                self._turn_voice_on()
        return True

    def _turn_voice_on(self) -> None:
        """Somebody who sees nothing has held VOICE_KEY while the box started."""
        try:
            self._state.keep(Setting(VOICE, "everything"), None)
        except (Refusal, StoreError) as error:
            self._console = self._console.failed(worded(error))

    @property
    def switched_off(self) -> bool:
        """Whether the loop stops because somebody at the table has switched the box off."""
        return self._console.off

    def _live(self) -> None:
        """Lets the watchdog know that the loop lives, if it is time to and if the record answers;
        else the watchdog gets to act."""
        if self._pulse is None or self._clock() < self._beat_at:
            return
        self._beat_at = self._clock() + self._pulse.every_s
        try:
            self._state.store.last_row()
        except StoreError as error:
            print(error, file=sys.stderr, flush=True)
        else:
            self._pulse.beat()

    def _write_down(self, before: View[object]) -> None:
        """Writes to stderr a fault of the program that stopped no entry, and of which a notice of
        the game speaks."""
        after = self._view()
        if after.journal is None or before.journal is after.journal:
            return
        for notice in after.state.effect.notices:
            if fault := dict(notice.fields).get("fault"):
                print(fault, file=sys.stderr, flush=True)

    def show(self) -> None:
        """Publishes what the table shows now, and how that is to look, where either has changed."""
        now = self._clock()
        self._console = self._display.show(
            now, self._console, self._parts(), self._view, down=self._debounce.wake_at is not None
        )
        if self._console.page_request:
            self._console = replace(self._console, page_request=None)
        if self._console.club_request:
            self._outputs.ask_club(self._console.club_request)
            self._console = replace(self._console, club_request=None)
        self._send_snapshot()
        self._ears.show(self._display.shown, self._state.session)

    def _send_snapshot(self) -> None:
        """Gives readers in other threads a snapshot of the table, if it is new to them."""
        session, run = now = self._state.session, self._proposals.run
        sent = self._sent
        if sent is None or sent[0] is not session or sent[1] != run:
            self._sent = now
            self._outputs.tell(session.snapshot(run))

    def patience(self) -> float | None:
        """Seconds until something happens by itself."""
        if self.events.is_behind:
            return 0.0
        beat = self._beat_at if self._pulse else None
        wakes = (self._debounce.wake_at, self._saver.wake_at, beat, self._news.wake_at)
        wake_at = min((at for at in wakes if at is not None), default=None)
        return None if wake_at is None else max(wake_at - self._clock(), 0.0)

    def type_letter(self, letter: str) -> bool:
        """Types a letter of a name; False where none is spelled. Any thread may ask: what is shown
        is a value that never changes."""
        if spells := self._console.spells:
            self.events.put(Press(Key.PRESS, letter=letter))
        return spells

    # ------------------------------------------------------------ a press

    def _press(self, press: Press) -> None:
        """One press, from the console to the disk and back. Refused or not saved: all is as it was
        before the press, with one line that says so."""
        before, refused, sound = self._console, True, None
        if press.source and press.seat is None:
            press = replace(press, seat=self.keypads.get(press.source.keypad))
        try:
            view = self._view()
            dealt_with = self._take(press, view) or press.held or press.repeated
            idle = not (dealt_with or self._console.asks)
            idle = idle and self._console.shows_the_same_as(before, view)
            says_why = self._console.message is not None and self._console is not before
            refused = idle or says_why or before.locked
            sound = sound_of(view, self._view())
            self._write_down(view)
        except OvertakenError as error:
            self._state.read_anew()
            self._console = self._console.failed(worded(error))
        except Refusal as refusal:
            self._console = before.failed(worded(refusal))
        except StoreError as error:
            self._console = before.failed(worded(error))
        except Exception:
            # A fault of ours must not end the evening: it is written down, and play goes on.
            traceback.print_exc()
            self._console = before.failed(FAULT)
        if press.source:
            self._outputs.settle(press.source, refused)
        self._heard(press, refused=refused)
        if sound or (refused and not (press.held or press.repeated)):
            self._outputs.play(sound or Sound.REFUSED, self.sound_level)

    def _heard(self, press: Press, *, refused: bool) -> None:
        """Has the voice say what comes of a key, and answer what it asks."""
        if not (press.held or press.repeated) or self._console.asks:
            self._ears.press(press.key, self._console.asks, refused=refused)
        if self._console.asks:
            self._console = replace(self._console, asks=None)

    def _go_on_with_round(self) -> None:
        """Asks about the club's seats as soon as no game is being played, or where other people sit
        at that game; goes on with the round's clock. Pages are told what is new."""
        news, journal = self._news, self._state.session.journal
        news.advance()
        if (up := news.time_up(self._state.session)) is not None:
            self._answer(Request(up, _nobody))
        news.look(journal)
        if news.club is not self._told_club and news.club is not None:
            self._told_club = news.club
            self._outputs.tell_club(news.club)
        if (given := news.to_ask) is not None:
            self._console, news.asked = self._console.giving(given, journal), True

    def _ask_club(self, request: ClubRequest) -> None:
        """Asks the club; what begins the club's seats is answered here."""
        given = self._news.given
        if request.wish is not ClubWish.BEGIN:
            self._outputs.ask_club(request)
            return
        before = self._view()
        if given is None or given.place != request.address:
            return
        screen = ask_given(given, before.journal, None)
        if (row := screen.on()[Key.OK](before).row) is None:
            return
        try:
            kept = self._state.keep(row, self._news.source)
        except (Refusal, StoreError) as error:
            self._console = self._console.failed(worded(error))
            return
        self._show_row_of_others(before, kept)

    @property
    def language(self) -> Language:
        """The language that is spoken now."""
        return spoken(self._state.session.settings, self._language)

    @property
    def sound_level(self) -> Level:
        """How loud the box is, by its settings."""
        return level_of(self._state.session.settings)

    def _keypad_news(self, news: News) -> None:
        """Shows what people have to know about a seat's keypad, until the next key."""
        match news:
            case Arrived():
                self._plugged_in |= {news.keypad}
            case Left():
                self._plugged_in -= {news.keypad}
        seat = self.keypads.get(news.keypad)
        whose = phrase("keypad {end}", end=news.keypad[-4:])
        if seat:
            whose = phrase("{seat}'s keypad", seat=shown(seat))
        if sentence := news.sentence(whose):
            self._console = self._console.failed(sentence)
        if isinstance(news, PressesLost):
            self._outputs.settle(news.source, True)

    @property
    def keypads(self) -> Mapping[str, Seat]:
        """Which seat has which keypad, by its serial number; those without a seat are left out."""
        return self._state.session.keypads

    def _take(self, press: Press, view: View[object]) -> bool:
        """Whether the press did something that the console alone doesn't show: a row is kept, or
        was already, or the key only woke the display."""
        now = self._clock()
        says_all = self._state.session.settings.get(VOICE) == EVERYTHING
        if self._saver.swallows(press, now) and not says_all:
            return True  # but nobody who only listens knows that the display is dark
        if self._display.stuck:
            console, row = Console.start(), way_out(press)
        else:
            console, row = self._console.press(view, press)
            if console is self._console and row is None:
                return False  # the key does nothing here: whatever is said stays
        self._state.next_message()
        if console.takes or console.declines:
            self._answer_offer(console, press.seat)
            return True
        if console.moved:
            self._state.chips_moved()
            console = replace(console, moved=False)
        if row is None:
            self._console = self._with_chips_due(console)
            return self._display.stuck
        source = str(press.source) if press.source else None
        surface = press.source.keypad if press.source else None
        same = self._state.repeated_row(row, surface, press.seat)
        if same is not None and not self._console.asked_about(row):
            if source and self._state.store.row_of(source) is not None:
                return True  # it counted already when it came the first time
            self._console = self._console.asking_again(row, entered_by(same, view), press.seat)
            return True
        try:
            self._state.keep(row, source, agreed_by=() if changes_rulings(view, row) else None)
        except Seen:
            return True
        self._console = self._with_chips_due(console)
        return True

    def _with_chips_due(self, console: Console) -> Console:
        """The console, which says what a correction elsewhere moves once nobody is at a screen."""
        due = self._state.session.due
        if due is None or due.at_box:
            return console
        return console.with_chips_due(self._view(), due)

    def _is_open(self, offer: Offer) -> bool:
        """Whether people may be asked about a stick's games: the record has none, and nobody has
        said no since these were offered, which removes the offer's file."""
        state = self._state
        return not state.session.newest and offer.path(state.store.path).exists()

    def _answer_offer(self, console: Console, by: Seat | None) -> None:
        """A stick's games become the record, which has none; or they stay where they are. Raises
        StoreError: then it is still asked."""
        if console.takes and not self._state.session.newest:
            self._state.take_over(console.takes)
            console = Console.taken(by)
        drop_offers(self._state.store.path)
        self._console = replace(console, takes=None, declines=False)

    # ------------------------------------------------------------ a proposal

    def _answer(self, request: Request) -> None:
        """Does what another surface asks, shows it on all surfaces, and answers."""
        if isinstance(request.what, ChipsMoved):
            self._state.chips_moved(request.what.row)
            if self._state.session.due is None:
                self._console = self._console.with_chips_due(self._view(), None)
            return
        before, newest = self._view(), self._state.session.kept
        answered = self._proposals.answer(request.what)
        kept = self._state.session.kept
        if kept is not None and kept is not newest and answered.answer == Counted(kept.seq):
            self._show_row_of_others(before, kept)
        try:
            request.answer(answered)
        except Exception:
            traceback.print_exc()  # who asked may be gone; it asks again

    def _show_row_of_others(self, before: View[object], kept: Kept) -> None:
        """Shows a row that no key of the box made: what is keyed stays only if it still means the
        same."""
        after = self._view()
        self._write_down(before)
        try:
            why = entered_by(kept, after)
            self._console = self._console.moved_on(before, after, why)
            self._console = self._console.with_chips_due(after, self._state.session.due)
            if is_change(kept):
                self._console = self._console.with_news(why)
            sound = sound_of(before, after)
        except Exception:
            traceback.print_exc()
            self._console, sound = Console.start(), None
        if sound:
            self._outputs.play(sound, self.sound_level)

    def _left(self) -> None:
        """Leaves a screen that was about a game which is no longer on the table as it was."""
        self._console = Console.start()

    def _mended(self, trouble: str | None) -> None:
        """Goes on after the record was put together again, which was shown meanwhile."""
        if trouble:
            self._console = self._console.failed(trouble)
        self._display.forget()

    # ------------------------------------------------------------ what the screens see

    def _view(self) -> View[object]:
        """The view of the table: one object as long as nothing changes of what it is made of."""
        return self._views.view(self._parts())

    def _parts(self) -> Parts:
        stuck = self._debounce.stuck
        session, message = self._state.session, self._state.message
        return session, message, stuck, self._plugged_in, self._phones, self._news.club
