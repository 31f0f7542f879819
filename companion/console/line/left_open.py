"""What a club's rules leave to the table, such as partners: asked before a game begins."""

from dataclasses import replace
from typing import ClassVar

from companion.console.frame import WIDTH, Canvas
from companion.console.lists import ListScreen
from companion.console.screen import Outcome, TableWith, View
from companion.console.screens.setup_table import begin
from companion.core.values import dataclass
from companion.games.line.hand import LineBoard
from companion.games.options import Option
from companion.record.rows import Opened


@dataclass(frozen=True, slots=True)
class AskLeftOpen(ListScreen[LineBoard]):
    """Asks for one house rule of the game that is about to begin; the answer begins the game. BACK
    leads to the set-up's table."""

    opened: Opened | None = None
    option: Option | None = None
    table: TableWith[LineBoard] | None = None

    rows: ClassVar = 4

    def _asked(self) -> tuple[Opened, Option]:
        assert self.opened is not None and self.option is not None, "it asks of a game"
        return self.opened, self.option

    def title(self, _view: View[LineBoard]) -> str:
        return self._asked()[1].label

    def lines(self, _view: View[LineBoard]) -> tuple[str, ...]:
        opened, option = self._asked()
        return tuple(option.says(value) for value in option.choices(len(opened.seats)))

    def chosen(self, view: View[LineBoard], at: int) -> Outcome[LineBoard]:
        opened, option = self._asked()
        value = option.choices(len(opened.seats))[at]
        options = {**opened.options, option.name: value}
        return begin(view, replace(opened, options=options))

    def back(self, _view: View[LineBoard]) -> Outcome[LineBoard]:
        assert self.table is not None, "it came from the set-up's table"
        return Outcome(self.table(self._asked()[0].options))

    def draw(self, view: View[LineBoard], canvas: Canvas) -> None:
        """The answers, and below them what the rule means."""
        ListScreen.draw(self, view, canvas)
        meaning = canvas.wrapped(self._asked()[1].meaning, WIDTH - 4)[:2]
        for row, line in enumerate(meaning):
            canvas.text(2, 56 - 8 * (len(meaning) - row), line)
