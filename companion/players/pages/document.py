"""The building blocks of pages of players and evenings: the document, tables, links to the source
of a figure, tables of figures, and SVG charts that need no script."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final
from urllib.parse import urlencode

from companion.core.html import Html, between, element, joined
from companion.core.seats import display_name
from companion.core.values import dataclass
from companion.core.words import Sentence, phrase
from companion.players.player_figures import (
    TOO_FEW,
    EntryAt,
    Figure,
    PlayerFigures,
    figure_label,
    figure_over,
    figure_value,
)
from companion.presentation.drawing.svg import coordinate
from companion.presentation.language import DIRECTION_HERE, LANGUAGE_HERE
from companion.presentation.page_words import PAGE_WORDS
from companion.presentation.sayings import fixed_words

ROOT = "/evenings"
EMPTY = element("td")
MAX_MOMENTS = 5
"""The most moments of a figure that are linked; the number of others is shown."""


def document(
    title: str, *body: str, ways: Iterable[Html] = (), heading: Html | None = None,
    looks: Iterable[str] = ()
) -> str:  # fmt: skip
    """A page headed by its title, or by `heading` if given. `ways`: links to other pages; `looks`:
    additional style sheets."""
    alone = _links.get().alone
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="robots", content="noindex"),
        element("title", title),
        alone.head if alone else _style_links(*looks),
    )
    label = fixed_words(PAGE_WORDS, "label.other-pages")
    nav = alone.nav if alone else element("nav", *ways, class_="ways", aria_label=label)
    main = element("main", element("h1", heading or title), *filter(None, body))
    page = element(
        "html",
        head,
        element("body", nav, main, class_="past"),
        lang=LANGUAGE_HERE,
        dir=DIRECTION_HERE,
    )
    return f"<!doctype html>\n{page}\n"


def _style_links(*more: str) -> Html:
    styles = (*more, "/tokens.css", "/table.css", "/evenings.css")
    return joined(
        element("link", rel="icon", href="/icon.svg", type="image/svg+xml"),
        *(element("link", rel="stylesheet", href=href) for href in styles),
    )


def section(title: str, *body: str, anchor: str | None = None, class_: str | None = None) -> Html:
    """A part of a page under a heading of its own."""
    return element("section", element("h2", title), *body, id=anchor, class_=class_)


def table(header: Sequence[str], rows: Iterable[Sequence[str]], label: str) -> Html:
    """A table in which each row begins with its own heading; it scrolls if it is too wide."""
    head = element("tr", *(element("th", one, scope="col") if one else EMPTY for one in header))
    body = (
        element("tr", element("th", first, scope="row"), *(element("td", cell) for cell in rest))
        for first, *rest in rows
    )
    found = element("table", element("thead", head), element("tbody", *body))
    return element("div", found, class_="scrolls", role="region", aria_label=label, tabindex="0")


# ---------------------------------------------------------------- links


@dataclass(frozen=True, slots=True)
class StandalonePage:
    """The parts of a page that is a single file: `head` instead of links to a server's styles,
    `nav` instead of links to other pages."""

    head: Html
    nav: Html


def _number_words(number: int) -> Sentence:
    return phrase("Game {number}", number=number)


def _address_at_box(number: int, entry: int | None) -> str:
    """The address of a game at a box. The entry is in the query, not in the fragment, because a
    page that shows progress reloads its address without the fragment."""
    return f"{ROOT}/game/{number}" + (f"?entry={entry}" if entry else "")


@dataclass(frozen=True, slots=True)
class PageLinks:
    """The targets of the pages' links, which differ at a box, at a club's hub and in a folder of
    files. `game_address` takes a game's number and the entry to show first (None for the game's
    first); `game_words` takes a game's number; `home`: the text of the link to the live table or
    tables; `club`: the only club whose games are shown, which the links keep; empty for all
    clubs."""

    game_address: Callable[[int, int | None], str] = _address_at_box
    game_words: Callable[[int], Sentence] = _number_words
    home: Sentence = fixed_words(PAGE_WORDS, "label.to-table")
    alone: StandalonePage | None = None
    club: str = ""


LINKS_AT_BOX: Final = PageLinks()
_links: ContextVar[PageLinks] = ContextVar("links", default=LINKS_AT_BOX)


@contextmanager
def linked_by(links: PageLinks) -> Iterator[None]:
    """A context in which the pages use the links of `links`."""
    before = _links.set(links)
    try:
        yield
    finally:
        _links.reset(before)


def link_to_table() -> Html:
    """A link back to the live table, or the live tables."""
    return element("a", _links.get().home, href="/")


def link_to_all() -> Html:
    """A link to all players and evenings."""
    return element("a", fixed_words(PAGE_WORDS, "label.to-past"), href=past_address())


def past_address(path: str = "", **more: str | int | None) -> str:
    """The address of a page of players and evenings; `path`: below ROOT. Parameters in `more` that
    are None are left out."""
    club = _links.get().club or None
    asked = {name: value for name, value in {**more, "club": club}.items() if value is not None}
    return f"{ROOT}{path}" + (f"?{urlencode(asked)}" if asked else "")


def link_to_player(player: str, **more: str | int) -> Html:
    """A player's name, as a link to the player's page if there is one."""
    if _links.get().alone:
        return element("span", display_name(player))
    return element("a", display_name(player), href=player_address(player, **more))


def player_address(player: str, **more: str | int | None) -> str:
    """The address of a player's page. Parameters in `more` that are None are left out."""
    return past_address("/player", name=player, **more)


