"""The loop, which owns everything that changes.

Every input only puts events on one queue; the main thread takes them off, the box's own keys before
those of the seats' keypads. While nothing happens the loop waits for the queue without a time
limit, unless a key is down, or the screen saver, the watchdog or a round's clock needs it at a
certain time."""

import os
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Final

from companion.console.console import FAULT, Console, fault_show, row_when_stuck
from companion.console.frame import BoxPicture
from companion.console.screen import PlayableGames, View, VoiceRequest
from companion.console.screen_saver import DisplayLook, ScreenSaver
from companion.console.screens.given_seats import ask_given, is_played, seats_instead
from companion.console.sounds import Level, ShownPicture, Sound, level_of, sound_of
from companion.core.box_page import BoxCheck, PageRequest, Phones
from companion.core.clock import Clock
from companion.core.club import (
    Club,
    ClubRequest,
    ClubRequestKind,
    GivenSeats,
    HallCalls,
    JudgeRuling,
    NoSeats,
    RoundClock,
)
from companion.core.errors import EntryError, Refusal, RuleError
from companion.core.keys import Key, Press, PressId
from companion.core.seats import Seat, display_name
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.devices.gpio.debounce import Debounce, Edge, Timing
from companion.devices.link.events import KeypadArrived, KeypadLeft, News, PressesLost
from companion.games.entries import TimeUp
from companion.games.game import B, Entry
from companion.presentation.corrections import changed_rulings
from companion.presentation.language import ENGLISH, Language, table_language
from companion.presentation.news import CLUB, JUDGE, is_change, news
from companion.presentation.voice import EVERYTHING, OFF
from companion.record.copies.restore import Offer, drop_offers
from companion.record.journal import ChangeSummary, Journal
from companion.record.requests import NEEDS_NO_GAME, NEVER_STALE
from companion.record.rows import KeptRow, Setting
from companion.record.settings import VOICE
from companion.record.store.database import (
    AlreadyKeptError,
    DamagedError,
    OvertakenError,
    StoreError,
)
from companion.record.store.store import Store
from companion.table.events import (
    MAX_ROWS_BETWEEN,
    Answer,
    BackgroundNotice,
    ChipsMoved,
    Command,
    Event,
    GameMovedOn,
    Inbox,
    Inquiry,
    OutcomeUnknown,
    PossibleDuplicate,
    Proposal,
    ProposalAnswer,
    ProposalCounted,
    ProposalId,
    ProposalPending,
    ProposalRefused,
    ProposalVoid,
    Request,
    SeatTaken,
    Watchdog,
    sender_of,
)
from companion.table.session import (
    BoxState,
    Parts,
    TableSession,
    TableState,
    Views,
    differs_in_identity,
)
from companion.table.snapshot import Snapshot

# ---------------------------------------------------------------- what gets every change


@dataclass(frozen=True, slots=True)
class Outputs:
    """Callbacks for the changes at the table; none of them may block."""

    show: Callable[[BoxPicture], None] = lambda _: None
    """Receives every new picture, with its lights."""
    look: Callable[[DisplayLook], None] = lambda _: None
    """Receives how frames should look (dimmed, for example), to spare the display."""
    play: Callable[[Sound, Level], None] = lambda _, __: None
    """Receives the sound of a press, for a buzzer."""
    settle: Callable[[PressId, bool], None] = lambda _, __: None
    """Receives each press that has an identity, once its result is on the disk, and whether it was
    refused."""
    send_snapshot: Callable[[Snapshot], None] = lambda _: None
    """Receives a snapshot for readers in other threads, at the start and after every row, once the
    display has its frame."""
    request_page: Callable[[PageRequest], None] = lambda _: None
    """Receives requests to the page, which answers with `Phones` on the queue, or to the box
    itself, which answers with `BoxCheck`."""
    request_club: Callable[[ClubRequest], None] = lambda _: None
    """Receives requests to the club, which answers with `Club` on the queue."""
    send_club: Callable[[Club], None] = lambda _: None
    """Receives each new state of the club, for the pages."""
    voice: Callable[[ShownPicture], None] = lambda _: None
    """Receives each picture with the keys that led to it, while the voice is on."""


