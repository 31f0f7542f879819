"""The bracket of a knock-out or double knock-out as data: every match and bye so far, and those
that are known to follow. If teams play, its players are the teams, by their names.

A bracket has up to three sides. The winners' side is a tree: the winners of neighbouring matches
meet, so its matches are known ahead. In a double knock-out, players who have lost once go on in the
losers' side, which is drawn from round to round (events/pairing.py); the last two play the final,
and the decider if the unbeaten one loses it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from itertools import groupby

from companion.core.values import dataclass
from companion.events.event import ClubEvent, EventFormat, EventRound, EventTable
from companion.events.pairing import LIVES, bracket_places, losers_of
from companion.events.teams import with_teams_as_players


class BracketSide(StrEnum):
    """A part of a bracket."""

    WINNERS = "winners"
    LOSERS = "losers"
    FINAL = "final"


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match or a bye. `round`: its number, from 1; `players`: two ids (None for a player who
    isn't known yet), one id for a bye, or none if both players have left; `sources`: for each
    player, the match from which they come, as its place in Bracket.matches (None at the start and
    for a match on the other side); `table`: its number, None for a bye or until the match is drawn;
    `points`: by player, None until the match is played; `winner`: the id of the player who goes on,
    None if that isn't known."""

    side: BracketSide
    round: int
    players: tuple[str | None, ...]
    sources: tuple[int | None, ...]
    table: int | None = None
    points: tuple[Fraction, ...] | None = None
    winner: str | None = None

    @property
    def is_bye(self) -> bool:
        """Whether a player goes on without an opponent."""
        return len(self.players) < 2


@dataclass(frozen=True, slots=True)
class Bracket:
    """All matches, each listed after the matches from which its players come. `is_over`: no further
    match follows; `winner`: the id of the event's winner, None while it isn't over or if everybody
    has left."""

    matches: tuple[BracketMatch, ...]
    is_over: bool
    winner: str | None

    def columns(self, side: BracketSide) -> Iterator[tuple[int, list[int]]]:
        """Yields, for each round with matches on that side, its number and the matches' places in
        `matches`."""
        of_side = [at for at, one in enumerate(self.matches) if one.side is side]
        for number, found in groupby(of_side, key=lambda at: self.matches[at].round):
            yield number, [*found]


def bracket_of(event: ClubEvent) -> Bracket | None:
    """The bracket of the event; None if it is no knock-out, or has no round yet. Raises EventError
    if a match has more than two players."""
    if not event.is_knockout or not event.rounds:
        return None
    return _BracketBuilder(with_teams_as_players(event) if event.teams else event).build()


def names_in_bracket(event: ClubEvent) -> dict[str, str]:
    """The names of those who are in the bracket, players or teams, by their ids."""
    if event.teams:
        return {one.name: one.name for one in event.teams}
    return {one.id: one.name for one in event.players}


