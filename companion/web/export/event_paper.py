"""An event on paper: cards for the tables, pairings, the standings, certificates, a check-in list,
slips for results, a code for the door, and the standings of a league. With these an evening needs
no phone.

Each is a single HTML file that loads nothing; any browser prints it, black on white, on A4 or
letter. It is in English, unless core/html.py is set to another language while it is made.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from companion.core.html import Html, element, joined
from companion.core.seats import in_turn_order
from companion.core.values import dataclass
from companion.core.words import AsWritten, listed, name_sort_key, ordinal, phrase
from companion.events.bracket import bracket_of, names_in_bracket
from companion.events.draw import NextRound
from companion.events.event import ClubEvent, EventError, EventTable
from companion.events.pairing import draw_round
from companion.events.standings import (
    RunningTotals,
    Standing,
    league_standings,
    place_text,
    rounds_missed,
    rounds_played,
    standings,
    two_decimals,
)
from companion.events.teams import TeamStanding, team_names_at, team_standings
from companion.presentation.club_words import EVENT_WORDS
from companion.presentation.language import LANGUAGE_HERE
from companion.presentation.sayings import fixed_words
from companion.web.address import qr_svg_of_text
from companion.web.export.event_bracket import bracket_svg, parts_of

STYLE = Path(__file__).with_name("event_paper.css")
SIDES = {
    2: ("far", "near"),
    3: ("far", "right", "near"),
    4: ("far", "right", "near", "left"),
}
"""On which side of the card's number each seat is printed, clockwise, by the number of seats at a
table."""
MOST_BELOW = 16
"""The most matches of a bracket below each other on a page."""
TABLE_PLACEHOLDER = "{table}"
"""The placeholder in an address for the number of the table."""


@dataclass(frozen=True, slots=True)
class RoundOnPaper:
    """A round to print: its number, its tables and the byes. `draft`: it isn't published yet, which
    each sheet shows."""

    number: int
    tables: tuple[EventTable, ...]
    bye: tuple[str, ...]
    draft: bool = False


def embedded_style() -> Html:
    """The papers' style sheet embedded in the file, which then needs no network. A server may use
    `linked_style` instead."""
    return element("style", Html(STYLE.read_text("utf-8")))


def linked_style() -> Html:
    """The papers' style as a link, for a hub's pages."""
    return element("link", rel="stylesheet", href="/event_paper.css")


def round_to_print(event: ClubEvent) -> RoundOnPaper:
    """The newest round if it still lacks results or is the last one, else a draft of the next.
    Raises EventError."""
    if event.rounds and any(table.result is None for table in event.rounds[-1].tables):
        return published_round(event)
    drawn = draw_round(event)
    if event.rounds and not drawn.tables:
        return published_round(event)
    return draft_round(drawn)


def published_round(event: ClubEvent) -> RoundOnPaper:
    """The newest round. Raises EventError if none is drawn."""
    if not event.rounds:
        raise EventError("no round is drawn yet")
    newest = event.rounds[-1]
    return RoundOnPaper(len(event.rounds), newest.tables, newest.bye)


def draft_round(drawn: NextRound) -> RoundOnPaper:
    """A round that isn't published yet."""
    return RoundOnPaper(drawn.number, drawn.tables, drawn.bye, draft=True)


def table_cards(
    event: ClubEvent,
    playing: RoundOnPaper,
    style: Html,
    address: str | None = None,
    *,
    clockwise: bool = True,
) -> str:
    """A card for each table, two to a page: the table's number, around it the names in the order of
    the seats (`clockwise`: see Game.clockwise), and a QR code for phones if an `address` is given
    (its `{table}` becomes the table's number)."""
    names = names_of(event)
    sides = {number: in_turn_order(of, clockwise=clockwise) for number, of in SIDES.items()}
    cards = (
        element(
            "section",
            element("p", _heading_of_card(event, playing, table), class_="event"),
            element("h1", phrase("Table {number}", number=table.number)),
            *(
                element("p", element("i", str(at + 1)), " ", names[one], class_=f"seat {side}")
                for at, (one, side) in enumerate(
                    zip(table.seats, sides[len(table.seats)], strict=True)
                )
            ),
            _qr_code(address, table.number),
            class_="card",
        )
        for table in playing.tables
    )
    return document(phrase("Table cards"), style, cards)


def _heading_of_card(event: ClubEvent, playing: RoundOnPaper, table: EventTable) -> str:
    """The heading of a round, and the teams that meet at this table."""
    heading = round_heading(event, playing)
    if not event.teams:
        return heading
    return listed((heading, AsWritten(team_names_at(event, table))), " · ")


