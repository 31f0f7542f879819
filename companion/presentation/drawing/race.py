"""The race of a game: the points of each seat or side after each entry, as a chart and as a table.
Also the extra JSON that pages show once a game is over."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from companion.core.seats import Seat
from companion.core.values import Json
from companion.core.words import isolated
from companion.games.game import AnyState
from companion.presentation.drawing.svg import UNIT, Bounds, Paper, coordinate, svg_drawing, text_at
from companion.presentation.language import ENGLISH, Language
from companion.presentation.moment import Describer, Moment, signs_by_seat
from companion.presentation.sayings import part_in_words, say
from companion.record.journal import Journal

WIDTH: Final = 440.0
HEIGHT: Final = 300.0
"""The chart's height, in the drawing's own units."""
LEFT, TOP, RIGHT, BOTTOM = 40.0, 18.0, 116.0, 30.0
"""The chart's margins, with room for numbers, names and hands."""
FONT_SIZE: Final = 17.0
SIGN: Final = 20.0
"""The distance between the start of a seat's sign and the start of its name."""
BETWEEN: Final = 20.0
"""The least vertical distance between two seats' names."""
LETTERS: Final = 7
"""The most letters of a name beside its line."""
STEPS: Final = (5, 10, 20, 25, 50, 100, 200, 500, 1000)
"""Possible distances between grid lines, in points. The first that needs at most five lines is
used."""


CRIBBAGE_BOARD: Final = (61, 121)
"""Targets for which the score is also drawn on a cribbage board."""
HOLES: Final = 60
"""The number of holes in a row of the board, in groups of five."""
HOLE, GAP, ROW = 5.9, 3.0, 15.0
"""The distance between holes, the extra distance between groups, and the distance between rows."""


def race_json(journal: Journal[object], language: Language = ENGLISH) -> Json:
    """Returns the scores at the end of each hand, and the chart in the given language, as JSON."""
    hands: dict[int, AnyState] = {}
    for state in journal.states:
        if state.effect.hand:
            hands[state.effect.hand] = state
    sides = journal.state.scorers
    order = [side[0] for side in sides]
    return {
        "drawing": draw_race(journal, language),
        "seats": [{"seat": side[0], "shown": partners_in_words(side)} for side in sides],
        "hands": [
            {"said": say("where.hand", hand=hand), "scores": [state.scores[seat] for seat in order]}
            for hand, state in hands.items()
        ],
    }


def draw_race(
    journal: Journal[object], language: Language = ENGLISH, height: float = HEIGHT
) -> str:
    """Returns the race as SVG for a page, whose style sheet sets the colours. It has a stepped line
    for each seat or side, a line at the start of each hand, and one at the target if there is one.
    The chart is WIDTH wide and `height` high."""
    states = [journal.start, *journal.states]
    chart = _Chart(states, _common_target(journal), height)
    sides = {side[0]: side for side in journal.state.scorers}
    seats = (*sides,)
    drawn = [chart.grid(), chart.hands()]
    colours = {seat: journal.seat_colours[seat].lower() for seat in journal.state.seats}
    drawn += [chart.stair(seat, colours[seat]) for seat in reversed(seats)]
    signs = signs_by_seat(journal)
    named = {seat: partners_in_words(side) for seat, side in sides.items()}
    drawn.append(chart.names(journal.state.scorers, colours, signs))
    scores = ", ".join(f"{isolated(named[seat])} {journal.state.scores[seat]}" for seat in seats)
    text = say("race.says", scores=scores)["words"]
    title = say("race.title")["words"]
    if chart.on_board:
        drawn.append(chart.board(journal.state.scorers, colours, signs))
        height += chart.board_height(len(sides))
    seen = Bounds(0, 0, WIDTH / UNIT, height / UNIT)
    return svg_drawing("".join(drawn), seen, title, text, stand_alone=False, language=language)


def partners_in_words(side: Sequence[Seat]) -> str:
    """Returns the partners' names as “Anna + Cleo”; for a seat without a partner, its name."""
    return " + ".join(isolated(part_in_words(seat)) for seat in side)


def _common_target(journal: Journal[object]) -> int | None:
    """Returns the points that win the game; None if there is no target, or if the seats have
    different targets."""
    state = journal.state
    needs = [(state.scores[seat], journal.game.to_win(state, seat)) for seat in state.seats]
    found = {score + more for score, more in needs if more is not None}
    return found.pop() if len(found) == 1 else None


