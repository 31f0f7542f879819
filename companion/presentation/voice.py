"""What a voice says at the table, for those who don't see it.

Pure, and made of nothing but moments as pages get them (moment.py): what no page may tell no voice
says, and a count that is still to be called is said once it is called. From what was said alone the
score can be told at every moment: where entries and payments don't lead to it, as after a
correction, the scores themselves are said.
"""

from collections.abc import Iterator
from enum import Enum
from typing import Final

from companion.core.values import Json
from companion.presentation.heard import count_said
from companion.presentation.sayings import say
from companion.record.settings import VOICE_LEVELS

LEVELS: Final = VOICE_LEVELS
"""How much a voice says."""
OFF: Final = LEVELS[0]
COUNTS: Final = LEVELS[1]
"""Counts, who pays whom, scores after a correction, and who won."""
EVERYTHING: Final = LEVELS[2]
"""Besides: every entry, whose turn it is, what was corrected, a call of bogus and its verdict."""


class VoiceQuestion(Enum):
    """What a voice can be asked (`answer`)."""

    ENDS = "ends"
    SCORES = "scores"
    LAST = "last"
    SINCE = "since"
    TURN = "turn"
    LIE = "lie"
    SCREEN = "screen"
    """What the display shows: answered by who knows it (console/aloud.py)."""


SAID_AS_CLAIM: Final = {
    "entry.calls", "entry.called", "entry.rules-bogus", "entry.rules-clear",
}  # fmt: skip
"""Entries for which the call or the ruling is said instead, which says more."""


class Voice:
    """What is new from moment to moment, said at a level; `before` is the last moment that is known
    already."""

    def __init__(self, before: Json | None = None) -> None:
        self._before = before

    def hear(self, moment: Json, level: str = EVERYTHING) -> list[Json]:
        """What is to be said of it, in its order; at first, and of another game, how it stands.
        Nothing where nothing has changed."""
        before, self._before = self._before, moment
        if level == OFF:
            return []
        if before is None or _game_of(before) != _game_of(moment):
            if not moment["game"]:
                return []
            title = say("voice.game", game=moment["game"]["title"])
            return [title, scores_said(moment), moment["asked"]]
        return [*_between(before, moment, everything=level == EVERYTHING)]


def _game_of(moment: Json) -> tuple[object, ...]:
    return moment["number"], moment["game"] and moment["game"]["name"]


def _between(before: Json, after: Json, *, everything: bool) -> Iterator[Json]:
    known, changed = _Ledger(before), _is_changed(before, after)
    if changed and everything and after["news"]:
        yield after["news"]["said"]
    for entry in () if changed else _new_entries(before, after):
        known.pay(entry)
        if everything and entry["at"] > before["entry"] and not _said_as_claim(entry, after):
            yield entry["said"]
        if count := count_said(after, entry):
            yield count
        yield from (payment["said"] for payment in entry["payments"])
        if everything:
            yield from entry["notices"]
    if everything:
        yield from _claimed(before, after)
    if not known.agrees_with(after):
        yield scores_said(after)
    over = after["finished"] and not before["finished"]
    moved = everything and (changed or after["entry"] != before["entry"])
    if over or moved or (everything and before["asked"] != after["asked"]):
        yield after["asked"]


def _is_changed(before: Json, after: Json) -> bool:
    """Whether entries were taken back or changed. An entry that was hidden and is told now has not
    changed."""
    had = {told["at"]: told["entry"] for told in before["latest"]}
    now = {told["at"]: told["entry"] for told in after["latest"]}
    both = ((had[at], now[at]) for at in had.keys() & now.keys())
    return after["entry"] < before["entry"] or any(
        was != told for was, told in both if None not in (was, told)
    )


def _new_entries(before: Json, after: Json) -> Iterator[Json]:
    """Entries that came, the oldest first; and those whose payments may be told only now."""
    had = {told["at"]: told for told in before["latest"]}
    for entry in reversed(after["latest"]):
        known = had.get(entry["at"])
        told_now = known is not None and bool(entry["payments"]) and not known["payments"]
        if entry["at"] > before["entry"] or told_now:
            yield entry


def _said_as_claim(entry: Json, moment: Json) -> bool:
    newest = entry["at"] == moment["entry"]
    about = moment["claim"] or moment["ruling"]
    return newest and about is not None and entry["said"]["key"] in SAID_AS_CLAIM


