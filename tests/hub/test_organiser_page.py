"""The organiser's page, without a browser: who is let in and thrown out, and new words."""

import asyncio
from pathlib import Path

import pytest

from companion.club.line import ClubError, ClubLine
from companion.club.membership import Membership
from companion.web.messages import NOT_ALLOWED
from tests.hub.club_site import ClubSite, club_site
from tests.hub.live_page import Page, look
from tests.hub.live_page import site as site  # noqa: PLC0414  # a fixture
from tests.waiting import WAIT_S


def test_only_the_organiser_is_told_who_asks_to_join_and_says_yes(site: ClubSite) -> None:
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
        assert answer["answer"] == {"said": "Terrace is a member now", "done": True}
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


def test_a_box_that_is_thrown_out_is_told_at_once(site: ClubSite) -> None:
    box = site.join("Cellar")
    membership = Membership.load(site.record("Cellar"))
    assert membership is not None

    async def organising(page: Page) -> None:
        async with ClubLine.open(membership) as line:
            await page.until(
                lambda one: any(
                    member["box"] == box and member["connected"]
                    for member in one.get("organiser", {}).get("members", ())
                )
            )
            await page.say(throwOut=box)
            with pytest.raises(ClubError) as refused:
                await line.hear_until(asyncio.create_task(asyncio.sleep(WAIT_S)))
            assert refused.value.code == "sent-away"

    assert look(site, "/live/organiser", site.word("keep"), organising).hello


def test_new_words_end_the_old_ones_at_once(tmp_path: Path) -> None:
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
