"""The words that let people in, kept beside the record, so that they outlive a restart.

Two are handed out: one to play and one to watch. The one to play ends with the evening: when no row
has come for six hours, it is another one. A phone that is to be kept gets a third, which ends only
with all others, when somebody asks for new codes.

The file is JSON, `{"play": …, "keep": …, "watch": …, "after": …}`, and only its owner may read it.
`after` is the number of the record's newest row when the evening began that the word to play is
for: as long as no row has come since, that evening has not begun, and so is not over.
"""

import json
import re
import secrets
import time
from base64 import b32encode
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from companion.core.clock import Clock
from companion.core.idle import IdleTime
from companion.core.private_file import read_private, write_private
from companion.core.values import dataclass

WORD: Final = re.compile("[a-z2-7]{16}", re.ASCII)
LONGEST: Final = 500
"""Characters of the file: what is longer is none of ours."""


def fresh_word() -> str:
    """Sixteen letters and digits that can't be guessed (80 random bits), easy to type."""
    return b32encode(secrets.token_bytes(10)).decode().lower()


@dataclass(frozen=True, slots=True)
class SecretWords:
    """The words that hold now; an empty one lets nobody in. `after`: see above."""

    play: str
    watch: str = ""
    keep: str = ""
    after: int = 0

    @classmethod
    def fresh(cls, after: int = 0) -> "SecretWords":
        """New words, which nobody has yet."""
        return cls(fresh_word(), fresh_word(), fresh_word(), after)


class Codes:
    """The words that hold now, and when they end. Belongs to one thread: the page's, once that
    runs. `save` keeps words that are new. `clock` gives monotonic seconds, `wall` seconds since
    1970."""

    def __init__(
        self,
        words: SecretWords,
        save: Callable[[SecretWords], None] = lambda _: None,
        clock: Clock = time.monotonic,
        wall: Clock = time.time,
    ) -> None:
        self.words = words
        self._save = save
        self._idle = IdleTime(clock, wall)

    def go_on(self, row: int, at: float | None) -> None:
        """Takes in that the record's newest row has this number and was kept `at` (None: no set
        clock tells)."""
        self._idle.go_on(row, at)

    def end_evening(self) -> bool:
        """Makes another word to play if the evening is over; says whether it was."""
        if not self.live or not self._idle.is_break:
            return False
        self._keep(replace(self.words, play=fresh_word(), after=self._idle.row))
        return True

    @property
    def live(self) -> bool:
        """Whether the evening of the newest row goes on: a row has come since it began."""
        return self._idle.row > self.words.after

    def renew(self) -> None:
        """Ends all words that were handed out."""
        self._keep(SecretWords.fresh(self.words.after))

    def _keep(self, words: SecretWords) -> None:
        self.words = words
        self._save(words)


def open_codes(path: Path, tell: Callable[[str], None]) -> Codes:
    """The codes of that file. Where it is missing or damaged, they are fresh; where they can't be
    kept, `tell` gets a line that says so."""
    words = _load(path, tell)

    def save(words: SecretWords) -> None:
        _save(path, words, tell)

    if words is None:
        words = SecretWords.fresh()
        save(words)
    return Codes(words, save)


def _load(path: Path, tell: Callable[[str], None]) -> SecretWords | None:
    """The words in the file; None: it has none that can be read."""
    try:
        return _words(json.loads(read_private(path, LONGEST)))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or "it is damaged"
        tell(f"The codes in {path} can't be read ({reason}): let the phones in anew.")
        return None


def _words(saved: Any) -> SecretWords:
    """The words that a file's JSON holds; raises ValueError."""
    fields = {"play", "watch", "keep", "after"}
    if not isinstance(saved, dict) or set(saved) != fields or type(saved["after"]) is not int:
        raise ValueError("not the words of phones")
    words = SecretWords(saved["play"], saved["watch"], saved["keep"], saved["after"])
    three = (words.play, words.watch, words.keep)
    if not all(isinstance(word, str) and WORD.fullmatch(word) for word in three):
        raise ValueError("not a word")
    if len(set(three)) < len(three):
        raise ValueError("two are the same")
    return words


def _save(path: Path, words: SecretWords, tell: Callable[[str], None]) -> None:
    """Writes the file as a whole or not at all."""
    text = json.dumps({name: getattr(words, name) for name in ("play", "keep", "watch", "after")})
    try:
        write_private(path, f"{text}\n")
    except OSError as error:
        tell(
            f"The codes for phones can't be kept in {path} ({error.strerror}): they end with this "
            "run."
        )
