"""Screens at the end of a game: the winner, the biggest count, the games of the evening, the race
as a chart."""

from typing import ClassVar

from companion.console.fonts import SHORTENED
from companion.console.frame import WIDTH, Canvas
from companion.console.layout import TableLayout, draw_question, draw_table
from companion.console.lists import MORE, PagedScreen, draw_slider, draw_title
from companion.console.screen import (
    ROWS_LOST_SENTENCE,
    Actions,
    EveningGame,
    Outcome,
    Screen,
    View,
    partner_names,
    points_label,
    receiver,
    scored_at_once,
    scores_of,
    who_pays,
    wins_of,
)
from companion.console.screens.changes import offer_undo
from companion.console.screens.set_up import ChooseGame
from companion.core.keys import Key
from companion.core.seats import Seat, Seats, display_name
from companion.core.values import dataclass
from companion.core.words import counted, listed, phrase
from companion.games.game import B, State
from companion.presentation.language import Language
from companion.presentation.payments import exchange_in_short
from companion.record.match import MatchGame
from companion.record.requests import rematch as same_again
from companion.record.rows import GameOpened

# ---------------------------------------------------------------- evening table
# The evening's table: how many games each person has won, whatever the game and seat; then the
# games, each with its winner.


ROWS = 6
"""The number of lines between the title and the foot."""
EDGE = WIDTH - 5
"""The x at which numbers end, left of the slider."""
GameLine = tuple[str, str]
"""The texts at the left and at the right of a line."""


