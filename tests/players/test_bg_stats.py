"""The link that imports a game into the app BG Stats has everything that the app needs."""

import json
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from companion.core.values import Json
from companion.players.exports import bg_stats_link, calendar
from companion.players.history import PlayersHistory
from companion.players.statistics import CountedGame
from companion.record.people.people import People
from companion.record.rows import PlayerHidden
from tests.players.builder import at
from tests.players.evening_kept import Clock, history, keep_game, kept, rows_of
from tests.players.evening_kept import record as record_of_three


@pytest.fixture
def three(tmp_path: Path) -> PlayersHistory:
    return history(record_of_three(tmp_path / "record.db"))


def play(game: CountedGame, people: People) -> Json:
    link = bg_stats_link(game, "High Five", people)
    assert link is not None
    parts = urlsplit(link)
    assert (parts.scheme, parts.netloc) == ("https", "app.bgstatsapp.com")
    assert parts.path == "/createPlay.html"
    (data,) = parse_qs(parts.query, strict_parsing=True)["data"]
    found: Json = json.loads(data)
    return found


def test_the_link_has_the_game_its_players_and_its_time(three: PlayersHistory) -> None:
    first = three.games[0]
    told = play(first, three.people)
    assert set(told) == {
        "sourceName", "sourcePlayId", "playDate", "game", "players", "durationMin",
    }  # fmt: skip
    assert told["game"] == {
        "sourceGameId": "high-five", "name": "High Five", "highestWins": True, "noPoints": False,
    }  # fmt: skip
    assert [one["name"] for one in told["players"]] == [*first.seats]
    assert [one["score"] for one in told["players"]] == [first.scores[s] for s in first.seats]
    assert [one["name"] for one in told["players"] if one["winner"]] == [*first.winners]
    assert [one["startPlayer"] for one in told["players"]] == [True, False]
    assert told["playDate"].startswith("2026-11-01 ")


def test_each_game_has_a_stable_id_of_its_own(three: PlayersHistory) -> None:
    ids = [play(game, three.people)["sourcePlayId"] for game in three.games]
    assert len(set(ids)) == 3
    assert ids == [play(game, three.people)["sourcePlayId"] for game in three.games]


def test_an_unfinished_game_has_no_link_and_hidden_people_are_left_out(tmp_path: Path) -> None:
    clock = Clock(at(20))
    with kept(tmp_path / "record.db", clock) as store:
        keep_game(store, clock, rows_of(1, ("Ada", "Uncle_Joe")))
        keep_game(store, clock, rows_of(2, ("Ada", "Uncle_Joe"))[:3])
        store.keep(0, PlayerHidden("Ada"))
    found = history(tmp_path / "record.db")
    assert bg_stats_link(found.games[1], "High Five", found.people) is None
    told = play(found.games[0], found.people)
    assert [one["name"] for one in told["players"]] == ["Uncle Joe"]


@pytest.mark.parametrize("wrong", [-1e15, 1e300])
def test_a_game_at_a_time_outside_every_calendar_has_no_link(tmp_path: Path, wrong: float) -> None:
    clock = Clock(wrong)
    with kept(tmp_path / "record.db", clock) as store:
        keep_game(store, clock, rows_of(1, ("Ada", "Ben")))
    found = history(tmp_path / "record.db")
    assert bg_stats_link(found.games[0], "High Five", found.people) is None
    assert "VEVENT" not in calendar(found.evenings, {"high-five": "High Five"}, found.people)
