"""The bracket of a knock-out as SVG, for the event's page, the hall's TV and paper.

It uses only `currentColor`, so that it fits a light page, a dark one and paper; its text is
translated as in core/html.py. A large bracket is drawn in parts in which the names can be read.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from companion.core.html import Html, element, translated
from companion.core.words import AsWritten, phrase
from companion.events.bracket import Bracket, BracketMatch, BracketSide
from companion.events.event import EventFormat
from companion.events.standings import two_decimals

GAP: Final = 20
"""The gap between two rounds."""
ROW: Final = 20
"""The height of a player's line."""
MATCH: Final = 46
"""The height of a match, with the gap to the next."""
HEAD: Final = 26
MARGIN: Final = 3
LETTER: Final = 9
"""The approximate width of a letter of a name."""
BOLD_LETTER: Final = 10.8
NUMBER: Final = 26
"""The width of the table's number, left of the names."""
POINTS: Final = 36
"""The width of the points, right of the names."""
WIDEST: Final = 1500
"""The width up to which a bracket grows for long names, in SVG units. If it were drawn wider, its
letters would be too small to read on a page."""
FEWEST_LETTERS: Final = 12
"""A name is squeezed if it has more letters than fit, and shortened if it has half as many more."""

COLUMNS: Final = 4
"""The most rounds beside each other on a TV, whose letters would be too small otherwise."""

BracketParts = list[list[int]]
"""Parts of a bracket that are drawn on their own, each as places in Bracket.matches."""


def parts_of(bracket: Bracket, most: int) -> BracketParts:
    """The bracket in parts with at most `most` matches (a power of two) below each other, the first
    rounds first. The tree is cut into smaller trees, each of which begins with the last matches of
    the parts before it."""
    columns = {side: [found for _, found in bracket.columns(side)] for side in BracketSide}
    winners, losers = columns[BracketSide.WINNERS], columns[BracketSide.LOSERS]
    if sum(max(map(len, each), default=0) for each in (winners, losers)) <= most:
        return [[*range(len(bracket.matches))]]
    *trees, last = _split_trees(bracket, [at for column in winners for at in column], most)
    parts: BracketParts = [
        *trees,
        [*last, *(at for column in columns[BracketSide.FINAL] for at in column)],
    ]
    small = [at for column in losers if len(column) <= most for at in column]
    for column in losers:
        if len(column) > most:
            parts += [column[start : start + most] for start in range(0, len(column), most)]
    return [*parts, small] if small else parts


def current_parts(bracket: Bracket, parts: BracketParts) -> BracketParts:
    """The parts with a match that isn't decided yet or, once all are decided, only the last part;
    each with at most COLUMNS rounds, the first of them the newest decided one if possible."""
    matches = bracket.matches
    found = [part for part in parts if any(matches[at].winner is None for at in part)]
    return [_newest_rounds(bracket, part) for part in found or parts[-1:]]


def _newest_rounds(bracket: Bracket, part: Sequence[int]) -> list[int]:
    rounds = sorted({bracket.matches[at].round for at in part})
    going_on = [bracket.matches[at].round for at in part if bracket.matches[at].winner is None]
    first = rounds.index(min(going_on, default=rounds[-1])) - 1
    first = max(0, min(first, len(rounds) - COLUMNS))
    shown = rounds[first : first + COLUMNS]
    return [at for at in part if bracket.matches[at].round in shown]


def _split_trees(bracket: Bracket, places: Sequence[int], most: int) -> Iterator[list[int]]:
    matches, first = bracket.matches, bracket.matches[places[0]].round
    column = [at for at in places if matches[at].round == first]
    if len(column) <= most:
        yield [*places]
        return
    last = first + most.bit_length() - 1
    follows = {one: at for at in places for one in matches[at].sources}
    trees = defaultdict[int, set[int]](set)
    for at in column:
        path = [at]
        while matches[path[-1]].round < last and path[-1] in follows:
            path.append(follows[path[-1]])
        trees[path[-1]].update(path)
    yield from map(sorted, trees.values())
    if later := [at for at in places if matches[at].round >= last]:
        yield from _split_trees(bracket, later, most)


# ---------------------------------------------------------------- drawing


