"""Keys that do the same on many screens. On a screen of play, MENU opens the menu and BOGUS begins
a call. On other screens these two may ask the voice, if they have no other use there. All other
keys are left to the screen itself. Before a ruling of the table is kept or taken back, all are
asked whether they agree.
"""

from dataclasses import replace

from companion.console.screen import Outcome, Screen, View
from companion.console.screens.ask_voice import asked_by
from companion.console.screens.menu import open_menu
from companion.console.screens.note import note
from companion.console.screens.once_more import OnceMore, do_all_agree
from companion.core.keys import Key, Press
from companion.core.seats import Seat
from companion.core.words import phrase
from companion.presentation.rulings import changed_rulings


def outcome_of(screen: Screen[object], view: View[object], press: Press) -> Outcome[object]:
    """What a press does on this screen; the press may also say that a key has been down for two
    seconds (`held`)."""
    outcome = screen.held(view, press.key) if press.held else _pressed(screen, view, press)
    outcome = _remembering_who_opened(screen, outcome, press.seat)
    return _asking_all(screen, view, outcome, press.seat)


def _pressed(screen: Screen[object], view: View[object], press: Press) -> Outcome[object]:
    """What a key does on the screen. All screens of play share MENU and BOGUS. BOGUS begins a call
    by the seat on whose keypad it was pressed, unless the screen uses BOGUS itself (`takes_bogus`).
    On other screens these two may ask the voice, if they have no other use there (asked_by)."""
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
    """The outcome; but if its row makes or takes back a ruling of the table, the question whether
    all agree, unless `screen` asks that itself."""
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
    """The outcome. If this press has opened an `owned` screen, that screen notes from which seat's
    keypad (None: the box) it was opened."""
    opened = outcome.screen
    if opened is None or not opened.owned or screen.owned:
        return outcome
    return replace(outcome, screen=opened.opened_by(seat))
