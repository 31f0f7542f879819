"""The deals that agree with the entries, compared with a search by playing: every deal of a small
set of tiles, every tile that may have been drawn, and every way in which the line may have been
made."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.bogus import evidence, plain_hand
from companion.games.bogus.calls import board_of
from companion.games.bogus.plain_hand import HandEvidence, PlainHand
from companion.games.bogus.verdict import aftermath_of, may_have_held
from companion.games.line.hand import MomentOfPlay
from companion.games.line.line import CandidateLines, Line, WayToPlay
from companion.games.tiles import DOUBLE_SIX
from tests.random_games import play_game
from tests.sampling import examples

Masks = tuple[int, ...]


@dataclass(frozen=True)
class HandEvent:
    """An event of the kind `what` (lay, draw, pass, return or show) by `seat`. `tiles`: the
    possible tiles of a play, the returned tile (none if not named), or the tiles shown."""

    what: str
    seat: int
    tiles: Masks = ()


@dataclass(frozen=True)
class World:
    """The place of every tile: with a seat, in the line, or in the boneyard. `held`: for each draw
    and pass, the tiles that the seat held, and the line."""

    hands: Masks
    line: int = 0
    drawn: int = 0
    held: tuple[tuple[int, int], ...] = ()


class SmallHand:
    """A random hand of two seats and a few tiles. Which tiles fit which line is invented, as it
    doesn't matter here how lines come about."""

    def __init__(self, random: Random, tiles: int) -> None:
        self.random, self.bits = random, [tile.bit for tile in DOUBLE_SIX.tiles[:tiles]]
        self.each = random.randint(1, 2)
        self.story: list[HandEvent] = []
        self.fits = {line: self.some_tiles() for line in range(1 << tiles)}
        dealt_now = random.sample(self.bits, 2 * self.each)
        self.true = World((sum(dealt_now[: self.each]), sum(dealt_now[self.each :])))
        self.lines: tuple[int, ...] = (0,)
        self.evidence: HandEvidence = plain_hand.plain_hand(2, self.each)
        self.moments: list[MomentOfPlay | None] = []
        self.unseen = False
        """Whether an unnamed tile of a shown holding went back, which proves nothing either way."""

    def some_tiles(self) -> int:
        return sum(bit for bit in self.bits if self.random.random() < 0.5)

    # -------------------------------------------------------- what happens

    def go_on(self) -> None:
        seat = self.random.randrange(2)
        holds = [bit for bit in self.bits if bit & self.true.hands[seat]]
        what = self.random.choice(("lay", "lay", "draw", "draw", "pass", "show"))
        if what == "lay" and holds:
            self.happen(HandEvent("lay", seat, self.entered_tile(self.random.choice(holds))))
        elif what == "draw" and self.boneyard(self.true):
            self.happen(HandEvent("draw", seat))
            if self.random.random() < 0.4:
                self.give_back(seat)
        elif what == "pass":
            self.happen(HandEvent("pass", seat))
        elif what == "show" and self.random.random() < 0.5:
            self.happen(HandEvent("show", seat, tuple(holds)))

    def give_back(self, seat: int) -> None:
        """Puts the drawn tile back into the boneyard, sometimes after showing all tiles."""
        shown = self.random.random() < 0.3
        if shown:
            holds = tuple(bit for bit in self.bits if bit & self.true.hands[seat])
            self.happen(HandEvent("show", seat, holds))
        said = (self.true.drawn,) if self.random.random() < 0.8 else ()
        self.unseen = self.unseen or (shown and not said)
        self.happen(HandEvent("return", seat, said))

    def entered_tile(self, tile: int) -> Masks:
        """The tile, sometimes with one or two others, as if the entry left open which of these it
        was."""
        others = [bit for bit in self.bits if bit != tile and not bit & self.true.line]
        maybe = self.random.sample(others, min(len(others), self.random.choice((0, 0, 1, 2))))
        return (tile, *maybe)

    def happen(self, told: HandEvent) -> None:
        ways = list(self.follow(self.true, told))
        kept = [world for world in ways if told.what != "lay" or world.line & told.tiles[0]]
        self.true = self.random.choice(kept)
        self.story.append(told)
        self.evidence = self.enter(told)

    def boneyard(self, world: World) -> list[int]:
        out = world.hands[0] | world.hands[1] | world.line
        return [bit for bit in self.bits if not bit & out]

    # -------------------------------------------------------- every world

    def worlds(self) -> list[World]:
        """Every world that is possible now, found by playing all events from every deal."""
        found = []
        for first in combinations(self.bits, self.each):
            others = [bit for bit in self.bits if bit not in first]
            found += [World((sum(first), sum(more))) for more in combinations(others, self.each)]
        for told in self.story:
            found = [after for world in found for after in self.follow(world, told)]
        return found

    def follow(self, world: World, told: HandEvent) -> Iterator[World]:
        """Every world that can follow `world` when `told` happens; none if it can't happen
        there."""
        seat, holds = told.seat, world.hands[told.seat]

        def having(tiles: int) -> Masks:
            return (tiles, world.hands[1]) if seat == 0 else (world.hands[0], tiles)

        if told.what in ("draw", "pass"):
            world = replace(world, held=(*world.held, (holds, world.line)))
        if told.what == "pass":
            yield world
        elif told.what == "draw":
            for bit in self.boneyard(world):
                yield replace(world, hands=having(holds | bit), drawn=bit)
        elif told.what == "lay":
            for bit in told.tiles:
                if bit & holds:
                    yield replace(world, hands=having(holds & ~bit), line=world.line | bit)
        elif told.what == "return":
            if told.tiles in ((), (world.drawn,)):
                yield replace(world, hands=having(holds & ~world.drawn))
        elif sum(told.tiles) == holds:
            yield world

    # -------------------------------------------------------- what the program makes of it

    def enter(self, told: HandEvent) -> HandEvidence:
        now, seat = self.evidence, told.seat
        if told.what == "lay":
            origins: dict[int, list[tuple[int, int]]] = {}
            for at, line in enumerate(self.lines):
                for bit in told.tiles:
                    if not bit & line:
                        origins.setdefault(line | bit, []).append((at, bit))
            self.lines = tuple(origins)
            ways = [WayToPlay(cast(Any, None), None, DOUBLE_SIX.tiles[0], cast(Any, None), each)
                    for each in origins.values()]  # fmt: skip
            return now.after_play(seat, self.line, ways, 0)
        if told.what == "show":
            return now.after_showing(seat, told.tiles, 0, *self.without(told.tiles))
        if told.what == "return":
            self.moments[-1] = None
            return now.after_return(seat, sum(told.tiles), 0, *self.without(told.tiles))
        drawn = told.what == "draw"
        now = now.after_draw(seat, 1) if drawn else now
        moment = now.moment_of(seat, drawn)
        self.moments.append(moment)
        return now.watch(moment, self.line)

    def without(self, tiles: Masks) -> tuple[CandidateLines, Masks]:
        """Drops the lines with one of these tiles. Returns the remaining lines, and their positions
        among those before."""
        kept = self.line.without(sum(tiles))
        self.lines = tuple(self.lines[at] for at in kept)
        return self.line, kept

    @property
    def line(self) -> CandidateLines:
        lines = (SimpleNamespace(suits=self.fits[line]) for line in self.lines)
        possible = zip(cast(Iterator[Line], lines), self.lines, strict=True)
        return CandidateLines(tuple(possible))

    def check(self) -> None:
        worlds = self.worlds()
        assert worlds, "what happened can have happened"
        assert self.evidence.any_deal
        for at, moment in enumerate(self.moments):
            if moment is None:
                continue
            fitting = [world.held[at][0] & self.fits[world.held[at][1]] for world in worlds]
            held = 0
            for tiles in fitting:
                held |= tiles
            proven = moment in self.evidence.proven
            may = may_have_held(aftermath_of(self.evidence.examined, moment))
            assert may is not None, "it takes few steps"
            if self.unseen:
                assert (proven <= all(fitting), held & ~may) == (True, 0), (self.story, at)
            else:
                assert (proven, may) == (all(fitting), held), (self.story, at)


