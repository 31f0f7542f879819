"""What a voice says of the screens to somebody who doesn't see them: what is new on the picture
after a key, each digit, and why a key did nothing. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from companion.console.frame import Show
from companion.core.keys import Key
from companion.core.seats import Seat
from companion.presentation.sayings import say
from companion.presentation.voice import VoiceQuestion

_SILENT: Final = str.maketrans(dict.fromkeys("_↓↑·_", " "))
"""Signs of the pictures that nobody says."""
_GOES_ON: Final = 18
"""Letters of a line that may have been broken where the next begins."""


@dataclass(frozen=True, slots=True)
class VoiceRequest:
    """A question to the voice. `pips`: the number that it is about; `seat`: who asks."""

    question: VoiceQuestion
    pips: int = 0
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Heard:
    """A picture that the table shows, and what led to it: the keys that were pressed since the one
    before, whether the last of them was refused, whether a row was kept, and what was asked."""

    show: Show
    keys: tuple[Key, ...] = ()
    refused: bool = False
    kept: bool = False
    asked: VoiceRequest | None = None


def said_of(before: Show | None, heard: Heard) -> list[str]:
    """What is said of a picture after the one `before`. Of a row that was kept, on the screen of a
    turn, nothing: what it means is said by Voice (presentation/voice.py)."""
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
    """Whether another line of the same list is chosen."""
    of_list = bool(show.bar and before.bar) and before.bar != show.bar
    return of_list and before.frame.lines[:1] == show.frame.lines[:1]


def readable(lines: Iterable[str]) -> str:
    """Lines of a picture as a voice reads them: without signs, and not in capitals, which some
    voices spell. A long line goes on in the next one."""
    text = ""
    for line in lines:
        pause = "" if len(line) >= _GOES_ON or line[-1:] in ".,:;?!" else ","
        text += f"{line}{pause} "
    return " ".join(text.translate(_SILENT).lower().split()).removesuffix(",")
