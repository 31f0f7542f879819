"""The presentation of games with a line of play, with the parts of a moment's JSON that only they
have."""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from companion.core.errors import SetupError
from companion.core.values import Json
from companion.core.words import ordinal
from companion.games.bogus.call_rules import BogusNotice
from companion.games.bogus.calls import board_of, chips_of, judged_claim, may_call, ruling_of
from companion.games.entries import TilesDrawn
from companion.games.game import AnyState, Entry, Notice
from companion.games.line.game import ends_counted, fives, no_points
from companion.games.line.hand import BIG_6, Hand
from companion.games.line.line import TILE_SET, TilePlayed
from companion.games.round import Stage
from companion.presentation.game import GamePresentation, HandResult
from companion.presentation.line.keys import LINE_KEYS
from companion.presentation.line.line_of_play import line_before, line_of
from companion.presentation.line.sayings import (
    claim_json,
    describe_entry,
    describe_reason,
    evidence_in_words,
    hand_goes_on,
    is_hidden_holding,
    ruling_json,
    visible_tiles,
    waits_for,
)
from companion.presentation.sayings import say

if TYPE_CHECKING:
    from companion.presentation.drawing.svg import Paper

MAX_LIT: Final = 7
"""The most tiles that are lit in a dispute; more are only named in the sentence."""


