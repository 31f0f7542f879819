"""Sounds and speech: the sound of an entry, decided once and played by every device with a buzzer;
the text with which a voice reads a picture to people who can't see it; and the keys that put
questions to the voice."""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import ClassVar, Final

from companion.console.frame import WIDTH, BoxPicture, Canvas
from companion.console.lists import draw_title
from companion.console.screen import Actions, Outcome, Screen, View, VoiceRequest
from companion.core.keys import Key, Press
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.game import B
from companion.games.house_rules import Value
from companion.presentation.sayings import say
from companion.presentation.voice import OFF, VoiceQuestion
from companion.record.settings import VOICE

SETTING = "sound"
"""The box's setting for the sound: quiet, on or off."""


class Sound(Enum):
    """An event with its own sound."""

    REFUSED = "refused"
    PAYMENT = "payment"
    BOGUS = "bogus"


class Level(Enum):
    """How loud the box is."""

    QUIET = "quiet"
    ON = "on"
    OFF = "off"


def level_of(settings: Mapping[str, Value]) -> Level:
    """Returns the loudness from the box's settings; quiet by default."""
    chosen = settings.get(SETTING)
    return next((level for level in Level if level.value == chosen), Level.QUIET)


def sound_of(before: View[B], after: View[B]) -> Sound | None:
    """Returns the sound of an entry that was stored between these two views, if it showed a bogus
    play or paid something. None for other entries, and when something is taken back."""
    if before.journal is None or after.journal is None or before.game_number != after.game_number:
        return None
    if after.journal.length <= before.journal.length:
        return None
    calls, state = after.play.calls, after.state
    if calls is not None and calls.was_bogus(state):
        return Sound.BOGUS
    return Sound.PAYMENT if state.effect.payments else None


# ---------------------------------------------------------------- voice


_SILENT: Final = str.maketrans(dict.fromkeys("_↓↑·_", " "))
"""Signs on the display that the voice leaves out."""
_GOES_ON: Final = 18
"""A line with this many letters or more may continue on the next one, so no pause follows it."""


@dataclass(frozen=True, slots=True)
class ShownPicture:
    """A picture shown at the table, and its causes: the keys pressed since the previous picture,
    whether the last of them was refused, whether a row was stored, and the question that was put to
    the voice."""

    show: BoxPicture
    keys: tuple[Key, ...] = ()
    refused: bool = False
    kept: bool = False
    voice_request: VoiceRequest | None = None


def spoken_text(before: BoxPicture | None, heard: ShownPicture) -> list[str]:
    """Returns the texts with which the voice reads a picture that follows the picture `before`
    (None if it is the first). Empty for a row stored on the screen of a turn, because Voice
    (presentation/voice.py) announces its meaning."""
    show = heard.show
    is_known = before is not None and before.message == show.message
    if show.message and (heard.keys or not is_known):
        return [show.message]
    if heard.kept and show.is_turn:
        return []
    if before is not None and before.kind != show.kind and not show.is_turn:
        return [readable(show.frame.lines)]
    if before is not None and _has_bar_moved(before, show):
        return [readable([show.bar])]
    digits = [key.value for key in heard.keys if key.digit is not None] if show.pending else []
    lines = show.frame.lines
    new = [one for one in lines if before is None or one not in before.frame.lines]
    if digits:
        said = readable(one for one in new if any(map(str.isalpha, one)))
        return [*digits, said] if said else digits
    if not new and before is not None and before.frame == show.frame:
        if not (heard.refused and heard.keys):
            return []
        return [say("voice.no-key", pressed=heard.keys[-1].value)["words"]]
    return [readable(new or lines)]


def _has_bar_moved(before: BoxPicture, show: BoxPicture) -> bool:
    """Returns whether the bar has moved to another line of the same list."""
    of_list = bool(show.bar and before.bar) and before.bar != show.bar
    return of_list and before.frame.lines[:1] == show.frame.lines[:1]


def readable(lines: Iterable[str]) -> str:
    """Returns the lines of a picture as a text for a voice: without signs, and in small letters,
    because some voices spell capitals. A long line continues on the next one without a pause."""
    text = ""
    for line in lines:
        pause = "" if len(line) >= _GOES_ON or line[-1:] in ".,:;?!" else ","
        text += f"{line}{pause} "
    return " ".join(text.translate(_SILENT).lower().split()).removesuffix(",")


# ---------------------------------------------------------------- questions


_KEYS: Final = {
    Key.D7: VoiceQuestion.ENDS, Key.D8: VoiceQuestion.SCORES, Key.D9: VoiceQuestion.LAST,
    Key.DRAW: VoiceQuestion.SINCE, Key.PASS: VoiceQuestion.TURN, Key.OK: VoiceQuestion.SCREEN,
}  # fmt: skip
"""The voice's questions by key; digits below 7 ask how many tiles in the line have that number."""
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
    """The list of questions to the voice. Each key leads back to the screen `below`."""

    below: Screen[B] | None = None

    digits: ClassVar = range(10)

    @property
    def before_menu(self) -> Screen[B]:
        return self.below or self

    def handle_press(self, view: View[B], press: Press) -> Outcome[B]:
        """Puts the key's question to the voice. The answer is for the seat on whose keypad it was
        pressed; at the box, for the seat whose turn it is."""
        question, key = _KEYS.get(press.key, VoiceQuestion.LIE), press.key
        if key.digit is None and key not in _KEYS:
            return self.press(view, key)
        seat = press.seat or (view.state.to_move if view.journal else None)
        return Outcome(self.below, asks=VoiceRequest(question, key.digit or 0, seat))

    def close(self, _view: View[B]) -> Outcome[B]:
        return Outcome(self.below)

    def key_bindings(self) -> Actions[B]:
        return dict.fromkeys((Key.OK, Key.DRAW, Key.PASS, Key.BACK), self.close)

    def draw(self, _view: View[B], canvas: Canvas) -> None:
        """Draws the keys, each with its question."""
        draw_title(canvas, phrase("Ask the voice"))
        for row, line in enumerate(_LINES, 1):
            canvas.text(2, 8 * row, line, room=WIDTH - 2)
        canvas.text(2, 56, phrase("BACK: close"))


def voice_question(screen: Screen[B], view: View[B], press: Press) -> Outcome[B] | None:
    """Returns the question that MENU or BOGUS asks the voice on a screen that has no other use for
    that key; None if there is none."""
    if view.settings.get(VOICE, OFF) == OFF:
        return None
    if press.key is Key.MENU and screen.leads_to_questions:
        return Outcome(AskVoice(below=screen.before_menu))
    is_free = screen.any_key_goes_on or Key.BOGUS not in screen.keys(view)
    if press.key is Key.BOGUS and is_free:
        return Outcome(screen, asks=VoiceRequest(VoiceQuestion.SCREEN))
    return None
