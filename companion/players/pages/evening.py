"""One evening: its games, who won how often, the figures, and what was marked; also as one page to
print."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from companion.core.clock import day
from companion.core.html import Html, between, element
from companion.core.seats import shown
from companion.core.words import phrase
from companion.players.counted import CountedGame, GameResult
from companion.players.evenings import PlayedEvening
from companion.players.figure_words import many_games
from companion.players.figures import Selection, figures_of, players_of
from companion.players.history import PlayersHistory
from companion.players.pages.charts import bar
from companion.players.pages.document import (
    document,
    section,
    table,
    to_all,
    to_evening,
    to_game,
    to_player,
    to_table,
)
from companion.players.pages.figures import side_by_side
from companion.players.pages.marked import Marked

ANCHOR = "games"


def evening_page(
    number: int, history: PlayersHistory, titles: Mapping[str, str], now: float | None,
    marked: Callable[[Collection[int]], Sequence[Marked]],
) -> str | None:  # fmt: skip
    """The page of the evening on which that game was played; None: there is none. `marked`: what
    was marked by a star in the games of these numbers."""
    found = history.evenings
    place = next((at for at, one in enumerate(found) if number in one.numbers), None)
    if place is None:
        return None
    evening = found[place]
    when = day(evening.at)
    title = phrase("The evening of {day}", day=when) if when else phrase("An evening, date unknown")
    parts = [
        _lead(evening, history),
        _wins(evening, history),
        _games(evening, history, titles),
        _marked(marked(evening.numbers)),
        *_figures(evening, history, titles, now),
    ]
    ways = [to_table(), to_all()]
    if place > 0:
        ways.append(to_evening(found[place - 1].number, phrase("The evening before")))
    if place + 1 < len(found):
        ways.append(to_evening(found[place + 1].number, phrase("The evening after")))
    return document(title, *parts, ways=ways)


def _lead(evening: PlayedEvening, history: PlayersHistory) -> Html:
    names = players_of(evening.games, history.people)
    who = [to_player(name) for name in names]
    games = many_games(len(evening.games))
    printed = element("span", phrase(" Printed, this is the evening's sheet."), class_="unprinted")
    return element(
        "p", *([between(", ", *who), ": "] if who else []), games, ".", printed, class_="lead"
    )


def _wins(evening: PlayedEvening, history: PlayersHistory) -> Html:
    wins = evening.wins(history.people)
    if not wins:
        return Html()
    most = max(1, *wins.values())
    rows = (
        [to_player(player), str(number), bar(number, number, most)]
        for player, number in wins.items()
    )
    header = [phrase("Player"), phrase("Games won"), ""]
    return section(phrase("Won"), table(header, rows, phrase("Won")), anchor="won")


def _games(evening: PlayedEvening, history: PlayersHistory, titles: Mapping[str, str]) -> Html:
    """A line for each game, who came in with the most points first."""
    lines = (element("li", *_game(game, history, titles)) for game in evening.games)
    return section(phrase("Games"), element("ul", *lines, class_="lines"), anchor=ANCHOR)


def _game(game: CountedGame, history: PlayersHistory, titles: Mapping[str, str]) -> Iterator[Html]:
    yield to_game(game.number, phrase("Game {number}", number=game.number))
    yield element("span", titles[game.game])
    sides = game.sides or tuple((seat,) for seat in game.seats)
    sides = tuple(sorted(sides, key=lambda side: _came_in(game, side[0])))
    people = history.people
    told = []
    for side in sides:
        names = [shown(people.name_of(seat)) for seat in side if not people.hides(seat)]
        won = side[0] in game.winners
        words = phrase("{seat} {score}", seat=" & ".join(names), score=game.scores[side[0]])
        if names:
            told.append(element("b" if won else "span", words, class_="won" if won else None))
    left = {
        GameResult.OPEN: phrase("left unfinished"),
        GameResult.ENDED: phrase("ended early"),
    }.get(game.result)
    doubtful = [phrase("rows of it are lost")] if game.doubtful else []
    told += [element("i", words) for words in ([left] if left else []) + doubtful]
    yield element("span", between(", ", *told), class_="wins")


def _came_in(game: CountedGame, seat: str) -> tuple[bool, int]:
    """Sorts who has won first, then who has most."""
    return seat not in game.winners, -game.scores[seat]


def _marked(found: Sequence[Marked]) -> Html:
    if not found:
        return Html()
    lines = (
        element(
            "li",
            to_game(one.game, phrase("Game {number}, hand {hand}", number=one.game, hand=one.hand),
                    one.entry),
            element("b", one.said),
            element("span", " · ".join(one.more), class_="quiet"),
        )
        for one in found
    )  # fmt: skip
    title = phrase("To be remembered")
    return section(title, element("ul", *lines, class_="lines stars"))


def _figures(
    evening: PlayedEvening, history: PlayersHistory, titles: Mapping[str, str], now: float | None
) -> Iterator[Html]:
    """The figures of each kind of game, its players beside each other."""
    selection = Selection(numbers=evening.numbers)
    tells = history.tells_uncalled(now)
    found = [
        one
        for player in players_of(evening.games, history.people)
        for one in figures_of(
            player,
            evening.games,
            history.people,
            selection,
            history.statistics,
            tells_uncalled=tells,
        )
    ]
    for kind in evening.kinds:
        of_kind = [one for one in found if one.game == kind]
        if of_kind:
            header = [to_player(one.player) for one in of_kind]
            yield section(titles[kind], side_by_side(of_kind, header, f"#{ANCHOR}", titles[kind]))
