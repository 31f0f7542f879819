"""All texts about a game in a made-up language with other letters: any English that is left was not
marked for translation."""

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from companion.app.catalog import CATALOG
from companion.core.values import Json
from companion.presentation.drawing.race import race_json
from companion.presentation.drawing.svg import Paper
from companion.presentation.house_rule_words import new_game_json, opening_sentences, rules_json
from companion.presentation.moment import LATEST, Moment, describe
from companion.presentation.payments import chips_json
from companion.record.journal import Journal
from companion.record.rows import Undo
from tests.games.others.players import PLAYERS, seats_of
from tests.made_up import MADE_UP, english
from tests.presentation.test_moment import at_random, played
from tests.sampling import Draw

PAPER = Paper(16, 9, MADE_UP)
READ = {"words", "title", "label", "meaning", "about"}
"""The JSON keys of texts that people read."""
DRAWN = re.compile(r"<(?:title|desc|text)[^>]*>([^<]*)<")


def game(name: str, seed: int) -> Journal[Any]:
    """A random game: with a line of play, by players who make mistakes; without one, by honest
    players."""
    if name in PLAYERS:
        lines = PLAYERS[name](Random(seed), 3)
        return played("\n".join(lines), name, " ".join(seats_of(3)))
    return at_random(seed, name)


def each_moment(moment: Moment) -> Iterator[Json]:
    """Yields the moment after each entry of the game. Most moments list only the newest entry,
    because the others were listed before; some list all."""
    assert moment.journal is not None
    for number in range(1, moment.journal.length + 1):
        whole = number in (moment.journal.length, number // LATEST * LATEST)
        yield describe(moment, number, LATEST if whole else 1)


def read(told: Any, key: str = "") -> Iterator[str]:
    """The texts in a JSON value that people read."""
    if isinstance(told, dict):
        for name, value in told.items():
            if name not in ("undo", "redo"):  # by entries as the tally writes them
                yield from read(value, name)
    elif isinstance(told, list):
        for value in told:
            yield from read(value, key)
    elif isinstance(told, str) and key in READ:
        yield told
    elif isinstance(told, str) and key == "drawing":
        yield from DRAWN.findall(told)


def left_in(told: Json | list[Json]) -> set[str]:
    """Returns the English words that are left in the texts of `told` that people read."""
    return {word for text in read(json.loads(MADE_UP.json(told))) for word in english(text)}


@pytest.mark.parametrize("name", CATALOG)
def test_no_english_is_left_in_a_game(name: str, draw: Draw[int]) -> None:
    found = set[str]()
    for seed in draw(range(3), 1):
        journal = game(name, seed)
        moment = Moment(CATALOG, journal, 7, 1, {"tell-bogus": "mark"})
        for told in each_moment(moment):
            found |= left_in(told)
    assert found == set()


@pytest.mark.parametrize("name", CATALOG)
def test_no_english_is_left_in_the_entries_that_can_be_keyed(name: str) -> None:
    keys, journal, found = CATALOG[name].presentation.keys, game(name, 1), set[str]()
    for state in journal.states:
        found |= left_in(keys.json(journal.game, state, {}, keys.insertions(journal)))
    assert found == set()


@pytest.mark.parametrize("name", CATALOG)
def test_no_english_is_left_in_panels_and_drawings(name: str) -> None:
    journal = game(name, 2)
    journal = journal.fold(Undo())
    told: list[Json] = [
        *opening_sentences(journal),
        rules_json(journal),
        new_game_json(journal.game, 3, {}),
        race_json(journal, MADE_UP),
        chips_json(journal) or {},
        {"drawing": CATALOG[name].presentation.draw(journal.state, PAPER, stand_alone=False)},
        {"drawing": CATALOG[name].presentation.draw(journal.start, PAPER, stand_alone=False)},
    ]
    assert left_in(told) == set()


@pytest.mark.parametrize("name", CATALOG)
def test_nested_sentences_are_translated_completely(name: str) -> None:
    """Otherwise a part of the text would stay English in another language."""
    journal = game(name, 3)
    for told in each_moment(Moment(CATALOG, journal, 7, 1)):
        english_texts, others = read(told), read(MADE_UP.translated(told))
        for said, other in zip(english_texts, others, strict=True):
            assert len(other) >= len(said)
