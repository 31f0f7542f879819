"""What the voice can be asked by keys, at a box whose voice is on. On the screens of play, MENU
pressed twice opens the list of questions; on every other screen, BOGUS has the voice read it."""

from dataclasses import dataclass
from typing import ClassVar, Final

from companion.console.aloud import VoiceRequest
from companion.console.frame import WIDTH, Canvas
from companion.console.lists import draw_title
from companion.console.screen import Actions, Outcome, Screen, View
from companion.core.keys import Key, Press
from companion.core.words import phrase
from companion.games.game import B
from companion.presentation.voice import OFF, VoiceQuestion
from companion.record.settings import VOICE

_KEYS: Final = {
    Key.D7: VoiceQuestion.ENDS, Key.D8: VoiceQuestion.SCORES, Key.D9: VoiceQuestion.LAST,
    Key.DRAW: VoiceQuestion.SINCE, Key.PASS: VoiceQuestion.TURN, Key.OK: VoiceQuestion.SCREEN,
}  # fmt: skip
"""Digits below 7 ask how many tiles with that number lie."""
_LINES: Final = (
    phrase("0-6: tiles with it"),
    phrase("7: open ends, count"),
    phrase("8: scores   9: laid last"),
    phrase("DRAW: since my last turn"),
    phrase("PASS: whose turn it is"),
    phrase("OK: what the screen says"),
)


@dataclass(frozen=True, slots=True)
class AskVoice(Screen[B]):
    """The list of what the voice can be asked. Each key leads back to the screen `under` it."""

    under: Screen[B] | None = None

    digits: ClassVar = range(10)

    @property
    def before_menu(self) -> Screen[B]:
        return self.under or self

    def pressed(self, view: View[B], press: Press) -> Outcome[B]:
        """Asks a key's question. The answer is for the seat whose keypad it was; at the box, for
        the seat whose turn it is."""
        question, key = _KEYS.get(press.key, VoiceQuestion.LIE), press.key
        if key.digit is None and key not in _KEYS:
            return self.press(view, key)
        seat = press.seat or (view.state.to_move if view.journal else None)
        return Outcome(self.under, asks=VoiceRequest(question, key.digit or 0, seat))

    def close(self, _view: View[B]) -> Outcome[B]:
        """BACK: nothing is asked."""
        return Outcome(self.under)

    def on(self) -> Actions[B]:
        return dict.fromkeys((Key.OK, Key.DRAW, Key.PASS, Key.BACK), self.close)

    def draw(self, _view: View[B], canvas: Canvas) -> None:
        """The keys, and what they ask."""
        draw_title(canvas, phrase("Ask the voice"))
        for row, line in enumerate(_LINES, 1):
            canvas.text(2, 8 * row, line, room=WIDTH - 2)
        canvas.text(2, 56, phrase("BACK: close"))


def asked_by(screen: Screen[B], view: View[B], press: Press) -> Outcome[B] | None:
    """What MENU or BOGUS asks the voice on a screen that has no other use for that key; None:
    nothing is asked."""
    if view.settings.get(VOICE, OFF) == OFF:
        return None
    if press.key is Key.MENU and screen.leads_to_questions:
        return Outcome(AskVoice(under=screen.before_menu))
    is_free = screen.any_key_goes_on or Key.BOGUS not in screen.keys(view)
    if press.key is Key.BOGUS and is_free:
        return Outcome(screen, asks=VoiceRequest(VoiceQuestion.SCREEN))
    return None