class TableDisplay:
    """Draws the view from `views` and sends the picture to the `outputs`; the `saver` decides how
    it looks. The `language` is used until the table chooses one."""

    def __init__(
        self, outputs: Outputs, views: Views, saver: ScreenSaver, language: Language = ENGLISH
    ) -> None:
        self._outputs, self._views, self._saver = outputs, views, saver
        self._language = language
        self.shown: BoxPicture | None = None
        """The picture that was drawn last."""
        self._made_of: tuple[object, ...] = ()
        """The console and the view's parts that this picture shows."""
        self._published: BoxPicture | None = None
        self._look: DisplayLook | None = None
        self.stuck = False
        """Whether no screen can be drawn."""

    def show(self, now: float, console: Console, parts: Parts, *, down: bool) -> Console:
        """Draws the picture again if something has changed, and publishes it; returns the console
        that could be drawn. `down`: whether a key is held down."""
        shown = self.shown
        if shown is None or differs_in_identity(self._made_of, (console, *parts)):
            console, shown = self._draw_console(console, parts)
            self.shown, self._made_of = shown, (console, *parts)
        look = self._saver.advance(now, shown.pending or down, parts[0].settings)
        self._publish(shown, look, console.page_request)
        return console

    def _draw_console(self, console: Console, parts: Parts) -> tuple[Console, BoxPicture]:
        """Draws the console, and returns it with its picture. If its screen fails, draws the screen
        for the game's state instead; if that fails as well, returns the picture of a fault."""
        for each in (console, Console.start()):
            try:
                show = each.show(self._views.view(parts))
            except Exception:
                traceback.print_exc()
            else:
                self.stuck = False
                return each, show
        self.stuck = True
        return console, fault_show(table_language(parts[0].settings, self._language))

    def _publish(
        self, shown: BoxPicture, look: DisplayLook, page_request: PageRequest | None
    ) -> None:
        """Sends the picture, and how it should look, to the outputs if they have changed. Passes on
        the console's request to the page, and whether the display now shows the digits for joining,
        which are valid only meanwhile."""
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
        """Forces the next frame to be published, because something else was shown meanwhile."""
        self.shown = self._published = None


def _visible_parts(show: BoxPicture) -> tuple[object, ...]:
    """The parts of a picture that people see."""
    return show.frame, show.lights, show.claiming


# ---------------------------------------------------------------- elsewhere
# The message about a row that was entered elsewhere.


def describe_row(kept: KeptRow, view: View[B]) -> str:
    """Describes a row and its author: “Anna's phone: 6-3.”, “Anna for Granny: 6-3.”, “A phone takes
    back Blue 6-3.”. `view` is the one after the row."""

    def entered(entry: Entry) -> str:
        return view.play.describe_entry(entry, view.state)

    def named(what: ChangeSummary) -> str:
        return view.play.name_change(view, what)

    said = news(kept, view.settings, entered, named, view.journal)["words"]
    return phrase("{said}.", said=said)


# ---------------------------------------------------------------- box
# The box's own surface at the table: the effects of its keys and of the seats' keypads, and the
# output on its display, as sounds and with its voice.
#
# A press goes to the console. The row that the console returns is folded in memory, which checks
# that it is allowed, kept on the disk, and only then adopted and shown. If it is refused or can't
# be saved, nothing has changed, and a line gives the reason. Rows from other surfaces are shown
# here too.


