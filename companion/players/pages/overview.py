"""The page of all players and all evenings."""

from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import urlencode

from companion.core.html import Html, between, element
from companion.core.seats import display_name
from companion.core.words import isolated, phrase
from companion.players.history import PlayedEvening, PlayersHistory
from companion.players.pages.document import (
    ROOT,
    bar,
    document,
    link_to_evening,
    link_to_game,
    link_to_player,
    link_to_table,
    past_address,
    section,
    table,
)
from companion.players.player_figures import (
    SeatInGame,
    Selection,
    games_words,
    played_by,
    players_of,
)
from companion.players.rating import MIN_GAMES, ratings_of
from companion.players.statistics import CountedGame, GameResult
from companion.presentation.club_words import CLUB_WORDS
from companion.presentation.dates import date_or_unknown
from companion.presentation.page_words import PAGE_WORDS
from companion.presentation.sayings import fixed_words

NEWEST = 40
"""How many evenings are listed at first."""


def overview(
    history: PlayersHistory,
    titles: Mapping[str, str],
    now: float | None,
    query: Mapping[str, str],
    clubs: Sequence[str] = (),
) -> str:
    """The page of all players and evenings. In the page's `query`, `all` lists every evening and
    `ratings` shows the ratings. `titles`: the games' titles; `clubs`: the clubs to choose from."""
    title = fixed_words(PAGE_WORDS, "label.to-past")
    choice = [club_choice(ROOT, clubs, query.get("club", ""))] if len(clubs) > 1 else []
    if not history.games:
        nothing = phrase("No game yet. What you play is listed here from its first entry.")
        return document(title, *choice, element("p", nothing), ways=[link_to_table()])
    parts = [
        *choice,
        _players_section(history, now),
        _evenings_section(history, now, everything="all" in query),
    ]
    unfinished = [game for game in history.games if game.result is GameResult.OPEN]
    if unfinished:
        parts.append(_unfinished_section(unfinished, history, titles, now))
    if "ratings" in query:
        parts.append(_ratings_section(history, titles))
    else:
        show = element("a", phrase("Show ratings"), href=past_address(ratings=1) + "#ratings")
        parts.append(element("p", show, class_="quiet"))
    if history.lost:
        lost = phrase(
            "Games that can't be read: {number} (see companion verify)", number=history.lost
        )
        parts.append(element("p", lost, class_="notice"))
    return document(title, *parts, ways=[link_to_table()])


def club_choice(page: str, clubs: Sequence[str], chosen: str) -> Html:
    """Links to `page` for each club and for all clubs; the link for the `chosen` club is marked."""
    links = [
        element(
            "a",
            name or fixed_words(CLUB_WORDS, "club.of-all"),
            href=page + (f"?{urlencode({'club': name})}" if name else ""),
            aria_current="true" if name == chosen else None,
        )
        for name in ("", *clubs)
    ]
    return element("nav", *links, class_="choices", aria_label=fixed_words(CLUB_WORDS, "club.of"))


def _players_section(history: PlayersHistory, now: float | None) -> Html:
    found = {
        player: list(played_by(player, history.games, history.people, Selection()))
        for player in players_of(history.games, history.people)
    }
    if not found:
        nobody = phrase("No names yet: colours are not listed. Name the seats when a game begins.")
        return section(phrase("Players"), element("p", nobody))
    most = max(len(_game_numbers(played)) for played in found.values())
    order = sorted(found.items(), key=lambda one: -len(_game_numbers(one[1])))
    header = [phrase("Player"), phrase("Games"), phrase("Won"), "", phrase("Last")]
    label = phrase("Players")
    return section(label, table(header, (_player_row(*one, most, now) for one in order), label))


def _player_row(player: str, played: list[SeatInGame], most: int, now: float | None) -> list[str]:
    games = len(_game_numbers(played))
    won = len({one.game.number for one in played if one.seat in one.game.winners})
    last = next((one.game.begun for one in reversed(played) if one.game.begun), None)
    drawn = bar(won, games, most)
    return [link_to_player(player), str(games), str(won), drawn, date_or_unknown(last, now)]


def _game_numbers(played: list[SeatInGame]) -> set[int]:
    return {one.game.number for one in played}


def _evenings_section(history: PlayersHistory, now: float | None, *, everything: bool) -> Html:
    found = history.evenings[::-1]
    listed = found if everything else found[:NEWEST]
    lines = [element("li", *_evening_row(one, history, now)) for one in listed]
    more = []
    if len(found) > len(listed):
        words = phrase("All {number} evenings", number=len(found))
        more = [element("p", element("a", words, href=past_address(all=1)))]
    return section(phrase("Evenings"), element("ul", *lines, class_="lines"), *more)


def _evening_row(
    evening: PlayedEvening, history: PlayersHistory, now: float | None
) -> Iterator[Html]:
    name = date_or_unknown(evening.began_at, now)
    yield link_to_evening(evening.number, name)
    yield element("span", games_words(len(evening.games)), class_="quiet")
    wins = [
        phrase("{player} {number}", player=display_name(player), number=number)
        for player, number in evening.wins(history.people).items()
    ]
    yield element("span", between(", ", *wins), class_="wins")


def _unfinished_section(
    games: list[CountedGame], history: PlayersHistory, titles: Mapping[str, str], now: float | None
) -> Html:
    lines = (
        element(
            "li",
            link_to_game(game.number, titles[game.game]),
            element("span", date_or_unknown(game.played, now), class_="quiet"),
            element("span", ", ".join(_people_in(game, history)), class_="wins"),
        )
        for game in reversed(games)
    )
    how = phrase("Resume one on the table's page, under “Unfinished games”.")
    listed = element("ul", *lines, class_="lines")
    return section(phrase("Left unfinished"), listed, element("p", how, class_="quiet"))


def _people_in(game: CountedGame, history: PlayersHistory) -> list[str]:
    """The names of the people at the table, without hidden ones."""
    people = history.people
    return [
        isolated(display_name(people.name_of(seat)))
        for seat in game.seats
        if not people.is_hidden(seat)
    ]


def _ratings_section(history: PlayersHistory, titles: Mapping[str, str]) -> Html:
    explained = phrase(
        "How strong each player is, and how certain that is, estimated from the results of "
        "{number} games.",
        number=MIN_GAMES,
    )
    parts: list[Html] = [element("p", explained, class_="quiet")]
    for kind, players in ratings_of(history.games, history.people).items():
        rated = sorted(
            (one for one in players.items() if one[1].games >= MIN_GAMES),
            key=lambda one: -one[1].rating.mean,
        )
        if not rated:
            continue
        rows = (
            [
                link_to_player(player),
                phrase(
                    "{rating:.1f} ± {spread:.1f}", rating=one.rating.mean, spread=one.rating.spread
                ),
                games_words(one.games),
            ]
            for player, one in rated
        )
        header = [phrase("Player"), phrase("Rating"), phrase("After")]
        parts += [element("h3", titles[kind]), table(header, rows, titles[kind])]
    hide = element("p", element("a", phrase("Hide ratings"), href=past_address()), class_="quiet")
    return section(phrase("Ratings"), *parts, hide, anchor="ratings")
