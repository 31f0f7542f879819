"""A sceptic looks at a game in which players call their counts. Before the call no page, preview,
choice or display may say what a play counts, what it scores, or the total that anybody then has.

The same tiles are played in a game where counts are announced at once. A number shown there that is
the count or a new total must not be shown here.
"""

import json
import re
from collections.abc import Iterator
from functools import reduce
from itertools import islice
from random import Random
from typing import Any

import pytest

from companion.app.catalog import CATALOG
from companion.core.errors import RuleError
from companion.core.values import Json
from companion.games.entries import CountCalled, CountNotCalled, WrongTileCount
from companion.games.game import Entry, parse_entry
from companion.games.line.game import ends_counted
from companion.games.line.line import TILE_SET, TilePlayed
from companion.presentation.drawing.race import race_json
from companion.presentation.drawing.svg import Paper
from companion.presentation.moment import Moment, describe
from companion.presentation.preview import preview
from companion.record.journal import Journal
from companion.record.rows import GameOpened, Redo, Step, Undo
from tests.catalog import GAMES
from tests.club_games import ClubEvening
from tests.sampling import Draw

RULES = GAMES["all-fives"]
COUNTER = re.compile(
    r"\.(?:where|row|number|entry|entries|hand|turn|at|go|which|boneyard|held|tiles|options|most|said\.parts|table\.latest)\b(?!\[)"
    r"|\.news\."
)
"""The paths in JSON of numbers that count something else: entries, turns, tiles."""


def games(named: str, seeds: list[int]) -> Iterator[tuple[Journal[Any], Journal[Any], Entry]]:
    """The result of `both` for each of these seeds."""
    for seed in seeds:
        yield from both(seed, named)


def both(seed: int, named: str) -> Iterator[tuple[Journal[Any], Journal[Any], Entry]]:
    """At each play of a random game: the game where counts are called, before the call; the same
    game where counts are announced at once; and the play."""
    evening = ClubEvening(Random(seed), named)
    for _ in range(6):
        if not evening.state.whole.finished:
            evening.play_hand()
    seats = evening.state.seats
    here = Journal.begin(GameOpened("all-fives", seats, evening.given), GAMES)
    there = Journal.begin(GameOpened("all-fives", seats, {**evening.given, "called": "off"}), GAMES)
    for entry, told in evening.played:
        here = here.fold(Step((entry,)))
        if isinstance(entry, CountCalled):
            continue
        try:
            there = there.fold(Step((entry,)))
        except RuleError:
            return  # a score was lost: from here on it is another game
        if told.held_back is not None and isinstance(entry, TilePlayed):
            yield here, there, entry


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every number, text and truth value in JSON, with its path."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from leaves(one, f"{path}.{name}")
    elif isinstance(value, list):
        for at, one in enumerate(value):
            yield from leaves(one, f"{path}[{at}]")
    else:
        yield path, value


def moment(journal: Journal[Any]) -> Json:
    return describe(Moment(CATALOG, journal, 7, 1))


def keyed(journal: Journal[Any]) -> Json:
    return CATALOG["all-fives"].presentation.keys.json(RULES, journal.state, {})


def race(journal: Journal[Any]) -> Json:
    return race_json(journal)


def numbers(value: Any) -> set[int]:
    """Returns the numbers of two or more digits in JSON, apart from those of COUNTER. Halves of
    tiles have one digit, and are no secret."""
    found: set[int] = set()
    for path, one in leaves(value):
        name = path.rsplit(".", 1)[-1]
        if isinstance(one, bool) or COUNTER.search(path):
            continue
        if isinstance(one, int) or (isinstance(one, str) and name != "drawing"):
            text = re.sub(r"\d+(st|nd|rd|th) (?:go|turn)|\d+ tiles|to draw: \d+", "", str(one))
            found.update(int(each) for each in re.findall(r"\d{2,}", text))
    return found


def secrets_of(there: Journal[Any]) -> set[int]:
    """The play's count and score, and its side's total after it; only numbers of 10 or more."""
    state, found = there.state, set[int]()
    ends = ends_counted(state)
    assert ends is not None
    found.add(ends.count or 0)
    if state.effect.payments:
        found.add(state.scores[state.effect.payments[0].to])
        found.add(state.effect.points)
    return {number for number in found if number > 9}


each_set = pytest.mark.parametrize("named", ["T", "W"])
SEEDS, MANY = range(6), 3
"""The seeds of the games, and how many of them a sample tries."""
MOST, SURE = 60, 5
"""How many lays are looked at, and how often a count must be found in the game that tells it."""