@pytest.mark.parametrize("tiles", [4, 5, 6, 7])
@settings(max_examples=examples(80))
@given(st.integers(0, 2**32))
def test_evidence_agrees_with_a_search_of_every_deal(tiles: int, seed: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for module in (evidence, plain_hand):
            patch.setattr(module, "ALL", (1 << tiles) - 1)
        hand = SmallHand(Random(seed), tiles)
        for _ in range(9):
            hand.go_on()
            hand.check()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_evidence_of_an_honest_game_is_only_counted(players: int) -> None:
    boards = (board_of(state) for _, state in play_game(Random(players), players))
    hands = [board.watched for board in boards if board is not None and board.watched]
    assert all(isinstance(hand.evidence, PlainHand) for hand in hands)


ONE, TWO = (tile.bit for tile in DOUBLE_SIX.tiles[:2])


def laid(tiles: int) -> CandidateLines:
    return CandidateLines(((cast(Line, SimpleNamespace(suits=0)), tiles),))


def after_play(now: HandEvidence, seat: int, tile: int, tiles: int) -> HandEvidence:
    """The evidence after that tile was played; `tiles`: all tiles in the line then."""
    way = WayToPlay(cast(Any, None), None, DOUBLE_SIX.tiles[0], cast(Any, None), [(0, tile)])
    return now.after_play(seat, laid(tiles), [way], tile)


def test_more_tiles_played_than_a_seat_got_have_no_deal() -> None:
    now = after_play(plain_hand.plain_hand(2, 1), 0, ONE, ONE)
    assert now.any_deal
    assert not after_play(now, 0, TWO, ONE | TWO).any_deal


def test_a_tile_played_that_another_seat_has_shown_has_no_deal() -> None:
    now = plain_hand.plain_hand(2, 2).after_showing(0, [ONE, TWO], 0, laid(0), (0,))
    assert after_play(now, 0, ONE, ONE).any_deal
    assert not after_play(now, 1, ONE, ONE).any_deal


def test_the_number_of_tiles_missing_from_a_shown_holding_is_kept() -> None:
    now = plain_hand.plain_hand(2, 2).after_showing(0, [ONE], 1, laid(0), (0,))
    assert now.unshown == (1, 0)
