"""`companion pair`, `standings` and `paper`: pair, score and print an event described in a text
file (docs/events.md)."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.terminal import SUCCESS, fail, print_json, print_lines
from companion.core.clock import day, now
from companion.core.regular_file import open_named
from companion.core.values import Json
from companion.events.bracket import bracket_of, names_in_bracket
from companion.events.draw import NextRound
from companion.events.event import ClubEvent, EventError, EventRound
from companion.events.pairing import draw_round
from companion.events.reading import read_event
from companion.events.standings import (
    Standing,
    league_standings,
    place_text,
    rounds_played,
    two_decimals,
)
from companion.events.teams import TeamStanding, matches_of, team_standings

if TYPE_CHECKING:
    from companion.games.game import AnyGame
    from companion.players.rating import RatedPlayer

MAX_EVENT_BYTES = 1 << 25
"""The most bytes in an event's text: several hundred times the size of an evening of 2,000
players."""


PENALTY_NAMES = {"warning": "a warning", "points": "points off", "game": "game lost"}


class _FileError(ValueError):
    """A file can't be used. The message names the file and the reason."""


def pair_file(name: str, *, as_json: bool) -> int:
    """Prints the pairings of the next round of the event in a file; `-` is standard input. Returns
    the exit status."""
    try:
        event = _read_event(name)
        drawn = draw_round(event)
    except _FileError as error:
        return fail(str(error))
    except EventError as error:
        return fail(f"{_input_name(name)}: {error}")
    if as_json:
        print_json(drawn.as_json)
    else:
        print_lines(_round_lines(event, drawn))
    return SUCCESS


def print_standings(names: Sequence[str], *, as_json: bool, rated: bool = False) -> int:
    """Prints the standings over all events in these files, with ratings if `rated`; returns the
    exit status."""
    ratings: dict[str, RatedPlayer] = {}
    try:
        events = [_read_event(name) for name in names]
        rows, teams = league_standings(events), team_standings(events)
        if rated:
            ratings = event_ratings(events)
    except (_FileError, EventError) as error:
        return fail(str(error))
    after = sum(map(rounds_played, events))
    if as_json:
        found: Json = {"after": after, "standings": [row.as_json for row in rows]}
        if teams:
            found["teams"] = [row.as_json for row in teams]
        for one in found["standings"] if rated else ():
            one["rating"] = _rating_json(ratings.get(one["player"]))
        print_json(found)
    else:
        print_lines(
            [
                *_standing_lines(events, rows, teams, after),
                *_rating_lines(events, ratings),
            ]
        )
    return SUCCESS


def write_event_paper(
    name: str,
    games: "Mapping[str, AnyGame]",
    *,
    cards: Path | None,
    pairings: Path | None,
    standings: Path | None,
    certificates: Path | None,
    bracket: Path | None,
    slips: Path | None,
    names: Path | None,
    address: str | None,
    places: int,
) -> int:
    """Writes the requested printable pages of an event, each to the file whose path is given.
    `address`: the target of the QR code on each table's card; `places`: how many players get a
    certificate."""
    from companion.web.export import event_paper as paper

    if not any((cards, pairings, standings, certificates, bracket, slips, names)):
        return fail(
            "say what to print: --cards, --pairings, --standings, --certificates, --bracket, "
            "--slips or --list"
        )
    try:
        event, style = _read_event(name), paper.embedded_style()
        pages = list[tuple[Path, str]]()
        if names:
            pages.append((names, paper.check_in_list(event, style)))
        if cards or pairings or slips:
            playing = paper.round_to_print(event)
            if cards:
                clockwise = event.game not in games or games[event.game].clockwise
                made = paper.table_cards(event, playing, style, address, clockwise=clockwise)
                pages.append((cards, made))
            if slips:
                pages.append((slips, paper.result_slips(event, playing, style)))
            if pairings:
                pages.append((pairings, paper.pairings(event, playing, style)))
        if standings:
            pages.append((standings, paper.standings_sheet(event, style)))
        if bracket:
            pages.append((bracket, paper.bracket_sheets(event, style)))
        if certificates:
            when = day(now())
            pages.append((certificates, paper.certificates(event, style, places, when)))
    except _FileError as error:
        return fail(str(error))
    except EventError as error:
        return fail(f"{_input_name(name)}: {error}")
    for path, page in pages:
        try:
            path.write_text(page, "utf-8")
        except OSError as error:
            return fail(f"{path}: {(error.strerror or str(error)).lower()}")
        print_lines([f"{path} is written: print it with a browser"])
    return SUCCESS