class BoxSurface:
    """The box's keys, display, sounds and voice over the table's `state`. `saver` decides how
    frames look; the `language` is used until the table chooses one."""

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
        self._voice = VoiceFeed(outputs)
        self.around = BoxState()
        self.console = self._with_chips_due(Console.start())

    # ------------------------------------------------------------ what it shows

    def view(self) -> View[object]:
        """The view of the table; the same object until one of its parts changes."""
        return self._views.view(self._parts())

    def _parts(self) -> Parts:
        return self._state.session, self._state.message, self.around

    def show(self, now: float, *, down: bool) -> None:
        """Publishes the box's picture, and how it should look, if either has changed. `down`:
        whether a key is held down."""
        self.console = self._display.show(now, self.console, self._parts(), down=down)
        if self.console.page_request:
            self.console = replace(self.console, page_request=None)
        if self.console.club_request:
            self._outputs.request_club(self.console.club_request)
            self.console = replace(self.console, club_request=None)

    def speak(self) -> None:
        """Sends the picture on the display to the voice, which reads it out."""
        self._voice.show(self._display.shown, self._state.session)

    def take_phones(self, phones: Phones) -> None:
        """Stores the page's report about phones: how they join, and the names on the seats before a
        game."""
        before, self.around = self.around.phones, replace(self.around, phones=phones)
        if (before and before.sitting is not None) is not (phones.sitting is not None):
            journal = self._state.session.journal
            over = journal is None or journal.withdrawn or journal.state.finished
            sits = phones.sitting is not None and phones.open and over
            self.console = self.console.while_people_sit_down(sits)

    def show_line(self, line: str) -> None:
        """Shows a line, until the next key."""
        self.console = self.console.with_error(line)

    def show_news(self, line: str) -> None:
        """Shows a line, until the next key or the next entry."""
        self.console = self.console.with_news(line)

    def leave_screen(self) -> None:
        """Leaves the current screen, because its game is no longer on the table in that state."""
        self.console = self._with_chips_due(Console.start())

    def show_repaired(self, trouble: str | None) -> None:
        """Continues after the record was rebuilt; the display has shown a message meanwhile.
        `trouble`: why rebuilding failed (None if it didn't)."""
        if trouble:
            self.show_line(trouble)
        self._display.redraw()

    @property
    def language(self) -> Language:
        return table_language(self._state.session.settings, self._language)

    @property
    def sound_level(self) -> Level:
        return level_of(self._state.session.settings)

    @property
    def keypads(self) -> Mapping[str, Seat]:
        """The seat of each keypad by serial number, without the keypads that have no seat."""
        return self._state.session.keypads

    # ------------------------------------------------------------ a press

    def press(self, press: Press) -> None:
        """Handles one press, from the console to the disk and back. If it is refused or can't be
        saved, nothing has changed, and a line gives the reason."""
        before, refused, sound = self.console, True, None
        if press.source and press.seat is None:
            press = replace(press, seat=self.keypads.get(press.source.keypad))
        try:
            view = self.view()
            dealt_with = self._handle_press(press, view) or press.held or press.repeated
            idle = not (dealt_with or self.console.asks)
            idle = idle and self.console.shows_the_same_as(before, view)
            says_why = self.console.message is not None and self.console is not before
            refused = idle or says_why or before.locked
            after = self.view()
            sound = sound_of(view, after)
            _log_fault(view, after)
        except OvertakenError as error:
            self._state.reload()
            self.show_line(error.why)
        except Refusal as refusal:
            self.console = before.with_error(refusal.why)
        except StoreError as error:
            self.console = before.with_error(error.why)
        except Exception:
            # A fault of the program must not end the evening: it is logged, and play goes on.
            traceback.print_exc()
            self.console = before.with_error(FAULT)
        if press.source:
            self._outputs.settle(press.source, refused)
        self._pass_to_voice(press, refused=refused)
        if sound or (refused and not (press.held or press.repeated)):
            self._outputs.play(sound or Sound.REFUSED, self.sound_level)

    def _pass_to_voice(self, press: Press, *, refused: bool) -> None:
        """Passes a key, or the console's request, to the voice."""
        if not (press.held or press.repeated) or self.console.asks:
            self._voice.press(press.key, self.console.asks, refused=refused)
        if self.console.asks:
            self.console = replace(self.console, asks=None)

    def _handle_press(self, press: Press, view: View[object]) -> bool:
        """Handles a press. Returns whether it did something that doesn't show on the console: a row
        was kept, either now or for this press before, or the key only woke the display."""
        now = self._clock()
        says_all = self._state.session.settings.get(VOICE) == EVERYTHING
        if self._saver.swallows(press, now) and not says_all:
            # The key only wakes the display. With the voice on it isn't swallowed, because a
            # listener can't know that the display is dark.
            return True
        if self._display.stuck:
            console, row = Console.start(), row_when_stuck(press)
        else:
            console, row = self.console.press(view, press)
            if console is self.console and row is None:
                return False  # the key does nothing here: any message stays
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
        same = self._state.possible_duplicate(row, surface, press.seat)
        if same is not None and not self.console.asked_about(row):
            if source and self._state.store.row_made_by(source) is not None:
                return True  # the press already counted when it first arrived
            self.console = self.console.asking_again(row, describe_row(same, view), press.seat)
            return True
        try:
            ruled = changed_rulings(view.journal, row)  # the console has asked if all agree
            self._state.keep(row, source, agreed_by=() if ruled else None)
        except AlreadyKeptError:
            return True
        self.console = self._with_chips_due(console)
        return True

    def _with_chips_due(self, console: Console) -> Console:
        """The console with the chips due after a correction made elsewhere or before a restart;
        unchanged if it was made at the box, or while another screen is open."""
        due = self._state.session.due
        if due is None or due.at_box:
            return console
        return console.with_chips_due(self.view(), due)

    def _answer_offer(self, console: Console, by: Seat | None) -> None:
        """Replaces the empty record with a stick's games, or declines them. Raises StoreError; the
        question then stays."""
        if console.takes and not self._state.session.newest:
            self._state.take_over(console.takes)
            console = Console.taken(by)
        drop_offers(self._state.store.path)
        self.console = self._with_chips_due(replace(console, takes=None, declines=False))

    # ------------------------------------------------------------ what comes from elsewhere

    def offer_games(self, offer: Offer) -> None:
        """Offers a stick's games, unless the record has games by now, or the offer was declined and
        its file removed."""
        state = self._state
        if not state.session.newest and offer.path(state.store.path).exists():
            self.console = self.console.asking_about_offer(offer)

    def chips_were_moved(self) -> None:
        """Removes the reminder of chips that have been moved."""
        if self._state.session.due is None:
            self.console = self.console.with_chips_due(self.view(), None)

    def show_row_of_others(self, before: View[object], kept: KeptRow) -> None:
        """Shows a row that was not made with the box's keys; `before`: the view before it. Digits
        keyed so far stay only if they still have the same meaning."""
        after = self.view()
        _log_fault(before, after)
        try:
            why = describe_row(kept, after)
            self.console = self.console.after_row_elsewhere(before, after, why)
            self.console = self.console.with_chips_due(after, self._state.session.due)
            if is_change(kept):
                self.console = self.console.with_news(why)
            sound = sound_of(before, after)
        except Exception:
            traceback.print_exc()
            self.console, sound = Console.start(), None
        if sound:
            self._outputs.play(sound, self.sound_level)


