"""What a page offers to key in a game with a line of play: no verdict; the ends to choose from."""

from typing import Any

from companion.games.catalog import GAMES
from companion.games.game import AnyState, parse_entry
from companion.telling.keys import APART, FITS, LAID, NO_KEYS
from companion.telling.line_keys import LINE_KEYS
from tests.playing import table


def after(*lines: str, name: str = "high-five") -> AnyState:
    said = table(name=name)
    for line in lines:
        said.say(line)
    return said.state


def line_keys(state: AnyState, game: str = "high-five") -> dict[str, Any]:
    return {**NO_KEYS, **LINE_KEYS.now(GAMES[game], state, {})}


def offered(state: AnyState, game: str = "high-five") -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for act in line_keys(state, game)["acts"]:
        found.setdefault(act["name"], []).append(act["entry"])
    return found


def test_before_a_hand_only_the_deal_is_offered() -> None:
    keys = line_keys(after())
    assert (keys["asks"], keys["tiles"]) == (None, {})
    assert [act["entry"] for act in keys["acts"]] == ["hand"]


def test_only_doubles_may_be_led_where_the_highest_is_called_for() -> None:
    keys = line_keys(after("hand"))
    assert (keys["asks"], keys["seat"]) == ("lay", None)
    fits = {tile for tile, how in keys["tiles"].items() if how == FITS}
    assert fits == {f"{pips}-{pips}" for pips in range(7)}


def test_tiles_lie_fit_or_fit_nowhere() -> None:
    keys = line_keys(after("hand", "Red 6-6", "Blue 6-3"))
    assert (keys["seat"], len(keys["tiles"])) == ("Red", 28)
    assert keys["tiles"]["6-6"] == keys["tiles"]["6-3"] == LAID
    assert keys["tiles"]["6-0"] == keys["tiles"]["3-3"] == FITS
    assert keys["tiles"]["5-5"] == APART


def test_a_call_is_offered_of_whoever_has_drawn_whatever_is_proven() -> None:
    assert "bogus" not in offered(after("hand", "Red 6-6", "Blue 6-3"))
    assert offered(after("hand", "Red 6-6", "Blue draw"))["bogus"] == ["bogus Blue by Red"]
    assert "bogus" not in offered(after("hand", "Red 6-6", "Blue draw", name="five-up"), "five-up")


def test_in_a_call_the_accused_shows_or_the_table_rules() -> None:
    state = after("hand", "Red 6-6", "Blue draw", "bogus Blue by Red")
    keys = line_keys(state)
    assert (keys["asks"], keys["seat"]) == ("show", "Blue")
    assert {*offered(state)} <= {"rule-bogus", "rule-clear"}


def test_where_ends_differ_each_is_offered_with_its_count() -> None:
    state = after("hand", "Red 6-6", "Blue 6-3", "Red 6-4")
    entry = parse_entry("Blue 4-3", GAMES["high-five"], state.seats)
    found = LINE_KEYS.open(GAMES["high-five"], state, entry, True)
    assert found.entry is None
    (group,) = found.groups
    assert group["label"]["words"] == "On which end?"
    said = {one["arm"]: one["label"]["words"] for one in group["options"]}
    assert said == {"left": "left: 4+4 = 8", "right": "right: 3+3 = 6"}