@dataclass(frozen=True, slots=True)
class EveningTable(PagedScreen[B]):
    """Shows the evening's table. OK and BACK lead to `then`."""

    then: Screen[B]

    shows_table: ClassVar = False

    def key_bindings(self) -> Actions[B]:
        return {Key.OK: self._close, Key.BACK: self._close, Key.DRAW: self.next_page}

    def keys(self, view: View[B]) -> tuple[Key, ...]:
        return (Key.OK, Key.BACK, *self.more_keys(view))

    def _close(self, _view: View[B]) -> Outcome[B]:
        return Outcome(self.then)

    def pages(self, view: View[B]) -> int:
        return -(-len(lines_of(view)) // ROWS)

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """Draws how many games each person has won, then the games."""
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
    """Returns the table's lines: the people, with the most wins first; then the games."""
    games = view.evening_games()
    players = [
        (display_name(name), phrase("{number} won", number=number))
        for name, number in wins_of(games).most_common()
    ]
    return [*players, *(_game_line(number, game) for number, game in enumerate(games, 1))]


def _game_line(number: int, game: EveningGame) -> GameLine:
    title = phrase("{number} {title}", number=number, title=game.title)
    if not game.winners:
        return title, phrase("unfinished")
    winners = listed(map(display_name, game.winners), " & ")
    points = max(game.scores[name] for name in game.winners)
    return title, phrase("{winners} {points}", winners=winners, points=points)


# ---------------------------------------------------------------- game over

CHART_X, CHART_Y, CHART_WIDTH, CHART_HEIGHT = 66, 24, 60, 31
LETTER_HEIGHT = 8
"""The least number of rows between two seats' letters beside the chart."""


@dataclass(frozen=True, slots=True)
class GameOver(Screen[B]):
    """Shows the winner. OK asks what comes next, and only a digit answers, because people easily
    press OK once too often."""

    asking: bool = False

    shows_table: ClassVar = True
    hand_is_over: ClassVar = True
    digits: ClassVar = range(1, 5)

    def handle_ok(self, _view: View[B]) -> Outcome[B]:
        return Outcome(GameOver(asking=True))

    def digit(self, view: View[B], digit: int) -> Outcome[B]:
        """Takes the answer: 1 for a rematch; 2 for another game or other seats; 3 for the evening's
        table, if games were played before; 4 for a game of only those who are level in the match.
        Before OK has asked, a digit is ignored, because the player who pressed it hasn't noticed
        the end of the game."""
        if not self.asking or (digit == 3 and not _follows_other_games(view)):
            return Outcome(self)
        if digit == 3:
            return Outcome(EveningTable(self))
        if digit == 4:
            level = _seats_level_in_match(view)
            return Outcome(None, rematch(view, level)) if level else Outcome(self)
        return Outcome(None, rematch(view)) if digit == 1 else Outcome(ChooseGame(parent=self))

    def back(self, view: View[B]) -> Outcome[B]:
        """BACK closes the question of what comes next; without that question, offers to take back
        the last entry, even the winning one."""
        return Outcome(GameOver()) if self.asking else offer_undo(view, self)

    def keys(self, view: View[B]) -> tuple[Key, ...]:
        """Returns the keys that do something: OK, BACK, BOGUS and MENU and, if the question is
        asked, the digits of its answers."""
        later = (Key.D3,) if _follows_other_games(view) else ()
        level = (Key.D4,) if _seats_level_in_match(view) else ()
        answers = (Key.D1, Key.D2, *later, *level) if self.asking else ()
        return (*answers, Key.OK, Key.BACK, Key.BOGUS, Key.MENU)

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """Draws the winner large, facts at the left, the chart at the right."""
        draw_winners(view, canvas)
        top = view.play.draw_scores(view, canvas)
        facts = _fact_lines(view, canvas.language)
        for row, line in enumerate(facts if len(facts) <= top - 2 else facts[:1]):
            canvas.text(0, 16 + 8 * row, line, room=WIDTH if row == 0 else CHART_X - 4)
        if 8 * top >= CHART_Y + CHART_HEIGHT:
            _draw_race(canvas, view)
            _draw_check_word(canvas, view.check_word())
        else:
            canvas.right(WIDTH, CHART_Y, view.check_word())
        if self.asking:
            more = (phrase("3 this evening so far"),) if _follows_other_games(view) else ()
            if level := _seats_level_in_match(view):
                more = (*more, phrase("4 only {seats} play on", seats=partner_names([*level])))
            match, first = _match_game(view), phrase("1 rematch   2 another game")
            if (following := match and match.next(view.state)) and following.extra_games:
                first = phrase("1 extra game {number}  2 another", number=following.extra_games)
            elif following:
                parts = {"number": following.number, "of": following.of}
                first = phrase("1 game {number} of {of}  2 another", **parts)
            draw_question(canvas, phrase("What next?"), first, *more)


@dataclass(frozen=True, slots=True)
class LastPayment(Screen[B]):
    """Shows the payment that won the game; any key leads to the end of the game."""

    shows_table: ClassVar = True
    hand_is_over: ClassVar = True
    digits: ClassVar = range(10)

    def press(self, view: View[B], key: Key) -> Outcome[B]:
        """Goes to the end of the game. BACK also has its effect there; other keys have none."""
        over: Screen[B] = GameOver()
        return over.press(view, key) if key is Key.BACK else Outcome(over)

    def keys(self, _view: View[B]) -> tuple[Key, ...]:
        return (Key.OK, Key.BACK, Key.BOGUS, Key.MENU)

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """Draws the payment in the layout used between hands."""
        state = view.state
        paid = state.effect.payments[-1]
        wins = receiver(paid) in map(display_name, state.winning_side)
        table = TableLayout(
            seat=receiver(paid),
            number=f"+{abs(sum(scored_at_once(state, paid)))}",
            label=points_label(paid),
            need=phrase("wins the game!") if wins else "",
            ends=phrase("all that was left") if paid.owed else "",
            keyed_label="OK",
            chips=exchange_in_short(paid),
            colour=view.colour(paid.payer),
            say=who_pays(paid, view.language),
            scores=scores_of(state),
            pays=True,
        )
        draw_table(canvas, table)


def draw_winners(view: View[B], canvas: Canvas) -> None:
    """Draws the winner's name, large. If the word “wins” doesn't fit after it, the word is small
    and at the right edge. Several winners whose names don't fit are in small letters."""
    winners = listed(map(display_name, view.state.winners), " & ")
    wins = counted("wins", "win", len(view.state.winners))
    name: str = (
        phrase("{winners} {wins}", winners=winners, wins=wins) if winners else phrase("Unfinished")
    )
    if canvas.width(canvas.language.translate(name).upper(), "caps") > WIDTH and winners:
        if len(view.state.winners) > 1:
            for row, line in enumerate(canvas.wrapped(name, WIDTH)[:2]):
                canvas.text(0, 8 * row, line)
            return
        name = winners
        canvas.right(WIDTH, 8, wins)
    canvas.text(0, 0, canvas.capitals(name, WIDTH, "caps", SHORTENED), "caps")


def rematch(view: View[B], only: Seats | None = None) -> GameOpened:
    """Returns the row that begins a rematch with the same game and options, and the same seats or
    `only` these."""
    return same_again(view.game, view.game_number, view.evening, only)


def _follows_other_games(view: View[B]) -> bool:
    """Returns whether other games were played before this one on the same evening."""
    return view.game.opened.evening is not None


def _seats_level_in_match(view: View[B]) -> Seats | None:
    """Returns the seats that share the lead after the last game of a match. None if one leads
    alone, all are level, or there is no match."""
    match = _match_game(view)
    if match is None or not view.state.winners:
        return None
    level = [seat for side in match.after(view.state).level for seat in side]
    return Seats.of(*level) if 1 < len(level) < len(view.state.seats) else None


def _match_game(view: View[B]) -> MatchGame | None:
    """Returns which game of a match this was; None if it belonged to no match."""
    return view.game.opened.match


def _fact_lines(view: View[B], language: Language) -> list[str]:
    """Returns at most five lines in `language`; the first may be long. The others say how many
    games of the match, or of the evening, each side or seat has won."""
    state = view.state
    if match := _match_game(view):
        stands = match.after(state)
        wins = [
            f"{language.translate(partner_names(side))} {number}"
            for side, number in stands.won.items()
        ]
        if match.decided(state) and stands.winner is not None and stands.winner != state.winners:
            head = phrase("{winners} won the match", winners=partner_names(stands.winner))
        elif match.decided(state):
            head = phrase("Match over:")
        else:
            head = phrase("Level: play on") if stands.level else phrase("Match:")
        return [head, *wins][:5]
    won = {seat: view.won.get(seat, 0) + (seat in state.winners) for seat in state.seats}
    reason = state.ended or ""
    games = [f"{language.translate(display_name(seat))} {number}" for seat, number in won.items()]
    evening = [phrase("Evening:")] if len(games) <= 3 else []
    first = ROWS_LOST_SENTENCE if view.game.losses else view.play.highlight(view) or reason
    return [first, *evening, *games][:5]


def _draw_race(canvas: Canvas, view: View[B]) -> None:
    """Draws the points of each seat or side over the entries, each line marked with a letter."""
    states = [view.game.start, *view.game.states]
    top = max(1, *(max(state.scores.values) for state in states))
    canvas.fill(CHART_X, CHART_Y, 1, CHART_HEIGHT)
    canvas.fill(CHART_X, CHART_Y + CHART_HEIGHT - 1, CHART_WIDTH - 6, 1)
    seats = [side[0] for side in view.state.scorers]
    for number, seat in enumerate(seats):
        _draw_line(canvas, [_chart_height(state, seat, top) for state in states], number)
    last = {seat: _chart_height(states[-1], seat, top) for seat in seats}
    y = CHART_Y - LETTER_HEIGHT
    for seat in sorted(last, key=lambda seat: -last[seat]):
        y = max(y + LETTER_HEIGHT, CHART_Y + CHART_HEIGHT - 6 - last[seat])
        y = min(y, CHART_Y + CHART_HEIGHT - 7)
        canvas.text(CHART_X + CHART_WIDTH - 5, y, canvas.language.translate(display_name(seat))[:1])


def _draw_check_word(canvas: Canvas, word: str) -> None:
    """Draws the check word in the top left corner of the chart, which the lines hardly ever reach,
    because no seat has many points at the start."""
    if word:
        canvas.fill(CHART_X + 2, CHART_Y, canvas.width(word) + 2, 8, on=False)
        canvas.text(CHART_X + 3, CHART_Y, word)


def _chart_height(state: State[B], seat: Seat, top: int) -> int:
    return max(0, state.scores[seat]) * (CHART_HEIGHT - 3) // top


def _draw_line(canvas: Canvas, heights: list[int], number: int) -> None:
    """Draws one seat's line in steps. The first seat's line is solid; each further line has wider
    gaps."""
    width, floor = CHART_WIDTH - 9, CHART_Y + CHART_HEIGHT - 2
    columns = [heights[x * (len(heights) - 1) // (width - 1)] for x in range(width)]
    for x, height in enumerate(columns):
        before = columns[x - 1] if x else height
        if number == 0 or x % (number + 2) == 0 or before != height:
            low = min(before, height)
            canvas.fill(CHART_X + 1 + x, floor - height, 1, height - low + 1)
