"""Somebody at the virtual box's page, as a program that runs on the box itself:

    python3 at_the_page.py "1 2 1 OK MENU!"

presses these keys (with ! two seconds long), and prints the picture that is shown after them: 64
lines of text art, or nothing if the keys have switched the box off.
"""

import asyncio
import sys
from contextlib import suppress

import aiohttp

URL = "http://127.0.0.1"
STROKE_S = 0.06
"""How long a finger stays on a key, and off it."""
HELD_S = 2.3
SETTLED_S = 0.3
"""A picture that stays so long is the one that counts."""


async def press(keys: list[str]) -> bytes:
    """Presses keys; the picture after them."""
    async with aiohttp.ClientSession() as session:
        async with session.get(f"{URL}/token") as answer:
            token = (await answer.json())["token"]
        async with session.ws_connect(f"{URL}/live", headers={"Origin": URL}) as page:
            await page.send_json({"n": 0, "hello": token})
            with suppress(ConnectionError):  # the keys may have switched the box off
                for number, word in enumerate(keys, start=1):
                    await _stroke(page, number, word)
            return await _last_picture(page)


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
    bits = (f"{byte:08b}" for byte in picture)
    text = "".join(bits).replace("0", ".").replace("1", "#")
    return [text[at : at + 128] for at in range(0, len(text), 128)]


if __name__ == "__main__":
    print("\n".join(rows(asyncio.run(press(" ".join(sys.argv[1:]).split())))))
