"""Figures in words, each with over how many it was taken and links to where it comes from."""

from collections.abc import Iterator, Sequence

from companion.core.html import Html, element, joined
from companion.core.words import phrase
from companion.players.figure_words import TOO_FEW, figure_label, figure_over, figure_value
from companion.players.figures import Figure, PlayerFigures
from companion.players.pages.document import game_at, moments, table


def side_by_side(
    found: Sequence[PlayerFigures], header: Sequence[str], games: str, title: str
) -> Html:
    """Players of one kind of game beside each other. `games`: the address of where the games are
    listed that figures over several of them come from; `title`: the game's."""
    rows = list[list[str]]()
    labels = {figure.name: figure_label(figure) for one in found for figure in one.figures}
    few = False
    for name, called in labels.items():
        each = [_named(name, one) for one in found]
        if any(figure and figure.value is not None for figure in each):
            rows.append([called, *(_cell(figure, games) for figure in each)])
        else:
            few = True
    rows += _combinations(found)
    label = phrase("Figures: {game}", game=title)
    told = table([phrase("Figure"), *header], rows, label) if rows else Html()
    words = phrase("Figures over too few lays or hands to mean anything are left out.")
    return joined(told, *([element("p", words, class_="quiet unprinted")] if few else []))


def _named(name: str, one: PlayerFigures) -> Figure | None:
    return next((figure for figure in one.figures if figure.name == name), None)


def _combinations(found: Sequence[PlayerFigures]) -> Iterator[list[str]]:
    """Rows made, and of how many."""
    made = dict.fromkeys(name for one in found for name in one.combinations)
    if made:
        yield [phrase("rows laid, of them"), *(str(one.lays) for one in found)]
    for name in made:
        yield [name.replace("-", " "), *(str(one.combinations.get(name, 0)) for one in found)]


def _cell(figure: Figure | None, games: str) -> Html:
    if figure is None:
        return Html()
    value = figure_value(figure)
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
