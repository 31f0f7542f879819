"""What a seat holds at the end of a hand, keyed as tiles or as pips; a wild half is 7 in both."""

from typing import ClassVar

from companion.console.frame import WIDTH, Canvas, TableLayout, cut_names, draw_table, text_width
from companion.console.highrise.tiles import NO_HALF, whole_tiles
from companion.console.holding import KeyedHolding, by_tiles, keyed_twice, miscounted, tile_lines
from companion.console.screen import Actions, Outcome, View, keep, would_be
from companion.console.screens.confirm_entry import ConfirmEntry
from companion.console.words import loud, scores_of
from companion.core.errors import RuleError
from companion.core.keys import Key
from companion.core.seats import shown
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.game import State
from companion.games.highrise.board import HighriseBoard, round_of
from companion.games.highrise.entries import SET, WILD, HeldPipsWithWilds, HeldWithWilds
from companion.games.round import RoundNotice
from companion.presentation.highrise.short import signed
from companion.presentation.language import Language
from companion.record.rows import Setting

MOST_DIGITS = 3
"""Digits of the pips at most."""


@dataclass(frozen=True, slots=True)
class HeldAtEnd(KeyedHolding[HighriseBoard]):
    """Asks what a seat holds: each tile by its two halves, then OK. DRAW changes to pips, keyed as
    one number, and back."""

    as_tiles: ClassVar = HeldWithWilds
    as_pips: ClassVar = HeldPipsWithWilds

    def numbers(self, view: View[HighriseBoard]) -> range:
        """The digits of a half, 0 to 7, or, for pips, all ten."""
        return range(WILD + 1) if by_tiles(view) else range(10)

    def digit(self, view: View[HighriseBoard], digit: int) -> Outcome[HighriseBoard]:
        """Takes one more digit; a tile keyed twice and a number too long are refused."""
        keyed = (*self.keyed, digit)
        if by_tiles(view):
            wrong = NO_HALF if digit > WILD else keyed_twice(whole_tiles(keyed))
        else:
            wrong = (
                phrase("The whole set has {pips} pips.", pips=SET.pips)
                if len(keyed) > MOST_DIGITS
                else ""
            )
        return Outcome(self, refused=wrong) if wrong else Outcome(self.with_digits(keyed))

    def accept(self, view: View[HighriseBoard]) -> Outcome[HighriseBoard]:
        """OK: the holding is complete. Keeps it, after a question if the counted tiles say
        otherwise."""
        entry = self.entry(view)
        if isinstance(entry, str):
            return self.refuse(entry)
        after = would_be(view, entry)
        if isinstance(after, RuleError):
            return self.refuse(after.why)
        doubts = {notice.kind for notice in after.effect.notices}
        if isinstance(entry, HeldWithWilds) and RoundNotice.COUNT_DOUBTFUL in doubts:
            held = round_of(view.state).held[self.seat]
            text = miscounted(self.seat, held, len(entry.tiles))
            return Outcome(ConfirmEntry(phrase("Is that all?"), text, entry, self))
        return keep(entry)

    def other_way(self, view: View[HighriseBoard]) -> Outcome[HighriseBoard]:
        """DRAW changes the setting `holding` from tiles to pips, or back."""
        way = "pips" if by_tiles(view) else "tiles"
        return Outcome(HeldAtEnd(self.seat), Setting("holding", way))

    def on(self) -> Actions[HighriseBoard]:
        return {**KeyedHolding.on(self), Key.DRAW: self.other_way}

    def draw(self, view: View[HighriseBoard], canvas: Canvas) -> None:
        """Draws what is keyed, its pips large, and what these score or lose."""
        tiles, out = by_tiles(view), round_of(view.state).out
        ended = phrase("{seat} is out", seat=shown(out)) if out else phrase("Nobody can play")
        table = TableLayout(
            seat=shown(self.seat),
            number=str(self._pips(tiles)) if self.keyed else "",
            label=phrase("pips") if self.keyed else "",
            need=phrase("which tiles? 7: wild") if tiles else phrase("pips? a wild half: 7"),
            ends=phrase("DRAW: tiles or pips"),
            way=phrase("tiles") if tiles else phrase("pips"),
            tiles=tile_lines(self.keyed, SET.halves) if tiles else (),
            keyed="" if tiles else self.text or "_",
            say=self._comes_to(view, tiles) if self.keyed else ended,
            scores=scores_of(view.state),
        )
        draw_table(canvas, table)
        self.draw_why_not(canvas)

    def _pips(self, tiles: bool) -> int:
        """The pips keyed so far."""
        return self.whole_tiles().pips if tiles else self.number

    def _comes_to(self, view: View[HighriseBoard], tiles: bool) -> str:
        """What is scored or lost if nothing more is keyed."""
        now, pips = round_of(view.state), self._pips(tiles)
        if now.out is None:
            return phrase("{seat} loses {pips}", seat=loud(self.seat), pips=pips)
        before = sum(holding.pips for holding in now.shown.values if holding)
        sum_ = f"{before} + {pips} = {before + pips}" if before else str(pips)
        return phrase("{seat} scores {sum}", seat=loud(now.out), sum=sum_)


def lost_line(state: State[HighriseBoard], language: Language) -> str:
    """“Red −3  Blue −14”: the points that a blocked hand took from each seat, in `language`. Names
    are cut so that the line fits."""
    lost = [(language.put(shown(paid.to)), signed(paid.points)) for paid in state.effect.payments]
    besides = sum(text_width(f". {points}  ") - text_width(".") for _, points in lost)
    names = cut_names(tuple(name for name, _ in lost), WIDTH - besides)
    return "  ".join(f"{name} {points}" for name, (_, points) in zip(names, lost, strict=True))