def _input_name(name: str) -> str:
    return "standard input" if name == "-" else name


def _read_event(name: str) -> ClubEvent:
    try:
        if name == "-":
            data = sys.stdin.buffer.read(MAX_EVENT_BYTES + 1)
        else:
            with open_named(name) as file:
                data = file.read(MAX_EVENT_BYTES + 1)
        if len(data) > MAX_EVENT_BYTES:
            raise _FileError(f"{_input_name(name)}: this is far too long for an event")
        return read_event(data.decode())
    except OSError as error:
        raise _FileError(
            f"{_input_name(name)}: {(error.strerror or str(error)).lower()}"
        ) from error
    except UnicodeDecodeError as error:
        raise _FileError(
            f"{_input_name(name)}: this is not UTF-8 text: save it as UTF-8"
        ) from error
    except EventError as error:
        raise _FileError(f"{_input_name(name)}: {error}") from error


# ---------------------------------------------------------------- for people


def _round_lines(event: ClubEvent, drawn: NextRound) -> Iterator[str]:
    names = {one.id: one.name for one in event.players}

    def join_names(ids: Sequence[str], between: str = ", ") -> str:
        return between.join(names[one] for one in ids)

    if not drawn.tables:
        bracket = bracket_of(event)
        won = bracket and bracket.winner
        yield (
            f"{names_in_bracket(event)[won]} has won."
            if won
            else "All have met: there is no further round."
        )
        return
    yield f"Round {drawn.number}" + (f" of {event.name}" if event.name else "")
    sitting = replace(
        event, rounds=(*event.rounds, EventRound(drawn.tables, drawn.bye)), seating={}
    )
    first = {
        match.boards[0].table: f"{match.home} – {match.away}"
        for match in (matches_of(sitting, drawn.number) if event.teams else ())
    }
    for table in drawn.tables:
        if table.number in first:
            yield first[table.number]
        yield f"  table {table.number:<4} {join_names(table.seats)}"
    if drawn.bye:
        yield f"  bye        {join_names(drawn.bye)}"
    for pair, times in drawn.repeats:
        yield f"{join_names(pair, ' and ')} meet again, the {_ordinal_word(times)} time"
    for (payer, paid), times in drawn.payers:
        yield f"{names[payer]} would pay {names[paid]} again, the {_ordinal_word(times)} time"
    for broken in drawn.broken:
        wish = broken.wish
        what = f"{join_names(wish.apart, ' and ')} apart"
        if wish.player is not None:
            what = f"{names[wish.player]} at table {wish.table}"
        yield f"Not granted: {what}: {broken.why}"


def _ordinal_word(time: int) -> str:
    return {2: "second", 3: "third"}.get(time, f"{time}th")


def _standing_lines(
    events: Sequence[ClubEvent],
    rows: Sequence[Standing],
    teams: Sequence[TeamStanding],
    after: int,
) -> Iterator[str]:
    names = {one.id: one.name for event in events for one in event.players}
    yield f"After {after} round{'' if after == 1 else 's'}"
    yield from _team_lines(teams)
    wide = max(len(names[row.player]) for row in rows)
    heads = f"{'points':>7} {'won':>4} {'for':>8} {'against':>8} {'opponents':>9}"
    yield f"{'':>4}  {'':<{wide}} {heads}"
    for row in rows:
        cells = f"{two_decimals(row.points):>7} {row.won:>4} {two_decimals(row.own):>8}"
        cells += f" {two_decimals(row.against):>8} {two_decimals(row.opponents):>9}"
        parted = f"  {row.parted_by}" if row.parted_by else ""
        yield f"{place_text(row.place):>4}  {names[row.player]:<{wide}} {cells}{parted}"
    yield from _correction_lines(events)


