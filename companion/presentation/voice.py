"""The sentences of the table's voice, for people who can't see the table.

They depend only on moments as pages get them (moment.py). So the voice never reveals what a page
must not show, and speaks a count that players have to call only once it is called. Listeners can
always work out the scores: from the entries and payments or, where these don't add up to the
scores, as after a correction, from the scores that the voice then speaks."""

from collections.abc import Iterator
from enum import Enum
from typing import Final

from companion.core.values import Json
from companion.presentation.moment import count_sentence, counts_and_payments
from companion.presentation.sayings import say
from companion.presentation.stream_events import entries_changed, game_of, scores_by_seat
from companion.record.settings import VOICE_LEVELS

LEVELS: Final = VOICE_LEVELS
"""The levels of how much a voice speaks."""
OFF: Final = LEVELS[0]
COUNTS: Final = LEVELS[1]
"""The level for counts, payments, scores after a correction, and winners."""
EVERYTHING: Final = LEVELS[2]
"""The level that adds every entry, whose turn it is unless it is simply the next seat's,
corrections, and bogus calls with their verdicts."""


class VoiceQuestion(Enum):
    """Questions that people can ask the voice; `answer` has the answers."""

    ENDS = "ends"
    SCORES = "scores"
    LAST = "last"
    """Which tile was played last?"""
    SINCE = "since"
    """What has happened since my last turn?"""
    TURN = "turn"
    LIE = "lie"
    """How many tiles with these pips have been played?"""
    SCREEN = "screen"
    """What does the display show? Answered by app/speaking.py, not by `answer`."""


SAID_AS_CLAIM: Final = {
    "entry.calls", "entry.called", "entry.rules-bogus", "entry.rules-clear",
}  # fmt: skip
"""The keys of entries that are not spoken, because the sentence about the call or the ruling tells
more."""
PLAYS: Final = ("entry.lays", "entry.passes", "entry.builds", "entry.row", "entry.one-tile")
"""The beginnings of the keys of entries that end a turn: then it is the next seat's turn."""
DRAWS: Final = "entry.draws"
"""The beginning of the keys of draws, after which the turn goes on."""


class Voice:
    """Finds the sentences for what is new in each moment. `before`: the last moment that the
    listeners know."""

    def __init__(self, before: Json | None = None) -> None:
        self._before = before

    def hear(self, moment: Json, level: str = EVERYTHING) -> list[Json]:
        """Returns the sentences to speak about a moment at a level, in order: what is new or, for
        the first moment of a game, its name, the scores and what is expected next. Empty if nothing
        has changed."""
        before, self._before = self._before, moment
        if level == OFF:
            return []
        if before is None or game_of(before) != game_of(moment):
            if not moment["game"]:
                return []
            title = say("voice.game", game=moment["game"]["title"])
            return [title, scores_sentence(moment), moment["asked"]]
        return [*_new_sentences(before, moment, everything=level == EVERYTHING)]


def _new_sentences(before: Json, after: Json, *, everything: bool) -> Iterator[Json]:
    known, changed = _Ledger(before), entries_changed(before, after)
    if changed and everything and after["news"]:
        yield after["news"]["said"]
    for entry in () if changed else _new_entries(before, after):
        known.pay(entry)
        is_new = entry["at"] > before["entry"] and not _is_said_as_claim(entry, after)
        if everything and is_new:
            yield from _entry_sentences(entry, after)
        else:
            yield from counts_and_payments(after, entry)
        if everything:
            yield from entry["notices"]
    if everything:
        yield from _claim_sentences(before, after)
    if not known.agrees_with(after):
        yield scores_sentence(after)
    over = after["finished"] and not before["finished"]
    moved = after["entry"] != before["entry"] or after["asked"] != before["asked"]
    if over or (everything and (changed or (moved and not _is_usual_turn(after)))):
        yield after["asked"]


def _entry_sentences(entry: Json, moment: Json) -> Iterator[Json]:
    """Yields an entry, its count and its payments, without repeating a number or a name: “Ben,
    5-0: 10” and “Dan pays”."""
    said, paid = entry["said"], _sole_payment_to_player(entry)
    points, scored = (paid["points"], paid["from"] is None) if paid else (None, False)
    if said["key"] not in ("entry.lays", "entry.lays-count"):
        if said["key"] != "entry.scores" or said["parts"]["points"] != points:
            yield said
        yield from counts_and_payments(moment, entry)
        return
    count = count_sentence(moment, entry)
    number = count["parts"]["count"] if count else None
    if said["key"] == "entry.lays-count":
        yield said
    elif number is None or (scored and points == number):
        yield say("voice.lays", seat=entry["seat"], tile=_tile_higher_first(said["parts"]["tile"]))
    else:
        tile = _tile_higher_first(said["parts"]["tile"])
        yield say("voice.lays-count", seat=entry["seat"], tile=tile, count=number)
    if scored:
        yield say("voice.scored", points=points)
    elif paid and points == number:
        yield say("voice.pays", payer=paid["from"])
    else:
        yield from (payment["said"] for payment in entry["payments"])


def _tile_higher_first(tile: str) -> str:
    return "-".join(sorted(tile.split("-"), key=int, reverse=True))


