"""The entries that a page offers: the rules accept all of them, and everything that honest players
enter in whole games can be keyed, tap by tap."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

import pytest
from jsonschema import Draft202012Validator

from companion.app.catalog import CATALOG
from companion.core.errors import RuleError
from companion.core.seats import Seats
from companion.core.values import Json
from companion.games.entries import BogusCalled, HandDealt
from companion.games.game import AmbiguousEntry, AnyState, Entry, parse_entry, settle_options
from companion.games.high_fives.entries import TableauShown, TilePutDown
from companion.games.highrise.entries import TileStacked
from companion.games.line.line import TilePlayed
from companion.presentation.keys import APART, FITS, FREE, LAID, NO_KEYS
from companion.presentation.sayings import SAYINGS
from tests.catalog import GAMES
from tests.games.others.players import PLAYERS, seats_of
from tests.playing import counted_in, table
from tests.random_games import Evening

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "keying.schema.json").read_text())
VALID = Draft202012Validator(SCHEMA)
VALID_OFFER = Draft202012Validator({"$ref": "#/$defs/offer", "$defs": SCHEMA["$defs"]})
TAPS = 4
"""The most answers that are chosen for one entry."""


def keys_of(name: str, state: AnyState, **settings: str) -> Json:
    return CATALOG[name].presentation.keys.json(GAMES[name], state, settings)


def game_of(name: str, random: Random) -> Iterator[tuple[AnyState, Entry, AnyState]]:
    """A whole game: each entry with the states before and after it."""
    game = GAMES[name]
    if name not in PLAYERS:
        evening = Evening(random, name, Seats.of("Red", "Blue", "Green"), {})
        before = evening.state
        evening.play_hand()
        evening.play_hand()
        for entry, state in evening.played:
            yield before, entry, state
            before = state
        return
    players = random.choice([each for each in game.players if each < 6])
    seats = Seats.of(*seats_of(players))
    state = game.start(seats, settle_options(game, players, {}))
    for line in PLAYERS[name](random, players):
        entry = parse_entry(line, game, seats)
        before, state = state, game.apply(state, entry)
        yield before, state.effect.completed or entry, state


def opened(name: str, state: AnyState, text: str, *, begun: bool = False) -> tuple[str, list[str]]:
    """The entry that OK would keep after this text ("": none yet), and the entries of all other
    answers."""
    game = GAMES[name]
    found = CATALOG[name].presentation.keys.open(
        game, state, parse_entry(text, game, state.seats), begun
    )
    answers = [str(one.entry) for question in found.questions for one in question.answers]
    return str(found.entry or ""), answers


def meaning(name: str, state: AnyState, text: str) -> object:
    """The state after an entry, in which two ways to write the same play are equal."""
    game = GAMES[name]
    entry = parse_entry(text, game, state.seats)
    if isinstance(entry, HandDealt):
        return game.apply(state, entry).to_move
    if not isinstance(entry, TileStacked | TilePlayed):
        return str(entry)
    after = game.apply(state, entry)
    if isinstance(entry, TilePlayed):
        return after.scores, counted_in(after).ends
    layouts = after.board.layouts
    return after.scores, after.board.spacers, layouts and frozenset(layouts)


def can_be_chosen(name: str, state: AnyState, begun: str, wanted: object) -> bool:
    """Whether some answers lead from `begun`, the tile or row that was tapped, to the meaning
    `wanted`."""
    seen, now = set[str](), {begun}
    for tap in range(TAPS):
        after = set[str]()
        for text in now:
            kept, answers = opened(name, state, text, begun=tap == 0)
            if kept and meaning(name, state, kept) == wanted:
                return True
            after |= {*answers} - seen
        seen |= now
        now = after
    return False


def texts(keys: Json, entry: Entry) -> Iterator[str]:
    """The texts that begin this entry: by one tap, by tiles that are collected, or by digits."""
    seat = str(entry.named_seat or "")
    may = not seat or keys["seat"] in (None, seat) or seat in keys["seats"]
    for number in keys["numbers"] if may else ():
        before = number["before"].format(seat=seat)
        if str(entry).startswith(before):
            yield str(entry)
    if collects := keys["collects"]:
        before = collects["before"].format(seat=seat)
        if may and str(entry).startswith(before):
            yield " ".join(str(entry).split(" laid ")[:1])
    for row in keys["rows"] if may else ():
        yield row["before"].format(seat=seat)
    if keys["asks"] in ("lay", "collect") and may and seat:
        yield from (f"{seat} {tile}" for tile, how in keys["tiles"].items() if how != LAID)


def likely(act: Json) -> bool:
    """Whether this act is one that these players make: they don't call."""
    return bool(act["name"] != "bogus")


