"""What a voice says of the display to somebody who can't see it: what is new on it after a key,
each digit that is keyed, and why a key did nothing. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from companion.console.frame import Show
from companion.core.keys import Key
from companion.core.seats import Seat
from companion.presentation.sayings import say
from companion.presentation.voice import VoiceQuestion

_SILENT: Final = str.maketrans(dict.fromkeys("_↓↑·_", " "))
"""Signs on the display that the voice leaves out."""
_GOES_ON: Final = 18
"""A line of so many letters or more may go on in the next one: no pause follows it."""


@dataclass(frozen=True, slots=True)
class VoiceRequest:
    """A question to the voice. `pips`: the number that it is about; `seat`: who asks."""

    question: VoiceQuestion
    pips: int = 0
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Heard:
    """A picture that the table shows, and what led to it: the keys pressed since the last picture,
    whether the last of them was refused, whether a row was kept, and what the voice was asked."""

    show: Show
    keys: tuple[Key, ...] = ()
    refused: bool = False
    kept: bool = False
    asked: VoiceRequest | None = None


def said_of(before: Show | None, heard: Heard) -> list[str]:
    """The texts that the voice says of a picture after the one `before` (None: it is the first). A
    row that was kept on the screen of a turn has none: Voice (presentation/voice.py) says what it
    means."""
    show = heard.show
    is_known = before is not None and before.message == show.message
    if show.message and (heard.keys or not is_known):
        return [show.message]
    if heard.kept and show.is_turn:
        return []
    if before is not None and before.kind != show.kind and not show.is_turn:
        return [readable(show.frame.lines)]
    if before is not None and _moves_bar(before, show):
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


def _moves_bar(before: Show, show: Show) -> bool:
    """Whether the bar has moved to another line of the same list."""
    of_list = bool(show.bar and before.bar) and before.bar != show.bar
    return of_list and before.frame.lines[:1] == show.frame.lines[:1]


def readable(lines: Iterable[str]) -> str:
    """The lines of a picture as a text for a voice: without signs, and in small letters, since some
    voices spell capitals. A long line goes on in the next one without a pause."""
    text = ""
    for line in lines:
        pause = "" if len(line) >= _GOES_ON or line[-1:] in ".,:;?!" else ","
        text += f"{line}{pause} "
    return " ".join(text.translate(_SILENT).lower().split()).removesuffix(",")