class VoiceFeed:
    """Sends each new picture, with the keys that led to it, to the voice through `outputs`."""

    def __init__(self, outputs: Outputs) -> None:
        self._outputs = outputs
        self._keys = list[Key]()
        self._refused = False
        self._asked: VoiceRequest | None = None
        self._given: tuple[BoxPicture, int] | None = None
        """The last picture sent, and the number of the record's newest row then."""

    def press(self, key: Key, request: VoiceRequest | None, *, refused: bool) -> None:
        """Notes a key for the next picture. `request`: the console's request to read something
        out."""
        self._keys.append(key)
        self._refused, self._asked = refused, request

    def show(self, shown: BoxPicture | None, session: TableSession) -> None:
        """Sends the picture to the voice if it is new or keys led to it."""
        keys, self._keys = tuple(self._keys), []
        if shown is None or session.settings.get(VOICE, OFF) == OFF:
            self._given = None
            return
        given, self._given = self._given, (shown, session.row)
        if keys or given is None or given[0] is not shown:
            kept = given is None or given[1] != session.row
            self._outputs.voice(ShownPicture(shown, keys, self._refused, kept, self._asked))
        self._asked, self._refused = None, False


def _log_fault(before: View[object], after: View[object]) -> None:
    """Logs a program fault that the game reports in a notice. Such a fault doesn't keep an entry
    from counting."""
    if after.journal is None or before.journal is after.journal:
        return
    for notice in after.state.effect.notices:
        if fault := dict(notice.fields).get("fault"):
            print(fault, file=sys.stderr, flush=True)


# ---------------------------------------------------------------- proposal check
# Decides which proposals count, and answers each surface.


MAX_SURFACES = 256
"""For how many surfaces the table remembers the latest proposal; one more surface starts a new
run."""


