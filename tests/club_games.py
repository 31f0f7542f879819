"""Whole games of All Fives as clubs play them: real tiles in real hands, by any set of house rules,
with players who overlook tiles, forget to call, and call each other.
"""

from random import Random

from companion.core.errors import RuleError
from companion.core.seats import COLOURS, Seat, Seats
from companion.games.all_fives import PLAYERS_OF_SET, SETS
from companion.games.bogus.calls import Claim
from companion.games.entries import (
    BogusCalled,
    CallRuled,
    CountCalled,
    CountNotCalled,
    HandDealt,
    HandRedealt,
    HoldingShown,
    MugginsCalled,
    TimeUp,
    WrongTileCount,
)
from companion.games.game import Entry
from companion.games.house_rules import OFF
from companion.games.line.hand import BIG_6, hand_of
from companion.games.line.line import Line, TilePlayed
from companion.games.round import Stage
from companion.games.tiles import Tile
from tests.catalog import GAMES
from tests.random_games import Evening, Played, Players

RULES = GAMES["all-fives"]


def seats_and_options(random: Random, named: str | None = None) -> tuple[Seats, dict[str, str]]:
    """A table and its house rules: those of a named set, sometimes with a few changed."""
    named = named or random.choice(SETS)
    seats = Seats.of(*COLOURS[: PLAYERS_OF_SET.get(named) or random.randint(2, 4)])
    given = {"set": named}
    for option in RULES.options:
        if option.name not in ("set", "match") and random.random() < 0.2:
            given[option.name] = str(random.choice(option.choices(len(seats))))
    if given.get("target") == "61" or given.get("unit") == "fives":
        given |= {"unit": "fives", "target": "61"}
        given.pop("rounding", None)
    deal = next(option for option in RULES.options if option.name == "deal")
    given.setdefault(
        "deal", str(min(int(deal.usual(len(seats), named)), deal.choices(len(seats))[-1]))
    )
    return seats, given


class ClubEvening(Evening):
    """A random game of All Fives: played like other line games, with counts that are called in
    time, not called, or called by another, as in clubs."""

    def __init__(
        self,
        random: Random,
        named: str | None = None,
        house: tuple[Seats, dict[str, str]] | None = None,
    ) -> None:
        seats, given = house or seats_and_options(random, named)
        super().__init__(random, "all-fives", seats, given, cheating=0.1, calling=0.1)
        self.given = given

    def say(self, entry: Entry) -> None:
        """Makes an entry; after a lay, sometimes also one about the call of its count."""
        super().say(entry)
        if isinstance(entry, TilePlayed):
            self.say_of_the_count(entry.seat)

    def say_of_the_count(self, seat: Seat) -> None:
        """Sometimes enters whether the count was called in time, not called, or called by another
        player."""
        called, chance = self.state.options["called"], self.random.random()
        scored = bool(self.state.whole.effect.payments)
        won = bool(self.state.whole.winners)
        if called == OFF:
            return
        if scored and chance < 0.2:
            others = [one for one in self.state.seats if one not in self.state.side_of(seat)]
            muggins = called == "muggins" and chance < 0.1
            super().say(
                MugginsCalled(self.random.choice(others)) if muggins else CountNotCalled(seat)
            )
        elif won or chance > 0.8:
            super().say(CountCalled(seat))

    def play_hand(self) -> None:
        """Plays one hand, from the deal until it is settled, and sometimes a call after it."""
        lead = self.game.next_lead(self.state)
        self.say(HandDealt())
        players = self._dealt(lead)
        seat = self._lead(players, lead)
        while hand_of(self.state).round.stage in (Stage.LEAD, Stage.PLAY):
            if self.state.whole.finished:
                return
            self._besides(seat)
            self.cheating = 0.0 if hand_of(self.state).round.stage is Stage.LEAD else 0.1
            self.take_turn(players, seat)
            seat = self.state.seats.left_of(seat)
        self.show_holdings(players)
        if self.bogus and self.random.random() < self.calling:
            self.call(players, self.random.choice(self.state.seats.order))

    def _dealt(self, lead: str | None) -> Players:
        while True:
            options = self.state.options
            players = Players(self.state.seats, int(options["deal"]), self.random)
            if options["spinner"] == "none":
                players.two_ends = True
            if lead != BIG_6 or players.highest_double() or options["no-double"] == "heaviest":
                return players
            self.say(HandRedealt())

    def _lead(self, players: Players, lead: str | None) -> Seat:
        """Leads the first tile if the rules say which; returns the seat that is to lay next."""
        if lead != BIG_6:
            return Seat(str(lead))
        found = players.highest_double() or max(
            ((seat, tile) for seat, tiles in players.holds.items() for tile in tiles),
            key=lambda held: (held[1].pips, held[1].high),
        )
        self._led(players, *found)
        return self.state.seats.left_of(found[0])

    def _led(self, players: Players, seat: Seat, tile: Tile) -> None:
        players.holds[seat].remove(tile)
        players.line = Line.led(tile.high, tile.low, two_ends=players.two_ends)
        self.say(TilePlayed(seat, (tile.high, tile.low)))

    def _besides(self, seat: Seat) -> None:
        if self.state.options["wrong-count"] != OFF and self.random.random() < 0.01:
            self.say(WrongTileCount(seat))
        if not self.state.time_up and self.random.random() < 0.003:
            self.say(TimeUp())

    def call(self, players: Players, accused: Seat) -> None:
        """Lets somebody call `accused`, if the rules allow it; the table rules according to the
        truth."""
        if hand_of(self.state).round.stage is Stage.LEAD:
            return  # the tiles held in the hand before are no longer known
        by = self.random.choice([seat for seat in self.state.seats if seat != accused])
        try:
            self.say(BogusCalled(accused, by))
        except RuleError:
            return
        needs_holding = self.state.options["could-play"] == "50-or-holding"
        if self._claim is not None and (needs_holding or self.random.random() < 0.7):
            self.say(HoldingShown(accused, tuple(players.holds[accused])))
        claim, hand = self._claim, self.state.board.open_to_calls
        if claim is not None:
            was_bogus = self.bogus.get((hand.hand.round.number, claim.turn or 0), False)
            self.say(CallRuled(accused, was_bogus))

    @property
    def _claim(self) -> Claim | None:
        """The open claim, if there is one."""
        called = self.state.board.open_to_calls
        return called.claim if called is not None else None


def play_club_game(seed: int | str, named: str | None = None) -> tuple[ClubEvening, Played]:
    """Plays one game to its end, or at most 40 hands of it."""
    evening = ClubEvening(Random(seed), named)
    for _ in range(40):
        if not evening.state.whole.finished:
            evening.play_hand()
    return evening, evening.played
