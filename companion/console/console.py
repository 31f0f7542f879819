"""The console: keys in, rows to keep and pictures out. Pure: no clock, no hardware.

It holds the screen that is shown; without one, the state of the game decides. Around the screens
it does what all of them share: the joystick's wheel, the lock against small hands, messages.
"""

from dataclasses import dataclass, replace

from companion.console.frame import WIDTH, Canvas
from companion.console.glyphs import text_width
from companion.console.layout import draw_banner, draw_question
from companion.console.screen import Outcome, Screen
from companion.console.screens.amend import Amending
from companion.console.screens.claims import Claim, Whose
from companion.console.screens.confirm import Confirm, LaterTurns
from companion.console.screens.dispute import Proven, WhichGo, accuse, note
from companion.console.screens.menu import Menu
from companion.console.screens.registry import screen_for
from companion.console.screens.setup_names import Spell
from companion.console.screens.switch_off import SwitchOff
from companion.console.screens.turn import Turn
from companion.console.screens.undo import OfferReturn, OfferUndo
from companion.console.view import Light, Show, View
from companion.console.wheel import NO_WHEEL, Wheel
from companion.console.words import shown
from companion.games.penalties import Called
from companion.keys import FIVE_WAY, TURNED, Key, Press, is_pad
from companion.record.rows import Row
from companion.seats import BySeat, Seat

_CHANGING = (Amending, LaterTurns, Confirm)
"""Screens on which an earlier entry is changed."""
_COMMITS = frozenset({Key.OK, Key.PRESS, Key.DRAW, Key.PASS})
"""Keys that may keep something at once."""
_OWNED = (OfferUndo, OfferReturn, *_CHANGING)
"""Screens that belong to whoever has opened them."""


