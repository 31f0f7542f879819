"""The organiser's page, without a browser: who is let in and thrown out, and new words."""

import asyncio
from pathlib import Path

import pytest

from companion.club.box.hub_connection import ClubError, HubConnection
from companion.club.box.membership import Membership
from companion.core.values import Json
from companion.web.viewer import NOT_ALLOWED
from tests.club.hub.attacker import Key, ask_to_join
from tests.club.hub.club_site import ClubSite, club_site
from tests.club.hub.live_page import Page, look
from tests.club.hub.live_page import site as site  # noqa: PLC0414  # a fixture
from tests.waiting import WAIT_S


def test_only_the_organiser_sees_and_accepts_requests_to_join(site: ClubSite) -> None:
    digits = site.ask("Terrace")

    async def watching(page: Page) -> None:
        await page.say(accept=digits)
        await page.until(lambda one: "n" in one)

    for kind in ("watch", "play"):
        seen = look(site, "/live/organiser", site.word(kind), watching)
        assert digits not in str(seen.heard)
        assert site.word("play") not in str(seen.heard)

    async def organising(page: Page) -> None:
        found = await page.until(lambda one: "organiser" in one)
        assert [(one["name"], one["digits"]) for one in found["organiser"]["joining"]] == [
            ("Terrace", digits)
        ]
        assert {one["role"] for one in found["organiser"]["codes"]} == {"viewer", "judge"}
        await page.say(accept="000000")
        assert not (await page.until(lambda one: "answer" in one))["answer"]["done"]
        await page.say(accept=digits)
        answer = await page.until(lambda one: "answer" in one)
        assert answer["answer"] == {"said": "Terrace is now a member", "done": True}
        found = await page.until(lambda one: "organiser" in one)
        assert found["organiser"]["joining"] == []
        box = site.box("Terrace")
        await page.say(throwOut=box)
        await page.until(lambda one: "answer" in one)
        found = await page.until(lambda one: "organiser" in one)
        assert {"away"} == {
            one["state"] for one in found["organiser"]["members"] if one["box"] == box
        }

    assert look(site, "/live/organiser", site.word("keep"), organising).hello


def test_a_club_is_accepted_only_as_a_club_and_a_member_can_be_retired(site: ClubSite) -> None:
    asks = {
        kind: asyncio.run(ask_to_join(site.url, Key(), f"Joins {kind}", kind))
        for kind in ("club", "box", None)
    }

    async def organising(page: Page) -> None:
        found = await page.until(lambda one: "organiser" in one)
        told = {one["digits"]: one["kind"] for one in found["organiser"]["joining"]}
        assert {kind: told[digits] for kind, digits in asks.items()} == {
            "club": "club", "box": "box", None: None,
        }  # fmt: skip

        async def said(**more: object) -> Json:
            await page.say(**more)
            answer: Json = (await page.until(lambda one: "answer" in one))["answer"]
            return answer

        assert not (await said(**{"accept": asks["club"], "as": "box"}))["done"]
        assert not (await said(accept=asks["club"]))["done"], "it asks as a club"
        assert not (await said(**{"accept": asks["box"], "as": "club"}))["done"]
        for kind in ("club", None):
            answer = await said(**{"accept": asks[kind], "as": "club"})
            assert answer["said"] == f"Joins {kind} is now a member, as a club"
        found = await page.until(
            lambda one: "Joins None" in str(one.get("organiser", {}).get("members"))
        )
        clubs = {one["name"]: one for one in found["organiser"]["members"] if one["kind"] == "club"}
        assert {"Joins club", "Joins None"} == {*clubs}
        answer = await said(retire=clubs["Joins club"]["box"])
        assert answer == {"said": "Joins club is retired; its results stay", "done": True}
        answer = await said(throwOut=clubs["Joins None"]["box"])
        assert answer == {"said": "Joins None was thrown out", "done": True}

    assert look(site, "/live/organiser", site.word("keep"), organising).hello


def test_a_box_that_is_expelled_is_notified_at_once(site: ClubSite) -> None:
    box = site.join("Cellar")
    membership = Membership.load(site.record("Cellar"))
    assert membership is not None

    async def organising(page: Page) -> None:
        async with HubConnection.open(membership) as line:
            await page.until(
                lambda one: any(
                    member["box"] == box and member["connected"]
                    for member in one.get("organiser", {}).get("members", ())
                )
            )
            await page.say(throwOut=box)
            ends = asyncio.create_task(asyncio.sleep(WAIT_S))
            with pytest.raises(ClubError) as refused:
                while await line.receive_until(ends) is not None:  # what it is called comes first
                    pass
            assert refused.value.code == "sent-away"

    assert look(site, "/live/organiser", site.word("keep"), organising).hello


def test_new_access_codes_end_the_old_ones_at_once(tmp_path: Path) -> None:
    with club_site(tmp_path) as site:
        watch = site.word("watch")

        async def organising(page: Page) -> None:
            await page.until(lambda one: "organiser" in one)
            await page.say(newCodes=True)
            assert len((await page.until(lambda one: "word" in one))["word"]) == 16
            assert (await page.until(lambda one: "answer" in one))["answer"]["done"]

        async def both(watching: Page) -> None:
            word = site.word("keep")
            await asyncio.gather(
                asyncio.to_thread(look, site, "/live/organiser", word, organising),
                watching.until(lambda _: False),
            )

        assert look(site, "/live", watch, both).closed == NOT_ALLOWED
        assert site.word("watch") != watch
