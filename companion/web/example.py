"""An example evening that plays itself on the first page while nobody plays, for people without
dominoes.

The package has its entries as a tally. A page asks for one moment after another, at its own pace,
and shows each as it shows the table's. The record keeps nothing of it, and the loop knows nothing
of it. Once there is a game on the table, there is no example any more.
"""

from collections import OrderedDict
from functools import cached_property
from pathlib import Path
from typing import Final

from companion.core.values import Json
from companion.presentation import moment as moment_module
from companion.presentation.drawing.paper import Paper
from companion.presentation.game import PresentedGames, rules_of
from companion.presentation.moment import Moment, describe
from companion.record.journal import Journal
from companion.record.tally import play_tally, read_tally

TALLY: Final = Path(moment_module.__file__).with_name("example.tally")
MOST_KEPT: Final = 32
"""How many moments are kept for other pages that watch at the same time."""


class Example:
    """The example evening, played by the rules of `games`."""

    def __init__(self, games: PresentedGames) -> None:
        self._games = games
        self._told: OrderedDict[tuple[int, Paper], Json] = OrderedDict()

    @cached_property
    def _played(self) -> tuple[Journal[object], ...]:
        """The game after each of the tally's entries; read when somebody first watches."""
        rules = rules_of(self._games)
        tally = read_tally(TALLY.read_text("utf-8"), rules)
        return tuple(one.journal for one in play_tally(tally, rules))

    def moment(self, number: int, paper: Paper) -> Json:
        """The moment after the entry `number`, counted from 1, with its drawing on `paper`, and the
        number of the `last` entry. Raises IndexError if there is no such entry."""
        asked = number, paper
        if asked not in self._told:
            last = len(self._played)
            if not 0 < number <= last:
                raise IndexError(number)
            moment = Moment(self._games, journal := self._played[number - 1])
            drawing = moment.presentation.draw(journal.state, paper, stand_alone=False)
            self._told[asked] = {"last": last, "drawing": drawing, "moment": describe(moment)}
            if len(self._told) > MOST_KEPT:
                self._told.popitem(last=False)
        self._told.move_to_end(asked)
        return self._told[asked]
