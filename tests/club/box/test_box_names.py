"""The organiser gives each box its name and its table's number, over the page, API and command; the
box shows it, and only the number assigns seats."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.club.box.membership import Membership
from companion.commands.cli import main
from companion.core.club import BoxName
from companion.record.store.store import Store
from tests.club.box.test_given_seats import event, given, named, seats_of
from tests.club.box.test_service import ClubMessages
from tests.club.hub.club_site import ClubSite, club_site
from tests.club.hub.live_page import Page, look
from tests.club.hub.test_event_api import Visitor
from tests.starting import HubProcess
from tests.waiting import wait_until


def called(told: ClubMessages) -> BoxName | None:
    """The box's name as the box shows it; None before it has one."""
    return told.club().called


def box_with_number(store: Store) -> str:
    membership = Membership.load(store.path)
    assert membership is not None
    return membership.keys.identity


def test_a_box_shows_its_given_name_and_gets_the_seats_of_its_number(
    hub: HubProcess,
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told, organiser = ClubMessages(), Visitor(hub, "keep")
    club = named(hub, store, told, "companion", monkeypatch)
    wait_until(lambda: called(told) == BoxName("companion", None))
    path, kept = event(organiser)
    assert given(told) is None
    box = box_with_number(store)
    asked = {"name": "  Bar   window ", "number": 2}
    status, said = organiser.ask(f"/api/boxes/{box}", asked)
    assert (status, said) == (200, {"name": "Bar window", "number": 2})
    wait_until(lambda: called(told) == BoxName("Bar window", 2))
    wait_until(lambda: given(told) is not None)
    found = given(told)
    assert found is not None
    assert found.seats == seats_of(kept, 2)
    # Another number: other seats. The digits in its name mean nothing.
    assert organiser.ask(f"/api/boxes/{box}", {"name": "Table 2", "number": 1})[0] == 200
    wait_until(lambda: given(told) != found)
    changed = given(told)
    assert changed is not None
    assert changed.seats == seats_of(kept, 1)
    club.stop()
    # It is kept at the box, also while the hub can't be reached.
    membership = Membership.load(store.path)
    assert membership is not None
    assert membership.box_name == BoxName("Table 2", 1)
    assert organiser.ask(path)[0] == 200


@pytest.fixture
def site(tmp_path: Path) -> Iterator[ClubSite]:
    with club_site(tmp_path) as made:
        yield made


def test_only_the_organiser_names_boxes_and_names_are_unique(site: ClubSite) -> None:
    one, other = site.join("one"), site.join("other")
    for kind, status in (("watch", 403), ("play", 403)):
        asked = {"name": "Mine", "number": 1}
        assert Visitor(site.hub, kind).ask(f"/api/boxes/{one}", asked)[0] == status
    organiser = Visitor(site.hub, "keep")

    def call(box: str, name: object, number: object) -> tuple[int, str]:
        status, said = organiser.ask(f"/api/boxes/{box}", {"name": name, "number": number})
        return status, said.get("error", "")

    assert call(one, "Bar", 7) == (200, "")
    assert call(one, "Bar", 7) == (200, "")
    assert call(other, "bar", None) == (422, "another box is called bar")
    assert call(other, "Hall", 7) == (422, "Bar is table 7: give it another number first")
    assert (
        call(other, "", 1)[0] == call(other, "x" * 61, 1)[0] == call(other, "a\u0007", 1)[0] == 422
    )
    assert call(other, "Hall", 0)[0] == call(other, "Hall", 1000)[0] == 422
    for wrong in ("7", True, 1.5, [7], -1):
        assert call(other, "Hall", wrong)[0] == 422
    assert call("0" * 16, "Hall", 8)[0] == 422
    assert call(other, "Hall", 8) == (200, "")
    assert call(one, "Bar", None) == (200, "")
    assert call(other, "Hall", 7) == (200, "")
    # Names are kept in one form, and may have joiners between letters.
    cafe = {"name": "Cafe\u0301", "number": None}
    assert organiser.ask(f"/api/boxes/{one}", cafe) == (200, {**cafe, "name": "Caf\u00e9"})
    assert call(other, "CAFE\u0301", 8) == (422, "another box is called CAF\u00c9")
    assert call(other, "\u0645\u06cc\u200c\u0632", 7) == (200, "")
    assert BoxName.read({"name": "\u0645\u06cc\u200c\u0632", "number": 7}) is not None
    assert call(other, "Hall", 7) == (200, "")
    # A box that is sent away leaves its number to another.
    assert main(["hub", "throw-out", "Hall", "--data", str(site.hub.data)]) == 0
    assert call(one, "Bar", 7) == (200, "")


def test_the_organiser_s_page_names_a_box(site: ClubSite) -> None:
    box = site.join("companion")

    async def organising(page: Page) -> None:
        await page.say(call=[box, "Terrace", 12])
        answer = await page.until(lambda one: "answer" in one)
        assert answer["answer"] == {"said": "Terrace is table 12", "done": True}
        found = await page.until(
            lambda one: (
                [(each["name"], each["number"]) for each in one["organiser"]["members"]]
                == [("Terrace", 12)]
                if "organiser" in one
                else False
            )
        )
        assert found

    assert look(site, "/live/organiser", site.word("keep"), organising).hello
    tables = Visitor(site.hub, "watch").ask("/api/tables")[1]["tables"]
    assert [(one["name"], one["number"]) for one in tables] == [("Terrace", 12)]


def test_a_number_in_a_new_box_s_name_becomes_its_number_if_free(
    site: ClubSite, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("Table 3", "table3", "Hall 1 table 4", "Kitchen"):
        site.join(name)
    found = {one["name"]: one["number"] for one in
             Visitor(site.hub, "watch").ask("/api/tables")[1]["tables"]}  # fmt: skip
    assert found == {"Table 3": 3, "table3": None, "Hall 1 table 4": None, "Kitchen": None}
    command = ["hub", "call", "Kitchen", "Kitchen", "--number", "5", "--data", str(site.hub.data)]
    assert main(command) == 0
    assert re.search("Kitchen now; its table has number 5", capsys.readouterr().out)


@pytest.mark.parametrize(
    "said",
    [None, [], {}, {"name": ""}, {"name": "a\n"}, {"name": "a", "number": 0},
     {"name": "a", "number": "7"}, {"name": "a", "number": True}, {"name": "x" * 61}],
)  # fmt: skip
def test_a_box_name_in_an_unknown_form_is_ignored(said: object) -> None:
    assert BoxName.read(said) is None
