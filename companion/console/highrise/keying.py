"""A play as it is keyed: the two halves of the tile, a wild one as 7, then the digits for what is
still open about it.

The answers that are still open about a tile are those that pages list
(presentation/highrise/keys.py). There may be dozens, more than the display has lines. So the box
asks for one digit after the other by which they differ: what a wild half covers, then the level,
then what is left. Without the basement, what each wild half covers and the level are always keyed.
The digits are all that is kept of a play before OK, so BACK can delete any of them."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import Enum

from companion.console.in_play import opened
from companion.console.keyed import Digits
from companion.console.screen import View, would_be
from companion.core.errors import RuleError
from companion.core.seats import Seat
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.entry import Entry
from companion.games.highrise.board import HighriseBoard, HighriseState
from companion.games.highrise.building import Result
from companion.games.highrise.entries import WILD, Built, Halves, format_half
from companion.games.highrise.laying import PlayScored

TILE = 2
"""Digits of the tile itself."""
LEVEL_DIGITS = 2
"""Digits of a level at most: 28 tiles can't lie higher."""


Plays = tuple[Built, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a keyed tile: its `words`, and for each of its `answers` the keys and what
    the answer comes to. Without answers it asks for a level, which may be any. `begun`: the first
    keys of an answer, if some are pressed."""

    words: str
    answers: tuple[tuple[str, str], ...] = ()
    begun: str = ""

    def takes(self, digit: int) -> bool:
        """Whether some answer has this digit next."""
        if not self.answers:
            return digit > 0
        return any(keys.startswith(f"{self.begun}{digit}") for keys, _ in self.answers)

    @property
    def lines(self) -> tuple[str, ...]:
        """The answers as the screen lists them: “1: 9”, “7: wild”, or the key alone for a half that
        is covered."""
        return tuple(
            phrase("{keys}: {comes_to}", keys=keys, comes_to=comes_to) if comes_to else keys
            for keys, comes_to in self.answers
        )


@dataclass(frozen=True, slots=True)
class Reading:
    """What the digits mean: the `entry` that OK keeps and the `state` after it; or the `question`
    that is still open; or why the play is `refused`. `more`: the level may have one more digit."""

    entry: Built | None = None
    state: HighriseState | None = None
    question: Question | None = None
    refused: str | None = None
    more: bool = False


def read(view: View[HighriseBoard], seat: Seat, keyed: Digits, lifted: int) -> Reading:
    """What the digits `keyed` mean, of which the first two are the tile. `lifted`: if the basement
    is not known, whether a spacer was marked under the first (1) or the second half (2)."""
    halves, rest = (keyed[0], keyed[1]), "".join(map(str, keyed[TILE:]))
    built = Built(seat, halves)
    found = opened(view, built)
    if isinstance(found, RuleError):
        return Reading(refused=found.why)
    if isinstance(found.entry, Built):
        return _tried(view, found.entry)
    where = found.question("where")
    asked = where or found.question("covers")
    plays = tuple(answer.entry for answer in asked.answers) if asked else (built,)
    left, rest, question = _narrowed(tuple(map(_built, plays)), rest)
    if question is not None:
        return Reading(question=question)
    return _tried(view, left[0]) if where else _leveled(view, left[0], rest, lifted)


def _leveled(view: View[HighriseBoard], built: Built, level: str, lifted: int) -> Reading:
    """The reading of a play in a building that is not known: its `level` is keyed in full."""
    if not level:
        return Reading(question=Question(phrase("Level?")))
    spacer = (None, *(built.on or built.halves))[lifted]
    reading = _tried(view, replace(built, level=int(level), spacer=spacer))
    return replace(reading, more=len(level) < LEVEL_DIGITS)


def _tried(view: View[HighriseBoard], built: Built) -> Reading:
    after = would_be(view, built)
    if isinstance(after, RuleError):
        return Reading(built, refused=after.why)
    return Reading(built, after)


# ---------------------------------------------------------------- answers by their digits


class _Part(Enum):
    """What plays of the same tile may differ in: what each half covers, the level, the spacer."""

    FIRST = 0
    SECOND = 1
    LEVEL = "level"
    SPACER = "spacer"


def _narrowed(plays: Plays, rest: str) -> tuple[Plays, str, Question | None]:
    """The plays that agree with the digits after the tile (`rest`), those digits that were not
    needed, and the next question (None: nothing more is asked)."""
    covered: int | None = None
    halves = plays[0].halves
    for part in _parts(halves):
        answers = _answers(part, plays, covered)
        if len(answers) < 2:
            continue
        keys = next((keys for keys in answers if rest.startswith(keys)), None)
        if keys is None:
            said = tuple((keys, _comes_to(part, left, keys)) for keys, left in answers.items())
            return plays, "", Question(_asked(part, halves), said, rest)
        if part is _Part.FIRST and halves[0] == halves[1]:
            covered = int(keys)
        plays, rest = tuple(answers[keys]), rest[len(keys) :]
    return plays, rest, None


def _parts(halves: Halves) -> Iterator[_Part]:
    """The parts in the order in which they are asked: what wild halves cover, the level, what other
    halves cover, the spacer."""
    both = (_Part.FIRST, _Part.SECOND)
    yield from (part for part, half in zip(both, halves, strict=True) if half == WILD)
    yield _Part.LEVEL
    yield from (part for part, half in zip(both, halves, strict=True) if half != WILD)
    yield _Part.SPACER


def _answers(part: _Part, plays: Plays, covered: int | None) -> dict[str, list[Built]]:
    """The plays for each answer, by its keys, in their order. If all plays cover the same, there
    are no answers about the halves. `covered`: what the first half of a double covers, as keyed."""
    if part is _Part.LEVEL:
        width = max(len(str(play.level)) for play in plays)
        return _sorted((f"{play.level or 0:0{width}}", play) for play in plays)
    if part is _Part.SPACER:
        lifted = sorted({play.spacer for play in plays}, key=lambda half: (half or -1) + 1)
        return _sorted((str(lifted.index(play.spacer) + 1), play) for play in plays)
    if len({play.on for play in plays}) == 1:
        return {}
    return _sorted((str(half), play) for play in plays for half in _may_cover(play, part, covered))


def _may_cover(built: Built, part: _Part, covered: int | None) -> set[int]:
    """What the half `part` may cover. The halves of a double are alike, so the first one may cover
    either half below; the second one covers the other. `covered`: what the first one covers."""
    assert built.on is not None, "a choice says all"
    if built.halves[0] != built.halves[1]:
        return {built.on[part is _Part.SECOND]}
    if part is _Part.FIRST or covered is None:
        return {*built.on}
    return {built.on[built.on[0] == covered]}


def _sorted(found: Iterable[tuple[str, Built]]) -> dict[str, list[Built]]:
    answers: dict[str, list[Built]] = {}
    for keys, play in found:
        answers.setdefault(keys, []).append(play)
    return dict(sorted(answers.items()))


def _comes_to(part: _Part, left: list[Built], keys: str) -> str:
    """What an answer comes to: the points at that level, the half on a spacer, or “wild” if a wild
    half is covered; empty for other halves."""
    if part is _Part.LEVEL:
        play = left[0]
        assert play.on is not None and play.level is not None, "a place is said in full"
        return str(PlayScored.of(play, Result(play.on, play.level, play.spacer)).points)
    if part is _Part.SPACER:
        spacer = left[0].spacer
        return "none" if spacer is None else phrase("under {spacer}", spacer=format_half(spacer))
    return phrase("wild") if int(keys) == WILD else ""


def _asked(part: _Part, halves: Halves) -> str:
    if part is _Part.LEVEL:
        return phrase("Level?")
    if part is _Part.SPACER:
        return phrase("Spacer?")
    half = halves[part is _Part.SECOND]
    if halves[0] == halves[1]:
        which = phrase("One") if part is _Part.FIRST else phrase("The other")
        return phrase("{which} {half} covers?", which=which, half=format_half(half))
    return phrase("{half} covers?", half=format_half(half))


def _built(entry: Entry) -> Built:
    assert isinstance(entry, Built), "only a play can come to several things"
    return entry