@each_set
def test_moments_and_keys_hide_an_uncalled_count(named: str, draw: Draw[int]) -> None:
    seeds, found, searched = draw(SEEDS, MANY), 0, 0
    for here, there, entry in games(named, seeds):
        before = there.fold(Undo())
        secrets = secrets_of(there) - numbers(moment(before)) - numbers(race(before))
        for told in (moment, keyed, race):
            said = numbers(told(here))
            assert not secrets & said, (str(entry), told.__name__)
            found += bool(secrets & numbers(told(there)))
        drawn = CATALOG["all-fives"].presentation.draw(here.state, Paper(16, 9)) or ""
        assert not secrets & {int(each) for each in re.findall(r">\s*(\d{2,})\s*<", drawn)}
        assert moment(here)["aloud"] is None
        searched += bool(secrets)
    assert searched > (10 if len(seeds) == len(SEEDS) else 0)
    assert found >= searched, "where counts are told, they are found"


def said_in_between(here: Journal[Any]) -> Iterator[tuple[Journal[Any], list[Step]]]:
    """Makes the entries that are possible between a play and the next player's action: the time is
    up, a wrong number of tiles, a dispute and its ruling, the player is out. Yields the game after
    each row, and the rows so far."""
    seats, layer = here.state.seats, here.state.effect.seat
    assert layer is not None, "somebody laid last"
    other = seats.left_of(layer)
    called = f"bogus {layer} by {other}\nrule {layer}"
    miscounted = f"{layer} wrong-count\n{other} wrong-count"
    for text in ("time up", miscounted, f"{called} bogus", f"{called} clear", f"{layer} out"):
        after, rows = here, list[Step]()
        try:
            for line in text.splitlines():
                rows.append(Step((parse_entry(line, RULES, seats),)))
                after = after.fold(rows[-1])
                yield after, rows
        except RuleError:
            continue


@each_set
def test_spoken_text_hides_an_uncalled_count(named: str, draw: Draw[int]) -> None:
    found, kinds = 0, set[str]()
    for here, there, _ in islice(games(named, draw(SEEDS, MANY)), MOST):
        before = there.fold(Undo())
        known = numbers(moment(before)) | numbers(race(before)) | {50, 100}  # what penalties cost
        for after, rows in said_in_between(here):
            if after.state.winners:
                continue
            kinds.add(type(rows[-1].entries[0]).__name__)
            secrets = secrets_of(there) - known - {abs(one) for one in after.state.scores.values}
            if not secrets:
                continue
            for show in (moment, race):
                assert not secrets & numbers(show(after)), (str(rows), show.__name__)
            if found < SURE:
                told = reduce(Journal.fold, rows, there)
                found += bool(secrets & numbers(moment(told)))
    assert found == SURE, "where counts are told, they are found"
    assert "TimeUp" in kinds and (named != "W" or "WrongTileCount" in kinds)


@each_set
def test_previews_and_answers_hide_an_uncalled_count(named: str, draw: Draw[int]) -> None:
    choices = 0
    for here, there, _ in games(named, draw(SEEDS, MANY)):
        mover = here.state.to_move
        if mover is None or not here.state.board.hand.round.playing:
            continue
        tried: list[Entry] = [TilePlayed(mover, (tile.high, tile.low)) for tile in TILE_SET.tiles]
        acts = [parse_entry(act["entry"], RULES, here.state.seats) for act in keyed(here)["acts"]]
        for entry in (*tried, *acts, CountNotCalled(here.state.effect.seat or mover)):
            shown = preview(Moment(CATALOG, here, 7, 1), Step((entry,)))
            if isinstance(entry, WrongTileCount):
                continue  # what that costs stands in the house rules
            assert not secrets_of(there) & numbers(shown), str(entry)
            assert not [one for one in shown.get("told", ()) if one["payments"] or one["why"]]
            if isinstance(entry, TilePlayed):
                assert not numbers(shown), f"{entry}: {shown}"
                choices += len(shown.get("offers", ()))
                assert not re.search(r"=|\+", json.dumps(shown)), f"{entry}: {shown}"
        for undone in (Undo(), Redo()):
            back = here.fold(Undo()) if isinstance(undone, Redo) else here
            shown = preview(Moment(CATALOG, back, 7, 1), undone)
            scores = {seat: pair[1] for seat, pair in shown["scores"].items()}
            assert max(scores.values()) <= max(*here.state.scores.values, 0)
    assert choices


@each_set
def test_refusals_hide_an_uncalled_count(named: str, draw: Draw[int]) -> None:
    for here, _, entry in games(named, draw(SEEDS, MANY)):
        before = here.fold(Undo())
        assert isinstance(entry, TilePlayed)
        for arm in (None, entry.arm):
            wrong = TilePlayed(entry.seat, entry.halves, arm, (0, 0, 0, 0))
            with pytest.raises(RuleError) as refused:
                before.fold(Step((wrong,)))
            assert "=" not in str(refused.value)