def can_be_keyed(name: str, before: AnyState, entry: Entry, after: AnyState) -> bool:
    keys = keys_of(name, before)
    wanted = meaning(name, before, str(entry))
    if any(meaning(name, before, act["entry"]) == wanted for act in keys["acts"] if likely(act)):
        return True
    if isinstance(entry, TableauShown) and not before.board.table.known:
        return True  # nobody asks for what the record has lost: the box doesn't, either
    if isinstance(entry, TilePutDown) and not before.board.table.known:
        # As on the box, such a turn is told by its points.
        entry = parse_entry(f"{entry.seat} points {after.effect.points}", GAMES[name], before.seats)
        wanted = str(entry)
    tile = getattr(entry, "tile", None)
    return any(
        can_be_chosen(name, before, begun, wanted)
        for begun in texts(keys, entry)
        if tile is None or {*begun.split()[1].split("-")} == {*str(tile).split("-")}
    )


@pytest.mark.sampled(1, of="seed")
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", GAMES)
def test_every_entry_of_a_game_can_be_entered_on_a_page(name: str, seed: int) -> None:
    for number, (before, entry, after) in enumerate(game_of(name, Random(seed))):
        if name in PLAYERS or number < 60:
            assert can_be_keyed(name, before, entry, after), str(entry)


@pytest.mark.sampled(1, of="seed")
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", GAMES)
def test_every_offered_entry_is_accepted_and_has_a_label(name: str, seed: int) -> None:
    game, random = GAMES[name], Random(seed)
    for before, entry, after in game_of(name, random):
        keys = keys_of(name, before)
        VALID.validate(keys)
        for act in keys["acts"]:
            assert act["label"]["key"] in SAYINGS
            offer = parse_entry(act["entry"], game, before.seats)
            assert str(offer) == act["entry"]
            if not isinstance(offer, BogusCalled):
                game.apply(before, offer)
        if random.random() < 0.1 and keys["asks"] in ("lay", "collect"):
            seat = keys["seat"] or before.seats.order[0]
            for tile, how in keys["tiles"].items():
                assert takes(name, before, f"{seat} {tile}") == (how in (FITS, FREE)), tile
                if how in (FITS, FREE):
                    check_offers(name, before, f"{seat} {tile}")
        if entry.named_seat and type(entry).__name__ in (
            "TileStacked",
            "TilePutDown",
            "RowCompleted",
        ):
            check_offers(name, before, str(entry))
        assert after is not before


def takes(name: str, state: AnyState, text: str) -> bool:
    try:
        GAMES[name].apply(state, parse_entry(text, GAMES[name], state.seats))
    except AmbiguousEntry:
        return True
    except RuleError as refused:
        return "The basement was not entered" in str(refused)
    return True


def check_offers(name: str, state: AnyState, text: str) -> None:
    """Checks three things: the rules accept every answer, or it leads to another question; each
    question has at most one chosen answer; and OK would store the chosen one."""
    game = GAMES[name]
    found = CATALOG[name].presentation.keys.open(
        game, state, parse_entry(text, game, state.seats), False
    )
    for group in (question.json() for question in found.questions):
        VALID_OFFER.validate(group)
        options = group["options"]
        assert len({one["entry"] for one in options}) == len(options)
        assert sum(one["on"] for one in options) <= 1
        for one in options:
            assert one["label"]["key"] in SAYINGS
            assert takes(name, state, one["entry"])
            if one["on"] and found.entry is not None:
                assert one["entry"] == str(found.entry)


# ---------------------------------------------------------------- High Fives


FACE_UP = "hand lead Red\ntableau 0-1 1-2 7-7 8-9 10-15"


def after(name: str, text: str, **options: str) -> AnyState:
    return table(name=name, **options).say(text).state


def questions(name: str, state: AnyState, text: str) -> Mapping[str, list[str]]:
    """The words of each question's answers, right after the tile was tapped."""
    game = GAMES[name]
    found = CATALOG[name].presentation.keys.open(
        game, state, parse_entry(text, game, state.seats), True
    )
    return {
        question.name: [one.label["words"] for one in question.answers]
        for question in found.questions
    }


def test_the_tableau_is_requested_after_the_deal_unless_points_are_entered() -> None:
    keys = keys_of("high-fives", after("high-fives", "hand lead Red"))
    assert (keys["asks"], keys["seat"], keys["set"]) == ("collect", "Red", "double-fifteen")
    assert keys["collects"]["number"] == 5
    assert [number["before"] for number in keys["numbers"]] == ["{seat} points"]
    by_points = keys_of("high-fives", after("high-fives", "hand lead Red"), entry="points")
    assert (by_points["asks"], by_points["tiles"]) == ("number", {})


def test_capturing_tiles_are_lit_and_all_others_can_be_played() -> None:
    keys = keys_of("high-fives", after("high-fives", FACE_UP))
    assert len(keys["tiles"]) == 136
    assert keys["tiles"]["8-7"] == keys["tiles"]["2-0"] == FITS
    assert keys["tiles"]["5-3"] == FREE
    assert keys["tiles"]["7-7"] == keys["tiles"]["15-10"] == LAID
    assert APART not in keys["tiles"].values()


