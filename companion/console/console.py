"""The console: keys in, rows to keep and pictures out. Pure: no clock, no hardware.

It holds the screen that is shown; without one, the state of the game decides. Around the screens
it does what all of them share: the joystick's picker, the lock against small hands, messages.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

from companion.console.aloud import VoiceRequest
from companion.console.frame import WIDTH, Canvas, Light, Show
from companion.console.key_picker import NO_PICKER, KeyPicker
from companion.console.layout import draw_banner, draw_club_sign, draw_question
from companion.console.screen import Outcome, Screen, View, screen_for
from companion.console.screens.ask_voice import asked_by
from companion.console.screens.chips_to_move import still_to_move
from companion.console.screens.claims import Whose
from companion.console.screens.given_seats import ask_given
from companion.console.screens.menu import open_menu
from companion.console.screens.note import note
from companion.console.screens.once_more import OnceMore, do_all_agree
from companion.console.screens.switch_off import SwitchOff
from companion.console.screens.take_games import TakeGames
from companion.core.club import ClubRequest, GivenSeats
from companion.core.keys import FIVE_WAY, TURNED, Key, Press, is_pad
from companion.core.phones import PageRequest
from companion.core.seats import BySeat, Seat
from companion.core.words import phrase
from companion.presentation.chips_due import ChipsDue
from companion.presentation.rulings import changed_rulings
from companion.record.copies.stick import Offer
from companion.record.journal import Journal
from companion.record.rows import Row

_COMMITS = frozenset({Key.OK, Key.PRESS, Key.DRAW, Key.PASS})
"""Keys that may keep something at once."""


@dataclass(frozen=True, slots=True)
class Console:
    """What is shown and how far something is keyed. A press gives a new one."""

    screen: Screen[object] | None = None
    picker: KeyPicker = NO_PICKER
    locked: bool = False
    message: str | None = None
    news: str | None = None
    """The message about a change from elsewhere, or why a keypad waits; the next entry ends it."""
    seen: str | None = None
    """The table's message that a key was pressed on: it is not shown again."""
    before_back: Screen[object] | None = None
    """Where BACK was pressed: held on, it locks the keys there."""
    repeating: Key | None = None
    """The key that moved something here when it went down, and goes on while it is down."""
    called_at: float | None = None
    """When the call that is being made was pressed on a seat's keypad."""
    off: bool = False
    """The box is to be switched off."""
    page_request: PageRequest | None = None
    """What was just wanted of the page."""
    club_request: ClubRequest | None = None
    """What was just wanted of the club."""
    takes: Offer | None = None
    """A stick's games that are to be taken now."""
    declines: bool = False
    """The stick's games are not to be taken."""
    moved: bool = False
    """The chips are moved that were to be moved."""
    asks: VoiceRequest | None = None
    """What the voice was just asked."""
    gone: frozenset[Seat | None] = frozenset()
    """The seats (None: the box's own keys) whose screen has just closed or changed by itself: their
    next key, if it is one that keeps something, only takes the message off that says why."""

    @classmethod
    def start(cls) -> "Console":
        """The console when the box is switched on."""
        return cls()

    # ------------------------------------------------------------ keys

    def press(self, view: View[object], press: Press) -> tuple["Console", Row | None]:
        """What a key does: the console after it, and the row to keep, if any."""
        press = self._by_the_role_of_a_pad(view, _turned_with_the_picture(view, press))
        if press.repeated and press.key is not self.repeating:
            return self, None
        at_the_box = press.seat is None and press.source is None
        if press.held and press.key in (Key.BACK, Key.LEFT) and at_the_box:
            return self._toggled_lock(), None
        if self._is_locked(view):
            return self, None
        read = replace(self, message=None, seen=view.message, locked=False, gone=frozenset())
        if press.seat in self.gone and press.key in _COMMITS and not press.letter:
            return read, None
        screen = self.screen or screen_for(view)
        if press.letter:
            typed = replace(read, screen=screen.typed(press.letter)) if screen.spells else self
            return typed, None
        if press.held and press.key is Key.MENU and view.switches_off and at_the_box:
            return replace(read, screen=SwitchOff(screen.before_menu), picker=NO_PICKER), None
        if press.source and not _has_seat(view, press.seat):
            return read._pressed_without_a_seat(view, screen, press)
        if press.held:
            if press.key not in (Key.OK, Key.PRESS) or screen.not_taken(view, press.seat, Key.OK):
                return read, None
            return read._took(view, screen, Press(Key.OK, press.seat, held=True))
        picker, key = self._meant_by(view, screen, press.key)
        read = replace(read, picker=picker, before_back=screen if key is Key.BACK else None)
        if key is None:
            return replace(read, repeating=press.key), None
        if key is Key.BOGUS and self._was_called_later(press):
            screen = screen.before_call
        screen = screen.taker(view, press, key)
        refused = screen.not_taken(view, press.seat, key)
        if refused:
            return replace(self, message=refused, news=refused, seen=view.message), None
        return read._took(view, screen, replace(press, key=key))

    @property
    def spells(self) -> bool:
        """Whether letters are taken now: a name is spelled."""
        return self.screen is not None and self.screen.spells and not self.locked

    def _by_the_role_of_a_pad(self, view: View[object], press: Press) -> Press:
        """A number pad that no seat of this game has is the box's own keys, but for the OK by which
        a seat takes it."""
        if not press.source or not is_pad(press.source.keypad):
            return press
        if press.seat is not None and _has_seat(view, press.seat):
            return press
        asked = self.screen is not None and self.screen.claims(press.source.keypad)
        takes = asked and press.source.keypad in view.keypads
        if takes and press.key is Key.OK and not press.held:
            return press
        return replace(press, seat=None, source=None)

    def _meant_by(
        self, view: View[object], screen: Screen[object], key: Key
    ) -> tuple[KeyPicker, Key | None]:
        """The picker after a key, and the key that it stands for (None: none): a joystick turns the
        picker, and types what that shows."""
        if key not in FIVE_WAY:
            return replace(self.picker, shown=False), key
        return self.picker.translate(key, picker_keys(screen, view), screen.five_way(view))

    def _was_called_later(self, press: Press) -> bool:
        """A call that is being made was pressed later than this one, whose way was longer."""
        if press.at is None or self.called_at is None:
            return False
        return press.at < self.called_at

    def _is_locked(self, view: View[object]) -> bool:
        """A key that is stuck locks nothing: nobody could unlock it."""
        return self.locked and not {Key.BACK, Key.LEFT}.intersection(view.stuck)

    def _toggled_lock(self) -> "Console":
        """BACK held: locks or unlocks; what its press did is taken back."""
        screen = self.screen if self.locked else self.before_back
        return replace(self, locked=not self.locked, screen=screen, picker=NO_PICKER, message=None)

    def _took(
        self, view: View[object], screen: Screen[object], press: Press
    ) -> tuple["Console", Row | None]:
        """The screen takes the key."""
        outcome = screen.held(view, press.key) if press.held else _pressed(screen, view, press)
        outcome = _remembering_who_opened(screen, outcome, press.seat)
        outcome = _asking_all(screen, view, outcome, press.seat)
        after = replace(
            self,
            screen=outcome.screen,
            message=outcome.refused,
            locked=outcome.lock,
            off=outcome.off,
            page_request=outcome.page_request,
            club_request=outcome.club_request,
            takes=outcome.takes,
            declines=outcome.declines,
            moved=outcome.moved,
            asks=outcome.asks,
            called_at=press.at if press.key is Key.BOGUS else self.called_at,
            repeating=press.key if press.key in screen.repeats(view) else None,
        )
        return after, outcome.row

    def _pressed_without_a_seat(
        self, view: View[object], screen: Screen[object], press: Press
    ) -> tuple["Console", Row | None]:
        """A keypad that has no seat in this game was pressed: it is asked for one."""
        keypad = press.source.keypad if press.source else ""
        if screen.claims(keypad) and not press.held:
            return self._took(view, screen, press)
        if screen.plays and press.key is Key.OK and not press.held:
            return replace(self, screen=Whose(keypad=keypad, under=screen)), None
        return self.failed(phrase("This keypad has no seat yet: press its OK in a game.")), None

    def shows_the_same_as(self, before: "Console", view: View[object]) -> bool:
        """Whether a key of which nothing is kept has changed nothing that is seen."""
        if before.message or (view.message and view.message != before.seen):
            return False  # it was read
        if (self.picker, self.locked, self.off) != (before.picker, before.locked, before.off):
            return False
        return (self.screen or screen_for(view)) == (before.screen or screen_for(view))

    def moved_on(self, before: View[object], after: View[object], why: str) -> "Console":
        """A row came that no key made here. What is shown and keyed stays if what it stands on is
        the same as before; else it falls away, and `why` is said if somebody was at it."""
        if self.news is not None and not self.gone:
            message = None if self.message == self.news else self.message
            return replace(self, message=message, news=None).moved_on(before, after, why)
        screen = self.screen
        if screen is None:
            return self
        if _basis(screen, before) == _basis(screen, after):
            same = replace(self, screen=screen.renewed(after))
            return same._reads_first(before, screen, why) if screen.corrects else same
        home = replace(
            self, screen=None, picker=NO_PICKER, message=None, before_back=None, repeating=None
        )
        return home._reads_first(before, screen, why) if screen.asks or screen.pending else home

    def _reads_first(self, before: View[object], screen: Screen[object], why: str) -> "Console":
        """Whoever is at that screen reads `why` before a key of theirs keeps anything."""
        whose = screen.whose(before)
        at_it: Iterable[Seat | None] = (whose,)
        if whose is None:  # before there is a game it is set up by the keypads
            at_it = before.keypads.values() if before.journal is None else before.state.seats
        return replace(self, message=why, gone=frozenset({None, *at_it}))

    def asking_again(self, row: Row, why: str, by: Seat | None) -> Self:
        """Another surface has just kept the same as `row`, as `why` says: is it meant again?"""
        question = phrase("Again? {why}", why=why)
        return replace(
            self,
            screen=OnceMore(row=row, question=question, under=self.screen, by=by),
            picker=NO_PICKER,
            message=None,
        )

    def asked_about(self, row: Row) -> bool:
        """Whether it is asked just now if `row` is meant again."""
        return self.screen is not None and self.screen.asked_about(row)

    def offering(self, offer: Offer) -> "Console":
        """A stick has games: are they to be taken? Whoever is at another screen reads first."""
        screen = self.screen
        if screen is not None and (asking := screen.or_newer(offer)) is not None:
            return replace(self, screen=asking)
        asks = replace(
            self,
            screen=TakeGames(offer=offer, under=screen),
            picker=NO_PICKER,
            message=None,
            before_back=None,
            repeating=None,
        )
        if screen is None:
            return asks
        told = phrase("A stick with games is here.")
        if offer.club:
            told = phrase("{club} has games of this box.", club=offer.club)
        return replace(asks, message=told, gone=frozenset({None}))

    def giving(self, given: GivenSeats, journal: Journal[object] | None) -> "Console":
        """The club gives this table seats for its next game, or for the one that is played: do they
        begin?"""
        screen = self.screen
        if screen is not None and (asking := screen.or_new_seats(given)) is not None:
            return replace(self, screen=asking)
        asking = ask_given(given, journal, screen)
        asks = replace(self, screen=asking, picker=NO_PICKER, message=None)
        if screen is None:
            return asks
        said = phrase("The club has seats for this table.")
        return replace(asks, message=said, gone=frozenset({None}))

    def with_chips_due(self, view: View[object], due: ChipsDue | None) -> "Console":
        """Says which chips are to be moved since something was corrected elsewhere, unless somebody
        is at another screen; says it no longer once they are moved."""
        tells = self.screen is not None and self.screen.tells_chips
        if due is None:
            return replace(self, screen=None) if tells else self
        if self.screen is not None and not tells:
            return self
        return replace(self, screen=still_to_move(view, due), picker=NO_PICKER)

    @classmethod
    def taken(cls, by: Seat | None) -> "Console":
        """The stick's games are here. A second OK of whoever agreed keeps nothing."""
        return cls(gone=frozenset({None, by}))

    def failed(self, text: str) -> "Console":
        """Nothing was kept: this line says why, until the next key."""
        return replace(self, message=text)

    def with_news(self, text: str) -> "Console":
        """This line says what has changed elsewhere, until the next key or entry."""
        return replace(self, message=text, news=text)

    # ------------------------------------------------------------ picture

    def show(self, view: View[object]) -> Show:
        """The picture and the lights. Nothing changes by itself here."""
        canvas = Canvas(language=view.language)
        screen = self.screen or screen_for(view)
        screen.draw(view, canvas)
        if screen.plays and view.club is not None and not screen.explains:
            draw_club_sign(canvas, view.club.corner_sign)
        if self.picker.shown and self.picker.key is not None:
            _draw_picker(canvas, self.picker.key)
        message = self.message or (view.message if view.message != self.seen else None)
        message = message or (_stuck(view.stuck) if view.stuck else None)
        if self._is_locked(view):
            message = phrase("The keys are locked.")
            draw_question(canvas, message, phrase("Hold BACK for two seconds."))
        elif message:
            draw_banner(canvas, message)
        return Show(
            canvas.frame(),
            _lights(view),
            view.journal.colours if view.journal else None,
            pending=screen.pending,
            claiming=screen.claiming,
            inviting=screen.invites,
            is_turn=screen.is_turn and not screen.explains,
            message=message or "",
            bar=canvas.bar,
            kind=type(screen).__name__,
        )


