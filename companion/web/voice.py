"""What the voice of one page says, and what it answers when it is asked; sent to pages alone that
have their voice on."""

from collections.abc import Callable
from typing import Final

from companion.core.values import Json
from companion.presentation.language import Language
from companion.presentation.voice import (
    COUNTS,
    EVERYTHING,
    Voice,
    ends_said,
    last_laid_said,
    lying_said,
    scores_said,
    since_said,
)

WANTED: Final = {f"voice-{level}": level for level in (COUNTS, EVERYTHING)}
"""What a page may want: a voice of that level."""
HIGHEST: Final = 6
"""The highest number on the tiles of a double-six set, with which all lines are laid."""


class PageVoice:
    """A page's place in what is said: what it missed in between it hears with the next moment, and
    what was there before its voice was on is no news."""

    def __init__(self, level: str) -> None:
        self.level = level
        self._voice: Voice | None = None
        self._heard: Json | None = None

    def news(self, moment: Json, language: Language, answers: Callable[[], str]) -> str | None:
        """The message about a moment that is new to this page; None where it is not. `answers`
        gives what is answered, as JSON text: it is the same for all pages."""
        if moment is self._heard:
            return None
        self._heard = moment
        if self._voice is None:
            self._voice, said = Voice(moment), list[Json]()
        else:
            said = self._voice.hear(moment, self.level)
        words = language.json([one["words"] for one in said])
        return f'{{"voice": {{"said": {words}, "answers": {answers()}}}}}'


def answers(moment: Json) -> Json | None:
    """What a voice answers, in words, by what it is asked: `since` by seat, `lie` by the number;
    None without a game."""
    if moment["game"] is None:
        return None
    return {
        "scores": scores_said(moment)["words"],
        "ends": ends_said(moment)["words"],
        "last": last_laid_said(moment)["words"],
        "since": {
            one["seat"]: [said["words"] for said in since_said(moment, one["seat"])]
            for one in moment["seats"]
        },
        "lie": [lying_said(moment, pips)["words"] for pips in range(HIGHEST + 1)],
    }