def pairings(event: ClubEvent, playing: RoundOnPaper, style: Html) -> str:
    """The pairings as two lists: by name, so that players find themselves, and by table."""
    names = names_of(event)
    heading = round_heading(event, playing)
    seats = [(names[one], str(table.number)) for table in playing.tables for one in table.seats]
    seats += [(names[one], phrase("bye")) for one in playing.bye]
    by_name = element(
        "ol",
        *(
            element("li", element("span", name), element("b", where))
            for name, where in sorted(seats, key=lambda each: name_sort_key(each[0]))
        ),
        class_="by-name",
    )
    teams = [phrase("Teams")] if event.teams else []
    rows = [
        [
            str(table.number),
            *(AsWritten(team_names_at(event, table)) for _ in teams),
            *(names[one] for one in table.seats),
        ]
        for table in sorted(playing.tables, key=lambda table: table.number)
    ]
    most = max((len(table.seats) for table in playing.tables), default=1)
    seat_heads = (phrase("Seat {number}", number=at + 1) for at in range(most))
    head = [phrase("Table"), *teams, *seat_heads]
    by_table = html_table(head, [[*row, *[""] * (len(head) - len(row))] for row in rows])
    if playing.bye:
        free = listed(names[one] for one in playing.bye)
        by_table = joined(by_table, element("p", phrase("Bye: {names}", names=free)))
    return document(
        phrase("Pairings"),
        style,
        (sheet(heading, by_name), sheet(heading, by_table, class_="by-table")),
    )


def standings_sheet(event: ClubEvent, style: Html) -> str:
    """The standings: match points of each round and their total, tables won, game points, and
    tie-breaks."""
    names, rows = names_of(event), standings(event)
    by_round, missed = [], rounds_missed(event)
    for at, one in enumerate(event.rounds[: _rounds_shown(event)], start=1):
        tally = RunningTotals(names)
        given = tuple(each for each in event.penalties if each.round == at)
        tally.add(replace(event, rounds=(one,), penalties=given))
        by_round.append(
            {
                player: points + (event.late_points if at <= missed.get(player, 0) else 0)
                for player, points in tally.points.items()
            }
        )
    head = [
        "", "", *(str(at + 1) for at in range(len(by_round))), phrase("Points"), phrase("Won"),
        phrase("For"), phrase("Against"), phrase("Opponents"), "",
    ]  # fmt: skip
    body = [
        [
            place_text(row.place),
            names[row.player],
            *(two_decimals(points[row.player]) for points in by_round),
            *standing_cells(row),
        ]
        for row in rows
    ]
    title = (
        listed((event_title(event), _standings_title(event)), ": ")
        if event.name
        else _standings_title(event)
    )
    return document(
        phrase("Standings"),
        style,
        [
            sheet(
                title,
                *team_table_of([event]),
                html_table(head, body),
                *_penalty_lines(event),
                class_="standings",
            )
        ],
    )


def team_table_of(events: Sequence[ClubEvent]) -> Iterator[Html]:
    """The standings of the teams as a table, if there are teams."""
    rows = team_standings(events)
    if rows:
        head = [
            "", "", phrase("Points"), phrase("Played"), phrase("Won"), phrase("Drawn"),
            phrase("Lost"), phrase("Boards"), phrase("Game points"), "",
        ]  # fmt: skip
        body = [
            [
                place_text(row.place), AsWritten(row.team), two_decimals(row.points),
                str(row.played), str(row.won), str(row.drawn), str(row.lost),
                f"{two_decimals(row.boards)}–{two_decimals(row.boards_against)}",
                f"{two_decimals(row.own)}–{two_decimals(row.against)}", "",
            ]
            for row in rows
        ]  # fmt: skip
        yield html_table(head, body)


def _penalty_lines(event: ClubEvent) -> Iterator[Html]:
    """A line for each penalty."""
    names = names_of(event)
    for one in event.penalties:
        kind = fixed_words(EVENT_WORDS, f"event.penalty.{one.kind}")
        words = phrase("Round {number}: {name}: {penalty}",
                       number=one.round, name=names[one.player], penalty=kind)  # fmt: skip
        parts = [words, *filter(None, (_reason_words(one.why), one.by and AsWritten(one.by)))]
        yield element("p", listed(parts, " · "))


def _reason_words(why: str) -> Html | str:
    """The reason for a penalty: translated if it is one that the pages offer, otherwise as entered;
    empty if there is none."""
    key = f"event.reason.{why}"
    return fixed_words(EVENT_WORDS, key) if key in EVENT_WORDS else AsWritten(why) if why else ""


