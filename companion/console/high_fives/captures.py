"""What a tile captures: the tile that it takes, and a pair that lies there besides."""

from typing import ClassVar

from companion.console.frame import WIDTH, Canvas
from companion.console.high_fives.halves import KeyedTiles, format_tile
from companion.console.in_play import opened
from companion.console.layout import draw_question
from companion.console.lists import Choices, draw_title
from companion.console.screen import Item, Outcome, Screen, View, keep
from companion.core.seats import Seat
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.high_fives.rules import TableauBoard
from companion.presentation.high_fives.short import many
from companion.presentation.keys import Open, OpenAnswer, OpenQuestion

MOST_LISTED = 9
"""Pairs in a list, each with a digit; where there are more, one of its tiles is keyed first."""


def ask_or_keep(found: Open, seat: Seat, parent: Screen[TableauBoard]) -> Outcome[TableauBoard]:
    """Asks which tile is taken, where that is open; then the same of a pair that lies there; else
    keeps the turn."""
    takes, pair = found.question("takes"), found.question("pair")
    if found.entry is None and takes is not None:
        return Outcome(_list_of(takes, seat, parent))
    assert found.entry is not None, "nothing else is open about a tile"
    if pair is None:
        return keep(found.entry)
    if len(pair.answers) - 1 > MOST_LISTED:
        return Outcome(KeyPair(question=pair, seat=seat, parent=parent))
    return Outcome(_list_of(pair, seat, parent))


def _list_of(question: OpenQuestion, seat: Seat, parent: Screen[TableauBoard]) -> "ChooseCapture":
    """A list of the answers: with the digit 0 that nothing is taken, where that may be."""
    none = without(question)

    def item(answer: OpenAnswer) -> Item[TableauBoard]:
        def chosen(view: View[TableauBoard], _list: Screen[TableauBoard]) -> Outcome[TableauBoard]:
            if question.name == "pair":
                return keep(answer.entry)
            found = opened(view, answer.entry, begun=False)
            assert isinstance(found, Open), "answers are what the rules take"
            return ask_or_keep(found, seat, parent)

        return answer.label["words"], chosen

    others = (item(answer) for answer in question.answers if answer != none)
    items = (item(none) if none else None, *others)
    return ChooseCapture(1 if none else 0, question.label["words"], items, parent, seat)


def without(question: OpenQuestion) -> OpenAnswer | None:
    """The answer that nothing is taken; None: something has to be."""
    return next((answer for answer in question.answers if "tiles" not in answer.more), None)


@dataclass(frozen=True, slots=True)
class ChooseCapture(Choices[TableauBoard]):
    """What is taken, the most valuable first; 0: nothing."""

    digits: ClassVar = range(10)

    def numbers(self, _view: View[TableauBoard]) -> tuple[int, ...]:
        """From 0; from 1 where something has to be taken."""
        return tuple(number for number, item in enumerate(self.items()) if item and number < 10)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyPair(KeyedTiles):
    """Many pairs lie there, more than digits are: one of its tiles is keyed, which a page has
    tapped, and then the other, if it has several partners. OK alone: no pair."""

    question: OpenQuestion
    seat: Seat
    parent: Screen[TableauBoard]

    plays: ClassVar = False

    @property
    def explains(self) -> bool:
        """What its keys do stands in the lowest line."""
        return True

    def whose(self, _view: View[TableauBoard]) -> Seat:
        """Who lays the tile."""
        return self.seat

    def _pairs(self) -> tuple[OpenAnswer, ...]:
        """Those with the tile that is keyed; without one, all."""
        keyed = str(self.tiles[0]) if self.tiles else None
        pairs = (answer for answer in self.question.answers if "tiles" in answer.more)
        return tuple(pair for pair in pairs if keyed is None or keyed in pair.more["tiles"])

    def accept(self, _view: View[TableauBoard]) -> Outcome[TableauBoard]:
        """OK: this pair; of several, it is asked which."""
        if not self.keyed:
            return keep(self.question.answers[0].entry)
        if not self.tiles:
            return self.refuse("Key both halves of one of its tiles, then OK.")
        pairs = self._pairs()
        if not pairs:
            return self.refuse(phrase("{tile} is in no pair that lies there.", tile=self.tiles[0]))
        if len(pairs) == 1:
            return keep(pairs[0].entry)
        asked = self.question._replace(answers=(self.question.answers[0], *pairs))
        return Outcome(_list_of(asked, self.seat, self))

    def leave(self, _view: View[TableauBoard]) -> Outcome[TableauBoard]:
        """BACK without digits: to the tile."""
        return Outcome(self.parent)

    def draw(self, _view: View[TableauBoard], canvas: Canvas) -> None:
        """How many there are, the tile, and what it makes."""
        pairs = self._pairs()
        draw_title(canvas, self.question.label["words"])
        canvas.text(0, 32, format_tile(self.keyed), "caps")
        if not self.tiles:
            canvas.text(0, 12, phrase("{number} pairs lie there:", number=len(pairs)))
            canvas.text(0, 20, "key one of its tiles.")
        elif len(pairs) == 1:
            canvas.text(0, 12, pairs[0].label["words"])
        else:
            canvas.text(0, 12, phrase("It is in {pairs}.", pairs=many(len(pairs), "pair")))
        hint = "OK" if self.tiles else "OK alone: no pair"
        canvas.text(2, 56, phrase("{hint}   BACK", hint=hint))
        canvas.invert(0, 7, WIDTH)
        if self.why_not:
            draw_question(canvas, self.why_not, "OK: go on")
