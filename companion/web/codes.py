"""The words that let people in, kept beside the record, so that they outlive a restart.

Two words are handed out: one to play and one to watch. The word to play ends with the evening:
after six hours without a new row it is replaced. A phone that should stay let in gets a third word,
which ends only with all others, when somebody asks for new codes.

The file is JSON, `{"play": …, "keep": …, "watch": …, "after": …}`, and only its owner may read it.
`after` is the number of the record's newest row before the evening that the word to play is for. As
long as no later row has come, that evening has not begun, and so can't be over.
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

from companion.core.clock import Clock, IdleTime
from companion.core.regular_file import read_private, write_private
from companion.core.values import dataclass

WORD: Final = re.compile("[a-z2-7]{16}", re.ASCII)
LONGEST: Final = 500
"""The most characters of the file; a longer one is not ours."""


def fresh_word() -> str:
    """Sixteen letters and digits that can't be guessed (80 random bits), easy to type."""
    return b32encode(secrets.token_bytes(10)).decode().lower()


@dataclass(frozen=True, slots=True)
class SecretWords:
    """The words that let people in; an empty one lets nobody in. `after`: see the module's
    docstring."""

    play: str
    watch: str = ""
    keep: str = ""
    after: int = 0

    @classmethod
    def fresh(cls, after: int = 0) -> "SecretWords":
        """New words, which nobody has yet."""
        return cls(fresh_word(), fresh_word(), fresh_word(), after)


class Codes:
    """The words that hold now, which end with the evening or on request. Belongs to one thread: the
    page's, once that runs. `save` is called with new words. `clock` gives monotonic seconds, `wall`
    seconds since 1970."""

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
        """Notes the number of the record's newest row, and the time `at` which it was kept, in
        seconds since 1970 (None: the clock was not set)."""
        self._idle.go_on(row, at)

    def somebody_came(self) -> None:
        """Notes that a phone is at the table: a clock that is set now doesn't end its evening."""
        self._idle.somebody_came()

    def end_evening(self) -> bool:
        """Makes a new word to play if the evening is over; returns whether it was."""
        if not self.live or not self._idle.is_break:
            return False
        self._keep(replace(self.words, play=fresh_word(), after=self._idle.row))
        return True

    @property
    def live(self) -> bool:
        """Whether an evening is going on: a row has come since the one before it ended."""
        return self._idle.row > self.words.after

    def renew(self) -> None:
        """Replaces all words that were handed out."""
        self._keep(SecretWords.fresh(self.words.after))

    def _keep(self, words: SecretWords) -> None:
        self.words = words
        self._save(words)


def open_codes(path: Path, tell: Callable[[str], None]) -> Codes:
    """The codes in the file at `path`, or new ones if it is missing or damaged. `tell` gets a line
    if the file can't be read or written."""
    words = _load(path, tell)

    def save(words: SecretWords) -> None:
        _save(path, words, tell)

    if words is None:
        words = SecretWords.fresh()
        save(words)
    return Codes(words, save)


def _load(path: Path, tell: Callable[[str], None]) -> SecretWords | None:
    """The words in the file; None: it has none that can be read, which `tell` is told unless the
    file is missing."""
    try:
        return _words(json.loads(read_private(path, LONGEST)))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or "it is damaged"
        tell(f"The codes in {path} can't be read ({reason}): let the phones in anew.")
        return None


def _words(saved: Any) -> SecretWords:
    """The words from the file's JSON. Raises ValueError if it is anything else."""
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
    """Writes the file whole or not at all; tells if it can't."""
    text = json.dumps({name: getattr(words, name) for name in ("play", "keep", "watch", "after")})
    try:
        write_private(path, f"{text}\n")
    except OSError as error:
        tell(
            f"The codes for phones can't be kept in {path} ({error.strerror}): they end with this "
            "run."
        )
