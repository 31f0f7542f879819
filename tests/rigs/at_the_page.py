"""A player at the virtual box's page, as a program that runs on the box itself:

    python3 at_the_page.py "1 2 1 OK MENU!"

presses these keys (with ! two seconds long), and prints the picture that is shown after them: 64
lines of text art, or nothing if the keys have switched the box off.

    python3 at_the_page.py --stay

presses each key that it reads, one a line, and prints each picture as it is shown: a line with the
picture's bytes in hexadecimal and, after a blank, its words.
"""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import aiohttp

URL = "http://127.0.0.1"
PAGE = Path("/run/companion/page")
"""What the service tells root about its page."""
STROKE_S = 0.06
"""Seconds that a finger stays on a key, and then off it."""
HELD_S = 2.3
SETTLED_S = 0.3
"""A picture counts once it has stayed for so many seconds."""
SIZE = 128 * 64 // 8
"""Bytes of a picture; after these come its brightness, one byte, and its words."""


async def press(keys: list[str]) -> bytes:
    """Presses keys; returns the picture after them."""
    async with _page() as page:
        with suppress(ConnectionError):  # the keys may have switched the box off
            for number, word in enumerate(keys, start=1):
                await _stroke(page, number, word)
        return await _last_picture(page)


async def stay() -> None:
    """Presses the keys that come on standard input, and prints each picture that is shown."""
    async with _page() as page:
        pressing = asyncio.create_task(_press_what_comes(page))
        async for message in page:
            if message.type is aiohttp.WSMsgType.BINARY:
                words = message.data[SIZE + 1 :].decode()
                print(message.data[:SIZE].hex(), words, flush=True)
        pressing.cancel()


async def _press_what_comes(page: aiohttp.ClientWebSocketResponse) -> None:
    number = 0
    while word := (await asyncio.to_thread(sys.stdin.readline)).strip():
        number += 1
        await _stroke(page, number, word)


@asynccontextmanager
async def _page() -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    async with aiohttp.ClientSession() as session:
        told = dict(line.split("=", 1) for line in PAGE.read_text().splitlines())
        # The page of 0.3 needs no code from its own machine.
        shown = {"Authorization": f"Bearer {told.get('TABLE_SECRET', '')}"}
        async with session.get(f"{URL}/token", headers=shown) as answer:
            token = (await answer.json())["token"]
        async with session.ws_connect(f"{URL}/live", headers={"Origin": URL}) as page:
            await page.send_json({"n": 0, "hello": token})
            yield page


async def _stroke(page: aiohttp.ClientWebSocketResponse, number: int, word: str) -> None:
    key = word.rstrip("!")
    await page.send_json({"n": 2 * number, "key": key, "down": True})
    await asyncio.sleep(STROKE_S if key == word else HELD_S)
    await page.send_json({"n": 2 * number + 1, "key": key, "down": False})
    await asyncio.sleep(STROKE_S)


async def _last_picture(page: aiohttp.ClientWebSocketResponse) -> bytes:
    picture = b""
    while True:
        try:
            message = await asyncio.wait_for(page.receive(), SETTLED_S if picture else 10)
        except TimeoutError:
            return picture
        if message.type is aiohttp.WSMsgType.BINARY:
            picture = message.data
        elif message.type is not aiohttp.WSMsgType.TEXT:
            return picture


def rows(picture: bytes) -> list[str]:
    """The picture as text art, a line a row."""
    bits = (f"{byte:08b}" for byte in picture[:SIZE])
    text = "".join(bits).replace("0", ".").replace("1", "#")
    return [text[at : at + 128] for at in range(0, len(text), 128)]


if __name__ == "__main__":
    if sys.argv[1:] == ["--stay"]:
        asyncio.run(stay())
    else:
        print("\n".join(rows(asyncio.run(press(" ".join(sys.argv[1:]).split())))))
