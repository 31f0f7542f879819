"""The parts of a moment's JSON that only games with a line of play have."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache, lru_cache
from itertools import islice, takewhile
from typing import Any, Final, NamedTuple, TypeVar

from companion.core.errors import SetupError
from companion.core.values import Json
from companion.core.words import ordinal
from companion.games.bogus.board import board_of, chips_of, judged_claim, may_call, ruling_of
from companion.games.bogus.claim import BogusNotice
from companion.games.entry import Entry, Notice
from companion.games.game import AnyState
from companion.games.line.game import ends_counted as counted_by
from companion.games.line.game import fives, no_points
from companion.games.line.hand import BIG_6, Hand, Turn
from companion.games.line.line import (
    NOTHING_LAID,
    TILE_SET,
    CandidateLine,
    CandidateLines,
    Laid,
    Lay,
    Line,
    WayToLay,
)
from companion.presentation.drawing.paper import Paper
from companion.presentation.game import GamePresentation
from companion.presentation.line.drawing import draw_line, draw_proof, draw_scores_only
from companion.presentation.line.evidence import explain, goes_on
from companion.presentation.line.keys import LINE_KEYS
from companion.presentation.line.line_of_play import (
    ARM_NAMES,
    OPPOSITE,
    ArmName,
    LaidTile,
    LineOfPlay,
    OpenEnd,
    arms_of,
)
from companion.presentation.line.sayings import (
    asked_of,
    claim_json,
    entry_said,
    is_hidden,
    reason_said,
    ruling_json,
    tiles_shown_of,
)
from companion.presentation.sayings import say

# ---------------------------------------------------------------- line of hand
# The line of play of a hand, as far as the record makes it certain.
#
# Lays may be entered by tile, by open ends or by count, so the record may leave open which tile
# lies where. Every way in which the hand may have gone is followed. The line has what all ways
# agree on, and counts the rest. Mirror images are the same line: each way is turned as agrees best.
# If two ends show the same pips and nobody said on which one a tile was laid, it is put where the
# record has it, because the record asks only if it makes a difference.


T = TypeVar("T")

LIMIT = 8
"""The most ways that are followed: with more of them next to nothing is certain."""
MOST_LAYS: Final = len(TILE_SET.tiles) + 1
"""The most lays that are looked at: one more than a line can have, which has each tile once."""
HANDS_KNOWN: Final = 128
"""The number of hands, beginnings of hands included, whose ways are cached: those of a hand or
two."""


class Trace(NamedTuple):
    """One way in which the hand may have gone: the line now, and each tile as it was laid."""

    candidate: CandidateLine
    tiles: tuple[LaidTile, ...] = ()

    @property
    def ends(self) -> dict[ArmName, OpenEnd]:
        """The ends at which a tile may be laid next, by arm."""
        line = self.candidate[0]
        return {end.arm: end for end in ends_of(line)} if line else {}


def line_of(hand: Hand | None) -> LineOfPlay:
    """The line on the table in this hand; an empty one if no hand is dealt."""
    if hand is None:
        return LineOfPlay()
    for known, line in _last:
        if known is hand:
            return line
    line = _line_of(hand)
    _last[:] = [(hand, line)]
    return line


_last = list[tuple[Hand, LineOfPlay]]()
"""The hand that was asked for last, and its line: a moment's JSON is mostly followed by its
drawing."""


def _line_of(hand: Hand) -> LineOfPlay:
    lays = tuple(turn.did for turn in hand.turns if isinstance(turn.did, Laid))
    followed, found = _follow(lays[:MOST_LAYS], hand.big_6, hand.line.two_ends)
    ways = [*found]
    if followed == len(lays) and hand.line.possible:
        forms = {(line.form, laid) for line, laid in hand.line.possible if line}
        ways = [way for way in ways if way.candidate[0] and _form(way.candidate) in forms] or ways
        # A way that names the arms as the record does comes first, so that a lay can name an arm.
        ways.sort(key=lambda way: way.candidate not in hand.line.possible)
    return _agreed(ways, len(lays), hand.line)


def line_before(hand: Hand, turn: Turn) -> LineOfPlay:
    """The line on the table before that turn of the hand."""
    turns = hand.turns[: turn.number - 1]
    lays = tuple(each.did for each in turns if isinstance(each.did, Laid))
    followed, ways = _follow(lays[:MOST_LAYS], hand.big_6, hand.line.two_ends)
    lines = [way.candidate[0] for way in ways] if followed == len(lays) else []
    known = CandidateLines(
        (),
        _only(line.ends if line else None for line in lines),
        _only(line.open_count if line else None for line in lines),
    )
    return _agreed(ways, len(lays), known)


@lru_cache(HANDS_KNOWN)
def _follow(lays: tuple[Laid, ...], big_6: bool, two_ends: bool) -> tuple[int, tuple[Trace, ...]]:
    """The number of lays that could be followed, and every way in which these may have gone. A
    whole game is described lay by lay, so the ways up to the lay before are mostly cached."""
    if not lays:
        return 0, (Trace(NOTHING_LAID.possible[0]),)
    *before, laid = lays
    followed, ways = _follow((*before,), big_6, two_ends)
    if followed < len(before):
        return followed, ways
    double = big_6 and not before and not laid.insisted
    said = Lay(laid.halves, laid.arm, laid.ends, laid.count, double)
    found = (
        Trace(way.after, (*trace.tiles, _laid(way, said)))
        for trace in ways
        for way in CandidateLines((trace.candidate,), two_ends=two_ends).ways(said)
    )
    further = (*islice(found, LIMIT + 1),)
    return (len(lays), further) if 0 < len(further) <= LIMIT else (followed, ways)


def _laid(way: WayToLay, said: Lay) -> LaidTile:
    """The tile that was laid, as a LaidTile."""
    line, tile = way.candidate[0], way.tile
    if line is None or way.arm is None:
        inner, outer = said.halves or (tile.low, tile.high)
        return LaidTile(inner, outer, None, tile.is_double and not way.line.two_ends)
    inner = next(place.pips for place in line.places if place.arm is way.arm)
    spinner = tile.is_double and line.spinner is None and not line.two_ends
    return LaidTile(inner, tile.other(inner), way.arm.value, spinner)


def _form(candidate: CandidateLine) -> tuple[object, int]:
    line, laid = candidate
    assert line is not None
    return line.form, laid


def ends_of(line: Line) -> Iterator[OpenEnd]:
    """The open end of each place where a tile may be laid. The spinner counts both its halves until
    both sides are covered: while neither is, one half at each side (rule 9 of
    games/high_five.py)."""
    for place in line.places:
        name: ArmName = place.arm.value
        if not place.on_spinner:
            end = next(end for arm, end in zip(ARM_NAMES, line.arms, strict=True) if arm == name)
            yield OpenEnd(name, place.pips, 2 if end and end.double else 1)
        elif line.sides_covered:
            yield OpenEnd(name, place.pips, 0)
        else:
            yield OpenEnd(name, place.pips, 2 if line.left or line.right else 1)


# ---------------------------------------------------------------- what all ways agree on


def _agreed(ways: Sequence[Trace], laid: int, known: CandidateLines) -> LineOfPlay:
    first, *others = ways
    ways = [first, *(_seen_as(first, way) for way in others)]
    placed: dict[int, LaidTile] = {}
    open_arms: set[ArmName | None] = set()
    for number, tiles in enumerate(zip(*(way.tiles for way in ways), strict=True)):
        arms = {tile.arm for tile in tiles}
        spinners = {tile.spinner for tile in tiles}
        if len(arms) > 1 or len(spinners) > 1 or arms & open_arms:
            open_arms |= set(ARM_NAMES) if True in spinners else arms
        else:
            placed[number] = _common(tiles)
    tiles = tuple(placed.values())
    if len(first.tiles) < laid:
        open_arms |= set(ARM_NAMES)
    ends = tuple(
        OpenEnd(end.arm, None) if end.arm in open_arms else end
        for end in _common_ends(ways, arms_of(tiles))
    )
    pips = [end.pips for end in ends for _ in range(end.times) if end.pips is not None]
    return LineOfPlay(
        tiles,
        ends,
        known.known_count,
        len(placed) - 1 if laid - 1 in placed else None,
        laid - len(placed),
        known.known_ends if tuple(sorted(pips)) != known.known_ends else None,
    )


def _only(values: Iterable[T]) -> T | None:
    """The value that all have; None if they differ."""
    found = {*values}
    return found.pop() if len(found) == 1 else None


def _common(tiles: Sequence[LaidTile]) -> LaidTile:
    """The tile with the halves that all `tiles` have in common; the others are None."""
    if len(tiles) == 1:
        return tiles[0]
    inner = _only(tile.inner for tile in tiles)
    return replace(tiles[0], inner=inner, outer=_only(tile.outer for tile in tiles))


def _common_ends(ways: Sequence[Trace], arms: Sequence[ArmName]) -> Iterator[OpenEnd]:
    """The ends of these arms that are open in all ways; their pips are None if they differ."""
    of_each = [way.ends for way in ways]
    for arm in arms:
        ends = [of_way[arm] for of_way in of_each if arm in of_way]
        if len(ends) == len(ways):
            yield _only(ends) or OpenEnd(arm, None)


def _seen_as(first: Trace, way: Trace) -> Trace:
    """The way or the one of its mirror images that agrees with `first` for the most tiles."""
    images = [way]
    sides, ends = ARM_NAMES[:2], ARM_NAMES[2:]
    images += [_mirrored(way, arms) for arms in (sides, ends, ARM_NAMES)]
    return max(images, key=lambda image: _agree_for(first, image))


def _agree_for(first: Trace, other: Trace) -> int:
    pairs = zip(first.tiles, other.tiles, strict=True)
    return len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])


def _mirrored(way: Trace, arms: Sequence[ArmName]) -> Trace:
    """The way with opposite arms among `arms` exchanged."""
    line, laid = way.candidate
    assert line is not None
    names = {arm: OPPOSITE[arm] if arm in arms else arm for arm in ARM_NAMES}
    by_name = dict(zip(ARM_NAMES, line.arms, strict=True))
    left, right, up, down = (by_name[names[arm]] for arm in ARM_NAMES)
    turned = Line(line.spinner, left, right, up, down, line.two_ends)
    led = way.tiles[0]
    if "left" in arms:
        led = replace(led, inner=led.outer, outer=led.inner)
    rest = (replace(tile, arm=tile.arm and names[tile.arm]) for tile in way.tiles[1:])
    return Trace((turned, laid), (led, *rest))


# ---------------------------------------------------------------- moment

MOST_LIT: Final = 7
"""The most tiles that are lit in a dispute; if there are more, only the sentence names them."""


class LinePresentation(GamePresentation):
    """The games with a line of play: open ends, their count, chips and rulings."""

    where = "where.boneyard"
    keys = LINE_KEYS

    def __init__(self, of_count: Callable[[int], int] = fives) -> None:
        self._of_count = of_count

    def game_json(self, state: AnyState) -> Json:
        """The key `stock`: for each seat, the points left of its own chips; None in a game without
        chips."""
        chips = chips_of(state)
        return {"stock": {seat: chips.left(seat) for seat in state.seats} if chips else None}

    def entry_json(self, state: AnyState, now: AnyState | None = None) -> Json:
        """The keys `ends` and `count`, and `ruling` for the entry that closed a claim
        (docs/tally.md)."""
        counted, found = counted_by(state), Json()
        if counted is not None:
            found["ends"] = None if counted.ends is None else list(counted.ends)
            found["count"] = counted.count
        if ruling := ruling_of(state):
            hidden = now is not None and goes_on(state.effect.hand, now)
            found["ruling"] = {
                "seat": ruling.seat,
                "turn": ruling.turn,
                "verdict": ruling.verdict,
                "result": ruling.result,
                "by": ruling.by,
                "tiles": [] if hidden else list(ruling.tiles),
            }
        return found

    def reason(self, state: AnyState) -> str:
        """The count with its terms: “10+0 = 10”; "" if there is none."""
        counted = counted_by(state)
        if counted is None or counted.count is None:
            return ""
        sum_of = "+".join(map(str, counted.parts))
        return f"{sum_of} = {counted.count}" if len(counted.parts) > 1 else f"{counted.count}"

    def ruling(self, state: AnyState) -> str:
        """How the entry before this state closed a claim; "" if it closed none."""
        ruling = ruling_of(state)
        if ruling is None:
            return ""
        return f"{ruling.seat} is {ruling.result} by the {ruling.by} ({ruling.verdict})"

    def next_lead(self, lead: str) -> str:
        """Who leads next: “next: Blue leads”, or the highest double."""
        return "next: the highest double leads" if lead == BIG_6 else f"next: {lead} leads"

    def draw(self, state: AnyState, paper: Paper, *, stand_alone: bool = True) -> str:
        """The line of play as SVG; a note if only scores are entered. For a page, tiles of a
        claim's verdict are lit."""
        hand = state.board.hand
        if hand is not None and hand.round.scores_only:
            return draw_scores_only(paper, stand_alone=stand_alone)
        found = None if stand_alone else judged_claim(state)
        lit = tiles_shown_of(found, state) if found else ()
        return draw_line(line_of(hand), paper, stand_alone=stand_alone, lit=lit)

    def tiles_lying(self, state: AnyState) -> list[str]:
        """The tiles of the line; raises SetupError if the record doesn't tell each of them."""
        if state.board.hand is None:
            return super().tiles_lying(state)
        line = line_of(state.board.hand)
        halves = [(tile.inner, tile.outer) for tile in line.tiles]
        names = [
            f"{max(inner, outer)}-{min(inner, outer)}"
            for inner, outer in halves
            if inner is not None and outer is not None
        ]
        if not names or line.unplaced or len(names) < len(halves):
            raise SetupError(
                "the record doesn't tell each tile of this line: key a hand by its tiles"
            )
        return names

    def for_judge(self, state: AnyState) -> Json:
        """The tiles shown for the open claim, or their pips, and the evidence with its tiles."""
        found = judged_claim(state)
        if found is None:
            return {}
        told, shown = Json(), found.claim.shown
        if shown is not None:
            tiles = None if shown.tiles is None else [str(one) for one in shown.tiles]
            told["holding"] = {"pips": shown.pips, "tiles": tiles}
        if found.turn is not None:
            told["evidence"] = explain(found.hand, found.turn, found.claim.verdict)
        return told

    def draw_proof(self, state: AnyState, paper: Paper) -> str | None:
        """The line as it lay at the draw or pass that a claim is about, with the tiles in question
        below; None if there is no claim, or the draw or pass was not entered."""
        found = judged_claim(state)
        if found is None or found.turn is None:
            return None
        tiles = tiles_shown_of(found, state)
        lit = tiles if len(tiles) <= MOST_LIT else ()
        return draw_proof(line_before(found.hand, found.turn), paper, lit)

    # ------------------------------------------------------------ a moment

    def said(self, entry: Entry, state: AnyState, now: AnyState | None = None) -> Json:
        """The entry in words, as far as they may be known `now`."""
        return entry_said(entry, state, now)

    def hides(self, entry: Entry, state: AnyState, now: AnyState) -> bool:
        """Whether the entry is a holding shown in a claim, while that hand goes on."""
        return is_hidden(entry, state, now)

    def why(self, entry: Entry, state: AnyState) -> Json | None:
        """The count with its terms, or at a hand's end the pips."""
        if self._of_count is no_points and isinstance(entry, Laid):
            return None
        return reason_said(entry, state)

    def spoils(self, notice: Notice, hand_number: int, now: AnyState) -> bool:
        """Whether the notice says that a bogus play is proven which nobody has called, but somebody
        still may: the players are to notice that themselves."""
        board = board_of(now)
        watched = board.open_to_calls if board is not None else None
        if notice.kind is not BogusNotice.PROVEN or watched is None or watched.bogus is not None:
            return False
        hand = watched.hand
        if hand_number < hand.round.number:
            return False
        turns = (turn for turn in hand.draws_and_passes if turn.number == notice["turn"])
        return any(turn.seat == notice["seat"] and may_call(now, turn.seat) for turn in turns)

    def gives_away(self, notice: Notice, hand_number: int, now: AnyState) -> bool:
        """Whether the notice says that a bogus play is proven, by tiles that may be known only from
        a holding shown in a claim, while that hand goes on."""
        board, hand = board_of(now), now.board.hand
        if notice.kind is not BogusNotice.PROVEN or board is None or board.watched is None:
            return False
        if not board.watched.showed or not goes_on(hand_number, now):
            return False
        laid = {str(tile) for tile in TILE_SET.tiles_in(hand.line.laid_for_sure)}
        named = dict(notice.fields)["tiles"]
        return not isinstance(named, list) or not laid.issuperset(named)

    def notice_said(self, notice: Notice, after: AnyState) -> Json:
        """The notice in words; if it is about a turn, also which go of its seat that was."""
        fields, hand = dict(notice.fields), after.board.hand
        number = fields.get("turn")
        if isinstance(number, int) and hand is not None:
            go = hand.go_of(hand.turn(number))
            fields |= {"go": go, "which": ordinal(go)}
        return say(f"notice.{notice.kind.value}", **fields)

    def asked(self, game: object, state: AnyState) -> Json:
        """What the record waits for: a seat's turn, a holding, or the deal."""
        return asked_of(game, state)

    def moment_json(self, state: AnyState) -> Json:
        """The claim and the ruling; unless only scores are entered, also the line of play, and the
        tiles held and in the boneyard by the counts."""
        hand, ruling, claim = state.board.hand, ruling_of(state), claim_json(state)
        if claim is not None:
            claim["line"] = _disputed_line(state)
        lies = hand is None or not hand.round.scores_only
        counted = hand.round if hand and lies else None
        return {
            "boneyard": counted.boneyard if counted and "leave" in state.options else None,
            "held": {seat: counted.held[seat] for seat in state.seats} if counted else {},
            "table": self._line_json(hand) if lies else None,
            "claim": claim,
            "ruling": ruling_json(ruling, state) if ruling else None,
        }

    def _line_json(self, hand: Hand | None) -> Json:
        """The line as JSON, without its count where no count scores; in games in which not only
        fives score, also whether its count does."""
        line = line_of(hand)
        table: Json = {"kind": "line", **_plain(line)}
        if self._of_count is no_points:
            table["count"] = None
        elif self._of_count is not fives:
            table["scores"] = self._of_count(line.count or 0) > 0
        return table


def _disputed_line(state: AnyState) -> Json | None:
    """The line, as JSON, as it lay at the draw or pass that a claim is about; None if there is no
    claim, or the draw or pass was not entered."""
    found = judged_claim(state)
    if found is None or found.turn is None:
        return None
    return {"kind": "line", **_plain(line_before(found.hand, found.turn))}


def _plain(value: Any) -> Any:
    """The value as JSON has it: dataclasses as objects and tuples as lists."""
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    names = _fields_of(value.__class__)
    return {name: _plain(getattr(value, name)) for name in names} if names else value


@cache
def _fields_of(kind: type) -> tuple[str, ...]:
    """The names of a dataclass's fields; none if `kind` is no dataclass."""
    return tuple(one.name for one in fields(kind)) if is_dataclass(kind) else ()
