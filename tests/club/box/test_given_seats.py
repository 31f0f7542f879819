"""The seats of a round come from the hub to the box whose name has the table's number, even if the
box is late; the game that it begins with them counts for that table."""

import pytest

from companion.app.catalog import CATALOG
from companion.app.club import BoxClub
from companion.commands.cli import main
from companion.core.club import ClubStep, GivenSeats
from companion.core.seats import Seats
from companion.core.values import Json
from companion.games.game import parse_entry
from companion.record.rows import GameOpened, Step
from companion.record.store.store import Store
from tests.club.box.test_service import ClubMessages, join
from tests.club.hub.test_event_api import Visitor
from tests.starting import HubProcess
from tests.waiting import wait_until

SIX = ("Anna", "Ben", "Cleo", "Dan", "Eve", "Finn")


def given(told: ClubMessages) -> GivenSeats | None:
    """The newest seats that the box was given; None: none yet."""
    return next((one for one in reversed(told) if isinstance(one, GivenSeats)), None)


def named(
    hub: HubProcess, store: Store, told: ClubMessages, name: str, monkeypatch: pytest.MonkeyPatch
) -> BoxClub:
    """Makes a box with this name a member of the club; it pushes by itself."""
    monkeypatch.setattr("companion.club.box.push.WAITING_PAUSE_S", 0.05)
    monkeypatch.setattr("companion.club.box.hub_connection.socket.gethostname", lambda: name)
    club = BoxClub(store, CATALOG.rules, told.append)
    club.start()
    digits = join(club, hub, told)
    assert main(["hub", "accept", digits, "--data", str(hub.data)]) == 0
    wait_until(lambda: told.club().reached)
    return club


def event(organiser: Visitor) -> tuple[str, Json]:
    """An event of six players, with its first round drawn."""
    settings = {"name": "Fives", "format": "tables", "seed": "x", "options": {"leave": 2}}
    kept = organiser.ask("/api/events", settings)[1]
    path = f"/api/events/{kept['number']}"
    came = [{"came": {"id": name.lower(), "name": name}} for name in SIX]
    organiser.ask(path, {"after": 1, "entries": came})
    status, kept = organiser.ask(path, {"after": 7, "draw": True})
    assert status == 200
    return path, kept


def seats_of(kept: Json, table: int) -> tuple[str, ...]:
    (found,) = (one for one in kept["event"]["rounds"][-1]["tables"] if one["table"] == table)
    return tuple(one.title() for one in found["seats"])


def playing(organiser: Visitor, path: str, table: int) -> Json:
    """What the hub knows about that table's game."""
    found: list[Json] = organiser.ask(path)[1]["playing"]
    return next(one for one in found if one["table"] == table)


def test_a_box_gets_its_seats_and_its_game_is_matched_to_its_table(
    hub: HubProcess, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, organiser = ClubMessages(), Visitor(hub, "keep")
    club = named(hub, store, told, "Table 2", monkeypatch)
    path, kept = event(organiser)
    wait_until(lambda: given(told) is not None)
    found = given(told)
    assert found is not None
    assert (found.place, found.seats) == ("1.1.2", seats_of(kept, 2))
    assert (found.game, found.options) == ("high-five", (("leave", 2),))
    # Two change places: the box is told the new order.
    one, two = (dict(each, seats=[*each["seats"]]) for each in kept["event"]["rounds"][0]["tables"])
    one["seats"][0], two["seats"][0] = two["seats"][0], one["seats"][0]
    tables = [{"table": each["table"], "seats": each["seats"]} for each in (one, two)]
    status, kept = organiser.ask(
        path, {"after": kept["after"], "entries": [{"reseated": {"round": 1, "tables": tables}}]}
    )
    assert status == 200
    wait_until(lambda: given(told) is not None and given(told) != found)
    changed = given(told)
    assert changed is not None
    assert changed.seats == seats_of(kept, 2)
    # They play, one of them under another spelling: the place tells whose game it is.
    seats = Seats.of("Annie", *changed.seats[1:])
    store.keep(1, GameOpened("high-five", seats, {}, words=(("event", changed.place),)))
    rules = CATALOG.rules["high-five"]
    store.keep(1, Step((parse_entry("hand lead Annie", rules, seats),)))
    wait_until(
        lambda: next(each for each in organiser.ask(path)[1]["playing"] if each["table"] == 2)[
            "box"
        ]
    )
    club.stop()


def test_a_box_that_connects_late_gets_its_seats_then(
    hub: HubProcess, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, kept = event(Visitor(hub, "keep"))
    told = ClubMessages()
    club = named(hub, store, told, "Table 1", monkeypatch)
    wait_until(lambda: given(told) is not None)
    found = given(told)
    assert found is not None
    assert found.seats == seats_of(kept, 1)
    assert told.step() is ClubStep.JOINED
    club.stop()


def test_boxes_without_a_table_of_the_round_get_no_seats(
    hub: HubProcess, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = ClubMessages()
    club = named(hub, store, told, "Kitchen", monkeypatch)
    path, kept = event(Visitor(hub, "keep"))
    asked = {"after": kept["after"], "entries": [{"came": {"id": "late", "name": "Zoe"}}]}
    assert Visitor(hub, "keep").ask(path, asked)[0] == 200
    assert given(told) is None
    club.stop()
