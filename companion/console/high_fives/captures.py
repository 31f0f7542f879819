"""What a tile captures: the tile that it takes, and a pair that lies in the tableau besides. The
answers are the same as on pages; since a list fills the display, the box asks one question after
the other."""

from typing import ClassVar

from companion.console.in_play import opened
from companion.console.lists import Choices
from companion.console.screen import Item, Outcome, Screen, View, keep
from companion.core.seats import Seat
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.high_fives.board import HighFivesBoard
from companion.presentation.keys import Open, OpenAnswer, OpenQuestion
from companion.presentation.short import many

MOST_LISTED = 9
"""Pairs that a list can show, each with a digit. If there are more, people first choose one tile of
the pair."""


def ask_or_keep(found: Open, seat: Seat, parent: Screen[HighFivesBoard]) -> Outcome[HighFivesBoard]:
    """Asks which tile is taken, if that is open; then which pair, if one can be taken; else keeps
    the turn."""
    takes, pair = found.question("takes"), found.question("pair")
    if found.entry is None and takes is not None:
        return Outcome(_list_of(takes, seat, parent))
    assert found.entry is not None, "nothing else is open about a tile"
    return keep(found.entry) if pair is None else Outcome(_list_of(pair, seat, parent))


def _list_of(question: OpenQuestion, seat: Seat, parent: Screen[HighFivesBoard]) -> "ChooseCapture":
    """A list of the answers; 0 takes nothing, if that is allowed. If there are more pairs than
    digits, the list has their tiles, each of which opens its pairs, as on a page."""
    none = without(question)
    others = tuple(answer for answer in question.answers if answer != none)

    def item(*answers: OpenAnswer) -> Item[HighFivesBoard]:
        def chosen(
            view: View[HighFivesBoard], _list: Screen[HighFivesBoard]
        ) -> Outcome[HighFivesBoard]:
            if question.name == "pair":
                return keep(answers[0].entry)
            found = opened(view, answers[0].entry, begun=False)
            assert isinstance(found, Open), "answers are what the rules take"
            return ask_or_keep(found, seat, parent)

        return answers[0].label["words"], chosen

    def items_under(tile: str) -> Item[HighFivesBoard]:
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
class ChooseCapture(Choices[HighFivesBoard]):
    """A list of what can be taken, the most valuable first; 0: nothing."""

    digits: ClassVar = range(10)

    def numbers(self, _view: View[HighFivesBoard]) -> tuple[int, ...]:
        """The digits of the answers, from 0, or from 1 if something has to be taken."""
        return tuple(number for number, item in enumerate(self.items()) if item and number < 10)
