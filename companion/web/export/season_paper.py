"""The tables of a season as a page: for each division its table, and its fixtures."""

from collections.abc import Iterator, Mapping, Sequence

from companion.core.html import Html
from companion.core.words import listed, phrase
from companion.events.event import ClubEvent
from companion.events.season import (
    Division,
    Fixture,
    Season,
    fixtures_of,
    names_by_id,
    season_table,
    team_table,
)
from companion.events.standings import two_decimals
from companion.web.export.event_paper import event_title, html_table, sheet


def season_sheets(season: Season, events: Mapping[int, ClubEvent]) -> Iterator[Html]:
    """A sheet for each division. `events`: those of the season, by number. The points of an evening
    that doesn't count are in parentheses."""
    for division in season.divisions:
        title = listed((season.name, division.name), ": ")
        if division.fixtures or division.matches:
            fixtures = fixtures_of(division, events)
            tables = [_team_table(division, fixtures), _fixtures(fixtures)]
        else:
            played = [events[one] for one in division.events if one in events]
            tables = [_evening_table(season, played)]
        yield sheet(title, *tables, class_="standings")


def _evening_table(season: Season, events: list[ClubEvent]) -> Html:
    names = names_by_id(events)
    headings = (event_title(event) or str(at) for at, event in enumerate(events, start=1))
    body = [
        [
            str(row.place),
            names[row.player],
            *(
                "–" if points is None
                else two_decimals(points) if at in row.counted
                else f"({two_decimals(points)})"
                for at, points in enumerate(row.evenings)
            ),
            two_decimals(row.total),
            "",
        ]
        for row in season_table(season, events)
    ]  # fmt: skip
    return html_table(["", "", *headings, phrase("Points"), ""], body)


def _team_table(division: Division, fixtures: Sequence[Fixture]) -> Html:
    head = [
        "", "", phrase("Played"), phrase("Won"), phrase("Drawn"), phrase("Lost"),
        phrase("For"), phrase("Against"), phrase("Points"), "",
    ]  # fmt: skip
    body = [
        [
            str(row.place), row.team, str(row.played), str(row.won), str(row.drawn), str(row.lost),
            two_decimals(row.boards), two_decimals(row.against), two_decimals(row.points), "",
        ]
        for row in team_table(division, fixtures)
    ]  # fmt: skip
    return html_table(head, body)


def _fixtures(fixtures: Sequence[Fixture]) -> Html:
    body = []
    for fixture in fixtures:
        home, away = map(two_decimals, fixture.result)
        boards = (f"{two_decimals(one)}–{two_decimals(other)}" for one, other in fixture.boards)
        result = f"{home}–{away}" if fixture.boards else ""
        body.append([fixture.date, fixture.home, fixture.away, result, ", ".join(boards)])
    return html_table(["", phrase("Home"), phrase("Away"), "", ""], body)
