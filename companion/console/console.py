"""The console: takes key presses, and returns rows to store and pictures to show. Pure: no clock,
no hardware. It holds the current screen; without one, the state of the game determines the screen.
It also handles what all screens have in common: the joystick's picker, the lock against accidental
presses, messages, and the picture shown if the game's state can't be drawn."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Self

from companion.console.frame import WIDTH, BoxPicture, Canvas, Frame, Light
from companion.console.layout import draw_banner, draw_club_sign, draw_question
from companion.console.lists import note
from companion.console.screen import ChildScreen, Outcome, OverlayScreen, Screen, View, VoiceRequest
from companion.console.screens.box_settings import WhoseKeypad
from companion.console.screens.chips import chips_due_screen
from companion.console.screens.confirm import (
    ConfirmDuplicate,
    SwitchOff,
    TakeGames,
    ask_if_all_agree,
)
from companion.console.screens.given_seats import ask_given
from companion.console.screens.menu import open_menu
from companion.console.screens.phones import ShowSeating
from companion.console.sounds import voice_question
from companion.core.box_page import PageRequest
from companion.core.club import ClubRequest, GivenSeats
from companion.core.keys import FIVE_WAY, TURNED_BY_180, Key, Press, is_pad
from companion.core.seats import BySeat, Seat
from companion.core.values import changed, dataclass
from companion.core.words import phrase
from companion.presentation.corrections import ChipsDue, changed_rulings
from companion.presentation.language import ENGLISH, Language
from companion.record.copies.restore import Offer
from companion.record.journal import Journal
from companion.record.rows import Row, Undo

# ---------------------------------------------------------------- shared keys
# Keys that do the same on many screens. On a screen of play, MENU opens the menu and BOGUS begins a
# call. On other screens these two put a question to the voice, if they have no other use there. All
# other keys are left to the screen itself. Before a ruling of the table is stored or taken back,
# the display asks whether everybody agrees.


def outcome_of(screen: Screen[object], view: View[object], press: Press) -> Outcome[object]:
    """Returns the outcome of a press on this screen. The press may also report that a key has been
    down for two seconds (`held`)."""
    outcome = (
        screen.handle_hold(view, press.key) if press.held else _outcome_of_key(screen, view, press)
    )
    outcome = _note_opener(screen, outcome, press.seat)
    return _ask_all_about_ruling(screen, view, outcome, press.seat)


def _outcome_of_key(screen: Screen[object], view: View[object], press: Press) -> Outcome[object]:
    """Returns the outcome of a key on the screen. On every screen of play MENU opens the menu, and
    BOGUS begins a call by the seat on whose keypad it was pressed, unless the screen uses BOGUS
    itself (`takes_bogus`). On other screens both keys ask the voice a question (`voice_question`),
    unless the screen uses them itself."""
    if screen.shows_table and press.key is Key.MENU:
        return screen.menu(view) or Outcome(open_menu(view, screen))
    if screen.shows_table and press.key is Key.BOGUS and not screen.takes_bogus:
        calls = view.play.calls
        if calls is None:
            nobody = phrase("{title} has no penalty for a bogus play.", title=view.game.game.title)
            return note(nobody, screen, press.seat)
        called = calls.call(view, screen, press.seat)
        return called if isinstance(called, Outcome) else note(called, screen, press.seat)
    if not screen.shows_table and (asked := voice_question(screen, view, press)):
        return asked
    return screen.handle_press(view, press)


def _ask_all_about_ruling(
    screen: Screen[object], view: View[object], outcome: Outcome[object], seat: Seat | None
) -> Outcome[object]:
    """Returns the outcome unchanged or, if its row makes or takes back a ruling of the table, the
    question whether everybody agrees. That question is skipped if `screen` already asks it."""
    row = outcome.row
    if row is None or not (changed := changed_rulings(view.journal, row)):
        return outcome
    if screen.asked_about(row):
        return outcome
    question = ask_if_all_agree(changed[0])
    return Outcome(
        ConfirmDuplicate(row=row, question=question, below=screen, by=seat, then=outcome.screen)
    )


def _note_opener(
    screen: Screen[object], outcome: Outcome[object], seat: Seat | None
) -> Outcome[object]:
    """Returns the outcome. If it opens an `owned` screen, that screen remembers the seat whose
    keypad opened it (None for the box)."""
    opened = outcome.screen
    if opened is None or not opened.owned or screen.owned:
        return outcome
    return replace(outcome, screen=opened.opened_by(seat))


# ---------------------------------------------------------------- key picker
# Joystick input: how up, down, left, right and press are translated to the keys of the box.
#
# A screen may take some of them itself: in a list, up and down move the bar, and right and press
# are OK. On other screens, up and down move through the keys that the screen takes, and right or
# press types the key that is shown; while no key is shown, press is OK. Left is BACK. So a joystick
# and two or three keys can do everything that sixteen keys do.


_PICKER_STEPS = {Key.UP: 1, Key.DOWN: -1}
_PICKER_OK_KEYS = {Key.RIGHT: None, Key.PRESS: Key.OK}
"""The key that each joystick key stands for while no picker is shown (None if there is none)."""


@dataclass(frozen=True, slots=True)
class KeyPicker:
    """The key that the joystick selected last, and whether it is shown now."""

    key: Key | None = None
    shown: bool = False

    def turned(self, keys: tuple[Key, ...], step: int) -> "KeyPicker":
        """Returns the picker moved by `step` among `keys`. A hidden picker first shows its last key
        again."""
        if not keys:
            return KeyPicker()
        if self.key not in keys:
            return KeyPicker(keys[0] if step > 0 else keys[-1], True)
        if not self.shown:
            return KeyPicker(self.key, True)
        return KeyPicker(keys[(keys.index(self.key) + step) % len(keys)], True)

    def translate(
        self, key: Key, keys: tuple[Key, ...], takes: frozenset[Key]
    ) -> tuple["KeyPicker", Key | None]:
        """Translates a joystick `key`. Returns the picker after the key, and the box's key that it
        stands for (None if there is none). The picker moves through `keys`; a key in `takes` goes
        to the screen untranslated."""
        if key in takes:
            return replace(self, shown=False), key
        if key in _PICKER_STEPS:
            return self.turned(keys, _PICKER_STEPS[key]), None
        if key is Key.LEFT:
            return replace(self, shown=False), Key.BACK
        if self.shown:
            return replace(self, shown=False), self.key
        return self, Key.OK if Key.UP in takes else _PICKER_OK_KEYS[key]


NO_PICKER = KeyPicker()


def picker_keys(screen: Screen[object], view: View[object]) -> tuple[Key, ...]:
    """Returns the keys that a joystick can choose from on this screen."""
    return tuple(key for key in screen.keys(view) if key not in FIVE_WAY)


def draw_picker(canvas: Canvas, key: Key) -> None:
    """Draws the picker's key at the right edge."""
    width = max(canvas.width(key.value), 5) + 14
    canvas.fill(WIDTH - width, 32, width, 8, on=False)
    canvas.text(WIDTH - width + 2, 32, f"↑{key.value}↓")
    canvas.invert(WIDTH - width, 4, width)


