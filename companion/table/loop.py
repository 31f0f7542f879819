"""The loop: it owns everything that changes.

Every input only puts events on one queue; the main thread takes them off, the box's own keys before
those of the seats' keypads. box.py deals with the presses. When nothing happens the loop sleeps in
the queue without a time limit, unless a key is down, or the console or the screen saver wants to be
woken.
"""

import sys
import traceback
from collections.abc import Iterable
from dataclasses import replace

from companion.console.screens.given_seats import ask_given
from companion.console.set_up import PlayableGames
from companion.core.box_check import BoxCheck
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
from companion.core.seats import shown
from companion.core.words import phrase
from companion.devices.display.screen_saver import ScreenSaver
from companion.devices.gpio.debounce import Debounce, Edge, Timing
from companion.link.events import Arrived, Left, News, PressesLost
from companion.presentation.language import ENGLISH, Language
from companion.record.copies.stick import Offer
from companion.record.rows import Setting
from companion.record.settings import VOICE
from companion.record.store.faults import StoreError
from companion.record.store.store import Store
from companion.table.box import BoxSurface
from companion.table.club_news import ClubNews
from companion.table.events import BackgroundNotice, Command, Event, Inbox, Pulse, sender_of
from companion.table.outputs import Outputs, Views
from companion.table.proposal_check import ProposalCheck
from companion.table.proposals import Answered, ChipsMoved, Counted, Request, SeatTaken
from companion.table.session import TableSession
from companion.table.state import TableState

VOICE_KEY = Key.D5
"""The key that turns the voice on if it is held while the box starts: fingers find it by its
mark."""


def _nobody(_answered: Answered) -> None:
    """Takes the answer to a proposal of the club, and drops it: the hub sees the row itself."""