def link_to_evening(number: int, words: str) -> Html:
    """A link to the evening on which game `number` was played."""
    return element("a", words, href=past_address(f"/{number}"))


def game_address(number: int, entry: int | None = None) -> str:
    """The address of a game's page that first shows the game as it was after `entry`; without an
    entry, the address of the game."""
    return _links.get().game_address(number, entry)


def link_to_game(number: int, words: str | None = None, entry: int | None = None) -> Html:
    """A link to a game as it was after `entry`. Its text is `words` or, if None, the game's
    number."""
    shown_words = _links.get().game_words(number) if words is None else words
    return element("a", shown_words, href=game_address(number, entry))


def link_to_other_names(number: int, *, colours: bool) -> Html:
    """A link to this game shown with colours (if `colours`) or with names. The page's script adds
    the moment that is shown."""
    words = phrase("By colours") if colours else phrase("By names")
    href = game_address(number) + ("?colours=1" if colours else "")
    return element("a", words, href=href, data_same_moment="")


def moment_links(found: Sequence[EntryAt]) -> Html:
    """Links to the first MAX_MOMENTS of these entries, and how many others there are."""
    links = [
        link_to_game(
            one.game,
            phrase("game {game}, entry {entry}", game=one.game, entry=one.entry),
            one.entry,
        )
        for one in found[:MAX_MOMENTS]
    ]
    more = max(len(found) - MAX_MOMENTS, 0)
    others = [phrase("and {number} more", number=more)] if more else []
    return between("; ", *links, *others)


# ---------------------------------------------------------------- figures


PLAIN: Final = (
    *("points_a_lay", "scoring_lays", "biggest", "longest_run", "dominoed", "called_right"),
    *("captures_a_turn", "highest_level"),
)
"""The figures that everybody understands, five or six for each game. The others are under
“More”."""
HANDS_ENDED: Final = frozenset({"dominoed", "blocked", "lost"})
"""Shares of hands that may add up to more than one: a blocked hand may also be lost."""


def figure_tables(
    found: Sequence[PlayerFigures], header: Sequence[str], games: str, title: str
) -> Iterator[Html]:
    """The figures of players in one kind of game, side by side: the main ones in a table, the
    others folded away. `games`: the address of the list of games, for figures that come from
    several games; `title`: the game's title."""
    names = {figure.name: figure_label(figure) for one in found for figure in one.figures}
    known = [
        name
        for name in names
        if any(figure.value is not None for one in found if (figure := _find_figure(name, one)))
    ]
    plain = [name for name in known if name in PLAIN]
    more = [name for name in known if name not in PLAIN]
    alone = len(found) == 1
    rows = [
        [names[name], *(_figure_cell(_find_figure(name, one), games, whole=alone) for one in found)]
        for name in plain
    ]
    if rows and not alone:
        rows += _counted_over_rows(found)
    rows += _combination_rows(found)
    head = [phrase("Figure"), *header]
    if rows:
        yield table(head, rows, phrase("Figures: {game}", game=title))
    others = [
        [names[name], *(_figure_cell(_find_figure(name, one), games) for one in found)]
        for name in more
    ]
    notes = [*_figure_notes(more, few=len(known) < len(names))]
    if others:
        yield element(
            "details",
            element("summary", phrase("More figures")),
            table(head, others, phrase("More figures: {game}", game=title)),
            *notes,
        )
    else:
        yield from notes


def _figure_notes(more: Collection[str], *, few: bool) -> Iterator[Html]:
    if HANDS_ENDED & set(more):
        words = phrase(
            "A blocked hand with a winner also counts as lost for everyone else, so these "
            "figures can add up to more than 100 %."
        )
        yield element("p", words, class_="quiet")
    if few:
        words = phrase("Figures over too few plays or hands are left out.")
        yield element("p", words, class_="quiet unprinted")


def _find_figure(name: str, one: PlayerFigures) -> Figure | None:
    return next((figure for figure in one.figures if figure.name == name), None)


def _counted_over_rows(found: Sequence[PlayerFigures]) -> Iterator[list[str]]:
    """Yields table rows with each player's numbers of plays and hands, which several figures are
    based on."""
    yield [phrase("plays"), *(str(one.plays) for one in found)]
    hands = [figure.over if (figure := _find_figure("dominoed", one)) else 0 for one in found]
    if any(hands):
        yield [phrase("hands"), *map(str, hands)]