class LinePresentation(GamePresentation):
    """The presentation of games with a line of play: open ends, their count, chips and rulings."""

    where_key = "where.boneyard"
    keys = LINE_KEYS

    def __init__(self, of_count: Callable[[int], int] = fives) -> None:
        self._of_count = of_count

    def game_json(self, state: AnyState) -> Json:
        """Returns `stock`: the points left in each seat's own chips, or None without chips."""
        chips = chips_of(state)
        return {"stock": {seat: chips.left(seat) for seat in state.seats} if chips else None}

    def entry_json(self, state: AnyState, now: AnyState | None = None) -> Json:
        """Returns `ends` and `count`, and `ruling` for the entry that closed a claim
        (docs/tally.md)."""
        counted, found = ends_counted(state), Json()
        if counted is not None:
            found["ends"] = None if counted.ends is None else list(counted.ends)
            found["count"] = counted.count
        if ruling := ruling_of(state):
            hidden = now is not None and hand_goes_on(state.effect.hand, now)
            found["ruling"] = {
                "seat": ruling.seat,
                "turn": ruling.turn,
                "verdict": ruling.verdict,
                "result": ruling.result,
                "by": ruling.by,
                "tiles": [] if hidden else list(ruling.tiles),
            }
        return found

    def reason_text(self, state: AnyState) -> str:
        """Returns the count with its terms: “10+0 = 10”; "" if there is none."""
        counted = ends_counted(state)
        if counted is None or counted.count is None:
            return ""
        sum_of = "+".join(map(str, counted.parts))
        return f"{sum_of} = {counted.count}" if len(counted.parts) > 1 else f"{counted.count}"

    def ruling_text(self, state: AnyState) -> str:
        """Returns how the entry before this state closed a claim; "" if it closed none."""
        ruling = ruling_of(state)
        if ruling is None:
            return ""
        return f"{ruling.seat} is {ruling.result} by the {ruling.by} ({ruling.verdict})"

    def next_lead(self, lead: str) -> str:
        """Returns who leads the next hand: “next: Blue leads”, or that the highest double leads."""
        return "next: the highest double leads" if lead == BIG_6 else f"next: {lead} leads"

    def draw(self, state: AnyState, paper: "Paper", *, stand_alone: bool = True) -> str:
        """Returns the line of play as SVG, or a text in its place if only scores are entered. On a
        page, the tiles of a claim's verdict have a bright rim."""
        from companion.presentation.line.drawing import draw_line, draw_scores_only

        hand = state.board.hand
        if hand is not None and hand.round.scores_only:
            return draw_scores_only(paper, stand_alone=stand_alone)
        found = None if stand_alone else judged_claim(state)
        lit = visible_tiles(found, state) if found else ()
        return draw_line(line_of(hand), paper, stand_alone=stand_alone, lit=lit)

    def tiles_on_table(self, state: AnyState) -> list[str]:
        """Returns the tiles of the line. Raises SetupError if one isn't in the record."""
        if state.board.hand is None:
            return super().tiles_on_table(state)
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

    def judge_json(self, state: AnyState) -> Json:
        """Returns the tiles or pips shown for the open claim, the evidence with its tiles, and
        whether the turn was a draw or a pass."""
        found = judged_claim(state)
        if found is None:
            return {}
        told, shown = Json(), found.claim.shown
        if shown is not None:
            tiles = None if shown.tiles is None else [str(one) for one in shown.tiles]
            told["holding"] = {"pips": shown.pips, "tiles": tiles}
        if found.turn is not None:
            told["evidence"] = evidence_in_words(found.hand, found.turn, found.claim.verdict)
            told["turn"] = "draw" if isinstance(found.turn.did, TilesDrawn) else "pass"
        return told

    def draw_proof(self, state: AnyState, paper: "Paper") -> str | None:
        """Returns the line at the disputed draw or pass, with the tiles in question below it; None
        without a claim, or if the draw or pass was not entered."""
        from companion.presentation.line.drawing import draw_proof

        found = judged_claim(state)
        if found is None or found.turn is None:
            return None
        tiles = visible_tiles(found, state)
        lit = tiles if len(tiles) <= MAX_LIT else ()
        return draw_proof(line_before(found.hand, found.turn), paper, lit)

    # ------------------------------------------------------------ a moment

    describe_entry = staticmethod(describe_entry)
    hides_entry = staticmethod(is_hidden_holding)
    waits_for = staticmethod(waits_for)

    def hand_result(self, state: AnyState) -> HandResult | None:
        hand = state.board.hand
        over = hand is not None and hand.round.stage is Stage.OVER
        return HandResult(hand.round.winner) if over else None

    def describe_reason(self, entry: Entry, state: AnyState) -> Json | None:
        """Returns the count with its terms or, at a hand's end, the pips."""
        if self._of_count is no_points and isinstance(entry, TilePlayed):
            return None
        return describe_reason(entry, state)

    def is_spoiler(self, notice: Notice, hand_number: int, now: AnyState) -> bool:
        """Returns whether the notice shows a proven bogus play that somebody may still call:
        players are to notice it themselves."""
        board = board_of(now)
        watched = board.open_to_calls if board is not None else None
        if notice.kind is not BogusNotice.PROVEN or watched is None or watched.bogus is not None:
            return False
        hand = watched.hand
        if hand_number < hand.round.number:
            return False
        turns = (turn for turn in hand.draws_and_passes if turn.number == notice["turn"])
        return any(turn.seat == notice["seat"] and may_call(now, turn.seat) for turn in turns)

    def reveals_holding(self, notice: Notice, hand_number: int, now: AnyState) -> bool:
        """Returns whether the notice shows a bogus play whose proof may rest on a holding that was
        shown in a claim, and the hand with that play still goes on."""
        board, hand = board_of(now), now.board.hand
        if notice.kind is not BogusNotice.PROVEN or board is None or board.watched is None:
            return False
        if not board.watched.showed or not hand_goes_on(hand_number, now):
            return False
        laid = {str(tile) for tile in TILE_SET.tiles_in(hand.line.laid_for_sure)}
        named = dict(notice.fields)["tiles"]
        return not isinstance(named, list) or not laid.issuperset(named)

    def describe_notice(self, notice: Notice, after: AnyState) -> Json:
        """Returns the notice as a sentence. If it is about a turn, the sentence says which of the
        seat's turns it was."""
        fields, hand = dict(notice.fields), after.board.hand
        number = fields.get("turn")
        if isinstance(number, int) and hand is not None:
            go = hand.table_turn_number(hand.turn(number))
            fields |= {"go": go, "which": ordinal(go)}
        return say(f"notice.{notice.kind.value}", **fields)

    def moment_json(self, state: AnyState) -> Json:
        """Returns the claim and the ruling. Unless only scores are entered, also the line of play,
        and the numbers of tiles held and in the boneyard, as far as they were counted."""
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
        """Returns the line. Leaves out the count in games in which no count scores. In games in
        which other counts than fives can score, a key shows whether this one does."""
        line = line_of(hand)
        table: Json = {"kind": "line", **_to_json(line)}
        if self._of_count is no_points:
            table["count"] = None
        elif self._of_count is not fives:
            table["scores"] = self._of_count(line.count or 0) > 0
        return table


def _disputed_line(state: AnyState) -> Json | None:
    """Returns the line at the disputed draw or pass; None without a claim, or if the draw or pass
    was not entered."""
    found = judged_claim(state)
    if found is None or found.turn is None:
        return None
    return {"kind": "line", **_to_json(line_before(found.hand, found.turn))}


def _to_json(value: Any) -> Any:
    """Returns the value for JSON, with dataclasses as objects and tuples as lists."""
    if isinstance(value, tuple):
        return [_to_json(one) for one in value]
    names = _fields_of(value.__class__)
    return {name: _to_json(getattr(value, name)) for name in names} if names else value


@cache
def _fields_of(kind: type) -> tuple[str, ...]:
    """Returns the names of a dataclass's fields; none if `kind` isn't a dataclass."""
    return tuple(one.name for one in fields(kind)) if is_dataclass(kind) else ()
