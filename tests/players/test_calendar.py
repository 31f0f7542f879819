"""Evenings as a calendar, read by another library, and as a table."""

import csv
import io
from pathlib import Path

from icalendar import Calendar

from companion.players.exports import calendar
from tests.players.builder import at
from tests.players.conftest import Run
from tests.players.evening_kept import Clock, history, keep_game, kept, rows_of

TITLES = {"high-five": "High Five", "five-up": "Five, Up; \\ or down"}


def test_every_evening_is_a_calendar_event(run: Run) -> None:
    status, out, err = run("evenings", "--ics")
    assert (status, err) == (0, "")
    assert "\n" not in out.replace("\r\n", "")
    events = Calendar.from_ical(out).walk("VEVENT")
    assert len(events) == 2
    first = dict(events[0].items())
    begun, ended = (first[name].to_ical().decode() for name in ("DTSTART", "DTEND"))
    assert begun == "20261101T200000Z"
    assert ended > begun
    assert str(first["SUMMARY"]).startswith("High Five: ")
    assert len({str(event["UID"]) for event in events}) == 2


def test_unusual_names_are_exported_and_no_line_is_too_long(tmp_path: Path) -> None:
    clock, names = Clock(at(20)), ("Zoë_" + "ü" * 40, "江戸川乱歩")
    with kept(tmp_path / "record.db", clock) as store:
        keep_game(store, clock, rows_of(3, names, "five-up"))
    found = history(tmp_path / "record.db")
    text = calendar(found.evenings, TITLES, found.people)
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    (event,) = Calendar.from_ical(text).walk("VEVENT")
    assert "Five, Up; \\ or down: " in str(event["SUMMARY"])
    assert "江戸川乱歩" in str(event["SUMMARY"])
    assert "Zoë " + "ü" * 40 in str(event["SUMMARY"])


def test_an_evening_without_a_time_is_left_out(tmp_path: Path) -> None:
    with kept(tmp_path / "record.db", Clock(0.0)) as store:
        keep_game(store, Clock(0.0), rows_of(1, ("Ada", "Bo")))
    found = history(tmp_path / "record.db")
    assert len(found.evenings) == 1
    assert Calendar.from_ical(calendar(found.evenings, TITLES, found.people)).walk("VEVENT") == []


def test_the_table_of_evenings_has_a_row_for_each_player(run: Run) -> None:
    _, out, _ = run("evenings", "--csv")
    rows = [*csv.DictReader(io.StringIO(out))]
    assert {row["player"] for row in rows if row["evening"] == "1"} == {"Ada", "Bo", "Cy"}
    assert sum(int(row["games_won"]) for row in rows if row["evening"] == "1") == 2
    assert rows[0]["at"] == "2026-11-01T20:00:00+00:00"