def _basis(screen: Screen[object], view: View[object]) -> object:
    """What a screen stands on; with what the game asks for there, unless that doesn't matter."""
    basis = screen.stands_on(view)
    return basis if basis is None or screen.corrects else (basis, screen_for(view))


def _stuck(keys: tuple[Key, ...]) -> str:
    """The keys that are stuck, in words."""
    names = ", ".join(key.value for key in keys)
    return (
        phrase("Key {names} is stuck: free it.", names=names)
        if len(keys) == 1
        else phrase("Stuck: {names}. Free them.", names=names)
    )


def _turned_with_the_picture(view: View[object], press: Press) -> Press:
    """A board whose picture is turned round is held the other way round, and so is its joystick."""
    turned = view.settings.get("flip") == "on" and press.key in TURNED
    return replace(press, key=TURNED[press.key]) if turned else press


def picker_keys(screen: Screen[object], view: View[object]) -> tuple[Key, ...]:
    """The keys that a joystick turns through on this screen."""
    return tuple(key for key in screen.keys(view) if key not in FIVE_WAY)


def _has_seat(view: View[object], seat: Seat | None) -> bool:
    """Whether that seat is one of the game's; before there is a game, any keypad sets it up."""
    return view.journal is None or view.journal.withdrawn or seat in view.state.seats