class ProposalCheck:
    """Answers proposals. A proposal belongs to one run of the table: if that run is over, only its
    outcome is looked up. An accepted proposal goes through `state`, like a press of the box's own
    keys."""

    def __init__(self, state: TableState) -> None:
        self.run = int.from_bytes(os.urandom(6))
        self._state, self._store = state, state.store
        self._last: dict[str, ProposalAnswer] = {}
        """The answer to each surface's latest proposal of this run."""

    def answer(self, what: Proposal | Inquiry) -> ProposalAnswer:
        """Answers a proposal or an inquiry; never raises. A proposal with a known identity isn't
        handled again: its outcome is looked up."""
        identity = what.identity
        try:
            answer = self._outcome_of(identity) or self._judge_proposal(what)
        except StoreError as error:
            answer = OutcomeUnknown(error.why)
        except Exception:
            traceback.print_exc()
            answer = self._answer_after_failure(identity, FAULT)
        answered = ProposalAnswer(identity, answer)
        if not (isinstance(what, Inquiry) and what.only_looks):
            self._note_outcome(answered)
        return answered

    def _note_outcome(self, answered: ProposalAnswer) -> None:
        identity = answered.identity
        last = self._last.get(identity.surface)
        if identity.run != self.run or (last and identity.number < last.identity.number):
            return
        if last is None and len(self._last) >= MAX_SURFACES:
            # From now on, a proposal that has not counted is of an older run, and never will count.
            self.run, self._last = self.run + 1, {}
            return
        self._last[identity.surface] = answered

    def _outcome_of(self, identity: ProposalId) -> Answer | None:
        """The outcome of a proposal handled before; None if it is new. Raises StoreError."""
        last = self._last.get(identity.surface) if identity.run == self.run else None
        if last and last.identity == identity and not isinstance(last.answer, OutcomeUnknown):
            return last.answer
        row = self._find_row(identity)
        if row is not None:
            if row > self._state.session.row:  # the row was kept, although saving it seemed to fail
                self._state.reload()
            return ProposalCounted(row)
        is_new = identity.run == self.run and (
            last is None or identity.number > last.identity.number
        )
        return None if is_new else ProposalVoid()

    def _judge_proposal(self, what: Proposal | Inquiry) -> Answer:
        if isinstance(what, Inquiry):
            return ProposalPending() if what.only_looks else ProposalVoid()
        session = self._state.session
        if self._is_stale(what):
            return self._look_again(what)
        if session.journal is None and what.kind not in NEEDS_NO_GAME:
            return self._look_again(what)
        try:
            row = what.row(session.request_context(self._store.catalog))
            same = self._state.possible_duplicate(row, what.identity.surface, what.seat)
            if same is not None and not what.again:
                return PossibleDuplicate(same)
            if session.journal is not None:
                row = session.journal.completed(row)
            source, agreed = str(what.identity), what.agreed_by
            return ProposalCounted(self._state.keep(row, source, what.seat, agreed).seq)
        except (EntryError, RuleError) as refused:
            return ProposalRefused(refused.why)
        except OvertakenError:
            self._state.reload()
            if self._is_stale(what) or self._state.session.row == session.row:
                return self._look_again(what)
            return self._judge_proposal(what)  # only settings had come between
        except StoreError as error:
            return self._answer_after_failure(what.identity, error.why)
        except AlreadyKeptError as error:
            return self._answer_after_failure(what.identity, str(error))

    def _is_stale(self, what: Proposal) -> bool:
        """Whether the game has moved on since the proposal was made."""
        session = self._state.session
        is_stale = (what.game, what.tip) != (session.number or 0, session.tip)
        return is_stale and what.kind not in NEVER_STALE

    def _look_again(self, what: Proposal) -> GameMovedOn:
        return GameMovedOn(self._store.rows_after(what.tip, MAX_ROWS_BETWEEN))

    def _answer_after_failure(self, identity: ProposalId, why: str) -> Answer:
        """The answer if an error occurred while a row was being kept: the record shows whether the
        row was kept nevertheless."""
        try:
            row = self._find_row(identity)
            if row is None:
                return ProposalRefused(why)
            self._state.reload()
        except StoreError as error:
            return OutcomeUnknown(error.why)
        return ProposalCounted(row)

    def _find_row(self, identity: ProposalId) -> int | None:
        try:
            return self._store.row_made_by(str(identity))
        except DamagedError:
            self._state.repair()
            return self._store.row_made_by(str(identity))


# ---------------------------------------------------------------- club news
# The club's news about the round being played here: seats, the clock, a judge's ruling.
#
# The loop passes the club's news on. It isn't stored itself: seats and rulings become rows like any
# other entry, and the clock is the hub's.


MINUTE_S: Final = 60.0


