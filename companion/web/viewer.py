"""A page that has been let in: what it wants to see, what it is sent, and what it says."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from aiohttp import web

from companion.allowance import Allowance
from companion.web.example import example_moment
from companion.web.keying import PageKeying
from companion.web.messages import (
    MALFORMED,
    MESSAGES_AT_ONCE,
    MESSAGES_PER_S,
    TOO_MANY,
    letter_of,
    move_key,
    read_message,
    spend_one,
)
from companion.web.pace import Fingertips, TooFastError
from companion.web.story import SHAPES, Story

BOX = "box"


class Viewer:
    """Somebody who looks, and what they want to see."""

    def __init__(self, page: web.WebSocketResponse, hello: dict[str, Any]) -> None:
        self.page = page
        self.news = asyncio.Event()
        self.plays = False
        """Whether it may press keys and key entries."""
        self.box, self.shape = True, ""
        self.want(hello)

    def want(self, said: dict[str, Any]) -> None:
        """Shows what the message wants from now on, if it wants anything; raises ValueError."""
        if "wants" not in said:
            return
        wants = said["wants"]
        known = isinstance(wants, list) and all(
            isinstance(one, str) and (one == BOX or one in SHAPES) for one in wants
        )
        if not known:
            raise ValueError("there is nothing of that kind to be seen")
        self.box = BOX in wants
        self.shape = next((one for one in wants if one != BOX), "")
        self.news.set()


class Shown:
    """What there is to be seen: the box's newest picture, and the table."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.picture = b""

    def example(self, viewer: Viewer, number: object) -> dict[str, Any] | None:
        """That moment of the example evening, as the viewer wants it drawn; None where a game is on
        the table, or nothing is drawn for them. Raises ValueError: there is no such moment."""
        wanted = number if type(number) is int else 0
        snapshot = self.story.snapshot
        if not viewer.shape or snapshot is None or snapshot.journal is not None:
            return None
        try:
            return example_moment(wanted, SHAPES[viewer.shape])
        except IndexError as error:
            raise ValueError("the example has no such moment") from error

    async def send_news(self, viewer: Viewer, keying: PageKeying) -> None:
        """Sends the newest of what is wanted whenever there is something new; a slow page skips
        some."""
        sent, told = b"", ""
        with suppress(ConnectionError):
            while True:
                if viewer.box and self.picture and self.picture is not sent:
                    sent = self.picture
                    await viewer.page.send_bytes(sent)
                message = self.story.message(viewer.shape) if viewer.shape else None
                if message and message is not told:
                    told = message
                    await viewer.page.send_str(told)
                for text in keying.news():
                    await viewer.page.send_str(text)
                await viewer.news.wait()
                viewer.news.clear()


async def listen_to(
    viewer: Viewer,
    keying: PageKeying,
    fingertips: Fingertips,
    type_letter: Callable[[str], bool],
    *,
    example: Callable[[Viewer, object], object],
    invite: Callable[[], object],
) -> None:
    """Deals with all that a page says until it leaves, or says what no page of ours does."""
    page, now = viewer.page, asyncio.get_running_loop().time
    messages = Allowance(MESSAGES_AT_ONCE, MESSAGES_PER_S, now())
    try:
        async for message in page:
            spend_one(messages, now())
            said = read_message(message)
            viewer.want(said)
            keying.hear(said)
            letter = letter_of(said) if viewer.plays else None
            if viewer.plays and not (letter and type_letter(letter)):
                move_key(fingertips, said)
            with suppress(ConnectionError):
                if viewer.plays and "invite" in said:
                    await page.send_json({"invite": invite()})
                if "example" in said and (moment := example(viewer, said["example"])):
                    await page.send_json({"example": moment})
                await page.send_json({"n": said["n"]})
    except ValueError:
        await page.close(code=MALFORMED)
    except TooFastError:
        await page.close(code=TOO_MANY)