def test_several_captures_prompt_for_a_tile_then_for_a_pair() -> None:
    state = after("high-fives", FACE_UP)
    assert opened("high-fives", state, "Red 7-8", begun=True)[0] == ""
    asked = questions("high-fives", state, "Red 7-8")
    assert asked == {"takes": ["7-7: 4 points", "8-9: 3 points", "nothing"]}
    chosen, answers = opened("high-fives", state, "Red 7-8 takes 8-9")
    assert chosen == "Red 7-8 takes 8-9"
    assert "Red 7-8 takes 8-9 pair 0-1 1-2" in answers


def test_the_only_capture_is_preselected() -> None:
    state = after("high-fives", FACE_UP)
    assert opened("high-fives", state, "Red 5-9", begun=True)[0] == "Red 5-9 takes 8-9"
    assert opened("high-fives", state, "Red 5-9")[0] == "Red 5-9"


def test_a_compulsory_capture_cannot_be_declined() -> None:
    state = after("high-fives", FACE_UP, capture="compulsory")
    assert opened("high-fives", state, "Red 7-8", begun=True)[0] == ""
    assert questions("high-fives", state, "Red 7-8") == {
        "takes": ["7-7: 4 points", "8-9: 3 points"]
    }
    assert opened("high-fives", state, "Red 5-9", begun=True)[0] == "Red 5-9 takes 8-9"
    assert opened("high-fives", state, "Red 3-4", begun=True)[0] == "Red 3-4"
    with pytest.raises(RuleError, match="5-9 can take 8-9: capturing is compulsory here"):
        opened("high-fives", state, "Red 5-9")


def test_with_an_unknown_tableau_only_points_are_entered() -> None:
    keys = keys_of("high-fives", after("high-fives", f"{FACE_UP}\nRed points 3"))
    assert (keys["asks"], keys["seat"], keys["tiles"]) == ("number", "Blue", {})
    assert keys["numbers"][0]["most"] == 97


# ---------------------------------------------------------------- Highrise

BUILT_ON = "hand lead Red\nbasement 4-1 3-1 6-2 W-0 4-3 5-5 0-0 2-1"


def test_several_places_are_offered_with_their_points() -> None:
    state = after("highrise", BUILT_ON)
    keys = keys_of("highrise", state)
    assert (keys["asks"], keys["set"], keys["seat"]) == ("lay", "highrise", "Red")
    assert keys["tiles"]["4-3"] == LAID
    assert keys["tiles"]["6-3"] == FITS
    answers = questions("highrise", state, "Red W-3")["where"]
    assert answers[0] == "on W, 3, level 1: 10 points" or "points" in answers[0]
    assert all("level 1" in answer for answer in answers)


def test_the_level_and_covered_halves_are_asked_if_the_basement_is_unknown() -> None:
    state = after("highrise", "hand lead Red\nRed 4-3 level 1")
    keys = keys_of("highrise", state)
    assert keys["tiles"]["6-6"] == FREE
    assert [*questions("highrise", state, "Blue W-3")] == ["covers", "level"]
    kept, _ = opened("highrise", state, "Blue W-3 on 4 3", begun=True)
    assert kept == ""
    kept, answers = opened("highrise", state, "Blue W-3 on 4 3 level 2")
    assert kept == "Blue W-3 on 4 3 level 2"
    assert "Blue W-3 on 4 3 level 2 spacer 4" in answers


def test_the_basement_is_requested_unless_a_setting_skips_it() -> None:
    state = after("highrise", "hand lead Red")
    assert keys_of("highrise", state)["collects"]["number"] == 8
    assert keys_of("highrise", state, basement="not-told")["asks"] == "lay"


def test_every_other_seat_may_show_its_holding() -> None:
    said = table("Red Blue Green", "highrise").say("hand lead Red\nRed 4-3 level 1\nRed out")
    keys = keys_of("highrise", said.state)
    assert (keys["asks"], keys["seats"]) == ("show", ["Blue", "Green"])


# ---------------------------------------------------------------- High Five! (tiles)


def test_the_first_row_has_three_or_four_new_tiles() -> None:
    state = after("high-five-tiles", "hand lead Red")
    assert questions("high-five-tiles", state, "Red row straight") == {
        "new": ["3", "4", "nobody knows"]
    }
    only = after("high-five-tiles", "hand lead Red", first_turn="3")
    assert opened("high-five-tiles", only, "Red row straight", begun=True)[0] == (
        "Red row straight laid 3"
    )


def test_the_ladder_has_the_points_of_the_house_rules() -> None:
    keys = keys_of("high-five-tiles", after("high-five-tiles", "hand lead Red", points_flush="14"))
    rows = [row["label"]["words"] for row in keys["rows"]]
    assert rows[0] == "High Five: 10"
    assert "flush: 14" in rows
    assert keys["seats"] == ["Red"]


def test_pages_have_every_tile_set_of_the_games() -> None:
    for name in GAMES:
        keys = keys_of(name, after(name, "hand lead Red" if name != "high-five" else "hand"))
        assert keys["set"] in ("double-six", "double-fifteen", "highrise", "cards")
        assert keys.keys() == NO_KEYS.keys()
