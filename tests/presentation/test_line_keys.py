"""The entries that a page offers in a game with a line of play: it never offers a verdict, and it
lists the open ends to choose from."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from companion.games.game import AnyState, parse_entry
from companion.presentation.keys import APART, FITS, LAID
from companion.presentation.line.keys import LINE_KEYS
from tests.catalog import GAMES
from tests.playing import table

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "keying.schema.json").read_text())
VALID_LIES = Draft202012Validator({"$ref": "#/$defs/lies", "$defs": SCHEMA["$defs"]})


def after(*lines: str, name: str = "high-five") -> AnyState:
    said = table(name=name)
    for line in lines:
        said.say(line)
    return said.state


def line_keys(state: AnyState, game: str = "high-five") -> dict[str, Any]:
    return LINE_KEYS.json(GAMES[game], state, {})


def offered(state: AnyState, game: str = "high-five") -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for act in line_keys(state, game)["acts"]:
        found.setdefault(act["name"], []).append(act["entry"])
    return found


def test_only_the_deal_is_offered_before_a_hand() -> None:
    keys = line_keys(after())
    assert (keys["asks"], keys["tiles"]) == (None, {})
    assert [act["entry"] for act in keys["acts"]] == ["hand"]


def test_only_doubles_can_be_led_when_the_highest_double_leads() -> None:
    keys = line_keys(after("hand"))
    assert (keys["asks"], keys["seat"]) == ("lay", None)
    fits = {tile for tile, how in keys["tiles"].items() if how == FITS}
    assert fits == {f"{pips}-{pips}" for pips in range(7)}


def test_only_the_double_six_can_be_led_in_the_first_hand_of_four_at_domino() -> None:
    said = table("Anna Ben Cleo Dan", name="domino")
    said.say("hand lead Anna")
    tiles = line_keys(said.state, "domino")["tiles"]
    assert [tile for tile, how in tiles.items() if how == FITS] == ["6-6"]


def test_every_tile_has_one_of_the_three_states() -> None:
    keys = line_keys(after("hand", "Red 6-6", "Blue 6-3"))
    assert (keys["seat"], len(keys["tiles"])) == ("Red", 28)
    assert keys["tiles"]["6-6"] == keys["tiles"]["6-3"] == LAID
    assert keys["tiles"]["6-0"] == keys["tiles"]["3-3"] == FITS
    assert keys["tiles"]["5-5"] == APART


def test_all_calls_are_offered_whether_or_not_they_are_proven() -> None:
    assert "bogus" not in offered(after("hand", "Red 6-6", "Blue 6-3"))
    assert offered(after("hand", "Red 6-6", "Blue draw"))["bogus"] == ["bogus Blue by Red"]
    assert "bogus" not in offered(after("hand", "Red 6-6", "Blue draw", name="five-up"), "five-up")


def lies(state: AnyState, text: str, game: str = "high-five") -> Any:
    return LINE_KEYS.insist(GAMES[game], state, parse_entry(text, GAMES[game], state.seats))


def test_the_table_can_insist_on_a_refused_play() -> None:
    state = after("hand", "Red 6-6", "Blue 6-3")
    by_ends = lies(state, "Red ends 1 2")
    VALID_LIES.validate(by_ends)
    assert (by_ends["entry"], by_ends["asks"]) == ("Red ends 1 2 !", None)
    assert lies(state, "Red count 7")["entry"] == "Red count 7 !"


def test_insisting_on_a_tile_asks_for_the_open_ends() -> None:
    for name in ("high-five", "five-up", "all-fives"):
        state = after("hand", "Red 6-6", "Blue 6-3", name=name)
        found = lies(state, "Red 5-4", name)
        VALID_LIES.validate(found)
        assert found["entry"] is None
        text = f"{found['asks']['before']} 3 5{found['asks']['after']}"
        assert text == "Red 5-4 ends 3 5 !"
        now = table(name=name)
        for line in ("hand", "Red 6-6", "Blue 6-3", text):
            now.say(line)
        assert now.state.to_move == "Blue"


def test_a_tile_on_a_lost_line_needs_only_its_ends() -> None:
    state = after("hand", "Red 6-6", "Blue 5-4 ends 5 5 !")
    assert lies(state, "Red 3-1")["asks"]["after"] == ""
    assert lies(state, "Red 5-4")["asks"]["after"] == " !", "that one is said to lie there"


def test_other_refusals_cannot_be_insisted_on() -> None:
    state = after("hand", "Red 6-6", "Blue 6-3")
    for text in ("Blue 5-4", "Blue ends 1 2", "Red draw", "Red 5-4 !", "Red out"):
        assert lies(state, text) is None, text
    assert lies(after(), "Red 5-4") is None


def test_in_a_call_the_accused_shows_tiles_or_the_table_rules() -> None:
    state = after("hand", "Red 6-6", "Blue draw", "bogus Blue by Red")
    keys = line_keys(state)
    assert (keys["asks"], keys["seat"]) == ("show", "Blue")
    assert {*offered(state)} <= {"rule-bogus", "rule-clear"}


def test_different_ends_are_offered_with_the_resulting_counts() -> None:
    state = after("hand", "Red 6-6", "Blue 6-3", "Red 6-4")
    entry = parse_entry("Blue 4-3", GAMES["high-five"], state.seats)
    found = LINE_KEYS.open(GAMES["high-five"], state, entry, True)
    assert found.entry is None
    (question,) = found.questions
    assert question.json()["label"]["words"] == "On which end?"
    said = {one.more["arm"]: one.label["words"] for one in question.answers}
    assert said == {"left": "left: 4+4 = 8", "right": "right: 3+3 = 6"}


def test_with_scores_only_any_seat_can_score_or_go_out_or_be_called() -> None:
    keys = line_keys(after("hand", "Red 6-6", "Blue points 10"))
    assert (keys["asks"], keys["seat"], keys["seats"]) == ("number", None, ["Red", "Blue"])
    assert [(each["before"], each["step"]) for each in keys["numbers"]] == [("{seat} points", 5)]
    acts = [act["entry"] for act in keys["acts"]]
    assert {"Red out", "Blue out", "blocked", "bogus Blue by Red"} <= set(acts)
    assert not {"Red draw", "Red pass", "Blue draw"} & set(acts)


@pytest.mark.parametrize("name", ["high-five", "five-up", "all-fives"])
@pytest.mark.parametrize("lines", [["hand"], ["hand", "Red 6-6"]], ids=["a deal", "amid a hand"])
def test_with_scores_only_no_tiles_are_entered(name: str, lines: list[str]) -> None:
    """What is offered is enough for the whole hand: scores, out, and what the others hold."""
    said = table(name=name)
    for line in lines:
        said.say(line)

    def keys() -> dict[str, Any]:
        return LINE_KEYS.json(GAMES[name], said.state, {"entry": "scores"})

    assert line_keys(said.state, name)["way"]["text"] == "entry scores"
    assert (keys()["asks"], keys()["way"]["text"]) == ("number", "entry tile")
    assert not {act["name"] for act in keys()["acts"]} & {"draw", "pass", "return", "redeal"}
    assert keys()["numbers"][0]["before"].format(seat="Blue") == "Blue points"
    said.say("Blue points 10")
    said.say("Red points 15")
    assert "Red out" in [act["entry"] for act in keys()["acts"]]
    said.say("Red out")
    assert keys()["asks"] == "show"
    said.say("Blue pips 12")
    assert "hand" in [act["entry"] for act in keys()["acts"]]


def questions(state: AnyState, text: str, game: str = "high-five") -> dict[str, list[str]]:
    opened = LINE_KEYS.open(GAMES[game], state, parse_entry(text, GAMES[game], state.seats), True)
    return {
        one.name: [f"{answer.entry}{' *' * answer.on}" for answer in one.answers]
        for one in opened.questions
    }


def test_a_call_prompts_for_the_turn_if_there_are_several() -> None:
    state = after("hand", "Red 6-6", "Blue draw", "Blue pass", "Red 6-5")
    assert offered(state)["bogus"] == ["bogus Blue by Red"]
    assert questions(state, "bogus Blue by Red") == {
        "go": ["bogus Blue by Red turn 3 *", "bogus Blue by Red turn 2"]
    }
    once = after("hand", "Red 6-6", "Blue draw")
    assert questions(once, "bogus Blue by Red") == {}


def test_calls_are_possible_until_the_next_hands_first_tile() -> None:
    played = ("hand", "Red 6-6", "Blue draw", "Blue 6-5", "blocked", "Red pips 1", "Blue pips 9")
    assert offered(after(*played))["bogus"] == ["bogus Blue by Red"]
    assert offered(after(*played, "hand"))["bogus"] == ["bogus Blue by Red"]
    assert "bogus" not in offered(after(*played, "hand", "Red 5-5"))
    called = after(*played[:4], "bogus Blue by Red", "rule Blue clear")
    assert "bogus" not in offered(called), "only once a hand"


@pytest.mark.parametrize(("house", "rulings"), [("on", ["rule Blue clear"]), ("off", [])])
def test_a_house_rule_lets_a_page_overrule_the_record(house: str, rulings: list[str]) -> None:
    said = table(table_overrules=house).say("hand\nRed 6-6\nBlue pass\nRed 6-5\nBlue 6-3")
    said.say("bogus Blue by Red turn 2")
    if house == "off":
        said.say("Blue pips 20")
    found = offered(said.state)
    assert found.get("rule-clear", []) == rulings
