"""A play as it is keyed: the two halves of the tile, a wild one as 7, and behind them what else has
to be said.

Where the basement was told, only that is asked by which plays that fit differ: what a wild half
covers, then the level, then what is left. Where it was not, what each wild half covers and the
level are always said. All of it is read out of the digits, so BACK takes any of them off again.
"""

from collections.abc import Iterable, Iterator
from enum import Enum

from companion.console.keyed import Digits
from companion.console.screen import View, would_be
from companion.core.errors import RuleError
from companion.core.seats import Seat
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.game import Choice, Unclear
from companion.games.highrise.board import HighriseBoard, HighriseState
from companion.games.highrise.entries import WILD, Built, Halves, format_half
from companion.presentation.refusals import worded

TILE = 2
"""Digits of the tile itself."""
LEVEL_DIGITS = 2
"""Digits of a level at most: 28 tiles can't lie higher."""


@dataclass(frozen=True, slots=True)
class Question:
    """What has to be said besides: its words, and the keys of each answer with what that comes to.
    Without answers, a level is asked for and any may be said. `begun`: the first of the keys."""

    words: str
    answers: tuple[tuple[str, str], ...] = ()
    begun: str = ""

    def takes(self, digit: int) -> bool:
        """Whether an answer goes on with this digit."""
        if not self.answers:
            return digit > 0
        return any(keys.startswith(f"{self.begun}{digit}") for keys, _ in self.answers)

    @property
    def lines(self) -> tuple[str, ...]:
        """“1: 9”, “7: wild”; a half that is covered is its key."""
        return tuple(f"{keys}: {comes_to}" if comes_to else keys for keys, comes_to in self.answers)


@dataclass(frozen=True, slots=True)
class Reading:
    """What digits mean: the entry that OK keeps and the state that it makes; or what is still asked
    for; or why it is refused. `more`: the level may have another digit."""

    entry: Built | None = None
    state: HighriseState | None = None
    question: Question | None = None
    refused: str | None = None
    more: bool = False


def read(view: View[HighriseBoard], seat: Seat, keyed: Digits, lifted: int) -> Reading:
    """What these digits mean, two at least. `lifted`: a spacer was marked under the first (1) or
    the second (2) half, where the basement is not known."""
    halves = keyed[0], keyed[1]
    if view.state.board.layouts is None:
        return _as_told(view, seat, halves, keyed[TILE:], lifted)
    return _by_building(view, Built(seat, halves), keyed[TILE:])


# ---------------------------------------------------------------- with the basement


class _Part(Enum):
    """What plays of the same tile may differ in."""

    FIRST = 0
    SECOND = 1
    LEVEL = "level"
    SPACER = "spacer"


def _by_building(view: View[HighriseBoard], built: Built, rest: Digits) -> Reading:
    after = would_be(view, built)
    if isinstance(after, Unclear):
        choices, question = _narrowed(after.choices, built.halves, "".join(map(str, rest)))
        if question is not None:
            return Reading(question=question)
        entry = _built(choices[0])
        return _tried(view, entry)
    if isinstance(after, RuleError):
        return Reading(refused=worded(after))
    said = after.effect.said
    return Reading(said if isinstance(said, Built) else built, after)


def _narrowed(
    choices: tuple[Choice, ...], halves: Halves, rest: str
) -> tuple[tuple[Choice, ...], Question | None]:
    """The plays that the digits behind the tile leave, and what is asked then."""
    covered: int | None = None
    for part in _parts(halves):
        if part in (_Part.FIRST, _Part.SECOND) and len({_built(one).on for one in choices}) == 1:
            continue
        answers = _answers(part, choices, covered)
        if len(answers) < 2:
            continue
        keys = next((keys for keys in answers if rest.startswith(keys)), None)
        if keys is None:
            said = tuple((keys, _comes_to(part, left, keys)) for keys, left in answers.items())
            return choices, Question(_asked(part, halves), said, rest)
        if part is _Part.FIRST and halves[0] == halves[1]:
            covered = int(keys)
        choices, rest = tuple(answers[keys]), rest[len(keys) :]
    return choices, None


