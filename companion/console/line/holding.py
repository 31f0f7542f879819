"""Screens for keying a seat's holding as tiles or as pips, at the end of a hand or in a claim; and
the question asked before an entry is stored that disagrees with the counted tiles.

Such an entry is never refused, because a forgotten DRAW is the most common mistake at a table. But
the display explains the discrepancy before chips are paid.
"""

from companion.console.frame import Canvas
from companion.console.in_play import KeyedHolding, blocked_question, miscounted, tile_lines
from companion.console.layout import TableLayout, draw_table
from companion.console.line.turn import aloud, count_or_tiles, mark
from companion.console.screen import (
    Outcome,
    Screen,
    View,
    keep,
    scores_of,
    settlement_words,
    try_entry,
    who_pays,
)
from companion.console.screens.chips import keep_and_move_chips
from companion.console.screens.confirm import ConfirmEntry
from companion.core.errors import RuleError
from companion.core.keys import Key
from companion.core.seats import display_name
from companion.core.values import dataclass
from companion.core.words import Sentence, counted, phrase
from companion.games.bogus.calls import RuledBy, chips_of, hand_in_question, ruling_of
from companion.games.entries import HandBlocked, HoldingShown, PipsShown, TotalPipsShown, WentOut
from companion.games.game import Entry, Notice, Payment, State
from companion.games.line.hand import Hand, LineBoard, LineNotice, hand_of
from companion.games.line.line import TILE_SET
from companion.games.round import RoundNotice
from companion.presentation.line.sayings import settled_pips
from companion.presentation.payments import exchange_in_short
from companion.record.rows import Step


def keep_or_confirm(
    view: View[LineBoard], entry: Entry, title: str, parent: Screen[LineBoard] | None
) -> Outcome[LineBoard]:
    """Stores `entry` at once if nothing about it is doubtful; otherwise asks first, under `title`.
    BACK leads from there to `parent`."""
    text = doubt(view, entry)
    return Outcome(ConfirmEntry(title, text, entry, parent)) if text else keep(entry)


def doubt(view: View[LineBoard], entry: Entry) -> str:
    """Returns a sentence about how `entry` contradicts the counted tiles; empty if it doesn't, or
    if the rules refuse the entry."""
    after = try_entry(view, entry)
    if isinstance(after, RuleError):
        return ""
    notices = {notice.kind: notice for notice in after.effect.notices}
    hand = hand_in_question(view.state)
    assert hand is not None, "it is about a hand"
    match entry:
        case WentOut(seat) if RoundNotice.COUNT_DOUBTFUL in notices:
            return phrase(
                "By the count {seat} still holds {tiles}. Was a play forgotten, or is "
                "{seat} really out?",
                seat=display_name(seat),
                tiles=counted("1 tile", "{number} tiles", hand.round.held[seat]),
            )
        case HandBlocked():
            return _why_not_blocked(hand, notices.get(LineNotice.CONTRADICTION))
        case HoldingShown(seat, tiles) if RoundNotice.COUNT_DOUBTFUL in notices:
            return miscounted(seat, hand.round.held[seat], len(tiles))
    return ""


def _capitalized(text: object) -> str:
    """Returns the sentence with a capital at its beginning."""
    template = text.template if isinstance(text, Sentence) else str(text)
    parts = text.parts if isinstance(text, Sentence) else {}
    return Sentence.made(template[:1].upper() + template[1:], parts)


def _why_not_blocked(hand: Hand, contradiction: Notice | None) -> str:
    """Returns the doubt whether a hand is blocked, with a question to confirm it: because there are
    tiles left to draw, or because the record knows a tile that fits (`contradiction`). Empty if
    there is no doubt."""
    if contradiction is not None:
        return phrase("{doubt}. Can nobody play at all?", doubt=_capitalized(contradiction["text"]))
    left = hand.round.boneyard - hand.round.leave
    if left <= 0 or hand.line.nothing_fits:
        return ""
    return blocked_question(left)


