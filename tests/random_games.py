"""Whole games as honest players would play them: real tiles in real hands, entered as they are
laid."""

from collections.abc import Mapping
from random import Random

from companion.core.seats import COLOURS, Seat, Seats
from companion.games.bogus.calls import WatchedHand, board_of, chips_of
from companion.games.entries import (
    BogusCalled,
    CallRuled,
    HandDealt,
    HandRedealt,
    HoldingShown,
    Misdraw,
    PipsShown,
    TilesDrawn,
    TurnPassed,
)
from companion.games.game import AnyState, Entry, settle_options
from companion.games.line.game import LineGame
from companion.games.line.hand import BIG_6, hand_of
from companion.games.line.line import Line, TilePlayed
from companion.games.round import Stage
from companion.games.tiles import DOUBLE_SIX, Tile
from tests.catalog import GAMES
from tests.playing import counted_in

Played = list[tuple[Entry, AnyState]]


class Players:
    """The hidden side of a hand: each seat's tiles, the boneyard, and the real line."""

    def __init__(self, seats: Seats, deal: int, random: Random) -> None:
        self.random = random
        stock = list(DOUBLE_SIX.tiles)
        random.shuffle(stock)
        self.holds = {seat: [stock.pop() for _ in range(deal)] for seat in seats}
        self.boneyard = stock
        self.line: Line | None = None
        self.two_ends = False
        """Whether the line has only two ends: no double is a spinner."""

    def highest_double(self) -> tuple[Seat, Tile] | None:
        doubles = [(t, s) for s, tiles in self.holds.items() for t in tiles if t.is_double]
        return (max(doubles)[1], max(doubles)[0]) if doubles else None

    def lays(self, seat: Seat) -> list[tuple[Tile, Line, TilePlayed]]:
        """Every lay that the seat could make now."""
        found = []
        for tile in self.holds[seat]:
            halves = (tile.high, tile.low)
            if self.line is None:
                led = Line.led(*halves, two_ends=self.two_ends)
                found.append((tile, led, TilePlayed(seat, halves)))
                continue
            for place in self.line.places:
                if tile.has(place.pips):
                    after = self.line.with_tile(place.arm, tile)
                    found.append((tile, after, TilePlayed(seat, halves, place.arm)))
        return found


def play_game(
    random: Random,
    players: int = 2,
    name: str = "high-five",
    given: Mapping[str, str] | None = None,
) -> Played:
    """Plays one game to its end, entered by tile; returns each entry with the state after it."""
    seats = Seats.of(*COLOURS[:players])
    evening = Evening(random, name, seats, given or {})
    while not evening.state.finished and len(evening.played) < 3000:
        evening.play_hand()
    return evening.played