# ---------------------------------------------------------------- console

_COMMITTING_KEYS = frozenset({Key.OK, Key.PRESS, Key.DRAW, Key.PASS})
"""Keys that may immediately add a row to the record."""


@dataclass(frozen=True, slots=True)
class Console:
    """The state of the box's screens: the current one with everything keyed so far, and messages.
    Each press returns a new Console."""

    screen: Screen[object] | None = None
    picker: KeyPicker = NO_PICKER
    locked: bool = False
    message: str | None = None
    news: str | None = None
    """The message about a change from elsewhere, or why a keypad has to wait; the next entry clears
    it."""
    seen: str | None = None
    """The table's message that was shown when a key was pressed; it is not shown again."""
    before_back: Screen[object] | None = None
    """The screen on which BACK was pressed. Holding BACK locks the keys on that screen."""
    repeating: Key | None = None
    """The key that moved a bar or the picker when it was pressed; it repeats while held."""
    called_at: float | None = None
    """The time at which BOGUS was pressed on a seat's keypad for the call being made, in monotonic
    seconds."""
    off: bool = False
    """Whether the box is to be switched off."""
    page_request: PageRequest | None = None
    """The request of the last key to the page."""
    club_request: ClubRequest | None = None
    """The request of the last key to the club."""
    takes: Offer | None = None
    """The offer of games, from a stick or the club, that was just accepted."""
    declines: bool = False
    """Whether the offer of games was just declined."""
    moved: bool = False
    """Whether a player has just confirmed that the due chips were moved."""
    asks: VoiceRequest | None = None
    """The question that the voice was just asked."""
    must_read: frozenset[Seat | None] = frozenset()
    """The seats (None for the box's own keys) whose screen has just been closed or changed by
    something else. If their next key might add a row to the record, it only removes the message
    about that."""

    @classmethod
    def start(cls) -> "Console":
        """Returns the console at the start of the program."""
        return cls()

    # ------------------------------------------------------------ keys

    def press(self, view: View[object], press: Press) -> tuple["Console", Row | None]:
        """Returns the console after a press, and the row to store, if any."""
        press = self._pad_press_as_box_press(view, _turn_joystick(view, press))
        if press.repeated and press.key is not self.repeating:
            return self, None
        at_the_box = press.seat is None and press.source is None
        if press.held and press.key in (Key.BACK, Key.LEFT) and at_the_box:
            return self._with_lock_toggled(), None
        if self._is_locked(view):
            return self, None
        read = replace(self, message=None, seen=view.message, locked=False, must_read=frozenset())
        if press.seat in self.must_read and press.key in _COMMITTING_KEYS and not press.letter:
            return read, None
        screen = self.screen or view.screen
        if press.letter:
            typed = (
                replace(read, screen=screen.typed(press.letter)) if screen.takes_letters else self
            )
            return typed, None
        if press.held and press.key is Key.MENU and view.switches_off and at_the_box:
            return replace(read, screen=SwitchOff(screen.before_menu), picker=NO_PICKER), None
        if press.source and not _has_seat(view, press.seat):
            return read._press_without_seat(view, screen, press)
        if press.held:
            if press.key not in (Key.OK, Key.PRESS) or screen.why_not_taken(
                view, press.seat, Key.OK
            ):
                return read, None
            return read._pass_to_screen(view, screen, Press(Key.OK, press.seat, held=True))
        picker, key = self._translate_key(view, screen, press.key)
        read = replace(read, picker=picker, before_back=screen if key is Key.BACK else None)
        if key is None:
            return replace(read, repeating=press.key), None
        if key is Key.BOGUS and self._is_older_than_call(press):
            screen = screen.before_call
        screen = screen.screen_for_key(view, press, key)
        refused = screen.why_not_taken(view, press.seat, key)
        if refused:
            return replace(self, message=refused, news=refused, seen=view.message), None
        return read._pass_to_screen(view, screen, replace(press, key=key))

    @property
    def takes_letters(self) -> bool:
        """Whether letters are accepted now, to spell a name."""
        return self.screen is not None and self.screen.takes_letters and not self.locked

    def _pad_press_as_box_press(self, view: View[object], press: Press) -> Press:
        """Returns the press. If it comes from a keypad without a seat in this game, returns it as a
        press of the box's own keys, except for the OK with which a seat claims the keypad."""
        if not press.source or not is_pad(press.source.keypad):
            return press
        if press.seat is not None and _has_seat(view, press.seat):
            return press
        asked = self.screen is not None and self.screen.asks_seat_of(press.source.keypad)
        takes = asked and press.source.keypad in view.keypads
        if takes and press.key is Key.OK and not press.held:
            return press
        return replace(press, seat=None, source=None)

    def _translate_key(
        self, view: View[object], screen: Screen[object], key: Key
    ) -> tuple[KeyPicker, Key | None]:
        """Returns the picker after a key, and the box's key that it stands for (None if there is
        none). A joystick moves the picker and presses the key that it shows."""
        if key not in FIVE_WAY:
            return replace(self.picker, shown=False), key
        return self.picker.translate(key, picker_keys(screen, view), screen.joystick_keys(view))

    def _is_older_than_call(self, press: Press) -> bool:
        """Returns whether BOGUS was pressed here before it was pressed for the call being made,
        although this press arrived later."""
        if press.at is None or self.called_at is None:
            return False
        return press.at < self.called_at

    def _is_locked(self, view: View[object]) -> bool:
        """Returns whether the keys are locked. They never are while BACK or LEFT is stuck, because
        nobody could unlock them."""
        return self.locked and not {Key.BACK, Key.LEFT}.intersection(view.stuck)

    def _with_lock_toggled(self) -> "Console":
        """Returns the console with the keys locked, or unlocked if they were locked, because BACK
        was held. Locking restores the screen on which BACK was pressed."""
        screen = self.screen if self.locked else self.before_back
        return replace(self, locked=not self.locked, screen=screen, picker=NO_PICKER, message=None)

    def _pass_to_screen(
        self, view: View[object], screen: Screen[object], press: Press
    ) -> tuple["Console", Row | None]:
        """Passes the key to the screen. Returns the console after it, and the row to store, if
        any."""
        outcome = outcome_of(screen, view, press)
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

    def _press_without_seat(
        self, view: View[object], screen: Screen[object], press: Press
    ) -> tuple["Console", Row | None]:
        """Returns the outcome of a key on a keypad without a seat in this game. A screen that
        assigns keypads to seats handles it itself; on a screen of play, OK asks whose keypad it is;
        otherwise a message shows what to do."""
        keypad = press.source.keypad if press.source else ""
        if screen.asks_seat_of(keypad) and not press.held:
            return self._pass_to_screen(view, screen, press)
        if screen.shows_table and press.key is Key.OK and not press.held:
            return replace(self, screen=WhoseKeypad(keypad=keypad, below=screen)), None
        return self.with_error(phrase("This keypad has no seat yet: press its OK in a game.")), None

    def shows_the_same_as(self, before: "Console", view: View[object]) -> bool:
        """Returns whether the display shows the same picture as for the console `before`. Used
        after a key that stored nothing."""
        if before.message or (view.message and view.message != before.seen):
            return False  # the message was read
        if (self.picker, self.locked, self.off) != (before.picker, before.locked, before.off):
            return False
        return (self.screen or view.screen) == (before.screen or view.screen)

    def after_row_elsewhere(self, before: View[object], after: View[object], why: str) -> "Console":
        """Returns the console after a row that wasn't keyed here; `before` and `after` are the
        views around that row. The screen and the keyed digits stay unless something that the screen
        depends on has changed (Screen.depends_on). Otherwise the screen closes, with the message
        `why` if a player was in the middle of an entry."""
        if self.news is not None and not self.must_read:
            message = None if self.message == self.news else self.message
            return replace(self, message=message, news=None).after_row_elsewhere(before, after, why)
        screen, back = self.screen, self.before_back
        back = back and _screen_after_row(back, before, after)
        if screen is None:
            return replace(self, before_back=back)
        now = _screen_after_row(screen, before, after)
        if now is not None:
            same = replace(self, screen=now, before_back=back)
            return same._with_message_to_read(before, screen, why) if screen.is_correction else same
        home = replace(
            self, screen=None, picker=NO_PICKER, message=None, before_back=None, repeating=None
        )
        return (
            home._with_message_to_read(before, screen, why)
            if screen.in_progress or screen.pending
            else home
        )

    def _with_message_to_read(
        self, before: View[object], screen: Screen[object], why: str
    ) -> "Console":
        """Returns the console with the message `why`. The seats that use `screen` have to read it
        before their keys may add a row (`must_read`)."""
        whose = screen.only_seat(before)
        at_it: Iterable[Seat | None] = (whose,)
        if whose is None:  # without a game, any keypad may set one up
            at_it = before.keypads.values() if before.journal is None else before.state.seats
        return replace(self, message=why, must_read=frozenset({None, *at_it}))

    def asking_again(self, row: Row, why: str, by: Seat | None) -> Self:
        """Returns the console with the question whether to store `row`, although another surface
        has just stored an equal row, as the text `why` explains. `by`: the seat whose keypad is
        asked; None for the box."""
        question = phrase("Again? {why}", why=why)
        return replace(
            self,
            screen=ConfirmDuplicate(row=row, question=question, below=self.screen, by=by),
            picker=NO_PICKER,
            message=None,
        )

    def asked_about(self, row: Row) -> bool:
        return self.screen is not None and self.screen.asked_about(row)

    def while_people_sit_down(self, sits: bool) -> "Console":
        """Returns the console showing how phones connect while people take their seats on phones
        (`sits`), unless another screen is open. Once they have sat down, closes that screen."""
        shown: Screen[object] = ShowSeating()
        if self.screen == shown:
            return self if sits else replace(self, screen=None)
        return replace(self, screen=shown) if sits and self.screen is None else self

    def asking_about_offer(self, offer: Offer) -> "Console":
        """Returns the console with the question whether to take the games offered by a stick or the
        club. If another screen was open, a message has to be read first."""
        screen = self.screen
        if screen is not None and (asking := screen.with_newer_offer(offer)) is not None:
            return replace(self, screen=asking)
        asks = replace(
            self,
            screen=TakeGames(offer=offer, below=screen),
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
        return replace(asks, message=told, must_read=frozenset({None}))

    def asking_about_seats(self, given: GivenSeats, journal: Journal[object] | None) -> "Console":
        """Returns the console with a question about the seats that the club assigns to this table:
        whether to begin the next game with them, or whether these people sit at the current game,
        `journal`. If another screen was open, a message has to be read first."""
        screen = self.screen
        if screen is not None and (asking := screen.with_new_seats(given)) is not None:
            return replace(self, screen=asking)
        asking = ask_given(given, journal, screen)
        asks = replace(self, screen=asking, picker=NO_PICKER, message=None)
        if screen is None:
            return asks
        said = phrase("The club has seats for this table.")
        return replace(asks, message=said, must_read=frozenset({None}))

    def with_chips_due(self, view: View[object], due: ChipsDue | None) -> "Console":
        """Returns the console showing which chips have to be moved after a correction made
        elsewhere or before a restart, unless another screen is open. If `due` is None, the chips
        have been moved, and the screen that shows them closes."""
        tells = self.screen is not None and self.screen.shows_chips_due
        if due is None:
            return replace(self, screen=None) if tells else self
        if self.screen is not None and not tells:
            return self
        return replace(self, screen=chips_due_screen(view, due), picker=NO_PICKER)

    @classmethod
    def taken(cls, by: Seat | None) -> "Console":
        """Returns the console for the moment when the offered games are in the record. A second OK,
        from the box or from the seat `by` that agreed, stores nothing."""
        return cls(must_read=frozenset({None, by}))

    def with_error(self, text: str) -> "Console":
        """Returns the console with `text`, the reason why nothing was stored, as a message until
        the next key."""
        return replace(self, message=text)

    def with_news(self, text: str) -> "Console":
        """Returns the console with `text`, about a change from elsewhere, as a message until the
        next key or entry."""
        return replace(self, message=text, news=text)

    # ------------------------------------------------------------ picture

    def show(self, view: View[object]) -> BoxPicture:
        """Returns the frame, the lights and the data for the voice. They change only after a key or
        a row."""
        canvas = Canvas(language=view.language)
        screen = self.screen or view.screen
        screen.draw(view, canvas)
        if screen.shows_table and view.club is not None and not screen.shows_refusal:
            draw_club_sign(canvas, view.club.corner_sign)
        if self.picker.shown and self.picker.key is not None:
            draw_picker(canvas, self.picker.key)
        message = self.message or (view.message if view.message != self.seen else None)
        message = message or (_stuck_keys_message(view.stuck) if view.stuck else None)
        if self._is_locked(view):
            message = phrase("The keys are locked.")
            draw_question(canvas, message, phrase("Hold BACK for two seconds."))
        elif message:
            draw_banner(canvas, message)
        return BoxPicture(
            canvas.frame(),
            _seat_lights(view),
            view.journal.colours if view.journal else None,
            pending=screen.pending,
            claiming=screen.claiming,
            inviting=screen.shows_access,
            is_turn=screen.is_turn and not screen.shows_refusal,
            message=message or "",
            bar=canvas.bar,
            kind=type(screen).__name__,
        )


def _screen_after_row(
    screen: Screen[object], before: View[object], after: View[object]
) -> Screen[object] | None:
    """Returns the screen after a row from elsewhere; None if something that it depends on has
    changed. If only the screen below it is affected, BACK leads to the game's current screen
    instead."""
    if _screen_dependencies(screen, before) != _screen_dependencies(screen, after):
        return None
    now = screen.updated(after)
    if isinstance(now, ChildScreen) and now.parent is not None:
        return changed(now, parent=_screen_after_row(now.parent, before, after))
    if isinstance(now, OverlayScreen) and now.below is not None:
        return changed(now, below=_screen_after_row(now.below, before, after))
    return now


def _screen_dependencies(screen: Screen[object], view: View[object]) -> object:
    """Returns what a screen depends on: `Screen.depends_on`, the people at the table, because it
    may name them, and the game's current screen. For a correction the current screen is left out.
    Returns None for a screen that depends on nothing."""
    basis = screen.depends_on(view)
    if basis is None:
        return None
    people = view.journal.opened.seats if view.journal is not None else None
    return (basis, people) if screen.is_correction else (basis, people, view.screen)


def _stuck_keys_message(keys: tuple[Key, ...]) -> str:
    """Returns the message that names the stuck keys."""
    names = ", ".join(key.value for key in keys)
    return (
        phrase("Key {names} is stuck: free it.", names=names)
        if len(keys) == 1
        else phrase("Stuck: {names}. Free them.", names=names)
    )


def _turn_joystick(view: View[object], press: Press) -> Press:
    """Returns the press, with the joystick's direction reversed if the display is upside down,
    because the joystick is then upside down too."""
    turned = view.settings.get("flip") == "on" and press.key in TURNED_BY_180
    return replace(press, key=TURNED_BY_180[press.key]) if turned else press


def _has_seat(view: View[object], seat: Seat | None) -> bool:
    """Returns whether the seat is in the game. Without a game it is always True, since any keypad
    may set one up."""
    return view.journal is None or view.journal.withdrawn or seat in view.state.seats


def _seat_lights(view: View[object]) -> BySeat[Light] | None:
    """Returns the lights of the seats: whose turn it is, and who pays; None without a game."""
    if view.journal is None or view.journal.withdrawn:
        return None
    state = view.state
    payers = {payment.payer for payment in state.effect.payments}

    def light(seat: Seat) -> Light:
        if seat == state.to_move:
            return Light.TURN
        return Light.PAYS if seat in payers else Light.OFF

    return BySeat.make(state.seats, light)


# ---------------------------------------------------------------- fault


FAULT = phrase("A fault in this box: nothing was saved.")


def fault_show(language: Language = ENGLISH) -> BoxPicture:
    """Returns the picture for an entry that caused an error, with the key that takes it back."""
    canvas = Canvas(language=language)
    canvas.text(0, 0, phrase("FAULT"), "caps")
    for line, text in enumerate(
        (phrase("The last entry caused a fault"), phrase("in this box. It is saved."))
    ):
        canvas.text(0, 20 + 8 * line, text)
    canvas.text(0, 48, phrase("BACK: take it back"))
    canvas.text(0, 56, phrase("another key: try again"))
    return BoxPicture(canvas.frame())


def salvage_frame(language: Language = ENGLISH) -> Frame:
    """Returns the frame shown while a damaged record is being repaired."""
    canvas = Canvas(language=language)
    canvas.centred(64, 8, phrase("One moment"), "caps")
    canvas.centred(64, 32, phrase("The record is damaged:"))
    canvas.centred(64, 40, phrase("what can be read of it"))
    canvas.centred(64, 48, phrase("is being saved."))
    return canvas.frame()


def row_when_stuck(press: Press) -> Row | None:
    """Returns the row for a key pressed while the picture of `fault_show` is shown: undo for BACK
    or LEFT; None for any other key."""
    return Undo() if press.key in (Key.BACK, Key.LEFT) and not press.held else None
