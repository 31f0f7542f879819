"""The events for listeners: what people with the watch code see, for each listener from its own
place in the stream."""

from dataclasses import replace
from typing import Any

import pytest

from companion.app.catalog import CATALOG
from companion.core.clock import BREAK_S
from companion.core.languages import LANGUAGE
from companion.core.values import Json
from companion.presentation.language import ENGLISH, Language, language_of
from companion.record.journal import Journal
from companion.record.rows import Undo
from companion.table.snapshot import Snapshot
from companion.web.listeners.subscription import EventSource
from tests.presentation.test_stream_events import names
from tests.presentation.test_uncalled_counts import games
from tests.web.listeners.tables import hearings, stands


def test_a_listener_gets_the_state_and_then_the_events() -> None:
    table = hearings()
    woken: list[int] = []
    subscribe = table.subscribe(lambda: woken.append(1))
    assert names(subscribe.events()) == ["turn", "table"]
    subscribe.confirm()
    assert subscribe.events() == []
    table.update(stands("hand\nAnna 6-6\nBen 6-3", 8))
    assert woken
    assert names(subscribe.events()) == ["entry", "score", "turn", "table"]


@pytest.mark.parametrize(
    ("chosen", "usual", "said"),
    [
        ("de", ENGLISH, "Ben legt 6-3"),
        (None, language_of("de"), "Ben legt 6-3"),
        ("en", language_of("de"), "Ben lays 6-3"),
    ],
)
def test_only_sentences_depend_on_the_table_s_language(
    chosen: str | None, usual: Language, said: str
) -> None:
    german_or_not = heard_of_a_lay(usual, {} if chosen is None else {LANGUAGE: chosen})
    entry = next(one for one in german_or_not if one["event"] == "entry")
    assert entry["said"] == said
    plain = heard_of_a_lay(ENGLISH, {})
    assert [*map(without_words, german_or_not)] == [*map(without_words, plain)]


def heard_of_a_lay(usual: Language, settings: Json) -> list[Json]:
    """The events of Ben's play at a table with that language and these settings."""
    table = EventSource(CATALOG, usual)
    subscribe = table.subscribe(lambda: None)
    for row, text in ((7, "hand\nAnna 6-6"), (8, "hand\nAnna 6-6\nBen 6-3")):
        table.update(replace(stands(text, row), settings=settings))
        told = subscribe.events()
        subscribe.confirm()
    return told


def without_words(event: Json) -> Json:
    """An event without its texts for people."""
    for_people = {"said", "aloud", "why", "where", "asked", "last", "match"}
    return {
        name: [without_words(one) for one in value] if name == "payments" else value
        for name, value in event.items()
        if name not in for_people
    }


def test_unconfirmed_events_are_sent_again_with_the_new_ones() -> None:
    table = hearings()
    subscribe = table.subscribe(lambda: None)
    subscribe.events()
    subscribe.confirm()
    table.update(stands("hand\nAnna 6-6\nBen 6-3", 8))
    subscribe.events()
    table.update(stands("hand\nAnna 6-6\nBen 6-3\nAnna 3-3", 9))
    told = [one["said"] for one in subscribe.events() if one["event"] == "entry"]
    assert told == ["Ben lays 6-3", "Anna lays 3-3"]


def test_each_listener_has_its_own_place() -> None:
    table = hearings()
    one, other = table.subscribe(lambda: None), table.subscribe(lambda: None)
    one.events()
    one.confirm()
    assert names(other.events()) == ["turn", "table"]
    assert names(one.events(anew=True)) == ["turn", "table"]


def test_turn_events_follow_the_game() -> None:
    table = hearings()
    subscribe = table.subscribe(lambda: None)
    assert subscribe.events()[0]["seat"] == "Ben"
    subscribe.confirm()
    table.update(stands("hand", 9).without_game)
    told = subscribe.events()
    assert names(told) == ["game", "turn", "table"]
    assert (told[1]["seat"], told[1]["colour"], told[2]["seats"]) == (None, None, [])


def test_no_events_are_sent_of_an_evening_that_is_over() -> None:
    """As for people with the watch code: six hours without an entry end the evening, by either
    clock."""
    at = [0.0]
    table = EventSource(CATALOG, clock=lambda: at[0], wall=lambda: 1_800_000_000.0 + at[0])
    subscribe = table.subscribe(lambda: None)
    table.update(stands("hand\nAnna 6-6", 7, 1_800_000_000.0))
    assert "Ben" in str(subscribe.events())
    subscribe.confirm()
    at[0] = BREAK_S
    told = subscribe.events()
    assert names(told) == ["game", "turn", "table"]
    assert "Ben" not in str(told)
    subscribe.confirm()
    table.update(stands("hand\nAnna 6-6\nBen 6-3", 8, 1_800_000_000.0 + BREAK_S))
    assert "Ben" in str(subscribe.events())


def test_a_box_started_long_after_an_evening_sends_no_events_of_it() -> None:
    table = EventSource(CATALOG, wall=lambda: 1_800_000_000.0 + BREAK_S)
    subscribe = table.subscribe(lambda: None)
    table.update(stands("hand\nAnna 6-6", 7, 1_800_000_000.0))
    assert "Ben" not in str(subscribe.events())


def test_a_moment_that_cannot_be_described_is_skipped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table = hearings()
    subscribe = table.subscribe(lambda: None)
    subscribe.events()
    subscribe.confirm()

    def broken(*_: object) -> None:
        raise RuntimeError("a fault")

    with monkeypatch.context() as patch:
        patch.setattr("companion.web.listeners.subscription.moment_json", broken)
        table.update(stands("hand\nAnna 6-6\nBen 6-3", 8))
        assert subscribe.events() == []
    assert "RuntimeError: a fault" in capsys.readouterr().err
    table.update(stands("hand\nAnna 6-6\nBen 6-3\nAnna 3-3", 9))
    assert [one["at"] for one in subscribe.events() if one["event"] == "entry"] == [3, 4]


def heard_last(journal: Journal[Any]) -> list[Json]:
    """The events of a game's last row."""
    table = EventSource(CATALOG)
    subscribe = table.subscribe(lambda: None)
    for row, each in enumerate((journal.fold(Undo()), journal), start=7):
        table.update(Snapshot(1, row, None, 1, b"", each, {}, played=row))
        told = subscribe.events()
        subscribe.confirm()
    return told


@pytest.mark.parametrize("named", ["T", "W"])
def test_a_count_is_not_published_before_it_is_called(named: str) -> None:
    """Games in which players call their counts, compared with the same games without calls."""
    looked = 0
    for calls, at_once, _ in games(named, [*range(2)]):
        known = [one for one in heard_last(at_once) if one["event"] == "entry"]
        told = heard_last(calls)
        held = [one for one in told if one["event"] == "entry"]
        if known and known[-1]["points"]:
            assert not held[-1]["points"] and not held[-1]["payments"] and not held[-1]["aloud"]
            assert "over" not in names(told)
            looked += 1
    assert looked