@dataclass(frozen=True, slots=True)
class Console:
    """What is shown and how far something is keyed. A press gives a new one."""

    screen: Screen | None = None
    wheel: Wheel = NO_WHEEL
    locked: bool = False
    message: str | None = None
    seen: str | None = None
    """The table's message that a key was pressed on: it is not shown again."""
    before_back: Screen | None = None
    """Where BACK was pressed: held on, it locks the keys there."""
    repeating: Key | None = None
    """The key that moved something here when it went down, and goes on while it is down."""
    called_at: float | None = None
    """When the call that is being made was pressed on a seat's keypad."""
    off: bool = False
    """The box is to be switched off."""
    gone: frozenset[Seat | None] = frozenset()
    """Under whose fingers a screen fell away (None: the box's own keys): a key of theirs that was
    meant for it only reads why."""

    @classmethod
    def start(cls) -> "Console":
        """As the box is switched on."""
        return cls()

    # ------------------------------------------------------------ keys

    def press(self, view: View, press: Press, now: float) -> tuple["Console", Row | None]:
        """What a key does: the console after it, and the row to keep, if any."""
        del now
        press = self._by_the_role_of_a_pad(view, _as_it_is_held(view, press))
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
            typed = isinstance(screen, Spell) and replace(read, screen=screen.typed(press.letter))
            return typed or self, None
        if press.held and press.key is Key.MENU and view.switches_off and at_the_box:
            return replace(read, screen=_asking_to_switch_off(screen), wheel=NO_WHEEL), None
        if press.source and not _has_seat(view, press.seat):
            return read._took_from_nobody(view, screen, press)
        if press.held:
            if not _is_ok(press) or _not_its_turn(screen, view, press.seat, Key.OK):
                return read, None
            return read._took(view, screen, Press(Key.OK, press.seat, held=True))
        takes = screen.five_way(view) if isinstance(screen, Amending) else frozenset(screen.on)
        wheel, key = self.wheel.translate(press.key, wheel_keys(screen, view), takes)
        read = replace(read, wheel=wheel, before_back=screen if key is Key.BACK else None)
        if key is None:
            return replace(read, repeating=press.key), None
        if key is Key.BOGUS and self._was_called_later(press):
            screen = _under_call(screen)
        if isinstance(screen, OfferUndo | OfferReturn) and not _answers(screen, view, press, key):
            screen = screen.under
        refused = _not_its_turn(screen, view, press.seat, key)
        if refused:
            return replace(self, message=refused, seen=view.message), None
        return read._took(view, screen, replace(press, key=key))

    @property
    def spells(self) -> bool:
        """Whether letters are taken now: a name is spelled."""
        return isinstance(self.screen, Spell) and not self.locked

    def _by_the_role_of_a_pad(self, view: View, press: Press) -> Press:
        """A number pad that no seat of this game has is the box's own keys, but for the OK by which
        a seat takes it."""
        if not press.source or not is_pad(press.source.keypad):
            return press
        if press.seat is not None and _has_seat(view, press.seat):
            return press
        takes = isinstance(self.screen, Claim) and press.source.keypad in view.keypads
        if takes and press.key is Key.OK and not press.held:
            return press
        return replace(press, seat=None, source=None)

    def _was_called_later(self, press: Press) -> bool:
        """A call that is being made was pressed later than this one, whose way was longer."""
        if press.at is None or self.called_at is None:
            return False
        return press.at < self.called_at

    def _is_locked(self, view: View) -> bool:
        """A key that is stuck locks nothing: nobody could unlock it."""
        return self.locked and not {Key.BACK, Key.LEFT}.intersection(view.stuck)

    def _toggled_lock(self) -> "Console":
        """BACK held: locks or unlocks; what its press did is taken back."""
        screen = self.screen if self.locked else self.before_back
        return replace(self, locked=not self.locked, screen=screen, wheel=NO_WHEEL, message=None)

    def _took(self, view: View, screen: Screen, press: Press) -> tuple["Console", Row | None]:
        """The screen takes the key."""
        outcome = screen.held(view, press.key) if press.held else _pressed(screen, view, press)
        outcome = _by_whom(screen, outcome, press.seat)
        after = replace(
            self,
            screen=outcome.screen,
            message=outcome.refused,
            locked=outcome.lock,
            off=outcome.off,
            called_at=press.at if press.key is Key.BOGUS else self.called_at,
            repeating=press.key if press.key in screen.repeats(view) else None,
        )
        return after, outcome.row

    def _took_from_nobody(
        self, view: View, screen: Screen, press: Press
    ) -> tuple["Console", Row | None]:
        """A keypad that has no seat in this game was pressed: it is asked for one."""
        keypad = press.source.keypad if press.source else ""
        asked = isinstance(screen, Claim) or (isinstance(screen, Whose) and screen.keypad == keypad)
        if asked and not press.held:
            return self._took(view, screen, press)
        if screen.plays and press.key is Key.OK and not press.held:
            return replace(self, screen=Whose(keypad=keypad, under=screen)), None
        return self.failed("This keypad has no seat yet: press its OK in a game."), None

    def is_as(self, before: "Console", view: View) -> bool:
        """Whether a key of which nothing is kept has changed nothing that is seen."""
        if before.message or (view.message and view.message != before.seen):
            return False  # it was read
        if (self.wheel, self.locked, self.off) != (before.wheel, before.locked, before.off):
            return False
        return (self.screen or screen_for(view)) == (before.screen or screen_for(view))

    def kept(self, view: View, now: float) -> "Console":
        """The row that the press gave is kept; `view` is after it."""
        del view, now
        return self

    def moved_on(self, before: View, after: View, why: str) -> "Console":
        """A row came that no key made here. What is shown and keyed stays if what it stands on is
        the same as before; else it falls away, and `why` is said if somebody was at it."""
        screen = self.screen
        if screen is None:
            return self
        if _basis(screen, before) == _basis(screen, after):
            return replace(self, screen=screen.renewed(after))
        home = replace(
            self, screen=None, wheel=NO_WHEEL, message=None, before_back=None, repeating=None
        )
        if not (screen.asks or _pending(screen)):
            return home
        whose = screen.whose(before)
        at_it = before.state.seats.order if whose is None else (whose,)
        return replace(home, message=why, gone=frozenset({None, *at_it}))

    def failed(self, text: str) -> "Console":
        """Nothing was kept: this line says why, until the next key."""
        return replace(self, message=text)

    # ------------------------------------------------------------ picture

    def show(self, view: View, now: float) -> Show:
        """The picture and the lights. Nothing changes by itself here."""
        del now
        canvas = Canvas()
        screen = self.screen or screen_for(view)
        screen.draw(view, canvas)
        if self.wheel.shown and self.wheel.key is not None:
            _draw_wheel(canvas, self.wheel.key)
        message = self.message or (view.message if view.message != self.seen else None)
        if self._is_locked(view):
            draw_question(canvas, "The keys are locked.", "Hold BACK for two seconds.")
        elif message or view.stuck:
            draw_banner(canvas, message or _stuck(view.stuck))
        return Show(
            canvas.frame(),
            _lights(view),
            view.journal.colours if view.journal else None,
            pending=_pending(screen),
            claiming=isinstance(screen, Claim | Whose),
        )


def _basis(screen: Screen, view: View) -> object:
    """What a screen stands on; with what the game asks for there, unless that doesn't matter."""
    basis = screen.stands_on(view)
    return basis if basis is None else (basis, screen_for(view))


def _pending(screen: Screen) -> bool:
    """Whether digits or letters are keyed that no OK has closed; also on a screen of then."""
    keyed = (getattr(screen, name, None) for name in ("keyed", "minus", "done", "letter"))
    inner: Screen | None = getattr(screen, "inner", None)
    return any(keyed) or (inner is not None and _pending(inner))