class Evening:
    """A game being played: its record so far, and the hidden side of the hand."""

    def __init__(
        self,
        random: Random,
        name: str,
        seats: Seats,
        given: Mapping[str, str],
        *,
        cheating: float = 0.0,
        calling: float = 0.0,
    ) -> None:
        self.random = random
        self.game = GAMES[name]
        assert isinstance(self.game, LineGame)
        self.line_game = self.game
        self.state = self.game.start(seats, settle_options(self.game, len(seats), given))
        self.played: Played = []
        self.cheating, self.calling = cheating, calling
        self.bogus: dict[tuple[int, int], bool] = {}
        """For (hand, turn) of every draw or pass: whether a playable tile was held."""

    @property
    def watched(self) -> WatchedHand:
        board = board_of(self.state)
        assert board is not None and board.watched is not None
        return board.watched

    def say(self, entry: Entry) -> None:
        """Makes one entry; does nothing once the game is over."""
        if not self.state.whole.finished:
            self.state = self.game.apply(self.state, entry)
            self.played.append((entry, self.state))

    def draw_or_pass(self, entry: TilesDrawn | TurnPassed, bogus: bool) -> None:
        """Enters a draw or pass, and notes whether a playable tile was held (`bogus`)."""
        self.say(entry)
        hand = hand_of(self.state)
        self.bogus[hand.round.number, len(hand.turns)] = bogus

    def play_hand(self) -> None:
        """Plays one hand, from the deal until it is settled."""
        lead, seats = self.game.next_lead(self.state), self.state.seats
        by_lot = lead is None
        lead = lead or self.random.choice(seats.order)
        self.say(HandDealt(Seat(lead)) if by_lot else HandDealt())
        if chips_of(self.state) and self.random.random() < 0.05:
            self.say(Misdraw(self.random.choice(seats.order)))
        players = Players(seats, int(self.state.options["deal"]), self.random)
        while lead == BIG_6 and players.highest_double() is None:
            if HandRedealt in self.game.entries:
                self.say(HandRedealt())
            players = Players(seats, int(self.state.options["deal"]), self.random)
        players.two_ends = TilesDrawn not in self.game.entries
        called = players.highest_double() if lead == BIG_6 else None
        seat = called[0] if called else Seat(str(lead))
        if called:
            players.holds[seat] = [tile for tile in players.holds[seat] if tile != called[1]]
            players.line = Line.led(called[1].high, called[1].high, two_ends=players.two_ends)
            self.say(TilePlayed(seat, (called[1].high, called[1].high)))
            seat = seats.left_of(seat)
        while hand_of(self.state).round.stage in (Stage.LEAD, Stage.PLAY):
            if self.state.finished:
                return
            self.take_turn(players, seat)
            seat = hand_of(self.state).round.next_to_move(seat)
        self.show_holdings(players)

    def take_turn(self, players: Players, seat: Seat) -> None:
        """Lays if able, else draws until able, else passes; cheats and calls with the given
        chances."""
        lays = players.lays(seat)
        drawable = len(players.boneyard) - int(self.state.options.get("leave", 28))
        while drawable > 0 and (not lays or self.random.random() < self.cheating):
            self.draw_or_pass(TilesDrawn(seat), bogus=bool(lays))
            players.holds[seat].append(players.boneyard.pop())
            lays, drawable = players.lays(seat), drawable - 1
        if not lays or self.random.random() < self.cheating:
            self.draw_or_pass(TurnPassed(seat), bogus=bool(lays))
            return
        if self.bogus and self.random.random() < self.calling:
            self.call(players, self.random.choice(self.state.seats.order))
        if hand_of(self.state).round.stage is Stage.OVER:
            return
        tile, players.line, laid = self.random.choice(lays)
        players.holds[seat].remove(tile)
        self.say(laid)

    def call(self, players: Players, accused: Seat) -> None:
        """Lets somebody call a seat's play bogus. The seat shows its tiles, and if they decide
        nothing, the table clears it."""
        hand = hand_of(self.state)
        by = self.random.choice([seat for seat in self.state.seats if seat != accused])
        if hand.latest_draw_or_pass(accused) is None or (by, accused) in self.watched.calls:
            return
        self.say(BogusCalled(accused, by))
        if self.watched.claim:
            self.say(HoldingShown(accused, tuple(players.holds[accused])))
        if self.watched.claim:
            self.say(CallRuled(accused, bogus=False))

    def show_holdings(self, players: Players) -> None:
        """Enters the holdings that the rules need to settle the hand, as tiles or as pips."""
        while not self.state.whole.finished and (
            needed := self.line_game.seats_to_show(self.state)
        ):
            holds = players.holds[needed[0]]
            pips = sum(tile.pips for tile in holds)
            as_tiles = self.random.random() < 0.5
            self.say(
                HoldingShown(needed[0], tuple(holds)) if as_tiles else PipsShown(needed[0], pips)
            )


def by_ends(played: Played) -> list[Entry]:
    """The entries of a game if lays are entered by open ends."""
    return [
        TilePlayed(entry.seat, ends=counted_in(after).ends)
        if isinstance(entry, TilePlayed)
        else entry
        for entry, after in played
    ]


def by_count(played: Played) -> list[Entry]:
    """The entries of a game if lays are entered by count."""
    return [
        TilePlayed(entry.seat, count=counted_in(after).count)
        if isinstance(entry, TilePlayed)
        else entry
        for entry, after in played
    ]