def _sole_payment_to_player(entry: Json) -> Json | None:
    """Returns the entry's payment if it is the only one and pays the entry's own player in full;
    None otherwise."""
    for payment in entry["payments"] if len(entry["payments"]) == 1 else ():
        if payment["to"] == entry["seat"] and payment["said"]["key"] in ("pays", "pays.scores"):
            found: Json = payment
            return found
    return None


def _is_usual_turn(moment: Json) -> bool:
    """Returns whether listeners can tell whose turn it is from the newest entry: after a play or a
    pass the next seat's; after a draw still that seat's."""
    seats, asked = [one["seat"] for one in moment["seats"]], moment["asked"]
    for newest in moment["latest"][:1]:
        key, seat = newest["said"]["key"], newest["seat"]
        if asked["key"] == "asks.turn" and seat in seats and key.startswith((DRAWS, *PLAYS)):
            steps = 0 if key.startswith(DRAWS) else 1
            usual = seats[(seats.index(seat) + steps) % len(seats)]
            return bool(asked["parts"]["seat"] == usual)
    return False


def _new_entries(before: Json, after: Json) -> Iterator[Json]:
    """Yields the new entries, oldest first, and earlier ones whose payments were not shown
    before."""
    known = {entry["at"]: entry for entry in before["latest"]}
    for entry in reversed(after["latest"]):
        earlier = known.get(entry["at"])
        is_paid_now = earlier is not None and bool(entry["payments"]) and not earlier["payments"]
        if entry["at"] > before["entry"] or is_paid_now:
            yield entry


def _is_said_as_claim(entry: Json, moment: Json) -> bool:
    is_newest = entry["at"] == moment["entry"]
    claim = moment["claim"] or moment["ruling"]
    return is_newest and claim is not None and entry["said"]["key"] in SAID_AS_CLAIM


def _claim_sentences(before: Json, after: Json) -> Iterator[Json]:
    claim, ruling, had = after["claim"], after["ruling"], before["claim"]
    if claim and claim["open"] and (had is None or had["charge"] != claim["charge"]):
        yield claim["charge"]
        yield claim["verdict"]
    if ruling and ruling != before["ruling"]:
        yield ruling["said"]


class _Ledger:
    """The scores as a listener calculates them."""

    def __init__(self, moment: Json) -> None:
        self._scores = scores_by_seat(moment)
        self._sides = {seat: side for side in moment["sides"] for seat in side}

    def pay(self, entry: Json) -> None:
        """Adds an entry's spoken payments, to both partners."""
        for payment in entry["payments"]:
            to = payment["to"]
            for seat in self._sides.get(to, [to]):
                self._scores[seat] = self._scores.get(seat, 0) + payment["points"]

    def agrees_with(self, moment: Json) -> bool:
        return self._scores == scores_by_seat(moment)


# ---------------------------------------------------------------- answers


def answer(moment: Json, question: VoiceQuestion, pips: int, seat: str | None) -> list[Json]:
    """Returns the sentences that answer a question. `pips`: the pips that the question LIE is
    about; `seat`: the seat that asks, if it is known."""
    if moment["game"] is None:
        return [moment["asked"]]
    match question:
        case VoiceQuestion.ENDS:
            return [open_ends_sentence(moment)]
        case VoiceQuestion.LAST:
            return [last_tile_sentence(moment)]
        case VoiceQuestion.SINCE:
            return sentences_since_turn(moment, seat or "")
        case VoiceQuestion.LIE:
            return [tiles_with_sentence(moment, pips)]
        case VoiceQuestion.TURN:
            return [moment["asked"]]
        case _:
            return [scores_sentence(moment)]


def scores_sentence(moment: Json) -> Json:
    """Returns the sentence with the score of every seat, including both partners."""
    each = [
        say("voice.score", seat=one["seat"], score=one["score"])["words"] for one in moment["seats"]
    ]
    return say("voice.scores", scores=each)


def open_ends_sentence(moment: Json) -> Json:
    """Returns the sentence with the open end of each arm and the count, as far as they are
    recorded."""
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


def tiles_with_sentence(moment: Json, pips: int) -> Json:
    """Returns the sentence with the number of tiles in the line that have `pips`. If some halves
    are not recorded, the sentence has “at least” before the number."""
    table = moment["table"]
    if not table or table["kind"] != "line":
        return say("voice.no-ends")
    halves = [(one["inner"], one["outer"]) for one in table["tiles"]]
    number = sum(pips in each for each in halves)
    if table["unplaced"] or any(None in each and pips not in each for each in halves):
        return say("voice.lie-at-least", number=number, pips=pips)
    if number < 2:
        return say("voice.lies-one" if number else "voice.lie-none", pips=pips)
    return say("voice.lie", number=number, pips=pips)


def sentences_since_turn(moment: Json, seat: str) -> list[Json]:
    """Returns the sentences about entries and payments since the seat's last entry, oldest first.
    Older ones than the moment contains are left out."""
    found = list[Json]()
    for entry in moment["latest"]:
        if entry["seat"] == seat:
            break
        found = [entry["said"], *(payment["said"] for payment in entry["payments"]), *found]
    return found or [say("voice.nothing-since")]


def last_tile_sentence(moment: Json) -> Json:
    """Returns the sentence about the tile played last in this hand."""
    plays = (
        entry["said"]
        for entry in moment["latest"]
        if entry["hand"] == moment["hand"] and entry["said"]["key"].startswith("entry.lays")
    )
    return next(plays, None) or say("voice.nothing-laid")
