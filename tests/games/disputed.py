"""Simulates random hands of players who cheat, forget to key draws, notice mistakes, call each
other and show their tiles: the entries of each hand, and what really happened."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random

from companion.core.errors import RuleError
from companion.core.seats import COLOURS, Seat, Seats
from companion.games.bogus.calls import WatchedHand
from companion.games.entries import (
    BogusCalled,
    CallRuled,
    HandDealt,
    HoldingShown,
    Misdraw,
    TileReturned,
    TilesDrawn,
    TurnPassed,
)
from companion.games.game import AnyState, Entry, settle_options
from companion.games.line.hand import Hand, Turn
from companion.games.line.line import Line, TilePlayed
from companion.games.round import Stage
from companion.games.tiles import Tile
from tests.catalog import GAMES
from tests.random_games import Players

MIXED = ("tile", "ends", "count")
BY_TILE, BY_ENDS, BY_COUNT = (("tile",), ("ends",), ("count",))


@dataclass
class Habits:
    """How often each event happens, in a thousand chances. `cheating`: a draw or pass with a tile
    that fits; `noticing`: a tile drawn by mistake goes back; `showing`: that tile is shown;
    `heaping`: two tiles are drawn in one entry; `forgetting`: a draw is not keyed; `calling`: a
    call at the end of a turn; `pausing`: a call right after a draw; `looking_back`: a call of an
    earlier draw or pass; `hiding`: a tile is kept back when a holding is shown; `misdrawing`: a
    misdraw; `mending`: draws that were forgotten are inserted later. `ways`: the ways in which
    plays are keyed.
    """

    cheating: int = 150
    noticing: int = 400
    showing: int = 700
    heaping: int = 150
    forgetting: int = 0
    calling: int = 60
    pausing: int = 0
    looking_back: int = 0
    hiding: int = 0
    misdrawing: int = 0
    mending: int = 0
    ways: tuple[str, ...] = MIXED


@dataclass
class DisputedHand:
    """One hand, played and entered entry by entry. `entries`: all since the deal except calls and
    rulings; `bogus`: for each draw and pass, in order, whether the seat held a tile that fitted."""

    random: Random
    seats: Seats
    deal: int
    habits: Habits
    look: Callable[["DisputedHand"], None]
    """Called after each entry."""
    entries: list[Entry] = field(default_factory=list)
    bogus: dict[int, bool] = field(default_factory=dict)
    forgotten: list[tuple[int, TilesDrawn, bool]] = field(default_factory=list)
    """Draws that were not entered, each with the number of entries before it, and whether it was
    bogus."""

    def __post_init__(self) -> None:
        self.dealt()
        self.players = Players(self.seats, self.deal, self.random)

    def dealt(self) -> None:
        game = GAMES["high-five"]
        options = settle_options(game, len(self.seats), {"deal": str(self.deal)})
        self.state: AnyState = game.apply(game.start(self.seats, options), HandDealt())

    @property
    def watched(self) -> WatchedHand:
        watched = self.state.board.watched
        assert isinstance(watched, WatchedHand)
        return watched

    @property
    def hand(self) -> Hand:
        hand = self.state.board.hand
        assert isinstance(hand, Hand)
        return hand

    def chance(self, of_a_thousand: int) -> bool:
        return self.random.randrange(1000) < of_a_thousand

    def say(self, entry: Entry) -> None:
        self.state = GAMES["high-five"].apply(self.state, entry)
        if not isinstance(entry, BogusCalled | CallRuled):
            self.entries.append(entry)
        self.look(self)

    def play(self) -> None:
        """Plays the hand to its end, or until the record refuses an entry because others were
        forgotten."""
        highest = self.players.highest_double()
        while highest is None:
            self.players = Players(self.seats, self.deal, self.random)
            highest = self.players.highest_double()
        seat, double = highest
        self.players.holds[seat].remove(double)
        self.players.line = Line.led(double.high, double.high)
        try:
            if self.chance(self.habits.misdrawing):
                self.say(Misdraw(self.random.choice(self.seats.order)))
            self.say(self.entered_play(seat, double))
            # Where draws were forgotten the box may never know that nobody can play.
            while self.hand.round.stage is Stage.PLAY and self.hand.round.passes < 3 * len(
                self.seats
            ):
                seat = self.seats.left_of(seat)
                self.go(seat)
        except RuleError:
            assert self.habits.forgetting

    def go(self, seat: Seat) -> None:
        fits, forced = self.players.lays(seat), False
        while self.players.boneyard and self.hand.round.stage is Stage.PLAY:
            if fits and not self.chance(self.habits.cheating):
                break
            forced = self.draw(seat, bool(fits))
            fits = self.players.lays(seat)
            if forced:
                break
        if self.hand.round.stage is not Stage.PLAY:
            return
        if fits and not self.chance(self.habits.cheating // 2):
            tile, self.players.line, _ = self.random.choice(fits)
            self.players.holds[seat].remove(tile)
            self.say(self.entered_play(seat, tile))
        else:
            self.bogus[len(self.entries)] = bool(fits)
            self.say(TurnPassed(seat))
        if self.chance(self.habits.calling):
            self.call(self.random.choice(self.seats.order))
        if self.forgotten and self.chance(self.habits.mending):
            self.mend()

    def mend(self) -> None:
        """Inserts the forgotten entries and enters the hand again, without calls and the holdings
        shown in them."""
        entries, bogus, forgotten = self.entries, self.bogus, self.forgotten
        self.entries, self.bogus, self.forgotten = [], {}, []
        self.dealt()
        last = 0
        for place in range(len(entries) + 1):
            for _, drew, was_bogus in (each for each in forgotten if each[0] == place):
                self.bogus[len(self.entries)] = was_bogus
                self.say(drew)
            if place == len(entries) or isinstance(entries[place], HoldingShown):
                continue
            if place in bogus:  # only a tile drawn while another one fits goes back
                later = [
                    each for each in entries[place + 1 :] if not isinstance(each, HoldingShown)
                ]
                back = bool(later) and isinstance(later[0], TileReturned)
                last, self.bogus[len(self.entries)] = place, bogus[place] or back
            self.say(entries[place])
            if isinstance(entries[place], TileReturned):
                self.bogus[max(self.bogus)] = bogus[last]

    def draw(self, seat: Seat, bogus: bool) -> bool:
        """Draws one or two tiles, and enters that unless it is forgotten. Returns True if no other
        draw follows in this turn."""
        number = 1 + (self.chance(self.habits.heaping) and len(self.players.boneyard) > 1)
        drawn = [self.players.boneyard.pop() for _ in range(number)]
        before = self.players.lays(seat)
        self.players.holds[seat] += drawn[:-1]
        bogus_last = bool(self.players.lays(seat))
        self.players.holds[seat] += drawn[-1:]
        place = len(self.entries)
        if self.chance(self.habits.forgetting):
            self.forgotten.append((place, TilesDrawn(seat, number), bogus or bogus_last))
            return False
        self.bogus[place] = bogus or bogus_last
        self.say(TilesDrawn(seat, number))
        while self.chance(self.habits.pausing) and self.hand.round.playing:
            self.call(seat if self.chance(700) else self.random.choice(self.seats.order))
        if not self.hand.round.playing:
            return True
        if not bogus_last or not self.chance(self.habits.noticing):
            return False
        self.players.holds[seat].remove(drawn[-1])
        self.players.boneyard.append(drawn[-1])
        self.random.shuffle(self.players.boneyard)
        self.bogus[place] = bool(before) and number > 1
        self.say(TileReturned(seat, drawn[-1] if self.chance(self.habits.showing) else None))
        return not self.chance(self.habits.cheating)

    def entered_play(self, seat: Seat, tile: Tile) -> TilePlayed:
        """The play as it is entered, in one of the `ways`."""
        line = self.players.line
        assert line is not None
        way = self.random.choice(self.habits.ways)
        if way == "count":
            return TilePlayed(seat, count=line.open_count)
        said = TilePlayed(seat, ends=line.ends)
        return said if way == "ends" else replace(said, halves=(tile.high, tile.low))

    def call(self, accused: Seat) -> None:
        """A seat calls `accused`, which shows its tiles if a proof needs them; if the verdict is
        still open, the table rules that the play was not bogus."""
        by = self.random.choice([seat for seat in self.seats if seat != accused])
        if self.hand.latest_draw_or_pass(accused) is None or (by, accused) in self.watched.calls:
            return
        turns = [turn for turn in self.hand.draws_and_passes if turn.seat == accused]
        turn = self.random.choice(turns) if self.chance(self.habits.looking_back) else turns[-1]
        self.say(BogusCalled(accused, by, turn.number))
        holds = [*self.players.holds[accused]]
        if len(holds) > 1 and self.chance(self.habits.hiding):
            holds.remove(self.random.choice(holds))
        if self.watched.claim:
            self.say(HoldingShown(accused, tuple(holds)))
        if self.watched.claim:
            self.say(CallRuled(accused, bogus=False))


def play_disputed_hand(
    seed: int, look: Callable[[DisputedHand], None], habits: Habits | None = None
) -> DisputedHand:
    """Plays a hand of two to four players, more often with small deals; `look` is called after each
    entry."""
    random = Random(seed)
    seats = Seats.of(*COLOURS[: random.choice((2, 2, 3, 4))])
    most = min(9, 28 // len(seats))
    deal = random.choice((3, 4, 5, 6, 7, most))
    hand = DisputedHand(random, seats, min(deal, most), habits or Habits(), look)
    hand.play()
    return hand


def draws_and_passes(watched: WatchedHand) -> list[Turn]:
    """The draws and passes of a hand, in order."""
    return [turn for turn in watched.hand.turns if not isinstance(turn.did, TilePlayed)]