def _pressed(screen: Screen[object], view: View[object], press: Press) -> Outcome[object]:
    """The screens of play share MENU and BOGUS; BOGUS on a seat's keypad calls in its name. It is
    a key like others where the screen takes it."""
    if screen.plays and press.key is Key.MENU:
        return screen.menu(view) or Outcome(open_menu(view, screen))
    if screen.plays and press.key is Key.BOGUS and not screen.takes_bogus:
        calls = view.play.calls
        if calls is None:
            nobody = phrase("{title} has no penalty for a bogus play.", title=view.game.game.title)
            return note(nobody, screen, press.seat)
        called = calls.call(view, screen, press.seat)
        return called if isinstance(called, Outcome) else note(called, screen, press.seat)
    if not screen.plays and (asked := asked_by(screen, view, press)):
        return asked
    return screen.pressed(view, press)


def _asking_all(
    screen: Screen[object], view: View[object], outcome: Outcome[object], seat: Seat | None
) -> Outcome[object]:
    """A ruling of the table is made or taken back: do all agree?"""
    row = outcome.row
    if row is None or not (changed := changed_rulings(view.journal, row)):
        return outcome
    if screen.asked_about(row):
        return outcome
    question = do_all_agree(changed[0])
    return Outcome(OnceMore(row=row, question=question, under=screen, by=seat, then=outcome.screen))


def _remembering_who_opened(
    screen: Screen[object], outcome: Outcome[object], seat: Seat | None
) -> Outcome[object]:
    """What was opened by this press remembers whose keypad it was."""
    opened = outcome.screen
    if opened is None or not opened.owned or screen.owned:
        return outcome
    return replace(outcome, screen=opened.opened_by(seat))


def _draw_picker(canvas: Canvas, key: Key) -> None:
    """The picker's key, at its own place at the right edge."""
    width = max(canvas.width(key.value), 5) + 14
    canvas.fill(WIDTH - width, 32, width, 8, on=False)
    canvas.text(WIDTH - width + 2, 32, f"↑{key.value}↓")
    canvas.invert(WIDTH - width, 4, width)


def _lights(view: View[object]) -> BySeat[Light] | None:
    """The lights of the seats: whose turn it is, and who pays."""
    if view.journal is None or view.journal.withdrawn:
        return None
    state = view.state
    payers = {payment.payer for payment in state.effect.payments}

    def light(seat: Seat) -> Light:
        if seat == state.to_move:
            return Light.TURN
        return Light.PAYS if seat in payers else Light.OFF

    return BySeat.make(state.seats, light)
