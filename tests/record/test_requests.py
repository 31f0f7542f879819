"""Requests of a page other than entries: opening a game, a rematch, putting a game back on the
table, naming it, and settings. Each is a proposal like an entry, and counts once."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.app.catalog import CATALOG
from companion.console.fonts import wrapped
from companion.console.high_five_tiles import remembered_card
from companion.presentation.moment import Moment, describe
from companion.record.requests import RequestKind
from companion.record.rows import GameOpened, PlayerRenamed
from companion.record.settings import VALUES, game_names
from companion.table.events import Answer, GameMovedOn, ProposalCounted, ProposalRefused
from tests.catalog import GAMES
from tests.proposing import Phone, rows_by
from tests.rig import Rig
from tests.web.live import keep

FOUR = "game high-five\nseats Anna Bo Cleo Dan\noption rotate-lead on"


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    with Rig(tmp_path / "record.db") as rig:
        yield rig


@pytest.fixture
def anna() -> Phone:
    return Phone("phone-anna", None)


def does(phone: Phone, rig: Rig, kind: RequestKind, text: str = "", at: int = 0) -> Answer:
    seen = rig.snapshots[-1]
    return phone.asks(rig, replace(phone.key(seen, text), kind=kind, at=at))


def opened(rig: Rig) -> GameOpened:
    journal = rig.snapshots[-1].journal
    assert journal is not None
    return journal.opened


def test_players_choose_their_colours(rig: Rig, anna: Phone) -> None:
    does(anna, rig, RequestKind.OPEN, f"{FOUR}\ncolours Green Red Yellow Blue")
    assert opened(rig).colours.values == ("Green", "Red", "Yellow", "Blue")
    does(anna, rig, RequestKind.REMATCH)
    assert opened(rig).colours.values == ("Green", "Red", "Yellow", "Blue")
    does(anna, rig, RequestKind.OPEN, f"{FOUR}\ncolours Red Blue Green Yellow")
    assert opened(rig).words == (), "these follow from the turn order"


def test_a_page_begins_the_first_game_of_a_record(rig: Rig, anna: Phone) -> None:
    assert isinstance(does(anna, rig, RequestKind.OPEN, FOUR), ProposalCounted)
    assert opened(rig).seats.order == ("Anna", "Bo", "Cleo", "Dan")
    assert opened(rig).options["rotate-lead"] == "on"
    assert set(opened(rig).options) == {option.name for option in GAMES["high-five"].options}


def test_two_phones_that_begin_a_game_at_once_begin_only_one(rig: Rig, anna: Phone) -> None:
    other, seen = Phone("phone-other", None), rig.snapshots[-1]
    first = replace(anna.key(seen, FOUR), kind=RequestKind.OPEN)
    second = replace(other.key(seen, FOUR), kind=RequestKind.OPEN)
    assert isinstance(anna.asks(rig, first), ProposalCounted)
    assert isinstance(other.asks(rig, second), GameMovedOn)
    assert anna.asks(rig, first) == ProposalCounted(rig.snapshots[-1].row)
    assert len([*rig.store.game_numbers()]) == 1
    (row,) = rows_by(rig.store, first.identity)
    assert isinstance(row.row, GameOpened)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("game high-five\nseats Anna", "High Five is for 2 to 4 players, not 1"),
        ("game high-five\nseats Anna Draw", "Draw is a word of the tally"),
        ("game high-five\nseats Anna Anna", "two seats are called Anna"),
        ("game chess\nseats Anna Bo", "chess is not a game here"),
        ("game high-five\nseats Anna Bo\noption rotate-lead 7", "option rotate-lead is"),
        ("game high-five\nseats Anna Bo\nrules 1", "“rules 1” doesn't begin a game"),
        ("game high-five\nseats Anna Bo\ncolours Red", "each seat needs a colour of its own"),
        ("game high-five\nseats Anna Bo\ncolours Red Red", "each seat needs a colour of its own"),
        ("game high-five\nseats Anna Bo\ncolours Red Pink", "each seat needs a colour of its own"),
        ("", " is not a game here"),
    ],
)
def test_a_game_that_cannot_begin_is_refused_with_a_message(
    rig: Rig, anna: Phone, text: str, why: str
) -> None:
    answer = does(anna, rig, RequestKind.OPEN, text)
    assert isinstance(answer, ProposalRefused)
    assert why in answer.why
    assert not [*rig.store.game_numbers()]


def test_a_rematch_keeps_seats_and_house_rules_and_names_the_game_before(
    rig: Rig, anna: Phone
) -> None:
    does(anna, rig, RequestKind.OPEN, FOUR)
    before = opened(rig)
    assert isinstance(does(anna, rig, RequestKind.REMATCH), ProposalCounted)
    assert opened(rig) == replace(before, after=1, evening=1)


def test_the_order_of_the_seats_changes_and_is_undone(rig: Rig, anna: Phone) -> None:
    does(anna, rig, RequestKind.OPEN, "game high-five\nseats Anna Bo Cleo")
    assert isinstance(does(anna, rig, RequestKind.RESEAT, "Anna Cleo Bo"), ProposalCounted)
    assert opened(rig).seats.order == ("Anna", "Cleo", "Bo")
    answer = does(anna, rig, RequestKind.RESEAT, "Anna Cleo Dora")
    assert isinstance(answer, ProposalRefused)
    assert "only their order can change" in answer.why
    does(anna, rig, RequestKind.UNDO)
    assert opened(rig).seats.order == ("Anna", "Bo", "Cleo")


def test_an_unfinished_game_is_put_back_on_the_table_and_stays_there(rig: Rig, anna: Phone) -> None:
    does(anna, rig, RequestKind.OPEN, "game high-five\nseats Anna Bo")
    anna.says(rig, "hand")
    does(anna, rig, RequestKind.OPEN, "game high-five\nseats Cleo Dan")
    assert isinstance(does(anna, rig, RequestKind.RESUME, at=1), ProposalCounted)
    assert rig.snapshots[-1].game == 1
    assert isinstance(anna.says(rig, "Anna 6-6"), ProposalCounted)
    rig.close()
    with Rig(rig.path) as again:
        assert again.snapshots[-1].game == 1
        journal = again.snapshots[-1].journal
        assert journal is not None
        assert [*map(str, journal.entries)] == ["hand", "Anna 6-6"]
        does(anna, again, RequestKind.OPEN, "game high-five\nseats Eva Fay")
    with Rig(rig.path) as last:
        assert last.snapshots[-1].game == 3


def test_only_an_unfinished_game_can_be_put_back(rig: Rig, anna: Phone) -> None:
    does(anna, rig, RequestKind.OPEN, "game high-five\nseats Anna Bo")
    anna.says(rig, "end")
    does(anna, rig, RequestKind.OPEN, "game high-five\nseats Cleo Dan")
    for number, why in ((2, "on the table already"), (7, "no game 7"), (1, "game 1 is over")):
        answer = does(anna, rig, RequestKind.RESUME, at=number)
        assert isinstance(answer, ProposalRefused)
        assert why in answer.why
    assert rig.snapshots[-1].game == 2


def test_only_settings_of_the_box_are_accepted(rig: Rig, anna: Phone) -> None:
    assert isinstance(does(anna, rig, RequestKind.SET, "tell-bogus mark"), ProposalCounted)
    assert rig.snapshots[-1].settings["tell-bogus"] == "mark"
    for text in ("tell-bogus loud", "table 3", "removed-name.Anna 4", "keypad.E661 Anna", ""):
        assert isinstance(does(anna, rig, RequestKind.SET, text), ProposalRefused)


def test_a_player_is_renamed_once_and_every_surface_shows_it(rig: Rig, anna: Phone) -> None:
    does(anna, rig, RequestKind.OPEN, "game high-five\nseats Ann Old_Tom")
    anna.says(rig, "hand")
    seen, ben = rig.snapshots[-1], Phone("phone-ben", "Old_Tom")
    assert isinstance(ben.says(rig, "Ann 6-6"), ProposalCounted), (
        "who keys meanwhile is in nobody's way"
    )
    first = replace(anna.key(seen, "Ann Zoë"), kind=RequestKind.RENAME)
    assert isinstance(anna.asks(rig, first), ProposalCounted)
    assert anna.asks(rig, first) == ProposalCounted(rig.snapshots[-1].row)
    assert [kept.row for kept in rows_by(rig.store, first.identity)] == [
        PlayerRenamed("Ann", "Zoë")
    ]
    assert [*rig.snapshots[-1].names] == ["Zoë", "Old_Tom"]
    assert rig.entries == ["hand", "Ann 6-6"], "no game is changed"
    assert rig.table.box.console.message == "A phone: Ann is now called Zoë."
    now = rig.snapshots[-1]
    told = describe(Moment(CATALOG, now.journal, now.row, now.game, now.settings, now.kept))["news"]
    assert (told["announced"], told["said"]["words"]) == (True, "A phone: Ann is now called Zoë")
    rig.close()
    with Rig(rig.path) as again:
        assert [*again.snapshots[-1].names] == ["Zoë", "Old_Tom"]
        does(anna, again, RequestKind.OPEN, "game high-five\nseats Ann Bo")
        assert [*again.snapshots[-1].names] == ["Zoë", "Bo", "Old_Tom"]
        assert isinstance(does(anna, again, RequestKind.RENAME, "Ann Ann"), ProposalCounted)
        assert again.table.box.console.message == "A phone: Ann keeps that name."
        assert [*again.snapshots[-1].names] == ["Ann", "Bo", "Old_Tom"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Ann Red", "a colour is not a player"),
        ("Red Ann", "a colour is not a player"),
        ("Ann draw", "draw is a word of the tally"),
        ("Ann Z#", "starts a comment"),
        ("Ann", "“Ann” is not two names, the old one and the new one"),
        ("Ann Zoë Bo", "“Ann Zoë Bo” is not two names"),
        ("", "“” is not two names"),
    ],
)
def test_a_player_cannot_take_a_name_that_no_seat_can_have(
    rig: Rig, anna: Phone, text: str, why: str
) -> None:
    does(anna, rig, RequestKind.OPEN, "game high-five\nseats Ann Bo")
    row = rig.snapshots[-1].row
    answer = does(anna, rig, RequestKind.RENAME, text)
    assert isinstance(answer, ProposalRefused)
    assert why in answer.why
    assert rig.snapshots[-1].row == row


def test_the_display_has_room_for_a_new_name(rig: Rig, anna: Phone) -> None:
    does(anna, rig, RequestKind.OPEN, "game high-five\nseats Maximilian Bo")
    named = Phone("phone-max", "Maximilian")
    assert isinstance(does(named, rig, RequestKind.RENAME, "Maximilian Magdalena"), ProposalCounted)
    message = rig.table.box.console.message
    assert message is not None
    assert len(wrapped(message, 124)) <= 2


def test_prompted_options_are_kept_for_the_next_game(rig: Rig, anna: Phone) -> None:
    assert isinstance(
        does(anna, rig, RequestKind.SET, "high-five-tiles.points-flush 25"), ProposalCounted
    )
    assert remembered_card(rig.snapshots[-1].settings) == {"points-flush": 25}
    for text in (
        "high-five-tiles.points-flush 51",
        "high-five-tiles.points-flush x",
        "high-five-tiles.first-turn 3",
        "high-five.leave 2",
        "chess.points-flush 3",
    ):
        assert isinstance(does(anna, rig, RequestKind.SET, text), ProposalRefused), text


def test_the_box_offers_all_values_of_its_settings() -> None:
    from companion.console.line.turn import ENTRY_WAYS
    from companion.console.screens.box_settings import BOX, SOUND, SPOKEN, VOICE_OF_BOX

    shown = (*BOX, SOUND, VOICE_OF_BOX, SPOKEN, ENTRY_WAYS)
    assert {one.name: tuple(value for value, _ in one.choices) for one in shown} == VALUES


def test_the_name_of_a_game_can_be_set_and_removed(rig: Rig, anna: Phone) -> None:
    does(anna, rig, RequestKind.OPEN, "game high-five\nseats Anna Bo")
    does(anna, rig, RequestKind.NAME, "  Granny's   birthday ", 1)
    assert game_names(rig.snapshots[-1].settings) == {1: "Granny's birthday"}
    assert isinstance(does(anna, rig, RequestKind.NAME, "x" * 41, 1), ProposalRefused)
    does(anna, rig, RequestKind.NAME, "", 1)
    assert game_names(rig.snapshots[-1].settings) == {}


@pytest.mark.parametrize("kind", [RequestKind.REMATCH, RequestKind.RESEAT, RequestKind.UNDO])
def test_requests_about_a_game_need_one_on_the_table(
    rig: Rig, anna: Phone, kind: RequestKind
) -> None:
    assert isinstance(does(anna, rig, kind), GameMovedOn)


JOSE, IN_PARTS = "José", "Jose\u0301"


def test_decomposed_and_composed_names_are_one_seat(rig: Rig, anna: Phone) -> None:
    refused = does(anna, rig, RequestKind.OPEN, f"game high-five\nseats {JOSE} {IN_PARTS}")
    assert isinstance(refused, ProposalRefused)
    assert "two seats are called José" in refused.why
    assert isinstance(
        does(anna, rig, RequestKind.OPEN, f"game high-five\nseats {IN_PARTS} Bo"), ProposalCounted
    )
    assert opened(rig).seats.order == (JOSE, "Bo")
    assert isinstance(does(anna, rig, RequestKind.ENTER, f"hand\n{IN_PARTS} 6-6"), ProposalCounted)
    assert isinstance(does(anna, rig, RequestKind.PEOPLE, f"Cleo {JOSE}"), ProposalCounted)
    assert isinstance(does(anna, rig, RequestKind.RESEAT, f"{IN_PARTS} Cleo"), ProposalCounted)
    assert opened(rig).seats.order == (JOSE, "Cleo")
    taken = does(anna, rig, RequestKind.RENAME, f"Cleo {IN_PARTS}")
    assert isinstance(taken, ProposalRefused), "José sits here"


def test_a_decomposed_name_keeps_its_stored_form_and_is_found(tmp_path: Path, anna: Phone) -> None:
    keep(tmp_path / "record.db", f"hand\n{IN_PARTS} 6-6", f"{IN_PARTS} Bo")
    with Rig(tmp_path / "record.db") as rig:
        assert isinstance(does(anna, rig, RequestKind.ENTER, "Bo 6-3"), ProposalCounted)
        assert isinstance(does(anna, rig, RequestKind.ENTER, f"{JOSE} 6-4"), ProposalCounted)
        assert isinstance(does(anna, rig, RequestKind.RESEAT, f"Bo {JOSE}"), ProposalCounted)
        assert opened(rig).seats.order == ("Bo", IN_PARTS)
        assert isinstance(
            does(anna, rig, RequestKind.OPEN, f"game high-five\nseats {JOSE} Cleo"), ProposalCounted
        )
        assert opened(rig).seats.order == (IN_PARTS, "Cleo"), "the same player as before"
        assert isinstance(
            does(anna, rig, RequestKind.RENAME, f"{IN_PARTS} {JOSE}"), ProposalCounted
        )
        assert rig.snapshots[-1].known.name_of(IN_PARTS) == JOSE


def test_a_name_may_contain_zero_width_characters(rig: Rig, anna: Phone) -> None:
    name = "علی\u200cرضا"
    assert isinstance(
        does(anna, rig, RequestKind.OPEN, f"game high-five\nseats {name} Bo"), ProposalCounted
    )
    assert opened(rig).seats.order == (name, "Bo")
    assert isinstance(does(anna, rig, RequestKind.ENTER, f"hand\n{name} 6-6"), ProposalCounted)
    star = does(anna, rig, RequestKind.REMEMBER, f"on 1.1.1.{name} 6-6")
    assert isinstance(star, ProposalCounted)