class _BracketBuilder:
    """Builds the bracket of an event, round by round."""

    def __init__(self, event: ClubEvent) -> None:
        self.event, self.matches = event, list[BracketMatch]()
        self._tree_places = bracket_places(event)
        self._losses = dict.fromkeys((one.id for one in event.players), 0)
        self._last_match = dict[tuple[BracketSide, str], int]()
        """For each player and side, the player's last match on that side."""

    def build(self) -> Bracket:
        for number, each in enumerate(self.event.rounds, start=1):
            self._add_round(number, each)
        left = self._players_left()
        missing = any(table.result is None for table in self.event.rounds[-1].tables)
        is_over = len(left) < 2 and not missing
        if not is_over:
            self._add_expected_matches()
            if self.event.format is EventFormat.DOUBLE_KNOCKOUT:
                self._add_final(left)
        return Bracket(tuple(self.matches), is_over, left[0] if is_over and left else None)

    def _players_left(self) -> list[str]:
        """The players who may still win."""
        lives, out = LIVES[self.event.format], self.event.out
        return [one for one in self._tree_places if self._losses[one] < lives and one not in out]

    def _add_round(self, number: int, each: EventRound) -> None:
        is_last = len(each.tables) == 1 and not each.bye
        found = [self._drawn_match(number, table, is_last=is_last) for table in each.tables]
        seats = [seat for table in each.tables for seat in table.seats]
        unbeaten = [one for one in (*each.bye, *seats) if not self._losses[one]]
        for one in each.bye:
            if self._losses[one]:
                found.append(self._new_match(BracketSide.LOSERS, number, (one,), one))
            elif number == 1 or len(unbeaten) > 1:  # a single unbeaten player waits for the final
                found.append(self._new_match(BracketSide.WINNERS, number, (one,), one))
        for match in sorted(found, key=self._sort_key):
            self.matches.append(match)
            for player in match.players:
                self._last_match[match.side, player or ""] = len(self.matches) - 1
        for table in each.tables:
            for one in losers_of(self.event, number, table):
                self._losses[one] += 1

    def _drawn_match(self, number: int, table: EventTable, *, is_last: bool) -> BracketMatch:
        side = BracketSide.FINAL if is_last else BracketSide.LOSERS
        if not any(self._losses[seat] for seat in table.seats):
            side = BracketSide.WINNERS
        losers = losers_of(self.event, number, table)
        won = [one for one in table.seats if losers and one not in losers]
        match = self._new_match(side, number, table.seats, won[0] if won else None)
        return replace(match, table=table.number, points=table.result)

    def _new_match(
        self, side: BracketSide, number: int, players: Sequence[str], winner: str | None
    ) -> BracketMatch:
        sources = tuple(self._find_source(side, one) for one in players)
        return BracketMatch(side, number, tuple(players), sources, winner=winner)

    def _find_source(self, side: BracketSide, player: str) -> int | None:
        last = self._last_match
        if side is not BracketSide.FINAL:
            return last.get((side, player))
        found = [last[each, player] for each in BracketSide if (each, player) in last]
        return max(found, default=None)

    def _sort_key(self, match: BracketMatch) -> tuple[bool, float]:
        """The sort key of a round's matches: the winners' side comes first, in the order of the
        tree; then the losers' side, each match near its players' previous ones, or at the end if
        both have just come from the winners' side."""
        if match.side is BracketSide.WINNERS:
            return False, min(self._tree_places.get(one or "", 0) for one in match.players)
        known = [at for at in match.sources if at is not None]
        return True, sum(known) / len(known) if known else len(self.matches)

    # ------------------------------------------------------------ matches to come

    def _add_expected_matches(self) -> None:
        """Adds the matches of the winners' side that aren't drawn yet, unless a round drawn by hand
        didn't follow the tree."""
        newest, number = self._newest_winners_matches(), len(self.event.rounds)
        width = 1 << max(self._tree_places.values()).bit_length() >> (number - 1)
        while newest and width > 1:
            number, width, before = number + 1, width // 2, newest
            newest = {}
            for place in range(width):
                pair = [before[each] for each in (2 * place, 2 * place + 1) if each in before]
                if pair:
                    self.matches.append(self._expected_match(number, pair))
                    newest[place] = len(self.matches) - 1

    def _newest_winners_matches(self) -> dict[int, int]:
        """The newest round's matches on the winners' side, by their place in that round of the
        tree; empty if a round didn't follow the tree."""
        found = dict[int, int]()
        for number in range(1, len(self.event.rounds) + 1):
            found = {}
            for at, match in enumerate(self.matches):
                if match.side is BracketSide.WINNERS and match.round == number:
                    places = {
                        self._tree_places.get(one or "", 0) >> (number - 1) for one in match.players
                    }
                    if len(places) > 1 or places & found.keys():
                        return {}
                    found[places.pop()] = at
        return found

    def _expected_match(self, number: int, pair: Sequence[int]) -> BracketMatch:
        """The match between the winners of these matches. A match whose winner has left provides no
        player."""
        out, found = self.event.out, list[tuple[str | None, int]]()
        for at in pair:
            source = self.matches[at]
            may_win = source.players if source.winner is None else (source.winner,)
            if any(one not in out for one in may_win):
                found.append((source.winner, at))
        winner = found[0][0] if len(found) == 1 else None
        players, sources = tuple(one for one, _ in found), tuple(at for _, at in found)
        return BracketMatch(BracketSide.WINNERS, number, players, sources, winner=winner)

    def _add_final(self, left: Sequence[str]) -> None:
        """Adds the final, or the decider if the unbeaten player has lost the final."""
        finals = [at for at, one in enumerate(self.matches) if one.side is BracketSide.FINAL]
        number = len(self.event.rounds) + 1
        if finals:
            final = self.matches[finals[-1]]
            if final.winner is not None:
                again = BracketMatch(BracketSide.FINAL, number, final.players, (finals[-1],) * 2)
                self.matches.append(again)
            return
        unbeaten = [one for one in left if not self._losses[one]]
        beaten = [one for one in left if self._losses[one]]
        winners = [at for at, one in enumerate(self.matches) if one.side is BracketSide.WINNERS]
        number = self._final_round(len(unbeaten), len(beaten))
        is_next = number == len(self.event.rounds) + 1 and None not in (
            table.result for table in self.event.rounds[-1].tables
        )
        one = unbeaten[0] if len(unbeaten) == 1 else None
        other = beaten[0] if is_next and beaten else None
        source = self._last_match.get((BracketSide.LOSERS, other or ""))
        self.matches.append(
            BracketMatch(BracketSide.FINAL, number, (one, other), (winners[-1], source))
        )

    def _final_round(self, unbeaten: int, beaten: int) -> int:
        """The number of the round in which the final is played if nobody leaves. In each round,
        half of the winners' side and half of the losers' side lose."""
        for table in self.event.rounds[-1].tables:
            if table.result is None:
                if any(self._losses[seat] for seat in table.seats):
                    beaten -= 1
                else:
                    unbeaten, beaten = unbeaten - 1, beaten + 1
        number = len(self.event.rounds) + 1
        while unbeaten > 1 or beaten > 1:
            unbeaten, beaten = -(-unbeaten // 2), -(-beaten // 2) + unbeaten // 2
            number += 1
        return number
