"""The sentences of a voice: a listener knows the score at every moment, and nothing is spoken
before pages show it."""

import re
from collections.abc import Iterator
from itertools import zip_longest
from random import Random
from typing import Any

import pytest

from companion.app.catalog import CATALOG
from companion.core.languages import OWN_NAMES
from companion.core.values import Json
from companion.presentation.language import ENGLISH, Language
from companion.presentation.moment import Moment, describe
from companion.presentation.spoken_pieces import pieces_of
from companion.presentation.voice import (
    COUNTS,
    EVERYTHING,
    LEVELS,
    OFF,
    PLAYS,
    Voice,
    last_tile_sentence,
    open_ends_sentence,
    scores_sentence,
    sentences_since_turn,
    tiles_with_sentence,
)
from companion.record.journal import Journal
from companion.record.rows import Amend, GameOpened, Redo, Step, Undo
from tests.catalog import GAMES
from tests.catalogues import translated
from tests.club_games import ClubEvening
from tests.presentation.test_made_up_language import game
from tests.presentation.test_moment import at_random, opened, played
from tests.presentation.test_uncalled_counts import games, leaves, numbers, secrets_of
from tests.sampling import Draw

TRANSLATED = [name for name in OWN_NAMES if name != ENGLISH.name]
LAID = """
    hand
    Red 6-6
    Blue 6-3
"""
MONEY = {
    "{payer} pays {to} {points}": ("pays", 1),
    "{to} scores {points}": ("pays.scores", 1),
    "{to} loses {points}": ("pays.loses", -1),
    "{to} gives {payer} back {points}": ("pays.back", -1),
}
"""The sentences that change the score of `to`: each one's key, and whether the score goes up or
down."""
LAYS = (
    ("{seat}, {tile}: {count}", "voice.lays-count"),
    ("{seat} lays: the count is {count}", "entry.lays-count"),
    ("{seat}, {tile}", "voice.lays"),
)
PAID = ("{payer} pays", "voice.pays"), ("scores {points}", "voice.scored")
"""What a play was worth, to the player named last."""
PARTS = dict.fromkeys(("points", "score", "count"), "-?[0-9]+") | {"tile": "[0-9]+-[0-9]+"}
"""Patterns of parts; any other may be any words."""


class Listener:
    """A listener who sees nothing, and knows the scores only from the sentences in one language."""

    def __init__(self, seats: list[str], sides: list[list[str]], language: Language) -> None:
        self.scores: dict[str, int] = {}
        self._seats = {language.translate(seat): seat for seat in seats}
        self._sides = {seat: side for side in sides for seat in side}
        self._score = spoken_as(language.template("{seat}: {score}", "voice.score"))
        self._money = money_in(language)
        self._plays = [spoken_as(language.template(*each)) for each in LAYS]
        self._paid = [spoken_as(language.template(*each)) for each in PAID]
        self._play = ("", "0")

    def hears(self, said: list[str]) -> None:
        for line in said:
            play = next(filter(None, (one.fullmatch(line) for one in self._plays)), None)
            if play and (seat := self._seats.get(play["seat"])):
                self._play = seat, play.groupdict().get("count", "0")
                continue
            if paid := next(filter(None, (one.fullmatch(line) for one in self._paid)), None):
                seat, count = self._play
                for one in self._sides.get(seat, [seat]):
                    self.scores[one] += int(paid.groupdict().get("points", count))
                continue
            moves = ((money.fullmatch(line), sign) for money, sign in self._money.items())
            found, sign = next((move for move in moves if move[0]), (None, 0))
            if found is not None:
                to = self._seats.get(found["to"], found["to"])
                for one in self._sides.get(to, [to]):
                    self.scores[one] += sign * int(found["points"])
            else:
                for score in filter(None, map(self._score.fullmatch, line.split(", "))):
                    if seat := self._seats.get(score["seat"]):
                        self.scores[seat] = int(score["score"])


def money_in(language: Language) -> dict[re.Pattern[str], int]:
    """The patterns of the sentences in MONEY in that language, and whether the score of `to` goes
    up or down."""
    return {
        spoken_as(language.template(english, key)): sign for english, (key, sign) in MONEY.items()
    }


def spoken_as(template: str) -> re.Pattern[str]:
    """A pattern for what a template may become."""
    words, names = (re.split(r"\{(\w+)\}", template)[at::2] for at in (0, 1))
    parts = [f"(?P<{name}>{PARTS.get(name, '.+')})" for name in names]
    pairs = zip_longest(map(re.escape, words), parts, fillvalue="")
    return re.compile("".join(map("".join, pairs)))


def moment(journal: Journal[Any] | None, number: int | None = 1, row: int = 7) -> Json:
    return describe(Moment(CATALOG, journal, row, number, {}))


def words(said: list[Json]) -> list[str]:
    return [one["words"] for one in said]


def heard(*moments: Json, level: str = EVERYTHING) -> list[list[str]]:
    voice = Voice()
    return [words(voice.hear(each, level)) for each in moments]


