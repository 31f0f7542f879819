"""The page of all seasons: the tables of each division, and its fixtures. At a federation's hub a
player's club is beside the name, and the page can show one club alone."""

from collections.abc import Iterator, Sequence
from typing import Final

from companion.club.hub.page_responses import link_to
from companion.club.hub.season_events import CountedSeason
from companion.core.html import Html, element, joined
from companion.core.words import AsWritten, listed, look_alike, phrase
from companion.events.season import (
    Division,
    Fixture,
    SeasonEvent,
    fixtures_of,
    season_table,
    team_table,
)
from companion.events.standings import two_decimals
from companion.players.pages.document import document, section, table
from companion.players.pages.overview import club_choice

PATH: Final = "/season"


def season_page(seasons: Sequence[CountedSeason], club: str = "") -> str:
    """Returns the page of these seasons. `club`: the only club whose players and fixtures are
    listed, with the places that they have among all; empty: all clubs."""
    clubs = sorted({one for each in seasons for one in each.clubs}, key=str.casefold)
    parts = [club_choice(PATH, clubs, club)] if len(clubs) > 1 else []
    for each in seasons:
        for division in each.season.divisions:
            title = listed((each.season.name, division.name), ": ")
            parts.append(section(title, *_division(each, division, club), class_="season"))
        if each.unread:
            parts.append(element("p", _unread_words(each), class_="notice"))
    if not seasons:
        parts.append(element("p", phrase("No season yet.")))
    ways = [link_to("/", "club.to-all"), link_to("/event", "event.events")]
    return document(phrase("Seasons"), *parts, ways=ways)


def _division(each: CountedSeason, division: Division, club: str) -> Iterator[Html]:
    if division.fixtures or division.matches:
        fixtures = fixtures_of(division, each.events)
        yield _team_table(division, fixtures)
        if club:
            fixtures = [one for one in fixtures if _is_of_club(one, club)]
        yield _fixtures(fixtures)
        return
    events = [each.events[one] for one in division.events if one in each.events]
    yield _evening_table(each, events, club)


def _is_of_club(fixture: Fixture, club: str) -> bool:
    """Whether the fixture was played at the club, or by a team of that name."""
    names = fixture.club, fixture.home, fixture.away
    return any(look_alike(name, club) for name in names)


def _evening_table(each: CountedSeason, events: Sequence[SeasonEvent], club: str) -> Html:
    headings = [_with_club(AsWritten(one.event.name), one.club) for one in events]
    rows = [
        [
            _name_cell(row.place, each.names[row.player], row.clubs),
            element("b", two_decimals(row.total)),
            *(
                "–" if points is None
                else two_decimals(points) if at in row.counted
                else f"({two_decimals(points)})"
                for at, points in enumerate(row.evenings)
            ),
        ]
        for row in season_table(each.season, events)
        if row.player in each.names and (not club or club in row.clubs)
    ]  # fmt: skip
    label = phrase("Players")
    return table([label, phrase("Points"), *headings], rows, label)


def _name_cell(place: int, name: str, clubs: Sequence[str] = ()) -> Html:
    rank = element("span", str(place), class_="rank")
    return joined(rank, " ", _with_club(element("b", name), ", ".join(clubs)))


def _with_club(name: str, club: str) -> Html:
    """Returns the name with `club` on a line below it; the name alone if `club` is empty, as at a
    hub without other clubs."""
    return joined(name, *([" ", element("span", club, class_="over")] if club else []))


def _team_table(division: Division, fixtures: Sequence[Fixture]) -> Html:
    head = [
        phrase("Teams"), phrase("Points"), phrase("Played"), phrase("Won"), phrase("Drawn"),
        phrase("Lost"), phrase("For"), phrase("Against"),
    ]  # fmt: skip
    rows = [
        [
            _name_cell(row.place, row.team), element("b", two_decimals(row.points)),
            str(row.played), str(row.won), str(row.drawn), str(row.lost),
            two_decimals(row.boards), two_decimals(row.against),
        ]
        for row in team_table(division, fixtures)
    ]  # fmt: skip
    return table(head, rows, phrase("Teams"))


def _fixtures(fixtures: Sequence[Fixture]) -> Html:
    rows = []
    for one in fixtures:
        home, away = map(two_decimals, one.result)
        boards = (f"{two_decimals(each)}–{two_decimals(other)}" for each, other in one.boards)
        rows.append([
            f"{one.home} – {one.away}",
            f"{home}–{away}" if one.boards else "",
            ", ".join(boards),
            _with_club(AsWritten(one.date), one.club),
        ])  # fmt: skip
    head = [listed((phrase("Home"), phrase("Away")), " – "), phrase("Boards"), "", ""]
    return table(head, rows, phrase("Fixtures"))


def _unread_words(each: CountedSeason) -> str:
    events = (phrase("event {number} of {club}", number=one, club=of) for one, of in each.unread)
    return phrase(
        "Not counted in {season}, because this hub can't read it: {events}",
        season=each.season.name, events=listed(events),
    )  # fmt: skip
