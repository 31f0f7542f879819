"""All sentences about a moment, as templates under their keys. They are formatted only here.

A sentence as JSON has its words, and also the key and the parts that they were made of. So a page
can emphasise a part, and another language finds its template under the same key."""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, Final

from companion.core.seats import shown
from companion.core.values import Json
from companion.core.words import AND, AsWritten, Sentence, listed
from companion.presentation.keying_words import KEYING_WORDS
from companion.presentation.moment_words import MOMENT_WORDS
from companion.presentation.page_words import PAGE_WORDS
from companion.presentation.watching_words import WATCHING_WORDS

SHORT: Final = {
    "short.plain": "{text}",
    "short.entry": "{seat} {text}",
    "short.called": "{seat} is called bogus",
    "short.calls": "{by} calls {seat} bogus",
    "short.bogus": "{seat} is bogus",
    "short.clear": "{seat} is clear",
    "short.returned": "{seat}'s tile went back",
    "short.returned-tile": "{seat}'s tile {tile} went back",
    "short.dealt": "The deal",
    "short.draws": "{seat} draws",
    "short.draws-some": "{seat} draws {number}",
    "short.passes": "{seat} passes",
    "short.misdraws": "{seat} misdraw: → {to} {points}",
    "short.count-called": "{seat} called it",
    "short.not-called": "{seat} didn't call it",
    "short.muggins": "Muggins: {seat}",
    "short.wrong-count": "{seat}: wrong number",
    "short.time-up": "Time is up",
    "short.showed-nothing": "{seat} showed",
    "short.showed": "{seat} showed {tiles}",
    "short.showed-pips": "{seat} showed pips {pips}",
    "short.pays": "{payer} pays {to}",
    "short.gives-back": "{to} gives back {payer}",
    "short.scores": "{to} scores",
    "short.loses": "{to} loses",
    "short.settled": "{who}: {pips} → {points}",
    "short.settled-in": "{who}: {pips} → {points} {colour}",
    "short.chips": "{over}",
    "short.chips-change": "{over} back {back}",
    "short.piece": "{value}",
    "short.pieces": "{number}×{value}",
    "short.count": "{tile}: {sum}",
    "short.count-terms": "{terms} = {count}",
    "short.count-one": "count {count}",
    "short.count-capped": "{reason}, only {points} left",
    "short.for": "{why}: {points}",
    "short.for-pips": "{why}: {pips} → {points}",
    "short.begins": "{seat} begins",
    "short.row": "{seat} {row}",
    "short.row-new": "{seat} {row}, {number} new",
    "short.one-tile": "{seat} one tile",
    "short.out": "{seat} is out",
    "short.finished": "All tiles are laid",
    "short.for-out": "out first: {points}",
    "short.tile": "1 tile",
    "short.tiles": "{number} tiles",
    "short.point": "1 point",
    "short.points": "{number} points",
    "short.pair": "1 pair",
    "short.pairs": "{number} pairs",
    "short.face-up": "{tiles} face up",
    "short.takes": "{seat} {tile} {takes}",
    "short.takes-pair": "{seat} {tile} {takes} + pair",
    "short.lays-pair": "{seat} {tile}, {pair}",
    "short.by-points": "{seat} by points",
    "short.left": "What is left",
    "short.told": "told",
    "short.lies": "Tableau: {tiles}, {points}",
    "short.lie": "Tableau: {tiles}, {points}",
    "short.not-won": "{points} of {worth} points not won yet",
    "short.missing": "{points} of {worth} missing",
    "short.too-many": "{points} of {worth} too many",
    "short.basement": "The basement",
    "short.lifted": "{seat} {text}, spacer",
    "short.blocked": "Nobody can play",
    "short.all-there": "All {worth} are there, {left} left",
}
"""Entries, payments and reasons in as few letters as a display of 128 columns needs."""

SAYINGS: Final[Mapping[str, str]] = {
    **MOMENT_WORDS,
    **SHORT,
    **KEYING_WORDS,
    **PAGE_WORDS,
    **WATCHING_WORDS,
}


class Together(tuple[str, ...]):
    """Seats that a sentence names together, with “and” before the last: “Anna, Ben and Cleo”."""

    __slots__ = ()


def say(key: str, **parts: object) -> Json:
    """The sentence under a key of SAYINGS, as JSON: `key`, `parts` and `words`. Raises KeyError if
    there is no such key, or the template names a part that is not given."""
    return said_as(words_of(key, **parts), key, **parts)


def short(key: str, **parts: object) -> Sentence:
    """The words of `say("short." + key, …)` alone, as a small display shows them."""
    return words_of(f"short.{key}", **parts)


def words_of(key: str, **parts: object) -> Sentence:
    """The words of `say(key, …)` alone."""
    read = {name: _as_read(part) for name, part in parts.items()}
    return Sentence.made(SAYINGS[key], read, key)


def said_as(words: str, key: str, **parts: object) -> Json:
    """The JSON of a sentence, as `say` gives it, but with `words` that the caller has made, not
    those of the key's template."""
    plain_parts = {name: plain(part) for name, part in parts.items()}
    return {"key": key, "parts": plain_parts, "words": words}


def words_under(english: Mapping[str, str], key: str) -> Sentence:
    """The words under a key of the table `english`, whose words have no parts."""
    return Sentence.made(english[key], {}, key)


def name_in_words(name: str) -> Sentence:
    """A seat's name as people read it, as a sentence, so that a language can show another name."""
    return Sentence.made("{name}", {"name": shown(name)})


def in_words(part: object) -> str:
    """A part of a sentence as people read it: names with a space for `_`, several things with
    commas, a Together with “and” before the last."""
    read = _as_read(part)
    return read if isinstance(read, str) else str(read)


def _as_read(part: object) -> object:
    if isinstance(part, Sentence | AsWritten):
        return part
    if isinstance(part, str):
        return shown(part)
    if isinstance(part, Iterable):
        return listed(map(_as_read, part), last=AND if isinstance(part, Together) else None)
    return part


def plain(part: object) -> Any:
    """A part of a sentence as JSON has it: tiles as their text, several things as a list."""
    if isinstance(part, Enum):
        return part.value
    if part is None or isinstance(part, bool | int | str):
        return part
    return [plain(one) for one in part] if isinstance(part, Iterable) else str(part)
