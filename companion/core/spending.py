"""What has been spent of the budgets, by whom, and who is at a limit."""

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from companion.core.budgets import Budget, Limit, Per, rates_of
from companion.core.clock import Clock
from companion.core.values import Json
from companion.core.words import Sentence

# ---------------------------------------------------------------- rate limit
# A limit on what may come from a stranger: a burst at once, and from then on a fixed rate.


class RateLimit:
    """Counts bytes, messages or lines: `burst` at once, `per_s` each second; `now` is in
    monotonic seconds."""

    def __init__(self, burst: float, per_s: float, now: float) -> None:
        self._burst, self._per_s = burst, per_s
        self._left, self._at = burst, now

    def left(self, now: float) -> int:
        """How many may come now; negative if more has come than was allowed."""
        self._left = min(self._left + (now - self._at) * self._per_s, self._burst)
        self._at = now
        return int(self._left)

    def spend(self, count: int = 1) -> None:
        """Counts what has come, perhaps more than was left."""
        self._left -= count


# ---------------------------------------------------------------- spending

MOST_KNOWN: Final = 4096
"""How many are counted at a time; whoever has spent nothing for longest is forgotten first."""
MOST_AT_LIMIT: Final = 64


@dataclass(slots=True)
class AtLimit:
    """Somebody who came to a limit: `whom` an address or a member, how many `times`, and when
    last, in seconds since 1970."""

    limit: Limit
    whom: str
    times: int
    at: float

    def as_json(self, who: str) -> Json:
        """The JSON for the organiser's page and /api/limits. `who`: whom in words."""
        limit = self.limit
        return {
            "limit": limit.name,
            "per": limit.per.value,
            "most": limit.most,
            "per_s": limit.per_s,
            "who": who,
            "box": self.whom if limit.per is Per.MEMBER else None,
            "said": Sentence.made(limit.said, {"who": who}),
            "times": self.times,
            "at": self.at,
        }


class Spending:
    """Counts rates for a whole server. `clock` gives monotonic seconds, `wall` those since 1970."""

    def __init__(self, clock: Clock = time.monotonic, wall: Clock = time.time) -> None:
        self._clock, self._wall = clock, wall
        self._spent: OrderedDict[tuple[str, str], RateLimit] = OrderedDict()
        self._at_limit: OrderedDict[tuple[str, str], AtLimit] = OrderedDict()

    def _rate(self, limit: Limit, whom: str) -> RateLimit:
        assert limit.per_s is not None, f"{limit.name} is no rate"
        key = limit.name, whom
        found = self._spent.get(key)
        if found is None:
            found = self._spent[key] = RateLimit(limit.most, limit.per_s, self._clock())
            if len(self._spent) > MOST_KNOWN:
                self._spent.popitem(last=False)
        self._spent.move_to_end(key)
        return found

    def spend(self, limit: Limit, whom: str) -> bool:
        """Spends one; False, and nothing spent: `whom` is at the limit."""
        rate = self._rate(limit, whom)
        if rate.left(self._clock()) < 1:
            self.note(limit, whom)
            return False
        rate.spend()
        return True

    def wait_s(self, limit: Limit, whom: str) -> float:
        """Spends one, and gives the seconds to wait until it would have been there."""
        rate = self._rate(limit, whom)
        missing = 1 - rate.left(self._clock())
        rate.spend()
        if missing <= 0:
            return 0.0
        self.note(limit, whom)
        return missing / (limit.per_s or 1.0)

    def note(self, limit: Limit, whom: str) -> None:
        """Notes that somebody is at a limit."""
        key = limit.said or limit.name, whom
        found = self._at_limit.setdefault(key, AtLimit(limit, whom, 0, 0.0))
        found.times, found.at = found.times + 1, self._wall()
        self._at_limit.move_to_end(key)
        if len(self._at_limit) > MOST_AT_LIMIT:
            self._at_limit.popitem(last=False)

    def at_limit(self, called: Callable[[str], str], within_s: float) -> list[Json]:
        """Whoever came to a limit within the last `within_s` seconds, the latest first. `called`
        gives the name of a member."""
        since = self._wall() - within_s
        return [
            one.as_json(called(one.whom) if one.limit.per is Per.MEMBER else one.whom)
            for one in reversed(self._at_limit.values())
            if one.at >= since and one.limit.said
        ]


class PageSpending:
    """Counts the messages of one page. `budgets`: of each message by its key."""

    def __init__(self, budgets: Mapping[str, Budget], clock: Clock) -> None:
        self._budgets, self._clock = budgets, clock
        self._spent: dict[str, RateLimit] = {}

    def spend(self, said: Json) -> bool:
        """Spends what the message costs; False: it is too much. Raises ValueError if something in
        the message has no budget, as no page of ours sends it."""
        limits: dict[str, Limit] = {}
        for key in said:
            if (budget := self._budgets.get(key)) is None:
                raise ValueError("that is no message of a page")
            limits |= {one.name: one for one in rates_of(budget, Per.PAGE)}
        enough = True
        for one in limits.values():
            enough &= self._spend(one)
        return enough

    def _spend(self, limit: Limit) -> bool:
        now = self._clock()
        rate = self._spent.get(limit.name)
        if rate is None:
            rate = self._spent[limit.name] = RateLimit(limit.most, limit.per_s or 0.0, now)
        enough = rate.left(now) >= 1
        rate.spend()
        return enough