def _stuck(keys: tuple[Key, ...]) -> str:
    """Which keys are stuck, in words."""
    names = ", ".join(key.value for key in keys)
    return f"Key {names} is stuck: free it." if len(keys) == 1 else f"Stuck: {names}. Free them."


def _under_call(screen: Screen) -> Screen:
    """Where BOGUS was pressed."""
    while isinstance(screen, WhichGo | Proven) and screen.parent is not None:
        screen = screen.parent
    return screen


def _asking_to_switch_off(screen: Screen) -> Screen:
    """MENU held: its press has opened the menu, which is not what was meant."""
    under = (screen.opened_on if isinstance(screen, Menu) else None) or screen
    return under if isinstance(under, SwitchOff) else SwitchOff(under)


def _as_it_is_held(view: View, press: Press) -> Press:
    """A board whose picture is turned round is held the other way round, and so is its joystick."""
    turned = view.settings.get("flip") == "on" and press.key in TURNED
    return replace(press, key=TURNED[press.key]) if turned else press


def _is_ok(press: Press) -> bool:
    return press.key in (Key.OK, Key.PRESS)


def wheel_keys(screen: Screen, view: View) -> tuple[Key, ...]:
    """The keys that a joystick turns through on this screen."""
    return tuple(key for key in screen.keys(view) if key not in FIVE_WAY)


def _has_seat(view: View, seat: Seat | None) -> bool:
    """Whether that seat is one of the game's; before there is a game, any keypad sets it up."""
    return view.journal is None or view.journal.withdrawn or seat in view.state.seats


def _answers(asked: OfferUndo | OfferReturn, view: View, press: Press, key: Key) -> bool:
    """Whether the key is an answer to what the question offers: of another seat only BACK, since
    its DRAW or OK is meant for the game. The box's own keys answer always."""
    if press.seat not in (None, asked.by):
        return key is Key.BACK
    return isinstance(asked, OfferReturn) or key is Key.DRAW or key in asked.keys(view)


def _not_its_turn(screen: Screen, view: View, seat: Seat | None, key: Key) -> str:
    """Why a key of that seat's keypad is not taken; empty if it is. Anybody may call a bogus play,
    and take back what was entered last, unless that would take away somebody's digits."""
    if isinstance(screen, _CHANGING) and seat not in (None, screen.by):
        return f"An earlier entry is being changed: {shown(str(seat))} waits."
    turn = screen.whose(view)
    if turn in (None, seat) or seat not in view.state.seats:
        return ""
    called = isinstance(screen, WhichGo | Proven)
    if called:
        return f"{shown(str(turn))} called first: {shown(str(seat))} waits."
    free = key is Key.BOGUS or (key is Key.BACK and not _pending(screen))
    if screen.plays and (free or view.settings.get("keypads") == "anyone"):
        return ""
    return f"It is {shown(str(turn))}'s turn: {shown(str(seat))} waits."


def _pressed(screen: Screen, view: View, press: Press) -> Outcome:
    """The screens of play share MENU and BOGUS; BOGUS on a seat's keypad calls in its name."""
    key = press.key
    if screen.plays and key is Key.MENU:
        own = screen.menu(view) if isinstance(screen, Turn) else None
        return own or Outcome(Menu(opened_on=screen))
    if screen.plays and key is Key.BOGUS and view.knows(Called):
        return accuse(view, screen, press.seat)
    if screen.plays and key is Key.BOGUS:
        text = f"{view.game.game.title} has no penalty for a bogus play."
        return note(text, screen, press.seat)
    return screen.pressed(view, press)


def _by_whom(screen: Screen, outcome: Outcome, seat: Seat | None) -> Outcome:
    """What was opened by this press remembers whose keypad it was."""
    opened = outcome.screen
    if isinstance(opened, _OWNED) and not isinstance(screen, _OWNED):
        return replace(outcome, screen=replace(opened, by=seat))
    return outcome


def _draw_wheel(canvas: Canvas, key: Key) -> None:
    """The wheel's key, at its own place at the right edge."""
    width = max(text_width(key.value), 5) + 14
    canvas.fill(WIDTH - width, 32, width, 8, on=False)
    canvas.text(WIDTH - width + 2, 32, f"↑{key.value}↓")
    canvas.invert(WIDTH - width, 4, width)


def _lights(view: View) -> BySeat[Light] | None:
    """Whose turn it is, and who pays."""
    if view.journal is None or view.journal.withdrawn:
        return None
    state = view.state
    payers = {payment.payer for payment in state.effect.payments}

    def light(seat: Seat) -> Light:
        if seat == state.to_move:
            return Light.TURN
        return Light.PAYS if seat in payers else Light.OFF

    return BySeat.make(state.seats, light)