def bracket_sheets(event: ClubEvent, style: Html) -> str:
    """The bracket of a knock-out, a large one on several pages. Raises EventError if there is
    none."""
    bracket = bracket_of(event)
    names = {one: AsWritten(name) for one, name in names_in_bracket(event).items()}
    if bracket is None:
        raise EventError("there is no bracket: this is no knock-out, or it has not begun")
    title = phrase("Bracket")
    if bracket.winner is not None:
        title = phrase("{name} has won", name=names[bracket.winner])
    heading = listed((event_title(event), title), ": ") if event.name else title
    drawn = (
        bracket_svg(bracket, names, event.format, part) for part in parts_of(bracket, MOST_BELOW)
    )
    return document(phrase("Bracket"), style, (sheet(heading, one, class_="wide") for one in drawn))


def certificates(event: ClubEvent, style: Html, places: int, when: str | None) -> str:
    """A page for each team and each player in the first `places` places, the teams first; `when`:
    the day, as text."""
    names, rows, teams = names_of(event), standings(event), team_standings([event])
    title = event_title(event)
    players_title = listed([one for one in (title, phrase("Players")) if one], " · ")
    people = {one.name: listed(names[each] for each in one.people) for one in event.teams}
    pages = [
        _certificate(title, (AsWritten(row.team), people[row.team]), row, teams, when)
        for row in teams
        if row.place is not None and row.place <= places
    ]
    pages += [
        _certificate(players_title if event.teams else title, (names[row.player],), row, rows, when)
        for row in rows
        if row.place is not None and row.place <= places
    ]
    return document(phrase("Certificates"), style, pages)


def _certificate(
    title: str,
    whose: Sequence[str],
    row: Standing | TeamStanding,
    among: Sequence[Standing | TeamStanding],
    when: str | None,
) -> Html:
    """The page for one certificate. `whose`: the name of the player, or of the team and then of its
    people."""
    name, *people = whose
    return element(
        "section",
        element("p", title or Html("&nbsp;"), class_="event"),
        element("h1", name),
        *(element("p", each) for each in people),
        element("p", _place_words(row.place or 0, among), class_="place"),
        element("p", _points_words(row.points)),
        element("p", when or Html("&nbsp;"), class_="day"),
        class_="certificate",
    )


# ---------------------------------------------------------------- parts


def names_of(event: ClubEvent) -> dict[str, str]:
    """The names of all players by their ids, untranslated even if a name is also a colour."""
    return {one.id: AsWritten(one.name) for one in event.players}


def event_title(event: ClubEvent) -> str:
    """The event's name as written; empty if it has none."""
    return AsWritten(event.name)


def _rounds_shown(event: ClubEvent) -> int:
    """The number of rounds to show: all up to the last one with a result, a bye or a penalty."""
    penalties = {one.round for one in event.penalties}
    played = [
        bool(each.bye) or at in penalties or any(table.result is not None for table in each.tables)
        for at, each in enumerate(event.rounds, start=1)
    ]
    return len(played) - played[::-1].index(True) if True in played else 0


def _standings_title(event: ClubEvent) -> str:
    """A title that names the rounds that the standings include."""
    shown = _rounds_shown(event)
    if not shown:
        return phrase("Standings")
    if rounds_played(event) < shown:
        return phrase("Standings during round {number}", number=shown)
    return phrase("Standings after round {number}", number=shown)


def standing_cells(row: Standing) -> list[str]:
    """The cells of a standing, after the place and the name."""
    amounts = (row.points, Fraction(row.won), row.own, row.against, row.opponents)
    parted = row.parted_by and fixed_words(EVENT_WORDS, f"event.parted.{row.parted_by}")
    return [*map(two_decimals, amounts), parted or ""]


def numbered_heading(event: ClubEvent, at: int) -> str:
    """A heading with the event's name and the number of a round."""
    words = phrase("Round {number}", number=at)
    return listed((event_title(event), words), " · ") if event.name else words


def round_heading(event: ClubEvent, playing: RoundOnPaper) -> str:
    """A heading with the event's name, the number of a round, and a note if it is a draft."""
    heading = numbered_heading(event, playing.number)
    return listed((heading, phrase("DRAFT, not published")), " · ") if playing.draft else heading


def _place_words(number: int, rows: Sequence[Standing | TeamStanding]) -> str:
    place = ordinal(number)
    if sum(other.place == number for other in rows) > 1:
        return phrase("shares {place} place", place=place)
    return phrase("{place} place", place=place)


def _points_words(points: Fraction) -> str:
    if points == 1:
        return phrase("1 point")
    return phrase("{points} points", points=two_decimals(points))


