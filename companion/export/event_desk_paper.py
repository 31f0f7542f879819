"""More that the desk of an event prints (see event_paper.py): a list to tick off who is there,
slips for results, a code for the door, the standings of a league. With these an evening needs no
phone.
"""

from collections.abc import Iterator, Sequence

from companion.core.html import Html, element
from companion.core.words import as_looked_up, listed, phrase
from companion.events.event import ClubEvent, EventTable
from companion.events.standings import league_standings, place_shown, rounds_played, short
from companion.export.event_paper import (
    RoundOnPaper,
    called,
    document,
    heading_of,
    names_of,
    rows_of,
    sheet,
    table_of,
)
from companion.web.qr import svg_of_text


def check_in_list(event: ClubEvent, look: Html) -> str:
    """Everybody by name, each with a box to tick, and empty lines for people who were not
    expected."""
    names = sorted(names_of(event).values(), key=as_looked_up)
    lines = [element("li", element("b", "☐"), " ", element("span", name)) for name in names]
    lines += [element("li", element("b", "☐"), " ", element("span", "")) for _ in range(6)]
    title = phrase("Who is here")
    heading = listed((called(event), title), ": ") if event.name else title
    return document(title, look, [sheet(heading, element("ol", *lines, class_="check-in"))])


def result_slips(event: ClubEvent, playing: RoundOnPaper, look: Html) -> str:
    """A slip for each table, four a page: who sits there, room for the points and a signature."""
    names = names_of(event)

    def slip(table: EventTable) -> Html:
        people = [[str(at + 1), names[one], ""] for at, one in enumerate(table.seats)]
        head = [phrase("Seat"), phrase("Name"), phrase("Points")]
        return element(
            "section",
            element("p", heading_of(event, playing.number), class_="event"),
            element("h1", phrase("Table {number}", number=table.number)),
            table_of(head, people),
            element("p", phrase("Signed"), class_="signed"),
            class_="slip",
        )

    return document(phrase("Result slips"), look, map(slip, playing.tables))


def door_code(event: ClubEvent, look: Html, address: str) -> str:
    """One large code by which phones check in, for the door."""
    body = [
        element("p", phrase("Scan this, tap your name, and you are checked in."), class_="how"),
        Html(svg_of_text(address)),
    ]
    return document(
        phrase("Check in"), look, [sheet(called(event) or phrase("Check in"), *body, class_="door")]
    )


def league_sheet(events: Sequence[ClubEvent], look: Html) -> str:
    """The standings over several evenings, with the match points of each."""
    names = {id_: name for event in events for id_, name in names_of(event).items()}
    evenings = [dict(_points(event)) for event in events]
    head = [
        "", "", *(called(event) or str(at) for at, event in enumerate(events, 1)),
        phrase("Points"), phrase("Won"), phrase("For"), phrase("Against"), phrase("Opponents"), "",
    ]  # fmt: skip
    body = [
        [
            place_shown(row),
            names[row.player],
            *(points.get(row.player, "–") for points in evenings),
            *rows_of(row),
        ]
        for row in league_standings(events)
    ]
    many = sum(map(rounds_played, events))
    title = phrase("Standings over {evenings} evenings, {rounds} rounds",
                   evenings=len(events), rounds=many)  # fmt: skip
    return document(title, look, [sheet(title, table_of(head, body), class_="standings")])


def _points(event: ClubEvent) -> Iterator[tuple[str, str]]:
    """The match points of each player who played that evening, by id."""
    seated = {seat for each in event.rounds for table in each.tables for seat in table.seats}
    for row in league_standings([event]):
        if row.player in seated or row.points:
            yield row.player, short(row.points)