# ---------------------------------------------------------------- in a call


def keep_in_call(
    view: View[LineBoard], after: State[LineBoard], entry: Entry
) -> Outcome[LineBoard]:
    """Stores an entry that belongs to a call of bogus play and leads to the state `after`. If a
    ruling by the table reverses a payment, a screen then shows which chips go back. If the record
    ruled, its ruling's own screen shows that."""
    ruling = ruling_of(after)
    if (
        ruling is not None
        and ruling.by is RuledBy.TABLE
        and _is_payment_reversed(view.state, after)
    ):
        return keep_and_move_chips(view, after, Step((entry,), joined=True))
    return keep(entry, joined=True)


def _is_payment_reversed(before: State[LineBoard], after: State[LineBoard]) -> bool:
    """Returns whether chips that were paid go back, either all of them or as part of a new
    payment."""
    chips_before, chips_after = chips_of(before), chips_of(after)
    if chips_before is None or chips_after is None:
        return False
    if any(payment.points < 0 for payment in after.effect.payments):
        return True
    stocks = zip(chips_before.stocks.values, chips_after.stocks.values, strict=True)
    return any(is_now.points > was.points for was, is_now in stocks)


# ---------------------------------------------------------------- the screen

_NO_HALF = phrase("Half a tile has 0 to 6 pips.")
MAX_PIPS_DIGITS = TILE_SET.pips


