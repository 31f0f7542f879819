"""What a tile captures: the tile that it takes, and a pair that lies there besides. The answers are
those of pages; since a list fills the display, the box asks one question after the other."""

from typing import ClassVar

from companion.console.in_play import opened
from companion.console.lists import Choices
from companion.console.screen import Item, Outcome, Screen, View, keep
from companion.core.seats import Seat
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.high_fives.board import TableauBoard
from companion.presentation.high_fives.short import many
from companion.presentation.keys import Open, OpenAnswer, OpenQuestion

MOST_LISTED = 9
"""Pairs in a list, each with a digit; of more, one of its tiles is chosen first."""


def ask_or_keep(found: Open, seat: Seat, parent: Screen[TableauBoard]) -> Outcome[TableauBoard]:
    """Asks which tile is taken, where that is open; then which pair, where one lies there; else
    keeps the turn."""
    takes, pair = found.question("takes"), found.question("pair")
    if found.entry is None and takes is not None:
        return Outcome(_list_of(takes, seat, parent))
    assert found.entry is not None, "nothing else is open about a tile"
    return keep(found.entry) if pair is None else Outcome(_list_of(pair, seat, parent))


def _list_of(question: OpenQuestion, seat: Seat, parent: Screen[TableauBoard]) -> "ChooseCapture":
    """A list of the answers: with the digit 0 that nothing is taken, where that may be. More pairs
    than there are digits stand under their tiles, as on a page."""
    none = without(question)
    others = tuple(answer for answer in question.answers if answer != none)

    def item(*answers: OpenAnswer) -> Item[TableauBoard]:
        def chosen(view: View[TableauBoard], _list: Screen[TableauBoard]) -> Outcome[TableauBoard]:
            if question.name == "pair":
                return keep(answers[0].entry)
            found = opened(view, answers[0].entry, begun=False)
            assert isinstance(found, Open), "answers are what the rules take"
            return ask_or_keep(found, seat, parent)

        return answers[0].label["words"], chosen

    def items_under(tile: str) -> Item[TableauBoard]:
        under = tuple(answer for answer in others if tile in answer.more["under"])
        if len(under) == 1:
            return item(*under)
        asked = question._replace(answers=(*((none,) if none else ()), *under))
        label = phrase("{tile}: {pairs}", tile=tile, pairs=many(len(under), "pair"))
        return label, lambda _view, tiles: Outcome(_list_of(asked, seat, tiles))

    tiles = dict.fromkeys(tile for answer in others for tile in answer.more.get("under", ()))
    many_pairs = len(others) > MOST_LISTED and bool(tiles)
    items = map(items_under, tiles) if many_pairs else map(item, others)
    nothing = item(none) if none else None
    heading = question.label["words"]
    return ChooseCapture(1 if none else 0, heading, (nothing, *items), parent, seat)


def without(question: OpenQuestion) -> OpenAnswer | None:
    """The answer that takes nothing; None if something must be taken."""
    return next((answer for answer in question.answers if "tiles" not in answer.more), None)


@dataclass(frozen=True, slots=True)
class ChooseCapture(Choices[TableauBoard]):
    """What is taken, the most valuable first; 0: nothing."""

    digits: ClassVar = range(10)

    def numbers(self, _view: View[TableauBoard]) -> tuple[int, ...]:
        """The digits of the answers, from 0; from 1 where something has to be taken."""
        return tuple(number for number, item in enumerate(self.items()) if item and number < 10)