def _team_lines(teams: Sequence[TeamStanding]) -> Iterator[str]:
    wide = max((len(row.team) for row in teams), default=0)
    for row in teams:
        if row is teams[0]:
            heads = f"{'points':>7} {'played':>6} {'won':>4} {'drawn':>5} {'lost':>4}"
            yield f"{'':>4}  {'':<{wide}} {heads} {'boards':>11} {'for–against':>13}"
        boards = f"{two_decimals(row.boards)}–{two_decimals(row.boards_against)}"
        games = f"{two_decimals(row.own)}–{two_decimals(row.against)}"
        cells = f"{two_decimals(row.points):>7} {row.played:>6} {row.won:>4} {row.drawn:>5}"
        cells += f" {row.lost:>4} {boards:>11} {games:>13}"
        yield f"{place_text(row.place):>4}  {row.team:<{wide}} {cells}"


def event_ratings(events: Sequence[ClubEvent]) -> "dict[str, RatedPlayer]":
    """Returns each player's rating, by the player's id, after all tables with a result, in their
    order. Raises EventError if an event has partners, because ratings are for single players."""
    from companion.players.rating import RatedPlayer, Rating, rate

    found: dict[str, RatedPlayer] = {}
    for event in events:
        if event.has_partners:
            raise EventError("ratings are for single players: leave out events for partners")
        for each in event.rounds:
            for table in each.tables:
                if table.result is not None:
                    before = [found.get(seat, RatedPlayer(Rating(), 0)) for seat in table.seats]
                    places = [sum(more > own for more in table.result) for own in table.result]
                    after = rate([one.rating for one in before], places)
                    for seat, was, now in zip(table.seats, before, after, strict=True):
                        found[seat] = RatedPlayer(now, was.games + 1)
    return found


def _rating_json(rated: "RatedPlayer | None") -> Json | None:
    """Returns a player's rating with its spread; None if the player has played at too few tables to
    have a rating."""
    from companion.players.rating import MIN_GAMES

    if rated is None or rated.games < MIN_GAMES:
        return None
    return {
        "rating": rated.rating.mean,
        "spread": rated.rating.spread,
        "tables": rated.games,
    }


def _rating_lines(events: Sequence[ClubEvent], ratings: "dict[str, RatedPlayer]") -> Iterator[str]:
    names = {one.id: one.name for event in events for one in event.players}
    shown = [(one, found) for one, rated in ratings.items() if (found := _rating_json(rated))]
    for one, found in sorted(shown, key=lambda each: -each[1]["rating"]):
        yield (
            f"{names[one]}: rating {found['rating']:.1f} ± {found['spread']:.1f} "
            f"after {found['tables']} tables"
        )


def _correction_lines(events: Sequence[ClubEvent]) -> Iterator[str]:
    """Yields lines about corrected and missing results, and about penalties."""
    for event in events:
        where = f"{event.name}, " if len(events) > 1 and event.name else ""
        for at, each in enumerate(event.rounds, start=1):
            for table in each.tables:
                place = f"{where}round {at}, table {table.number}"
                if correction := table.corrected:
                    now = "-".join(map(two_decimals, correction.points))
                    before = "-".join(map(two_decimals, table.points or ())) or "no result"
                    by = f" by {correction.by}" if correction.by else ""
                    why = f": {correction.why}" if correction.why else ""
                    yield f"{place}: corrected{by} from {before} to {now}{why}"
                elif table.result is None:
                    yield f"{place} has no result yet"
        names = {one.id: one.name for one in event.players}
        for penalty in event.penalties:
            why = f": {penalty.why}" if penalty.why else ""
            by = f" by {penalty.by}" if penalty.by else ""
            given = PENALTY_NAMES[penalty.kind]
            yield f"{where}round {penalty.round}, {names[penalty.player]}: {given}{by}{why}"
