"""Keeping what belongs to a call of bogus play."""

from companion.console.screen import Outcome, View, keep
from companion.console.screens.chips_to_move import then_move
from companion.games.bogus.board import chips_of, ruling_of
from companion.games.bogus.claim import RuledBy
from companion.games.game import Entry, State
from companion.games.line.hand import LineBoard
from companion.record.rows import Step


def keep_in_call(
    view: View[LineBoard], after: State[LineBoard], entry: Entry
) -> Outcome[LineBoard]:
    """Keeps an entry that belongs to a call of bogus play. Where the table's ruling takes back what
    was paid, says which chips go back; a ruling by the record says so itself."""
    ruling = ruling_of(after)
    if ruling is not None and ruling.by is RuledBy.TABLE and _takes_back(view.state, after):
        return then_move(view, after, Step((entry,), joined=True))
    return keep(entry, joined=True)


def _takes_back(before: State[LineBoard], after: State[LineBoard]) -> bool:
    """Whether chips that were paid go back, perhaps under what is paid instead."""
    if any(payment.points < 0 for payment in after.effect.payments):
        return True
    chips_before, chips_after = chips_of(before), chips_of(after)
    assert chips_before is not None, "only games with chips know a bogus play"
    assert chips_after is not None, "only games with chips know a bogus play"
    stocks = zip(chips_before.stocks.values, chips_after.stocks.values, strict=True)
    return any(is_now.points > was.points for was, is_now in stocks)
