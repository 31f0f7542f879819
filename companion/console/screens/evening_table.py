"""The evening's table: how many games everybody has won, across all games and seats; then the
games, each with who won it."""

from typing import ClassVar

from companion.console.frame import WIDTH, Canvas
from companion.console.lists import draw_slider, draw_title
from companion.console.paged import MORE, WithPages
from companion.console.screen import Actions, Outcome, Screen, View
from companion.console.words import EveningGame, wins_of
from companion.core.keys import Key
from companion.core.seats import shown
from companion.core.values import dataclass
from companion.core.words import listed, phrase
from companion.games.game import B

ROWS = 6
"""Lines between the title and the foot."""
EDGE = WIDTH - 5
"""Where numbers end: the slider stands at the right edge."""
GameLine = tuple[str, str]
"""A line's text at the left and at the right."""


@dataclass(frozen=True, slots=True)
class EveningTable(WithPages[B]):
    """Shows the evening's table. OK and BACK lead to `then`."""

    then: Screen[B]

    plays: ClassVar = False

    def on(self) -> Actions[B]:
        return {Key.OK: self._go_on, Key.BACK: self._go_on, Key.DRAW: self.more}

    def keys(self, view: View[B]) -> tuple[Key, ...]:
        """The keys, with DRAW only if there is more to read."""
        return (Key.OK, Key.BACK, *self.more_keys(view))

    def _go_on(self, _view: View[B]) -> Outcome[B]:
        return Outcome(self.then)

    def pages(self, view: View[B]) -> int:
        """How many pages the lines take, ROWS on each."""
        return -(-len(lines_of(view)) // ROWS)

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """Who has won how many, then the games."""
        lines = lines_of(view)
        first = self.page % max(self.pages(view), 1) * ROWS
        games = len(view.evening_games())
        draw_title(canvas, phrase("This evening: {games} games", games=games))
        for row, (left, right) in enumerate(lines[first : first + ROWS], 1):
            canvas.right(EDGE, 8 * row, right)
            canvas.text(0, 8 * row, left, room=EDGE - canvas.width(right) - 4)
        canvas.text(2, 56, phrase("OK: go on"))
        if len(lines) > ROWS:
            draw_slider(canvas, first, len(lines), ROWS)
            canvas.right(WIDTH, 56, MORE)
        canvas.invert(0, 7, WIDTH)


def lines_of(view: View[B]) -> list[GameLine]:
    """The table's lines: the people, the one with the most wins first; then the games."""
    games = view.evening_games()
    players = [
        (shown(name), phrase("{number} won", number=number))
        for name, number in wins_of(games).most_common()
    ]
    return [*players, *(_game_line(number, game) for number, game in enumerate(games, 1))]


def _game_line(number: int, game: EveningGame) -> GameLine:
    title = phrase("{number} {title}", number=number, title=game.title)
    if not game.winners:
        return title, phrase("unfinished")
    winners = listed(map(shown, game.winners), " & ")
    points = max(game.scores[name] for name in game.winners)
    return title, phrase("{winners} {points}", winners=winners, points=points)
