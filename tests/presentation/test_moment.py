"""Moments as JSON: they match the schema and the rules, and reveal nothing hidden."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import companion.presentation
from companion.app.catalog import CATALOG
from companion.core.errors import RuleError
from companion.core.seats import COLOURS, Seats
from companion.core.values import Json
from companion.games.bogus.verdict import proven
from companion.games.entries import HoldingShown, PipsShown
from companion.games.game import parse_entry
from companion.presentation.moment import LATEST, NO_GAME, Moment, describe
from companion.presentation.sayings import SAYINGS, say
from companion.record.journal import Journal
from companion.record.rows import Amend, GameOpened, Rewind, Step, Undo
from tests.catalog import GAMES
from tests.games.others.players import PLAYERS, seats_of
from tests.random_games import Evening
from tests.sampling import examples

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "telling.schema.json").read_text())
VALID = Draft202012Validator(SCHEMA)
ON: Json = {"tell-bogus": "mark"}


def opened(name: str = "high-five", seats: str = "Red Blue") -> Journal[Any]:
    return Journal.begin(GameOpened(name, Seats.of(*seats.split()), {}), GAMES)


def played(text: str, name: str = "high-five", seats: str = "Red Blue") -> Journal[Any]:
    journal = opened(name, seats)
    for line in filter(None, map(str.strip, text.splitlines())):
        entry = parse_entry(line, journal.game, journal.opened.seats)
        journal = journal.fold(Step((entry,)))
    return journal


def at_random(seed: int, name: str = "high-five") -> Journal[Any]:
    """A random evening of players who overlook tiles and call each other, until the rules refuse
    something."""
    random = Random(seed)
    seats = Seats.of(*COLOURS[: random.randint(2, 4)])
    has_calls = name == "high-five"
    cheating, calling = (0.15, 0.15) if has_calls else (0.0, 0.0)
    evening = Evening(random, name, seats, {}, cheating=cheating, calling=calling)
    journal = Journal.begin(GameOpened(name, seats, {}), GAMES)
    try:
        while not evening.state.finished and len(evening.played) < 120:
            evening.play_hand()
    except RuleError:
        pass  # who calls at random may end the hand that others still play
    for entry, _ in evening.played:
        journal = journal.fold(Step((entry,)))
    return journal


def moments(journal: Journal[Any], settings: Json | None = None) -> Iterator[tuple[int, Json]]:
    for number in range(1, journal.length + 1):
        yield number, describe(Moment(CATALOG, journal, 7, 1, settings or {}), number)


def validate(told: Json, number: int) -> None:
    """Checks the JSON against the schema. Of most moments only the newest entries are checked: the
    others were checked with the moments before."""
    latest = told["latest"] if number % LATEST == 0 else told["latest"][:2]
    VALID.validate({**told, "latest": latest})


def test_the_schema_is_valid() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_a_moment_without_a_game_has_every_key() -> None:
    told = describe(Moment(CATALOG, row=3))
    VALID.validate(told)
    assert told["asked"]["words"] == "No game yet"
    assert told.keys() == NO_GAME.keys() | {"telling", "row", "number"}


def test_counts_are_shown_only_where_they_score() -> None:
    text = "hand lead Red\nRed 6-6\nBlue 6-5"
    for name, count, key in (("domino", None, None), ("all-fives", 17, "reason.count")):
        told = describe(Moment(CATALOG, played(text, name)))
        assert told["table"]["count"] == count
        why = told["latest"][0]["why"]
        assert (why and why["key"]) == key
        assert told["table"]["open_ends"], "the open ends stay"


@settings(max_examples=examples(12), deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["high-five", "five-up", "all-fives"]))
def test_every_moment_matches_schema_and_state(seed: int, name: str) -> None:
    journal = at_random(seed, name)
    for (number, told), state in zip(moments(journal), journal.states, strict=True):
        validate(told, number)
        assert {one["seat"]: one["score"] for one in told["seats"]} == dict(state.scores.items())
        assert [one["seat"] for one in told["seats"] if one["to_move"]] == (
            [state.to_move] if state.to_move else []
        )
        assert told["latest"][0]["at"] == number
        assert len(told["latest"]) == min(number, LATEST)
        assert json.loads(json.dumps(told)) == told


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(0, 2**32))
def test_verdicts_are_hidden_before_a_call(seed: int) -> None:
    """What the record proves about a turn that can still be called has no effect on the output."""
    journal = at_random(seed)
    for (number, told), state in zip(moments(journal), journal.states, strict=True):
        text = json.dumps(told)
        if told["claim"] is None and told["ruling"] is None:
            assert "verdict." not in text
            assert "excluded" not in text
            provable = {(turn.seat, turn.number) for turn in proven(state)}
            open_hand = state.board.open_to_calls
            for entry in told["latest"]:
                for notice in entry["notices"]:
                    if notice["key"] != "notice.bogus-proven":
                        continue
                    which = notice["parts"]["seat"], notice["parts"]["turn"]
                    assert entry["hand"] < open_hand.hand.round.number or which not in provable
        if told["claim"] is None or told["claim"]["open"]:
            entry = journal.entries[number - 1]
            if told["claim"] and isinstance(entry, HoldingShown | PipsShown):
                assert told["latest"][0]["entry"] is None
                assert str(entry) not in text


def test_a_setting_shows_proofs_before_a_call() -> None:
    """Some turns of these evenings can be proven, or the test above would check nothing."""
    told_on = told_off = 0
    for seed in range(12):
        journal = at_random(seed)
        for number, state in enumerate(journal.states, start=1):
            if not proven(state):
                continue
            on, off = (
                describe(Moment(CATALOG, journal, settings=rule), number) for rule in (ON, {})
            )
            told_on += "bogus-proven" in json.dumps(on["latest"])
            told_off += on["latest"][0] != off["latest"][0]
    assert told_on > 10
    assert told_off > 1


CLAIM = """
hand
Blue 6-6
Red 6-3
Blue draw
Blue pass
Red 6-1
bogus Blue by Red
"""


def test_an_open_claim_shows_its_verdict_and_evidence() -> None:
    told = describe(Moment(CATALOG, played(CLAIM)))
    VALID.validate(told)
    claim = told["claim"]
    assert claim["open"]
    assert (claim["by"], claim["accused"], claim["turn"]) == ("Red", "Blue", 4)
    assert claim["charge"]["words"].startswith(
        "Red calls Blue bogus: second turn, passed on 3 and 6"
    )
    assert claim["verdict"]["key"] == "verdict.possible"
    assert claim["evidence"]["key"] == "evidence.open"
    assert claim["evidence"]["parts"]["go"] == 2
    assert told["asked"]["words"] == "Blue is called bogus: what does Blue hold?"


def test_holdings_shown_in_a_claim_are_hidden() -> None:
    shown = CLAIM + "Blue holds 5-5 5-4 5-2 4-4 4-2 2-2 1-1\n"
    journal = played(shown)
    told = describe(Moment(CATALOG, journal))
    VALID.validate(told)
    assert told["ruling"]["result"] == "clear"
    assert told["latest"][0]["entry"] is None
    assert told["latest"][0]["said"]["words"] == "Blue has shown tiles"
    for text in (json.dumps(told), json.dumps(describe(Moment(CATALOG, journal.fold(Undo()))))):
        assert "4-4" not in text
        assert "5-5" not in text
    assert describe(Moment(CATALOG, journal))["undo"]["words"] == "what Blue has shown"


def test_change_names_hide_holdings() -> None:
    journal = played(CLAIM + "Blue holds 5-5 5-4 5-2 4-4 4-2 2-2 1-1\nBlue draw")
    at = journal.length - 2
    for row in (Rewind(at), Amend(at, ())):
        changed = journal.fold(row)
        for moment in (changed, changed.fold(Undo())):
            assert "4-4" not in json.dumps(describe(Moment(CATALOG, moment)))


def test_payments_name_payer_payee_chips_and_reason() -> None:
    told = describe(Moment(CATALOG, played("hand\nRed 6-6\nBlue 6-3")))
    last = told["latest"][0]
    assert last["why"]["words"] == "6-3: 12+3 = 15"
    assert last["why"]["parts"] == {"tile": "6-3", "terms": [12, 3], "count": 15}
    (payment,) = last["payments"]
    assert payment["said"]["words"] == "Red pays Blue 15"
    assert payment["chips"]["said"]["words"] == "10 + 5"
    assert payment["for"]["key"] == "for.count"
    red, blue = told["seats"]
    assert (red["chips"]["points"], red["chips"]["pays"]) == (135, "Blue")
    assert (blue["score"], blue["to_win"], blue["tiles"]) == (15, 135, 6)


def heard(text: str, name: str = "high-five") -> tuple[str, str | None]:
    told = describe(Moment(CATALOG, played(text, name)))
    VALID.validate(told)
    return told["sentence"]["words"], told["aloud"] and told["aloud"]["words"]


def test_a_moment_has_a_sentence_and_a_spoken_text() -> None:
    assert heard("hand\nRed 6-6") == ("Red lays 6-6, count 12; Blue's turn", "count 12")
    assert heard("hand\nRed 6-6\nBlue 6-3") == (
        "Blue lays 6-3, count 15, Red pays Blue 15; Red's turn",
        "Red pays Blue 15",
    )
    assert heard("hand\nRed 6-6\nBlue draw") == ("Blue draws; Blue's turn", None)
    assert heard("") == ("Deal the first hand", None)
    sentence, aloud = heard(CLAIM)
    assert sentence.startswith("Red calls Blue bogus, Possible: the record leaves it open, ")
    assert sentence.endswith("; Blue is called bogus: what does Blue hold?")
    assert aloud is None


def test_other_games_have_no_spoken_count() -> None:
    text = "hand lead Red\nbasement 4-1 3-2 6-0 5-5 2-4 1-1 0-3 6-2\nRed 4-3"
    assert heard(text, "highrise") == (
        "Red lays 4-3 on level 1, Red scores 7; Blue's turn",
        "Red scores 7",
    )


def test_a_moment_of_five_up_has_points_but_no_chips() -> None:
    told = describe(Moment(CATALOG, played("hand\nRed 5-5", "five-up")))
    VALID.validate(told)
    assert told["seats"][0]["chips"] is None
    assert told["latest"][0]["payments"][0]["said"]["words"] == "Red scores 10"


def test_a_moment_of_high_fives_has_the_tableau() -> None:
    text = "hand lead Red\ntableau 0-1 1-2 7-7 8-9 10-15\nRed 7-8 takes 8-9 pair 0-1 1-2"
    told = describe(Moment(CATALOG, played(text, "high-fives")))
    VALID.validate(told)
    assert told["table"]["kind"] == "tableau"
    assert "7-7" in told["table"]["places"]
    said = told["latest"][0]["said"]
    assert said["words"] == "Red lays 7-8, takes 8-9, and the pair 0-1, 1-2"
    assert told["latest"][0]["why"]["parts"] == {"tiles": ["7-8"], "points": [3]}
    assert [one["tiles"] for one in told["seats"]] == [4, 5]
    assert told["boneyard"] == 121


def test_a_moment_of_highrise_has_the_building() -> None:
    text = "hand lead Red\nbasement 4-1 3-2 6-0 5-5 2-4 1-1 0-3 6-2\nRed 4-3"
    told = describe(Moment(CATALOG, played(text, "highrise")))
    VALID.validate(told)
    top, bottom = told["table"]["fields"]
    assert [one["half"] for one in top] == ["4", "3", "6", "5", "2", "1", "0", "6"]
    assert [one["level"] for one in top] == [1, 1, *[0] * 6]
    assert [one["half"] for one in bottom] == ["1", "2", "0", "5", "4", "1", "3", "2"]
    assert (told["table"]["spacers"], told["boneyard"]) == (12, 18)
    assert told["latest"][0]["said"]["words"] == "Red lays 4-3 on level 1"
    assert told["latest"][0]["why"]["words"] == "4-3 × 1 = 7"
    assert told["asked"]["words"] == "Blue's turn"


def test_a_moment_of_high_five_tiles_has_the_score_sheet() -> None:
    text = "hand\nRed row Kc Kd Ks 3s 4s laid 3\nBlue row flush"
    told = describe(Moment(CATALOG, played(text, "high-five-tiles")))
    VALID.validate(told)
    first, second = told["table"]["rows"]
    assert (first["name"], first["cards"]) == ("three-of-a-kind", ["Kc", "Kd", "Ks", "3s", "4s"])
    assert (second["points"], second["cards"]) == (5, [])
    assert told["latest"][0]["why"]["words"] == "flush: 5"
    assert [one["tiles"] for one in told["seats"]] == [4, None]


@pytest.mark.sampled(1, of="seed")
@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("seed", range(3))
def test_every_moment_of_a_recorded_game_matches_the_schema(name: str, seed: int) -> None:
    lines = PLAYERS[name](Random(seed), 2 + seed % 2)
    journal = played("\n".join(lines), name, " ".join(seats_of(2 + seed % 2)))
    for (number, told), state in zip(moments(journal), journal.states, strict=True):
        validate(told, number)
        assert told["asked"]["key"] != "asks.tell"
        assert {one["seat"]: one["score"] for one in told["seats"]} == dict(state.scores.items())
        for entry in told["latest"]:
            assert entry["said"]["key"] != "entry.plain"


def test_underscores_in_names_are_shown_as_spaces() -> None:
    told = describe(Moment(CATALOG, played("hand\nGranny_Ann 5-5", seats="Granny_Ann <b>Bob</b>")))
    VALID.validate(told)
    assert told["latest"][0]["payments"][0]["said"]["words"] == "<b>Bob</b> pays Granny Ann 10"
    assert told["seats"][0]["seat"] == "Granny_Ann"


def test_a_past_moment_offers_no_undo() -> None:
    journal = played("hand\nRed 5-5")
    assert describe(Moment(CATALOG, journal))["undo"]["words"] == "Red 5-5"
    assert describe(Moment(CATALOG, journal), 2)["undo"] is None
    with pytest.raises(IndexError, match="there is no 3"):
        describe(Moment(CATALOG, journal), 3)


def test_a_seat_keeps_its_sign_when_the_turn_order_changes() -> None:
    assert [one["sign"] for one in describe(Moment(CATALOG, opened(seats="A B C")))["seats"]] == [
        "●",
        "■",
        "▲",
    ]


def test_every_literal_key_is_in_the_catalogue() -> None:
    """Checks literal keys wherever something is said. For a key that is made up of parts, say()
    raises an error itself."""
    said = set[str]()
    for path in Path(companion.presentation.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(func=ast.Name("say"), args=[ast.Constant(str() as key), *_]):
                    said.add(key)
    assert len(said) > 20
    assert said <= SAYINGS.keys()


def test_a_missing_part_of_a_sentence_raises() -> None:
    with pytest.raises(KeyError):
        say("asks.turn")
