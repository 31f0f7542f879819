"""What a page offers to key: nothing that the rules refuse, and no verdict."""

from random import Random

import pytest

from companion.errors import RuleError
from companion.games.catalog import GAMES
from companion.games.game import AnyState, Unclear, parse_entry
from companion.games.penalties import Called
from companion.telling.line_keys import APART, FITS, LAID, line_keys
from companion.telling.sayings import SAYINGS
from tests.playing import table
from tests.random_games import Evening


def after(*lines: str, name: str = "high-five") -> AnyState:
    said = table(name=name)
    for line in lines:
        said.say(line)
    return said.state


def offered(state: AnyState, game: str = "high-five") -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for act in line_keys(GAMES[game], state)["acts"]:
        found.setdefault(act["name"], []).append(act["entry"])
    return found


def test_before_a_hand_only_the_deal_is_offered() -> None:
    keys = line_keys(GAMES["high-five"], after())
    assert (keys["asks"], keys["tiles"]) == (None, {})
    assert [act["entry"] for act in keys["acts"]] == ["hand"]


def test_only_doubles_may_be_led_where_the_highest_is_called_for() -> None:
    keys = line_keys(GAMES["high-five"], after("hand"))
    assert (keys["asks"], keys["seat"]) == ("lay", None)
    fits = {tile for tile, how in keys["tiles"].items() if how == FITS}
    assert fits == {f"{pips}-{pips}" for pips in range(7)}


def test_tiles_lie_fit_or_fit_nowhere() -> None:
    keys = line_keys(GAMES["high-five"], after("hand", "Red 6-6", "Blue 6-3"))
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
    keys = line_keys(GAMES["high-five"], state)
    assert (keys["asks"], keys["seat"]) == ("show", "Blue")
    assert {*offered(state)} <= {"rule-bogus", "rule-clear"}


@pytest.mark.parametrize("seed", range(6))
def test_in_any_game_what_is_offered_is_taken_and_what_is_laid_is_offered(seed: int) -> None:
    name = ("high-five", "five-up")[seed % 2]
    evening = Evening(Random(seed), name, table("Red Blue Green").state.seats, {})
    game = GAMES[name]
    before = evening.state
    evening.play_hand()
    evening.play_hand()
    for entry, state in evening.played:
        keys = line_keys(game, before)
        for act in keys["acts"]:
            assert act["label"]["key"] in SAYINGS
            offer = parse_entry(act["entry"], game, state.seats)
            assert str(offer) == act["entry"]
            if not isinstance(offer, Called):
                game.apply(before, offer)
        halves = getattr(entry, "halves", None)
        if halves:
            assert keys["tiles"][f"{max(halves)}-{min(halves)}"] == FITS
        for tile, how in keys["tiles"].items() if keys["asks"] == "lay" else ():
            assert _is_taken(name, before, f"{keys['seat'] or 'Red'} {tile}") == (how == FITS)
        before = state


def _is_taken(name: str, state: AnyState, text: str) -> bool:
    game = GAMES[name]
    try:
        game.apply(state, parse_entry(text, game, state.seats))
    except Unclear:
        return True
    except RuleError:
        return False
    return True
