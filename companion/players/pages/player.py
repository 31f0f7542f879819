"""The page of one player: figures and how they developed over the evenings, payments between
players, and the games that all of these come from."""

from collections.abc import Iterator, Mapping, Sequence

from companion.core.html import Html, between, element
from companion.core.seats import display_name
from companion.core.words import phrase
from companion.players.history import PlayersHistory
from companion.players.pages.document import (
    Point,
    bar,
    document,
    figure_tables,
    line_chart,
    link_to_all,
    link_to_evening,
    link_to_game,
    link_to_player,
    link_to_table,
    past_address,
    player_address,
    section,
    table,
)
from companion.players.player_figures import (
    MutualPayments,
    PlayerFigures,
    SeatInGame,
    Selection,
    figures_of,
    games_words,
    played_by,
)
from companion.players.statistics import MIN_OVER, Count, Denominator, GameResult
from companion.presentation.dates import date_or_unknown

NEWEST = 30
"""How many games of a kind, and evenings of its chart, are shown at first."""


def player_page(
    player: str, history: PlayersHistory, titles: Mapping[str, str], now: float | None,
    query: Mapping[str, str],
) -> str | None:  # fmt: skip
    """The page of that player; None if there is no such player, or the player is hidden. In
    `query`, `players` restricts the figures to games with that number of players, and `all` lists
    all games."""
    everything = list(played_by(player, history.games, history.people, Selection()))
    if not everything:
        return None
    wanted = query.get("players", "")
    many = int(wanted) if wanted in {str(number) for number in range(2, 10)} else None
    selection = Selection(players=many)
    played = [one for one in everything if selection.includes(one.game)]
    found = figures_of(
        player,
        history.games,
        history.people,
        selection,
        history.statistics,
        uncalled_shown_in=history.games_showing_uncalled(now),
    )
    won = len({one.game.number for one in played if one.seat in one.game.winners})
    games = games_words(len({one.game.number for one in played}))
    parts: list[Html] = [
        element("p", phrase("{games}, {won} won", games=games, won=won), class_="lead"),
        _links_by_player_count(player, everything, many),
    ]
    evening_of = {game.number: one.number for one in history.evenings for game in one.games}
    rest = None if "all" in query else player_address(player, players=many, all=1)
    for one in found:
        of_kind = [each for each in played if each.game.game == one.game]
        parts.append(_game_kind_section(one, of_kind, titles[one.game], evening_of, now, rest=rest))
    return document(display_name(player), *parts, ways=[link_to_table(), link_to_all()])


def _links_by_player_count(player: str, played: Sequence[SeatInGame], wanted: int | None) -> Html:
    """Links that restrict the figures to games with a given number of players; empty if all games
    had the same number."""
    numbers = sorted({len(one.game.seats) for one in played})
    if len(numbers) < 2:
        return Html()
    ways: list[tuple[int | None, str]] = [(None, phrase("All games"))]
    ways += [(number, phrase("With {number} players", number=number)) for number in numbers]
    links = (
        element("a", words, href=player_address(player, players=number),
                aria_current="page" if number == wanted else None)
        for number, words in ways
    )  # fmt: skip
    return element("nav", *links, class_="choices", aria_label=phrase("How many players"))


def _game_kind_section(
    found: PlayerFigures, played: Sequence[SeatInGame], title: str, evening_of: Mapping[int, int],
    now: float | None, *, rest: str | None,
) -> Html:  # fmt: skip
    anchor = f"games-{found.game}"
    told = phrase("{games}, {won} won", games=games_words(len(found.games)), won=len(found.won))
    parts = [element("p", told, class_="quiet"), *_points_chart(played, evening_of, now)]
    parts += figure_tables([found], [phrase("Value")], f"#{anchor}", title)
    if found.against:
        parts += [
            element("h3", phrase("Payments")),
            _payments_table(found.against, f"#{anchor}", title),
        ]
    parts.append(_games_list(played, anchor, now, rest))
    return section(title, *parts, anchor=found.game)


def _points_chart(
    played: Sequence[SeatInGame], evening_of: Mapping[int, int], now: float | None
) -> Iterator[Html]:
    """A chart of points per play, with a point for each evening that has enough plays."""
    evenings: dict[int, list[SeatInGame]] = {}
    for one in played:
        evenings.setdefault(evening_of[one.game.number], []).append(one)
    found = (_evening_point(number, of, now) for number, of in evenings.items())
    points = [point for point in found if point is not None]
    if len(points) < 2:
        return
    title = phrase("Points per play, evening by evening")
    yield element("h3", title)
    yield line_chart(points[-NEWEST:], title)


def _evening_point(number: int, played: Sequence[SeatInGame], now: float | None) -> Point | None:
    lays = sum(one.counts[Count.PLAYS] for one in played)
    if lays < MIN_OVER[Denominator.PLAYS]:
        return None
    value = sum(one.counts[Count.POINTS] for one in played) / lays
    when = date_or_unknown(played[0].game.begun, now)
    said = phrase("{day}: {value:.2f} over {lays} plays", day=when, value=value, lays=lays)
    return Point(value, when, said, past_address(f"/{number}"))


def _payments_table(found: Sequence[MutualPayments], games: str, title: str) -> Html:
    most = max(one.won + one.paid for one in found)
    rows = (
        [
            link_to_player(one.other),
            str(one.won),
            str(one.paid),
            bar(max(one.won, 0), max(one.won, 0) + max(one.paid, 0), most),
            _games_link(one.games, games),
        ]
        for one in sorted(found, key=lambda each: -(each.won + each.paid))
    )
    header = [phrase("With"), phrase("Got"), phrase("Paid"), "", phrase("In")]
    return table(header, rows, phrase("Payments: {game}", game=title))


def _games_link(found: Sequence[int], games: str) -> Html:
    words = games_words(len(found))
    return link_to_game(found[0], words) if len(found) == 1 else element("a", words, href=games)


def _games_list(
    played: Sequence[SeatInGame], anchor: str, now: float | None, rest: str | None
) -> Html:
    """A list of the games, the newest first. `rest`: the address of the page with all of them, to
    which the list links after the NEWEST games; None to list all."""
    newest = [*reversed(played)]
    listed = newest if rest is None else newest[:NEWEST]
    lines = (element("li", *_game_item(one, now)) for one in listed)
    more = []
    if rest is not None and len(newest) > len(listed):
        words = phrase("All {number} games", number=len(newest))
        more = [element("p", element("a", words, href=rest))]
    listing = element("ul", *lines, class_="lines")
    return element("div", element("h3", phrase("Games")), listing, *more, id=anchor)


def _game_item(one: SeatInGame, now: float | None) -> Iterator[Html]:
    game = one.game
    yield link_to_game(game.number)
    yield link_to_evening(game.number, date_or_unknown(game.begun, now))
    score = phrase("{score} points", score=game.scores[one.seat])
    stands = {
        GameResult.OPEN: phrase("unfinished"),
        GameResult.ENDED: phrase("ended"),
    }.get(game.result, "")
    won = phrase("won") if one.seat in game.winners else stands
    yield element("span", between(", ", score, *([won] if won else [])), class_="wins")