class ClubNews:
    """The latest news from the club. `clock` is the loop's; `run` returns the run of the table for
    which proposals are made."""

    def __init__(self, clock: Clock, run: Callable[[], int]) -> None:
        self._clock, self._run, self._number = clock, run, 0
        self._said_by_club = Club()
        self.given: GivenSeats | None = None
        """Seats from the club that the table has neither taken nor declined."""
        self.has_asked = False
        """Whether the box has shown its question about these seats."""
        self._may_begin = self._others = False
        self._ends: float | None = None
        self._is_up = False
        self._calls = HallCalls()
        self._break_ends: float | None = None
        self.club: Club | None = None
        """The club's latest state, including the round; None before its first message."""
        self.wake_at: float | None = None
        """When `advance` has to update the minutes left, by the loop's clock; None if no clock is
        running."""

    def take_news(self, news: Club | GivenSeats | NoSeats | RoundClock | HallCalls) -> None:
        """Stores news from the club."""
        match news:
            case Club():
                if not news.reached:  # a restarted hub doesn't know its earlier calls
                    self._drop_calls()
                self._said_by_club = news
            case GivenSeats():
                self.given, self.has_asked = news, False
            case NoSeats():
                self.given = None
            case RoundClock():
                left = news.left_s
                self._ends = None if left is None else self._clock() + left
            case HallCalls():
                left = news.left_s
                self._calls = news
                self._break_ends = None if left is None else self._clock() + left
        self._update_club()

    def _drop_calls(self) -> None:
        """Drops the calls, and also the break if it is over."""
        if self._seconds_until(self._break_ends):
            self._calls = replace(self._calls, texts=())
        else:
            self._calls, self._break_ends = HallCalls(), None

    def follow_game(self, journal: Journal[object] | None, number: int | None) -> None:
        """Updates the given seats for the game on the table, whose number is `number`. Drops them
        once that game is played by them."""
        given = self.given
        if given is None:
            return
        plays = journal is not None and not journal.withdrawn
        others = plays and journal is not None and seats_instead(given, journal) is not None
        if plays and journal is not None and is_played(given, journal) and not others:
            self.given, may = None, False
        else:
            over = journal is not None and journal.state.finished
            may = others or not plays or over or number == given.instead_of
        if (may, others) != (self._may_begin, self._others):
            self._may_begin, self._others = may, others
            self._update_club()

    @property
    def seats_to_ask(self) -> GivenSeats | None:
        """The given seats that the box should offer now; None if there are none."""
        return self.given if self._may_begin and not self.has_asked else None

    def advance(self) -> None:
        """Updates the time left in the round once a minute."""
        told, now = self.club.left_s if self.club else None, self._seconds_left()
        if told is not None and now is not None and _whole_minutes(told) != _whole_minutes(now):
            self._update_club()
        self.wake_at = None
        if self._ends is not None and self.club is not None and self.club.left_s:
            left = self._ends - self._clock()
            self.wake_at = self._ends - (_whole_minutes(left) - 1) * MINUTE_S

    def time_up(self, session: TableSession) -> Proposal | None:
        """Returns a proposal of the entry `time up`, once for each round. Returns None if the time
        isn't up, or if the game has no time limit."""
        is_up = self._seconds_left() == 0
        was, self._is_up = self._is_up, is_up
        if not is_up or was or session.journal is None or session.journal.state.finished:
            return None
        if TimeUp not in session.journal.game.entries:
            return None
        return self._proposal(CLUB, session.number or 0, session.tip, "time up")

    def ruling(self, ruling: JudgeRuling, session: TableSession) -> Proposal:
        """Returns a judge's ruling as a proposal, which is answered like any other."""
        seats = () if session.journal is None else session.journal.opened.seats.order
        proposal = self._proposal(JUDGE, ruling.game, ruling.tip, ruling.entry(seats))
        return replace(proposal, seat=ruling.judge)

    def _proposal(self, surface: str, game: int, tip: bytes, text: str) -> Proposal:
        self._number += 1
        identity = ProposalId(surface, self._run(), self._number)
        return Proposal(identity, None, game, tip, text)

    @property
    def new_source(self) -> str:
        """A new identity for the first row of a game that a phone starts with the given seats."""
        self._number += 1
        return str(ProposalId(CLUB, self._run(), self._number))

    def _seconds_left(self) -> int | None:
        """The seconds left in the round; None if no clock is running."""
        return self._seconds_until(self._ends)

    def _seconds_until(self, end: float | None) -> int | None:
        return None if end is None else max(0, round(end - self._clock()))

    def _update_club(self) -> None:
        given = self.given if self._may_begin else None
        self.club = replace(
            self._said_by_club,
            given=given,
            others=self._others and given is not None,
            left_s=self._seconds_left(),
            calls=replace(self._calls, left_s=self._seconds_until(self._break_ends)),
        )


