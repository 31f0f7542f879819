"""Figures in words, each with how many lays, hands or games it was taken over and links to where it
comes from.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from companion.core.html import Html, element, joined
from companion.core.words import phrase
from companion.players.figures import (
    TOO_FEW,
    Figure,
    PlayerFigures,
    figure_label,
    figure_over,
    figure_value,
)
from companion.players.pages.document import game_at, moments, table, to_game

PLAIN: Final = (
    *("points_a_lay", "scoring_lays", "biggest", "longest_run", "dominoed", "called_right"),
    *("captures_a_turn", "highest_level"),
)
"""The figures that everybody understands: five or six of a game. The others stand under “More”."""
HANDS_ENDED: Final = frozenset({"dominoed", "blocked", "lost"})
"""Shares of hands that are not parts of one whole: a blocked hand may be lost, too."""


def plain_and_more(
    found: Sequence[PlayerFigures], header: Sequence[str], games: str, title: str
) -> Iterator[Html]:
    """The figures of players in one kind of game, side by side: the plain ones in a table, the
    others folded away. `games`: the address of the list of games from which figures over several
    games come; `title`: the game's."""
    names = {figure.name: figure_label(figure) for one in found for figure in one.figures}
    known = [
        name
        for name in names
        if any(figure.value is not None for one in found if (figure := _named(name, one)))
    ]
    plain = [name for name in known if name in PLAIN]
    more = [name for name in known if name not in PLAIN]
    alone = len(found) == 1
    rows = [
        [names[name], *(_cell(_named(name, one), games, whole=alone) for one in found)]
        for name in plain
    ]
    if rows and not alone:
        rows += _taken_over(found)
    rows += _combinations(found)
    head = [phrase("Figure"), *header]
    if rows:
        yield table(head, rows, phrase("Figures: {game}", game=title))
    others = [[names[name], *(_cell(_named(name, one), games) for one in found)] for name in more]
    notes = [*_notes(more, few=len(known) < len(names))]
    if others:
        yield element(
            "details",
            element("summary", phrase("More figures")),
            table(head, others, phrase("More figures: {game}", game=title)),
            *notes,
        )
    else:
        yield from notes


def _notes(more: Collection[str], *, few: bool) -> Iterator[Html]:
    if HANDS_ENDED & set(more):
        words = phrase(
            "Whoever doesn't win a blocked hand that somebody wins has lost it, too: such a hand"
            " counts twice, so hands dominoed, blocked and lost may come to more than 100 %."
        )
        yield element("p", words, class_="quiet")
    if few:
        words = phrase("Figures over too few lays or hands to mean anything are left out.")
        yield element("p", words, class_="quiet unprinted")


def _named(name: str, one: PlayerFigures) -> Figure | None:
    return next((figure for figure in one.figures if figure.name == name), None)


def _taken_over(found: Sequence[PlayerFigures]) -> Iterator[list[str]]:
    """Table rows that say once over how many lays and hands the figures of several players were
    taken."""
    yield [phrase("lays"), *(str(one.lays) for one in found)]
    hands = [figure.over if (figure := _named("dominoed", one)) else 0 for one in found]
    if any(hands):
        yield [phrase("hands"), *map(str, hands)]


def _combinations(found: Sequence[PlayerFigures]) -> Iterator[list[str]]:
    """Table rows with how many rows each player laid, and how many of each combination."""
    made = dict.fromkeys(name for one in found for name in one.combinations)
    if made:
        yield [phrase("rows laid, of them"), *(str(one.lays) for one in found)]
    for name in made:
        yield [name.replace("-", " "), *(str(one.combinations.get(name, 0)) for one in found)]


def _cell(figure: Figure | None, games: str, *, whole: bool = True) -> Html:
    """A figure, how many it was taken over, and its moments. If it is not shown `whole`: only its
    value, which leads to its moment if it has just one."""
    if figure is None:
        return Html()
    value = figure_value(figure)
    if not whole:
        one = figure.moments[0] if len(figure.moments) == 1 else None
        return element("b", to_game(one.game, value, one.entry) if one else value)
    return joined(
        element("b", value, class_="few" if value == TOO_FEW else None),
        element("span", _over(figure, games), class_="over"),
        *(
            [element("span", moments(figure.moments), class_="over moments")]
            if figure.moments
            else []
        ),
    )


def _over(figure: Figure, games: str) -> str:
    words = figure_over(figure)
    if figure.value is None or figure.moments or not figure.games:
        return words
    one = len(figure.games) == 1
    return element("a", words, href=game_at(figure.games[0]) if one else games)
