"""What the voice of one page says, and what it answers when it is asked; sent only to pages that
have their voice on."""

from collections.abc import Callable
from typing import Any, Final

from companion.core.values import Json
from companion.presentation.voice import (
    COUNTS,
    EVERYTHING,
    OFF,
    Voice,
    ends_said,
    last_laid_said,
    lying_said,
    scores_said,
    since_said,
)

TABLE: Final = "table"
"""The level of a page whose voice is always at the level that the table has chosen."""
WANTED: Final = {f"voice-{level}": level for level in (COUNTS, EVERYTHING, TABLE)}
"""The level of a page's voice, by the word with which the page asks for it."""
CLIPS: Final = "clips"
"""The word with which a page whose browser has no voice wants the names of the box's clips in place
of sentences."""
HIGHEST: Final = 6
"""The highest number on the tiles of a double-six set, with which all lines are laid."""


class PageVoice:
    """Knows how much of what is said a page has heard. What it missed comes with the next moment;
    what was there before its voice was on is not new. `clips`: whether it plays the box's clips."""

    def __init__(self, level: str, *, clips: bool = False) -> None:
        self.level, self.clips = level, clips
        self._voice: Voice | None = None
        self._heard: Json | None = None
        self._told = OFF, ""
        """The table's level and the newest words, as this page was last told them."""

    def news(
        self,
        moment: Json,
        of_table: str,
        written: Callable[[Any], str],
        answers: Callable[[], str],
    ) -> str | None:
        """The message about a moment; None: it is not new to this page. `of_table`: the table's
        level. `written` turns what is said into JSON text; `answers` gives the answers, the same
        for all pages. A page at the table's level, whose voice nobody asks, gets no answers, and no
        message while the table is silent."""
        if moment is self._heard:
            return None
        self._heard = moment
        follows = self.level == TABLE
        level = of_table if follows else self.level
        if self._voice is None:
            self._voice, said = Voice(moment), list[Json]()
        else:
            said = self._voice.hear(moment, level)
        if follows and level == OFF == self._told[0]:
            return None
        words = written([one["words"] for one in said])
        newest = written([moment["aloud"]["words"]] if moment["aloud"] else [])
        told = f'"clips": {str(self.clips).lower()}, "said": {words}, "newest": {newest}'
        if not follows:
            return f'{{"voice": {{{told}, "answers": {answers()}}}}}'
        told_before, self._told = self._told, (level, newest)
        if not said and self._told == told_before:
            return None
        return f'{{"voice": {{"level": "{level}", {told}}}}}'


def answers(moment: Json) -> Json | None:
    """The answers of a voice, in words, by what it is asked; None: there is no game. `since` has
    one for each seat, and "" for somebody without a seat; `lie` has one for each number of pips."""
    if moment["game"] is None:
        return None
    return {
        "scores": scores_said(moment)["words"],
        "ends": ends_said(moment)["words"],
        "last": last_laid_said(moment)["words"],
        "since": {
            seat: [said["words"] for said in since_said(moment, seat)]
            for seat in ("", *(one["seat"] for one in moment["seats"]))
        },
        "lie": [lying_said(moment, pips)["words"] for pips in range(HIGHEST + 1)],
    }