@dataclass(frozen=True, slots=True)
class KeyHolding(KeyedHolding[LineBoard]):
    """Asks what a seat holds: each tile as its two halves, then OK. DRAW changes to pips, keyed as
    one number, and back.

    `claim`: whether the holding is shown in a claim. Its tiles are then drawn as dots, because the
    hand may go on. `tiles`: whether tiles are keyed; None if the setting `holding` decides."""

    claim: bool = False
    tiles: bool | None = None

    def keys(self, view: View[LineBoard]) -> tuple[Key, ...]:
        """Returns the digits, OK, DRAW for the other way, and the other keys of the screen."""
        digits = (Key(str(digit)) for digit in range(7 if self.by_tiles(view) else 10))
        skip = () if self.claim else (Key.BOGUS,)
        return (*digits, Key.OK, Key.DRAW, *skip, Key.BACK, Key.MENU)

    def by_tiles(self, view: View[LineBoard]) -> bool:
        return KeyedHolding.by_tiles(self, view) if self.tiles is None else self.tiles

    def together(self, view: View[LineBoard]) -> bool:
        """Returns whether pips are keyed as one total: that of all pips that count at the end of a
        hand or, in a call, that of all tiles that are not on the table."""
        counts = self.claim or hand_of(view.state).round.out is not None
        return counts and view.has_entry(TotalPipsShown)

    def entry(self, view: View[LineBoard]) -> Entry | str:
        entry = KeyedHolding.entry(self, view)
        if isinstance(entry, PipsShown) and self.together(view):
            return TotalPipsShown(entry.pips)
        return entry

    def digit(self, view: View[LineBoard], digit: int) -> Outcome[LineBoard]:
        tiles = self.by_tiles(view)
        takes = len(self.keyed) < (56 if tiles else 3) and (digit <= 6 or not tiles)
        keyed = (*self.keyed, digit) if takes else self.keyed
        why_not = (
            None
            if takes
            else _NO_HALF
            if tiles
            else phrase("The whole set has {pips} pips.", pips=MAX_PIPS_DIGITS)
        )
        return self.with_digits(keyed).refuse(why_not)

    def called(self, tile: str) -> str:
        return phrase("A tile") if self.claim else tile

    def confirm(
        self, view: View[LineBoard], entry: Entry, after: State[LineBoard]
    ) -> Outcome[LineBoard]:
        if self.claim:
            return keep_in_call(view, after, entry)
        return keep_or_confirm(view, entry, phrase("Is that all?"), self)

    def other_way(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """DRAW changes from tiles to pips, or back; in a claim only for this time, otherwise in the
        setting `holding`."""
        if self.tiles is None:
            return KeyedHolding.other_way(self, view)
        return Outcome(KeyHolding(self.seat, self.claim, not self.tiles))

    def leave(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """BACK without digits offers to take back the last entry; in a claim it returns to the
        verdict."""
        return Outcome(None) if self.claim else KeyedHolding.leave(self, view)

    def draw(self, view: View[LineBoard], canvas: Canvas) -> None:
        """Draws what is keyed. The large number is the payment that the pips lead to, or the pips
        so far if they lead to none; in a claim by tiles, it is how many tiles are keyed."""
        draw_table(canvas, self._table_layout(view))
        self.draw_why_not(canvas)

    def _table_layout(self, view: View[LineBoard]) -> TableLayout:
        state, tiles = view.state, self.by_tiles(view)
        paid, pips = self._expected_payment(view)
        whole = self.together(view) and not tiles
        number, label = count_or_tiles(view, hand_of(state), self.seat)
        if self._is_hidden(view):
            number, label = str(len(self.complete_tiles().tiles)), phrase("tiles")
        elif self.keyed:
            scores = phrase("pays") if "rounding" in state.options else phrase("points")
            number, label = (str(abs(paid.points)), scores) if paid else (str(pips), phrase("pips"))
        return TableLayout(
            seat=phrase("All") if whole else display_name(self.seat),
            number=number,
            label=label,
            need=self._prompt(view),
            ends=phrase("DRAW: tiles or pips"),
            keyed_label=phrase("tiles") if tiles else phrase("pips"),
            tiles=tile_lines(self.keyed, TILE_SET.halves, hidden=self.claim) if tiles else (),
            keyed="" if tiles else self.text or "_",
            chips=exchange_in_short(paid) if paid else "",
            say=self._payment_line(view, paid, pips) if paid else "",
            scores=scores_of(state),
            mark="" if self.claim else mark(view),
            second=aloud(view) if not self.keyed else "",
        )

    def _payment_line(self, view: View[LineBoard], paid: Payment, pips: int) -> str:
        """Returns who pays whom, with the pips if they are rounded."""
        if "rounding" not in view.state.options:
            return who_pays(paid, view.language)
        return settlement_words(pips, paid, view.colour(paid.payer), view.language)

    def _is_hidden(self, view: View[LineBoard]) -> bool:
        """Returns whether the tiles are drawn as dots: a claim shows its tiles only to people at
        the table."""
        return self.claim and self.by_tiles(view)

    def _prompt(self, view: View[LineBoard]) -> str:
        """Returns the prompt. In a claim by tiles it includes the number of tiles expected."""
        if self._is_hidden(view):
            hand = hand_in_question(view.state)
            assert hand is not None, "a holding is shown in a hand"
            held = hand.round.held[self.seat]
            return phrase("which {held} tiles?", held=held) if held > 1 else phrase("which tiles?")
        return phrase("which tiles?") if self.by_tiles(view) else phrase("how many pips?")

    def _expected_payment(self, view: View[LineBoard]) -> tuple[Payment | None, int]:
        """Returns the payment that OK would lead to now, and its pips; if there is none, None and
        the pips keyed so far."""
        tiles = self.by_tiles(view)
        pips = self.complete_tiles().pips if tiles else self.number
        asked = self.keyed and not self._is_hidden(view)
        whole = self.together(view) and not tiles
        entry = TotalPipsShown(pips) if whole else PipsShown(self.seat, pips)
        after = try_entry(view, entry) if asked else None
        if after is None or isinstance(after, RuleError) or not after.effect.payments:
            return None, pips
        paid = after.effect.payments[-1]
        return paid, pips if self.claim else settled_pips(after, paid)