def _parts(halves: Halves) -> Iterator[_Part]:
    """What is asked, in this order: what wild halves cover, the level, the rest."""
    both = (_Part.FIRST, _Part.SECOND)
    yield from (part for part, half in zip(both, halves, strict=True) if half == WILD)
    yield _Part.LEVEL
    yield from (part for part, half in zip(both, halves, strict=True) if half != WILD)
    yield _Part.SPACER


def _answers(
    part: _Part, choices: tuple[Choice, ...], covered: int | None
) -> dict[str, list[Choice]]:
    """The choices by the keys of each answer, in their order. `covered`: what the first half of a
    double covers, as was said."""
    if part is _Part.LEVEL:
        width = max(len(str(_built(one).level)) for one in choices)
        return _sorted((f"{_built(one).level:0{width}}", one) for one in choices)
    if part is _Part.SPACER:
        lifted = sorted({_built(one).spacer for one in choices}, key=lambda half: (half or -1) + 1)
        return _sorted((str(lifted.index(_built(one).spacer) + 1), one) for one in choices)
    return _sorted(
        (str(half), one) for one in choices for half in _may_cover(_built(one), part, covered)
    )


def _may_cover(built: Built, part: _Part, covered: int | None) -> set[int]:
    """What that half covers; either half of a double lies where the other could."""
    assert built.on is not None, "a choice says all"
    if built.halves[0] != built.halves[1]:
        return {built.on[part is _Part.SECOND]}
    if part is _Part.FIRST or covered is None:
        return {*built.on}
    return {built.on[built.on[0] == covered]}


def _sorted(found: Iterable[tuple[str, Choice]]) -> dict[str, list[Choice]]:
    answers: dict[str, list[Choice]] = {}
    for keys, one in found:
        answers.setdefault(keys, []).append(one)
    return dict(sorted(answers.items()))


def _comes_to(part: _Part, left: list[Choice], keys: str) -> str:
    """What an answer comes to: the points of a level, the half on a spacer, a wild half."""
    if part is _Part.LEVEL:
        return str(left[0].makes.points)
    if part is _Part.SPACER:
        spacer = _built(left[0]).spacer
        return "none" if spacer is None else phrase("under {spacer}", spacer=format_half(spacer))
    return "wild" if int(keys) == WILD else ""


def _asked(part: _Part, halves: Halves) -> str:
    if part is _Part.LEVEL:
        return "Level?"
    if part is _Part.SPACER:
        return "Spacer?"
    half = halves[part is _Part.SECOND]
    if halves[0] == halves[1]:
        which = "One" if part is _Part.FIRST else "The other"
        return phrase("{which} {half} covers?", which=which, half=format_half(half))
    return phrase("{half} covers?", half=format_half(half))


def _built(choice: Choice) -> Built:
    assert isinstance(choice.entry, Built), "only a play can come to several things"
    return choice.entry


# ---------------------------------------------------------------- without the basement


def _as_told(
    view: View[HighriseBoard], seat: Seat, halves: Halves, rest: Digits, lifted: int
) -> Reading:
    """A play in a building that is not known: all of it is said."""
    covered = [*halves]
    for at, half in enumerate(halves):
        if half != WILD:
            continue
        if not rest:
            part = _Part.SECOND if at else _Part.FIRST
            pips = [(str(each), "wild" if each == WILD else "") for each in range(WILD + 1)]
            return Reading(question=Question(_asked(part, halves), tuple(pips)))
        covered[at], rest = rest[0], rest[1:]
    if not rest:
        return Reading(question=Question("Level?"))
    on = (min(covered), max(covered)) if halves[0] == halves[1] else (covered[0], covered[1])
    spacer = (None, *on)[lifted]
    level = int("".join(map(str, rest)))
    built = Built(seat, halves, on if WILD in halves else None, level, spacer)
    reading = _tried(view, built)
    return Reading(
        reading.entry, reading.state, refused=reading.refused, more=len(rest) < LEVEL_DIGITS
    )


def _tried(view: View[HighriseBoard], built: Built) -> Reading:
    after = would_be(view, built)
    if isinstance(after, RuleError):
        return Reading(built, refused=worded(after))
    return Reading(built, after)