def _claimed(before: Json, after: Json) -> Iterator[Json]:
    claim, ruling, had = after["claim"], after["ruling"], before["claim"]
    if claim and claim["open"] and (had is None or had["charge"] != claim["charge"]):
        yield claim["charge"]
        yield claim["verdict"]
    if ruling and ruling != before["ruling"]:
        yield ruling["said"]


class _Ledger:
    """The scores as somebody who only listens adds them up."""

    def __init__(self, moment: Json) -> None:
        self._scores = _scores(moment)
        self._sides = {seat: side for side in moment["sides"] for seat in side}

    def pay(self, entry: Json) -> None:
        """A payment that was said: what partners get both have."""
        for payment in entry["payments"]:
            to = payment["to"]
            for seat in self._sides.get(to, [to]):
                self._scores[seat] = self._scores.get(seat, 0) + payment["points"]

    def agrees_with(self, moment: Json) -> bool:
        """Whether the moment has the same scores."""
        return self._scores == _scores(moment)


def _scores(moment: Json) -> dict[str, int]:
    return {one["seat"]: one["score"] for one in moment["seats"]}


# ---------------------------------------------------------------- on demand


def answer(moment: Json, question: VoiceQuestion, pips: int, seat: str | None) -> list[Json]:
    """What a voice answers. `pips`: the number that is asked about; `seat`: who asks, if somebody
    is known to."""
    if moment["game"] is None:
        return [moment["asked"]]
    match question:
        case VoiceQuestion.ENDS:
            return [ends_said(moment)]
        case VoiceQuestion.LAST:
            return [last_laid_said(moment)]
        case VoiceQuestion.SINCE:
            return since_said(moment, seat or "")
        case VoiceQuestion.LIE:
            return [lying_said(moment, pips)]
        case VoiceQuestion.TURN:
            return [moment["asked"]]
        case _:
            return [scores_said(moment)]


def scores_said(moment: Json) -> Json:
    """Everybody's score, partners' once for each of them."""
    each = [
        say("voice.score", seat=one["seat"], score=one["score"])["words"] for one in moment["seats"]
    ]
    return say("voice.scores", scores=each)


def ends_said(moment: Json) -> Json:
    """The end of each arm, and the count; what the record doesn't tell is left out."""
    table = moment["table"]
    if not table or table["kind"] != "line" or not (table["tiles"] or table["said_ends"]):
        return say("voice.no-ends")
    ends = [
        say(f"voice.{one['arm']}", pips=one["pips"])["words"]
        for one in table["open_ends"]
        if one["pips"] is not None
    ] or [*map(str, table["said_ends"] or ())]
    if not ends:
        return say("voice.no-ends")
    if table["count"] is None:
        return say("voice.ends", ends=ends)
    return say("voice.ends-count", ends=ends, count=table["count"])


def lying_said(moment: Json, pips: int) -> Json:
    """How many tiles with that number lie in the line; at least so many where the record doesn't
    tell all halves."""
    table = moment["table"]
    if not table or table["kind"] != "line":
        return say("voice.no-ends")
    halves = [(one["inner"], one["outer"]) for one in table["tiles"]]
    lie = sum(pips in each for each in halves)
    if table["unplaced"] or any(None in each and pips not in each for each in halves):
        return say("voice.lie-at-least", number=lie, pips=pips)
    if lie < 2:
        return say("voice.lies-one" if lie else "voice.lie-none", pips=pips)
    return say("voice.lie", number=lie, pips=pips)


def since_said(moment: Json, seat: str) -> list[Json]:
    """What others entered since that seat's last turn, as far back as the moment tells; the oldest
    first."""
    found = list[Json]()
    for entry in moment["latest"]:
        if entry["seat"] == seat:
            break
        said = (entry["said"], *(payment["said"] for payment in entry["payments"]))
        found = [*said, *found]
    return found or [say("voice.nothing-since")]


def last_laid_said(moment: Json) -> Json:
    """What was laid last in this hand."""
    laid = (
        entry["said"]
        for entry in moment["latest"]
        if entry["hand"] == moment["hand"] and entry["said"]["key"].startswith("entry.lays")
    )
    return next(laid, None) or say("voice.nothing-laid")