def _whole_minutes(seconds: float) -> float:
    """Minutes, rounded up to whole ones."""
    return -(-seconds // MINUTE_S)


# ---------------------------------------------------------------- loop

VOICE_KEY = Key.D5
"""The key that turns the voice on if it is held while the box starts; its raised mark can be
felt."""


def _ignore_answer(_answered: ProposalAnswer) -> None:
    """Ignores an answer: the hub sees the row when it is pushed."""


class Table:
    """The loop over one record. `outputs` receive all changes; `saver` decides how frames look.
    `clock` returns monotonic seconds, like the times of key presses and releases. Any thread may
    put events on `events`. `pulse`: the watchdog, fed as long as the loop runs and the record can
    be read. `switches_off`: whether holding MENU offers to switch the box off. `wired`: whether the
    box has keys of its own; otherwise a lone number pad serves as its keys and isn't offered to a
    seat. The display is in the `language` until the table chooses one."""

    def __init__(
        self,
        store: Store,
        games: PlayableGames,
        outputs: Outputs,
        clock: Clock,
        timing: Timing | None = None,
        *,
        saver: ScreenSaver | None = None,
        pulse: Watchdog | None = None,
        switches_off: bool = False,
        wired: bool = True,
        language: Language = ENGLISH,
    ) -> None:
        self.events: Inbox[Event] = Inbox(sender_of)
        self._outputs, self._clock = outputs, clock
        self._debounce = Debounce(timing)
        self._saver = saver or ScreenSaver(clock())
        self._pulse, self._beat_at = pulse, clock()
        self._state = TableState(
            store, store.catalog, clock, left=self._leave_screen, repaired=self._note_repaired
        )
        views = Views(store, games, switches_off=switches_off, wired=wired, language=language)
        self.box = BoxSurface(
            self._state, views, outputs, clock, saver=self._saver, language=language
        )
        self._proposals = ProposalCheck(self._state)
        self._news = ClubNews(clock, lambda: self._proposals.run)
        self._sent: tuple[TableSession, int] | None = None
        self._voice_key = False
        """Whether VOICE_KEY was down when the box started and has not been handled yet."""

    # ------------------------------------------------------------ running

    def run(self) -> None:
        """Shows the table and handles events until it is stopped."""
        self.show()
        while self.run_once(self.wake_after_s()):
            pass

    def run_once(self, patience_s: float | None = None) -> bool:
        """Waits at most `patience_s` seconds for events (None for no limit), and handles them: the
        box's own first, then the others' until something new arrives. Returns False if the loop
        should stop."""
        self.events.wait(patience_s)
        # Contacts are debounced up to this time: keeping a press takes longer than a contact
        # bounces, and later edges are still waiting.
        now = self._clock()
        if not self._handle_own_events(self.events.take_own(), now):
            return False
        while event := self.events.take_other():
            if isinstance(event, Press):
                self.box.press(event)
            elif isinstance(event, News):
                self._handle_keypad_news(event)
            elif isinstance(event, Request):
                self._answer_request(event)
        if self.switched_off:
            return False
        if self._news.club is not None:
            self._update_round()
        self.show()
        self._feed_watchdog()
        return True

    def _handle_own_events(self, events: Iterable[Event], now: float) -> bool:
        """Handles the box's own keys and commands; returns False if the loop should stop."""
        for event in events:
            if event is Command.STOP:
                return False
            if event is Command.REPAIR:
                self._state.repair()
            if isinstance(event, Phones):
                self.box.take_phones(event)
            if isinstance(event, BoxCheck):
                self.box.around = replace(self.box.around, box_check=event)
            if isinstance(event, Club | GivenSeats | NoSeats | RoundClock | HallCalls):
                self._news.take_news(event)
            if isinstance(event, JudgeRuling):
                self._answer_request(
                    Request(self._news.ruling(event, self._state.session), _ignore_answer)
                )
            if isinstance(event, ClubRequest):
                self._handle_club_request(event)
            if isinstance(event, BackgroundNotice):
                self.box.show_line(event.line)
            if isinstance(event, Offer):
                self.box.offer_games(event)
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
        """Turns the voice on after VOICE_KEY was held while the box started."""
        try:
            self._state.keep(Setting(VOICE, "everything"), None)
        except (Refusal, StoreError) as error:
            self.box.show_line(error.why)

    @property
    def switched_off(self) -> bool:
        """Whether a player has switched the box off."""
        return self.box.console.off

    def _feed_watchdog(self) -> None:
        """Feeds the watchdog when it is due, if the record can be read; if not, the watchdog runs
        out and restarts the service."""
        if self._pulse is None or self._clock() < self._beat_at:
            return
        self._beat_at = self._clock() + self._pulse.every_s
        try:
            self._state.store.last_row()
        except StoreError as error:
            print(error, file=sys.stderr, flush=True)
        else:
            self._pulse.feed()

    def show(self) -> None:
        """Publishes the table's picture, and how it should look, if either has changed."""
        self.box.show(self._clock(), down=self._debounce.wake_at is not None)
        self._send_snapshot()
        self.box.speak()

    def _leave_screen(self) -> None:
        self.box.leave_screen()

    def _note_repaired(self, trouble: str | None) -> None:
        self.box.show_repaired(trouble)

    def _send_snapshot(self) -> None:
        """Sends a snapshot of the table to readers in other threads, if it has changed."""
        session, run = now = self._state.session, self._proposals.run
        sent = self._sent
        if sent is None or sent[0] is not session or sent[1] != run:
            self._sent = now
            self._outputs.send_snapshot(session.snapshot(run))

    def wake_after_s(self) -> float | None:
        """Seconds until the loop has to run by itself; None if it needn't."""
        beat = self._beat_at if self._pulse else None
        wakes = (self._debounce.wake_at, self._saver.wake_at, beat, self._news.wake_at)
        wake_at = min((at for at in wakes if at is not None), default=None)
        return None if wake_at is None else max(wake_at - self._clock(), 0.0)

    def type_letter(self, letter: str) -> bool:
        """Types a letter of a name; returns False if no name is being spelled. Any thread may call
        it, because the console that it reads is immutable."""
        if spells := self.box.console.takes_letters:
            self.events.put(Press(Key.PRESS, letter=letter))
        return spells

    # ------------------------------------------------------------ a club, keypads

    def _update_round(self) -> None:
        """Offers the seats given by the club once no game is being played, or if other people than
        these are in the game; updates the round's clock, and sends changes to the pages."""
        news, journal = self._news, self._state.session.journal
        news.advance()
        if (up := news.time_up(self._state.session)) is not None:
            self._answer_request(Request(up, _ignore_answer))
        news.follow_game(journal, self._state.session.number)
        if news.club is not None and news.club is not self.box.around.club:
            self.box.around = replace(self.box.around, club=news.club)
            self._outputs.send_club(news.club)
        if (given := news.seats_to_ask) is not None:
            self.box.console, news.has_asked = (
                self.box.console.asking_about_seats(given, journal),
                True,
            )

    def _handle_club_request(self, request: ClubRequest) -> None:
        """Passes a request on to the club, or starts the game itself if the request is to begin
        with the given seats."""
        given = self._news.given
        if request.kind is not ClubRequestKind.BEGIN:
            self._outputs.request_club(request)
            return
        before = self.box.view()
        if given is None or given.place != request.address:
            return
        screen = ask_given(given, before.journal, None)
        if (row := screen.key_bindings()[Key.OK](before).row) is None:
            return
        try:
            kept = self._state.keep(row, self._news.new_source)
        except (Refusal, StoreError) as error:
            self.box.show_line(error.why)
            return
        self.box.show_row_of_others(before, kept)

    def _handle_keypad_news(self, news: News) -> None:
        """Updates which keypads are plugged in, and shows a line about the change until the next
        key."""
        plugged_in = self.box.around.plugged_in
        match news:
            case KeypadArrived():
                plugged_in |= {news.keypad}
            case KeypadLeft():
                plugged_in -= {news.keypad}
        if plugged_in != self.box.around.plugged_in:
            self.box.around = replace(self.box.around, plugged_in=plugged_in)
        seat = self._state.session.keypads.get(news.keypad)
        whose = phrase("keypad {end}", end=news.keypad[-4:])
        if seat:
            whose = phrase("{seat}'s keypad", seat=display_name(seat))
        if sentence := news.sentence(whose):
            self.box.show_line(sentence)
        if isinstance(news, PressesLost):
            self._outputs.settle(news.source, True)

    # ------------------------------------------------------------ a proposal

    def _answer_request(self, request: Request) -> None:
        """Handles a request of another surface, shows the result on all surfaces, and answers."""
        if isinstance(request.content, ChipsMoved):
            self._state.chips_moved(request.content.row)
            self.box.chips_were_moved()
            return
        if isinstance(request.content, SeatTaken):
            seat = request.content.seat
            self._state.seat_taken(seat)
            self.box.show_news(
                phrase("A phone has just taken {seat}'s seat", seat=display_name(seat))
            )
            return
        before, newest = self.box.view(), self._state.session.kept
        answered = self._proposals.answer(request.content)
        kept = self._state.session.kept
        if kept is not None and kept is not newest and answered.answer == ProposalCounted(kept.seq):
            self.box.show_row_of_others(before, kept)
        try:
            request.answer(answered)
        except Exception:
            traceback.print_exc()  # the surface may have gone; it will inquire again