def _qr_code(address: str | None, table: int) -> Html:
    if address is None:
        return Html()
    return Html(qr_svg_of_text(address.replace(TABLE_PLACEHOLDER, str(table))))


def sheet(title: str, *body: str, class_: str | None = None) -> Html:
    return element("section", element("h1", title), *body, class_=class_)


def html_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Html:
    """A table with these rows and column headings."""

    def row(name: str, cells: Sequence[str]) -> Html:
        return element("tr", *(element(name if cell else "td", cell) for cell in cells))

    return element(
        "table",
        element("thead", row("th", head)),
        element("tbody", *(row("td", cells) for cells in rows)),
    )


def document(title: str, style: Html, sections: Iterable[Html]) -> str:
    """A complete HTML file of these sections."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("title", title),
        style,
    )
    # Each section on a line of its own, so that the file can be read.
    lines = (Html(f"\n{one}\n") for one in sections)
    page = element("html", head, element("body", element("main", *lines)), lang=LANGUAGE_HERE)
    return f"<!doctype html>\n{page}\n"


def check_in_list(event: ClubEvent, style: Html) -> str:
    """Everybody by name, each with a box to tick, and empty lines for unexpected people."""
    names = sorted(names_of(event).values(), key=name_sort_key)
    lines = [element("li", element("b", "☐"), " ", element("span", name)) for name in names]
    lines += [element("li", element("b", "☐"), " ", element("span", "")) for _ in range(6)]
    title = phrase("Who is here")
    heading = listed((event_title(event), title), ": ") if event.name else title
    return document(title, style, [sheet(heading, element("ol", *lines, class_="check-in"))])


def result_slips(event: ClubEvent, playing: RoundOnPaper, style: Html) -> str:
    """A slip for each table, four to a page: the players, with room for the points and a
    signature."""
    names = names_of(event)

    def slip(table: EventTable) -> Html:
        people = [[str(at + 1), names[one], ""] for at, one in enumerate(table.seats)]
        head = [phrase("Seat"), phrase("Name"), phrase("Points")]
        return element(
            "section",
            element("p", round_heading(event, playing), class_="event"),
            element("h1", phrase("Table {number}", number=table.number)),
            *(element("p", AsWritten(team_names_at(event, table))) for _ in event.teams[:1]),
            html_table(head, people),
            element("p", phrase("Signed"), class_="signed"),
            class_="slip",
        )

    return document(phrase("Result slips"), style, map(slip, playing.tables))


def door_code(event: ClubEvent, style: Html, address: str) -> str:
    """A sheet for the door with a large QR code, with which phones check in."""
    body = [
        element("p", phrase("Scan this, tap your name, and you are checked in."), class_="how"),
        Html(qr_svg_of_text(address)),
    ]
    return document(
        phrase("Check in"),
        style,
        [sheet(event_title(event) or phrase("Check in"), *body, class_="door")],
    )


def phone_code(event: ClubEvent, style: Html, player: str, address: str) -> str:
    """A sheet with a large QR code that opens a player's “My evening” on a phone."""
    name = names_of(event)[player]
    body = [
        element("p", phrase("Scan this: your table, your results, your place."), class_="how"),
        Html(qr_svg_of_text(address)),
    ]
    return document(name, style, [sheet(name, *body, class_="door")])


def league_sheet(events: Sequence[ClubEvent], style: Html) -> str:
    """The standings over several evenings, with the match points of each."""
    names = {id_: name for event in events for id_, name in names_of(event).items()}
    evenings = [dict(_league_points(event)) for event in events]
    head = [
        "", "", *(event_title(event) or str(at) for at, event in enumerate(events, 1)),
        phrase("Points"), phrase("Won"), phrase("For"), phrase("Against"), phrase("Opponents"), "",
    ]  # fmt: skip
    body = [
        [
            place_text(row.place),
            names[row.player],
            *(points.get(row.player, "–") for points in evenings),
            *standing_cells(row),
        ]
        for row in league_standings(events)
    ]
    many = sum(map(rounds_played, events))
    title = phrase("Standings over {evenings} evenings, {rounds} rounds",
                   evenings=len(events), rounds=many)  # fmt: skip
    tables = *team_table_of(events), html_table(head, body)
    return document(title, style, [sheet(title, *tables, class_="standings")])


def _league_points(event: ClubEvent) -> Iterator[tuple[str, str]]:
    """The match points of each player who played that evening, by id."""
    seated = {seat for each in event.rounds for table in each.tables for seat in table.seats}
    for row in league_standings([event]):
        if row.player in seated or row.points:
            yield row.player, two_decimals(row.points)