def _combination_rows(found: Sequence[PlayerFigures]) -> Iterator[list[str]]:
    """Table rows with how many rows each player laid, and how many of each combination."""
    made = dict.fromkeys(name for one in found for name in one.combinations)
    if made:
        yield [phrase("rows laid, of them"), *(str(one.plays) for one in found)]
    for name in made:
        yield [name.replace("-", " "), *(str(one.combinations.get(name, 0)) for one in found)]


def _figure_cell(figure: Figure | None, games: str, *, whole: bool = True) -> Html:
    """A figure, the number of plays or other events that it was counted over, and links to its
    moments. If not `whole`, only the value, which is itself the link if the figure has just one
    moment."""
    if figure is None:
        return Html()
    value = figure_value(figure)
    if not whole:
        one = figure.moments[0] if len(figure.moments) == 1 else None
        return element("b", link_to_game(one.game, value, one.entry) if one else value)
    return joined(
        element("b", value, class_="few" if value == TOO_FEW else None),
        element("span", _counted_over_words(figure, games), class_="over"),
        *(
            [element("span", moment_links(figure.moments), class_="over moments")]
            if figure.moments
            else []
        ),
    )


def _counted_over_words(figure: Figure, games: str) -> str:
    words = figure_over(figure)
    if figure.value is None or figure.moments or not figure.games:
        return words
    one = len(figure.games) == 1
    return element("a", words, href=game_address(figure.games[0]) if one else games)


# ---------------------------------------------------------------- charts


WIDE, HIGH = 440.0, 210.0
"""The size of a chart in the drawing's own units; FONT_SIZE is that of its labels."""
LEFT, TOP, RIGHT, BOTTOM = 44.0, 14.0, 16.0, 30.0
FONT_SIZE = 14
STEPS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200)
"""Possible distances between grid lines. The first one that gives at most five lines is used."""


def bar(part: float, whole: float, most: float) -> Html:
    """Returns a bar that shows `part` as a share of `whole`, and `whole` as a share of `most`; it
    is as wide as its container. The page has to state the same in words beside it."""
    scale = 100 / most if most else 0
    full = element("rect", class_="whole", width=coordinate(whole * scale), height=10)
    done = element("rect", class_="part", width=coordinate(part * scale), height=10)
    return element(
        "svg", full, done, class_="bar", view_box="0 0 100 10", preserveAspectRatio="none",
        aria_hidden="true",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a chart: its value, its label on the axis, and the address that it links to.
    `title`: the value in words."""

    value: float
    label: str
    title: str
    href: str


def line_chart(points: Sequence[Point], title: str) -> Html:
    """A line chart of a value from point to point."""
    low = min(0.0, *(point.value for point in points))
    high = max(low + 1.0, *(point.value for point in points))

    def x(place: int) -> float:
        if len(points) == 1:
            return (LEFT + WIDE - RIGHT) / 2
        return LEFT + (WIDE - LEFT - RIGHT) * place / (len(points) - 1)

    def y(value: float) -> float:
        return HIGH - BOTTOM - (HIGH - TOP - BOTTOM) * (value - low) / (high - low)

    line = "L".join(
        f"{coordinate(x(at))} {coordinate(y(one.value))}" for at, one in enumerate(points)
    )
    dots = (
        element(
            "a",
            element("title", one.title),
            element("circle", cx=coordinate(x(at)), cy=coordinate(y(one.value)), r=5),
            href=one.href,
            aria_label=one.title,
        )
        for at, one in enumerate(points)
    )
    return element(
        "svg",
        element("title", title),
        *_grid_lines(low, high, y),
        element("path", class_="course", d=f"M{line}"),
        *dots,
        *_end_labels(points, x),
        class_="chart",
        view_box=f"0 0 {WIDE:.0f} {HIGH:.0f}",
        role="group",
        aria_label=title,
    )


def _grid_lines(low: float, high: float, y: Callable[[float], float]) -> Iterator[Html]:
    """Grid lines at round numbers."""
    step = next((step for step in STEPS if (high - low) / step <= 5), STEPS[-1])
    number = -(-low // step)
    while number * step <= high:
        at = y(number * step)
        yield element("path", class_="grid", d=f"M{LEFT} {coordinate(at)}H{WIDE - RIGHT}")
        yield _axis_label(f"{number * step:g}", LEFT - 8, at + 5, "end")
        number += 1


def _end_labels(points: Sequence[Point], x: Callable[[int], float]) -> Iterator[Html]:
    """The labels of the first and the last point."""
    ends = {0: "start", len(points) - 1: "end"} if len(points) > 1 else {0: "middle"}
    for at, anchor in ends.items():
        yield _axis_label(points[at].label, x(at), HIGH - 8, anchor)


def _axis_label(words: str, x: float, y: float, anchor: str) -> Html:
    at = {"x": coordinate(x), "y": coordinate(y)}
    return element("text", words, class_="axis", **at, text_anchor=anchor, font_size=FONT_SIZE)