class Table:
    """The loop over one record. `outputs` get everything that is new; `saver` decides how frames
    look. `clock` gives monotonic seconds, by the clock that times edges. Any thread may put events
    on `events`. `pulse`: the watchdog that sees whether the loop turns and the record answers.
    `switches_off`: MENU held asks whether to switch the box off. `wired`: the box has keys of its
    own; else a lone number pad serves as its keys, and no seat is asked to take that pad. The
    display is in the `language` until the table chooses one."""

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
        self._outputs, self._clock = outputs, clock
        self._debounce = Debounce(timing)
        self._saver = saver or ScreenSaver(clock())
        self._pulse, self._beat_at = pulse, clock()
        self._state = TableState(store, store.catalog, clock, left=self._left, mended=self._mended)
        views = Views(store, games, switches_off=switches_off, wired=wired, language=language)
        self.box = BoxSurface(
            self._state, views, outputs, clock, saver=self._saver, language=language
        )
        self._proposals = ProposalCheck(self._state)
        self._news = ClubNews(clock, lambda: self._proposals.run)
        self._sent: tuple[TableSession, int] | None = None
        self._voice_key = False
        """Whether VOICE_KEY was down when the box started, and nothing has come of it yet."""

    # ------------------------------------------------------------ running

    def run(self) -> None:
        """Shows the table and works until it is told to stop."""
        self.show()
        while self.turn(self.patience()):
            pass

    def turn(self, patience_s: float | None = None) -> bool:
        """Waits for events, at most `patience_s` (None: for ever), and deals with them: the box's
        own first, then the others' until something new comes. Returns False if the loop should
        stop."""
        self.events.wait(patience_s)
        # Contacts are judged up to here: to keep a press takes longer than a contact bounces, and
        # what bounced meanwhile is still waiting.
        now = self._clock()
        if not self._deal_with_own(self.events.take_own(), now):
            return False
        while event := self.events.take_other():
            if isinstance(event, Press):
                self.box.press(event)
            elif isinstance(event, News):
                self._keypad_news(event)
            elif isinstance(event, Request):
                self._answer(event)
        if self.switched_off:
            return False
        if self._news.club is not None:
            self._go_on_with_round()
        self.show()
        self._live()
        return True

    def _deal_with_own(self, events: Iterable[Event], now: float) -> bool:
        """Deals with the box's own keys and commands; returns False if the loop should stop."""
        for event in events:
            if event is Command.STOP:
                return False
            if event is Command.MEND:
                self._state.mend()
            if isinstance(event, Phones):
                self.box.around = replace(self.box.around, phones=event)
            if isinstance(event, BoxCheck):
                self.box.around = replace(self.box.around, box_check=event)
            if isinstance(event, Club | GivenSeats | NoSeats | RoundClock):
                self._news.hear(event)
            if isinstance(event, JudgeRuling):
                self._answer(Request(self._news.ruling(event, self._state.session), _nobody))
            if isinstance(event, ClubRequest):
                self._ask_club(event)
            if isinstance(event, BackgroundNotice):
                self.box.say(event.line)
            if isinstance(event, Offer):
                self.box.offer(event)
            if isinstance(event, Edge) and event.found and event.key is VOICE_KEY:
                self._voice_key = True
            if isinstance(event, Edge | Press):
                for press in self._debounce.feed(event) if isinstance(event, Edge) else (event,):
                    self.box.press(press)
        presses = self._debounce.advance(now)
        if self._debounce.stuck is not self.box.around.stuck:
            self.box.around = replace(self.box.around, stuck=self._debounce.stuck)
        for press in presses:
            self.box.press(press)
        if self._voice_key and VOICE_KEY in self._debounce.stuck:
            self._voice_key = False
            if self._state.session.settings.get(VOICE) != "everything":
                self._turn_voice_on()
        return True

    def _turn_voice_on(self) -> None:
        """Turns the voice on, because somebody has held VOICE_KEY while the box started."""
        try:
            self._state.keep(Setting(VOICE, "everything"), None)
        except (Refusal, StoreError) as error:
            self.box.say(error.why)

    @property
    def switched_off(self) -> bool:
        """Whether the loop stops because somebody at the table has switched the box off."""
        return self.box.console.off

    def _live(self) -> None:
        """Tells the watchdog that the loop lives, if it is time and the record answers; if it
        doesn't, the watchdog will act."""
        if self._pulse is None or self._clock() < self._beat_at:
            return
        self._beat_at = self._clock() + self._pulse.every_s
        try:
            self._state.store.last_row()
        except StoreError as error:
            print(error, file=sys.stderr, flush=True)
        else:
            self._pulse.beat()

    def show(self) -> None:
        """Publishes what the table shows now and how that should look, if either has changed."""
        self.box.show(self._clock(), down=self._debounce.wake_at is not None)
        self._send_snapshot()
        self.box.speak()

    def _left(self) -> None:
        self.box.leave()

    def _mended(self, trouble: str | None) -> None:
        self.box.mended(trouble)

    def _send_snapshot(self) -> None:
        """Gives readers in other threads a snapshot of the table, if it is new to them."""
        session, run = now = self._state.session, self._proposals.run
        sent = self._sent
        if sent is None or sent[0] is not session or sent[1] != run:
            self._sent = now
            self._outputs.tell(session.snapshot(run))

    def patience(self) -> float | None:
        """Seconds until the loop has to wake by itself; None: never."""
        beat = self._beat_at if self._pulse else None
        wakes = (self._debounce.wake_at, self._saver.wake_at, beat, self._news.wake_at)
        wake_at = min((at for at in wakes if at is not None), default=None)
        return None if wake_at is None else max(wake_at - self._clock(), 0.0)

    def type_letter(self, letter: str) -> bool:
        """Types a letter of a name; returns False if no name is being spelled. Any thread may call
        it: the console that it looks at is a value that never changes."""
        if spells := self.box.console.spells:
            self.events.put(Press(Key.PRESS, letter=letter))
        return spells

    # ------------------------------------------------------------ a club, keypads

    def _go_on_with_round(self) -> None:
        """Asks about the seats that the club gives as soon as no game is being played, or if other
        people sit at that game, and updates the round's clock. Pages are told what is new."""
        news, journal = self._news, self._state.session.journal
        news.advance()
        if (up := news.time_up(self._state.session)) is not None:
            self._answer(Request(up, _nobody))
        news.look(journal)
        if news.club is not None and news.club is not self.box.around.club:
            self.box.around = replace(self.box.around, club=news.club)
            self._outputs.tell_club(news.club)
        if (given := news.to_ask) is not None:
            self.box.console, news.asked = self.box.console.giving(given, journal), True

    def _ask_club(self, request: ClubRequest) -> None:
        """Passes a request on to the club; a request to begin with the seats that it gave is
        answered here."""
        given = self._news.given
        if request.wish is not ClubWish.BEGIN:
            self._outputs.ask_club(request)
            return
        before = self.box.view()
        if given is None or given.place != request.address:
            return
        screen = ask_given(given, before.journal, None)
        if (row := screen.on()[Key.OK](before).row) is None:
            return
        try:
            kept = self._state.keep(row, self._news.source)
        except (Refusal, StoreError) as error:
            self.box.say(error.why)
            return
        self.box.show_row_of_others(before, kept)

    def _keypad_news(self, news: News) -> None:
        """Shows what people should know about a seat's keypad, until the next key."""
        plugged_in = self.box.around.plugged_in
        match news:
            case Arrived():
                plugged_in |= {news.keypad}
            case Left():
                plugged_in -= {news.keypad}
        if plugged_in != self.box.around.plugged_in:
            self.box.around = replace(self.box.around, plugged_in=plugged_in)
        seat = self._state.session.keypads.get(news.keypad)
        whose = phrase("keypad {end}", end=news.keypad[-4:])
        if seat:
            whose = phrase("{seat}'s keypad", seat=shown(seat))
        if sentence := news.sentence(whose):
            self.box.say(sentence)
        if isinstance(news, PressesLost):
            self._outputs.settle(news.source, True)

    # ------------------------------------------------------------ a proposal

    def _answer(self, request: Request) -> None:
        """Does what another surface asks, shows it on all surfaces, and answers."""
        if isinstance(request.what, ChipsMoved):
            self._state.chips_moved(request.what.row)
            self.box.chips_were_moved()
            return
        if isinstance(request.what, SeatTaken):
            seat = request.what.seat
            self._state.seat_taken(seat)
            self.box.say_news(phrase("A phone has just taken {seat}'s seat", seat=shown(seat)))
            return
        before, newest = self.box.view(), self._state.session.kept
        answered = self._proposals.answer(request.what)
        kept = self._state.session.kept
        if kept is not None and kept is not newest and answered.answer == Counted(kept.seq):
            self.box.show_row_of_others(before, kept)
        try:
            request.answer(answered)
        except Exception:
            traceback.print_exc()  # the surface that asked may be gone; it asks again