def evening(seed: int) -> Journal[Any]:
    """A random game: with a line of play; of a club, with partners and called counts; or without a
    line of play."""
    if seed % 3 == 0:
        return at_random(seed)
    if seed % 3 == 2:
        return game(["high-fives", "highrise", "high-five-tiles", "five-up"][seed // 3 % 4], seed)
    club = ClubEvening(Random(seed))
    for _ in range(4):
        if not club.state.whole.finished:
            club.play_hand()
    journal = Journal.begin(GameOpened("all-fives", club.state.seats, club.given), GAMES)
    for entry, _ in club.played[:120]:
        journal = journal.fold(Step((entry,)))
    return journal


def with_changes(seed: int) -> Iterator[Journal[Any]]:
    """The game after each entry; now and then also with an entry taken back, and done again."""
    random, whole = Random(seed), evening(seed)
    journal = Journal.begin(whole.opened, GAMES)
    yield journal
    for entry in whole.entries[:80]:
        journal = journal.fold(Step((entry,)))
        yield journal
        if random.random() < 0.1:
            yield journal.fold(Undo())
            yield journal.fold(Undo()).fold(Redo())


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", [ENGLISH.name, *TRANSLATED])
@pytest.mark.parametrize("level", [COUNTS, EVERYTHING])
def test_scores_can_be_computed_from_what_was_spoken(
    level: str, name: str, draw: Draw[int]
) -> None:
    """Random players; undone entries, claims, partners, counts called late; in each language."""
    language = ENGLISH if name == ENGLISH.name else translated(name)
    for seed in draw(range(9), 3 if language is ENGLISH else 1):
        voice, listener = Voice(), None
        for row, journal in enumerate(with_changes(seed)):
            told = moment(journal, row=row)
            seats = [one["shown"] for one in told["seats"]]
            listener = listener or Listener(seats, told["sides"], language)
            said = [str(language.translate(line)) for line in words(voice.hear(told, level))]
            listener.hears(said)
            assert listener.scores == {one["shown"]: one["score"] for one in told["seats"]}, (
                seed,
                row,
                said,
            )


def test_whose_turn_it_is_follows_from_what_was_spoken(draw: Draw[int]) -> None:
    """After a play or a pass it is the next seat's turn, after a draw the same seat's; any other
    turn is said."""
    looked = left_out = 0
    for seed in draw(range(9), 3):
        voice, turn = Voice(), None
        for row, journal in enumerate(with_changes(seed)):
            told = moment(journal, row=row)
            seats = [one["seat"] for one in told["seats"]]
            said = voice.hear(told)
            for one in said:
                seat = one["parts"].get("seat")
                if one["key"].startswith("asks."):
                    turn = seat
                elif one["key"].startswith(("voice.lays", *PLAYS)):
                    turn = seats[(seats.index(seat) + 1) % len(seats)]
                elif one["key"].startswith("entry.draws"):
                    turn = seat
            if told["asked"]["key"] == "asks.turn":
                assert turn == told["asked"]["parts"]["seat"], (seed, row, words(said))
                looked += 1
                left_out += told["asked"] not in said
    assert left_out > looked / 2


def test_a_play_is_spoken_with_its_count_and_who_pays() -> None:
    before, after = moment(played("hand\nRed 6-6")), moment(played(LAID))
    assert heard(before, after)[1] == [
        "Blue, 6-3: 15", "Red pays",
    ]  # fmt: skip
    assert heard(before, after, level=COUNTS)[1] == ["Red pays Blue 15"]
    assert heard(before, after, level=OFF) == [[], []]
    assert set(LEVELS) == {OFF, COUNTS, EVERYTHING}


def test_the_voice_first_says_the_scores_then_only_what_is_new() -> None:
    first, again = heard(moment(played(LAID)), moment(played(LAID), row=8))
    assert first == ["The game is High Five", "Red: 0, Blue: 15", "Red's turn"]
    assert again == []
    assert heard(moment(None, None)) == [[]]


def test_after_an_undo_only_the_scores_are_spoken() -> None:
    journal = played(LAID)
    undone = moment(journal.fold(Undo()))
    assert heard(moment(journal), undone)[1] == ["Red: 0, Blue: 0", "Blue's turn"]
    assert heard(moment(journal), undone, level=COUNTS)[1] == ["Red: 0, Blue: 0"]


def test_after_a_correction_only_what_changed_is_spoken() -> None:
    journal = played(LAID + "Red draw\n")
    entry = played("hand\nRed 6-6\nBlue 6-4").entries[-1]
    (_, said) = heard(moment(journal), moment(journal.fold(Amend(2, (entry,)))))
    assert "Blue, 6-3: 15" not in said and "Red draws" not in said
    assert "Red: 0, Blue: 0" in said


def test_calls_and_rulings_are_spoken_once() -> None:
    found = set[str]()
    for seed in range(6):
        journal, voice = at_random(seed), Voice()
        for number in range(1, journal.length + 1):
            told = describe(Moment(CATALOG, journal, number, 1, {}), number)
            said = words(voice.hear(told))
            if told["claim"] and told["latest"][0]["said"]["key"] == "entry.calls":
                assert said.count(told["claim"]["charge"]["words"]) == 1
                found.add("claim")
            if told["ruling"] and told["ruling"]["said"]["words"] in said:
                found.add("ruling")
    assert found == {"claim", "ruling"}


def test_the_voice_reveals_only_what_the_moment_shows() -> None:
    for seed in range(3):
        journal, voice = at_random(seed), Voice()
        for number in range(1, journal.length + 1):
            told = describe(Moment(CATALOG, journal, number, 1, {}), number)
            known = {one for _, one in leaves(told)}
            for one in voice.hear(told):
                own = one["key"].startswith(("voice.", "heard."))
                assert own or one["words"] in known, one


@pytest.mark.parametrize("level", [COUNTS, EVERYTHING])
@pytest.mark.parametrize("named", ["T", "W"])
def test_no_word_of_the_voice_is_an_uncalled_count(named: str, level: str, draw: Draw[int]) -> None:
    """Neither the count, its score nor a new total, and not as a clip either: RULES.md 6.4."""
    found = searched = 0
    for here, there, entry in games(named, draw(range(6), 2)):
        before = there.fold(Undo())
        secrets = secrets_of(there) - numbers(moment(before)) - numbers(str(entry))
        if not secrets:
            continue
        held = words(_news(here.fold(Undo()), here, level))
        told = words(_news(before, there, level))
        for language in (ENGLISH, *map(translated, TRANSLATED)):
            pieces = {piece for line in held for piece in pieces_of(line, language)}
            assert not pieces & {*map(str, secrets)}, (str(entry), language.name, held)
        found += any(str(secret) in line for secret in secrets for line in told)
        searched += 1
    assert found > searched / 2, "where counts are announced at once, they are said"


def _news(before: Journal[Any], after: Journal[Any], level: str) -> list[Json]:
    return Voice(moment(before)).hear(moment(after, row=8), level)


@pytest.mark.parametrize("named", ["T", "W"])
def test_the_voice_hides_an_uncalled_count(named: str) -> None:
    """If counts are announced at once, the payment for the play is spoken. If they have to be
    called, the only payment that may be spoken is that for an earlier play whose count the new
    entry reveals."""
    looked = 0
    for here, there, _ in games(named, [*range(3)]):
        before, after = moment(here.fold(Undo())), moment(here)
        _, told = heard(moment(there.fold(Undo())), moment(there), level=COUNTS)
        _, held = heard(before, after, level=COUNTS)
        older = [one["said"]["words"] for each in after["latest"][1:] for one in each["payments"]]
        known = [one["said"]["words"] for each in before["latest"] for one in each["payments"]]
        money = [line for line in held if any(one.fullmatch(line) for one in money_in(ENGLISH))]
        assert len(money) <= max(len(older) - len(known), 0)
        assert "count" not in open_ends_sentence(after)["words"]
        assert told
        looked += 1
    assert looked


# ---------------------------------------------------------------- on demand


def test_the_arm_ends_and_the_count_are_spoken_on_request() -> None:
    assert open_ends_sentence(moment(opened()))["words"] == "No ends are open"
    said = open_ends_sentence(moment(played(LAID)))["words"]
    assert re.fullmatch(r"(left|right|up|down) \d(, (left|right|up|down) \d)*; count 15", said)
    assert "3" in said


def test_the_number_of_tiles_with_given_pips_is_spoken_on_request() -> None:
    told = moment(played(LAID))
    assert tiles_with_sentence(told, 6)["words"] == "2 tiles with 6 are on the table"
    assert tiles_with_sentence(told, 3)["words"] == "1 tile with 3 is on the table"
    assert tiles_with_sentence(told, 5)["words"] == "No tile with 5 is on the table"
    assert translated("es").translate(tiles_with_sentence(told, 6)["words"]) == "Hay 2 fichas con 6"


def test_with_unknown_tiles_the_voice_says_at_least() -> None:
    told = moment(played("hand\nRed 6-6\nBlue ends 6 6 3"))
    said = tiles_with_sentence(told, 3)
    assert said["key"] in ("voice.lie-at-least", "voice.lies-one")


def test_entries_since_a_seats_last_turn_are_spoken_on_request() -> None:
    told = moment(played(LAID + "Red draw\nRed 6-4\n"))
    assert words(sentences_since_turn(told, "Red")) == ["Nothing since your last turn"]
    assert words(sentences_since_turn(told, "Blue")) == ["Red draws", "Red lays 6-4"]


def test_scores_and_the_last_play_are_spoken_on_request() -> None:
    told = moment(played(LAID + "Red draw\n"))
    assert scores_sentence(told)["words"] == "Red: 0, Blue: 15"
    assert last_tile_sentence(told)["words"] == "Blue lays 6-3"
    assert last_tile_sentence(moment(opened()))["words"] == "Nothing is laid yet"