class _Chart:
    """Draws the parts of the race chart."""

    def __init__(self, states: list[AnyState], target: int | None, height: float) -> None:
        self._states, self._target, self._height = states, target, height
        scores = [score for state in states for score in state.scores.values]
        self._low = min(0, *scores)
        self._high = max(25, *scores, target if target and max(scores) * 2 >= target else 0)

    def _x(self, at: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * at / max(1, len(self._states) - 1)

    def _y(self, score: int) -> float:
        part = (score - self._low) / (self._high - self._low)
        return self._height - BOTTOM - (self._height - TOP - BOTTOM) * part

    def grid(self) -> str:
        """Returns the horizontal lines at round numbers of points, and the target's line."""
        reach = self._high - self._low
        step = next((step for step in STEPS if reach / step <= 5), STEPS[-1])
        first = -(-self._low // step) * step
        drawn = [
            self._horizontal_line("grid", score)
            for score in range(first, self._high + 1, step)
            if not self._hides_target(score)
        ]
        if self._target is not None and self._target <= self._high:
            drawn.append(self._horizontal_line("goal", self._target))
        return "".join(drawn)

    def _hides_target(self, score: int) -> bool:
        """Returns whether this score's number would overlap the target's."""
        if self._target is None or self._target > self._high:
            return False
        return 0 < abs(self._y(score) - self._y(self._target)) < FONT_SIZE

    def _horizontal_line(self, name: str, score: int) -> str:
        y = coordinate(self._y(score))
        words = text_at("axis", LEFT - 20, self._y(score), 15, str(score))
        return f'<path class="{name}" d="M{LEFT} {y}H{WIDTH - RIGHT}"/>{words}'

    def hands(self) -> str:
        """Returns a line at the start of each hand, with the hand's number if it fits."""
        begins = [
            (at, state.effect.hand)
            for at, (before, state) in enumerate(zip(self._states, self._states[1:], strict=False))
            if state.effect.hand and state.effect.hand != before.effect.hand
        ]
        drawn, free = [], 0.0
        for at, hand in begins:
            x = self._x(at)
            drawn.append(f'<path class="grid" d="M{coordinate(x)} {TOP}V{self._height - BOTTOM}"/>')
            if x >= free:
                drawn.append(text_at("axis", x + 9, self._height - BOTTOM + 16, 15, str(hand)))
                free = x + 24
        return "".join(drawn)

    def stair(self, seat: Seat, colour: str) -> str:
        """Returns one seat's points as a stepped line."""
        score = self._states[0].scores[seat]
        path = f"M{coordinate(self._x(0))} {coordinate(self._y(score))}"
        for at, state in enumerate(self._states):
            if state.scores[seat] != score:
                score = state.scores[seat]
                path += f"H{coordinate(self._x(at))}V{coordinate(self._y(score))}"
        path += f"H{coordinate(self._x(len(self._states) - 1))}"
        return f'<path class="stair" data-colour="{colour or "other"}" d="{path}"/>'

    @property
    def on_board(self) -> bool:
        """Whether the score is also drawn on a cribbage board below the chart."""
        return self._target in CRIBBAGE_BOARD

    def board_height(self, sides: int) -> float:
        return ROW * ((self._target or 0) // HOLES * sides + 1)

    def board(
        self,
        sides: Sequence[tuple[Seat, ...]],
        colours: Mapping[Seat, str],
        signs: Mapping[Seat, str],
    ) -> str:
        """Returns the cribbage board: for each side, its rows of holes and two pegs, at its score
        and at its previous score. The last hole is the target."""
        target, drawn = self._target or 0, []
        rows = target // HOLES
        for number, (seat, *_) in enumerate(sides):
            top = self._height + ROW * (number * rows + 0.5)
            holes = "".join(
                f"M{_hole_coordinates(hole, target, top)}h0" for hole in range(1, target + 1)
            )
            tag = f'data-colour="{colours[seat] or "other"}"'
            sign = text_at("sign start", 8, top, FONT_SIZE, signs[seat])
            scores = [score for score, _ in groupby(each.scores[seat] for each in self._states)][
                -2:
            ]
            pegs = "".join(f"M{_hole_coordinates(score, target, top)}h0" for score in scores)
            drawn.append(
                f'<path class="holes" d="{holes}"/>{sign.replace("<text", f"<text {tag}", 1)}'
                f'<path class="pegs" {tag} d="{pegs}"/>'
            )
        return "".join(drawn)

    def names(
        self,
        sides: Sequence[tuple[Seat, ...]],
        colours: Mapping[Seat, str],
        signs: Mapping[Seat, str],
    ) -> str:
        """Returns each seat's sign and name at the end of its line, moved so that none overlap.
        Partners' names are below each other."""
        last = self._states[-1]
        drawn, y = [], TOP - BETWEEN
        left = len(colours)
        for side in sorted(sides, key=lambda side: -last.scores[side[0]]):
            lowest = self._height - BOTTOM - BETWEEN * (left - 1)
            y = min(max(y + BETWEEN, self._y(last.scores[side[0]])), lowest) - BETWEEN
            left -= len(side)
            for seat in side:
                y += BETWEEN
                x = WIDTH - RIGHT + 8
                sign = text_at("start sign", x, y, FONT_SIZE, signs[seat])
                tag = f'<text data-colour="{colours[seat] or "other"}"'
                drawn.append(sign.replace("<text", tag, 1))
                name = part_in_words(seat)
                name = name if len(name) <= LETTERS else f"{name[: LETTERS - 1]}…"
                drawn.append(text_at("start name", x + SIGN, y, FONT_SIZE, name))
        return "".join(drawn)


def _hole_coordinates(score: int, target: int, top: float) -> str:
    """Returns the coordinates of a score's hole, as “64 310”, on a board whose first row is at
    `top`. A peg without points is placed before the first hole."""
    at = max(0, min(score, target)) - 1
    row = min(max(at, 0) // HOLES, target // HOLES - 1)
    along = at - row * HOLES
    x = LEFT + along * HOLE + along // 5 * GAP
    return f"{coordinate(x)} {coordinate(top + row * ROW)}"


# ---------------------------------------------------------------- a game that is over


REPLAY: Final = Paper(16, 9)
"""The paper on which the best play is drawn."""
FRAMES: Final = 4
"""The most plays in the replay of the best play, including that play."""


def game_over_json(
    moment: Moment,
    wins: Mapping[str, int],
    games: int,
    language: Language = ENGLISH,
    *,
    replay: bool = False,
) -> Json:
    """Returns what pages show once a game is over; empty before that. `wins`: the number of games
    that each player has won this evening; `games`: the number of games played, including this one.
    With `replay`, drawings of the best play and the plays before it are added."""
    journal = moment.journal
    if journal is None or not journal.state.finished:
        return {}
    race = race_json(journal, language)
    order = sorted(wins.items(), key=lambda one: -one[1])
    best = _find_best_turn(moment)
    found = {
        "drawing": race["drawing"],
        "best": best,
        "evening": [{"shown": part_in_words(name), "won": won} for name, won in order],
        "games": games,
    }
    return found | {"replay": _replay_drawings(moment, best, language)} if replay else found


def _replay_drawings(moment: Moment, best: Json | None, language: Language) -> list[str]:
    """Returns drawings of the table after the last plays of a hand, up to the best one, as SVG for
    a page. Returns none if there is no best play, or the game can't be drawn."""
    journal = moment.journal
    if journal is None or best is None:
        return []
    paper, draw = replace(REPLAY, language=language), moment.presentation.draw
    states = [
        state
        for entry, state in zip(
            journal.entries[: best["at"]], journal.states[: best["at"]], strict=True
        )
        if entry.is_play and state.effect.hand == best["hand"]
    ]
    drawings = (draw(state, paper, stand_alone=False) for state in states[-FRAMES:])
    return [drawing for drawing in drawings if drawing]


def _find_best_turn(moment: Moment) -> Json | None:
    """Returns the turn that scored most, the first of several. If no turn scored, as in Dominó,
    returns the end of the hand that scored most; None if there is none either."""
    journal = moment.journal
    assert journal is not None, "a game is over"
    scored = [step for step in journal.newest_first() if step[2].effect.points > 0]
    turns = [step for step in scored if step[2].effect.turn is not None]
    hands = [step for step in scored if step[2].effect.hand_points > 0]
    best = max(turns or hands, key=lambda step: (step[2].effect.points, -step[0]), default=None)
    if best is None:
        return None
    describer = Describer(replace(moment, newest=None), journal, journal.state)
    entry = describer.entry(*best)
    found = {name: entry[name] for name in ("at", "hand", "points", "said", "why")}
    return {**found, "ends_hand": not turns}
