"""Marks for the moments that mattered. Each is made from what was shown up to then, so that it
gives nothing away.
"""

from collections.abc import Iterator
from typing import Final

from companion.core.values import Json
from companion.presentation.sayings import Together, say

BIG_COUNT: Final = 20
"""From this count of the open ends on, a lay that scores is always marked."""
USUAL_PLAYS: Final = 4
"""The number of plays that must have scored before one is marked for being the best so far."""
FOR_A_PLAY: Final = {"for.count", "for.capture", "for.lay", "for.row"}
"""What a play is paid for; the rest is paid for a hand's end, a bogus play, chips."""
HAND_OVER: Final = (
    "asks.deal",
    "asks.deal-lead",
    "asks.over",
    "asks.over-shared",
    "asks.match-over",
    "asks.match-level",
)


class Marks:
    """Looks at the moments one after the other, as `describe` gives them, from the game's first
    entry on."""

    def __init__(self) -> None:
        self._scored, self._best = 0, 0
        self._over, self._won, self._claimed = False, False, False

    def of(self, moment_json: Json, proofs: list[Json]) -> list[Json]:
        """The reasons why the moment mattered, each with a `kind` and its `words`. `proofs` are
        notices of earlier entries that may be told from now on."""
        entry = moment_json["latest"][0] if moment_json["latest"] else None
        found = [] if entry is None else [*_star(entry), *self._play(entry)]
        found += [*self._dispute(moment_json)]
        if not moment_json["ruling"]:
            found += [_mark("proven", said=proof["words"]) for proof in proofs]
        found += [*self._end(moment_json)]
        return found

    def _play(self, entry: Json) -> Iterator[Json]:
        paid = [one for one in entry["payments"] if one["for"]["key"] in FOR_A_PLAY]
        points = sum(one["points"] for one in paid)
        if points <= 0:
            return
        why = entry["why"]
        count = why["parts"].get("count") if why else None
        if count is not None and count >= BIG_COUNT:
            yield _mark("count", count=count)
        elif points > self._best and self._scored >= USUAL_PLAYS:
            yield _mark("best", seat=paid[0]["to"], points=points)
        self._scored, self._best = self._scored + 1, max(self._best, points)

    def _dispute(self, moment_json: Json) -> Iterator[Json]:
        claim, ruling = moment_json["claim"], moment_json["ruling"]
        claimed = claim is not None
        if claimed and not self._claimed:
            yield _mark("called", seat=claim["accused"])
        if ruling:
            yield _mark("ruling", said=ruling["said"]["words"])
        self._claimed = claimed and not ruling

    def _end(self, moment_json: Json) -> Iterator[Json]:
        over, won = moment_json["asked"]["key"] in HAND_OVER, bool(moment_json["winners"])
        if won and not self._won:
            yield _mark(
                "won-shared" if len(moment_json["winners"]) > 1 else "won",
                seats=Together(moment_json["winners"]),
            )
        elif over and not self._over:
            yield _mark("hand", hand=moment_json["hand"])
        self._over, self._won = over, won


def _star(entry: Json) -> Iterator[Json]:
    """A mark if somebody at the table has marked the entry with a star."""
    if entry["star"] and entry["star"]["on"]:
        yield _mark("star")


def _mark(kind: str, **parts: object) -> Json:
    """A mark of this kind, with its words."""
    return {"kind": kind, "words": say(f"mark.{kind}", **parts)["words"]}