def bracket_svg(
    bracket: Bracket,
    names: Mapping[str, str],
    form: EventFormat,
    part: Sequence[int] | None = None,
    *,
    narrow: bool = False,
) -> Html:
    """The bracket or a part of it (`parts_of`); `names`: by id; `narrow`: gives each
    name only FEWEST_LETTERS letters; a narrower drawing has larger text when it is scaled to
    fit."""
    shown = [*range(len(bracket.matches))] if part is None else [*part]
    columns = len({bracket.matches[at].round for at in shown})
    room = (WIDEST // columns - NUMBER - POINTS - GAP) // LETTER
    longest = max(map(len, names.values()), default=0)
    letters = FEWEST_LETTERS if narrow else max(FEWEST_LETTERS, min(room, longest))
    return _Drawing(bracket, names, form, shown, letters).svg()


class _Drawing:
    """Lays out and draws some matches of a bracket."""

    def __init__(
        self,
        bracket: Bracket,
        names: Mapping[str, str],
        form: EventFormat,
        shown: Sequence[int],
        letters: int,
    ) -> None:
        self._name_wide = letters * LETTER
        self._box_wide = NUMBER + self._name_wide + POINTS
        self._column = self._box_wide + GAP
        self._bracket, self._names, self._form, self._shown = bracket, names, form, shown
        self._rounds = sorted({bracket.matches[at].round for at in shown})
        self._middle = dict[int, float]()
        """The middle of each match, in pixels from the top."""
        self._losers_top: float | None = None
        """The top of the losers' side; None if it isn't shown."""
        self.height = self._place_matches(BracketSide.WINNERS, HEAD)
        self._place_finals()
        if any(bracket.matches[at].side is BracketSide.LOSERS for at in shown):
            self._losers_top = self.height
            self.height = self._place_matches(BracketSide.LOSERS, self.height + HEAD)
        self.height = max([self.height, *(one + MATCH / 2 for one in self._middle.values())])

    def _place_matches(self, side: BracketSide, top: float) -> float:
        """Places the matches of that side, each near the middle of its sources; returns the bottom
        of the highest round."""
        columns = [
            found
            for _, all_ in self._bracket.columns(side)
            if (found := [at for at in all_ if at in self._shown])
        ]
        bottom = top + MATCH * max(map(len, columns), default=0)
        for column in columns:
            free = top + MATCH / 2
            for at in column:
                near = [self._middle[one] for one in self._match(at).sources if one in self._middle]
                self._middle[at] = max(free, sum(near) / len(near) if near else free)
                free = self._middle[at] + MATCH
            free = bottom - MATCH / 2
            for at in reversed(column):
                self._middle[at] = min(free, self._middle[at])
                free = self._middle[at] - MATCH
        return bottom

    def _place_finals(self) -> None:
        for at in self._shown:
            if self._match(at).side is BracketSide.FINAL:
                known = [
                    self._middle[one] for one in self._match(at).sources if one in self._middle
                ]
                self._middle[at] = known[0] if known else (HEAD + self.height) / 2

    def _match(self, at: int | None) -> BracketMatch:
        return self._bracket.matches[at or 0]

    def _left_edge(self, at: int) -> int:
        return MARGIN + self._column * self._rounds.index(self._match(at).round)

    def svg(self) -> Html:
        wide = self._column * (len(self._rounds) - 1) + self._box_wide + 2 * MARGIN
        high = round(self.height + MARGIN)
        heads = [
            _draw_text(self._round_title(number), MARGIN + self._column * at, HEAD - 10, size=14)
            for at, number in enumerate(self._rounds)
        ]
        if self._losers_top is not None:
            heads.append(
                _draw_text(phrase("Lost once"), MARGIN, self._losers_top + HEAD - 10, size=14)
            )
        return element(
            "svg",
            *heads,
            *self._draw_lines(),
            *(self._draw_match(at) for at in self._shown),
            class_="bracket",
            xmlns="http://www.w3.org/2000/svg",
            view_box=f"0 0 {wide} {high}",
            width=wide,
            height=high,
            role="img",
            aria_label=phrase("Bracket"),
            fill="currentColor",
            font_family="system-ui, DejaVu Sans, sans-serif",
            font_size=17,
        )

    def _round_title(self, number: int) -> str:
        """The title above a round."""
        of_round = [one for one in self._bracket.matches if one.round == number]
        rounds = {one.round for one in self._bracket.matches}
        is_final = any(one.side is BracketSide.FINAL for one in of_round) or (
            self._form is EventFormat.KNOCKOUT and len(of_round) == 1 and number == max(rounds)
        )
        return phrase("Final") if is_final else phrase("Round {number}", number=number)

    def _draw_lines(self) -> Iterator[Html]:
        for at in self._shown:
            for source in dict.fromkeys(self._match(at).sources):
                if source is None or source not in self._shown:
                    continue
                start, y, to = (
                    self._left_edge(source) + self._box_wide,
                    self._middle[source],
                    self._middle[at],
                )
                # The line turns in the gap to the left of the match, where no box is in the way.
                turn, end = self._left_edge(at) - GAP / 2, self._left_edge(at)
                path = f"M{start} {y:g}H{turn:g}V{to:g}H{end}"
                yield element("path", d=path, fill="none", stroke="currentColor")

    def _draw_match(self, at: int) -> Html:
        match, left = self._match(at), self._left_edge(at)
        rows = max(1, len(match.players))
        top = self._middle[at] - rows * ROW / 2
        is_drawn = match.table is not None or match.round <= self._drawn_rounds()
        frame = element(
            "rect", x=left, y=f"{top:g}", width=self._box_wide, height=rows * ROW, rx=4,
            fill="none", stroke="currentColor", stroke_dasharray=None if is_drawn else "4 3",
        )  # fmt: skip
        parts = [frame]
        if match.table is not None:
            middle = f"{self._middle[at] + 5:g}"
            number, room = str(match.table), NUMBER - 9
            parts.append(_draw_text(number, left + 6, middle, size=13, opacity=".7", fits=room))
        for row in range(len(match.players)):
            parts += self._draw_player(match, row, left, top + ROW * row + 15.5)
        return element("g", *parts)

    def _drawn_rounds(self) -> int:
        return max(one.round for one in self._bracket.matches if one.table is not None)

    def _draw_player(self, match: BracketMatch, row: int, left: int, y: float) -> Iterator[Html]:
        player, source = match.players[row], self._match(match.sources[row])
        if player is None:
            if match.sources[row] is not None and source.table is not None and not source.winner:
                words = phrase("winner of table {table}", table=source.table)
                yield _draw_text(
                    words, left + NUMBER, y, size=13, opacity=".7", fits=self._box_wide - NUMBER
                )
            return
        won, wide = player == match.winner, self._name_wide - 4
        name = self._names[player]
        if won and self._bracket.winner == player and match is self._bracket.matches[-1]:
            name = AsWritten(f"★ {name}")
        known = match.points is not None and match.winner is not None
        yield _draw_text(
            name, left + NUMBER, y, fits=wide, weight="700" if won and not match.is_bye else None,
            opacity=".7" if known and not won else None,
        )  # fmt: skip
        beside = phrase("bye") if match.is_bye else ""
        if match.points is not None:
            beside = two_decimals(match.points[row])
        if beside:
            yield _draw_text(
                beside, left + self._box_wide - 5, y, size=15, anchor="end", fits=POINTS
            )


def _draw_text(
    words: str,
    x: float,
    y: float | str,
    *,
    size: int | None = None,
    weight: str | None = None,
    opacity: str | None = None,
    anchor: str | None = None,
    fits: int | None = None,
) -> Html:
    """The text at this place. If it is wider than `fits`, it is squeezed or, if much too long,
    shortened."""
    shown = translated(words)
    wide = (size or 17) * (LETTER if weight is None else BOLD_LETTER) / 17
    most = int(1.5 * fits / wide) if fits is not None else len(shown)
    if len(shown) > most:  # keep the end, which may distinguish two people
        shown = f"{shown[: most - 6]}…{shown[-5:]}"
    too_wide = fits is not None and len(shown) * wide > fits
    return element(
        "text",
        AsWritten(shown),
        x=f"{x:g}",
        y=str(y),
        font_size=size,
        font_weight=weight,
        opacity=opacity,
        text_anchor=anchor,
        textLength=fits if too_wide else None,
        lengthAdjust="spacingAndGlyphs" if too_wide else None,
    )
